// SPDX-License-Identifier: GPL-2.0
/*
 * Parser of the operand of an expression.
 *
 *   operand: %NAME | $NAME[members] | NAME[members] | \NUMBER | \"TEXT" |
 *            $kstack['['N']'] | $ustack['['N']'] |
 *            @NUMBER | @SYMBOL[(+|-)OFFSET] | @+NUMBER | NUMBER
 *   members  ->NAME[members] | .NAME[members] | '['N']'[members]
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/string.h>

#include "parse.h"

/**
 * probe_expr_new() - allocate a node of an expression
 * @p: the parser
 * @kind: its kind
 * @pos: its column
 *
 * Return: the node, in the arena of the command; NULL if out of memory.
 */
struct probe_expr *probe_expr_new(struct probe_arg_parser *p, enum probe_expr_kind kind,
				  unsigned int pos)
{
	struct probe_expr *e = probe_arena_alloc(p->cmd->arena, sizeof(*e));

	if (e) {
		e->kind = kind;
		e->pos = pos;
	}
	return e;
}

static bool is_member(const struct probe_expr *e)
{
	return e->kind == PROBE_EXPR_MEMBER || e->kind == PROBE_EXPR_INDEX;
}

/* "[N]" */
static int parse_index(struct probe_arg_parser *p, struct probe_expr **e)
{
	struct probe_lexer *lx = &p->lx;
	struct probe_expr *index;

	probe_lex_next(lx);
	index = probe_expr_new(p, PROBE_EXPR_INDEX, lx->tok.pos);
	if (!index)
		return -ENOMEM;
	if (lx->kind != PROBE_TOK_WORD || probe_str_number(lx->tok, &index->value))
		return probe_arg_error(p, PROBE_ERR_BAD_INDEX, lx->tok.pos);
	probe_lex_next(lx);
	if (lx->kind != ']')
		return probe_arg_error(p, PROBE_ERR_BAD_INDEX, lx->tok.pos);
	probe_lex_next(lx);
	index->base = *e;
	*e = index;
	return 0;
}

/**
 * probe_parse_members() - parse "->NAME", ".NAME" and "[N]", any number of them
 * @p: the parser; after the members on success
 * @e: the value that has the members; set to the last member
 *
 * Return: 0; -ENOMEM; otherwise the errno of the error recorded in the command.
 */
int probe_parse_members(struct probe_arg_parser *p, struct probe_expr **e)
{
	struct probe_lexer *lx = &p->lx;
	struct probe_expr *member;
	bool arrow;
	int ret;

	for (;;) {
		if (lx->kind == '[' && is_member(*e)) {
			ret = parse_index(p, e);
			if (ret)
				return ret;
			continue;
		}
		arrow = lx->kind == PROBE_TOK_ARROW;
		if (lx->kind == '-' && !probe_at_operator(lx))
			return probe_arg_error(p, PROBE_ERR_BAD_HYPHEN, lx->tok.pos);
		if (!arrow && lx->kind != '.')
			return 0;
		/* Only a member can be a structure: other values are in registers. */
		if (!arrow && !is_member(*e))
			return probe_arg_error(p, PROBE_ERR_NOSUP_DAT_ARG, lx->tok.pos + 1);
		probe_lex_next(lx);
		if (lx->kind != PROBE_TOK_WORD || !probe_is_name(lx->tok))
			return probe_arg_error(p, PROBE_ERR_NO_BTF_FIELD, lx->tok.pos);

		member = probe_expr_new(p, PROBE_EXPR_MEMBER, lx->tok.pos);
		if (!member)
			return -ENOMEM;
		member->str = lx->tok;
		member->arrow = arrow;
		member->base = *e;
		*e = member;
		probe_lex_next(lx);
	}
}

static int parse_register(struct probe_arg_parser *p, struct probe_expr *e)
{
	e->kind = PROBE_EXPR_REG;
	e->str = probe_operand_text(&p->lx, ":)");
	if (!e->str.len)
		return probe_arg_error(p, PROBE_ERR_BAD_REG_NAME, e->pos);
	return 0;
}

/* Is @s just @prefix followed by a decimal number? */
static bool is_numbered(struct probe_str s, const char *prefix, unsigned long *nr)
{
	unsigned int i, digit, len = strlen(prefix);
	unsigned long value = 0;

	if (s.len == len || !probe_str_starts(s, prefix))
		return false;
	for (i = len; i < s.len; i++) {
		digit = s.s[i] - '0';
		if (digit > 9 || value > (ULONG_MAX - digit) / 10)
			return false;
		value = value * 10 + digit;
	}
	/* Other code uses the number as an unsigned int, and refuses UINT_MAX. */
	*nr = value < UINT_MAX ? value : UINT_MAX;
	return true;
}

/* Entries of a stack trace without "[N]". */
#define STACK_DEPTH	16

/* "NAME" or "NAME[N]"; @nr is set to N, or to 0 if it is wrong. */
static bool is_stack_trace(struct probe_str s, const char *name, unsigned long *nr)
{
	unsigned int len = strlen(name);
	struct probe_str depth = {};

	if (!probe_str_starts(s, name) || (s.len > len && s.s[len] != '['))
		return false;
	*nr = STACK_DEPTH;
	if (s.len == len)
		return true;
	if (s.s[s.len - 1] == ']')
		depth = probe_str_cut(s, len + 1, s.len - 1);
	if (probe_str_unsigned(depth, nr) || *nr > PROBE_MAX_STACK)
		*nr = 0;
	return true;
}

/* parse_variable() refuses a longer name that begins with this one. */
#define ALL_ARGS	"arg*"

static enum probe_var variable(struct probe_str s, unsigned long *nr)
{
	static const struct {
		const char	*name;
		enum probe_var	var;
	} vars[] = {
		{ "retval", PROBE_VAR_RETVAL },
		{ "comm", PROBE_VAR_COMM },
		{ "COMM", PROBE_VAR_COMM },
		{ "current", PROBE_VAR_CURRENT },
		{ "latency", PROBE_VAR_LATENCY },
		{ "stack", PROBE_VAR_STACK },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(vars); i++)
		if (probe_str_is(s, vars[i].name))
			return vars[i].var;
	if (is_stack_trace(s, "kstack", nr))
		return PROBE_VAR_KSTACK;
	if (is_stack_trace(s, "ustack", nr))
		return PROBE_VAR_USTACK;
	if (is_numbered(s, "stack", nr))
		return PROBE_VAR_STACK_NTH;
	if (is_numbered(s, "arg", nr))
		return PROBE_VAR_ARG_NTH;
	if (probe_str_starts(s, ALL_ARGS))
		return PROBE_VAR_ALL_ARGS;
	return PROBE_VAR_UNKNOWN;
}

static bool is_stack_var(enum probe_var var)
{
	return var == PROBE_VAR_KSTACK || var == PROBE_VAR_USTACK;
}

static int parse_variable(struct probe_arg_parser *p, struct probe_expr *e)
{
	e->kind = PROBE_EXPR_VAR;
	e->str = probe_operand_text(&p->lx, "->.:)");
	/* The star is no operator. */
	if (probe_str_is(e->str, "arg") && p->lx.kind == '*')
		e->str.len += probe_lex_until(&p->lx, "->.:)").len;
	if (!e->str.len)
		return probe_arg_error(p, PROBE_ERR_BAD_VAR, e->pos);
	e->var = variable(e->str, &e->value);
	if (is_stack_var(e->var) && !e->value)
		return probe_arg_error(p, PROBE_ERR_BAD_STACK_DEPTH, e->pos);
	/* $arg* stands for several arguments, so it cannot be part of one. */
	if (e->var == PROBE_VAR_ALL_ARGS &&
	    (e->pos != p->word.pos || e->str.len != strlen(ALL_ARGS) ||
	     (p->lx.kind != PROBE_TOK_END && p->lx.kind != ':')))
		return probe_arg_error(p, PROBE_ERR_BAD_VAR_ARGS, e->pos);
	return 0;
}

/* Up to two signs. */
static struct probe_str parse_signs(struct probe_lexer *lx)
{
	struct probe_str s = lx->tok;

	s.len = 0;
	while (s.len < 2 && (lx->kind == '+' || lx->kind == '-')) {
		s.len++;
		probe_lex_next(lx);
	}
	return s;
}

/* The offset from a symbol, with its sign.  Other text after a sign is an operand. */
static int parse_offset(struct probe_lexer *lx, long *offset)
{
	struct probe_str sign = lx->tok, s;
	struct probe_lexer number = *lx;

	probe_lex_next(&number);
	if (probe_at_operator(lx) && !(number.kind == PROBE_TOK_WORD &&
				       probe_is_digit(number.tok.s[0])))
		return 0;
	probe_lex_next(lx);
	s = probe_operand_text(lx, ":)");
	return probe_str_signed((struct probe_str) { .s = sign.s, .len = sign.len + s.len },
				offset);
}

/* The text after '@'. */
static int parse_memory(struct probe_arg_parser *p, struct probe_expr *e)
{
	struct probe_lexer *lx = &p->lx;
	long offset = 0;
	int ret;

	/* Only uprobes can read at a file offset: probe_resolve_arg() parses or refuses TEXT. */
	if (lx->kind == '+') {
		e->kind = PROBE_EXPR_FILE_OFFS;
		probe_lex_next(lx);
		e->str = parse_signs(lx);
		e->str.len += probe_operand_text(lx, ":)").len;
		return 0;
	}
	if (lx->kind == PROBE_TOK_WORD && probe_is_digit(lx->tok.s[0])) {
		e->kind = PROBE_EXPR_ADDR;
		ret = probe_str_number(probe_operand_text(lx, ":)"), &e->value);
		return ret ? probe_arg_errno(p, PROBE_ERR_BAD_MEM_ADDR, e->pos, ret) : 0;
	}
	e->kind = PROBE_EXPR_SYMBOL;
	/* probe_resolve_arg() refuses the symbol. */
	if (p->cmd->no_symbols) {
		probe_lex_until(lx, ":)");
		return 0;
	}
	e->str = probe_operand_text(lx, "+->:)");
	if (lx->kind == '+' || lx->kind == '-' || lx->kind == PROBE_TOK_ARROW) {
		ret = parse_offset(lx, &offset);
		if (ret)
			return probe_arg_errno(p, PROBE_ERR_BAD_MEM_ADDR, e->pos, ret);
	}
	/* An empty name matches no symbol. */
	if (!e->str.len)
		return probe_arg_errno(p, PROBE_ERR_BAD_MEM_ADDR, e->pos, -ENOENT);
	e->value = offset;
	return 0;
}

/*
 * The text after '\"'. It may contain quotes and colons: it ends at the last quote
 * of the word.
 */
static int parse_string(struct probe_arg_parser *p, struct probe_expr *e)
{
	struct probe_lexer *lx = &p->lx;
	struct probe_str rest = probe_lex_rest(lx);
	unsigned int quote = rest.len;

	while (quote && rest.s[quote - 1] != '"')
		quote--;
	probe_lex_skip(lx, quote);
	if (!quote || !probe_at_operand_end(lx)) {
		probe_lex_until(lx, ":");
		return probe_arg_error(p, PROBE_ERR_IMMSTR_NO_CLOSE, lx->tok.pos);
	}
	e->kind = PROBE_EXPR_STRING;
	e->str = probe_str_cut(rest, 0, quote - 1);
	return 0;
}

/* The text after '\'. */
static int parse_immediate(struct probe_arg_parser *p, struct probe_expr *e)
{
	struct probe_str s;
	long val = 0;
	int ret;

	if (p->lx.kind == '"') {
		probe_lex_next(&p->lx);
		return parse_string(p, e);
	}
	e->kind = PROBE_EXPR_IMM;
	s = parse_signs(&p->lx);
	s.len += probe_operand_text(&p->lx, ":)").len;
	/* A signed number must fit into a long.  A plus sign may precede its sign. */
	if (probe_str_starts(s, "+") || probe_str_starts(s, "-")) {
		ret = probe_str_signed(probe_str_starts(s, "+") ? probe_str_from(s, 1) : s, &val);
		e->value = val;
	} else {
		ret = probe_str_number(s, &e->value);
	}
	return ret ? probe_arg_errno(p, PROBE_ERR_BAD_IMM, s.pos, ret) : 0;
}

/*
 * A name.  With text in braces after it, it is the name of no parameter:
 * probe_resolve_arg() refuses it as a whole.
 */
static void parse_name(struct probe_lexer *lx, struct probe_expr *e)
{
	struct probe_str rest = probe_lex_rest(lx);
	int close;

	e->str = lx->tok;
	probe_lex_next(lx);
	close = lx->kind == '(' ? probe_str_close(rest) : -1;
	if (close < 0)
		return;
	probe_lex_skip(lx, close + 1 - e->str.len);
	e->str.len = close + 1;
}

/* A number without a backslash is an operand of an operator. */
static int parse_number(struct probe_arg_parser *p, struct probe_expr *e)
{
	struct probe_lexer *lx = &p->lx;
	int ret = probe_str_u64(lx->tok, &e->number);

	e->kind = PROBE_EXPR_NUMBER;
	probe_lex_next(lx);
	if (!p->operators && (ret ? !probe_at_operator(lx) : !probe_at_operand_end(lx)))
		return probe_arg_error(p, PROBE_ERR_BAD_FETCH_ARG, e->pos);
	return ret ? probe_arg_errno(p, PROBE_ERR_BAD_IMM, e->pos, ret) : 0;
}

/* Members of $current can only follow an arrow. */
static bool may_have_members(const struct probe_expr *var, const struct probe_lexer *lx)
{
	return var->var == PROBE_VAR_RETVAL || var->var == PROBE_VAR_ARG_NTH ||
	       (var->var == PROBE_VAR_CURRENT && lx->kind == PROBE_TOK_ARROW);
}

static int parse_word(struct probe_arg_parser *p, struct probe_expr **out)
{
	struct probe_lexer *lx = &p->lx;
	struct probe_expr *e = *out;

	if (!probe_is_name(lx->tok))
		return parse_number(p, e);
	if (p->cmd->fields) {
		e->str = probe_operand_text(lx, ":)");
		return 0;
	}
	parse_name(lx, e);
	if (!p->cmd->no_names)
		return probe_parse_members(p, out);
	/* probe_resolve_arg() refuses the name, so its members do not matter. */
	probe_operand_text(lx, ":)");
	return 0;
}

/**
 * probe_parse_operand() - parse the operand of an expression, with its members
 * @p: the parser, at the operand; after it on success
 * @out: set to the outermost node
 *
 * Return: 0; -ENOMEM; otherwise the errno of the error recorded in the command.
 */
int probe_parse_operand(struct probe_arg_parser *p, struct probe_expr **out)
{
	struct probe_lexer *lx = &p->lx;
	struct probe_expr *e;
	int ret = 0;

	e = probe_expr_new(p, PROBE_EXPR_NAME, lx->tok.pos);
	if (!e)
		return -ENOMEM;
	*out = e;

	switch (lx->kind) {
	case '%':
		probe_lex_next(lx);
		ret = parse_register(p, e);
		break;
	case '$':
		probe_lex_next(lx);
		ret = parse_variable(p, e);
		if (!ret && may_have_members(e, lx))
			ret = probe_parse_members(p, out);
		else if (!ret && !probe_at_operand_end(lx))
			return probe_arg_error(p, PROBE_ERR_BAD_VAR, e->pos);
		break;
	case '@':
		probe_lex_next(lx);
		ret = parse_memory(p, e);
		break;
	case '\\':
		probe_lex_next(lx);
		ret = parse_immediate(p, e);
		break;
	case PROBE_TOK_WORD:
		ret = parse_word(p, out);
		break;
	default:
		return probe_arg_error(p, PROBE_ERR_BAD_FETCH_ARG, e->pos);
	}
	if (!ret && !probe_at_operand_end(lx))
		return probe_arg_error(p, PROBE_ERR_BAD_FETCH_ARG, lx->tok.pos);
	return ret;
}
