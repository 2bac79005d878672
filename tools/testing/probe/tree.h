/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Syntax trees for tests: conversion of commands to trees, and of trees to text.
 */
#ifndef _HOST_TREE_H
#define _HOST_TREE_H

#include "expr.h"
#include "place.h"

/* A text buffer, always NUL-terminated. Text that does not fit is cut. */
struct tree_text {
	unsigned int	len;
	char		s[4096];
};

struct probe_cmd *tree_open(const char *raw);
int tree_parse(struct probe_cmd *cmd, struct trace_kprobe_place *place);

void tree_show_expr(struct tree_text *t, const struct probe_expr *e);
void tree_show_arg(struct tree_text *t, const struct probe_arg_ast *arg);
void tree_show_predicate(struct tree_text *t, const struct probe_cmd *cmd);
void tree_show_place(struct tree_text *t, const struct trace_kprobe_place *place);

void tree_write_arg(struct tree_text *t, const char *head,
		    const struct probe_arg_ast *arg);
void tree_write_text(struct tree_text *t, const struct probe_arg_ast *arg);
bool tree_same_arg(const struct probe_arg_ast *a, const struct probe_arg_ast *b);

const char *tree_wrong_columns(const struct probe_cmd *cmd,
			       const struct trace_kprobe_place *place);

const char *tree_err_name(enum probe_err err);

#endif /* _HOST_TREE_H */
