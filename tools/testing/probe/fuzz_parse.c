// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzz target: parse any bytes as a command.
 *
 * It also checks properties that callers rely on:
 *
 *  - The columns of a tree match the command.
 *  - An error has a column within the line. A failure with no error recorded means that the
 *    command belongs to another provider.
 *  - Each comparison of a predicate continues with a later one, or has a result.  The text of
 *    a predicate, which the listing shows, gives the same comparisons when parsed again.
 *  - An argument that is written from its tree gives the same tree when parsed again, and
 *    so does an argument whose expression was replaced.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/errno.h>
#include <linux/slab.h>

#include "predicate.h"
#include "tree.h"

/* Parse @word as an argument of another command. */
static struct probe_cmd *parse_word(const char *word)
{
	struct tree_text text = {};
	struct probe_cmd *cmd;

	text.len = snprintf(text.s, sizeof(text.s), "p f %s", word);
	assert(text.len < sizeof(text.s));
	cmd = tree_open(text.s);
	assert(cmd && cmd->nr_words == 3);
	probe_parse_args(cmd);
	return cmd;
}

static void check_again(const struct probe_arg_ast *arg)
{
	struct tree_text text = {};
	struct probe_cmd *again;

	/* $arg* cannot have a name. */
	if (arg->expr->kind == PROBE_EXPR_VAR && arg->expr->var == PROBE_VAR_ALL_ARGS)
		return;
	/* Add a name, because the parser would take any text before a '=' for a name. */
	tree_write_arg(&text, "x=", arg);
	/* Numbers may be longer when written from the tree. */
	if (text.len - strlen("x=") > PROBE_MAX_ARG_TEXT)
		return;
	again = parse_word(text.s);
	/* Parentheses around operands are nested, too. */
	if (again->err == PROBE_ERR_TOO_MANY_NESTED) {
		probe_cmd_free(again);
		return;
	}
	assert(again->nr_args == 1);
	assert(tree_same_arg(arg, again->args));
	probe_cmd_free(again);
}

/* Parse the text of an argument whose expression was replaced. */
static void check_replaced(const struct probe_arg_ast *arg)
{
	struct tree_text text = { .len = 2, .s = "x=" };
	struct probe_cmd *again;

	tree_write_text(&text, arg);
	assert(text.len <= 2 + PROBE_MAX_ARG_TEXT);
	again = parse_word(text.s);
	/* In the kernel, the resolver rejects trees for which the parser reports these errors. */
	if (again->err != PROBE_ERR_NONE)
		assert(again->err == PROBE_ERR_COMM_CANT_DEREF ||
		       again->err == PROBE_ERR_TOO_MANY_OPS ||
		       again->err == PROBE_ERR_TOO_MANY_NESTED ||
		       again->err == PROBE_ERR_BAD_VAR_ARGS);
	else
		assert(tree_same_arg(arg, again->args));
	probe_cmd_free(again);
}

static void check_replacements(struct probe_cmd *cmd, struct probe_arg_ast *arg)
{
	if (!arg->name.s && arg->expr->kind == PROBE_EXPR_VAR &&
	    (arg->expr->var == PROBE_VAR_ARG_NTH || arg->expr->var == PROBE_VAR_ALL_ARGS) &&
	    !probe_replace_by_param(cmd, arg, "param"))
		check_replaced(arg);
	if ((arg->type.form == PROBE_TYPE_DENTRY || arg->type.form == PROBE_TYPE_FILE) &&
	    !probe_replace_by_path(cmd, arg, 40, 96))
		check_replaced(arg);
}

static void check_next(const struct probe_cmd *cmd, unsigned int term, u8 next)
{
	assert(next > term && (next < cmd->nr_terms || next >= PROBE_TERM_ACCEPT));
}

static void check_predicate(const struct probe_cmd *cmd)
{
	struct tree_text first = {}, second = {};
	struct probe_cmd *again;
	unsigned int i;
	char *text;

	assert(!cmd->predicate.s == !cmd->nr_terms);
	if (!cmd->nr_terms)
		return;
	for (i = 0; i < cmd->nr_terms; i++) {
		const struct probe_term_ast *term = &cmd->terms[i];

		check_next(cmd, i, term->yes);
		check_next(cmd, i, term->no);
		/* The code of the next comparison follows. */
		assert(term->yes == i + 1 || term->no == i + 1 || i + 1 == cmd->nr_terms);
		assert(term->yes != term->no);
	}
	text = malloc(sizeof("p f if ") + cmd->predicate.len);
	sprintf(text, "p f if %.*s", cmd->predicate.len, cmd->predicate.s);
	again = tree_open(text);
	assert(!probe_parse_predicate(again));
	tree_show_predicate(&first, cmd);
	tree_show_predicate(&second, again);
	assert(!strcmp(first.s, second.s));
	probe_cmd_free(again);
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct trace_kprobe_place place = {};
	struct probe_cmd *cmd;
	unsigned int i;
	char *raw;
	int ret;

	raw = malloc(size + 1);
	memcpy(raw, data, size);
	raw[size] = '\0';
	cmd = tree_open(raw);
	free(raw);
	assert(cmd);

	ret = tree_parse(cmd, &place);
	/* After an error, cmd->nr_args counts only the complete arguments. */
	if (ret) {
		assert(ret < 0);
		assert((ret == -ECANCELED) == (cmd->err == PROBE_ERR_NONE));
		assert(cmd->err == PROBE_ERR_NONE || cmd->err_pos <= strlen(cmd->text));
	}
	assert(!tree_wrong_columns(cmd, &place));
	if (!ret)
		check_predicate(cmd);
	for (i = 0; i < cmd->nr_args; i++) {
		assert(cmd->args[i].text.len <= PROBE_MAX_ARG_TEXT);
		check_again(&cmd->args[i]);
		check_replacements(cmd, &cmd->args[i]);
	}
	probe_cmd_free(cmd);
	assert(!host_alloc_live());
	return 0;
}
