/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _X86_KPROBES_H
#define _X86_KPROBES_H

/*
 * Shared definitions of this directory.
 *
 *	ctlblk.c	the state of the hit that each CPU handles
 *	emulate.c	emulate an instruction on the saved registers and the stack
 *	jump.c		the bytes of a jump
 *	class.c		classes of instructions
 *	text.c		read text as it would be without probes
 *	way.c		choose the way to execute an instruction
 *	slot.c		make copies of an instruction
 *	place.c		check whether an address can be probed
 *	region.c	check whether a jump can replace a probe's breakpoint
 *	optimize.c	replace breakpoints with jumps to detours
 *	detour.S	call the handlers from a detour and return to it
 *	int3.c		write and remove breakpoints, handle their hits
 *	ftrace.c	handle probes on the ftrace call at a function entry
 *	return.S	trampoline for hooked function returns
 *	frame.h		stack frames of detour.S and return.S
 *
 * A file uses only functions of files before it in this list, except that detour.S and
 * optimize.c use each other.
 *
 * Locking: kernel/kprobes/ holds kprobe_mutex while it registers, arms, disarms or
 * optimizes probes.  The order is kprobe_mutex, cpus_read_lock(), jump_label_lock() and
 * text_mutex.  text_mutex serializes all writes to text.  func_text_*() in text.c read the
 * text with text_mutex held, so neither probes nor jump labels change it in the meantime.
 *
 * The handling of a hit takes no lock.  The breakpoint handler and
 * kprobe_ftrace_handler() look up the probe in the hash table under RCU, with preemption
 * disabled.  A detour passes its probe to kprobe_detour_hit(), which disables
 * preemption.  The breakpoint handler reads @ainsn of the probe and the address of its
 * detour, which do not change while a CPU can hit the probe.  All three functions write
 * current_kprobe and kprobe_ctlblk of the CPU.  A nested hit that single-steps a copy
 * saves and restores these.  All three also count missed hits; the count is not exact if
 * two CPUs miss hits of one probe at the same time.
 *
 * The slots of a probe are freed after an RCU grace period.  A task can be preempted in a
 * detour or in a copy that is followed by a jump, so these two kinds of slots also wait
 * for an RCU-tasks grace period.
 */

#include <linux/extable.h>
#include <linux/kprobes.h>

#include <asm/insn.h>
#include <asm/kprobes.h>

struct klp_modinfo;

/* All exception table entries of vmlinux. */
extern struct exception_table_entry __start___ex_table[], __stop___ex_table[];

/* The ends of ftrace_caller() and ftrace_regs_caller().  ftrace patches and copies both. */
#ifdef CONFIG_X86_64
void ftrace_caller_end(void);
#define FTRACE_CALLER_END	ftrace_caller_end
#else
#define FTRACE_CALLER_END	ftrace_stub
#endif
#define FTRACE_REGS_CALLER_END	ftrace_stub_direct_tramp

/*
 * Size of a buffer for text: at least one instruction, and large enough to read most
 * functions in a few steps.
 */
#define FUNC_TEXT_WINDOW	96

/**
 * struct func_text - iterator over the instructions of a function
 * @start:	start of the function
 * @end:	end of the function
 * @addr:	address of the current instruction
 * @insn:	the current instruction, decoded; its bytes are in @buf
 * @after_sti:	the previous instruction was STI
 * @next:	address of the next instruction
 * @window:	address in the text of the first byte of @buf
 * @filled:	number of bytes of @buf in use
 * @buf:	text as it would be without probes
 */
struct func_text {
	const kprobe_opcode_t *start;
	const kprobe_opcode_t *end;
	const kprobe_opcode_t *addr;
	struct insn insn;
	bool after_sti;
	const kprobe_opcode_t *next;
	const kprobe_opcode_t *window;
	unsigned int filled;
	kprobe_opcode_t buf[FUNC_TEXT_WINDOW];
};

int func_text_open(struct func_text *text, const void *addr);
int func_text_next(struct func_text *text);
int func_text_seek(struct func_text *text, const void *addr);
bool kprobe_is_debugger_break(const void *addr, kprobe_opcode_t byte);
#ifdef CONFIG_LIVEPATCH
bool kprobe_livepatch_relocates(const struct klp_modinfo *info, const void *start,
				const void *end);
#endif
bool kprobe_is_cfi_check(const struct func_text *text);

/**
 * enum opcode_class - classes of instructions
 * @OP_OTHER:		any other instruction
 * @OP_NOP:		nop, with or without an operand
 * @OP_PUSH_REG:	push a register
 * @OP_POP_REG:		pop a register
 * @OP_PUSH_IMM:	push a constant
 * @OP_LEAVE:		leave
 * @OP_PUSHF:		push the flags
 * @OP_POPF:		pop the flags
 * @OP_CLC:		clear the carry flag
 * @OP_STC:		set the carry flag
 * @OP_CLI:		clear the interrupt flag
 * @OP_STI:		set the interrupt flag
 * @OP_CLD:		clear the direction flag
 * @OP_STD:		set the direction flag
 * @OP_JCC:		conditional jump
 * @OP_LOOP:		loop, jcxz
 * @OP_JMP:		jump relative to the next instruction
 * @OP_CALL:		call relative to the next instruction
 * @OP_JMP_REG:		jump through a register
 * @OP_CALL_REG:	call through a register
 * @OP_JMP_MEM:		jump through memory
 * @OP_CALL_MEM:	call through memory
 * @OP_JMP_FAR:		jump through memory to another segment
 * @OP_JMP_ABS:		jump to a constant address (segment and offset in 32-bit code)
 * @OP_RET:		return
 * @OP_LRET:		return to another segment
 * @OP_IRET:		return from an interrupt
 * @OP_XBEGIN:		begin a transaction; the operand is its abort address
 * @OP_NO_STEP:		may halt the CPU or not return, or must not precede a breakpoint
 * @OP_IN_PLACE:	any other instruction that can only be executed in place
 *
 * The instructions in OP_OTHER do not change the control flow, and there is no emulation
 * for them.  The class does not depend on the operand size or the address size.
 */
enum opcode_class {
	OP_OTHER,
	OP_NOP,
	OP_PUSH_REG,
	OP_POP_REG,
	OP_PUSH_IMM,
	OP_LEAVE,
	OP_PUSHF,
	OP_POPF,
	OP_CLC,
	OP_STC,
	OP_CLI,
	OP_STI,
	OP_CLD,
	OP_STD,
	OP_JCC,
	OP_LOOP,
	OP_JMP,
	OP_CALL,
	OP_JMP_REG,
	OP_CALL_REG,
	OP_JMP_MEM,
	OP_CALL_MEM,
	OP_JMP_FAR,
	OP_JMP_ABS,
	OP_RET,
	OP_LRET,
	OP_IRET,
	OP_XBEGIN,
	OP_NO_STEP,
	OP_IN_PLACE,
};

enum opcode_class kprobe_opcode_class(struct insn *insn);

static inline bool insn_has_prefix(struct insn *insn, insn_byte_t wanted)
{
	insn_byte_t prefix;
	int i;

	for_each_insn_prefix(insn, i, prefix) {
		if (prefix == wanted)
			return true;
	}
	return false;
}

static inline bool insn_is_sti(struct insn *insn)
{
	return kprobe_opcode_class(insn) == OP_STI;
}

/**
 * enum insn_way - ways to execute an instruction out of line
 * @INSN_COPY:		run a copy
 * @INSN_COPY_NO_STEP:	run a copy, but never single-step it: it may never return, it may
 *			wait for an interrupt, or it must not precede a breakpoint
 * @INSN_COPY_PUSH:	run "push" with the memory operand of this indirect branch;
 *			the pushed value is the branch target
 * @INSN_EMULATE:	emulate; a copy does not work
 * @INSN_EMULATE_OR_COPY: emulate; a copy works in a detour, which, unlike a single-step,
 *			does not change the interrupt flag
 * @INSN_EMULATE_OR_ENCODE: emulate; a detour has code with the effect of this branch or
 *			call
 */
enum insn_way {
	INSN_COPY,
	INSN_COPY_NO_STEP,
	INSN_COPY_PUSH,
	INSN_EMULATE,
	INSN_EMULATE_OR_COPY,
	INSN_EMULATE_OR_ENCODE,
};

/**
 * enum after_step - remaining work after a copy was single-stepped
 * @AFTER_STEP_NEXT:	nothing
 * @AFTER_STEP_JMP:	jump to the address that the copy pushed
 * @AFTER_STEP_CALL:	call the address that the copy pushed
 */
enum after_step {
	AFTER_STEP_NEXT,
	AFTER_STEP_JMP,
	AFTER_STEP_CALL,
};

int kprobe_insn_way(struct insn *insn, struct arch_specific_insn *ainsn);
int kprobe_copy_insn(kprobe_opcode_t *buf, struct insn *insn, const void *from,
		     const void *to);
enum kprobe_refusal kprobe_check_slots(const struct kprobe *p,
				       const struct arch_specific_insn *ainsn,
				       enum insn_way way);
int kprobe_make_slots(struct kprobe *p, struct insn *insn, enum insn_way way);
void kprobe_free_slots(struct kprobe *p);
void kprobe_retire_slot(kprobe_opcode_t *slot, void (*free)(kprobe_opcode_t *slot, int dirty));

/* Offset in pt_regs of the register that has this number in an instruction. */
unsigned int kprobe_reg_offset(unsigned int number);

void kprobe_emulate_nop(struct kprobe *p, struct pt_regs *regs);
void kprobe_emulate_jmp(struct kprobe *p, struct pt_regs *regs);
void kprobe_emulate_jcc(struct kprobe *p, struct pt_regs *regs);
void kprobe_emulate_loop(struct kprobe *p, struct pt_regs *regs);
void kprobe_emulate_call(struct kprobe *p, struct pt_regs *regs);
void kprobe_emulate_jmp_reg(struct kprobe *p, struct pt_regs *regs);
void kprobe_emulate_call_reg(struct kprobe *p, struct pt_regs *regs);
void kprobe_emulate_ret(struct kprobe *p, struct pt_regs *regs);
void kprobe_emulate_lret(struct kprobe *p, struct pt_regs *regs);
void kprobe_emulate_iret(struct kprobe *p, struct pt_regs *regs);
void kprobe_emulate_push_reg(struct kprobe *p, struct pt_regs *regs);
void kprobe_emulate_push_imm(struct kprobe *p, struct pt_regs *regs);
void kprobe_emulate_pop_reg(struct kprobe *p, struct pt_regs *regs);
void kprobe_emulate_leave(struct kprobe *p, struct pt_regs *regs);
void kprobe_emulate_pushf(struct kprobe *p, struct pt_regs *regs);
void kprobe_emulate_popf(struct kprobe *p, struct pt_regs *regs);
void kprobe_emulate_flag(struct kprobe *p, struct pt_regs *regs);
void kprobe_after_push(struct kprobe *p, struct pt_regs *regs);

/* Until reset_current_kprobe(), further hits on this CPU count as missed. */
static nokprobe_inline void kprobe_begin_hit(struct kprobe *p)
{
	__this_cpu_write(current_kprobe, p);
	__this_cpu_write(kprobe_ctlblk.kprobe_status, KPROBE_HIT_ACTIVE);
}

#ifdef CONFIG_OPTPROBES
void kprobe_gen_jump(kprobe_opcode_t *buf, struct optimized_kprobe *op);
bool kprobe_optimized_tail(struct kprobe *p, const kprobe_opcode_t **tail);
bool kprobe_in_jump(const void *addr);
unsigned long kprobe_detour_copies(struct kprobe *p);
int kprobe_region_size(const kprobe_opcode_t *addr);
void kprobe_detour_entry(void);
void kprobe_detour_hit(struct optimized_kprobe *op, struct pt_regs *regs);
#else
static inline bool kprobe_optimized_tail(struct kprobe *p, const kprobe_opcode_t **tail)
{
	return false;
}

static inline bool kprobe_in_jump(const void *addr)
{
	return false;
}

static inline unsigned long kprobe_detour_copies(struct kprobe *p)
{
	return 0;
}
#endif

#endif /* _X86_KPROBES_H */
