// SPDX-License-Identifier: GPL-2.0
/*
 * Kprobe events: hits.
 *
 * Kprobes calls the functions below in any context, NMI included, with preemption
 * disabled: from a breakpoint, ftrace, a detour or the return trampoline.
 * Until one of these functions returns, kprobes does not call a handler for
 * another hit on this CPU.
 */
#include <linux/kprobes.h>
#include <linux/percpu.h>

#include "kprobe.h"

static int kprobe_event_hit(struct kprobe *kp, struct pt_regs *regs)
{
	struct trace_kprobe *tk = container_of(kp, struct trace_kprobe, rp.kp);

	raw_cpu_inc(*tk->nhit);
	return probe_hit(&tk->probe, regs, (unsigned long)kp->addr);
}
NOKPROBE_SYMBOL(kprobe_event_hit);

/* The kretprobe can be unregistered before the probed function returns. */
static struct trace_kprobe *instance_to_trace_kprobe(struct kretprobe_instance *ri)
{
	struct kretprobe *rp = get_kretprobe(ri);

	return likely(rp) ? container_of(rp, struct trace_kprobe, rp) : NULL;
}
NOKPROBE_SYMBOL(instance_to_trace_kprobe);

static int kretprobe_event_entry(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct trace_kprobe *tk = instance_to_trace_kprobe(ri);

	if (!tk)
		return -ENOENT;
	probe_hit_entry(&tk->probe, regs, ri->data);
	return 0;
}
NOKPROBE_SYMBOL(kretprobe_event_entry);

static int kretprobe_event_hit(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct trace_kprobe *tk = instance_to_trace_kprobe(ri);

	if (!tk)
		return 0;
	raw_cpu_inc(*tk->nhit);
	probe_hit_return(&tk->probe, regs, ri->data, (unsigned long)tk->rp.kp.addr,
			 get_kretprobe_retaddr(ri));
	return 0;
}
NOKPROBE_SYMBOL(kretprobe_event_hit);

/**
 * trace_kprobe_set_handlers() - let hits of a probe call the functions of this file
 * @tk:	the probe, not registered
 */
void trace_kprobe_set_handlers(struct trace_kprobe *tk)
{
	if (trace_kprobe_is_return(tk))
		tk->rp.handler = kretprobe_event_hit;
	else
		tk->rp.kp.pre_handler = kprobe_event_hit;
}

/**
 * trace_kprobe_save_at_entry() - save values at the entry, for use at the return
 * @tk:	the return probe, not registered
 * @size: bytes for each call
 */
void trace_kprobe_save_at_entry(struct trace_kprobe *tk, size_t size)
{
	tk->rp.entry_handler = kretprobe_event_entry;
	tk->rp.data_size = size;
}

static int __init register_handlers(void)
{
	kprobe_set_direct_handlers(kprobe_event_hit, kretprobe_event_entry,
				   kretprobe_event_hit);
	return 0;
}
core_initcall(register_handlers);
