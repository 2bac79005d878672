// SPDX-License-Identifier: GPL-2.0
/*
 * Kernel probes: the state of a CPU while it handles a hit.
 *
 * current_kprobe of a CPU is set while a handler runs.  Hits on that CPU are then missed.
 */
#define pr_fmt(fmt)	"kprobes: " fmt

#include <linux/kdebug.h>
#include <linux/kprobes.h>
#include <linux/printk.h>

#include "kprobes.h"

#ifdef CONFIG_KPROBES_ON_FTRACE
/* Read by the handlers of the architecture. */
bool kprobe_ftrace_disabled __read_mostly;

/**
 * kprobe_ftrace_kill() - ignore further calls after an internal error of ftrace
 *
 * Context: Any.
 */
void kprobe_ftrace_kill(void)
{
	kprobe_ftrace_disabled = true;
}
#endif

/* current_kprobe while kprobe_busy_begin() is in effect. */
static struct kprobe busy = {
	.addr = (kprobe_opcode_t *)kprobe_busy_begin,
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

/**
 * kprobe_init_notifier() - let the architecture handle exceptions of kprobes
 *
 * Context: boot.
 * Return: 0 or a negative errno.
 */
int __init kprobe_init_notifier(void)
{
	return register_die_notifier(&exceptions_nb);
}
