// SPDX-License-Identifier: GPL-2.0
/*
 * Replacement of an argument's expression by an equivalent one.
 *
 * Both syntax tree and text are replaced, because kprobe_events must show an
 * equivalent command.  The caller passes all values that depend on the kernel, so
 * this code also runs in the host tests.
 */
#include <linux/errno.h>
#include <linux/string.h>

#include "expr.h"

/* Replace the expression by @e, and its text by @text, which is in the arena. */
static int replace(struct probe_cmd *cmd, struct probe_arg_ast *arg, struct probe_expr e,
		   const char *text)
{
	struct probe_expr *new = probe_arena_alloc(cmd->arena, sizeof(*new));
	struct probe_type_ast *type = &arg->type;
	size_t len, total;

	if (!new || !text)
		return -ENOMEM;
	len = strlen(text);
	total = type->text.s ? len + strlen(":") + type->text.len : len;
	if (total > PROBE_MAX_ARG_TEXT)
		return probe_cmd_error(cmd, PROBE_ERR_ARG_TOO_LONG, arg->text.pos);

	e.pos = arg->expr->pos;
	*new = e;
	arg->expr = new;
	/* For compatibility, errors in the type are reported at columns of the new text. */
	type->str.pos += len - arg->text.len;
	arg->text.s = text;
	arg->text.len = len;
	return 0;
}

/**
 * probe_replace_by_param() - replace $argN or $arg* by the name of a parameter
 * @cmd: the command, for memory and errors
 * @arg: the argument, parsed; keeps its type
 * @name: name of the parameter; copied
 *
 * Context: may sleep.
 * Return: 0 or a negative errno.  Errors except -ENOMEM are recorded in @cmd.
 */
int probe_replace_by_param(struct probe_cmd *cmd, struct probe_arg_ast *arg,
			   const char *name)
{
	struct probe_expr e = { .kind = PROBE_EXPR_NAME };

	e.str.len = strlen(name);
	e.str.s = probe_arena_strndup(cmd->arena, name, e.str.len);
	e.str.pos = arg->text.pos;
	return replace(cmd, arg, e, e.str.s);
}

/* Replace X by +OFFS(X). */
static int add_deref(struct probe_cmd *cmd, struct probe_arg_ast *arg, unsigned long offs)
{
	struct probe_expr e = {
		.kind = PROBE_EXPR_DEREF,
		.value = offs,
		.base = arg->expr,
	};

	return replace(cmd, arg, e,
		       probe_arena_printf(cmd->arena, "+0x%lx(%.*s)", offs,
					  arg->text.len, arg->text.s));
}

/**
 * probe_replace_by_path() - replace an argument of type %pd or %pD by a string
 * @cmd: the command, for memory and errors
 * @arg: the argument, parsed; unchanged if it has another type
 * @name: offset of the name's address in struct dentry
 * @dentry: offset of the dentry's address in struct file
 *
 * X:%pd is the name in the struct dentry at X, and X:%pD is the name in the dentry of
 * the struct file at X.
 *
 * Context: may sleep.
 * Return: 0 or a negative errno.  Errors except -ENOMEM are recorded in @cmd.
 */
int probe_replace_by_path(struct probe_cmd *cmd, struct probe_arg_ast *arg,
			  unsigned long name, unsigned long dentry)
{
	struct probe_type_ast *type = &arg->type;
	bool is_file = type->form == PROBE_TYPE_FILE;
	int ret = 0;

	if (!is_file && type->form != PROBE_TYPE_DENTRY)
		return 0;
	type->form = PROBE_TYPE_NAMED;
	type->text.s = "string";
	type->text.len = strlen("string");
	type->str = type->text;

	if (is_file)
		ret = add_deref(cmd, arg, dentry);
	return ret ?: add_deref(cmd, arg, name) ?: add_deref(cmd, arg, 0);
}
