// SPDX-License-Identifier: GPL-2.0
/*
 * Parser of the type of an argument.
 *
 *   type     (NAME[names] | bWIDTH@SHIFT/CONTAINER)['['COUNT']'] | %pd | %pD
 *
 * parse_names.c parses names, which only the types enum and flags can have.
 */
#include <linux/errno.h>
#include <linux/limits.h>

#include "parse.h"

/* "bWIDTH@SHIFT/CONTAINER" */
static int parse_bitfield(struct probe_arg_parser *p, struct probe_type_ast *type)
{
	struct probe_str s = type->str;
	unsigned long width, shift, container;
	int at, slash = probe_str_find(s, '/');

	if (slash < 0 || probe_str_unsigned(probe_str_from(s, slash + 1), &container) ||
	    (container != 8 && container != 16 && container != 32 && container != 64))
		return probe_arg_error(p, PROBE_ERR_BAD_TYPE, s.pos);
	s = probe_str_cut(s, 1, slash);
	at = probe_str_find(s, '@');
	if (at < 0 || probe_str_number(probe_str_cut(s, 0, at), &width) ||
	    probe_str_number(probe_str_from(s, at + 1), &shift) ||
	    !width || width > container || shift > container - width)
		return probe_arg_error(p, PROBE_ERR_BAD_BITFIELD, type->str.pos);
	type->form = PROBE_TYPE_BITFIELD;
	type->width = width;
	type->shift = shift;
	type->container = container;
	return 0;
}

/* The text after '['. */
static int parse_count(struct probe_arg_parser *p, struct probe_type_ast *type)
{
	struct probe_lexer *lx = &p->lx;
	unsigned long count;
	struct probe_str s;

	s = probe_lex_until(lx, "]");
	if (lx->kind != ']')
		return probe_arg_error(p, PROBE_ERR_ARRAY_NO_CLOSE, lx->tok.pos);
	probe_lex_next(lx);
	if (lx->kind != PROBE_TOK_END)
		return probe_arg_error(p, PROBE_ERR_BAD_ARRAY_SUFFIX, lx->tok.pos);
	if (probe_str_unsigned(s, &count) || !count || count > UINT_MAX)
		return probe_arg_error(p, PROBE_ERR_BAD_ARRAY_NUM, s.pos);
	if (count > PROBE_MAX_ARRAY)
		return probe_arg_error(p, PROBE_ERR_ARRAY_TOO_BIG, s.pos);
	type->count = count;
	return 0;
}

/**
 * probe_parse_type() - parse the type of an argument
 * @p: the parser, after the ':'; at the end of the argument on success
 * @type: filled in
 *
 * Return: 0, or the errno of the error recorded in the command.
 */
int probe_parse_type(struct probe_arg_parser *p, struct probe_type_ast *type)
{
	struct probe_lexer *lx = &p->lx;
	int ret;

	type->text = probe_lex_rest(lx);
	type->str = probe_lex_until(lx, probe_takes_names(lx->tok) ? "([" : "[");
	if (lx->kind == '(') {
		type->form = PROBE_TYPE_NAMED;
		ret = probe_parse_names(p, &type->names);
		if (ret)
			return ret;
	} else if (probe_is_name(type->str)) {
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
		return probe_arg_error(p, PROBE_ERR_BAD_TYPE, type->str.pos);
	}
	if (lx->kind == PROBE_TOK_END)
		return 0;
	if (lx->kind != '[')
		return probe_arg_error(p, PROBE_ERR_BAD_TYPE, lx->tok.pos);
	probe_lex_next(lx);
	return parse_count(p, type);
}
