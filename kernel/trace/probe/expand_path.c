// SPDX-License-Identifier: GPL-2.0
/*
 * X:%pd and X:%pD, short for a string: the name in the struct dentry at X, or in
 * the dentry of the struct file at X.
 *
 * Both text and syntax tree are expanded, because kprobe_events must show an
 * equivalent command.  The caller passes the offsets of the members, so that
 * this code also runs in the host tests.
 */
#include <linux/errno.h>
#include <linux/sprintf.h>
#include <linux/string.h>

#include "ast.h"

/* Offsets of the dereferences from X to the string, innermost first. */
struct path {
	unsigned long	offs[3];
	unsigned int	nr;
};

static int rewrite_text(struct probe_cmd *cmd, struct probe_arg_ast *arg,
			const struct path *path)
{
	/* length of the text before the colon */
	unsigned int inner = arg->type.str.s - 1 - arg->body.s;
	/* for each: "+0x", 16 digits and two parentheses; then the type */
	const unsigned int room = inner + 3 * 21 + sizeof(":string");
	unsigned int i, len = 0;
	char *text;

	text = probe_arena_alloc(cmd->arena, room);
	if (!text)
		return -ENOMEM;
	for (i = path->nr; i > 0; i--)
		len += snprintf(text + len, room - len, "+0x%lx(", path->offs[i - 1]);
	memcpy(text + len, arg->body.s, inner);
	len += inner;
	for (i = 0; i < path->nr; i++)
		text[len++] = ')';
	len += snprintf(text + len, room - len, ":string");
	if (len > PROBE_MAX_ARG_TEXT)
		return probe_cmd_error(cmd, PROBE_ERR_ARG_TOO_LONG, arg->body.pos);
	arg->body.s = text;
	arg->body.len = len;
	return 0;
}

static int rewrite_tree(struct probe_cmd *cmd, struct probe_arg_ast *arg,
			const struct path *path)
{
	unsigned int i;

	for (i = 0; i < path->nr; i++) {
		struct probe_expr *e = probe_arena_alloc(cmd->arena, sizeof(*e));

		if (!e)
			return -ENOMEM;
		e->kind = PROBE_EXPR_DEREF;
		e->pos = arg->expr->pos;
		e->value = path->offs[i];
		e->base = arg->expr;
		arg->expr = e;
	}
	arg->type.form = PROBE_TYPE_NAMED;
	arg->type.str.s = "string";
	arg->type.str.len = strlen("string");
	return 0;
}

/**
 * probe_expand_path - replace an argument of type %pd or %pD by a plain one
 * @cmd: the command, for memory and errors
 * @arg: the argument, parsed; unchanged if it has another type
 * @name: offset of the name's address in struct dentry
 * @dentry: offset of the dentry's address in struct file
 *
 * Context: may sleep.
 * Return: 0 or a negative errno, with the error in @cmd unless -ENOMEM.
 */
int probe_expand_path(struct probe_cmd *cmd, struct probe_arg_ast *arg,
		      unsigned long name, unsigned long dentry)
{
	struct path path = {};

	if (arg->type.form == PROBE_TYPE_FILE)
		path.offs[path.nr++] = dentry;
	else if (arg->type.form != PROBE_TYPE_DENTRY)
		return 0;
	path.offs[path.nr++] = name;
	path.offs[path.nr++] = 0;

	return rewrite_text(cmd, arg, &path) ?: rewrite_tree(cmd, arg, &path);
}
