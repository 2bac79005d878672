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

void kprobe_emulate_nop(struct kprobe *p, struct pt_regs *regs)
{
	regs->ip = next_ip(p);
}
NOKPROBE_SYMBOL(kprobe_emulate_nop);

void kprobe_emulate_jmp(struct kprobe *p, struct pt_regs *regs)
{
	regs->ip = target(p);
}
NOKPROBE_SYMBOL(kprobe_emulate_jmp);

void kprobe_emulate_jcc(struct kprobe *p, struct pt_regs *regs)
{
	int3_emulate_jcc(regs, p->ainsn.arg, next_ip(p), p->ainsn.value);
}
NOKPROBE_SYMBOL(kprobe_emulate_jcc);

/*
 * Bits 0 and 1 of the argument select LOOPNE, LOOPE, LOOP or JCXZ.  Bit 2 is set if the
 * counter is RCX, not ECX.
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

void kprobe_emulate_call(struct kprobe *p, struct pt_regs *regs)
{
	int3_emulate_push(regs, next_ip(p));
	regs->ip = target(p);
}
NOKPROBE_SYMBOL(kprobe_emulate_call);

void kprobe_emulate_jmp_reg(struct kprobe *p, struct pt_regs *regs)
{
	regs->ip = *operand(p, regs);
}
NOKPROBE_SYMBOL(kprobe_emulate_jmp_reg);

void kprobe_emulate_call_reg(struct kprobe *p, struct pt_regs *regs)
{
	unsigned long to = *operand(p, regs);

	int3_emulate_push(regs, next_ip(p));
	regs->ip = to;
}
NOKPROBE_SYMBOL(kprobe_emulate_call_reg);

void kprobe_emulate_ret(struct kprobe *p, struct pt_regs *regs)
{
	regs->ip = int3_emulate_pop(regs);
	regs->sp += p->ainsn.value;
}
NOKPROBE_SYMBOL(kprobe_emulate_ret);

void kprobe_emulate_lret(struct kprobe *p, struct pt_regs *regs)
{
	regs->ip = int3_emulate_pop(regs);
	regs->cs = int3_emulate_pop(regs);
	regs->sp += p->ainsn.value;
}
NOKPROBE_SYMBOL(kprobe_emulate_lret);

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

void kprobe_emulate_push_reg(struct kprobe *p, struct pt_regs *regs)
{
	/* PUSH SP pushes the old value of SP. */
	int3_emulate_push(regs, *operand(p, regs));
	regs->ip = next_ip(p);
}
NOKPROBE_SYMBOL(kprobe_emulate_push_reg);

void kprobe_emulate_push_imm(struct kprobe *p, struct pt_regs *regs)
{
	int3_emulate_push(regs, (long)p->ainsn.value);
	regs->ip = next_ip(p);
}
NOKPROBE_SYMBOL(kprobe_emulate_push_imm);

void kprobe_emulate_pop_reg(struct kprobe *p, struct pt_regs *regs)
{
	/* POP SP leaves the popped value in SP. */
	unsigned long value = int3_emulate_pop(regs);

	*operand(p, regs) = value;
	regs->ip = next_ip(p);
}
NOKPROBE_SYMBOL(kprobe_emulate_pop_reg);

void kprobe_emulate_leave(struct kprobe *p, struct pt_regs *regs)
{
	regs->sp = regs->bp;
	regs->bp = int3_emulate_pop(regs);
	regs->ip = next_ip(p);
}
NOKPROBE_SYMBOL(kprobe_emulate_leave);

void kprobe_emulate_pushf(struct kprobe *p, struct pt_regs *regs)
{
	int3_emulate_push(regs, regs->flags & ~(X86_EFLAGS_RF | X86_EFLAGS_VM));
	regs->ip = next_ip(p);
}
NOKPROBE_SYMBOL(kprobe_emulate_pushf);

void kprobe_emulate_popf(struct kprobe *p, struct pt_regs *regs)
{
	unsigned long value = int3_emulate_pop(regs);

	regs->flags = (regs->flags & ~POPF_FLAGS) | (value & POPF_FLAGS);
	regs->ip = next_ip(p);
}
NOKPROBE_SYMBOL(kprobe_emulate_popf);

/* CLC, STC, CLI, STI, CLD, STD */
void kprobe_emulate_flag(struct kprobe *p, struct pt_regs *regs)
{
	if (p->ainsn.arg)
		regs->flags |= p->ainsn.value;
	else
		regs->flags &= ~(unsigned long)p->ainsn.value;
	regs->ip = next_ip(p);
}
NOKPROBE_SYMBOL(kprobe_emulate_flag);

/* Complete a jump through memory: the copy in the slot has pushed its target. */
void kprobe_after_push_jmp(struct kprobe *p, struct pt_regs *regs)
{
	regs->ip = int3_emulate_pop(regs);
}
NOKPROBE_SYMBOL(kprobe_after_push_jmp);

/* Complete a call through memory: the copy in the slot has pushed its target. */
void kprobe_after_push_call(struct kprobe *p, struct pt_regs *regs)
{
	regs->ip = int3_emulate_pop(regs);
	int3_emulate_push(regs, next_ip(p));
}
NOKPROBE_SYMBOL(kprobe_after_push_call);
