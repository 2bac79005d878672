// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzz target: parse any bytes as a command.
 *
 * Besides the sanitizers, it checks properties that callers rely on: the columns of a
 * tree match the command; an error has a column within the line, and a failure without
 * an error means that the command belongs to another provider; an argument that is
 * written from its tree gives the same tree when parsed again, and so does the
 * expansion of %pd or %pD.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/errno.h>
#include <linux/slab.h>

#include "tree.h"

static void check_again(struct probe_cmd *cmd, const struct probe_arg_ast *arg)
{
	struct probe_arg_ast again;
	struct tree_text text = {};
	struct probe_str word;
	int ret;

	/* $arg* cannot have a name. */
	if (arg->expr->kind == PROBE_EXPR_VAR && arg->expr->var == PROBE_VAR_ALL_ARGS)
		return;
	/* With a name, because the parser takes any text before a '=' for one. */
	tree_write_body(&text, "x=", arg);
	/* Numbers may be longer when written from the tree. */
	if (text.len - strlen("x=") > PROBE_MAX_ARG_TEXT)
		return;
	word = (struct probe_str) { .s = text.s, .len = text.len };
	ret = probe_parse_arg(cmd, word, &again);
	assert(!ret);
	assert(tree_same_arg(arg, &again));
}

static void check_expanded(struct probe_cmd *cmd, struct probe_arg_ast *arg)
{
	struct probe_arg_ast again;
	struct probe_str word;
	char text[80];
	int ret;

	if (arg->type.form != PROBE_TYPE_DENTRY && arg->type.form != PROBE_TYPE_FILE)
		return;
	if (probe_expand_path(cmd, arg, 40, 96))
		return;
	assert(arg->body.len <= PROBE_MAX_ARG_TEXT);
	word.s = text;
	word.len = sprintf(text, "x=%.*s", arg->body.len, arg->body.s);
	word.pos = 0;
	cmd->err = PROBE_ERR_NONE;
	ret = probe_parse_arg(cmd, word, &again);
	/* The resolver refuses values without an address and too many dereferences. */
	if (ret)
		assert(cmd->err == PROBE_ERR_COMM_CANT_DEREF ||
		       cmd->err == PROBE_ERR_TOO_MANY_OPS ||
		       cmd->err == PROBE_ERR_BAD_VAR_ARGS);
	else
		assert(tree_same_arg(arg, &again));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct probe_place place = {};
	struct probe_cmd *cmd;
	unsigned int i;
	char *raw;
	int ret;

	raw = malloc(size + 1);
	memcpy(raw, data, size);
	raw[size] = '\0';
	cmd = probe_cmd_open(raw);
	free(raw);
	assert(cmd);

	ret = tree_parse(cmd, &place);
	/* On an error the last argument is not complete; those before it are. */
	if (ret) {
		assert(ret < 0);
		assert((ret == -ECANCELED) == (cmd->err == PROBE_ERR_NONE));
		assert(cmd->err == PROBE_ERR_NONE || cmd->err_pos <= strlen(cmd->text));
	}
	assert(!tree_wrong_columns(cmd, &place));
	for (i = 0; i < cmd->nr_args; i++) {
		assert(cmd->args[i].body.len <= PROBE_MAX_ARG_TEXT);
		check_again(cmd, &cmd->args[i]);
		check_expanded(cmd, &cmd->args[i]);
	}
	probe_cmd_free(cmd);
	assert(!host_alloc_live());
	return 0;
}
