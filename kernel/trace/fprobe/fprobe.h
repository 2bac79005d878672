/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Fprobe events: declarations shared by the files of this directory.
 *
 *   place.c		parser of the place in a command
 *   site.c		probed call sites of ftrace
 *   function.c		functions: lookup, hits, arming
 *   tracepoint.c	tracepoints: lookup, hits, arming
 *   arm.c		arm, disarm and unregister probes
 *   define.c		the provider: definition and listing
 *   module.c		probes in modules that are loaded
 *
 * A file uses only functions of files before it in this list.
 *
 * Locking: event_mutex protects struct trace_fprobe and the table of sites.  A hit reads the
 * table under RCU, and only members that do not change while the probe is armed.
 */
#ifndef _TRACE_FPROBE_FPROBE_H
#define _TRACE_FPROBE_FPROBE_H

#include <linux/fprobe.h>
#include <linux/hash.h>
#include <linux/llist.h>
#include <linux/list.h>
#include <linux/rethook.h>

#include "place.h"
#include "probe/probe.h"

struct module;
struct trace_fprobe;
struct tracepoint;

/* Arguments of a tracepoint that a probe can use; no tracepoint has more. */
#define TRACE_FPROBE_TP_ARGS	12

/**
 * struct trace_fprobe_cmd - a command of fprobe events
 * @cmd: the engine's part; must be the first member
 * @place: the place
 * @maxactive: the number after 'f'; 0 if not given
 * @tp: the tracepoint, if there is one now
 * @tp_module: the module that has @tp, with a reference; NULL if the kernel has it
 */
struct trace_fprobe_cmd {
	struct probe_cmd		cmd;
	struct trace_fprobe_place	place;
	unsigned int			maxactive;
	struct tracepoint		*tp;
	struct module			*tp_module;
};

/**
 * struct trace_fprobe_site - a call site of ftrace that a probe uses
 * @node: in the table of armed sites
 * @ip: its address
 * @tf: the probe
 * @list: in the list of the probe's sites
 * @batch: in a list of sites that change together
 */
struct trace_fprobe_site {
	struct hlist_node	node;
	unsigned long		ip;
	struct trace_fprobe	*tf;
	struct list_head	list;
	struct llist_node	batch;
};

/**
 * struct trace_fprobe - a probe of fprobe events
 * @probe: its arguments and its event
 * @kind: the kind of its place
 * @armed: it is armed
 * @maxactive: see struct trace_fprobe_cmd
 * @batch: in a list of probes that are armed together
 * @symbol: the function or pattern, with its module if it was given, or the tracepoint
 * @module: functions: the module in @symbol, or NULL
 * @function: functions: @symbol without the module
 * @sites: functions: the call sites of those that are loaded
 * @rethook: function returns: the hook
 * @tp: tracepoint: NULL while its module is not loaded
 * @tp_module: tracepoint: the module that has @tp, or NULL
 * @tp_addr: tracepoint: the address in the records
 * @stub: tracepoint, with CFI: the fprobe at its empty function
 */
struct trace_fprobe {
	struct probe			probe;
	enum trace_fprobe_kind		kind;
	bool				armed;
	unsigned int			maxactive;
	struct list_head		batch;
	const char			*symbol;
	union {
		struct {
			const char		*module;
			const char		*function;
			struct list_head	sites;
			struct rethook		*rethook;
		};
		struct {
			struct tracepoint	*tp;
			const struct module	*tp_module;
			unsigned long		tp_addr;
#ifdef CONFIG_CFI_CLANG
			struct fprobe		stub;
#endif
		};
	};
};

extern struct probe_provider trace_fprobe_provider;

/* The engine allocates and copies both together. */
static_assert(offsetof(struct trace_fprobe_cmd, cmd) == 0);

static inline struct trace_fprobe_cmd *to_trace_fprobe_cmd(struct probe_cmd *cmd)
{
	return container_of(cmd, struct trace_fprobe_cmd, cmd);
}

static inline struct trace_fprobe *trace_fprobe_of(const struct probe *p)
{
	return container_of(p, struct trace_fprobe, probe);
}

/* A pattern can have tens of thousands of sites. */
#define TRACE_FPROBE_TABLE_BITS	12

extern struct hlist_head trace_fprobe_table[1 << TRACE_FPROBE_TABLE_BITS];

/**
 * trace_fprobe_sites_at() - the bucket of the table for an address
 * @ip: the address of a call site
 *
 * Context: any, NMI included.
 * Return: a list of struct trace_fprobe_site, some of which may have other addresses.
 */
static __always_inline struct hlist_head *trace_fprobe_sites_at(unsigned long ip)
{
	return &trace_fprobe_table[hash_long(ip, TRACE_FPROBE_TABLE_BITS)];
}

/* site.c */
int trace_fprobe_add_site(struct trace_fprobe *tf, struct list_head *sites,
			  unsigned long ip);
void trace_fprobe_free_sites(struct list_head *sites);
bool trace_fprobe_list_site(struct trace_fprobe_site *site);
bool trace_fprobe_unlist_site(struct trace_fprobe_site *site);

/* function.c */
int trace_fprobe_find_functions(struct trace_fprobe *tf, const char *module,
				struct list_head *sites);
int trace_fprobe_alloc_rethook(struct trace_fprobe *tf);
void trace_fprobes_wait_for_hits(void);
void trace_fprobe_arm_site(struct trace_fprobe_site *site);
void trace_fprobe_disarm_site(struct trace_fprobe_site *site);
int trace_fprobes_apply_added(void);
void trace_fprobes_forget_added(void);
void trace_fprobes_apply_removed(void);

/* tracepoint.c */
int trace_fprobe_arm_tracepoint(struct trace_fprobe *tf);
void trace_fprobe_disarm_tracepoint(struct trace_fprobe *tf);
void trace_fprobe_set_tracepoint(struct trace_fprobe *tf, struct tracepoint *tp,
				 const struct module *module);
bool trace_fprobe_find_tracepoint(struct trace_fprobe_cmd *tc);

/* arm.c */
enum probe_state trace_fprobe_state(const struct probe *p);
void trace_fprobes_begin(void);
void trace_fprobe_arm(struct probe *p);
void trace_fprobe_disarm(struct probe *p);
int trace_fprobes_end(void);
void trace_fprobes_unregister(struct list_head *probes);

#endif /* _TRACE_FPROBE_FPROBE_H */
