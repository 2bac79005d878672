// SPDX-License-Identifier: GPL-2.0
/*
 * Kprobe events: parser of the place in a command.
 *
 *   places   place[,place...] | [MODULE:]SYMBOL%all | [MODULE:]PATTERN[%return|%all]
 *   place    [MODULE:]SYMBOL[+OFFSET][%return] | ADDRESS
 *
 * The parser looks up no symbols.  The host tests include this file.
 */
#include <linux/errno.h>
#include <linux/limits.h>
#include <linux/string.h>

#include "place.h"
#include "probe/lex.h"

/* Index of the first of some characters, or -1.  In brackets, they are part of a pattern. */
static int find_any(struct probe_str s, const char *chars)
{
	bool in_brackets = false;
	unsigned int i;

	for (i = 0; i < s.len; i++) {
		if (s.s[i] == '[')
			in_brackets = true;
		else if (s.s[i] == ']')
			in_brackets = false;
		else if (!in_brackets && strchr(chars, s.s[i]))
			return i;
	}
	return -1;
}

/* Is it the place of a uprobe? */
static bool is_in_file(struct probe_str s)
{
	return probe_str_find(s, ':') >= 0 && probe_str_find(s, '/') >= 0;
}

/* No symbol contains these characters. */
static bool is_pattern(struct probe_str s)
{
	return probe_str_find(s, '*') >= 0 || probe_str_find(s, '?') >= 0 ||
	       probe_str_find(s, '[') >= 0;
}

static void set_symbol(struct trace_kprobe_place *place, struct probe_str s, int colon)
{
	place->symbol = s;
	place->name = probe_str_from(s, colon + 1);
	if (colon > 0)
		place->module = probe_str_cut(s, 0, colon);
}

/**
 * trace_kprobe_parse_symbol() - split a symbol that is not part of a command
 * @place: its symbol, module and name are set
 * @symbol: "[MOD:]SYM"; also ":SYM", which has no module
 *
 * The caller checks whether the symbol exists.
 */
void trace_kprobe_parse_symbol(struct trace_kprobe_place *place, const char *symbol)
{
	struct probe_str s = { .s = symbol, .len = strlen(symbol) };

	set_symbol(place, s, probe_str_find(s, ':'));
}

/**
 * trace_kprobe_next_place() - cut the first place off a list
 * @list: the list; set to the rest of it, or to an absent text after the last place
 * @word: set to the first place
 *
 * Return: false if @list is absent.
 */
bool trace_kprobe_next_place(struct probe_str *list, struct probe_str *word)
{
	int comma;

	if (!list->s)
		return false;
	comma = find_any(*list, ",");
	*word = comma < 0 ? *list : probe_str_cut(*list, 0, comma);
	*list = comma < 0 ? (struct probe_str) {} : probe_str_from(*list, comma + 1);
	return true;
}

/**
 * trace_kprobe_parse_place() - parse the place of a kprobe, or see that it is a list
 * @cmd: the command
 * @place: filled in
 *
 * Everything that is not a number is a symbol, since some assemblers allow any
 * character in a symbol. The caller checks whether the symbol exists.
 *
 * Return: 0; -ECANCELED, without an error in @cmd, when there is no place, or
 * when the place is in a file, as in a command for uprobes; otherwise the errno
 * of the error recorded in @cmd.
 */
int trace_kprobe_parse_place(struct probe_cmd *cmd, struct trace_kprobe_place *place)
{
	struct probe_str s, suffix;
	unsigned int sign = 0;
	long offset = 0;
	int n, colon;

	if (cmd->nr_words < 2)
		return -ECANCELED;
	s = cmd->words[1];
	*place = (struct trace_kprobe_place) { .word = s };
	if (!probe_str_unsigned(s, &place->addr))
		return 0;
	if (is_in_file(s))
		return -ECANCELED;
	place->list = find_any(s, ",") >= 0;
	if (place->list)
		return 0;
	colon = probe_str_find(s, ':');

	n = probe_str_find(s, '%');
	if (n >= 0) {
		suffix = probe_str_from(s, n);
		place->ret = probe_str_is(suffix, "%return");
		place->all = probe_str_is(suffix, "%all");
		if (!place->ret && !place->all)
			return probe_cmd_error(cmd, PROBE_ERR_BAD_ADDR_SUFFIX, suffix.pos);
		s = probe_str_cut(s, 0, n);
	}
	n = find_any(s, "+-");
	if (n >= 0) {
		sign = probe_str_from(s, n).pos;
		if (probe_str_signed(probe_str_from(s, n), &offset) || offset < 0 ||
		    (unsigned long)offset > UINT_MAX)
			return probe_cmd_error(cmd, PROBE_ERR_BAD_PROBE_ADDR, s.pos);
		s = probe_str_cut(s, 0, n);
	}
	/* A colon in the suffix or offset is an error above, so @colon is in @s. */
	if (!s.len || !colon || colon == s.len - 1)
		return probe_cmd_error(cmd, PROBE_ERR_BAD_PROBE_ADDR, s.pos);
	set_symbol(place, s, colon);
	place->pattern = is_pattern(place->name);
	if (offset && (place->pattern || place->all))
		return probe_cmd_error(cmd, PROBE_ERR_OFFSET_IN_MANY, sign);
	place->offset = offset;
	return 0;
}
