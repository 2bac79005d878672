// SPDX-License-Identifier: GPL-2.0
/*
 * Code generation: from arguments to eBPF.
 *
 * A program should be as short as one written by hand for its probe, so the
 * generator decides everything that does not depend on the hit.  A program has
 * two parts:
 *
 *   main line   load, store, load, store, ... exit.  Its branches are rarely
 *               taken.
 *   slow paths  after the exit.  A kernel load that returns 0 either read a 0
 *               or faulted.  Its slow path calls a helper and returns with the
 *               value, or jumps to the argument's fault block.  The fault block
 *               zeroes the field, marks it in the fault map and continues with
 *               the next argument.
 *
 * If the probe has a predicate, the main line begins with its comparisons, and with the
 * arguments that they need; see gen_predicate.c.
 *
 * If the JIT does not support kernel loads that may fault, the main line calls
 * the helper for each load.
 *
 * Registers: a program without calls keeps the hit in R1, so that the JIT has
 * no register to save; other programs move it to R6.  Arithmetic keeps values in
 * R7 to R9.  All other registers are caller-saved.  The pointers to the
 * registers and to the record are loaded when first needed after a call (most
 * programs have no call on the main line).  Values alternate between R0 and R4,
 * so that a load does not overwrite the address that its slow path needs.
 *
 * The program depends only on the arguments, the layout and struct probe_arch:
 * the same input gives the same program.
 */
#include <linux/errno.h>
#include <linux/filter.h>
#include <linux/minmax.h>
#include <linux/slab.h>

#include "emit.h"
#include "gen.h"
#include "predicate.h"

/* Code after the exit */

/* @bit: counted from the start of the record */
static void set_fault_bits(struct probe_gen *g, unsigned int bit, unsigned int n)
{
	u8 rec = probe_gen_rec(g);

	while (n) {
		unsigned int in_word = min(n, 32 - bit % 32);
		s16 at = bit / 32 * sizeof(u32);

		probe_emit(g->code, BPF_LDX_MEM(BPF_W, REG_VALUE2, rec, at));
		probe_emit(g->code, BPF_ALU32_IMM(BPF_OR, REG_VALUE2,
						  probe_gen_map_mask(g, bit % 32, in_word)));
		probe_gen_store_reg(g, at, sizeof(u32), REG_VALUE2);
		bit += in_word;
		n -= in_word;
	}
}

static void emit_fault_block(struct probe_gen *g, const struct probe_fetch *f,
			     const struct probe_gen_part *part)
{
	unsigned int elements = max_t(unsigned int, f->count, 1);

	g->state = (struct probe_gen_state){};
	if (probe_fetch_is_string(f)) {
		probe_emit_imm(g->code, BPF_REG_2, f->dst);
		probe_emit_imm(g->code, BPF_REG_3, elements);
		probe_gen_call(g, PROBE_HELP_FAULT_STRINGS);
	} else {
		probe_gen_zero(g, f->dst, f->dst + elements * f->size, f->dst);
		if (g->l->bits)
			set_fault_bits(g, probe_gen_fault_bit(g, f), elements);
	}
	probe_gen_restore(g, part->state);
	probe_emit_jump(g->code, part->at);
}

/* Returns the branch to the fault block. */
static u32 emit_slow_load(struct probe_gen *g, const struct probe_slow_path *s)
{
	u32 fault;

	probe_emit_label(g->code, s->branch);
	if (s->guard)
		probe_emit_label(g->code, s->guard);
	probe_gen_address(g, s->src, s->off);
	probe_emit_imm(g->code, BPF_REG_3, probe_number_shape(s->size, false));
	probe_gen_call(g, PROBE_HELP_LOAD);
	fault = probe_emit_branch(g->code, BPF_JNE, BPF_REG_0, 0);
	probe_gen_result(g, s->dst);
	probe_gen_restore(g, s->state);
	probe_emit_jump(g->code, s->branch + 1);
	return fault;
}

/* An operand that is not recorded faulted. */
static void emit_fault_exit(struct probe_gen *g)
{
	probe_emit_imm(g->code, BPF_REG_0, PROBE_FAULT);
	probe_emit(g->code, BPF_EXIT_INSN());
}

/* @f: the argument; NULL for a comparison */
static void emit_slow_paths(struct probe_gen *g, const struct probe_fetch *f,
			    const struct probe_gen_part *part)
{
	u32 i;

	if (part->first == part->last)
		return;
	for (i = part->first; i < part->last; i++) {
		struct probe_slow_path *s = &g->slow[i];

		s->fault = s->is_load ? emit_slow_load(g, s) : s->branch;
	}
	for (i = part->first; i < part->last; i++)
		probe_emit_label(g->code, g->slow[i].fault);
	if (f)
		emit_fault_block(g, f, part);
	else
		emit_fault_exit(g);
}

static bool calls_helpers(const struct probe_gen *g)
{
	const struct probe_predicate *predicate = g->predicate;
	unsigned int i;

	for (i = 0; i < g->nr; i++)
		if (probe_gen_calls(g, &g->fetch[i]))
			return true;
	for (i = 0; predicate && i < predicate->nr; i++)
		if (predicate->terms[i].is_text ||
		    probe_gen_calls(g, probe_gen_operand(g, &predicate->terms[i])))
			return true;
	return false;
}

static u32 slow_paths_of(const struct probe_fetch *f)
{
	return PROBE_GEN_SLOW_PATHS * (f->src == PROBE_SRC_FORMULA ? f->formula->nr + 1 : 1);
}

/* Number of slow paths at most. */
static u32 count_slow_paths(const struct probe_gen *g)
{
	const struct probe_predicate *predicate = g->predicate;
	unsigned int i;
	u32 n = 1;

	for (i = 0; i < g->nr; i++)
		n += slow_paths_of(&g->fetch[i]);
	for (i = 0; predicate && i < predicate->nr; i++)
		n += slow_paths_of(probe_gen_operand(g, &predicate->terms[i]));
	return n;
}

static void generate(struct probe_gen *g)
{
	unsigned int i;

	g->hit = BPF_REG_1;
	if (calls_helpers(g)) {
		g->hit = BPF_REG_6;
		probe_emit(g->code, BPF_MOV64_REG(g->hit, BPF_REG_1));
	}
	if (g->predicate)
		probe_gen_predicate(g);
	if (!g->has_map)
		probe_gen_clear_map(g);
	g->has_map = true;
	for (i = 0; i < g->nr; i++)
		probe_gen_arg(g, i);
	if (g->predicate)
		probe_emit_imm(g->code, BPF_REG_0, PROBE_ACCEPT);
	probe_emit(g->code, BPF_EXIT_INSN());

	if (g->predicate)
		probe_gen_reject(g);
	for (i = 0; i < g->nr; i++)
		emit_slow_paths(g, &g->fetch[i], &g->args[i]);
	for (i = 0; g->predicate && i < g->predicate->nr; i++)
		emit_slow_paths(g, NULL, &g->terms[i]);
}

/**
 * probe_codegen() - generate the program that fetches arguments into a record
 * @code: filled in; empty before the call
 * @arch: the target machine, from probe_arch_get()
 * @l: layout of the record
 * @fetch: the arguments, with their offsets in the record
 * @nr: number of arguments.  With 0, the predicate may still compare arguments, if
 *	probe_code_is_certain() is true for them
 * @predicate: decides whether there is a record; NULL: there is one.  With a predicate, the
 *	program uses the first bytes of the record for its own purposes
 *
 * If @l has no fault map, as for the data saved at function entry, an argument
 * that faults is just zero.
 *
 * The program refers to immediate strings in @fetch, and to patterns in @predicate, so they
 * must live as long as the program.
 *
 * Context: may sleep.
 * Return: 0; -ENOMEM; -E2BIG when a branch would be too long; -EINVAL for an
 * invalid argument. In any case the caller must call probe_code_free().
 */
int probe_codegen(struct probe_code *code, const struct probe_arch *arch,
		  const struct probe_layout *l, const struct probe_fetch *fetch,
		  unsigned int nr, const struct probe_predicate *predicate)
{
	unsigned int nr_parts = nr + (predicate ? predicate->nr : 0) + 1;
	struct probe_gen g = {
		.code = code,
		.arch = arch,
		.l = l,
		.fetch = fetch,
		.nr = nr,
		.predicate = predicate,
	};

	g.args = kcalloc(nr_parts, sizeof(*g.args), GFP_KERNEL);
	g.terms = g.args + nr;
	g.slow = kvmalloc_array(count_slow_paths(&g), sizeof(*g.slow), GFP_KERNEL);
	if (g.args && g.slow)
		generate(&g);
	else
		code->err = -ENOMEM;
	kvfree(g.slow);
	kfree(g.args);
	return code->err;
}

/* The address of data with the length 0 faults. */
static bool is_data_address(const struct probe_fetch *f)
{
	return f->src == PROBE_SRC_FIELD_DATA || f->src == PROBE_SRC_FIELD_REL;
}

/* A division by 0 faults. */
static bool may_fault(const struct probe_formula *formula)
{
	const struct probe_item *item;

	for (item = formula->items; item < formula->items + formula->nr; item++)
		if (item->kind == PROBE_ITEM_VALUE ? is_data_address(&item->fetch) :
						     probe_math_divides(item->op))
			return true;
	return false;
}

/**
 * probe_code_is_certain() - is an argument a number that cannot fault or change during a hit?
 * @arch: the target machine
 * @fetch: the argument
 *
 * A program can then read it without a record, and again for the record.
 *
 * Return: true if it is.
 */
bool probe_code_is_certain(const struct probe_arch *arch, const struct probe_fetch *fetch)
{
	const struct probe_gen g = { .arch = arch };

	if (!probe_gen_is_fixed(&g, fetch) || is_data_address(fetch))
		return false;
	return fetch->src != PROBE_SRC_FORMULA || !may_fault(fetch->formula);
}

/**
 * probe_code_free() - free the instructions
 * @code: the program, from probe_codegen()
 *
 * Context: may sleep.
 */
void probe_code_free(struct probe_code *code)
{
	kvfree(code->insn);
	*code = (struct probe_code){};
}
