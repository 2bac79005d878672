// SPDX-License-Identifier: GPL-2.0
/*
 * Kprobe events: sets of events that are enabled, disabled or deleted together.
 *
 * Code that changes many events encloses its loop in dyn_events_begin_set() and
 * dyn_events_end_set().  In between, events are only marked as enabled or disabled, and
 * deleted probes are collected.  As an exception, events in soft mode are armed at once.  At
 * the end of the set, all kprobes whose state differs from the state of their event are
 * enabled or disabled together, and all deleted kprobes are unregistered together.  They
 * then share one change of the text and one grace period.
 *
 * event_mutex is held from the beginning to the end of a set, and protects all data here.
 */
#include <linux/kprobes.h>
#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/mm.h>
#include <linux/sched.h>

#include "trace.h"
#include "kprobe.h"

static bool in_set;
static bool has_changes;	/* an event changed in this set */
static LIST_HEAD(deleted);	/* linked by struct trace_kprobe.devent.list */

/**
 * trace_kprobe_defer_to_set() - defer a change of an event to the end of the set
 *
 * Context: event_mutex is held.
 * Return: true if the change is deferred, false if there is no set.
 */
bool trace_kprobe_defer_to_set(void)
{
	lockdep_assert_held(&event_mutex);
	has_changes |= in_set;
	return in_set;
}

typedef bool (*tk_filter)(struct trace_kprobe *tk);

static bool needs_enable(struct trace_kprobe *tk)
{
	return probe_event_enabled(tk->probe.event) && trace_kprobe_has_text(tk) &&
	       kprobe_disabled(&tk->rp.kp);
}

static bool needs_disable(struct trace_kprobe *tk)
{
	return !probe_event_enabled(tk->probe.event) && trace_kprobe_has_text(tk) &&
	       !kprobe_disabled(&tk->rp.kp);
}

static bool is_registered_kprobe(struct trace_kprobe *tk)
{
	return trace_kprobe_is_registered(tk) && !trace_kprobe_is_return(tk);
}

static bool is_registered_kretprobe(struct trace_kprobe *tk)
{
	return trace_kprobe_is_registered(tk) && trace_kprobe_is_return(tk);
}

static bool matches(struct trace_kprobe *tk, tk_filter filter, const char *module)
{
	return filter(tk) && (!module || trace_kprobe_is_in(tk, module));
}

/*
 * Collect in @kps the probes of @list for which @filter is true; if @module is given, only
 * probes of that module.  Return their number, or -ENOMEM.  The result of @filter can
 * change if a module is unloaded in the meantime.
 */
static int collect(struct kprobe ***kps, struct list_head *list, tk_filter filter,
		   const char *module)
{
	struct trace_kprobe *tk;
	int num = 0, i = 0;

	*kps = NULL;
	for_each_trace_kprobe_in(tk, list)
		num += matches(tk, filter, module);
	if (!num)
		return 0;
	*kps = kvmalloc_array(num, sizeof(**kps), GFP_KERNEL | __GFP_NOWARN);
	if (!*kps)
		return -ENOMEM;
	for_each_trace_kprobe_in(tk, list)
		if (i < num && matches(tk, filter, module))
			(*kps)[i++] = &tk->rp.kp;
	return i;
}

static void disable_changed(void)
{
	struct trace_kprobe *tk;
	struct kprobe **kps;
	int num;

	num = collect(&kps, &dyn_event_list, needs_disable, NULL);
	if (num > 0) {
		kprobes_begin_set();
		while (num)
			disable_kprobe(kps[--num]);
		kprobes_end_set(0);
	} else if (num < 0) {
		for_each_listed_trace_kprobe(tk)
			if (needs_disable(tk))
				disable_kprobe(&tk->rp.kp);
	}
	kvfree(kps);
}

/* Enable each probe that can be enabled.  Disable the events of all other probes. */
static int enable_one_by_one(void)
{
	struct trace_kprobe *tk;
	int ret, first = 0;

	for_each_listed_trace_kprobe(tk) {
		if (!needs_enable(tk))
			continue;
		ret = enable_kprobe(&tk->rp.kp);
		if (ret)
			probe_event_disable_unarmed(tk->probe.event);
		first = first ?: ret;
	}
	return first;
}

/**
 * trace_kprobes_enable() - enable the kprobes of enabled events, all or none
 * @module:	enable only the probes of this module; NULL: all
 *
 * Context: may sleep; event_mutex is held.
 * Return: 0, or a negative errno if no kprobe was enabled.
 */
int trace_kprobes_enable(const char *module)
{
	struct kprobe **kps;
	int ret;

	ret = collect(&kps, &dyn_event_list, needs_enable, module);
	if (ret > 0) {
		int num = ret;

		kprobes_begin_set();
		for (ret = 0; num && !ret;)
			ret = enable_kprobe(kps[--num]);
		ret = kprobes_end_set(ret);
	}
	kvfree(kps);
	return ret;
}

static int enable_changed(void)
{
	int ret = trace_kprobes_enable(NULL);

	/* -EINVAL: a module was unloaded after its probes were collected. */
	if (ret == -EINVAL)
		ret = trace_kprobes_enable(NULL);
	return ret ? enable_one_by_one() : 0;
}

static void unregister_plain(struct list_head *tks, const char *module)
{
	struct trace_kprobe *tk;
	struct kprobe **kps;
	int num;

	num = collect(&kps, tks, is_registered_kprobe, module);
	if (num > 0) {
		unregister_kprobes(kps, num);
	} else if (num < 0) {
		for_each_trace_kprobe_in(tk, tks)
			if (matches(tk, is_registered_kprobe, module))
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

	num = collect(&kps, tks, is_registered_kretprobe, module);
	if (num > 0) {
		/* Convert the array in place. */
		static_assert(sizeof(*rps) == sizeof(*kps));
		rps = (struct kretprobe **)kps;
		for (i = 0; i < num; i++)
			rps[i] = container_of(kps[i], struct kretprobe, kp);
		unregister_kretprobes(rps, num);
	} else if (num < 0) {
		for_each_trace_kprobe_in(tk, tks)
			if (matches(tk, is_registered_kretprobe, module))
				unregister_kretprobe(&tk->rp);
	}
	kvfree(kps);
}

/**
 * trace_kprobes_unregister() - unregister probes together
 * @tks:	list of the probes; none of their handlers runs after this returns
 * @module:	unregister only the probes of this module; NULL: all
 *
 * One grace period is needed for all kprobes, and one for all kretprobes.  Afterwards,
 * trace_kprobe_is_registered() may still return true.
 *
 * Context: may sleep; the caller ensures that @tks does not change.
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
 * trace_kprobe_begin_set() - begin a set of changes to events
 *
 * Context: event_mutex is held until trace_kprobe_end_set().
 */
void trace_kprobe_begin_set(void)
{
	lockdep_assert_held(&event_mutex);
	/* An event that perf has closed can be deleted. */
	trace_kprobe_finish_closed();
	in_set = true;
	has_changes = false;
}

/**
 * trace_kprobe_end_set() - apply the changes of a set to the kprobes
 *
 * An event that cannot be armed is disabled again.
 *
 * Context: event_mutex is held.
 * Return: 0, or the first error of an event.
 */
int trace_kprobe_end_set(void)
{
	int ret = 0;

	if (has_changes) {
		ret = enable_changed();
		/* If a probe could not be enabled, other probes of its event may be enabled. */
		disable_changed();
	}
	in_set = false;
	free_deleted();
	return ret;
}

/**
 * trace_kprobe_remove() - unregister and free a probe, or defer that to the end of the set
 * @tk:	the probe, already removed from dyn_event_list and from its event
 *
 * Context: event_mutex is held.
 */
void trace_kprobe_remove(struct trace_kprobe *tk)
{
	lockdep_assert_held(&event_mutex);
	list_add_tail(&tk->devent.list, &deleted);
	if (!in_set)
		free_deleted();
}
