// SPDX-License-Identifier: GPL-2.0
/*
 * The hit path of probes in user space.
 *
 * A hit is handled when its task is about to return to user mode, so it may sleep, and the
 * pages that the arguments refer to are loaded.  A record is fetched once into memory of the
 * task: nothing per CPU is held meanwhile, so other tasks can handle hits on this CPU.  With
 * preemption disabled, the record is then copied to the buffer of each trace instance and to
 * perf.
 *
 * The record of a probe without arguments is made in the buffer, as for hits in the kernel.
 * Another record usually fits on the stack.  If it does not, or if a string was truncated, it is
 * fetched to allocated memory.  If there is no memory, the truncated string remains.
 *
 * If the probe has a predicate, and the predicate rejects the hit, there is no record, and no BPF
 * program runs.
 *
 * All users get the same record.  Its size is limited by the user with the least room.
 */
#include <linux/bpf.h>
#include <linux/cleanup.h>
#include <linux/perf_event.h>
#include <linux/preempt.h>
#include <linux/rcupdate_trace.h>
#include <linux/slab.h>

#include "trace.h"

#include "hit.h"
#include "predicate.h"

/* Largest record that is fetched to the stack, which is almost empty before return to user mode. */
#define STACK_RECORD	512

/* probe_clear_after() may clear one more word. */
#define RECORD_EXTRA	sizeof(u64)

/* Run the BPF programs of an event.  Return whether perf records the hit. */
static __always_inline bool run_programs(struct trace_event_call *call, struct pt_regs *regs)
{
#ifdef CONFIG_BPF_EVENTS
	if (!bpf_prog_array_valid(call))
		return true;
	return bpf_prog_run_array_uprobe(rcu_dereference_check(call->prog_array,
							       rcu_read_lock_trace_held()),
					 regs, bpf_prog_run);
#else
	return true;
#endif
}

/* perf's events on this CPU, or NULL.  Preemption is disabled. */
static struct hlist_head *perf_events_of(struct probe_event *event)
{
	struct hlist_head *events;

	if (!probe_event_uses_perf(event))
		return NULL;
	events = this_cpu_ptr(event->call.perf_events);
	return hlist_empty(events) ? NULL : events;
}

/* Room for a record in a trace instance; 0 if the instance needs no record. */
static unsigned int room_in(const struct trace_event_file *file)
{
	unsigned long flags = READ_ONCE(file->flags);

	/* Do not call trace_trigger_soft_disabled(), which calls triggers. */
	if ((flags & EVENT_FILE_FL_SOFT_DISABLED) && !(flags & EVENT_FILE_FL_TRIGGER_MODE))
		return 0;
	/* While tracing is off, triggers get records in sub-buffers of the default size. */
	return min(probe_room_in(file),
		   flags & EVENT_FILE_FL_TRIGGER_COND ? PROBE_ANY_RECORD : PROBE_MAX_RECORD);
}

/*
 * Room for a record that all users of an event accept; 0 if there is no user.  All trace
 * instances have room for a record of fixed size, so there is no need to ask them.
 */
static __always_inline unsigned int common_room(struct probe *p, bool traced, bool perf)
{
	struct probe_event *event = p->event;
	unsigned int room = 0, next;
	struct probe_file *pf;

	if (traced && !p->layout.dynamic)
		return p->layout.size;
	guard(preempt)();
	if (perf && perf_events_of(event))
		room = PROBE_MAX_RECORD;
	for_each_probe_file(pf, event) {
		next = room_in(pf->file);
		if (next && (!room || next < room))
			room = next;
	}
	return room;
}

/*
 * @checked: the probe has a predicate, whose result is returned.  It is a constant, so that hits
 * of other probes do not pay for predicates: hence __always_inline here and below.
 */
static __always_inline enum probe_verdict fetch_to(struct probe *p, struct probe_hit *hit,
						   void *rec, unsigned int room, bool checked)
{
	enum probe_verdict verdict = PROBE_ACCEPT;

	hit->rec = rec;
	hit->dyn = p->layout.size;
	hit->end = room;
	if (checked)
		verdict = probe_fetch_if_accepted(p, hit);
	else
		probe_fetch_record(p, p->event->nr_head, hit);
	if (verdict == PROBE_ACCEPT)
		probe_clear_after(rec, hit->dyn);
	return verdict;
}

/* Does the length of the fetched data depend on memory? */
static __always_inline bool is_dynamic(const struct probe *p, bool checked)
{
	return p->layout.dynamic || (checked && p->predicate->needs_room);
}

/*
 * Fetch a record.  Set @large to its memory, for kfree(), or to NULL if it is in @small.
 * Return the result of the predicate, if any.  It is valid only if no string was truncated for
 * lack of room that the record may have.
 */
static __always_inline enum probe_verdict fetch(struct probe *p, struct probe_hit *hit,
						void *small, unsigned int room, void **large,
						bool checked)
{
	enum probe_verdict verdict = PROBE_REJECT;
	unsigned int least = p->layout.size + (is_dynamic(p, checked) ? PROBE_CUT_LEN : 0);

	*large = NULL;
	if (!is_dynamic(p, checked))
		room = p->layout.size;
	if (least <= STACK_RECORD) {
		verdict = fetch_to(p, hit, small, min(room, STACK_RECORD), checked);
		if (room <= STACK_RECORD || probe_is_whole(hit))
			return verdict;
	}
	*large = kmalloc(room + RECORD_EXTRA, GFP_KERNEL | __GFP_NOWARN | __GFP_NORETRY);
	if (!*large && least > STACK_RECORD) {
		/* At most a page: without it, the hit would be lost. */
		BUILD_BUG_ON(PROBE_MAX_FIXED + PROBE_CUT_LEN + RECORD_EXTRA > SZ_4K);
		room = least;
		*large = kmalloc(room + RECORD_EXTRA, GFP_KERNEL | __GFP_NOFAIL);
	}
	if (*large)
		verdict = fetch_to(p, hit, *large, room, checked);
	return verdict;
}

static __always_inline void copy_to_perf(struct probe_event *event, const struct probe_hit *hit)
{
	unsigned int len = ALIGN(hit->dyn, sizeof(u32)), size = probe_perf_size(len);
	struct hlist_head *events;
	void *rec;
	int rctx;

	guard(preempt)();
	events = perf_events_of(event);
	if (!events)
		return;
	rec = perf_trace_buf_alloc(size, NULL, &rctx);
	if (!rec)
		return;
	probe_copy_record(rec, hit, len);
	perf_trace_buf_submit(rec, size, rctx, event->call.event.type, 1, hit->regs, events,
			      NULL);
}

static __always_inline void copy_to_traces(struct probe_event *event, struct probe_hit *hit)
{
	struct pt_regs *regs = hit->regs;
	struct probe_file *pf;

	/* Trace instances would record a stack of the kernel from the registers. */
	hit->regs = NULL;
	scoped_guard(preempt)
		for_each_probe_file(pf, event)
			if (!trace_trigger_soft_disabled(pf->file))
				probe_trace_copy(hit, pf->file, ALIGN(hit->dyn, sizeof(u32)));
	hit->regs = regs;
}

/*
 * Do the filters of all trace instances reject the hit, as their programs decide?  These do not
 * sleep: they read no memory.
 */
static noinline bool is_filtered_out(struct probe *p, struct probe_hit *hit)
{
	const struct probe_filter *filter;
	struct probe_file *pf;

	guard(preempt)();
	for_each_probe_file(pf, p->event) {
		/* A trigger that needs no record is called before the filter decides. */
		if (!probe_is_only_filtered(pf->file) ||
		    (READ_ONCE(pf->file->flags) & EVENT_FILE_FL_TRIGGER_MODE))
			return false;
		filter = probe_filter_of(p, pf->file);
		if (!filter || probe_prog_run(filter->prog, hit) == PROBE_ACCEPT)
			return false;
	}
	return true;
}

/* Without arguments, a hit does not sleep, so its record can be made in the buffer. */
static void hit_without_args(struct probe *p, struct pt_regs *regs, unsigned long addr,
			     unsigned long ret_addr, bool traced, bool perf)
{
	u8 rec[sizeof(struct trace_entry) + PROBE_MAX_HEAD * sizeof(long) + RECORD_EXTRA]
		__aligned(8) __uninitialized;
	struct probe_hit hit __uninitialized;

	/* Trace instances would record a stack of the kernel from the registers. */
	if (traced) {
		guard(preempt)();
		probe_hit_trace(p, NULL, NULL, addr, ret_addr);
	}
	if (!perf || !run_programs(&p->event->call, regs))
		return;
	probe_set_hit(&hit, regs, NULL, addr, ret_addr);
	fetch_to(p, &hit, rec, p->layout.size, false);
	copy_to_perf(p->event, &hit);
}

static bool passes_limits(struct probe *p, bool perf)
{
	if (!(p->checks & PROBE_CHECK_LIMITS))
		return true;
	guard(preempt)();
	return probe_limits_pass(p, perf);
}

/*
 * The hit of a probe with a predicate: the record is fetched even if only a BPF program needs to
 * know whether there is one.
 */
static noinline void hit_checked(struct probe *p, struct pt_regs *regs, void *entry,
				 unsigned long addr, unsigned long ret_addr, bool perf)
{
	u8 small[STACK_RECORD + RECORD_EXTRA] __aligned(8) __uninitialized;
	struct probe_hit hit __uninitialized;
	enum probe_verdict verdict;
	unsigned int room = 0;
	void *large;

	/* The strings that are compared have all the room that a record can have. */
	if (p->layout.dynamic)
		room = common_room(p, false, perf);
	probe_set_hit(&hit, regs, entry, addr, ret_addr);
	/* The record is written on the CPU that the predicate has seen. */
	migrate_disable();
	verdict = fetch(p, &hit, small, room ?: PROBE_MAX_RECORD, &large, true);
	if (verdict != PROBE_ACCEPT) {
		probe_count_rejected(p, verdict);
	} else if (passes_limits(p, perf)) {
		copy_to_traces(p->event, &hit);
		if (perf && run_programs(&p->event->call, regs))
			copy_to_perf(p->event, &hit);
	}
	migrate_enable();
	kfree(large);
}

/**
 * probe_hit_user() - pass the hit of a probe in user space to all users of its event
 * @p: the probe
 * @regs: registers of the task at the hit
 * @entry: for a return probe with @uses_entry_time, the time at the function entry, a u64
 * @addr: address of the probe; first header word
 * @ret_addr: for a return probe, the address to which the function returns
 * @perf: also pass it to BPF programs and perf events
 *
 * Context: process context, under rcu_read_lock_trace(); may sleep.
 */
void probe_hit_user(struct probe *p, struct pt_regs *regs, void *entry, unsigned long addr,
		    unsigned long ret_addr, bool perf)
{
	u8 small[STACK_RECORD + RECORD_EXTRA] __aligned(8) __uninitialized;
	struct probe_event *event = p->event;
	unsigned int flags = probe_event_flags(event), room;
	bool traced = flags & PROBE_EVENT_TRACE;
	struct probe_hit hit __uninitialized;
	void *large = NULL;

	/* One test recognizes most hits. */
	if (!probe_hit_is_plain(flags)) {
		perf = perf && (flags & PROBE_EVENT_PERF);
		if (p->checks & PROBE_CHECK_PREDICATE) {
			hit_checked(p, regs, entry, addr, ret_addr, perf);
			return;
		}
		if (!passes_limits(p, perf))
			return;
	} else {
		perf = false;
	}
	if (!p->prog) {
		hit_without_args(p, regs, addr, ret_addr, traced, perf);
		return;
	}
	/* As for other kinds of events, the trace has the record before a program runs. */
	if (perf && !traced)
		perf = run_programs(&event->call, regs);
	room = common_room(p, traced, perf);
	if (room) {
		probe_set_hit(&hit, regs, entry, addr, ret_addr);
		if (!perf && rcu_access_pointer(p->filter) && is_filtered_out(p, &hit))
			return;
		fetch(p, &hit, small, room, &large, false);
		copy_to_traces(event, &hit);
	}
	if (perf && traced)
		perf = run_programs(&event->call, regs);
	if (perf && room)
		copy_to_perf(event, &hit);
	kfree(large);
}
