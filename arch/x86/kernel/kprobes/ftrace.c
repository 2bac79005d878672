// SPDX-License-Identifier: GPL-2.0
/*
 * Kernel probes: probes at ftrace call sites.
 *
 * Nearly every function has room for a five-byte call at its entry, which ftrace writes
 * when a tracer needs it.  A probe there needs no breakpoint: kernel/kprobes/ makes
 * ftrace call kprobe_ftrace_handler().  To the handlers of the probe, the call looks like a
 * probed five-byte NOP.
 */

#include <linux/ftrace.h>
#include <linux/kmsan.h>
#include <linux/kprobes.h>
#include <linux/preempt.h>
#include <linux/trace_recursion.h>

#include "kprobes.h"

static nokprobe_inline void ftrace_hit(struct kprobe *p, struct pt_regs *regs)
{
	kprobe_post_handler_t post_handler;
	unsigned long resume_ip = regs->ip;

	kprobe_begin_hit(p);
	/* Handlers get the same address as after a breakpoint. */
	regs->ip = (unsigned long)p->addr + INT3_INSN_SIZE;
	/* A handler that returns non-zero has set regs->ip. */
	if (kprobe_call_pre_handler(p, regs))
		goto done;

	post_handler = READ_ONCE(p->post_handler);
	if (unlikely(post_handler)) {
		regs->ip = (unsigned long)p->addr + MCOUNT_INSN_SIZE;
		__this_cpu_write(kprobe_ctlblk.kprobe_status, KPROBE_HIT_SSDONE);
		post_handler(p, regs, 0);
	}
	regs->ip = resume_ip;
done:
	reset_current_kprobe();
}

/**
 * kprobe_ftrace_handler() - called by ftrace at a function's entry
 * @ip:		address of the call
 * @parent_ip:	return address of the function
 * @ops:	ftrace_ops of kernel/kprobes/
 * @fregs:	full set of registers
 *
 * The functions that it calls before kprobe_begin_hit() are notrace, so ftrace calls no
 * handler for them.  After kprobe_begin_hit(), kprobe_running() detects nested hits.  So
 * the handler does not take ftrace's recursion lock.
 *
 * Context: Any, NMI included.
 */
notrace void kprobe_ftrace_handler(unsigned long ip, unsigned long parent_ip,
				   struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	struct pt_regs *regs;
	struct kprobe *p;

	/* KMSAN does not see that assembly code initialized @fregs. */
	kmsan_unpoison_memory(fregs, ftrace_regs_size());
	regs = ftrace_get_regs(fregs);

	if (unlikely(kprobe_ftrace_disabled || !regs) || trace_warn_on_no_rcu(ip))
		return;

	/* get_kprobe() and the handlers require this. */
	preempt_disable_notrace();
	p = get_kprobe((kprobe_opcode_t *)ip);
	if (p && !kprobe_disabled(p)) {
		if (kprobe_running())
			kprobes_inc_nmissed_count(p);
		else
			ftrace_hit(p, regs);
	}
	preempt_enable_notrace();
}
NOKPROBE_SYMBOL(kprobe_ftrace_handler);

/**
 * arch_prepare_kprobe_ftrace() - prepare a probe at an ftrace call site
 * @p:	the probe
 *
 * Context: process context; kprobe_mutex held.
 * Return: 0.
 */
int arch_prepare_kprobe_ftrace(struct kprobe *p)
{
	/* The instruction stays in the text, so there is no copy. */
	memset(&p->ainsn, 0, sizeof(p->ainsn));
	return 0;
}
