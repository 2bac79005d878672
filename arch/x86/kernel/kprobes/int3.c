// SPDX-License-Identifier: GPL-2.0
/*
 * Kernel probes: breakpoints.
 *
 * Arming a probe replaces the first byte of its instruction with INT3.  A CPU that
 * executes the INT3 traps:
 *
 *   hit -> pre_handler -> emulate -> post_handler -> next instruction
 *                      -> boosted copy ------------> next instruction
 *                      -> stepped copy -> trap -> post_handler -> next instruction
 *                      -> copies in a detour, if the probe is marked as optimized
 *
 * An emulated instruction needs no second trap.  A copy needs one only for a post_handler,
 * an entry in the exception table, an indirect branch through memory, or an instruction
 * of 11 bytes or more, whose slot has no room for a jump.  A copy is single-stepped with
 * interrupts off, so only an NMI or a fault of the copy itself can interrupt it.
 *
 * If a CPU hits a probe while it handles another one, in a handler or in an NMI, the hit
 * is counted as missed.  The probe's handlers are not called, but its instruction is
 * executed.  Such hits can nest to any depth if they need no second trap, else up to
 * KPROBE_MAX_NESTING.
 *
 * Functions in this file that are called from exceptions run in any context, including
 * NMI, and must not be probed.
 */

#include <linux/bug.h>
#include <linux/kprobes.h>
#include <linux/memory.h>
#include <linux/mm.h>
#include <linux/perf_event.h>
#include <linux/printk.h>
#include <linux/unaligned.h>

#include <asm/insn.h>
#include <asm/processor-flags.h>
#include <asm/text-patching.h>

#include "kprobes.h"

static const kprobe_opcode_t int3 = INT3_INSN_OPCODE;

/**
 * arch_arm_kprobes() - replace the first byte of instructions with INT3
 * @kps:	prepared places, linked through @batch
 *
 * perf uses text poke events to decode processor traces.  perf can handle a
 * breakpoint that it does not know about yet, but not an instruction where it expects
 * a breakpoint.  So this function sends the events after the writes, and
 * arch_disarm_kprobes() sends them before its writes.
 *
 * Context: process context; text_mutex held.
 */
void arch_arm_kprobes(struct llist_head *kps)
{
	struct kprobe *p;

	if (llist_empty(kps))
		return;
	llist_for_each_entry(p, kps->first, batch)
		text_poke(p->addr, &int3, INT3_INSN_SIZE);
	text_poke_sync();
	llist_for_each_entry(p, kps->first, batch)
		perf_event_text_poke(p->addr, &p->opcode, INT3_INSN_SIZE, &int3,
				     INT3_INSN_SIZE);
}

/**
 * arch_disarm_kprobes() - restore the first byte of instructions
 * @kps:	armed places, linked through @batch
 *
 * After it returns, no CPU executes the breakpoints any more.
 *
 * Context: process context; text_mutex held.
 */
void arch_disarm_kprobes(struct llist_head *kps)
{
	struct kprobe *p;

	if (llist_empty(kps))
		return;
	llist_for_each_entry(p, kps->first, batch) {
		perf_event_text_poke(p->addr, &int3, INT3_INSN_SIZE, &p->opcode,
				     INT3_INSN_SIZE);
		text_poke(p->addr, &p->opcode, INT3_INSN_SIZE);
	}
	text_poke_sync();
}

/*
 * Save the state of the interrupted probe while the copy of another probe's instruction
 * is single-stepped.  A hit in an NMI can interrupt this function at any point.  Such a hit
 * restores everything before the NMI returns.  If it occurs before the increment, it writes
 * the same values to the same entry.
 */
static void save_previous_kprobe(struct kprobe_ctlblk *kcb)
{
	if (kcb->nesting == KPROBE_MAX_NESTING) {
		pr_err("kprobes: too many nested hits\n");
		dump_kprobe(kprobe_running());
		BUG();
	}
	kcb->outer[kcb->nesting].kp = kprobe_running();
	kcb->outer[kcb->nesting].status = kcb->kprobe_status;
	kcb->outer[kcb->nesting].irq_flag = kcb->irq_flag;
	barrier();
	kcb->nesting++;
	barrier();
}
NOKPROBE_SYMBOL(save_previous_kprobe);

static void restore_previous_kprobe(struct kprobe_ctlblk *kcb)
{
	unsigned int last = kcb->nesting - 1;

	__this_cpu_write(current_kprobe, kcb->outer[last].kp);
	kcb->kprobe_status = kcb->outer[last].status;
	kcb->irq_flag = kcb->outer[last].irq_flag;
	barrier();
	kcb->nesting = last;
}
NOKPROBE_SYMBOL(restore_previous_kprobe);

/* Single-step: run the copy that is followed by a breakpoint. */
static void begin_step(struct kprobe *p, struct pt_regs *regs, struct kprobe_ctlblk *kcb,
		       bool nested)
{
	if (nested) {
		save_previous_kprobe(kcb);
		__this_cpu_write(current_kprobe, p);
	}
	kcb->kprobe_status = nested ? KPROBE_REENTER : KPROBE_HIT_SS;
	kcb->irq_flag = regs->flags & X86_EFLAGS_IF;
	regs->flags &= ~X86_EFLAGS_IF;
	regs->ip = (unsigned long)kprobe_code(p->ainsn.step);
}
NOKPROBE_SYMBOL(begin_step);

/* Restore the state of the interrupted probe.  If not nested, no probe is running now. */
static void end_step(struct kprobe_ctlblk *kcb, bool nested)
{
	if (nested)
		restore_previous_kprobe(kcb);
	else
		reset_current_kprobe();
}
NOKPROBE_SYMBOL(end_step);

static void call_post_handler(struct kprobe *p, struct pt_regs *regs,
			      struct kprobe_ctlblk *kcb)
{
	kprobe_post_handler_t handler = READ_ONCE(p->post_handler);

	if (!handler)
		return;
	kcb->kprobe_status = KPROBE_HIT_SSDONE;
	handler(p, regs, 0);
}
NOKPROBE_SYMBOL(call_post_handler);

static __always_inline void emulate(struct kprobe *p, struct pt_regs *regs)
{
	void (*how)(struct kprobe *p, struct pt_regs *regs) = kprobe_code(p->ainsn.emulate);

	how(p, regs);
}

/* Execute the probed instruction. */
static void execute(struct kprobe *p, struct pt_regs *regs, struct kprobe_ctlblk *kcb,
		    bool nested)
{
	bool post = !nested && READ_ONCE(p->post_handler);
	unsigned long copies = kprobe_detour_copies(p);

	if (copies) {
		/* A probe with a post_handler has no jump. */
		if (!nested)
			reset_current_kprobe();
		regs->ip = copies;
	} else if (p->ainsn.emulate) {
		emulate(p, regs);
		if (nested)
			return;
		call_post_handler(p, regs, kcb);
		reset_current_kprobe();
	} else if (p->ainsn.boost && (!post || !p->ainsn.step)) {
		if (!nested)
			reset_current_kprobe();
		regs->ip = (unsigned long)kprobe_code(p->ainsn.boost);
	} else {
		begin_step(p, regs, kcb, nested);
	}
}
NOKPROBE_SYMBOL(execute);

/*
 * Nothing can preempt a hit while interrupts are off.  Disable preemption nevertheless, as
 * other kinds of hits do: on preemptible kernels, tracing_gen_ctx_dec()
 * assumes that its caller has disabled preemption, and subtracts one from the count.
 */
static __always_inline int call_pre_handler(struct kprobe *p, struct pt_regs *regs)
{
	int ret;

	preempt_disable_notrace();
	ret = kprobe_call_pre_handler(p, regs);
	preempt_enable_no_resched_notrace();
	return ret;
}

static notrace void hit(struct kprobe *p, struct pt_regs *regs)
{
	struct kprobe_ctlblk *kcb = get_kprobe_ctlblk();

	if (kprobe_running()) {
		kprobes_inc_nmissed_count(p);
		execute(p, regs, kcb, true);
		return;
	}

	kprobe_begin_hit(p);
	/* A handler that returns non-zero has set regs->ip. */
	if (call_pre_handler(p, regs))
		reset_current_kprobe();
	else
		execute(p, regs, kcb, false);
}
NOKPROBE_SYMBOL(hit);

/* If the breakpoint follows a copy, complete the single-step. */
static bool finish_step(kprobe_opcode_t *addr, struct pt_regs *regs)
{
	struct kprobe_ctlblk *kcb = get_kprobe_ctlblk();
	struct kprobe *p = kprobe_running();
	bool nested;

	if (!p || !p->ainsn.step || addr != kprobe_code(p->ainsn.step) + p->ainsn.size)
		return false;

	nested = kcb->kprobe_status == KPROBE_REENTER;
	regs->flags |= kcb->irq_flag;
	if (p->ainsn.after_step)
		kprobe_after_push(p, regs);
	else
		regs->ip = (unsigned long)p->addr + p->ainsn.size;
	if (!nested)
		call_post_handler(p, regs, kcb);
	end_step(kcb, nested);
	return true;
}
NOKPROBE_SYMBOL(finish_step);

/**
 * kprobe_int3_handler() - handle a breakpoint
 * @regs:	registers at the trap; @regs->ip is the address after the breakpoint
 *
 * Context: exception; interrupts off, may be within an NMI.
 * Return: 1 if the breakpoint was handled and @regs->ip is set, 0 if it does not belong
 * to a probe.
 */
notrace int kprobe_int3_handler(struct pt_regs *regs)
{
	kprobe_opcode_t *addr = (kprobe_opcode_t *)(regs->ip - INT3_INSN_SIZE);
	struct kprobe *p;

	if (user_mode(regs))
		return 0;

	p = get_kprobe(addr);
	/* If the place is gone, a debugger may have a breakpoint in other text there. */
	if (p && likely(!kprobe_gone(p)))
		hit(p, regs);
	else if (!finish_step(addr, regs))
		return 0;
	return 1;
}
NOKPROBE_SYMBOL(kprobe_int3_handler);

/* End the hit if a stepped copy caused the exception. */
static bool leave_stepped(struct pt_regs *regs)
{
	struct kprobe_ctlblk *kcb;
	struct kprobe *p;

	/* Copies are single-stepped with interrupts off. */
	if (preemptible())
		return false;
	p = kprobe_running();
	if (!p || !p->ainsn.step || regs->ip != (unsigned long)kprobe_code(p->ainsn.step))
		return false;

	kcb = get_kprobe_ctlblk();
	regs->ip = (unsigned long)p->addr;
	regs->flags |= kcb->irq_flag;
	end_step(kcb, kcb->kprobe_status == KPROBE_REENTER);
	return true;
}
NOKPROBE_SYMBOL(leave_stepped);

/*
 * Correct regs->ip if a boosted copy caused the exception; the hit ended before the copy
 * ran.  The jump after the copy leads to the instruction after the original.
 */
static bool leave_boosted(struct pt_regs *regs)
{
	const u8 *copy = (const u8 *)regs->ip, *jmp;
	unsigned int room;
	struct insn insn;

	if (!is_kprobe_insn_slot(regs->ip))
		return false;
	room = PAGE_SIZE - offset_in_page(copy);
	if (insn_decode(&insn, copy, room, INSN_MODE_KERN) ||
	    insn.length + JMP32_INSN_SIZE > room)
		return false;
	jmp = copy + insn.length;
	if (*jmp != JMP32_INSN_OPCODE)
		return false;
	regs->ip += JMP32_INSN_SIZE + get_unaligned((const s32 *)(jmp + 1));
	return true;
}
NOKPROBE_SYMBOL(leave_boosted);

/**
 * kprobe_leave_copy() - end a hit if the copy of its instruction caused an exception
 * @regs:	registers at the exception
 *
 * Sets @regs as if the original instruction had caused the exception, for the exception
 * table and for oops messages.  Does nothing if a handler, or a copy in a detour, caused
 * it.
 *
 * Context: exception.
 * Return: true if @regs has changed.
 */
bool kprobe_leave_copy(struct pt_regs *regs)
{
	return leave_stepped(regs) || leave_boosted(regs);
}
NOKPROBE_SYMBOL(kprobe_leave_copy);

/**
 * kprobe_fault_handler() - handle a page fault during the handling of a probe
 * @regs:	registers at the fault
 * @trapnr:	X86_TRAP_PF
 *
 * Context: exception; preemption disabled.
 * Return: 0, because the caller searches the exception table for the address in @regs.
 */
int kprobe_fault_handler(struct pt_regs *regs, int trapnr)
{
	leave_stepped(regs);
	return 0;
}
NOKPROBE_SYMBOL(kprobe_fault_handler);
