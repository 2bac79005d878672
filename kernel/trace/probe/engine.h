/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Declarations shared by the files of the engine.  Providers see only probe.h and the
 * headers that it includes.
 *
 *   arena.c		memory that is freed all at once
 *   errors.c		the errors of commands
 *   lex.c		tokens
 *   names.c		names of numbers
 *   types.c		the table of types
 *   view.c		how numbers and bytes are shown, if not as their type says
 *   parse.c		a command: its words, kind and MAXACTIVE
 *   parse_event.c	name and options of the event
 *   parse_names.c	names of numbers in a type
 *   parse_type.c	types of arguments
 *   parse_operator.c	operators of expressions
 *   parse_operand.c	operands of expressions
 *   parse_arg.c	arguments
 *   parse_predicate.c	the predicate after "if"
 *   replace.c		replaces the expression of an argument
 *   symbol.c		whether a symbol exists, and is unique
 *   btf.c		parameters, members and return values in BTF
 *   btf_enum.c		enums in BTF
 *   expand.c		arguments that stand for others
 *   resolve_view.c	how an argument is shown
 *   resolve_type.c	types, and how values are stored
 *   resolve_operand.c	operands, the sources of values
 *   resolve.c		from an expression to a source, steps and a store
 *   resolve_name.c	operands of predicates that are arguments or variables
 *   resolve_formula.c	expressions with operators
 *   match.c		compares a string with the text of a predicate
 *   resolve_predicate.c	the comparisons of a predicate
 *   layout.c		offsets in the record
 *   emit.c		single eBPF instructions
 *   store.c		stores numbers and texts in a record
 *   helpers_user.c	functions that programs of probes in user space call
 *   helpers.c		functions that programs call; facts about the machine
 *   gen.c		parts of a program: pointer registers, calls, slow paths
 *   gen_store.c	parts of a program: stores to the record
 *   gen_load.c		parts of a program: sources of values, loads
 *   gen_formula.c	parts of a program: arithmetic
 *   gen_record.c	parts of a program: arguments in the record
 *   gen_predicate.c	parts of a program: the comparisons of a predicate
 *   codegen.c		from arguments to eBPF
 *   prog.c		from eBPF to an executable program
 *   owner.c		owners of probes: open files and processes
 *   limits.c		limits of events: sample, rate, count
 *   dump.c		text of a resolved argument, for developers
 *   probe.c		one probe: arguments, linking, listing, matching
 *   filter.c		filters of events as programs
 *   hit.c		the hit path
 *   hit_user.c		the hit path of probes in user space
 *   print.c		format, print fmt, trace
 *   group.c		groups of events
 *   event.c		an event and the probes that feed it
 *   arm.c		arm, disarm and delete probes, also of sets of events
 *   reap.c		deletes probes whose owner is gone
 *   spent.c		disables events whose count has passed
 *   error_log.c	error_log
 *   define.c		from a command to a probe, stage by stage
 *   dynevent.c		providers as kinds of dynamic events, and their files
 *
 * A file uses only functions of files before it in this list.
 * Documentation/trace/probe-engine.rst explains the stages, and how to add a type, a source
 * or a provider.
 */
#ifndef _PROBE_ENGINE_H
#define _PROBE_ENGINE_H

#include <linux/string.h>
#include <linux/trace_events.h>

#include "probe.h"
#include "view.h"

struct event_filter;
struct file;
struct module;
struct probe_arg_type;
struct probe_btf_value;
struct probe_fetch;
struct probe_predicate;
struct probe_symbol;

/**
 * struct probe_arg_def - one argument of a probe, for listing and matching
 * @name: its name; its text follows the NUL, see probe_arg_text()
 * @type: its type
 * @view: how it is shown; NULL: as its type says
 * @symbol: the symbol it reads from; NULL when there is none
 */
struct probe_arg_def {
	const char		*name;
	const struct probe_arg_type	*type;
	const struct probe_view	*view;
	struct probe_symbol	*symbol;
};

/* Expression and type of an argument, as kprobe_events shows them. */
static inline const char *probe_arg_text(const struct probe_arg_def *def)
{
	return def->name + strlen(def->name) + 1;
}

/* expand.c */
int probe_expand_args(struct probe_cmd *cmd, struct probe_scope *scope);
int probe_expand_operand(struct probe_cmd *cmd, struct probe_scope *scope,
			 struct probe_arg_ast *arg);

/* resolve_view.c */
int probe_resolve_view(struct probe *p, const struct probe_arg_ast *arg,
		       enum probe_view_kind kind, const struct probe_btf_value *value,
		       unsigned int bits, struct probe_arg_def *def, struct probe_cmd *cmd,
		       struct probe_scope *scope);

/* resolve_operand.c */
bool probe_scope_has_field(const struct probe_scope *scope, struct probe_str name);

/* resolve.c */
int probe_resolve_arg(struct probe *p, const struct probe_arg_ast *arg, struct probe_fetch *fetch,
		      struct probe_arg_def *def, struct probe_cmd *cmd, struct probe_scope *scope);

/* resolve_name.c */
int probe_find_arg(const struct probe *p, struct probe_str name);
const struct probe_arg_type *probe_find_variable(struct probe_str name, struct probe_fetch *fetch);
int probe_find_same(const struct probe *p, const struct probe_fetch *fetch,
		    const struct probe_symbol *symbol);

/* resolve_formula.c */
int probe_resolve_expr(struct probe *p, const struct probe_arg_ast *arg, struct probe_fetch *fetch,
		       struct probe_arg_def *def, struct probe_cmd *cmd, struct probe_scope *scope,
		       bool in_predicate);

/* resolve_predicate.c */
int probe_resolve_predicate(struct probe *p, struct probe_cmd *cmd, struct probe_scope *scope);

/* probe.c */
int probe_set_args(struct probe *p, struct probe_cmd *cmd,
		   struct probe_scope *scope);
bool probe_same_args(const struct probe *a, const struct probe *b);
int probe_make_decision(const struct probe *p, struct bpf_prog **prog,
			const struct probe_predicate *predicate, bool fetches);
#ifdef CONFIG_PROBE_EVENTS_DUMP_FETCHARG
void probe_dump_args(const struct probe *p, struct seq_file *m);
#else
static inline void probe_dump_args(const struct probe *p, struct seq_file *m) { }
#endif

/* filter.c */

/**
 * struct probe_filter - the filter of an event as a program for one probe
 * @filter: the filter
 * @prog: returns PROBE_ACCEPT if the filter accepts a hit
 * @fetches: if it accepts the hit, @prog fetches the arguments to hit->rec, as the program of a
 *	probe with a predicate does; otherwise, it does not access hit->rec
 * @rcu: for kfree_rcu()
 */
struct probe_filter {
	const struct event_filter	*filter;
	struct bpf_prog			*prog;
	bool				fetches;
	struct rcu_head			rcu;
};

void probe_filter_set(struct probe *p, const struct event_filter *filter);

/* symbol.c */
#ifdef CONFIG_MODULES
struct module *probe_get_module(const char *name);
#else
static inline struct module *probe_get_module(const char *name)
{
	return NULL;
}
#endif

/* event.c */
int probe_event_limit(struct probe_event *event, const struct probe_options *options,
		      void (*spent)(void));
int probe_event_register(struct probe_event *event);
int probe_event_join(struct probe_event *event, struct probe *p);
void probe_event_compile_filter(struct probe_event *event);
unsigned int probe_event_differs(const struct probe_event *event,
				 const struct probe *p);

/* arm.c */
extern struct list_head probe_providers;

/* owner.c */
int probe_owner_set(struct probe *p, struct probe_cmd *cmd, void (*exited)(void));
void probe_owner_put(struct probe *p);
void probe_owner_show(const struct probe *p, struct seq_file *m);
bool probe_owner_is_gone(const struct probe *p);
bool probe_owners_gone(void);
bool probe_owner_close(const struct file *file);

/* limits.c; for providers, see probe.h */
struct probe_limits *probe_limits_new(const struct probe_options *options, void (*spent)(void));
void probe_limits_free(struct probe_limits *l);
bool probe_limits_differ(const struct probe_limits *l, const struct probe_options *options);
void probe_limits_show(const struct probe_limits *l, struct seq_file *m);
void probe_limits_start(struct probe_limits *l, bool is_first);
void probe_limits_mark_spent(struct probe_limits *l);
bool probe_limits_are_spent(const struct probe_limits *l);
void probe_limits_disabled(struct probe_limits *l);
bool probe_limits_pass(struct probe *p, bool perf);

/* reap.c */
void probe_reap_soon(void);
void probe_reap_file(const struct file *file);

/* spent.c */
void probe_disable_spent_soon(void);

/* group.c */
struct trace_event_class *probe_group_get(const char *name,
					  const struct trace_event_class *class);
void probe_group_put(struct trace_event_class *class);

/* print.c */
int probe_event_set_print_fmt(struct probe_event *event);
int probe_event_define_fields(struct trace_event_call *call);
enum print_line_t probe_event_print(struct trace_iterator *iter, int flags,
				    struct trace_event *trace_event);

/* hit.c */
int probe_scratch_get(void);

#endif /* _PROBE_ENGINE_H */
