// SPDX-License-Identifier: GPL-2.0
/*
 * Parser of the predicate of a command.
 *
 *   any      all [|| all]...
 *   all      one [&& one]...
 *   one      [!]... (any) | [!]... operand op value
 *   operand  an argument without NAME=; it has no blanks.  Outside of parentheses, it has
 *            none of the operators == != < <= > >= &
 *   op       == | != | < | <= | > | >= | & | ~
 *   value    [-]NUMBER | "TEXT" | 'TEXT'
 *
 * This is the language of the filter files of events.  A quoted text ends at the next quote of
 * the same kind.
 *
 * The comparisons are numbered in the order of the text.  While an expression is parsed, the
 * results PROBE_TERM_ACCEPT and PROBE_TERM_REJECT of its comparisons are those of this
 * expression.  An operator that follows replaces one of them by its second operand.
 *
 * Only parentheses recurse, up to PROBE_MAX_PARENS of them.
 */
#include <linux/array_size.h>
#include <linux/errno.h>
#include <linux/minmax.h>
#include <linux/string.h>

#include "lex.h"
#include "predicate.h"

/**
 * struct predicate_parser - state of parsing a predicate
 * @cmd: the command; the first @nr of its terms are parsed
 * @rest: the text that is not parsed yet
 * @nr: number of comparisons so far
 * @max: number of comparisons for which there is memory
 * @depth: number of open parentheses
 */
struct predicate_parser {
	struct probe_cmd	*cmd;
	struct probe_str	rest;
	unsigned int		nr;
	unsigned int		max;
	unsigned int		depth;
};

static int fail(struct predicate_parser *p, enum probe_err err, unsigned int pos)
{
	return probe_cmd_error(p->cmd, err, pos);
}

/* The next character, or NUL at the end. */
static char peek(const struct predicate_parser *p)
{
	return p->rest.len ? p->rest.s[0] : '\0';
}

static void skip(struct predicate_parser *p, unsigned int nr)
{
	p->rest = probe_str_from(p->rest, nr);
}

static void skip_blanks(struct predicate_parser *p)
{
	while (probe_is_space(peek(p)))
		skip(p, 1);
}

/* Skips blanks, and @text if it follows. */
static bool accept(struct predicate_parser *p, const char *text)
{
	skip_blanks(p);
	if (!probe_str_starts(p->rest, text))
		return false;
	skip(p, strlen(text));
	return true;
}

/* Do an arrow, a shift or a single '|' begin at @s? */
static bool is_in_operand(struct probe_str s)
{
	if (probe_str_starts(s, "|"))
		return !probe_str_starts(s, "||");
	return probe_str_starts(s, "->") || probe_str_starts(s, "<<") || probe_str_starts(s, ">>");
}

/* Length of the operand at the beginning of @s. */
static unsigned int operand_len(struct probe_str s)
{
	unsigned int depth = 0, i;

	for (i = 0; i < s.len; i++) {
		char c = s.s[i];

		if (is_in_operand(probe_str_from(s, i)))
			i += c != '|';
		else if (c == '(')
			depth++;
		else if (c == ')' && !depth--)
			break;
		else if (probe_is_space(c) || strchr(depth ? "\"'" : "=!<>&~|\"'", c))
			break;
	}
	return i;
}

/* Does a value follow the parentheses at the beginning, as after a cast? */
static bool is_cast(struct probe_str s)
{
	int close = probe_str_find(s, ')');
	unsigned int i;
	char c;

	if (close < 0 || close + 1 == s.len)
		return false;
	for (i = 1; i < close; i++) {
		c = s.s[i];
		if (!probe_is_alpha(c) && !probe_is_digit(c) && c != ',' && c != '.')
			return false;
	}
	c = s.s[close + 1];
	return probe_is_alpha(c) || strchr("$%@(+-", c);
}

/* Are the parentheses at the beginning part of an operand: does an operator follow them? */
static bool is_operand(struct probe_str s)
{
	int close = probe_str_close(s);

	if (close < 0 || is_cast(s))
		return close >= 0;
	s = probe_str_from(s, close + 1);
	while (s.len && probe_is_space(s.s[0]))
		s = probe_str_from(s, 1);
	return s.len && strchr("=!<>&|^~+-*/%", s.s[0]) && !probe_str_starts(s, "&&") &&
	       !probe_str_starts(s, "||");
}

static int parse_operator(struct predicate_parser *p, struct probe_term_ast *term)
{
	/* An operator that begins with another one comes first. */
	static const struct {
		const char	text[3];
		enum probe_op	op;
	} ops[] = {
		{ "==", PROBE_OP_EQ },
		{ "!=", PROBE_OP_NE },
		{ "<=", PROBE_OP_LE },
		{ ">=", PROBE_OP_GE },
		{ "<", PROBE_OP_LT },
		{ ">", PROBE_OP_GT },
		{ "&", PROBE_OP_AND },
		{ "~", PROBE_OP_GLOB },
	};
	unsigned int i;

	skip_blanks(p);
	term->op_pos = p->rest.pos;
	if (probe_str_starts(p->rest, "&&"))
		return fail(p, PROBE_ERR_BAD_OPERATOR, p->rest.pos);
	for (i = 0; i < ARRAY_SIZE(ops); i++) {
		if (!accept(p, ops[i].text))
			continue;
		term->op = ops[i].op;
		return 0;
	}
	return fail(p, PROBE_ERR_BAD_OPERATOR, p->rest.pos);
}

/* The text after the quote. */
static int parse_text(struct predicate_parser *p, struct probe_term_ast *term)
{
	struct probe_str rest = probe_str_from(p->rest, 1);
	int end = probe_str_find(rest, peek(p));

	if (end < 0)
		return fail(p, PROBE_ERR_QUOTE_NO_CLOSE, p->rest.pos);
	term->is_text = true;
	term->value = probe_str_cut(rest, 0, end);
	p->rest = probe_str_from(rest, end + 1);
	if (term->op != PROBE_OP_EQ && term->op != PROBE_OP_NE && term->op != PROBE_OP_GLOB)
		return fail(p, PROBE_ERR_NOT_FOR_STRINGS, term->op_pos);
	return 0;
}

static int parse_number(struct predicate_parser *p, struct probe_term_ast *term)
{
	struct probe_str s = p->rest;
	unsigned int from, n;
	int ret;

	term->negative = probe_str_starts(s, "-");
	from = term->negative || probe_str_starts(s, "+");
	for (n = from; n < s.len; n++)
		if (!probe_is_alpha(s.s[n]) && !probe_is_digit(s.s[n]))
			break;
	term->value = probe_str_cut(s, 0, n);
	ret = probe_str_u64(probe_str_cut(s, from, n), &term->number);
	if (ret)
		return fail(p, ret == -ERANGE ? PROBE_ERR_NOT_IN_RANGE : PROBE_ERR_BAD_OPERAND,
			    s.pos);
	if (term->op == PROBE_OP_GLOB)
		return fail(p, PROBE_ERR_NOT_FOR_NUMBERS, term->op_pos);
	skip(p, n);
	return 0;
}

static int parse_value(struct predicate_parser *p, struct probe_term_ast *term)
{
	skip_blanks(p);
	if (peek(p) == '"' || peek(p) == '\'')
		return parse_text(p, term);
	return parse_number(p, term);
}

static int parse_comparison(struct predicate_parser *p)
{
	struct probe_str text = probe_str_cut(p->rest, 0, operand_len(p->rest));
	struct probe_term_ast *term = &p->cmd->terms[p->nr];
	int ret;

	if (!text.len)
		return fail(p, PROBE_ERR_NO_OPERAND, text.pos);
	if (p->nr == p->max)
		return fail(p, PROBE_ERR_TOO_MANY_TERMS, text.pos);
	*term = (struct probe_term_ast) {
		.yes = PROBE_TERM_ACCEPT,
		.no = PROBE_TERM_REJECT,
	};
	ret = probe_parse_unnamed(p->cmd, text, &term->operand);
	if (ret)
		return ret;
	skip(p, text.len);
	ret = parse_operator(p, term) ?: parse_value(p, term);
	if (!ret)
		p->nr++;
	return ret;
}

/* Comparisons from @first on that had the result @from continue with the next comparison. */
static void chain(struct predicate_parser *p, unsigned int first, u8 from)
{
	struct probe_term_ast *term;

	for (term = &p->cmd->terms[first]; term < &p->cmd->terms[p->nr]; term++) {
		if (term->yes == from)
			term->yes = p->nr;
		if (term->no == from)
			term->no = p->nr;
	}
}

static u8 negated(u8 next)
{
	if (next == PROBE_TERM_ACCEPT)
		return PROBE_TERM_REJECT;
	return next == PROBE_TERM_REJECT ? PROBE_TERM_ACCEPT : next;
}

static void negate(struct predicate_parser *p, unsigned int first)
{
	struct probe_term_ast *term;

	for (term = &p->cmd->terms[first]; term < &p->cmd->terms[p->nr]; term++) {
		term->yes = negated(term->yes);
		term->no = negated(term->no);
	}
}

static int parse_any(struct predicate_parser *p);

static int parse_parens(struct predicate_parser *p)
{
	unsigned int pos = p->rest.pos;
	int ret;

	if (p->depth == PROBE_MAX_PARENS)
		return fail(p, PROBE_ERR_TOO_MANY_PARENS, pos);
	p->depth++;
	skip(p, 1);
	ret = parse_any(p);
	if (ret)
		return ret;
	if (!accept(p, ")"))
		return fail(p, p->rest.len ? PROBE_ERR_BAD_LOGIC : PROBE_ERR_PAREN_NO_CLOSE,
			    p->rest.len ? p->rest.pos : pos);
	p->depth--;
	return 0;
}

static int parse_one(struct predicate_parser *p)
{
	unsigned int first = p->nr;
	bool not = false;
	int ret;

	while (accept(p, "!"))
		not = !not;
	if (peek(p) == '(' && !is_operand(p->rest))
		ret = parse_parens(p);
	else
		ret = parse_comparison(p);
	if (!ret && not)
		negate(p, first);
	return ret;
}

static int parse_all(struct predicate_parser *p)
{
	unsigned int first = p->nr;
	int ret = parse_one(p);

	while (!ret && accept(p, "&&")) {
		chain(p, first, PROBE_TERM_ACCEPT);
		ret = parse_one(p);
	}
	return ret;
}

static int parse_any(struct predicate_parser *p)
{
	unsigned int first = p->nr;
	int ret = parse_all(p);

	while (!ret && accept(p, "||")) {
		chain(p, first, PROBE_TERM_REJECT);
		ret = parse_all(p);
	}
	return ret;
}

/* At least the number of comparisons: "&&" or "||" precedes each of them except the first. */
static unsigned int max_terms(struct probe_str s)
{
	unsigned int nr = 1, i;

	for (i = 1; i < s.len; i++)
		if (s.s[i] == s.s[i - 1] && (s.s[i] == '&' || s.s[i] == '|'))
			nr++;
	return min_t(unsigned int, nr, PROBE_MAX_TERMS);
}

static int parse_predicate(struct predicate_parser *p)
{
	int ret = parse_any(p);

	if (ret || !p->rest.len)
		return ret;
	return fail(p, peek(p) == ')' ? PROBE_ERR_PAREN_NO_OPEN : PROBE_ERR_BAD_LOGIC,
		    p->rest.pos);
}

/**
 * probe_parse_predicate() - parse the predicate, if any, unless it is parsed already
 * @cmd: the command
 *
 * Return: 0; -ENOMEM; otherwise the errno of the error recorded in @cmd.
 */
int probe_parse_predicate(struct probe_cmd *cmd)
{
	struct predicate_parser p = { .cmd = cmd, .rest = cmd->predicate };
	int ret;

	if (!cmd->predicate.s || cmd->has_terms)
		return 0;
	if (!cmd->predicate.len)
		return probe_cmd_error(cmd, PROBE_ERR_NO_PREDICATE, cmd->predicate.pos);
	p.max = max_terms(cmd->predicate);
	cmd->terms = probe_arena_alloc(cmd->arena, p.max * sizeof(*cmd->terms));
	if (!cmd->terms)
		return -ENOMEM;
	ret = parse_predicate(&p);
	if (ret)
		return ret;
	cmd->nr_terms = p.nr;
	cmd->has_terms = true;
	return 0;
}
