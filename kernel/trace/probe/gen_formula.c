// SPDX-License-Identifier: GPL-2.0
/*
 * Code generation: arithmetic on the values of arguments.
 *
 * The last value of the stack of a formula is in any register, and the values below it are in
 * registers that calls preserve.  An operator leaves its result in the register of an operand,
 * so a value that was saved stays there as long as it is the last one.
 */
#include <linux/errno.h>
#include <linux/filter.h>
#include <linux/log2.h>

#include "emit.h"
#include "gen.h"

/* Bits of a shift's count that are used, as the instructions of most machines do. */
#define SHIFT_MASK	63

static bool is_fixed_formula(const struct probe_gen *g, const struct probe_formula *formula)
{
	unsigned int i;

	for (i = 0; i < formula->nr; i++)
		if (formula->items[i].kind == PROBE_ITEM_VALUE &&
		    !probe_gen_is_fixed(g, &formula->items[i].fetch))
			return false;
	return true;
}

/**
 * probe_gen_is_fixed() - is it a number that is the same each time that a hit reads it?
 * @g: the program
 * @f: an argument, or a value of an argument's formula
 *
 * Return: true if it is.
 */
bool probe_gen_is_fixed(const struct probe_gen *g, const struct probe_fetch *f)
{
	if (f->store != PROBE_STORE_VALUE || f->nr_steps || f->src == PROBE_SRC_STACK ||
	    f->src == PROBE_SRC_LATENCY)
		return false;
	if (f->src == PROBE_SRC_FORMULA)
		return is_fixed_formula(g, f->formula);
	return f->src != PROBE_SRC_ARG || (g->arch->direct && f->value < g->arch->nr_args);
}

/**
 * probe_gen_is_recorded() - does an item of a formula use the recorded value of an argument?
 * @g: the program
 * @item: the item
 *
 * Return: true if it does.
 */
bool probe_gen_is_recorded(const struct probe_gen *g, const struct probe_item *item)
{
	const struct probe_fetch *f = &g->fetch[item->arg];

	if (item->kind != PROBE_ITEM_VALUE || item->arg == PROBE_ITEM_OWN)
		return false;
	return f->src == PROBE_SRC_FORMULA || !probe_gen_is_fixed(g, f);
}

/**
 * probe_gen_recorded() - load a number from the record
 * @g: the program
 * @f: the argument, which is recorded and no array
 *
 * Return: the register with the number, zero-extended.
 */
u8 probe_gen_recorded(struct probe_gen *g, const struct probe_fetch *f)
{
	u32 bit = probe_gen_fault_bit(g, f);
	u8 rec = probe_gen_rec(g);

	probe_gen_load_plain(g, REG_VALUE, rec, bit / 8, 1);
	probe_emit(g->code, BPF_ALU64_IMM(BPF_AND, REG_VALUE, 1U << bit % 8));
	probe_gen_fault_if(g, BPF_JNE, REG_VALUE);
	probe_gen_load_plain(g, REG_VALUE, rec, f->dst, f->size);
	return REG_VALUE;
}

static u8 load_item(struct probe_gen *g, const struct probe_item *item)
{
	const struct probe_fetch *f = item->arg == PROBE_ITEM_OWN ? &item->fetch :
								    &g->fetch[item->arg];
	bool recorded = probe_gen_is_recorded(g, item);
	u8 v;

	if (f->count || !probe_fetch_is_number(f))
		g->code->err = -EINVAL;
	v = recorded ? probe_gen_recorded(g, f) : probe_gen_number(g, f);
	probe_gen_extend(g, v, f, item->is_signed, recorded);
	return v;
}

/* A register for a number that is used together with that in @v. */
static u8 other_reg(u8 v)
{
	return v == REG_VALUE ? REG_VALUE2 : REG_VALUE;
}

static void divide_by_helper(struct probe_gen *g, const struct probe_item *item, u8 left, u8 right)
{
	u64 how = (item->op == PROBE_MATH_MOD ? PROBE_DIVIDE_MODULO : 0) |
		  (item->is_signed ? PROBE_DIVIDE_SIGNED : 0);

	probe_emit(g->code, BPF_MOV64_REG(BPF_REG_2, left));
	probe_emit(g->code, BPF_MOV64_REG(BPF_REG_3, right));
	probe_emit_imm(g->code, BPF_REG_4, how);
	g->top = probe_gen_number_of(g, PROBE_HELP_DIVIDE);
}

/* JITs for 32 bits cannot divide numbers of 64 bits, and others cannot divide signed numbers. */
static bool divides_by_helper(const struct probe_gen *g, const struct probe_item *item)
{
	return item->is_signed || g->arch->word < sizeof(u64);
}

static void divide(struct probe_gen *g, const struct probe_item *item, u8 left, u8 right)
{
	u8 op = item->op == PROBE_MATH_MOD ? BPF_MOD : BPF_DIV;

	if (divides_by_helper(g, item)) {
		divide_by_helper(g, item, left, right);
		return;
	}
	if (item->kind == PROBE_ITEM_POP || item->swapped)
		probe_gen_fault_if(g, BPF_JEQ, right);
	probe_emit(g->code, BPF_ALU64_REG(op, left, right));
	g->top = left;
}

/* The result of a comparison, 1 or 0, goes to a register that is not compared. */
static void compare(struct probe_gen *g, const struct probe_item *item, u8 left, u8 right)
{
	static const struct {
		u8 op, signed_op;
	} ops[] = {
		[PROBE_MATH_EQ] = { BPF_JEQ, BPF_JEQ },
		[PROBE_MATH_NE] = { BPF_JNE, BPF_JNE },
		[PROBE_MATH_LT] = { BPF_JLT, BPF_JSLT },
		[PROBE_MATH_LE] = { BPF_JLE, BPF_JSLE },
		[PROBE_MATH_GT] = { BPF_JGT, BPF_JSGT },
		[PROBE_MATH_GE] = { BPF_JGE, BPF_JSGE },
	};
	u8 op = item->is_signed ? ops[item->op].signed_op : ops[item->op].op;
	u8 dst = left == REG_VALUE || right == REG_VALUE ? REG_VALUE2 : REG_VALUE;

	if (dst == left || dst == right)
		dst = REG_TEMP;
	probe_emit(g->code, BPF_MOV64_IMM(dst, 1));
	probe_emit(g->code, BPF_JMP_REG(op, left, right, 1));
	probe_emit(g->code, BPF_MOV64_IMM(dst, 0));
	if (dst == REG_TEMP)
		probe_emit(g->code, BPF_MOV64_REG(REG_VALUE, REG_TEMP));
	g->top = dst == REG_TEMP ? REG_VALUE : dst;
}

static u8 alu_op(const struct probe_item *item)
{
	switch (item->op) {
	case PROBE_MATH_OR:
		return BPF_OR;
	case PROBE_MATH_XOR:
		return BPF_XOR;
	case PROBE_MATH_AND:
		return BPF_AND;
	case PROBE_MATH_SUB:
		return BPF_SUB;
	case PROBE_MATH_MUL:
		return BPF_MUL;
	case PROBE_MATH_SHL:
		return BPF_LSH;
	case PROBE_MATH_SHR:
		return item->is_signed ? BPF_ARSH : BPF_RSH;
	default:
		return BPF_ADD;
	}
}

/* An operator on two registers. */
static void apply(struct probe_gen *g, const struct probe_item *item, u8 left, u8 right)
{
	if (probe_math_compares(item->op)) {
		compare(g, item, left, right);
		return;
	}
	if (probe_math_divides(item->op)) {
		divide(g, item, left, right);
		return;
	}
	if (probe_math_shifts(item->op))
		probe_emit(g->code, BPF_ALU64_IMM(BPF_AND, right, SHIFT_MASK));
	probe_emit(g->code, BPF_ALU64_REG(alu_op(item), left, right));
	g->top = left;
}

static bool is_commutative(enum probe_math op)
{
	return op == PROBE_MATH_OR || op == PROBE_MATH_XOR || op == PROBE_MATH_AND ||
	       op == PROBE_MATH_ADD || op == PROBE_MATH_MUL;
}

/* Is the operator an instruction with a constant of 32 bits? */
static bool has_short_form(const struct probe_item *item)
{
	if (probe_math_compares(item->op) || probe_math_divides(item->op))
		return false;
	if (item->swapped && !is_commutative(item->op))
		return false;
	return probe_math_shifts(item->op) || (s64)item->number == (s32)item->number;
}

/* Division of an unsigned number by a power of 2 needs no division. */
static bool divide_by_power(struct probe_gen *g, const struct probe_item *item)
{
	u64 number = item->number;

	if (!probe_math_divides(item->op) || item->is_signed || item->swapped ||
	    !is_power_of_2(number) || number > 1U << 30)
		return false;
	if (item->op == PROBE_MATH_DIV)
		probe_emit(g->code, BPF_ALU64_IMM(BPF_RSH, g->top, ilog2(number)));
	else
		probe_emit(g->code, BPF_ALU64_IMM(BPF_AND, g->top, number - 1));
	return true;
}

/* An operator on the last value and a constant. */
static void apply_constant(struct probe_gen *g, const struct probe_item *item)
{
	u64 number = probe_math_shifts(item->op) ? item->number & SHIFT_MASK : item->number;
	u8 constant = other_reg(g->top);

	if (divide_by_power(g, item))
		return;
	if (has_short_form(item)) {
		probe_emit(g->code, BPF_ALU64_IMM(alu_op(item), g->top, number));
		return;
	}
	probe_emit_imm(g->code, constant, item->number);
	if (item->swapped)
		apply(g, item, constant, g->top);
	else
		apply(g, item, g->top, constant);
}

/* Move the last value to a register that calls preserve; @nr values are below it. */
static void save_top(struct probe_gen *g, unsigned int nr)
{
	if (nr >= PROBE_MAX_SAVED)
		g->code->err = -EINVAL;
	else if (g->top != REG_SAVED + nr)
		probe_emit(g->code, BPF_MOV64_REG(REG_SAVED + nr, g->top));
}

static void put_constant(struct probe_gen *g, u64 number)
{
	g->top = REG_VALUE;
	probe_emit_imm(g->code, g->top, number);
}

/* Returns the number of values on the stack, of which there were @nr. */
static unsigned int add_item(struct probe_gen *g, const struct probe_item *item, unsigned int nr)
{
	bool pushes = item->kind == PROBE_ITEM_NUMBER ||
		      (item->kind == PROBE_ITEM_VALUE && (item->arg != PROBE_ITEM_OWN ||
							  item->fetch.src != PROBE_SRC_FORMULA));

	if (pushes && nr)
		save_top(g, nr - 1);
	switch (item->kind) {
	case PROBE_ITEM_NUMBER:
		put_constant(g, item->number);
		return nr + 1;
	case PROBE_ITEM_VALUE:
		g->top = load_item(g, item);
		return nr + pushes;
	case PROBE_ITEM_NEXT:
		apply_constant(g, item);
		return nr;
	case PROBE_ITEM_POP:
		nr--;
		if (item->swapped)
			apply(g, item, g->top, REG_SAVED + nr - 1);
		else
			apply(g, item, REG_SAVED + nr - 1, g->top);
		return nr;
	}
	return nr;
}

/**
 * probe_gen_formula() - evaluate a formula
 * @g: the program; the source PROBE_SRC_FORMULA is the result until the next formula
 * @formula: the formula
 */
void probe_gen_formula(struct probe_gen *g, const struct probe_formula *formula)
{
	unsigned int nr = 0, i;

	for (i = 0; i < formula->nr; i++)
		nr = add_item(g, &formula->items[i], nr);
	if (nr != 1)
		g->code->err = -EINVAL;
}

static bool item_calls(const struct probe_gen *g, const struct probe_item *item)
{
	switch (item->kind) {
	case PROBE_ITEM_VALUE:
		return probe_gen_may_call(g, item->arg == PROBE_ITEM_OWN ? &item->fetch :
									   &g->fetch[item->arg]);
	case PROBE_ITEM_POP:
	case PROBE_ITEM_NEXT:
		return probe_math_divides(item->op) && divides_by_helper(g, item);
	default:
		return false;
	}
}

/**
 * probe_gen_calls() - does an argument need a call on the main line or on a slow path?
 * @g: the program
 * @f: the argument
 *
 * Return: true if it may need one.
 */
bool probe_gen_calls(const struct probe_gen *g, const struct probe_fetch *f)
{
	unsigned int i;

	if (f->src == PROBE_SRC_FORMULA)
		for (i = 0; i < f->formula->nr; i++)
			if (item_calls(g, &f->formula->items[i]))
				return true;
	return probe_gen_may_call(g, f);
}
