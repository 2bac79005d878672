// SPDX-License-Identifier: GPL-2.0
/*
 * Uprobe events: register and unregister uprobes.  probe/arm.c decides which ones.
 *
 * A uprobe is registered only while its event is in use: registration adds breakpoints to
 * processes.  event_mutex protects all data here.  If several probes are disarmed together, the
 * last step waits once for the hits of all of them.
 */
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/sched.h>
#include <linux/uprobes.h>

#include "trace.h"
#include "uprobe.h"

/*
 * Since trace_uprobes_begin(): the probes that were armed, the first error, and whether hits of
 * disarmed probes may still run.
 */
static LIST_HEAD(armed);
static int first_error;
static bool must_wait;

/**
 * trace_uprobe_state() - state of a probe, for the engine
 * @p: the probe
 *
 * Context: event_mutex is held.
 * Return: PROBE_ARMED or PROBE_DISARMED.
 */
enum probe_state trace_uprobe_state(const struct probe *p)
{
	return trace_uprobe_of(p)->uprobe ? PROBE_ARMED : PROBE_DISARMED;
}

/**
 * trace_uprobes_begin() - begin to arm or disarm several probes
 *
 * Context: event_mutex is held until trace_uprobes_end().
 */
void trace_uprobes_begin(void)
{
	lockdep_assert_held(&event_mutex);
	INIT_LIST_HEAD(&armed);
	first_error = 0;
	must_wait = false;
}

/**
 * trace_uprobe_arm() - arm a probe
 * @p: the probe
 *
 * Context: may sleep; event_mutex is held.
 */
void trace_uprobe_arm(struct probe *p)
{
	struct trace_uprobe *tu = trace_uprobe_of(p);
	struct uprobe *uprobe;

	if (tu->uprobe || first_error)
		return;
	uprobe = uprobe_register(trace_uprobe_inode(tu), tu->offset, tu->ref_ctr, &tu->consumer);
	if (IS_ERR(uprobe)) {
		first_error = PTR_ERR(uprobe);
		return;
	}
	tu->uprobe = uprobe;
	list_add(&tu->batch, &armed);
}

/**
 * trace_uprobe_unregister() - disarm a probe, without waiting for its hits
 * @tu: the probe
 *
 * Context: may sleep; event_mutex is held, unless only the caller uses the probe.
 * Return: true if it was armed, so that hits may still run.
 */
bool trace_uprobe_unregister(struct trace_uprobe *tu)
{
	if (!tu->uprobe)
		return false;
	uprobe_unregister_nosync(tu->uprobe, &tu->consumer);
	tu->uprobe = NULL;
	return true;
}

/**
 * trace_uprobe_disarm() - disarm a probe
 * @p: the probe; hits may run until trace_uprobes_end()
 *
 * Context: may sleep; event_mutex is held.
 */
void trace_uprobe_disarm(struct probe *p)
{
	must_wait |= trace_uprobe_unregister(trace_uprobe_of(p));
}

/**
 * trace_uprobes_end() - finish arming or disarming, and wait for hits
 *
 * A consumer must not be registered again while hits may still use it.  So this waits for hits
 * of the probes that were disarmed.
 *
 * Context: may sleep; event_mutex is held.
 * Return: 0 or a negative errno; after an error, none of the probes is armed.
 */
int trace_uprobes_end(void)
{
	struct trace_uprobe *tu;

	if (first_error)
		list_for_each_entry(tu, &armed, batch)
			must_wait |= trace_uprobe_unregister(tu);
	if (must_wait)
		uprobe_unregister_sync();
	return first_error;
}

/**
 * trace_uprobes_unregister() - disarm probes together, and wait for their hits
 * @probes: list of the probes; none of them is hit after this returns
 *
 * Context: may sleep.  event_mutex is held, unless the probes are in no other list.
 */
void trace_uprobes_unregister(struct list_head *probes)
{
	struct trace_uprobe *tu;
	bool wait = false;

	list_for_each_entry(tu, probes, probe.list) {
		wait |= trace_uprobe_unregister(tu);
		cond_resched();
	}
	if (wait)
		uprobe_unregister_sync();
}

/**
 * trace_uprobes_apply() - add or remove breakpoints after a change of the users of an event
 * @event: the event
 * @add: add the breakpoints that the users need now; otherwise remove those that no user needs
 *
 * Context: may sleep; event_mutex is held.
 * Return: 0; with @add, also a negative errno.
 */
int trace_uprobes_apply(struct probe_event *event, bool add)
{
	struct trace_uprobe *tu;
	int ret;

	list_for_each_entry(tu, &event->probes, probe.siblings) {
		/* A probe that is armed later in this set gets its breakpoints then. */
		ret = tu->uprobe ? uprobe_apply(tu->uprobe, &tu->consumer, add) : 0;
		if (ret && add)
			return ret;
	}
	return 0;
}
