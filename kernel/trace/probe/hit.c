// SPDX-License-Identifier: GPL-2.0
/*
 * The hit path of the engine.
 *
 * A record of fixed size is fetched directly into the buffer.  A record with
 * strings is fetched once into a per-CPU scratch record, in one pass over each
 * string.  Its size is then known, and it is copied to every buffer that records
 * the event.  It is fetched again only if a buffer has less or more room than
 * the previous one and this changes its strings.
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
#include <linux/rculist.h>
#include <linux/string.h>

#include "trace.h"

#include "probe.h"

/* A hit can be interrupted by another one: task, softirq, irq, NMI. */
#define PROBE_NR_CONTEXTS	4

struct probe_scratch {
	unsigned int	used;
	u8		rec[PROBE_NR_CONTEXTS][ALIGN(PROBE_MAX_RECORD, 64)] __aligned(8);
};

static struct probe_scratch __percpu *probe_scratch;

/**
 * probe_scratch_get - allocate the scratch records if there are none
 *
 * The first event with a string allocates them; they are never freed.
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

static __always_inline void fill(struct probe *p, const struct probe_event *event,
				 struct probe_hit *hit, const unsigned long *head)
{
	unsigned long *words = hit->rec + sizeof(struct trace_entry);

	if (event->nr_head > 0)
		words[0] = head[0];
	if (event->nr_head > 1)
		words[1] = head[1];
	if (p->prog)
		probe_prog_run(p->prog, hit);
}

static bool take_scratch(struct probe_hit *hit)
{
	struct probe_scratch *s = this_cpu_ptr(probe_scratch);

	if (WARN_ON_ONCE(s->used == PROBE_NR_CONTEXTS))
		return false;
	hit->rec = s->rec[s->used++];
	/* From here on, a hit that interrupts this one takes the next record. */
	barrier();
	return true;
}
NOKPROBE_SYMBOL(take_scratch);

/* Would fetching again with @room give the same record? */
static bool scratch_suits(const struct probe_hit *hit, unsigned int room)
{
	/* A string truncated for lack of room leaves no room for another PROBE_CUT. */
	bool whole = hit->dyn + PROBE_CUT_LEN < hit->end;

	return hit->dyn <= room && (whole || room <= hit->end);
}
NOKPROBE_SYMBOL(scratch_suits);

/*
 * Fetch into a scratch record of at most @room bytes, unless this has been done
 * for another buffer.
 */
static bool fill_scratch(struct probe *p, struct probe_hit *hit,
			 const unsigned long *head, unsigned int room)
{
	if (hit->dyn) {
		if (scratch_suits(hit, room))
			return true;
	} else if (!take_scratch(hit)) {
		return false;
	}
	hit->dyn = p->event->layout.size;
	hit->end = room;
	fill(p, p->event, hit, head);

	/* Buffers round up to words; do not leak old data in the padding. */
	memset(hit->rec + hit->dyn, 0, ALIGN(hit->dyn, 8) - hit->dyn);
	return true;
}
NOKPROBE_SYMBOL(fill_scratch);

/**
 * probe_hit_drop_scratch - release the scratch record of a hit
 * @hit: the hit, which must have one; see probe_hit_end()
 *
 * Context: any, as for probe_hit_trace().
 */
void probe_hit_drop_scratch(struct probe_hit *hit)
{
	barrier();
	this_cpu_ptr(probe_scratch)->used--;
}
NOKPROBE_SYMBOL(probe_hit_drop_scratch);

static void copy_scratch(void *rec, const struct probe_hit *hit, unsigned int len)
{
	const unsigned int skip = sizeof(struct trace_entry);

	memcpy(rec + skip, hit->rec + skip, len - skip);
}
NOKPROBE_SYMBOL(copy_scratch);

/* The largest record that a trace instance accepts: it must fit into a sub-buffer. */
static unsigned int room_in(const struct trace_event_file *file)
{
	unsigned long max = ring_buffer_max_event_size(file->tr->array_buffer.buffer);

	/* An absolute time stamp takes room that @max does not account for. */
	return ALIGN_DOWN(min(max - 2 * sizeof(u32), PROBE_MAX_RECORD), 4);
}
NOKPROBE_SYMBOL(room_in);

static void *reserve_dynamic(struct probe *p, struct probe_hit *hit,
			     const unsigned long *head,
			     struct trace_event_file *file,
			     struct trace_event_buffer *fbuffer, unsigned int room)
{
	if (!fill_scratch(p, hit, head, room))
		return NULL;
	return trace_event_buffer_reserve(fbuffer, file, ALIGN(hit->dyn, 4));
}
NOKPROBE_SYMBOL(reserve_dynamic);

static void trace_dynamic(struct probe *p, struct probe_hit *hit,
			  const unsigned long *head,
			  struct trace_event_file *file)
{
	struct trace_event_buffer fbuffer __uninitialized;
	unsigned int len;
	void *rec;

	rec = reserve_dynamic(p, hit, head, file, &fbuffer, room_in(file));
	/*
	 * While tracing is off, triggers use records in a separate buffer with
	 * sub-buffers of the default size.
	 */
	if (!rec && hit->dyn > PROBE_ANY_RECORD &&
	    file->flags & EVENT_FILE_FL_TRIGGER_COND)
		rec = reserve_dynamic(p, hit, head, file, &fbuffer, PROBE_ANY_RECORD);
	if (!rec)
		return;
	len = ALIGN(hit->dyn, 4);
	fbuffer.regs = hit->regs;
	copy_scratch(rec, hit, len);
	trace_event_buffer_commit(&fbuffer);
}
NOKPROBE_SYMBOL(trace_dynamic);

/**
 * probe_hit_trace - record a hit in every trace instance that uses the event
 * @p: the probe
 * @hit: the hit, from probe_hit_begin()
 * @head: the header words of the event
 *
 * Context: any, NMI included; preemption is disabled.
 */
void probe_hit_trace(struct probe *p, struct probe_hit *hit,
		     const unsigned long *head)
{
	struct probe_event *event = p->event;
	struct trace_event_buffer fbuffer __uninitialized;
	struct probe_file *pf;

	list_for_each_entry_rcu(pf, &event->files, list) {
		if (trace_trigger_soft_disabled(pf->file))
			continue;
		if (event->layout.dynamic) {
			trace_dynamic(p, hit, head, pf->file);
			continue;
		}
		hit->rec = trace_event_buffer_reserve(&fbuffer, pf->file,
						      event->layout.size);
		if (!hit->rec)
			continue;
		fbuffer.regs = hit->regs;
		fill(p, event, hit, head);
		trace_event_buffer_commit(&fbuffer);
	}
}
NOKPROBE_SYMBOL(probe_hit_trace);

#ifdef CONFIG_PERF_EVENTS
/* perf stores a u32 with the size before the record and aligns both to u64. */
static nokprobe_inline unsigned int perf_size(unsigned int len)
{
	return ALIGN(len + sizeof(u32), sizeof(u64)) - sizeof(u32);
}

/**
 * probe_hit_perf_record - record a hit for perf events
 * @p: the probe
 * @hit: the hit; probe_hit_trace() may have run on it already
 * @head: the header words of the event
 * @events: the perf events on this CPU
 *
 * Context: any, NMI included; preemption is disabled.
 */
void probe_hit_perf_record(struct probe *p, struct probe_hit *hit,
			   const unsigned long *head, struct hlist_head *events)
{
	struct probe_event *event = p->event;
	unsigned int len = event->layout.size, size;
	void *rec;
	int rctx;

	BUILD_BUG_ON(PROBE_MAX_RECORD + sizeof(u32) > PERF_MAX_TRACE_SIZE);

	if (event->layout.dynamic) {
		if (!fill_scratch(p, hit, head, PROBE_MAX_RECORD))
			return;
		len = hit->dyn;
	}
	size = perf_size(len);
	rec = perf_trace_buf_alloc(size, NULL, &rctx);
	if (!rec)
		return;
	if (event->layout.dynamic) {
		copy_scratch(rec, hit, len);
	} else {
		hit->rec = rec;
		fill(p, event, hit, head);
	}
	memset(rec + len, 0, size - len);
	perf_trace_buf_submit(rec, size, rctx, event->call.event.type, 1, hit->regs,
			      events, NULL);
}
NOKPROBE_SYMBOL(probe_hit_perf_record);
#endif
