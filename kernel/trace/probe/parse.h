/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The state of parsing an argument.  Only the files of the parser of arguments include this
 * file: parse_names.c, parse_type.c, parse_operator.c, parse_operand.c and parse_arg.c.
 */
#ifndef _PROBE_PARSE_H
#define _PROBE_PARSE_H

#include "expr.h"
#include "lex.h"

/**
 * struct probe_arg_parser - state of parsing an argument
 * @cmd: the command that contains it
 * @word: the whole argument
 * @lx: current position
 * @nested: number of constructs around the current position: dereferences, per-CPU words
 *	and casts
 * @limited: one of them is not a dereference
 * @too_deep: column of the first one above PROBE_MAX_NEST
 * @open: number of open braces and parentheses around the current position
 * @operators: number of operators so far
 */
struct probe_arg_parser {
	struct probe_cmd	*cmd;
	struct probe_str	word;
	struct probe_lexer	lx;
	unsigned int		nested;
	bool			limited;
	unsigned int		too_deep;
	unsigned int		open;
	unsigned int		operators;
};

static inline int probe_arg_error(struct probe_arg_parser *p, enum probe_err err,
				  unsigned int pos)
{
	return probe_cmd_error(p->cmd, err, pos);
}

/* As probe_arg_error(), but returns @ret, such as -ERANGE, to the user. */
static inline int probe_arg_errno(struct probe_arg_parser *p, enum probe_err err,
				  unsigned int pos, int ret)
{
	probe_arg_error(p, err, pos);
	return ret;
}

/* parse_operator.c */
bool probe_at_operator(const struct probe_lexer *lx);
unsigned int probe_parse_operator(struct probe_lexer *lx, enum probe_math *op);
unsigned int probe_math_rank(enum probe_math op);
struct probe_str probe_operand_text(struct probe_lexer *lx, const char *stop);

static inline bool probe_at_operand_end(const struct probe_lexer *lx)
{
	return lx->kind == PROBE_TOK_END || lx->kind == ':' || lx->kind == ')' ||
	       probe_at_operator(lx);
}

/* parse_names.c */
bool probe_takes_names(struct probe_str word);
int probe_parse_names(struct probe_arg_parser *p, struct probe_names_ast *names);

/* parse_type.c */
int probe_parse_type(struct probe_arg_parser *p, struct probe_type_ast *type);

/* parse_operand.c */
struct probe_expr *probe_expr_new(struct probe_arg_parser *p, enum probe_expr_kind kind,
				  unsigned int pos);
int probe_parse_members(struct probe_arg_parser *p, struct probe_expr **e);
int probe_parse_operand(struct probe_arg_parser *p, struct probe_expr **out);

#endif /* _PROBE_PARSE_H */
