/* SPDX-License-Identifier: GPL-2.0 */
/* Memory that is freed all at once; see arena.c. */
#ifndef _PROBE_ARENA_H
#define _PROBE_ARENA_H

#include <linux/compiler.h>
#include <linux/types.h>

struct probe_arena;

void *probe_arena_alloc(struct probe_arena *arena, size_t size);
char *probe_arena_strndup(struct probe_arena *arena, const char *s, size_t len);
char *probe_arena_printf(struct probe_arena *arena, const char *fmt, ...) __printf(2, 3);
struct probe_arena *probe_arena_new(size_t first);
void probe_arena_free(struct probe_arena *arena);

#endif /* _PROBE_ARENA_H */
