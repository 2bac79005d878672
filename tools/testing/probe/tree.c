// SPDX-License-Identifier: GPL-2.0
/*
 * Syntax trees for tests.
 *
 * tree_show_*() shows every member of a tree as an expression in brackets, for
 * comparison with what a test expects. tree_write_body() writes an argument as
 * a command would, from the tree alone: parsing that again must give the same
 * tree, whatever odd spelling the tree came from.
 */
#include <string.h>
#include <linux/errno.h>

#include "tree.h"

/* Parses all of a kprobe command, in the order in which a provider does. */
int tree_parse(struct probe_cmd *cmd, struct probe_place *place)
{
	int ret;

	ret = probe_parse_head(cmd);
	if (!ret)
		ret = probe_parse_place(cmd, place);
	if (!ret)
		ret = probe_parse_event_name(cmd);
	if (!ret)
		ret = probe_parse_args(cmd, 2);
	return ret;
}

static void put(FILE *f, struct probe_str s)
{
	fwrite(s.s, 1, s.len, f);
}

void tree_show_expr(FILE *f, const struct probe_expr *e)
{
	static const char * const names[] = {
		[PROBE_EXPR_REG] = "reg",
		[PROBE_EXPR_VAR] = "var",
		[PROBE_EXPR_IMM] = "imm",
		[PROBE_EXPR_STRING] = "string",
		[PROBE_EXPR_ADDR] = "addr",
		[PROBE_EXPR_SYMBOL] = "symbol",
		[PROBE_EXPR_FILE_OFFS] = "file",
		[PROBE_EXPR_NAME] = "name",
		[PROBE_EXPR_MEMBER] = ".",
		[PROBE_EXPR_DEREF] = "deref",
	};

	fprintf(f, "(%s%s", e->user ? "user-" : "", e->arrow ? "->" : names[e->kind]);
	if (e->base) {
		fputc(' ', f);
		tree_show_expr(f, e->base);
	}
	if (e->str.s) {
		fputc(' ', f);
		put(f, e->str);
	}
	if (e->kind == PROBE_EXPR_IMM || e->kind == PROBE_EXPR_ADDR)
		fprintf(f, " %#lx", e->value);
	else if (e->kind == PROBE_EXPR_SYMBOL || e->kind == PROBE_EXPR_FILE_OFFS ||
		 e->kind == PROBE_EXPR_DEREF)
		fprintf(f, " %+ld", (long)e->value);
	fputc(')', f);
}

static void show_type(FILE *f, const struct probe_type_ast *t)
{
	switch (t->form) {
	case PROBE_TYPE_NONE:
		break;
	case PROBE_TYPE_NAMED:
		fputc(' ', f);
		put(f, t->str);
		break;
	case PROBE_TYPE_BITFIELD:
		fprintf(f, " bits %u@%u/%u", t->width, t->shift, t->container);
		break;
	case PROBE_TYPE_DENTRY:
		fprintf(f, " dentry");
		break;
	case PROBE_TYPE_FILE:
		fprintf(f, " file");
		break;
	}
	if (t->count)
		fprintf(f, "[%u]", t->count);
}

void tree_show_arg(FILE *f, const struct probe_arg_ast *arg)
{
	if (arg->name.s) {
		put(f, arg->name);
		fputc('=', f);
	}
	tree_show_expr(f, arg->expr);
	show_type(f, &arg->type);
}

void tree_show_place(FILE *f, const struct probe_place *place)
{
	if (!place->symbol.s) {
		fprintf(f, "addr %#lx", place->addr);
		return;
	}
	put(f, place->symbol);
	if (place->module.s) {
		fprintf(f, " of ");
		put(f, place->module);
	}
	fprintf(f, " +%lu%s", place->offset, place->ret ? " return" : "");
}

static void write_expr(FILE *f, const struct probe_expr *e)
{
	switch (e->kind) {
	case PROBE_EXPR_REG:
		fputc('%', f);
		put(f, e->str);
		break;
	case PROBE_EXPR_VAR:
		fputc('$', f);
		put(f, e->str);
		break;
	case PROBE_EXPR_IMM:
		fprintf(f, "\\%lu", e->value);
		break;
	case PROBE_EXPR_STRING:
		fprintf(f, "\\\"");
		put(f, e->str);
		fputc('"', f);
		break;
	case PROBE_EXPR_ADDR:
		fprintf(f, "@%#lx", e->value);
		break;
	case PROBE_EXPR_SYMBOL:
		fputc('@', f);
		put(f, e->str);
		if (e->value)
			fprintf(f, "%+ld", (long)e->value);
		break;
	case PROBE_EXPR_FILE_OFFS:
		fprintf(f, "@+%ld", (long)e->value);
		break;
	case PROBE_EXPR_NAME:
		put(f, e->str);
		break;
	case PROBE_EXPR_MEMBER:
		write_expr(f, e->base);
		fprintf(f, "%s", e->arrow ? "->" : ".");
		put(f, e->str);
		break;
	case PROBE_EXPR_DEREF:
		fprintf(f, "%c%s%lu(", (long)e->value < 0 ? '-' : '+',
			e->user ? "u" : "",
			(long)e->value < 0 ? -e->value : e->value);
		write_expr(f, e->base);
		fputc(')', f);
		break;
	}
}

/* The argument without its name. */
void tree_write_body(FILE *f, const struct probe_arg_ast *arg)
{
	const struct probe_type_ast *t = &arg->type;

	write_expr(f, arg->expr);
	if (t->form == PROBE_TYPE_BITFIELD)
		fprintf(f, ":b%u@%u/%u", t->width, t->shift, t->container);
	else if (t->form != PROBE_TYPE_NONE)
		fprintf(f, ":%.*s", t->str.len, t->str.s);
	if (t->count)
		fprintf(f, "[%u]", t->count);
}

static bool same_text(struct probe_str a, struct probe_str b)
{
	return !a.s == !b.s && a.len == b.len && !memcmp(a.s ?: "", b.s ?: "", a.len);
}

static bool same_expr(const struct probe_expr *a, const struct probe_expr *b)
{
	for (; a && b; a = a->base, b = b->base)
		if (a->kind != b->kind || a->user != b->user ||
		    a->arrow != b->arrow || a->value != b->value ||
		    !same_text(a->str, b->str))
			return false;
	return !a && !b;
}

/* Do both say the same? Columns, names and spelling may differ. */
bool tree_same_arg(const struct probe_arg_ast *a, const struct probe_arg_ast *b)
{
	const struct probe_type_ast *s = &a->type, *t = &b->type;

	if (s->form != t->form || s->count != t->count || s->width != t->width ||
	    s->shift != t->shift || s->container != t->container)
		return false;
	if (s->form == PROBE_TYPE_NAMED && !same_text(s->str, t->str))
		return false;
	return same_expr(a->expr, b->expr);
}

/* Is @s, if present, the text of the command at its column? */
static bool in_place(const struct probe_cmd *cmd, struct probe_str s)
{
	return !s.s || (s.s == cmd->text + s.pos &&
			s.pos + s.len <= strlen(cmd->text));
}

/*
 * The first piece of a parsed command that is not where it says it is, or NULL.
 * @place may be NULL.
 */
const char *tree_wrong_columns(const struct probe_cmd *cmd,
			       const struct probe_place *place)
{
	const struct probe_expr *e;
	unsigned int i;

	for (i = 0; i < cmd->nr_words; i++)
		if (!in_place(cmd, cmd->words[i]) || !cmd->words[i].len)
			return "word";
	if (!in_place(cmd, cmd->maxactive))
		return "maxactive";
	if (!in_place(cmd, cmd->group) || !in_place(cmd, cmd->event))
		return "event name";
	if (place && (!in_place(cmd, place->word) || !in_place(cmd, place->symbol) ||
		      !in_place(cmd, place->module)))
		return "place";
	for (i = 0; i < cmd->nr_args; i++) {
		const struct probe_arg_ast *arg = &cmd->args[i];

		if (!in_place(cmd, arg->word) || !in_place(cmd, arg->name) ||
		    !in_place(cmd, arg->body))
			return "argument";
		if (!in_place(cmd, arg->type.str))
			return "type";
		for (e = arg->expr; e; e = e->base) {
			if (!in_place(cmd, e->str))
				return "expression";
			if (e->pos < arg->body.pos ||
			    e->pos >= arg->body.pos + arg->body.len)
				return "column of an expression";
		}
	}
	return NULL;
}

const char *tree_err_name(enum probe_err err)
{
#define PROBE_ERR_NAME(name, code, text) #name,
	static const char * const names[] = { PROBE_ERRORS(PROBE_ERR_NAME) "no error" };
#undef PROBE_ERR_NAME

	return names[err];
}
