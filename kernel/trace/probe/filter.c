// SPDX-License-Identifier: GPL-2.0
/*
 * Filters of events as programs.
 *
 * A filter looks at the record of a hit, so the record must be fetched for it.  If all fields
 * that it compares are numbers which a hit can read again without another result, a program for
 * each probe decides before anything is fetched.  It has the comparisons of the filter.  If the
 * record is fetched to the stack, it also fetches the arguments.  For other filters there is no
 * program, and the record decides.
 *
 * The program of a probe belongs to one filter.  A hit uses it only if its trace instance has
 * this filter, so it does not matter which of the two is published first.  The program is
 * dropped before its filter is freed.
 */
#include <linux/array_size.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "trace.h"

#include "code.h"
#include "engine.h"
#include "fetch.h"
#include "helpers.h"
#include "predicate.h"
#include "record.h"

/**
 * struct filter_code - a filter that is being compiled
 * @terms: the comparisons as the filter has them
 * @compiled: the same as comparisons of arguments
 */
struct filter_code {
	struct event_filter_term	terms[PROBE_MAX_TERMS];
	struct probe_term		compiled[PROBE_MAX_TERMS];
};

/* The argument that a field has, or -1. */
static int find_arg(const struct probe *p, const struct event_filter_term *from)
{
	unsigned int i;

	for (i = 0; i < p->nr_args; i++)
		if (p->fetch[i].dst == from->offset)
			return i;
	return -1;
}

static int find_op(const char *text)
{
	static const char * const ops[] = {
		[PROBE_OP_EQ] = "==",
		[PROBE_OP_NE] = "!=",
		[PROBE_OP_LT] = "<",
		[PROBE_OP_LE] = "<=",
		[PROBE_OP_GT] = ">",
		[PROBE_OP_GE] = ">=",
		[PROBE_OP_AND] = "&",
	};

	return match_string(ops, ARRAY_SIZE(ops), text);
}

/* The comparison after one of the @nr comparisons, or the result. */
static u8 successor(unsigned int next, unsigned int nr)
{
	if (next < nr)
		return next;
	return next == nr ? PROBE_TERM_ACCEPT : PROBE_TERM_REJECT;
}

static u64 extend(u64 number, unsigned int size, bool is_signed)
{
	unsigned int shift = 64 - 8 * size;

	return is_signed ? (u64)((s64)(number << shift) >> shift) : number << shift >> shift;
}

/* Compile comparison @i of @nr.  Return whether this is possible. */
static bool compile_term(const struct probe *p, const struct probe_arch *arch,
			 struct filter_code *code, unsigned int i, unsigned int nr)
{
	const struct event_filter_term *from = &code->terms[i];
	int arg = find_arg(p, from), op = find_op(from->op);
	u8 branch = successor(from->branch, nr), next = successor(i + 1, nr);

	if (arg < 0 || op < 0 || p->args[arg].symbol || p->fetch[arg].count ||
	    p->fetch[arg].size != from->size || !probe_code_is_certain(arch, &p->fetch[arg]))
		return false;
	code->compiled[i] = (struct probe_term) {
		.op = op,
		.is_signed = from->is_signed,
		.yes = from->when ? branch : next,
		.no = from->when ? next : branch,
		.arg = arg,
		.number = extend(from->val, from->size, from->is_signed),
	};
	return true;
}

/* The program for a filter, or NULL.  @fetches: it also fetches the arguments. */
static struct bpf_prog *compile(const struct probe *p, const struct event_filter *filter,
				bool fetches)
{
	struct filter_code *code __free(kfree) = kmalloc(sizeof(*code), GFP_KERNEL);
	struct probe_predicate predicate = {};
	struct bpf_prog *prog = NULL;
	struct probe_arch arch;
	int nr, i;

	if (!code)
		return NULL;
	nr = event_filter_terms(filter, code->terms, ARRAY_SIZE(code->terms));
	probe_arch_get(&arch);
	for (i = 0; i < nr; i++)
		if (!compile_term(p, &arch, code, i, nr))
			return NULL;
	if (nr <= 0)
		return NULL;
	predicate.terms = code->compiled;
	predicate.nr = nr;
	return probe_make_decision(p, &prog, &predicate, fetches) ? NULL : prog;
}

static struct probe_filter *create(const struct probe *p, const struct event_filter *filter)
{
	struct probe_filter *new;

	/* The record of a probe with a predicate is fetched for the predicate. */
	if (!filter || (p->checks & PROBE_CHECK_PREDICATE) || !p->nr_args)
		return NULL;
	new = kmalloc(sizeof(*new), GFP_KERNEL);
	if (!new)
		return NULL;
	new->filter = filter;
	/* One program takes one indirect call, but a record of its own. */
	new->fetches = !p->in_user && !p->layout.dynamic &&
		       p->layout.size <= PROBE_STACK_RECORD;
	new->prog = compile(p, filter, new->fetches);
	if (new->prog)
		return new;
	kfree(new);
	return NULL;
}

/**
 * probe_filter_set() - set the filter that decides about hits of a probe
 * @p: the probe, which can be hit
 * @filter: a filter that is not freed before it is replaced here; NULL: none
 *
 * If the filter cannot be compiled, or if there is no memory, there is no program for it.
 *
 * Context: may sleep; event_mutex is held if @filter is not NULL, or if @p has a filter.
 */
void probe_filter_set(struct probe *p, const struct event_filter *filter)
{
	struct probe_filter *old;

	if (!filter && !rcu_access_pointer(p->filter))
		return;
	old = rcu_dereference_protected(p->filter, lockdep_is_held(&event_mutex));
	if (old && old->filter == filter)
		return;
	rcu_assign_pointer(p->filter, create(p, filter));
	if (!old)
		return;
	/* In-flight hits may use both. */
	probe_prog_free(old->prog);
	kfree_rcu(old, rcu);
}
