/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Pools of return hook nodes: see rethook_pool.c.
 */
#ifndef _TRACE_RETHOOK_POOL_H
#define _TRACE_RETHOOK_POOL_H

#include <linux/atomic.h>
#include <linux/cache.h>
#include <linux/cpumask.h>
#include <linux/irq_work.h>
#include <linux/kernel.h>
#include <linux/percpu.h>
#include <linux/rethook.h>
#include <linux/smp.h>
#include <linux/workqueue.h>

/* Maximum number of nodes in the cache of a CPU. */
#define RETHOOK_CACHE_MAX	64

/**
 * struct rethook_cache - free nodes of a CPU
 * @hint: the slots below it are probably full, the others probably empty
 * @failed: jiffies when a refill last failed because memory or the lock was not available
 * @extra: nodes that did not fit while the spare nodes were locked, linked by their
 *	rethook member
 * @work: refills the cache
 * @pool: the pool
 * @slot: the nodes; NULL if empty
 */
struct rethook_cache {
	unsigned int		hint;
	unsigned long		failed;
	struct rethook_node	*extra;
	struct irq_work		work;
	struct rethook_pool	*pool;
	struct rethook_node	*slot[RETHOOK_CACHE_MAX];
};

/**
 * struct rethook_pool - free nodes of one size
 * @cache: the cache of each CPU
 * @slots: number of slots that a cache uses
 * @low: a cache that has this number of nodes or fewer is refilled
 * @size: size of a node in bytes, including the data of its user
 * @keep: number of nodes that users have asked for
 * @trim: frees spare nodes
 * @owner: lock of the members below: 1 + the CPU that holds it, 0 if free
 * @spare: nodes in no cache, linked by their rethook member
 * @nr_spare: number of nodes in @spare
 */
struct rethook_pool {
	struct rethook_cache __percpu	*cache;
	unsigned int			slots;
	unsigned int			low;
	size_t				size;
	atomic_long_t			keep;
	struct work_struct		trim;
	atomic_t			owner ____cacheline_aligned_in_smp;
	struct rethook_node		*spare;
	long				nr_spare;
} ____cacheline_aligned_in_smp;

/*
 * A CPU that goes offline, or the last CPU when the system suspends, could lose the
 * interrupt, and the work would stay queued.
 */
static __always_inline bool rethook_can_queue_work(void)
{
	return cpu_online(smp_processor_id()) && system_state != SYSTEM_SUSPEND;
}

struct rethook_pool *rethook_pool_use(size_t size, unsigned int num);
void rethook_pool_unuse(struct rethook_pool *pool, unsigned int num);
struct rethook_node *rethook_pool_search(struct rethook_cache *cache);
void rethook_pool_overflow(struct rethook_cache *cache, struct rethook_node *node);
void rethook_pool_request_refill(struct rethook_cache *cache);

/*
 * Take the node of a slot, if it has one.
 *
 * Another hit can interrupt this at any point, and take and return nodes.  Each slot
 * changes from a node to NULL and back with one instruction, so a node is never in two
 * places.  Only @hint can be wrong afterwards.
 */
static __always_inline struct rethook_node *rethook_pool_take_slot(struct rethook_cache *cache,
								   unsigned int i)
{
	struct rethook_node *node = READ_ONCE(cache->slot[i]);

	if (unlikely(!node) || unlikely(!try_cmpxchg_local(&cache->slot[i], &node, NULL)))
		return NULL;
	WRITE_ONCE(cache->hint, i);
	return node;
}

/*
 * Take a node from the cache of this CPU, or else a spare node.  Returns NULL if there is
 * neither.
 */
static __always_inline struct rethook_node *rethook_pool_pop(struct rethook_pool *pool)
{
	struct rethook_cache *cache = this_cpu_ptr(pool->cache);
	unsigned int n = READ_ONCE(cache->hint), i = n - 1;
	struct rethook_node *node = NULL;

	if (likely(i < pool->slots))
		node = rethook_pool_take_slot(cache, i);
	if (!node)
		node = rethook_pool_search(cache);
	if (n <= pool->low)
		rethook_pool_request_refill(cache);
	return node;
}

/* The same, but NULL if the cache has to be searched or refilled.  This calls no function. */
static __always_inline struct rethook_node *rethook_pool_pop_fast(struct rethook_pool *pool)
{
	struct rethook_cache *cache = this_cpu_ptr(pool->cache);
	unsigned int n = READ_ONCE(cache->hint), i = n - 1;

	if (unlikely(n <= pool->low) || unlikely(i >= pool->slots))
		return NULL;
	return rethook_pool_take_slot(cache, i);
}

/* Return a node to the cache of this CPU, or to the spare nodes if the cache is full. */
static __always_inline void rethook_pool_push(struct rethook_pool *pool,
					      struct rethook_node *node)
{
	struct rethook_cache *cache = this_cpu_ptr(pool->cache);
	unsigned int i = READ_ONCE(cache->hint);
	struct rethook_node *empty = NULL;

	if (likely(i < pool->slots) &&
	    likely(try_cmpxchg_local(&cache->slot[i], &empty, node)))
		WRITE_ONCE(cache->hint, i + 1);
	else
		rethook_pool_overflow(cache, node);
}

#endif /* _TRACE_RETHOOK_POOL_H */
