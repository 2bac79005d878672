// SPDX-License-Identifier: GPL-2.0
/*
 * Arm and disarm the probes of events, and delete probes.
 *
 * Code that changes many events encloses its loop in dyn_events_begin_set() and
 * dyn_events_end_set().  In between, events are only marked as enabled or disabled, and
 * deleted probes are collected.  As an exception, events in soft mode are armed at once.  At
 * the end of the set, each provider arms or disarms together all probes whose state differs
 * from the state of their event, and unregisters together all deleted probes.  They then
 * share one change of the text and one grace period.
 *
 * An event that perf has closed stays armed for a moment, because a perf session closes its
 * events one by one, and may have thousands.  Such an event has no user: no perf_refcount,
 * although it has its perf_events.  It is disarmed before a set begins and before a command
 * tests whether an event is in use.  perf can open it again in the meantime.
 *
 * event_mutex is held from the beginning to the end of a set, and protects all data here.
 */
#include <linux/cleanup.h>
#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/workqueue.h>

#include "trace.h"

#include "engine.h"

/* All providers.  They are added at boot and never removed. */
LIST_HEAD(probe_providers);

/* All probes of an event have the same provider. */
static struct probe_provider *provider_of_event(struct probe_event *event)
{
	return probe_provider_of(probe_event_first(event));
}

/* Defer a change of an event to the end of the set.  Return false if there is no set. */
static bool defer_to_set(struct probe_provider *provider)
{
	lockdep_assert_held(&event_mutex);
	provider->has_changes |= provider->in_set;
	return provider->in_set;
}

static bool needs_arm(const struct probe_provider *provider, const struct probe *p)
{
	return probe_event_enabled(p->event) && provider->state(p) == PROBE_DISARMED;
}

static bool needs_disarm(const struct probe_provider *provider, const struct probe *p)
{
	return !probe_event_enabled(p->event) && provider->state(p) == PROBE_ARMED;
}

/* Disarm the probes of all disabled events together. */
static void disarm_unused(struct probe_provider *provider)
{
	struct probe *p;

	provider->begin();
	list_for_each_entry(p, &provider->probes, list) {
		if (needs_disarm(provider, p))
			provider->disarm(p);
		cond_resched();
	}
	provider->end();
}

static int arm_together(struct probe_provider *provider)
{
	struct probe *p;

	provider->begin();
	list_for_each_entry(p, &provider->probes, list) {
		if (needs_arm(provider, p))
			provider->arm(p);
		cond_resched();
	}
	return provider->end();
}

static void explain(struct probe_provider *provider, const struct probe *p, int err)
{
	if (provider->explain)
		provider->explain(p, err);
}

static int arm_one(struct probe_provider *provider, struct probe *p)
{
	provider->begin();
	provider->arm(p);
	return provider->end();
}

/**
 * probe_arm_enabled() - arm the probes of all enabled events of a provider
 * @provider: the provider
 * @failed: called for each probe that cannot be armed
 *
 * All probes are armed together or, if this fails, one by one.
 *
 * Context: may sleep; event_mutex is held.
 * Return: 0 or the first error.
 */
int probe_arm_enabled(struct probe_provider *provider,
		      void (*failed)(struct probe *p, int err))
{
	int ret, first = 0;
	struct probe *p;

	if (!arm_together(provider))
		return 0;
	list_for_each_entry(p, &provider->probes, list) {
		if (!needs_arm(provider, p))
			continue;
		ret = arm_one(provider, p);
		if (ret) {
			explain(provider, p, ret);
			failed(p, ret);
		}
		first = first ?: ret;
	}
	return first;
}

static int arm_probes_of(struct probe_provider *provider, struct probe_event *event)
{
	struct probe *p;

	provider->begin();
	list_for_each_entry(p, &event->probes, siblings)
		if (needs_arm(provider, p))
			provider->arm(p);
	return provider->end();
}

static void disable_event(struct probe *p, int err)
{
	probe_event_disable_unarmed(p->event);
}

/* Events: either all probes of an event are armed, or none. */

/**
 * probe_event_disarm() - disarm the probes of an event, or mark this for the set
 * @event: the event
 *
 * Context: may sleep; event_mutex is held.
 */
void probe_event_disarm(struct probe_event *event)
{
	struct probe_provider *provider = provider_of_event(event);
	struct probe *p;

	if (defer_to_set(provider))
		return;
	provider->begin();
	list_for_each_entry(p, &event->probes, siblings)
		if (provider->state(p) != PROBE_GONE)
			provider->disarm(p);
	provider->end();
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
 * probe_event_arm() - arm the probes of an event, or mark this for the set
 * @event: the event
 *
 * Context: may sleep; event_mutex is held.
 * Return: 0 or a negative errno; after an error, none of them is armed.
 */
int probe_event_arm(struct probe_event *event)
{
	struct probe_provider *provider = provider_of_event(event);
	int ret;

	/* Arm an event in soft mode now: the command that enables it must report a failure. */
	if (!is_in_soft_mode(event) && defer_to_set(provider))
		return 0;
	ret = arm_probes_of(provider, event);
	/* Events that perf has closed may hold the missing resource, a debug register. */
	if (ret && provider->has_closed && !provider->in_set) {
		probe_finish_closed(provider);
		ret = arm_probes_of(provider, event);
	}
	if (ret)
		explain(provider, probe_event_first(event), ret);
	return ret;
}

/* Sets */

static void begin_set(struct probe_provider *provider)
{
	provider->in_set = true;
	provider->has_changes = false;
}

static void free_deleted(struct probe_provider *provider)
{
	struct probe *p, *next;

	if (list_empty(&provider->deleted))
		return;
	provider->unregister(&provider->deleted);
	list_for_each_entry_safe(p, next, &provider->deleted, list) {
		list_del(&p->list);
		probe_event_put(p);
		provider->free(p);
		cond_resched();
	}
}

static int end_set(struct probe_provider *provider)
{
	int ret = 0;

	if (provider->has_changes) {
		ret = probe_arm_enabled(provider, disable_event);
		/* If a probe could not be armed, other probes of its event may be armed. */
		disarm_unused(provider);
	}
	provider->in_set = false;
	free_deleted(provider);
	return ret;
}

#ifdef CONFIG_PERF_EVENTS
/* The work item holds event_mutex for a grace period.  Let a session first close all events. */
#define FINISH_DELAY	(HZ / 10)

static bool is_closed(const struct probe *p)
{
	const struct trace_event_call *call = &p->event->call;

	return call->perf_events && !call->perf_refcount;
}

/*
 * Disarm the closed events together.  Return false if there is none.  This arms no event: the
 * caller may be about to arm one.
 */
static bool disarm_closed(struct probe_provider *provider)
{
	struct trace_event_call *call;
	bool found = false;
	struct probe *p;

	begin_set(provider);
	list_for_each_entry(p, &provider->probes, list) {
		if (!is_closed(p))
			continue;
		call = &p->event->call;
		call->class->reg(call, TRACE_REG_PERF_UNREGISTER, NULL);
		found = true;
	}
	if (provider->has_changes)
		disarm_unused(provider);
	provider->in_set = false;
	return found;
}

/**
 * probe_finish_closed() - disarm the events that perf has closed, and free its buffers
 * @provider: the provider of the events
 *
 * Call this before testing whether an event is in use.
 *
 * Context: may sleep; event_mutex is held, but there is no set.
 */
void probe_finish_closed(struct probe_provider *provider)
{
	struct probe *p;

	lockdep_assert_held(&event_mutex);
	if (!provider->has_closed)
		return;
	provider->has_closed = false;
	/* perf may have opened the events again. */
	if (!disarm_closed(provider))
		return;
	/* A hit that began earlier may still use the buffers. */
	synchronize_rcu();
	list_for_each_entry(p, &provider->probes, list)
		if (is_closed(p))
			perf_trace_free(&p->event->call);
}

/**
 * probe_finish_all_closed() - disarm the events of all providers that perf has closed
 *
 * An event can be in use because an event of another provider is attached to it.
 *
 * Context: may sleep; event_mutex is held, but there is no set.
 */
void probe_finish_all_closed(void)
{
	struct probe_provider *provider;

	list_for_each_entry(provider, &probe_providers, entry)
		probe_finish_closed(provider);
}

static void finish_closed(struct work_struct *work)
{
	guard(mutex)(&event_mutex);
	probe_finish_all_closed();
}

static DECLARE_DELAYED_WORK(finish_closed_work, finish_closed);

/**
 * probe_event_close_later() - keep an event armed that perf has closed
 * @call: an event without a perf_refcount
 *
 * An event of the engine is disarmed later, and perf's buffers are freed then.
 * An event that is not in tracefs belongs to a perf event, which does this itself.
 *
 * Context: process context; event_mutex is held.
 * Return: false if @call is no event of the engine.  The caller must then do this now.
 */
bool probe_event_close_later(struct trace_event_call *call)
{
	struct probe_event *event = probe_event_from(call);

	lockdep_assert_held(&event_mutex);
	if (!event)
		return false;
	if (call->flags & TRACE_EVENT_FL_DYNAMIC) {
		provider_of_event(event)->has_closed = true;
		queue_delayed_work(system_unbound_wq, &finish_closed_work, FINISH_DELAY);
	}
	return true;
}
#endif /* CONFIG_PERF_EVENTS */

/**
 * probe_begin_set() - begin a set of changes to the events of a provider
 * @provider: the provider
 *
 * Context: event_mutex is held until probe_end_set().
 */
void probe_begin_set(struct probe_provider *provider)
{
	lockdep_assert_held(&event_mutex);
	/* An event that perf has closed can be deleted. */
	probe_finish_closed(provider);
	begin_set(provider);
}

/**
 * probe_end_set() - apply the changes of a set to the probes
 * @provider: the provider
 *
 * An event that cannot be armed is disabled again.
 *
 * Context: event_mutex is held.
 * Return: 0, or the first error of an event.
 */
int probe_end_set(struct probe_provider *provider)
{
	return end_set(provider);
}

/**
 * probe_delete() - delete a probe, and its event if it has no other probe
 * @p: the probe, listed
 *
 * In a set, the probe is unregistered and freed at the end of the set.
 *
 * Context: event_mutex is held.
 * Return: 0, or -EBUSY if the event would be deleted, but is in use.
 */
int probe_delete(struct probe *p)
{
	struct probe_provider *provider = probe_provider_of(p);
	int ret;

	lockdep_assert_held(&event_mutex);
	/* The event may be in use, unless this is its last probe. */
	if (list_is_singular(&p->event->probes)) {
		ret = probe_event_unregister(p->event);
		if (ret)
			return ret;
	}
	dyn_event_remove(&p->devent);
	probe_event_unlink(p);
	if (provider->release)
		provider->release(p);
	list_move_tail(&p->list, &provider->deleted);
	if (!provider->in_set)
		free_deleted(provider);
	return 0;
}
