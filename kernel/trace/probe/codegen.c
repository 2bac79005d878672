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
 * If the JIT does not support kernel loads that may fault, the main line calls
 * the helper for each load.
 *
 * Registers: a program without calls keeps the hit in R1, so that the JIT has
 * no register to save; other programs move it to R6, the only callee-saved
 * register in use.  All other registers are caller-saved.  The pointers to the
 * registers and to the record are loaded when first needed after a call (most
 * programs have no call on the main line).  Values alternate between R0 and R4,
 * so that a load does not overwrite the address that its slow path needs.
 *
 * The program depends only on the arguments, the layout and struct probe_arch:
 * the same input gives the same program.
 */
#include <linux/errno.h>
#include <linux/filter.h>
#include <linux/log2.h>
#include <linux/minmax.h>
#include <linux/slab.h>

#include "emit.h"
#include "gen.h"

/* Stores of an argument */

/* Number of the argument's first fault bit, counted from the start of the record. */
static u32 fault_bit(const struct probe_gen *g, const struct probe_fetch *f)
{
	return g->l->bits ? g->l->fixed * 8 + f->fault : 0;
}

static void record_array(struct probe_gen *g, const struct probe_fetch *f)
{
	const struct probe_bits *b = &f->bits;
	s64 off;
	u8 v;

	if (b->width && b->load != f->size)
		g->code->err = -EINVAL;
	v = probe_gen_evaluate(g, f, &off);
	probe_gen_address(g, v, off);
	probe_emit_imm(g->code, BPF_REG_3, f->dst);
	probe_emit_imm(g->code, BPF_REG_4,
		       probe_array_shape(f->size, f->count, f->user, fault_bit(g, f)));
	probe_emit_imm(g->code, BPF_REG_5, probe_gen_bits_shape(b));
	probe_gen_call(g, PROBE_HELP_ARRAY);
}

static void record_value(struct probe_gen *g, const struct probe_fetch *f)
{
	s64 off;
	u8 v;

	if (f->src == PROBE_SRC_IMM && !f->nr_steps && !f->bits.width) {
		u64 imm = f->value;

		if (f->size <= 4 || (s64)imm == (s32)imm) {
			probe_gen_store_imm(g, f->dst, f->size, imm);
			return;
		}
	}
	v = probe_gen_evaluate(g, f, &off);
	probe_gen_extract_bits(g, v, f);
	probe_gen_store_reg(g, f->dst, f->size, v);
}

static void record_memory(struct probe_gen *g, const struct probe_fetch *f)
{
	s64 off;
	u8 v;

	v = probe_gen_evaluate(g, f, &off);
	if (f->bits.width && !is_power_of_2(f->bits.load)) {
		v = probe_gen_load_bits(g, v, off, f);
	} else {
		v = probe_gen_load(g, v, off, f->bits.width ? f->bits.load : f->size, f->user);
		probe_gen_extract_bits(g, v, f);
	}
	probe_gen_store_reg(g, f->dst, f->size, v);
}

static void record_string(struct probe_gen *g, const struct probe_fetch *f)
{
	s64 off;
	u8 v;

	v = probe_gen_evaluate(g, f, &off);
	probe_gen_address(g, v, off);
	probe_emit_imm(g->code, BPF_REG_3, f->dst);
	if (f->count) {
		probe_emit_imm(g->code, BPF_REG_4,
			       probe_strings_shape(f->count, f->user, f->str_user));
		probe_gen_call(g, PROBE_HELP_STRINGS);
	} else {
		probe_emit_imm(g->code, BPF_REG_4, f->str_user);
		probe_gen_call(g, PROBE_HELP_STRING);
	}
}

static void record_symbol(struct probe_gen *g, const struct probe_fetch *f)
{
	s64 off;
	u8 v;

	v = probe_gen_evaluate(g, f, &off);
	probe_gen_address(g, v, off);
	probe_emit_imm(g->code, BPF_REG_3, f->dst);
	probe_gen_call(g, PROBE_HELP_SYMSTR);
}

static void record_arg(struct probe_gen *g, const struct probe_fetch *f)
{
	switch (f->store) {
	case PROBE_STORE_VALUE:
		record_value(g, f);
		break;
	case PROBE_STORE_MEM:
		if (f->count)
			record_array(g, f);
		else
			record_memory(g, f);
		break;
	case PROBE_STORE_STRING:
		record_string(g, f);
		break;
	case PROBE_STORE_SYMSTR:
		record_symbol(g, f);
		break;
	case PROBE_STORE_COMM:
		probe_emit_imm(g->code, BPF_REG_2, f->dst);
		probe_emit_imm(g->code, BPF_REG_3, f->text);
		probe_gen_call(g, PROBE_HELP_COMM);
		break;
	case PROBE_STORE_DATA:
		probe_emit_imm(g->code, BPF_REG_2, (unsigned long)f->data);
		probe_emit_imm(g->code, BPF_REG_3, f->dst);
		probe_emit_imm(g->code, BPF_REG_4, f->data_len);
		probe_gen_call(g, PROBE_HELP_DATA);
		break;
	}
}

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
			     const struct probe_gen_end *end)
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
			set_fault_bits(g, fault_bit(g, f), elements);
	}
	probe_gen_restore(g, end->state);
	probe_emit_jump(g->code, end->at);
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

static void emit_slow_paths(struct probe_gen *g, const struct probe_fetch *f,
			    const struct probe_gen_end *end, u32 first, u32 last)
{
	u32 to_fault[PROBE_GEN_SLOW_PATHS];
	u32 i;

	if (first == last)
		return;
	for (i = first; i < last; i++) {
		const struct probe_slow_path *s = &g->slow[i];

		to_fault[i - first] = s->is_load ? emit_slow_load(g, s) : s->branch;
	}
	for (i = first; i < last; i++)
		probe_emit_label(g->code, to_fault[i - first]);
	emit_fault_block(g, f, end);
}

static void generate(struct probe_gen *g, const struct probe_fetch *fetch, unsigned int nr)
{
	unsigned int i;

	g->hit = BPF_REG_1;
	for (i = 0; i < nr; i++)
		if (probe_gen_may_call(g, &fetch[i]))
			g->hit = BPF_REG_6;
	if (g->hit != BPF_REG_1)
		probe_emit(g->code, BPF_MOV64_REG(g->hit, BPF_REG_1));

	probe_gen_clear_map(g);

	for (i = 0; i < nr; i++) {
		g->ends[i].first = g->nr_slow;
		record_arg(g, &fetch[i]);
		g->ends[i].at = g->code->len;
		g->ends[i].state = g->state;
	}
	g->ends[nr].first = g->nr_slow;
	probe_emit(g->code, BPF_EXIT_INSN());

	for (i = 0; i < nr; i++)
		emit_slow_paths(g, &fetch[i], &g->ends[i], g->ends[i].first,
				g->ends[i + 1].first);
}

/**
 * probe_codegen() - generate the program that fetches arguments into a record
 * @code: filled in; empty before the call
 * @arch: the target machine, from probe_arch_get()
 * @l: layout of the record
 * @fetch: the arguments, with their offsets in the record
 * @nr: number of arguments
 *
 * If @l has no fault map, as for the data saved at function entry, an argument
 * that faults is just zero.
 *
 * The program refers to immediate strings in @fetch, so they must live as long
 * as the program.
 *
 * Context: may sleep.
 * Return: 0; -ENOMEM; -E2BIG when a branch would be too long; -EINVAL for an
 * invalid argument. In any case the caller must call probe_code_free().
 */
int probe_codegen(struct probe_code *code, const struct probe_arch *arch,
		  const struct probe_layout *l, const struct probe_fetch *fetch,
		  unsigned int nr)
{
	struct probe_gen g = { .code = code, .arch = arch, .l = l };

	g.ends = kcalloc(nr + 1, sizeof(*g.ends), GFP_KERNEL);
	g.slow = kvmalloc_array(nr + 1, PROBE_GEN_SLOW_PATHS * sizeof(*g.slow), GFP_KERNEL);
	if (g.ends && g.slow)
		generate(&g, fetch, nr);
	else
		code->err = -ENOMEM;
	kvfree(g.slow);
	kfree(g.ends);
	return code->err;
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
