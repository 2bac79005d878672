// SPDX-License-Identifier: GPL-2.0
/*
 * Code generation: the comparisons of a predicate, in the order of the text.
 *
 *   operand 0, compare, branch, operand 1, compare, branch, ...
 *
 * After each comparison, the program continues with the next one, or branches to a later one,
 * to the rest of the record, or to the exit without a record.
 *
 * A number that cannot change during the hit, such as a register, is loaded for its comparison.
 * If another argument is compared, it is recorded first, and the comparison uses the recorded
 * value.  So a record does not contradict its predicate, although memory can change at any
 * time.  Such an argument is recorded just before the first comparison that may use it and that
 * each accepted hit evaluates.  An operand that is not recorded is fetched for its comparison: a
 * number to a register, a text to the end of the record, from where it is dropped again.
 *
 * If a comparison needs a value that cannot be read, the hit is rejected.
 */
#include <linux/array_size.h>
#include <linux/errno.h>
#include <linux/filter.h>

#include "emit.h"
#include "gen.h"
#include "predicate.h"

/* The location of a text that is not recorded: in the header, which is written later. */
#define OWN_TEXT_DST	0

/**
 * probe_gen_operand() - the operand of a comparison
 * @g: the program
 * @term: the comparison
 *
 * Return: how to fetch the operand.
 */
const struct probe_fetch *probe_gen_operand(const struct probe_gen *g,
					    const struct probe_term *term)
{
	return term->arg == PROBE_TERM_OWN ? &term->fetch : &g->fetch[term->arg];
}

/* Is the operand compared as it was recorded? */
static bool is_from_record(const struct probe_gen *g, const struct probe_term *term)
{
	return term->arg != PROBE_TERM_OWN && !probe_gen_is_fixed(g, &g->fetch[term->arg]);
}

/* Does the program reach comparison @nr before it accepts a hit, on all paths? */
static bool is_gate(const struct probe_predicate *p, unsigned int nr)
{
	const struct probe_term *term;

	for (term = p->terms; term < p->terms + nr; term++)
		if ((term->yes > nr && term->yes != PROBE_TERM_REJECT) ||
		    (term->no > nr && term->no != PROBE_TERM_REJECT))
			return false;
	return true;
}

/* Record the arguments that a formula may use. */
static void record_items(struct probe_gen *g, const struct probe_fetch *f)
{
	const struct probe_formula *formula = f->src == PROBE_SRC_FORMULA ? f->formula : NULL;
	unsigned int i;

	for (i = 0; formula && i < formula->nr; i++)
		if (probe_gen_is_recorded(g, &formula->items[i]))
			probe_gen_arg(g, formula->items[i].arg);
}

/* Record the arguments that comparison @nr, and others before the next gate, may use. */
static void record_operands(struct probe_gen *g, unsigned int nr)
{
	const struct probe_predicate *p = g->predicate;

	do {
		if (is_from_record(g, &p->terms[nr]))
			probe_gen_arg(g, p->terms[nr].arg);
		if (p->terms[nr].arg == PROBE_TERM_OWN)
			record_items(g, &p->terms[nr].fetch);
	} while (++nr < p->nr && !is_gate(p, nr));
}

static u8 load_number(struct probe_gen *g, const struct probe_term *term)
{
	const struct probe_fetch *f = probe_gen_operand(g, term);
	bool recorded = is_from_record(g, term);
	u8 v;

	if (f->count)
		g->code->err = -EINVAL;
	if (!recorded && f->src == PROBE_SRC_FORMULA)
		probe_gen_formula(g, f->formula);
	v = recorded ? probe_gen_recorded(g, f) : probe_gen_number(g, f);
	probe_gen_extend(g, v, f, term->is_signed, recorded);
	return v;
}

/* Branch if the comparison of @v has the result @when. */
static void branch_on_number(struct probe_gen *g, const struct probe_term *term, u8 v, bool when)
{
	static const struct {
		u8 op, negated, signed_op, signed_negated;
	} ops[] = {
		[PROBE_OP_EQ] = { BPF_JEQ, BPF_JNE, BPF_JEQ, BPF_JNE },
		[PROBE_OP_NE] = { BPF_JNE, BPF_JEQ, BPF_JNE, BPF_JEQ },
		[PROBE_OP_LT] = { BPF_JLT, BPF_JGE, BPF_JSLT, BPF_JSGE },
		[PROBE_OP_LE] = { BPF_JLE, BPF_JGT, BPF_JSLE, BPF_JSGT },
		[PROBE_OP_GT] = { BPF_JGT, BPF_JLE, BPF_JSGT, BPF_JSLE },
		[PROBE_OP_GE] = { BPF_JGE, BPF_JLT, BPF_JSGE, BPF_JSLT },
	};
	u64 number = term->number;
	bool fits = (s64)number == (s32)number;
	u8 op;

	if (!fits)
		probe_emit_imm(g->code, REG_TEMP, number);
	if (term->op == PROBE_OP_AND) {
		probe_emit(g->code, fits ? BPF_ALU64_IMM(BPF_AND, v, number) :
					   BPF_ALU64_REG(BPF_AND, v, REG_TEMP));
		probe_emit_branch(g->code, when ? BPF_JNE : BPF_JEQ, v, 0);
		return;
	}
	if (term->is_signed)
		op = when ? ops[term->op].signed_op : ops[term->op].signed_negated;
	else
		op = when ? ops[term->op].op : ops[term->op].negated;
	if (fits)
		probe_emit_branch(g->code, op, v, number);
	else
		probe_emit(g->code, BPF_JMP_REG(op, v, REG_TEMP, 0));
}

static void match_recorded(struct probe_gen *g, const struct probe_term *term, u32 dst, bool drop)
{
	probe_emit_imm(g->code, BPF_REG_2, dst);
	probe_emit_imm(g->code, BPF_REG_3, (unsigned long)&term->pattern);
	probe_emit_imm(g->code, BPF_REG_4, drop);
	probe_gen_call(g, PROBE_HELP_MATCH);
	probe_gen_slow_path(g, probe_emit_branch(g->code, BPF_JEQ, BPF_REG_0,
						 PROBE_MATCH_FAULT));
}

static void match_own(struct probe_gen *g, const struct probe_term *term)
{
	struct probe_fetch f = term->fetch;

	if (f.count || !probe_fetch_is_string(&f))
		g->code->err = -EINVAL;
	if (f.store == PROBE_STORE_COMM) {
		probe_emit_imm(g->code, BPF_REG_2, (unsigned long)&term->pattern);
		probe_gen_call(g, PROBE_HELP_MATCH_COMM);
		return;
	}
	f.dst = OWN_TEXT_DST;
	probe_gen_store(g, &f);
	match_recorded(g, term, f.dst, true);
}

/* Branch if the comparison of a text has the result @when. */
static void branch_on_text(struct probe_gen *g, const struct probe_term *term, bool when)
{
	if (term->op == PROBE_OP_NE)
		when = !when;
	if (term->arg == PROBE_TERM_OWN)
		match_own(g, term);
	else
		match_recorded(g, term, g->fetch[term->arg].dst, false);
	probe_emit_branch(g->code, when ? BPF_JNE : BPF_JEQ, BPF_REG_0, PROBE_MATCH_NO);
}

/* If the next comparison, or the rest of the record, follows a true result: the other one. */
static u8 far_target(const struct probe_predicate *p, unsigned int nr)
{
	unsigned int next = nr + 1 < p->nr ? nr + 1 : PROBE_TERM_ACCEPT;

	return p->terms[nr].yes == next ? p->terms[nr].no : p->terms[nr].yes;
}

/* Returns whether a branch leads here. */
static bool set_labels(struct probe_gen *g, unsigned int nr, u8 target)
{
	bool found = false;
	unsigned int i;

	for (i = 0; i < nr; i++) {
		if (far_target(g->predicate, i) != target)
			continue;
		probe_emit_label(g->code, g->terms[i].branch);
		found = true;
	}
	return found;
}

/* The place where a branch leads: another way can have loaded less. */
static void merge(struct probe_gen *g, unsigned int nr, u8 target)
{
	if (set_labels(g, nr, target))
		g->state = (struct probe_gen_state){};
}

/**
 * probe_gen_predicate() - generate the comparisons of the predicate
 * @g: the program, which does not access the record yet
 *
 * The code for hits that are accepted must follow.
 */
void probe_gen_predicate(struct probe_gen *g)
{
	const struct probe_predicate *p = g->predicate;
	unsigned int i;
	bool when;

	for (i = 0; i < p->nr; i++) {
		const struct probe_term *term = &p->terms[i];

		merge(g, i, i);
		if (is_gate(p, i))
			record_operands(g, i);
		probe_gen_begin(g, &g->terms[i]);
		when = far_target(p, i) == term->yes;
		if (term->is_text)
			branch_on_text(g, term, when);
		else
			branch_on_number(g, term, load_number(g, term), when);
		g->terms[i].branch = g->code->len - 1;
		probe_gen_end(g, &g->terms[i]);
	}
	merge(g, p->nr, PROBE_TERM_ACCEPT);
}

/**
 * probe_gen_reject() - generate the exit without a record
 * @g: the program, after its main line
 */
void probe_gen_reject(struct probe_gen *g)
{
	if (!set_labels(g, g->predicate->nr, PROBE_TERM_REJECT))
		return;
	probe_emit_imm(g->code, BPF_REG_0, PROBE_REJECT);
	probe_emit(g->code, BPF_EXIT_INSN());
}
