// SPDX-License-Identifier: GPL-2.0
/*
 * Parser of the names of numbers in a type.
 *
 *   names    ( NAME ) | ( SYSTEM/EVENT/FIELD ) | ( NAME=NUMBER[,NAME=NUMBER]... )
 *
 * No colon and no bracket is part of names.  Commas and equals signs end no other part of an
 * argument, so a list collides with nothing.
 */
#include <linux/errno.h>

#include "parse.h"

/**
 * probe_takes_names() - can names follow the word?
 * @word: a word at the beginning of a type
 *
 * Return: true for enum and flags, with or without a number of bits.
 */
bool probe_takes_names(struct probe_str word)
{
	static const char kinds[][6] = { "enum", "flags" };
	struct probe_str rest;
	unsigned int i;

	for (i = 0; i < 2; i++) {
		if (!probe_str_starts(word, kinds[i]))
			continue;
		rest = probe_str_from(word, i ? 5 : 4);
		return !rest.len || probe_str_is(rest, "8") || probe_str_is(rest, "16") ||
		       probe_str_is(rest, "32") || probe_str_is(rest, "64");
	}
	return false;
}

/* Cut the text up to the first @c off @s, with @c. */
static struct probe_str cut_off(struct probe_str *s, char c)
{
	int n = probe_str_find(*s, c);
	struct probe_str part = probe_str_cut(*s, 0, n < 0 ? s->len : n);

	*s = probe_str_from(*s, n < 0 ? s->len : n + 1);
	return part;
}

/* "NAME=NUMBER" */
static int parse_entry(struct probe_arg_parser *p, struct probe_str s, struct probe_name_ast *entry)
{
	struct probe_str number;

	entry->name = cut_off(&s, '=');
	if (!probe_is_name(entry->name) || s.s == entry->name.s + entry->name.len)
		return probe_arg_error(p, PROBE_ERR_BAD_NAMES, entry->name.pos);
	entry->value = s;
	entry->negative = probe_str_starts(s, "-");
	number = probe_str_from(s, entry->negative);
	if (probe_str_u64(number, &entry->number))
		return probe_arg_error(p, PROBE_ERR_BAD_NAMED_NUMBER, s.pos);
	return 0;
}

static unsigned int count_entries(struct probe_str s)
{
	unsigned int i, nr = 1;

	for (i = 0; i < s.len; i++)
		nr += s.s[i] == ',';
	return nr;
}

static int parse_list(struct probe_arg_parser *p, struct probe_names_ast *names)
{
	struct probe_str s = names->text;
	unsigned int nr = count_entries(s);
	int ret = 0;

	names->list = probe_arena_alloc(p->cmd->arena, nr * sizeof(*names->list));
	if (!names->list)
		return -ENOMEM;
	for (; names->nr < nr && !ret; names->nr++)
		ret = parse_entry(p, cut_off(&s, ','), &names->list[names->nr]);
	return ret;
}

/* Names of systems and events can have characters that identifiers cannot have. */
static int parse_field(struct probe_arg_parser *p, struct probe_names_ast *names)
{
	struct probe_str s = names->text;

	names->system = cut_off(&s, '/');
	names->event = cut_off(&s, '/');
	names->name = s;
	if (!names->system.len || !names->event.len || !probe_is_name(s))
		return probe_arg_error(p, PROBE_ERR_BAD_NAMES, names->text.pos);
	return 0;
}

/**
 * probe_parse_names() - parse the names of a type
 * @p: the parser, at the parenthesis; after the other one on success
 * @names: filled in
 *
 * Return: 0; -ENOMEM; otherwise the errno of the error recorded in the command.
 */
int probe_parse_names(struct probe_arg_parser *p, struct probe_names_ast *names)
{
	struct probe_lexer *lx = &p->lx;

	probe_lex_next(lx);
	names->text = probe_lex_until(lx, ")");
	if (lx->kind != ')')
		return probe_arg_error(p, PROBE_ERR_NAMES_NO_CLOSE, lx->tok.pos);
	probe_lex_next(lx);
	if (probe_str_find(names->text, '=') >= 0)
		return parse_list(p, names);
	if (probe_str_find(names->text, '/') >= 0)
		return parse_field(p, names);
	names->name = names->text;
	if (!probe_is_name(names->name))
		return probe_arg_error(p, PROBE_ERR_BAD_NAMES, names->text.pos);
	return 0;
}
