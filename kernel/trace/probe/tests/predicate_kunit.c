// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of predicates: their results for known registers, memory and strings, with the JIT, with
 * the interpreter and without loads that may fault.
 */
#include <linux/array_size.h>
#include <linux/filter.h>
#include <linux/kernel.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/unaligned.h>

#include "trial.h"

#define EQ	PROBE_OP_EQ
#define NE	PROBE_OP_NE
#define LT	PROBE_OP_LT
#define GT	PROBE_OP_GT

/* One comparison of an argument, or of a fetch of its own. */
static struct probe_term number_term(s16 arg, enum probe_op op, u64 number)
{
	return (struct probe_term) {
		.op = op,
		.arg = arg,
		.number = number,
		.yes = PROBE_TERM_ACCEPT,
		.no = PROBE_TERM_REJECT,
	};
}

static struct probe_term text_term(s16 arg, enum probe_op op, const char *text)
{
	return (struct probe_term) {
		.op = op,
		.arg = arg,
		.is_text = true,
		.pattern = { .text = text, .len = strlen(text), .is_glob = op == PROBE_OP_GLOB },
		.yes = PROBE_TERM_ACCEPT,
		.no = PROBE_TERM_REJECT,
	};
}

/* Expect a verdict of all variants of the program.  The last record remains in the trial. */
static void expect(struct kunit *test, struct probe_fetch *f, unsigned int nr,
		   struct probe_term *terms, unsigned int nr_terms, enum probe_verdict want)
{
	static const unsigned int how[] = {
		0, TRIAL_PLAIN, TRIAL_NATIVE | TRIAL_PLAIN, TRIAL_NATIVE,
	};
	struct probe_predicate predicate = { .terms = terms, .nr = nr_terms };
	struct trial *t = test->priv;
	struct bpf_prog *prog;
	unsigned int i;

	t->predicate = &predicate;
	for (i = 0; i < ARRAY_SIZE(how); i++) {
		if (IS_ENABLED(CONFIG_BPF_JIT_ALWAYS_ON) && !(how[i] & TRIAL_NATIVE))
			continue;
		prog = trial_load(test, f, nr, how[i]);
		trial_run_once(t, prog, t->rec, 0xa5);
		KUNIT_EXPECT_EQ_MSG(test, t->verdict, want, "variant %u", how[i]);
		probe_prog_free(prog);
	}
	t->predicate = NULL;
}

static void expect_one(struct kunit *test, struct probe_fetch *f, unsigned int nr,
		       struct probe_term term, enum probe_verdict want)
{
	expect(test, f, nr, &term, 1, want);
}

/* Saved values stand for registers on all machines. */
static void test_numbers(struct kunit *test)
{
	struct trial *t = test->priv;
	struct probe_fetch f[2] = {
		trial_value(PROBE_SRC_ENTRY, 0, sizeof(long)),
		trial_value(PROBE_SRC_ENTRY, sizeof(long), 2),
	};
	struct probe_term term;

	t->entry[0] = 5;
	t->entry[1] = 0xfffe;
	expect_one(test, f, 2, number_term(0, EQ, 5), PROBE_ACCEPT);
	trial_expect_number(test, &f[0], 0, 5);
	trial_expect_number(test, &f[1], 0, 0xfffe);
	expect_one(test, f, 2, number_term(0, EQ, 4), PROBE_REJECT);
	expect_one(test, f, 2, number_term(0, PROBE_OP_AND, 6), PROBE_ACCEPT);
	expect_one(test, f, 2, number_term(0, PROBE_OP_AND, 0x100000002), PROBE_REJECT);
	expect_one(test, f, 2, number_term(1, GT, 0xfffd), PROBE_ACCEPT);
	term = number_term(1, LT, -1);
	expect_one(test, f, 2, term, PROBE_ACCEPT);
	term.is_signed = true;
	expect_one(test, f, 2, term, PROBE_ACCEPT);
	term.number = -2;
	expect_one(test, f, 2, term, PROBE_REJECT);
	term.op = EQ;
	expect_one(test, f, 2, term, PROBE_ACCEPT);
}

/* The higher half of a register does not belong to an int. */
static void test_parts(struct kunit *test)
{
	struct trial *t = test->priv;
	struct probe_term term = number_term(PROBE_TERM_OWN, EQ, 0x80000001);

	t->entry[0] = ~0x7ffffffeUL;
	term.fetch = trial_value(PROBE_SRC_ENTRY, 0, 4);
	expect_one(test, NULL, 0, term, PROBE_ACCEPT);
	term.op = LT;
	expect_one(test, NULL, 0, term, PROBE_REJECT);
	term.is_signed = true;
	term.number = 0;
	expect_one(test, NULL, 0, term, PROBE_ACCEPT);
}

static void test_memory(struct kunit *test)
{
	struct trial *t = test->priv;
	struct probe_fetch f[2] = {
		trial_memory(t->mem + 8, 8), trial_memory(t->mem + 16, 1),
	};
	struct probe_term own;

	put_unaligned(0x123456789abcdef0, (u64 *)(t->mem + 8));
	t->mem[16] = 0x80;
	expect_one(test, f, 2, number_term(0, EQ, 0x123456789abcdef0), PROBE_ACCEPT);
	trial_expect_number(test, &f[0], 0, 0x123456789abcdef0);
	trial_expect_number(test, &f[1], 0, 0x80);
	expect_one(test, f, 2, number_term(1, NE, 0x80), PROBE_REJECT);
	own = number_term(PROBE_TERM_OWN, GT, 0x7f);
	own.fetch = trial_memory(t->mem + 16, 1);
	expect_one(test, f, 1, own, PROBE_ACCEPT);
	own.is_signed = true;
	expect_one(test, f, 1, own, PROBE_REJECT);
	/* A zero is not a fault. */
	own = number_term(PROBE_TERM_OWN, EQ, 0);
	own.fetch = trial_memory(t->mem, 8);
	expect_one(test, NULL, 0, own, PROBE_ACCEPT);
}

static void test_faults(struct kunit *test)
{
	unsigned long bad[TRIAL_MAX_BAD];
	unsigned int nr = trial_bad_addresses(test, bad), i;
	struct probe_term terms[2];
	struct probe_fetch f[2];

	for (i = 0; i < nr; i++) {
		f[0] = trial_memory((void *)bad[i], 4);
		f[1] = trial_value(PROBE_SRC_IMM, 1, 4);
		expect_one(test, f, 2, number_term(0, EQ, 0), PROBE_FAULT);
		/* A value that is not needed may fault. */
		expect_one(test, f, 2, number_term(1, EQ, 1), PROBE_ACCEPT);
		trial_expect_fault(test, &f[0], 0);
		terms[0] = number_term(1, EQ, 1);
		terms[1] = number_term(0, EQ, 0);
		terms[0].no = 1;
		expect(test, f, 2, terms, 2, PROBE_ACCEPT);
		terms[0].number = 2;
		expect(test, f, 2, terms, 2, PROBE_FAULT);

		terms[0] = number_term(PROBE_TERM_OWN, NE, 1);
		terms[0].fetch = f[0];
		expect_one(test, NULL, 0, terms[0], PROBE_FAULT);
		terms[0] = text_term(PROBE_TERM_OWN, NE, "x");
		terms[0].fetch = trial_string((void *)bad[i]);
		expect_one(test, NULL, 0, terms[0], PROBE_FAULT);
		f[0] = trial_string((void *)bad[i]);
		expect_one(test, f, 1, text_term(0, NE, "x"), PROBE_FAULT);
	}
}

static void test_strings(struct kunit *test)
{
	struct trial *t = test->priv;
	struct probe_fetch f[2] = { trial_string(t->mem), trial_string(t->mem + 100) };
	struct probe_term own, terms[2];

	strscpy((char *)t->mem, "/etc/passwd", 100);
	strscpy((char *)t->mem + 100, "other", 100);
	expect_one(test, f, 2, text_term(0, EQ, "/etc/passwd"), PROBE_ACCEPT);
	trial_expect_text(test, &f[0], 0, "/etc/passwd");
	trial_expect_text(test, &f[1], 0, "other");
	expect_one(test, f, 2, text_term(0, EQ, "/etc/passw"), PROBE_REJECT);
	expect_one(test, f, 2, text_term(0, NE, "/etc/passwd"), PROBE_REJECT);
	expect_one(test, f, 2, text_term(0, PROBE_OP_GLOB, "/etc/*"), PROBE_ACCEPT);
	expect_one(test, f, 2, text_term(0, PROBE_OP_GLOB, "/e?c/[a-p]*d"), PROBE_ACCEPT);
	expect_one(test, f, 2, text_term(0, PROBE_OP_GLOB, "/etc/?"), PROBE_REJECT);

	/* A string that is not recorded leaves nothing in the record. */
	own = text_term(PROBE_TERM_OWN, PROBE_OP_GLOB, "*passwd");
	own.fetch = trial_string(t->mem);
	expect_one(test, &f[1], 1, own, PROBE_ACCEPT);
	trial_expect_text(test, &f[1], 0, "other");
	KUNIT_EXPECT_EQ(test, t->dyn, t->l.size + sizeof("other"));
	expect_one(test, NULL, 0, own, PROBE_ACCEPT);
	KUNIT_EXPECT_EQ(test, t->dyn, t->l.size);

	terms[0] = text_term(1, EQ, "else");
	terms[1] = own;
	terms[0].no = 1;
	expect(test, f, 2, terms, 2, PROBE_ACCEPT);
	terms[0].no = PROBE_TERM_REJECT;
	terms[0].yes = 1;
	expect(test, f, 2, terms, 2, PROBE_REJECT);
}

static void test_task(struct kunit *test)
{
	struct probe_term term = text_term(PROBE_TERM_OWN, EQ, current->comm);
	struct probe_fetch comm = { .src = PROBE_SRC_NONE, .store = PROBE_STORE_COMM, .size = 4 };

	term.fetch = comm;
	expect_one(test, NULL, 0, term, PROBE_ACCEPT);
	expect_one(test, &comm, 1, text_term(0, EQ, current->comm), PROBE_ACCEPT);
	trial_expect_text(test, &comm, 0, current->comm);
	expect_one(test, &comm, 1, text_term(0, PROBE_OP_GLOB, "*nobody"), PROBE_REJECT);

	term = number_term(PROBE_TERM_OWN, EQ, current->pid);
	term.fetch = trial_value(PROBE_SRC_PID, 0, 4);
	expect_one(test, NULL, 0, term, PROBE_ACCEPT);
	term = number_term(PROBE_TERM_OWN, LT, nr_cpu_ids);
	term.fetch = trial_value(PROBE_SRC_CPU, 0, 4);
	expect_one(test, NULL, 0, term, PROBE_ACCEPT);
}

/* The way through several comparisons. */
static void test_ways(struct kunit *test)
{
	struct trial *t = test->priv;
	struct probe_term terms[3] = {
		number_term(0, EQ, 1), number_term(1, EQ, 2), number_term(2, EQ, 3),
	};
	struct probe_fetch f[3];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(f); i++)
		f[i] = trial_memory(t->mem + 8 * i, 4);
	/* (a == 1 || b == 2) && c == 3 */
	terms[0].yes = 2;
	terms[0].no = 1;
	terms[1].yes = 2;
	for (i = 0; i < 8; i++) {
		put_unaligned(i & 1 ? 1 : 9, (u32 *)t->mem);
		put_unaligned(i & 2 ? 2 : 9, (u32 *)(t->mem + 8));
		put_unaligned(i & 4 ? 3 : 9, (u32 *)(t->mem + 16));
		expect(test, f, 3, terms, 3, (i & 3) && (i & 4) ? PROBE_ACCEPT : PROBE_REJECT);
	}
	trial_expect_number(test, &f[0], 0, 1);
	trial_expect_number(test, &f[1], 0, 2);
	trial_expect_number(test, &f[2], 0, 3);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(test_numbers),
	KUNIT_CASE(test_parts),
	KUNIT_CASE(test_memory),
	KUNIT_CASE(test_faults),
	KUNIT_CASE(test_strings),
	KUNIT_CASE(test_task),
	KUNIT_CASE(test_ways),
	{}
};

static struct kunit_suite suite = {
	.name = "probe_predicate",
	.init = trial_init,
	.exit = trial_exit,
	.test_cases = cases,
};

kunit_test_suites(&suite);
