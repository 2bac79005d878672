/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The syntax of a probe command, before anything is looked up.
 *
 * A command is normalised first: runs of white space become one blank, so
 * that a position is simply a column of the line that error_log prints.
 * The lexer and the parser turn that line into the structures below.  They do
 * not look up symbols, registers, types or BTF, so they can also run in user
 * space under a fuzzer.
 *
 * Nodes and composed strings are allocated from the command's arena and freed
 * with it.
 */
#ifndef _PROBE_AST_H
#define _PROBE_AST_H

#include <linux/types.h>

#include "errors.h"

#define PROBE_MAX_ACTIVE	4096	/* return instances that a command can request */
#define PROBE_MAX_ARGS		128	/* arguments of one probe */
#define PROBE_MAX_ARG_TEXT	63	/* length of one argument without its name */
#define PROBE_MAX_ARG_NAME	32	/* length of an argument's name */
#define PROBE_MAX_NAME		64	/* length of a group or event name, with the NUL */
#define PROBE_MAX_DEREF		14	/* dereferences in one argument */
#define PROBE_MAX_ARRAY		64	/* elements of an array */

struct probe_arena;

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

enum probe_expr_kind {
	PROBE_EXPR_REG,		/* %NAME		@str: NAME */
	PROBE_EXPR_VAR,		/* $NAME		@str: NAME, @var, @value: N */
	PROBE_EXPR_IMM,		/* \NUMBER		@value */
	PROBE_EXPR_STRING,	/* \"TEXT"		@str: TEXT */
	PROBE_EXPR_ADDR,	/* @NUMBER		@value: address to read */
	PROBE_EXPR_SYMBOL,	/* @NAME[+-OFFS]	@str: NAME, @value: OFFS */
	PROBE_EXPR_FILE_OFFS,	/* @+TEXT		@str */
	PROBE_EXPR_NAME,	/* NAME, a BTF argument	@str: NAME */
	PROBE_EXPR_MEMBER,	/* X->NAME, X.NAME	@base: X, @str: NAME, @arrow */
	PROBE_EXPR_DEREF,	/* +-[u]OFFS(X)		@base: X, @value: OFFS, @user */
};

enum probe_var {
	PROBE_VAR_UNKNOWN,
	PROBE_VAR_RETVAL,	/* $retval */
	PROBE_VAR_COMM,		/* $comm, $COMM */
	PROBE_VAR_STACK,	/* $stack */
	PROBE_VAR_STACK_NTH,	/* $stackN */
	PROBE_VAR_ARG_NTH,	/* $argN */
	PROBE_VAR_ALL_ARGS,	/* $arg* */
};

/**
 * struct probe_expr - one node of a fetch expression
 * @kind: the construct; decides the meaning of the other members
 * @var: the variable
 * @user: the dereference reads user memory
 * @arrow: the member follows "->", not "."
 * @pos: column of the node's first character (for a member: of its name)
 * @str: name or text
 * @value: number
 * @base: operand of a dereference or member access
 */
struct probe_expr {
	enum probe_expr_kind	kind;
	enum probe_var		var;
	bool			user;
	bool			arrow;
	u16			pos;
	struct probe_str	str;
	unsigned long		value;
	struct probe_expr	*base;
};

enum probe_type_form {
	PROBE_TYPE_NONE,	/* no type given */
	PROBE_TYPE_NAMED,	/* an identifier, looked up later */
	PROBE_TYPE_BITFIELD,	/* bWIDTH@OFFSET/CONTAINER */
	PROBE_TYPE_DENTRY,	/* %pd */
	PROBE_TYPE_FILE,	/* %pD */
};

/**
 * struct probe_type_ast - the type of an argument as written
 * @form: kind of type
 * @text: the text after ':'; absent when no type is given
 * @str: @text up to '['
 * @width: bitfield: number of bits
 * @shift: bitfield: lowest bit
 * @container: bitfield: bits of the integer that contains it (8, 16, 32 or 64)
 * @count: array elements, 0 when it is not an array
 */
struct probe_type_ast {
	enum probe_type_form	form;
	struct probe_str	text;
	struct probe_str	str;
	u8			width;
	u8			shift;
	u8			container;
	u8			count;
};

/**
 * struct probe_arg_ast - one argument as written
 * @word: the whole word of the command
 * @name: the part before '='; absent when not given
 * @text: text of the expression, as kprobe_events shows it
 * @expr: the expression
 * @type: the type
 */
struct probe_arg_ast {
	struct probe_str	word;
	struct probe_str	name;
	struct probe_str	text;
	struct probe_expr	*expr;
	struct probe_type_ast	type;
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

/* arena.c */
void *probe_arena_alloc(struct probe_arena *arena, size_t size);
char *probe_arena_strndup(struct probe_arena *arena, const char *s, size_t len);
char *probe_arena_printf(struct probe_arena *arena, const char *fmt, ...) __printf(2, 3);
struct probe_arena *probe_arena_new(size_t first);
void probe_arena_free(struct probe_arena *arena);

/* parse.c; for lex.c, which only parse.c and parse_arg.c use, see lex.h */
struct probe_cmd *probe_cmd_open(const char *raw);
void probe_cmd_free(struct probe_cmd *cmd);
int probe_cmd_error(struct probe_cmd *cmd, enum probe_err err, unsigned int pos);
int probe_parse_head(struct probe_cmd *cmd);
int probe_parse_event_name(struct probe_cmd *cmd);
int probe_parse_place(struct probe_cmd *cmd, struct probe_place *place);
void probe_parse_symbol(struct probe_place *place, const char *symbol);

/* parse_arg.c */
int probe_parse_args(struct probe_cmd *cmd, unsigned int first);

/* replace.c */
int probe_replace_by_param(struct probe_cmd *cmd, struct probe_arg_ast *arg,
			   const char *name);
int probe_replace_by_path(struct probe_cmd *cmd, struct probe_arg_ast *arg,
			  unsigned long name, unsigned long dentry);

static inline bool probe_str_is(struct probe_str a, const char *b)
{
	unsigned int i;

	for (i = 0; i < a.len; i++)
		if (!b[i] || a.s[i] != b[i])
			return false;
	return a.s && !b[i];
}

#endif /* _PROBE_AST_H */
