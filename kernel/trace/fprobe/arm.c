// SPDX-License-Identifier: GPL-2.0
/*
 * Fprobe events: arm, disarm and unregister probes, for probe/arm.c, which decides which.
 *
 * Between trace_fprobes_begin() and trace_fprobes_end(), probes are either armed or
 * disarmed.  event_mutex protects all data here.
 */
#include <linux/list.h>
#include <linux/rethook.h>
#include <linux/sched.h>
#include <linux/tracepoint.h>

#include "trace.h"
#include "fprobe.h"

/* Probes armed since trace_fprobes_begin(), and the first error. */
static LIST_HEAD(armed);
static int first_error;

static bool is_tracepoint(const struct trace_fprobe *tf)
{
	return tf->kind == TRACE_FPROBE_TRACEPOINT;
}

/**
 * trace_fprobe_state() - state of a probe, for the engine
 * @p: the probe
 *
 * Return: PROBE_GONE if no function or tracepoint of the probe is loaded.
 */
enum probe_state trace_fprobe_state(const struct probe *p)
{
	const struct trace_fprobe *tf = trace_fprobe_of(p);

	if (tf->armed)
		return PROBE_ARMED;
	if (is_tracepoint(tf) ? !tf->tp : list_empty(&tf->sites))
		return PROBE_GONE;
	return PROBE_DISARMED;
}

/**
 * trace_fprobes_begin() - begin to arm or disarm several probes
 *
 * Context: event_mutex is held until trace_fprobes_end().
 */
void trace_fprobes_begin(void)
{
	lockdep_assert_held(&event_mutex);
	INIT_LIST_HEAD(&armed);
	first_error = 0;
}

/**
 * trace_fprobe_arm() - arm a probe, at trace_fprobes_end()
 * @p: the probe
 *
 * Context: may sleep; event_mutex is held.
 */
void trace_fprobe_arm(struct probe *p)
{
	struct trace_fprobe *tf = trace_fprobe_of(p);
	struct trace_fprobe_site *site;
	int ret = 0;

	if (tf->armed || first_error)
		return;
	/* A return that was hooked just now is a hit. */
	WRITE_ONCE(tf->armed, true);
	if (is_tracepoint(tf))
		ret = trace_fprobe_arm_tracepoint(tf);
	else
		list_for_each_entry(site, &tf->sites, list)
			trace_fprobe_arm_site(site);
	if (ret) {
		tf->armed = false;
		first_error = ret;
		return;
	}
	list_add(&tf->batch, &armed);
}

/**
 * trace_fprobe_disarm() - disarm a probe, at trace_fprobes_end()
 * @p: the probe
 *
 * Context: may sleep; event_mutex is held.
 */
void trace_fprobe_disarm(struct probe *p)
{
	struct trace_fprobe *tf = trace_fprobe_of(p);
	struct trace_fprobe_site *site;

	if (!tf->armed)
		return;
	WRITE_ONCE(tf->armed, false);
	if (is_tracepoint(tf))
		trace_fprobe_disarm_tracepoint(tf);
	else
		list_for_each_entry(site, &tf->sites, list)
			trace_fprobe_disarm_site(site);
}

/* ftrace does not call these probes. */
static void undo(void)
{
	struct trace_fprobe_site *site;
	struct trace_fprobe *tf;

	trace_fprobes_forget_added();
	list_for_each_entry(tf, &armed, batch) {
		WRITE_ONCE(tf->armed, false);
		if (is_tracepoint(tf))
			trace_fprobe_disarm_tracepoint(tf);
		else
			list_for_each_entry(site, &tf->sites, list)
				trace_fprobe_unlist_site(site);
	}
	/* The caller may free the probes. */
	tracepoint_synchronize_unregister();
}

/**
 * trace_fprobes_end() - arm and disarm the probes
 *
 * Context: may sleep; event_mutex is held.
 * Return: 0 or a negative errno; after an error, none of the probes is armed.
 */
int trace_fprobes_end(void)
{
	int ret = first_error;

	if (!ret)
		ret = trace_fprobes_apply_added();
	if (ret)
		undo();
	trace_fprobes_apply_removed();
	return ret;
}

/**
 * trace_fprobes_unregister() - disarm probes together, and stop their hits
 * @probes: list of the probes; none of them is hit after this returns
 *
 * Context: may sleep; event_mutex is held.
 */
void trace_fprobes_unregister(struct list_head *probes)
{
	struct trace_fprobe *tf;

	trace_fprobes_begin();
	list_for_each_entry(tf, probes, probe.list) {
		trace_fprobe_disarm(&tf->probe);
		if (tf->kind == TRACE_FPROBE_RETURN && tf->rethook)
			rethook_free(tf->rethook);
		cond_resched();
	}
	trace_fprobes_end();
	/* Also waits for RCU readers, such as the hits of functions. */
	tracepoint_synchronize_unregister();
}
