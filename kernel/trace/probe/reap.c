// SPDX-License-Identifier: GPL-2.0
/*
 * Deletion of orphans: probes whose owner is gone.
 *
 * If all probes of an event are orphans, the event is disabled first, in all trace instances.
 * Others may still use the event: perf, a BPF program, a trigger or an event probe.  Then the
 * event is deleted when they stop, within a second.
 */
#include <linux/cleanup.h>
#include <linux/fs.h>
#include <linux/list.h>
#include <linux/workqueue.h>

#include "trace.h"

#include "engine.h"

static bool has_only_orphans(const struct probe_event *event)
{
	const struct probe *p;

	list_for_each_entry(p, &event->probes, siblings)
		if (!probe_owner_is_gone(p))
			return false;
	return true;
}

static void disable_orphans(void)
{
	struct probe_provider *provider;
	struct probe *p;

	dyn_events_begin_set();
	list_for_each_entry(provider, &probe_providers, entry)
		list_for_each_entry(p, &provider->probes, list)
			if (probe_owner_is_gone(p) && has_only_orphans(p->event))
				probe_event_disable(p->event);
	dyn_events_end_set();
}

/* Returns how many orphans were deleted; @busy is set to the number of the others. */
static unsigned int delete_orphans(unsigned int *busy)
{
	struct probe_provider *provider;
	unsigned int deleted = 0;
	struct probe *p, *next;

	*busy = 0;
	dyn_events_begin_set();
	list_for_each_entry(provider, &probe_providers, entry) {
		list_for_each_entry_safe(p, next, &provider->probes, list) {
			if (!probe_owner_is_gone(p))
				continue;
			if (probe_delete(p))
				(*busy)++;
			else
				deleted++;
		}
	}
	dyn_events_end_set();
	return deleted;
}

static void reap_later(unsigned long delay);

static void reap(void)
{
	unsigned int busy;

	guard(mutex)(&event_mutex);
	probe_finish_all_closed();
	disable_orphans();
	/* The deletion of an event probe releases the event to which it was attached. */
	while (delete_orphans(&busy) && busy)
		;
	tracing_reset_all_online_cpus();
	if (busy)
		reap_later(HZ);
}

static void reap_work(struct work_struct *work)
{
	if (probe_owners_gone())
		reap();
}

static DECLARE_DELAYED_WORK(work, reap_work);

static void reap_later(unsigned long delay)
{
	mod_delayed_work(system_unbound_wq, &work, delay);
}

/**
 * probe_reap_soon() - delete the orphans in a work item
 *
 * Context: any except NMI.
 */
void probe_reap_soon(void)
{
	reap_later(0);
}

/**
 * probe_reap_file() - delete the probes that a file owned
 * @file: a file of dynamic events, whose last descriptor was closed
 *
 * Context: may sleep; takes event_mutex.
 */
void probe_reap_file(const struct file *file)
{
	if (probe_owner_close(file))
		reap();
}
