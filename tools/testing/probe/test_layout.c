// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the record layout: lists of fields, and their expected offsets.
 */
#include <string.h>
#include <linux/array_size.h>
#include <linux/errno.h>

#include "check.h"
#include "expr.h"
#include "fetch.h"
#include "record.h"

#define CHECK_EQ(is, want) do {						\
	unsigned int _is = (is), _want = (want);			\
									\
	check(_is == _want, "%s is %u, should be %u", #is, _is, _want);	\
} while (0)

static const struct probe_fetch u8_ = { .size = 1 };
static const struct probe_fetch u16_ = { .size = 2 };
static const struct probe_fetch u32_ = { .size = 4 };
static const struct probe_fetch u64_ = { .size = 8 };
static const struct probe_fetch str = { .size = 4, .store = PROBE_STORE_STRING };
static const struct probe_fetch comm = { .size = 4, .store = PROBE_STORE_COMM };

static const struct probe_fetch stack = { .size = 4, .store = PROBE_STORE_STACK, .value = 3 };

static struct probe_fetch array(struct probe_fetch f, unsigned int count)
{
	f.count = count;
	return f;
}

static void test_empty(void)
{
	struct probe_layout l;

	memset(&l, 0xa5, sizeof(l));
	CHECK_EQ(probe_layout_set(&l, 16, NULL, 0), 0);
	CHECK_EQ(l.head, 16);
	CHECK_EQ(l.fixed, 16);
	CHECK_EQ(l.bits, 0);
	CHECK_EQ(l.size, 16);
	CHECK_EQ(l.dynamic, false);
}

static void test_packed(void)
{
	struct probe_fetch f[] = { u8_, u64_, u16_, u32_, u8_ };
	struct probe_layout l;

	CHECK_EQ(probe_layout_set(&l, 16, f, ARRAY_SIZE(f)), 0);
	CHECK_EQ(f[0].dst, 16);
	CHECK_EQ(f[1].dst, 17);
	CHECK_EQ(f[2].dst, 25);
	CHECK_EQ(f[3].dst, 27);
	CHECK_EQ(f[4].dst, 31);
	CHECK_EQ(f[0].fault, 1);
	CHECK_EQ(f[4].fault, 5);
	CHECK_EQ(l.fixed, 32);
	CHECK_EQ(l.bits, 6);
	CHECK_EQ(l.size, 36);
	CHECK_EQ(l.dynamic, false);
}

/* The map follows the fields, and its end is aligned. */
static void test_map_alignment(void)
{
	unsigned int head, n;

	for (head = 8; head <= 24; head += 8) {
		for (n = 1; n <= 9; n++) {
			struct probe_fetch f[] = { u8_, u8_, u8_, u8_, u8_, u8_,
						   u8_, u8_, u8_ };
			struct probe_layout l;

			probe_layout_set(&l, head, f, n);
			CHECK_EQ(l.fixed, head + n);
			CHECK_EQ(l.bits, n + 1);
			CHECK_EQ(l.size, (head + n + n / 8 + 4) / 4 * 4);
		}
	}
}

static void test_strings(void)
{
	struct probe_fetch f[] = { str, u8_, comm, u8_ };
	struct probe_layout l;

	CHECK_EQ(probe_layout_set(&l, 24, f, ARRAY_SIZE(f)), 0);
	CHECK_EQ(f[0].dst, 24);
	CHECK_EQ(f[1].dst, 28);
	CHECK_EQ(f[2].dst, 29);
	CHECK_EQ(f[3].dst, 33);
	/* Only numbers have a bit in the map. */
	CHECK_EQ(f[1].fault, 1);
	CHECK_EQ(f[3].fault, 2);
	CHECK_EQ(l.fixed, 34);
	CHECK_EQ(l.size, 36);
	CHECK_EQ(l.dynamic, true);

	CHECK_EQ(probe_layout_set(&l, 24, f, 1), 0);
	CHECK_EQ(l.bits, 0);
	CHECK_EQ(l.size, 28);
}

/* Names of tasks have reserved space unless there are other strings. */
static void test_task_names(void)
{
	struct probe_fetch f[] = { comm, u8_, comm, str };
	struct probe_layout l;

	CHECK_EQ(probe_layout_set(&l, 16, f, 3), 0);
	CHECK_EQ(f[0].dst, 16);
	CHECK_EQ(f[1].dst, 20);
	CHECK_EQ(f[2].dst, 21);
	CHECK_EQ(l.fixed, 25);
	CHECK_EQ(l.texts, 28);
	CHECK_EQ(f[0].text, 28);
	CHECK_EQ(f[1].text, 0);
	CHECK_EQ(f[2].text, 44);
	CHECK_EQ(l.size, 60);
	CHECK_EQ(l.dynamic, false);

	CHECK_EQ(probe_layout_set(&l, 16, f, 4), 0);
	CHECK_EQ(f[0].text, 0);
	CHECK_EQ(f[2].text, 0);
	CHECK_EQ(l.texts, 32);
	CHECK_EQ(l.size, 32);
	CHECK_EQ(l.dynamic, true);
}

/* Stack traces have aligned room, before the names of tasks. */
static void test_stacks(void)
{
	struct probe_fetch f[] = { u8_, stack, comm, stack };
	struct probe_layout l;

	CHECK_EQ(probe_layout_set(&l, 16, f, ARRAY_SIZE(f)), 0);
	CHECK_EQ(f[1].dst, 17);
	CHECK_EQ(l.fixed, 29);
	CHECK_EQ(l.texts, 32);
	CHECK_EQ(f[1].text, 32);
	CHECK_EQ(f[3].text, 64);
	CHECK_EQ(f[2].text, 96);
	CHECK_EQ(l.size, 112);
	CHECK_EQ(l.dynamic, false);

	f[0] = str;
	CHECK_EQ(probe_layout_set(&l, 16, f, 2), 0);
	CHECK_EQ(l.bits, 0);
	CHECK_EQ(l.texts, 24);
	CHECK_EQ(f[1].text, 24);
	CHECK_EQ(l.size, 56);
	CHECK_EQ(l.dynamic, true);
}

/* Programs that read records count only numbers in the format file. */
static void test_bits_after_stacks(void)
{
	struct probe_fetch f[] = { stack, u8_, stack, u32_ };
	struct probe_layout l;

	CHECK_EQ(probe_layout_set(&l, 16, f, ARRAY_SIZE(f)), 0);
	CHECK_EQ(f[1].fault, PROBE_MAP_MARK + 1);
	CHECK_EQ(f[3].fault, PROBE_MAP_MARK + 2);
	CHECK_EQ(l.bits, PROBE_MAP_MARK + 3);
}

static void test_too_many_stacks(void)
{
	struct probe_fetch f[PROBE_MAX_FIXED / 32];
	struct probe_layout l;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(f); i++)
		f[i] = stack;
	CHECK_EQ(probe_layout_set(&l, 16, f, ARRAY_SIZE(f)), -E2BIG);
	CHECK_EQ(probe_layout_set(&l, 16, f, ARRAY_SIZE(f) * 3 / 4), 0);
	CHECK_EQ(l.size <= PROBE_ANY_RECORD, true);
}

/* Names of tasks are dynamic data if the record would be too large for some buffers. */
static void test_many_task_names(void)
{
	struct probe_fetch f[PROBE_MAX_ARGS];
	struct probe_layout l;
	unsigned int n, i;

	for (n = 0; n < 20; n++)
		f[n] = comm;
	for (i = 0; i < 6; i++)
		f[n++] = array(u64_, 60);
	CHECK_EQ(probe_layout_set(&l, 16, f, n), 0);
	CHECK_EQ(l.dynamic, true);
	CHECK_EQ(f[0].text, 0);
	CHECK_EQ(probe_layout_set(&l, 16, f, n - 1), 0);
	CHECK_EQ(l.dynamic, false);
	CHECK_EQ(l.size <= PROBE_ANY_RECORD, true);
}

static void test_arrays(void)
{
	struct probe_fetch f[] = { array(u16_, 3), array(str, 2), array(u8_, 64), u64_ };
	struct probe_layout l;

	CHECK_EQ(probe_layout_set(&l, 16, f, ARRAY_SIZE(f)), 0);
	CHECK_EQ(f[1].dst, 22);
	CHECK_EQ(f[2].dst, 30);
	CHECK_EQ(f[3].dst, 94);
	CHECK_EQ(f[0].fault, 1);
	CHECK_EQ(f[2].fault, 4);
	CHECK_EQ(f[3].fault, 68);
	CHECK_EQ(l.fixed, 102);
	CHECK_EQ(l.bits, 69);
	CHECK_EQ(l.size, 112);
}

static void test_map_bits(void)
{
	struct probe_fetch f[PROBE_MAX_ARGS];
	struct probe_layout l;
	unsigned int n;

	for (n = 1; n <= PROBE_MAX_ARGS; n++) {
		f[n - 1] = u8_;
		probe_layout_set(&l, 16, f, n);
		CHECK_EQ(l.bits, n + 1);
		CHECK_EQ(l.size >= l.fixed + l.bits / 8 + !!(l.bits % 8), true);
	}
}

static void test_limit(void)
{
	struct probe_fetch f[] = {
		array(u64_, 64), array(u64_, 64), array(u64_, 64),
		array(u64_, 64), array(u64_, 64), array(u64_, 64), u8_, u8_,
	};
	struct probe_layout l;

	CHECK_EQ(6 * 64 * 8, PROBE_MAX_FIXED);
	CHECK_EQ(probe_layout_set(&l, 24, f, 6), 0);
	CHECK_EQ(l.fixed, 24 + PROBE_MAX_FIXED);
	CHECK_EQ(l.size + PROBE_CUT_LEN < PROBE_ANY_RECORD, true);
	CHECK_EQ(probe_layout_set(&l, 24, f, 7), -E2BIG);
	CHECK_EQ(probe_layout_set(&l, 24, f, 8), -E2BIG);
}

/* A record with the largest map still fits into any buffer. */
static void test_most_bits(void)
{
	struct probe_fetch f[PROBE_MAX_FIXED / 64];
	struct probe_layout l;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(f); i++)
		f[i] = array(u8_, 64);
	CHECK_EQ(probe_layout_set(&l, 24, f, ARRAY_SIZE(f)), 0);
	CHECK_EQ(l.bits, PROBE_MAX_FIXED + 1);
	CHECK_EQ(l.size + PROBE_CUT_LEN < PROBE_ANY_RECORD, true);
}

static const struct test tests[] = {
	{ "no field", test_empty },
	{ "fields of all sizes", test_packed },
	{ "alignment of the end of the map", test_map_alignment },
	{ "strings", test_strings },
	{ "names of tasks", test_task_names },
	{ "many names of tasks", test_many_task_names },
	{ "stack traces", test_stacks },
	{ "too many stack traces", test_too_many_stacks },
	{ "bits after stack traces", test_bits_after_stacks },
	{ "arrays", test_arrays },
	{ "bits of the map", test_map_bits },
	{ "largest record", test_limit },
	{ "largest map", test_most_bits },
};

int main(void)
{
	ksft_print_header();
	ksft_set_plan(ARRAY_SIZE(tests));
	test_all(tests, ARRAY_SIZE(tests));
	ksft_finished();
}
