// SPDX-License-Identifier: GPL-2.0
/*
 * Parser of one argument of a command.
 *
 *   arg      [NAME=]expr[:type]
 *   expr     term [operator term]...
 *   term     wrapped | cast | operand | ( expr ) | -term | ~term
 *   wrapped  (+|-)[u]OFFSET ( expr ) | this_cpu_ptr ( expr ) | this_cpu_read ( expr )
 *   cast     ( STRUCT[,NAME[.NAME...]] ) value members
 *   value    ( expr ) | wrapped | operand without members
 *
 * "(NAME)" followed by the beginning of a value is a cast, and a sign followed by a number and a
 * brace is a dereference.  At the beginning of an argument, and after a brace, a sign is always a
 * dereference.
 *
 * parse_operand.c parses operands, and parse_type.c types.  Each function of these files
 * parses one of these rules at the lexer's position and leaves the lexer at the next token.
 * A loop parses nested dereferences and per-CPU words.  Casts, parentheses, signs and right
 * operands are parsed recursively, up to PROBE_MAX_NEST of them.
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

static int parse_term(struct probe_arg_parser *p, struct probe_expr **out);

static int new_math(struct probe_arg_parser *p, enum probe_math op, unsigned int pos,
		    struct probe_expr **out)
{
	if (++p->operators == PROBE_MAX_OPERANDS)
		return probe_arg_error(p, PROBE_ERR_TOO_MANY_OPERANDS, pos);
	p->limited = true;
	*out = probe_expr_new(p, PROBE_EXPR_MATH, pos);
	if (!*out)
		return -ENOMEM;
	(*out)->op = op;
	return 0;
}

/* The place of an operator in a tree that it follows: above operators that bind as tightly. */
static struct probe_expr **place_of_operator(struct probe_expr **root, unsigned int rank)
{
	while ((*root)->kind == PROBE_EXPR_MATH && !(*root)->closed &&
	       probe_math_rank((*root)->op) < rank)
		root = &(*root)->right;
	return root;
}

/* Operators and operands after the first operand, @out. */
static int parse_operators(struct probe_arg_parser *p, struct probe_expr **out)
{
	unsigned int rank, pos = p->lx.tok.pos;
	struct probe_expr *e, **place;
	enum probe_math op;
	int ret = 0;

	while (!ret && (rank = probe_parse_operator(&p->lx, &op))) {
		ret = new_math(p, op, pos, &e);
		if (ret)
			return ret;
		place = place_of_operator(out, rank);
		e->left = *place;
		*place = e;
		ret = parse_term(p, &e->right);
		pos = p->lx.tok.pos;
	}
	return ret;
}

/* A number is an operand, not an address or an argument. */
static int check_number(struct probe_arg_parser *p, const struct probe_expr *e)
{
	if (e->kind == PROBE_EXPR_NUMBER)
		return probe_arg_error(p, PROBE_ERR_BAD_FETCH_ARG, e->pos);
	return 0;
}

/* The expression in the braces of @wrapper, after its first term, and the closing brace. */
static int parse_brace(struct probe_arg_parser *p, struct probe_expr *wrapper,
		       unsigned int *operand_end)
{
	struct probe_lexer *lx = &p->lx;
	int ret;

	if (probe_at_operator(lx)) {
		ret = parse_operators(p, &wrapper->base);
		if (ret)
			return ret;
		*operand_end = lx->tok.pos;
	}
	if (lx->kind != ')')
		return probe_arg_error(p, PROBE_ERR_DEREF_OPEN_BRACE, *operand_end);
	p->open--;
	p->nested--;
	probe_lex_next(lx);
	return check_number(p, wrapper->base);
}

/*
 * The closing braces. For compatibility, text between and after them that is no operator is
 * ignored, but an extra brace is an error.
 */
static int parse_braces(struct probe_arg_parser *p, struct probe_expr *outermost, unsigned int nr)
{
	struct probe_lexer *lx = &p->lx;
	unsigned int operand_end = lx->tok.pos, i;
	struct probe_expr *wrapper;
	int ret;

	for (; nr; nr--) {
		for (wrapper = outermost, i = 1; i < nr; i++)
			wrapper = wrapper->base;
		ret = parse_brace(p, wrapper, &operand_end);
		if (ret)
			return ret;
		if (!probe_at_operator(lx))
			probe_lex_until(lx, "):");
	}
	if (lx->kind == ')' && !p->open)
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

/* Is it a sign, a number and a brace?  For compatibility, there may be other signs. */
static bool is_deref(struct probe_str s)
{
	unsigned int i = 1, digits;

	if (i < s.len && s.s[i] == 'u')
		i++;
	while (i < s.len && (s.s[i] == '+' || s.s[i] == '-'))
		i++;
	for (digits = i; i < s.len; i++)
		if (!probe_is_alpha(s.s[i]) && !probe_is_digit(s.s[i]))
			break;
	return i > digits && i < s.len && s.s[i] == '(';
}

/* Is it a minus sign before an operand? */
static bool at_minus(const struct probe_arg_parser *p)
{
	return p->lx.kind == '-' && p->operators && probe_at_operator(&p->lx) &&
	       !is_deref(probe_lex_rest(&p->lx));
}

/* The kind of the dereference or per-CPU word that begins here; otherwise PROBE_EXPR_NAME. */
static enum probe_expr_kind kind_of_wrapper(const struct probe_arg_parser *p)
{
	const struct probe_lexer *lx = &p->lx;
	const char *after = lx->tok.s + lx->tok.len;

	if (at_minus(p))
		return PROBE_EXPR_NAME;
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

static bool at_wrapper(const struct probe_arg_parser *p)
{
	return kind_of_wrapper(p) != PROBE_EXPR_NAME;
}

/* "this_cpu_ptr(" or "this_cpu_read(". */
static int parse_this_cpu(struct probe_arg_parser *p, struct probe_expr **out)
{
	struct probe_expr *e;

	e = probe_expr_new(p, kind_of_wrapper(p), p->lx.tok.pos);
	if (!e)
		return -ENOMEM;
	*out = e;
	probe_lex_next(&p->lx);
	probe_lex_next(&p->lx);
	return count_nested(p, e->pos, false);
}

static int parse_wrapper(struct probe_arg_parser *p, struct probe_expr **out)
{
	if (kind_of_wrapper(p) == PROBE_EXPR_DEREF)
		return parse_deref(p, out);
	return parse_this_cpu(p, out);
}

static int parse_cast(struct probe_arg_parser *p, struct probe_expr **out);

/* Is the value @left an operand: "(NAME)" and an operator that cannot begin a value? */
static bool is_left_operand(const struct probe_lexer *after)
{
	struct probe_str s = probe_lex_rest(after);

	if (!probe_at_operator(after))
		return false;
	if (after->kind == '%')
		return !probe_is_alpha(s.s[1]);
	return (after->kind != '+' && after->kind != '-') || !is_deref(s);
}

/* Does the parenthesis begin a cast?  Otherwise it encloses an expression. */
static bool is_cast(const struct probe_arg_parser *p)
{
	struct probe_str s = probe_lex_rest(&p->lx);
	struct probe_lexer after;
	unsigned int i;

	for (i = 1; i < s.len && s.s[i] != ','; i++)
		if (!probe_is_alpha(s.s[i]) && !probe_is_digit(s.s[i]) && s.s[i] != '.')
			break;
	if (i == s.len || s.s[i] != ')')
		return i == s.len || s.s[i] == ',' || s.s[i] == ':';
	probe_lex_start(&after, probe_str_from(s, i + 1));
	if (i == 1 || !probe_at_operand_end(&after))
		return true;
	/* Without an operator, newer kernels expect a cast. */
	return probe_at_operator(&after) ? !is_left_operand(&after) : !p->operators;
}

/* "(EXPR)" */
static int parse_parens(struct probe_arg_parser *p, struct probe_expr **out)
{
	struct probe_lexer *lx = &p->lx;
	unsigned int pos = lx->tok.pos;
	int ret;

	p->open++;
	probe_lex_next(lx);
	ret = count_nested(p, pos, false) ?: parse_term(p, out) ?: parse_operators(p, out);
	if (ret)
		return ret;
	if (lx->kind != ')')
		return probe_arg_error(p, PROBE_ERR_PAREN_NO_CLOSE, pos);
	p->open--;
	p->nested--;
	(*out)->closed = true;
	probe_lex_next(lx);
	if (!probe_at_operand_end(lx))
		return probe_arg_error(p, PROBE_ERR_BAD_FETCH_ARG, lx->tok.pos);
	return 0;
}

/* @e: an operator without a left operand, which becomes @number */
static int set_left(struct probe_arg_parser *p, struct probe_expr *e, u64 number)
{
	e->left = probe_expr_new(p, PROBE_EXPR_NUMBER, e->pos);
	if (!e->left)
		return -ENOMEM;
	e->left->number = number;
	e->closed = true;
	return 0;
}

/* "-X" means 0-X, and "~X" means -1-X. */
static int parse_unary(struct probe_arg_parser *p, struct probe_expr **out)
{
	unsigned int pos = p->lx.tok.pos;
	bool invert = p->lx.kind == '~';
	int ret;

	probe_lex_next(&p->lx);
	ret = count_nested(p, pos, false) ?: new_math(p, PROBE_MATH_SUB, pos, out) ?:
	      set_left(p, *out, invert ? -1ULL : 0);
	if (ret)
		return ret;
	ret = parse_term(p, &(*out)->right);
	p->nested--;
	return ret;
}

/* What is in the braces of dereferences. */
static int parse_inner(struct probe_arg_parser *p, struct probe_expr **out)
{
	unsigned int kind = p->lx.kind;

	if (kind == '~' || kind == '-')
		return parse_unary(p, out);
	if (kind == '(')
		return is_cast(p) ? parse_cast(p, out) : parse_parens(p, out);
	return probe_parse_operand(p, out);
}

static int parse_term(struct probe_arg_parser *p, struct probe_expr **out)
{
	struct probe_lexer *lx = &p->lx;
	struct probe_expr **slot = out;
	unsigned int depth, operand_pos;
	int ret;

	for (depth = 0; at_wrapper(p); depth++) {
		p->open++;
		ret = parse_wrapper(p, slot);
		if (ret)
			return ret;
		slot = &(*slot)->base;
	}
	operand_pos = lx->tok.pos;
	ret = parse_inner(p, slot);
	if (ret)
		return ret;
	if (depth && has_no_address(*slot))
		return probe_arg_error(p, PROBE_ERR_COMM_CANT_DEREF, operand_pos);
	return parse_braces(p, *out, depth) ?: check_steps(p, *out, operand_pos);
}

static int parse_expr(struct probe_arg_parser *p, struct probe_expr **out)
{
	return parse_term(p, out) ?: parse_operators(p, out) ?: check_number(p, *out);
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
	} else if (at_wrapper(p)) {
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
	unsigned int skip, open = p->open;
	bool in_parens = lx->kind == '(';
	int ret;

	ret = find_value(p, &value, &skip);
	if (ret)
		return ret;
	probe_lex_start(lx, probe_str_from(rest, skip));
	if (lx->kind != PROBE_TOK_ARROW)
		return probe_arg_error(p, PROBE_ERR_CAST_NO_FIELD, lx->tok.pos);

	probe_lex_start(lx, value);
	p->open = 0;
	ret = in_parens ? parse_expr(p, out) : parse_term(p, out) ?: check_number(p, *out);
	p->open = open;
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
	p->nested--;
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
