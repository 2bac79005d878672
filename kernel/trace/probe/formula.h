/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Arithmetic on the values of arguments.
 *
 * A formula is the resolved form of an expression with operators: a list of items in postfix
 * order.  An item puts a number or a value on a stack, or replaces the operands on top of the
 * stack by their result.  A value may be read from memory at the address on top of the stack.
 *
 * All operands and results have 64 bits on all machines.  An operation is signed if none of its
 * operands is unsigned, except for a shift, which has the sign of its left operand.
 *
 * parse_operator.c parses operators, resolve_formula.c makes formulas, and gen_formula.c
 * generates code.
 */
#ifndef _PROBE_FORMULA_H
#define _PROBE_FORMULA_H

#include <linux/types.h>

#include "fetch.h"

struct probe_symbol;

/*
 * A program keeps up to PROBE_MAX_SAVED values while it evaluates another one.  The operand that
 * needs more of them is evaluated first, so this is enough for any PROBE_MAX_OPERANDS operands.
 */
#define PROBE_MAX_SAVED		3
#define PROBE_MAX_OPERANDS	((1 << (PROBE_MAX_SAVED + 1)) - 1)

enum probe_math {
	PROBE_MATH_OR,
	PROBE_MATH_XOR,
	PROBE_MATH_AND,
	PROBE_MATH_EQ,
	PROBE_MATH_NE,
	PROBE_MATH_LT,
	PROBE_MATH_LE,
	PROBE_MATH_GT,
	PROBE_MATH_GE,
	PROBE_MATH_SHL,
	PROBE_MATH_SHR,
	PROBE_MATH_ADD,
	PROBE_MATH_SUB,
	PROBE_MATH_MUL,
	PROBE_MATH_DIV,
	PROBE_MATH_MOD,
};

enum probe_item_kind {
	PROBE_ITEM_NUMBER,	/* put @number on the stack */
	PROBE_ITEM_VALUE,	/* put the value of @fetch or @arg on the stack */
	PROBE_ITEM_POP,		/* @op on the two values on top of the stack */
	PROBE_ITEM_NEXT,	/* @op on the value on top of the stack, and @number */
};

/* The value is not that of an argument. */
#define PROBE_ITEM_OWN	(-1)

/**
 * struct probe_item - one item of a formula
 * @kind: what it does
 * @op: the operator
 * @is_signed: the value has a sign; of an operator: it is an operation on signed numbers
 * @swapped: the left operand is the value on top of the stack, or @number
 * @arg: index of the argument that has the value, which only predicates use, or PROBE_ITEM_OWN
 * @number: a constant
 * @fetch: how to fetch the value.  The source PROBE_SRC_FORMULA is the value on top of the
 *	stack, which is removed
 * @symbol: the symbol that @fetch reads from; NULL if there is none
 */
struct probe_item {
	enum probe_item_kind	kind : 8;
	enum probe_math		op : 8;
	bool			is_signed;
	bool			swapped;
	s16			arg;
	u64			number;
	struct probe_fetch	fetch;
	struct probe_symbol	*symbol;
};

/**
 * struct probe_formula - a formula
 * @items: its items, in the order of evaluation
 * @nr: number of @items
 */
struct probe_formula {
	struct probe_item	*items;
	unsigned int		nr;
};

static inline bool probe_math_compares(enum probe_math op)
{
	return op >= PROBE_MATH_EQ && op <= PROBE_MATH_GE;
}

static inline bool probe_math_shifts(enum probe_math op)
{
	return op == PROBE_MATH_SHL || op == PROBE_MATH_SHR;
}

static inline bool probe_math_divides(enum probe_math op)
{
	return op == PROBE_MATH_DIV || op == PROBE_MATH_MOD;
}

#endif /* _PROBE_FORMULA_H */
