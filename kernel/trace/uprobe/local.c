// SPDX-License-Identifier: GPL-2.0
/*
 * Uprobe events: perf's own uprobes.
 *
 * A perf session closes its events one by one, and may have thousands.  So closing an event
 * does not wait for hits: a work item waits once for the hits of all of perf's own uprobes that
 * were closed since it last ran, and frees them.
 */
#include <linux/cleanup.h>
#include <linux/err.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/workqueue.h>

#include "trace.h"
#include "uprobe.h"
#include "trace_probe_perf.h"

/**
 * create_local_trace_uprobe() - create a uprobe event for one perf event
 * @name: path of the file
 * @offs: offset in the file
 * @ref_ctr_offset: offset of the reference counter in the file; 0 if there is none
 * @is_return: probe the function's return
 *
 * The event has no arguments, is in no list, and is not visible in tracefs.
 *
 * Context: may sleep.
 * Return: the event or an ERR_PTR().
 */
struct trace_event_call *
create_local_trace_uprobe(char *name, unsigned long offs, unsigned long ref_ctr_offset,
			  bool is_return)
{
	struct probe_str path = { .s = name, .len = strlen(name) };
	struct probe_event *event;
	struct trace_uprobe *tu;
	int ret;

	tu = trace_uprobe_alloc(path, 0);
	if (!tu)
		return ERR_PTR(-ENOMEM);
	tu->probe.in_user = true;
	dyn_event_init(&tu->probe.devent, &trace_uprobe_provider.dyn);
	trace_uprobe_set_place(tu, offs, ref_ctr_offset, is_return);
	ret = trace_uprobe_find_file(tu, NULL);
	if (ret) {
		trace_uprobe_free(tu);
		return ERR_PTR(ret);
	}
	event = probe_event_new(&tu->probe, TRACE_UPROBE_GROUP, "DUMMY_EVENT",
				trace_uprobe_event_ops(tu));
	if (IS_ERR(event)) {
		trace_uprobe_free(tu);
		return ERR_CAST(event);
	}
	return &event->call;
}

/* perf's own uprobes that are closed, linked by struct probe.list. */
static LIST_HEAD(closed);
static DEFINE_SPINLOCK(closed_lock);

static void free_closed(struct work_struct *work)
{
	struct trace_uprobe *tu, *next;
	LIST_HEAD(tus);

	scoped_guard(spinlock, &closed_lock)
		list_splice_init(&closed, &tus);
	uprobe_unregister_sync();

	scoped_guard(mutex, &event_mutex) {
		list_for_each_entry(tu, &tus, probe.list) {
			perf_trace_free(&tu->probe.event->call);
			probe_event_leave(&tu->probe);
		}
	}
	/* Dropping the last reference to a file can take long. */
	list_for_each_entry_safe(tu, next, &tus, probe.list) {
		trace_uprobe_free(tu);
		cond_resched();
	}
}

static DECLARE_WORK(free_closed_work, free_closed);

/**
 * destroy_local_trace_uprobe() - free an event of create_local_trace_uprobe()
 * @event_call: the event, which no perf event uses any more
 *
 * The uprobe is unregistered at once.  A work item waits for its hits, and frees the event.
 *
 * Context: may sleep.
 */
void destroy_local_trace_uprobe(struct trace_event_call *event_call)
{
	struct probe *p = probe_event_first(probe_event_of(event_call));

	if (WARN_ON(!p))
		return;
	trace_uprobe_unregister(trace_uprobe_of(p));
	scoped_guard(spinlock, &closed_lock)
		list_add_tail(&p->list, &closed);
	queue_work(system_unbound_wq, &free_closed_work);
}
