// SPDX-License-Identifier: GPL-2.0
/*
 * Fprobe events: parser of the place in a command.
 *
 *   'f': [MODULE:]FUNCTION[%return] | [MODULE:]PATTERN[%return]
 *   't': TRACEPOINT
 *
 * An argument that reads $retval implies %return.  The parser looks up no symbols.
 */
#include <linux/errno.h>
#include <linux/string.h>

#include "place.h"
#include "probe/lex.h"

#define RETVAL	"$retval"

/* The column of $retval in a word, or -1.  Longer names that begin with it do not count. */
static int find_retval(struct probe_str word)
{
	unsigned int i, end;

	for (i = 0; i + strlen(RETVAL) <= word.len; i++) {
		end = i + strlen(RETVAL);
		if (!probe_str_is(probe_str_cut(word, i, end), RETVAL))
			continue;
		if (end < word.len &&
		    (probe_is_alpha(word.s[end]) || probe_is_digit(word.s[end])))
			return -1;
		return word.pos + i;
	}
	return -1;
}

/* The column of the first $retval in the arguments, or -1. */
static int first_retval(const struct probe_cmd *cmd)
{
	unsigned int i;
	int pos;

	for (i = PROBE_FIRST_ARG; i < cmd->nr_words; i++) {
		pos = find_retval(cmd->words[i]);
		if (pos >= 0)
			return pos;
	}
	return -1;
}

static int check_tracepoint(struct probe_cmd *cmd, struct probe_str name)
{
	unsigned int i;
	int pos;

	for (i = 0; i < name.len; i++)
		if (!probe_is_alpha(name.s[i]) && !probe_is_digit(name.s[i]))
			return probe_cmd_error(cmd, PROBE_ERR_BAD_TP_NAME, name.pos + i);
	pos = first_retval(cmd);
	if (pos >= 0)
		return probe_cmd_error(cmd, PROBE_ERR_RETVAL_ON_PROBE, pos);
	return 0;
}

/**
 * trace_fprobe_parse_place() - parse the place of a probe
 * @cmd: the command
 * @place: filled in
 *
 * Return: 0, or the errno of the error recorded in @cmd.
 */
int trace_fprobe_parse_place(struct probe_cmd *cmd, struct trace_fprobe_place *place)
{
	struct probe_str s = cmd->words[1], suffix;
	bool is_tracepoint = cmd->kind == 't';
	int n;

	*place = (struct trace_fprobe_place) { .word = s };
	n = probe_str_find(s, '%');
	if (n >= 0) {
		suffix = probe_str_from(s, n);
		if (is_tracepoint || !probe_str_is(suffix, "%return"))
			return probe_cmd_error(cmd, PROBE_ERR_BAD_ADDR_SUFFIX, suffix.pos);
		place->kind = TRACE_FPROBE_RETURN;
		s = probe_str_cut(s, 0, n);
	}
	place->symbol = s;
	place->name = s;
	if (is_tracepoint) {
		place->kind = TRACE_FPROBE_TRACEPOINT;
		return check_tracepoint(cmd, s);
	}
	n = probe_str_find(s, ':');
	if (n > 0) {
		place->module = probe_str_cut(s, 0, n);
		place->name = probe_str_from(s, n + 1);
	}
	if (first_retval(cmd) >= 0)
		place->kind = TRACE_FPROBE_RETURN;
	return 0;
}

/**
 * trace_fprobe_check_symbol() - check the characters of a function or pattern
 * @cmd: the command
 * @symbol: the function or pattern, with its module
 *
 * The caller parses the name of the event before, since its errors come first.
 *
 * Return: 0, or the errno of the error recorded in @cmd.
 */
int trace_fprobe_check_symbol(struct probe_cmd *cmd, struct probe_str symbol)
{
	/*
	 * Neither a module nor a function has such a name.  The name of the event cannot have a
	 * slash.  If there is an equals sign, the word is an argument, and the place is missing.
	 */
	if (probe_str_find(symbol, '/') >= 0 || probe_str_find(symbol, '=') >= 0)
		return probe_cmd_error(cmd, PROBE_ERR_FAIL_REG_PROBE, symbol.pos);
	return 0;
}
