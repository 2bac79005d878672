/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Kprobe events: declarations shared by the files of this directory.
 *
 *   hit.c		hits
 *   place.c		parser of the place in a command
 *   probe.c		a probe and its kprobe: registration, counts
 *   arm.c		arm, disarm and unregister kprobes
 *   event.c		the head of a record
 *   many.c		definition of probes on many functions with one command
 *   list.c		definition of probes at a list of places with one command
 *   perf.c		queries of perf and BPF
 *   explain.c		why a place is refused
 *   define.c		the provider: definition and listing
 *   local.c		perf's own kprobes
 *   module.c		probes in modules that are loaded
 *   command.c		commands from the kernel command line and from kernel code
 *   files.c		the files in tracefs
 *   startup_test.c	a test at boot
 *
 * A file uses only functions of files before it in this list.
 *
 * Locking: event_mutex protects the list of probes and changes to struct trace_kprobe.
 * Functions for perf and BPF read probes under probe_siblings_mutex.  The list does not
 * contain perf's own probes.  Such a probe is changed only by its creator and by the work
 * item that frees it.  A hit reads only members that do not change while the probe is
 * registered.
 */
#ifndef _TRACE_KPROBE_KPROBE_H
#define _TRACE_KPROBE_KPROBE_H

#include <linux/build_bug.h>
#include <linux/init.h>
#include <linux/kprobes.h>
#include <linux/list.h>
#include <linux/string.h>

#include "place.h"
#include "trace_dynevent.h"
#include "probe/probe.h"

/* Default group of events. */
#define TRACE_KPROBE_GROUP	"kprobes"

/**
 * struct trace_kprobe_cmd - a command of kprobe events
 * @cmd: the engine's part; must be the first member
 * @place: the place
 * @maxactive: the number after 'r'; 0 if not given
 * @origin: if the command is for one of the places that another command names, the
 *	number of that command; otherwise 0
 * @found: the place was found by its address, so its symbol is known to exist
 */
struct trace_kprobe_cmd {
	struct probe_cmd		cmd;
	struct trace_kprobe_place	place;
	unsigned int			maxactive;
	unsigned int			origin;
	bool				found;
};

/**
 * struct trace_kprobe - a probe of kprobe events
 * @probe: its arguments and its event
 * @nhit: number of hits
 * @addr: the bare address as given; kprobes may move the probe past an ENDBR
 * @module: the MOD part of the symbol, rp.kp.symbol_name, or NULL
 * @function: the SYM part of the symbol, or NULL if there is an address instead
 * @origin: see struct trace_kprobe_cmd
 * @found: see struct trace_kprobe_cmd
 * @is_return: it is a return probe
 * @registered: it is registered with kprobes, enabled, disabled, or gone with its module
 * @rp: the kretprobe; if it is not a return probe, only rp.kp is allocated
 */
struct trace_kprobe {
	struct probe		probe;
	unsigned long __percpu	*nhit;
	unsigned long		addr;
	const char		*module;
	const char		*function;
	unsigned int		origin;
	bool			found;
	bool			is_return;
	bool			registered;
	struct kretprobe	rp;
};

extern struct probe_provider trace_kprobe_provider;

/* All probes of an event. */
#define for_each_trace_kprobe_of(tk, event)	\
	list_for_each_entry(tk, &(event)->probes, probe.siblings)

/* The engine allocates and copies both together. */
static_assert(offsetof(struct trace_kprobe_cmd, cmd) == 0);

static inline struct trace_kprobe_cmd *to_trace_kprobe_cmd(struct probe_cmd *cmd)
{
	return container_of(cmd, struct trace_kprobe_cmd, cmd);
}

static inline struct trace_kprobe *trace_kprobe_of(const struct probe *p)
{
	return container_of(p, struct trace_kprobe, probe);
}

static inline bool trace_kprobe_is_return(const struct trace_kprobe *tk)
{
	return tk->is_return;
}

/* "[MOD:]SYM", or NULL for a probe at a bare address. */
static inline const char *trace_kprobe_symbol(const struct trace_kprobe *tk)
{
	return tk->rp.kp.symbol_name;
}

static inline bool trace_kprobe_is_in(const struct trace_kprobe *tk, const char *module)
{
	return tk->module && !strcmp(tk->module, module);
}

/* Is the probed code loaded, so that the probe can be armed? */
static inline bool trace_kprobe_has_text(struct trace_kprobe *tk)
{
	return tk->registered && !kprobe_gone(&tk->rp.kp);
}

static inline const char *trace_kprobe_event_name(const struct trace_kprobe *tk)
{
	return probe_event_name(tk->probe.event);
}

static inline const char *trace_kprobe_group_name(const struct trace_kprobe *tk)
{
	return probe_event_group(tk->probe.event);
}

/* hit.c */
void trace_kprobe_set_handlers(struct trace_kprobe *tk);
void trace_kprobe_save_at_entry(struct trace_kprobe *tk, size_t size);

/* probe.c */
struct trace_kprobe *trace_kprobe_alloc(const struct trace_kprobe_place *place, bool ret,
					unsigned int nr_args);
void trace_kprobe_free(struct trace_kprobe *tk);
int trace_kprobe_register(struct trace_kprobe *tk, bool enable, struct probe_cmd *cmd);
bool trace_kprobe_needs_all_regs(const struct trace_kprobe *tk);
bool trace_kprobe_addr_is_notrace(unsigned long addr);
bool trace_kprobe_is_notrace(const struct trace_kprobe *tk);
unsigned long trace_kprobe_address(const struct trace_kprobe *tk);
unsigned long trace_kprobe_hits(const struct trace_kprobe *tk);
unsigned long trace_kprobe_misses(const struct trace_kprobe *tk);
unsigned long trace_kprobe_nested_misses(const struct trace_kprobe *tk);
unsigned long trace_kprobe_return_misses(const struct trace_kprobe *tk);

/* arm.c */
enum probe_state trace_kprobe_state(const struct probe *p);
void trace_kprobes_begin(void);
int trace_kprobes_end(void);
void trace_kprobe_arm(struct probe *p);
void trace_kprobe_disarm(struct probe *p);
int trace_kprobes_get_all_regs(struct probe_event *event);
void trace_kprobe_unregister(struct trace_kprobe *tk);
void trace_kprobes_unregister(struct list_head *probes);

/* event.c */
const struct probe_event_ops *trace_kprobe_event_ops(const struct trace_kprobe *tk);

/* many.c */
int trace_kprobe_define_many(struct trace_kprobe_cmd *tc, struct probe_provider *provider);
unsigned int trace_kprobe_new_origin(void);
void trace_kprobe_undo(struct probe_provider *provider, unsigned int origin);

/* list.c */
int trace_kprobe_define_list(struct trace_kprobe_cmd *tc, struct probe_provider *provider);

/* perf.c */
bool trace_kprobe_forbids_override(const struct trace_kprobe *tk);

/* explain.c */
void trace_kprobe_explain_symbol(const struct trace_kprobe *tk, struct probe_cmd *cmd);
void trace_kprobe_explain_place(const struct trace_kprobe *tk, struct probe_cmd *cmd, int err);

/* define.c */
int trace_kprobe_command(const char *raw);

/* command.c */
void trace_kprobe_boot_commands(void);

#endif /* _TRACE_KPROBE_KPROBE_H */
