// SPDX-License-Identifier: GPL-2.0
/*
 * Uprobe events: parser of the place in a command.
 *
 *   place    PATH:OFFSET[%return][(REF_CTR)]
 *
 * PATH has a slash, and may have colons.  The parser has two parts, since a missing file is
 * reported before an error after PATH.  The host tests include this file.
 */
#include <linux/errno.h>
#include <linux/string.h>

#include "place.h"
#include "probe/lex.h"

/**
 * trace_uprobe_split_place() - find the file in the place of a uprobe
 * @cmd: the command, of two words or more
 * @place: filled in, except for the values of its tail
 *
 * Context: any.
 * Return: 0; -ECANCELED, without an error in @cmd, if the place is not in a file.
 */
int trace_uprobe_split_place(struct probe_cmd *cmd, struct trace_uprobe_place *place)
{
	struct probe_str word = cmd->words[1];
	unsigned int colon = word.len;

	*place = (struct trace_uprobe_place) {};
	while (colon && word.s[colon - 1] != ':')
		colon--;
	if (!colon || colon == word.len || !probe_is_digit(word.s[colon]) ||
	    probe_str_find(word, '/') < 0)
		return -ECANCELED;
	place->path = probe_str_cut(word, 0, colon - 1);
	place->tail = probe_str_from(word, colon);
	return 0;
}

/* As probe_cmd_error(), but returns @ret, such as -ERANGE. */
static int number_error(struct probe_cmd *cmd, enum probe_err err, struct probe_str s, int ret)
{
	probe_cmd_error(cmd, err, s.pos);
	return ret;
}

/* Cut "(REF_CTR)" off the end of @s. */
static int parse_ref_ctr(struct probe_cmd *cmd, struct probe_str *s, unsigned long *val)
{
	int open = probe_str_find(*s, '('), close, ret;
	struct probe_str number;

	if (open < 0)
		return 0;
	number = probe_str_from(*s, open + 1);
	close = probe_str_find(number, ')');
	if (close < 0)
		return probe_cmd_error(cmd, PROBE_ERR_REFCNT_OPEN_BRACE, number.pos + number.len);
	if (close + 1 < number.len)
		return probe_cmd_error(cmd, PROBE_ERR_BAD_REFCNT_SUFFIX, number.pos + close + 1);
	number = probe_str_cut(number, 0, close);
	ret = probe_str_unsigned(number, val);
	if (ret)
		return number_error(cmd, PROBE_ERR_BAD_REFCNT, number, ret);
	*s = probe_str_cut(*s, 0, open);
	return 0;
}

/**
 * trace_uprobe_parse_place() - parse the rest of the place of a uprobe
 * @cmd: the command
 * @place: from trace_uprobe_split_place(); the rest is filled in
 *
 * Context: any.
 * Return: 0, or a negative errno, with the error in @cmd.
 */
int trace_uprobe_parse_place(struct probe_cmd *cmd, struct trace_uprobe_place *place)
{
	struct probe_str s = place->tail, suffix;
	int n, ret;

	ret = parse_ref_ctr(cmd, &s, &place->ref_ctr);
	if (ret)
		return ret;
	n = probe_str_find(s, '%');
	if (n >= 0) {
		suffix = probe_str_from(s, n);
		if (!probe_str_is(suffix, "%return"))
			return probe_cmd_error(cmd, PROBE_ERR_BAD_ADDR_SUFFIX, suffix.pos);
		place->ret = true;
		s = probe_str_cut(s, 0, n);
	}
	ret = probe_str_number(s, &place->offset);
	return ret ? number_error(cmd, PROBE_ERR_BAD_UPROBE_OFFS, s, ret) : 0;
}
