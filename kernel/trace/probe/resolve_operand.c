// SPDX-License-Identifier: GPL-2.0
/*
 * Resolver of the operand of an expression: the source of its value, such as a register, a
 * parameter, a variable, or a field of another event's record.
 */
#include <linux/errno.h>
#include <linux/ftrace.h>
#include <linux/list.h>
#include <linux/log2.h>
#include <linux/minmax.h>
#include <linux/overflow.h>
#include <linux/ptrace.h>
#include <linux/string.h>

#include "trace.h"

#include "lex.h"
#include "predicate.h"
#include "resolve.h"

/**
 * probe_add_step() - add a dereference after the steps so far
 * @r: the resolver
 * @e: the expression, for errors
 * @off: displacement added to the pointer
 * @user: the pointer is a user-space address
 *
 * Return: 0, or the errno of the error recorded in the command.
 */
int probe_add_step(struct probe_resolver *r, const struct probe_expr *e, long off,
		   bool user)
{
	if (r->fetch->nr_steps == PROBE_MAX_DEREF)
		return probe_refuse(r, PROBE_ERR_TOO_MANY_OPS, e->pos);
	r->steps[r->fetch->nr_steps++] = (struct probe_step) {
		.off = off,
		.user = user || r->scope->in_user,
	};
	return 0;
}

static unsigned int count_operands(struct probe_expr *e)
{
	e = probe_expr_innermost(e);
	return e->kind == PROBE_EXPR_MATH ? count_operands(e->left) + count_operands(e->right) : 1;
}

/* Number of values that the data saved at entry can have. */
static unsigned int max_entry_values(const struct probe_cmd *cmd)
{
	unsigned int nr, i;

	/* Each operand adds at most one, but the time two. */
	for (nr = 1, i = 0; i < cmd->nr_args; i++)
		nr += count_operands(cmd->args[i].expr);
	for (i = 0; i < cmd->nr_terms; i++)
		nr += count_operands(cmd->terms[i].operand.expr);
	return nr;
}

/*
 * Read parameter @nr, or the time, from the data saved at entry; add it to that data if
 * needed.
 */
static int use_entry_value(struct probe_resolver *r, unsigned int nr, enum probe_src src)
{
	struct probe_entry *entry = r->p->entry;
	unsigned int i;

	if (!entry) {
		entry = probe_arena_alloc(r->p->arena,
					  struct_size(entry, args, max_entry_values(r->cmd)));
		if (!entry)
			return -ENOMEM;
		r->p->entry = entry;
	}
	for (i = 0; i < entry->nr; i++)
		if (entry->args[i] == nr)
			break;
	if (i == entry->nr) {
		entry->args[entry->nr++] = nr;
		if (nr == PROBE_ENTRY_TIME && sizeof(long) < sizeof(u64))
			entry->args[entry->nr++] = PROBE_ENTRY_MORE;
	}
	r->fetch->src = src;
	r->fetch->value = i * sizeof(long);
	return 0;
}

static int use_entry_time(struct probe_resolver *r)
{
	if (!r->scope->in_user)
		return use_entry_value(r, PROBE_ENTRY_TIME, PROBE_SRC_LATENCY);
	/* The provider saves the time, and nothing else. */
	r->p->uses_entry_time = true;
	r->fetch->src = PROBE_SRC_LATENCY;
	return 0;
}

static int use_arg(struct probe_resolver *r, unsigned int nr)
{
	if (r->scope->is_return)
		return use_entry_value(r, nr, PROBE_SRC_ENTRY);
	if (r->scope->saved_args) {
		r->p->nr_saved = max(r->p->nr_saved, nr + 1);
		r->fetch->src = PROBE_SRC_ENTRY;
		r->fetch->value = nr * sizeof(long);
		return 0;
	}
	r->fetch->src = PROBE_SRC_ARG;
	r->fetch->value = nr;
	return 0;
}

/* The number of $argN: counted from 1, and not larger than the stack. */
static bool is_arg_number(const struct probe_resolver *r, unsigned long nr)
{
	return nr && nr <= (r->scope->saved_args ?: THREAD_SIZE / sizeof(long));
}

static int resolve_arg_var(struct probe_resolver *r, const struct probe_expr *e)
{
	int ret;

	if (!IS_ENABLED(CONFIG_HAVE_FUNCTION_ARG_ACCESS_API) && !r->scope->saved_args)
		return probe_refuse(r, PROBE_ERR_BAD_VAR, e->pos);
	if (!is_arg_number(r, e->value))
		return probe_refuse(r, PROBE_ERR_BAD_ARG_NUM, e->pos);
	if (!probe_scope_has_args(r->scope))
		return probe_refuse(r, PROBE_ERR_NOFENTRY_ARGS, e->pos);
	ret = use_arg(r, e->value - 1);
	if (ret)
		return ret;

	/* Only members and paths need the BTF type; $argN itself is a plain number. */
	if (r->arg->expr != e || probe_names_path(&r->arg->type))
		probe_btf_param_nth(r->scope, e->value - 1, &r->btf);
	return 0;
}

/* Does the expression access a member of the value @e? */
static bool has_members(const struct probe_resolver *r, const struct probe_expr *e)
{
	const struct probe_expr *outer = r->arg->expr;

	while (outer->base && outer->base != e)
		outer = outer->base;
	return outer->base && outer->kind == PROBE_EXPR_MEMBER;
}

/* If the values are saved, the hit gets registers only for such a probe. */
static int use_registers(struct probe_resolver *r, const struct probe_expr *e)
{
	if (r->scope->saved_args && !IS_ENABLED(CONFIG_PERF_EVENTS))
		return probe_refuse(r, PROBE_ERR_BAD_VAR, e->pos);
	r->p->uses_regs = true;
	return 0;
}

static struct ftrace_event_field *find_field(const struct probe_scope *scope, struct probe_str name)
{
	struct ftrace_event_field *field;

	list_for_each_entry(field, trace_get_fields(scope->fields), link)
		if (probe_str_is(name, field->name))
			return field;
	return NULL;
}

/**
 * probe_scope_has_field() - is it the name of a field of the event to which a probe is attached?
 * @scope: the scope, which has fields
 * @name: the name
 *
 * Return: true if it is.
 */
bool probe_scope_has_field(const struct probe_scope *scope, struct probe_str name)
{
	return find_field(scope, name);
}

static enum probe_src field_source(const struct ftrace_event_field *field)
{
	switch (field->filter_type) {
	case FILTER_DYN_STRING:
		return PROBE_SRC_FIELD_DATA;
	case FILTER_RDYN_STRING:
		return PROBE_SRC_FIELD_REL;
	case FILTER_STATIC_STRING:
	case FILTER_COMM:
		return PROBE_SRC_FIELD_ADDR;
	default:
		return PROBE_SRC_FIELD;
	}
}

/* Kernel stacks of probes in user space end at the entry to the kernel. */
static bool has_stack(const struct probe_resolver *r, bool user)
{
	if (!IS_ENABLED(CONFIG_STACKTRACE))
		return false;
	return user ? IS_ENABLED(CONFIG_USER_STACKTRACE_SUPPORT) : !r->scope->in_user;
}

static int resolve_stack_trace(struct probe_resolver *r, const struct probe_expr *e)
{
	bool user = e->var == PROBE_VAR_USTACK;

	if (!has_stack(r, user))
		return probe_refuse(r, PROBE_ERR_NOSUP_STACK, e->pos);
	r->fetch->src = PROBE_SRC_NONE;
	r->fetch->store = PROBE_STORE_STACK;
	r->fetch->value = e->value;
	r->fetch->user = user;
	/* At tracepoints, the registers are those of a function that handles the hit. */
	r->fetch->above_hit = r->scope->saved_args;
	/* Event probes have no registers. */
	return user || r->scope->fields ? 0 : use_registers(r, e);
}

/* The address of the running task, which only members need the type of. */
static int resolve_current(struct probe_resolver *r, const struct probe_expr *e)
{
	static const char name[] = "task_struct";
	const struct probe_str task = { .s = name, .len = strlen(name) };
	int ret;

	r->fetch->src = PROBE_SRC_CURRENT;
	if (!has_members(r, e))
		return 0;
	ret = probe_btf_cast(r->scope, task, &r->btf);
	return ret && ret != -ENOMEM ? probe_refuse(r, PROBE_ERR_NOSUP_BTFARG, e->pos) : ret;
}

/* $NAME or NAME, where NAME is a field of another event's record. */
static int resolve_field(struct probe_resolver *r, const struct probe_expr *e)
{
	const struct ftrace_event_field *field = find_field(r->scope, e->str);

	if (!field && e->var == PROBE_VAR_COMM) {
		r->fetch->src = PROBE_SRC_NONE;
		r->fetch->store = PROBE_STORE_COMM;
		return 0;
	}
	if (!field && e->var == PROBE_VAR_CURRENT)
		return resolve_current(r, e);
	if (!field && (e->var == PROBE_VAR_KSTACK || e->var == PROBE_VAR_USTACK))
		return resolve_stack_trace(r, e);
	/* A field has no members, so the whole text names no field. */
	if (!field || has_members(r, e))
		return probe_refuse(r, e->kind == PROBE_EXPR_NAME ? PROBE_ERR_NO_RECORD_FIELD :
								    PROBE_ERR_BAD_VAR, e->pos);
	r->fetch->src = field_source(field);
	r->fetch->value = field->offset;
	r->field_size = field->size;
	if (r->fetch->src != PROBE_SRC_FIELD)
		return 0;
	/* Of a field that is no number, read the first bytes. */
	r->fetch->part = is_power_of_2(field->size) ?
			 min_t(unsigned int, field->size, sizeof(u64)) : sizeof(long);
	r->fetch->part_signed = field->is_signed;
	return 0;
}

/* $NAME, where NAME is a value that the provider saved. */
static int resolve_saved(struct probe_resolver *r, const struct probe_expr *e)
{
	const struct probe_scope *scope = r->scope;
	unsigned int i;

	for (i = 0; i < scope->nr_saved; i++) {
		if (!probe_str_is(e->str, scope->saved[i].name))
			continue;
		r->fetch->src = PROBE_SRC_ENTRY;
		r->fetch->value = scope->saved[i].offset;
		r->fetch->part = scope->saved[i].size;
		return 0;
	}
	return probe_refuse(r, PROBE_ERR_BAD_VAR, e->pos);
}

static int resolve_var(struct probe_resolver *r, const struct probe_expr *e)
{
	if (r->scope->fields)
		return resolve_field(r, e);
	switch (e->var) {
	case PROBE_VAR_RETVAL:
		if (!r->scope->is_return)
			return probe_refuse(r, PROBE_ERR_RETVAL_ON_PROBE, e->pos);
		r->fetch->src = PROBE_SRC_RETVAL;
		if (r->scope->untyped && !has_members(r, e) && !probe_names_path(&r->arg->type))
			return 0;
		return probe_btf_retval(r->cmd, r->scope, e, &r->btf);
	case PROBE_VAR_COMM:
		r->fetch->src = PROBE_SRC_NONE;
		r->fetch->store = PROBE_STORE_COMM;
		return 0;
	case PROBE_VAR_CURRENT:
		/* Programs of probes in user space read no kernel memory. */
		return r->scope->in_user ? probe_refuse(r, PROBE_ERR_BAD_VAR, e->pos) :
					   resolve_current(r, e);
	case PROBE_VAR_LATENCY:
		if (!r->scope->is_return)
			return probe_refuse(r, PROBE_ERR_LATENCY_ON_PROBE, e->pos);
		return use_entry_time(r);
	case PROBE_VAR_STACK:
		r->fetch->src = PROBE_SRC_SP;
		return use_registers(r, e);
	case PROBE_VAR_STACK_NTH:
		if (e->value > (r->scope->in_user ? UINT_MAX - 1 : THREAD_SIZE / sizeof(long)))
			return probe_refuse(r, PROBE_ERR_BAD_STACK_NUM, e->pos);
		r->fetch->src = PROBE_SRC_STACK;
		r->fetch->value = e->value;
		return use_registers(r, e);
	case PROBE_VAR_KSTACK:
	case PROBE_VAR_USTACK:
		return resolve_stack_trace(r, e);
	case PROBE_VAR_ARG_NTH:
		return resolve_arg_var(r, e);
	case PROBE_VAR_ALL_ARGS:
		return probe_refuse(r, PROBE_ERR_BAD_VAR_ARGS, e->pos);
	case PROBE_VAR_UNKNOWN:
		return resolve_saved(r, e);
	}
	return probe_refuse(r, PROBE_ERR_BAD_VAR, e->pos);
}

#ifndef arch_ftrace_saves_reg
static bool arch_ftrace_saves_reg(unsigned int offset)
{
	return false;
}
#endif

#ifndef regs_query_register_part
/* Only whole registers have names on this architecture. */
static int regs_query_register_part(const char *name, unsigned int *size)
{
	*size = sizeof(long);
	return regs_query_register_offset(name);
}
#endif

static int resolve_register(struct probe_resolver *r, const struct probe_expr *e)
{
	char name[16] = "";
	unsigned int size;
	int off;

	if (r->scope->no_registers)
		return probe_refuse(r, PROBE_ERR_BAD_VAR, e->pos);
	if (e->str.len < sizeof(name))
		memcpy(name, e->str.s, e->str.len);
	off = regs_query_register_part(name, &size);
	if (off < 0)
		return probe_refuse(r, PROBE_ERR_BAD_REG_NAME, e->pos);
	r->fetch->src = PROBE_SRC_REG;
	r->fetch->value = off;
	r->p->reads_other_regs |= !arch_ftrace_saves_reg(off);
	if (size < sizeof(long))
		r->fetch->part = size;
	return 0;
}

static int resolve_name(struct probe_resolver *r, const struct probe_expr *e)
{
	int nr;

	if (r->scope->fields)
		return resolve_field(r, e);
	if (!probe_scope_has_names(r->scope))
		return probe_refuse(r, PROBE_ERR_NOSUP_BTFARG_HERE, e->pos);
	nr = probe_btf_param_find(r->cmd, r->scope, e, &r->btf);
	if (nr < 0)
		return nr;
	return use_arg(r, nr);
}

static int resolve_string(struct probe_resolver *r, const struct probe_expr *e)
{
	r->fetch->src = PROBE_SRC_NONE;
	r->fetch->store = PROBE_STORE_DATA;
	r->fetch->data = probe_arena_strndup(r->p->arena, e->str.s, e->str.len);
	r->fetch->data_len = e->str.len + 1;
	return r->fetch->data ? 0 : -ENOMEM;
}

static int resolve_symbol(struct probe_resolver *r, const struct probe_expr *e)
{
	struct probe_symbol *symbol;

	if (r->scope->in_user)
		return probe_refuse(r, PROBE_ERR_SYM_ON_UPROBE, e->pos);
	symbol = probe_arena_alloc(r->p->arena, sizeof(*symbol));
	if (!symbol)
		return -ENOMEM;
	*symbol = (struct probe_symbol) { .offs = e->value, .pos = e->pos };
	symbol->name = probe_arena_strndup(r->p->arena, e->str.s, e->str.len);
	if (!symbol->name)
		return -ENOMEM;
	r->def->symbol = symbol;
	r->fetch->src = PROBE_SRC_IMM;
	return r->by_address ? 0 : probe_add_step(r, e, 0, false);
}

/* "@+OFFSET": memory at this offset of the file that has the probe. */
static int resolve_file_offset(struct probe_resolver *r, const struct probe_expr *e)
{
	long offset;
	int ret;

	if (!r->scope->in_user)
		return probe_refuse(r, PROBE_ERR_FILE_ON_KPROBE, e->pos);
	ret = probe_str_signed(e->str, &offset);
	if (ret) {
		probe_refuse(r, PROBE_ERR_BAD_FILE_OFFS, e->pos);
		return ret;
	}
	r->fetch->src = PROBE_SRC_PLACE;
	r->fetch->value = offset - r->scope->file_offset;
	return probe_add_step(r, e, 0, true);
}

/**
 * probe_resolve_operand() - resolve the operand of an expression
 * @r: the resolver; its source, BTF type and steps are set
 * @e: the operand
 *
 * Context: may sleep.
 * Return: 0 or a negative errno.  The error is also in the command, except for -ENOMEM.
 */
int probe_resolve_operand(struct probe_resolver *r, const struct probe_expr *e)
{
	switch (e->kind) {
	case PROBE_EXPR_REG:
		return resolve_register(r, e);
	case PROBE_EXPR_VAR:
		return resolve_var(r, e);
	case PROBE_EXPR_NAME:
		return resolve_name(r, e);
	case PROBE_EXPR_STRING:
		return resolve_string(r, e);
	case PROBE_EXPR_SYMBOL:
		return resolve_symbol(r, e);
	case PROBE_EXPR_ADDR:
		r->fetch->src = PROBE_SRC_IMM;
		r->fetch->value = e->value;
		return r->by_address ? 0 : probe_add_step(r, e, 0, false);
	case PROBE_EXPR_IMM:
		r->fetch->src = PROBE_SRC_IMM;
		r->fetch->value = e->value;
		return 0;
	case PROBE_EXPR_FILE_OFFS:
		return resolve_file_offset(r, e);
	case PROBE_EXPR_MATH:
		r->fetch->src = PROBE_SRC_FORMULA;
		return 0;
	default:
		return probe_refuse(r, PROBE_ERR_BAD_FETCH_ARG, e->pos);
	}
}
