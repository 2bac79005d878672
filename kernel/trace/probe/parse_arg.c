// SPDX-License-Identifier: GPL-2.0
/*
 * Parser of one argument of a command.
 *
 *   arg      [NAME=]expr[:type]
 *   expr     wrapped | cast | operand
 *   wrapped  (+|-)[u]OFFSET ( expr ) | this_cpu_ptr ( expr ) | this_cpu_read ( expr )
 *   cast     ( STRUCT[,NAME[.NAME...]] ) value members
 *   value    ( expr ) | wrapped | operand without members
 *
 * parse_operand.c parses operands, and parse_type.c types.  Each function of these files
 * parses one of these rules at the lexer's position and leaves the lexer at the next token.
 * A loop parses nested dereferences and per-CPU words.  Casts are parsed recursively, up to
 * PROBE_MAX_NEST of them.
 */
#include <linux/errno.h>

#include "parse.h"

/*
 * Count a construct around the operand.  The limit of newer kernels applies only if one of
 * them is not a dereference: programs use more dereferences, which older kernels accept.
 */
static int count_nested(struct probe_arg_parser *p, unsigned int pos, bool is_deref)
{
	if (++p->nested == PROBE_MAX_NEST + 1)
		p->too_deep = pos;
	p->limited |= !is_deref;
	if (p->limited && p->nested > PROBE_MAX_NEST)
		return probe_arg_error(p, PROBE_ERR_TOO_MANY_NESTED, p->too_deep);
	return 0;
}

/* "+[u]OFFSET(" or "-[u]OFFSET(". */
static int parse_deref(struct probe_arg_parser *p, struct probe_expr **out)
{
	struct probe_lexer *lx = &p->lx;
	bool negative = lx->kind == '-';
	struct probe_expr *e;
	struct probe_str s;
	long offset = 0;
	int ret;

	e = probe_expr_new(p, PROBE_EXPR_DEREF, lx->tok.pos);
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
		return probe_arg_error(p, PROBE_ERR_DEREF_NEED_BRACE, e->pos);
	/* For compatibility, "+-8(...)" means "-8(...)". */
	ret = negative ? probe_str_long(s, true, &offset) :
			 probe_str_signed(s, &offset);
	if (ret)
		return probe_arg_errno(p, PROBE_ERR_BAD_DEREF_OFFS, e->pos, ret);
	e->value = offset;
	probe_lex_next(lx);
	return count_nested(p, e->pos, true);
}

/*
 * The closing braces. For compatibility, text between and after them is ignored,
 * but an extra brace is an error.
 */
static int parse_braces(struct probe_arg_parser *p, unsigned int nr)
{
	struct probe_lexer *lx = &p->lx;
	unsigned int operand_end = lx->tok.pos;

	for (; nr; nr--) {
		if (lx->kind != ')')
			return probe_arg_error(p, PROBE_ERR_DEREF_OPEN_BRACE, operand_end);
		probe_lex_next(lx);
		probe_lex_until(lx, "):");
	}
	if (lx->kind == ')')
		return probe_arg_error(p, PROBE_ERR_BAD_FETCH_ARG, lx->tok.pos);
	return 0;
}

/* Is it a text that the engine supplies, without an address of its own? */
static bool has_no_address(const struct probe_expr *e)
{
	return e->kind == PROBE_EXPR_STRING ||
	       (e->kind == PROBE_EXPR_VAR && e->var == PROBE_VAR_COMM);
}

/* Number of steps that an expression needs: reads of memory, and per-CPU addresses. */
static unsigned int count_steps(const struct probe_expr *e)
{
	unsigned int nr = 0;

	for (; e; e = e->base) {
		switch (e->kind) {
		case PROBE_EXPR_MEMBER:
			nr += e->arrow;
			break;
		case PROBE_EXPR_THIS_CPU_READ:
			nr += 2;
			break;
		case PROBE_EXPR_THIS_CPU_PTR:
		case PROBE_EXPR_DEREF:
		case PROBE_EXPR_ADDR:
		case PROBE_EXPR_SYMBOL:
		case PROBE_EXPR_FILE_OFFS:
			nr++;
			break;
		default:
			break;
		}
	}
	return nr;
}

/* Count from the inside, and report the first dereference above the limit. */
static int check_steps(struct probe_arg_parser *p, const struct probe_expr *e,
		       unsigned int operand_pos)
{
	unsigned int steps = count_steps(e);

	if (steps <= PROBE_MAX_DEREF)
		return 0;
	for (; steps > PROBE_MAX_DEREF && e->kind == PROBE_EXPR_DEREF; steps--)
		e = e->base;
	return probe_arg_error(p, PROBE_ERR_TOO_MANY_OPS,
			       e->kind == PROBE_EXPR_DEREF ? e->pos : operand_pos);
}

/* The kind of the dereference or per-CPU word that begins here; otherwise PROBE_EXPR_NAME. */
static enum probe_expr_kind kind_of_wrapper(const struct probe_lexer *lx)
{
	const char *after = lx->tok.s + lx->tok.len;

	if (lx->kind == '+' || lx->kind == '-')
		return PROBE_EXPR_DEREF;
	/* Without a brace, the words are names of parameters. */
	if (after == lx->end || *after != '(')
		return PROBE_EXPR_NAME;
	if (probe_str_is(lx->tok, "this_cpu_ptr"))
		return PROBE_EXPR_THIS_CPU_PTR;
	if (probe_str_is(lx->tok, "this_cpu_read"))
		return PROBE_EXPR_THIS_CPU_READ;
	return PROBE_EXPR_NAME;
}

static bool at_wrapper(const struct probe_lexer *lx)
{
	return kind_of_wrapper(lx) != PROBE_EXPR_NAME;
}

/* "this_cpu_ptr(" or "this_cpu_read(". */
static int parse_this_cpu(struct probe_arg_parser *p, struct probe_expr **out)
{
	struct probe_expr *e;

	e = probe_expr_new(p, kind_of_wrapper(&p->lx), p->lx.tok.pos);
	if (!e)
		return -ENOMEM;
	*out = e;
	probe_lex_next(&p->lx);
	probe_lex_next(&p->lx);
	return count_nested(p, e->pos, false);
}

static int parse_wrapper(struct probe_arg_parser *p, struct probe_expr **out)
{
	if (kind_of_wrapper(&p->lx) == PROBE_EXPR_DEREF)
		return parse_deref(p, out);
	return parse_this_cpu(p, out);
}

static int parse_cast(struct probe_arg_parser *p, struct probe_expr **out);

static int parse_expr(struct probe_arg_parser *p, struct probe_expr **out)
{
	struct probe_lexer *lx = &p->lx;
	struct probe_expr **slot = out;
	unsigned int depth, operand_pos;
	int ret;

	for (depth = 0; at_wrapper(lx); depth++) {
		ret = parse_wrapper(p, slot);
		if (ret)
			return ret;
		slot = &(*slot)->base;
	}
	operand_pos = lx->tok.pos;
	ret = lx->kind == '(' ? parse_cast(p, slot) : probe_parse_operand(p, slot);
	if (ret)
		return ret;
	if (depth && has_no_address(*slot))
		return probe_arg_error(p, PROBE_ERR_COMM_CANT_DEREF, operand_pos);
	return parse_braces(p, depth) ?: check_steps(p, *out, operand_pos);
}

/* Is it "@SYMBOL" with an offset?  Its sign looks like the beginning of an arrow. */
static bool is_symbol_offset(struct probe_str s)
{
	unsigned int i;

	if (!probe_str_starts(s, "@"))
		return false;
	for (i = 1; i + 1 < s.len; i++)
		if (s.s[i] == '+' || s.s[i] == '-')
			return probe_is_digit(s.s[i + 1]);
	return false;
}

/*
 * Find the end of the value that is cast, without the braces around it, in @value, which
 * begins with it.  Sets @skip to the number of characters up to the arrow.
 */
static int find_value(struct probe_arg_parser *p, struct probe_str *value, unsigned int *skip)
{
	struct probe_lexer ahead = p->lx;
	struct probe_str s = *value;
	int close;

	if (p->lx.kind == '(') {
		close = probe_str_close(s);
		if (close < 0)
			return probe_arg_error(p, PROBE_ERR_DEREF_OPEN_BRACE, s.pos);
		*value = probe_str_cut(s, 1, close);
		*skip = close + 1;
	} else if (at_wrapper(&p->lx)) {
		if (probe_str_find(s, '(') < 0)
			return probe_arg_error(p, PROBE_ERR_DEREF_NEED_BRACE, s.pos);
		close = probe_str_close(s);
		if (close < 0)
			return probe_arg_error(p, PROBE_ERR_DEREF_OPEN_BRACE, s.pos + s.len);
		*value = probe_str_cut(s, 0, close + 1);
		*skip = close + 1;
	} else {
		*value = probe_lex_until(&ahead, ">:)");
		if (is_symbol_offset(*value))
			return probe_arg_error(p, PROBE_ERR_CAST_SYM_OFFSET, s.pos);
		*skip = value->len;
	}
	return 0;
}

/* The value that is cast, and the arrow after it. */
static int parse_value(struct probe_arg_parser *p, struct probe_expr **out)
{
	struct probe_lexer *lx = &p->lx, ahead = *lx;
	struct probe_str rest = probe_lex_rest(lx), value = probe_lex_until(&ahead, ":");
	unsigned int skip;
	int ret;

	ret = find_value(p, &value, &skip);
	if (ret)
		return ret;
	probe_lex_start(lx, probe_str_from(rest, skip));
	if (lx->kind != PROBE_TOK_ARROW)
		return probe_arg_error(p, PROBE_ERR_CAST_NO_FIELD, lx->tok.pos);

	probe_lex_start(lx, value);
	ret = parse_expr(p, out);
	if (!ret && lx->kind != PROBE_TOK_END)
		ret = probe_arg_error(p, PROBE_ERR_BAD_FETCH_ARG, lx->tok.pos);
	if (!ret && has_no_address(*out))
		ret = probe_arg_error(p, PROBE_ERR_COMM_CANT_DEREF, (*out)->pos);
	probe_lex_start(lx, probe_str_from(rest, skip));
	return ret;
}

/* "NAME.NAME...", the member of the structure to which the value that is cast points. */
static int parse_field(struct probe_arg_parser *p, struct probe_expr **out)
{
	struct probe_lexer *lx = &p->lx;
	struct probe_expr *e;

	for (;;) {
		probe_lex_next(lx);
		e = probe_expr_new(p, PROBE_EXPR_MEMBER, lx->tok.pos);
		if (!e)
			return -ENOMEM;
		e->str = probe_lex_until(lx, ".>):");
		if (!e->str.len)
			return probe_arg_error(p, PROBE_ERR_NO_BTF_FIELD, e->pos);
		*out = e;
		out = &e->base;
		if (lx->kind == PROBE_TOK_ARROW)
			return probe_arg_error(p, PROBE_ERR_CAST_ARROW, lx->tok.pos);
		if (lx->kind != '.')
			return 0;
	}
}

/* "(STRUCT[,NAME...])VALUE->NAME..." */
static int parse_cast(struct probe_arg_parser *p, struct probe_expr **out)
{
	struct probe_lexer *lx = &p->lx;
	struct probe_expr *e;
	int ret;

	e = probe_expr_new(p, PROBE_EXPR_CAST, lx->tok.pos);
	if (!e)
		return -ENOMEM;
	*out = e;
	ret = count_nested(p, e->pos, false);
	if (ret)
		return ret;
	probe_lex_next(lx);
	e->str = probe_lex_until(lx, ",):");
	if (lx->kind == ',') {
		ret = parse_field(p, &e->field);
		if (ret)
			return ret;
	}
	if (lx->kind != ')')
		return probe_arg_error(p, PROBE_ERR_DEREF_OPEN_BRACE, lx->tok.pos);
	probe_lex_next(lx);
	ret = parse_value(p, &e->base) ?: probe_parse_members(p, out);
	if (!ret && !probe_at_operand_end(lx))
		ret = probe_arg_error(p, PROBE_ERR_BAD_FETCH_ARG, lx->tok.pos);
	return ret;
}

/* Is the text before an equals sign part of an argument with a list of names? */
static bool is_in_names(struct probe_str s)
{
	int brace, colon = -1, n;

	while ((n = probe_str_find(probe_str_from(s, colon + 1), ':')) >= 0)
		colon += n + 1;
	s = probe_str_from(s, colon + 1);
	brace = probe_str_find(s, '(');
	return colon >= 0 && brace >= 0 && probe_takes_names(probe_str_cut(s, 0, brace));
}

/* Cuts "NAME=" off @body and sets @name to NAME. */
static int parse_arg_name(struct probe_arg_parser *p, struct probe_str *name,
			  struct probe_str *body)
{
	int n = probe_str_find(*body, '=');

	if (n < 0 || is_in_names(probe_str_cut(*body, 0, n)))
		return 0;
	*name = probe_str_cut(*body, 0, n);
	*body = probe_str_from(*body, n + 1);
	if (name->len > PROBE_MAX_ARG_NAME)
		return probe_arg_error(p, PROBE_ERR_ARG_NAME_TOO_LONG, name->pos);
	if (!name->len)
		return probe_arg_error(p, PROBE_ERR_NO_ARG_NAME, name->pos);
	if (!probe_is_name(*name))
		return probe_arg_error(p, PROBE_ERR_BAD_ARG_NAME, name->pos);
	return 0;
}

/* Expression and type. */
static int parse_body(struct probe_arg_parser *p, struct probe_str body, struct probe_arg_ast *arg)
{
	int ret;

	if (body.len > PROBE_MAX_ARG_TEXT)
		return probe_arg_error(p, PROBE_ERR_ARG_TOO_LONG, body.pos);
	if (!body.len)
		return probe_arg_error(p, PROBE_ERR_NO_ARG_BODY, body.pos);

	probe_lex_start(&p->lx, body);
	ret = parse_expr(p, &arg->expr);
	if (ret)
		return ret;
	arg->text = probe_str_cut(body, 0, p->lx.tok.s - body.s);
	if (p->lx.kind == PROBE_TOK_END)
		return 0;
	probe_lex_next(&p->lx);
	return probe_parse_type(p, &arg->type);
}

static int parse_arg(struct probe_cmd *cmd, struct probe_str word,
		     struct probe_arg_ast *arg)
{
	struct probe_arg_parser p = { .cmd = cmd, .word = word };
	struct probe_str body = word;

	*arg = (struct probe_arg_ast) { .word = word };
	return parse_arg_name(&p, &arg->name, &body) ?: parse_body(&p, body, arg);
}

/**
 * probe_parse_unnamed() - parse an argument that has no name
 * @cmd: the command
 * @text: its text
 * @arg: filled in
 *
 * Return: 0; -ENOMEM; otherwise the errno of the error recorded in @cmd.
 */
int probe_parse_unnamed(struct probe_cmd *cmd, struct probe_str text,
			struct probe_arg_ast *arg)
{
	struct probe_arg_parser p = { .cmd = cmd, .word = text };

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
				       cmd->words[first].pos);
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
