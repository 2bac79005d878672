// SPDX-License-Identifier: GPL-2.0
/*
 * Kprobe events: arm, disarm and unregister kprobes, for probe/arm.c, which decides which.
 *
 * The kprobes that change between trace_kprobes_begin() and trace_kprobes_end() are a set of
 * kprobes: they share one change of the text and one grace period.
 */
#include <linux/kprobes.h>
#include <linux/list.h>
#include <linux/sched.h>

#include "kprobe.h"

/**
 * trace_kprobe_state() - state of a probe, for the engine
 * @p: the probe
 *
 * Return: PROBE_GONE if the probed code is not loaded, or the probe is not registered.
 */
enum probe_state trace_kprobe_state(const struct probe *p)
{
	struct trace_kprobe *tk = trace_kprobe_of(p);

	if (!trace_kprobe_has_text(tk))
		return PROBE_GONE;
	return kprobe_disabled(&tk->rp.kp) ? PROBE_DISARMED : PROBE_ARMED;
}

/**
 * trace_kprobes_begin() - begin to arm or disarm several probes
 *
 * Context: may sleep; event_mutex is held until trace_kprobes_end().
 */
void trace_kprobes_begin(void)
{
	kprobes_begin_set();
}

/**
 * trace_kprobes_end() - arm and disarm the probes
 *
 * Context: may sleep.
 * Return: 0 or a negative errno; after an error, none of the probes is armed.
 */
int trace_kprobes_end(void)
{
	return kprobes_end_set(0);
}

/**
 * trace_kprobe_arm() - arm a probe, at trace_kprobes_end()
 * @p: the probe
 *
 * Context: may sleep.
 */
void trace_kprobe_arm(struct probe *p)
{
	struct trace_kprobe *tk = trace_kprobe_of(p);

	kprobe_set_args_only(&tk->rp.kp, !trace_kprobe_needs_all_regs(tk));
	enable_kprobe(&tk->rp.kp);
}

/**
 * trace_kprobes_get_all_regs() - let perf and BPF programs have all registers
 * @event: the event, which perf uses now
 *
 * Context: may sleep; event_mutex is held.
 * Return: 0 or a negative errno.
 */
int trace_kprobes_get_all_regs(struct probe_event *event)
{
	struct trace_kprobe *tk;

	trace_kprobes_begin();
	for_each_trace_kprobe_of(tk, event)
		if (trace_kprobe_needs_all_regs(tk))
			kprobe_set_args_only(&tk->rp.kp, false);
	return trace_kprobes_end();
}

/**
 * trace_kprobe_disarm() - disarm a probe, at trace_kprobes_end()
 * @p: the probe
 *
 * Context: may sleep.
 */
void trace_kprobe_disarm(struct probe *p)
{
	disable_kprobe(&trace_kprobe_of(p)->rp.kp);
}

/**
 * trace_kprobe_unregister() - unregister a probe
 * @tk: the probe
 *
 * Between trace_kprobes_begin() and trace_kprobes_end(), handlers may run until the latter
 * returns; otherwise, none runs after this returns.
 *
 * Context: may sleep.
 */
void trace_kprobe_unregister(struct trace_kprobe *tk)
{
	if (!tk->registered)
		return;
	if (trace_kprobe_is_return(tk))
		unregister_kretprobe(&tk->rp);
	else
		unregister_kprobe(&tk->rp.kp);
	tk->registered = false;
}

/**
 * trace_kprobes_unregister() - unregister probes together
 * @probes: list of the probes; none of their handlers runs after this returns
 *
 * Context: may sleep; the caller ensures that @probes does not change.
 */
void trace_kprobes_unregister(struct list_head *probes)
{
	struct trace_kprobe *tk;

	trace_kprobes_begin();
	list_for_each_entry(tk, probes, probe.list) {
		trace_kprobe_unregister(tk);
		cond_resched();
	}
	trace_kprobes_end();
}
