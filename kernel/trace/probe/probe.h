/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The interface of the probe engine for providers.
 *
 * A provider (kprobe, fprobe, uprobe and watchpoint events, event probes) parses and looks
 * up the place of a probe, arms it, and is called on a hit.  The engine handles everything
 * between the text of a command and a record in a buffer, and decides which probes are armed:
 *
 *   struct probe_scope   the function at that place, whether the place is its entry
 *                        or return, and the names that arguments can refer to
 *   struct probe         the arguments of one probe and their fetch program
 *   struct probe_event   the event in tracefs that one or more probes feed
 *
 * Lifetime: probe_command() runs a command, and probe_define() defines a probe.
 * probe_init() and probe_set_args() set it up, probe_event_new() or
 * probe_event_join() adds it to an event, and probe_link() generates its programs.
 * Later, probe_event_leave() removes it from the event, and probe_fini() frees its
 * programs and arena.  The event is freed with its last probe.  All names and texts
 * are allocated from the arena of the probe or event that shows them.
 *
 * Locking: event_mutex protects the list of probes of an event, its list of
 * files and its flags.  A hit reads files and flags under RCU (sched flavour:
 * providers disable preemption).  Code that cannot take event_mutex can walk the
 * list of probes under probe_siblings_mutex, which nests inside event_mutex and is
 * held only briefly.
 */
#ifndef _PROBE_PROBE_H
#define _PROBE_PROBE_H

#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/trace_events.h>
#include <linux/trace_seq.h>

#include "arena.h"
#include "ast.h"
#include "layout.h"
#include "trace_dynevent.h"

struct bpf_prog;
struct btf;
struct btf_param;
struct btf_type;
struct probe_arg_def;
struct probe_arg_type;
struct perf_event;
struct probe_event;
struct probe_drops;
struct probe_fetch;
struct probe_filter;
struct probe_limits;
struct probe_owner;
struct probe_predicate;
struct probe_provider;
struct probe_view;
struct seq_file;
struct trace_array;

/**
 * struct probe_saved - a value that the provider saved for a hit
 * @name: its name, without '$'
 * @offset: its offset in the saved data, where it is a long
 * @size: number of its bytes that matter: 1, 2, 4 or 8
 */
struct probe_saved {
	const char	*name;
	u8		offset;
	u8		size;
};

/**
 * struct probe_scope - names that a probe's arguments can refer to
 * @is_entry: the probe is at the entry of a function
 * @is_return: the probe is at the return of a function
 * @fields: $NAME and NAME are fields of a record of this event; NULL: $NAME is a variable
 * @saved: values that the provider saves for each hit, in addition to the registers
 * @nr_saved: number of @saved
 * @func: name of that function, without module; NULL when not known
 * @module: name of the module that has the function; NULL: look in the kernel first
 * @untyped: $argN and $retval without members are plain numbers
 * @no_names: the function is not known, so its parameters have no names
 * @no_registers: registers have no names
 * @in_user: the probe is in user space, where nothing is known about functions and symbols
 * @file_offset: with @in_user: offset of the probe in its file
 * @saved_args: the first arguments, as many as this number, are saved as longs in the data of
 *	the hit; 0: they are where a call passes them
 * @skip_params: number of parameters of @func that are not arguments
 * @btf: BTF that describes @func; NULL before probe_scope_btf()
 * @proto: the function's prototype in @btf
 * @params: its parameters
 * @nr_params: number of @params
 * @cast_btf: BTF of the structure of the last cast, or NULL
 */
struct probe_scope {
	bool			is_entry;
	bool			is_return;
	bool			untyped;
	bool			no_names;
	bool			no_registers;
	bool			in_user;
	u8			saved_args;
	u8			skip_params;
	unsigned long		file_offset;
	u8			nr_saved;
	const struct probe_saved	*saved;
	struct trace_event_call	*fields;
	const char		*func;
	const char		*module;
	struct btf		*btf;
	const struct btf_type	*proto;
	const struct btf_param	*params;
	unsigned int		nr_params;
	struct btf		*cast_btf;
};

/* Are the arguments of a function known at the probe? */
static inline bool probe_scope_has_args(const struct probe_scope *scope)
{
	return scope->is_entry || (scope->is_return && !scope->in_user);
}

/* Can the arguments of the command name the parameters of the function? */
static inline bool probe_scope_has_names(const struct probe_scope *scope)
{
	return probe_scope_has_args(scope) && !scope->no_names;
}

/* The time at the entry, a u64; on 32-bit machines, PROBE_ENTRY_MORE is for its second half. */
#define PROBE_ENTRY_TIME	U16_MAX
#define PROBE_ENTRY_MORE	(U16_MAX - 1)

/**
 * struct probe_entry - values that a return probe saves at the entry of a function
 * @prog: saves them
 * @nr: number of longs
 * @args: for each long, the index of a function argument, or PROBE_ENTRY_*
 */
struct probe_entry {
	struct bpf_prog	*prog;
	u16		nr;
	u16		args[];
};

/**
 * struct probe - the engine's part of a probe
 * @devent: in the list of all dynamic events
 * @list: in the provider's list of probes, or in a list of probes to free
 * @event: the event it feeds
 * @prog: writes the arguments into a record; NULL without arguments
 * @filter: the filter that decides about hits before their records are fetched, or NULL
 * @layout: layout of its records; fields and fault map are as in the event
 * @nr_args: number of arguments
 * @nr_saved: number of the last argument that it reads from those that the provider saved
 * @uses_regs: it reads registers or the stack
 * @reads_other_regs: it reads registers by their names that ftrace saves only with SAVE_REGS
 * @reads_memory: it reads memory other than registers, the stack and saved values
 * @in_user: it is in user space
 * @uses_entry_time: it is in user space, and the data of a hit must be the time at the entry
 * @checks: PROBE_CHECK_*: the checks before a hit is recorded; 0: each hit is recorded
 * @args: names and types of the arguments
 * @fetch: how to fetch them
 * @predicate: its predicate; NULL without PROBE_CHECK_PREDICATE
 * @drops: number of hits that were not recorded; NULL without @checks
 * @entry: values that it saves at the entry of a function for the return, or NULL
 * @siblings: entry in the event's list of probes
 * @owner: its owner, or NULL
 * @arena: memory of names, texts and fetch steps
 */
struct probe {
	struct dyn_event	devent;
	struct list_head	list;
	struct probe_event	*event;
	struct bpf_prog		*prog;
	struct probe_filter __rcu	*filter;
	struct probe_layout	layout;
	u8			nr_args;
	u8			nr_saved;
	bool			uses_regs:1;
	bool			reads_other_regs:1;
	bool			reads_memory:1;
	bool			in_user:1;
	bool			uses_entry_time:1;
	u8			checks;
	struct probe_arg_def	*args;
	struct probe_fetch	*fetch;
	struct probe_predicate	*predicate;
	struct probe_drops __percpu	*drops;
	struct probe_entry	*entry;
	struct list_head	siblings;
	struct probe_owner	*owner;
	struct probe_arena	*arena;
};

/* Bytes that a probe saves at the entry of a function. */
static inline size_t probe_entry_size(const struct probe *p)
{
	return p->entry ? p->entry->nr * sizeof(long) : 0;
}

/* checks of struct probe */
#define PROBE_CHECK_PREDICATE	BIT(0)
#define PROBE_CHECK_LIMITS	BIT(1)	/* the limits of its event */

/**
 * struct probe_drops - number of hits without a record
 * @by: the number for each enum probe_verdict, except for PROBE_ACCEPT
 */
struct probe_drops {
	unsigned long	by[6];
};

/* probe.c */

int probe_init(struct probe *p, size_t names, unsigned int nr_args);
int probe_link(struct probe *p, struct probe_cmd *cmd);
void probe_fini(struct probe *p);
void probe_show_args(const struct probe *p, struct seq_file *m);
bool probe_match_args(const struct probe *p, int argc, const char **argv);
struct probe_drops probe_count_drops(const struct probe *p);

/* define.c */

/**
 * enum probe_state - state of a probe
 * @PROBE_GONE: its code is not there now, so it cannot be armed
 * @PROBE_DISARMED: it can be armed
 * @PROBE_ARMED: it is armed
 */
enum probe_state {
	PROBE_GONE,
	PROBE_DISARMED,
	PROBE_ARMED,
};

/**
 * struct probe_provider - a kind of dynamic events
 * @name: its name in error_log
 * @kinds: the kinds of its commands, one character each
 * @cmd_size: bytes of its struct for commands, which begins with struct probe_cmd
 * @run: parses the place of a command of two words or more, and calls probe_define();
 *	returns -ECANCELED, without an error in the command, if it is for another provider
 * @create: looks up the place in the provider's struct for commands, and allocates the probe;
 *	returns an ERR_PTR() on failure; the command has the error, except for -ENOMEM
 * @set_scope: sets the names that arguments at that place can refer to
 * @group: group of an event if the command has none
 * @default_event_name: writes a name for the event if the command has none; characters that
 *	are not allowed in a name are replaced later
 * @event_ops: the constants of the probe's event
 * @same_place: do two probes have the same place?
 * @install: registers a probe at its place, armed if its event is enabled; event_mutex is
 *	held
 * @release: drops the references that prevent the deletion of other events, as soon as a probe
 *	is deleted; optional
 * @free: frees a probe that is not installed
 * @show_kind: shows the kind of a probe, and MAXACTIVE, as in a command
 * @show_place: shows its place
 * @match_place: is this word of a command its place?
 * @state: state of a probe
 * @begin: begins to arm or disarm several probes
 * @arm: arms a probe, which is not PROBE_GONE
 * @disarm: disarms a probe, which is not PROBE_GONE
 * @end: ends the work that @begin began; returns 0 or a negative errno; after an error, none of the
 *	probes is armed
 * @explain: writes to error_log why a probe could not be armed; optional
 * @unregister: unregisters the probes of a list, which are then not hit any more
 * @dyn: the callbacks for dynamic events, set by probe_provider_register()
 * @entry: in the list of all providers
 * @probes: its probes, oldest first, linked by struct probe.list; without those that belong to
 *	a perf event
 * @deleted: its probes that the end of the set frees
 * @in_set: a set of changes has begun
 * @has_changes: an event changed in the set
 * @has_closed: perf has closed an event, which is still armed
 *
 * event_mutex protects the members from @probes on, and is held for the callbacks from
 * @install on.
 */
struct probe_provider {
	const char	*name;
	const char	*kinds;
	size_t		cmd_size;

	int		(*run)(struct probe_cmd *cmd);
	struct probe	*(*create)(struct probe_cmd *cmd);
	int		(*set_scope)(struct probe *p, struct probe_cmd *cmd,
				     struct probe_scope *scope);
	const char	*(*group)(const struct probe *p);
	void		(*default_event_name)(const struct probe *p, char *buf, size_t size);
	const struct probe_event_ops *(*event_ops)(const struct probe *p);
	bool		(*same_place)(const struct probe *a, const struct probe *b);
	int		(*install)(struct probe *p, struct probe_cmd *cmd);
	void		(*release)(struct probe *p);
	void		(*free)(struct probe *p);

	void		(*show_kind)(const struct probe *p, struct seq_file *m);
	void		(*show_place)(const struct probe *p, struct seq_file *m);
	bool		(*match_place)(const struct probe *p, const char *word);

	enum probe_state (*state)(const struct probe *p);
	void		(*begin)(void);
	void		(*arm)(struct probe *p);
	void		(*disarm)(struct probe *p);
	int		(*end)(void);
	void		(*explain)(const struct probe *p, int err);
	void		(*unregister)(struct list_head *probes);

	struct dyn_event_operations	dyn;
	struct list_head	entry;
	struct list_head	probes;
	struct list_head	deleted;
	bool			in_set;
	bool			has_changes;
	bool			has_closed;
};

static inline struct probe_provider *probe_provider_of(const struct probe *p)
{
	return container_of(p->devent.ops, struct probe_provider, dyn);
}

/* define.c */
int probe_command(struct probe_provider *provider, const char *raw);
int probe_define(struct probe_provider *provider, struct probe_cmd *cmd);

/* dynevent.c */
int probe_provider_register(struct probe_provider *provider, int (*create)(const char *raw));
int probe_run_command(struct probe_provider *provider, const char *raw);
extern const struct file_operations probe_events_fops;

/* symbol.c */

#ifdef CONFIG_MODULES
bool probe_module_at(unsigned long addr, char *name);
#else
static inline bool probe_module_at(unsigned long addr, char *name)
{
	return false;
}
#endif
unsigned int probe_symbol_count(const char *module, const char *name);
bool probe_module_absent(const char *module);
int probe_symbol_check(const char *module, const char *name);

/* event.c */

/* flags of struct probe_event: users of the event, and whether a probe has checks */
#define PROBE_EVENT_TRACE	BIT(0)
#define PROBE_EVENT_PERF	BIT(1)
#define PROBE_EVENT_CHECK	BIT(2)

/**
 * struct probe_field - one argument of an event, for declaring and printing
 * @name: its name
 * @decl: its declaration in the format file: the type, with "[N]" for arrays
 * @type: its type
 * @view: how it is shown; NULL: as its type says
 * @count: array elements, 0 when it is not an array
 * @dst: offset in the record
 * @fault: number of the argument's first bit in the fault map
 */
struct probe_field {
	const char		*name;
	const char		*decl;
	const struct probe_arg_type	*type;
	const struct probe_view	*view;
	u16			count;
	u16			dst;
	u16			fault;
};

/* Header words of the records of probes in code: where the probe is, or which function returned */
#define PROBE_HEAD_IP		"__probe_ip"
#define PROBE_HEAD_FUNC		"__probe_func"
#define PROBE_HEAD_RET_IP	"__probe_ret_ip"

/**
 * struct probe_event_ops - constants and callbacks for a provider's events
 * @nr_head: number of header words, or 0
 * @head: their names in the format file
 * @head_fmt: their conversion in print fmt, without quotes
 * @flag: TRACE_EVENT_FL_* of the provider
 * @print_head: prints "(...)" before the arguments
 * @alone: the event has only one probe
 * @arm: arms the probes of an event; event_mutex is held
 * @disarm: disarms them; event_mutex is held
 * @arm_for: used instead of @arm if each user needs it: arms them for a trace instance, or for
 *	perf if @file is NULL
 * @disarm_for: used instead of @disarm: disarms them for this user
 * @perf_open: a perf event has opened the event, which is armed for perf; optional; returns 0 or
 *	a negative errno
 * @perf_close: this perf event closes it; optional
 * @data_size: bytes of the provider's data for an event, or 0
 * @init_data: initializes the data, which are zero
 */
struct probe_event_ops {
	unsigned int	nr_head;
	const char	*head[PROBE_MAX_HEAD];
	const char	*head_fmt;
	unsigned int	flag;
	bool		alone;
	void		(*print_head)(struct trace_seq *s, const struct probe_event *event,
				      const unsigned long *head, unsigned long flags);
	int		(*arm)(struct probe_event *event);
	void		(*disarm)(struct probe_event *event);
	int		(*arm_for)(struct probe_event *event, struct trace_event_file *file);
	void		(*disarm_for)(struct probe_event *event, struct trace_event_file *file);
	int		(*perf_open)(struct probe_event *event, struct perf_event *pe);
	void		(*perf_close)(struct probe_event *event, struct perf_event *pe);
	size_t		data_size;
	void		(*init_data)(void *data);
};

/**
 * struct probe_event - an event in tracefs and the probes that feed it
 * @flags: PROBE_EVENT_* ; written under event_mutex, read by hits
 * @nr_head: number of header words, as in @ops
 * @layout: layout of the first probe's records; all probes have the same fields and fault map
 * @nr_fields: number of @fields
 * @nr_copied: number of probes among @nr_probes whose records are copied to the buffer: those
 *	that have dynamic data or a predicate; protected by event_mutex
 * @nr_checked: number of probes among @nr_probes that have checks; protected by
 *	event_mutex
 * @nr_probes: number of probes that use the event: those in @probes, and removed probes for
 *	which probe_event_put() has not been called; protected by event_mutex
 * @file: the file in @files; NULL if @files has none or several, or if @nr_copied or
 *	@nr_checked is not 0; written under event_mutex, read by hits
 * @files: list of struct probe_file, one for each trace instance where the event is enabled
 * @file_gp: grace period after which no hit uses a file removed from @files
 * @ops: the provider's constants
 * @call: the event, for the rest of the tracing code; call.data is the provider's data, see @ops
 * @defined: the fields of its records, for the rest of the tracing code
 * @probes: the probes; changed under both event_mutex and probe_siblings_mutex
 * @fields: its arguments
 * @kept_text: see probe_event_keep_text(); protected by probe_siblings_mutex
 * @limits: its limits, or NULL
 * @arena: memory of names, fields and print fmt
 */
struct probe_event {
	unsigned int			flags;
	u8				nr_head;
	struct probe_layout		layout;
	u16				nr_fields;
	unsigned int			nr_probes;
	unsigned int			nr_copied;
	unsigned int			nr_checked;
	struct trace_event_file		*file;
	struct list_head		files;
	unsigned long			file_gp;
	const struct probe_event_ops	*ops;
	struct trace_event_call		call;
	struct list_head		defined;
	struct list_head		probes;
	struct probe_field		*fields;
	const char			*kept_text;
	struct probe_limits		*limits;
	struct probe_arena		*arena;
};

extern struct mutex probe_siblings_mutex;

/**
 * struct probe_file - a trace instance where an event is enabled
 * @list: entry in @files of the event
 * @file: the event in this instance
 * @was_enabled: the event had been enabled in this instance before
 * @rcu: for kfree_rcu()
 */
struct probe_file {
	struct list_head	list;
	struct trace_event_file	*file;
	bool			was_enabled;
	struct rcu_head		rcu;
};

struct probe_event *probe_event_new(struct probe *p, const char *group,
				    const char *name,
				    const struct probe_event_ops *ops);
struct probe_event *probe_event_find(const char *group, const char *name);
int probe_event_unregister(struct probe_event *event);
void probe_event_disable(struct probe_event *event);
void probe_event_disable_unarmed(struct probe_event *event);
void probe_event_unlink(struct probe *p);
void probe_event_put(struct probe *p);
void probe_event_leave(struct probe *p);
const char *probe_event_keep_text(struct probe_event *event, const char *text);
struct probe_event *probe_event_from(struct trace_event_call *call);

static inline struct probe_event *probe_event_of(struct trace_event_call *call)
{
	return container_of(call, struct probe_event, call);
}

static inline struct probe *probe_event_first(struct probe_event *event)
{
	return list_first_entry_or_null(&event->probes, struct probe, siblings);
}

static inline bool probe_event_enabled(const struct probe_event *event)
{
	return event->flags & (PROBE_EVENT_TRACE | PROBE_EVENT_PERF);
}

/* The flags of an event, for a hit. */
static inline unsigned int probe_event_flags(const struct probe_event *event)
{
	/* Pairs with set_flag(): perf has initialized its data for the event. */
	return smp_load_acquire(&event->flags);
}

/* Does a hit go to perf or BPF?  If it does, it may go to trace instances, too. */
static inline bool probe_event_uses_perf(const struct probe_event *event)
{
	if (!IS_ENABLED(CONFIG_PERF_EVENTS))
		return false;
	return unlikely(probe_event_flags(event) & PROBE_EVENT_PERF);
}

static inline const char *probe_event_name(const struct probe_event *event)
{
	return event->call.name;
}

static inline const char *probe_event_group(const struct probe_event *event)
{
	return event->call.class->system;
}

/* arm.c */
int probe_event_arm(struct probe_event *event);
void probe_event_disarm(struct probe_event *event);
int probe_arm_enabled(struct probe_provider *provider,
		      void (*failed)(struct probe *p, int err));
void probe_begin_set(struct probe_provider *provider);
int probe_end_set(struct probe_provider *provider);
int probe_delete(struct probe *p);
#ifdef CONFIG_PERF_EVENTS
void probe_finish_closed(struct probe_provider *provider);
void probe_finish_all_closed(void);
#else
static inline void probe_finish_closed(struct probe_provider *provider) { }
static inline void probe_finish_all_closed(void) { }
#endif

/* limits.c */
bool probe_limits_pass_to(struct probe *p, struct trace_event_file *file);

/* hit.c */
void probe_hit_trace_one(struct probe *p, struct pt_regs *regs, void *entry,
			 unsigned long addr, unsigned long ret_addr,
			 struct trace_event_file *file);
void probe_hit_trace_addr(struct probe *p, struct pt_regs *regs, unsigned long addr,
			  struct trace_event_file *file);
void probe_hit_trace_all(struct probe *p, struct pt_regs *regs, void *entry,
			 unsigned long addr, unsigned long ret_addr);
void probe_hit_file(struct probe *p, void *saved, struct trace_event_file *file);
void probe_hit_here(struct probe *p, void *saved, unsigned long addr);
void probe_hit_perf(struct probe *p, void *saved);
void probe_hit_entry(struct probe *p, struct pt_regs *regs, void *data);
void probe_hit_perf_events(struct probe *p, struct pt_regs *regs, void *entry,
			   unsigned long addr, unsigned long ret_addr);
int probe_hit_programs(struct probe *p, struct pt_regs *regs, void *entry,
		       unsigned long addr, unsigned long ret_addr, bool may_redirect);
int probe_hit_all(struct probe *p, unsigned int flags, struct pt_regs *regs, void *entry,
		  unsigned long addr, unsigned long ret_addr, bool may_redirect);

/**
 * probe_hit_trace() - record a hit in all trace instances that use the event
 * @p: the probe, which has no predicate
 * @regs: registers at the probe
 * @entry: data saved at function entry, or NULL
 * @addr: first header word
 * @ret_addr: second header word
 *
 * Context: any, NMI included; preemption is disabled.
 */
static __always_inline void probe_hit_trace(struct probe *p, struct pt_regs *regs, void *entry,
					    unsigned long addr, unsigned long ret_addr)
{
	struct trace_event_file *file = READ_ONCE(p->event->file);

	if (likely(file))
		probe_hit_trace_one(p, regs, entry, addr, ret_addr, file);
	else
		probe_hit_trace_all(p, regs, entry, addr, ret_addr);
}

/**
 * probe_hit_may_fault() - ask whether a hit may read memory that is not mapped
 * @p: the probe
 *
 * Filters, triggers and perf may do so, too.
 *
 * Context: any, NMI included; preemption is disabled.
 * Return: false if the hit only goes to probe_hit_trace(), reads values that are saved, and
 * cannot fault.
 */
static __always_inline bool probe_hit_may_fault(const struct probe *p)
{
	const struct trace_event_file *file = READ_ONCE(p->event->file);

	if (p->reads_memory || p->uses_regs || !file || probe_event_uses_perf(p->event))
		return true;
	return READ_ONCE(file->flags) & (EVENT_FILE_FL_FILTERED | EVENT_FILE_FL_TRIGGER_MODE);
}

/*
 * Does a hit go to trace instances only, without any check?  @flags: from probe_event_flags().
 * One test recognizes most hits.
 */
static __always_inline bool probe_hit_is_plain(unsigned int flags)
{
	return likely(!(flags & (PROBE_EVENT_PERF | PROBE_EVENT_CHECK)));
}

/*
 * Pass the hit of a probe without a predicate to BPF programs and perf events.  Most events have
 * one or the other, so a hit does not save registers for both.
 */
static __always_inline int probe_hit_perf_only(struct probe *p, struct pt_regs *regs,
					       void *entry, unsigned long addr,
					       unsigned long ret_addr, bool may_redirect)
{
#ifdef CONFIG_PERF_EVENTS
	if (bpf_prog_array_valid(&p->event->call))
		return probe_hit_programs(p, regs, entry, addr, ret_addr, may_redirect);
	probe_hit_perf_events(p, regs, entry, addr, ret_addr);
#endif
	return 0;
}

/* Pass a hit to all users of its event. */
static __always_inline int probe_hit_any(struct probe *p, unsigned int flags,
					 struct pt_regs *regs, void *entry, unsigned long addr,
					 unsigned long ret_addr, bool may_redirect)
{
	if (probe_hit_is_plain(flags)) {
		probe_hit_trace(p, regs, entry, addr, ret_addr);
		return 0;
	}
	if (flags == PROBE_EVENT_PERF)
		return probe_hit_perf_only(p, regs, entry, addr, ret_addr, may_redirect);
	return probe_hit_all(p, flags, regs, entry, addr, ret_addr, may_redirect);
}

/**
 * probe_hit() - pass the hit of a probe to all users of its event
 * @p: the probe
 * @regs: registers at the probe
 * @addr: address of the probe; the only header word of the record
 *
 * Context: any, NMI included; preemption is disabled.
 * Return: 1 when a BPF program has changed the instruction pointer (see
 * bpf_override_return()), and the task must resume there; 0 otherwise.
 */
static __always_inline int probe_hit(struct probe *p, struct pt_regs *regs,
				     unsigned long addr)
{
	unsigned int flags = probe_event_flags(p->event);
	struct trace_event_file *file;

	if (!probe_hit_is_plain(flags))
		return probe_hit_any(p, flags, regs, NULL, addr, 0, true);
	file = READ_ONCE(p->event->file);
	if (likely(file))
		probe_hit_trace_addr(p, regs, addr, file);
	else
		probe_hit_trace_all(p, regs, NULL, addr, 0);
	return 0;
}

/**
 * probe_hit_return() - pass the hit of a return probe to all users of its event
 * @p: the probe
 * @regs: registers after the function's return
 * @entry: data saved at function entry
 * @addr: address of the function; first header word of the record
 * @ret_addr: address to which the function returns; second header word of the record
 *
 * Context: any, NMI included; preemption is disabled.
 */
static __always_inline void probe_hit_return(struct probe *p, struct pt_regs *regs,
					     void *entry, unsigned long addr,
					     unsigned long ret_addr)
{
	probe_hit_any(p, probe_event_flags(p->event), regs, entry, addr, ret_addr, false);
}

/**
 * probe_hit_saved() - pass a hit, whose values are saved, to all users of its event
 * @p: the probe
 * @saved: the values
 * @addr: first header word of the record
 *
 * Context: any, NMI included; preemption is disabled.
 */
static __always_inline void probe_hit_saved(struct probe *p, void *saved, unsigned long addr)
{
	unsigned int flags = probe_event_flags(p->event);

	if (probe_hit_is_plain(flags) && likely(!p->uses_regs))
		probe_hit_trace(p, NULL, saved, addr, 0);
	else if ((flags & PROBE_EVENT_PERF) || p->uses_regs)
		probe_hit_here(p, saved, addr);
	else
		probe_hit_any(p, flags, NULL, saved, addr, 0, false);
}

/**
 * probe_hit_values() - pass a hit, with registers and saved values, to all users of its event
 * @p: the probe
 * @regs: registers at the hit
 * @saved: the values, as in struct probe_scope
 * @addr: first header word of the record
 *
 * Context: any, NMI included; preemption is disabled.
 */
static __always_inline void probe_hit_values(struct probe *p, struct pt_regs *regs,
					     void *saved, unsigned long addr)
{
	probe_hit_return(p, regs, saved, addr, 0);
}

/* hit_user.c */
void probe_hit_user(struct probe *p, struct pt_regs *regs, void *entry, unsigned long addr,
		    unsigned long ret_addr, bool perf);

/* print.c */
void probe_print_ip(struct trace_seq *s, const struct probe_event *event,
		    const unsigned long *head, unsigned long flags);
void probe_print_return(struct trace_seq *s, const struct probe_event *event,
			const unsigned long *head, unsigned long flags);

/* error_log.c */
void probe_log_text(struct trace_array *tr, const char *from, const char *text,
		    enum probe_err err, unsigned int pos, const char *detail);
void probe_log_error(const struct probe_provider *provider, const struct probe_cmd *cmd);

#endif /* _PROBE_PROBE_H */
