// SPDX-License-Identifier: GPL-2.0
/*
 * Kprobe events: enable, disable and unregister kprobes.
 *
 * Code that changes many events encloses its loop in dyn_events_begin_set() and
 * dyn_events_end_set().  In between, events are only marked as enabled or disabled, and
 * deleted probes are collected.  As an exception, events in soft mode are armed at once.  At
 * the end of the set, all kprobes whose state differs from the state of their event are
 * enabled or disabled together, and all deleted kprobes are unregistered together.  They
 * then share one change of the text and one grace period.
 *
 * An event that perf has closed stays armed for a moment, because a perf session closes its
 * events one by one, and may have thousands.  Such an event has no user: no perf_refcount,
 * although it has its perf_events.  It is disarmed before a set begins and before a command
 * tests whether an event is in use.  perf can open it again in the meantime.
 *
 * event_mutex is held from the beginning to the end of a set, and protects all data here.
 */
#define pr_fmt(fmt)	"trace_kprobe: " fmt

#include <linux/cleanup.h>
#include <linux/kprobes.h>
#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/printk.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/workqueue.h>

#include "trace.h"
#include "kprobe.h"
#include "trace_probe.h"

/**
 * struct event_set - the set of events that change together
 * @is_open: there is a set
 * @has_changes: an event changed in the set
 * @deleted: deleted probes, linked by struct trace_kprobe.list
 */
struct event_set {
	bool			is_open;
	bool			has_changes;
	struct list_head	deleted;
};

static struct event_set set = { .deleted = LIST_HEAD_INIT(set.deleted) };

/* Defer a change of an event to the end of the set.  Return false if there is no set. */
static bool defer_to_set(void)
{
	lockdep_assert_held(&event_mutex);
	set.has_changes |= set.is_open;
	return set.is_open;
}

/* kprobes */

static void unregister(struct trace_kprobe *tk)
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
 * @tks:	list of the probes; none of their handlers runs after this returns
 * @module:	unregister only the probes of this module; NULL: all
 *
 * Context: may sleep; the caller ensures that @tks does not change.
 */
void trace_kprobes_unregister(struct list_head *tks, const char *module)
{
	struct trace_kprobe *tk;

	kprobes_begin_set();
	list_for_each_entry(tk, tks, list) {
		if (!module || trace_kprobe_is_in(tk, module))
			unregister(tk);
		cond_resched();
	}
	kprobes_end_set(0);
}

static bool needs_enable(struct trace_kprobe *tk, const char *module)
{
	return probe_event_enabled(tk->probe.event) && trace_kprobe_has_text(tk) &&
	       kprobe_disabled(&tk->rp.kp) && (!module || trace_kprobe_is_in(tk, module));
}

static bool needs_disable(struct trace_kprobe *tk)
{
	return !probe_event_enabled(tk->probe.event) && trace_kprobe_has_text(tk) &&
	       !kprobe_disabled(&tk->rp.kp);
}

/* Disable the kprobes of all disabled events together. */
static void disable_unused(void)
{
	struct trace_kprobe *tk;

	kprobes_begin_set();
	list_for_each_entry(tk, &trace_kprobe_list, list) {
		if (needs_disable(tk))
			disable_kprobe(&tk->rp.kp);
		cond_resched();
	}
	kprobes_end_set(0);
}

static int enable_together(const char *module)
{
	struct trace_kprobe *tk;

	kprobes_begin_set();
	list_for_each_entry(tk, &trace_kprobe_list, list) {
		if (needs_enable(tk, module))
			enable_kprobe(&tk->rp.kp);
		cond_resched();
	}
	return kprobes_end_set(0);
}

/*
 * Enable the kprobes of all enabled events: all together or, if this fails, one by one.  Call
 * @failed for each that cannot be enabled.  If @module is given, only kprobes of that module.
 * Return 0 or the first error.
 */
static int enable_possible(const char *module,
			   void (*failed)(struct trace_kprobe *tk, int err))
{
	struct trace_kprobe *tk;
	int ret, first = 0;

	if (!enable_together(module))
		return 0;
	list_for_each_entry(tk, &trace_kprobe_list, list) {
		if (!needs_enable(tk, module))
			continue;
		ret = enable_kprobe(&tk->rp.kp);
		if (ret)
			failed(tk, ret);
		first = first ?: ret;
	}
	return first;
}

static void disable_event(struct trace_kprobe *tk, int err)
{
	probe_event_disable_unarmed(tk->probe.event);
}

static void give_up(struct trace_kprobe *tk, int err)
{
	pr_warn("%s: cannot probe %s: %d\n", trace_kprobe_event_name(tk),
		trace_kprobe_symbol(tk), err);
	unregister(tk);
}

/**
 * trace_kprobes_enable_module() - enable the kprobes of a module whose events are enabled
 * @module:	the module, which is being loaded
 *
 * A probe that cannot be enabled is unregistered; the kernel log tells.
 *
 * Context: may sleep; event_mutex is held.
 */
void trace_kprobes_enable_module(const char *module)
{
	enable_possible(module, give_up);
}

/* Events: either all probes of an event are enabled, or none. */

/**
 * trace_kprobe_event_disarm() - disable the kprobes of an event, or mark this for the set
 * @event: the event
 *
 * Context: may sleep; event_mutex is held.
 */
void trace_kprobe_event_disarm(struct probe_event *event)
{
	struct trace_kprobe *tk;

	if (defer_to_set())
		return;
	kprobes_begin_set();
	for_each_trace_kprobe_of(tk, event)
		if (trace_kprobe_has_text(tk))
			disable_kprobe(&tk->rp.kp);
	kprobes_end_set(0);
}

/* Is a file of the event in soft mode, for a trigger? */
static bool is_in_soft_mode(struct probe_event *event)
{
	struct probe_file *pf;

	list_for_each_entry(pf, &event->files, list)
		if (pf->file->flags & EVENT_FILE_FL_SOFT_MODE)
			return true;
	return false;
}

/**
 * trace_kprobe_event_arm() - enable the kprobes of an event, or mark this for the set
 * @event: the event
 *
 * Context: may sleep; event_mutex is held.
 * Return: 0 or a negative errno; after an error, none of them is enabled.
 */
int trace_kprobe_event_arm(struct probe_event *event)
{
	struct trace_kprobe *tk;

	/* Arm an event in soft mode now: the command that enables it must report a failure. */
	if (!is_in_soft_mode(event) && defer_to_set())
		return 0;
	kprobes_begin_set();
	for_each_trace_kprobe_of(tk, event)
		if (trace_kprobe_has_text(tk))
			enable_kprobe(&tk->rp.kp);
	return kprobes_end_set(0);
}

/* Sets */

static void begin(void)
{
	set.is_open = true;
	set.has_changes = false;
}

static void free_deleted(void)
{
	struct trace_kprobe *tk, *next;

	if (list_empty(&set.deleted))
		return;
	trace_kprobes_unregister(&set.deleted, NULL);
	list_for_each_entry_safe(tk, next, &set.deleted, list) {
		list_del(&tk->list);
		probe_event_put(&tk->probe);
		trace_kprobe_free(tk);
		cond_resched();
	}
}

static int end(void)
{
	int ret = 0;

	if (set.has_changes) {
		ret = enable_possible(NULL, disable_event);
		/* If a probe could not be enabled, other probes of its event may be enabled. */
		disable_unused();
	}
	set.is_open = false;
	free_deleted();
	return ret;
}

#ifdef CONFIG_PERF_EVENTS
/* The work item holds event_mutex for a grace period.  Let a session first close all events. */
#define FINISH_DELAY	(HZ / 10)

static bool has_closed;

static bool is_closed(const struct trace_kprobe *tk)
{
	const struct trace_event_call *call = &tk->probe.event->call;

	return call->perf_events && !call->perf_refcount;
}

/* Disarm the closed events together.  Return false if there is none. */
static bool disarm_closed(void)
{
	struct trace_event_call *call;
	struct trace_kprobe *tk;
	bool found = false;

	begin();
	list_for_each_entry(tk, &trace_kprobe_list, list) {
		if (!is_closed(tk))
			continue;
		call = &tk->probe.event->call;
		call->class->reg(call, TRACE_REG_PERF_UNREGISTER, NULL);
		found = true;
	}
	end();
	return found;
}

/**
 * trace_kprobe_finish_closed() - disarm the events that perf has closed, and free its buffers
 *
 * Call this before testing whether an event is in use.
 *
 * Context: may sleep; event_mutex is held, but there is no set.
 */
void trace_kprobe_finish_closed(void)
{
	struct trace_kprobe *tk;

	lockdep_assert_held(&event_mutex);
	if (!has_closed)
		return;
	has_closed = false;
	/* perf may have opened the events again. */
	if (!disarm_closed())
		return;
	/* A hit that began earlier may still use the buffers. */
	synchronize_rcu();
	list_for_each_entry(tk, &trace_kprobe_list, list)
		if (is_closed(tk))
			perf_trace_free(&tk->probe.event->call);
}

static void finish_closed(struct work_struct *work)
{
	guard(mutex)(&event_mutex);
	trace_kprobe_finish_closed();
}

static DECLARE_DELAYED_WORK(finish_closed_work, finish_closed);

/**
 * trace_kprobe_close_later() - keep an event armed that perf has closed
 * @call: an event without a perf_refcount
 *
 * A kprobe event is disarmed later, and perf's buffers are freed then.
 * destroy_local_trace_kprobe() does this for perf's own kprobes.
 *
 * Context: process context; event_mutex is held.
 * Return: false if @call is no kprobe event.  The caller must then do this now.
 */
bool trace_kprobe_close_later(struct trace_event_call *call)
{
	lockdep_assert_held(&event_mutex);
	if (!(call->flags & TRACE_EVENT_FL_KPROBE))
		return false;
	if (call->flags & TRACE_EVENT_FL_DYNAMIC) {
		has_closed = true;
		queue_delayed_work(system_unbound_wq, &finish_closed_work, FINISH_DELAY);
	}
	return true;
}
#else
void trace_kprobe_finish_closed(void) { }
#endif /* CONFIG_PERF_EVENTS */

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
	begin();
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
	return end();
}

/**
 * trace_kprobe_delete() - delete a probe, and its event if it has no other probe
 * @tk: the probe, listed
 *
 * In a set, the probe is unregistered and freed at the end of the set.
 *
 * Context: event_mutex is held.
 * Return: 0, or -EBUSY if the event would be deleted, but is in use.
 */
int trace_kprobe_delete(struct trace_kprobe *tk)
{
	struct probe_event *event = tk->probe.event;
	int ret;

	lockdep_assert_held(&event_mutex);
	/* The event may be in use, unless this is its last probe. */
	if (list_is_singular(&event->probes)) {
		ret = probe_event_unregister(event);
		if (ret)
			return ret;
	}
	dyn_event_remove(&tk->devent);
	probe_event_unlink(&tk->probe);
	list_move_tail(&tk->list, &set.deleted);
	if (!set.is_open)
		free_deleted();
	return 0;
}
