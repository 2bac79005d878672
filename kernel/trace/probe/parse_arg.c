// SPDX-License-Identifier: GPL-2.0
/*
 * Parser of one argument of a command.
 *
 *   arg      [NAME=]expr[:type]
 *   expr     (+|-)[u]OFFSET ( expr ) | operand
 *   operand: %NAME | $NAME[members] | NAME[members] | \NUMBER | \"TEXT" |
 *            @NUMBER | @SYMBOL[(+|-)OFFSET] | @+NUMBER
 *   members  ->NAME[members] | .NAME[members]
 *   type     (NAME | bWIDTH@SHIFT/CONTAINER)['['COUNT']'] | %pd | %pD
 *
 * Each function below parses one of these rules at the lexer's position and leaves
 * the lexer at the next token.  Only dereferences can nest, and a loop parses them,
 * so the stack depth does not depend on the input.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/string.h>

#include "expr.h"
#include "lex.h"

/**
 * struct arg_parser - state of parsing an argument
 * @cmd: the command that contains it
 * @word: the whole argument
 * @lx: current position
 */
struct arg_parser {
	struct probe_cmd	*cmd;
	struct probe_str	word;
	struct probe_lexer	lx;
};

static int arg_error(struct arg_parser *p, enum probe_err err, unsigned int pos)
{
	return probe_cmd_error(p->cmd, err, pos);
}

/* As arg_error(), but returns @ret, such as -ERANGE, to the user. */
static int errno_error(struct arg_parser *p, enum probe_err err, unsigned int pos, int ret)
{
	arg_error(p, err, pos);
	return ret;
}

static struct probe_expr *new_expr(struct arg_parser *p,
				   enum probe_expr_kind kind, unsigned int pos)
{
	struct probe_expr *e = probe_arena_alloc(p->cmd->arena, sizeof(*e));

	if (e) {
		e->kind = kind;
		e->pos = pos;
	}
	return e;
}

/* "->NAME" and ".NAME", any number of them, after the value *@e. */
static int parse_members(struct arg_parser *p, struct probe_expr **e)
{
	struct probe_lexer *lx = &p->lx;
	struct probe_expr *member;
	bool arrow;

	for (;;) {
		arrow = lx->kind == PROBE_TOK_ARROW;
		if (lx->kind == '-')
			return arg_error(p, PROBE_ERR_BAD_HYPHEN, lx->tok.pos);
		if (!arrow && lx->kind != '.')
			return 0;
		/* Only a member can be a structure: other values are in registers. */
		if (!arrow && (*e)->kind != PROBE_EXPR_MEMBER)
			return arg_error(p, PROBE_ERR_NOSUP_DAT_ARG, lx->tok.pos + 1);
		probe_lex_next(lx);
		if (lx->kind != PROBE_TOK_WORD || !probe_is_name(lx->tok))
			return arg_error(p, PROBE_ERR_NO_BTF_FIELD, lx->tok.pos);

		member = new_expr(p, PROBE_EXPR_MEMBER, lx->tok.pos);
		if (!member)
			return -ENOMEM;
		member->str = lx->tok;
		member->arrow = arrow;
		member->base = *e;
		*e = member;
		probe_lex_next(lx);
	}
}

static int parse_register(struct arg_parser *p, struct probe_expr *e)
{
	e->kind = PROBE_EXPR_REG;
	e->str = probe_lex_until(&p->lx, ":)");
	if (!e->str.len)
		return arg_error(p, PROBE_ERR_BAD_REG_NAME, e->pos);
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
		{ "stack", PROBE_VAR_STACK },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(vars); i++)
		if (probe_str_is(s, vars[i].name))
			return vars[i].var;
	if (is_numbered(s, "stack", nr))
		return PROBE_VAR_STACK_NTH;
	if (is_numbered(s, "arg", nr))
		return PROBE_VAR_ARG_NTH;
	if (probe_str_starts(s, ALL_ARGS))
		return PROBE_VAR_ALL_ARGS;
	return PROBE_VAR_UNKNOWN;
}

static int parse_variable(struct arg_parser *p, struct probe_expr *e)
{
	e->kind = PROBE_EXPR_VAR;
	e->str = probe_lex_until(&p->lx, "-.:)");
	if (!e->str.len)
		return arg_error(p, PROBE_ERR_BAD_VAR, e->pos);
	e->var = variable(e->str, &e->value);
	/* $arg* stands for several arguments, so it cannot be part of one. */
	if (e->var == PROBE_VAR_ALL_ARGS &&
	    (e->pos != p->word.pos || e->str.len != strlen(ALL_ARGS) ||
	     (p->lx.kind != PROBE_TOK_END && p->lx.kind != ':')))
		return arg_error(p, PROBE_ERR_BAD_VAR_ARGS, e->pos);
	return 0;
}

/* The text after '@'. */
static int parse_memory(struct arg_parser *p, struct probe_expr *e)
{
	struct probe_lexer *lx = &p->lx;
	long offset = 0;
	int ret;

	/* Only uprobes can read at a file offset: probe_resolve_arg() parses or refuses TEXT. */
	if (lx->kind == '+') {
		e->kind = PROBE_EXPR_FILE_OFFS;
		probe_lex_next(lx);
		e->str = probe_lex_until(lx, ":)");
		return 0;
	}
	if (lx->kind == PROBE_TOK_WORD && probe_is_digit(lx->tok.s[0])) {
		e->kind = PROBE_EXPR_ADDR;
		ret = probe_str_number(probe_lex_until(lx, ":)"), &e->value);
		return ret ? errno_error(p, PROBE_ERR_BAD_MEM_ADDR, e->pos, ret) : 0;
	}
	e->kind = PROBE_EXPR_SYMBOL;
	/* probe_resolve_arg() refuses the symbol. */
	if (p->cmd->no_symbols) {
		probe_lex_until(lx, ":)");
		return 0;
	}
	e->str = probe_lex_until(lx, "+-:)");
	if (lx->kind == '+' || lx->kind == '-' || lx->kind == PROBE_TOK_ARROW) {
		ret = probe_str_signed(probe_lex_until(lx, ":)"), &offset);
		if (ret)
			return errno_error(p, PROBE_ERR_BAD_MEM_ADDR, e->pos, ret);
	}
	/* An empty name matches no symbol. */
	if (!e->str.len)
		return errno_error(p, PROBE_ERR_BAD_MEM_ADDR, e->pos, -ENOENT);
	e->value = offset;
	return 0;
}

static bool at_operand_end(const struct probe_lexer *lx)
{
	return lx->kind == PROBE_TOK_END || lx->kind == ':' || lx->kind == ')';
}

/*
 * The text after '\"'. It may contain quotes and colons: it ends at the last quote
 * of the word.
 */
static int parse_string(struct arg_parser *p, struct probe_expr *e)
{
	struct probe_lexer *lx = &p->lx;
	struct probe_str rest = probe_lex_rest(lx);
	unsigned int quote = rest.len;

	while (quote && rest.s[quote - 1] != '"')
		quote--;
	probe_lex_skip(lx, quote);
	if (!quote || !at_operand_end(lx)) {
		probe_lex_until(lx, ":");
		return arg_error(p, PROBE_ERR_IMMSTR_NO_CLOSE, lx->tok.pos);
	}
	e->kind = PROBE_EXPR_STRING;
	e->str = probe_str_cut(rest, 0, quote - 1);
	return 0;
}

/* The text after '\'. */
static int parse_immediate(struct arg_parser *p, struct probe_expr *e)
{
	struct probe_str s;
	long val = 0;
	int ret;

	if (p->lx.kind == '"') {
		probe_lex_next(&p->lx);
		return parse_string(p, e);
	}
	e->kind = PROBE_EXPR_IMM;
	s = probe_lex_until(&p->lx, ":)");
	/* A signed number must fit into a long.  A plus sign may precede its sign. */
	if (probe_str_starts(s, "+") || probe_str_starts(s, "-")) {
		ret = probe_str_signed(probe_str_starts(s, "+") ? probe_str_from(s, 1) : s, &val);
		e->value = val;
	} else {
		ret = probe_str_number(s, &e->value);
	}
	return ret ? errno_error(p, PROBE_ERR_BAD_IMM, s.pos, ret) : 0;
}

static bool may_have_members(const struct probe_expr *var)
{
	return var->var == PROBE_VAR_RETVAL || var->var == PROBE_VAR_ARG_NTH;
}

/* The operand of an expression, with its members. */
static int parse_operand(struct arg_parser *p, struct probe_expr **out)
{
	struct probe_lexer *lx = &p->lx;
	struct probe_expr *e;
	int ret = 0;

	e = new_expr(p, PROBE_EXPR_NAME, lx->tok.pos);
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
		if (!ret && may_have_members(e))
			ret = parse_members(p, out);
		else if (!ret && !at_operand_end(lx))
			return arg_error(p, PROBE_ERR_BAD_VAR, e->pos);
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
		if (!probe_is_name(lx->tok))
			return arg_error(p, PROBE_ERR_BAD_FETCH_ARG, e->pos);
		e->str = lx->tok;
		probe_lex_next(lx);
		/* probe_resolve_arg() refuses the name, so its members do not matter. */
		if (p->cmd->no_names)
			probe_lex_until(lx, ":)");
		else
			ret = parse_members(p, out);
		break;
	default:
		return arg_error(p, PROBE_ERR_BAD_FETCH_ARG, e->pos);
	}
	if (!ret && !at_operand_end(lx))
		return arg_error(p, PROBE_ERR_BAD_FETCH_ARG, lx->tok.pos);
	return ret;
}

/* "+[u]OFFSET(" or "-[u]OFFSET(". */
static int parse_deref(struct arg_parser *p, struct probe_expr **out)
{
	struct probe_lexer *lx = &p->lx;
	bool negative = lx->kind == '-';
	struct probe_expr *e;
	struct probe_str s;
	long offset = 0;
	int ret;

	e = new_expr(p, PROBE_EXPR_DEREF, lx->tok.pos);
	if (!e)
		return -ENOMEM;
	*out = e;
	probe_lex_next(lx);
	if (lx->kind == PROBE_TOK_WORD && lx->tok.s[0] == 'u') {
		e->user = true;
		probe_lex_skip(lx, 1);
	}
	s = probe_lex_until(lx, "(:");
	if (lx->kind != '(')
		return arg_error(p, PROBE_ERR_DEREF_NEED_BRACE, e->pos);
	/* For compatibility, "+-8(...)" means "-8(...)". */
	ret = negative ? probe_str_long(s, true, &offset) :
			 probe_str_signed(s, &offset);
	if (ret)
		return errno_error(p, PROBE_ERR_BAD_DEREF_OFFS, e->pos, ret);
	e->value = offset;
	probe_lex_next(lx);
	return 0;
}

/*
 * The closing braces. For compatibility, text between and after them is ignored,
 * but an extra brace is an error.
 */
static int parse_braces(struct arg_parser *p, unsigned int nr)
{
	struct probe_lexer *lx = &p->lx;
	unsigned int operand_end = lx->tok.pos;

	for (; nr; nr--) {
		if (lx->kind != ')')
			return arg_error(p, PROBE_ERR_DEREF_OPEN_BRACE, operand_end);
		probe_lex_next(lx);
		probe_lex_until(lx, "):");
	}
	if (lx->kind == ')')
		return arg_error(p, PROBE_ERR_BAD_FETCH_ARG, lx->tok.pos);
	return 0;
}

/* Is it a text that the engine supplies, without an address of its own? */
static bool has_no_address(const struct probe_expr *e)
{
	return e->kind == PROBE_EXPR_STRING ||
	       (e->kind == PROBE_EXPR_VAR && e->var == PROBE_VAR_COMM);
}

/* Number of memory reads that an operand needs. */
static unsigned int operand_reads(const struct probe_expr *e)
{
	unsigned int nr = 0;

	for (; e->kind == PROBE_EXPR_MEMBER; e = e->base)
		nr += e->arrow;
	if (e->kind == PROBE_EXPR_ADDR || e->kind == PROBE_EXPR_SYMBOL ||
	    e->kind == PROBE_EXPR_FILE_OFFS)
		nr++;
	return nr;
}

static int parse_expr(struct arg_parser *p, struct probe_expr **out)
{
	struct probe_lexer *lx = &p->lx;
	struct probe_expr **slot = out;
	unsigned int depth, reads, operand_pos;
	const struct probe_expr *e;
	int ret;

	for (depth = 0; lx->kind == '+' || lx->kind == '-'; depth++) {
		ret = parse_deref(p, slot);
		if (ret)
			return ret;
		slot = &(*slot)->base;
	}
	operand_pos = lx->tok.pos;
	ret = parse_operand(p, slot);
	if (ret)
		return ret;
	if (depth && has_no_address(*slot))
		return arg_error(p, PROBE_ERR_COMM_CANT_DEREF, operand_pos);
	ret = parse_braces(p, depth);
	if (ret)
		return ret;

	/* Count from the inside, and report the first dereference above the limit. */
	reads = depth + operand_reads(*slot);
	if (reads <= PROBE_MAX_DEREF)
		return 0;
	for (e = *out; reads > PROBE_MAX_DEREF && e->kind == PROBE_EXPR_DEREF; reads--)
		e = e->base;
	return arg_error(p, PROBE_ERR_TOO_MANY_OPS,
			 e->kind == PROBE_EXPR_DEREF ? e->pos : operand_pos);
}

/* "bWIDTH@SHIFT/CONTAINER" */
static int parse_bitfield(struct arg_parser *p, struct probe_type_ast *type)
{
	struct probe_str s = type->str;
	unsigned long width, shift, container;
	int at, slash = probe_str_find(s, '/');

	if (slash < 0 || probe_str_unsigned(probe_str_from(s, slash + 1), &container) ||
	    (container != 8 && container != 16 && container != 32 && container != 64))
		return arg_error(p, PROBE_ERR_BAD_TYPE, s.pos);
	s = probe_str_cut(s, 1, slash);
	at = probe_str_find(s, '@');
	if (at < 0 || probe_str_number(probe_str_cut(s, 0, at), &width) ||
	    probe_str_number(probe_str_from(s, at + 1), &shift) ||
	    !width || width > container || shift > container - width)
		return arg_error(p, PROBE_ERR_BAD_BITFIELD, type->str.pos);
	type->form = PROBE_TYPE_BITFIELD;
	type->width = width;
	type->shift = shift;
	type->container = container;
	return 0;
}

/* The text after '['. */
static int parse_count(struct arg_parser *p, struct probe_type_ast *type)
{
	struct probe_lexer *lx = &p->lx;
	unsigned long count;
	struct probe_str s;

	s = probe_lex_until(lx, "]");
	if (lx->kind != ']')
		return arg_error(p, PROBE_ERR_ARRAY_NO_CLOSE, lx->tok.pos);
	probe_lex_next(lx);
	if (lx->kind != PROBE_TOK_END)
		return arg_error(p, PROBE_ERR_BAD_ARRAY_SUFFIX, lx->tok.pos);
	if (probe_str_unsigned(s, &count) || !count || count > UINT_MAX)
		return arg_error(p, PROBE_ERR_BAD_ARRAY_NUM, s.pos);
	if (count > PROBE_MAX_ARRAY)
		return arg_error(p, PROBE_ERR_ARRAY_TOO_BIG, s.pos);
	type->count = count;
	return 0;
}

/* The text after ':'. */
static int parse_type(struct arg_parser *p, struct probe_type_ast *type)
{
	struct probe_lexer *lx = &p->lx;
	int ret;

	type->text = probe_lex_rest(lx);
	type->str = probe_lex_until(lx, "[");
	if (probe_is_name(type->str)) {
		type->form = PROBE_TYPE_NAMED;
	} else if (probe_str_starts(type->str, "b")) {
		ret = parse_bitfield(p, type);
		if (ret)
			return ret;
	} else if (lx->kind == PROBE_TOK_END && probe_str_is(type->str, "%pd")) {
		type->form = PROBE_TYPE_DENTRY;
	} else if (lx->kind == PROBE_TOK_END && probe_str_is(type->str, "%pD")) {
		type->form = PROBE_TYPE_FILE;
	} else {
		return arg_error(p, PROBE_ERR_BAD_TYPE, type->str.pos);
	}
	if (lx->kind == PROBE_TOK_END)
		return 0;
	probe_lex_next(lx);
	return parse_count(p, type);
}

/* Cuts "NAME=" off @body and sets @name to NAME. */
static int parse_arg_name(struct arg_parser *p, struct probe_str *name,
			  struct probe_str *body)
{
	int n = probe_str_find(*body, '=');

	if (n < 0)
		return 0;
	*name = probe_str_cut(*body, 0, n);
	*body = probe_str_from(*body, n + 1);
	if (name->len > PROBE_MAX_ARG_NAME)
		return arg_error(p, PROBE_ERR_ARG_NAME_TOO_LONG, name->pos);
	if (!name->len)
		return arg_error(p, PROBE_ERR_NO_ARG_NAME, name->pos);
	if (!probe_is_name(*name))
		return arg_error(p, PROBE_ERR_BAD_ARG_NAME, name->pos);
	return 0;
}

/* Expression and type. */
static int parse_body(struct arg_parser *p, struct probe_str body, struct probe_arg_ast *arg)
{
	int ret;

	if (body.len > PROBE_MAX_ARG_TEXT)
		return arg_error(p, PROBE_ERR_ARG_TOO_LONG, body.pos);
	if (!body.len)
		return arg_error(p, PROBE_ERR_NO_ARG_BODY, body.pos);

	probe_lex_start(&p->lx, body);
	ret = parse_expr(p, &arg->expr);
	if (ret)
		return ret;
	arg->text = probe_str_cut(body, 0, p->lx.tok.s - body.s);
	if (p->lx.kind == PROBE_TOK_END)
		return 0;
	probe_lex_next(&p->lx);
	return parse_type(p, &arg->type);
}

static int parse_arg(struct probe_cmd *cmd, struct probe_str word,
		     struct probe_arg_ast *arg)
{
	struct arg_parser p = { .cmd = cmd, .word = word };
	struct probe_str body = word;

	*arg = (struct probe_arg_ast) { .word = word };
	return parse_arg_name(&p, &arg->name, &body) ?: parse_body(&p, body, arg);
}

/**
 * probe_parse_operand() - parse an argument that has no name
 * @cmd: the command
 * @text: its text
 * @arg: filled in
 *
 * Return: 0; -ENOMEM; otherwise the errno of the error recorded in @cmd.
 */
int probe_parse_operand(struct probe_cmd *cmd, struct probe_str text,
			struct probe_arg_ast *arg)
{
	struct arg_parser p = { .cmd = cmd, .word = text };

	*arg = (struct probe_arg_ast) { .word = text };
	return parse_body(&p, text, arg);
}

/**
 * probe_parse_args() - parse all arguments, unless they are parsed already
 * @cmd: the command
 *
 * Return: 0; -ENOMEM; otherwise the errno of the error recorded in @cmd.
 */
int probe_parse_args(struct probe_cmd *cmd)
{
	const unsigned int first = PROBE_FIRST_ARG;
	unsigned int nr = cmd->nr_words > first ? cmd->nr_words - first : 0;
	int ret;

	if (cmd->has_args)
		return 0;
	if (nr > PROBE_MAX_ARGS)
		return probe_cmd_error(cmd, PROBE_ERR_TOO_MANY_ARGS,
				       cmd->words[first + PROBE_MAX_ARGS].pos);
	cmd->args = probe_arena_alloc(cmd->arena, nr * sizeof(*cmd->args));
	if (!cmd->args)
		return -ENOMEM;
	for (cmd->nr_args = 0; cmd->nr_args < nr; cmd->nr_args++) {
		ret = parse_arg(cmd, cmd->words[first + cmd->nr_args],
				&cmd->args[cmd->nr_args]);
		if (ret)
			return ret;
	}
	cmd->has_args = true;
	return 0;
}
