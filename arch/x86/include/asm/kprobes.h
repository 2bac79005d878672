/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _ASM_X86_KPROBES_H
#define _ASM_X86_KPROBES_H

/*
 * Kernel probes on x86: interface to kernel/kprobes/ and the exception handlers.  The
 * design is described at the top of the files in arch/x86/kernel/kprobes/.
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

/* Out-of-line copies of instructions are in slots of MAX_INSN_SIZE bytes. */
#define __ARCH_WANT_KPROBES_INSN_SLOT

/* Many breakpoints are written with one synchronization of the CPUs. */
#define __ARCH_HAS_KPROBE_BATCHES

/* Probes that read only arguments need not save all registers at an ftrace call site. */
#if defined(CONFIG_X86_64) && defined(CONFIG_KPROBES_ON_FTRACE)
#define __ARCH_HAS_KPROBE_FTRACE_ARGS
#endif

/* x86 keeps its instruction caches coherent. */
static inline void flush_insn_slot(struct kprobe *p)
{
}

/**
 * struct arch_specific_insn - execution of the probed instruction
 * @emulate:	function that emulates the instruction on the given registers; 0 if a copy
 *		runs instead
 * @boost:	copy followed by a jump to the next instruction, or 0 if the instruction must
 *		be single-stepped
 * @step:	copy followed by a breakpoint, or 0 if the instruction can only be boosted
 * @value:	for @emulate: displacement of a branch, immediate operand, or flag
 * @arg:	for @emulate: condition, kind of loop, offset of a register in pt_regs, or
 *		new value of the flag
 * @size:	length of the instruction, and of its copies
 * @after_step:	remaining work after the copy in @step ran: an enum after_step
 *
 * The first three are addresses in the last 2 GB of the address space, where all code of the
 * kernel and all slots are: see kprobe_code().
 *
 * Written only while the place cannot be hit.  The place owns the slots; each of its probes
 * has a copy of this struct.
 */
struct arch_specific_insn {
	s32 emulate;
	s32 boost;
	s32 step;
	s32 value;
	u8 arg;
	u8 size;
	u8 after_step;
};

/* The code at an address in struct arch_specific_insn. */
static __always_inline void *kprobe_code(s32 addr)
{
	return (void *)(long)addr;
}

/*
 * Maximum length of the instructions that a jump replaces.  The last one begins at or
 * before the last byte of the jump.
 */
#define MAX_OPTIMIZED_LENGTH	(MAX_INSN_SIZE + DISP32_SIZE)

/*
 * Maximum length of the copies of these instructions.  A return of one byte can become a
 * jump of five bytes, which is the largest growth per byte.  The last instruction can be a
 * call, whose copy has 19 bytes: four more than the longest instruction.
 */
#define MAX_DETOUR_COPIES	(DISP32_SIZE * JMP32_INSN_SIZE + MAX_INSN_SIZE + 4)

/* Contents of a detour's slot; see optimize.c. */
struct kprobe_detour {
	void *op;
	u8 code[CALL_INSN_SIZE + MAX_DETOUR_COPIES + JMP32_INSN_SIZE];
};

#define MAX_OPTINSN_SIZE	sizeof(struct kprobe_detour)

/**
 * struct arch_optimized_insn - the detour of a jump-optimized probe
 * @detour:	the detour, in executable memory that is not writable
 * @tail:	original text that the last four bytes of the jump replace
 * @size:	length of the instructions that the jump replaces; 0 if there is no
 *		detour
 * @len:	number of bytes of @detour->code in use
 */
struct arch_optimized_insn {
	struct kprobe_detour *detour;
	kprobe_opcode_t tail[DISP32_SIZE];
	u8 size;
	u8 len;
};

/* Is there a detour, so that the probe can be optimized? */
static inline int arch_prepared_optinsn(struct arch_optimized_insn *optinsn)
{
	return optinsn->size;
}

/*
 * A probe can be hit while another probe's copy is single-stepped: in an NMI, or on the
 * exception path if the copy faults.  The same two events can interrupt the copy of the
 * second probe, and so on.
 */
#define KPROBE_MAX_NESTING	4

/**
 * struct kprobe_ctlblk - per-CPU state of the probe that is being handled
 * @kprobe_status:	KPROBE_HIT_ACTIVE and so on; kernel/kprobes/ writes it, too
 * @irq_flag:		X86_EFLAGS_IF before the single-step of a copy
 * @nesting:		number of entries of @outer in use
 * @outer:		saved state of the interrupted probes
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
bool kprobe_leave_copy(struct pt_regs *regs);
bool kprobe_has_replaced(const void *addr);
int kprobe_fault_handler(struct pt_regs *regs, int trapnr);
int kprobe_int3_handler(struct pt_regs *regs);
void kprobe_insn_text(u8 *buf, const void *addr, unsigned int len);

#else /* !CONFIG_KPROBES */
#include <linux/string.h>
#include <linux/types.h>

static inline bool kprobe_leave_copy(struct pt_regs *regs)
{
	return false;
}

static inline void kprobe_insn_text(u8 *buf, const void *addr, unsigned int len)
{
	memcpy(buf, addr, len);
}

static inline bool kprobe_has_replaced(const void *addr)
{
	return false;
}

#endif /* CONFIG_KPROBES */
#endif /* _ASM_X86_KPROBES_H */
