// SPDX-License-Identifier: GPL-2.0
/*
 * Edge cases of strings: empty, at the end of a page, without a NUL, longer than
 * the room; and strings and numbers in user space.
 */
#include <linux/kallsyms.h>
#include <linux/mman.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <linux/unaligned.h>

#include "trial.h"

/*
 * Strings at every alignment and of every length up to many words, some with bytes above 0x80: in
 * the middle of a page, across pages, and with the NUL in the last byte before an unmapped page.
 */
static void test_text(struct kunit *test)
{
	struct trial *t = test->priv;
	u8 *const where[] = { t->mem + 64, t->mem + PAGE_SIZE - 8, t->mem + 2 * PAGE_SIZE };
	unsigned int i, start, len;
	struct probe_fetch f;
	char want[100];

	for (i = 0; i < ARRAY_SIZE(where); i++) {
		for (start = 0; start < 8; start++) {
			for (len = 0; len < sizeof(want); len++) {
				u8 *s = where[i] + start;

				if (i == 2)
					s = where[i] - len - 1;
				memset(s - 8, 0x80 + len, len + 8);
				memset(want, 'a' + len, len);
				want[len] = '\0';
				memcpy(s, want, len + 1);
				f = trial_string(s);
				trial_run(test, &f, 1);
				trial_expect_text(test, &f, 0, want);
			}
			if (i == 2)
				break;
		}
	}
}

/*
 * Strings at every offset in objects of every size, with the NUL in the last byte.  With
 * memory tags, the memory after the object cannot be read.
 */
static void test_text_in_object(struct kunit *test)
{
	unsigned int size, start;
	struct probe_fetch f;
	char *object;

	for (size = 1; size <= 48; size++) {
		object = kunit_kmalloc(test, size, GFP_KERNEL);
		KUNIT_ASSERT_NOT_NULL(test, object);
		memset(object, 'a', size - 1);
		object[size - 1] = '\0';
		for (start = 0; start < size; start++) {
			f = trial_string(object + start);
			trial_run(test, &f, 1);
			trial_expect_text(test, &f, 0, object + start);
		}
	}
}

static void test_text_unterminated(struct kunit *test)
{
	struct trial *t = test->priv;
	u8 *end = t->mem + 2 * PAGE_SIZE;
	const unsigned int nr = 41;
	struct probe_fetch *f = t->f;
	unsigned int i;

	memset(t->mem, 'x', 2 * PAGE_SIZE);
	for (i = 0; i < nr - 1; i++)
		f[i] = trial_string(end - i);
	f[i] = (struct probe_fetch){ .src = PROBE_SRC_NONE, .store = PROBE_STORE_DATA,
				     .size = 4, .data = "behind", .data_len = 7 };
	trial_run(test, f, nr);
	for (i = 0; i < nr - 1; i++)
		trial_expect_no_text(test, &f[i], 0);
	trial_expect_text(test, &f[i], 0, "behind");
	/* The record has no bytes that were copied before the fault. */
	KUNIT_EXPECT_EQ(test, t->dyn, t->l.size + nr - 1 + 7);
}

/*
 * A text that does not fit is truncated and marked as such. Only a real fault is
 * recorded as a fault, however little room there is.
 */
static void test_text_room(struct kunit *test)
{
	struct trial *t = test->priv;
	const void *unmapped = t->mem + 2 * PAGE_SIZE;
	struct probe_fetch f[] = {
		trial_string(t->mem), trial_string(t->mem), trial_string(unmapped),
		trial_string(t->mem), trial_string(unmapped),
	};
	u32 left;

	memset(t->mem, 'x', 2 * PAGE_SIZE);
	for (t->room = PROBE_CUT_LEN; t->room < 40; t->room++) {
		trial_run(test, f, ARRAY_SIZE(f));
		KUNIT_EXPECT_LE(test, t->dyn, t->l.size + t->room);
		left = t->room - PROBE_CUT_LEN;
		trial_expect_cut(test, &f[0], t->mem, max(left, PROBE_CUT_LEN));
		trial_expect_cut(test, &f[1], t->mem, PROBE_CUT_LEN);
		trial_expect_no_text(test, &f[2], 0);
		trial_expect_cut(test, &f[3], t->mem, PROBE_CUT_LEN);
		trial_expect_no_text(test, &f[4], 0);
	}
}

/* A text that just fits is not truncated. Faults need room, too. */
static void test_text_fits(struct kunit *test)
{
	struct trial *t = test->priv;
	const void *unmapped = t->mem + 2 * PAGE_SIZE;
	struct probe_fetch f[] = {
		trial_string(unmapped), trial_string(t->mem), trial_string(t->mem + 64),
	};
	unsigned int len;

	strscpy(t->mem + 64, "y", 2);
	for (len = 0; len < 20; len++) {
		memset(t->mem, 'x', len);
		t->mem[len] = '\0';

		t->room = 1 + len + 1 + 2 + PROBE_CUT_LEN;
		trial_run(test, f, ARRAY_SIZE(f));
		trial_expect_no_text(test, &f[0], 0);
		trial_expect_text(test, &f[1], 0, t->mem);
		trial_expect_text(test, &f[2], 0, "y");

		t->room--;
		trial_run(test, f, ARRAY_SIZE(f));
		trial_expect_no_text(test, &f[0], 0);
		trial_expect_text(test, &f[1], 0, t->mem);
		trial_expect_cut(test, &f[2], "y", PROBE_CUT_LEN);

		t->room -= 2;
		trial_run(test, f, ARRAY_SIZE(f));
		trial_expect_no_text(test, &f[0], 0);
		trial_expect_cut(test, &f[1], t->mem, max(len, PROBE_CUT_LEN));
		trial_expect_cut(test, &f[2], "y", PROBE_CUT_LEN);
	}
}

/* Strings longer than PATH_MAX, which is the limit, are truncated. */
static void test_text_limit(struct kunit *test)
{
	struct trial *t = test->priv;
	struct probe_fetch f[] = { trial_string(t->mem), trial_string(t->mem) };

	memset(t->mem, 'x', 2 * PAGE_SIZE);
	t->room = 4096 + 100;
	trial_run(test, f, 2);
	trial_expect_cut(test, &f[0], t->mem, 4096);
	trial_expect_cut(test, &f[1], t->mem, 100 - PROBE_CUT_LEN);

	t->mem[4095] = '\0';
	trial_run(test, f, 2);
	trial_expect_text(test, &f[0], 0, t->mem);
	trial_expect_cut(test, &f[1], t->mem, 100 - PROBE_CUT_LEN);
}

static void test_text_array(struct kunit *test)
{
	struct trial *t = test->priv;
	unsigned long unmapped = (unsigned long)t->mem + 2 * PAGE_SIZE;
	unsigned long *ptr = (unsigned long *)unmapped - 3;
	struct probe_fetch f[] = { trial_string(ptr) };

	strscpy(t->mem, "one", 4);
	ptr[0] = (unsigned long)t->mem;
	ptr[1] = unmapped;
	ptr[2] = (unsigned long)t->mem + 1;
	f[0].count = 5;		/* the last two pointers cannot be read */
	trial_run(test, f, 1);
	trial_expect_text(test, &f[0], 0, "one");
	trial_expect_no_text(test, &f[0], 1);
	trial_expect_text(test, &f[0], 2, "ne");
	trial_expect_no_text(test, &f[0], 3);
	trial_expect_no_text(test, &f[0], 4);
}

static void test_text_sources(struct kunit *test)
{
	static const char data[] = "some text";
	struct trial *t = test->priv;
	struct probe_fetch f[] = {
		{ .src = PROBE_SRC_NONE, .store = PROBE_STORE_COMM, .size = 4 },
		{ .src = PROBE_SRC_NONE, .store = PROBE_STORE_DATA, .size = 4,
		  .data = data, .data_len = sizeof(data) },
		{ .src = PROBE_SRC_IMM, .value = (unsigned long)schedule,
		  .store = PROBE_STORE_SYMSTR, .size = 4 },
		{ .src = PROBE_SRC_IMM, .value = 0x1234,
		  .store = PROBE_STORE_SYMSTR, .size = 4 },
	};
	char *symbol = kunit_kzalloc(test, KSYM_SYMBOL_LEN, GFP_KERNEL);
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, symbol);
	/* A constant inside a function would look like a jump target to objtool. */
	OPTIMIZER_HIDE_VAR(f[2].value);
	f[2].value += 5;
	trial_run(test, f, ARRAY_SIZE(f));
	trial_expect_text(test, &f[0], 0, current->comm);
	trial_expect_text(test, &f[1], 0, data);
	sprint_symbol(symbol, f[2].value);
	trial_expect_text(test, &f[2], 0, symbol);
	sprint_symbol(symbol, f[3].value);
	trial_expect_text(test, &f[3], 0, symbol);

	/* Not enough room: texts are truncated. */
	sprint_symbol(symbol, f[2].value);
	for (t->room = PROBE_CUT_LEN; t->room < 10; t->room++) {
		const char *const whole[] = { current->comm, data, symbol };
		const unsigned int left = t->room - PROBE_CUT_LEN;

		for (i = 0; i < ARRAY_SIZE(whole); i++) {
			/* With no other string, the name of the task would have its own room. */
			struct probe_fetch two[] = { f[i], trial_string("") };

			trial_run(test, two, ARRAY_SIZE(two));
			if (strlen(whole[i]) < left)
				trial_expect_text(test, &two[0], 0, whole[i]);
			else
				trial_expect_cut(test, &two[0], whole[i],
						 max(left, PROBE_CUT_LEN));
		}
	}
	/* No room for any text. */
	t->room = 2 + PROBE_CUT_LEN;
	f[3] = trial_string("no");
	swap(f[0], f[3]);
	trial_run(test, f, ARRAY_SIZE(f));
	for (i = 0; i < ARRAY_SIZE(f); i++)
		trial_expect_cut(test, &f[i], "", PROBE_CUT_LEN);
}

/* If names of tasks are the only strings, the record has a fixed size. */
static void test_comm_room(struct kunit *test)
{
	struct trial *t = test->priv;
	struct probe_fetch f[] = {
		{ .src = PROBE_SRC_NONE, .store = PROBE_STORE_COMM, .size = 4 },
		{ .src = PROBE_SRC_IMM, .value = 7, .size = 1 },
		{ .src = PROBE_SRC_NONE, .store = PROBE_STORE_COMM, .size = 4 },
	};
	char name[TASK_COMM_LEN];
	unsigned int len, i;

	memcpy(name, current->comm, sizeof(name));
	t->room = 0;
	for (len = 0; len < TASK_COMM_LEN; len++) {
		/* Old letters after the NUL must not get into the record. */
		memset(current->comm, 'x', TASK_COMM_LEN - 1);
		current->comm[len] = '\0';
		trial_run(test, f, ARRAY_SIZE(f));
		KUNIT_EXPECT_FALSE(test, t->l.dynamic);
		KUNIT_EXPECT_EQ(test, t->l.size, t->l.texts + 2 * TASK_COMM_LEN);
		for (i = 0; i < ARRAY_SIZE(f); i += 2) {
			trial_expect_text(test, &f[i], 0, current->comm);
			KUNIT_EXPECT_PTR_EQ(test, memchr_inv(t->rec + f[i].text + len, 0,
							     TASK_COMM_LEN - len), NULL);
		}
	}
	memcpy(current->comm, name, sizeof(name));
}

/* User space */

static void test_user(struct kunit *test)
{
	unsigned long addr = kunit_vm_mmap(test, NULL, 0, 3 * PAGE_SIZE,
					   PROT_READ | PROT_WRITE,
					   MAP_ANONYMOUS | MAP_PRIVATE, 0);
	struct trial *t = test->priv;
	char __user *mem = (char __user *)addr;
	unsigned long end = addr + PAGE_SIZE;
	const bool guess = IS_ENABLED(CONFIG_ARCH_HAS_NON_OVERLAPPING_ADDRESS_SPACE);
	struct probe_step user = { .user = true };
	struct probe_fetch f[] = {
		trial_memory((void *)addr, sizeof(long)),	/* 0: as user address */
		trial_memory((void *)addr, sizeof(long)),	/* 1: as kernel address */
		trial_memory((void *)(end - 8), 4),		/* 2: array, half valid */
		trial_value(PROBE_SRC_IMM, addr, sizeof(long)), /* 3: read by a step */
		trial_memory((void *)end, 1),			/* 4: no page yet */
		trial_string((void *)(addr + 8)),		/* 5: as user address */
		trial_string((void *)(addr + 8)),		/* 6: as kernel address */
		trial_string((void *)(end - 8)),		/* 7: ends with the page */
		trial_string((void *)(end - 9)),		/* 8: empty */
		trial_string((void *)end),			/* 9: no page yet */
		trial_string((void *)(addr + 16)),		/* 10: array */
	};

	KUNIT_ASSERT_NE(test, addr, 0);
	KUNIT_ASSERT_FALSE(test, IS_ERR_VALUE(addr));
	KUNIT_ASSERT_EQ(test, put_user(0x12345678UL, (unsigned long __user *)mem), 0);
	KUNIT_ASSERT_EQ(test, copy_to_user(mem + 8, "user", 5), 0);
	KUNIT_ASSERT_EQ(test, copy_to_user((char __user *)end - 8, "at end!", 8), 0);
	KUNIT_ASSERT_EQ(test, put_user(addr + 8, (unsigned long __user *)(mem + 16)), 0);
	KUNIT_ASSERT_EQ(test, put_user(end, (unsigned long __user *)(mem + 24)), 0);

	f[0].user = true;
	f[2].user = true;
	f[2].count = 4;
	f[3].steps = &user;
	f[3].nr_steps = 1;
	f[4].user = true;
	f[5].str_user = true;
	f[7].str_user = true;
	f[8].str_user = true;
	f[9].str_user = true;
	f[10].user = true;
	f[10].str_user = true;
	f[10].count = 2;
	trial_run(test, f, ARRAY_SIZE(f));

	trial_expect_number(test, &f[0], 0, 0x12345678);
	trial_expect_number(test, &f[2], 1, get_unaligned((u32 *)"nd!"));
	trial_expect_fault(test, &f[2], 2);
	trial_expect_fault(test, &f[2], 3);
	trial_expect_number(test, &f[3], 0, 0x12345678);
	trial_expect_fault(test, &f[4], 0);
	trial_expect_text(test, &f[5], 0, "user");
	trial_expect_text(test, &f[7], 0, "at end!");
	trial_expect_text(test, &f[8], 0, "");
	trial_expect_no_text(test, &f[9], 0);
	trial_expect_text(test, &f[10], 0, "user");
	trial_expect_no_text(test, &f[10], 1);
	if (guess) {
		trial_expect_number(test, &f[1], 0, 0x12345678);
		trial_expect_text(test, &f[6], 0, "user");
	}

	/* Just enough room for the second string, and none for the others. */
	t->room = 1 + 8 + PROBE_CUT_LEN;
	f[8] = f[5];
	f[5] = f[9];
	f[6] = f[7];
	f[7] = f[8];
	trial_run(test, &f[5], 4);
	trial_expect_no_text(test, &f[5], 0);
	trial_expect_text(test, &f[6], 0, "at end!");
	trial_expect_cut(test, &f[7], "", PROBE_CUT_LEN);
	trial_expect_cut(test, &f[8], "", PROBE_CUT_LEN);
	t->room--;
	trial_run(test, &f[6], 1);
	trial_expect_text(test, &f[6], 0, "at end!");
	t->room--;
	trial_run(test, &f[6], 1);
	trial_expect_cut(test, &f[6], "at end!", 7);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(test_text),
	KUNIT_CASE(test_text_in_object),
	KUNIT_CASE(test_text_unterminated),
	KUNIT_CASE(test_text_room),
	KUNIT_CASE(test_text_fits),
	KUNIT_CASE(test_text_limit),
	KUNIT_CASE(test_text_array),
	KUNIT_CASE(test_text_sources),
	KUNIT_CASE(test_comm_room),
	KUNIT_CASE(test_user),
	{}
};

static struct kunit_suite suite = {
	.name = "probe_strings",
	.init = trial_init,
	.exit = trial_exit,
	.test_cases = cases,
};

kunit_test_suites(&suite);
