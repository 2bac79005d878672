// SPDX-License-Identifier: GPL-2.0
/*
 * Pools of return hook nodes.
 *
 * A call of a hooked function needs a node until it returns.  Any number of tasks can
 * sleep in such a function, and a hit cannot allocate memory: it may have interrupted
 * the allocator.  So each CPU has a cache of free nodes, and irq_work refills it before
 * it is empty.
 *
 *	cache of a CPU    a hit takes a node from it, and a return puts one into it
 *	spare nodes       each pool has some, for caches that are empty or full
 *	kzalloc()         called by the work, if the pool has few spare nodes
 *
 * All users share the pools, one for each power of two in size.  A pool grows with the
 * number of calls in progress, and by the nodes that users ask for.  A hit finds no node
 * only in these cases:
 *
 *	- The cache and the spare nodes are used up before the work can run.
 *	- There is no memory.
 *	- The cache is empty and the spare nodes stay locked, for example because the hit
 *	  is in an NMI that interrupted the owner of the lock.
 *
 * On PREEMPT_RT a thread runs the work, and tasks of a higher priority can delay it.
 *
 * A user can ask for a number of nodes, which are then allocated as spare nodes.  The work
 * does not take them as long as it can allocate others, so they remain for hits that find
 * an empty cache.  Hits of all users can take them.
 *
 * Surplus nodes are freed only when a user is freed, and after a grace period: an unwinder
 * may read the nodes of another task while that task begins to run again and returns them.
 * For the same reason, free nodes are linked by rethook_node::rethook, not by
 * rethook_node::llist.  These two rules protect an unwinder only while it cannot be
 * preempted; otherwise its caller must ensure that the other task does not run.
 *
 * A slot of a cache is changed with an operation that is atomic only on its own CPU, which
 * is cheaper than an operation that is atomic for all CPUs.  The spare nodes have a lock.
 * A hit may have interrupted the owner of the lock, so it tries to lock only for a limited
 * time.
 */

#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/irqflags.h>
#include <linux/jiffies.h>
#include <linux/kprobes.h>
#include <linux/log2.h>
#include <linux/minmax.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

#include "rethook_pool.h"

#define MIN_SHIFT	6
#define MAX_SHIFT	16

/* Memory for the nodes of a cache, which has CACHE_MIN to RETHOOK_CACHE_MAX slots. */
#define CACHE_BYTES	8192
#define CACHE_MIN	16

/* Memory that may remain in spare nodes for which no user has asked. */
#define SPARE_BYTES	65536

/* Maximum number of spare nodes that trim() takes at a time, with interrupts off. */
#define BATCH		32

/* Number of attempts to lock the spare nodes: the owner may be moving half a cache. */
#define ATTEMPTS	10000

static struct rethook_pool pools[MAX_SHIFT - MIN_SHIFT + 1];

/* Protects the creation of pools; rethook_pool::cache does not change after that. */
static DEFINE_MUTEX(pools_mutex);

/* Lists of free nodes */

static nokprobe_inline void push_list(struct rethook_node **list, struct rethook_node *node)
{
	node->rethook = (struct rethook *)*list;
	*list = node;
}

static nokprobe_inline struct rethook_node *pop_list(struct rethook_node **list)
{
	struct rethook_node *node = *list;

	if (node)
		*list = (struct rethook_node *)node->rethook;
	return node;
}

/* Spare nodes */

/*
 * Lock the spare nodes, unless another context holds the lock for too long.  Until unlock(),
 * interrupts are off and no function is called, so only an NMI or a kprobe can interrupt
 * the owner.
 */
static nokprobe_inline bool try_lock(struct rethook_pool *pool, unsigned long *flags)
{
	unsigned int i;
	int me, owner;

	raw_local_irq_save(*flags);
	me = 1 + raw_smp_processor_id();
	for (i = 0; i < ATTEMPTS; i++) {
		owner = 0;
		if (atomic_try_cmpxchg_acquire(&pool->owner, &owner, me))
			return true;
		if (owner == me)
			break;
		cpu_relax();
	}
	raw_local_irq_restore(*flags);
	return false;
}

static nokprobe_inline void unlock(struct rethook_pool *pool, unsigned long flags)
{
	atomic_set_release(&pool->owner, 0);
	raw_local_irq_restore(flags);
}

static nokprobe_inline void add_spare(struct rethook_pool *pool, struct rethook_node *node)
{
	push_list(&pool->spare, node);
	pool->nr_spare++;
}

static nokprobe_inline struct rethook_node *take_spare(struct rethook_pool *pool)
{
	struct rethook_node *node;
	unsigned long flags;

	if (!READ_ONCE(pool->spare) || !try_lock(pool, &flags))
		return NULL;
	node = pop_list(&pool->spare);
	if (node)
		pool->nr_spare--;
	unlock(pool, flags);
	return node;
}

/*
 * Move up to @max spare nodes to @list, but leave @keep of them.  Returns false if the
 * spare nodes are locked.
 */
static bool take_surplus(struct rethook_pool *pool, struct rethook_node **list,
			 unsigned int max, long keep)
{
	unsigned long flags;

	if (READ_ONCE(pool->nr_spare) <= keep)
		return true;
	if (!try_lock(pool, &flags))
		return false;
	for (; max && pool->nr_spare > keep; max--) {
		push_list(list, pop_list(&pool->spare));
		pool->nr_spare--;
	}
	unlock(pool, flags);
	return true;
}

/* Free surplus spare nodes. */
static void trim(struct work_struct *work)
{
	struct rethook_pool *pool = container_of(work, struct rethook_pool, trim);
	struct rethook_node *list = NULL, *node;
	bool again;
	long keep;

	do {
		keep = atomic_long_read(&pool->keep) + SPARE_BYTES / pool->size;
		again = !take_surplus(pool, &list, BATCH, keep) || list;
		while ((node = pop_list(&list)))
			kfree_rcu(node, rcu);
		cond_resched();
	} while (again);
}

/* Caches */

static nokprobe_inline void queue_refill(struct rethook_cache *cache)
{
	if (rethook_can_queue_work())
		irq_work_queue(&cache->work);
}

static nokprobe_inline bool fill_slot(struct rethook_cache *cache, unsigned int i,
				      struct rethook_node *node)
{
	struct rethook_node *empty = NULL;

	if (!try_cmpxchg_local(&cache->slot[i], &empty, node))
		return false;
	WRITE_ONCE(cache->hint, i + 1);
	return true;
}

/**
 * rethook_pool_search - take a node from the cache of this CPU, or a spare node
 * @cache: the cache; no node was found with its hint
 *
 * Context: any, NMI included; preemption is disabled.
 * Return: the node, or NULL.
 */
struct rethook_node *rethook_pool_search(struct rethook_cache *cache)
{
	struct rethook_node *node;
	unsigned int i;

	for (i = cache->pool->slots; i--;) {
		node = rethook_pool_take_slot(cache, i);
		if (node)
			return node;
	}
	WRITE_ONCE(cache->hint, 0);
	node = take_spare(cache->pool);
	if (!node)
		rethook_pool_request_refill(cache);
	return node;
}
NOKPROBE_SYMBOL(rethook_pool_search);

/* Move the upper half of a full cache, its extra nodes, and @node to the spare nodes. */
static nokprobe_inline bool drain(struct rethook_cache *cache, struct rethook_node *node)
{
	struct rethook_pool *pool = cache->pool;
	struct rethook_node *extra;
	unsigned int i = pool->slots;
	unsigned long flags;

	if (!try_lock(pool, &flags))
		return false;
	add_spare(pool, node);
	while (i-- > pool->slots / 2) {
		node = rethook_pool_take_slot(cache, i);
		if (node)
			add_spare(pool, node);
	}
	extra = xchg(&cache->extra, NULL);
	while ((node = pop_list(&extra)))
		add_spare(pool, node);
	unlock(pool, flags);
	return true;
}

/* Returns whether the list was empty. */
static nokprobe_inline bool add_extra(struct rethook_cache *cache, struct rethook_node *node)
{
	struct rethook_node *first = READ_ONCE(cache->extra);

	do {
		node->rethook = (struct rethook *)first;
	} while (!try_cmpxchg_local(&cache->extra, &first, node));
	return !first;
}

/**
 * rethook_pool_overflow - return a node to a cache that seems to be full
 * @cache: the cache of this CPU
 * @node: the node
 *
 * Context: any, NMI included; preemption is disabled.
 */
void rethook_pool_overflow(struct rethook_cache *cache, struct rethook_node *node)
{
	unsigned int i;

	for (i = 0; i < cache->pool->slots; i++)
		if (!READ_ONCE(cache->slot[i]) && fill_slot(cache, i, node))
			return;
	if (drain(cache, node))
		return;
	/*
	 * Only the first extra node queues the work.  So if irq_work_queue() is itself
	 * hooked, its return does not queue the work again.
	 */
	if (add_extra(cache, node))
		queue_refill(cache);
}
NOKPROBE_SYMBOL(rethook_pool_overflow);

/**
 * rethook_pool_request_refill - queue the work that refills a cache
 * @cache: the cache of this CPU
 *
 * If the work has failed, it is not queued again before the next tick.  Otherwise a hooked
 * function that the work calls could queue it without end.
 *
 * Context: any, NMI included; preemption is disabled.
 */
void rethook_pool_request_refill(struct rethook_cache *cache)
{
	if (READ_ONCE(cache->failed) != jiffies)
		queue_refill(cache);
}
NOKPROBE_SYMBOL(rethook_pool_request_refill);

/* Move the extra nodes to the spare nodes.  Returns false if the spare nodes are locked. */
static bool flush_extra(struct rethook_cache *cache)
{
	struct rethook_node *list = xchg(&cache->extra, NULL), *node;
	unsigned long flags;

	if (!list)
		return true;
	if (!try_lock(cache->pool, &flags)) {
		while ((node = pop_list(&list)))
			add_extra(cache, node);
		return false;
	}
	while ((node = pop_list(&list)))
		add_spare(cache->pool, node);
	unlock(cache->pool, flags);
	return true;
}

/*
 * First take spare nodes for which no user has asked, then allocate nodes.  If there is no
 * memory, take the other spare nodes.
 */
static void refill(struct irq_work *work)
{
	struct rethook_cache *cache = container_of(work, struct rethook_cache, work);
	struct rethook_pool *pool = cache->pool;
	unsigned int target = pool->slots - pool->slots / 4, have = READ_ONCE(cache->hint);
	struct rethook_node *list = NULL, *node;

	if (!flush_extra(cache) ||
	    (have < target &&
	     !take_surplus(pool, &list, target - have, atomic_long_read(&pool->keep)))) {
		WRITE_ONCE(cache->failed, jiffies);
		return;
	}
	for (; have < target; have++) {
		node = pop_list(&list) ?: kzalloc(pool->size, GFP_NOWAIT);
		if (!node) {
			WRITE_ONCE(cache->failed, jiffies);
			node = take_spare(pool);
		}
		if (!node)
			break;
		rethook_pool_push(pool, node);
	}
}

/* Pools */

static void free_caches(struct rethook_cache __percpu *caches)
{
	struct rethook_cache *cache;
	int cpu;

	for_each_possible_cpu(cpu) {
		cache = per_cpu_ptr(caches, cpu);
		while (cache->hint)
			kfree(cache->slot[--cache->hint]);
	}
	free_percpu(caches);
}

/* The caches are not in use yet. */
static int fill_caches(struct rethook_pool *pool, struct rethook_cache __percpu *caches)
{
	struct rethook_node *node;
	struct rethook_cache *cache;
	int cpu;

	for_each_possible_cpu(cpu) {
		cache = per_cpu_ptr(caches, cpu);
		cache->pool = pool;
		cache->failed = jiffies - 1;
		init_irq_work(&cache->work, refill);
		/* A CPU that comes online later takes spare nodes until the work runs. */
		while (cpu_online(cpu) && cache->hint < pool->slots / 2) {
			node = kzalloc_node(pool->size, GFP_KERNEL, cpu_to_node(cpu));
			if (!node)
				return -ENOMEM;
			cache->slot[cache->hint++] = node;
		}
	}
	return 0;
}

static int create(struct rethook_pool *pool, unsigned int shift)
{
	struct rethook_cache __percpu *caches;
	int ret;

	pool->size = 1UL << shift;
	pool->slots = clamp(CACHE_BYTES >> shift, CACHE_MIN, RETHOOK_CACHE_MAX);
	pool->low = pool->slots / 4;
	INIT_WORK(&pool->trim, trim);
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

static void add_preallocated(struct rethook_pool *pool, struct rethook_node *first,
			     struct rethook_node *last, unsigned int num)
{
	unsigned long flags;

	atomic_long_add(num, &pool->keep);
	while (!try_lock(pool, &flags))
		cpu_relax();
	last->rethook = (struct rethook *)pool->spare;
	pool->spare = first;
	pool->nr_spare += num;
	unlock(pool, flags);
}

/**
 * rethook_pool_use - begin to use the pool for nodes of a given size
 * @size: size of a node in bytes, including the data of its user
 * @num: number of nodes to preallocate, at least 1
 *
 * Context: may sleep.
 * Return: the pool; or as an ERR_PTR(), -EINVAL if no pool has nodes that large, or
 * -ENOMEM.
 */
struct rethook_pool *rethook_pool_use(size_t size, unsigned int num)
{
	struct rethook_node *first = NULL, *last = NULL, *node;
	unsigned int shift = max(order_base_2(size), MIN_SHIFT), i;
	struct rethook_pool *pool;
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
		node = kzalloc(pool->size, GFP_KERNEL);
		if (!node)
			goto no_memory;
		push_list(&first, node);
		if (!last)
			last = node;
		cond_resched();
	}
	add_preallocated(pool, first, last, num);
	return pool;

no_memory:
	while ((node = pop_list(&first)))
		kfree(node);
	return ERR_PTR(-ENOMEM);
}

/**
 * rethook_pool_unuse - stop using a pool
 * @pool: the pool, from rethook_pool_use()
 * @num: the number of nodes that was preallocated
 *
 * Nodes in use can still be returned to the pool.
 *
 * Context: any but NMI.
 */
void rethook_pool_unuse(struct rethook_pool *pool, unsigned int num)
{
	atomic_long_sub(num, &pool->keep);
	queue_work(system_unbound_wq, &pool->trim);
}
