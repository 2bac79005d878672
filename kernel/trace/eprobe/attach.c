// SPDX-License-Identifier: GPL-2.0
/*
 * Event probes: attach a probe to its event in a trace instance, and hits.
 *
 * A probe is a trigger of its event: it gets each record, before it is written to the buffer.
 * It is attached once for each trace instance in which its own event is enabled, and once for
 * perf, to the event of the top instance.
 */
#include <linux/kprobes.h>
#include <linux/list.h>
#include <linux/perf_event.h>
#include <linux/rculist.h>
#include <linux/slab.h>
#include <linux/srcu.h>
#include <linux/tracepoint.h>

#include "trace.h"
#include "eprobe.h"

/**
 * struct attachment - a probe that is attached in a trace instance
 * @trigger: the trigger of @target
 * @list: in the probe's list
 * @ep: the probe
 * @target: the event to which it is attached, in this instance
 * @file: its own event in this instance; NULL: the hits are for perf
 * @gone: the removal of the instance has removed the trigger
 * @rcu: for freeing
 */
struct attachment {
	struct event_trigger_data	trigger;
	struct list_head		list;
	struct trace_eprobe		*ep;
	struct trace_event_file		*target;
	struct trace_event_file		*file;
	bool				gone;
	struct rcu_head			rcu;
};

/**
 * eprobe_trigger_func() - a hit: the event is recorded
 * @data: the trigger
 * @buffer: the buffer of the record, which is not needed
 * @rec: the record of the event; NULL if it has none
 * @rbe: the event in @buffer, which is not needed
 *
 * event_trigger_run() calls this directly, not through the event_command.
 *
 * Context: any in which an event is recorded, NMI included; preemption is disabled.
 */
void eprobe_trigger_func(struct event_trigger_data *data, struct trace_buffer *buffer, void *rec,
			 struct ring_buffer_event *rbe)
{
	struct attachment *at = container_of(data, struct attachment, trigger);
	struct probe *p = &at->ep->probe;

	if (unlikely(!rec))
		return;
	if (unlikely(p->checks & PROBE_CHECK_LIMITS) && !probe_limits_pass_to(p, at->file))
		return;
	if (at->file)
		probe_hit_file(p, rec, at->file);
	else
		probe_hit_perf(p, rec);
}
NOKPROBE_SYMBOL(eprobe_trigger_func);

/* The file of triggers does not list event probes. */
static int print(struct seq_file *m, struct event_trigger_data *trigger)
{
	return 0;
}

/* Called if the trigger is removed by others: with all triggers of an instance. */
static void forget(struct event_trigger_data *trigger)
{
	container_of(trigger, struct attachment, trigger)->gone = true;
}

static struct event_command command = {
	.name		= "eprobe",
	.trigger_type	= ETT_EVENT_EPROBE,
	.flags		= EVENT_CMD_FL_NEEDS_REC,
	.trigger	= eprobe_trigger_func,
	.print		= print,
	.free		= forget,
};

static void free_after_srcu(struct rcu_head *rcu)
{
	struct attachment *at = container_of(rcu, struct attachment, rcu);

	free_event_filter(rcu_access_pointer(at->trigger.filter));
	kfree(at);
}

/* Records of some tracepoints are written while RCU does not watch. */
static void free_after_rcu(struct rcu_head *rcu)
{
	call_srcu(&tracepoint_srcu, rcu, free_after_srcu);
}

static void detach(struct attachment *at)
{
	if (!at->gone) {
		list_del_rcu(&at->trigger.list);
		trace_event_trigger_enable_disable(at->target, 0);
		update_cond_flag(at->target);
	}
	list_del(&at->list);
	call_rcu(&at->rcu, free_after_rcu);
}

/* New events are added to the head of the list, so most event probes are on later ones. */
static struct trace_event_file *find_target(const struct trace_array *tr,
					    const struct trace_event_call *call)
{
	struct trace_event_file *file;

	list_for_each_entry_reverse(file, &tr->events, list)
		if (file->event_call == call)
			return call->class->reg ? file : NULL;
	return NULL;
}

static int attach(struct trace_eprobe *ep, struct trace_event_file *file)
{
	struct trace_array *tr = file ? file->tr : top_trace_array();
	struct event_filter *filter = NULL;
	struct trace_event_file *target;
	struct attachment *at;
	int ret = 0;

	target = tr ? find_target(tr, ep->call) : NULL;
	if (!target)
		return -ENOENT;
	at = kzalloc(sizeof(*at), GFP_KERNEL);
	if (!at)
		return -ENOMEM;
	if (ep->filter)
		ret = create_event_filter(tr, ep->call, (char *)ep->filter, false, &filter);
	if (ret) {
		free_event_filter(filter);
		kfree(at);
		return ret;
	}
	at->ep = ep;
	at->target = target;
	at->file = file;
	at->trigger.count = -1;
	at->trigger.flags = EVENT_TRIGGER_FL_PROBE;
	at->trigger.cmd_ops = &command;
	RCU_INIT_POINTER(at->trigger.filter, filter);
	list_add(&at->list, &ep->attachments);
	list_add_tail_rcu(&at->trigger.list, &target->triggers);
	trace_event_trigger_enable_disable(target, 1);
	update_cond_flag(target);
	return 0;
}

/* An event of event probes has only one probe. */
static struct trace_eprobe *eprobe_of(struct probe_event *event)
{
	return trace_eprobe_of(probe_event_first(event));
}

/**
 * trace_eprobe_attach() - attach the probe of an event for a trace instance, or for perf
 * @event: the event
 * @file: the event in the instance; NULL: for perf
 *
 * Context: may sleep; event_mutex is held.
 * Return: 0; -ENOENT if the instance does not have the event to which the probe is attached;
 * or another negative errno.
 */
int trace_eprobe_attach(struct probe_event *event, struct trace_event_file *file)
{
	return attach(eprobe_of(event), file);
}

/**
 * trace_eprobe_detach() - undo trace_eprobe_attach()
 * @event: the event
 * @file: as in trace_eprobe_attach()
 *
 * Hits may run until tracepoint_synchronize_unregister().
 *
 * Context: may sleep; event_mutex is held.
 */
void trace_eprobe_detach(struct probe_event *event, struct trace_event_file *file)
{
	struct attachment *at;

	list_for_each_entry(at, &eprobe_of(event)->attachments, list) {
		if (at->file == file) {
			detach(at);
			return;
		}
	}
}

/**
 * trace_eprobe_check_filter() - check a filter, and write its error to error_log
 * @call: the event whose records it filters
 * @filter: the filter
 *
 * Context: may sleep.
 * Return: 0 or a negative errno.
 */
int trace_eprobe_check_filter(struct trace_event_call *call, const char *filter)
{
	struct event_filter *dummy = NULL;
	int ret;

	ret = create_event_filter(top_trace_array(), call, (char *)filter, true, &dummy);
	free_event_filter(dummy);
	return ret;
}
