// SPDX-License-Identifier: GPL-2.0
/*
 * Resolver of views: finds the names of an argument's numbers, for the types enum and flags.
 * They are in the command, in BTF, or in the print fmt of an event.  The view of the argument
 * gets a copy.
 */
#include <linux/cleanup.h>
#include <linux/errno.h>
#include <linux/minmax.h>
#include <linux/mutex.h>
#include <linux/rwsem.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "trace.h"
#include "trace_output.h"

#include "btf.h"
#include "engine.h"
#include "expr.h"
#include "types.h"
#include "view.h"

#define MAX_NAMES_IN_FMT	4096	/* names in the print fmt of an event */
#define ERRNO_NAMES		160	/* an errno counts as this number of names */

/**
 * struct view_resolver - state of resolving a view
 * @p: the probe that the argument will belong to
 * @cmd: the command, for errors
 * @scope: the names that the argument can refer to
 * @arg: its syntax
 * @ast: syntax of its type
 * @value: BTF type of the value
 * @bits: number of bits of the value
 * @names: the result
 */
struct view_resolver {
	struct probe			*p;
	struct probe_cmd		*cmd;
	struct probe_scope		*scope;
	const struct probe_arg_ast	*arg;
	const struct probe_type_ast	*ast;
	const struct probe_btf_value	*value;
	unsigned int			bits;
	struct probe_names		*names;
};

static int fail(struct view_resolver *r, enum probe_err err, unsigned int pos)
{
	return probe_cmd_error(r->cmd, err, pos);
}

/* Can the value be this number, signed or unsigned? */
static bool is_in_range(const struct probe_name_ast *entry, unsigned int bits)
{
	u64 half = 1ULL << (bits - 1);

	return entry->negative ? entry->number <= half : entry->number <= half - 1 + half;
}

static int use_list(struct view_resolver *r)
{
	const struct probe_names_ast *ast = &r->ast->names;
	unsigned int i;
	int ret = 0;

	for (i = 0; i < ast->nr && !ret; i++) {
		const struct probe_name_ast *entry = &ast->list[i];

		if (!is_in_range(entry, r->bits))
			return fail(r, PROBE_ERR_NOT_IN_RANGE, entry->value.pos);
		ret = probe_names_add(r->names, r->p->arena,
				      entry->negative ? -entry->number : entry->number,
				      entry->name.s, entry->name.len);
		if (ret == -E2BIG)
			return fail(r, PROBE_ERR_TOO_MANY_NAMES, entry->name.pos);
	}
	return ret;
}

static struct trace_event_call *find_event(struct view_resolver *r)
{
	const struct probe_names_ast *ast = &r->ast->names;
	struct trace_event_call *call = NULL;
	char *system, *event;

	system = kmemdup_nul(ast->system.s, ast->system.len, GFP_KERNEL);
	event = kmemdup_nul(ast->event.s, ast->event.len, GFP_KERNEL);
	if (system && event)
		call = trace_find_event_call(system, event);
	kfree(system);
	kfree(event);
	return call;
}

/* When a module is loaded, members of its enums are replaced in print fmt under the semaphore. */
static int read_fmt(struct view_resolver *r, const char *print_fmt, struct probe_str field)
{
	guard(rwsem_read)(&trace_event_sem);
	return probe_names_from_fmt(r->names, r->p->arena, print_fmt, field);
}

/* Get the names from print fmt.  @pos: column of the field */
static int use_fmt(struct view_resolver *r, const struct trace_event_call *call,
		   struct probe_str field, unsigned int pos)
{
	int ret = read_fmt(r, call->print_fmt ?: "", field);

	if (ret == -E2BIG)
		return fail(r, PROBE_ERR_TOO_MANY_NAMES, pos);
	return ret && ret != -ENOMEM ? fail(r, PROBE_ERR_NO_FIELD_NAMES, pos) : ret;
}

/* event_mutex keeps the event and its print fmt, from which the names are copied. */
static int use_event(struct view_resolver *r)
{
	const struct probe_names_ast *ast = &r->ast->names;
	struct trace_event_call *call;

	guard(mutex)(&event_mutex);
	call = find_event(r);
	if (!call)
		return fail(r, PROBE_ERR_NO_NAMING_EVENT, ast->system.pos);
	return use_fmt(r, call, ast->name, ast->name.pos);
}

/* The operand of an event probe is a field, which has names of its own. */
static int use_field(struct view_resolver *r)
{
	guard(mutex)(&event_mutex);
	return use_fmt(r, r->scope->fields, r->arg->expr->str, r->ast->str.pos);
}

/* Is the argument just a field of another event? */
static bool is_field(const struct view_resolver *r)
{
	const struct probe_expr *e = r->arg->expr;

	return r->scope->fields && (e->kind == PROBE_EXPR_VAR || e->kind == PROBE_EXPR_NAME);
}

static int use_enum(struct view_resolver *r)
{
	struct probe_str name = r->ast->names.name;
	unsigned int pos = name.s ? name.pos : r->ast->str.pos;
	int ret;

	if (name.s)
		ret = probe_btf_enum(r->scope, name, r->p->arena, r->names);
	else
		ret = probe_btf_enum_of(r->value, r->p->arena, r->names);
	switch (ret) {
	case -EOPNOTSUPP:
		return fail(r, PROBE_ERR_NOSUP_BTFARG, pos);
	case -ENOENT:
		return fail(r, name.s ? PROBE_ERR_NO_ENUM : PROBE_ERR_NO_ENUM_TYPE, pos);
	case -E2BIG:
		return fail(r, PROBE_ERR_TOO_MANY_NAMES, pos);
	default:
		return ret;
	}
}

/* Drop the names of numbers that the value cannot be: their low bits have other names. */
static int keep_in_range(struct view_resolver *r)
{
	struct probe_names *names = r->names;
	unsigned int i, nr = 0;

	for (i = 0; i < names->nr; i++) {
		u64 value = names->list[i].value, high = (u64)((s64)value >> (r->bits - 1));

		if (!(high >> 1) || high == U64_MAX)
			names->list[nr++] = names->list[i];
	}
	names->nr = nr;
	return nr ? 0 : fail(r, PROBE_ERR_NOT_IN_RANGE, r->ast->str.pos);
}

static int look_up(struct view_resolver *r)
{
	const struct probe_names_ast *ast = &r->ast->names;

	if (ast->list)
		return use_list(r);
	if (ast->event.s)
		return use_event(r);
	return !ast->text.s && is_field(r) ? use_field(r) : use_enum(r);
}

static int find_names(struct view_resolver *r)
{
	return look_up(r) ?: keep_in_range(r);
}

/* Number of names that an argument has in print fmt. */
static unsigned int count_names(const struct probe_view *view, unsigned int count)
{
	unsigned int each = view->names.nr;

	if (view->kind == PROBE_VIEW_ERRNO || view->kind == PROBE_VIEW_ERRPTR)
		each = ERRNO_NAMES;
	return each * max(count, 1);
}

/* Does print fmt have room for the names of this argument and of those before it? */
static bool has_room(const struct probe *p, const struct probe_view *view, unsigned int count)
{
	unsigned int nr = count_names(view, count), i;

	for (i = 0; i < p->nr_args; i++)
		if (p->args[i].view)
			nr += count_names(p->args[i].view, p->fetch[i].count);
	return nr <= MAX_NAMES_IN_FMT;
}

/**
 * probe_resolve_view() - resolve how an argument is shown
 * @p: the probe that the argument will belong to
 * @arg: its syntax
 * @kind: the view
 * @value: BTF type of the value
 * @bits: number of bits of the value
 * @def: its view is set
 * @cmd: the command
 * @scope: the names that the argument can refer to
 *
 * Context: may sleep; takes event_mutex.
 * Return: 0 or a negative errno.  The error is also in @cmd, except for -ENOMEM.
 */
int probe_resolve_view(struct probe *p, const struct probe_arg_ast *arg,
		       enum probe_view_kind kind, const struct probe_btf_value *value,
		       unsigned int bits, struct probe_arg_def *def, struct probe_cmd *cmd,
		       struct probe_scope *scope)
{
	struct probe_view *view = probe_arena_alloc(p->arena, sizeof(*view));
	struct view_resolver r = {
		.p = p,
		.cmd = cmd,
		.scope = scope,
		.arg = arg,
		.ast = &arg->type,
		.value = value,
		.bits = bits,
	};
	int ret = 0;

	if (!view)
		return -ENOMEM;
	view->kind = kind;
	def->view = view;
	r.names = &view->names;
	if (probe_view_has_names(view))
		ret = find_names(&r);
	if (!ret && !has_room(p, view, arg->type.count))
		ret = fail(&r, PROBE_ERR_TOO_MANY_NAMES, arg->type.str.pos);
	return ret;
}
