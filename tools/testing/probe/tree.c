// SPDX-License-Identifier: GPL-2.0
/*
 * Syntax trees for tests.
 *
 * tree_show_*() shows every member of a tree as an expression in brackets, for
 * comparison with the text that a test expects. tree_write_arg() writes an argument
 * from its tree in the syntax of commands. Parsing that text must give the same tree,
 * however the original argument was spelled.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <linux/errno.h>
#include <linux/minmax.h>

#include "predicate.h"
#include "tree.h"

/* Open a command whose place and maxactive are kept elsewhere. */
struct probe_cmd *tree_open(const char *raw)
{
	return probe_cmd_open(raw, sizeof(struct probe_cmd));
}

/* Parse a whole kprobe command, in the same order as the kernel. */
int tree_parse(struct probe_cmd *cmd, struct trace_kprobe_place *place)
{
	unsigned int maxactive;
	int ret;

	ret = probe_parse_maxactive(cmd, cmd->kind == 'r', &maxactive);
	if (!ret)
		ret = trace_kprobe_parse_place(cmd, place);
	if (!ret)
		ret = probe_parse_event_name(cmd);
	if (!ret)
		ret = probe_parse_args(cmd);
	if (!ret)
		ret = probe_parse_predicate(cmd);
	return ret;
}

static void put_str(struct tree_text *t, struct probe_str s)
{
	unsigned int len = min_t(size_t, s.len, sizeof(t->s) - 1 - t->len);

	memcpy(t->s + t->len, s.s, len);
	t->len += len;
	t->s[t->len] = '\0';
}

static void put_char(struct tree_text *t, char c)
{
	put_str(t, (struct probe_str) { .s = &c, .len = 1 });
}

static void __printf(2, 3) put_fmt(struct tree_text *t, const char *fmt, ...)
{
	char buf[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(buf, sizeof(buf), fmt, ap);
	va_end(ap);
	put_str(t, (struct probe_str) { .s = buf, .len = strlen(buf) });
}

/* The member in a cast. */
static void put_field(struct tree_text *t, const struct probe_expr *cast)
{
	const struct probe_expr *e;

	for (e = cast->field; e; e = e->base) {
		put_char(t, e == cast->field ? ',' : '.');
		put_str(t, e->str);
	}
}

static const char *math_text(enum probe_math op)
{
	static const char * const text[] = {
		[PROBE_MATH_OR] = "|", [PROBE_MATH_XOR] = "^", [PROBE_MATH_AND] = "&",
		[PROBE_MATH_EQ] = "==", [PROBE_MATH_NE] = "!=", [PROBE_MATH_LT] = "<",
		[PROBE_MATH_LE] = "<=", [PROBE_MATH_GT] = ">", [PROBE_MATH_GE] = ">=",
		[PROBE_MATH_SHL] = "<<", [PROBE_MATH_SHR] = ">>", [PROBE_MATH_ADD] = "+",
		[PROBE_MATH_SUB] = "-", [PROBE_MATH_MUL] = "*", [PROBE_MATH_DIV] = "/",
		[PROBE_MATH_MOD] = "%",
	};

	return text[op];
}

void tree_show_expr(struct tree_text *t, const struct probe_expr *e)
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
		[PROBE_EXPR_INDEX] = "[]",
		[PROBE_EXPR_DEREF] = "deref",
		[PROBE_EXPR_THIS_CPU_PTR] = "this_cpu_ptr",
		[PROBE_EXPR_THIS_CPU_READ] = "this_cpu_read",
		[PROBE_EXPR_CAST] = "cast",
		[PROBE_EXPR_NUMBER] = "number",
	};

	if (e->kind == PROBE_EXPR_MATH) {
		put_fmt(t, "(%s ", math_text(e->op));
		tree_show_expr(t, e->left);
		put_char(t, ' ');
		tree_show_expr(t, e->right);
		put_char(t, ')');
		return;
	}
	put_fmt(t, "(%s%s", e->user ? "user-" : "", e->arrow ? "->" : names[e->kind]);
	if (e->base) {
		put_char(t, ' ');
		tree_show_expr(t, e->base);
	}
	if (e->str.s) {
		put_char(t, ' ');
		put_str(t, e->str);
	}
	put_field(t, e);
	if (e->kind == PROBE_EXPR_IMM || e->kind == PROBE_EXPR_ADDR)
		put_fmt(t, " %#lx", e->value);
	else if (e->kind == PROBE_EXPR_INDEX)
		put_fmt(t, " %lu", e->value);
	else if (e->kind == PROBE_EXPR_NUMBER)
		put_fmt(t, " %#llx", (unsigned long long)e->number);
	else if (e->kind == PROBE_EXPR_SYMBOL || e->kind == PROBE_EXPR_DEREF)
		put_fmt(t, " %+ld", (long)e->value);
	put_char(t, ')');
}

static void show_names(struct tree_text *t, const struct probe_names_ast *names)
{
	unsigned int i;

	if (!names->text.s)
		return;
	put_fmt(t, " (%.*s", names->system.len, names->system.s ?: "");
	if (names->event.s)
		put_fmt(t, " %.*s ", names->event.len, names->event.s);
	put_fmt(t, "%.*s", names->name.len, names->name.s ?: "");
	for (i = 0; i < names->nr; i++)
		put_fmt(t, "%s%.*s %s%llu", i ? ", " : "", names->list[i].name.len,
			names->list[i].name.s, names->list[i].negative ? "-" : "",
			(unsigned long long)names->list[i].number);
	put_char(t, ')');
}

static void show_type(struct tree_text *t, const struct probe_type_ast *type)
{
	switch (type->form) {
	case PROBE_TYPE_NONE:
		break;
	case PROBE_TYPE_NAMED:
		put_char(t, ' ');
		put_str(t, type->str);
		show_names(t, &type->names);
		break;
	case PROBE_TYPE_BITFIELD:
		put_fmt(t, " bits %u@%u/%u", type->width, type->shift,
			type->container);
		break;
	case PROBE_TYPE_DENTRY:
		put_fmt(t, " dentry");
		break;
	case PROBE_TYPE_FILE:
		put_fmt(t, " file");
		break;
	}
	if (type->count)
		put_fmt(t, "[%u]", type->count);
}

void tree_show_arg(struct tree_text *t, const struct probe_arg_ast *arg)
{
	if (arg->name.s) {
		put_str(t, arg->name);
		put_char(t, '=');
	}
	tree_show_expr(t, arg->expr);
	show_type(t, &arg->type);
}

static void show_next(struct tree_text *t, u8 next)
{
	if (next >= PROBE_TERM_ACCEPT)
		put_fmt(t, " %s", next == PROBE_TERM_ACCEPT ? "accept" : "reject");
	else
		put_fmt(t, " %u", next);
}

/* Each comparison with what follows if it is true, and if it is false. */
void tree_show_predicate(struct tree_text *t, const struct probe_cmd *cmd)
{
	static const char * const ops[] = {
		[PROBE_OP_EQ] = "==", [PROBE_OP_NE] = "!=", [PROBE_OP_LT] = "<",
		[PROBE_OP_LE] = "<=", [PROBE_OP_GT] = ">", [PROBE_OP_GE] = ">=",
		[PROBE_OP_AND] = "&", [PROBE_OP_GLOB] = "~",
	};
	const struct probe_term_ast *term;

	for (term = cmd->terms; term < cmd->terms + cmd->nr_terms; term++) {
		if (term > cmd->terms)
			put_fmt(t, ", ");
		tree_show_arg(t, &term->operand);
		put_fmt(t, " %s ", ops[term->op]);
		if (term->is_text)
			put_fmt(t, "'%.*s'", term->value.len, term->value.s);
		else
			put_fmt(t, "%s%llu", term->negative ? "-" : "",
				(unsigned long long)term->number);
		show_next(t, term->yes);
		show_next(t, term->no);
	}
}

void tree_show_place(struct tree_text *t, const struct trace_kprobe_place *place)
{
	if (!place->symbol.s) {
		put_fmt(t, "addr %#lx", place->addr);
		return;
	}
	put_str(t, place->name);
	if (place->module.s) {
		put_fmt(t, " of ");
		put_str(t, place->module);
	}
	put_fmt(t, " +%lu%s%s%s", place->offset, place->ret ? " return" : "",
		place->pattern ? " pattern" : "", place->all ? " all" : "");
}

/* Can a cast of @e only be written with braces around @e? */
static bool needs_braces(const struct probe_expr *e)
{
	return e->base || e->kind == PROBE_EXPR_MATH ||
	       (e->kind == PROBE_EXPR_SYMBOL && e->value) ||
	       (e->kind == PROBE_EXPR_NAME && memchr(e->str.s, ')', e->str.len));
}

static void write_expr(struct tree_text *t, const struct probe_expr *e);

/* As in C. */
static unsigned int rank_of(enum probe_math op)
{
	switch (op) {
	case PROBE_MATH_OR:
		return 1;
	case PROBE_MATH_XOR:
		return 2;
	case PROBE_MATH_AND:
		return 3;
	case PROBE_MATH_EQ:
	case PROBE_MATH_NE:
		return 4;
	case PROBE_MATH_LT:
	case PROBE_MATH_LE:
	case PROBE_MATH_GT:
	case PROBE_MATH_GE:
		return 5;
	case PROBE_MATH_SHL:
	case PROBE_MATH_SHR:
		return 6;
	case PROBE_MATH_ADD:
	case PROBE_MATH_SUB:
		return 7;
	default:
		return 8;
	}
}

/* Parentheses show the limits of a text that could continue with an operator. */
static bool needs_parens(const struct probe_expr *e, unsigned int rank)
{
	if (e->kind == PROBE_EXPR_MATH)
		return rank_of(e->op) < rank;
	return e->kind == PROBE_EXPR_REG || e->kind == PROBE_EXPR_VAR ||
	       e->kind == PROBE_EXPR_SYMBOL || e->kind == PROBE_EXPR_FILE_OFFS;
}

static void write_operand(struct tree_text *t, const struct probe_expr *e, unsigned int rank)
{
	bool parens = needs_parens(e, rank);

	if (parens)
		put_char(t, '(');
	write_expr(t, e);
	if (parens)
		put_char(t, ')');
}

static void write_expr(struct tree_text *t, const struct probe_expr *e)
{
	switch (e->kind) {
	case PROBE_EXPR_REG:
		put_char(t, '%');
		put_str(t, e->str);
		break;
	case PROBE_EXPR_VAR:
		put_char(t, '$');
		put_str(t, e->str);
		break;
	case PROBE_EXPR_IMM:
		put_fmt(t, "\\%lu", e->value);
		break;
	case PROBE_EXPR_STRING:
		put_fmt(t, "\\\"");
		put_str(t, e->str);
		put_char(t, '"');
		break;
	case PROBE_EXPR_ADDR:
		put_fmt(t, "@%#lx", e->value);
		break;
	case PROBE_EXPR_SYMBOL:
		put_char(t, '@');
		put_str(t, e->str);
		if (e->value)
			put_fmt(t, "%+ld", (long)e->value);
		break;
	case PROBE_EXPR_FILE_OFFS:
		put_fmt(t, "@+");
		put_str(t, e->str);
		break;
	case PROBE_EXPR_NAME:
		put_str(t, e->str);
		break;
	case PROBE_EXPR_MEMBER:
		write_expr(t, e->base);
		put_fmt(t, "%s", e->arrow ? "->" : ".");
		put_str(t, e->str);
		break;
	case PROBE_EXPR_INDEX:
		write_expr(t, e->base);
		put_fmt(t, "[%lu]", e->value);
		break;
	case PROBE_EXPR_DEREF:
		put_fmt(t, "%c%s%lu(", (long)e->value < 0 ? '-' : '+',
			e->user ? "u" : "",
			(long)e->value < 0 ? -e->value : e->value);
		write_expr(t, e->base);
		put_char(t, ')');
		break;
	case PROBE_EXPR_THIS_CPU_PTR:
	case PROBE_EXPR_THIS_CPU_READ:
		put_fmt(t, "this_cpu_%s(", e->kind == PROBE_EXPR_THIS_CPU_PTR ? "ptr" : "read");
		write_expr(t, e->base);
		put_char(t, ')');
		break;
	case PROBE_EXPR_CAST:
		put_char(t, '(');
		put_str(t, e->str);
		put_field(t, e);
		put_fmt(t, needs_braces(e->base) ? ")(" : ")");
		write_expr(t, e->base);
		put_fmt(t, needs_braces(e->base) ? ")" : "");
		break;
	case PROBE_EXPR_NUMBER:
		put_fmt(t, "%llu", (unsigned long long)e->number);
		break;
	case PROBE_EXPR_MATH:
		write_operand(t, e->left, rank_of(e->op));
		put_fmt(t, "%s", math_text(e->op));
		write_operand(t, e->right, rank_of(e->op) + 1);
		break;
	}
}

/* Write the argument, with @head in place of its name. */
void tree_write_arg(struct tree_text *t, const char *head,
		    const struct probe_arg_ast *arg)
{
	const struct probe_type_ast *type = &arg->type;

	put_fmt(t, "%s", head);
	write_expr(t, arg->expr);
	if (type->form == PROBE_TYPE_BITFIELD)
		put_fmt(t, ":b%u@%u/%u", type->width, type->shift, type->container);
	else if (type->form != PROBE_TYPE_NONE)
		put_fmt(t, ":%.*s", type->str.len, type->str.s);
	if (type->names.text.s)
		put_fmt(t, "(%.*s)", type->names.text.len, type->names.text.s);
	if (type->count)
		put_fmt(t, "[%u]", type->count);
}

/* Write the argument as kprobe_events shows it, without its name. */
void tree_write_text(struct tree_text *t, const struct probe_arg_ast *arg)
{
	put_str(t, arg->text);
	if (arg->type.text.s) {
		put_char(t, ':');
		put_str(t, arg->type.text);
	}
}

static bool same_text(struct probe_str a, struct probe_str b)
{
	return !a.s == !b.s && a.len == b.len && !memcmp(a.s ?: "", b.s ?: "", a.len);
}

static bool same_expr(const struct probe_expr *a, const struct probe_expr *b)
{
	for (; a && b; a = a->base, b = b->base)
		if (a->kind != b->kind || a->user != b->user || a->op != b->op ||
		    a->arrow != b->arrow || a->value != b->value || a->number != b->number ||
		    !same_text(a->str, b->str) || !same_expr(a->field, b->field) ||
		    !same_expr(a->left, b->left) || !same_expr(a->right, b->right))
			return false;
	return !a && !b;
}

static bool same_names(const struct probe_names_ast *a, const struct probe_names_ast *b)
{
	unsigned int i;

	if (a->nr != b->nr || !same_text(a->system, b->system) ||
	    !same_text(a->event, b->event) || !same_text(a->name, b->name))
		return false;
	for (i = 0; i < a->nr; i++)
		if (!same_text(a->list[i].name, b->list[i].name) ||
		    a->list[i].negative != b->list[i].negative ||
		    a->list[i].number != b->list[i].number)
			return false;
	return true;
}

/* Do both have the same meaning? Columns, names and spelling may differ. */
bool tree_same_arg(const struct probe_arg_ast *a, const struct probe_arg_ast *b)
{
	const struct probe_type_ast *s = &a->type, *t = &b->type;

	if (s->form != t->form || s->count != t->count || s->width != t->width ||
	    s->shift != t->shift || s->container != t->container)
		return false;
	if (s->form == PROBE_TYPE_NAMED &&
	    (!same_text(s->str, t->str) || !same_names(&s->names, &t->names)))
		return false;
	return same_expr(a->expr, b->expr);
}

/* Is @s absent, or is it at its column in the command? */
static bool in_place(const struct probe_cmd *cmd, struct probe_str s)
{
	return !s.s || (s.s == cmd->text + s.pos &&
			s.pos + s.len <= strlen(cmd->text));
}

/* Is the symbol made up of the module, a colon and the name? */
static bool is_symbol_whole(const struct trace_kprobe_place *place)
{
	struct probe_str symbol = place->symbol, module = place->module;
	unsigned int skip = module.s ? module.len + 1 : 0;

	if (!symbol.s)
		return !module.s && !place->name.s;
	if (module.s && (module.s != symbol.s || module.s[module.len] != ':'))
		return false;
	return place->name.s == symbol.s + skip && place->name.len == symbol.len - skip;
}

/* Is the word made up of the name, the expression and the type? */
static bool is_arg_whole(const struct probe_arg_ast *arg)
{
	const char *s = arg->word.s;

	if (arg->name.s) {
		if (arg->name.s != s)
			return false;
		s += arg->name.len + 1;
	}
	if (arg->text.s != s)
		return false;
	s += arg->text.len;
	if (arg->type.text.s) {
		if (*s != ':' || arg->type.text.s != s + 1)
			return false;
		s += 1 + arg->type.text.len;
	}
	return s == arg->word.s + arg->word.len;
}

static const char *wrong_in_expr(const struct probe_cmd *cmd, const struct probe_expr *e,
				 struct probe_str text)
{
	const char *wrong;

	for (; e; e = e->base) {
		if (!in_place(cmd, e->str))
			return "expression";
		if (e->field && !in_place(cmd, e->field->str))
			return "member in a cast";
		if (e->pos < text.pos || e->pos >= text.pos + text.len)
			return "start of an expression";
		wrong = wrong_in_expr(cmd, e->left, text) ?: wrong_in_expr(cmd, e->right, text);
		if (wrong)
			return wrong;
	}
	return NULL;
}

static bool are_names_in_place(const struct probe_cmd *cmd, const struct probe_names_ast *names)
{
	unsigned int i;

	for (i = 0; i < names->nr; i++)
		if (!in_place(cmd, names->list[i].name) || !in_place(cmd, names->list[i].value))
			return false;
	return in_place(cmd, names->text) && in_place(cmd, names->system) &&
	       in_place(cmd, names->event) && in_place(cmd, names->name);
}

/*
 * Returns the first part of a parsed command whose column is wrong, or NULL. @place
 * may be NULL.
 */
const char *tree_wrong_columns(const struct probe_cmd *cmd,
			       const struct trace_kprobe_place *place)
{
	const char *wrong;
	unsigned int i;

	for (i = 0; i < cmd->nr_words; i++)
		if (!in_place(cmd, cmd->words[i]) || !cmd->words[i].len)
			return "word";
	if (!in_place(cmd, cmd->head) || !in_place(cmd, cmd->name))
		return "first word";
	if (!in_place(cmd, cmd->group) || !in_place(cmd, cmd->event))
		return "event name";
	if (place && (!in_place(cmd, place->word) || !in_place(cmd, place->symbol) ||
		      !in_place(cmd, place->module) || !in_place(cmd, place->name) ||
		      !is_symbol_whole(place)))
		return "place";
	for (i = 0; i < cmd->nr_args; i++) {
		const struct probe_arg_ast *arg = &cmd->args[i];

		if (!in_place(cmd, arg->word) || !in_place(cmd, arg->name) ||
		    !in_place(cmd, arg->text) || !is_arg_whole(arg))
			return "argument";
		if (!in_place(cmd, arg->type.text) || !in_place(cmd, arg->type.str))
			return "type";
		if (!are_names_in_place(cmd, &arg->type.names))
			return "names";
		wrong = wrong_in_expr(cmd, arg->expr, arg->text);
		if (wrong)
			return wrong;
	}
	if (!in_place(cmd, cmd->predicate))
		return "predicate";
	for (i = 0; i < cmd->nr_terms; i++)
		if (!in_place(cmd, cmd->terms[i].operand.word) ||
		    !in_place(cmd, cmd->terms[i].operand.text) ||
		    !is_arg_whole(&cmd->terms[i].operand) ||
		    !in_place(cmd, cmd->terms[i].value))
			return "comparison";
	return NULL;
}

const char *tree_err_name(enum probe_err err)
{
#define PROBE_ERROR(name, ...) \
	[PROBE_ERR_##name] = #name,
	static const char * const names[] = {
#include "error_list.h"
		[PROBE_ERR_NONE] = "no error",
	};
#undef PROBE_ERROR

	return names[err];
}
