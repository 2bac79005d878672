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

/*
 * @all_regs: the handlers have all registers.  Otherwise, there is no post_handler, and no handler
 * changes the instruction pointer.
 */
static __always_inline void ftrace_hit(struct kprobe *p, struct pt_regs *regs, bool all_regs)
{
	kprobe_post_handler_t post_handler;
	unsigned long resume_ip = regs->ip;

	kprobe_begin_hit(p);
	/* Handlers get the same address as after a breakpoint. */
	regs->ip = (unsigned long)p->addr + INT3_INSN_SIZE;
	/* A handler that returns non-zero has set regs->ip. */
	if (kprobe_call_pre_handler(p, regs) && all_regs)
		goto done;

	post_handler = all_regs ? READ_ONCE(p->post_handler) : NULL;
	if (unlikely(post_handler)) {
		regs->ip = (unsigned long)p->addr + MCOUNT_INSN_SIZE;
		__this_cpu_write(kprobe_ctlblk.kprobe_status, KPROBE_HIT_SSDONE);
		post_handler(p, regs, 0);
	}
	regs->ip = resume_ip;
done:
	reset_current_kprobe();
}

/* Flags of a place that decide whether a handler calls its probes. */
#define STATE_FLAGS	(KPROBE_FLAG_DISABLED | KPROBE_FLAG_GONE | KPROBE_FLAG_ARGS_ONLY | \
			 KPROBE_FLAG_MOVING)

static __always_inline void call_probes(struct kprobe *p, struct pt_regs *regs, bool all_regs)
{
	if (kprobe_running())
		kprobes_inc_nmissed_count(p);
	else
		ftrace_hit(p, regs, all_regs);
}

#ifdef __ARCH_HAS_KPROBE_FTRACE_ARGS
/* In @csx, of which the code segment is the lower part: a handler has called the probes. */
#define CALLED		BIT(63)

/*
 * A hit of a place whose state is PLACE_FTRACE_MOVING.  If ftrace calls both handlers, it passes
 * the same registers to both.
 */
static noinline notrace void call_probes_once(struct kprobe *p, struct pt_regs *regs)
{
	if (regs->csx & CALLED) {
		regs->csx &= ~CALLED;
		return;
	}
	/* The call may have begun before ftrace saved all registers. */
	arch_ftrace_complete_regs(regs);
	call_probes(p, regs, true);
	regs->csx |= CALLED;
}
NOKPROBE_SYMBOL(call_probes_once);
#else
static nokprobe_inline void call_probes_once(struct kprobe *p, struct pt_regs *regs)
{
}
#endif

/* @mine: the flags of places for which ftrace calls only this handler */
static __always_inline void handle_call(unsigned long ip, struct pt_regs *regs, u32 mine)
{
	struct kprobe *p;
	u32 flags;

	if (unlikely(kprobe_ftrace_disabled) || trace_warn_on_no_rcu(ip))
		return;

	/* get_kprobe() and the handlers require this. */
	preempt_disable_notrace();
	p = get_kprobe((kprobe_opcode_t *)ip);
	if (p) {
		flags = READ_ONCE(p->flags) & STATE_FLAGS;
		if (likely(flags == mine))
			call_probes(p, regs, !(mine & KPROBE_FLAG_ARGS_ONLY));
		else if (flags == KPROBE_FLAG_MOVING)
			call_probes_once(p, regs);
	}
	preempt_enable_notrace();
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

	/* KMSAN does not see that assembly code initialized @fregs. */
	kmsan_unpoison_memory(fregs, ftrace_regs_size());
	regs = ftrace_get_regs(fregs);
	if (likely(regs))
		handle_call(ip, regs, 0);
}
NOKPROBE_SYMBOL(kprobe_ftrace_handler);

#ifdef __ARCH_HAS_KPROBE_FTRACE_ARGS
/**
 * kprobe_ftrace_args_handler() - the same, for places with probes that read only arguments
 * @ip:		address of the call
 * @parent_ip:	return address of the function
 * @ops:	ftrace_ops of kernel/kprobes/
 * @fregs:	those registers of which arch_ftrace_saves_reg() is true, or all
 *
 * Context: Any, NMI included.
 */
notrace void kprobe_ftrace_args_handler(unsigned long ip, unsigned long parent_ip,
					struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	/* KMSAN does not see that assembly code initialized @fregs. */
	kmsan_unpoison_memory(fregs, ftrace_regs_size());
	handle_call(ip, &arch_ftrace_regs(fregs)->regs, KPROBE_FLAG_ARGS_ONLY);
}
NOKPROBE_SYMBOL(kprobe_ftrace_args_handler);
#endif

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
