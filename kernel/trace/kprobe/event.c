// SPDX-License-Identifier: GPL-2.0
/* Kprobe events: the fields at the head of a record. */
#include "trace.h"
#include "kprobe.h"

#ifdef CONFIG_PERF_EVENTS
/* A trace instance may have armed the event before perf's first user came. */
static int opened_by_perf(struct probe_event *event, struct perf_event *pe)
{
	return event->call.perf_refcount == 1 ? trace_kprobes_get_all_regs(event) : 0;
}
#else
#define opened_by_perf	NULL
#endif

static const struct probe_event_ops kprobe_event_ops = {
	.nr_head	= 1,
	.head		= { PROBE_HEAD_IP },
	.head_fmt	= "(%lx)",
	.flag		= TRACE_EVENT_FL_KPROBE,
	.print_head	= probe_print_ip,
	.arm		= probe_event_arm,
	.disarm		= probe_event_disarm,
	.perf_open	= opened_by_perf,
};

static const struct probe_event_ops kretprobe_event_ops = {
	.nr_head	= 2,
	.head		= { PROBE_HEAD_FUNC, PROBE_HEAD_RET_IP },
	.head_fmt	= "(%lx <- %lx)",
	.flag		= TRACE_EVENT_FL_KPROBE,
	.print_head	= probe_print_return,
	.arm		= probe_event_arm,
	.disarm		= probe_event_disarm,
};

/**
 * trace_kprobe_event_ops() - the constants of a probe's event
 * @tk: the probe
 *
 * Return: the constants for kprobes or for kretprobes.
 */
const struct probe_event_ops *trace_kprobe_event_ops(const struct trace_kprobe *tk)
{
	return trace_kprobe_is_return(tk) ? &kretprobe_event_ops : &kprobe_event_ops;
}
