/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A fetch program that is being generated.  Only codegen.c and the files gen*.c include this
 * file.
 */
#ifndef _PROBE_GEN_H
#define _PROBE_GEN_H

#include <linux/filter.h>

#include "code.h"
#include "expr.h"
#include "fetch.h"
#include "formula.h"
#include "helpers.h"

struct probe_predicate;
struct probe_term;

enum {
	REG_REGS	= BPF_REG_2,	/* hit->regs, if have_regs */
	REG_REC		= BPF_REG_3,	/* hit->rec, if have_rec */
	REG_VALUE	= BPF_REG_0,
	REG_VALUE2	= BPF_REG_4,
	REG_TEMP	= BPF_REG_5,
};

/* Registers that calls preserve, for the values of a formula: PROBE_MAX_SAVED of them. */
#define REG_SAVED	BPF_REG_7

/* The pointer registers that are loaded at some point of the main line. */
struct probe_gen_state {
	bool	have_regs;
	bool	have_rec;
};

/**
 * struct probe_slow_path - code after the exit, for one branch of the main line
 * @branch: the branch that leads to it
 * @guard: another branch to it, before the load; 0 when there is none
 * @is_load: it calls the helper to load a value; otherwise @branch goes
 *	straight to the argument's fault block
 * @dst: register for the value
 * @src: register with the address
 * @size: bytes to load
 * @off: displacement
 * @fault: the branch to the argument's fault block; set when the slow path is generated
 * @state: state to restore on return to the instruction after the branch
 */
struct probe_slow_path {
	u32			branch;
	u32			guard;
	bool			is_load;
	u8			dst;
	u8			src;
	u8			size;
	s16			off;
	u32			fault;
	struct probe_gen_state	state;
};

/*
 * For one argument, or for a value or an operator of a formula: a slow path for each step, the
 * stack check, the source and the value.
 */
#define PROBE_GEN_SLOW_PATHS	(PROBE_MAX_DEREF + 3)

/**
 * struct probe_gen_part - part of the main line, for an argument or a comparison
 * @at: index of the next instruction
 * @state: state that this instruction expects
 * @first: its first slow path
 * @last: the slow path after its last one
 * @branch: for a comparison: index of the branch that does not lead to the next one
 * @done: it has been generated
 */
struct probe_gen_part {
	u32			at;
	struct probe_gen_state	state;
	u32			first;
	u32			last;
	u32			branch;
	bool			done;
};

/**
 * struct probe_gen - a program being generated
 * @code: its instructions so far
 * @l: layout of the record
 * @fetch: the arguments
 * @nr: number of @fetch
 * @predicate: the predicate, or NULL
 * @arch: the machine
 * @hit: register with the hit
 * @state: which of the other pointer registers are loaded
 * @is_kernel: the next load is known to be from a kernel address
 * @top: register with the last value of the formula
 * @slow: code to emit after the exit
 * @nr_slow: number of @slow
 * @args: the parts of the arguments
 * @terms: the parts of the comparisons
 * @has_map: the fault map is cleared
 */
struct probe_gen {
	struct probe_code		*code;
	const struct probe_layout	*l;
	const struct probe_fetch	*fetch;
	unsigned int			nr;
	const struct probe_predicate	*predicate;
	const struct probe_arch		*arch;
	u8				hit;
	struct probe_gen_state		state;
	bool				is_kernel;
	u8				top;
	struct probe_slow_path		*slow;
	u32				nr_slow;
	struct probe_gen_part		*args;
	struct probe_gen_part		*terms;
	bool				has_map;
};

/* gen.c */
void probe_gen_field(struct probe_gen *g, unsigned int size, u8 dst, size_t field);
u8 probe_gen_regs(struct probe_gen *g);
u8 probe_gen_rec(struct probe_gen *g);
void probe_gen_restore(struct probe_gen *g, struct probe_gen_state state);
void probe_gen_call(struct probe_gen *g, enum probe_helper nr);
struct probe_slow_path *probe_gen_slow_path(struct probe_gen *g, u32 branch);
void probe_gen_fault_if(struct probe_gen *g, u8 op, u8 reg);

/* gen_store.c */
u32 probe_gen_fault_bit(const struct probe_gen *g, const struct probe_fetch *f);
u32 probe_gen_map_mask(const struct probe_gen *g, unsigned int bit, unsigned int n);
void probe_gen_store_imm(struct probe_gen *g, unsigned int dst, unsigned int size, s32 imm);
void probe_gen_store_reg(struct probe_gen *g, unsigned int dst, unsigned int size, u8 reg);
void probe_gen_zero(struct probe_gen *g, unsigned int from, unsigned int to,
		    unsigned int floor);
void probe_gen_clear_map(struct probe_gen *g);

/* gen_load.c */
void probe_gen_address(struct probe_gen *g, u8 src, s64 off);
void probe_gen_result(struct probe_gen *g, u8 dst);
u8 probe_gen_load(struct probe_gen *g, u8 src, s64 off, unsigned int size, bool user);
void probe_gen_load_plain(struct probe_gen *g, u8 dst, u8 base, unsigned int off,
			  unsigned int size);
u8 probe_gen_evaluate(struct probe_gen *g, const struct probe_fetch *f, s64 *off);
u8 probe_gen_number(struct probe_gen *g, const struct probe_fetch *f);
u8 probe_gen_number_of(struct probe_gen *g, enum probe_helper nr);
void probe_gen_extend(struct probe_gen *g, u8 v, const struct probe_fetch *f, bool is_signed,
		      bool zero_extended);
bool probe_gen_may_call(const struct probe_gen *g, const struct probe_fetch *f);

/* gen_formula.c */
bool probe_gen_is_fixed(const struct probe_gen *g, const struct probe_fetch *f);
bool probe_gen_is_recorded(const struct probe_gen *g, const struct probe_item *item);
u8 probe_gen_recorded(struct probe_gen *g, const struct probe_fetch *f);
void probe_gen_formula(struct probe_gen *g, const struct probe_formula *formula);
bool probe_gen_calls(const struct probe_gen *g, const struct probe_fetch *f);

/* gen_record.c */
void probe_gen_store(struct probe_gen *g, const struct probe_fetch *f);
void probe_gen_begin(struct probe_gen *g, struct probe_gen_part *part);
void probe_gen_end(struct probe_gen *g, struct probe_gen_part *part);
void probe_gen_arg(struct probe_gen *g, unsigned int nr);

/* gen_predicate.c */
const struct probe_fetch *probe_gen_operand(const struct probe_gen *g,
					    const struct probe_term *term);
void probe_gen_predicate(struct probe_gen *g);
void probe_gen_reject(struct probe_gen *g);

static inline u64 probe_gen_bits_shape(const struct probe_bits *b)
{
	return probe_bits_shape(b->width, b->shift, b->is_signed);
}

#endif /* _PROBE_GEN_H */
