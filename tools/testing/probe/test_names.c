// SPDX-License-Identifier: GPL-2.0
/* Tests of names of numbers, and of those in the print fmt of events. */
#include <string.h>
#include <linux/array_size.h>
#include <linux/errno.h>
#include <linux/slab.h>

#include "check.h"
#include "names.h"

static struct probe_str str(const char *s)
{
	return (struct probe_str) { .s = s, .len = strlen(s) };
}

/* print fmt, and the names of field f: "NUMBER TEXT, ..." */
static const struct {
	const char *fmt;
	int ret;
	const char *names;
} tables[] = {
	{ "\"%s\", __print_symbolic(REC->f, { 1, \"ONE\" }, { 0x10, \"TWO\" })",
	  0, "1 ONE, 16 TWO" },
	{ "\"%s\", __print_flags(REC->f, \"|\", {1,\"A\"},{2,\"B\"})", 0, "1 A, 2 B" },
	{ "\"%s\", __print_flags_u64(REC->f, \"|\", {1,\"A\"})", 0, "1 A" },
	{ "\"%s\", __print_flags(REC->f, \"(,\", {1,\"A\"})", 0, "1 A" },
	{ "\"%s\", __print_flags(REC->f & ((1 | 2) - 1), \"\", {1,\"A\"})", 0, "1 A" },
	{ "\"%s\", (REC->f & (1)) ? __print_flags(REC->f & 3, \"|\", {1,\"A\"}) : \"R\"",
	  0, "1 A" },
	{ "\"%s %s\", __print_symbolic(REC->ff, {1,\"A\"}), __print_symbolic(REC->f, {2,\"B\"})",
	  0, "2 B" },
	{ "\"%s %s\", __print_hex(REC->f, 4), __print_symbolic(REC->f, {2,\"B\"})", 0, "2 B" },
	{ "\"%s\", __print_symbolic((int)REC->f, { 1UL << 3, \"a b\" })", 0, "8 a b" },
	{ "\"%s\", __print_symbolic(REC->f, {( unsigned long)((( gfp_t)(0x400u|8u)) | 1), \"G\"})",
	  0, "1033 G" },
	{ "\"%s\", __print_symbolic(REC->f, {-2,\"A\"},{~0,\"B\"},{-1 & 0xff,\"C\"})", 0,
	  "18446744073709551614 A, 18446744073709551615 B, 255 C" },
	{ "\"%s\", __print_symbolic(REC->f, {1 + 2 << 1 | 8 & 12, \"A\"})", 0, "14 A" },
	{ "\"%s\", __print_symbolic(REC->f, {6 - 2 - 1, \"A\"},{256 >> 4 >> 1, \"B\"})", 0,
	  "3 A, 8 B" },
	{ "\"%s\", __print_symbolic(REC->f, {1 << 64, \"A\"})", 0, "0 A" },
	{ "\"%s\", __print_symbolic(REC->f)", 0, "" },
	{ "\"%d\", REC->f", -ENOENT, "" },
	{ "", -ENOENT, "" },
	{ "\"%s\", __print_symbolic(REC->g, {1,\"A\"})", -ENOENT, "" },
	{ "\"%s\", __print_symbolic(REC->f, {SOME_ENUM,\"A\"})", -EINVAL, "" },
	{ "\"%s\", __print_symbolic(REC->f, {sizeof(int),\"A\"})", -EINVAL, "" },
	{ "\"%s\", __print_symbolic(REC->f, {1,\"A\\n\"})", -EINVAL, "" },
	{ "\"%s\", __print_symbolic(REC->f, {1,\"A\" \"B\"})", -EINVAL, "" },
	{ "\"%s\", __print_symbolic(REC->f, {1,\"A\"}", -EINVAL, "" },
	{ "\"%s\", __print_symbolic(REC->f, {1", -EINVAL, "" },
	{ "\"%s\", __print_symbolic(REC->f, {(1,\"A\"})", -EINVAL, "" },
	{ "\"%s\", __print_symbolic(REC->f, {(((((((((((((((((1))))))))))))))))),\"A\"})", -EINVAL,
	  "" },
	{ "\"%s\", __print_symbolic(REC->f", -EINVAL, "" },
};

static void write_names(char *text, size_t size, const struct probe_names *names)
{
	size_t len = 0;
	unsigned int i;

	*text = '\0';
	for (i = 0; i < names->nr; i++)
		len += snprintf(text + len, size - len, "%s%llu %s", i ? ", " : "",
				(unsigned long long)names->list[i].value, names->list[i].text);
}

static void test_tables(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(tables); i++) {
		struct probe_arena *arena = probe_arena_new(100);
		struct probe_names names = {};
		char text[200];
		int ret;

		ret = probe_names_from_fmt(&names, arena, tables[i].fmt, str("f"));
		write_names(text, sizeof(text), &names);
		check(ret == tables[i].ret, "returned %d", ret);
		check(ret || !strcmp(text, tables[i].names), "names: %s", text);
		probe_arena_free(arena);
		test_end("names in %s", tables[i].fmt);
	}
}

static void test_limits(void)
{
	struct probe_arena *arena = probe_arena_new(100);
	struct probe_names names = {};
	unsigned int i, wrong = 0;
	char text[100];

	memset(text, 'x', sizeof(text));
	check(probe_names_add(&names, arena, 0, text, PROBE_MAX_NAME_TEXT + 1) == -E2BIG,
	      "a longer text");
	for (i = 0; i < PROBE_MAX_NAMES; i++)
		check(!probe_names_add(&names, arena, i, text, 1 + i % PROBE_MAX_NAME_TEXT),
		      "name %u refused", i);
	check(probe_names_add(&names, arena, i, "x", 1) == -E2BIG, "one more name");
	for (i = 0; i < names.nr; i++)
		wrong += names.list[i].value != i ||
			 strlen(names.list[i].text) != 1 + i % PROBE_MAX_NAME_TEXT;
	check(!wrong, "%u wrong names", wrong);
	probe_arena_free(arena);
}

static void test_copy(void)
{
	struct probe_arena *arena = probe_arena_new(100);
	struct probe_names a = {}, b = {}, c = {};

	probe_names_add(&a, arena, 1, "one", 3);
	probe_names_add(&a, arena, 2, "two", 3);
	check(!probe_names_copy(&b, arena, &a) && probe_names_same(&a, &b), "copy differs");
	check(!probe_names_same(&a, &c), "no names are the same");
	probe_names_add(&c, arena, 1, "one", 3);
	check(!probe_names_same(&a, &c), "fewer names are the same");
	probe_names_add(&c, arena, 2, "too", 3);
	check(!probe_names_same(&a, &c), "other texts are the same");
	b.list[1].value = 3;
	check(!probe_names_same(&a, &b), "other numbers are the same");
	probe_arena_free(arena);
}

static void test_no_memory(void)
{
	int skip, ret = -ENOMEM;

	for (skip = 0; ret == -ENOMEM; skip++) {
		struct probe_arena *arena = probe_arena_new(0);
		struct probe_names names = {};

		host_alloc_fail_at(skip);
		ret = probe_names_from_fmt(&names, arena, tables[0].fmt, str("f"));
		host_alloc_fail_at(-1);
		probe_arena_free(arena);
		check(!host_alloc_live(), "memory leaked");
	}
	check(!ret && skip > 1, "returned %d after %d failures", ret, skip);
}

static const struct test tests[] = {
	{ "limits", test_limits },
	{ "copy", test_copy },
	{ "failing allocations", test_no_memory },
};

int main(void)
{
	ksft_print_header();
	ksft_set_plan(ARRAY_SIZE(tables) + ARRAY_SIZE(tests));
	test_tables();
	test_all(tests, ARRAY_SIZE(tests));
	ksft_finished();
}
