// SPDX-License-Identifier: GPL-2.0
/*
 * Kernel probes: call the handlers of the probes at a place.
 *
 * The architecture handles the hit of a place.  It calls kprobe_call_pre_handler(), which
 * calls the functions below unless the place has one probe, or the handlers of the place's
 * struct kprobe, which are these functions.  They call the handlers of all probes that are
 * neither disabled nor waiting.
 *
 * The handlers run in any context, NMI included, with preemption disabled.
 */
#include <linux/kprobes.h>
#include <linux/rculist.h>

#include "kprobes.h"

/*
 * The caller has disabled preemption.  RCU's debugging must not check this: it would call
 * functions that may have probes.  It would also call lockdep, whose state may not agree
 * with the interrupt flag in a detour.
 */
#define for_each_member(member, p)					\
	list_for_each_entry_rcu(member, &(p)->list, list, true)

static nokprobe_inline bool runs(struct kprobe *member)
{
	return likely(!(READ_ONCE(member->flags) & (KPROBE_FLAG_DISABLED | KPROBE_FLAG_GONE |
						    KPROBE_FLAG_WAITING)));
}

/**
 * kprobe_place_pre_handler() - the pre_handler of all places
 * @p:		the struct kprobe of the place
 * @regs:	the registers
 *
 * It stops after a handler that returns non-zero.
 *
 * Context: Any, NMI included; preemption disabled.
 * Return: 1 if a handler has changed the instruction pointer, else 0.
 */
notrace int kprobe_place_pre_handler(struct kprobe *p, struct pt_regs *regs)
{
	struct kprobe *member;

	for_each_member(member, p)
		if (runs(member) && kprobe_call_only(member, regs))
			return 1;
	return 0;
}
NOKPROBE_SYMBOL(kprobe_place_pre_handler);

/**
 * kprobe_place_post_handler() - the post_handler of places that need one
 * @p:		the struct kprobe of the place
 * @regs:	the registers
 * @flags:	passed to the handlers
 *
 * Context: Any, NMI included; preemption disabled.
 */
void kprobe_place_post_handler(struct kprobe *p, struct pt_regs *regs, unsigned long flags)
{
	kprobe_post_handler_t handler;
	struct kprobe *member;

	for_each_member(member, p) {
		handler = READ_ONCE(member->post_handler);
		if (handler && runs(member))
			handler(member, regs, flags);
	}
}
NOKPROBE_SYMBOL(kprobe_place_post_handler);

#ifdef CONFIG_OPTPROBES
/**
 * opt_pre_handler() - call the pre_handlers of a place that has a jump
 * @p:		the struct kprobe of the place
 * @regs:	the registers
 *
 * A detour always continues with the copies of the instructions.  So the results of the
 * handlers have no effect.
 *
 * Context: Any, NMI included; preemption disabled.
 */
notrace void opt_pre_handler(struct kprobe *p, struct pt_regs *regs)
{
	struct kprobe *member = READ_ONCE(kprobe_place_of(p)->only);

	if (likely(member)) {
		kprobe_call_only(member, regs);
		return;
	}
	for_each_member(member, p)
		if (runs(member))
			kprobe_call_only(member, regs);
}
NOKPROBE_SYMBOL(opt_pre_handler);
#endif

/**
 * kprobes_inc_nmissed_count() - count a hit whose handlers could not run
 * @p:	the struct kprobe from get_kprobe()
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

	for_each_member(member, p)
		member->nmissed++;
}
NOKPROBE_SYMBOL(kprobes_inc_nmissed_count);
