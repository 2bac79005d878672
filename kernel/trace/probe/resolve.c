// SPDX-License-Identifier: GPL-2.0
/*
 * Resolver: turns the syntax of one argument, struct probe_arg_ast, into a
 * struct probe_fetch and the argument's type.
 *
 * An expression is a chain, as in "+8(file->f_path.dentry)": an operand with
 * dereferences, casts and members around it.  The resolver walks the chain from the
 * operand outwards and collects steps.  The type then selects the store: for
 * numbers, for strings, or for the name of a symbol.  resolve_view.c finds the names of
 * numbers.
 */
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/log2.h>
#include <linux/minmax.h>
#include <linux/overflow.h>
#include <linux/ptrace.h>
#include <linux/string.h>

#include "trace.h"

#include "btf.h"
#include "engine.h"
#include "expr.h"
#include "fetch.h"
#include "lex.h"
#include "predicate.h"
#include "types.h"

/* Longest chain.  A longer one has more members in members than any structure. */
#define MAX_CHAIN	64

/**
 * struct resolver - state of resolving an argument
 * @p: the probe that the argument will belong to
 * @cmd: the command, for errors
 * @scope: the names that the argument can refer to
 * @arg: syntax of the argument
 * @fetch: the result
 * @def: name, text and type of the argument
 * @btf: BTF type of the value so far
 * @inside: bytes from the start of the structure to the place where the value points, if the
 *	value is cast
 * @by_address: the operand is the address of a symbol, not the memory there
 * @field_size: bytes of the field of another event that the operand is
 * @steps: the dereferences so far
 */
struct resolver {
	struct probe			*p;
	struct probe_cmd		*cmd;
	struct probe_scope		*scope;
	const struct probe_arg_ast	*arg;
	struct probe_fetch		*fetch;
	struct probe_arg_def		*def;
	struct probe_btf_value		btf;
	long				inside;
	bool				by_address;
	unsigned int			field_size;
	struct probe_step		steps[PROBE_MAX_DEREF];
};

static int fail(struct resolver *r, enum probe_err err, unsigned int pos)
{
	return probe_cmd_error(r->cmd, err, pos);
}

/* The message of this error mentions only strings. */
static int fail_array(struct resolver *r, const char *detail, unsigned int pos)
{
	r->cmd->detail = detail;
	return fail(r, PROBE_ERR_BAD_STRING, pos);
}

static int add_step(struct resolver *r, const struct probe_expr *e, long off,
		    bool user)
{
	if (r->fetch->nr_steps == PROBE_MAX_DEREF)
		return fail(r, PROBE_ERR_TOO_MANY_OPS, e->pos);
	r->steps[r->fetch->nr_steps++] = (struct probe_step) {
		.off = off,
		.user = user || r->scope->in_user,
	};
	return 0;
}

static bool is_this_cpu(const struct probe_expr *e)
{
	return e->kind == PROBE_EXPR_THIS_CPU_PTR || e->kind == PROBE_EXPR_THIS_CPU_READ;
}

/* this_cpu_read(X) means +0(this_cpu_ptr(X)). */
static int resolve_this_cpu(struct resolver *r, const struct probe_expr *e)
{
	int ret = add_step(r, e, 0, false);

	if (ret)
		return ret;
	r->steps[r->fetch->nr_steps - 1].this_cpu = true;
	return e->kind == PROBE_EXPR_THIS_CPU_READ ? add_step(r, e, 0, false) : 0;
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
static int use_entry_value(struct resolver *r, unsigned int nr, enum probe_src src)
{
	struct probe *p = r->p;
	unsigned int i;

	if (!p->entry_args)
		p->entry_args = probe_arena_alloc(p->arena,
						  array_size(max_entry_values(r->cmd),
							     sizeof(*p->entry_args)));
	if (!p->entry_args)
		return -ENOMEM;
	for (i = 0; i < p->nr_entry; i++)
		if (p->entry_args[i] == nr)
			break;
	if (i == p->nr_entry) {
		p->entry_args[p->nr_entry++] = nr;
		if (nr == PROBE_ENTRY_TIME && sizeof(long) < sizeof(u64))
			p->entry_args[p->nr_entry++] = PROBE_ENTRY_MORE;
	}
	r->fetch->src = src;
	r->fetch->value = i * sizeof(long);
	return 0;
}

static int use_arg(struct resolver *r, unsigned int nr)
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

static bool is_path(const struct resolver *r)
{
	return probe_str_is(r->arg->type.str, "path");
}

/* The number of $argN: counted from 1, and not larger than the stack. */
static bool is_arg_number(const struct resolver *r, unsigned long nr)
{
	return nr && nr <= (r->scope->saved_args ?: THREAD_SIZE / sizeof(long));
}

static int resolve_arg_var(struct resolver *r, const struct probe_expr *e)
{
	int ret;

	if (!IS_ENABLED(CONFIG_HAVE_FUNCTION_ARG_ACCESS_API) && !r->scope->saved_args)
		return fail(r, PROBE_ERR_BAD_VAR, e->pos);
	if (!is_arg_number(r, e->value))
		return fail(r, PROBE_ERR_BAD_ARG_NUM, e->pos);
	if (!probe_scope_has_args(r->scope))
		return fail(r, PROBE_ERR_NOFENTRY_ARGS, e->pos);
	ret = use_arg(r, e->value - 1);
	if (ret)
		return ret;

	/* Only members and paths need the BTF type; $argN itself is a plain number. */
	if (r->arg->expr != e || is_path(r))
		probe_btf_param_nth(r->scope, e->value - 1, &r->btf);
	return 0;
}

/* Does the expression access a member of the value @e? */
static bool has_members(const struct resolver *r, const struct probe_expr *e)
{
	const struct probe_expr *outer = r->arg->expr;

	while (outer->base && outer->base != e)
		outer = outer->base;
	return outer->base && outer->kind == PROBE_EXPR_MEMBER;
}

/* If the values are saved, the hit gets registers only for such a probe. */
static int use_registers(struct resolver *r, const struct probe_expr *e)
{
	if (r->scope->saved_args && !IS_ENABLED(CONFIG_PERF_EVENTS))
		return fail(r, PROBE_ERR_BAD_VAR, e->pos);
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
static bool has_stack(const struct resolver *r, bool user)
{
	if (!IS_ENABLED(CONFIG_STACKTRACE))
		return false;
	return user ? IS_ENABLED(CONFIG_USER_STACKTRACE_SUPPORT) : !r->scope->in_user;
}

static int resolve_stack_trace(struct resolver *r, const struct probe_expr *e)
{
	bool user = e->var == PROBE_VAR_USTACK;

	if (!has_stack(r, user))
		return fail(r, PROBE_ERR_NOSUP_STACK, e->pos);
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
static int resolve_current(struct resolver *r, const struct probe_expr *e)
{
	static const char name[] = "task_struct";
	const struct probe_str task = { .s = name, .len = strlen(name) };
	int ret;

	r->fetch->src = PROBE_SRC_CURRENT;
	if (!has_members(r, e))
		return 0;
	ret = probe_btf_cast(r->scope, task, &r->btf);
	return ret && ret != -ENOMEM ? fail(r, PROBE_ERR_NOSUP_BTFARG, e->pos) : ret;
}

/* $NAME or NAME, where NAME is a field of another event's record. */
static int resolve_field(struct resolver *r, const struct probe_expr *e)
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
		return fail(r, e->kind == PROBE_EXPR_NAME ? PROBE_ERR_NO_RECORD_FIELD :
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
static int resolve_saved(struct resolver *r, const struct probe_expr *e)
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
	return fail(r, PROBE_ERR_BAD_VAR, e->pos);
}

static int resolve_var(struct resolver *r, const struct probe_expr *e)
{
	if (r->scope->fields)
		return resolve_field(r, e);
	switch (e->var) {
	case PROBE_VAR_RETVAL:
		if (!r->scope->is_return)
			return fail(r, PROBE_ERR_RETVAL_ON_PROBE, e->pos);
		r->fetch->src = PROBE_SRC_RETVAL;
		if (r->scope->untyped && !has_members(r, e) && !is_path(r))
			return 0;
		return probe_btf_retval(r->cmd, r->scope, e, &r->btf);
	case PROBE_VAR_COMM:
		r->fetch->src = PROBE_SRC_NONE;
		r->fetch->store = PROBE_STORE_COMM;
		return 0;
	case PROBE_VAR_CURRENT:
		/* Programs of probes in user space read no kernel memory. */
		return r->scope->in_user ? fail(r, PROBE_ERR_BAD_VAR, e->pos) :
					   resolve_current(r, e);
	case PROBE_VAR_LATENCY:
		if (!r->scope->is_return || r->scope->in_user)
			return fail(r, PROBE_ERR_LATENCY_ON_PROBE, e->pos);
		return use_entry_value(r, PROBE_ENTRY_TIME, PROBE_SRC_LATENCY);
	case PROBE_VAR_STACK:
		r->fetch->src = PROBE_SRC_SP;
		return use_registers(r, e);
	case PROBE_VAR_STACK_NTH:
		if (e->value > (r->scope->in_user ? UINT_MAX - 1 : THREAD_SIZE / sizeof(long)))
			return fail(r, PROBE_ERR_BAD_STACK_NUM, e->pos);
		r->fetch->src = PROBE_SRC_STACK;
		r->fetch->value = e->value;
		return use_registers(r, e);
	case PROBE_VAR_KSTACK:
	case PROBE_VAR_USTACK:
		return resolve_stack_trace(r, e);
	case PROBE_VAR_ARG_NTH:
		return resolve_arg_var(r, e);
	case PROBE_VAR_ALL_ARGS:
		return fail(r, PROBE_ERR_BAD_VAR_ARGS, e->pos);
	case PROBE_VAR_UNKNOWN:
		return resolve_saved(r, e);
	}
	return fail(r, PROBE_ERR_BAD_VAR, e->pos);
}

#ifndef regs_query_register_part
/* Only whole registers have names on this architecture. */
static int regs_query_register_part(const char *name, unsigned int *size)
{
	*size = sizeof(long);
	return regs_query_register_offset(name);
}
#endif

static int resolve_register(struct resolver *r, const struct probe_expr *e)
{
	char name[16] = "";
	unsigned int size;
	int off;

	if (r->scope->no_registers)
		return fail(r, PROBE_ERR_BAD_VAR, e->pos);
	if (e->str.len < sizeof(name))
		memcpy(name, e->str.s, e->str.len);
	off = regs_query_register_part(name, &size);
	if (off < 0)
		return fail(r, PROBE_ERR_BAD_REG_NAME, e->pos);
	r->fetch->src = PROBE_SRC_REG;
	r->fetch->value = off;
	if (size < sizeof(long))
		r->fetch->part = size;
	return 0;
}

static int resolve_name(struct resolver *r, const struct probe_expr *e)
{
	int nr;

	if (r->scope->fields)
		return resolve_field(r, e);
	if (!probe_scope_has_names(r->scope))
		return fail(r, PROBE_ERR_NOSUP_BTFARG_HERE, e->pos);
	nr = probe_btf_param_find(r->cmd, r->scope, e, &r->btf);
	if (nr < 0)
		return nr;
	return use_arg(r, nr);
}

static int resolve_string(struct resolver *r, const struct probe_expr *e)
{
	r->fetch->src = PROBE_SRC_NONE;
	r->fetch->store = PROBE_STORE_DATA;
	r->fetch->data = probe_arena_strndup(r->p->arena, e->str.s, e->str.len);
	r->fetch->data_len = e->str.len + 1;
	return r->fetch->data ? 0 : -ENOMEM;
}

static int resolve_symbol(struct resolver *r, const struct probe_expr *e)
{
	struct probe_symbol *symbol;

	if (r->scope->in_user)
		return fail(r, PROBE_ERR_SYM_ON_UPROBE, e->pos);
	symbol = probe_arena_alloc(r->p->arena, sizeof(*symbol));
	if (!symbol)
		return -ENOMEM;
	*symbol = (struct probe_symbol) { .offs = e->value, .pos = e->pos };
	symbol->name = probe_arena_strndup(r->p->arena, e->str.s, e->str.len);
	if (!symbol->name)
		return -ENOMEM;
	r->def->symbol = symbol;
	r->fetch->src = PROBE_SRC_IMM;
	return r->by_address ? 0 : add_step(r, e, 0, false);
}

/* "@+OFFSET": memory at this offset of the file that has the probe. */
static int resolve_file_offset(struct resolver *r, const struct probe_expr *e)
{
	long offset;
	int ret;

	if (!r->scope->in_user)
		return fail(r, PROBE_ERR_FILE_ON_KPROBE, e->pos);
	ret = probe_str_signed(e->str, &offset);
	if (ret) {
		fail(r, PROBE_ERR_BAD_FILE_OFFS, e->pos);
		return ret;
	}
	r->fetch->src = PROBE_SRC_PLACE;
	r->fetch->value = offset - r->scope->file_offset;
	return add_step(r, e, 0, true);
}

static int resolve_operand(struct resolver *r, const struct probe_expr *e)
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
		return r->by_address ? 0 : add_step(r, e, 0, false);
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
		return fail(r, PROBE_ERR_BAD_FETCH_ARG, e->pos);
	}
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

/* "->a.b.c" is one step; returns the number of members in it. */
static int resolve_members(struct resolver *r, struct probe_expr **path,
			   unsigned int nr)
{
	unsigned int n = 1;
	bool typed;
	long off;
	int ret;

	if (!r->scope->btf && !r->btf.type)
		return fail(r, PROBE_ERR_NO_BTF_ENTRY, path[0]->pos);
	while (n < nr && path[n]->kind == PROBE_EXPR_MEMBER && !path[n]->arrow)
		n++;
	/* If another dereference follows, this step loads a whole word. */
	typed = n < nr || is_sized(&r->arg->type);
	ret = probe_btf_members(r->cmd, path, n, &r->btf, &off, typed);
	if (!ret)
		ret = add_step(r, path[0], off - r->inside, false);
	r->inside = 0;
	return ret ?: n;
}

/* The value so far becomes a pointer to a structure, of which @next is a member. */
static int resolve_cast(struct resolver *r, const struct probe_expr *e,
			const struct probe_expr *next)
{
	int ret = probe_btf_cast(r->scope, e->str, &r->btf);

	if (!ret && e->field)
		return probe_btf_offset(r->cmd, e->field, &r->btf, &r->inside);
	if (ret != -ENOENT)
		return ret;
	/* Structures without a name are known by their members. */
	return e->str.len ? fail(r, PROBE_ERR_NO_PTR_STRCT, e->str.pos) :
			    fail(r, PROBE_ERR_NO_BTF_FIELD, (e->field ?: next)->pos);
}

static bool has_casts(const struct resolver *r)
{
	return IS_ENABLED(CONFIG_PROBE_EVENTS_BTF_ARGS) && !r->scope->in_user;
}

/* Follow the chain from the operand, chain[first], outwards. */
static int resolve_links(struct resolver *r, struct probe_expr **chain, unsigned int first)
{
	struct probe_expr *e;
	unsigned int i;
	int ret;

	for (i = first + 1; i < MAX_CHAIN; i += ret ?: 1) {
		e = chain[i];
		if (r->fetch->src == PROBE_SRC_NONE)
			return fail(r, PROBE_ERR_COMM_CANT_DEREF, chain[first]->pos);
		if (e->kind == PROBE_EXPR_MEMBER) {
			ret = resolve_members(r, &chain[i], MAX_CHAIN - i);
		} else if (e->kind == PROBE_EXPR_CAST) {
			ret = resolve_cast(r, e, chain[i + 1]);
		} else {
			ret = is_this_cpu(e) ? resolve_this_cpu(r, e) :
					       add_step(r, e, e->value, e->user);
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

static int resolve_chain(struct resolver *r)
{
	struct probe_expr *chain[MAX_CHAIN], *e = r->arg->expr;
	unsigned int first = MAX_CHAIN;

	if (is_too_deep(e))
		return fail(r, PROBE_ERR_TOO_MANY_NESTED, e->pos);
	do {
		if (!first)
			return fail(r, PROBE_ERR_TOO_MANY_OPS, r->arg->expr->pos);
		if (e->kind == PROBE_EXPR_CAST && !has_casts(r))
			return fail(r, PROBE_ERR_NOSUP_BTFARG, e->pos);
		if (is_this_cpu(e) && r->scope->in_user)
			return fail(r, PROBE_ERR_NOSUP_PERCPU, e->pos);
		chain[--first] = e;
		e = e->base;
	} while (e);
	/* A per-CPU variable is its address, of which each CPU has a copy. */
	r->by_address = first + 1 < MAX_CHAIN && is_this_cpu(chain[first + 1]);
	return resolve_operand(r, chain[first]) ?: resolve_links(r, chain, first);
}

/* If a dereference is the last step, drop it, and record the memory, not a loaded value. */
static bool store_from_memory(struct resolver *r, enum probe_store store)
{
	struct probe_fetch *f = r->fetch;

	if (!f->nr_steps || r->steps[f->nr_steps - 1].this_cpu)
		return false;
	f->store = store;
	f->off = r->steps[--f->nr_steps].off;
	f->user = r->steps[f->nr_steps].user;
	return true;
}

/* Is the value of the source the address of a string? */
static bool has_address(const struct probe_fetch *f)
{
	return f->src == PROBE_SRC_IMM || f->src == PROBE_SRC_FIELD ||
	       f->src == PROBE_SRC_FORMULA || probe_fetch_is_field_address(f);
}

static int store_string(struct resolver *r, unsigned int pos)
{
	bool given = r->arg->type.form != PROBE_TYPE_NONE;
	bool is_ustring = r->def->type->class == PROBE_CLASS_USTRING;
	struct probe_fetch *f = r->fetch;
	bool is_ptr = false;

	if (r->btf.type && given &&
	    !probe_btf_is_string(&r->btf, &is_ptr))
		return fail(r, PROBE_ERR_BAD_TYPE4STR, r->arg->text.pos);

	/* The value is a pointer or a constant address: the string is at that address. */
	if (is_ptr || (!f->nr_steps && has_address(f))) {
		f->store = PROBE_STORE_STRING;
		/* With ustring, an array that the pointer refers to is in user space, too. */
		f->user = r->scope->in_user || (is_ptr && is_ustring);
	} else if (!store_from_memory(r, PROBE_STORE_STRING)) {
		return fail(r, PROBE_ERR_BAD_STRING, pos);
	}
	f->str_user = f->user || is_ustring;
	return 0;
}

static int store_symstr(struct resolver *r, unsigned int pos)
{
	struct probe_fetch *f = r->fetch;

	if (f->nr_steps ? r->steps[f->nr_steps - 1].user :
	    f->src == PROBE_SRC_IMM || f->src == PROBE_SRC_SP)
		return fail(r, PROBE_ERR_BAD_SYMSTRING, pos);
	if (f->count)
		return fail_array(r, "symstr cannot be an array", pos);
	f->store = PROBE_STORE_SYMSTR;
	return 0;
}

static int store_path(struct resolver *r, unsigned int pos)
{
	struct probe_fetch *f = r->fetch;
	enum probe_btf_file kind = r->btf.type ? probe_btf_file(&r->btf) : PROBE_BTF_NO_FILE;

	if (f->count)
		return fail_array(r, "path cannot be an array", pos);
	switch (kind) {
	case PROBE_BTF_FILE_PTR:
		f->off = offsetof(struct file, f_path);
		fallthrough;
	case PROBE_BTF_PATH_PTR:
		f->store = PROBE_STORE_PATH;
		return 0;
	case PROBE_BTF_DENTRY_PTR:
		f->store = PROBE_STORE_DENTRY;
		return 0;
	case PROBE_BTF_PATH:
		if (store_from_memory(r, PROBE_STORE_PATH))
			return 0;
		break;
	case PROBE_BTF_NO_FILE:
		break;
	}
	return fail(r, PROBE_ERR_BAD_PATH, r->arg->text.pos);
}

static int store_number(struct resolver *r, unsigned int pos)
{
	if (store_from_memory(r, PROBE_STORE_MEM))
		return 0;
	if (r->fetch->count)
		return fail_array(r, "an array must be in memory", pos);
	r->fetch->store = PROBE_STORE_VALUE;
	return 0;
}

/* A field of another event's record has the bytes itself, unless they are somewhere else. */
static bool store_from_field(struct resolver *r)
{
	struct probe_fetch *f = r->fetch;

	if (f->nr_steps || f->count > r->field_size ||
	    (f->src != PROBE_SRC_FIELD && f->src != PROBE_SRC_FIELD_ADDR))
		return false;
	f->src = PROBE_SRC_FIELD_ADDR;
	f->part = 0;
	f->part_signed = false;
	f->store = PROBE_STORE_MEM;
	return true;
}

/* Bytes are at the address that a pointer is, or in memory that the expression reads. */
static int store_bytes(struct resolver *r, unsigned int pos)
{
	if (probe_btf_is_pointer(&r->btf)) {
		r->fetch->store = PROBE_STORE_MEM;
		r->fetch->user = r->scope->in_user;
		return 0;
	}
	if (store_from_memory(r, PROBE_STORE_MEM) || store_from_field(r))
		return 0;
	return fail_array(r, "bytes must be in memory", pos);
}

/* Addresses in user space have no names. */
static bool is_refused(const struct resolver *r, const struct probe_arg_type *type)
{
	return r->scope->in_user && (type->class == PROBE_CLASS_SYMSTR ||
				     type->class == PROBE_CLASS_PATH ||
				     !strcmp(type->name, "symbol"));
}

/* The type that the value has by itself, or NULL. */
static const struct probe_arg_type *own_type(struct resolver *r)
{
	struct probe_fetch *f = r->fetch;
	const struct probe_arg_type *type = NULL;

	if (r->btf.type)
		type = probe_btf_type(&r->btf, f->nr_steps, &f->bits);
	if (type || f->nr_steps)
		return type;
	if (f->part && (f->src == PROBE_SRC_REG || f->src == PROBE_SRC_ENTRY))
		return probe_type_number('x', f->part * 8);
	if (f->src == PROBE_SRC_FORMULA)
		return r->def->type;
	return f->src == PROBE_SRC_LATENCY ? probe_type_number('u', 64) : NULL;
}

/*
 * The type of a view without a size.  Of a number in a register of which nothing is known, an
 * errno and an enum are an int, so the upper half can be anything; flags are often a long.
 */
static const struct probe_arg_type *type_of_view(struct resolver *r, enum probe_view_kind kind)
{
	const struct probe_arg_type *own = NULL;
	unsigned int bits = kind == PROBE_VIEW_FLAGS ? BITS_PER_LONG : 32;

	if (r->arg->type.count)
		probe_btf_enter_array(&r->btf);
	if (!r->arg->type.count || !r->btf.width)
		own = own_type(r);
	if (!own && r->fetch->src == PROBE_SRC_FIELD && !r->fetch->nr_steps)
		bits = r->fetch->part * 8;
	if (own)
		bits = own->size * 8;
	if (kind == PROBE_VIEW_ENUM && own)
		return own;
	return probe_type_number(kind == PROBE_VIEW_FLAGS ? 'u' : 's', bits);
}

static int resolve_view(struct resolver *r, const struct probe_view_word *word,
			unsigned int bits, unsigned int pos)
{
	enum probe_view_kind kind = word->kind;
	const struct probe_arg_type *type;

	if (kind == PROBE_VIEW_ERRNO && !bits && !r->arg->type.count &&
	    probe_btf_is_pointer(&r->btf))
		kind = PROBE_VIEW_ERRPTR;
	if (bits)
		type = probe_type_number(kind <= PROBE_VIEW_ENUM ? 's' : 'u', bits);
	else
		type = type_of_view(r, kind);
	if (word->bytes && r->fetch->count)
		return fail_array(r, "bytes cannot be an array", pos);
	if (word->bytes)
		r->fetch->count = word->bytes;
	r->def->type = type;
	return probe_resolve_view(r->p, r->arg, kind, &r->btf,
				  r->fetch->bits.width ?: type->size * 8, r->def, r->cmd,
				  r->scope);
}

static int find_type(struct resolver *r, unsigned int pos)
{
	const struct probe_type_ast *t = &r->arg->type;
	const struct probe_view_word *word;
	const struct probe_arg_type *type;
	unsigned int bits;

	switch (t->form) {
	case PROBE_TYPE_NONE:
		type = own_type(r);
		if (!type && r->btf.type && r->arg->in_formula)
			return fail(r, PROBE_ERR_NOT_A_NUMBER, pos);
		type = type ?: probe_type_default();
		break;
	case PROBE_TYPE_BITFIELD:
		type = probe_type_number('u', t->container);
		r->fetch->bits.width = t->width;
		r->fetch->bits.shift = t->shift;
		r->fetch->bits.load = t->container / 8;
		break;
	default:
		word = probe_view_find(t->str, &bits);
		if (word)
			return resolve_view(r, word, bits, pos);
		type = probe_type_find(t->str);
		break;
	}
	if (!type || is_refused(r, type))
		return fail(r, PROBE_ERR_BAD_TYPE, pos);
	r->def->type = type;
	return 0;
}

static bool has_no_value(const struct resolver *r)
{
	return r->fetch->src == PROBE_SRC_NONE;
}

/* Values that are not read from an address have one type. */
static int check_only_type(struct resolver *r, const struct probe_type_ast *t, unsigned int pos)
{
	if (r->fetch->store == PROBE_STORE_STACK) {
		r->def->type = probe_type_stack(r->fetch->user);
		return t->form == PROBE_TYPE_NONE ? 0 : fail(r, PROBE_ERR_BAD_TYPE, pos);
	}
	r->def->type = probe_type_string();
	if (t->count || (t->form != PROBE_TYPE_NONE && probe_type_find(t->str) != r->def->type))
		return fail(r, PROBE_ERR_NEED_STRING_TYPE, pos);
	return 0;
}

static int resolve_type(struct resolver *r)
{
	const struct probe_type_ast *t = &r->arg->type;
	unsigned int pos = t->form == PROBE_TYPE_NONE ? r->arg->text.pos : t->str.pos;
	int ret;

	r->fetch->count = t->count;
	if (has_no_value(r))
		return check_only_type(r, t, pos);

	ret = find_type(r, pos);
	if (ret)
		return ret;
	switch (r->def->type->class) {
	case PROBE_CLASS_STRING:
	case PROBE_CLASS_USTRING:
		return store_string(r, pos);
	case PROBE_CLASS_SYMSTR:
		return store_symstr(r, pos);
	case PROBE_CLASS_PATH:
		return store_path(r, pos);
	default:
		return probe_view_is_bytes(r->def->view) ? store_bytes(r, pos) :
							   store_number(r, pos);
	}
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
	struct resolver r = {
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
		ret = resolve_type(&r);
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
