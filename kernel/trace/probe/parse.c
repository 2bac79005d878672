// SPDX-License-Identifier: GPL-2.0
/*
 * From the text of a command to the structures of ast.h.
 *
 *   command  KIND[MAXACTIVE][:[GROUP/][EVENT]] PLACE ARG...
 *   place    [MODULE:]SYMBOL[+OFFSET][%return] | ADDRESS
 *
 * ARG is the subject of parse_arg.c.  A caller asks for one part of the
 * command at a time, because what it looks up in between decides whether there
 * is a next part, and which error is reported when there are several.
 *
 * The language is a user ABI and accepts more than its documents say; where
 * that has shaped the code, a comment tells.
 */
#include <linux/errno.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/string.h>

#include "lex.h"

/* Columns are u16, also in text that is a bit longer than the command. */
#define MAX_LINE	(U16_MAX / 2)

/**
 * probe_cmd_error - note what is wrong with a command, and where
 * @cmd: the command
 * @err: what is wrong
 * @pos: column; one behind the end of the line is taken as its end
 *
 * The first error is kept, as the one that explains the others.
 *
 * Return: the negative errno that goes with @err.
 */
int probe_cmd_error(struct probe_cmd *cmd, enum probe_err err, unsigned int pos)
{
	if (cmd->err == PROBE_ERR_NONE) {
		cmd->err = err;
		cmd->err_pos = min_t(unsigned int, pos, strlen(cmd->text));
	}
	return probe_err_info[err].code;
}

/* Copies @raw with one blank between words; returns the number of words. */
static unsigned int squeeze(char *to, const char *raw)
{
	unsigned int nr = 0;

	for (;;) {
		while (probe_is_space(*raw))
			raw++;
		if (!*raw)
			return nr;
		if (nr++)
			*to++ = ' ';
		while (*raw && !probe_is_space(*raw))
			*to++ = *raw++;
	}
}

static void split(struct probe_cmd *cmd)
{
	const char *s = cmd->text;
	struct probe_str *word;
	unsigned int i;

	for (i = 0; i < cmd->nr_words; i++) {
		word = &cmd->words[i];
		word->s = s;
		word->pos = s - cmd->text;
		while (*s && *s != ' ')
			s++;
		word->len = s - word->s;
		s++;
	}
}

/**
 * probe_cmd_open - begin with a command
 * @raw: the line as it was written
 *
 * Splits the line into words and sets @kind of the command, so that a provider
 * can tell whether the command is one of its own before it parses anything.
 * The line may be blank: the command has no words then.
 *
 * Context: may sleep.
 * Return: the command, to be freed with probe_cmd_free(); NULL without memory
 * or when the line is longer than 32767 characters, which is more than any
 * file takes.
 */
struct probe_cmd *probe_cmd_open(const char *raw)
{
	size_t len = strlen(raw);
	struct probe_arena *arena;
	struct probe_cmd *cmd;

	if (len > MAX_LINE)
		return NULL;
	arena = probe_arena_new();
	if (!arena)
		return NULL;
	cmd = probe_arena_alloc(arena, sizeof(*cmd));
	if (!cmd)
		goto free;
	cmd->arena = arena;
	cmd->err = PROBE_ERR_NONE;
	cmd->text = probe_arena_alloc(arena, len + 1);
	if (!cmd->text)
		goto free;
	cmd->nr_words = squeeze(cmd->text, raw);
	cmd->words = probe_arena_alloc(arena, cmd->nr_words * sizeof(*cmd->words));
	if (!cmd->words)
		goto free;
	split(cmd);
	cmd->kind = cmd->text[0];
	return cmd;

free:
	probe_arena_free(arena);
	return NULL;
}

/**
 * probe_cmd_free - be done with a command
 * @cmd: the command, or NULL
 */
void probe_cmd_free(struct probe_cmd *cmd)
{
	if (cmd)
		probe_arena_free(cmd->arena);
}

/**
 * probe_parse_head - parse MAXACTIVE
 * @cmd: the command
 *
 * Anything else between the kind and the colon is passed over, as it always
 * was: "probe:event" is a way to write "p:event".
 *
 * Return: 0; -ECANCELED, with no error noted, when there are no words;
 * otherwise the errno of the error noted in @cmd.
 */
int probe_parse_head(struct probe_cmd *cmd)
{
	struct probe_str head, number;
	unsigned long val;
	int colon;

	if (!cmd->nr_words)
		return -ECANCELED;
	head = cmd->words[0];
	if (head.len < 2 || !probe_is_digit(head.s[1]))
		return 0;
	colon = probe_str_find(head, ':');
	number = probe_str_cut(head, 1, colon < 0 ? head.len : colon);
	if (cmd->kind != 'r')
		return probe_cmd_error(cmd, PROBE_ERR_BAD_MAXACT_TYPE, number.pos);
	if (probe_str_number(number, &val) || !val)
		return probe_cmd_error(cmd, PROBE_ERR_BAD_MAXACT, number.pos);
	if (val > PROBE_MAX_ACTIVE)
		return probe_cmd_error(cmd, PROBE_ERR_MAXACT_TOO_BIG, number.pos);
	cmd->maxactive = number;
	cmd->nr_active = val;
	return 0;
}

/* Groups are identifiers in which '-' counts as a letter. */
static bool is_group_name(struct probe_str s)
{
	unsigned int i;

	if (probe_is_digit(s.s[0]))
		return false;
	for (i = 0; i < s.len; i++)
		if (!probe_is_alpha(s.s[i]) && !probe_is_digit(s.s[i]) &&
		    s.s[i] != '-')
			return false;
	return true;
}

/**
 * probe_parse_event_name - parse GROUP and EVENT
 * @cmd: the command
 *
 * A dot separates them, too, unless there is a slash. Either part can be
 * missing: the group with the separator, the event behind it or with the colon.
 *
 * Return: 0; -ECANCELED, with no error noted, when there are no words;
 * otherwise the errno of the error noted in @cmd.
 */
int probe_parse_event_name(struct probe_cmd *cmd)
{
	struct probe_str name, group;
	int n;

	if (!cmd->nr_words)
		return -ECANCELED;
	n = probe_str_find(cmd->words[0], ':');
	if (n < 0)
		return 0;
	name = probe_str_from(cmd->words[0], n + 1);

	n = probe_str_find(name, '/');
	if (n < 0)
		n = probe_str_find(name, '.');
	if (n >= 0) {
		group = probe_str_cut(name, 0, n);
		if (!group.len)
			return probe_cmd_error(cmd, PROBE_ERR_NO_GROUP_NAME, group.pos);
		if (group.len >= PROBE_MAX_NAME)
			return probe_cmd_error(cmd, PROBE_ERR_GROUP_TOO_LONG, group.pos);
		if (!is_group_name(group))
			return probe_cmd_error(cmd, PROBE_ERR_BAD_GROUP_NAME, group.pos);
		cmd->group = group;
		name = probe_str_from(name, n + 1);
		if (!name.len)
			return 0;
	}
	if (!name.len)
		return probe_cmd_error(cmd, PROBE_ERR_NO_EVENT_NAME, name.pos);
	if (name.len >= PROBE_MAX_NAME)
		return probe_cmd_error(cmd, PROBE_ERR_EVENT_TOO_LONG, name.pos);
	if (!probe_is_name(name))
		return probe_cmd_error(cmd, PROBE_ERR_BAD_EVENT_NAME, name.pos);
	cmd->event = name;
	return 0;
}

/* Index of the sign in front of an offset, or -1. */
static int find_sign(struct probe_str s)
{
	unsigned int i;

	for (i = 0; i < s.len; i++)
		if (s.s[i] == '+' || s.s[i] == '-')
			return i;
	return -1;
}

/**
 * probe_parse_place - parse the place of a kprobe
 * @cmd: the command
 * @place: filled in
 *
 * Whatever is not a number is a symbol; there is no character that some
 * assembler would not allow in one. Whether it exists is for the caller to say.
 *
 * Return: 0; -ECANCELED, without noting an error, when there is no place or it
 * is one in a file and the command therefore one for uprobes; otherwise the
 * errno of the error noted in @cmd.
 */
int probe_parse_place(struct probe_cmd *cmd, struct probe_place *place)
{
	struct probe_str s, suffix;
	long offset = 0;
	int n;

	if (cmd->nr_words < 2)
		return -ECANCELED;
	s = cmd->words[1];
	*place = (struct probe_place) { .word = s };
	if (!probe_str_unsigned(s, &place->addr))
		return 0;
	if (probe_str_find(s, '/') >= 0 && probe_str_find(s, ':') >= 0)
		return -ECANCELED;

	n = probe_str_find(s, '%');
	if (n >= 0) {
		suffix = probe_str_from(s, n);
		if (!probe_str_is(suffix, "%return"))
			return probe_cmd_error(cmd, PROBE_ERR_BAD_ADDR_SUFFIX, suffix.pos);
		place->ret = true;
		s = probe_str_cut(s, 0, n);
	}
	n = find_sign(s);
	if (n >= 0) {
		if (probe_str_signed(probe_str_from(s, n), &offset) || offset < 0 ||
		    (unsigned long)offset > UINT_MAX)
			return probe_cmd_error(cmd, PROBE_ERR_BAD_PROBE_ADDR, s.pos);
		s = probe_str_cut(s, 0, n);
	}
	n = probe_str_find(s, ':');
	if (!s.len || !n || n == s.len - 1)
		return probe_cmd_error(cmd, PROBE_ERR_BAD_PROBE_ADDR, s.pos);
	if (n > 0)
		place->module = probe_str_cut(s, 0, n);
	place->symbol = s;
	place->offset = offset;
	return 0;
}
