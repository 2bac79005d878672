// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the texts of resolved arguments.
 */
#include <string.h>
#include <linux/array_size.h>

#include "check.h"
#include "dump.h"
#include "expr.h"
#include "fetch.h"
#include "formula.h"

static struct probe_step steps[] = {
	{ .off = 8 }, { .this_cpu = true }, { .off = -16, .user = true },
};

static struct probe_symbol symbol_x = { .name = "x" };

static struct probe_item items[] = {
	{ .kind = PROBE_ITEM_VALUE, .arg = PROBE_ITEM_OWN, .is_signed = true,
	  .fetch = { .src = PROBE_SRC_ARG, .value = 1, .size = 4 } },
	{ .kind = PROBE_ITEM_VALUE, .arg = PROBE_ITEM_OWN, .symbol = &symbol_x,
	  .fetch = { .src = PROBE_SRC_IMM, .store = PROBE_STORE_MEM, .size = 8 } },
	{ .kind = PROBE_ITEM_POP, .op = PROBE_MATH_DIV, .is_signed = true, .swapped = true },
	{ .kind = PROBE_ITEM_NUMBER, .number = -5ULL },
	{ .kind = PROBE_ITEM_POP, .op = PROBE_MATH_NE },
};

static struct probe_item address_items[] = {
	{ .kind = PROBE_ITEM_VALUE, .arg = PROBE_ITEM_OWN,
	  .fetch = { .src = PROBE_SRC_ARG, .value = 1, .size = 4 } },
	{ .kind = PROBE_ITEM_NEXT, .op = PROBE_MATH_SHL, .number = 3 },
	{ .kind = PROBE_ITEM_VALUE, .arg = PROBE_ITEM_OWN,
	  .fetch = { .src = PROBE_SRC_FORMULA, .store = PROBE_STORE_MEM, .off = 8, .size = 2 } },
};

static const struct probe_formula address = { address_items, ARRAY_SIZE(address_items) };

static const struct probe_formula formula = { .items = items, .nr = ARRAY_SIZE(items) };

static const struct {
	struct probe_fetch	f;
	const char		*symbol, *text;
} cases[] = {
	{ { .src = PROBE_SRC_REG, .value = 112, .size = 8 }, NULL, "reg(112) -> value(8)" },
	{ { .src = PROBE_SRC_CURRENT, .size = 4 }, NULL, "current -> value(4)" },
	{ { .src = PROBE_SRC_LATENCY, .value = 8, .size = 8 }, NULL, "latency(8) -> value(8)" },
	{ { .src = PROBE_SRC_IMM, .value = 0x10, .size = 1 }, NULL, "imm(0x10) -> value(1)" },
	{ { .src = PROBE_SRC_IMM, .value = 0x10, .store = PROBE_STORE_MEM, .size = 4, .count = 3 },
	  "jiffies", "symbol(jiffies) -> memory(+0, 4)[3]" },
	{ { .src = PROBE_SRC_ARG, .value = 1, .steps = steps, .nr_steps = 3, .off = 24,
	    .store = PROBE_STORE_STRING, .str_user = true, .size = 4 }, NULL,
	  "arg(1) -> load(+8) -> this_cpu -> uload(-16) -> ustring(+24)" },
	{ { .src = PROBE_SRC_FIELD, .value = 20, .store = PROBE_STORE_SYMSTR }, NULL,
	  "field(20) -> symstr" },
	{ { .src = PROBE_SRC_STACK, .value = 2, .store = PROBE_STORE_MEM, .user = true,
	    .size = 2, .bits = { .width = 3, .shift = 5, .load = 2 } }, NULL,
	  "stack(2) -> umemory(+0, 2) bits(3@5)" },
	{ { .src = PROBE_SRC_REG, .value = 8, .store = PROBE_STORE_PATH, .off = 152 }, NULL,
	  "reg(8) -> path(+152)" },
	{ { .src = PROBE_SRC_ARG, .value = 0, .store = PROBE_STORE_DENTRY }, NULL,
	  "arg(0) -> dentry(+0)" },
	{ { .src = PROBE_SRC_NONE, .store = PROBE_STORE_STACK, .value = 16 }, NULL, "kstack(16)" },
	{ { .src = PROBE_SRC_NONE, .store = PROBE_STORE_STACK, .value = 3, .user = true }, NULL,
	  "ustack(3)" },
	{ { .src = PROBE_SRC_NONE, .store = PROBE_STORE_COMM }, NULL, "comm" },
	{ { .src = PROBE_SRC_NONE, .store = PROBE_STORE_DATA, .data_len = 5 }, NULL, "text(5)" },
	{ { .src = PROBE_SRC_FORMULA, .formula = &formula, .size = 1 }, NULL,
	  "formula(arg(1) -> value(4), symbol(x) -> memory(+0, 8), s/~, -5, !=) -> value(1)" },
	{ { .src = PROBE_SRC_FORMULA, .formula = &address, .size = 1 }, NULL,
	  "formula(arg(1) -> value(4), 3 <<, memory(+8, 2)) -> value(1)" },
};

static void test_texts(void)
{
	char buf[PROBE_DUMP_LEN];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		probe_dump_fetch(&cases[i].f, cases[i].symbol, buf, sizeof(buf));
		check(!strcmp(buf, cases[i].text), "%s, not %s", buf, cases[i].text);
		test_end("text: %s", cases[i].text);
	}
}

/* The longest text fits, and a buffer that is too small is not overrun. */
static void test_room(void)
{
	struct probe_step far[PROBE_MAX_DEREF];
	struct probe_fetch f = { .src = PROBE_SRC_FIELD_DATA, .value = -1UL, .steps = far,
				 .nr_steps = PROBE_MAX_DEREF, .store = PROBE_STORE_MEM,
				 .off = 1UL << 63, .user = true, .size = 8, .count = 64,
				 .bits = { .width = 64, .shift = 7, .load = 9 } };
	char buf[PROBE_DUMP_LEN], small[40];
	unsigned int i;

	for (i = 0; i < PROBE_MAX_DEREF; i++)
		far[i] = (struct probe_step) { .off = 1UL << 63, .user = true };
	probe_dump_fetch(&f, NULL, buf, sizeof(buf));
	check(buf[strlen(buf) - 1] == ')', "the longest text is cut: %s", buf);
	memset(small, 'x', sizeof(small));
	probe_dump_fetch(&f, NULL, small, 20);
	check(strlen(small) == 19 && small[20] == 'x', "wrong cut: %s", small);
	check(!strncmp(small, buf, 19), "wrong beginning: %s", small);
}

static const struct test tests[] = {
	{ "room for texts", test_room },
};

int main(void)
{
	ksft_print_header();
	ksft_set_plan(ARRAY_SIZE(cases) + ARRAY_SIZE(tests));
	test_texts();
	test_all(tests, ARRAY_SIZE(tests));
	ksft_finished();
}
