// SPDX-License-Identifier: GPL-2.0
/*
 * Expansion of arguments that stand for other arguments:
 *
 *   $arg*        the names of all parameters of the function; a type has no effect
 *   $argN        the name of the N-th parameter, when BTF has it; not with NAME= or members
 *   X:%pd        the name in the dentry that X points to
 *   X:%pD        the name of the file that X points to
 *
 * These arguments are replaced (see replace.c) before anything is resolved, so the rest of
 * the engine, and readers of kprobe_events, see only plain arguments.
 */
#include <linux/dcache.h>
#include <linux/fs.h>
#include <linux/overflow.h>

#include "btf.h"
#include "engine.h"
#include "expr.h"

static bool is_all_args(const struct probe_arg_ast *arg)
{
	return arg->expr->kind == PROBE_EXPR_VAR && arg->expr->var == PROBE_VAR_ALL_ARGS;
}

/* "$argN", with or without a type, but without a name. */
static bool is_bare_arg(const struct probe_scope *scope, const struct probe_arg_ast *arg)
{
	return !scope->untyped && !arg->name.s && arg->expr->kind == PROBE_EXPR_VAR &&
	       arg->expr->var == PROBE_VAR_ARG_NTH;
}

/* Replace the expression by the name of parameter @nr. */
static int put_param(struct probe_cmd *cmd, struct probe_scope *scope,
		     struct probe_arg_ast *arg, unsigned int nr)
{
	const char *name = probe_scope_param(scope, nr);

	if (nr >= scope->nr_params)
		return probe_cmd_error(cmd, PROBE_ERR_NO_BTFARG, arg->word.pos);
	if (!name)
		return probe_cmd_error(cmd, PROBE_ERR_NO_BTF_ENTRY, arg->word.pos);
	return probe_replace_by_param(cmd, arg, name);
}

/* "$argN" as the name of a parameter, if the function's parameters are known. */
static int expand_bare_arg(struct probe_cmd *cmd, struct probe_scope *scope,
			   struct probe_arg_ast *arg)
{
	if (!is_bare_arg(scope, arg) || !arg->expr->value ||
	    !(scope->is_entry || scope->is_return))
		return 0;
	return put_param(cmd, scope, arg, arg->expr->value - 1);
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
			if (scope->in_user)
				return probe_cmd_error(cmd, PROBE_ERR_BAD_VAR, arg->word.pos);
			if (!probe_scope_has_names(scope))
				return probe_cmd_error(cmd, PROBE_ERR_NOFENTRY_ARGS,
						       arg->word.pos);
			if (all)
				return probe_cmd_error(cmd, PROBE_ERR_DOUBLE_ARGS,
						       arg->word.pos);
			all = arg;
		} else if (is_bare_arg(scope, arg)) {
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
			for (j = 0; j < scope->nr_params && !ret; j++) {
				args[n] = *arg;
				args[n].type = (struct probe_type_ast){};
				ret = put_param(cmd, scope, &args[n++], j);
			}
			continue;
		}
		args[n] = *arg;
		ret = expand_bare_arg(cmd, scope, &args[n++]);
	}
	cmd->args = args;
	cmd->nr_args = n;
	return ret;
}

/**
 * probe_expand_args() - replace the arguments that stand for other arguments
 * @cmd: the command, after probe_parse_args()
 * @scope: the names that the arguments can refer to
 *
 * Context: may sleep.
 * Return: 0 or a negative errno.  Errors except -ENOMEM are recorded in @cmd.
 */
int probe_expand_args(struct probe_cmd *cmd, struct probe_scope *scope)
{
	unsigned int i;
	int ret;

	ret = expand_params(cmd, scope);
	if (scope->in_user)
		return ret;
	for (i = 0; i < cmd->nr_args && !ret; i++)
		ret = probe_replace_by_path(cmd, &cmd->args[i],
					    offsetof(struct dentry, d_name.name),
					    offsetof(struct file, f_path.dentry));
	return ret;
}

/**
 * probe_expand_operand() - replace an operand that stands for another one
 * @cmd: the command
 * @scope: the names that the operand can refer to
 * @arg: the operand; changed
 *
 * Context: may sleep.
 * Return: 0 or a negative errno.  Errors except -ENOMEM are recorded in @cmd.
 */
int probe_expand_operand(struct probe_cmd *cmd, struct probe_scope *scope,
			 struct probe_arg_ast *arg)
{
	int ret = 0;

	if (scope->in_user)
		return 0;
	if (is_bare_arg(scope, arg) && probe_scope_btf(scope) && scope->nr_params)
		ret = expand_bare_arg(cmd, scope, arg);
	return ret ?: probe_replace_by_path(cmd, arg, offsetof(struct dentry, d_name.name),
					    offsetof(struct file, f_path.dentry));
}
