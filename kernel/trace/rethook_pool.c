// SPDX-License-Identifier: GPL-2.0
/*
 * Pools of return hook nodes.
 *
 * A call of a hooked function needs a node until it returns.  Any number of tasks can
 * sleep in such a function, and a hit cannot allocate memory: it may have interrupted
 * the allocator.  So each CPU has a cache of free nodes, and interrupt work refills it
 * long before it is empty.  A hit takes a node from the cache of its CPU, and a return
 * gives it to the cache of its CPU, both without locks and without disabling interrupts.
 *
 *	cache of a CPU    taken and filled by hits on this CPU, in any context
 *	extra nodes       of a CPU whose cache is full, until its work runs
 *	spare nodes       of a pool, for the work of all CPUs
 *	kmalloc()         when there are no spare nodes
 *
 * All users share the pools, one for each power of two in size, so memory is for the
 * calls that exist and not for each user.  A hit finds no node only if the work cannot
 * run or cannot get memory: if a CPU enters more hooked functions than its cache has
 * nodes while its interrupts are off, or if the system is out of memory.
 *
 * A user can ask for a number of nodes, which then exist as spare nodes.  The work frees
 * spare nodes beyond these.  An unwinder may still look at a node that was recycled, so
 * nodes are freed after a grace period.
 *
 * A cache is a stack.  Its users are on one CPU with preemption disabled, so they can
 * only interrupt each other; a compare-and-exchange with a version is enough, even for
 * an NMI in the middle.  With PREEMPT_RT, the work is a thread of this CPU and can be
 * preempted by hits, which is the same.
 */

#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/kprobes.h>
#include <linux/log2.h>
#include <linux/minmax.h>
#include <linux/mutex.h>
#include <linux/slab.h>

#include "rethook_pool.h"

#define MIN_SHIFT	7
#define MAX_SHIFT	16

/* Memory in the cache of a CPU, unless there are few nodes in it or too many. */
#define CACHE_BYTES	8192
#define CACHE_MIN	8

/* Spare nodes that are not freed although no user has asked for them. */
#define SPARE_MAX	512

static struct rethook_pool pools[MAX_SHIFT - MIN_SHIFT + 1];

/* Creates the pools; protects rethook_pool::cache, which does not change after that. */
static DEFINE_MUTEX(pools_mutex);

static struct rethook_node *node_of(struct llist_node *llist)
{
	return container_of(llist, struct rethook_node, llist);
}

static unsigned int count_in(struct rethook_cache *cache)
{
	return local_read(&cache->top) & RETHOOK_TOP_COUNT;
}

static void push_list(struct llist_node **list, struct rethook_node *node)
{
	node->llist.next = *list;
	*list = &node->llist;
}

static struct rethook_node *pop_list(struct llist_node **list)
{
	struct llist_node *first = *list;

	if (!first)
		return NULL;
	*list = first->next;
	return node_of(first);
}

static void free_list(struct llist_node *list)
{
	struct rethook_node *node;

	while ((node = pop_list(&list)))
		kfree_rcu(node, rcu);
}

/**
 * rethook_pool_overflow - return a node to a cache that is full
 * @cache: the cache of this CPU
 * @node: the node
 *
 * Context: any, NMI included; preemption is disabled.
 */
void rethook_pool_overflow(struct rethook_cache *cache, struct rethook_node *node)
{
	struct llist_node *first = READ_ONCE(cache->extra);

	do {
		node->llist.next = first;
	} while (!try_cmpxchg(&cache->extra, &first, &node->llist));

	/*
	 * The first node queues the work.  So if irq_work_queue() is itself hooked, its
	 * return does not queue it again.
	 */
	if (!first)
		irq_work_queue(&cache->work);
}
NOKPROBE_SYMBOL(rethook_pool_overflow);

/* Add @list to the spare nodes.  Return those that are too many. */
static struct llist_node *add_spare(struct rethook_pool *pool, struct llist_node *list)
{
	struct llist_node *excess = NULL;
	struct rethook_node *node;

	lockdep_assert_held(&pool->lock);

	while ((node = pop_list(&list))) {
		push_list(&pool->spare, node);
		pool->nr_spare++;
	}
	while (pool->nr_spare > pool->keep + SPARE_MAX) {
		push_list(&excess, pop_list(&pool->spare));
		pool->nr_spare--;
	}
	return excess;
}

static void refill(struct irq_work *work)
{
	struct rethook_cache *cache = container_of(work, struct rethook_cache, work);
	struct rethook_pool *pool = cache->pool;
	unsigned int target = pool->most - pool->most / 4;
	struct rethook_node *node;
	struct llist_node *excess;

	scoped_guard(raw_spinlock_irqsave, &pool->lock) {
		excess = add_spare(pool, xchg(&cache->extra, NULL));
		while (count_in(cache) < target && pool->spare) {
			pool->nr_spare--;
			rethook_pool_push(pool, pop_list(&pool->spare));
		}
	}
	free_list(excess);

	while (count_in(cache) < target) {
		node = kmalloc(pool->size, GFP_NOWAIT | __GFP_NOWARN);
		if (!node)
			break;
		rethook_pool_push(pool, node);
	}
}

static void free_caches(struct rethook_cache __percpu *caches)
{
	struct rethook_cache *cache;
	int cpu;

	for_each_possible_cpu(cpu) {
		cache = per_cpu_ptr(caches, cpu);
		while (count_in(cache)) {
			kfree(cache->node[count_in(cache) - 1]);
			local_dec(&cache->top);
		}
	}
	free_percpu(caches);
}

/* Nobody uses the caches yet. */
static int fill_caches(struct rethook_pool *pool, struct rethook_cache __percpu *caches)
{
	struct rethook_cache *cache;
	unsigned int i;
	int cpu;

	for_each_possible_cpu(cpu) {
		cache = per_cpu_ptr(caches, cpu);
		cache->pool = pool;
		init_irq_work(&cache->work, refill);
		for (i = 0; i < pool->most / 2; i++) {
			cache->node[i] = kmalloc_node(pool->size, GFP_KERNEL, cpu_to_node(cpu));
			if (!cache->node[i])
				return -ENOMEM;
			local_inc(&cache->top);
		}
	}
	return 0;
}

static int create(struct rethook_pool *pool, unsigned int shift)
{
	struct rethook_cache __percpu *caches;
	int ret;

	raw_spin_lock_init(&pool->lock);
	pool->size = 1UL << shift;
	pool->most = clamp(CACHE_BYTES >> shift, CACHE_MIN, RETHOOK_CACHE_MAX);
	caches = alloc_percpu(struct rethook_cache);
	if (!caches)
		return -ENOMEM;
	ret = fill_caches(pool, caches);
	if (ret)
		free_caches(caches);
	else
		pool->cache = caches;
	return ret;
}

/**
 * rethook_pool_use - begin to use the pool of nodes of a size
 * @size: bytes of a node with the data of its user
 * @num: number of nodes for which memory is set aside
 *
 * Context: may sleep.
 * Return: the pool, -EINVAL if no pool has nodes that large, or -ENOMEM.
 */
struct rethook_pool *rethook_pool_use(size_t size, unsigned int num)
{
	unsigned int shift = max(order_base_2(size), MIN_SHIFT), i;
	struct llist_node *list = NULL;
	struct rethook_pool *pool;
	struct rethook_node *node;
	int ret;

	if (shift > MAX_SHIFT)
		return ERR_PTR(-EINVAL);
	pool = &pools[shift - MIN_SHIFT];

	scoped_guard(mutex, &pools_mutex) {
		ret = pool->cache ? 0 : create(pool, shift);
		if (ret)
			return ERR_PTR(ret);
	}
	for (i = 0; i < num; i++) {
		node = kmalloc(pool->size, GFP_KERNEL);
		if (!node) {
			free_list(list);
			return ERR_PTR(-ENOMEM);
		}
		push_list(&list, node);
	}
	scoped_guard(raw_spinlock_irqsave, &pool->lock) {
		pool->keep += num;
		list = add_spare(pool, list);
	}
	free_list(list);
	return pool;
}

/**
 * rethook_pool_unuse - stop using a pool
 * @pool: the pool, from rethook_pool_use()
 * @num: the number of nodes that was set aside
 *
 * Nodes in use can still be returned to the pool.
 *
 * Context: any but NMI.
 */
void rethook_pool_unuse(struct rethook_pool *pool, unsigned int num)
{
	struct llist_node *excess;

	scoped_guard(raw_spinlock_irqsave, &pool->lock) {
		pool->keep -= num;
		excess = add_spare(pool, NULL);
	}
	free_list(excess);
}
