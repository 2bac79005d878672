// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of events: their lifetime, failures to arm, and events with several probes.  An
 * event must not be freed while a hit uses it.
 *
 * The event has no kprobe, so a thread simulates a slow hit that began just before the
 * event was disabled: it stays in an RCU read-side critical section for a while.
 */
#include <kunit/test.h>
#include <linux/completion.h>
#include <linux/err.h>
#include <linux/jiffies.h>
#include <linux/kthread.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/trace_events.h>

#include "../../trace.h"

#include "../engine.h"
#include "../fetch.h"

#include "dummy.h"

#define GROUP	"probe_kunit"
#define NAME	"life"

/**
 * struct life - state of a test
 * @probe: the first probe of the event
 * @sibling: another probe, for some tests
 * @event: the event, registered
 * @arm_err: return value of arming the event
 * @hit: the thread that simulates a hit
 * @reached: completed when the hit has begun, or when the sibling has left the event
 * @gone: the event's files have been freed, or the sibling has left the event
 * @saw_gone: the files were freed during the hit
 */
struct life {
	struct probe		probe;
	struct probe		sibling;
	struct probe_event	*event;
	int			arm_err;
	struct task_struct	*hit;
	struct completion	reached;
	bool			gone;
	bool			saw_gone;
};

static struct life *life_of(struct probe_event *event)
{
	return container_of(probe_event_first(event), struct life, probe);
}

static int slow_hit(void *data)
{
	unsigned long end = jiffies + HZ;
	struct life *l = data;

	rcu_read_lock();
	complete(&l->reached);
	while (time_before(jiffies, end) && !l->saw_gone) {
		l->saw_gone = READ_ONCE(l->gone);
		cpu_relax();
	}
	rcu_read_unlock();
	while (!kthread_should_stop())
		schedule_timeout_interruptible(1);
	return 0;
}

static void begin_hit(struct life *l)
{
	init_completion(&l->reached);
	l->hit = kthread_run(slow_hit, l, "probe_kunit_hit");
	if (!IS_ERR(l->hit))
		wait_for_completion(&l->reached);
}

/* An event can be hit even if arming it fails halfway. */
static int arm(struct probe_event *event)
{
	struct life *l = life_of(event);

	if (l->arm_err)
		begin_hit(l);
	return l->arm_err;
}

static const struct probe_event_ops ops = {
	.head_fmt	= "()",
	.print_head	= dummy_event_print_head,
	.arm		= arm,
	.disarm		= dummy_event_disarm,
};

static int unregister(struct life *l)
{
	int ret;

	guard(mutex)(&event_mutex);
	ret = probe_event_unregister(l->event);
	WRITE_ONCE(l->gone, !ret);
	return ret;
}

/* Disable the event and remove it at once, during a hit. */
static void test_remove_after_disable(struct kunit *test)
{
	struct life *l = test->priv;

	KUNIT_ASSERT_EQ(test, trace_set_clr_event(GROUP, NAME, 1), 0);
	begin_hit(l);
	KUNIT_ASSERT_FALSE(test, IS_ERR(l->hit));
	KUNIT_EXPECT_EQ(test, unregister(l), -EBUSY);
	KUNIT_EXPECT_EQ(test, trace_set_clr_event(GROUP, NAME, 0), 0);
	KUNIT_EXPECT_EQ(test, unregister(l), 0);
	kthread_stop(l->hit);
	KUNIT_EXPECT_FALSE(test, l->saw_gone);
}

/* Remove an event that could not be enabled, but was hit. */
static void test_remove_after_failure(struct kunit *test)
{
	struct life *l = test->priv;

	l->arm_err = -EILSEQ;
	KUNIT_EXPECT_NE(test, trace_set_clr_event(GROUP, NAME, 1), 0);
	KUNIT_ASSERT_FALSE(test, IS_ERR_OR_NULL(l->hit));
	KUNIT_EXPECT_EQ(test, unregister(l), 0);
	kthread_stop(l->hit);
	KUNIT_EXPECT_FALSE(test, l->saw_gone);
}

static struct trace_event_file *only_file(struct life *l)
{
	return list_first_entry(&l->event->files, struct probe_file, list)->file;
}

static void disable_unarmed(struct life *l)
{
	guard(mutex)(&event_mutex);
	probe_event_disable_unarmed(l->event);
}

/* Disabling an unarmed event clears WAS_ENABLED, unless the event was enabled before. */
static void test_disable_unarmed(struct kunit *test)
{
	struct trace_event_file *file;
	struct life *l = test->priv;

	KUNIT_ASSERT_EQ(test, trace_set_clr_event(GROUP, NAME, 1), 0);
	file = only_file(l);
	KUNIT_EXPECT_TRUE(test, file->flags & EVENT_FILE_FL_WAS_ENABLED);
	disable_unarmed(l);
	KUNIT_EXPECT_FALSE(test, probe_event_enabled(l->event));
	KUNIT_EXPECT_FALSE(test, file->flags & EVENT_FILE_FL_ENABLED);
	KUNIT_EXPECT_FALSE(test, file->flags & EVENT_FILE_FL_WAS_ENABLED);

	KUNIT_ASSERT_EQ(test, trace_set_clr_event(GROUP, NAME, 1), 0);
	KUNIT_EXPECT_EQ(test, trace_set_clr_event(GROUP, NAME, 0), 0);
	KUNIT_ASSERT_EQ(test, trace_set_clr_event(GROUP, NAME, 1), 0);
	disable_unarmed(l);
	KUNIT_EXPECT_FALSE(test, probe_event_enabled(l->event));
	KUNIT_EXPECT_TRUE(test, file->flags & EVENT_FILE_FL_WAS_ENABLED);
}

static int set_soft_mode(struct trace_event_file *file, int enable)
{
	guard(mutex)(&event_mutex);
	return trace_event_enable_disable(file, enable, 1);
}

/* Disabling an unarmed event also works in soft mode, and it can be enabled again. */
static void test_disable_unarmed_soft(struct kunit *test)
{
	struct trace_event_file *file;
	struct life *l = test->priv;

	KUNIT_ASSERT_EQ(test, trace_set_clr_event(GROUP, NAME, 1), 0);
	file = only_file(l);
	KUNIT_ASSERT_EQ(test, set_soft_mode(file, 1), 0);
	disable_unarmed(l);
	KUNIT_EXPECT_FALSE(test, probe_event_enabled(l->event));
	KUNIT_EXPECT_FALSE(test, file->flags & EVENT_FILE_FL_ENABLED);
	KUNIT_EXPECT_TRUE(test, file->flags & EVENT_FILE_FL_SOFT_MODE);

	KUNIT_EXPECT_EQ(test, trace_set_clr_event(GROUP, NAME, 1), 0);
	KUNIT_EXPECT_TRUE(test, probe_event_enabled(l->event));
	KUNIT_EXPECT_EQ(test, set_soft_mode(file, 0), 0);
	KUNIT_EXPECT_TRUE(test, file->flags & EVENT_FILE_FL_ENABLED);
	KUNIT_EXPECT_EQ(test, trace_set_clr_event(GROUP, NAME, 0), 0);
	KUNIT_EXPECT_FALSE(test, probe_event_enabled(l->event));
}

/* While a probe of the event has dynamic data, no hit of the event takes the fast path. */
static void test_dynamic(struct kunit *test)
{
	struct probe_fetch text = { .src = PROBE_SRC_IMM, .store = PROBE_STORE_STRING, .size = 4 };
	struct life *l = test->priv;
	int ret;

	KUNIT_ASSERT_EQ(test, trace_set_clr_event(GROUP, NAME, 1), 0);
	KUNIT_EXPECT_PTR_EQ(test, l->event->file, only_file(l));
	KUNIT_ASSERT_EQ(test, probe_init(&l->sibling, 0, 0), 0);
	l->sibling.fetch = &text;
	l->sibling.nr_args = 1;
	scoped_guard(mutex, &event_mutex)
		ret = probe_event_join(l->event, &l->sibling);
	KUNIT_ASSERT_EQ(test, ret, 0);
	KUNIT_EXPECT_NULL(test, l->event->file);
	scoped_guard(mutex, &event_mutex)
		probe_event_leave(&l->sibling);
	KUNIT_EXPECT_PTR_EQ(test, l->event->file, only_file(l));
	probe_fini(&l->sibling);
}

static int leave_thread(void *data)
{
	struct life *l = data;

	scoped_guard(mutex, &event_mutex)
		probe_event_leave(&l->sibling);
	WRITE_ONCE(l->gone, true);
	complete(&l->reached);
	while (!kthread_should_stop())
		schedule_timeout_interruptible(1);
	return 0;
}

/* While probe_siblings_mutex is held, no probe can leave the event. */
static void test_siblings_mutex(struct kunit *test)
{
	struct life *l = test->priv;
	const char *text, *other;
	struct task_struct *t;

	init_completion(&l->reached);
	KUNIT_ASSERT_EQ(test, probe_init(&l->sibling, 0, 0), 0);
	scoped_guard(mutex, &event_mutex)
		KUNIT_EXPECT_EQ(test, probe_event_join(l->event, &l->sibling), 0);

	scoped_guard(mutex, &probe_siblings_mutex) {
		t = kthread_run(leave_thread, l, "probe_kunit_leaver");
		if (!IS_ERR(t))
			schedule_timeout_uninterruptible(HZ / 4);
		KUNIT_EXPECT_FALSE(test, READ_ONCE(l->gone));
		KUNIT_EXPECT_FALSE(test, list_is_singular(&l->event->probes));

		text = probe_event_keep_text(l->event, "some");
		other = probe_event_keep_text(l->event, "other");
		KUNIT_EXPECT_STREQ(test, text, "some");
		KUNIT_EXPECT_STREQ(test, other, "other");
		KUNIT_EXPECT_PTR_EQ(test, other, probe_event_keep_text(l->event, "other"));
	}
	KUNIT_ASSERT_FALSE(test, IS_ERR(t));
	wait_for_completion(&l->reached);
	kthread_stop(t);
	l->gone = false;
	KUNIT_EXPECT_TRUE(test, list_is_singular(&l->event->probes));
	probe_fini(&l->sibling);
}

/* Create an event in a group and free it.  Return its class, only for comparison. */
static const void *class_in(struct kunit *test, const char *group)
{
	struct life *l = test->priv;
	struct probe_event *event;
	const void *class;

	KUNIT_ASSERT_EQ(test, probe_init(&l->sibling, 0, 0), 0);
	event = probe_event_new(&l->sibling, group, "other", &ops);
	if (IS_ERR(event)) {
		probe_fini(&l->sibling);
		return event;
	}
	class = event->call.class;
	KUNIT_EXPECT_STREQ(test, probe_event_group(event), group);
	guard(mutex)(&event_mutex);
	probe_event_leave(&l->sibling);
	probe_fini(&l->sibling);
	return class;
}

/* The events of a group share a class, which stays when one of them is freed. */
static void test_group(struct kunit *test)
{
	struct life *l = test->priv;

	KUNIT_EXPECT_PTR_EQ(test, class_in(test, GROUP), (const void *)l->event->call.class);
	KUNIT_EXPECT_PTR_NE(test, class_in(test, GROUP "_2"), (const void *)l->event->call.class);
	KUNIT_EXPECT_STREQ(test, probe_event_group(l->event), GROUP);
}

static int life_init(struct kunit *test)
{
	struct life *l = kunit_kzalloc(test, sizeof(*l), GFP_KERNEL);
	int ret;

	if (!l)
		return -ENOMEM;
	test->priv = l;
	ret = probe_init(&l->probe, 0, 0);
	if (ret)
		return ret;
	l->event = probe_event_new(&l->probe, GROUP, NAME, &ops);
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

static void life_exit(struct kunit *test)
{
	struct life *l = test->priv;

	if (!l || !l->probe.event)
		return;
	if (!l->gone) {
		trace_set_clr_event(GROUP, NAME, 0);
		unregister(l);
	}
	guard(mutex)(&event_mutex);
	probe_event_leave(&l->probe);
	probe_fini(&l->probe);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(test_remove_after_disable),
	KUNIT_CASE(test_remove_after_failure),
	KUNIT_CASE(test_disable_unarmed),
	KUNIT_CASE(test_disable_unarmed_soft),
	KUNIT_CASE(test_dynamic),
	KUNIT_CASE(test_siblings_mutex),
	KUNIT_CASE(test_group),
	{}
};

static struct kunit_suite suite = {
	.name = "probe_event",
	.init = life_init,
	.exit = life_exit,
	.test_cases = cases,
};

kunit_test_suites(&suite);
