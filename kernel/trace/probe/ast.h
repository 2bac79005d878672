/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The syntax of a probe command, before anything is looked up.
 *
 * A command is normalised first: runs of white space become one blank, so
 * that a position is simply a column of the line that error_log prints.
 * The lexer and the parser turn that line into the structures below and in expr.h.  They do
 * not look up symbols, registers, types or BTF, so they can also run in user
 * space under a fuzzer.
 *
 * Nodes and composed strings are allocated from the command's arena and freed
 * with it.
 */
#ifndef _PROBE_AST_H
#define _PROBE_AST_H

#include <linux/types.h>

#include "arena.h"
#include "errors.h"

#define PROBE_MAX_ACTIVE	4096	/* return instances that a command can request */
#define PROBE_MAX_ARGS		128	/* arguments of one probe */
#define PROBE_MAX_NAME		64	/* length of a group or event name, with the NUL */

struct probe_arg_ast;

/**
 * struct probe_str - a piece of text, which need not be NUL-terminated
 * @s: first character; NULL when the piece is absent
 * @len: number of characters
 * @pos: column of @s in the command, or of the text that @s replaces
 */
struct probe_str {
	const char	*s;
	u16		len;
	u16		pos;
};

/**
 * struct probe_place - the place of a kprobe
 * @word: the whole word
 * @symbol: "[MOD:]SYM" without offset and suffix; absent for an address
 * @module: the MOD part; absent when not given
 * @name: the SYM part
 * @offset: offset from the symbol in bytes
 * @addr: the address, when there is no symbol
 * @ret: "%return" was given
 * @all: "%all" was given: all functions of this name
 * @pattern: @name is a pattern: all functions with matching names
 */
struct probe_place {
	struct probe_str	word;
	struct probe_str	symbol;
	struct probe_str	module;
	struct probe_str	name;
	unsigned long		offset;
	unsigned long		addr;
	bool			ret;
	bool			all;
	bool			pattern;
};

/**
 * struct probe_cmd - a parsed command
 * @text: the normalised line, NUL-terminated
 * @words: its words; the first has the kind, MAXACTIVE, group and event
 * @nr_words: number of @words
 * @kind: first character: 'p', 'r', ...; NUL when there are no words
 * @head: the first word up to a colon
 * @name: the rest of the first word, after the colon; absent without a colon
 * @maxactive: the number after 'r'; 0 when not given
 * @group: group; absent when not given
 * @event: event; absent when not given (the provider then makes up a name)
 * @args: the arguments
 * @nr_args: number of @args
 * @origin: if the provider derived this command from a command for several functions, the
 *	number of that command; otherwise 0
 * @err: the first error found, or PROBE_ERR_NONE
 * @err_pos: column of @err
 * @detail: details of @err for error_log, or NULL
 * @arena: memory of all of the above
 */
struct probe_cmd {
	char			*text;
	struct probe_str	*words;
	unsigned int		nr_words;
	char			kind;
	struct probe_str	head;
	struct probe_str	name;
	unsigned int		maxactive;
	struct probe_str	group;
	struct probe_str	event;
	struct probe_arg_ast	*args;
	unsigned int		nr_args;
	unsigned int		origin;
	enum probe_err		err;
	unsigned int		err_pos;
	const char		*detail;
	struct probe_arena	*arena;
};

/* parse.c; for lex.c, which only parse.c and parse_arg.c use, see lex.h */
struct probe_cmd *probe_cmd_open(const char *raw);
void probe_cmd_free(struct probe_cmd *cmd);
int probe_cmd_error(struct probe_cmd *cmd, enum probe_err err, unsigned int pos);
int probe_parse_head(struct probe_cmd *cmd);
int probe_parse_event_name(struct probe_cmd *cmd);
int probe_parse_place(struct probe_cmd *cmd, struct probe_place *place);
void probe_parse_symbol(struct probe_place *place, const char *symbol);

static inline bool probe_str_is(struct probe_str a, const char *b)
{
	unsigned int i;

	for (i = 0; i < a.len; i++)
		if (!b[i] || a.s[i] != b[i])
			return false;
	return a.s && !b[i];
}

#endif /* _PROBE_AST_H */
