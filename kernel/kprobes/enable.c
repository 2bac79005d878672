// SPDX-License-Identifier: GPL-2.0
/* Kernel probes: enable and disable probes. */
#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/kprobes.h>

#include "kprobes.h"

static int disable(struct kprobe *kp)
{
	struct kprobe_place *place = kprobe_place_with(kp, kp->addr);

	if (!place)
		return -EINVAL;
	kprobe_set_disable(kp, place);
	return 0;
}

/**
 * disable_kprobe() - disable a probe
 * @kp:	the probe
 *
 * Handlers may still run on other CPUs when this returns.
 *
 * Programs that watch kprobes put a probe here: it is called once for each probe.
 *
 * Context: may sleep; takes kprobe_mutex, unless this task has opened a set.
 * Return: 0, or -EINVAL if it is not registered.
 */
noinline int disable_kprobe(struct kprobe *kp)
{
	bool entered = kprobes_enter_set();

	return kprobes_leave_set(entered, disable(kp));
}
EXPORT_SYMBOL_GPL(disable_kprobe);

static int enable(struct kprobe *kp)
{
	struct kprobe_place *place = kprobe_place_with(kp, kp->addr);

	if (!place || kprobe_gone(kp))
		return -EINVAL;
	kprobe_set_enable(kp, place);
	return 0;
}

/**
 * enable_kprobe() - enable a probe
 * @kp:	the probe
 *
 * Programs that watch kprobes put a probe here: it is called once for each probe.
 *
 * Context: may sleep; takes kprobe_mutex, unless this task has opened a set.
 * Return: 0; -EINVAL if it is not registered or is gone; or an error of ftrace, after which
 * it is still disabled.
 */
noinline int enable_kprobe(struct kprobe *kp)
{
	bool entered = kprobes_enter_set();

	return kprobes_leave_set(entered, enable(kp));
}
EXPORT_SYMBOL_GPL(enable_kprobe);

/**
 * kprobe_set_args_only() - choose the registers that the handlers of a probe get
 * @kp:		the probe, registered with direct handlers
 * @args_only:	they read only the registers that ftrace saves for a tracer of arguments
 *
 * The handlers may still get all registers.  If the place is armed and more registers are needed
 * now, ftrace changes the way to the probes.  No hit is lost meanwhile.
 *
 * Context: may sleep; takes kprobe_mutex, unless this task has opened a set.
 * Return: 0, or an error of ftrace.  Within a set, the end of the set returns the error.
 */
int kprobe_set_args_only(struct kprobe *kp, bool args_only)
{
	bool entered = kprobes_enter_set();
	struct kprobe_place *place = kprobe_place_with(kp, kp->addr);

	if (!args_only && (kp->flags & KPROBE_FLAG_ARGS_ONLY) && place)
		kprobe_set_all_regs(kp, place);
	/* The handler for arguments calls no post_handler. */
	if (args_only && !kp->post_handler &&
	    (kp->flags & (KPROBE_FLAG_DIRECT | KPROBE_FLAG_DIRECT_RETURN)))
		kprobe_set_few_regs(kp, place);
	return kprobes_leave_set(entered, 0);
}
