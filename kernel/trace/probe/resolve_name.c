// SPDX-License-Identifier: GPL-2.0
/*
 * Operands of predicates that are not parameters or fields: arguments of the command, and
 * variables of filters.
 *
 * An operand is an argument if it has its name, or if it is fetched in the same way.
 */
#include <linux/array_size.h>
#include <linux/errno.h>
#include <linux/string.h>

#include "engine.h"
#include "formula.h"
#include "types.h"

/**
 * probe_find_arg() - find an argument by its name
 * @p: the probe
 * @name: the name
 *
 * Return: index of the argument, or -ENOENT.
 */
int probe_find_arg(const struct probe *p, struct probe_str name)
{
	unsigned int i;

	for (i = 0; i < p->nr_args; i++)
		if (probe_str_is(name, p->args[i].name))
			return i;
	return -ENOENT;
}

/**
 * probe_find_variable() - find a variable of filters that is not in a record
 * @name: its name
 * @fetch: set to how to fetch it
 *
 * Return: its type; NULL if there is no such variable.
 */
const struct probe_arg_type *probe_find_variable(struct probe_str name, struct probe_fetch *fetch)
{
	static const struct {
		const char		*name;
		enum probe_src		src;
		enum probe_store	store;
	} vars[] = {
		{ "comm", PROBE_SRC_NONE, PROBE_STORE_COMM },
		{ "COMM", PROBE_SRC_NONE, PROBE_STORE_COMM },
		{ "cpu", PROBE_SRC_CPU, PROBE_STORE_VALUE },
		{ "CPU", PROBE_SRC_CPU, PROBE_STORE_VALUE },
		{ "common_pid", PROBE_SRC_PID, PROBE_STORE_VALUE },
	};
	const struct probe_arg_type *type;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(vars); i++) {
		if (!probe_str_is(name, vars[i].name))
			continue;
		fetch->src = vars[i].src;
		fetch->store = vars[i].store;
		type = fetch->store == PROBE_STORE_COMM ? probe_type_string() :
							  probe_type_number('s', 32);
		fetch->size = type->size;
		return type;
	}
	return NULL;
}

static bool same_symbol(const struct probe_symbol *a, const struct probe_symbol *b)
{
	return a && b ? a->offs == b->offs && !strcmp(a->name, b->name) : a == b;
}

static bool same_steps(const struct probe_fetch *a, const struct probe_fetch *b)
{
	unsigned int i;

	if (a->nr_steps != b->nr_steps)
		return false;
	for (i = 0; i < a->nr_steps; i++)
		if (a->steps[i].off != b->steps[i].off || a->steps[i].user != b->steps[i].user ||
		    a->steps[i].this_cpu != b->steps[i].this_cpu)
			return false;
	return true;
}

static bool same_bits(const struct probe_bits *a, const struct probe_bits *b)
{
	return a->width == b->width && a->shift == b->shift && a->load == b->load &&
	       a->is_signed == b->is_signed;
}

/* Everything but the value of the source. */
static bool same_way(const struct probe_fetch *a, const struct probe_fetch *b)
{
	return a->src == b->src && a->store == b->store && a->user == b->user &&
	       a->str_user == b->str_user && a->part == b->part &&
	       a->part_signed == b->part_signed && a->size == b->size && a->count == b->count &&
	       a->off == b->off && same_bits(&a->bits, &b->bits) && same_steps(a, b);
}

static bool same_item(const struct probe_item *a, const struct probe_item *b)
{
	if (a->kind != b->kind || a->op != b->op || a->is_signed != b->is_signed ||
	    a->swapped != b->swapped || a->arg != b->arg || a->number != b->number)
		return false;
	return a->kind != PROBE_ITEM_VALUE || a->arg != PROBE_ITEM_OWN ||
	       (same_way(&a->fetch, &b->fetch) && a->fetch.value == b->fetch.value &&
		same_symbol(a->symbol, b->symbol));
}

static bool same_formula(const struct probe_formula *a, const struct probe_formula *b)
{
	unsigned int i;

	for (i = 0; i < a->nr && i < b->nr; i++)
		if (!same_item(&a->items[i], &b->items[i]))
			return false;
	return a->nr == b->nr;
}

static bool same_fetch(const struct probe_fetch *a, const struct probe_fetch *b)
{
	if (!same_way(a, b))
		return false;
	return a->src == PROBE_SRC_FORMULA ? same_formula(a->formula, b->formula) :
					     a->value == b->value;
}

/**
 * probe_find_same() - find the argument that is fetched in the same way
 * @p: the probe
 * @fetch: how to fetch a value
 * @symbol: the symbol that @fetch reads from, or NULL
 *
 * Return: index of the argument, or -ENOENT.
 */
int probe_find_same(const struct probe *p, const struct probe_fetch *fetch,
		    const struct probe_symbol *symbol)
{
	unsigned int i;

	for (i = 0; i < p->nr_args; i++)
		if (same_fetch(&p->fetch[i], fetch) && same_symbol(p->args[i].symbol, symbol))
			return i;
	return -ENOENT;
}
