// SPDX-License-Identifier: GPL-2.0
/*
 * Disabling of events whose count has passed: see limits.c.
 *
 * A hit can be in any context, so it queues an irq_work, which queues a work item, which looks
 * for these events.  They are disabled in all trace instances.  perf and BPF programs keep
 * their events open, but get no more hits.
 */
#include <linux/cleanup.h>
#include <linux/irq_work.h>
#include <linux/kprobes.h>
#include <linux/list.h>
#include <linux/rcupdate.h>
#include <linux/uprobes.h>
#include <linux/workqueue.h>

#include "trace.h"

#include "engine.h"

/* For an event with several probes, @func is called several times. */
static void call_for_events(void (*func)(struct probe_event *event))
{
	struct probe_provider *provider;
	struct probe *p;

	list_for_each_entry(provider, &probe_providers, entry)
		list_for_each_entry(p, &provider->probes, list)
			func(p->event);
}

static void mark_spent(struct probe_event *event)
{
	probe_limits_mark_spent(event->limits);
}

static void disable_spent(struct probe_event *event)
{
	if (!probe_limits_are_spent(event->limits))
		return;
	probe_event_disable(event);
	probe_limits_disabled(event->limits);
}

static void wait_for_hits(void)
{
	synchronize_rcu();
	/* Hits in user space may sleep.  This waits for all of them. */
	uprobe_unregister_sync();
}

static void disable_all_spent(struct work_struct *work)
{
	scoped_guard(mutex, &event_mutex)
		call_for_events(mark_spent);
	/* If an event is disabled too early, a hit that has passed finds nobody to record it. */
	wait_for_hits();

	guard(mutex)(&event_mutex);
	dyn_events_begin_set();
	call_for_events(disable_spent);
	dyn_events_end_set();
}

static DECLARE_WORK(work, disable_all_spent);

static void queue(struct irq_work *irq_work)
{
	queue_work(system_unbound_wq, &work);
}

static DEFINE_IRQ_WORK(irq_work, queue);

/**
 * probe_disable_spent_soon() - disable the events whose count has passed in a work item
 *
 * Context: any, NMI included.
 */
void probe_disable_spent_soon(void)
{
	irq_work_queue(&irq_work);
}
NOKPROBE_SYMBOL(probe_disable_spent_soon);
