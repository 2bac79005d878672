// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of watchpoints: hits of writes of each length, and moves.
 *
 * A hit saves the value of the memory, also if no trace instance has room for the record.  So
 * the saved value shows whether there was a hit.
 */
#include <kunit/test.h>
#include <linux/irq_work.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/preempt.h>
#include <linux/stddef.h>
#include <linux/trace_events.h>

#include "trace.h"
#include "wprobe.h"

#define GROUP	"probe_kunit"
#define NAME	"watch"
#define NO_HIT	0x5a

/* The watchpoint watches a part of the first or the second object. */
static u64 objects[2];

static atomic_long_t unlimited = ATOMIC_LONG_INIT(TRACE_WPROBE_UNLIMITED);

static struct trace_wprobe *find(void)
{
	struct probe *p;

	guard(mutex)(&event_mutex);
	list_for_each_entry(p, &trace_wprobe_provider.probes, list)
		if (!strcmp(probe_event_group(p->event), GROUP))
			return trace_wprobe_of(p);
	return NULL;
}

static struct trace_wprobe *define(struct kunit *test, unsigned long addr, unsigned int len)
{
	char command[80];
	struct trace_wprobe *wp;

	snprintf(command, sizeof(command), "w:" GROUP "/" NAME " w@0x%lx:%u", addr, len);
	KUNIT_ASSERT_EQ(test, probe_run_command(&trace_wprobe_provider, command), 0);
	wp = find();
	KUNIT_ASSERT_NOT_NULL(test, wp);
	return wp;
}

static void enable(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, trace_set_clr_event(GROUP, NAME, 1), 0);
}

static void clean_up(struct kunit *test)
{
	trace_set_clr_event(GROUP, NAME, 0);
	if (find())
		probe_run_command(&trace_wprobe_provider, "-:" GROUP "/" NAME);
}

static void write_part(void *to, unsigned int len, unsigned long value)
{
	switch (len) {
	case 1:
		WRITE_ONCE(*(u8 *)to, value);
		break;
	case 2:
		WRITE_ONCE(*(u16 *)to, value);
		break;
	case 4:
		WRITE_ONCE(*(u32 *)to, value);
		break;
	default:
		WRITE_ONCE(*(u64 *)to, value);
	}
}

/* Does a write to the memory hit the watchpoint? */
static bool write_hits(struct trace_wprobe *wp, void *to, unsigned int len)
{
	static unsigned int count;
	unsigned long value = 0x10 + count++ % 0x10;

	WRITE_ONCE(wp->last, NO_HIT);
	write_part(to, len, value);
	return READ_ONCE(wp->last) == value;
}

static void hits_by_length(struct kunit *test)
{
	void *part;
	struct trace_wprobe *wp;
	unsigned int len;

	for (len = 1; len <= sizeof(long); len *= 2) {
		/* If the part is smaller, there are bytes of the object on both sides. */
		part = (void *)&objects[0] + (len < 4 ? 4 : 0);
		wp = define(test, (unsigned long)part, len);
		KUNIT_EXPECT_FALSE(test, write_hits(wp, part, len));
		enable(test);
		KUNIT_EXPECT_TRUE(test, write_hits(wp, part, len));
		KUNIT_EXPECT_FALSE(test, write_hits(wp, &objects[1], len));
		if (len < 4) {
			KUNIT_EXPECT_FALSE(test, write_hits(wp, part - 1, 1));
			KUNIT_EXPECT_FALSE(test, write_hits(wp, part + len, 1));
		}
		clean_up(test);
	}
}

/* Wait until all CPUs have moved their breakpoints. */
static void wait_for_moves(struct trace_wprobe *wp)
{
	int cpu;

	irq_work_sync(&wp->moved);
	for_each_possible_cpu(cpu)
		irq_work_sync(&per_cpu_ptr(wp->cpus, cpu)->move);
}

static void moves(struct kunit *test)
{
	unsigned long first = (unsigned long)&objects[0], second = (unsigned long)&objects[1];
	struct trace_wprobe *wp = define(test, first, 4);

	KUNIT_EXPECT_FALSE(test, trace_wprobe_clear_any(wp, &unlimited));
	KUNIT_EXPECT_FALSE(test, trace_wprobe_set(wp, second, &unlimited));
	enable(test);
	KUNIT_EXPECT_FALSE(test, trace_wprobe_set(wp, second, &unlimited));
	KUNIT_EXPECT_FALSE(test, trace_wprobe_clear(wp, second, &unlimited));
	KUNIT_EXPECT_TRUE(test, write_hits(wp, &objects[0], 4));
	KUNIT_EXPECT_TRUE(test, trace_wprobe_clear(wp, first, &unlimited));
	/* This takes effect at once, although the breakpoint may still be there. */
	KUNIT_EXPECT_FALSE(test, write_hits(wp, &objects[0], 4));
	KUNIT_EXPECT_FALSE(test, trace_wprobe_set(wp, 0, &unlimited));
	KUNIT_EXPECT_FALSE(test, trace_wprobe_set(wp, 0x1000, &unlimited));
	KUNIT_EXPECT_FALSE(test, trace_wprobe_set(wp, second + 1, &unlimited));
	KUNIT_EXPECT_FALSE(test, trace_wprobe_set(wp, ~0UL, &unlimited));
	KUNIT_EXPECT_TRUE(test, trace_wprobe_set(wp, second, &unlimited));
	wait_for_moves(wp);
	KUNIT_EXPECT_FALSE(test, write_hits(wp, &objects[0], 4));
	KUNIT_EXPECT_TRUE(test, write_hits(wp, &objects[1], 4));
	KUNIT_EXPECT_TRUE(test, trace_wprobe_clear_any(wp, &unlimited));
	KUNIT_EXPECT_FALSE(test, trace_wprobe_clear_any(wp, &unlimited));
}

/* Only changes are counted. */
static void counts(struct kunit *test)
{
	unsigned long first = (unsigned long)&objects[0], second = (unsigned long)&objects[1];
	struct trace_wprobe *wp = define(test, 0, 4);
	atomic_long_t sets = ATOMIC_LONG_INIT(1), clears = ATOMIC_LONG_INIT(1);

	enable(test);
	KUNIT_EXPECT_FALSE(test, trace_wprobe_set(wp, second + 1, &sets));
	KUNIT_EXPECT_FALSE(test, trace_wprobe_clear_any(wp, &clears));
	KUNIT_EXPECT_TRUE(test, trace_wprobe_set(wp, second, &sets));
	KUNIT_EXPECT_FALSE(test, trace_wprobe_clear(wp, first, &clears));
	KUNIT_EXPECT_TRUE(test, trace_wprobe_clear_any(wp, &clears));
	KUNIT_EXPECT_FALSE(test, trace_wprobe_set(wp, second, &sets));
	/* The failed trigger has not set an address. */
	KUNIT_EXPECT_TRUE(test, trace_wprobe_set(wp, second, &unlimited));
	KUNIT_EXPECT_FALSE(test, trace_wprobe_clear_any(wp, &clears));
	KUNIT_EXPECT_EQ(test, READ_ONCE(wp->addr), second);
}

/* A trigger may run with interrupts off. */
static void moves_with_interrupts_off(struct kunit *test)
{
	struct trace_wprobe *wp = define(test, 0, 4);
	unsigned long flags;
	bool hit, set;

	enable(test);
	preempt_disable();
	local_irq_save(flags);
	set = trace_wprobe_set(wp, (unsigned long)&objects[1], &unlimited);
	local_irq_restore(flags);
	/* Machines that cannot interrupt themselves run the work in the next tick. */
	while (irq_work_is_busy(&wp->moved))
		cpu_relax();
	hit = write_hits(wp, &objects[1], 4);
	preempt_enable();
	KUNIT_EXPECT_TRUE(test, set);
	KUNIT_EXPECT_TRUE(test, hit);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(hits_by_length),
	KUNIT_CASE(moves),
	KUNIT_CASE(counts),
	KUNIT_CASE(moves_with_interrupts_off),
	{}
};

static struct kunit_suite suite = {
	.name		= "probe_watchpoints",
	.exit		= clean_up,
	.test_cases	= cases,
};

kunit_test_suite(suite);
