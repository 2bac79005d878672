// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the nodes of return hooks: their number, their lifetime, and nested hits.
 */
#include <kunit/test.h>
#include <linux/delay.h>
#include <linux/hrtimer.h>
#include <linux/irq_work.h>
#include <linux/irqflags.h>
#include <linux/ktime.h>
#include <linux/llist.h>
#include <linux/preempt.h>
#include <linux/ptrace.h>
#include <linux/rcupdate.h>
#include <linux/rethook.h>
#include <linux/sched.h>
#include <linux/workqueue.h>

#include "rethook_pool.h"

struct call {
	struct rethook_node	node;
	unsigned long		data;
};

#define MANY	1000

static void handler(struct rethook_node *node, void *data, unsigned long ret_addr,
		    struct pt_regs *regs)
{
}

static struct rethook_node *get(struct rethook *rh)
{
	guard(preempt)();
	return rethook_try_get(rh);
}

static void put(struct rethook_node *node)
{
	guard(preempt)();
	rethook_recycle(node);
}

/* On machines without an interrupt for irq_work, the work runs at the next tick. */
static struct rethook_node *get_or_wait(struct rethook *rh)
{
	struct rethook_node *node = get(rh);

	if (!node) {
		fsleep(20 * USEC_PER_MSEC);
		node = get(rh);
	}
	return node;
}

static struct rethook *new_rethook(struct kunit *test, int size, int num)
{
	struct rethook *rh = rethook_alloc(test, handler, size, num);

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, rh);
	return rh;
}

static struct rethook_node **new_list(struct kunit *test)
{
	struct rethook_node **list = kunit_kcalloc(test, MANY, sizeof(*list), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, list);
	return list;
}

/* A user can take more nodes than it asked for.  All differ, and each has room for its data. */
static void test_many(struct kunit *test)
{
	static const int sizes[] = { sizeof(struct rethook_node), sizeof(struct call), 300, 5000 };
	struct rethook_node **list = new_list(test);
	unsigned int i, j;

	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		struct rethook *rh = new_rethook(test, sizes[i], 1);

		for (j = 0; j < MANY; j++) {
			list[j] = get_or_wait(rh);
			KUNIT_ASSERT_NOT_NULL(test, list[j]);
			KUNIT_EXPECT_PTR_EQ(test, list[j]->rethook, rh);
			memset(list[j] + 1, j, sizes[i] - sizeof(**list));
		}
		for (j = 0; j < MANY; j++) {
			KUNIT_EXPECT_PTR_EQ(test, memchr_inv(list[j] + 1, j,
							     sizes[i] - sizeof(**list)), NULL);
			put(list[j]);
		}
		rethook_free(rh);
	}
}

/* Wait until the nodes preallocated for freed users are trimmed. */
static void wait_for_trim(struct rethook_pool *pool)
{
	rcu_barrier();
	flush_work(&pool->trim);
}

/* Take all free nodes that this CPU can get with interrupts off. */
static struct rethook_node *get_all(struct rethook *rh, unsigned int *count)
{
	struct rethook_node *all = NULL, *node;
	unsigned long flags;

	local_irq_save(flags);
	for (*count = 0; (node = get(rh)); ++*count) {
		node->llist.next = all ? &all->llist : NULL;
		all = node;
	}
	local_irq_restore(flags);
	return all;
}

static void put_all(struct rethook_node *all)
{
	struct llist_node *next = &all->llist;

	while (next) {
		struct rethook_node *node = container_of(next, struct rethook_node, llist);

		next = next->next;
		put(node);
	}
}

/* With interrupts off, hits can still take the nodes in the cache of the CPU. */
static void test_interrupts_off(struct kunit *test)
{
	struct rethook *rh = new_rethook(test, sizeof(struct call), 1);
	struct rethook_node *all, *more, *node;
	struct rethook_cache *cache;
	unsigned int i, n, first;

	wait_for_trim(rh->pool);
	migrate_disable();
	cache = raw_cpu_ptr(rh->pool->cache);
	/* No spare node is left after this. */
	all = get_all(rh, &first);
	for (i = 0; i < 3; i++) {
		irq_work_sync(&cache->work);
		if (READ_ONCE(cache->hint))
			break;
		/* There was no memory, or no interrupt for the work. */
		fsleep(20 * USEC_PER_MSEC);
	}
	KUNIT_EXPECT_EQ(test, READ_ONCE(rh->pool->nr_spare), 0);
	more = get_all(rh, &n);
	KUNIT_EXPECT_GE(test, n, rh->pool->slots / 2);
	KUNIT_EXPECT_LE(test, n, rh->pool->slots);

	/* The work refills the cache. */
	irq_work_sync(&cache->work);
	node = get_or_wait(rh);
	migrate_enable();
	KUNIT_EXPECT_NOT_NULL(test, node);
	if (node)
		put(node);
	if (more)
		put_all(more);
	if (all)
		put_all(all);
	rethook_free(rh);
}

/* No node is lost if a cache is full. */
static void test_overflow(struct kunit *test)
{
	struct rethook *rh = new_rethook(test, sizeof(struct call), 1);
	struct rethook_node **list = new_list(test);
	struct rethook_pool *pool = rh->pool;
	unsigned long flags;
	unsigned int i, n;
	long spare;

	wait_for_trim(pool);
	for (n = 0; n < MANY; n++) {
		list[n] = get_or_wait(rh);
		if (!list[n])
			break;
	}
	KUNIT_EXPECT_EQ(test, n, MANY);
	spare = pool->nr_spare;
	local_irq_save(flags);
	for (i = 0; i < n; i++)
		put(list[i]);
	local_irq_restore(flags);
	KUNIT_EXPECT_GE(test, pool->nr_spare, spare + (long)(n - 2 * pool->slots));
	rethook_free(rh);
}

/* The nodes that a user asks for are allocated, and are freed after the user is freed. */
static void test_preallocated(struct kunit *test)
{
	struct rethook *rh = new_rethook(test, sizeof(struct call), 1), *large;
	struct rethook_pool *pool = rh->pool;
	long keep, spare;

	wait_for_trim(pool);
	keep = atomic_long_read(&pool->keep);
	large = new_rethook(test, sizeof(struct call), 3 * MANY);
	KUNIT_EXPECT_PTR_EQ(test, large->pool, pool);
	KUNIT_EXPECT_EQ(test, atomic_long_read(&pool->keep), keep + 3 * MANY);
	spare = pool->nr_spare;
	KUNIT_EXPECT_GE(test, spare, 3 * MANY);
	rethook_free(large);
	wait_for_trim(pool);
	KUNIT_EXPECT_EQ(test, atomic_long_read(&pool->keep), keep);
	KUNIT_EXPECT_LT(test, pool->nr_spare, spare);
	rethook_free(rh);
}

/* The nodes that one user has asked for remain after another user has taken many nodes. */
static void test_preallocated_remain(struct kunit *test)
{
	struct rethook *rh = new_rethook(test, sizeof(struct call), 1), *large;
	struct rethook_node **list = new_list(test);
	struct rethook_pool *pool = rh->pool;
	unsigned int i;

	wait_for_trim(pool);
	large = new_rethook(test, sizeof(struct call), 2 * MANY);
	for (i = 0; i < MANY; i++) {
		list[i] = get_or_wait(rh);
		/* The work runs before each hit. */
		irq_work_sync(&raw_cpu_ptr(pool->cache)->work);
	}
	KUNIT_EXPECT_GE(test, pool->nr_spare, 2 * MANY - MANY / 10);
	for (i = 0; i < MANY; i++)
		if (list[i])
			put(list[i]);
	rethook_free(large);
	rethook_free(rh);
}

/* A node contains no data of another user, only data of the user's own earlier calls. */
static void test_data(struct kunit *test)
{
	struct rethook *rh[] = {
		new_rethook(test, sizeof(struct call), 1),
		new_rethook(test, sizeof(struct call), 1),
	};
	struct rethook_node *node[3];
	struct call *call;

	migrate_disable();
	node[0] = get(rh[0]);
	if (node[0]) {
		call = container_of(node[0], struct call, node);
		KUNIT_EXPECT_EQ(test, call->data, 0);
		call->data = 1;
		put(node[0]);
	}
	/* The node that was returned last is taken first. */
	node[1] = get(rh[0]);
	if (node[1]) {
		call = container_of(node[1], struct call, node);
		KUNIT_EXPECT_EQ(test, call->data, 1);
		put(node[1]);
	}
	node[2] = get(rh[1]);
	if (node[2]) {
		call = container_of(node[2], struct call, node);
		KUNIT_EXPECT_EQ(test, call->data, 0);
		put(node[2]);
	}
	migrate_enable();
	KUNIT_EXPECT_NOT_NULL(test, node[0]);
	KUNIT_EXPECT_PTR_EQ(test, node[1], node[0]);
	KUNIT_EXPECT_PTR_EQ(test, node[2], node[0]);
	rethook_free(rh[0]);
	rethook_free(rh[1]);
}

/* Nested hits */

#define TICKS	3000
#define HELD	40

/**
 * struct nested - a thread and a timer that take and return nodes on one CPU
 * @rh: the user
 * @timer: interrupts the thread
 * @held: nodes that the timer has taken, marked with the address of the timer
 * @nr_held: number of @held
 * @ticks: number of interrupts so far
 * @shared: number of times that the timer found a node with another owner
 */
struct nested {
	struct rethook		*rh;
	struct hrtimer		timer;
	struct rethook_node	*held[HELD];
	unsigned int		nr_held;
	unsigned int		ticks;
	unsigned int		shared;
};

static struct rethook_node *get_marked(struct rethook *rh, void *owner)
{
	struct rethook_node *node = get(rh);

	if (node)
		WRITE_ONCE(node->ret_addr, (unsigned long)owner);
	return node;
}

static unsigned int put_marked(struct rethook_node *node, void *owner)
{
	unsigned int shared = READ_ONCE(node->ret_addr) != (unsigned long)owner;

	put(node);
	return shared;
}

/* Each interrupt adds nodes to the cache or takes some from it. */
static enum hrtimer_restart timer_hit(struct hrtimer *timer)
{
	struct nested *n = container_of(timer, struct nested, timer);
	unsigned int change = 1 + n->ticks % 7;

	if (n->ticks / 7 % 2) {
		while (change-- && n->nr_held)
			n->shared += put_marked(n->held[--n->nr_held], timer);
	} else {
		while (change-- && n->nr_held < HELD) {
			n->held[n->nr_held] = get_marked(n->rh, timer);
			if (n->held[n->nr_held])
				n->nr_held++;
		}
	}
	WRITE_ONCE(n->ticks, n->ticks + 1);
	if (n->ticks == TICKS)
		return HRTIMER_NORESTART;
	hrtimer_forward_now(timer, ns_to_ktime((20 + n->ticks % 50) * NSEC_PER_USEC));
	return HRTIMER_RESTART;
}

static void test_nested(struct kunit *test)
{
	struct nested *n = kunit_kzalloc(test, sizeof(*n), GFP_KERNEL);
	struct rethook_node *node[3];
	unsigned int i, shared = 0;

	KUNIT_ASSERT_NOT_NULL(test, n);
	n->rh = new_rethook(test, sizeof(struct call), 1);
	hrtimer_init(&n->timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
	n->timer.function = timer_hit;

	migrate_disable();
	hrtimer_start(&n->timer, ns_to_ktime(100 * NSEC_PER_USEC), HRTIMER_MODE_REL_PINNED_HARD);
	while (READ_ONCE(n->ticks) < TICKS) {
		for (i = 0; i < ARRAY_SIZE(node); i++)
			node[i] = get_marked(n->rh, n);
		for (i = 0; i < ARRAY_SIZE(node); i++)
			if (node[i])
				shared += put_marked(node[i], n);
		cond_resched();
	}
	migrate_enable();
	hrtimer_cancel(&n->timer);
	while (n->nr_held)
		n->shared += put_marked(n->held[--n->nr_held], &n->timer);
	KUNIT_EXPECT_EQ(test, n->shared, 0);
	KUNIT_EXPECT_EQ(test, shared, 0);
	rethook_free(n->rh);
}

/* A user that has stopped gets no node, and is freed after its last node is returned. */
static void test_stop(struct kunit *test)
{
	struct rethook *rh = new_rethook(test, sizeof(struct call), 1);
	struct rethook_node *before = get(rh), *after = get(rh);

	KUNIT_ASSERT_NOT_NULL(test, before);
	KUNIT_ASSERT_NOT_NULL(test, after);
	rethook_stop(rh);
	KUNIT_EXPECT_NULL(test, get(rh));
	put(before);
	rethook_free(rh);
	rcu_barrier();
	/* The sum over all CPUs is the number of nodes in use: one. */
	KUNIT_EXPECT_EQ(test, atomic_long_read(&rh->left), 1);
	put(after);
}

/* The number of preallocated nodes is limited. */
static void test_limit(struct kunit *test)
{
	struct rethook *rh = new_rethook(test, sizeof(struct call), INT_MAX);

	KUNIT_EXPECT_EQ(test, rh->num, 4096);
	rethook_free(rh);
}

static void test_bad(struct kunit *test)
{
	int size = sizeof(struct call);

	KUNIT_EXPECT_EQ(test, PTR_ERR(rethook_alloc(test, NULL, size, 1)), -EINVAL);
	KUNIT_EXPECT_EQ(test, PTR_ERR(rethook_alloc(test, handler, size, 0)), -EINVAL);
	KUNIT_EXPECT_EQ(test, PTR_ERR(rethook_alloc(test, handler, 1, 1)), -EINVAL);
	KUNIT_EXPECT_EQ(test, PTR_ERR(rethook_alloc(test, handler, INT_MAX, 1)), -EINVAL);
}

static void count_call(struct rethook_node *node, void *data, unsigned long ret_addr,
		       struct pt_regs *regs)
{
	(*(unsigned int *)data)++;
}

static void hook(struct kunit *test, struct rethook *rh, unsigned long frame,
		 unsigned long ret_addr)
{
	struct rethook_node *node = get(rh);

	KUNIT_ASSERT_NOT_NULL(test, node);
	node->frame = frame;
	node->ret_addr = ret_addr;
	__llist_add(&node->llist, &current->rethooks);
}

/*
 * A function that suspends the machine never returns, but its caller does.  The caller has
 * two nodes here.
 */
static void test_lost_call(struct kunit *test)
{
	/* On x86, the word after the registers is the return address. */
	struct {
		struct pt_regs	regs;
		unsigned long	stack[2];
	} at = {};
	unsigned int calls = 0;
	struct rethook *rh = rethook_alloc(&calls, count_call, sizeof(struct rethook_node), 4);

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, rh);
	KUNIT_ASSERT_NULL(test, current->rethooks.first);
	hook(test, rh, 0x1000, (unsigned long)test_lost_call);
	hook(test, rh, 0x1000, (unsigned long)arch_rethook_trampoline);
	hook(test, rh, 0x800, (unsigned long)test_many);
	hook(test, rh, 0x400, (unsigned long)test_many);
	KUNIT_EXPECT_EQ(test, rethook_trampoline_handler(&at.regs, 0x1000),
			(unsigned long)test_lost_call);
	KUNIT_EXPECT_EQ(test, calls, 2);
	KUNIT_EXPECT_NULL(test, current->rethooks.first);
	rethook_free(rh);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(test_many),
	KUNIT_CASE(test_interrupts_off),
	KUNIT_CASE(test_overflow),
	KUNIT_CASE(test_preallocated),
	KUNIT_CASE(test_preallocated_remain),
	KUNIT_CASE(test_data),
	KUNIT_CASE(test_nested),
	KUNIT_CASE(test_stop),
	KUNIT_CASE(test_limit),
	KUNIT_CASE(test_bad),
	KUNIT_CASE(test_lost_call),
	{}
};

static struct kunit_suite suite = {
	.name		= "probe_rethook",
	.test_cases	= cases,
};
kunit_test_suite(suite);

MODULE_DESCRIPTION("Tests of the nodes of return hooks");
MODULE_LICENSE("GPL");
