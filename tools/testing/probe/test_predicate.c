// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of fetch programs with predicates: random predicates on random arguments.
 *
 * The test computes the verdict without a program, and compares.  If the hit is accepted, it
 * also compares the record, as test_program.c does.  Strings can be in another order, since
 * the arguments that the predicate uses are recorded first.
 *
 * If the predicate compares only arguments that are certain, a program without arguments must
 * have the same verdict, and not write to the record.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <linux/align.h>
#include <linux/array_size.h>
#include <linux/errno.h>
#include <linux/minmax.h>
#include <linux/slab.h>

#include "check.h"
#include "expr.h"
#include "machine.h"
#include "model.h"
#include "random.h"

#define MAX_TEXT	64

/* The value of an operand. */
struct value {
	bool	fault;
	u64	number;
	char	text[RECORD_SIZE];
};

/* Read the operand as if it were the only argument of a record. */
static void read_value(const struct probe_fetch *f, struct value *v)
{
	struct probe_fetch alone = *f;
	struct probe_layout l;
	u32 loc;

	v->fault = true;
	if (!check(!probe_layout_set(&l, MODEL_HEAD, &alone, 1), "no layout"))
		return;
	model_run(&l, &alone, 1);
	if (probe_fetch_is_string(f)) {
		memcpy(&loc, model_rec + alone.dst, sizeof(loc));
		v->fault = !probe_data_loc_len(loc);
		memcpy(v->text, model_rec + probe_data_loc_offset(loc), probe_data_loc_len(loc));
		return;
	}
	v->number = 0;
	memcpy(&v->number, model_rec + alone.dst, f->size);
	v->fault = model_rec[l.fixed + alone.fault / 8] >> alone.fault % 8 & 1;
}

static s64 as_signed(u64 v, unsigned int size)
{
	u64 top = 1ULL << (8 * size - 1);

	return (v ^ top) - top;
}

static bool compare_signed(enum probe_op op, s64 a, s64 b)
{
	switch (op) {
	case PROBE_OP_LT:
		return a < b;
	case PROBE_OP_LE:
		return a <= b;
	case PROBE_OP_GT:
		return a > b;
	default:
		return a >= b;
	}
}

static bool compare_unsigned(enum probe_op op, u64 a, u64 b)
{
	switch (op) {
	case PROBE_OP_LT:
		return a < b;
	case PROBE_OP_LE:
		return a <= b;
	case PROBE_OP_GT:
		return a > b;
	default:
		return a >= b;
	}
}

static bool compare_number(const struct probe_term *term, u64 v, unsigned int size)
{
	u64 a = term->is_signed ? (u64)as_signed(v, size) : v;

	switch (term->op) {
	case PROBE_OP_EQ:
		return a == term->number;
	case PROBE_OP_NE:
		return a != term->number;
	case PROBE_OP_AND:
		return a & term->number;
	default:
		return term->is_signed ? compare_signed(term->op, a, term->number) :
					 compare_unsigned(term->op, a, term->number);
	}
}

static bool compare(const struct probe_term *term, const struct probe_fetch *f,
		    const struct value *v)
{
	if (!term->is_text)
		return compare_number(term, v->number, f->size);
	return probe_match(&term->pattern, v->text, strlen(v->text)) == (term->op != PROBE_OP_NE);
}

static const struct probe_fetch *operand(const struct probe_term *term,
					 const struct probe_fetch *fetch)
{
	return term->arg == PROBE_TERM_OWN ? &term->fetch : &fetch[term->arg];
}

static enum probe_verdict expect(const struct probe_predicate *p, const struct probe_fetch *fetch)
{
	static struct value v;
	unsigned int i = 0;

	while (i < p->nr) {
		const struct probe_term *term = &p->terms[i];
		const struct probe_fetch *f = operand(term, fetch);

		read_value(f, &v);
		if (v.fault)
			return PROBE_FAULT;
		i = compare(term, f, &v) ? term->yes : term->no;
	}
	return i == PROBE_TERM_ACCEPT ? PROBE_ACCEPT : PROBE_REJECT;
}

static bool same_string(u32 dst)
{
	u32 is, want, len;

	memcpy(&is, machine.rec + dst, sizeof(is));
	memcpy(&want, model_rec + dst, sizeof(want));
	len = probe_data_loc_len(want);
	return probe_data_loc_len(is) == len &&
	       !memcmp(machine.rec + probe_data_loc_offset(is),
		       model_rec + probe_data_loc_offset(want), len);
}

static bool same_arg(const struct probe_fetch *f)
{
	unsigned int n = f->count ?: 1, i;

	if (!probe_fetch_is_string(f))
		return !memcmp(machine.rec + f->dst, model_rec + f->dst, n * f->size);
	for (i = 0; i < n; i++)
		if (!same_string(f->dst + i * f->size))
			return false;
	return true;
}

static void check_record(const struct probe_layout *l, const struct probe_fetch *fetch,
			 unsigned int nr, const char *name, unsigned int i)
{
	unsigned int j;

	model_run(l, fetch, nr);
	for (j = 0; j < nr; j++)
		check(same_arg(&fetch[j]), "%s %u: argument %u differs", name, i, j);
	check(!memcmp(machine.rec + l->fixed, model_rec + l->fixed, l->texts - l->fixed),
	      "%s %u: fault map differs", name, i);
	check(machine.hit.dyn == model_dyn, "%s %u: record ends at %u, not %u", name, i,
	      machine.hit.dyn, model_dyn);
}

static unsigned int verdicts[3];

static void run(const struct probe_predicate *p, struct probe_fetch *fetch, unsigned int nr,
		const char *name, unsigned int i)
{
	enum probe_verdict want;
	struct probe_layout l;
	const char *wrong;

	if (!check(!probe_layout_set(&l, MODEL_HEAD, fetch, nr), "%s %u: no layout", name, i))
		return;
	model_args = fetch;
	want = expect(p, fetch);
	wrong = machine_run(&l, fetch, nr, p);
	if (!check(!wrong, "%s %u: %s", name, i, wrong) ||
	    !check(machine.verdict == want, "%s %u: verdict %" PRIu64 ", not %u", name, i,
		   (u64)machine.verdict, want))
		return;
	verdicts[want]++;
	if (want == PROBE_ACCEPT)
		check_record(&l, fetch, nr, name, i);
}

/* Programs that only decide */

static unsigned int nr_decisions;

static bool is_certain(const struct probe_predicate *p, const struct probe_fetch *fetch)
{
	const struct probe_term *term;

	for (term = p->terms; term < p->terms + p->nr; term++)
		if (term->arg == PROBE_TERM_OWN ||
		    !probe_code_is_certain(&machine_arch, &fetch[term->arg]))
			return false;
	return true;
}

static void decide(const struct probe_predicate *p, const struct probe_fetch *fetch,
		   const char *name, unsigned int i)
{
	const struct probe_layout none = {};
	enum probe_verdict want;
	const char *wrong;
	unsigned int j;

	if (!is_certain(p, fetch))
		return;
	want = expect(p, fetch);
	wrong = machine_run(&none, fetch, 0, p);
	if (!check(!wrong, "%s %u, decision: %s", name, i, wrong))
		return;
	check(machine.verdict == want && want != PROBE_FAULT,
	      "%s %u: decision %" PRIu64 ", not %u", name, i, (u64)machine.verdict, want);
	for (j = 1; j < RECORD_SIZE; j++)
		if (!check(machine.rec[j] == machine.rec[0], "%s %u: writes a record", name, i))
			return;
	nr_decisions++;
}

/* Random predicates */

#define MAX_ARGS	6
#define MAX_TERMS	6

static char texts[MAX_TERMS][MAX_TEXT];

/* One result continues with the next comparison, the other one with a later one or a result. */
static void random_ways(struct probe_term *term, unsigned int nr, unsigned int nr_terms)
{
	bool last = nr + 1 == nr_terms;
	u8 next = last ? PROBE_TERM_ACCEPT : nr + 1, other = PROBE_TERM_REJECT;

	if (!last && random_below(2)) {
		other = nr + 2 + random_below(nr_terms - nr - 1);
		if (other == nr_terms)
			other = PROBE_TERM_ACCEPT;
	}
	term->yes = random_below(2) ? next : other;
	term->no = term->yes == next ? other : next;
}

/* One value of the formula is that of an argument. */
static void random_reference(const struct probe_fetch *f, const struct probe_fetch *fetch,
			     unsigned int arg)
{
	struct probe_item *item = random_value(f);

	if (item && !fetch[arg].count && probe_fetch_is_number(&fetch[arg]))
		item->arg = arg;
}

static void random_operand(struct probe_term *term, struct probe_fetch *fetch, unsigned int nr,
			   struct probe_step *steps, bool in_user)
{
	struct probe_fetch *f = &term->fetch;

	term->arg = nr && random_below(3) ? random_below(nr) : PROBE_TERM_OWN;
	if (term->arg != PROBE_TERM_OWN && !fetch[term->arg].count &&
	    fetch[term->arg].store != PROBE_STORE_STACK)
		return;
	term->arg = PROBE_TERM_OWN;
	do
		random_fetch(f, steps);
	while (f->store == PROBE_STORE_STACK);
	if (in_user)
		random_move_to_user(f, steps);
	if (f->src == PROBE_SRC_FORMULA && nr)
		random_reference(f, fetch, random_below(nr));
	if (f->count) {
		f->count = 0;
		f->bits = (struct probe_bits) {};
	}
}

/* Often a number that is equal or close to the value. */
static void random_number(struct probe_term *term, const struct value *v, unsigned int size)
{
	term->op = random_below(PROBE_OP_AND + 1);
	term->is_signed = random_below(2);
	switch (random_below(4)) {
	case 0:
		term->number = random_below(16);
		break;
	case 1:
		term->number = random_address();
		break;
	default:
		term->number = term->is_signed ? (u64)as_signed(v->number, size) : v->number;
		term->number += (int)random_below(3) - 1;
		break;
	}
}

static void random_pattern(struct probe_term *term, const struct value *v, char *text)
{
	static const enum probe_op ops[] = { PROBE_OP_EQ, PROBE_OP_NE, PROBE_OP_GLOB };
	unsigned int len = v->fault ? 0 : min(strlen(v->text), (size_t)MAX_TEXT - 2);

	term->op = ops[random_below(ARRAY_SIZE(ops))];
	memcpy(text, v->text, len);
	if (random_below(3) == 0)
		len = random_below(len + 1);
	if (random_below(2))
		text[len++] = '*';
	text[len] = '\0';
	term->pattern = (struct probe_pattern) {
		.text = text, .len = len, .is_glob = term->op == PROBE_OP_GLOB,
	};
}

static void random_term(struct probe_term *term, struct probe_fetch *fetch, char *text)
{
	const struct probe_fetch *f = operand(term, fetch);
	static struct value v;

	read_value(f, &v);
	term->is_text = probe_fetch_is_string(f);
	if (term->is_text)
		random_pattern(term, &v, text);
	else
		random_number(term, &v, f->size);
}

static void run_random(unsigned int cases, bool in_user)
{
	static struct probe_step steps[MAX_ARGS + MAX_TERMS][PROBE_MAX_DEREF];
	struct probe_term terms[MAX_TERMS];
	struct probe_predicate p = { .terms = terms };
	struct probe_fetch f[MAX_ARGS];
	unsigned int i, j, nr;

	memset(verdicts, 0, sizeof(verdicts));
	nr_decisions = 0;
	for (i = 0; i < cases; i++) {
		if (i % 16 == 0)
			random_machine();
		nr = random_below(ARRAY_SIZE(f) + 1);
		for (j = 0; j < nr; j++) {
			random_fetch(&f[j], steps[j]);
			if (in_user)
				random_move_to_user(&f[j], steps[j]);
		}
		p.nr = 1 + random_below(ARRAY_SIZE(terms));
		for (j = 0; j < p.nr; j++) {
			terms[j] = (struct probe_term) {};
			random_operand(&terms[j], f, nr, steps[MAX_ARGS + j], in_user);
			random_term(&terms[j], f, texts[j]);
			random_ways(&terms[j], j, p.nr);
		}
		run(&p, f, nr, "random predicate", i);
		decide(&p, f, "random predicate", i);
	}
	check(nr_decisions > cases / 100, "only %u decisions", nr_decisions);
	for (i = 0; i < ARRAY_SIZE(verdicts); i++)
		check(verdicts[i] > cases / 20, "verdict %u: only %u of %u", i, verdicts[i], cases);
}

#define RANDOM_CASES	20000

static void test_random(void)
{
	run_random(RANDOM_CASES, false);
}

static void test_in_user(void)
{
	struct probe_arch saved = machine_arch;

	machine_arch.in_user = true;
	run_random(RANDOM_CASES / 4, true);
	machine_arch = saved;
}

static const struct {
	const char *name;
	const struct probe_arch *arch;
} machines[] = {
	{ "x86", &arch_x86 },
	{ "arm64", &arch_arm64 },
	{ "strict machine", &arch_strict },
	{ "loongarch", &arch_loongarch },
	{ "x86 without BPF_PROBE_MEM", &arch_x86_plain },
	{ "strict machine without BPF_PROBE_MEM", &arch_strict_plain },
};

static const struct test tests[] = {
	{ "random predicates", test_random },
	{ "probes in user space", test_in_user },
};

int main(void)
{
	unsigned int i, j;

	ksft_print_header();
	ksft_set_plan(ARRAY_SIZE(machines) * ARRAY_SIZE(tests) + 1);
	for (i = 0; i < ARRAY_SIZE(machines); i++) {
		machine_arch = *machines[i].arch;
		for (j = 0; j < ARRAY_SIZE(tests); j++) {
			tests[j].run();
			test_end("%s: %s", machines[i].name, tests[j].name);
		}
	}
	check(!host_alloc_live(), "%ld allocations leaked", host_alloc_live());
	test_end("all memory is freed");
	ksft_finished();
}
