// SPDX-License-Identifier: GPL-2.0
/*
 * Limits of an event: one of N hits, at most N hits in a second, N hits in all.
 *
 * A hit that the predicate accepts passes the sample, then the rate, then the count.  All probes
 * of the event share the limits.  A hit that nobody would record is not counted: an event may be
 * disabled for the moment by a trigger, perf may watch another task, or tracing may be off.
 *
 * sample   Each CPU numbers its hits and lets the first one pass, then each Nth.  A hit in an
 *          NMI has a number of its own.
 * rate     A second begins with the first hit after the previous second.  Its first N hits pass.
 *          CPUs that begin a second at the same time may let a few more hits pass.
 * count    When the last hit passes, ->spent() has the event disabled soon.  Until then, hits
 *          are dropped.
 *
 * The count starts again when the event is enabled.  If a trigger uses the event, it remains
 * registered while it is disabled, and only the flags of its file tell when it is enabled again.
 * So after the event was disabled, a hit that finds a flag set starts the count again.
 */
#include <linux/atomic.h>
#include <linux/jiffies.h>
#include <linux/kprobes.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/seq_file.h>
#include <linux/slab.h>

#include "trace.h"

#include "hit.h"

#define LEFT_DISABLED	(-1)

/**
 * struct probe_limits - the limits of an event, and their state
 * @sample: as in struct probe_options
 * @rate: the same
 * @count: the same
 * @hits: the number of hits on each CPU; NULL without @sample
 * @begin: the time, in jiffies, at which the current second began
 * @passed: the number of hits that have passed in this second, and a few more
 * @left: the number of hits that @count lets pass from now on; LEFT_DISABLED: the event was
 *	disabled after that number became 0
 * @is_spent: the event will be disabled, because @left is 0; protected by event_mutex
 * @spent: called when @left becomes 0, in the context of the hit
 */
struct probe_limits {
	unsigned int		sample;
	unsigned int		rate;
	unsigned int		count;
	unsigned int __percpu	*hits;
	unsigned long		begin;
	atomic_t		passed;
	atomic_t		left;
	bool			is_spent;
	void			(*spent)(void);
};

/**
 * probe_limits_new() - set up the limits of an event
 * @options: the options of the command
 * @spent: called when a count has passed: in any context, NMI included
 *
 * Context: may sleep.
 * Return: the limits; NULL without limits; ERR_PTR(-ENOMEM).
 */
struct probe_limits *probe_limits_new(const struct probe_options *options, void (*spent)(void))
{
	struct probe_limits *l;

	if (!probe_options_limit(options))
		return NULL;
	l = kzalloc(sizeof(*l), GFP_KERNEL);
	if (!l)
		return ERR_PTR(-ENOMEM);
	l->sample = options->sample;
	l->rate = options->rate;
	l->count = options->count;
	l->begin = jiffies;
	l->spent = spent;
	atomic_set(&l->left, l->count);
	if (!l->sample)
		return l;
	l->hits = alloc_percpu(unsigned int);
	if (!l->hits) {
		kfree(l);
		return ERR_PTR(-ENOMEM);
	}
	return l;
}

/**
 * probe_limits_free() - free the limits of an event
 * @l: the limits, or NULL; no hit uses them
 *
 * Context: may sleep.
 */
void probe_limits_free(struct probe_limits *l)
{
	if (!l)
		return;
	free_percpu(l->hits);
	kfree(l);
}

/**
 * probe_limits_differ() - compare the limits of an event with those of a command
 * @l: the limits of the event, or NULL
 * @options: the options of the command
 *
 * Return: true if they differ.
 */
bool probe_limits_differ(const struct probe_limits *l, const struct probe_options *options)
{
	if (!l)
		return probe_options_limit(options);
	return l->sample != options->sample || l->rate != options->rate ||
	       l->count != options->count;
}

/**
 * probe_limits_show() - show the limits of an event as in a command
 * @l: the limits, or NULL
 * @m: the output file
 */
void probe_limits_show(const struct probe_limits *l, struct seq_file *m)
{
	if (!l)
		return;
	if (l->sample)
		seq_printf(m, ",sample=%u", l->sample);
	if (l->rate)
		seq_printf(m, ",limit=%u/s", l->rate);
	if (l->count)
		seq_printf(m, ",count=%u", l->count);
}

/**
 * probe_limits_mark_spent() - begin to disable an event if its count has passed
 * @l: its limits, or NULL
 *
 * The caller then waits for the hits that have passed.
 *
 * Context: event_mutex is held.
 */
void probe_limits_mark_spent(struct probe_limits *l)
{
	if (l && l->count && !atomic_read(&l->left))
		l->is_spent = true;
}

/**
 * probe_limits_are_spent() - must an event be disabled now?
 * @l: its limits, or NULL
 *
 * Context: event_mutex is held.
 * Return: true after probe_limits_mark_spent(), unless the count has started again since.
 */
bool probe_limits_are_spent(const struct probe_limits *l)
{
	return l && l->is_spent;
}

/**
 * probe_limits_disabled() - tell that an event was disabled in all trace instances
 * @l: its limits, which are spent
 *
 * Context: event_mutex is held.
 */
void probe_limits_disabled(struct probe_limits *l)
{
	l->is_spent = false;
	/* A hit that sees this also sees the flags of the files. */
	atomic_set_release(&l->left, LEFT_DISABLED);
}

/**
 * probe_limits_start() - an event has a new user
 * @l: its limits, or NULL
 * @is_first: the event has no other user
 *
 * The count starts again, except that it continues if others use the event and some of it is
 * left.
 *
 * Context: event_mutex is held.
 */
void probe_limits_start(struct probe_limits *l, bool is_first)
{
	if (!l || !l->count || !(is_first || atomic_read(&l->left) <= 0))
		return;
	l->is_spent = false;
	atomic_set(&l->left, l->count);
}

/* Hits */

static nokprobe_inline bool is_sampled(struct probe_limits *l)
{
	return !l->sample || (this_cpu_inc_return(*l->hits) - 1) % l->sample == 0;
}

static nokprobe_inline bool is_in_rate(struct probe_limits *l)
{
	unsigned long begin, now;

	if (!l->rate)
		return true;
	/* In this order: a second that another CPU begins meanwhile is not after @now. */
	begin = smp_load_acquire(&l->begin);
	now = jiffies;
	if (now - begin >= HZ && cmpxchg(&l->begin, begin, now) == begin)
		atomic_set(&l->passed, 0);
	/* Without this test, each dropped hit would write, and the number could overflow. */
	return atomic_read(&l->passed) < l->rate && atomic_inc_return(&l->passed) <= l->rate;
}

/* After probe_limits_disabled(): is the event enabled again, in a trace instance? */
static bool is_enabled_again(struct probe_event *event)
{
	const unsigned long mask = EVENT_FILE_FL_ENABLED | EVENT_FILE_FL_SOFT_DISABLED;
	struct probe_file *pf;

	for_each_probe_file(pf, event)
		if ((READ_ONCE(pf->file->flags) & mask) == EVENT_FILE_FL_ENABLED)
			return true;
	return false;
}
NOKPROBE_SYMBOL(is_enabled_again);

static bool start_again(struct probe_event *event, struct probe_limits *l)
{
	/* Pairs with probe_limits_disabled(): the flags of the files are not older. */
	if (atomic_read_acquire(&l->left) != LEFT_DISABLED || !is_enabled_again(event))
		return false;
	/* One step, so that the count starts once, and nobody sees a 0 that was not counted. */
	atomic_cmpxchg(&l->left, LEFT_DISABLED, l->count);
	return true;
}
NOKPROBE_SYMBOL(start_again);

static nokprobe_inline bool is_in_count(struct probe_event *event, struct probe_limits *l)
{
	int left;

	if (!l->count)
		return true;
	if (unlikely(atomic_read(&l->left) <= 0) && !start_again(event, l))
		return false;
	left = atomic_dec_if_positive(&l->left);
	if (!left)
		l->spent();
	return left >= 0;
}

static bool pass(struct probe *p)
{
	struct probe_event *event = p->event;
	struct probe_limits *l = event->limits;
	enum probe_verdict verdict;

	if (!is_sampled(l))
		verdict = PROBE_NOT_SAMPLED;
	else if (!is_in_rate(l))
		verdict = PROBE_OVER_RATE;
	else if (!is_in_count(event, l))
		verdict = PROBE_OVER_COUNT;
	else
		return true;
	probe_count_rejected(p, verdict);
	return false;
}
NOKPROBE_SYMBOL(pass);

/* Would a trace instance record a hit, or its triggers use it? */
static bool is_used(struct trace_event_file *file)
{
	unsigned long flags = READ_ONCE(file->flags);

	if (flags & EVENT_FILE_FL_TRIGGER_MODE)
		return true;
	if (flags & EVENT_FILE_FL_SOFT_DISABLED)
		return false;
	if ((flags & EVENT_FILE_FL_PID_FILTER) && trace_event_ignore_this_pid(file))
		return false;
	return tracer_tracing_is_on(file->tr);
}
NOKPROBE_SYMBOL(is_used);

static bool is_traced(struct probe_event *event)
{
	struct probe_file *pf;

	for_each_probe_file(pf, event)
		if (is_used(pf->file))
			return true;
	return false;
}
NOKPROBE_SYMBOL(is_traced);

/* Does a BPF program get a hit on this CPU, or does perf record it? */
static bool is_used_by_perf(struct trace_event_call *call)
{
#ifdef CONFIG_PERF_EVENTS
	return bpf_prog_array_valid(call) || !hlist_empty(this_cpu_ptr(call->perf_events));
#else
	return false;
#endif
}
NOKPROBE_SYMBOL(is_used_by_perf);

/**
 * probe_limits_pass() - does a hit pass the limits of its event?
 * @p: the probe, which has limits
 * @perf: the hit goes to perf and BPF programs, too, if there are any
 *
 * Call this once for each hit that the predicate accepts.  A hit that does not pass is counted,
 * unless nobody uses it.
 *
 * Context: any, NMI included; preemption is disabled.
 * Return: true if it passes.
 */
bool probe_limits_pass(struct probe *p, bool perf)
{
	struct probe_event *event = p->event;

	return ((perf && is_used_by_perf(&event->call)) || is_traced(event)) && pass(p);
}
NOKPROBE_SYMBOL(probe_limits_pass);

/**
 * probe_limits_pass_to() - as probe_limits_pass(), for a hit that goes to only one user
 * @p: the probe, which has limits
 * @file: the event in the trace instance that gets the hit; NULL: perf gets it
 *
 * Context: any, NMI included; preemption is disabled.
 * Return: true if it passes.
 */
bool probe_limits_pass_to(struct probe *p, struct trace_event_file *file)
{
	bool used = file ? is_used(file) : is_used_by_perf(&p->event->call);

	return used && pass(p);
}
NOKPROBE_SYMBOL(probe_limits_pass_to);
