// SPDX-License-Identifier: GPL-2.0
/*
 * The hit path of the engine.
 *
 * Usually, a record of fixed size is fetched directly into the buffer, which is reserved and
 * committed inline; see ring_buffer_write.h.  A record with dynamic data is fetched once into a
 * per-CPU scratch record, in one pass over each string.  Its size is then known, and it is
 * copied to the buffer of each trace instance that records the event, inline if the event has no
 * conditions, triggers or other users.  It is fetched again for perf, and for a buffer in which
 * less or more room would change the strings.
 *
 * If the event has a filter, its program decides before anything is fetched; see filter.c.
 * Without a program, a record of fixed size is fetched to the stack first.  Only a
 * record that passes the filter takes room in the buffer.  If several trace instances
 * record the event, a record of fixed size is fetched once to the stack and copied to
 * each buffer.  A record that is too large for the stack is fetched for each buffer.
 *
 * If the event has limits, a hit that does not pass them ends before a record is reserved.
 *
 * If the probe has a predicate, its record is fetched into a scratch record once for all users,
 * and only if the predicate accepts the hit.  If a buffer has too little room for that record,
 * the record is fetched again, and the predicate decides again.
 *
 * Variables on the stack are __uninitialized and set only when needed: with
 * INIT_STACK_ALL_ZERO, clearing them would take a notable part of a hit.
 *
 * All of this can run in int3 and NMI context, hence NOKPROBE.  The caller has
 * disabled preemption, and RCU is watching.
 */
#include <linux/kprobes.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>

#include "trace.h"
#include "trace_event_write.h"

#include "hit.h"

/* task, softirq, irq and NMI: a hit can interrupt a hit in another context */
#define PROBE_NR_CONTEXTS	4

/* One word more than the largest record: probe_clear_after() may clear it. */
#define SCRATCH_LEN	ALIGN(PROBE_MAX_RECORD + sizeof(u64), 64)

/* @used: bytes of @rec in use, a multiple of SCRATCH_LEN */
struct probe_scratch {
	unsigned int	used;
	u8		rec[PROBE_NR_CONTEXTS * SCRATCH_LEN] __aligned(8);
};

static struct probe_scratch __percpu *probe_scratch;

/**
 * probe_scratch_get() - allocate the scratch records if there are none
 *
 * The first probe with dynamic data or a predicate allocates them; they are never freed.
 *
 * Context: may sleep.
 * Return: 0 or -ENOMEM.
 */
int probe_scratch_get(void)
{
	struct probe_scratch __percpu *new;

	if (READ_ONCE(probe_scratch))
		return 0;
	new = alloc_percpu(struct probe_scratch);
	if (!new)
		return -ENOMEM;
	if (cmpxchg(&probe_scratch, NULL, new))
		free_percpu(new);
	return 0;
}

/* @s: the scratch records of this CPU */
static nokprobe_inline bool take_scratch_of(struct probe_scratch *s, struct probe_hit *hit)
{
	/* An event probe's hit is in the hit of its event. */
	if (unlikely(s->used == sizeof(s->rec)))
		return false;
	hit->rec = s->rec + s->used;
	s->used += SCRATCH_LEN;
	/* From here on, a hit that interrupts this one takes the next record. */
	barrier();
	return true;
}

static nokprobe_inline bool take_scratch(struct probe_hit *hit)
{
	return take_scratch_of(this_cpu_ptr(probe_scratch), hit);
}

static nokprobe_inline void release_scratch(struct probe_scratch *s)
{
	barrier();
	s->used -= SCRATCH_LEN;
}

/* Would fetching again with @room give the same record? */
static bool scratch_suits(const struct probe_hit *hit, unsigned int room)
{
	return hit->dyn <= room && (probe_is_whole(hit) || room <= hit->end);
}
NOKPROBE_SYMBOL(scratch_suits);

/*
 * Fetch into a scratch record of at most @room bytes, unless the record fetched for
 * another buffer can be used.
 */
static nokprobe_inline bool fetch_to_scratch(struct probe *p, struct probe_hit *hit,
					     unsigned int room)
{
	if (hit->dyn) {
		if (scratch_suits(hit, room))
			return true;
	} else if (!take_scratch(hit)) {
		return false;
	}
	hit->dyn = p->layout.size;
	hit->end = room;
	probe_fetch_record(p, p->event->nr_head, hit);
	probe_clear_after(hit->rec, hit->dyn);
	return true;
}

/*
 * For a probe with a predicate: fetch into the scratch record, which the hit has taken, with
 * @room bytes.  Return whether the predicate accepts the hit.
 */
static nokprobe_inline enum probe_verdict fetch_if_accepted(struct probe *p,
							    struct probe_hit *hit,
							    unsigned int room)
{
	enum probe_verdict verdict;

	hit->dyn = p->layout.size;
	hit->end = room;
	verdict = probe_fetch_if_accepted(p, hit);
	if (verdict == PROBE_ACCEPT)
		probe_clear_after(hit->rec, hit->dyn);
	return verdict;
}

/* As fetch_to_scratch(), after fetch_if_accepted(). */
static bool fetch_accepted_again(struct probe *p, struct probe_hit *hit, unsigned int room)
{
	if (scratch_suits(hit, room) || fetch_if_accepted(p, hit, room) == PROBE_ACCEPT)
		return true;
	/* The record is incomplete: the next user must fetch it again. */
	hit->end = 0;
	return false;
}
NOKPROBE_SYMBOL(fetch_accepted_again);

/* hit->dyn is 0 if the hit took no scratch record. */
static nokprobe_inline void drop_scratch(const struct probe_hit *hit)
{
	if (hit->dyn)
		release_scratch(this_cpu_ptr(probe_scratch));
}

/*
 * The largest record that a buffer accepts: it must fit into a sub-buffer, also with a time stamp
 * before it.  max_data_size does not account for absolute time stamps.
 */
static nokprobe_inline unsigned int room_in(const struct trace_buffer *buffer)
{
	unsigned int max = READ_ONCE(buffer->max_data_size) - RB_LEN_TIME_EXTEND;

	if (unlikely(READ_ONCE(buffer->time_stamp_abs)))
		max -= RB_LEN_TIME_EXTEND;
	return ALIGN_DOWN(min(max, PROBE_MAX_RECORD), 4);
}

/**
 * probe_room_in() - the largest record that a trace instance accepts
 * @file: the event in this instance
 *
 * Context: any, NMI included; preemption is disabled.
 * Return: its bytes.
 */
unsigned int probe_room_in(const struct trace_event_file *file)
{
	return room_in(file->tr->array_buffer.buffer);
}
NOKPROBE_SYMBOL(probe_room_in);

/*
 * Reserve room for a hit that passes the filter.  Commit with
 * trace_event_buffer_commit_matched().
 */
static nokprobe_inline bool reserve_matched(struct trace_event_buffer *fbuffer,
					    const struct probe_hit *hit,
					    struct trace_event_file *file, unsigned int len)
{
	fbuffer->trace_ctx = tracing_gen_ctx_dec();
	fbuffer->buffer = file->tr->array_buffer.buffer;
	fbuffer->event = trace_buffer_lock_reserve(fbuffer->buffer, file->event_call->event.type,
						   len, fbuffer->trace_ctx);
	if (!fbuffer->event)
		return false;
	fbuffer->entry = ring_buffer_event_data(fbuffer->event);
	fbuffer->trace_file = file;
	fbuffer->regs = hit->regs;
	return true;
}

/*
 * Write a record of @len bytes, which the filter has accepted, to the buffer.  It is inline, so
 * that stack traces have no additional function.
 */
static nokprobe_inline void trace_matched(const struct probe_hit *hit,
					  struct trace_event_file *file, unsigned int len)
{
	struct trace_event_buffer fbuffer __uninitialized;

	if (likely(trace_event_write(file, hit->rec, len)) ||
	    !reserve_matched(&fbuffer, hit, file, len))
		return;
	probe_copy_record(fbuffer.entry, hit, len);
	trace_event_buffer_commit_matched(&fbuffer);
}

/*
 * Write a record of @len bytes from the stack or scratch memory to the buffer if it passes
 * the filter.
 */
static nokprobe_inline void trace_if_match(const struct probe_hit *hit,
					   struct trace_event_file *file, unsigned int len)
{
	tracing_generic_entry_update(hit->rec, file->event_call->event.type,
				     tracing_gen_ctx_dec());
	/* Not rcu_dereference_sched(): lockdep's state of interrupts may be wrong here. */
	if (filter_match_preds(rcu_dereference_raw(file->filter), hit->rec))
		trace_matched(hit, file, len);
}

/* As trace_matched(), for the general case. */
static nokprobe_inline bool copy_reserved(const struct probe_hit *hit,
					  struct trace_event_file *file, unsigned int len)
{
	struct trace_event_buffer fbuffer __uninitialized;
	void *rec;

	rec = trace_event_buffer_reserve(&fbuffer, file, len);
	if (unlikely(!rec))
		return false;
	fbuffer.regs = hit->regs;
	probe_copy_record(rec, hit, len);
	trace_event_buffer_commit(&fbuffer);
	return true;
}

/* Return false if no record was reserved: a trigger may need one with less room. */
static nokprobe_inline bool copy_to_file(const struct probe_hit *hit,
					 struct trace_event_file *file, unsigned int len)
{
	if (probe_is_only_filtered(file)) {
		trace_if_match(hit, file, len);
		return true;
	}
	return (!trace_event_conditions(file) && trace_event_write(file, hit->rec, len)) ||
	       copy_reserved(hit, file, len);
}

/**
 * probe_trace_copy() - copy a record to the buffer of a trace instance
 * @hit: the hit, with its record
 * @file: the event in this instance
 * @len: bytes of the record; multiple of 4
 *
 * Context: any, NMI included; preemption is disabled.
 * Return: false if no record was reserved, and a trigger may need one with less room.
 */
bool probe_trace_copy(const struct probe_hit *hit, struct trace_event_file *file,
		      unsigned int len)
{
	return copy_to_file(hit, file, len);
}
NOKPROBE_SYMBOL(probe_trace_copy);

/*
 * The reservation failed, perhaps for lack of room.  While tracing is off, triggers use
 * records in a separate buffer with sub-buffers of the default size.
 */
static noinline void retry_for_triggers(struct probe *p, struct probe_hit *hit,
					struct trace_event_file *file)
{
	bool fetched;

	if (hit->dyn <= PROBE_ANY_RECORD || !(file->flags & EVENT_FILE_FL_TRIGGER_COND))
		return;
	fetched = p->predicate ? fetch_accepted_again(p, hit, PROBE_ANY_RECORD) :
				 fetch_to_scratch(p, hit, PROBE_ANY_RECORD);
	if (fetched)
		copy_to_file(hit, file, ALIGN(hit->dyn, 4));
}
NOKPROBE_SYMBOL(retry_for_triggers);

/* Copy a record of @len bytes from the stack or scratch memory to an instance's buffer. */
static nokprobe_inline void trace_copy(struct probe *p, struct probe_hit *hit,
				       struct trace_event_file *file, unsigned int len)
{
	if (unlikely(!copy_to_file(hit, file, len)))
		retry_for_triggers(p, hit, file);
}

/* Fetch a record of variable size, unless the program of the filter rejects the hit. */
static nokprobe_inline void trace_dynamic_filtered(struct probe *p, struct probe_hit *hit,
						   struct trace_event_file *file)
{
	const struct probe_filter *filter = probe_filter_of(p, file);

	if (filter && probe_prog_run(filter->prog, hit) != PROBE_ACCEPT)
		return;
	/* The record decides again, or for the first time. */
	if (fetch_to_scratch(p, hit, probe_room_in(file)))
		trace_if_match(hit, file, ALIGN(hit->dyn, 4));
}

/* Fetch a record of variable size for an event with conditions, triggers or other users. */
static nokprobe_inline void trace_dynamic_any(struct probe *p, struct probe_hit *hit,
					      struct trace_event_file *file)
{
	if (trace_trigger_soft_disabled(file))
		return;
	if (probe_is_only_filtered(file))
		trace_dynamic_filtered(p, hit, file);
	else if (fetch_to_scratch(p, hit, probe_room_in(file)))
		trace_copy(p, hit, file, ALIGN(hit->dyn, 4));
}

/*
 * Fetch a record of variable size.  Most events have no conditions, triggers or other users: the
 * record is written inline.
 */
static nokprobe_inline void trace_dynamic(struct probe *p, struct probe_hit *hit,
					  struct trace_event_file *file)
{
	struct rb_reserved reserved __uninitialized;
	struct trace_buffer *buffer;
	unsigned int len;

	if (trace_event_conditions(file) || trace_event_has_users(file)) {
		trace_dynamic_any(p, hit, file);
		return;
	}
	buffer = file->tr->array_buffer.buffer;
	/* Fetch nothing while recording is off. */
	if (unlikely(atomic_read(&buffer->record_disabled)) ||
	    !fetch_to_scratch(p, hit, room_in(buffer)))
		return;
	len = ALIGN(hit->dyn, 4);
	if (unlikely(!trace_event_reserve_plain(buffer, p->event->call.event.type, len,
						&reserved)))
		return;
	probe_copy_record(reserved.data, hit, len);
	trace_event_commit_plain(buffer, &reserved);
}

/*
 * Let the program of the filter decide, and then fetch a record that is too large for the stack
 * directly into the buffer.
 */
static noinline void trace_if_accepted(struct probe *p, struct probe_hit *hit,
				       struct trace_event_file *file,
				       const struct probe_filter *filter)
{
	struct trace_event_buffer fbuffer __uninitialized;

	if (probe_prog_run(filter->prog, hit) != PROBE_ACCEPT ||
	    !reserve_matched(&fbuffer, hit, file, p->layout.size))
		return;
	hit->rec = fbuffer.entry;
	probe_fetch_record(p, p->event->nr_head, hit);
	trace_event_buffer_commit_matched(&fbuffer);
}
NOKPROBE_SYMBOL(trace_if_accepted);

/* Fetch a record directly into the buffer. */
static __always_inline void trace_in_buffer(struct probe *p, struct probe_hit *hit,
					    struct trace_event_file *file)
{
	struct trace_event_buffer fbuffer __uninitialized;

	hit->rec = trace_event_buffer_reserve(&fbuffer, file, p->layout.size);
	if (!hit->rec)
		return;
	fbuffer.regs = hit->regs;
	probe_fetch_record(p, p->event->nr_head, hit);
	trace_event_buffer_commit(&fbuffer);
}

/*
 * The same, for an event without conditions and triggers.
 *
 * @nr_head: number of header words of the event
 */
static __always_inline void trace_plain(struct probe *p, struct probe_event *event,
					unsigned int nr_head, struct probe_hit *hit,
					struct trace_event_file *file)
{
	struct rb_reserved reserved __uninitialized;
	struct trace_buffer *buffer;

	if (trace_event_has_users(file)) {
		trace_in_buffer(p, hit, file);
		return;
	}
	buffer = file->tr->array_buffer.buffer;
	if (unlikely(!trace_event_reserve_plain(buffer, event->call.event.type, p->layout.size,
						&reserved)))
		return;
	hit->rec = reserved.data;
	probe_fetch_record(p, nr_head, hit);
	trace_event_commit_plain(buffer, &reserved);
}

/*
 * Record a hit if it passes the filter: its program decides before it fetches, or the filter
 * decides about the record.  This is out of line, so that other hits use less stack.
 */
static noinline void trace_filtered(struct probe *p, struct probe_hit *hit,
				    struct trace_event_file *file)
{
	const struct probe_filter *filter = probe_filter_of(p, file);
	u8 rec[PROBE_STACK_RECORD] __aligned(8) __uninitialized;

	hit->rec = rec;
	if (filter && filter->fetches) {
		if (probe_prog_run(filter->prog, hit) != PROBE_ACCEPT)
			return;
		probe_write_head(hit, p->event->nr_head);
		probe_unpoison_record(p, hit);
		trace_matched(hit, file, p->layout.size);
	} else if (filter) {
		trace_if_accepted(p, hit, file, filter);
	} else if (p->layout.size <= PROBE_STACK_RECORD) {
		probe_fetch_record(p, p->event->nr_head, hit);
		trace_if_match(hit, file, p->layout.size);
	} else {
		trace_in_buffer(p, hit, file);
	}
}
NOKPROBE_SYMBOL(trace_filtered);

/* Record a hit, whose record has a fixed size, in one trace instance. */
static __always_inline void trace_fixed(struct probe *p, struct probe_hit *hit,
					struct trace_event_file *file)
{
	if (trace_trigger_soft_disabled(file))
		return;
	if (probe_is_only_filtered(file))
		trace_filtered(p, hit, file);
	else
		trace_in_buffer(p, hit, file);
}

/* Fetch once for all trace instances, so that they record the same values. */
static noinline void trace_copies(struct probe *p, struct probe_event *event,
				  struct probe_hit *hit)
{
	u8 rec[PROBE_STACK_RECORD] __aligned(8) __uninitialized;
	struct probe_file *pf;

	hit->rec = NULL;
	for_each_probe_file(pf, event) {
		if (trace_trigger_soft_disabled(pf->file))
			continue;
		if (!hit->rec) {
			hit->rec = rec;
			probe_fetch_record(p, event->nr_head, hit);
		}
		trace_copy(p, hit, pf->file, p->layout.size);
	}
}
NOKPROBE_SYMBOL(trace_copies);

/**
 * probe_hit_trace_all() - record a hit in all trace instances that use the event
 * @p: the probe, which has no predicate
 * @regs: registers at the probe
 * @entry: data saved at function entry, or NULL
 * @addr: first header word
 * @ret_addr: second header word
 *
 * Context: any, NMI included; preemption is disabled.
 */
void probe_hit_trace_all(struct probe *p, struct pt_regs *regs, void *entry, unsigned long addr,
			 unsigned long ret_addr)
{
	struct probe_event *event = p->event;
	struct probe_hit hit __uninitialized;
	struct probe_file *pf;

	probe_set_hit(&hit, regs, entry, addr, ret_addr);
	hit.dyn = 0;
	if (!p->layout.dynamic && p->layout.size <= PROBE_STACK_RECORD) {
		trace_copies(p, event, &hit);
		return;
	}
	for_each_probe_file(pf, event) {
		if (p->layout.dynamic)
			trace_dynamic(p, &hit, pf->file);
		else
			trace_fixed(p, &hit, pf->file);
	}
	drop_scratch(&hit);
}
NOKPROBE_SYMBOL(probe_hit_trace_all);

/* A hit of a probe with a predicate, and @flags and @may_redirect of probe_hit_all(). */
struct checked_hit {
	struct probe_hit	hit;
	unsigned int		flags;
	bool			may_redirect;
};

#ifdef CONFIG_PERF_EVENTS
static nokprobe_inline void perf_record(struct probe *p, struct probe_hit *hit,
					struct hlist_head *events)
{
	struct probe_event *event = p->event;
	unsigned int len = p->layout.size, size;
	void *rec;
	int rctx;

	BUILD_BUG_ON(PROBE_MAX_RECORD + sizeof(u32) > PERF_MAX_TRACE_SIZE);

	if (p->layout.dynamic) {
		if (!fetch_to_scratch(p, hit, PROBE_MAX_RECORD))
			return;
		len = hit->dyn;
	}
	size = probe_perf_size(len);
	rec = perf_trace_buf_alloc(size, NULL, &rctx);
	if (!rec)
		return;
	/* perf_trace_buf_alloc() has zeroed the padding at the end. */
	if (p->layout.dynamic) {
		probe_copy_record(rec, hit, ALIGN(len, sizeof(u32)));
	} else {
		hit->rec = rec;
		probe_fetch_record(p, event->nr_head, hit);
	}
	perf_trace_buf_submit(rec, size, rctx, event->call.event.type, 1, hit->regs,
			      events, NULL);
}

/*
 * Run the BPF programs of an event.  Return whether perf records the hit; otherwise @ret is the
 * result of probe_hit_all().
 */
static nokprobe_inline bool run_programs(struct trace_event_call *call, struct pt_regs *regs,
					 bool may_redirect, int *ret)
{
	unsigned long ip;
	unsigned int pass;

	if (!bpf_prog_array_valid(call))
		return true;
	ip = instruction_pointer(regs);
	pass = trace_call_bpf(call, regs);
	*ret = may_redirect && instruction_pointer(regs) != ip;
	return pass && !*ret;
}

/**
 * probe_hit_perf_events() - record a hit for perf events
 * @p: the probe, which has no predicate
 * @regs: registers at the probe
 * @entry: data saved at function entry, or NULL
 * @addr: first header word
 * @ret_addr: second header word
 *
 * Context: any, NMI included; preemption is disabled.
 */
void probe_hit_perf_events(struct probe *p, struct pt_regs *regs, void *entry,
			   unsigned long addr, unsigned long ret_addr)
{
	struct hlist_head *events = this_cpu_ptr(p->event->call.perf_events);
	struct probe_hit hit __uninitialized;

	if (hlist_empty(events))
		return;
	probe_set_hit(&hit, regs, entry, addr, ret_addr);
	hit.dyn = 0;
	perf_record(p, &hit, events);
	drop_scratch(&hit);
}
NOKPROBE_SYMBOL(probe_hit_perf_events);

/**
 * probe_hit_programs() - pass a hit to BPF programs and, if they say so, to perf events
 * @p: the probe, which has no predicate
 * @regs: registers at the probe
 * @entry: data saved at function entry, or NULL
 * @addr: first header word
 * @ret_addr: second header word
 * @may_redirect: as for probe_hit_all()
 *
 * Context: any, NMI included; preemption is disabled.
 * Return: as probe_hit_all().
 */
int probe_hit_programs(struct probe *p, struct pt_regs *regs, void *entry,
		       unsigned long addr, unsigned long ret_addr, bool may_redirect)
{
	int ret = 0;

	if (run_programs(&p->event->call, regs, may_redirect, &ret))
		probe_hit_perf_events(p, regs, entry, addr, ret_addr);
	return ret;
}
NOKPROBE_SYMBOL(probe_hit_programs);

/* As probe_hit_programs(), for a hit that the predicate has accepted. */
static nokprobe_inline int perf_accepted(struct probe *p, struct checked_hit *checked)
{
	struct trace_event_call *call = &p->event->call;
	struct probe_hit *hit = &checked->hit;
	struct hlist_head *events;
	unsigned int size;
	int ret = 0, rctx;
	void *rec;

	if (!run_programs(call, hit->regs, checked->may_redirect, &ret))
		return ret;
	events = this_cpu_ptr(call->perf_events);
	/* A trace instance may have had less room. */
	if (hlist_empty(events) || !fetch_accepted_again(p, hit, PROBE_MAX_RECORD))
		return 0;
	size = probe_perf_size(hit->dyn);
	rec = perf_trace_buf_alloc(size, NULL, &rctx);
	if (!rec)
		return 0;
	probe_copy_record(rec, hit, ALIGN(hit->dyn, sizeof(u32)));
	perf_trace_buf_submit(rec, size, rctx, call->event.type, 1, hit->regs, events, NULL);
	return 0;
}
#else
static nokprobe_inline int perf_accepted(struct probe *p, struct checked_hit *checked)
{
	return 0;
}
#endif

/* Pass a hit that the predicate has accepted to all users of the event. */
static noinline int hit_accepted(struct probe *p, struct checked_hit *checked)
{
	struct probe_hit *hit = &checked->hit;
	struct probe_file *pf;

	for_each_probe_file(pf, p->event) {
		if (trace_trigger_soft_disabled(pf->file))
			continue;
		if (p->layout.dynamic && !fetch_accepted_again(p, hit, probe_room_in(pf->file)))
			continue;
		trace_copy(p, hit, pf->file, ALIGN(hit->dyn, 4));
	}
	if (!IS_ENABLED(CONFIG_PERF_EVENTS) || !(checked->flags & PROBE_EVENT_PERF))
		return 0;
	return perf_accepted(p, checked);
}
NOKPROBE_SYMBOL(hit_accepted);

/*
 * Record a hit in the only trace instance that uses the event.
 *
 * @only_addr: a constant: there is one header word, and no @entry
 */
static __always_inline void hit_trace_one(struct probe *p, struct pt_regs *regs, void *entry,
					  unsigned long addr, unsigned long ret_addr,
					  struct trace_event_file *file, bool only_addr)
{
	struct probe_event *event = p->event;
	unsigned int nr_head = only_addr ? 1 : event->nr_head;
	struct probe_hit hit __uninitialized;
	unsigned long conditions;

	hit.regs = regs;
	hit.head[0] = addr;
	if (!only_addr) {
		hit.entry = entry;
		hit.head[1] = ret_addr;
	}
	conditions = trace_event_conditions(file);
	if (likely(!conditions))
		trace_plain(p, event, nr_head, &hit, file);
	else if (conditions == EVENT_FILE_FL_FILTERED)
		trace_filtered(p, &hit, file);
	else
		trace_fixed(p, &hit, file);
}

/**
 * probe_hit_trace_one() - record a hit in the only trace instance that uses the event
 * @p: the probe, which has no predicate; all records of its event have the same size
 * @regs: registers at the probe
 * @entry: data saved at function entry, or NULL
 * @addr: first header word
 * @ret_addr: second header word
 * @file: the event in this instance, from probe_event::file
 *
 * Context: any, NMI included; preemption is disabled.
 */
void probe_hit_trace_one(struct probe *p, struct pt_regs *regs, void *entry, unsigned long addr,
			 unsigned long ret_addr, struct trace_event_file *file)
{
	hit_trace_one(p, regs, entry, addr, ret_addr, file, false);
}
NOKPROBE_SYMBOL(probe_hit_trace_one);

/**
 * probe_hit_trace_addr() - record a hit, with one header word and without saved data
 * @p: the probe; its event has one header word, and its program reads no saved data
 * @regs: registers at the probe
 * @addr: the header word
 * @file: the event in the only trace instance that uses it, from probe_event::file
 *
 * It replaces probe_hit_trace_one(), with fewer instructions.
 *
 * Context: any, NMI included; preemption is disabled.
 */
void probe_hit_trace_addr(struct probe *p, struct pt_regs *regs, unsigned long addr,
			  struct trace_event_file *file)
{
	hit_trace_one(p, regs, NULL, addr, 0, file, true);
}
NOKPROBE_SYMBOL(probe_hit_trace_addr);

/**
 * probe_hit_file() - record a hit, whose values are saved, in one trace instance
 * @p: the probe, which is not in user space; its event has no header words
 * @saved: the values
 * @file: the event in this instance
 *
 * There is a fast path for event probes with records of fixed size.
 *
 * Context: any, NMI included; preemption is disabled.
 */
void probe_hit_file(struct probe *p, void *saved, struct trace_event_file *file)
{
	struct probe_hit hit __uninitialized;

	hit.regs = NULL;
	hit.entry = saved;
	if (unlikely(p->layout.dynamic)) {
		hit.dyn = 0;
		trace_dynamic(p, &hit, file);
		drop_scratch(&hit);
		return;
	}
	if (likely(!trace_event_conditions(file)))
		trace_plain(p, p->event, 0, &hit, file);
	else
		trace_fixed(p, &hit, file);
}
NOKPROBE_SYMBOL(probe_hit_file);

/* As probe_hit_all(), for a probe without checks. */
static nokprobe_inline int hit_unchecked(struct probe *p, unsigned int flags,
					 struct pt_regs *regs, void *entry, unsigned long addr,
					 unsigned long ret_addr, bool may_redirect)
{
	if (flags & PROBE_EVENT_TRACE)
		probe_hit_trace(p, regs, entry, addr, ret_addr);
	if (!(flags & PROBE_EVENT_PERF))
		return 0;
	return probe_hit_perf_only(p, regs, entry, addr, ret_addr, may_redirect);
}

/*
 * As probe_hit_all(), for a probe with a predicate.
 *
 * @limited: it also has limits.  It is a constant, so that other hits do not pay for them.
 */
static __always_inline int hit_checked(struct probe *p, unsigned int flags, struct pt_regs *regs,
				       void *entry, unsigned long addr, unsigned long ret_addr,
				       bool may_redirect, bool limited)
{
	struct checked_hit checked __uninitialized;
	struct probe_hit *hit = &checked.hit;
	struct probe_scratch *scratch;
	enum probe_verdict verdict;
	int ret = 0;

	scratch = this_cpu_ptr(probe_scratch);
	if (!take_scratch_of(scratch, hit))
		return 0;
	probe_set_hit(hit, regs, entry, addr, ret_addr);
	checked.flags = flags;
	checked.may_redirect = may_redirect;
	verdict = fetch_if_accepted(p, hit, PROBE_MAX_RECORD);
	if (verdict != PROBE_ACCEPT)
		probe_count_rejected(p, verdict);
	else if (!limited || probe_limits_pass(p, flags & PROBE_EVENT_PERF))
		ret = hit_accepted(p, &checked);
	release_scratch(scratch);
	return ret;
}

/* Out of line, so that a hit that a limit drops uses less stack. */
static noinline int hit_checked_limited(struct probe *p, unsigned int flags, struct pt_regs *regs,
					void *entry, unsigned long addr, unsigned long ret_addr,
					bool may_redirect)
{
	return hit_checked(p, flags, regs, entry, addr, ret_addr, may_redirect, true);
}
NOKPROBE_SYMBOL(hit_checked_limited);

/* As probe_hit_all(), for a probe that does not have just a predicate. */
static noinline int hit_limited(struct probe *p, unsigned int flags, struct pt_regs *regs,
				void *entry, unsigned long addr, unsigned long ret_addr,
				bool may_redirect)
{
	if (p->checks & PROBE_CHECK_PREDICATE)
		return hit_checked_limited(p, flags, regs, entry, addr, ret_addr, may_redirect);
	if (p->checks && !probe_limits_pass(p, flags & PROBE_EVENT_PERF))
		return 0;
	return hit_unchecked(p, flags, regs, entry, addr, ret_addr, may_redirect);
}
NOKPROBE_SYMBOL(hit_limited);

/**
 * probe_hit_all() - pass a hit to BPF programs, perf events and trace instances
 * @p: the probe
 * @flags: PROBE_EVENT_*: the users of the event when the caller prepared the registers
 * @regs: registers at the probe
 * @entry: data saved at function entry, or NULL
 * @addr: first header word
 * @ret_addr: second header word
 * @may_redirect: a BPF program may change the instruction pointer, see
 *	bpf_override_return()
 *
 * If the predicate of the probe rejects the hit, or if it does not pass the limits of its event,
 * nobody gets it.
 *
 * Context: any, NMI included; preemption is disabled.
 * Return: 1 when a BPF program has changed the instruction pointer, and the
 * task must resume there; 0 otherwise.
 */
int probe_hit_all(struct probe *p, unsigned int flags, struct pt_regs *regs, void *entry,
		  unsigned long addr, unsigned long ret_addr, bool may_redirect)
{
	if (unlikely(p->checks != PROBE_CHECK_PREDICATE))
		return hit_limited(p, flags, regs, entry, addr, ret_addr, may_redirect);
	return hit_checked(p, flags, regs, entry, addr, ret_addr, may_redirect, false);
}
NOKPROBE_SYMBOL(probe_hit_all);

/**
 * probe_hit_here() - pass a hit to all users of its event, with the registers of this function
 * @p: the probe
 * @saved: values that the provider saved
 * @addr: first header word
 *
 * Context: any, NMI included; preemption is disabled.
 */
void probe_hit_here(struct probe *p, void *saved, unsigned long addr)
{
#ifdef CONFIG_PERF_EVENTS
	/* perf may record registers that perf_fetch_caller_regs() does not set. */
	struct pt_regs regs = {};

	perf_fetch_caller_regs(&regs);
	probe_hit_return(p, &regs, saved, addr, 0);
#endif
}
NOKPROBE_SYMBOL(probe_hit_here);

/**
 * probe_hit_perf() - pass a hit only to perf, with the registers of this function
 * @p: the probe
 * @saved: values that the provider saved
 *
 * Context: any, NMI included; preemption is disabled.
 */
void probe_hit_perf(struct probe *p, void *saved)
{
#ifdef CONFIG_PERF_EVENTS
	struct pt_regs regs = {};

	if (!probe_event_uses_perf(p->event))
		return;
	perf_fetch_caller_regs(&regs);
	probe_hit_perf_only(p, &regs, saved, 0, 0, false);
#endif
}
NOKPROBE_SYMBOL(probe_hit_perf);

/**
 * probe_hit_entry() - save data at a function's entry for the hit of a return probe
 * @p: the probe, which has a program for the entry
 * @regs: registers at the entry
 * @data: memory for the data
 *
 * Context: any, NMI included; preemption is disabled.
 */
void probe_hit_entry(struct probe *p, struct pt_regs *regs, void *data)
{
	struct probe_hit hit __uninitialized;

	probe_set_hit(&hit, regs, NULL, 0, 0);
	hit.rec = data;
	probe_prog_run(p->entry->prog, &hit);
}
NOKPROBE_SYMBOL(probe_hit_entry);
