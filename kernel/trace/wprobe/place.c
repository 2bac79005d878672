// SPDX-License-Identifier: GPL-2.0
/*
 * Watchpoint events: parser of the place in a command.
 *
 *   [r|w|rw]@ADDRESS[:LENGTH] | [r|w|rw]@SYMBOL[+OFFS|-OFFS][:LENGTH]
 *
 * The addresses 0 and -1 mean that a trigger sets the address later.  The parser looks up no
 * symbols, and does not know the limits of the machine.
 */
#include <linux/errno.h>
#include <linux/string.h>

#include "place.h"
#include "probe/lex.h"

static int parse_access(struct probe_cmd *cmd, struct probe_str s,
			struct trace_wprobe_place *place)
{
	if (!s.len || probe_str_is(s, "rw"))
		place->access = TRACE_WPROBE_RW;
	else if (probe_str_is(s, "r"))
		place->access = TRACE_WPROBE_R;
	else if (probe_str_is(s, "w"))
		place->access = TRACE_WPROBE_W;
	else
		return probe_cmd_error(cmd, PROBE_ERR_BAD_ACCESS_TYPE, s.pos);
	return 0;
}

static int parse_len(struct probe_cmd *cmd, struct probe_str s, struct trace_wprobe_place *place)
{
	unsigned long len;

	if (probe_str_number(s, &len) || (len != 1 && len != 2 && len != 4 && len != 8))
		return probe_cmd_error(cmd, PROBE_ERR_BAD_ACCESS_LEN, s.pos);
	place->len = len;
	place->len_pos = s.pos;
	return 0;
}

static int parse_number(struct probe_cmd *cmd, struct probe_str s,
			struct trace_wprobe_place *place)
{
	/* Like 0: a trigger sets the address later. */
	if (probe_str_is(s, "-1"))
		return 0;
	if (probe_str_number(s, &place->addr))
		return probe_cmd_error(cmd, PROBE_ERR_BAD_ACCESS_ADDR, s.pos);
	return 0;
}

static int parse_symbol(struct probe_cmd *cmd, struct probe_str s,
			struct trace_wprobe_place *place)
{
	struct probe_str offs;
	unsigned int i;

	for (i = 0; i < s.len; i++)
		if (s.s[i] == '+' || s.s[i] == '-')
			break;
	place->symbol = probe_str_cut(s, 0, i);
	if (i == s.len)
		return 0;
	offs = probe_str_from(s, i);
	if (!i || probe_str_signed(offs, &place->offs))
		return probe_cmd_error(cmd, PROBE_ERR_BAD_ACCESS_ADDR, offs.pos);
	return 0;
}

/**
 * trace_wprobe_parse_place() - parse the place of a watchpoint
 * @cmd: the command
 * @place: filled in
 *
 * Context: any.
 * Return: 0, or the errno of the error recorded in @cmd.
 */
int trace_wprobe_parse_place(struct probe_cmd *cmd, struct trace_wprobe_place *place)
{
	struct probe_str s = cmd->words[1];
	int at = probe_str_find(s, '@'), colon, ret;

	*place = (struct trace_wprobe_place) { .len = TRACE_WPROBE_LEN, .len_pos = s.pos };
	if (at < 0)
		return probe_cmd_error(cmd, PROBE_ERR_BAD_ACCESS_FMT, s.pos);
	ret = parse_access(cmd, probe_str_cut(s, 0, at), place);
	s = probe_str_from(s, at + 1);
	colon = probe_str_find(s, ':');
	if (!ret && colon >= 0) {
		ret = parse_len(cmd, probe_str_from(s, colon + 1), place);
		s = probe_str_cut(s, 0, colon);
	}
	if (ret)
		return ret;
	place->text = s;
	if (!s.len)
		return probe_cmd_error(cmd, PROBE_ERR_BAD_ACCESS_ADDR, s.pos);
	if (probe_is_digit(s.s[0]) || probe_str_is(s, "-1"))
		return parse_number(cmd, s, place);
	return parse_symbol(cmd, s, place);
}
