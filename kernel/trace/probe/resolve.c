// SPDX-License-Identifier: GPL-2.0
/*
 * Resolver: turns the syntax of one argument, struct probe_arg_ast, into a
 * struct probe_fetch and the argument's type.
 *
 * An expression is a chain, as in "+8(file->f_path.dentry)": an operand with
 * dereferences, casts and members around it.  The resolver walks the chain from the
 * operand, which resolve_operand.c resolves, outwards, and collects steps.  Then
 * resolve_type.c selects the store.
 */
#include <linux/errno.h>
#include <linux/kconfig.h>
#include <linux/string.h>

#include "resolve.h"
#include "types.h"

/* Longest chain.  A longer one has more members in members than any structure. */
#define MAX_CHAIN	64

static bool is_this_cpu(const struct probe_expr *e)
{
	return e->kind == PROBE_EXPR_THIS_CPU_PTR || e->kind == PROBE_EXPR_THIS_CPU_READ;
}

/* this_cpu_read(X) means +0(this_cpu_ptr(X)). */
static int resolve_this_cpu(struct probe_resolver *r, const struct probe_expr *e)
{
	int ret = probe_add_step(r, e, 0, false);

	if (ret)
		return ret;
	r->steps[r->fetch->nr_steps - 1].this_cpu = true;
	return e->kind == PROBE_EXPR_THIS_CPU_READ ? probe_add_step(r, e, 0, false) : 0;
}

/* Does the type have a size of its own?  Otherwise that of the value in BTF counts. */
static bool is_sized(const struct probe_type_ast *type)
{
	unsigned int bits;

	if (type->form == PROBE_TYPE_NONE)
		return false;
	return type->count || type->form != PROBE_TYPE_NAMED ||
	       !probe_view_find(type->str, &bits) || bits;
}

/* "->a.b[2].c" is one step; returns the number of members and indices in it. */
static int resolve_members(struct probe_resolver *r, struct probe_expr **path,
			   unsigned int nr)
{
	unsigned int n = 1;
	bool typed;
	long off;
	int ret;

	if (!r->scope->btf && !r->btf.type)
		return probe_refuse(r, PROBE_ERR_NO_BTF_ENTRY, path[0]->pos);
	while (n < nr && (path[n]->kind == PROBE_EXPR_INDEX ||
			  (path[n]->kind == PROBE_EXPR_MEMBER && !path[n]->arrow)))
		n++;
	/* If another dereference follows, this step loads a whole word. */
	typed = n < nr || is_sized(&r->arg->type);
	ret = probe_btf_members(r->cmd, path, n, &r->btf, &off, typed);
	if (!ret)
		ret = probe_add_step(r, path[0], off - r->inside, false);
	r->inside = 0;
	return ret ?: n;
}

/* The value so far becomes a pointer to a structure, of which @next is a member. */
static int resolve_cast(struct probe_resolver *r, const struct probe_expr *e,
			const struct probe_expr *next)
{
	int ret = probe_btf_cast(r->scope, e->str, &r->btf);

	if (!ret && e->field)
		return probe_btf_offset(r->cmd, e->field, &r->btf, &r->inside);
	if (ret != -ENOENT)
		return ret;
	/* Structures without a name are known by their members. */
	return e->str.len ? probe_refuse(r, PROBE_ERR_NO_PTR_STRCT, e->str.pos) :
			    probe_refuse(r, PROBE_ERR_NO_BTF_FIELD, (e->field ?: next)->pos);
}

static bool has_casts(const struct probe_resolver *r)
{
	return IS_ENABLED(CONFIG_PROBE_EVENTS_BTF_ARGS) && !r->scope->in_user;
}

/* Follow the chain from the operand, chain[first], outwards. */
static int resolve_links(struct probe_resolver *r, struct probe_expr **chain, unsigned int first)
{
	struct probe_expr *e;
	unsigned int i;
	int ret;

	for (i = first + 1; i < MAX_CHAIN; i += ret ?: 1) {
		e = chain[i];
		if (r->fetch->src == PROBE_SRC_NONE)
			return probe_refuse(r, PROBE_ERR_COMM_CANT_DEREF, chain[first]->pos);
		if (e->kind == PROBE_EXPR_MEMBER) {
			ret = resolve_members(r, &chain[i], MAX_CHAIN - i);
		} else if (e->kind == PROBE_EXPR_CAST) {
			ret = resolve_cast(r, e, chain[i + 1]);
		} else {
			ret = is_this_cpu(e) ? resolve_this_cpu(r, e) :
					       probe_add_step(r, e, e->value, e->user);
			r->btf.type = NULL;
		}
		if (ret < 0)
			return ret;
	}
	return 0;
}

/* The parser's limit, also for the dereferences by which %pd and %pD are replaced. */
static bool is_too_deep(const struct probe_expr *e)
{
	bool limited = false;
	unsigned int nr = 0;

	for (; e; e = e->base) {
		limited |= e->kind == PROBE_EXPR_CAST || is_this_cpu(e);
		nr += e->kind == PROBE_EXPR_CAST || is_this_cpu(e) || e->kind == PROBE_EXPR_DEREF;
	}
	return limited && nr > PROBE_MAX_NEST;
}

static int resolve_chain(struct probe_resolver *r)
{
	struct probe_expr *chain[MAX_CHAIN], *e = r->arg->expr;
	unsigned int first = MAX_CHAIN;

	if (is_too_deep(e))
		return probe_refuse(r, PROBE_ERR_TOO_MANY_NESTED, e->pos);
	do {
		if (!first)
			return probe_refuse(r, PROBE_ERR_TOO_MANY_OPS, r->arg->expr->pos);
		if (e->kind == PROBE_EXPR_CAST && !has_casts(r))
			return probe_refuse(r, PROBE_ERR_NOSUP_BTFARG, e->pos);
		if (is_this_cpu(e) && r->scope->in_user)
			return probe_refuse(r, PROBE_ERR_NOSUP_PERCPU, e->pos);
		chain[--first] = e;
		e = e->base;
	} while (e);
	/* A per-CPU variable is its address, of which each CPU has a copy. */
	r->by_address = first + 1 < MAX_CHAIN && is_this_cpu(chain[first + 1]);
	return probe_resolve_operand(r, chain[first]) ?: resolve_links(r, chain, first);
}

static bool reads_memory(const struct probe_fetch *f)
{
	return f->nr_steps || f->store == PROBE_STORE_MEM || f->store == PROBE_STORE_STRING ||
	       f->store == PROBE_STORE_PATH || f->store == PROBE_STORE_DENTRY;
}

/**
 * probe_resolve_arg() - resolve an argument
 * @p: the probe that the argument will belong to
 * @arg: syntax of the argument
 * @fetch: set to how to fetch it; zero before
 * @def: its type and symbol are set; zero before, except for the type of a formula.  The caller
 *	sets the formula of @fetch
 * @cmd: the command
 * @scope: the names that the argument can refer to
 *
 * Context: may sleep.
 * Return: 0 or a negative errno.  The error is also in @cmd, except for -ENOMEM.
 */
int probe_resolve_arg(struct probe *p, const struct probe_arg_ast *arg, struct probe_fetch *fetch,
		      struct probe_arg_def *def, struct probe_cmd *cmd, struct probe_scope *scope)
{
	struct probe_resolver r = {
		.p = p,
		.cmd = cmd,
		.scope = scope,
		.arg = arg,
		.fetch = fetch,
		.def = def,
	};
	int ret;

	ret = resolve_chain(&r);
	if (!ret)
		ret = probe_resolve_type(&r);
	if (ret)
		return ret;

	r.fetch->size = r.def->type->size;
	p->reads_memory |= reads_memory(r.fetch);
	if (r.fetch->nr_steps) {
		size_t size = r.fetch->nr_steps * sizeof(r.steps[0]);

		r.fetch->steps = probe_arena_alloc(p->arena, size);
		if (!r.fetch->steps)
			return -ENOMEM;
		memcpy(r.fetch->steps, r.steps, size);
	}
	return 0;
}
