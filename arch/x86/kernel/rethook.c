// SPDX-License-Identifier: GPL-2.0
/*
 * Return hooks: intercept function returns.
 *
 * At the function's entry, a hook replaces the return address on the stack with the
 * address of arch_rethook_trampoline in kprobes/return.S.
 */

#include <linux/kmsan.h>
#include <linux/kprobes.h>
#include <linux/rethook.h>

#include <asm/ptrace.h>

void arch_rethook_trampoline_callback(struct pt_regs *regs);

/* The return address directly follows pt_regs on the stack. */
static unsigned long *return_slot(struct pt_regs *regs)
{
	return (unsigned long *)(regs + 1);
}

/**
 * arch_rethook_trampoline_callback() - handle the return of a hooked function
 * @regs:	registers after the return, except for @regs->ip
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
 * arch_rethook_fixup_return() - set the return address of the trampoline
 * @regs:	registers saved by the trampoline
 * @correct_ret_addr:	original return address of the function
 *
 * Context: As arch_rethook_trampoline_callback().
 */
void arch_rethook_fixup_return(struct pt_regs *regs, unsigned long correct_ret_addr)
{
	*return_slot(regs) = correct_ret_addr;
}
NOKPROBE_SYMBOL(arch_rethook_fixup_return);

/**
 * arch_rethook_prepare() - make a function return to the trampoline
 * @rh:		a hook; gets the return address and its location on the stack
 * @regs:	registers at the function's entry
 * @mcount:	called by ftrace; ignored on this architecture
 *
 * Context: Any in which functions are hooked, NMI included.
 */
void arch_rethook_prepare(struct rethook_node *rh, struct pt_regs *regs, bool mcount)
{
	unsigned long *slot = (unsigned long *)regs->sp;

	/* KMSAN does not see that the call initialized the slot. */
	kmsan_unpoison_memory(slot, sizeof(*slot));
	rh->ret_addr = *slot;
	rh->frame = regs->sp;
	*slot = (unsigned long)arch_rethook_trampoline;
}
NOKPROBE_SYMBOL(arch_rethook_prepare);
