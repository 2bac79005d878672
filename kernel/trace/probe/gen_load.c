// SPDX-License-Identifier: GPL-2.0
/*
 * Code generation: sources of values, and loads from memory.  Each load_*() below returns the
 * register with the value.
 */
#include <linux/errno.h>
#include <linux/filter.h>
#include <linux/log2.h>

#include "emit.h"
#include "gen.h"

static u8 other_value_reg(u8 reg)
{
	return reg == REG_VALUE ? REG_VALUE2 : REG_VALUE;
}

/*
 * Branch to the slow path if the address is in the lower half of the address space,
 * which has no kernel addresses.  Returns the branch, or 0 when no check is needed.
 */
static u32 emit_kernel_guard(struct probe_gen *g, u8 src, s64 off)
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

static u8 load_kernel(struct probe_gen *g, u8 src, s64 off, unsigned int size)
{
	u8 dst = other_value_reg(src);
	struct probe_slow_path *s;
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
	s = probe_gen_slow_path(g, probe_emit_branch(g->code, BPF_JEQ, dst, 0));
	s->guard = from;
	s->is_load = true;
	s->dst = dst;
	s->src = src;
	s->size = size;
	s->off = off;
	return dst;
}

/**
 * probe_gen_address() - set R2, the address parameter of helpers
 * @g: the program
 * @src: register with an address
 * @off: displacement
 */
void probe_gen_address(struct probe_gen *g, u8 src, s64 off)
{
	probe_emit(g->code, BPF_MOV64_REG(BPF_REG_2, src));
	probe_emit_add(g->code, BPF_REG_2, off, REG_TEMP);
}

/**
 * probe_gen_result() - load the number that a helper has read
 * @g: the program
 * @dst: register for the number
 */
void probe_gen_result(struct probe_gen *g, u8 dst)
{
	probe_gen_field(g, sizeof(u64), dst, offsetof(struct probe_hit, val));
}

/**
 * probe_gen_number_of() - call a helper for a number
 * @g: the program
 * @nr: the helper; R2 to R5 have its parameters after the hit
 *
 * Return: the register with the number.
 */
u8 probe_gen_number_of(struct probe_gen *g, enum probe_helper nr)
{
	probe_gen_call(g, nr);
	probe_gen_fault_if(g, BPF_JNE, BPF_REG_0);
	probe_gen_result(g, REG_VALUE);
	return REG_VALUE;
}

static u8 load_by_helper(struct probe_gen *g, u8 src, s64 off, unsigned int size, bool user)
{
	g->is_kernel = false;
	probe_gen_address(g, src, off);
	probe_emit_imm(g->code, BPF_REG_3, probe_number_shape(size, user));
	return probe_gen_number_of(g, PROBE_HELP_LOAD);
}

/* Load and extract a bitfield that is in no integer of 1, 2, 4 or 8 bytes. */
static u8 load_bits_by_helper(struct probe_gen *g, u8 src, s64 off, const struct probe_fetch *f)
{
	g->is_kernel = false;
	probe_gen_address(g, src, off);
	probe_emit_imm(g->code, BPF_REG_3, probe_number_shape(f->bits.load, f->user));
	probe_emit_imm(g->code, BPF_REG_4, probe_gen_bits_shape(&f->bits));
	return probe_gen_number_of(g, PROBE_HELP_BITS);
}

/**
 * probe_gen_load() - load a number from memory
 * @g: the program
 * @src: register with the address
 * @off: displacement
 * @size: its bytes
 * @user: the memory is in user space
 *
 * Return: the register with the number, zero-extended.
 */
u8 probe_gen_load(struct probe_gen *g, u8 src, s64 off, unsigned int size, bool user)
{
	if (user || g->arch->in_user || !g->arch->probe_mem)
		return load_by_helper(g, src, off, size, user);
	return load_kernel(g, src, off, size);
}

/* Add the offset of this CPU's copies of per-CPU variables to a register. */
static void add_this_cpu(struct probe_gen *g, u8 reg)
{
	probe_emit(g->code, BPF_RAW_INSN(BPF_ALU64 | BPF_MOV | BPF_X, reg, reg,
					 BPF_ADDR_PERCPU, 0));
	g->code->jit_only = true;
}

/* The address of this CPU's copy of the variable at the per-CPU address in @v. */
static u8 load_this_cpu(struct probe_gen *g, u8 v)
{
	g->is_kernel = false;
	if (g->arch->percpu) {
		add_this_cpu(g, v);
		return v;
	}
	probe_gen_address(g, v, 0);
	probe_gen_call(g, PROBE_HELP_THIS_CPU);
	return BPF_REG_0;
}

static u8 load_step(struct probe_gen *g, u8 v, const struct probe_step *s, s64 off)
{
	if (s->this_cpu)
		return load_this_cpu(g, v);
	return probe_gen_load(g, v, off, g->arch->word, s->user);
}

static u8 load_part(struct probe_gen *g, unsigned int off, u8 size)
{
	probe_emit(g->code, BPF_LDX_MEM(probe_emit_size(size), REG_VALUE, probe_gen_regs(g), off));
	return REG_VALUE;
}

static u8 load_register(struct probe_gen *g, unsigned int off)
{
	return load_part(g, off, g->arch->word);
}

static u8 load_stack(struct probe_gen *g, unsigned long nr)
{
	s64 off = nr * g->arch->word;
	u8 sp = load_register(g, g->arch->sp);

	/* An offset that changes bits above the stack's size leads out of the stack. */
	if (off) {
		probe_emit(g->code, BPF_MOV64_REG(REG_VALUE2, sp));
		probe_emit_add(g->code, REG_VALUE2, off, REG_TEMP);
		probe_emit(g->code, BPF_ALU64_REG(BPF_XOR, REG_VALUE2, sp));
		probe_emit(g->code, BPF_ALU64_IMM(BPF_RSH, REG_VALUE2, g->arch->stack_shift));
		probe_gen_fault_if(g, BPF_JNE, REG_VALUE2);
	}
	g->is_kernel = true;
	return probe_gen_load(g, sp, off, g->arch->word, false);
}

static u8 load_argument(struct probe_gen *g, unsigned long nr)
{
	if (nr < g->arch->nr_args)
		return load_register(g, g->arch->args[nr]);
	return load_stack(g, nr - g->arch->nr_args + g->arch->first_stack_arg);
}

static u8 load_entry(struct probe_gen *g, unsigned int off)
{
	probe_gen_field(g, g->arch->word, REG_VALUE, offsetof(struct probe_hit, entry));
	probe_emit(g->code, BPF_LDX_MEM(probe_emit_size(g->arch->word), REG_VALUE,
					REG_VALUE, off));
	return REG_VALUE;
}

/**
 * probe_gen_load_plain() - load bytes that are readable
 * @g: the program
 * @dst: register for the bytes, zero-extended; neither @base nor REG_TEMP
 * @base: register with an address
 * @off: offset from there
 * @size: their number
 */
void probe_gen_load_plain(struct probe_gen *g, u8 dst, u8 base, unsigned int off,
			  unsigned int size)
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
static u8 load_event_field(struct probe_gen *g, const struct probe_fetch *f)
{
	u8 rec = REG_VALUE, dst = REG_VALUE2;

	probe_gen_field(g, g->arch->word, rec, offsetof(struct probe_hit, entry));
	if (f->src == PROBE_SRC_FIELD_ADDR) {
		probe_emit_add(g->code, rec, f->value, REG_TEMP);
		return rec;
	}
	if (f->src == PROBE_SRC_FIELD) {
		probe_gen_load_plain(g, dst, rec, f->value, f->part);
		if (f->part_signed && f->part < sizeof(u64)) {
			probe_emit(g->code, BPF_ALU64_IMM(BPF_LSH, dst, 64 - 8 * f->part));
			probe_emit(g->code, BPF_ALU64_IMM(BPF_ARSH, dst, 64 - 8 * f->part));
		}
		return dst;
	}
	probe_gen_load_plain(g, dst, rec, f->value, sizeof(u32));
	/* The length of text that could not be read is 0. */
	probe_emit(g->code, BPF_MOV64_REG(REG_TEMP, dst));
	probe_emit(g->code, BPF_ALU64_IMM(BPF_RSH, REG_TEMP, 16));
	probe_gen_fault_if(g, BPF_JEQ, REG_TEMP);
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

static u8 load_source_by_helper(struct probe_gen *g, const struct probe_fetch *f)
{
	probe_emit_imm(g->code, BPF_REG_2, f->src);
	probe_emit_imm(g->code, BPF_REG_3, f->value);
	probe_gen_number_of(g, PROBE_HELP_SOURCE);
	/* The helper reads a full word: clear the bytes above the part. */
	if (f->part) {
		probe_emit(g->code, BPF_ALU64_IMM(BPF_LSH, REG_VALUE, 64 - 8 * f->part));
		probe_emit(g->code, BPF_ALU64_IMM(BPF_RSH, REG_VALUE, 64 - 8 * f->part));
	}
	return REG_VALUE;
}

static u8 load_current(struct probe_gen *g)
{
	probe_emit_imm(g->code, REG_VALUE, g->arch->current_task);
	add_this_cpu(g, REG_VALUE);
	probe_emit(g->code, BPF_LDX_MEM(probe_emit_size(g->arch->word), REG_VALUE, REG_VALUE, 0));
	return REG_VALUE;
}

static u8 load_place(struct probe_gen *g, long off)
{
	probe_gen_field(g, g->arch->word, REG_VALUE, offsetof(struct probe_hit, head[0]));
	probe_emit_add(g->code, REG_VALUE, off, REG_TEMP);
	return REG_VALUE;
}

/* In user space, the meaning of other registers can depend on the task. */
static bool needs_helper(const struct probe_gen *g, enum probe_src src)
{
	if (src == PROBE_SRC_CPU || src == PROBE_SRC_PID || src == PROBE_SRC_TIME ||
	    src == PROBE_SRC_LATENCY)
		return true;
	if (src == PROBE_SRC_CURRENT)
		return !g->arch->current_task;
	return !g->arch->direct || (g->arch->in_user && src != PROBE_SRC_REG);
}

static u8 load_source(struct probe_gen *g, const struct probe_fetch *f)
{
	if (f->src == PROBE_SRC_ENTRY)
		return load_entry(g, f->value);
	if (f->src == PROBE_SRC_PLACE)
		return load_place(g, f->value);
	if (f->src == PROBE_SRC_FORMULA)
		return g->top;
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

/**
 * probe_gen_evaluate() - evaluate the source and the steps of an argument
 * @g: the program
 * @f: the argument
 * @off: set to the displacement that the caller must add to the value before it uses the
 *	value as an address; if the source is a constant, the first displacement is added here
 *
 * Return: the register with the value.
 */
u8 probe_gen_evaluate(struct probe_gen *g, const struct probe_fetch *f, s64 *off)
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

static void extract_bits(struct probe_gen *g, u8 v, const struct probe_fetch *f)
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

/**
 * probe_gen_number() - load a number that is not an array
 * @g: the program
 * @f: the argument
 *
 * Return: the register with the number, in its low f->size bytes.
 */
u8 probe_gen_number(struct probe_gen *g, const struct probe_fetch *f)
{
	s64 off;
	u8 v = probe_gen_evaluate(g, f, &off);

	if (f->store == PROBE_STORE_MEM) {
		if (f->bits.width && !is_power_of_2(f->bits.load))
			return load_bits_by_helper(g, v, off, f);
		v = probe_gen_load(g, v, off, f->bits.width ? f->bits.load : f->size, f->user);
	}
	extract_bits(g, v, f);
	return v;
}

/* Is the number in the register zero-extended already? */
static bool is_zero_extended(const struct probe_gen *g, const struct probe_fetch *f)
{
	if (f->bits.width)
		return !f->bits.is_signed && f->bits.width < f->size * 8;
	if (f->store == PROBE_STORE_MEM)
		return true;
	return f->src == PROBE_SRC_REG && f->part && f->part <= f->size;
}

static void extend(struct probe_gen *g, u8 v, unsigned int size, bool is_signed)
{
	if (is_signed) {
		probe_emit(g->code, BPF_ALU64_IMM(BPF_LSH, v, 64 - 8 * size));
		probe_emit(g->code, BPF_ALU64_IMM(BPF_ARSH, v, 64 - 8 * size));
	} else if (size == sizeof(u32)) {
		probe_emit(g->code, BPF_MOV32_REG(v, v));
	} else {
		probe_emit(g->code, BPF_ALU64_IMM(BPF_AND, v, (1U << 8 * size) - 1));
	}
}

/**
 * probe_gen_extend() - extend a number of f->size bytes to 64 bits
 * @g: the program
 * @v: the register with the number
 * @f: the argument
 * @is_signed: sign-extend it
 * @zero_extended: the number is known to be zero-extended already
 */
void probe_gen_extend(struct probe_gen *g, u8 v, const struct probe_fetch *f, bool is_signed,
		      bool zero_extended)
{
	if (f->size < sizeof(u64) && (is_signed || !(zero_extended || is_zero_extended(g, f))))
		extend(g, v, f->size, is_signed);
}

/* All steps of JITs that know per-CPU addresses, except for dereferences, need no call. */
static bool steps_may_call(const struct probe_gen *g, const struct probe_fetch *f)
{
	unsigned int i;

	for (i = 0; i < f->nr_steps; i++)
		if (!f->steps[i].this_cpu || !g->arch->percpu)
			return true;
	return false;
}

/**
 * probe_gen_may_call() - does an argument need a call on the main line or on a slow path?
 * @g: the program
 * @f: the argument
 *
 * Return: true if it may need one.
 */
bool probe_gen_may_call(const struct probe_gen *g, const struct probe_fetch *f)
{
	if (steps_may_call(g, f) || f->store != PROBE_STORE_VALUE)
		return true;
	if (is_event_field(f))
		return false;
	switch (f->src) {
	case PROBE_SRC_IMM:
	case PROBE_SRC_ENTRY:
	case PROBE_SRC_PLACE:
	case PROBE_SRC_FORMULA:
		return false;
	case PROBE_SRC_STACK:
		return true;
	case PROBE_SRC_ARG:
		return !g->arch->direct || f->value >= g->arch->nr_args;
	default:
		return needs_helper(g, f->src);
	}
}
