// SPDX-License-Identifier: GPL-2.0
/*
 * Kernel probes: choose the way to execute an instruction out of line.
 *
 * A breakpoint or a jump replaces the probed instruction, so it is executed from a copy
 * or emulated.  Most instructions have the same effect in a copy.  The others need special
 * treatment:
 *
 * - operands relative to RIP: the copy has a different displacement, for the same
 *   address;
 * - branches, calls and returns are emulated.  A detour has copies of returns, because
 *   these do not depend on their address.  It has branches and calls in other encodings;
 * - calls and jumps through memory: the processor must fetch the operand, which can
 *   fault.  "push" accepts the same operand and fetches the same number of bytes, so the
 *   copy is a "push" and the rest is emulated;
 * - instructions that read or write the interrupt flag are emulated, because a copy is
 *   single-stepped with the flag cleared;
 * - instructions that may never return, or that halt, run only from a boosted copy: a
 *   CPU that single-steps them may never reach the breakpoint.  The same holds for
 *   instructions after which the kernel cannot handle a breakpoint;
 * - instructions that save their own address, or whose address has a meaning, are
 *   refused.
 *
 * Emulation is faster than a copy for simple instructions, such as the most frequent
 * ones at probed addresses: push, pop and nop.
 *
 * kprobe_opcode_class() maps opcodes to classes.  The choice here and the search for
 * branches in region.c depend on the classes.
 */

#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/kprobes.h>

#include <asm/insn.h>
#include <asm/processor-flags.h>

#include "kprobes.h"

static bool has_prefix(struct insn *insn, insn_byte_t wanted)
{
	insn_byte_t prefix;
	int i;

	for_each_insn_prefix(insn, i, prefix) {
		if (prefix == wanted)
			return true;
	}
	return false;
}

/* ff: inc, dec, call, call far, jmp, jmp far, push */
static enum opcode_class group5_class(struct insn *insn)
{
	switch (X86_MODRM_REG(insn->modrm.bytes[0])) {
	case 2:
	case 3:
		return OP_CALL_INDIRECT;
	case 4:
	case 5:
		return OP_JMP_INDIRECT;
	default:
		return OP_OTHER;
	}
}

/* 0f 01: the last byte selects one of many instructions. */
static enum opcode_class group7_class(struct insn *insn)
{
	switch (insn->modrm.bytes[0]) {
	case 0xca:			/* clac; erets, eretu */
		return has_prefix(insn, 0xf2) || has_prefix(insn, 0xf3) ? OP_NO_STEP : OP_OTHER;
	case 0xc2:			/* vmlaunch */
	case 0xc3:			/* vmresume */
	case 0xc9:			/* mwait */
	case 0xd8:			/* vmrun */
	case 0xf8:			/* swapgs: INT3 needs the kernel's GS base */
	case 0xfb:			/* mwaitx */
		return OP_NO_STEP;
	default:
		return OP_OTHER;
	}
}

/**
 * kprobe_opcode_class() - get the class of an instruction
 * @insn:	the instruction, decoded
 *
 * Context: Any.
 * Return: the class.
 */
enum opcode_class kprobe_opcode_class(struct insn *insn)
{
	switch (insn_legacy_opcode(insn)) {
	case 0x50 ... 0x57:
		return OP_PUSH_REG;
	case 0x58 ... 0x5f:
		return OP_POP_REG;
	case 0x68:
	case 0x6a:
		return OP_PUSH_IMM;
	case 0xc9:
		return OP_LEAVE;
	case 0x9c:
		return OP_PUSHF;
	case 0x9d:
		return OP_POPF;

	case 0x70 ... 0x7f:
	case 0x0f80 ... 0x0f8f:
		return OP_JCC;
	case 0xe0 ... 0xe3:
		return OP_LOOP;
	case 0xe9:
	case 0xeb:
		return OP_JMP;
	case 0xe8:
		return OP_CALL;
	case 0xff:
		return group5_class(insn);
	case 0xea:
		return OP_JMP_ABS;
	case 0xc2:
	case 0xc3:
		return OP_RET;
	case 0xca:
	case 0xcb:
		return OP_LRET;
	case 0xcf:
		return OP_IRET;
	case 0xc7:
		return insn->modrm.bytes[0] == 0xf8 ? OP_XBEGIN : OP_OTHER;

	case 0xf8:
		return OP_CLC;
	case 0xf9:
		return OP_STC;
	case 0xfa:
		return OP_CLI;
	case 0xfb:
		return OP_STI;
	case 0xfc:
		return OP_CLD;
	case 0xfd:
		return OP_STD;

	case 0x90:
		/* f3: pause, f2: unassigned, REX.B: xchg %r8, %rax */
		if (has_prefix(insn, 0xf3) || has_prefix(insn, 0xf2) ||
		    X86_REX_B(insn->rex_prefix.value))
			return OP_OTHER;
		fallthrough;
	case 0x0f1f:
		return OP_NOP;

	case 0x0f01:
		return group7_class(insn);
	case 0xf4:			/* hlt */
	case 0x0f07:			/* sysret */
	case 0x0f35:			/* sysexit */
		return OP_NO_STEP;

	case 0xa1:
		/* jmpabs, otherwise mov */
		return insn_is_rex2(insn) ? OP_JMP_ABS : OP_OTHER;
	case 0x9a:			/* call far */
	case 0xcc:			/* int3 */
	case 0xcd:			/* int */
	case 0xce:			/* into */
	case 0xf1:			/* int1 */
	case 0x0f05:			/* syscall */
	case 0x0f34:			/* sysenter */
	case 0x0f0b:			/* ud2 */
	case 0x0fb9:			/* ud1 */
	case 0x0fff:			/* ud0 */
	case 0x0faa:			/* rsm */
		return OP_IN_PLACE;
	default:
		return OP_OTHER;
	}
}

static bool is_64bit(void)
{
	return IS_ENABLED(CONFIG_X86_64);
}

/* Does prefix 66 change the operand size?  If so, a branch, push or pop is not emulated. */
static bool has_operand_size_prefix(struct insn *insn)
{
	return has_prefix(insn, 0x66);
}

static unsigned int opcode_reg(struct insn *insn, unsigned int reg)
{
	return kprobe_reg_offset(reg | (X86_REX_B(insn->rex_prefix.value) ? 8 : 0));
}

static int emulate(struct arch_specific_insn *ainsn,
		   void (*how)(struct kprobe *p, struct pt_regs *regs), enum insn_way way)
{
	ainsn->emulate = how;
	return way;
}

/* A branch relative to the next instruction. */
static int near_branch(struct insn *insn, struct arch_specific_insn *ainsn,
		       void (*how)(struct kprobe *p, struct pt_regs *regs), enum insn_way way)
{
	/* Intel and AMD disagree on whether the target has 16 bits. */
	if (has_operand_size_prefix(insn))
		return -EOPNOTSUPP;
	ainsn->value = insn->immediate.value;
	return emulate(ainsn, how, way);
}

/* An instruction with an unusual operand size runs from a copy. */
static int stack_insn(struct insn *insn, struct arch_specific_insn *ainsn,
		      void (*how)(struct kprobe *p, struct pt_regs *regs))
{
	if (has_operand_size_prefix(insn))
		return INSN_COPY;
	return emulate(ainsn, how, INSN_EMULATE_OR_COPY);
}

static int flag_insn(struct arch_specific_insn *ainsn, u32 flag, bool set)
{
	ainsn->value = flag;
	ainsn->arg = set;
	return emulate(ainsn, kprobe_emulate_flag, INSN_EMULATE_OR_COPY);
}

static int indirect_branch(struct insn *insn, struct arch_specific_insn *ainsn, bool call)
{
	u8 modrm = insn->modrm.bytes[0];
	bool is_far = X86_MODRM_REG(modrm) & 1;

	if (is_far || has_operand_size_prefix(insn))
		return -EOPNOTSUPP;
	if (X86_MODRM_MOD(modrm) == 3) {
		ainsn->arg = opcode_reg(insn, X86_MODRM_RM(modrm));
		return emulate(ainsn, call ? kprobe_emulate_call_reg : kprobe_emulate_jmp_reg,
			       INSN_EMULATE);
	}
	ainsn->after_step = call ? kprobe_after_push_call : kprobe_after_push_jmp;
	return INSN_COPY_PUSH;
}

static int ret_insn(struct insn *insn, struct arch_specific_insn *ainsn)
{
	if (has_operand_size_prefix(insn))
		return -EOPNOTSUPP;
	ainsn->value = (u16)insn->immediate.value;
	return emulate(ainsn, kprobe_emulate_ret, INSN_EMULATE_OR_COPY);
}

/* Return to another code segment.  Operands have 32 bits unless REX.W is set. */
static int far_return(struct insn *insn, struct arch_specific_insn *ainsn,
		      void (*how)(struct kprobe *p, struct pt_regs *regs))
{
	if (has_operand_size_prefix(insn) ||
	    (is_64bit() && !X86_REX_W(insn->rex_prefix.value)))
		return -EOPNOTSUPP;
	/*
	 * The kernel of a Xen PV guest runs in ring 3, so the CS on the stack has this level.
	 * With this CS in regs->cs, the breakpoint handler would return to user mode.
	 */
	if (cpu_feature_enabled(X86_FEATURE_XENPV))
		return -EOPNOTSUPP;
	ainsn->value = (u16)insn->immediate.value;
	return emulate(ainsn, how, INSN_EMULATE);
}

static int loop_insn(struct insn *insn, struct arch_specific_insn *ainsn, u8 op)
{
	/* The address size selects CX, ECX or RCX. */
	if (insn->addr_bytes == 2)
		return -EOPNOTSUPP;
	ainsn->arg = (op & 3) | (insn->addr_bytes == 8 ? 4 : 0);
	/* The displacement has one byte, which is too short for a detour. */
	return near_branch(insn, ainsn, kprobe_emulate_loop, INSN_EMULATE);
}

static int pushf_popf_insn(struct insn *insn, struct arch_specific_insn *ainsn,
			   void (*how)(struct kprobe *p, struct pt_regs *regs))
{
	if (has_operand_size_prefix(insn))
		return -EOPNOTSUPP;
	return emulate(ainsn, how, INSN_EMULATE_OR_COPY);
}

/* Choose the way by the class of the instruction. */
static int class_way(struct insn *insn, struct arch_specific_insn *ainsn)
{
	u8 op = insn_legacy_opcode(insn);

	switch (kprobe_opcode_class(insn)) {
	case OP_PUSH_REG:
		ainsn->arg = opcode_reg(insn, op & 7);
		return stack_insn(insn, ainsn, kprobe_emulate_push_reg);
	case OP_POP_REG:
		ainsn->arg = opcode_reg(insn, op & 7);
		return stack_insn(insn, ainsn, kprobe_emulate_pop_reg);
	case OP_PUSH_IMM:
		ainsn->value = insn->immediate.value;
		return stack_insn(insn, ainsn, kprobe_emulate_push_imm);
	case OP_LEAVE:
		return stack_insn(insn, ainsn, kprobe_emulate_leave);
	case OP_PUSHF:
		return pushf_popf_insn(insn, ainsn, kprobe_emulate_pushf);
	case OP_POPF:
		return pushf_popf_insn(insn, ainsn, kprobe_emulate_popf);

	case OP_JCC:
		ainsn->arg = op & 0xf;
		return near_branch(insn, ainsn, kprobe_emulate_jcc, INSN_EMULATE_OR_ENCODE);
	case OP_LOOP:
		return loop_insn(insn, ainsn, op);
	case OP_JMP:
		return near_branch(insn, ainsn, kprobe_emulate_jmp, INSN_EMULATE_OR_ENCODE);
	case OP_CALL:
		return near_branch(insn, ainsn, kprobe_emulate_call, INSN_EMULATE_OR_ENCODE);
	case OP_JMP_INDIRECT:
		return indirect_branch(insn, ainsn, false);
	case OP_CALL_INDIRECT:
		return indirect_branch(insn, ainsn, true);
	case OP_RET:
		return ret_insn(insn, ainsn);
	case OP_LRET:
		return far_return(insn, ainsn, kprobe_emulate_lret);
	case OP_IRET:
		return far_return(insn, ainsn, kprobe_emulate_iret);

	case OP_CLC:
		return flag_insn(ainsn, X86_EFLAGS_CF, false);
	case OP_STC:
		return flag_insn(ainsn, X86_EFLAGS_CF, true);
	case OP_CLI:
		return flag_insn(ainsn, X86_EFLAGS_IF, false);
	case OP_STI:
		return flag_insn(ainsn, X86_EFLAGS_IF, true);
	case OP_CLD:
		return flag_insn(ainsn, X86_EFLAGS_DF, false);
	case OP_STD:
		return flag_insn(ainsn, X86_EFLAGS_DF, true);
	case OP_NOP:
		return emulate(ainsn, kprobe_emulate_nop, INSN_EMULATE_OR_COPY);

	case OP_NO_STEP:
		return INSN_COPY_NO_STEP;
	case OP_JMP_ABS:
	case OP_XBEGIN:
	case OP_IN_PLACE:
		return -EOPNOTSUPP;
	case OP_OTHER:
		break;
	}
	return INSN_COPY;
}

/* struct pt_regs lacks the registers that REX2 adds: copy the instruction or refuse it. */
static int rex2_way(struct insn *insn)
{
	struct arch_specific_insn unused = {};

	switch (kprobe_opcode_class(insn)) {
	case OP_PUSH_REG:
	case OP_POP_REG:
		return INSN_COPY;
	default:
		return class_way(insn, &unused) == INSN_COPY ? INSN_COPY : -EOPNOTSUPP;
	}
}

/**
 * kprobe_insn_way() - choose the way to execute an instruction out of line
 * @insn:	the instruction, decoded
 * @ainsn:	gets @emulate, @after_step and their operands
 *
 * Context: Any.
 * Return: a value of enum insn_way, or -EOPNOTSUPP if there is no way.
 */
int kprobe_insn_way(struct insn *insn, struct arch_specific_insn *ainsn)
{
	int way;

	/*
	 * MOV SS and POP SS mask exceptions.  An emulate prefix makes a hypervisor
	 * emulate the instruction at its original address.
	 */
	if (insn_masking_exception(insn) || insn_has_emulate_prefix(insn))
		return -EOPNOTSUPP;

	way = insn_is_rex2(insn) ? rex2_way(insn) : class_way(insn, ainsn);

	/* Copies do not support an operand relative to EIP, which is unusual. */
	if (way != INSN_EMULATE && insn_rip_relative(insn) && insn->addr_bytes != 8)
		return -EOPNOTSUPP;
	return way;
}
