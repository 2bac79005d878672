// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of arithmetic: every operator on numbers of 64 bits, values of all sizes, addresses that
 * are computed, and faults.
 */
#include <linux/array_size.h>
#include <linux/limits.h>
#include <linux/string.h>

#include "../calculate.h"
#include "trial.h"

static struct probe_item number(u64 v)
{
	return (struct probe_item) { .kind = PROBE_ITEM_NUMBER, .number = v };
}

static struct probe_item value(struct probe_fetch f, bool is_signed)
{
	return (struct probe_item) {
		.kind = PROBE_ITEM_VALUE,
		.arg = PROBE_ITEM_OWN,
		.fetch = f,
		.is_signed = is_signed,
	};
}

static struct probe_item pop(enum probe_math op, bool is_signed)
{
	return (struct probe_item) { .kind = PROBE_ITEM_POP, .op = op, .is_signed = is_signed };
}

static struct probe_item next(enum probe_math op, bool is_signed, u64 v)
{
	return (struct probe_item) {
		.kind = PROBE_ITEM_NEXT,
		.op = op,
		.is_signed = is_signed,
		.number = v,
	};
}

static struct probe_fetch result(const struct probe_formula *formula)
{
	return (struct probe_fetch) {
		.src = PROBE_SRC_FORMULA,
		.formula = formula,
		.size = sizeof(u64),
	};
}

/* Known results of probe_math(), which the other tests expect of programs. */
static void test_known(struct kunit *test)
{
	static const struct {
		enum probe_math op;
		bool is_signed;
		u64 a, b, result;
	} known[] = {
		{ PROBE_MATH_OR, false, 0xf0, 0x0f, 0xff },
		{ PROBE_MATH_XOR, false, 0xff, 0x0f, 0xf0 },
		{ PROBE_MATH_AND, false, 0xff, 0x0f, 0x0f },
		{ PROBE_MATH_ADD, false, U64_MAX, 2, 1 },
		{ PROBE_MATH_SUB, false, 1, 2, U64_MAX },
		{ PROBE_MATH_MUL, false, 1ULL << 33, 3, 3ULL << 33 },
		{ PROBE_MATH_DIV, false, -7ULL, 2, 0x7ffffffffffffffc },
		{ PROBE_MATH_DIV, true, -7ULL, 2, -3ULL },
		{ PROBE_MATH_DIV, true, 7, -2ULL, -3ULL },
		{ PROBE_MATH_DIV, true, 1ULL << 63, -1ULL, 1ULL << 63 },
		{ PROBE_MATH_MOD, false, -7ULL, 4, 1 },
		{ PROBE_MATH_MOD, true, -7ULL, 4, -3ULL },
		{ PROBE_MATH_MOD, true, 7, -4ULL, 3 },
		{ PROBE_MATH_MOD, true, 1ULL << 63, -1ULL, 0 },
		{ PROBE_MATH_SHL, false, 3, 62, 3ULL << 62 },
		{ PROBE_MATH_SHL, false, 3, 65, 6 },
		{ PROBE_MATH_SHR, false, -8ULL, 1, 0x7ffffffffffffffc },
		{ PROBE_MATH_SHR, true, -8ULL, 65, -4ULL },
		{ PROBE_MATH_EQ, true, 5, 5, 1 },
		{ PROBE_MATH_NE, true, 5, 5, 0 },
		{ PROBE_MATH_LT, false, -1ULL, 1, 0 },
		{ PROBE_MATH_LT, true, -1ULL, 1, 1 },
		{ PROBE_MATH_LE, true, 1, 1, 1 },
		{ PROBE_MATH_GT, false, -1ULL, 1, 1 },
		{ PROBE_MATH_GT, true, -1ULL, 1, 0 },
		{ PROBE_MATH_GE, true, 1, 1, 1 },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(known); i++)
		KUNIT_EXPECT_EQ_MSG(test, probe_math(known[i].op, known[i].is_signed, known[i].a,
						     known[i].b), known[i].result, "row %u", i);
}

static const u64 numbers[] = {
	0, 1, 7, 64, 0x80000000, 0xfffffffffffffff9, 0x8000000000000000, 0x123456789abcdef0,
};

#define NR_PAIRS	(ARRAY_SIZE(numbers) * ARRAY_SIZE(numbers))

/**
 * struct pairs - formulas for an operator and all pairs of numbers
 * @items: their items
 * @formula: the formulas
 */
struct pairs {
	struct probe_item	items[NR_PAIRS][3];
	struct probe_formula	formula[NR_PAIRS];
};

/* @last: the operator with or without its second operand */
static void set_pair(struct pairs *pairs, unsigned int i, struct probe_item last)
{
	u64 a = numbers[i / ARRAY_SIZE(numbers)], b = numbers[i % ARRAY_SIZE(numbers)];
	struct probe_item *items = pairs->items[i];
	unsigned int nr = 0;

	items[nr++] = number(a);
	if (last.kind == PROBE_ITEM_POP)
		items[nr++] = number(b);
	last.number = b;
	items[nr++] = last;
	pairs->formula[i] = (struct probe_formula) { .items = items, .nr = nr };
}

static void expect_pair(struct kunit *test, const struct probe_fetch *f, unsigned int i,
			struct probe_item last)
{
	u64 a = numbers[i / ARRAY_SIZE(numbers)], b = numbers[i % ARRAY_SIZE(numbers)];

	if (last.swapped)
		swap(a, b);
	if (probe_math_divides(last.op) && !b)
		trial_expect_fault(test, f, 0);
	else
		trial_expect_number(test, f, 0, probe_math(last.op, last.is_signed, a, b));
}

static void run_pairs(struct kunit *test, struct pairs *pairs, struct probe_item last)
{
	/* The resolver refuses division by the constant 0. */
	bool refused = probe_math_divides(last.op) && last.kind == PROBE_ITEM_NEXT &&
		       !last.swapped;
	struct trial *t = test->priv;
	unsigned int i;

	for (i = 0; i < NR_PAIRS; i++) {
		set_pair(pairs, i, last);
		if (refused && !numbers[i % ARRAY_SIZE(numbers)])
			set_pair(pairs, i, next(PROBE_MATH_OR, false, 0));
		t->f[i] = result(&pairs->formula[i]);
	}
	trial_run(test, t->f, NR_PAIRS);
	for (i = 0; i < NR_PAIRS; i++)
		if (!refused || numbers[i % ARRAY_SIZE(numbers)])
			expect_pair(test, &t->f[i], i, last);
}

static void test_operators(struct kunit *test)
{
	struct pairs *pairs = kunit_kzalloc(test, sizeof(*pairs), GFP_KERNEL);
	enum probe_math op;
	unsigned int how;

	KUNIT_ASSERT_NOT_NULL(test, pairs);
	for (op = PROBE_MATH_OR; op <= PROBE_MATH_MOD; op++) {
		for (how = 0; how < 8; how++) {
			struct probe_item last = how & 1 ? pop(op, how & 2) : next(op, how & 2, 0);

			last.swapped = how & 4;
			run_pairs(test, pairs, last);
		}
	}
}

/* Values of all sizes, with and without sign. */
static void test_sizes(struct kunit *test)
{
	struct trial *t = test->priv;
	struct probe_formula formulas[8];
	struct probe_item (*items)[2];
	unsigned int i;

	items = kunit_kcalloc(test, ARRAY_SIZE(formulas), sizeof(*items), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, items);
	t->entry[0] = -2UL;
	for (i = 0; i < ARRAY_SIZE(formulas); i++) {
		unsigned int size = min(1U << i / 2, (unsigned int)sizeof(long));

		items[i][0] = value(trial_value(PROBE_SRC_ENTRY, 0, size), i % 2);
		items[i][1] = next(PROBE_MATH_ADD, false, 0x100000000);
		formulas[i] = (struct probe_formula) { .items = items[i], .nr = 2 };
		t->f[i] = result(&formulas[i]);
	}
	trial_run(test, t->f, ARRAY_SIZE(formulas));
	for (i = 0; i < ARRAY_SIZE(formulas); i++) {
		unsigned int bits = min(8U << i / 2, (unsigned int)BITS_PER_LONG);
		u64 v = i % 2 ? -2ULL : (-2ULL << (64 - bits)) >> (64 - bits);

		trial_expect_number(test, &t->f[i], 0, v + 0x100000000);
	}
}

/* Values that stay in registers while others are read, also by helpers. */
static void test_saved(struct kunit *test)
{
	struct trial *t = test->priv;
	u64 *mem = (u64 *)t->mem;
	struct probe_item items[] = {
		value(trial_memory(&mem[0], 8), false),
		value(trial_memory(&mem[1], 8), false),
		value(trial_memory(&mem[2], 8), false),
		value(trial_memory(&mem[3], 8), false),
		pop(PROBE_MATH_DIV, true),
		pop(PROBE_MATH_MUL, false),
		pop(PROBE_MATH_SUB, false),
		next(PROBE_MATH_XOR, false, 1),
	};
	struct probe_formula formula = { .items = items, .nr = ARRAY_SIZE(items) };
	struct probe_fetch f = result(&formula);

	mem[0] = 1000;
	mem[1] = 7;
	mem[2] = -90;
	mem[3] = 4;
	trial_run(test, &f, 1);
	trial_expect_number(test, &f, 0, (1000 - 7 * (-90 / 4)) ^ 1);
	/* The slow path of a load that returns 0. */
	mem[1] = 0;
	trial_run(test, &f, 1);
	trial_expect_number(test, &f, 0, 1000 ^ 1);
	mem[3] = 0;
	trial_run(test, &f, 1);
	trial_expect_fault(test, &f, 0);
}

/* Memory and a string at an address that was computed. */
static void test_addresses(struct kunit *test)
{
	struct trial *t = test->priv;
	const struct probe_fetch at16 = {
		.src = PROBE_SRC_FORMULA,
		.size = 4,
		.store = PROBE_STORE_MEM,
		.off = 16,
	};
	struct probe_step step = { .off = 8 };
	struct probe_item items[] = {
		value(trial_value(PROBE_SRC_ENTRY, 0, sizeof(long)), false),
		value(trial_value(PROBE_SRC_ENTRY, sizeof(long), sizeof(long)), false),
		next(PROBE_MATH_MUL, false, 8),
		pop(PROBE_MATH_ADD, false),
		value(at16, false),
	};
	struct probe_formula address = { .items = items, .nr = ARRAY_SIZE(items) - 1 };
	struct probe_formula loaded = { .items = items, .nr = ARRAY_SIZE(items) };
	struct probe_fetch f[] = { result(&address), result(&loaded), result(&address) };

	f[0].steps = &step;
	f[0].nr_steps = 1;
	f[0].size = sizeof(long);
	f[2].store = PROBE_STORE_STRING;
	f[2].size = sizeof(u32);
	f[2].off = 32;
	t->entry[0] = (unsigned long)t->mem;
	t->entry[1] = 5;
	*(unsigned long *)(t->mem + 48) = 0x12345678;
	*(u32 *)(t->mem + 56) = 0x9abcdef0;
	strscpy(t->mem + 72, "computed", 16);
	trial_run(test, f, ARRAY_SIZE(f));
	trial_expect_number(test, &f[0], 0, 0x12345678);
	trial_expect_number(test, &f[1], 0, 0x9abcdef0);
	trial_expect_text(test, &f[2], 0, "computed");
}

static void test_faults(struct kunit *test)
{
	struct trial *t = test->priv;
	struct probe_item items[] = {
		number(3),
		value(trial_memory(NULL, 4), true),
		pop(PROBE_MATH_ADD, true),
	};
	struct probe_formula formula = { .items = items, .nr = ARRAY_SIZE(items) };
	unsigned long bad[TRIAL_MAX_BAD];
	struct probe_fetch f[] = { result(&formula), trial_value(PROBE_SRC_ENTRY, 0, 1) };
	unsigned int i, n = trial_bad_addresses(test, bad);

	t->entry[0] = 0x55;
	for (i = 0; i < n; i++) {
		items[1].fetch.value = bad[i];
		trial_run(test, f, ARRAY_SIZE(f));
		trial_expect_fault(test, &f[0], 0);
		trial_expect_number(test, &f[1], 0, 0x55);
	}
}

static struct kunit_case cases[] = {
	KUNIT_CASE(test_known),
	KUNIT_CASE(test_operators),
	KUNIT_CASE(test_sizes),
	KUNIT_CASE(test_saved),
	KUNIT_CASE(test_addresses),
	KUNIT_CASE(test_faults),
	{}
};

static struct kunit_suite suite = {
	.name = "probe_formula",
	.init = trial_init,
	.exit = trial_exit,
	.test_cases = cases,
};

kunit_test_suites(&suite);
