// SPDX-License-Identifier: GPL-2.0
/*
 * Arenas: memory that is freed all at once.
 *
 * Defining a probe allocates dozens of small objects.  They live as long as the
 * parsed command, the probe or the event to which they belong.  An arena cuts
 * them from larger chunks, so most objects need no allocation of their own, and
 * an error path frees only the arena.
 *
 * There may be thousands of probes, each with an arena.  So an arena and its
 * first chunk share one allocation, whose size depends on the number of bytes that
 * the caller expects.  The size of further chunks doubles up to ARENA_MAX_CHUNK.  A
 * chunk is made larger if an object would not fit into it.
 */
#include <linux/align.h>
#include <linux/minmax.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/sprintf.h>
#include <linux/stdarg.h>
#include <linux/string.h>

#include "arena.h"

#define ARENA_SECOND_CHUNK	128	/* size of the second chunk */
#define ARENA_MAX_CHUNK		8192	/* the size of chunks stops growing here */
#define ARENA_MAX_OBJECT	SZ_1M	/* a larger request is a bug */
#define ARENA_ALIGN		8	/* enough for any scalar */

/**
 * struct arena_chunk - header of a chunk other than the first
 * @older: the chunk before it, or NULL if that is the first
 * @size: size of the chunk in bytes
 */
struct arena_chunk {
	struct arena_chunk	*older;
	size_t			size;
} __aligned(ARENA_ALIGN);	/* also aligns the memory after it */

/**
 * struct probe_arena - a list of chunks, and the free part of the newest one
 * @chunks: all chunks except the first, newest first
 * @used: bytes in use from the beginning of the chunk, with its header; objects are there
 * @left: number of free bytes after them; texts, which need no alignment, are after these
 */
struct probe_arena {
	struct arena_chunk	*chunks;
	unsigned int		used;
	unsigned int		left;
} __aligned(ARENA_ALIGN);

/**
 * probe_arena_new() - allocate an empty arena
 * @first: bytes that will probably be allocated; the first chunk has room for
 *	them, up to ARENA_MAX_CHUNK
 *
 * Context: may sleep.
 * Return: the arena, which probe_arena_free() frees; NULL if out of memory.
 */
struct probe_arena *probe_arena_new(size_t first)
{
	size_t bytes = kmalloc_size_roundup(sizeof(struct probe_arena) +
					    min_t(size_t, first, ARENA_MAX_CHUNK));
	struct probe_arena *arena = kzalloc(bytes, GFP_KERNEL);

	if (!arena)
		return NULL;
	arena->used = sizeof(*arena);
	arena->left = bytes - sizeof(*arena);
	return arena;
}

/* The first free byte. */
static char *free_part(struct probe_arena *arena)
{
	return (arena->chunks ? (char *)arena->chunks : (char *)arena) + arena->used;
}

/* Add a chunk for a request that does not fit.  The rest of the current chunk stays unused. */
static bool arena_add_chunk(struct probe_arena *arena, size_t size)
{
	size_t bytes = arena->chunks ? 2 * arena->chunks->size : ARENA_SECOND_CHUNK;
	struct arena_chunk *chunk;

	bytes = max_t(size_t, min_t(size_t, bytes, ARENA_MAX_CHUNK), size + sizeof(*chunk));
	bytes = kmalloc_size_roundup(bytes);
	chunk = kzalloc(bytes, GFP_KERNEL);
	if (!chunk)
		return false;
	chunk->older = arena->chunks;
	chunk->size = bytes;
	arena->chunks = chunk;
	arena->used = sizeof(*chunk);
	arena->left = bytes - sizeof(*chunk);
	return true;
}

/**
 * probe_arena_alloc() - allocate an object from an arena
 * @arena: the arena
 * @size: size of the object in bytes
 *
 * Context: may sleep. The arena has no lock: callers must serialize calls.
 * Return: zeroed memory, aligned for any scalar; NULL if out of memory or if
 * @size is more than 1 MiB.
 */
void *probe_arena_alloc(struct probe_arena *arena, size_t size)
{
	void *p;

	if (size > ARENA_MAX_OBJECT)
		return NULL;
	size = ALIGN(size, ARENA_ALIGN);
	if (size > arena->left && !arena_add_chunk(arena, size))
		return NULL;
	p = free_part(arena);
	arena->used += size;
	arena->left -= size;
	return p;
}

static char *alloc_text(struct probe_arena *arena, size_t size)
{
	if (size > ARENA_MAX_OBJECT || (size > arena->left && !arena_add_chunk(arena, size)))
		return NULL;
	arena->left -= size;
	return free_part(arena) + arena->left;
}

/**
 * probe_arena_strndup() - copy text into an arena
 * @arena: the arena
 * @s: the text; it needs no NUL at its end
 * @len: bytes to copy
 *
 * Context: as for probe_arena_alloc().
 * Return: the copy, terminated by a NUL; NULL if out of memory.
 */
char *probe_arena_strndup(struct probe_arena *arena, const char *s, size_t len)
{
	char *copy = alloc_text(arena, len + 1);

	if (copy)
		memcpy(copy, s, len);
	return copy;
}

/**
 * probe_arena_printf() - format text into an arena
 * @arena: the arena
 * @fmt: the format, as for snprintf()
 *
 * Context: as for probe_arena_alloc().
 * Return: the text, terminated by a NUL; NULL if out of memory.
 */
char *probe_arena_printf(struct probe_arena *arena, const char *fmt, ...)
{
	va_list ap;
	char *text;
	int len;

	va_start(ap, fmt);
	len = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	text = alloc_text(arena, len + 1);
	if (!text)
		return NULL;
	va_start(ap, fmt);
	vsnprintf(text, len + 1, fmt, ap);
	va_end(ap);
	return text;
}

/**
 * probe_arena_free() - free an arena and all objects in it
 * @arena: the arena, or NULL
 *
 * Context: any that allows kfree().
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
