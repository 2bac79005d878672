/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The syntax of an argument: an expression and a type.  See ast.h for the syntax of
 * the command.
 */
#ifndef _PROBE_EXPR_H
#define _PROBE_EXPR_H

#include <linux/types.h>

#include "ast.h"
#include "formula.h"

#define PROBE_MAX_ARG_TEXT	255	/* length of one argument without its name */
#define PROBE_MAX_ARG_NAME	32	/* length of an argument's name */
#define PROBE_MAX_DEREF		14	/* dereferences in one argument */
#define PROBE_MAX_ARRAY		64	/* elements of an array */
#define PROBE_MAX_STACK		64	/* entries of a stack trace */
#define PROBE_MAX_NEST		8	/* constructs around an operand; see count_nested() */

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
	PROBE_EXPR_INDEX,	/* X[N], X a member	@base: X, @value: N */
	PROBE_EXPR_DEREF,	/* +-[u]OFFS(X)		@base: X, @value: OFFS, @user */
	PROBE_EXPR_THIS_CPU_PTR,	/* this_cpu_ptr(X)	@base: X */
	PROBE_EXPR_THIS_CPU_READ,	/* this_cpu_read(X)	@base: X */
	PROBE_EXPR_CAST,	/* (STRUCT[,A.B...])X	@base: X, @str: STRUCT, @field: A */
	PROBE_EXPR_NUMBER,	/* NUMBER, an operand	@number */
	PROBE_EXPR_MATH,	/* X op Y		@left: X, @right: Y, @op, @closed */
};

enum probe_var {
	PROBE_VAR_UNKNOWN,
	PROBE_VAR_RETVAL,	/* $retval */
	PROBE_VAR_COMM,		/* $comm, $COMM */
	PROBE_VAR_CURRENT,	/* $current */
	PROBE_VAR_LATENCY,	/* $latency */
	PROBE_VAR_STACK,	/* $stack */
	PROBE_VAR_STACK_NTH,	/* $stackN */
	PROBE_VAR_KSTACK,	/* $kstack, $kstack[N] */
	PROBE_VAR_USTACK,	/* $ustack, $ustack[N] */
	PROBE_VAR_ARG_NTH,	/* $argN */
	PROBE_VAR_ALL_ARGS,	/* $arg* */
};

/**
 * struct probe_expr - one node of a fetch expression
 * @kind: the construct; decides the meaning of the other members
 * @var: the variable
 * @user: the dereference reads user memory
 * @arrow: the member follows "->", not "."
 * @closed: the operator and its operands are in parentheses
 * @op: the operator
 * @pos: column of the node's first character; for a member: of its name; for an operator between
 *	two operands: of the operator
 * @str: name or text
 * @value: number
 * @number: number of 64 bits on all machines
 * @base: operand of a dereference, a per-CPU word, a cast or a member access
 * @field: of a cast: the member to which the value points, or NULL; @base of this member is
 *	the member B of it, and so on
 * @left: the left operand of an operator
 * @right: the right one
 */
struct probe_expr {
	enum probe_expr_kind	kind;
	enum probe_var		var;
	bool			user;
	bool			arrow;
	bool			closed;
	enum probe_math		op : 8;
	u16			pos;
	struct probe_str	str;
	unsigned long		value;
	u64			number;
	struct probe_expr	*base;
	struct probe_expr	*field;
	struct probe_expr	*left;
	struct probe_expr	*right;
};

enum probe_type_form {
	PROBE_TYPE_NONE,	/* no type given */
	PROBE_TYPE_NAMED,	/* an identifier, looked up later */
	PROBE_TYPE_BITFIELD,	/* bWIDTH@OFFSET/CONTAINER */
	PROBE_TYPE_DENTRY,	/* %pd */
	PROBE_TYPE_FILE,	/* %pD */
};

/**
 * struct probe_name_ast - one name of a list
 * @name: the name
 * @value: text of the number
 * @negative: the number is negative
 * @number: the number without its sign
 */
struct probe_name_ast {
	struct probe_str	name;
	struct probe_str	value;
	bool			negative;
	u64			number;
};

/**
 * struct probe_names_ast - the names of a type as written, between parentheses
 * @text: the text; absent if there are no parentheses
 * @system: group of an event; absent if not given
 * @event: the event; absent if not given
 * @name: a field of the event or, without an event, an enum; absent if there is a list
 * @list: the list
 * @nr: number of entries of @list
 */
struct probe_names_ast {
	struct probe_str	text;
	struct probe_str	system;
	struct probe_str	event;
	struct probe_str	name;
	struct probe_name_ast	*list;
	unsigned int		nr;
};

/**
 * struct probe_type_ast - the type of an argument as written
 * @form: kind of type
 * @text: the text after ':'; absent when no type is given
 * @str: @text up to '(' or '['
 * @names: names of numbers, which can follow the name of a type
 * @width: bitfield: number of bits
 * @shift: bitfield: lowest bit
 * @container: bitfield: bits of the integer that contains it (8, 16, 32 or 64)
 * @count: array elements, 0 when it is not an array
 */
struct probe_type_ast {
	enum probe_type_form	form;
	struct probe_str	text;
	struct probe_str	str;
	struct probe_names_ast	names;
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
 * @in_formula: it is an operand, not an argument
 */
struct probe_arg_ast {
	struct probe_str	word;
	struct probe_str	name;
	struct probe_str	text;
	struct probe_expr	*expr;
	struct probe_type_ast	type;
	bool			in_formula;
};

/* The operand of nested dereferences, casts, per-CPU words and members. */
static inline struct probe_expr *probe_expr_innermost(struct probe_expr *e)
{
	while (e->base)
		e = e->base;
	return e;
}

/* parse_arg.c */
int probe_parse_unnamed(struct probe_cmd *cmd, struct probe_str text,
			struct probe_arg_ast *arg);

/* replace.c */
int probe_replace_by_param(struct probe_cmd *cmd, struct probe_arg_ast *arg,
			   const char *name);
int probe_replace_by_path(struct probe_cmd *cmd, struct probe_arg_ast *arg,
			  unsigned long name, unsigned long dentry);

#endif /* _PROBE_EXPR_H */
