// SPDX-License-Identifier: GPL-2.0
/*
 * Resolver of predicates: turns the syntax of each comparison, struct probe_term_ast, into a
 * struct probe_term.
 *
 * An operand that is just a name is an argument of the command, a variable, or a parameter of
 * the function, in this order.  Other operands are resolved as arguments are.  If the result is
 * the same as that of an argument, the comparison uses the argument, so that the value is
 * fetched once.
 */
#include <linux/array_size.h>
#include <linux/percpu.h>
#include <linux/string.h>

#include "engine.h"
#include "predicate.h"
#include "types.h"

/**
 * struct comparison - state of resolving a comparison
 * @p: the probe
 * @cmd: the command
 * @scope: the names that the operand can refer to
 * @ast: its syntax
 * @term: the result
 * @type: type of the operand
 */
struct comparison {
	struct probe			*p;
	struct probe_cmd		*cmd;
	struct probe_scope		*scope;
	const struct probe_term_ast	*ast;
	struct probe_term		*term;
	const struct probe_arg_type	*type;
};

static int fail(const struct comparison *c, enum probe_err err, unsigned int pos)
{
	return probe_cmd_error(c->cmd, err, pos);
}

static unsigned int operand_pos(const struct comparison *c)
{
	return c->ast->operand.word.pos;
}

/* Column of the number or of the quoted text. */
static unsigned int constant_pos(const struct comparison *c)
{
	return c->ast->value.pos - c->ast->is_text;
}

static const struct probe_fetch *operand(const struct comparison *c)
{
	const struct probe_term *term = c->term;

	return term->arg == PROBE_TERM_OWN ? &term->fetch : &c->p->fetch[term->arg];
}

static void use_arg(struct comparison *c, unsigned int nr)
{
	c->term->arg = nr;
	c->type = c->p->args[nr].type;
}

static bool find_arg(struct comparison *c, struct probe_str name)
{
	unsigned int i;

	for (i = 0; i < c->p->nr_args; i++) {
		if (!probe_str_is(name, c->p->args[i].name))
			continue;
		use_arg(c, i);
		return true;
	}
	return false;
}

/* Variables that are not in a record: those of filters. */
static bool find_variable(struct comparison *c, struct probe_str name)
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
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(vars); i++) {
		if (!probe_str_is(name, vars[i].name))
			continue;
		c->term->fetch.src = vars[i].src;
		c->term->fetch.store = vars[i].store;
		c->type = vars[i].store == PROBE_STORE_COMM ? probe_type_string() :
							      probe_type_number('s', 32);
		c->term->fetch.size = c->type->size;
		return true;
	}
	return false;
}

static int resolve_own(struct comparison *c)
{
	/* The syntax belongs to all clones of the command. */
	struct probe_arg_ast arg = c->ast->operand;
	struct probe_arg_def def = {};
	int ret;

	ret = probe_expand_operand(c->cmd, c->scope, &arg) ?:
	      probe_resolve_arg(c->p, &arg, &c->term->fetch, &def, c->cmd, c->scope);
	c->type = def.type;
	c->term->symbol = def.symbol;
	return ret;
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

static bool same_fetch(const struct probe_fetch *a, const struct probe_fetch *b)
{
	return a->src == b->src && a->store == b->store && a->user == b->user &&
	       a->str_user == b->str_user && a->part == b->part &&
	       a->part_signed == b->part_signed && a->size == b->size && a->count == b->count &&
	       a->value == b->value && a->off == b->off && same_bits(&a->bits, &b->bits) &&
	       same_steps(a, b);
}

/* Use the argument that records the same value, if any. */
static void share_arg(struct comparison *c)
{
	const struct probe *p = c->p;
	unsigned int i;

	for (i = 0; i < p->nr_args && c->term->arg == PROBE_TERM_OWN; i++)
		/* Types of one size differ only in the sign, which the operand keeps. */
		if (same_fetch(&p->fetch[i], &c->term->fetch) &&
		    same_symbol(p->args[i].symbol, c->term->symbol))
			c->term->arg = i;
}

static int resolve_operand(struct comparison *c)
{
	const struct probe_arg_ast *arg = &c->ast->operand;
	bool is_name = arg->expr->kind == PROBE_EXPR_NAME && arg->type.form == PROBE_TYPE_NONE;
	int ret;

	if (is_name && find_arg(c, arg->expr->str))
		return 0;
	if (!is_name || !find_variable(c, arg->expr->str)) {
		if (is_name && !probe_scope_has_names(c->scope))
			return fail(c, PROBE_ERR_NO_SUCH_NAME, operand_pos(c));
		ret = resolve_own(c);
		if (ret)
			return ret;
	}
	share_arg(c);
	return 0;
}

/* Can the value be this number?  For == != & the number can also be written as if unsigned. */
static bool is_in_range(const struct comparison *c, unsigned int bits)
{
	bool is_ordered = c->term->op >= PROBE_OP_LT && c->term->op <= PROBE_OP_GE;
	u64 number = c->ast->number, half = 1ULL << (bits - 1);

	if (c->ast->negative)
		return number <= half && (c->type->is_signed || !is_ordered);
	if (c->type->is_signed && is_ordered)
		return number < half;
	return number <= half - 1 + half;
}

static int set_number(struct comparison *c)
{
	const struct probe_fetch *f = operand(c);
	unsigned int bits = f->size * 8;

	if (f->bits.width && f->bits.width < bits)
		bits = f->bits.width;
	if (!is_in_range(c, bits))
		return fail(c, PROBE_ERR_NOT_IN_RANGE, constant_pos(c));
	c->term->is_signed = c->type->is_signed;
	c->term->number = c->ast->negative ? -c->ast->number : c->ast->number;
	c->term->number <<= 64 - bits;
	if (c->term->is_signed)
		c->term->number = (s64)c->term->number >> (64 - bits);
	else
		c->term->number >>= 64 - bits;
	return 0;
}

static int set_pattern(struct comparison *c)
{
	struct probe_pattern *pattern = &c->term->pattern;
	struct probe_str s = c->ast->value;

	pattern->text = probe_arena_strndup(c->p->arena, s.s, s.len);
	pattern->len = s.len;
	pattern->is_glob = c->term->op == PROBE_OP_GLOB;
	return pattern->text ? 0 : -ENOMEM;
}

static int resolve_comparison(struct comparison *c)
{
	bool is_text;
	int ret;

	*c->term = (struct probe_term) {
		.op = c->ast->op,
		.is_text = c->ast->is_text,
		.yes = c->ast->yes,
		.no = c->ast->no,
		.arg = PROBE_TERM_OWN,
	};
	ret = resolve_operand(c);
	if (ret)
		return ret;
	if (operand(c)->count || operand(c)->store == PROBE_STORE_STACK)
		return fail(c, PROBE_ERR_COMPARED_ARRAY, operand_pos(c));
	is_text = probe_fetch_is_string(operand(c));
	if (is_text != c->ast->is_text)
		return fail(c, is_text ? PROBE_ERR_STRING_AND_NUMBER : PROBE_ERR_NUMBER_AND_STRING,
			    constant_pos(c));
	return is_text ? set_pattern(c) : set_number(c);
}

/**
 * probe_resolve_predicate() - resolve the predicate of a command
 * @p: the probe, whose arguments are resolved; its predicate is set
 * @cmd: the command, which has a predicate, after probe_parse_predicate()
 * @scope: the names that the operands can refer to
 *
 * Context: may sleep.
 * Return: 0 or a negative errno.  The error is also in @cmd, except for -ENOMEM.
 */
int probe_resolve_predicate(struct probe *p, struct probe_cmd *cmd, struct probe_scope *scope)
{
	struct comparison c = { .p = p, .cmd = cmd, .scope = scope };
	struct probe_predicate *predicate;
	unsigned int i;
	int ret;

	predicate = probe_arena_alloc(p->arena, sizeof(*predicate));
	if (!predicate)
		return -ENOMEM;
	predicate->nr = cmd->nr_terms;
	predicate->text = probe_arena_strndup(p->arena, cmd->predicate.s, cmd->predicate.len);
	predicate->terms = probe_arena_alloc(p->arena, cmd->nr_terms * sizeof(*predicate->terms));
	if (!predicate->text || !predicate->terms)
		return -ENOMEM;
	for (i = 0; i < cmd->nr_terms; i++) {
		c.ast = &cmd->terms[i];
		c.term = &predicate->terms[i];
		ret = resolve_comparison(&c);
		if (ret)
			return ret;
		predicate->needs_room |= probe_term_needs_room(c.term);
	}
	p->predicate = predicate;
	p->checks |= PROBE_CHECK_PREDICATE;
	return 0;
}
