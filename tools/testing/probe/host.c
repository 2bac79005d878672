// SPDX-License-Identifier: GPL-2.0
/*
 * Kernel functions that the code under test calls, implemented with the C library.
 */
#include <stdlib.h>
#include <linux/slab.h>

static int fail_at = -1;
static long live;

void host_alloc_fail_at(int skip)
{
	fail_at = skip;
}

long host_alloc_live(void)
{
	return live;
}

static bool allocation_fails(void)
{
	return fail_at >= 0 && fail_at-- == 0;
}

void *kmalloc(size_t size, gfp_t flags)
{
	void *p;

	if (allocation_fails())
		return NULL;
	/* For a size of zero, malloc() may return NULL, which would look like a failure. */
	p = flags & __GFP_ZERO ? calloc(1, size ?: 1) : malloc(size ?: 1);
	if (p)
		live++;
	return p;
}

void *krealloc(const void *p, size_t size, gfp_t flags)
{
	if (!p)
		return kmalloc(size, flags);
	if (allocation_fails())
		return NULL;
	return realloc((void *)p, size ?: 1);
}

void kfree(const void *p)
{
	if (p)
		live--;
	free((void *)p);
}
