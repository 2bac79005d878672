// SPDX-License-Identifier: GPL-2.0
/*
 * Kernel probes: handlers that hits call directly.
 *
 * An indirect call is slow with retpolines, and most probes have the same handlers: those of
 * one client.  The client registers its handlers at boot.  Registration marks the probes
 * that have these handlers, and a hit of such a probe uses a static call.
 */
#include <linux/init.h>
#include <linux/kprobes.h>
#include <linux/static_call.h>

#include "kprobes.h"

/* Never called: no probe is marked before kprobe_set_direct_handlers(). */
int kprobe_no_direct_handler(struct kprobe *p, struct pt_regs *regs)
{
	return 0;
}
NOKPROBE_SYMBOL(kprobe_no_direct_handler);

int kretprobe_no_direct_handler(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	return 0;
}
NOKPROBE_SYMBOL(kretprobe_no_direct_handler);

DEFINE_STATIC_CALL(kprobe_direct_hit, kprobe_no_direct_handler);
DEFINE_STATIC_CALL(kretprobe_direct_entry, kretprobe_no_direct_handler);
DEFINE_STATIC_CALL(kretprobe_direct_hit, kretprobe_no_direct_handler);

/* Changed only at boot. */
static kprobe_pre_handler_t direct_hit __ro_after_init;
static kretprobe_handler_t direct_entry __ro_after_init;
static kretprobe_handler_t direct_return __ro_after_init;

/**
 * kprobe_set_direct_handlers() - let hits call some handlers directly
 * @hit:	pre_handler of probes
 * @entry:	entry_handler of return probes
 * @ret:	handler of return probes
 *
 * One client calls this, before it registers probes.
 *
 * Context: boot.
 */
void __init kprobe_set_direct_handlers(kprobe_pre_handler_t hit, kretprobe_handler_t entry,
				       kretprobe_handler_t ret)
{
	if (WARN_ON(direct_hit))
		return;
	static_call_update(kprobe_direct_hit, hit);
	static_call_update(kretprobe_direct_entry, entry);
	static_call_update(kretprobe_direct_hit, ret);
	direct_hit = hit;
	direct_entry = entry;
	direct_return = ret;
}

/**
 * kprobe_is_direct() - does a probe have the registered pre_handler?
 * @p:	the probe
 *
 * Context: Any.
 * Return: whether it has.
 */
bool kprobe_is_direct(const struct kprobe *p)
{
	return p->pre_handler && p->pre_handler == direct_hit;
}

/**
 * kretprobe_is_direct() - does a return probe have the registered handlers?
 * @rp:	the return probe
 *
 * Context: Any.
 * Return: whether it has; a probe without an entry_handler need not have the registered one.
 */
bool kretprobe_is_direct(const struct kretprobe *rp)
{
	return rp->handler && rp->handler == direct_return &&
	       (!rp->entry_handler || rp->entry_handler == direct_entry);
}
