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
#include <linux/align.h>
#include <linux/errno.h>
#include <linux/filter.h>
#include <linux/limits.h>
#include <linux/log2.h>
#include <linux/minmax.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/swab.h>

#include "code.h"
#include "emit.h"
#include "expr.h"
#include "fetch.h"
#include "helpers.h"
#include "record.h"

enum {
	REG_REGS	= BPF_REG_2,	/* hit->regs, if have_regs */
	REG_REC		= BPF_REG_3,	/* hit->rec, if have_rec */
	REG_VALUE	= BPF_REG_0,
	REG_VALUE2	= BPF_REG_4,
	REG_TEMP	= BPF_REG_5,
};

/* The pointer registers that are loaded at some point of the main line. */
struct state {
	bool	have_regs;
	bool	have_rec;
};

/**
 * struct slow_path - code after the exit, for one branch of the main line
 * @branch: the branch that leads to it
 * @guard: another branch to it, before the load; 0 when there is none
 * @is_load: it calls the helper to load a value; otherwise @branch goes
 *	straight to the argument's fault block
 * @dst: register for the value
 * @src: register with the address
 * @size: bytes to load
 * @off: displacement
 * @state: state to restore on return to the instruction after the branch
 */
struct slow_path {
	u32		branch;
	u32		guard;
	bool		is_load;
	u8		dst;
	u8		src;
	u8		size;
	s16		off;
	struct state	state;
};

/* For one argument: a slow path for each step, the stack check, the source and the value. */
#define MAX_SLOW_PATHS	(PROBE_MAX_DEREF + 3)

/**
 * struct arg_end - end of an argument's part of the main line
 * @at: index of the next instruction
 * @state: state that this instruction expects
 * @first: the argument's first slow path
 */
struct arg_end {
	u32		at;
	struct state	state;
	u32		first;
};

/**
 * struct gen - a program being generated
 * @code: its instructions so far
 * @l: layout of the record
 * @arch: the machine
 * @hit: register with the hit
 * @state: which of the other pointer registers are loaded
 * @is_kernel: the next load is known to be from a kernel address
 * @slow: code to emit after the exit
 * @nr_slow: number of @slow
 * @ends: the end of each argument, and a last entry with @nr_slow in @first
 */
struct gen {
	struct probe_code		*code;
	const struct probe_layout	*l;
	const struct probe_arch		*arch;
	u8				hit;
	struct state			state;
	bool				is_kernel;
	struct slow_path		*slow;
	u32				nr_slow;
	struct arg_end			*ends;
};

static void load_field(struct gen *g, unsigned int size, u8 dst, size_t field)
{
	probe_emit(g->code, BPF_LDX_MEM(probe_emit_size(size), dst, g->hit, field));
}

static void load_regs(struct gen *g)
{
	load_field(g, g->arch->word, REG_REGS, offsetof(struct probe_hit, regs));
}

static void load_rec(struct gen *g)
{
	load_field(g, g->arch->word, REG_REC, offsetof(struct probe_hit, rec));
}

static u8 need_regs(struct gen *g)
{
	if (!g->state.have_regs)
		load_regs(g);
	g->state.have_regs = true;
	return REG_REGS;
}

static u8 need_rec(struct gen *g)
{
	if (!g->state.have_rec)
		load_rec(g);
	g->state.have_rec = true;
	return REG_REC;
}

static void restore(struct gen *g, struct state state)
{
	if (state.have_regs)
		load_regs(g);
	if (state.have_rec)
		load_rec(g);
}

static enum probe_helper helper_in_user(enum probe_helper nr)
{
	switch (nr) {
	case PROBE_HELP_SOURCE:
		return PROBE_HELP_USER_SOURCE;
	case PROBE_HELP_LOAD:
		return PROBE_HELP_USER_LOAD;
	case PROBE_HELP_ARRAY:
		return PROBE_HELP_USER_ARRAY;
	case PROBE_HELP_STRING:
		return PROBE_HELP_USER_STRING;
	case PROBE_HELP_STRINGS:
		return PROBE_HELP_USER_STRINGS;
	case PROBE_HELP_BITS:
		return PROBE_HELP_USER_BITS;
	default:
		return nr;
	}
}

/* Clobbers R0 to R5. */
static void call(struct gen *g, enum probe_helper nr)
{
	if (g->arch->in_user)
		nr = helper_in_user(nr);
	probe_emit(g->code, BPF_MOV64_REG(BPF_REG_1, g->hit));
	probe_emit(g->code, BPF_RAW_INSN(BPF_JMP | BPF_CALL, 0, 0, 0,
					 probe_helper_imm(nr)));
	g->code->calls = true;
	g->state = (struct state){};
}

static struct slow_path *add_slow_path(struct gen *g, u32 branch)
{
	struct slow_path *s = &g->slow[g->nr_slow++];

	*s = (struct slow_path){ .branch = branch, .state = g->state };
	return s;
}

static void fault_if(struct gen *g, u8 op, u8 reg)
{
	add_slow_path(g, probe_emit_branch(g->code, op, reg, 0));
}

/*
 * A mask for @n bits of the fault map, starting at bit @bit of an aligned u32.
 * The map numbers bits byte by byte, so swap the bytes for big-endian machines.
 */
static u32 map_mask(const struct gen *g, unsigned int bit, unsigned int n)
{
	u32 mask = (u32)(((1ULL << n) - 1) << bit);

	return g->arch->big_endian ? swab32(mask) : mask;
}

/* Stores to the record */

static bool store_is_direct(const struct gen *g, unsigned int dst, unsigned int size)
{
	if (size >= 4 && g->arch->word_end && dst >= g->arch->word_end)
		return false;
	/* Records are aligned to at least 4 bytes. */
	return g->arch->unaligned || (size <= 4 && dst % size == 0);
}

static void store_imm(struct gen *g, unsigned int dst, unsigned int size, s32 imm)
{
	u8 rec = need_rec(g);
	unsigned int i;

	if (store_is_direct(g, dst, size)) {
		probe_emit(g->code, BPF_ST_MEM(probe_emit_size(size), rec, dst, imm));
		return;
	}
	for (i = 0; i < size; i++) {
		unsigned int byte = g->arch->big_endian ? size - 1 - i : i;

		probe_emit(g->code, BPF_ST_MEM(BPF_B, rec, dst + i,
					       (u8)((s64)imm >> (8 * byte))));
	}
}

static void store_reg(struct gen *g, unsigned int dst, unsigned int size, u8 reg)
{
	u8 rec = need_rec(g);
	unsigned int i;

	if (store_is_direct(g, dst, size)) {
		probe_emit(g->code, BPF_STX_MEM(probe_emit_size(size), rec, reg, dst));
		return;
	}
	for (i = 0; i < size; i++) {
		unsigned int byte = g->arch->big_endian ? size - 1 - i : i;

		probe_emit(g->code, BPF_STX_MEM(BPF_B, rec, reg, dst + byte));
		if (i < size - 1)
			probe_emit(g->code, BPF_ALU64_IMM(BPF_RSH, reg, 8));
	}
}

/*
 * Zero the bytes from @from to @to.  Stores may begin as low as @floor, so that
 * fewer of them are needed.
 */
static void zero(struct gen *g, unsigned int from, unsigned int to, unsigned int floor)
{
	while (to > from) {
		unsigned int size = g->arch->unaligned ? 8 : 4;

		while (size > 1 && (to < floor + size || size >= 2 * (to - from) ||
				    !store_is_direct(g, to - size, size)))
			size /= 2;
		to -= size;
		store_imm(g, to, size, 0);
	}
}

/*
 * Clear the bytes between the fields and the room for task names, and set PROBE_MAP_MARK.
 * This may overwrite the end of the fields, which are stored later.
 */
static void clear_map(struct gen *g)
{
	unsigned int at = g->l->fixed, word = ALIGN_DOWN(at, sizeof(u32));

	if (!g->l->bits) {
		zero(g, at, g->l->texts, g->l->head);
		return;
	}
	store_imm(g, word, sizeof(u32),
		  map_mask(g, 8 * (at - word) + PROBE_MAP_MARK, 1));
	word += sizeof(u32);
	zero(g, word, g->l->texts, word);
}

/* Sources and loads: each load_*() below returns the register with the value */

static u8 other_value_reg(u8 reg)
{
	return reg == REG_VALUE ? REG_VALUE2 : REG_VALUE;
}

/*
 * Branch to the slow path if the address is in the lower half of the address space,
 * which has no kernel addresses.  Returns the branch, or 0 when no check is needed.
 */
static u32 emit_kernel_guard(struct gen *g, u8 src, s64 off)
{
	bool need = g->arch->guard && !g->is_kernel;
	u8 addr = src;

	g->is_kernel = false;
	if (!need)
		return 0;
	if (g->arch->guard_exact && (off || g->arch->tag_bits)) {
		addr = REG_TEMP;
		probe_emit(g->code, BPF_MOV64_REG(addr, src));
		probe_emit_add(g->code, addr, off, addr);
		if (g->arch->tag_bits)
			probe_emit(g->code, BPF_ALU64_IMM(BPF_LSH, addr,
							  g->arch->tag_bits));
	}
	return probe_emit_branch(g->code, BPF_JSGE, addr, 0);
}

static u8 load_kernel(struct gen *g, u8 src, s64 off, unsigned int size)
{
	u8 dst = other_value_reg(src);
	struct slow_path *s;
	u32 from;

	if (off != (s16)off) {
		probe_emit_add(g->code, src, off, REG_TEMP);
		g->is_kernel = false;
		off = 0;
	}
	from = emit_kernel_guard(g, src, off);
	probe_emit(g->code, BPF_RAW_INSN(BPF_LDX | BPF_PROBE_MEM | probe_emit_size(size),
					 dst, src, off, 0));
	g->code->nr_ex++;
	s = add_slow_path(g, probe_emit_branch(g->code, BPF_JEQ, dst, 0));
	s->guard = from;
	s->is_load = true;
	s->dst = dst;
	s->src = src;
	s->size = size;
	s->off = off;
	return dst;
}

/* Set R2, the address parameter of helpers. */
static void address_arg(struct gen *g, u8 src, s64 off)
{
	probe_emit(g->code, BPF_MOV64_REG(BPF_REG_2, src));
	probe_emit_add(g->code, BPF_REG_2, off, REG_TEMP);
}

static void fetch_result(struct gen *g, u8 dst)
{
	load_field(g, sizeof(u64), dst, offsetof(struct probe_hit, val));
}

static u8 number_of_helper(struct gen *g, enum probe_helper nr)
{
	call(g, nr);
	fault_if(g, BPF_JNE, BPF_REG_0);
	fetch_result(g, REG_VALUE);
	return REG_VALUE;
}

static u8 load_by_helper(struct gen *g, u8 src, s64 off, unsigned int size, bool user)
{
	g->is_kernel = false;
	address_arg(g, src, off);
	probe_emit_imm(g->code, BPF_REG_3, probe_number_shape(size, user));
	return number_of_helper(g, PROBE_HELP_LOAD);
}

static u64 bits_shape(const struct probe_bits *b)
{
	return probe_bits_shape(b->width, b->shift, b->is_signed);
}

/* Load and extract a bitfield that is in no integer of 1, 2, 4 or 8 bytes. */
static u8 load_bits_by_helper(struct gen *g, u8 src, s64 off, const struct probe_fetch *f)
{
	g->is_kernel = false;
	address_arg(g, src, off);
	probe_emit_imm(g->code, BPF_REG_3, probe_number_shape(f->bits.load, f->user));
	probe_emit_imm(g->code, BPF_REG_4, bits_shape(&f->bits));
	return number_of_helper(g, PROBE_HELP_BITS);
}

static u8 load_value(struct gen *g, u8 src, s64 off, unsigned int size, bool user)
{
	if (user || g->arch->in_user || !g->arch->probe_mem)
		return load_by_helper(g, src, off, size, user);
	return load_kernel(g, src, off, size);
}

/* Add the offset of this CPU's copies of per-CPU variables to a register. */
static void add_this_cpu(struct gen *g, u8 reg)
{
	probe_emit(g->code, BPF_RAW_INSN(BPF_ALU64 | BPF_MOV | BPF_X, reg, reg,
					 BPF_ADDR_PERCPU, 0));
	g->code->jit_only = true;
}

/* The address of this CPU's copy of the variable at the per-CPU address in @v. */
static u8 load_this_cpu(struct gen *g, u8 v)
{
	g->is_kernel = false;
	if (g->arch->percpu) {
		add_this_cpu(g, v);
		return v;
	}
	address_arg(g, v, 0);
	call(g, PROBE_HELP_THIS_CPU);
	return BPF_REG_0;
}

static u8 load_step(struct gen *g, u8 v, const struct probe_step *s, s64 off)
{
	if (s->this_cpu)
		return load_this_cpu(g, v);
	return load_value(g, v, off, g->arch->word, s->user);
}

static u8 load_part(struct gen *g, unsigned int off, u8 size)
{
	probe_emit(g->code, BPF_LDX_MEM(probe_emit_size(size), REG_VALUE, need_regs(g), off));
	return REG_VALUE;
}

static u8 load_register(struct gen *g, unsigned int off)
{
	return load_part(g, off, g->arch->word);
}

static u8 load_stack(struct gen *g, unsigned long nr)
{
	s64 off = nr * g->arch->word;
	u8 sp = load_register(g, g->arch->sp);

	/* An offset that changes bits above the stack's size leads out of the stack. */
	if (off) {
		probe_emit(g->code, BPF_MOV64_REG(REG_VALUE2, sp));
		probe_emit_add(g->code, REG_VALUE2, off, REG_TEMP);
		probe_emit(g->code, BPF_ALU64_REG(BPF_XOR, REG_VALUE2, sp));
		probe_emit(g->code, BPF_ALU64_IMM(BPF_RSH, REG_VALUE2, g->arch->stack_shift));
		fault_if(g, BPF_JNE, REG_VALUE2);
	}
	g->is_kernel = true;
	return load_value(g, sp, off, g->arch->word, false);
}

static u8 load_argument(struct gen *g, unsigned long nr)
{
	if (nr < g->arch->nr_args)
		return load_register(g, g->arch->args[nr]);
	return load_stack(g, nr - g->arch->nr_args + g->arch->first_stack_arg);
}

static u8 load_entry(struct gen *g, unsigned int off)
{
	load_field(g, g->arch->word, REG_VALUE, offsetof(struct probe_hit, entry));
	probe_emit(g->code, BPF_LDX_MEM(probe_emit_size(g->arch->word), REG_VALUE,
					REG_VALUE, off));
	return REG_VALUE;
}

/*
 * Load @size bytes at @base + @off, which are readable, zero-extended.  @dst is neither @base
 * nor REG_TEMP.
 */
static void load_memory(struct gen *g, u8 dst, u8 base, unsigned int off, unsigned int size)
{
	unsigned int i;

	/* Another event's fields are aligned to their size, except in a packed record. */
	if (g->arch->unaligned || (size <= 4 && off % size == 0)) {
		probe_emit(g->code, BPF_LDX_MEM(probe_emit_size(size), dst, base, off));
		return;
	}
	probe_emit(g->code, BPF_MOV64_IMM(dst, 0));
	for (i = 0; i < size; i++) {
		unsigned int byte = g->arch->big_endian ? i : size - 1 - i;

		probe_emit(g->code, BPF_ALU64_IMM(BPF_LSH, dst, 8));
		probe_emit(g->code, BPF_LDX_MEM(BPF_B, REG_TEMP, base, off + byte));
		probe_emit(g->code, BPF_ALU64_REG(BPF_OR, dst, REG_TEMP));
	}
}

/* The value of a field, or the address of its data. */
static u8 load_event_field(struct gen *g, const struct probe_fetch *f)
{
	u8 rec = REG_VALUE, dst = REG_VALUE2;

	load_field(g, g->arch->word, rec, offsetof(struct probe_hit, entry));
	if (f->src == PROBE_SRC_FIELD_ADDR) {
		probe_emit_add(g->code, rec, f->value, REG_TEMP);
		return rec;
	}
	if (f->src == PROBE_SRC_FIELD) {
		load_memory(g, dst, rec, f->value, f->part);
		if (f->part_signed && f->part < sizeof(u64)) {
			probe_emit(g->code, BPF_ALU64_IMM(BPF_LSH, dst, 64 - 8 * f->part));
			probe_emit(g->code, BPF_ALU64_IMM(BPF_ARSH, dst, 64 - 8 * f->part));
		}
		return dst;
	}
	load_memory(g, dst, rec, f->value, sizeof(u32));
	/* The length of text that could not be read is 0. */
	probe_emit(g->code, BPF_MOV64_REG(REG_TEMP, dst));
	probe_emit(g->code, BPF_ALU64_IMM(BPF_RSH, REG_TEMP, 16));
	fault_if(g, BPF_JEQ, REG_TEMP);
	probe_emit(g->code, BPF_ALU64_IMM(BPF_AND, dst, 0xffff));
	probe_emit(g->code, BPF_ALU64_REG(BPF_ADD, dst, rec));
	if (f->src == PROBE_SRC_FIELD_REL)
		probe_emit_add(g->code, dst, f->value + sizeof(u32), REG_TEMP);
	return dst;
}

static bool is_event_field(const struct probe_fetch *f)
{
	return f->src == PROBE_SRC_FIELD || probe_fetch_is_field_address(f);
}

static u8 load_source_by_helper(struct gen *g, const struct probe_fetch *f)
{
	probe_emit_imm(g->code, BPF_REG_2, f->src);
	probe_emit_imm(g->code, BPF_REG_3, f->value);
	number_of_helper(g, PROBE_HELP_SOURCE);
	/* The helper reads a full word: clear the bytes above the part. */
	if (f->part) {
		probe_emit(g->code, BPF_ALU64_IMM(BPF_LSH, REG_VALUE, 64 - 8 * f->part));
		probe_emit(g->code, BPF_ALU64_IMM(BPF_RSH, REG_VALUE, 64 - 8 * f->part));
	}
	return REG_VALUE;
}

static u8 load_current(struct gen *g)
{
	probe_emit_imm(g->code, REG_VALUE, g->arch->current_task);
	add_this_cpu(g, REG_VALUE);
	probe_emit(g->code, BPF_LDX_MEM(probe_emit_size(g->arch->word), REG_VALUE, REG_VALUE, 0));
	return REG_VALUE;
}

static u8 load_place(struct gen *g, long off)
{
	load_field(g, g->arch->word, REG_VALUE, offsetof(struct probe_hit, head[0]));
	probe_emit_add(g->code, REG_VALUE, off, REG_TEMP);
	return REG_VALUE;
}

/* In user space, the meaning of other registers can depend on the task. */
static bool needs_helper(const struct gen *g, enum probe_src src)
{
	if (src == PROBE_SRC_CURRENT)
		return !g->arch->current_task;
	return !g->arch->direct || (g->arch->in_user && src != PROBE_SRC_REG);
}

static u8 load_source(struct gen *g, const struct probe_fetch *f)
{
	if (f->src == PROBE_SRC_ENTRY)
		return load_entry(g, f->value);
	if (f->src == PROBE_SRC_PLACE)
		return load_place(g, f->value);
	if (is_event_field(f))
		return load_event_field(g, f);
	if (needs_helper(g, f->src))
		return load_source_by_helper(g, f);

	switch (f->src) {
	case PROBE_SRC_REG:
		return load_part(g, f->value, f->part ?: g->arch->word);
	case PROBE_SRC_SP:
		return load_register(g, g->arch->sp);
	case PROBE_SRC_STACK:
		return load_stack(g, f->value);
	case PROBE_SRC_ARG:
		return load_argument(g, f->value);
	case PROBE_SRC_RETVAL:
		return load_register(g, g->arch->retval);
	case PROBE_SRC_CURRENT:
		return load_current(g);
	default:
		g->code->err = -EINVAL;
		return REG_VALUE;
	}
}

/*
 * Evaluate the source and the steps.  Sets @off to the displacement that the caller must
 * add to the value before it uses the value as an address.  If the source is a constant,
 * this function adds the first displacement to it.
 */
static u8 evaluate(struct gen *g, const struct probe_fetch *f, s64 *off)
{
	s64 offs[PROBE_MAX_DEREF + 1];
	unsigned int i;
	u8 v;

	if (f->nr_steps > PROBE_MAX_DEREF) {
		g->code->err = -EINVAL;
		return REG_VALUE;
	}
	for (i = 0; i < f->nr_steps; i++)
		offs[i] = f->steps[i].off;
	offs[i] = f->off;

	if (f->src == PROBE_SRC_IMM) {
		u64 addr = (unsigned long)(f->value + offs[0]);

		v = REG_VALUE;
		probe_emit_imm(g->code, v, addr);
		offs[0] = 0;
		g->is_kernel = (s64)(addr << g->arch->tag_bits) < 0;
	} else {
		v = load_source(g, f);
		g->is_kernel = f->src == PROBE_SRC_SP || f->src == PROBE_SRC_CURRENT ||
			       probe_fetch_is_field_address(f) ||
			       (f->src == PROBE_SRC_REG && g->arch->direct &&
				f->value == g->arch->sp && !f->part);
	}
	for (i = 0; i < f->nr_steps; i++)
		v = load_step(g, v, &f->steps[i], offs[i]);
	*off = offs[i];
	return v;
}

static void extract_bits(struct gen *g, u8 v, const struct probe_fetch *f)
{
	const struct probe_bits *b = &f->bits;
	unsigned int width = b->width, shift = b->shift;

	if (!width)
		return;
	/* Only the low bytes are stored; the bits above them do not matter. */
	if (width >= f->size * 8) {
		if (shift)
			probe_emit(g->code, BPF_ALU64_IMM(BPF_RSH, v, shift));
		return;
	}
	if (!b->is_signed && width < 32) {
		if (shift)
			probe_emit(g->code, BPF_ALU64_IMM(BPF_RSH, v, shift));
		probe_emit(g->code, BPF_ALU64_IMM(BPF_AND, v, (1U << width) - 1));
		return;
	}
	if (width + shift < 64)
		probe_emit(g->code, BPF_ALU64_IMM(BPF_LSH, v, 64 - width - shift));
	probe_emit(g->code, BPF_ALU64_IMM(b->is_signed ? BPF_ARSH : BPF_RSH, v,
					  64 - width));
}

/* Stores of an argument */

/* Number of the argument's first fault bit, counted from the start of the record. */
static u32 fault_bit(const struct gen *g, const struct probe_fetch *f)
{
	return g->l->bits ? g->l->fixed * 8 + f->fault : 0;
}

static void record_array(struct gen *g, const struct probe_fetch *f)
{
	const struct probe_bits *b = &f->bits;
	s64 off;
	u8 v;

	if (b->width && b->load != f->size)
		g->code->err = -EINVAL;
	v = evaluate(g, f, &off);
	address_arg(g, v, off);
	probe_emit_imm(g->code, BPF_REG_3, f->dst);
	probe_emit_imm(g->code, BPF_REG_4,
		       probe_array_shape(f->size, f->count, f->user, fault_bit(g, f)));
	probe_emit_imm(g->code, BPF_REG_5, bits_shape(b));
	call(g, PROBE_HELP_ARRAY);
}

static void record_value(struct gen *g, const struct probe_fetch *f)
{
	s64 off;
	u8 v;

	if (f->src == PROBE_SRC_IMM && !f->nr_steps && !f->bits.width) {
		u64 imm = f->value;

		if (f->size <= 4 || (s64)imm == (s32)imm) {
			store_imm(g, f->dst, f->size, imm);
			return;
		}
	}
	v = evaluate(g, f, &off);
	extract_bits(g, v, f);
	store_reg(g, f->dst, f->size, v);
}

static void record_memory(struct gen *g, const struct probe_fetch *f)
{
	s64 off;
	u8 v;

	v = evaluate(g, f, &off);
	if (f->bits.width && !is_power_of_2(f->bits.load)) {
		v = load_bits_by_helper(g, v, off, f);
	} else {
		v = load_value(g, v, off, f->bits.width ? f->bits.load : f->size, f->user);
		extract_bits(g, v, f);
	}
	store_reg(g, f->dst, f->size, v);
}

static void record_string(struct gen *g, const struct probe_fetch *f)
{
	s64 off;
	u8 v;

	v = evaluate(g, f, &off);
	address_arg(g, v, off);
	probe_emit_imm(g->code, BPF_REG_3, f->dst);
	if (f->count) {
		probe_emit_imm(g->code, BPF_REG_4,
			       probe_strings_shape(f->count, f->user, f->str_user));
		call(g, PROBE_HELP_STRINGS);
	} else {
		probe_emit_imm(g->code, BPF_REG_4, f->str_user);
		call(g, PROBE_HELP_STRING);
	}
}

static void record_symbol(struct gen *g, const struct probe_fetch *f)
{
	s64 off;
	u8 v;

	v = evaluate(g, f, &off);
	address_arg(g, v, off);
	probe_emit_imm(g->code, BPF_REG_3, f->dst);
	call(g, PROBE_HELP_SYMSTR);
}

static void record_arg(struct gen *g, const struct probe_fetch *f)
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
		call(g, PROBE_HELP_COMM);
		break;
	case PROBE_STORE_DATA:
		probe_emit_imm(g->code, BPF_REG_2, (unsigned long)f->data);
		probe_emit_imm(g->code, BPF_REG_3, f->dst);
		probe_emit_imm(g->code, BPF_REG_4, f->data_len);
		call(g, PROBE_HELP_DATA);
		break;
	}
}

/* Code after the exit */

/* @bit: counted from the start of the record */
static void set_fault_bits(struct gen *g, unsigned int bit, unsigned int n)
{
	u8 rec = need_rec(g);

	while (n) {
		unsigned int in_word = min(n, 32 - bit % 32);
		s16 at = bit / 32 * sizeof(u32);

		probe_emit(g->code, BPF_LDX_MEM(BPF_W, REG_VALUE2, rec, at));
		probe_emit(g->code, BPF_ALU32_IMM(BPF_OR, REG_VALUE2,
						  map_mask(g, bit % 32, in_word)));
		store_reg(g, at, sizeof(u32), REG_VALUE2);
		bit += in_word;
		n -= in_word;
	}
}

static void emit_fault_block(struct gen *g, const struct probe_fetch *f,
			     const struct arg_end *end)
{
	unsigned int elements = max_t(unsigned int, f->count, 1);

	g->state = (struct state){};
	if (probe_fetch_is_string(f)) {
		probe_emit_imm(g->code, BPF_REG_2, f->dst);
		probe_emit_imm(g->code, BPF_REG_3, elements);
		call(g, PROBE_HELP_FAULT_STRINGS);
	} else {
		zero(g, f->dst, f->dst + elements * f->size, f->dst);
		if (g->l->bits)
			set_fault_bits(g, fault_bit(g, f), elements);
	}
	restore(g, end->state);
	probe_emit_jump(g->code, end->at);
}

/* Returns the branch to the fault block. */
static u32 emit_slow_load(struct gen *g, const struct slow_path *s)
{
	u32 fault;

	probe_emit_label(g->code, s->branch);
	if (s->guard)
		probe_emit_label(g->code, s->guard);
	address_arg(g, s->src, s->off);
	probe_emit_imm(g->code, BPF_REG_3, probe_number_shape(s->size, false));
	call(g, PROBE_HELP_LOAD);
	fault = probe_emit_branch(g->code, BPF_JNE, BPF_REG_0, 0);
	fetch_result(g, s->dst);
	restore(g, s->state);
	probe_emit_jump(g->code, s->branch + 1);
	return fault;
}

static void emit_slow_paths(struct gen *g, const struct probe_fetch *f,
			    const struct arg_end *end, u32 first, u32 last)
{
	u32 to_fault[MAX_SLOW_PATHS];
	u32 i;

	if (first == last)
		return;
	for (i = first; i < last; i++) {
		const struct slow_path *s = &g->slow[i];

		to_fault[i - first] = s->is_load ? emit_slow_load(g, s) : s->branch;
	}
	for (i = first; i < last; i++)
		probe_emit_label(g->code, to_fault[i - first]);
	emit_fault_block(g, f, end);
}

/* All steps of JITs that know per-CPU addresses, except for dereferences, need no call. */
static bool steps_may_call(const struct gen *g, const struct probe_fetch *f)
{
	unsigned int i;

	for (i = 0; i < f->nr_steps; i++)
		if (!f->steps[i].this_cpu || !g->arch->percpu)
			return true;
	return false;
}

static bool may_call(const struct gen *g, const struct probe_fetch *f)
{
	if (steps_may_call(g, f) || f->store != PROBE_STORE_VALUE)
		return true;
	if (is_event_field(f))
		return false;
	switch (f->src) {
	case PROBE_SRC_IMM:
	case PROBE_SRC_ENTRY:
	case PROBE_SRC_PLACE:
		return false;
	case PROBE_SRC_STACK:
		return true;
	case PROBE_SRC_ARG:
		return !g->arch->direct || f->value >= g->arch->nr_args;
	default:
		return needs_helper(g, f->src);
	}
}

static void generate(struct gen *g, const struct probe_fetch *fetch, unsigned int nr)
{
	unsigned int i;

	g->hit = BPF_REG_1;
	for (i = 0; i < nr; i++)
		if (may_call(g, &fetch[i]))
			g->hit = BPF_REG_6;
	if (g->hit != BPF_REG_1)
		probe_emit(g->code, BPF_MOV64_REG(g->hit, BPF_REG_1));

	clear_map(g);

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
	struct gen g = { .code = code, .arch = arch, .l = l };

	g.ends = kcalloc(nr + 1, sizeof(*g.ends), GFP_KERNEL);
	g.slow = kvmalloc_array(nr + 1, MAX_SLOW_PATHS * sizeof(*g.slow), GFP_KERNEL);
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
