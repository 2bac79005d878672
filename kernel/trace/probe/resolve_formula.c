// SPDX-License-Identifier: GPL-2.0
/*
 * Resolver of expressions with operators: turns the tree of struct probe_expr into a
 * struct probe_formula.
 *
 * resolve.c resolves the operands, as if they were arguments.  Of two operands, the one that
 * needs more saved values is evaluated first.  A constant needs none, so it is the second one,
 * and becomes part of the operator.  Operators on two constants are evaluated here.
 *
 * The type of a result follows from those of the operands: it is unsigned if one of them is,
 * and it is shown as a hexadecimal number if one of them is.  Constants have no influence.
 */
#include <linux/limits.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/string.h>

#include "calculate.h"
#include "engine.h"
#include "expr.h"
#include "formula.h"
#include "lex.h"
#include "types.h"

/* The type of an operand: that of the result is the larger one. */
enum number_type {
	NUMBER_ANY,		/* a constant, or the result of a comparison */
	NUMBER_SIGNED,
	NUMBER_UNSIGNED,
	NUMBER_HEX,		/* unsigned, shown as a hexadecimal number */
};

/**
 * struct builder - state of making a formula
 * @p: the probe that it will belong to
 * @cmd: the command, for errors
 * @scope: the names that operands can refer to
 * @in_predicate: operands can be arguments and variables of filters
 * @items: its items
 * @nr: number of @items so far
 */
struct builder {
	struct probe		*p;
	struct probe_cmd	*cmd;
	struct probe_scope	*scope;
	bool			in_predicate;
	struct probe_item	*items;
	unsigned int		nr;
};

static int fail(const struct builder *b, enum probe_err err, const struct probe_expr *e)
{
	return probe_cmd_error(b->cmd, err, e->pos);
}

/* Number of items at most. */
static unsigned int count_items(struct probe_expr *e)
{
	unsigned int own = 1;

	if (e->base) {
		e = probe_expr_innermost(e);
		own += e->kind == PROBE_EXPR_MATH;
	}
	return e->kind == PROBE_EXPR_MATH ? own + count_items(e->left) + count_items(e->right) : 1;
}

/* Number of registers that the evaluation needs; 0 for a constant. */
static unsigned int count_registers(struct probe_expr *e)
{
	struct probe_expr *inner = probe_expr_innermost(e);
	unsigned int left, right, nr;

	if (inner->kind != PROBE_EXPR_MATH)
		return inner->kind != PROBE_EXPR_NUMBER;
	left = count_registers(inner->left);
	right = count_registers(inner->right);
	nr = left && left == right ? left + 1 : max(left, right);
	/* A constant can be the address of a value. */
	return inner == e ? nr : max(nr, 1);
}

static struct probe_item *add_item(struct builder *b, enum probe_item_kind kind)
{
	struct probe_item *item = &b->items[b->nr++];

	item->kind = kind;
	item->arg = PROBE_ITEM_OWN;
	return item;
}

static enum number_type number_type(const struct probe_arg_type *type)
{
	if (type->is_signed)
		return NUMBER_SIGNED;
	return type->name[0] == 'u' ? NUMBER_UNSIGNED : NUMBER_HEX;
}

static int use_arg(struct builder *b, struct probe_item *item, unsigned int nr,
		   const struct probe_expr *e, enum number_type *type)
{
	const struct probe_fetch *f = &b->p->fetch[nr];

	if (!probe_fetch_is_number(f) || f->count)
		return fail(b, PROBE_ERR_NOT_A_NUMBER, e);
	item->arg = nr;
	item->is_signed = b->p->args[nr].type->is_signed;
	*type = number_type(b->p->args[nr].type);
	return 0;
}

/* A field is loaded as a number of 64 bits, with its own sign. */
static void use_field(struct probe_item *item, enum number_type *type)
{
	item->fetch.size = sizeof(u64);
	item->is_signed = item->fetch.part_signed;
	*type = item->is_signed ? NUMBER_SIGNED : NUMBER_UNSIGNED;
}

/* The address of a text in another event's record stands for the text. */
static bool is_number(const struct probe_fetch *f)
{
	return probe_fetch_is_number(f) && !(probe_fetch_is_field_address(f) && !f->nr_steps &&
					     f->store == PROBE_STORE_VALUE);
}

static int resolve_value(struct builder *b, struct probe_item *item, struct probe_expr *e,
			 enum number_type *type)
{
	const struct probe_arg_ast arg = { .expr = e, .text.pos = e->pos, .in_formula = true };
	struct probe_arg_def def = {};
	int ret = probe_resolve_arg(b->p, &arg, &item->fetch, &def, b->cmd, b->scope);

	if (ret)
		return ret;
	if (!is_number(&item->fetch))
		return fail(b, PROBE_ERR_NOT_A_NUMBER, e);
	item->symbol = def.symbol;
	item->is_signed = def.type->is_signed;
	*type = number_type(def.type);
	if (item->fetch.src == PROBE_SRC_FIELD && !item->fetch.nr_steps &&
	    item->fetch.store == PROBE_STORE_VALUE)
		use_field(item, type);
	return 0;
}

static int find_variable(struct builder *b, struct probe_item *item, const struct probe_expr *e,
			 enum number_type *type)
{
	const struct probe_arg_type *t = probe_find_variable(e->str, &item->fetch);

	if (!t)
		return fail(b, PROBE_ERR_NO_SUCH_NAME, e);
	if (!probe_fetch_is_number(&item->fetch))
		return fail(b, PROBE_ERR_NOT_A_NUMBER, e);
	item->is_signed = t->is_signed;
	*type = number_type(t);
	return 0;
}

static bool is_variable(struct probe_str name)
{
	struct probe_fetch unused = {};

	return probe_find_variable(name, &unused);
}

/* An operand in a predicate: as resolve_predicate.c resolves an operand without operators. */
static int resolve_in_predicate(struct builder *b, struct probe_item *item, struct probe_expr *e,
				enum number_type *type)
{
	bool is_name = e->kind == PROBE_EXPR_NAME;
	int nr = is_name ? probe_find_arg(b->p, e->str) : -1, ret;

	if (nr >= 0)
		return use_arg(b, item, nr, e, type);
	if (is_name && (is_variable(e->str) || !probe_scope_has_names(b->scope)))
		return find_variable(b, item, e, type);
	ret = resolve_value(b, item, e, type);
	if (ret || item->fetch.src == PROBE_SRC_FORMULA)
		return ret;
	nr = probe_find_same(b->p, &item->fetch, item->symbol);
	if (nr >= 0)
		item->arg = nr;
	return 0;
}

static int push_value(struct builder *b, struct probe_expr *e, enum number_type *type)
{
	struct probe_item *item = add_item(b, PROBE_ITEM_VALUE);

	return b->in_predicate ? resolve_in_predicate(b, item, e, type) :
				 resolve_value(b, item, e, type);
}

/* Are the last items just constants?  There are none after an operator. */
static bool ends_in_numbers(const struct builder *b, unsigned int nr)
{
	return b->nr >= nr && b->items[b->nr - 1].kind == PROBE_ITEM_NUMBER &&
	       (nr == 1 || b->items[b->nr - 2].kind == PROBE_ITEM_NUMBER);
}

static int push_operator(struct builder *b, const struct probe_expr *e, bool is_signed,
			 bool swapped)
{
	struct probe_item *item = &b->items[b->nr - 1];
	u64 first = b->nr > 1 ? item[-1].number : 0, second = item->number;
	bool next = ends_in_numbers(b, 1);

	if (probe_math_divides(e->op) && next && !swapped && !second)
		return fail(b, PROBE_ERR_DIV_BY_ZERO, e->right);
	if (ends_in_numbers(b, 2)) {
		b->nr--;
		item[-1].number = probe_math(e->op, is_signed, first, second);
		return 0;
	}
	if (!next)
		item = add_item(b, PROBE_ITEM_POP);
	item->kind = next ? PROBE_ITEM_NEXT : PROBE_ITEM_POP;
	item->op = e->op;
	item->is_signed = is_signed;
	item->swapped = swapped;
	return 0;
}

static int push(struct builder *b, struct probe_expr *e, enum number_type *type);

static int push_math(struct builder *b, struct probe_expr *e, enum number_type *type)
{
	bool swapped = count_registers(e->right) > count_registers(e->left);
	enum number_type left, right;
	int ret;

	if (swapped)
		ret = push(b, e->right, &right) ?: push(b, e->left, &left);
	else
		ret = push(b, e->left, &left) ?: push(b, e->right, &right);
	if (ret)
		return ret;
	if (probe_math_shifts(e->op))
		right = left;
	*type = max(left, right);
	ret = push_operator(b, e, *type <= NUMBER_SIGNED, swapped);
	if (probe_math_compares(e->op))
		*type = NUMBER_ANY;
	return ret;
}

/* For compatibility, a field can have a name with the characters of operators. */
static void unite_field(struct builder *b, struct probe_expr *e)
{
	struct probe_expr *first = e;
	struct probe_lexer lx;
	struct probe_str name;

	while (first->kind == PROBE_EXPR_MATH)
		first = first->left;
	if (e->closed || (first->kind != PROBE_EXPR_VAR && first->kind != PROBE_EXPR_NAME))
		return;
	name = first->str;
	name.len = strcspn(name.s, " )");
	probe_lex_start(&lx, name);
	name = probe_lex_until(&lx, ":");
	if (!probe_scope_has_field(b->scope, name))
		return;
	*e = *first;
	e->var = PROBE_VAR_UNKNOWN;
	e->str = name;
}

static int push(struct builder *b, struct probe_expr *e, enum number_type *type)
{
	struct probe_expr *inner = probe_expr_innermost(e);
	int ret;

	*type = NUMBER_ANY;
	if (inner->kind == PROBE_EXPR_MATH && b->scope->fields)
		unite_field(b, inner);
	if (inner->kind == PROBE_EXPR_MATH) {
		ret = push_math(b, inner, type);
		if (ret || inner == e)
			return ret;
	}
	if (e->kind != PROBE_EXPR_NUMBER)
		return push_value(b, e, type);
	add_item(b, PROBE_ITEM_NUMBER)->number = e->number;
	return 0;
}

static const struct probe_arg_type *result_type(const struct probe_expr *e, enum number_type type)
{
	static const char prefixes[] = { 's', 's', 'u', 'x' };

	return probe_math_compares(e->op) ? probe_type_number('u', 8) :
					    probe_type_number(prefixes[type], 64);
}

static int make_formula(struct builder *b, struct probe_expr *e, struct probe_formula *formula,
			const struct probe_arg_type **result)
{
	enum number_type type = NUMBER_ANY;
	int ret;

	b->items = probe_arena_alloc(b->p->arena, count_items(e) * sizeof(*b->items));
	if (!b->items)
		return -ENOMEM;
	ret = push_math(b, e, &type);
	formula->items = b->items;
	formula->nr = b->nr;
	*result = result_type(e, type);
	return ret;
}

/**
 * probe_resolve_expr() - resolve an argument, or the operand of a comparison
 * @p: the probe that it will belong to
 * @arg: its syntax
 * @fetch: set to how to fetch it; zero before
 * @def: its type and symbol are set; zero before
 * @cmd: the command
 * @scope: the names that it can refer to
 * @in_predicate: it can also refer to arguments of @p, and to variables of filters
 *
 * Context: may sleep.
 * Return: 0 or a negative errno.  The error is also in @cmd, except for -ENOMEM.
 */
int probe_resolve_expr(struct probe *p, const struct probe_arg_ast *arg, struct probe_fetch *fetch,
		       struct probe_arg_def *def, struct probe_cmd *cmd, struct probe_scope *scope,
		       bool in_predicate)
{
	struct builder b = { .p = p, .cmd = cmd, .scope = scope, .in_predicate = in_predicate };
	struct probe_expr *inner = probe_expr_innermost(arg->expr);
	struct probe_formula *formula;
	int ret;

	if (inner->kind == PROBE_EXPR_MATH && scope->fields)
		unite_field(&b, inner);
	if (inner->kind != PROBE_EXPR_MATH)
		return probe_resolve_arg(p, arg, fetch, def, cmd, scope);
	formula = probe_arena_alloc(p->arena, sizeof(*formula));
	if (!formula)
		return -ENOMEM;
	ret = make_formula(&b, inner, formula, &def->type) ?:
	      probe_resolve_arg(p, arg, fetch, def, cmd, scope);
	fetch->formula = formula;
	return ret;
}
