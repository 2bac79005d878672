/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A predicate: comparisons that decide whether a hit is recorded.
 *
 * The comparisons are evaluated in the order of the text.  Each has the number of the next
 * comparison, or the result, for both of its outcomes.  So "&&", "||", "!" and parentheses
 * need no nodes of their own, and no comparison is evaluated without need.
 *
 * parse_predicate.c parses the comparisons, resolve_predicate.c resolves their operands, and
 * gen_predicate.c generates code.  match.c compares strings.
 */
#ifndef _PROBE_PREDICATE_H
#define _PROBE_PREDICATE_H

#include "expr.h"
#include "fetch.h"

struct probe_symbol;

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

/**
 * struct probe_pattern - the text with which a string is compared
 * @text: the text
 * @len: its length
 * @is_glob: it has the wildcards * ? [ and \
 */
struct probe_pattern {
	const char	*text;
	u16		len;
	bool		is_glob;
};

/* The operand of a comparison is not recorded. */
#define PROBE_TERM_OWN	(-1)

/**
 * struct probe_term - one comparison
 * @op: the operator
 * @is_text: it compares strings
 * @is_signed: it compares signed numbers
 * @yes: number of the next comparison if the result is true, or PROBE_TERM_*
 * @no: the same if it is false
 * @arg: index of the argument that it compares, or PROBE_TERM_OWN
 * @fetch: its operand if @arg is PROBE_TERM_OWN
 * @symbol: the symbol that its operand reads from; NULL if there is none
 * @number: the number to compare with; negative ones are sign-extended
 * @pattern: the text to compare with
 */
struct probe_term {
	enum probe_op		op;
	bool			is_text;
	bool			is_signed;
	u8			yes;
	u8			no;
	s16			arg;
	struct probe_fetch	fetch;
	struct probe_symbol	*symbol;
	u64			number;
	struct probe_pattern	pattern;
};

/**
 * struct probe_predicate - a predicate
 * @terms: its comparisons
 * @nr: number of @terms, at least 1
 * @needs_room: some of them compare strings that are not recorded
 * @text: the predicate, as the listing shows it
 */
struct probe_predicate {
	struct probe_term	*terms;
	unsigned int		nr;
	bool			needs_room;
	const char		*text;
};

/* Is a text compared that is not recorded?  It is fetched to the room for dynamic data. */
static inline bool probe_term_needs_room(const struct probe_term *term)
{
	return term->is_text && term->arg == PROBE_TERM_OWN &&
	       term->fetch.store != PROBE_STORE_COMM;
}

/* match.c */
bool probe_match(const struct probe_pattern *pattern, const char *text, size_t len);

#endif /* _PROBE_PREDICATE_H */
