// SPDX-License-Identifier: GPL-2.0
/*
 * Watchpoint events: hits, and the address that is watched now.
 *
 * The functions here run in any context, NMI and int3 included, unless noted otherwise, and
 * take no lock.  The CPU does not report accesses by the handler of a breakpoint, so a hit can
 * read the memory that is watched.
 */
#include <linux/atomic.h>
#include <linux/hw_breakpoint.h>
#include <linux/irq_work.h>
#include <linux/kasan.h>
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

/**
 * trace_wprobe_can_watch() - is this an address that a watchpoint can have?
 * @len: number of bytes
 * @addr: the address, without a tag
 *
 * Context: any, NMI included.
 * Return: true if @addr is an aligned address of the kernel.
 */
bool trace_wprobe_can_watch(u8 len, unsigned long addr)
{
	return addr >= TASK_SIZE_MAX && IS_ALIGNED(addr, len) && addr < TRACE_WPROBE_OFF - len;
}
NOKPROBE_SYMBOL(trace_wprobe_can_watch);

/* Pointers to objects have tags with some options of KASAN.  Debug registers do not. */
static nokprobe_inline unsigned long without_tag(unsigned long addr)
{
	return (unsigned long)kasan_reset_tag((void *)addr);
}

static bool take_count(atomic_long_t *left)
{
	return atomic_long_read(left) == TRACE_WPROBE_UNLIMITED ||
	       atomic_long_add_unless(left, -1, 0);
}
NOKPROBE_SYMBOL(take_count);

static void return_count(atomic_long_t *left)
{
	if (atomic_long_read(left) != TRACE_WPROBE_UNLIMITED)
		atomic_long_inc(left);
}
NOKPROBE_SYMBOL(return_count);

/**
 * trace_wprobe_set() - set the address of a watchpoint that has none
 * @wp: the watchpoint
 * @addr: the address
 * @left: the changes that the trigger has left, decremented by a change; or
 *	TRACE_WPROBE_UNLIMITED
 *
 * Context: any, NMI included.
 * Return: true if it watches @addr now; false if it is not armed, if it has an address already,
 * if @addr is not an aligned address of the kernel, or if no change is left.
 */
bool trace_wprobe_set(struct trace_wprobe *wp, unsigned long addr, atomic_long_t *left)
{
	addr = without_tag(addr);
	if (READ_ONCE(wp->addr) != TRACE_WPROBE_NOWHERE || !trace_wprobe_can_watch(wp->len, addr))
		return false;
	/* Other triggers have no effect now, so @left is decremented only for a change. */
	if (cmpxchg(&wp->addr, TRACE_WPROBE_NOWHERE, TRACE_WPROBE_BUSY) != TRACE_WPROBE_NOWHERE)
		return false;
	if (!take_count(left)) {
		cmpxchg(&wp->addr, TRACE_WPROBE_BUSY, TRACE_WPROBE_NOWHERE);
		return false;
	}
	/* Before @addr is set: a breakpoint that is still there can hit at once, and uses this. */
	WRITE_ONCE(wp->last, read_memory(wp, addr));
	if (cmpxchg(&wp->addr, TRACE_WPROBE_BUSY, addr) != TRACE_WPROBE_BUSY) {
		/* It has been disarmed. */
		return_count(left);
		return false;
	}
	/* An NMI must not send interrupts to other CPUs.  The work does. */
	irq_work_queue(&wp->moved);
	return true;
}
NOKPROBE_SYMBOL(trace_wprobe_set);

/**
 * trace_wprobe_clear() - clear a watchpoint if it watches an address
 * @wp: the watchpoint
 * @addr: the address
 * @left: the changes that the trigger has left, decremented by a change; or
 *	TRACE_WPROBE_UNLIMITED
 *
 * Context: any, NMI included.
 * Return: true if it watched @addr; false also if no change is left.
 */
bool trace_wprobe_clear(struct trace_wprobe *wp, unsigned long addr, atomic_long_t *left)
{
	addr = without_tag(addr);
	if (READ_ONCE(wp->addr) != addr || !trace_wprobe_can_watch(wp->len, addr) ||
	    !take_count(left))
		return false;
	if (cmpxchg(&wp->addr, addr, TRACE_WPROBE_NOWHERE) != addr) {
		/* Another trigger has cleared the address, or the watchpoint was disarmed. */
		return_count(left);
		return false;
	}
	irq_work_queue(&wp->moved);
	return true;
}
NOKPROBE_SYMBOL(trace_wprobe_clear);

/**
 * trace_wprobe_clear_any() - clear a watchpoint
 * @wp: the watchpoint
 * @left: the changes that the trigger has left, decremented by a change; or
 *	TRACE_WPROBE_UNLIMITED
 *
 * Context: any, NMI included.
 * Return: true if it watched an address; false also if no change is left.
 */
bool trace_wprobe_clear_any(struct trace_wprobe *wp, atomic_long_t *left)
{
	return trace_wprobe_clear(wp, READ_ONCE(wp->addr), left);
}
NOKPROBE_SYMBOL(trace_wprobe_clear_any);
