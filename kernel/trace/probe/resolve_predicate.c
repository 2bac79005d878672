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
	int nr = probe_find_arg(c->p, name);

	if (nr >= 0)
		use_arg(c, nr);
	return nr >= 0;
}

static bool find_variable(struct comparison *c, struct probe_str name)
{
	c->type = probe_find_variable(name, &c->term->fetch);
	return c->type;
}

static int resolve_own(struct comparison *c)
{
	/* The syntax belongs to all clones of the command. */
	struct probe_arg_ast arg = c->ast->operand;
	struct probe_arg_def def = {};
	int ret;

	ret = probe_expand_operand(c->cmd, c->scope, &arg) ?:
	      probe_resolve_expr(c->p, &arg, &c->term->fetch, &def, c->cmd, c->scope, true);
	c->type = def.type;
	c->term->symbol = def.symbol;
	return ret;
}

/* Use the argument that records the same value, if any. */
static void share_arg(struct comparison *c)
{
	int nr = probe_find_same(c->p, &c->term->fetch, c->term->symbol);

	if (nr >= 0)
		/* Types of one size differ only in the sign, which the operand keeps. */
		c->term->arg = nr;
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
