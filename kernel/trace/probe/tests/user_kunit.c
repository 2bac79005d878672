// SPDX-License-Identifier: GPL-2.0
/*
 * Probes in user space: every source and store on memory of a program, on pages that are not
 * present yet, and faults.
 */
#include <linux/mm.h>
#include <linux/mman.h>
#include <linux/ptrace.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "trial.h"

#define PAGES	4

/* Memory of a program, of which only the last page cannot be read. */
static unsigned long map(struct kunit *test)
{
	unsigned long addr = kunit_vm_mmap(test, NULL, 0, PAGES * PAGE_SIZE,
					   PROT_READ | PROT_WRITE, MAP_ANONYMOUS | MAP_PRIVATE, 0);

	KUNIT_ASSERT_NE(test, addr, 0);
	KUNIT_ASSERT_FALSE(test, IS_ERR_VALUE(addr));
	KUNIT_ASSERT_EQ(test, vm_munmap(addr + (PAGES - 1) * PAGE_SIZE, PAGE_SIZE), 0);
	return addr;
}

static void write_long(struct kunit *test, unsigned long addr, unsigned long v)
{
	KUNIT_ASSERT_EQ(test, put_user(v, (unsigned long __user *)addr), 0);
}

static void write_text(struct kunit *test, unsigned long addr, const char *s)
{
	KUNIT_ASSERT_EQ(test, copy_to_user((char __user *)addr, s, strlen(s) + 1), 0);
}

static struct trial *start(struct kunit *test)
{
	struct trial *t = test->priv;

	t->in_user = true;
	return t;
}

/* Reads of pages that nobody has touched give zeros, not faults. */
static void test_not_present(struct kunit *test)
{
	unsigned long addr = map(test);
	struct probe_step step = { .off = PAGE_SIZE, .user = true };
	struct probe_fetch f[] = {
		trial_memory((void *)addr, sizeof(long)),
		trial_string((void *)(addr + PAGE_SIZE)),
		trial_memory((void *)(addr + 2 * PAGE_SIZE - 8), 4),
		trial_memory((void *)addr, 8),
	};
	unsigned int i;

	start(test);
	f[2].count = 4;
	/* A null pointer in the second page. */
	f[3].steps = &step;
	f[3].nr_steps = 1;
	trial_run(test, f, ARRAY_SIZE(f));
	trial_expect_number(test, &f[0], 0, 0);
	trial_expect_text(test, &f[1], 0, "");
	for (i = 0; i < 4; i++)
		trial_expect_number(test, &f[2], i, 0);
	trial_expect_fault(test, &f[3], 0);
}

static void test_user_sources(struct kunit *test)
{
	struct trial *t = start(test);
	unsigned long addr = map(test);
	struct probe_fetch f[] = {
		trial_value(PROBE_SRC_SP, 0, sizeof(long)),
		trial_value(PROBE_SRC_STACK, 0, sizeof(long)),
		trial_value(PROBE_SRC_STACK, 3, sizeof(long)),
		trial_value(PROBE_SRC_STACK, PAGES * PAGE_SIZE, sizeof(long)),
		trial_value(PROBE_SRC_RETVAL, 0, sizeof(long)),
		trial_value(PROBE_SRC_PLACE, 0x100, sizeof(long)),
		trial_value(PROBE_SRC_PLACE, -8UL, sizeof(long)),
		trial_value(PROBE_SRC_IMM, addr, sizeof(long)),
	};
	unsigned int i;

	for (i = 0; i < sizeof(t->regs) / sizeof(long); i++)
		((unsigned long *)&t->regs)[i] = addr;
	if (user_stack_pointer(&t->regs) != addr)
		kunit_skip(test, "the stack pointer is not a word in pt_regs");
	write_long(test, addr, 0x1234);
	write_long(test, addr + 3 * sizeof(long), 0x5678);
	t->place = addr + 16;
	trial_run(test, f, ARRAY_SIZE(f));
	trial_expect_number(test, &f[0], 0, addr);
	trial_expect_number(test, &f[1], 0, 0x1234);
	trial_expect_number(test, &f[2], 0, 0x5678);
	trial_expect_fault(test, &f[3], 0);
	trial_expect_number(test, &f[4], 0, regs_return_value(&t->regs));
	trial_expect_number(test, &f[5], 0, addr + 0x110);
	trial_expect_number(test, &f[6], 0, addr + 8);
	trial_expect_number(test, &f[7], 0, addr);
}

static void test_user_memory(struct kunit *test)
{
	struct trial *t = start(test);
	unsigned long addr = map(test), end = addr + (PAGES - 1) * PAGE_SIZE;
	struct probe_step step = { .user = true };
	struct probe_fetch f[] = {
		trial_memory((void *)addr, 8),
		trial_memory((void *)(addr + 1), 1),
		trial_memory((void *)addr, 4),			/* 2: through a pointer */
		trial_memory((void *)(end - 8), 4),		/* 3: three elements */
		trial_memory((void *)(addr + 1), 4),		/* 4: bitfield in 5 bytes */
		trial_memory(t->mem, 8),			/* 5: kernel address */
		trial_memory((void *)addr, 1),			/* 6: bitfields in an array */
	};

	put_unaligned(0x1122334455667788, (u64 *)t->mem);
	KUNIT_ASSERT_EQ(test, copy_to_user((char __user *)addr, t->mem, 8), 0);
	write_long(test, addr + 8, addr);
	write_long(test, end - 8, 0);
	f[2].value = addr + 8;
	f[2].steps = &step;
	f[2].nr_steps = 1;
	f[3].count = 3;
	f[4].bits = (struct probe_bits){ .width = 32, .shift = 4, .load = 5 };
	f[6].count = 2;
	f[6].bits = (struct probe_bits){ .width = 4, .load = 1 };
	trial_run(test, f, ARRAY_SIZE(f));
	trial_expect_number(test, &f[0], 0, 0x1122334455667788);
	trial_expect_number(test, &f[1], 0, t->mem[1]);
	trial_expect_number(test, &f[2], 0, trial_read(t->mem, 4));
	trial_expect_number(test, &f[3], 0, 0);
	trial_expect_number(test, &f[3], 1, 0);
	trial_expect_fault(test, &f[3], 2);
	if (!IS_ENABLED(CONFIG_CPU_BIG_ENDIAN))
		trial_expect_number(test, &f[4], 0, 0x3344556677ULL >> 4 & 0xffffffff);
	trial_expect_fault(test, &f[5], 0);
	trial_expect_number(test, &f[6], 0, t->mem[0] & 15);
	trial_expect_number(test, &f[6], 1, t->mem[1] & 15);
}

static void test_user_strings(struct kunit *test)
{
	struct trial *t = start(test);
	unsigned long addr = map(test), end = addr + (PAGES - 1) * PAGE_SIZE;
	struct probe_fetch f[] = {
		trial_string((void *)addr),
		trial_string((void *)(addr + 64)),		/* 1: pointers */
		trial_string((void *)(end - 4)),
		trial_string((void *)(end - 3)),		/* 3: not terminated */
		trial_string(t->mem),				/* 4: kernel address */
		trial_string((void *)end),
	};

	strscpy((char *)t->mem, "kernel", 8);
	write_text(test, addr, "user");
	write_text(test, end - 8, "7 bytes");
	KUNIT_ASSERT_EQ(test, copy_to_user((char __user *)end - 3, "xyz", 3), 0);
	KUNIT_ASSERT_EQ(test, copy_to_user((char __user *)end - 4, "", 1), 0);
	write_long(test, addr + 64, addr);
	write_long(test, addr + 64 + sizeof(long), end);
	f[1].count = 2;
	trial_run(test, f, ARRAY_SIZE(f));
	trial_expect_text(test, &f[0], 0, "user");
	trial_expect_text(test, &f[1], 0, "user");
	trial_expect_no_text(test, &f[1], 1);
	trial_expect_text(test, &f[2], 0, "");
	trial_expect_no_text(test, &f[3], 0);
	trial_expect_no_text(test, &f[4], 0);
	trial_expect_no_text(test, &f[5], 0);
}

/* A string of every length around the room. */
static void test_user_room(struct kunit *test)
{
	struct trial *t = start(test);
	unsigned long addr = map(test);
	struct probe_fetch f[] = { trial_string((void *)addr) };
	char text[32];
	unsigned int len;

	t->room = 16;
	for (len = 0; len < 24; len++) {
		memset(text, 'x', len);
		text[len] = '\0';
		write_text(test, addr, text);
		trial_run(test, f, 1);
		if (len + 1 <= t->room - PROBE_CUT_LEN)
			trial_expect_text(test, &f[0], 0, text);
		else
			trial_expect_cut(test, &f[0], text, t->room - PROBE_CUT_LEN);
	}
}

static struct kunit_case user_cases[] = {
	KUNIT_CASE(test_not_present),
	KUNIT_CASE(test_user_sources),
	KUNIT_CASE(test_user_memory),
	KUNIT_CASE(test_user_strings),
	KUNIT_CASE(test_user_room),
	{ }
};

static struct kunit_suite user_suite = {
	.name = "probe_user",
	.init = trial_init,
	.exit = trial_exit,
	.test_cases = user_cases,
};
kunit_test_suite(user_suite);
