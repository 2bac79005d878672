// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the limits of events: which of the hits of an event pass, and what the others are
 * counted as.
 */
#include <kunit/test.h>
#include <linux/err.h>
#include <linux/jiffies.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/trace_events.h>

#include "../../trace.h"

#include "../code.h"
#include "../engine.h"

#include "dummy.h"

#define GROUP	"probe_kunit"
#define NAME	"limits"

/**
 * struct limited - state of a test
 * @probe: the only probe of the event
 * @event: the event, registered, enabled in the top instance
 */
struct limited {
	struct probe		probe;
	struct probe_event	*event;
};

static unsigned int nr_spent;

static void spent(void)
{
	nr_spent++;
}

static struct trace_event_file *only_file(struct limited *l)
{
	return list_first_entry(&l->event->files, struct probe_file, list)->file;
}

static void enable(struct kunit *test, bool on)
{
	KUNIT_ASSERT_EQ(test, trace_set_clr_event(GROUP, NAME, on), 0);
}

static void set_limits(struct kunit *test, unsigned int sample, unsigned int rate,
		       unsigned int count)
{
	struct probe_options options = { .sample = sample, .rate = rate, .count = count };
	struct limited *l = test->priv;

	KUNIT_ASSERT_EQ(test, probe_event_limit(l->event, &options, spent), 0);
	KUNIT_EXPECT_FALSE(test, probe_limits_differ(l->event->limits, &options));
	options.count++;
	KUNIT_EXPECT_TRUE(test, probe_limits_differ(l->event->limits, &options));
	nr_spent = 0;
	enable(test, true);
}

/* Returns a bit for each hit that passed, the first one in bit 0. */
static unsigned int hits(struct kunit *test, unsigned int nr)
{
	struct limited *l = test->priv;
	unsigned int passed = 0, i;

	guard(preempt)();
	for (i = 0; i < nr; i++)
		if (probe_limits_pass(&l->probe, false))
			passed |= BIT(i);
	return passed;
}

static unsigned long drops(struct kunit *test, enum probe_verdict verdict)
{
	struct limited *l = test->priv;

	return probe_count_drops(&l->probe).by[verdict];
}

static bool is_spent(struct limited *l)
{
	guard(mutex)(&event_mutex);
	probe_limits_mark_spent(l->event->limits);
	return probe_limits_are_spent(l->event->limits);
}

static void test_none(struct kunit *test)
{
	struct probe_options options = {};

	KUNIT_EXPECT_NULL(test, probe_limits_new(&options, spent));
	KUNIT_EXPECT_FALSE(test, probe_limits_differ(NULL, &options));
	options.rate = 1;
	KUNIT_EXPECT_TRUE(test, probe_limits_differ(NULL, &options));
	probe_limits_free(NULL);
}

static void test_sample(struct kunit *test)
{
	unsigned int first;

	set_limits(test, 3, 0, 0);
	migrate_disable();
	first = hits(test, 8);
	KUNIT_EXPECT_EQ(test, first, BIT(0) | BIT(3) | BIT(6));
	KUNIT_EXPECT_EQ(test, hits(test, 3), BIT(1));
	migrate_enable();
	KUNIT_EXPECT_EQ(test, drops(test, PROBE_NOT_SAMPLED), 7);
	KUNIT_EXPECT_EQ(test, nr_spent, 0);
}

/* The test needs a part of a second in which the hits are not interrupted for long. */
static void test_rate(struct kunit *test)
{
	unsigned long begin, dropped;
	unsigned int passed, i;

	set_limits(test, 0, 4, 0);
	for (i = 0; i < 3; i++) {
		schedule_timeout_uninterruptible(HZ + 1);
		dropped = drops(test, PROBE_OVER_RATE);
		begin = jiffies;
		passed = hits(test, 10);
		if (jiffies - begin < HZ)
			break;
	}
	KUNIT_EXPECT_EQ(test, passed, 0xf);
	KUNIT_EXPECT_EQ(test, drops(test, PROBE_OVER_RATE), dropped + 6);
	schedule_timeout_uninterruptible(HZ + 1);
	KUNIT_EXPECT_EQ(test, hits(test, 1), 1);
}

static void test_count(struct kunit *test)
{
	struct limited *l = test->priv;

	set_limits(test, 0, 0, 3);
	KUNIT_EXPECT_FALSE(test, is_spent(l));
	KUNIT_EXPECT_EQ(test, hits(test, 2), 3);
	KUNIT_EXPECT_EQ(test, nr_spent, 0);
	KUNIT_EXPECT_EQ(test, hits(test, 5), 1);
	KUNIT_EXPECT_EQ(test, nr_spent, 1);
	KUNIT_EXPECT_TRUE(test, is_spent(l));
	KUNIT_EXPECT_EQ(test, drops(test, PROBE_OVER_COUNT), 4);

	/* It starts again when the event is enabled again, also if some of it is left. */
	enable(test, false);
	enable(test, true);
	KUNIT_EXPECT_EQ(test, hits(test, 2), 3);
	enable(test, false);
	enable(test, true);
	KUNIT_EXPECT_EQ(test, hits(test, 4), 7);
	KUNIT_EXPECT_EQ(test, nr_spent, 2);
}

/* perf has closed the event, which keeps its flag for a moment. */
static void test_closed(struct kunit *test)
{
	struct limited *l = test->priv;

	set_limits(test, 0, 0, 3);
	KUNIT_EXPECT_EQ(test, hits(test, 2), 3);
	l->event->flags |= PROBE_EVENT_PERF;
	enable(test, false);
	enable(test, true);
	KUNIT_EXPECT_EQ(test, hits(test, 4), 7);
	l->event->flags &= ~PROBE_EVENT_PERF;
}

static void set_flag(struct trace_event_file *file, unsigned long bit, bool on)
{
	if (on)
		set_bit(bit, &file->flags);
	else
		clear_bit(bit, &file->flags);
}

/* A trigger enables and disables the event by flags. */
static void test_soft(struct kunit *test)
{
	struct trace_event_file *file;
	struct limited *l = test->priv;

	set_limits(test, 0, 0, 2);
	file = only_file(l);
	set_flag(file, EVENT_FILE_FL_SOFT_DISABLED_BIT, true);
	/* These hits have no user. */
	KUNIT_EXPECT_EQ(test, hits(test, 5), 0);
	KUNIT_EXPECT_EQ(test, drops(test, PROBE_OVER_COUNT), 0);
	set_flag(file, EVENT_FILE_FL_SOFT_DISABLED_BIT, false);
	KUNIT_EXPECT_EQ(test, hits(test, 5), 3);

	set_flag(file, EVENT_FILE_FL_SOFT_DISABLED_BIT, true);
	scoped_guard(mutex, &event_mutex)
		probe_limits_disabled(l->event->limits);
	KUNIT_EXPECT_FALSE(test, is_spent(l));
	KUNIT_EXPECT_EQ(test, hits(test, 5), 0);
	set_flag(file, EVENT_FILE_FL_SOFT_DISABLED_BIT, false);
	KUNIT_EXPECT_EQ(test, hits(test, 5), 3);
	KUNIT_EXPECT_TRUE(test, is_spent(l));
	KUNIT_EXPECT_EQ(test, nr_spent, 2);
}

/* Each limit sees only the hits that pass those before it. */
static void test_order(struct kunit *test)
{
	set_limits(test, 2, 1000, 3);
	migrate_disable();
	KUNIT_EXPECT_EQ(test, hits(test, 10), BIT(0) | BIT(2) | BIT(4));
	migrate_enable();
	KUNIT_EXPECT_EQ(test, drops(test, PROBE_NOT_SAMPLED), 5);
	KUNIT_EXPECT_EQ(test, drops(test, PROBE_OVER_RATE), 0);
	KUNIT_EXPECT_EQ(test, drops(test, PROBE_OVER_COUNT), 2);
}

static int limited_init(struct kunit *test)
{
	struct limited *l = kunit_kzalloc(test, sizeof(*l), GFP_KERNEL);
	int ret;

	if (!l)
		return -ENOMEM;
	test->priv = l;
	ret = probe_init(&l->probe, 0, 0);
	if (ret)
		return ret;
	l->probe.checks = PROBE_CHECK_LIMITS;
	l->probe.drops = alloc_percpu(struct probe_drops);
	l->event = l->probe.drops ? probe_event_new(&l->probe, GROUP, NAME, &dummy_event_ops) :
				    ERR_PTR(-ENOMEM);
	if (IS_ERR(l->event)) {
		probe_fini(&l->probe);
		return PTR_ERR(l->event);
	}
	guard(mutex)(&event_mutex);
	ret = probe_event_register(l->event);
	if (ret) {
		probe_event_leave(&l->probe);
		probe_fini(&l->probe);
	}
	return ret;
}

static void limited_exit(struct kunit *test)
{
	struct limited *l = test->priv;

	if (!l || !l->probe.event)
		return;
	trace_set_clr_event(GROUP, NAME, 0);
	guard(mutex)(&event_mutex);
	probe_event_unregister(l->event);
	probe_event_leave(&l->probe);
	probe_fini(&l->probe);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(test_none),
	KUNIT_CASE(test_sample),
	KUNIT_CASE_SLOW(test_rate),
	KUNIT_CASE(test_count),
	KUNIT_CASE(test_closed),
	KUNIT_CASE(test_soft),
	KUNIT_CASE(test_order),
	{}
};

static struct kunit_suite suite = {
	.name = "probe_limits",
	.init = limited_init,
	.exit = limited_exit,
	.test_cases = cases,
};

kunit_test_suites(&suite);
