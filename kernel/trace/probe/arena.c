// SPDX-License-Identifier: GPL-2.0
/*
 * Memory that is freed all at once.
 *
 * Defining a probe makes dozens of small objects that die together: with the
 * command they were parsed from, or with the event they describe.  They are
 * cut from the front of chunks, so none of them costs an allocation, and an
 * error path has one thing to free however far it got.
 *
 * Thousands of arenas live as long as their probes do, so the first chunk is
 * small and shares its allocation with the arena; later ones double.
 */
#include <linux/align.h>
#include <linux/minmax.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "ast.h"

#define ARENA_FIRST	512	/* bytes of the first allocation, all included */
#define ARENA_LARGEST	8192	/* where doubling ends */
#define ARENA_OBJECT	SZ_1M	/* largest object; more is a mistake */
#define ARENA_ALIGN	8	/* enough for any scalar */

/* A later chunk; its room follows. Keeps the room aligned. */
struct arena_chunk {
	struct arena_chunk	*older;
} __aligned(ARENA_ALIGN);

/**
 * struct probe_arena - chunks and what is left of the newest
 * @chunks: all but the first chunk, newest first
 * @free: first byte that is not in use
 * @left: bytes from there to the end of the chunk
 * @grow: bytes of the next chunk
 */
struct probe_arena {
	struct arena_chunk	*chunks;
	char			*free;
	size_t			left;
	size_t			grow;
} __aligned(ARENA_ALIGN);

/**
 * probe_arena_new - make an empty arena
 *
 * Context: may sleep.
 * Return: the arena, to be freed with probe_arena_free(); NULL without memory.
 */
struct probe_arena *probe_arena_new(void)
{
	struct probe_arena *arena = kzalloc(ARENA_FIRST, GFP_KERNEL);

	if (!arena)
		return NULL;
	arena->free = (char *)(arena + 1);
	arena->left = ARENA_FIRST - sizeof(*arena);
	arena->grow = 2 * ARENA_FIRST;
	return arena;
}

/* The rest of the chunk in use is given up: it is smaller than the request. */
static bool arena_add_chunk(struct probe_arena *arena, size_t size)
{
	size_t bytes = max(arena->grow, size + sizeof(struct arena_chunk));
	struct arena_chunk *chunk = kzalloc(bytes, GFP_KERNEL);

	if (!chunk)
		return false;
	chunk->older = arena->chunks;
	arena->chunks = chunk;
	arena->free = (char *)(chunk + 1);
	arena->left = bytes - sizeof(*chunk);
	arena->grow = min(2 * arena->grow, (size_t)ARENA_LARGEST);
	return true;
}

/**
 * probe_arena_alloc - cut an object from an arena
 * @arena: the arena
 * @size: bytes wanted
 *
 * Context: may sleep. The arena is not locked: one user at a time.
 * Return: zeroed memory aligned for any scalar; NULL without memory or when
 * more than 1 MiB is wanted.
 */
void *probe_arena_alloc(struct probe_arena *arena, size_t size)
{
	void *p;

	if (size > ARENA_OBJECT)
		return NULL;
	size = ALIGN(size, ARENA_ALIGN);
	if (size > arena->left && !arena_add_chunk(arena, size))
		return NULL;
	p = arena->free;
	arena->free += size;
	arena->left -= size;
	return p;
}

/**
 * probe_arena_strndup - copy text into an arena
 * @arena: the arena
 * @s: the text; need not be terminated
 * @len: bytes to copy
 *
 * Context: as probe_arena_alloc().
 * Return: the copy, terminated by a NUL; NULL without memory.
 */
char *probe_arena_strndup(struct probe_arena *arena, const char *s, size_t len)
{
	char *copy = probe_arena_alloc(arena, len + 1);

	if (copy)
		memcpy(copy, s, len);
	return copy;
}

/**
 * probe_arena_free - free an arena with everything in it
 * @arena: the arena, or NULL
 *
 * Context: any in which kfree() may be called.
 */
void probe_arena_free(struct probe_arena *arena)
{
	struct arena_chunk *chunk;

	if (!arena)
		return;
	while (arena->chunks) {
		chunk = arena->chunks;
		arena->chunks = chunk->older;
		kfree(chunk);
	}
	kfree(arena);
}
