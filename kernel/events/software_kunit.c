// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the path for software events: which of them are scheduled when one is opened,
 * disabled, enabled or closed. A PMU of the test counts how often its events are scheduled.
 */
#include <kunit/test.h>
#include <linux/err.h>
#include <linux/perf_event.h>

#define MANY		50

/* How often events of the test's PMU were scheduled in and out. */
static unsigned int nr_in, nr_out;

static int init_counted(struct perf_event *event)
{
	return event->attr.type == event->pmu->type ? 0 : -ENOENT;
}

static int add_counted(struct perf_event *event, int flags)
{
	nr_in++;
	return 0;
}

static void del_counted(struct perf_event *event, int flags)
{
	nr_out++;
}

static void no_change(struct perf_event *event, int flags) { }
static void no_count(struct perf_event *event) { }

static struct pmu software_pmu = {
	.task_ctx_nr	= perf_sw_context,
	.event_init	= init_counted,
	.add		= add_counted,
	.del		= del_counted,
	.start		= no_change,
	.stop		= no_change,
	.read		= no_count,
};

static void expect_scheduled(struct kunit *test, unsigned int in, unsigned int out)
{
	KUNIT_EXPECT_EQ(test, nr_in, in);
	KUNIT_EXPECT_EQ(test, nr_out, out);
	nr_in = 0;
	nr_out = 0;
}

static void release_perf_event(void *event)
{
	perf_event_release_kernel(event);
}

/* Open an event that counts on CPU 0. */
static struct perf_event *open_perf_event(struct kunit *test, bool pinned)
{
	struct perf_event_attr attr = {
		.type = software_pmu.type,
		.size = sizeof(attr),
		.pinned = pinned,
	};
	struct perf_event *event = perf_event_create_kernel_counter(&attr, 0, NULL, NULL, NULL);

	KUNIT_ASSERT_FALSE(test, IS_ERR(event));
	KUNIT_ASSERT_EQ(test, kunit_add_action_or_reset(test, release_perf_event, event), 0);
	return event;
}

/* The other events stay scheduled when one is opened, disabled, enabled or closed. */
static void test_software_alone(struct kunit *test)
{
	struct perf_event *event;
	unsigned int i;

	for (i = 0; i < MANY; i++)
		open_perf_event(test, false);
	expect_scheduled(test, MANY, 0);
	open_perf_event(test, true);
	expect_scheduled(test, 1, 0);

	event = open_perf_event(test, false);
	expect_scheduled(test, 1, 0);
	perf_event_disable(event);
	expect_scheduled(test, 0, 1);
	perf_event_enable(event);
	expect_scheduled(test, 1, 0);
	kunit_release_action(test, release_perf_event, event);
	expect_scheduled(test, 0, 1);
}

static int start_perf_event_test(struct kunit *test)
{
	nr_in = 0;
	nr_out = 0;
	return 0;
}

static int start_perf_event_suite(struct kunit_suite *suite)
{
	return perf_pmu_register(&software_pmu, "software_kunit", -1);
}

static void end_perf_event_suite(struct kunit_suite *suite)
{
	perf_pmu_unregister(&software_pmu);
}

static struct kunit_case perf_event_cases[] = {
	KUNIT_CASE(test_software_alone),
	{}
};

static struct kunit_suite perf_event_suite = {
	.name = "perf_event_paths",
	.suite_init = start_perf_event_suite,
	.suite_exit = end_perf_event_suite,
	.init = start_perf_event_test,
	.test_cases = perf_event_cases,
};

kunit_test_suite(perf_event_suite);
