// SPDX-License-Identifier: GPL-2.0
/*
 * Kernel probes: breakpoints.
 *
 * A probe is armed by replacing the first byte of its instruction with INT3.  Who
 * comes by is trapped, and from there:
 *
 *   hit -> pre_handler -> emulate -> post_handler -> behind the instruction
 *                      -> boosted copy ------------> behind the instruction
 *                      -> stepped copy -> trap -> post_handler -> behind it
 *                      -> copies in a detour, if there is to be a jump
 *
 * Two traps are the exception: for a post_handler, for what has an entry in the
 * exception table, for indirect branches through memory, and for instructions of 11
 * bytes and more, behind which there is no room for a jump.  While the copy
 * is stepped over, interrupts are off, so that its processor cannot turn to
 * anything else, but for an NMI or the fault of the instruction itself.
 *
 * A probe that is hit while another one is handled on the same processor, by
 * its handlers or by an NMI, is not handled: it is counted as missed, and its
 * instruction is executed.  That may happen to any depth if it takes no second
 * trap, else to that of KPROBE_MAX_NESTING.
 *
 * All functions here that are called from exceptions can be reached in any context,
 * NMI included, and must not be probed.
 */

#include <linux/bug.h>
#include <linux/extable.h>
#include <linux/kprobes.h>
#include <linux/memory.h>
#include <linux/perf_event.h>
#include <linux/printk.h>

#include <asm/processor-flags.h>
#include <asm/text-patching.h>
#include <asm/trapnr.h>

#include "kprobes.h"

DEFINE_PER_CPU(struct kprobe *, current_kprobe);
DEFINE_PER_CPU(struct kprobe_ctlblk, kprobe_ctlblk);

static const kprobe_opcode_t int3 = INT3_INSN_OPCODE;

/**
 * arch_arm_kprobe() - replace the first byte of the instruction with INT3
 * @p:	a probe that was prepared
 *
 * Who decodes a trace of the processor can make sense of a breakpoint that is not
 * known yet, but not of an instruction where a breakpoint is known to be: so here
 * perf is told afterwards, and before when disarming.
 *
 * Context: Process context, text_mutex held.
 */
void arch_arm_kprobe(struct kprobe *p)
{
	const kprobe_opcode_t *tail;

	/* The probe was enabled again before its jump was removed: the jump stays. */
	if (kprobe_optimized_tail(p, &tail))
		return;
	text_poke(p->addr, &int3, INT3_INSN_SIZE);
	text_poke_sync();
	perf_event_text_poke(p->addr, &p->opcode, INT3_INSN_SIZE, &int3, INT3_INSN_SIZE);
}

/**
 * arch_disarm_kprobe() - put the first byte of the instruction back
 * @p:	an armed probe
 *
 * When it returns, no processor executes the breakpoint any more.
 *
 * Context: Process context, text_mutex held.
 */
void arch_disarm_kprobe(struct kprobe *p)
{
	perf_event_text_poke(p->addr, &int3, INT3_INSN_SIZE, &p->opcode, INT3_INSN_SIZE);
	text_poke(p->addr, &p->opcode, INT3_INSN_SIZE);
	text_poke_sync();
}

/*
 * What goes on is put aside while the copy of another probe's instruction is run.
 * An NMI that does the same at any point in here finds room behind the last entry,
 * and leaves all as it was.
 */
static void put_aside(struct kprobe_ctlblk *kcb)
{
	if (kcb->nesting == KPROBE_MAX_NESTING) {
		pr_err("kprobes: hit within the handling of too many others\n");
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

NOKPROBE_SYMBOL(put_aside);

static void take_up(struct kprobe_ctlblk *kcb)
{
	unsigned int last = kcb->nesting - 1;

	__this_cpu_write(current_kprobe, kcb->outer[last].kp);
	kcb->kprobe_status = kcb->outer[last].status;
	kcb->irq_flag = kcb->outer[last].irq_flag;
	barrier();
	kcb->nesting = last;
}

NOKPROBE_SYMBOL(take_up);

/* Run the copy that is followed by a breakpoint. */
static void begin_step(struct kprobe *p, struct pt_regs *regs, struct kprobe_ctlblk *kcb,
		       bool nested)
{
	if (nested) {
		put_aside(kcb);
		__this_cpu_write(current_kprobe, p);
	}
	kcb->kprobe_status = nested ? KPROBE_REENTER : KPROBE_HIT_SS;
	kcb->irq_flag = regs->flags & X86_EFLAGS_IF;
	regs->flags &= ~X86_EFLAGS_IF;
	regs->ip = (unsigned long)p->ainsn.step;
}

NOKPROBE_SYMBOL(begin_step);

/* Go on with the probe whose handling was interrupted, or with none. */
static void end_step(struct kprobe_ctlblk *kcb, bool nested)
{
	if (nested)
		take_up(kcb);
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

/* Execute the instruction under a probe. */
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
		p->ainsn.emulate(p, regs);
		if (nested)
			return;
		call_post_handler(p, regs, kcb);
		reset_current_kprobe();
	} else if (p->ainsn.boost && (!post || !p->ainsn.step)) {
		if (!nested)
			reset_current_kprobe();
		regs->ip = (unsigned long)p->ainsn.boost;
	} else {
		begin_step(p, regs, kcb, nested);
	}
}

NOKPROBE_SYMBOL(execute);

static void hit(struct kprobe *p, struct pt_regs *regs)
{
	struct kprobe_ctlblk *kcb = get_kprobe_ctlblk();

	if (kprobe_running()) {
		kprobes_inc_nmissed_count(p);
		execute(p, regs, kcb, true);
		return;
	}

	kprobe_begin_hit(p);
	/* A handler that returns true has chosen where to go on. */
	if (p->pre_handler && p->pre_handler(p, regs))
		reset_current_kprobe();
	else
		execute(p, regs, kcb, false);
}

NOKPROBE_SYMBOL(hit);

/* Is this breakpoint the one behind a copy?  Then do what is left to do. */
static bool finish_step(kprobe_opcode_t *addr, struct pt_regs *regs)
{
	struct kprobe_ctlblk *kcb = get_kprobe_ctlblk();
	struct kprobe *p = kprobe_running();
	bool nested;

	if (!p || !p->ainsn.step || addr != p->ainsn.step + p->ainsn.size)
		return false;

	nested = kcb->kprobe_status == KPROBE_REENTER;
	regs->flags |= kcb->irq_flag;
	if (p->ainsn.after_step)
		p->ainsn.after_step(p, regs);
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
 * @regs:	registers at the trap, with @regs->ip behind the breakpoint
 *
 * Context: Exception, interrupts off; may be within an NMI.
 * Return: 1 if @regs say where to go on, 0 if it is not a probe's breakpoint.
 */
int kprobe_int3_handler(struct pt_regs *regs)
{
	kprobe_opcode_t *addr = (kprobe_opcode_t *)(regs->ip - INT3_INSN_SIZE);
	struct kprobe *p;

	if (user_mode(regs))
		return 0;

	p = get_kprobe(addr);
	if (p)
		hit(p, regs);
	else if (!finish_step(addr, regs))
		return 0;
	return 1;
}

NOKPROBE_SYMBOL(kprobe_int3_handler);

/**
 * kprobe_fault_handler() - a fault happened while a probe is being handled
 * @regs:	registers at the fault
 * @trapnr:	X86_TRAP_PF, X86_TRAP_GP or X86_TRAP_VE
 *
 * If it is the copy of an instruction that faults, @regs are made to look as if it
 * were the original, for the exception table and for who reads an oops.  Faults of
 * the handlers are their own business.
 *
 * Context: Exception, not preemptible.
 * Return: 1 if the fault is settled, else 0.
 */
int kprobe_fault_handler(struct pt_regs *regs, int trapnr)
{
	struct kprobe_ctlblk *kcb = get_kprobe_ctlblk();
	struct kprobe *p = kprobe_running();

	if (!p->ainsn.step || regs->ip != (unsigned long)p->ainsn.step)
		return 0;

	regs->ip = (unsigned long)p->addr;
	regs->flags |= kcb->irq_flag;
	end_step(kcb, kcb->kprobe_status == KPROBE_REENTER);

	/* For a page fault this is still to come, for others it has been tried. */
	return trapnr != X86_TRAP_PF &&
	       fixup_exception(regs, trapnr, current->thread.error_code, 0);
}

NOKPROBE_SYMBOL(kprobe_fault_handler);
