// SPDX-License-Identifier: GPL-2.0
/* Code generation: arguments in the record. */
#include <linux/errno.h>
#include <linux/filter.h>

#include "emit.h"
#include "gen.h"

/*
 * Can a helper copy the array word by word?  Programs of probes in user space have no such helper.
 */
static bool has_words(const struct probe_gen *g, const struct probe_fetch *f)
{
	return g->arch->unaligned && !g->arch->in_user && !f->user && !f->bits.width &&
	       f->size * f->count % g->arch->word == 0;
}

static void record_array(struct probe_gen *g, const struct probe_fetch *f)
{
	const struct probe_bits *b = &f->bits;
	bool words = has_words(g, f);
	s64 off;
	u8 v;

	if (b->width && b->load != f->size)
		g->code->err = -EINVAL;
	v = probe_gen_evaluate(g, f, &off);
	probe_gen_address(g, v, off);
	probe_emit_imm(g->code, BPF_REG_3, f->dst);
	probe_emit_imm(g->code, BPF_REG_4,
		       probe_array_shape(f->size, f->count, f->user, probe_gen_fault_bit(g, f)));
	probe_emit_imm(g->code, BPF_REG_5, words ? f->size * f->count : probe_gen_bits_shape(b));
	probe_gen_call(g, words ? PROBE_HELP_WORDS : PROBE_HELP_ARRAY);
}

static void record_value(struct probe_gen *g, const struct probe_fetch *f)
{
	if (f->src == PROBE_SRC_IMM && !f->nr_steps && !f->bits.width) {
		u64 imm = f->value;

		if (f->size <= 4 || (s64)imm == (s32)imm) {
			probe_gen_store_imm(g, f->dst, f->size, imm);
			return;
		}
	}
	probe_gen_store_reg(g, f->dst, f->size, probe_gen_number(g, f));
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

/* Pass the value, an address, to a helper that records a text. */
static void record_text_of(struct probe_gen *g, const struct probe_fetch *f, enum probe_helper nr)
{
	s64 off;
	u8 v;

	v = probe_gen_evaluate(g, f, &off);
	probe_gen_address(g, v, off);
	probe_emit_imm(g->code, BPF_REG_3, f->dst);
	probe_gen_call(g, nr);
}

static void record_stack(struct probe_gen *g, const struct probe_fetch *f)
{
	probe_emit_imm(g->code, BPF_REG_2, f->dst);
	probe_emit_imm(g->code, BPF_REG_3, f->text);
	probe_emit_imm(g->code, BPF_REG_4, probe_stack_shape(f->value, f->user, f->above_hit));
	probe_gen_call(g, PROBE_HELP_STACK);
}

/**
 * probe_gen_store() - store an argument in the record
 * @g: the program
 * @f: the argument
 */
void probe_gen_store(struct probe_gen *g, const struct probe_fetch *f)
{
	if (f->src == PROBE_SRC_FORMULA)
		probe_gen_formula(g, f->formula);
	switch (f->store) {
	case PROBE_STORE_VALUE:
		record_value(g, f);
		break;
	case PROBE_STORE_MEM:
		if (f->count)
			record_array(g, f);
		else
			probe_gen_store_reg(g, f->dst, f->size, probe_gen_number(g, f));
		break;
	case PROBE_STORE_STRING:
		record_string(g, f);
		break;
	case PROBE_STORE_SYMSTR:
		record_text_of(g, f, PROBE_HELP_SYMSTR);
		break;
	case PROBE_STORE_PATH:
		record_text_of(g, f, PROBE_HELP_PATH);
		break;
	case PROBE_STORE_DENTRY:
		record_text_of(g, f, PROBE_HELP_DENTRY);
		break;
	case PROBE_STORE_STACK:
		record_stack(g, f);
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

/**
 * probe_gen_begin() - begin a part of the main line
 * @g: the program
 * @part: the part
 */
void probe_gen_begin(struct probe_gen *g, struct probe_gen_part *part)
{
	part->first = g->nr_slow;
	part->done = true;
}

/**
 * probe_gen_end() - end a part of the main line
 * @g: the program
 * @part: the part
 */
void probe_gen_end(struct probe_gen *g, struct probe_gen_part *part)
{
	part->last = g->nr_slow;
	part->at = g->code->len;
	part->state = g->state;
}

/**
 * probe_gen_arg() - record an argument, unless it is recorded already
 * @g: the program
 * @nr: index of the argument
 *
 * The fault map must be cleared before the first argument is recorded.
 */
void probe_gen_arg(struct probe_gen *g, unsigned int nr)
{
	struct probe_gen_part *part = &g->args[nr];

	if (part->done)
		return;
	if (!g->has_map)
		probe_gen_clear_map(g);
	g->has_map = true;
	probe_gen_begin(g, part);
	probe_gen_store(g, &g->fetch[nr]);
	probe_gen_end(g, part);
}
