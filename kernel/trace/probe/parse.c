// SPDX-License-Identifier: GPL-2.0
/*
 * Parser of commands: from text to the structures of ast.h.
 *
 *   KIND[MAXACTIVE][:[GROUP/][EVENT][OPTIONS]] PLACE ARG... [if PREDICATE]
 *
 * parse_event.c parses the name of the event and OPTIONS, the provider PLACE, parse_arg.c ARG,
 * and parse_predicate.c PREDICATE.  The caller parses a command part by part, because its
 * lookups in between decide whether to parse the next part, and which of several errors to
 * report.  No part is parsed twice, also not for a clone.
 *
 * The language is a user ABI and accepts more than is documented.  Comments mark
 * the code that keeps undocumented behaviour.
 */
#include <linux/errno.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/string.h>

#include "expr.h"
#include "lex.h"

/* Columns are u16, also in expanded text that is longer than the command. */
#define MAX_LINE	(U16_MAX / 2)

/**
 * probe_cmd_error() - record an error of a command and its column
 * @cmd: the command
 * @err: the error
 * @pos: column; limited to the column after the end of the line
 *
 * Only the first error is kept, since it causes the others.
 *
 * Return: the negative errno that goes with @err.
 */
int probe_cmd_error(struct probe_cmd *cmd, enum probe_err err, unsigned int pos)
{
	if (cmd->err == PROBE_ERR_NONE) {
		cmd->err = err;
		cmd->err_pos = min_t(unsigned int, pos, strlen(cmd->text) + 1);
	}
	return probe_err_info[err].code;
}

/* Copies @raw with one blank for white space that is not in quotes. */
static void squeeze_predicate(char *to, const char *raw)
{
	char quote = '\0';

	while (*raw) {
		if (!quote && probe_is_space(*raw)) {
			while (probe_is_space(*raw))
				raw++;
			if (*raw)
				*to++ = ' ';
			continue;
		}
		if (*raw == quote)
			quote = '\0';
		else if (!quote && (*raw == '"' || *raw == '\''))
			quote = *raw;
		*to++ = *raw++;
	}
}

/*
 * Is this word the "if" before a predicate?  Event probes have a filter instead, which has
 * always been squeezed.
 */
static bool is_if(const struct probe_cmd *cmd, const char *word, unsigned int len)
{
	return cmd->text[0] != 'e' && len == 2 && !memcmp(word, "if", len);
}

/*
 * Copies @raw to the text of the command, with one blank between words; returns the number of
 * words before the predicate.
 */
static unsigned int squeeze(struct probe_cmd *cmd, const char *raw)
{
	char *to = cmd->text, *word;
	unsigned int nr;

	for (nr = 0; ; nr++) {
		while (probe_is_space(*raw))
			raw++;
		if (!*raw)
			return nr;
		if (nr)
			*to++ = ' ';
		word = to;
		while (*raw && !probe_is_space(*raw))
			*to++ = *raw++;
		if (nr >= PROBE_FIRST_ARG && is_if(cmd, word, to - word))
			break;
	}
	squeeze_predicate(to, raw);
	cmd->predicate.s = *to ? to + 1 : to;
	cmd->predicate.len = strlen(cmd->predicate.s);
	cmd->predicate.pos = cmd->predicate.s - cmd->text;
	return nr;
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

static void split_first(struct probe_cmd *cmd)
{
	struct probe_str word;
	int colon;

	if (!cmd->nr_words)
		return;
	word = cmd->words[0];
	cmd->kind = word.s[0];
	cmd->head = word;
	colon = probe_str_find(word, ':');
	if (colon >= 0) {
		cmd->head = probe_str_cut(word, 0, colon);
		cmd->name = probe_str_from(word, colon + 1);
	}
}

/**
 * probe_cmd_open() - split a line into the words of a command
 * @raw: the line as written
 * @size: bytes of the provider's struct for commands, which begins with struct probe_cmd;
 *	the bytes after it are zeroed
 *
 * Also sets @kind of the command, so that a provider can recognize its own
 * commands before it parses them.  The line may be blank: then the command has
 * no words.
 *
 * Context: may sleep.
 * Return: the command, which probe_cmd_free() frees; NULL if out of memory or if
 * the line is longer than 32767 characters, which is more than any file accepts.
 */
struct probe_cmd *probe_cmd_open(const char *raw, size_t size)
{
	size_t len = strlen(raw);
	struct probe_arena *arena;
	struct probe_cmd *cmd;

	if (len > MAX_LINE)
		return NULL;
	/* Enough for most commands. */
	arena = probe_arena_new(1000);
	if (!arena)
		return NULL;
	cmd = probe_arena_alloc(arena, size);
	if (!cmd)
		goto free;
	cmd->size = size;
	cmd->arena = arena;
	cmd->err = PROBE_ERR_NONE;
	cmd->text = probe_arena_alloc(arena, len + 1);
	if (!cmd->text)
		goto free;
	cmd->nr_words = squeeze(cmd, raw);
	cmd->words = probe_arena_alloc(arena, cmd->nr_words * sizeof(*cmd->words));
	if (!cmd->words)
		goto free;
	split(cmd);
	split_first(cmd);
	return cmd;

free:
	probe_arena_free(arena);
	return NULL;
}

/**
 * probe_cmd_clone() - copy a command, for a provider that changes parts of it
 * @from: the command; must not be freed before the clone
 *
 * The clone has the same provider's struct, but no error.  The parts that were parsed in
 * @from are parsed in the clone.  Its arguments can be replaced (see replace.c) without an
 * effect on @from.
 *
 * Context: may sleep.
 * Return: the clone, which probe_cmd_free() frees; NULL if out of memory.
 */
struct probe_cmd *probe_cmd_clone(const struct probe_cmd *from)
{
	size_t args = from->nr_args * sizeof(*from->args);
	/* Texts of a place and of a replaced argument fit into 200 bytes. */
	struct probe_arena *arena = probe_arena_new(from->size + args + 200);
	struct probe_cmd *cmd;

	if (!arena)
		return NULL;
	cmd = probe_arena_alloc(arena, from->size);
	if (!cmd)
		goto free;
	memcpy(cmd, from, from->size);
	cmd->err = PROBE_ERR_NONE;
	cmd->detail = NULL;
	cmd->arena = arena;
	if (!from->has_args)
		return cmd;
	cmd->args = probe_arena_alloc(arena, args);
	if (!cmd->args)
		goto free;
	memcpy(cmd->args, from->args, args);
	return cmd;

free:
	probe_arena_free(arena);
	return NULL;
}

/**
 * probe_cmd_free() - free a command
 * @cmd: the command, or NULL
 */
void probe_cmd_free(struct probe_cmd *cmd)
{
	if (cmd)
		probe_arena_free(cmd->arena);
}

/**
 * probe_parse_maxactive() - parse MAXACTIVE
 * @cmd: the command
 * @allowed: commands of this kind may have it
 * @maxactive: the number; 0 if not given
 *
 * Other text between the kind and the colon is ignored, for compatibility:
 * "probe:event" means the same as "p:event".
 *
 * Return: 0; -ECANCELED, without an error in @cmd, when there are no words;
 * otherwise the errno of the error recorded in @cmd.
 */
int probe_parse_maxactive(struct probe_cmd *cmd, bool allowed, unsigned int *maxactive)
{
	struct probe_str number;
	unsigned long val;

	*maxactive = 0;
	if (!cmd->nr_words)
		return -ECANCELED;
	if (cmd->head.len < 2 || !probe_is_digit(cmd->head.s[1]))
		return 0;
	number = probe_str_from(cmd->head, 1);
	if (!allowed)
		return probe_cmd_error(cmd, PROBE_ERR_BAD_MAXACT_TYPE, number.pos);
	if (probe_str_number(number, &val) || !val || val > UINT_MAX)
		return probe_cmd_error(cmd, PROBE_ERR_BAD_MAXACT, number.pos);
	if (val > PROBE_MAX_ACTIVE)
		return probe_cmd_error(cmd, PROBE_ERR_MAXACT_TOO_BIG, number.pos);
	*maxactive = val;
	return 0;
}
