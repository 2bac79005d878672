// SPDX-License-Identifier: GPL-2.0
/*
 * Kprobe events: sets of events that are enabled, disabled or deleted together.
 *
 * Code that does this event by event encloses its loop in dyn_events_begin_set() and
 * dyn_events_end_set().  In between, the kprobes are not touched: events are marked as
 * enabled or not, and deleted probes are collected.  At the end of the set, all kprobes
 * whose state differs from that of their event are enabled or disabled at once, and all
 * deleted ones are unregistered at once.  So kprobes changes the text once and waits for
 * one grace period.
 *
 * event_mutex is held from the beginning to the end of a set, and protects all data here.
 */
#include <linux/kprobes.h>
#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/mm.h>
#include <linux/sched.h>

#include "trace.h"
#include "trace_kprobe.h"

static bool in_set;
static bool has_changes;	/* of events in this set */
static LIST_HEAD(deleted);	/* struct trace_kprobe.devent.list */

/**
 * trace_kprobe_set_defer() - leave a change of an event to the end of the set
 *
 * Context: event_mutex is held.
 * Return: false if there is no set.
 */
bool trace_kprobe_set_defer(void)
{
	lockdep_assert_held(&event_mutex);
	has_changes |= in_set;
	return in_set;
}

typedef bool (*tk_filter)(struct trace_kprobe *tk);

static bool is_to_enable(struct trace_kprobe *tk)
{
	return probe_event_enabled(tk->probe.event) && trace_kprobe_is_there(tk) &&
	       kprobe_disabled(&tk->rp.kp);
}

static bool is_to_disable(struct trace_kprobe *tk)
{
	return !probe_event_enabled(tk->probe.event) && trace_kprobe_is_there(tk) &&
	       !kprobe_disabled(&tk->rp.kp);
}

static bool is_plain(struct trace_kprobe *tk)
{
	return trace_kprobe_is_registered(tk) && !trace_kprobe_is_return(tk);
}

static bool is_return(struct trace_kprobe *tk)
{
	return trace_kprobe_is_registered(tk) && trace_kprobe_is_return(tk);
}

static bool is_wanted(struct trace_kprobe *tk, tk_filter filter, const char *module)
{
	return filter(tk) && (!module || trace_kprobe_is_in(tk, module));
}

/*
 * Collect the probes in @list for which @filter holds in @kps; only those of a module if
 * @module is given.  Return their number, or -ENOMEM.  A module can be unloaded meanwhile, so
 * that @filter does not hold any more.
 */
static int collect(struct kprobe ***kps, struct list_head *list, tk_filter filter,
		   const char *module)
{
	struct trace_kprobe *tk;
	int num = 0, i = 0;

	*kps = NULL;
	for_each_trace_kprobe_in(tk, list)
		num += is_wanted(tk, filter, module);
	if (!num)
		return 0;
	*kps = kvmalloc_array(num, sizeof(**kps), GFP_KERNEL | __GFP_NOWARN);
	if (!*kps)
		return -ENOMEM;
	for_each_trace_kprobe_in(tk, list)
		if (i < num && is_wanted(tk, filter, module))
			(*kps)[i++] = &tk->rp.kp;
	return i;
}

static void disable_changed(void)
{
	struct trace_kprobe *tk;
	struct kprobe **kps;
	int num;

	num = collect(&kps, &dyn_event_list, is_to_disable, NULL);
	if (num > 0) {
		disable_kprobes(kps, num);
	} else if (num < 0) {
		for_each_listed_trace_kprobe(tk)
			if (is_to_disable(tk))
				disable_kprobe(&tk->rp.kp);
	}
	kvfree(kps);
}

/* Some cannot be enabled, or not all at once: find out which. */
static int enable_one_by_one(void)
{
	struct trace_kprobe *tk;
	int ret, first = 0;

	for_each_listed_trace_kprobe(tk) {
		if (!is_to_enable(tk))
			continue;
		ret = enable_kprobe(&tk->rp.kp);
		if (ret)
			probe_event_cancel(tk->probe.event);
		first = first ?: ret;
	}
	return first;
}

/**
 * trace_kprobes_enable() - enable the kprobes of enabled events, all or none
 * @module:	name of a module: enable only its probes; or NULL
 *
 * Context: may sleep; event_mutex is held.
 * Return: 0, or a negative errno if none of them was enabled.
 */
int trace_kprobes_enable(const char *module)
{
	struct kprobe **kps;
	int ret;

	ret = collect(&kps, &dyn_event_list, is_to_enable, module);
	if (ret > 0)
		ret = enable_kprobes(kps, ret);
	kvfree(kps);
	return ret;
}

static int enable_changed(void)
{
	int ret = trace_kprobes_enable(NULL);

	/* A module was unloaded after its probes were collected. */
	if (ret == -EINVAL)
		ret = trace_kprobes_enable(NULL);
	return ret ? enable_one_by_one() : 0;
}

static void unregister_plain(struct list_head *tks, const char *module)
{
	struct trace_kprobe *tk;
	struct kprobe **kps;
	int num;

	num = collect(&kps, tks, is_plain, module);
	if (num > 0) {
		unregister_kprobes(kps, num);
	} else if (num < 0) {
		for_each_trace_kprobe_in(tk, tks)
			if (is_wanted(tk, is_plain, module))
				unregister_kprobe(&tk->rp.kp);
	}
	kvfree(kps);
}

static void unregister_returns(struct list_head *tks, const char *module)
{
	struct kretprobe **rps;
	struct trace_kprobe *tk;
	struct kprobe **kps;
	int i, num;

	num = collect(&kps, tks, is_return, module);
	if (num > 0) {
		/* Write the one array over the other. */
		static_assert(sizeof(*rps) == sizeof(*kps));
		rps = (struct kretprobe **)kps;
		for (i = 0; i < num; i++)
			rps[i] = container_of(kps[i], struct kretprobe, kp);
		unregister_kretprobes(rps, num);
	} else if (num < 0) {
		for_each_trace_kprobe_in(tk, tks)
			if (is_wanted(tk, is_return, module))
				unregister_kretprobe(&tk->rp);
	}
	kvfree(kps);
}

/**
 * trace_kprobes_unregister() - unregister probes, with one grace period
 * @tks:	list of the probes; none of their handlers runs after this returns
 * @module:	name of a module: unregister only its probes; or NULL
 *
 * Their members still look as if they were registered.
 *
 * Context: may sleep.  Nobody else changes @tks.
 */
void trace_kprobes_unregister(struct list_head *tks, const char *module)
{
	unregister_plain(tks, module);
	unregister_returns(tks, module);
}

static void free_deleted(void)
{
	struct trace_kprobe *tk, *next;

	if (list_empty(&deleted))
		return;
	trace_kprobes_unregister(&deleted, NULL);
	list_for_each_entry_safe(tk, next, &deleted, devent.list) {
		list_del(&tk->devent.list);
		probe_event_put(&tk->probe);
		trace_kprobe_free(tk);
		cond_resched();
	}
}

/**
 * trace_kprobe_set_begin() - begin a set of changes to events
 *
 * Context: event_mutex is held until trace_kprobe_set_end().
 */
void trace_kprobe_set_begin(void)
{
	lockdep_assert_held(&event_mutex);
	in_set = true;
	has_changes = false;
}

/**
 * trace_kprobe_set_end() - enable, disable and unregister kprobes as the events changed
 *
 * An event that cannot be armed is disabled again.
 *
 * Context: event_mutex is held.
 * Return: 0, or the first error of an event.
 */
int trace_kprobe_set_end(void)
{
	int ret = 0;

	if (has_changes) {
		ret = enable_changed();
		/* After a failure, the other probes of an event may be enabled. */
		disable_changed();
	}
	in_set = false;
	free_deleted();
	return ret;
}

/**
 * trace_kprobe_set_delete() - unregister and free a probe, in a set at its end
 * @tk:	the probe, which is not listed any more and has left its event
 *
 * Context: event_mutex is held.
 */
void trace_kprobe_set_delete(struct trace_kprobe *tk)
{
	lockdep_assert_held(&event_mutex);
	list_add_tail(&tk->devent.list, &deleted);
	if (!in_set)
		free_deleted();
}
