// SPDX-License-Identifier: GPL-2.0
/*
 * Return hooks: see a function return.
 *
 * A hook replaces the return address on the stack at the function's entry, which is
 * where the function returns to then: arch_rethook_trampoline, in kprobes/return.S.
 */

#include <linux/kmsan.h>
#include <linux/kprobes.h>
#include <linux/rethook.h>

#include <asm/ptrace.h>

void arch_rethook_trampoline_callback(struct pt_regs *regs);

/* pt_regs end where the return address is. */
static unsigned long *return_slot(struct pt_regs *regs)
{
	return (unsigned long *)(regs + 1);
}

/**
 * arch_rethook_trampoline_callback() - a function with a hook has returned
 * @regs:	registers behind its return, but for @regs->ip
 *
 * Context: Any in which functions are hooked, NMI included.
 */
__visible void arch_rethook_trampoline_callback(struct pt_regs *regs)
{
	kmsan_unpoison_entry_regs(regs);
	regs->ip = (unsigned long)&arch_rethook_trampoline;
	/* This calls the hooks, and arch_rethook_fixup_return(). */
	rethook_trampoline_handler(regs, (unsigned long)return_slot(regs));
}

NOKPROBE_SYMBOL(arch_rethook_trampoline_callback);

/**
 * arch_rethook_fixup_return() - set where the trampoline goes on
 * @regs:	registers that the trampoline has saved
 * @correct_ret_addr:	where the function would have returned to
 *
 * Context: As arch_rethook_trampoline_callback().
 */
void arch_rethook_fixup_return(struct pt_regs *regs, unsigned long correct_ret_addr)
{
	*return_slot(regs) = correct_ret_addr;
}

NOKPROBE_SYMBOL(arch_rethook_fixup_return);

/**
 * arch_rethook_prepare() - have a function return to the trampoline
 * @rh:		a hook; it gets the return address, and where that was
 * @regs:	registers at the function's entry
 * @mcount:	called by ftrace?  It makes no difference here.
 *
 * Context: Any in which functions are hooked, NMI included.
 */
void arch_rethook_prepare(struct rethook_node *rh, struct pt_regs *regs, bool mcount)
{
	unsigned long *slot = (unsigned long *)regs->sp;

	rh->ret_addr = *slot;
	rh->frame = regs->sp;
	*slot = (unsigned long)arch_rethook_trampoline;
}

NOKPROBE_SYMBOL(arch_rethook_prepare);
