// SPDX-License-Identifier: GPL-2.0
/*
 * Watchpoint events: hits, and the address that is watched now.
 *
 * The functions here run in any context, NMI and int3 included, unless noted otherwise, and
 * take no lock.  The machine does not report accesses of the handler of a breakpoint, so a hit
 * can read the memory that it watches.
 */
#include <linux/hw_breakpoint.h>
#include <linux/irq_work.h>
#include <linux/kprobes.h>
#include <linux/perf_event.h>
#include <linux/ptrace.h>
#include <linux/uaccess.h>

#include "wprobe.h"

/* The memory, as a number of its size; 0 if it cannot be read. */
static unsigned long read_memory(const struct trace_wprobe *wp, unsigned long addr)
{
	const void *from = (const void *)addr;
	union {
		u8	byte;
		u16	half;
		u32	word;
		u64	all;
	} v = {};

	if (copy_from_kernel_nofault(&v, from, wp->len))
		return 0;
	switch (wp->len) {
	case 1:
		return v.byte;
	case 2:
		return v.half;
	case 4:
		return v.word;
	default:
		return v.all;
	}
}
NOKPROBE_SYMBOL(read_memory);

/**
 * trace_wprobe_hit() - the memory at a watchpoint was accessed
 * @bp: the breakpoint of this CPU
 * @data: perf's sample, not used
 * @regs: registers after the access
 *
 * Context: a debug exception; preemption is disabled.
 */
void trace_wprobe_hit(struct perf_event *bp, struct perf_sample_data *data,
		      struct pt_regs *regs)
{
	struct trace_wprobe *wp = bp->overflow_handler_context;
	struct trace_wprobe_values v = { .addr = bp->attr.bp_addr };

	/* A trigger may have moved the watchpoint, but not yet the breakpoint. */
	if (READ_ONCE(wp->addr) != v.addr)
		return;
	v.value = read_memory(wp, v.addr);
	v.old = xchg(&wp->last, v.value);
	probe_hit_values(&wp->probe, regs, &v, instruction_pointer(regs));
}
NOKPROBE_SYMBOL(trace_wprobe_hit);

/**
 * trace_wprobe_start() - watch the address of the command
 * @wp: the watchpoint, which no CPU has armed
 *
 * Context: event_mutex is held.
 */
void trace_wprobe_start(struct trace_wprobe *wp)
{
	WRITE_ONCE(wp->last, wp->start ? read_memory(wp, wp->start) : 0);
	WRITE_ONCE(wp->addr, wp->start);
}

/**
 * trace_wprobe_stop() - watch nothing, and ignore triggers
 * @wp: the watchpoint
 *
 * Context: event_mutex is held.
 */
void trace_wprobe_stop(struct trace_wprobe *wp)
{
	WRITE_ONCE(wp->addr, TRACE_WPROBE_OFF);
}

static bool can_watch(const struct trace_wprobe *wp, unsigned long addr)
{
	return addr >= TASK_SIZE_MAX && IS_ALIGNED(addr, wp->len) &&
	       addr < TRACE_WPROBE_OFF - wp->len;
}
NOKPROBE_SYMBOL(can_watch);

/**
 * trace_wprobe_set() - place a watchpoint that has no address
 * @wp: the watchpoint
 * @addr: the address
 *
 * Context: any, NMI included.
 * Return: true if it watches @addr now; false if it is not armed, if it has an address already,
 * or if @addr is not an aligned address of the kernel.
 */
bool trace_wprobe_set(struct trace_wprobe *wp, unsigned long addr)
{
	unsigned long value;

	if (READ_ONCE(wp->addr) != TRACE_WPROBE_NOWHERE || !can_watch(wp, addr))
		return false;
	value = read_memory(wp, addr);
	if (cmpxchg(&wp->addr, TRACE_WPROBE_NOWHERE, addr) != TRACE_WPROBE_NOWHERE)
		return false;
	WRITE_ONCE(wp->last, value);
	/* In NMI context, no message can be sent to another CPU. */
	irq_work_queue(&wp->moved);
	return true;
}
NOKPROBE_SYMBOL(trace_wprobe_set);

/**
 * trace_wprobe_clear() - clear a watchpoint if it watches an address
 * @wp: the watchpoint
 * @addr: the address
 *
 * Context: any, NMI included.
 * Return: true if it watched @addr.
 */
bool trace_wprobe_clear(struct trace_wprobe *wp, unsigned long addr)
{
	if (!can_watch(wp, addr) || cmpxchg(&wp->addr, addr, TRACE_WPROBE_NOWHERE) != addr)
		return false;
	irq_work_queue(&wp->moved);
	return true;
}
NOKPROBE_SYMBOL(trace_wprobe_clear);

/**
 * trace_wprobe_clear_any() - clear a watchpoint
 * @wp: the watchpoint
 *
 * Context: any, NMI included.
 * Return: true if it watched an address.
 */
bool trace_wprobe_clear_any(struct trace_wprobe *wp)
{
	return trace_wprobe_clear(wp, READ_ONCE(wp->addr));
}
NOKPROBE_SYMBOL(trace_wprobe_clear_any);
