// SPDX-License-Identifier: GPL-2.0
/*
 * Uprobe events: the fields at the head of a record, and the users of an event.
 *
 * Trace instances need breakpoints in all processes; perf may need them only in some.  While
 * perf uses an event, the first trace instance that joins it adds the missing breakpoints, and
 * the last trace instance that leaves it removes them.
 */
#include <linux/list.h>
#include <linux/perf_event.h>
#include <linux/trace_seq.h>

#include "trace.h"
#include "uprobe.h"

static void print_ip(struct trace_seq *s, const struct probe_event *event,
		     const unsigned long *head, unsigned long flags)
{
	trace_seq_printf(s, "(0x%lx)", head[0]);
}

static void print_return(struct trace_seq *s, const struct probe_event *event,
			 const unsigned long *head, unsigned long flags)
{
	trace_seq_printf(s, "(0x%lx <- 0x%lx)", head[1], head[0]);
}

static bool is_traced(const struct probe_event *event)
{
	return event->flags & PROBE_EVENT_TRACE;
}

static int arm_for(struct probe_event *event, struct trace_event_file *file)
{
	/* The event is already armed for another trace instance. */
	if (file ? !list_is_singular(&event->files) : is_traced(event))
		return 0;
	if (file && event->flags & PROBE_EVENT_PERF)
		return trace_uprobes_apply(event, true);
	return probe_event_arm(event);
}

static void disarm_for(struct probe_event *event, struct trace_event_file *file)
{
	if (!probe_event_enabled(event))
		probe_event_disarm(event);
	else if (!is_traced(event))
		trace_uprobes_apply(event, false);
}

/* perf's own uprobe is in no list; its only user unregisters it when it closes the event. */
static bool is_local(struct probe_event *event)
{
	struct probe *p = probe_event_first(event);

	return p && list_empty(&p->list);
}

static void perf_close(struct probe_event *event, struct perf_event *pe)
{
	bool remove = trace_uprobe_remove_target(event->call.data, pe);

	if (remove && !is_traced(event) && !is_local(event))
		trace_uprobes_apply(event, false);
}

static int perf_open(struct probe_event *event, struct perf_event *pe)
{
	int ret = 0;

	/* If a trace instance uses the event, all processes have the breakpoints already. */
	if (trace_uprobe_add_target(event->call.data, pe) && !is_traced(event))
		ret = trace_uprobes_apply(event, true);
	if (ret)
		perf_close(event, pe);
	return ret;
}

#define EVENT_OPS							\
	.flag		= TRACE_EVENT_FL_UPROBE | TRACE_EVENT_FL_CAP_ANY,	\
	.arm_for	= arm_for,					\
	.disarm_for	= disarm_for,					\
	.perf_open	= perf_open,					\
	.perf_close	= perf_close,					\
	.data_size	= sizeof(struct trace_uprobe_targets),		\
	.init_data	= trace_uprobe_init_targets

static const struct probe_event_ops uprobe_event_ops = {
	.nr_head	= 1,
	.head		= { PROBE_HEAD_IP },
	.head_fmt	= "(%lx)",
	.print_head	= print_ip,
	EVENT_OPS,
};

static const struct probe_event_ops uretprobe_event_ops = {
	.nr_head	= 2,
	.head		= { PROBE_HEAD_FUNC, PROBE_HEAD_RET_IP },
	.head_fmt	= "(%lx <- %lx)",
	.print_head	= print_return,
	EVENT_OPS,
};

/**
 * trace_uprobe_event_ops() - the constants of a probe's event
 * @tu: the probe
 *
 * Context: any.
 * Return: the constants for uprobes or for return probes.
 */
const struct probe_event_ops *trace_uprobe_event_ops(const struct trace_uprobe *tu)
{
	return tu->is_return ? &uretprobe_event_ops : &uprobe_event_ops;
}
