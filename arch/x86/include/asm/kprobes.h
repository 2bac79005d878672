/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _ASM_X86_KPROBES_H
#define _ASM_X86_KPROBES_H

/*
 * Kernel probes on x86: what kernel/kprobes.c and the exception handlers need to
 * know.  The theory is at the top of the files in arch/x86/kernel/kprobes/.
 */

#include <asm-generic/kprobes.h>

#ifdef CONFIG_KPROBES
#include <linux/types.h>
#include <linux/ptrace.h>
#include <linux/percpu.h>
#include <asm/text-patching.h>
#include <asm/insn.h>

struct kprobe;

typedef u8 kprobe_opcode_t;

/* Copies of instructions stand in slots of MAX_INSN_SIZE bytes. */
#define __ARCH_WANT_KPROBES_INSN_SLOT

/* Caches of instructions need no care on this processor. */
static inline void flush_insn_slot(struct kprobe *p)
{
}

/**
 * struct arch_specific_insn - how the instruction under a probe is executed
 * @emulate:	does what the instruction does, given the registers before it, and
 *		leaves the registers after it; NULL if a copy is run instead
 * @after_step:	what remains to be done after the copy in @step, or NULL
 * @boost:	copy followed by a jump to the instruction behind the probe, or NULL
 *		if it has to be known when the copy is through
 * @step:	copy followed by a breakpoint, or NULL if it can only be boosted
 * @value:	for @emulate: displacement of a branch, or an immediate operand
 * @arg:	for @emulate: a condition, or the offset of a register in pt_regs
 * @size:	length of the instruction
 * @len:	bytes that the copy and what follows it take; [0] @boost, [1] @step
 *
 * Written while nobody can hit the probe.  The one who handles an instruction
 * for several probes at one address has a copy, and frees what it points to.
 */
struct arch_specific_insn {
	void (*emulate)(struct kprobe *p, struct pt_regs *regs);
	void (*after_step)(struct kprobe *p, struct pt_regs *regs);
	kprobe_opcode_t *boost;
	kprobe_opcode_t *step;
	s32 value;
	u8 arg;
	u8 size;
	u8 len[2];
};

/*
 * A jump that takes a probe's place ends within an instruction that begins in the
 * last of its bytes at the latest.
 */
#define MAX_OPTIMIZED_LENGTH	(MAX_INSN_SIZE + DISP32_SIZE)

/* What a slot for a detour holds; see optimize.c. */
struct kprobe_detour {
	void *op;
	u8 code[CALL_INSN_SIZE + MAX_OPTIMIZED_LENGTH + JMP32_INSN_SIZE];
};

#define MAX_OPTINSN_SIZE	sizeof(struct kprobe_detour)

/**
 * struct arch_optimized_insn - the detour of a jump-optimized probe
 * @detour:	the detour, in executable memory that is not writable
 * @tail:	text behind the first byte of the probe that the jump replaces
 * @size:	length of the instructions that the jump replaces; 0 if there is no
 *		detour
 * @vacated:	number of the detour if its jump was taken back at once, else 0: there
 *		may be tasks in it
 */
struct arch_optimized_insn {
	struct kprobe_detour *detour;
	kprobe_opcode_t tail[DISP32_SIZE];
	u8 size;
	long vacated;
};

/* Is there a detour, so that the probe can be optimized? */
static inline int arch_prepared_optinsn(struct arch_optimized_insn *optinsn)
{
	return optinsn->size;
}

/*
 * Probes can be hit while the copy of another one's instruction is run: by an NMI,
 * or on the way to the handler of its fault.  Each of these may be interrupted in
 * this manner by the one after it, and by nothing else.
 */
#define KPROBE_MAX_NESTING	4

/**
 * struct kprobe_ctlblk - what a processor knows of the probe it is handling
 * @kprobe_status:	KPROBE_HIT_ACTIVE and so on; written by kernel/kprobes.c, too
 * @irq_flag:		X86_EFLAGS_IF as it was when a copy began to be stepped over
 * @nesting:		how many entries of @outer there are
 * @outer:		the state of those that were interrupted
 */
struct kprobe_ctlblk {
	unsigned long kprobe_status;
	unsigned long irq_flag;
	unsigned int nesting;
	struct {
		struct kprobe *kp;
		unsigned long status;
		unsigned long irq_flag;
	} outer[KPROBE_MAX_NESTING];
};

extern const int kretprobe_blacklist_size;

void arch_remove_kprobe(struct kprobe *p);
int kprobe_fault_handler(struct pt_regs *regs, int trapnr);
int kprobe_int3_handler(struct pt_regs *regs);

#else /* !CONFIG_KPROBES */

static inline int kprobe_debug_handler(struct pt_regs *regs)
{
	return 0;
}

#endif /* CONFIG_KPROBES */
#endif /* _ASM_X86_KPROBES_H */
