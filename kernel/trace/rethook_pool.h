/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Pools of return hook nodes: see rethook_pool.c.
 */
#ifndef _TRACE_RETHOOK_POOL_H
#define _TRACE_RETHOOK_POOL_H

#include <linux/irq_work.h>
#include <linux/percpu.h>
#include <linux/rethook.h>
#include <linux/spinlock.h>

#include <asm/local.h>

/* Most nodes in the cache of a CPU. */
#define RETHOOK_CACHE_MAX	64

/*
 * The count of nodes is in the low byte of rethook_cache::top.  The bits above are a
 * version, which every change increments.
 */
#define RETHOOK_TOP_COUNT	0xffL
#define RETHOOK_TOP_VERSION	0x100L

/**
 * struct rethook_cache - the free nodes of a CPU
 * @top: number of entries of @node in use, and a version
 * @node: the nodes
 * @extra: nodes for which @node had no room, linked by llist.next
 * @work: takes the nodes in @extra, and refills @node
 * @pool: the pool
 */
struct rethook_cache {
	local_t			top;
	struct rethook_node	*node[RETHOOK_CACHE_MAX];
	struct llist_node	*extra;
	struct irq_work		work;
	struct rethook_pool	*pool;
};

/**
 * struct rethook_pool - free nodes of one size
 * @cache: those of each CPU
 * @most: largest number of nodes in the cache of a CPU; a quarter of it remains when the
 *	cache is refilled
 * @size: bytes of a node with the data of its user
 * @lock: protects the members below; hits do not take it
 * @spare: nodes in no cache, linked by llist.next
 * @nr_spare: their number
 * @keep: number of nodes that users have asked for
 */
struct rethook_pool {
	struct rethook_cache __percpu	*cache;
	unsigned int			most;
	size_t				size;
	raw_spinlock_t			lock;
	struct llist_node		*spare;
	unsigned int			nr_spare;
	unsigned int			keep;
};

struct rethook_pool *rethook_pool_use(size_t size, unsigned int num);
void rethook_pool_unuse(struct rethook_pool *pool, unsigned int num);
void rethook_pool_overflow(struct rethook_cache *cache, struct rethook_node *node);

/*
 * Take a node from the cache of this CPU, or return NULL.
 *
 * Another hit may interrupt this at any point.  It can take nodes and return them, also
 * to the entry that this has just read, but then the version differs.
 */
static __always_inline struct rethook_node *rethook_pool_pop(struct rethook_pool *pool)
{
	struct rethook_cache *cache = this_cpu_ptr(pool->cache);
	long top = local_read(&cache->top);
	struct rethook_node *node;

	do {
		if (unlikely(!(top & RETHOOK_TOP_COUNT)))
			return NULL;
		node = READ_ONCE(cache->node[(top & RETHOOK_TOP_COUNT) - 1]);
	} while (!local_try_cmpxchg(&cache->top, &top, top + RETHOOK_TOP_VERSION - 1));

	/* The work runs when interrupts are on again: in time before the next calls. */
	if (unlikely((top & RETHOOK_TOP_COUNT) <= pool->most / 4))
		irq_work_queue(&cache->work);
	return node;
}

/* Return a node to the cache of this CPU. */
static __always_inline void rethook_pool_push(struct rethook_pool *pool,
					      struct rethook_node *node)
{
	struct rethook_cache *cache = this_cpu_ptr(pool->cache);
	long top = local_read(&cache->top);

	do {
		if (unlikely((top & RETHOOK_TOP_COUNT) == pool->most)) {
			rethook_pool_overflow(cache, node);
			return;
		}
		WRITE_ONCE(cache->node[top & RETHOOK_TOP_COUNT], node);
	} while (!local_try_cmpxchg(&cache->top, &top, top + RETHOOK_TOP_VERSION + 1));
}

#endif /* _TRACE_RETHOOK_POOL_H */
