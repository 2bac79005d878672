/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions of kprobe and uprobe events for perf and BPF.
 *
 * perf_event_open() creates an event of its own, without a name in tracefs, for a perf event
 * of type kprobe or uprobe.  BPF asks about the places of a kprobe event before a program may
 * override the return value of the probed function.
 */
#ifndef _TRACE_PROBE_PERF_H
#define _TRACE_PROBE_PERF_H

#include <linux/types.h>

struct trace_event_call;
struct trace_uprobe;

/**
 * struct uprobe_dispatch_data - the hit of a uprobe event, for the BPF programs that it calls
 * @tu: the probe
 * @bp_addr: its address, or that of the function at its return, for bpf_get_func_ip()
 *
 * It is on the stack of the handler, and current->utask->vaddr has its address.
 */
struct uprobe_dispatch_data {
	struct trace_uprobe	*tu;
	unsigned long		bp_addr;
};

#ifdef CONFIG_KPROBE_EVENTS
bool trace_kprobe_on_func_entry(struct trace_event_call *call);
bool trace_kprobe_error_injectable(struct trace_event_call *call);
#else
static inline bool trace_kprobe_on_func_entry(struct trace_event_call *call)
{
	return false;
}

static inline bool trace_kprobe_error_injectable(struct trace_event_call *call)
{
	return false;
}
#endif

#ifdef CONFIG_PERF_EVENTS
struct trace_event_call *create_local_trace_kprobe(char *func, void *addr, unsigned long offs,
						   bool is_return);
void destroy_local_trace_kprobe(struct trace_event_call *event_call);

struct trace_event_call *create_local_trace_uprobe(char *name, unsigned long offs,
						   unsigned long ref_ctr_offset, bool is_return);
void destroy_local_trace_uprobe(struct trace_event_call *event_call);
#endif

#endif /* _TRACE_PROBE_PERF_H */
