/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Allocation functions that use the C library; see ../../host.c. Tests call
 * host_alloc_fail_at() to make the Nth allocation fail.
 */
#ifndef _HOST_LINUX_SLAB_H
#define _HOST_LINUX_SLAB_H

#include <linux/types.h>

#define GFP_KERNEL	0
#define __GFP_ZERO	1

void *kmalloc(size_t size, gfp_t flags);
void *krealloc(const void *p, size_t size, gfp_t flags);
void kfree(const void *p);

/* The size that kmalloc() really allocates. */
static inline size_t kmalloc_size_roundup(size_t size)
{
	return (size + 15) & ~(size_t)15;
}

static inline void *kzalloc(size_t size, gfp_t flags)
{
	return kmalloc(size, flags | __GFP_ZERO);
}

static inline void *kmalloc_array(size_t n, size_t size, gfp_t flags)
{
	size_t bytes;

	return __builtin_mul_overflow(n, size, &bytes) ? NULL : kmalloc(bytes, flags);
}

static inline void *kcalloc(size_t n, size_t size, gfp_t flags)
{
	return kmalloc_array(n, size, flags | __GFP_ZERO);
}

static inline void *krealloc_array(void *p, size_t n, size_t size, gfp_t flags)
{
	size_t bytes;

	return __builtin_mul_overflow(n, size, &bytes) ? NULL : krealloc(p, bytes, flags);
}

#define kvmalloc_array	kmalloc_array
#define kvfree		kfree

/* Let @skip allocations succeed and the next one fail.  If @skip is -1, none fails. */
void host_alloc_fail_at(int skip);

/* The number of allocations that have not been freed. */
long host_alloc_live(void);

#endif
