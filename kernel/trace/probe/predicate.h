/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A predicate: comparisons that decide whether a hit is recorded.
 *
 * The comparisons are evaluated in the order of the text.  Each has the number of the next
 * comparison, or the result, for both of its outcomes.  So "&&", "||", "!" and parentheses
 * need no nodes of their own, and no comparison is evaluated without need.
 *
 * parse_predicate.c parses the comparisons, resolve_predicate.c resolves their operands, and
 * gen_predicate.c generates code.
 */
#ifndef _PROBE_PREDICATE_H
#define _PROBE_PREDICATE_H

#include "expr.h"
#include "fetch.h"

#define PROBE_MAX_TERMS		32	/* comparisons of a predicate */
#define PROBE_MAX_PARENS	8	/* nested parentheses */

/* Results of a predicate, in place of the number of the next comparison. */
#define PROBE_TERM_ACCEPT	254
#define PROBE_TERM_REJECT	255

enum probe_op {
	PROBE_OP_EQ,		/* == */
	PROBE_OP_NE,		/* != */
	PROBE_OP_LT,		/* < */
	PROBE_OP_LE,		/* <= */
	PROBE_OP_GT,		/* > */
	PROBE_OP_GE,		/* >= */
	PROBE_OP_AND,		/* &: some of these bits are set */
	PROBE_OP_GLOB,		/* ~: the text matches a pattern */
};

/**
 * struct probe_term_ast - one comparison as written
 * @operand: the value to compare
 * @op: the operator
 * @op_pos: its column
 * @is_text: it is compared with the text in @value, which was quoted
 * @negative: the number is negative
 * @yes: number of the next comparison if the result is true, or PROBE_TERM_*
 * @no: the same if it is false
 * @value: text of the number, or of the string without its quotes
 * @number: the number without its sign
 */
struct probe_term_ast {
	struct probe_arg_ast	operand;
	enum probe_op		op;
	u16			op_pos;
	bool			is_text;
	bool			negative;
	u8			yes;
	u8			no;
	struct probe_str	value;
	u64			number;
};

#endif /* _PROBE_PREDICATE_H */
