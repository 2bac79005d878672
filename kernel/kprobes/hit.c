// SPDX-License-Identifier: GPL-2.0
/*
 * Kernel probes: functions for the handling of hits.
 *
 * The architecture handles the hit of a place and calls the handlers of its common probe.
 * A group has the handlers below, which call the handlers of all its probes that are not
 * disabled.
 *
 * The handlers run in any context, NMI included, with preemption disabled.
 */
#define pr_fmt(fmt)	"kprobes: " fmt

#include <linux/kdebug.h>
#include <linux/kprobes.h>
#include <linux/printk.h>
#include <linux/rculist.h>

#include "kprobes.h"

/*
 * The caller has disabled preemption.  RCU's debugging must not check this: it would call
 * functions that may have probes.  It would also call lockdep, whose state may not agree
 * with the interrupt flag in a detour.
 */
#define for_each_member(member, common)					\
	list_for_each_entry_rcu(member, &(common)->list, list, true)

static nokprobe_inline bool has_active_pre_handler(struct kprobe *p)
{
	return p->pre_handler && likely(!kprobe_disabled(p));
}

/* Like kprobe_call_pre_handler(), for a member of a group. */
static nokprobe_inline int call_member(struct kprobe *p, struct pt_regs *regs)
{
#ifdef CONFIG_KPROBE_EVENTS
	return INDIRECT_CALL_1(p->pre_handler, kprobe_event_hit, p, regs);
#else
	return p->pre_handler(p, regs);
#endif
}

/* The pre_handler of a common probe.  It stops after a handler that returns non-zero. */
notrace int kprobe_group_pre_handler(struct kprobe *p, struct pt_regs *regs)
{
	struct kprobe *member;

	for_each_member(member, p)
		if (has_active_pre_handler(member) && call_member(member, regs))
			return 1;
	return 0;
}
NOKPROBE_SYMBOL(kprobe_group_pre_handler);

/* The post_handler of a common probe. */
void kprobe_group_post_handler(struct kprobe *p, struct pt_regs *regs,
			       unsigned long flags)
{
	kprobe_post_handler_t handler;
	struct kprobe *member;

	for_each_member(member, p) {
		handler = READ_ONCE(member->post_handler);
		if (handler && likely(!kprobe_disabled(member)))
			handler(member, regs, flags);
	}
}
NOKPROBE_SYMBOL(kprobe_group_post_handler);

#ifdef CONFIG_OPTPROBES
/**
 * opt_pre_handler() - call the handlers of a jump-optimized place
 * @p:		its common probe
 * @regs:	the registers
 *
 * A detour always continues with the copies of the instructions.  So the results of the
 * handlers have no effect.
 *
 * Context: Any, NMI included; preemption disabled.
 */
notrace void opt_pre_handler(struct kprobe *p, struct pt_regs *regs)
{
	struct kprobe *member;

	for_each_member(member, p)
		if (has_active_pre_handler(member))
			call_member(member, regs);
}
NOKPROBE_SYMBOL(opt_pre_handler);
#endif

/**
 * kprobes_inc_nmissed_count() - count a hit whose handlers could not run
 * @p:	the probe from get_kprobe()
 *
 * The counts are not exact if CPUs miss hits of the same probe at the same time.
 *
 * This is notrace: a hit in the function tracer could be missed, too, and call this again.
 *
 * Context: Any, NMI included; preemption disabled.
 */
notrace void kprobes_inc_nmissed_count(struct kprobe *p)
{
	struct kprobe *member;

	if (kprobe_is_group(p))
		for_each_member(member, p)
			member->nmissed++;
	else
		p->nmissed++;
}
NOKPROBE_SYMBOL(kprobes_inc_nmissed_count);

/* current_kprobe while kprobe_busy_begin() is in effect. */
static struct kprobe busy = {
	.addr = (kprobe_opcode_t *)get_kprobe,
};

/**
 * kprobe_busy_begin() - count hits on this CPU as missed
 *
 * Disables preemption.  Must not be called from a handler of a probe.
 *
 * Context: Any, NMI included.
 */
void kprobe_busy_begin(void)
{
	preempt_disable();
	__this_cpu_write(current_kprobe, &busy);
	get_kprobe_ctlblk()->kprobe_status = KPROBE_HIT_ACTIVE;
}

/**
 * kprobe_busy_end() - let probes work again on this CPU
 *
 * Context: after kprobe_busy_begin().
 */
void kprobe_busy_end(void)
{
	reset_current_kprobe();
	preempt_enable();
}

/**
 * dump_kprobe() - describe a probe in the kernel log, before a crash
 * @kp:	the probe
 *
 * Context: Any.
 */
void dump_kprobe(struct kprobe *kp)
{
	pr_err("probe at %pS (symbol %s, offset 0x%x)\n", kp->addr,
	       kp->symbol_name ?: "(none)", kp->offset);
}
NOKPROBE_SYMBOL(dump_kprobe);

int __weak kprobe_exceptions_notify(struct notifier_block *self, unsigned long val,
				    void *data)
{
	return NOTIFY_DONE;
}
NOKPROBE_SYMBOL(kprobe_exceptions_notify);

static struct notifier_block exceptions_nb = {
	.notifier_call	= kprobe_exceptions_notify,
	/* Run before the notifiers of debuggers. */
	.priority	= INT_MAX,
};

/* Context: boot.  Return: 0 or a negative errno. */
int __init kprobe_init_hits(void)
{
	return register_die_notifier(&exceptions_nb);
}
