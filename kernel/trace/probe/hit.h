/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Parts of the hit path that hits in the kernel (hit.c) and in user space (hit_user.c) share.
 */
#ifndef _PROBE_HIT_H
#define _PROBE_HIT_H

#include <linux/kmsan-checks.h>
#include <linux/kprobes.h>
#include <linux/rculist.h>
#include <linux/string.h>
#include <linux/trace_events.h>

#include "code.h"
#include "engine.h"
#include "record.h"

/*
 * RCU must not ask lockdep whether a reader lock is held: lockdep's state of interrupts
 * may be wrong in the handler of a jump-optimized probe.
 */
#define for_each_probe_file(pf, event)					\
	list_for_each_entry_rcu(pf, &(event)->files, list, true)

/* The other members are set once there is a record. */
static __always_inline void probe_set_hit(struct probe_hit *hit, struct pt_regs *regs,
					  void *entry, unsigned long addr,
					  unsigned long ret_addr)
{
	hit->regs = regs;
	hit->entry = entry;
	hit->head[0] = addr;
	hit->head[1] = ret_addr;
}

/* @nr: number of header words of the event */
static __always_inline void probe_write_head(struct probe_hit *hit, unsigned int nr)
{
	unsigned long *words = hit->rec + sizeof(struct trace_entry);

	if (likely(nr == 1)) {
		words[0] = hit->head[0];
	} else if (nr) {
		words[0] = hit->head[0];
		words[1] = hit->head[1];
	}
}

/* KMSAN does not see stores of the program. */
static __always_inline void probe_unpoison_record(const struct probe *p,
						  const struct probe_hit *hit)
{
	kmsan_unpoison_memory(hit->rec, p->layout.dynamic ? hit->dyn : p->layout.size);
}

/* The probe has no predicate.  @nr_head: as for probe_write_head() */
static __always_inline void probe_fetch_record(struct probe *p, unsigned int nr_head,
					       struct probe_hit *hit)
{
	probe_write_head(hit, nr_head);
	if (!p->prog)
		return;
	probe_prog_run(p->prog, hit);
	probe_unpoison_record(p, hit);
}

/*
 * The probe has a predicate: fetch the record, which is not in a buffer, if the predicate
 * accepts the hit.  hit->rec, hit->dyn and hit->end are set.
 */
static __always_inline enum probe_verdict probe_fetch_if_accepted(struct probe *p,
								  struct probe_hit *hit)
{
	enum probe_verdict verdict = probe_prog_run(p->prog, hit);

	if (verdict == PROBE_ACCEPT) {
		probe_write_head(hit, p->event->nr_head);
		probe_unpoison_record(p, hit);
	}
	return verdict;
}

/* Does only a filter, and no trigger or PID filter, decide whether to record? */
static nokprobe_inline bool probe_is_only_filtered(const struct trace_event_file *file)
{
	unsigned long flags = READ_ONCE(file->flags);

	return unlikely(flags & EVENT_FILE_FL_FILTERED) &&
	       !(flags & (EVENT_FILE_FL_TRIGGER_COND | EVENT_FILE_FL_SOFT_DISABLED |
			  EVENT_FILE_FL_PID_FILTER));
}

/*
 * The program for the filter of a trace instance, or NULL.  Preemption is disabled until it has
 * run.
 */
static nokprobe_inline const struct probe_filter *
probe_filter_of(const struct probe *p, const struct trace_event_file *file)
{
	/* Not rcu_dereference_sched(): lockdep's state of interrupts may be wrong here. */
	const struct probe_filter *f = rcu_dereference_raw(p->filter);

	return f && f->filter == rcu_access_pointer(file->filter) ? f : NULL;
}

static nokprobe_inline void probe_count_rejected(struct probe *p, enum probe_verdict verdict)
{
	this_cpu_inc(p->drops->by[verdict]);
}

/*
 * Clear byte @len of a record and the rest of its word: buffers round up to words, and must
 * not leak old data in the padding.
 */
static nokprobe_inline void probe_clear_after(void *rec, unsigned int len)
{
	u64 *last = rec + round_down(len, sizeof(*last));

	*last &= (__force u64)cpu_to_le64((1ULL << len % sizeof(*last) * 8) - 1);
}

/* If a string was truncated for lack of room, at most one PROBE_CUT fits after it. */
static nokprobe_inline bool probe_is_whole(const struct probe_hit *hit)
{
	return hit->dyn + PROBE_CUT_LEN < hit->end;
}

static nokprobe_inline void probe_copy_record(void *rec, const struct probe_hit *hit,
					      unsigned int len)
{
	const unsigned int skip = sizeof(struct trace_entry);

	memcpy(rec + skip, hit->rec + skip, len - skip);
}

/* perf stores a u32 with the size before the record and aligns both to u64. */
static nokprobe_inline unsigned int probe_perf_size(unsigned int len)
{
	return ALIGN(len + sizeof(u32), sizeof(u64)) - sizeof(u32);
}

/* hit.c */
unsigned int probe_room_in(const struct trace_event_file *file);
bool probe_trace_copy(const struct probe_hit *hit, struct trace_event_file *file,
		      unsigned int len);

#endif /* _PROBE_HIT_H */
