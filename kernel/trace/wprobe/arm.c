// SPDX-License-Identifier: GPL-2.0
/*
 * Watchpoint events: arm, move and disarm the breakpoints of the CPUs.
 *
 * An armed watchpoint has a breakpoint on each CPU that is online.  The breakpoint is a pinned
 * event of perf, so that it keeps its debug register.  A watchpoint without an address watches
 * a variable that nothing accesses.  So only arming can fail for lack of a register.
 *
 * Each CPU moves its breakpoint in a hard interrupt.  perf changes the events of a CPU only on
 * this CPU, with interrupts off.
 *
 * Between trace_wprobes_begin() and trace_wprobes_end(), the engine either arms watchpoints or
 * disarms them.  event_mutex protects the list of those that are armed together.
 */
#include <linux/atomic.h>
#include <linux/cleanup.h>
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/err.h>
#include <linux/hw_breakpoint.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/panic.h>
#include <linux/perf_event.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/tracepoint.h>

#include "trace.h"
#include "wprobe.h"

/* The breakpoints of a watchpoint without an address are here.  Nothing accesses this. */
static u64 nowhere;

/* Armed watchpoints.  The mutex also protects trace_wprobe_cpu::bp. */
LIST_HEAD(trace_wprobes_armed);
static DEFINE_MUTEX(armed_mutex);

/* Watchpoints armed since trace_wprobes_begin(), and the first error. */
static LIST_HEAD(batch);
static int first_error;

static unsigned long breakpoint_address(unsigned long addr)
{
	return addr == TRACE_WPROBE_NOWHERE || addr == TRACE_WPROBE_BUSY ||
	       addr == TRACE_WPROBE_OFF ? (unsigned long)&nowhere : addr;
}

static void set_attr(struct perf_event_attr *attr, u8 access, u8 len, unsigned long addr)
{
	BUILD_BUG_ON(TRACE_WPROBE_R != HW_BREAKPOINT_R || TRACE_WPROBE_W != HW_BREAKPOINT_W ||
		     HW_BREAKPOINT_LEN_8 != 8);
	hw_breakpoint_init(attr);
	attr->bp_addr = breakpoint_address(addr);
	attr->bp_len = len;
	attr->bp_type = access;
}

/**
 * trace_wprobe_check() - can this machine watch an address of the kernel?
 * @access: the accesses
 * @len: number of bytes
 * @addr: the address, or TRACE_WPROBE_NOWHERE
 *
 * Context: may sleep.
 * Return: 0; -ENOMEM; or another negative errno if it cannot.
 */
int trace_wprobe_check(u8 access, u8 len, unsigned long addr)
{
	struct arch_hw_breakpoint hw = {};
	struct perf_event_attr attr;
	struct perf_event *bp;
	int ret;

	/* arm64 compares with the limit of the current task, which may be a 32-bit one. */
	if (addr != TRACE_WPROBE_NOWHERE && !trace_wprobe_can_watch(len, addr))
		return -EINVAL;
	bp = kzalloc(sizeof(*bp), GFP_KERNEL);
	if (!bp)
		return -ENOMEM;
	set_attr(&attr, access, len, addr);
	ret = hw_breakpoint_arch_parse(bp, &attr, &hw);
	if (!ret && !arch_check_bp_in_kernelspace(&hw))
		ret = -EINVAL;
	kfree(bp);
	return ret;
}

/* Moving */

/* Context: hard interrupt on the CPU of the breakpoint. */
static void move(struct irq_work *work)
{
	struct trace_wprobe_cpu *c = container_of(work, struct trace_wprobe_cpu, move);
	unsigned long addr = breakpoint_address(READ_ONCE(c->wp->addr));
	struct perf_event *bp = READ_ONCE(c->bp);
	struct arch_hw_breakpoint hw = {};
	struct perf_event_attr attr;
	atomic_long_t left = ATOMIC_LONG_INIT(TRACE_WPROBE_UNLIMITED);
	bool installed;

	if (!bp || bp->attr.bp_addr == addr)
		return;
	attr = bp->attr;
	attr.bp_addr = addr;
	if (hw_breakpoint_arch_parse(bp, &attr, &hw)) {
		/* Memory that the entry code uses cannot be watched. */
		trace_wprobe_clear(c->wp, addr, &left);
		return;
	}
	installed = bp->state == PERF_EVENT_STATE_ACTIVE;
	if (installed)
		arch_uninstall_hw_breakpoint(bp);
	bp->attr.bp_addr = addr;
	bp->hw.info = hw;
	if (installed)
		arch_install_hw_breakpoint(bp);
}

/*
 * Context: hard interrupt.  Hotplug waits for it, so CPUs that are online stay so.  But reboot
 * and panic stop the other CPUs without waiting.  These CPUs need no move then.
 */
static void move_all(struct irq_work *work)
{
	struct trace_wprobe *wp = container_of(work, struct trace_wprobe, moved);
	int cpu, this = smp_processor_id();

	move(&per_cpu_ptr(wp->cpus, this)->move);
	if (system_state > SYSTEM_RUNNING || atomic_read(&panic_cpu) != PANIC_CPU_INVALID)
		return;
	for_each_online_cpu(cpu)
		if (cpu != this)
			irq_work_queue_on(&per_cpu_ptr(wp->cpus, cpu)->move, cpu);
}

/**
 * trace_wprobe_alloc_cpus() - allocate the breakpoints of a new watchpoint
 * @wp: the watchpoint
 *
 * Context: may sleep.
 * Return: 0 or -ENOMEM.
 */
int trace_wprobe_alloc_cpus(struct trace_wprobe *wp)
{
	int cpu;

	wp->moved = IRQ_WORK_INIT_HARD(move_all);
	wp->cpus = alloc_percpu(struct trace_wprobe_cpu);
	if (!wp->cpus)
		return -ENOMEM;
	for_each_possible_cpu(cpu) {
		struct trace_wprobe_cpu *c = per_cpu_ptr(wp->cpus, cpu);

		c->wp = wp;
		c->move = IRQ_WORK_INIT_HARD(move);
	}
	return 0;
}

/**
 * trace_wprobe_free_cpus() - undo trace_wprobe_alloc_cpus()
 * @wp: the watchpoint, which is not armed; no trigger uses it
 *
 * Context: may sleep.
 */
void trace_wprobe_free_cpus(struct trace_wprobe *wp)
{
	int cpu;

	if (!wp->cpus)
		return;
	irq_work_sync(&wp->moved);
	for_each_possible_cpu(cpu)
		irq_work_sync(&per_cpu_ptr(wp->cpus, cpu)->move);
	free_percpu(wp->cpus);
}

/* Arming */

/*
 * The breakpoint first watches nothing.  The interrupt moves it, so that a trigger that runs
 * before the CPU has the breakpoint is not lost.
 */
static int arm_cpu(struct trace_wprobe *wp, int cpu)
{
	struct trace_wprobe_cpu *c = per_cpu_ptr(wp->cpus, cpu);
	struct perf_event_attr attr;
	struct perf_event *bp;

	set_attr(&attr, wp->access, wp->len, TRACE_WPROBE_NOWHERE);
	bp = perf_event_create_kernel_counter(&attr, cpu, NULL, trace_wprobe_hit, wp);
	if (IS_ERR(bp))
		return PTR_ERR(bp);
	WRITE_ONCE(c->bp, bp);
	irq_work_queue_on(&c->move, cpu);
	return 0;
}

/* After this, there is no hit on the CPU. */
static void disarm_cpu(struct trace_wprobe *wp, int cpu)
{
	struct trace_wprobe_cpu *c = per_cpu_ptr(wp->cpus, cpu);
	struct perf_event *bp = c->bp;

	if (!bp)
		return;
	WRITE_ONCE(c->bp, NULL);
	irq_work_sync(&c->move);
	unregister_hw_breakpoint(bp);
}

static void disarm_cpus(struct trace_wprobe *wp)
{
	int cpu;

	for_each_possible_cpu(cpu)
		disarm_cpu(wp, cpu);
}

static int arm_cpus(struct trace_wprobe *wp)
{
	int cpu, ret;

	guard(cpus_read_lock)();
	guard(mutex)(&armed_mutex);
	for_each_online_cpu(cpu) {
		ret = arm_cpu(wp, cpu);
		if (ret) {
			disarm_cpus(wp);
			return ret;
		}
	}
	/* After the event has been enabled, the next access must hit. */
	for_each_online_cpu(cpu)
		irq_work_sync(&per_cpu_ptr(wp->cpus, cpu)->move);
	list_add_tail(&wp->armed, &trace_wprobes_armed);
	return 0;
}

static void disarm(struct trace_wprobe *wp)
{
	trace_wprobe_stop(wp);
	guard(cpus_read_lock)();
	guard(mutex)(&armed_mutex);
	list_del_init(&wp->armed);
	disarm_cpus(wp);
}

/**
 * trace_wprobe_state() - state of a watchpoint, for the engine
 * @p: the probe
 *
 * Context: event_mutex is held.
 * Return: PROBE_ARMED or PROBE_DISARMED.
 */
enum probe_state trace_wprobe_state(const struct probe *p)
{
	return list_empty(&trace_wprobe_of(p)->armed) ? PROBE_DISARMED : PROBE_ARMED;
}

/**
 * trace_wprobes_begin() - begin to arm or disarm several watchpoints
 *
 * Context: event_mutex is held until trace_wprobes_end().
 */
void trace_wprobes_begin(void)
{
	lockdep_assert_held(&event_mutex);
	INIT_LIST_HEAD(&batch);
	first_error = 0;
}

/**
 * trace_wprobe_arm() - arm a watchpoint
 * @p: the probe
 *
 * Context: may sleep; event_mutex is held.
 */
void trace_wprobe_arm(struct probe *p)
{
	struct trace_wprobe *wp = trace_wprobe_of(p);
	int ret;

	if (first_error || trace_wprobe_state(p) == PROBE_ARMED)
		return;
	trace_wprobe_start(wp);
	ret = arm_cpus(wp);
	if (ret) {
		trace_wprobe_stop(wp);
		first_error = ret;
		return;
	}
	list_add(&wp->batch, &batch);
}

/**
 * trace_wprobe_disarm() - disarm a watchpoint
 * @p: the probe
 *
 * Context: may sleep; event_mutex is held.
 */
void trace_wprobe_disarm(struct probe *p)
{
	if (trace_wprobe_state(p) == PROBE_ARMED)
		disarm(trace_wprobe_of(p));
}

/**
 * trace_wprobes_end() - finish arming or disarming
 *
 * Context: may sleep; event_mutex is held.
 * Return: 0 or a negative errno; after an error, none of the watchpoints is armed.
 */
int trace_wprobes_end(void)
{
	struct trace_wprobe *wp;

	if (first_error)
		list_for_each_entry(wp, &batch, batch)
			disarm(wp);
	return first_error;
}

/**
 * trace_wprobes_unregister() - disarm watchpoints, and stop their hits and triggers
 * @probes: list of the probes; none of them is hit after this returns
 *
 * Context: may sleep; event_mutex is held.
 */
void trace_wprobes_unregister(struct list_head *probes)
{
	struct probe *p;

	list_for_each_entry(p, probes, list) {
		trace_wprobe_disarm(p);
		cond_resched();
	}
	/* A trigger that was removed just now may still be running. */
	tracepoint_synchronize_unregister();
}

/* Hotplug of CPUs */

static int cpu_online_later(unsigned int cpu)
{
	struct trace_wprobe *wp;

	guard(mutex)(&armed_mutex);
	list_for_each_entry(wp, &trace_wprobes_armed, armed)
		if (arm_cpu(wp, cpu))
			pr_warn("trace_wprobe: CPU %u has no breakpoint for event %s\n", cpu,
				probe_event_name(wp->probe.event));
	return 0;
}

static int cpu_offline_soon(unsigned int cpu)
{
	struct trace_wprobe *wp;

	guard(mutex)(&armed_mutex);
	list_for_each_entry(wp, &trace_wprobes_armed, armed)
		disarm_cpu(wp, cpu);
	return 0;
}

static int __init follow_cpus(void)
{
	int ret = cpuhp_setup_state_nocalls(CPUHP_AP_ONLINE_DYN, "trace/wprobe:online",
					    cpu_online_later, cpu_offline_soon);

	return min(ret, 0);
}
core_initcall(follow_cpus);
