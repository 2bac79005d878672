// SPDX-License-Identifier: GPL-2.0
/*
 * Kprobe events: perf's own kprobes.
 *
 * A perf session closes its events one by one, and may have thousands.  So closing an event
 * does not wait for a grace period: a work item frees all of perf's own kprobes that were
 * closed since it last ran.  probe/arm.c does the same for events in tracefs.
 */
#include <linux/cleanup.h>
#include <linux/err.h>
#include <linux/kprobes.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>

#include "kprobe.h"
#include "trace_probe_perf.h"

/**
 * create_local_trace_kprobe() - create a kprobe event for one perf event
 * @func: "[MOD:]SYM", or NULL
 * @addr: the address, when @func is NULL
 * @offs: offset from @func
 * @is_return: probe the function's return
 *
 * The event has no arguments, is in no list, and is not visible in tracefs.
 *
 * Context: may sleep.
 * Return: the event or an ERR_PTR().
 */
struct trace_event_call *
create_local_trace_kprobe(char *func, void *addr, unsigned long offs,
			  bool is_return)
{
	struct trace_kprobe_place place = { .addr = (unsigned long)addr, .offset = offs };
	struct trace_kprobe *tk;
	struct probe_event *event;
	int ret;

	if (func)
		trace_kprobe_parse_symbol(&place, func);
	tk = trace_kprobe_alloc(&place, is_return, 0);
	if (!tk)
		return ERR_PTR(-ENOMEM);
	dyn_event_init(&tk->probe.devent, &trace_kprobe_provider.dyn);
	ret = func ? probe_symbol_check(tk->module, tk->function) : 0;
	if (ret) {
		trace_kprobe_free(tk);
		return ERR_PTR(ret);
	}

	event = probe_event_new(&tk->probe, TRACE_KPROBE_GROUP, func ?: "DUMMY_EVENT",
				trace_kprobe_event_ops(tk));
	if (IS_ERR(event)) {
		trace_kprobe_free(tk);
		return ERR_CAST(event);
	}
	ret = trace_kprobe_register(tk, false, NULL);
	if (ret) {
		probe_event_leave(&tk->probe);
		trace_kprobe_free(tk);
		return ERR_PTR(ret);
	}
	return &event->call;
}

/* perf's own kprobes that are closed, linked by struct probe.list. */
static LIST_HEAD(closed);
static DEFINE_SPINLOCK(closed_lock);

static void free_closed(struct work_struct *work)
{
	struct trace_kprobe *tk, *next;
	LIST_HEAD(tks);

	scoped_guard(spinlock, &closed_lock)
		list_splice_init(&closed, &tks);
	trace_kprobes_unregister(&tks);

	guard(mutex)(&event_mutex);
	list_for_each_entry_safe(tk, next, &tks, probe.list) {
		list_del(&tk->probe.list);
		perf_trace_free(&tk->probe.event->call);
		probe_event_leave(&tk->probe);
		trace_kprobe_free(tk);
		cond_resched();
	}
}
static DECLARE_WORK(free_closed_work, free_closed);

/**
 * destroy_local_trace_kprobe() - free an event of create_local_trace_kprobe()
 * @event_call: the event, which no perf event uses any more
 *
 * A work item unregisters and frees the event.  Until then a hit finds no perf event and no
 * BPF program.
 *
 * Context: process context.
 */
void destroy_local_trace_kprobe(struct trace_event_call *event_call)
{
	struct probe *p = probe_event_first(probe_event_of(event_call));

	if (WARN_ON(!p))
		return;
	scoped_guard(spinlock, &closed_lock)
		list_add_tail(&p->list, &closed);
	queue_work(system_unbound_wq, &free_closed_work);
}
