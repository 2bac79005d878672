// SPDX-License-Identifier: GPL-2.0
/*
 * Operators between two operands of an expression.
 *
 * Many texts of an argument may contain the characters of operators, as "@jiffies+8".  The
 * parser of such a text takes them first.  A character is an operator only if an operand may
 * begin after it: otherwise, a command keeps the meaning that it has without operators.
 */
#include <linux/kernel.h>
#include <linux/string.h>

#include "parse.h"

struct operator {
	char		text[3];
	enum probe_math	op;
	u8		rank;	/* a higher rank binds more tightly, as in C */
};

/* An operator that begins with another one comes first. */
static const struct operator operators[] = {
	{ "<<", PROBE_MATH_SHL, 6 },
	{ ">>", PROBE_MATH_SHR, 6 },
	{ "<=", PROBE_MATH_LE, 5 },
	{ ">=", PROBE_MATH_GE, 5 },
	{ "==", PROBE_MATH_EQ, 4 },
	{ "!=", PROBE_MATH_NE, 4 },
	{ "<", PROBE_MATH_LT, 5 },
	{ ">", PROBE_MATH_GT, 5 },
	{ "|", PROBE_MATH_OR, 1 },
	{ "^", PROBE_MATH_XOR, 2 },
	{ "&", PROBE_MATH_AND, 3 },
	{ "+", PROBE_MATH_ADD, 7 },
	{ "-", PROBE_MATH_SUB, 7 },
	{ "*", PROBE_MATH_MUL, 8 },
	{ "/", PROBE_MATH_DIV, 8 },
	{ "%", PROBE_MATH_MOD, 8 },
};

static bool begins_operand(struct probe_str s)
{
	return s.len && (probe_is_alpha(s.s[0]) || probe_is_digit(s.s[0]) ||
			 strchr("$%@\\(+-~", s.s[0]));
}

static const struct operator *find_operator(const struct probe_lexer *lx)
{
	struct probe_str rest = probe_lex_rest(lx);
	unsigned int i;

	if (lx->kind == PROBE_TOK_END || lx->kind == PROBE_TOK_WORD || lx->kind == PROBE_TOK_ARROW)
		return NULL;
	for (i = 0; i < ARRAY_SIZE(operators); i++) {
		const struct operator *o = &operators[i];

		if (probe_str_starts(rest, o->text))
			return begins_operand(probe_str_from(rest, strlen(o->text))) ? o : NULL;
	}
	return NULL;
}

/**
 * probe_at_operator() - does an operator begin here, and an operand after it?
 * @lx: the position
 *
 * Return: true if so.
 */
bool probe_at_operator(const struct probe_lexer *lx)
{
	return find_operator(lx);
}

/**
 * probe_parse_operator() - parse an operator
 * @lx: the position; after the operator on success
 * @op: set to the operator
 *
 * Return: its rank; 0 if none begins here.
 */
unsigned int probe_parse_operator(struct probe_lexer *lx, enum probe_math *op)
{
	const struct operator *o = find_operator(lx);

	if (!o)
		return 0;
	*op = o->op;
	probe_lex_skip(lx, strlen(o->text));
	return o->rank;
}

/**
 * probe_math_rank() - how tightly an operator binds its operands
 * @op: the operator
 *
 * Return: its rank; a higher one binds more tightly.
 */
unsigned int probe_math_rank(enum probe_math op)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(operators); i++)
		if (operators[i].op == op)
			return operators[i].rank;
	return 0;
}

/**
 * probe_operand_text() - skip the text of an operand
 * @lx: the position; at the end of the operand afterwards
 * @stop: characters at which the text ends, as for probe_lex_until()
 *
 * Return: the text up to an operator or one of these characters.
 */
struct probe_str probe_operand_text(struct probe_lexer *lx, const char *stop)
{
	struct probe_str text = lx->tok;
	struct probe_lexer end = *lx;

	probe_lex_until(&end, stop);
	while (lx->tok.s < end.tok.s && !probe_at_operator(lx))
		probe_lex_next(lx);
	text.len = lx->tok.s - text.s;
	return text;
}
