// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the paths for common events: which events take them, and which do not.
 *
 * A kprobe on a function of a general path counts the events that take this path. Interrupts
 * are disabled while a test writes events, so only events of the test count.
 */
#include <kunit/test.h>
#include <linux/irqflags.h>
#include <linux/kprobes.h>
#include <linux/preempt.h>
#include <linux/ring_buffer.h>
#include <linux/sched.h>
#include <linux/trace.h>
#include <linux/trace_events.h>

#include "trace.h"
#include "trace_event_write.h"

#define SMALL		8
#define MANY		50
#define INSTANCE	"event_paths_kunit"

/* A function of a general path. */
struct general_path {
	struct kprobe	kp;
	unsigned int	events;
	bool		counted;
};

static struct general_path reserve_slow, commit_slow;

/* The task that writes events. Hits by other tasks do not count. */
static struct task_struct *writer;

static int count_event(struct kprobe *kp, struct pt_regs *regs)
{
	if (current == READ_ONCE(writer))
		container_of(kp, struct general_path, kp)->events++;
	return 0;
}

static void remove_kprobe(void *kp)
{
	unregister_kprobe(kp);
}

/* Compilers can rename or inline the function. Its events are not counted then. */
static void count_events(struct kunit *test, struct general_path *path, const char *function)
{
	int ret;

	*path = (struct general_path) {
		.kp = { .symbol_name = function, .pre_handler = count_event },
	};
	ret = register_kprobe(&path->kp);
	if (ret == -ENOENT)
		return;
	KUNIT_ASSERT_EQ(test, ret, 0);
	KUNIT_ASSERT_EQ(test, kunit_add_action_or_reset(test, remove_kprobe, &path->kp), 0);
	path->counted = true;
}

/* Check how many events have taken the general paths since the last check. */
static void expect_general(struct kunit *test, unsigned int reserved, unsigned int committed)
{
	if (reserve_slow.counted)
		KUNIT_EXPECT_EQ(test, reserve_slow.events, reserved);
	if (commit_slow.counted)
		KUNIT_EXPECT_EQ(test, commit_slow.events, committed);
	reserve_slow.events = 0;
	commit_slow.events = 0;
}

/* Like the probe of a trace event, a test has preemption disabled while it writes. */
static unsigned long start_writing(void)
{
	unsigned long flags;

	preempt_disable_notrace();
	local_irq_save(flags);
	WRITE_ONCE(writer, current);
	return flags;
}

static void end_writing(unsigned long flags)
{
	WRITE_ONCE(writer, NULL);
	local_irq_restore(flags);
	preempt_enable_notrace();
}

/* The tests of the ring buffer write to the buffer of one CPU: they cannot migrate. */
static struct trace_buffer *buffer;

/* The clock's time. */
static u64 now;

/* The data of the next event: a number, and zeros up to the size of the largest event. */
static unsigned int *next;

/* The size of an event to write while the next event is reserved, or 0. */
static unsigned int inner;

/* When the clock is read next, it writes an event before or after it takes the time. */
static enum { INTERRUPT_NONE, INTERRUPT_BEFORE, INTERRUPT_AFTER } interrupt;

static struct ring_buffer_event *reserve(unsigned int size)
{
	struct ring_buffer_event *event = ring_buffer_lock_reserve(buffer, size);

	if (event)
		*(unsigned int *)ring_buffer_event_data(event) = (*next)++;
	return event;
}

static void write_inner(void);

static void write_in_two_steps(unsigned int size)
{
	if (reserve(size)) {
		write_inner();
		ring_buffer_unlock_commit(buffer);
	}
}

static void write_data(unsigned int size)
{
	struct rb_reserved reserved;

	if (rb_reserve(buffer, size, &reserved)) {
		*(unsigned int *)reserved.data = (*next)++;
		write_inner();
		rb_commit(buffer, &reserved);
	}
}

static void write_at_once(unsigned int size)
{
	if (!ring_buffer_write(buffer, size, next))
		(*next)++;
}

/* The tests run for each way to write an event.  @outer can write one event within another. */
struct way {
	const char	*name;
	void		(*write)(unsigned int size);
	void		(*outer)(unsigned int size);
};

static const struct way ways[] = {
	{ "reserve and commit", write_in_two_steps, write_in_two_steps },
	{ "reserve and commit inline", write_data, write_data },
	{ "write", write_at_once, write_in_two_steps },
};

KUNIT_ARRAY_PARAM_DESC(way, ways, name);

/* The way of the running test. */
static void (*write_event)(unsigned int size);
static void (*write_outer)(unsigned int size);

static void write_events(unsigned int number, unsigned int size)
{
	while (number--)
		write_event(size);
}

static void write_inner(void)
{
	unsigned int size = inner;

	if (!size)
		return;
	inner = 0;
	ring_buffer_nest_start(buffer);
	write_events(1, size);
	ring_buffer_nest_end(buffer);
}

static u64 notrace test_clock(void)
{
	bool before = interrupt == INTERRUPT_BEFORE, after = interrupt == INTERRUPT_AFTER;
	u64 time;

	interrupt = INTERRUPT_NONE;
	if (before)
		write_events(1, SMALL);
	time = ++now;
	if (after)
		write_events(1, SMALL);
	return time;
}

static void write_alone(unsigned int number, unsigned int size)
{
	unsigned long flags = start_writing();

	write_events(number, size);
	end_writing(flags);
}

/* Check that the buffer has the events that were written, in this order. */
static void expect_events(struct kunit *test, unsigned int number)
{
	int cpu = raw_smp_processor_id();
	struct ring_buffer_event *event;
	unsigned long lost;
	unsigned int i;
	u64 ts, last = 0;

	for (i = 0; (event = ring_buffer_consume(buffer, cpu, &ts, &lost)); i++) {
		KUNIT_EXPECT_EQ(test, *(unsigned int *)ring_buffer_event_data(event), i);
		KUNIT_EXPECT_EQ(test, lost, 0);
		KUNIT_EXPECT_GT(test, ts, last);
		KUNIT_EXPECT_LE(test, ts, now);
		last = ts;
	}
	KUNIT_EXPECT_EQ(test, i, number);
}

/* Only the first event of a sub-buffer takes the general path. */
static void test_common(struct kunit *test)
{
	guard(migrate)();
	write_alone(1, SMALL);
	expect_general(test, 1, 0);
	write_alone(MANY, SMALL);
	expect_general(test, 0, 0);
	/* The header does not have room for the size of this event. */
	write_alone(1, 200);
	expect_general(test, 0, 0);
	expect_events(test, MANY + 2);
}

/* Two events of this size fit into a sub-buffer. */
static unsigned int half(void)
{
	return ring_buffer_max_event_size(buffer) / 2 - 2 * SMALL;
}

static void test_full(struct kunit *test)
{
	guard(migrate)();
	write_alone(8, half());
	expect_general(test, 4, 0);
	expect_events(test, 8);
}

static void test_time_extend(struct kunit *test)
{
	guard(migrate)();
	write_alone(2, SMALL);
	expect_general(test, 1, 0);
	now += 1 << 28;
	write_alone(1, SMALL);
	expect_general(test, 1, 0);
	write_alone(1, SMALL);
	expect_general(test, 0, 0);
	expect_events(test, 4);
}

static void test_absolute(struct kunit *test)
{
	guard(migrate)();
	write_alone(1, SMALL);
	expect_general(test, 1, 0);
	ring_buffer_set_time_stamp_abs(buffer, true);
	write_alone(MANY, SMALL);
	expect_general(test, MANY, 0);
	expect_events(test, MANY + 1);
}

/* Write an event, and another event between its reserve and its commit. */
static void write_nested(unsigned int size)
{
	unsigned long flags = start_writing();

	inner = size;
	write_outer(size);
	end_writing(flags);
}

static void test_nested(struct kunit *test)
{
	int i;

	guard(migrate)();
	write_alone(1, SMALL);
	expect_general(test, 1, 0);
	/* The buffer would refuse events if the first ones left it locked. */
	for (i = 0; i < 3; i++) {
		write_nested(SMALL);
		expect_general(test, 1, 1);
		write_alone(1, SMALL);
		expect_general(test, 0, 0);
	}
	expect_events(test, 10);
}

/* The inner event begins a sub-buffer. */
static void test_nested_full(struct kunit *test)
{
	guard(migrate)();
	write_alone(1, half());
	expect_general(test, 1, 0);
	write_nested(half());
	expect_general(test, 1, 2);
	write_alone(1, half());
	expect_general(test, 0, 0);
	expect_events(test, 4);
}

/* An event is written while another event is being reserved, before that reads the clock. */
static void test_interrupted_before(struct kunit *test)
{
	guard(migrate)();
	write_alone(1, SMALL);
	expect_general(test, 1, 0);

	interrupt = INTERRUPT_BEFORE;
	write_alone(1, SMALL);
	expect_general(test, 1, 1);

	write_alone(1, SMALL);
	expect_general(test, 0, 0);
	expect_events(test, 4);
}

/* The event is written after the clock was read: the time of the other event is older. */
static void test_interrupted_after(struct kunit *test)
{
	guard(migrate)();
	write_alone(1, SMALL);
	expect_general(test, 1, 0);

	interrupt = INTERRUPT_AFTER;
	write_alone(1, SMALL);
	expect_general(test, 2, 1);

	write_alone(1, SMALL);
	expect_general(test, 0, 0);
	expect_events(test, 4);
}

/* Events that are too large for the buffer, or for a sub-buffer, are refused. */
static void test_too_large(struct kunit *test)
{
	unsigned int max = ring_buffer_max_event_size(buffer);

	guard(migrate)();
	write_alone(2, SMALL);
	expect_general(test, 1, 0);
	write_alone(1, max + 1);
	expect_general(test, 1, 0);
	write_alone(1, max);
	expect_general(test, 1, 0);
	write_alone(1, SMALL);
	expect_events(test, 4);
}

/* The data of an event has at least the size that was reserved, whatever its header needs. */
static void test_sizes(struct kunit *test)
{
	struct ring_buffer_event *event;
	unsigned int size, length;
	unsigned long flags;

	guard(migrate)();
	for (size = 0; size < 200; size++) {
		flags = start_writing();
		event = ring_buffer_lock_reserve(buffer, size);
		length = event ? ring_buffer_event_length(event) : 0;
		if (event)
			ring_buffer_unlock_commit(buffer);
		end_writing(flags);
		KUNIT_EXPECT_GE(test, length, size);
		KUNIT_EXPECT_LE(test, length, ALIGN(size, 8) + 8);
	}
}

static int start_ring_buffer_test(struct kunit *test)
{
	const struct way *way = test->param_value;

	count_events(test, &reserve_slow, "rb_reserve_slow");
	count_events(test, &commit_slow, "rb_finish_commit");
	if (!reserve_slow.counted && !commit_slow.counted)
		kunit_skip(test, "the functions of the general paths have other names");
	buffer = ring_buffer_alloc(16 * PAGE_SIZE, 0);
	if (!buffer)
		return -ENOMEM;
	ring_buffer_set_clock(buffer, test_clock);
	write_event = way ? way->write : write_in_two_steps;
	write_outer = way ? way->outer : write_in_two_steps;
	now = 0;
	next = kunit_kzalloc(test, ring_buffer_max_event_size(buffer) + sizeof(*next), GFP_KERNEL);
	interrupt = INTERRUPT_NONE;
	inner = 0;
	return next ? 0 : -ENOMEM;
}

static void end_ring_buffer_test(struct kunit *test)
{
	if (!buffer)
		return;
	ring_buffer_free(buffer);
	buffer = NULL;
}

static struct kunit_case ring_buffer_cases[] = {
	KUNIT_CASE_PARAM(test_common, way_gen_params),
	KUNIT_CASE_PARAM(test_full, way_gen_params),
	KUNIT_CASE_PARAM(test_time_extend, way_gen_params),
	KUNIT_CASE_PARAM(test_absolute, way_gen_params),
	KUNIT_CASE_PARAM(test_nested, way_gen_params),
	KUNIT_CASE_PARAM(test_nested_full, way_gen_params),
	KUNIT_CASE_PARAM(test_interrupted_before, way_gen_params),
	KUNIT_CASE_PARAM(test_interrupted_after, way_gen_params),
	KUNIT_CASE_PARAM(test_too_large, way_gen_params),
	KUNIT_CASE(test_sizes),
	{}
};

static struct kunit_suite ring_buffer_suite = {
	.name = "ring_buffer_paths",
	.init = start_ring_buffer_test,
	.exit = end_ring_buffer_test,
	.test_cases = ring_buffer_cases,
};

/* Write records of the event as its probe does. */
static void write_records(struct trace_event_file *file, unsigned int number)
{
	unsigned long flags = start_writing();
	struct trace_event_buffer fbuffer;
	unsigned int i;

	for (i = 0; i < number; i++) {
		struct {
			struct trace_entry	ent;
			unsigned int		data[2];
		} *entry;

		entry = trace_event_buffer_reserve(&fbuffer, file, sizeof(*entry));
		if (!entry)
			continue;
		memset(entry->data, 0, sizeof(entry->data));
		trace_event_buffer_commit(&fbuffer);
	}
	end_writing(flags);
}

/* Records of an event with a filter take the general paths. */
static void test_filter(struct kunit *test)
{
	struct trace_event_file *file = test->priv;
	struct trace_buffer *records = file->tr->array_buffer.buffer;
	char filter[] = "common_pid < 0", none[] = "0";
	int ret;

	write_records(file, MANY);
	expect_general(test, 0, 0);
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(records), MANY);

	scoped_guard(mutex, &event_mutex)
		ret = apply_event_filter(file, filter);
	KUNIT_ASSERT_EQ(test, ret, 0);
	write_records(file, MANY);
	expect_general(test, MANY, MANY);
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(records), MANY);

	scoped_guard(mutex, &event_mutex)
		ret = apply_event_filter(file, none);
	KUNIT_EXPECT_EQ(test, ret, 0);
	write_records(file, MANY);
	expect_general(test, 0, 0);
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(records), 2 * MANY);
}

/* Write a record in the two ways for records that only the ring buffer needs. */
static bool write_plain(struct trace_event_file *file, bool complete)
{
	struct {
		struct trace_entry	ent;
		unsigned int		data[2];
	} record = {};
	struct trace_buffer *records = file->tr->array_buffer.buffer;
	struct rb_reserved reserved;

	if (complete)
		return trace_event_write(file, &record, sizeof(record));
	if (trace_event_has_users(file))
		return false;
	if (trace_event_reserve_plain(records, file->event_call->event.type, sizeof(record),
				      &reserved)) {
		memset(reserved.data + sizeof(record.ent), 0, sizeof(record.data));
		trace_event_commit_plain(records, &reserved);
	}
	return true;
}

static void test_plain(struct kunit *test)
{
	struct trace_event_file *file = test->priv;
	struct trace_buffer *records = file->tr->array_buffer.buffer;
	bool off, name_saved, on, stack;
	unsigned long flags;
	int i;

	for (i = 0; i < 2; i++) {
		flags = start_writing();
		__this_cpu_write(trace_taskinfo_save, false);
		ring_buffer_record_off(records);
		off = write_plain(file, i);
		name_saved = __this_cpu_read(trace_taskinfo_save);
		ring_buffer_record_on(records);
		on = write_plain(file, i);
		file->tr->trace_flags |= TRACE_ITER_STACKTRACE;
		stack = write_plain(file, i);
		file->tr->trace_flags &= ~TRACE_ITER_STACKTRACE;
		end_writing(flags);

		KUNIT_EXPECT_TRUE(test, off);
		KUNIT_EXPECT_FALSE(test, name_saved);
		KUNIT_EXPECT_TRUE(test, on);
		KUNIT_EXPECT_FALSE(test, stack);
		KUNIT_EXPECT_EQ(test, ring_buffer_entries(records), i + 1);
	}
	expect_general(test, 0, 0);
}

static int start_trace_event_test(struct kunit *test)
{
	struct trace_event_file *file;
	struct trace_array *tr;

	if (tracepoint_printk)
		kunit_skip(test, "with tp_printk, all events take the general path");
	count_events(test, &reserve_slow, "trace_event_reserve_temp");
	count_events(test, &commit_slow, "trace_event_commit_slow");
	tr = trace_array_get_by_name(INSTANCE, NULL);
	if (!tr)
		return -ENOMEM;
	/* The buffer then has one record for each event. */
	tr->trace_flags &= ~(TRACE_ITER_STACKTRACE | TRACE_ITER_USERSTACKTRACE);
	/* Any event of the kernel will do. */
	file = trace_get_event_file(INSTANCE, "initcall", "initcall_level");
	if (IS_ERR(file)) {
		trace_array_put(tr);
		trace_array_destroy(tr);
		return PTR_ERR(file);
	}
	test->priv = file;
	return 0;
}

static void end_trace_event_test(struct kunit *test)
{
	struct trace_event_file *file = test->priv;
	struct trace_array *tr;

	if (!file)
		return;
	tr = file->tr;
	trace_put_event_file(file);
	trace_array_put(tr);
	trace_array_destroy(tr);
}

static struct kunit_case trace_event_cases[] = {
	KUNIT_CASE(test_filter),
	KUNIT_CASE(test_plain),
	{}
};

static struct kunit_suite trace_event_suite = {
	.name = "trace_event_paths",
	.init = start_trace_event_test,
	.exit = end_trace_event_test,
	.test_cases = trace_event_cases,
};

kunit_test_suites(&ring_buffer_suite, &trace_event_suite);
