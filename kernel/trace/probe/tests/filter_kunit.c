// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of filters as programs: the program and the filter come to the same result, and the
 * program exists while exactly one trace instance with this filter records the event.
 */
#include <kunit/test.h>
#include <linux/array_size.h>
#include <linux/err.h>
#include <linux/mutex.h>
#include <linux/preempt.h>
#include <linux/ring_buffer.h>
#include <linux/string.h>
#include <linux/trace_events.h>

#include "../../trace.h"

#include "../engine.h"
#include "../fetch.h"
#include "../hit.h"
#include "../types.h"

#include "dummy.h"

#define GROUP	"probe_kunit"
#define NAME	"filtered"

#define NR_WORDS	4

/* Each field is also the name of its type.  The last one is in memory. */
static const char * const names[] = {
	"u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64", "x32",
};

#define NR_FIELDS	ARRAY_SIZE(names)

/**
 * struct filtered - state of a test
 * @probe: the probe
 * @sibling: another probe of the event, for some tests
 * @event: the event, registered
 * @file: the event in the first trace instance
 * @args: names and types of its fields
 * @fetch: the fields: field i has the word i % NR_WORDS, except for the last one
 * @words: the words
 * @memory: the last field
 * @rec: a record
 */
struct filtered {
	struct probe		probe;
	struct probe		sibling;
	struct probe_event	*event;
	struct trace_event_file	*file;
	struct probe_arg_def	args[NR_FIELDS];
	struct probe_fetch	fetch[NR_FIELDS];
	unsigned long		words[NR_WORDS];
	u32			memory;
	u8			rec[256] __aligned(8);
};

static bool has_program(const struct probe *p)
{
	return rcu_access_pointer(p->filter);
}

/* A filter that no file has, or NULL. */
static struct event_filter *create(struct filtered *t, const char *text)
{
	struct event_filter *filter = NULL;
	char buf[512];

	strscpy(buf, text);
	if (!create_event_filter(t->file->tr, &t->event->call, buf, false, &filter))
		return filter;
	free_event_filter(filter);
	return NULL;
}

/* Does the filter accept the words, by its program, or by the record? */
static bool accepts(struct filtered *t, struct event_filter *filter, bool by_program)
{
	struct probe_hit hit = { .entry = t->words, .rec = t->rec };

	guard(preempt)();
	if (by_program)
		return probe_prog_run(rcu_dereference_raw(t->probe.filter)->prog, &hit) ==
		       PROBE_ACCEPT;
	probe_fetch_record(&t->probe, t->event->nr_head, &hit);
	return filter_match_preds(filter, t->rec);
}

static void set_words(struct filtered *t, unsigned long value)
{
	unsigned int i;

	for (i = 0; i < NR_WORDS; i++)
		t->words[i] = value;
}

static void expect_same(struct kunit *test, struct event_filter *filter, const char *text)
{
	struct filtered *t = test->priv;

	KUNIT_EXPECT_EQ_MSG(test, accepts(t, filter, true), accepts(t, filter, false),
			    "%s, words %lx %lx %lx %lx", text, t->words[0], t->words[1],
			    t->words[2], t->words[3]);
}

static const char * const operators[] = { "==", "!=", "<", "<=", ">", ">=", "&" };

static const char * const numbers[] = {
	"0", "1", "-1", "0x7f", "-128", "0200", "0xff", "0x8000", "-0x8000", "65535",
	"0x7fffffff", "0x80000000", "-2147483648", "0xffffffff", "0x100000001",
	"0x7fffffffffffffff", "0x8000000000000000", "-9223372036854775808", "0xffffffffffffffff",
};

/* Without those on the field in memory. */
#define MAX_FILTERS	((NR_FIELDS - 1) * ARRAY_SIZE(operators) * ARRAY_SIZE(numbers))

/* Fields of each size and sign, and numbers at their edges. */
static void test_numbers(struct kunit *test)
{
	static const u64 values[] = {
		0, 1, 0x7e, 0x7f, 0x80, 0xff, 0x100, 0x7fff, 0x8000, 0xffff, 0x10000, 0x7fffffff,
		0x80000000, 0xffffffff, 0x100000000, 0x100000001, S64_MAX, 1ULL << 63, U64_MAX,
	};
	unsigned int field, op, number, v, i, nr = 0;
	struct filtered *t = test->priv;
	struct event_filter *filter;
	char text[64];

	guard(mutex)(&event_mutex);
	for (i = 0; i < MAX_FILTERS; i++) {
		number = i % ARRAY_SIZE(numbers);
		op = i / ARRAY_SIZE(numbers) % ARRAY_SIZE(operators);
		field = i / ARRAY_SIZE(numbers) / ARRAY_SIZE(operators);
		snprintf(text, sizeof(text), "%s %s %s", names[field], operators[op],
			 numbers[number]);
		filter = create(t, text);
		/* An unsigned field cannot be negative. */
		if (!filter)
			continue;
		nr++;
		probe_filter_set(&t->probe, filter);
		KUNIT_EXPECT_TRUE_MSG(test, has_program(&t->probe), "%s", text);
		for (v = 0; has_program(&t->probe) && v < ARRAY_SIZE(values); v++) {
			set_words(t, values[v]);
			expect_same(test, filter, text);
		}
		probe_filter_set(&t->probe, NULL);
		free_event_filter(filter);
	}
	KUNIT_EXPECT_GT(test, nr, 500);
}

/* Each field is 0 or 1. */
static void test_logic(struct kunit *test)
{
	static const char * const texts[] = {
		"u8 == 1 && s8 == 1",
		"u8 == 1 || s8 == 1",
		"u8 == 1 || s8 == 1 && u16 == 1",
		"u8 == 1 && s8 == 1 || u16 == 1 && s16 == 1",
		"(u8 == 1 || s8 == 1) && (u16 == 1 || s16 == 1)",
		"!(u8 == 1 || s8 == 1) && u16 == 1",
		"!!(u8 == 1)",
		"!u8 == 1 || !(s8 & 1)",
		"!(u8 == 1 && !(s8 == 1 || !(u16 == 1 && s16 == 1)))",
		"u8 & 1 && !(s8 & 1) || !(u16 & 1) && s16 & 1",
		"((u8 == 1) || ((s8 == 1) && ((u16 == 1) || (s16 == 1))))",
		"u8 != 1 && (s8 != 1 || (u16 != 1 && (s16 != 1 || u32 == 1)))",
		"u8 == CPUS{1} || s8 & CPUS{0} && u16 != CPUS{0}",
		"u8==1&&s8!=0||!(u16>=1)",
	};
	struct filtered *t = test->priv;
	struct event_filter *filter;
	unsigned int i, words, word;

	guard(mutex)(&event_mutex);
	for (i = 0; i < ARRAY_SIZE(texts); i++) {
		filter = create(t, texts[i]);
		/* The last CPU may be 0. */
		if (!filter && strstr(texts[i], "CPUS{1}"))
			continue;
		KUNIT_ASSERT_NOT_NULL_MSG(test, filter, "%s", texts[i]);
		probe_filter_set(&t->probe, filter);
		KUNIT_EXPECT_TRUE_MSG(test, has_program(&t->probe), "%s", texts[i]);
		for (words = 0; has_program(&t->probe) && words < BIT(NR_WORDS); words++) {
			for (word = 0; word < NR_WORDS; word++)
				t->words[word] = words >> word & 1;
			expect_same(test, filter, texts[i]);
		}
		probe_filter_set(&t->probe, NULL);
		free_event_filter(filter);
	}
}

/* Filters that need the record. */
static void test_record_needed(struct kunit *test)
{
	static const char * const texts[] = {
		"x32 == 1",
		"u8 == 1 && x32 == 1",
		"common_pid > 0",
		"u8 == 1 || CPU == 0",
		"COMM == \"x\"",
		"comm ~ \"x*\"",
		"u8 == CPUS{0-1}",
	};
	struct filtered *t = test->priv;
	struct event_filter *filter;
	unsigned int i;
	char *many;

	guard(mutex)(&event_mutex);
	for (i = 0; i < ARRAY_SIZE(texts); i++) {
		filter = create(t, texts[i]);
		if (!filter && strstr(texts[i], "CPUS"))
			continue;
		KUNIT_ASSERT_NOT_NULL_MSG(test, filter, "%s", texts[i]);
		probe_filter_set(&t->probe, filter);
		KUNIT_EXPECT_FALSE_MSG(test, has_program(&t->probe), "%s", texts[i]);
		probe_filter_set(&t->probe, NULL);
		free_event_filter(filter);
	}

	/* Too many comparisons. */
	many = kunit_kzalloc(test, 512, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, many);
	strscpy(many, "u8 == 1", 512);
	for (i = 1; i <= 32; i++)
		strlcat(many, "||u8 == 1", 512);
	filter = create(t, many);
	KUNIT_ASSERT_NOT_NULL(test, filter);
	probe_filter_set(&t->probe, filter);
	KUNIT_EXPECT_FALSE(test, has_program(&t->probe));
	probe_filter_set(&t->probe, NULL);
	free_event_filter(filter);
}

static int apply(struct filtered *t, const char *text)
{
	char buf[64];

	strscpy(buf, text);
	guard(mutex)(&event_mutex);
	return apply_event_filter(t->file, buf);
}

/* Number of records that hits with 0 to 9 leave. */
static unsigned long count_records(struct filtered *t)
{
	struct trace_buffer *records = t->file->tr->array_buffer.buffer;
	unsigned long before = ring_buffer_entries(records);
	unsigned int i;

	for (i = 0; i < 10; i++) {
		set_words(t, i);
		guard(preempt)();
		probe_hit_saved(&t->probe, t->words, 0);
	}
	return ring_buffer_entries(records) - before;
}

/* Hits with the filters of the file. */
static void test_hits(struct kunit *test)
{
	struct filtered *t = test->priv;
	struct probe *p = &t->probe;

	KUNIT_EXPECT_EQ(test, count_records(t), 10);
	KUNIT_ASSERT_EQ(test, apply(t, "u32 == 3"), 0);
	KUNIT_EXPECT_TRUE(test, has_program(p));
	KUNIT_EXPECT_EQ(test, count_records(t), 1);
	KUNIT_ASSERT_EQ(test, apply(t, "u32 > 3 && s64 != 7"), 0);
	KUNIT_EXPECT_TRUE(test, has_program(p));
	KUNIT_EXPECT_EQ(test, count_records(t), 5);
	/* The record decides. */
	KUNIT_ASSERT_EQ(test, apply(t, "u32 > 3 && x32 == 1"), 0);
	KUNIT_EXPECT_FALSE(test, has_program(p));
	KUNIT_EXPECT_EQ(test, count_records(t), 0);
	KUNIT_ASSERT_EQ(test, apply(t, "s8 <= 1"), 0);
	KUNIT_EXPECT_EQ(test, count_records(t), 2);
	/* An error ends the filter. */
	KUNIT_EXPECT_EQ(test, apply(t, "s8 <= x"), -EINVAL);
	KUNIT_EXPECT_FALSE(test, has_program(p));
	KUNIT_EXPECT_EQ(test, count_records(t), 10);
	KUNIT_ASSERT_EQ(test, apply(t, "s8 <= 1"), 0);
	KUNIT_EXPECT_TRUE(test, has_program(p));
	KUNIT_ASSERT_EQ(test, apply(t, "0"), 0);
	KUNIT_EXPECT_FALSE(test, has_program(p));
	KUNIT_EXPECT_EQ(test, count_records(t), 10);
}

/* A program exists while the event is enabled. */
static void test_enable(struct kunit *test)
{
	struct filtered *t = test->priv;
	struct probe *p = &t->probe;

	KUNIT_ASSERT_EQ(test, trace_set_clr_event(GROUP, NAME, 0), 0);
	KUNIT_ASSERT_EQ(test, apply(t, "u8 == 3"), 0);
	KUNIT_EXPECT_FALSE(test, has_program(p));
	KUNIT_ASSERT_EQ(test, trace_set_clr_event(GROUP, NAME, 1), 0);
	KUNIT_EXPECT_TRUE(test, has_program(p));
	KUNIT_EXPECT_EQ(test, count_records(t), 1);
	KUNIT_ASSERT_EQ(test, trace_set_clr_event(GROUP, NAME, 0), 0);
	KUNIT_EXPECT_FALSE(test, has_program(p));
}

/* Another probe of the event has a program of its own. */
static void test_sibling(struct kunit *test)
{
	struct filtered *t = test->priv;
	struct probe *p = &t->sibling;

	KUNIT_ASSERT_EQ(test, apply(t, "u8 == 3"), 0);
	KUNIT_ASSERT_EQ(test, probe_init(p, 0, 0), 0);
	p->args = t->args;
	p->fetch = t->fetch;
	p->nr_args = NR_FIELDS;
	guard(mutex)(&event_mutex);
	KUNIT_EXPECT_EQ(test, probe_event_join(t->event, p), 0);
	if (p->event) {
		KUNIT_EXPECT_FALSE(test, has_program(p));
		probe_event_compile_filter(t->event);
		KUNIT_EXPECT_TRUE(test, has_program(p));
		probe_event_leave(p);
	}
	KUNIT_EXPECT_FALSE(test, has_program(p));
	KUNIT_EXPECT_TRUE(test, has_program(&t->probe));
	probe_fini(p);
}

static void set_field(struct filtered *t, unsigned int i)
{
	struct probe_str name = { .s = names[i], .len = strlen(names[i]) };

	t->args[i].name = names[i];
	t->args[i].type = probe_type_find(name);
	t->fetch[i] = (struct probe_fetch) {
		.src = PROBE_SRC_ENTRY,
		.value = i % NR_WORDS * sizeof(long),
		.size = t->args[i].type->size,
	};
}

static int filtered_init(struct kunit *test)
{
	struct filtered *t = kunit_kzalloc(test, sizeof(*t), GFP_KERNEL);
	struct probe *p;
	unsigned int i;
	int ret;

	if (!t)
		return -ENOMEM;
	test->priv = t;
	p = &t->probe;
	ret = probe_init(p, 0, 0);
	if (ret)
		return ret;
	for (i = 0; i < NR_FIELDS; i++)
		set_field(t, i);
	t->fetch[NR_FIELDS - 1].src = PROBE_SRC_IMM;
	t->fetch[NR_FIELDS - 1].value = (unsigned long)&t->memory;
	t->fetch[NR_FIELDS - 1].store = PROBE_STORE_MEM;
	p->args = t->args;
	p->fetch = t->fetch;
	p->nr_args = NR_FIELDS;
	t->event = probe_event_new(p, GROUP, NAME, &dummy_event_ops);
	if (IS_ERR(t->event)) {
		probe_fini(p);
		return PTR_ERR(t->event);
	}
	scoped_guard(mutex, &event_mutex) {
		ret = probe_link(p, NULL) ?: probe_event_register(t->event);
		if (ret) {
			probe_event_leave(p);
			probe_fini(p);
			return ret;
		}
	}
	ret = trace_set_clr_event(GROUP, NAME, 1);
	if (ret)
		return ret;
	t->file = list_first_entry(&t->event->files, struct probe_file, list)->file;
	return 0;
}

static void filtered_exit(struct kunit *test)
{
	struct filtered *t = test->priv;

	if (!t || !t->probe.event)
		return;
	trace_set_clr_event(GROUP, NAME, 0);
	guard(mutex)(&event_mutex);
	probe_event_unregister(t->event);
	KUNIT_EXPECT_FALSE(test, has_program(&t->probe));
	probe_event_leave(&t->probe);
	probe_fini(&t->probe);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(test_numbers),
	KUNIT_CASE(test_logic),
	KUNIT_CASE(test_record_needed),
	KUNIT_CASE(test_hits),
	KUNIT_CASE(test_enable),
	KUNIT_CASE(test_sibling),
	{}
};

static struct kunit_suite suite = {
	.name = "probe_filter",
	.init = filtered_init,
	.exit = filtered_exit,
	.test_cases = cases,
};

kunit_test_suites(&suite);
