/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The syntax of a probe command, before anything is looked up.
 *
 * A command is normalised first: runs of white space become one blank, except in quotes
 * of a predicate, so that a position is simply a column of the line that error_log prints.
 * The lexer and the parser turn that line into the structures below and in expr.h.  They do
 * not look up symbols, registers, types or BTF, so they can also run in user
 * space under a fuzzer.
 *
 * Nodes and composed strings are allocated from the command's arena and freed
 * with it.
 *
 * The engine parses the parts that all kinds of probes have: group and event in the
 * first word, and the arguments.  Each provider has a grammar of its own for places.  The
 * provider's struct for a command begins with struct probe_cmd and contains the place.
 */
#ifndef _PROBE_AST_H
#define _PROBE_AST_H

#include <linux/types.h>

#include "arena.h"
#include "errors.h"

#define PROBE_MAX_ACTIVE	4096	/* return instances that a command can request */
#define PROBE_FIRST_ARG		2	/* index of the word after the place */
#define PROBE_MAX_ARGS		128	/* arguments of one probe */
#define PROBE_MAX_NAME		64	/* length of a group or event name, with the NUL */

struct probe_arg_ast;
struct probe_term_ast;

/* The owner of a probe.  The probe is deleted when its owner is gone. */
enum probe_owner_kind {
	PROBE_OWNER_NONE,
	PROBE_OWNER_FD,		/* the open file to which the command was written */
	PROBE_OWNER_TASK,	/* a process */
};

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
 * struct probe_options - the options after the name of an event
 * @owner: kind of the owner
 * @owner_pid: the process; 0 when not given
 * @owner_pos: column of the owner's kind
 * @sample: record one of this number of hits; 0 when not given
 * @rate: record at most this number of hits in a second; 0 when not given
 * @count: record this number of hits, and then disable the event; 0 when not given
 */
struct probe_options {
	enum probe_owner_kind	owner;
	unsigned int		owner_pid;
	u16			owner_pos;
	unsigned int		sample;
	unsigned int		rate;
	unsigned int		count;
};

static inline bool probe_options_limit(const struct probe_options *options)
{
	return options->sample || options->rate || options->count;
}

/**
 * struct probe_cmd - a parsed command; the first member of a provider's struct for commands
 * @text: the normalised line, NUL-terminated
 * @words: its words before "if"; the first has the kind, MAXACTIVE, group and event, the
 *	second is the place
 * @nr_words: number of @words
 * @kind: first character: 'p', 'r', ...; NUL when there are no words
 * @head: the first word up to a colon
 * @name: the rest of the first word, after the colon; absent without a colon
 * @group: group; absent when not given
 * @event: event; absent when not given (the provider then makes up a name)
 * @options: options of the event
 * @args: the arguments
 * @nr_args: number of @args
 * @predicate: the text after the word "if"; absent without this word.  The filter of an
 *	event probe is not a predicate: its provider parses the word
 * @terms: the comparisons of the predicate
 * @nr_terms: number of @terms
 * @has_name: @group, @event and @options are parsed
 * @has_args: @args are parsed
 * @has_terms: @terms are parsed
 * @no_names: arguments cannot name parameters: the text after a name is not parsed
 * @fields: arguments name fields of a record, which have no members
 * @no_symbols: arguments cannot read at symbols: the text after '@' is not parsed
 * @err: the first error found, or PROBE_ERR_NONE
 * @err_pos: column of @err
 * @detail: details of @err for error_log, or NULL
 * @size: bytes of the provider's struct
 * @arena: memory of the provider's struct and of all of the above; a clone shares texts and
 *	expressions with the command that it was cloned from
 */
struct probe_cmd {
	char			*text;
	struct probe_str	*words;
	unsigned int		nr_words;
	char			kind;
	struct probe_str	head;
	struct probe_str	name;
	struct probe_str	group;
	struct probe_str	event;
	struct probe_options	options;
	struct probe_arg_ast	*args;
	unsigned int		nr_args;
	struct probe_str	predicate;
	struct probe_term_ast	*terms;
	unsigned int		nr_terms;
	bool			has_name;
	bool			has_args;
	bool			has_terms;
	bool			no_names;
	bool			fields;
	bool			no_symbols;
	enum probe_err		err;
	unsigned int		err_pos;
	const char		*detail;
	size_t			size;
	struct probe_arena	*arena;
};

/* parse.c; for lex.c, which only parsers use, see lex.h */
struct probe_cmd *probe_cmd_open(const char *raw, size_t size);
struct probe_cmd *probe_cmd_clone(const struct probe_cmd *from);
void probe_cmd_free(struct probe_cmd *cmd);
int probe_cmd_error(struct probe_cmd *cmd, enum probe_err err, unsigned int pos);
int probe_parse_maxactive(struct probe_cmd *cmd, bool allowed, unsigned int *maxactive);

/* parse_event.c */
enum probe_err probe_parse_name(struct probe_str name, struct probe_str *group,
				struct probe_str *event, unsigned int *pos);
int probe_parse_event_name(struct probe_cmd *cmd);

/* parse_arg.c; the result is described in expr.h */
int probe_parse_args(struct probe_cmd *cmd);

/* parse_predicate.c; the result is described in predicate.h */
int probe_parse_predicate(struct probe_cmd *cmd);

static inline bool probe_str_is(struct probe_str a, const char *b)
{
	unsigned int i;

	for (i = 0; i < a.len; i++)
		if (!b[i] || a.s[i] != b[i])
			return false;
	return a.s && !b[i];
}

#endif /* _PROBE_AST_H */
