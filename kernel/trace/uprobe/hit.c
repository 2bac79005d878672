// SPDX-License-Identifier: GPL-2.0
/*
 * Uprobe events: hits.
 *
 * Uprobes call the functions below when a task is about to return to user mode, in process
 * context under rcu_read_lock_trace().  They may sleep.
 */
#include <linux/percpu.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/timekeeping.h>

#include "uprobe.h"
#include "trace_probe_perf.h"

static bool is_traced(struct probe_event *event)
{
	return READ_ONCE(event->flags) & PROBE_EVENT_TRACE;
}

/* Does a user of the event want breakpoints in a process? */
static bool wants(struct uprobe_consumer *con, struct mm_struct *mm)
{
	struct trace_uprobe *tu = container_of(con, struct trace_uprobe, consumer);

	return is_traced(tu->probe.event) || trace_uprobe_perf_wants(tu->probe.event, mm);
}

static void pass_hit(struct trace_uprobe *tu, struct pt_regs *regs, unsigned long addr,
		     unsigned long ret_addr, bool perf)
{
	/* For bpf_get_func_ip(). */
	struct uprobe_dispatch_data data = { .tu = tu, .bp_addr = addr };
	struct uprobe_task *utask = current->utask;

	utask->vaddr = (unsigned long)&data;
	probe_hit_user(&tu->probe, regs, &utask->entry_time, addr, ret_addr, perf);
}

static int uprobe_event_hit(struct uprobe_consumer *con, struct pt_regs *regs)
{
	struct trace_uprobe *tu = container_of(con, struct trace_uprobe, consumer);
	bool perf = trace_uprobe_perf_wants(tu->probe.event, current->mm);

	this_cpu_inc(*tu->nhit);
	if (!perf && !is_traced(tu->probe.event)) {
		/* If the event has no user, the probe is about to be unregistered. */
		return probe_event_uses_perf(tu->probe.event) ? UPROBE_HANDLER_REMOVE : 0;
	}
	/* A return probe has its record at the return, which uprobes trap from here. */
	if (!tu->is_return)
		pass_hit(tu, regs, instruction_pointer(regs), 0, perf);
	else if (tu->probe.uses_entry_time)
		current->utask->entry_time = ktime_get_mono_fast_ns();
	return 0;
}

static int uretprobe_event_hit(struct uprobe_consumer *con, unsigned long func,
			       struct pt_regs *regs)
{
	struct trace_uprobe *tu = container_of(con, struct trace_uprobe, consumer);

	/* If the call began before the event was enabled, its time is not known. */
	if (tu->probe.uses_entry_time && !current->utask->entry_time)
		return 0;
	pass_hit(tu, regs, func, instruction_pointer(regs),
		 trace_uprobe_perf_wants(tu->probe.event, current->mm));
	return 0;
}

/**
 * trace_uprobe_set_handlers() - let hits of a probe call the functions of this file
 * @tu: the probe, not armed
 *
 * Context: any.
 */
void trace_uprobe_set_handlers(struct trace_uprobe *tu)
{
	tu->consumer.handler = uprobe_event_hit;
	tu->consumer.filter = wants;
	if (tu->is_return)
		tu->consumer.ret_handler = uretprobe_event_hit;
}
