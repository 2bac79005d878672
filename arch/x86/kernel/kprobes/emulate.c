// SPDX-License-Identifier: GPL-2.0
/*
 * Kernel probes: emulate an instruction on the saved registers and the stack.
 *
 * The breakpoint handler calls these functions with interrupts off, possibly in an NMI.
 * kprobe_emulate_*() get the registers as they were before the instruction, except for
 * regs->ip, which they set.  The stack grows by at most one word.  The entry code leaves
 * room for this word between the interrupted stack and the exception frame.
 */

#include <linux/kprobes.h>

#include <asm/processor-flags.h>
#include <asm/text-patching.h>

#include "kprobes.h"

/* Flags that POPF can change at privilege level 0. */
#define POPF_FLAGS	(X86_EFLAGS_CF | X86_EFLAGS_PF | X86_EFLAGS_AF | X86_EFLAGS_ZF |	\
			 X86_EFLAGS_SF | X86_EFLAGS_TF | X86_EFLAGS_IF | X86_EFLAGS_DF |	\
			 X86_EFLAGS_OF | X86_EFLAGS_IOPL | X86_EFLAGS_NT | X86_EFLAGS_AC |	\
			 X86_EFLAGS_ID)

/**
 * kprobe_reg_offset() - find a general-purpose register in pt_regs
 * @number:	its number in an instruction, including the REX bit; 0 is AX
 *
 * Context: Any.
 * Return: its offset in bytes.
 */
unsigned int kprobe_reg_offset(unsigned int number)
{
	static const u8 offsets[] = {
		offsetof(struct pt_regs, ax), offsetof(struct pt_regs, cx),
		offsetof(struct pt_regs, dx), offsetof(struct pt_regs, bx),
		offsetof(struct pt_regs, sp), offsetof(struct pt_regs, bp),
		offsetof(struct pt_regs, si), offsetof(struct pt_regs, di),
#ifdef CONFIG_X86_64
		offsetof(struct pt_regs, r8), offsetof(struct pt_regs, r9),
		offsetof(struct pt_regs, r10), offsetof(struct pt_regs, r11),
		offsetof(struct pt_regs, r12), offsetof(struct pt_regs, r13),
		offsetof(struct pt_regs, r14), offsetof(struct pt_regs, r15),
#endif
	};

	return offsets[number];
}

static nokprobe_inline unsigned long *operand(struct kprobe *p, struct pt_regs *regs)
{
	return (void *)regs + p->ainsn.arg;
}

/* The address of the instruction after the probed one. */
static nokprobe_inline unsigned long next_ip(struct kprobe *p)
{
	return (unsigned long)p->addr + p->ainsn.size;
}

/* The target of a taken branch. */
static nokprobe_inline unsigned long target(struct kprobe *p)
{
	return next_ip(p) + p->ainsn.value;
}

/**
 * kprobe_emulate_nop() - emulate nop
 * @p:		a probe
 * @regs:	registers before the instruction; gets those after it
 *
 * Context: exception; interrupts off, may be within an NMI.
 */
void kprobe_emulate_nop(struct kprobe *p, struct pt_regs *regs)
{
	regs->ip = next_ip(p);
}
NOKPROBE_SYMBOL(kprobe_emulate_nop);

/**
 * kprobe_emulate_jmp() - emulate a jump relative to the next instruction
 * @p:		a probe; @p->ainsn.value is the displacement
 * @regs:	registers before the instruction; gets those after it
 *
 * Context: exception; interrupts off, may be within an NMI.
 */
void kprobe_emulate_jmp(struct kprobe *p, struct pt_regs *regs)
{
	regs->ip = target(p);
}
NOKPROBE_SYMBOL(kprobe_emulate_jmp);

/**
 * kprobe_emulate_jcc() - emulate a conditional jump
 * @p:		a probe; @p->ainsn.arg is the condition, @p->ainsn.value the displacement
 * @regs:	registers before the instruction; gets those after it
 *
 * Context: exception; interrupts off, may be within an NMI.
 */
void kprobe_emulate_jcc(struct kprobe *p, struct pt_regs *regs)
{
	int3_emulate_jcc(regs, p->ainsn.arg, next_ip(p), p->ainsn.value);
}
NOKPROBE_SYMBOL(kprobe_emulate_jcc);

/**
 * kprobe_emulate_loop() - emulate loop or jcxz
 * @p:		a probe; @p->ainsn.arg is the kind of loop, @p->ainsn.value the displacement
 * @regs:	registers before the instruction; gets those after it
 *
 * Bits 0 and 1 of the kind select LOOPNE, LOOPE, LOOP or JCXZ.  Bit 2 is set if the counter
 * is RCX, not ECX.
 *
 * Context: exception; interrupts off, may be within an NMI.
 */
void kprobe_emulate_loop(struct kprobe *p, struct pt_regs *regs)
{
	unsigned long mask = p->ainsn.arg & 4 ? ~0UL : (u32)~0;
	unsigned int which = p->ainsn.arg & 3;
	bool jump;

	if (which == 3) {
		jump = !(regs->cx & mask);
	} else {
		/* Writing ECX clears the upper half of RCX. */
		regs->cx = (regs->cx - 1) & mask;
		jump = regs->cx;
		if (which < 2)
			jump = jump && !!(regs->flags & X86_EFLAGS_ZF) == which;
	}
	regs->ip = jump ? target(p) : next_ip(p);
}
NOKPROBE_SYMBOL(kprobe_emulate_loop);

/**
 * kprobe_emulate_call() - emulate a call relative to the next instruction
 * @p:		a probe; @p->ainsn.value is the displacement
 * @regs:	registers before the instruction; gets those after it
 *
 * Context: exception; interrupts off, may be within an NMI.
 */
void kprobe_emulate_call(struct kprobe *p, struct pt_regs *regs)
{
	int3_emulate_push(regs, next_ip(p));
	regs->ip = target(p);
}
NOKPROBE_SYMBOL(kprobe_emulate_call);

/**
 * kprobe_emulate_jmp_reg() - emulate a jump through a register
 * @p:		a probe; @p->ainsn.arg is the offset of the register
 * @regs:	registers before the instruction; gets those after it
 *
 * Context: exception; interrupts off, may be within an NMI.
 */
void kprobe_emulate_jmp_reg(struct kprobe *p, struct pt_regs *regs)
{
	regs->ip = *operand(p, regs);
}
NOKPROBE_SYMBOL(kprobe_emulate_jmp_reg);

/**
 * kprobe_emulate_call_reg() - emulate a call through a register
 * @p:		a probe; @p->ainsn.arg is the offset of the register
 * @regs:	registers before the instruction; gets those after it
 *
 * Context: exception; interrupts off, may be within an NMI.
 */
void kprobe_emulate_call_reg(struct kprobe *p, struct pt_regs *regs)
{
	unsigned long to = *operand(p, regs);

	int3_emulate_push(regs, next_ip(p));
	regs->ip = to;
}
NOKPROBE_SYMBOL(kprobe_emulate_call_reg);

/**
 * kprobe_emulate_ret() - emulate a return
 * @p:		a probe; @p->ainsn.value is the size of the arguments on the stack
 * @regs:	registers before the instruction; gets those after it
 *
 * Context: exception; interrupts off, may be within an NMI.
 */
void kprobe_emulate_ret(struct kprobe *p, struct pt_regs *regs)
{
	regs->ip = int3_emulate_pop(regs);
	regs->sp += p->ainsn.value;
}
NOKPROBE_SYMBOL(kprobe_emulate_ret);

/**
 * kprobe_emulate_lret() - emulate a return to another segment
 * @p:		a probe; @p->ainsn.value is the size of the arguments on the stack
 * @regs:	registers before the instruction; gets those after it
 *
 * Context: exception; interrupts off, may be within an NMI.
 */
void kprobe_emulate_lret(struct kprobe *p, struct pt_regs *regs)
{
	regs->ip = int3_emulate_pop(regs);
	regs->cs = int3_emulate_pop(regs);
	regs->sp += p->ainsn.value;
}
NOKPROBE_SYMBOL(kprobe_emulate_lret);

/**
 * kprobe_emulate_iret() - emulate a return from an interrupt
 * @p:		a probe
 * @regs:	registers before the instruction; gets those after it
 *
 * Context: exception; interrupts off, may be within an NMI.
 */
void kprobe_emulate_iret(struct kprobe *p, struct pt_regs *regs)
{
	regs->ip = int3_emulate_pop(regs);
	regs->cs = int3_emulate_pop(regs);
	regs->flags = int3_emulate_pop(regs);
#ifdef CONFIG_X86_64
	{
		unsigned long sp = int3_emulate_pop(regs);

		regs->ss = int3_emulate_pop(regs);
		regs->sp = sp;
	}
#endif
}
NOKPROBE_SYMBOL(kprobe_emulate_iret);

/**
 * kprobe_emulate_push_reg() - emulate a push of a register
 * @p:		a probe; @p->ainsn.arg is the offset of the register
 * @regs:	registers before the instruction; gets those after it
 *
 * Context: exception; interrupts off, may be within an NMI.
 */
void kprobe_emulate_push_reg(struct kprobe *p, struct pt_regs *regs)
{
	/* PUSH SP pushes the old value of SP. */
	int3_emulate_push(regs, *operand(p, regs));
	regs->ip = next_ip(p);
}
NOKPROBE_SYMBOL(kprobe_emulate_push_reg);

/**
 * kprobe_emulate_push_imm() - emulate a push of a constant
 * @p:		a probe; @p->ainsn.value is the constant
 * @regs:	registers before the instruction; gets those after it
 *
 * Context: exception; interrupts off, may be within an NMI.
 */
void kprobe_emulate_push_imm(struct kprobe *p, struct pt_regs *regs)
{
	int3_emulate_push(regs, (long)p->ainsn.value);
	regs->ip = next_ip(p);
}
NOKPROBE_SYMBOL(kprobe_emulate_push_imm);

/**
 * kprobe_emulate_pop_reg() - emulate a pop to a register
 * @p:		a probe; @p->ainsn.arg is the offset of the register
 * @regs:	registers before the instruction; gets those after it
 *
 * Context: exception; interrupts off, may be within an NMI.
 */
void kprobe_emulate_pop_reg(struct kprobe *p, struct pt_regs *regs)
{
	/* POP SP leaves the popped value in SP. */
	unsigned long value = int3_emulate_pop(regs);

	*operand(p, regs) = value;
	regs->ip = next_ip(p);
}
NOKPROBE_SYMBOL(kprobe_emulate_pop_reg);

/**
 * kprobe_emulate_leave() - emulate leave
 * @p:		a probe
 * @regs:	registers before the instruction; gets those after it
 *
 * Context: exception; interrupts off, may be within an NMI.
 */
void kprobe_emulate_leave(struct kprobe *p, struct pt_regs *regs)
{
	regs->sp = regs->bp;
	regs->bp = int3_emulate_pop(regs);
	regs->ip = next_ip(p);
}
NOKPROBE_SYMBOL(kprobe_emulate_leave);

/**
 * kprobe_emulate_pushf() - emulate a push of the flags
 * @p:		a probe
 * @regs:	registers before the instruction; gets those after it
 *
 * Context: exception; interrupts off, may be within an NMI.
 */
void kprobe_emulate_pushf(struct kprobe *p, struct pt_regs *regs)
{
	int3_emulate_push(regs, regs->flags & ~(X86_EFLAGS_RF | X86_EFLAGS_VM));
	regs->ip = next_ip(p);
}
NOKPROBE_SYMBOL(kprobe_emulate_pushf);

/**
 * kprobe_emulate_popf() - emulate a pop of the flags
 * @p:		a probe
 * @regs:	registers before the instruction; gets those after it
 *
 * Context: exception; interrupts off, may be within an NMI.
 */
void kprobe_emulate_popf(struct kprobe *p, struct pt_regs *regs)
{
	unsigned long value = int3_emulate_pop(regs);

	regs->flags = (regs->flags & ~POPF_FLAGS) | (value & POPF_FLAGS);
	regs->ip = next_ip(p);
}
NOKPROBE_SYMBOL(kprobe_emulate_popf);

/**
 * kprobe_emulate_flag() - emulate CLC, STC, CLI, STI, CLD or STD
 * @p:		a probe; @p->ainsn.value is the flag, @p->ainsn.arg its new value
 * @regs:	registers before the instruction; gets those after it
 *
 * Context: exception; interrupts off, may be within an NMI.
 */
void kprobe_emulate_flag(struct kprobe *p, struct pt_regs *regs)
{
	if (p->ainsn.arg)
		regs->flags |= p->ainsn.value;
	else
		regs->flags &= ~(unsigned long)p->ainsn.value;
	regs->ip = next_ip(p);
}
NOKPROBE_SYMBOL(kprobe_emulate_flag);

/**
 * kprobe_after_push() - complete a jump or call through memory
 * @p:		a probe; @p->ainsn.after_step is the work to complete
 * @regs:	registers after the copy, which has pushed the target; gets those after the
 *		instruction
 *
 * Context: exception; interrupts off, may be within an NMI.
 */
void kprobe_after_push(struct kprobe *p, struct pt_regs *regs)
{
	regs->ip = int3_emulate_pop(regs);
	if (p->ainsn.after_step == AFTER_STEP_CALL)
		int3_emulate_push(regs, next_ip(p));
}
NOKPROBE_SYMBOL(kprobe_after_push);
