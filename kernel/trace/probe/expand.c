// SPDX-License-Identifier: GPL-2.0
/*
 * Expansion of arguments that stand for others:
 *
 *   $arg*        every parameter of the function, by name; a type has no effect
 *   $argN        alone: the N-th parameter, by name, when BTF knows it
 *   X:%pd, %pD   the name of the file X points to: see expand_path.c
 *
 * They are replaced before anything is resolved, so the rest of the engine, and
 * readers of kprobe_events, see only plain arguments.
 */
#include <linux/dcache.h>
#include <linux/fs.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "probe.h"

static bool is_all_args(const struct probe_arg_ast *arg)
{
	return arg->expr->kind == PROBE_EXPR_VAR && arg->expr->var == PROBE_VAR_ALL_ARGS;
}

/* "$argN", with or without a type, but without a name. */
static bool is_bare_arg(const struct probe_arg_ast *arg)
{
	return !arg->name.s && arg->expr->kind == PROBE_EXPR_VAR &&
	       arg->expr->var == PROBE_VAR_ARG_NTH;
}

/* Parse "NAME[:TYPE]" in place of @old. */
static int put_param(struct probe_cmd *cmd, struct probe_scope *scope,
		     const struct probe_arg_ast *old, unsigned int nr,
		     struct probe_str type, struct probe_arg_ast *new)
{
	const char *name = probe_scope_param(scope, nr);
	struct probe_str word = { .pos = old->word.pos };
	char *text;

	if (nr >= scope->nr_params)
		return probe_cmd_error(cmd, PROBE_ERR_NO_BTFARG, old->word.pos);
	if (!name)
		return probe_cmd_error(cmd, PROBE_ERR_NO_BTF_ENTRY, old->word.pos);

	word.len = strlen(name) + type.len;
	text = probe_arena_alloc(cmd->arena, word.len + 1);
	if (!text)
		return -ENOMEM;
	snprintf(text, word.len + 1, "%s%.*s", name, type.len, type.s ?: "");
	word.s = text;
	return probe_parse_arg(cmd, word, new);
}

/* The text of an argument from ':' on; absent if the argument has no type. */
static struct probe_str type_suffix(const struct probe_arg_ast *arg)
{
	struct probe_str s = arg->body;
	const char *colon = s.s ? strnchr(s.s, s.len, ':') : NULL;

	if (!colon)
		return (struct probe_str){};
	s.len -= colon - s.s;
	s.pos += colon - s.s;
	s.s = colon;
	return s;
}

static int expand_params(struct probe_cmd *cmd, struct probe_scope *scope)
{
	struct probe_arg_ast *args;
	unsigned int i, j, n = 0, total = cmd->nr_args;
	const struct probe_arg_ast *all = NULL;
	bool found = false;
	int ret = 0;

	for (i = 0; i < cmd->nr_args; i++) {
		const struct probe_arg_ast *arg = &cmd->args[i];

		if (is_all_args(arg)) {
			if (!scope->is_entry && !scope->is_return)
				return probe_cmd_error(cmd, PROBE_ERR_NOFENTRY_ARGS,
						       arg->word.pos);
			if (all)
				return probe_cmd_error(cmd, PROBE_ERR_DOUBLE_ARGS,
						       arg->word.pos);
			all = arg;
		} else if (is_bare_arg(arg)) {
			found = true;
		}
	}
	if (!all && !found)
		return 0;
	if (!probe_scope_btf(scope) || !scope->nr_params) {
		if (all)
			return probe_cmd_error(cmd, PROBE_ERR_NOSUP_BTFARG,
					       all->word.pos);
		return 0;
	}

	if (all)
		total += scope->nr_params - 1;
	if (total > PROBE_MAX_ARGS)
		return probe_cmd_error(cmd, PROBE_ERR_TOO_MANY_ARGS, all->word.pos);
	args = probe_arena_alloc(cmd->arena, array_size(total, sizeof(*args)));
	if (!args)
		return -ENOMEM;

	for (i = 0; i < cmd->nr_args && !ret; i++) {
		const struct probe_arg_ast *arg = &cmd->args[i];

		if (arg == all) {
			for (j = 0; j < scope->nr_params && !ret; j++)
				ret = put_param(cmd, scope, arg, j,
						(struct probe_str){}, &args[n++]);
		} else if (is_bare_arg(arg) && arg->expr->value &&
			   (scope->is_entry || scope->is_return)) {
			ret = put_param(cmd, scope, arg, arg->expr->value - 1,
					type_suffix(arg), &args[n++]);
		} else {
			args[n++] = *arg;
		}
	}
	cmd->args = args;
	cmd->nr_args = n;
	return ret;
}

/**
 * probe_expand_args - replace the arguments that stand for others
 * @cmd: the command, its arguments parsed
 * @scope: the names that they can refer to
 *
 * Context: may sleep.
 * Return: 0 or a negative errno, with the error in @cmd unless -ENOMEM.
 */
int probe_expand_args(struct probe_cmd *cmd, struct probe_scope *scope)
{
	unsigned int i;
	int ret;

	ret = expand_params(cmd, scope);
	for (i = 0; i < cmd->nr_args && !ret; i++)
		ret = probe_expand_path(cmd, &cmd->args[i],
					offsetof(struct dentry, d_name.name),
					offsetof(struct file, f_path.dentry));
	return ret;
}
