// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the nodes of return hooks: their number, and their lifetime.
 */
#include <kunit/test.h>
#include <linux/irqflags.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/rethook.h>

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

/* More nodes than any user has asked for, each different, and with room for its data. */
static void test_many(struct kunit *test)
{
	static const int sizes[] = { sizeof(struct rethook_node), sizeof(struct call), 300, 5000 };
	struct rethook_node **list = new_list(test);
	unsigned int i, j;

	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		struct rethook *rh = new_rethook(test, sizes[i], 1);

		for (j = 0; j < MANY; j++) {
			list[j] = get(rh);
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

/* A CPU with interrupts off has the nodes in its cache and no more. */
static void test_interrupts_off(struct kunit *test)
{
	struct rethook *rh = new_rethook(test, sizeof(struct call), 1);
	struct rethook_node **list = new_list(test);
	unsigned long flags;
	unsigned int n, i;

	put(get(rh));
	local_irq_save(flags);
	for (n = 0; n < MANY; n++) {
		list[n] = get(rh);
		if (!list[n])
			break;
	}
	local_irq_restore(flags);
	KUNIT_EXPECT_GE(test, n, rh->pool->most / 4);
	KUNIT_EXPECT_LE(test, n, rh->pool->most);

	/* The work has run. */
	list[n] = get(rh);
	KUNIT_EXPECT_NOT_NULL(test, list[n]);
	for (i = 0; i <= n; i++)
		if (list[i])
			put(list[i]);
	rethook_free(rh);
}

/* Nodes without room in the cache are kept, at first in the cache's list. */
static void test_overflow(struct kunit *test)
{
	struct rethook *rh = new_rethook(test, sizeof(struct call), 1);
	struct rethook_node **list = new_list(test);
	unsigned long flags;
	unsigned int i;

	for (i = 0; i < MANY; i++) {
		list[i] = get(rh);
		KUNIT_ASSERT_NOT_NULL(test, list[i]);
	}
	local_irq_save(flags);
	for (i = 0; i < MANY; i++)
		put(list[i]);
	KUNIT_EXPECT_NOT_NULL(test, READ_ONCE(this_cpu_ptr(rh->pool->cache)->extra));
	local_irq_restore(flags);
	for (i = 0; i < MANY; i++) {
		list[i] = get(rh);
		KUNIT_ASSERT_NOT_NULL(test, list[i]);
	}
	for (i = 0; i < MANY; i++)
		put(list[i]);
	rethook_free(rh);
}

/* The nodes that a user asks for exist, and are given up with the user. */
static void test_set_aside(struct kunit *test)
{
	struct rethook *rh = new_rethook(test, sizeof(struct call), 1), *large;
	struct rethook_pool *pool = rh->pool;
	unsigned int keep = pool->keep;

	large = new_rethook(test, sizeof(struct call), MANY);
	KUNIT_EXPECT_PTR_EQ(test, large->pool, pool);
	KUNIT_EXPECT_EQ(test, pool->keep, keep + MANY);
	KUNIT_EXPECT_GE(test, pool->nr_spare, MANY);
	rethook_free(large);
	rcu_barrier();
	KUNIT_EXPECT_EQ(test, pool->keep, keep);
	rethook_free(rh);
}

/* A user that has stopped gets no node, and is freed after its last node. */
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
	put(after);
	rcu_barrier();
}

static void test_bad(struct kunit *test)
{
	int size = sizeof(struct call);

	KUNIT_EXPECT_EQ(test, PTR_ERR(rethook_alloc(test, NULL, size, 1)), -EINVAL);
	KUNIT_EXPECT_EQ(test, PTR_ERR(rethook_alloc(test, handler, size, 0)), -EINVAL);
	KUNIT_EXPECT_EQ(test, PTR_ERR(rethook_alloc(test, handler, 1, 1)), -EINVAL);
	KUNIT_EXPECT_EQ(test, PTR_ERR(rethook_alloc(test, handler, INT_MAX, 1)), -EINVAL);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(test_many),
	KUNIT_CASE(test_interrupts_off),
	KUNIT_CASE(test_overflow),
	KUNIT_CASE(test_set_aside),
	KUNIT_CASE(test_stop),
	KUNIT_CASE(test_bad),
	{}
};

static struct kunit_suite suite = {
	.name		= "rethook",
	.test_cases	= cases,
};
kunit_test_suite(suite);

MODULE_DESCRIPTION("Tests of the nodes of return hooks");
MODULE_LICENSE("GPL");
