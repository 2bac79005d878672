// SPDX-License-Identifier: GPL-2.0
/*
 * Kernel probes: choose the way to execute an instruction out of line.
 *
 * A breakpoint or a jump replaces the probed instruction, so it is executed from a copy
 * or emulated.  A copy has the same effect as the original unless the instruction
 * depends on its address or changes the control flow:
 *
 * - operands relative to RIP: the copy has a different displacement, for the same
 *   address;
 * - branches, calls and returns are emulated.  A detour has copies of returns, which
 *   do not depend on their address;
 * - calls and jumps through memory: the processor must fetch the operand, including
 *   possible faults.  "push" accepts the same operand and fetches the same amount, so
 *   the copy is a "push" and the rest is emulated;
 * - instructions that read or write the interrupt flag are emulated, because a copy is
 *   single-stepped with the flag cleared;
 * - instructions that may not return, or that halt, run only from a boosted copy, since
 *   no breakpoint may be hit after them.  The same holds for instructions after which
 *   the kernel cannot handle a breakpoint;
 * - instructions that save their own address, or whose address has a meaning, are
 *   refused.
 *
 * Emulation is faster than a copy for simple instructions, such as the most frequent
 * ones at probed addresses: push, pop and nop.
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

static bool is_64bit(void)
{
	return IS_ENABLED(CONFIG_X86_64);
}

/* Does prefix 66 change the operand size?  Such instructions are not emulated. */
static bool is_resized(struct insn *insn)
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
		       void (*how)(struct kprobe *p, struct pt_regs *regs))
{
	/* Intel and AMD disagree on whether the target has 16 bits. */
	if (is_resized(insn))
		return -EOPNOTSUPP;
	ainsn->value = insn->immediate.value;
	return emulate(ainsn, how, INSN_EMULATE);
}

/* Operands of an unusual size are left to the processor. */
static int stack_insn(struct insn *insn, struct arch_specific_insn *ainsn,
		      void (*how)(struct kprobe *p, struct pt_regs *regs))
{
	if (is_resized(insn))
		return INSN_COPY;
	return emulate(ainsn, how, INSN_EMULATE_OR_COPY);
}

static int flag_insn(struct arch_specific_insn *ainsn, u32 flag, bool set)
{
	ainsn->value = flag;
	ainsn->arg = set;
	return emulate(ainsn, kprobe_emulate_flag, INSN_EMULATE_OR_COPY);
}

/* ff: inc, dec, call, call far, jmp, jmp far, push */
static int group5(struct insn *insn, struct arch_specific_insn *ainsn)
{
	u8 modrm = insn->modrm.bytes[0];
	bool call = false;

	switch (X86_MODRM_REG(modrm)) {
	case 2:
		call = true;
		fallthrough;
	case 4:
		break;
	case 3:
	case 5:
		return -EOPNOTSUPP;
	default:
		return INSN_COPY;
	}

	if (is_resized(insn))
		return -EOPNOTSUPP;
	if (X86_MODRM_MOD(modrm) == 3) {
		ainsn->arg = opcode_reg(insn, X86_MODRM_RM(modrm));
		return emulate(ainsn, call ? kprobe_emulate_call_reg : kprobe_emulate_jmp_reg,
			       INSN_EMULATE);
	}
	ainsn->after_step = call ? kprobe_after_push_call : kprobe_after_push_jmp;
	return INSN_COPY_PUSH;
}

/* Return to another code segment.  Operands have 32 bits unless REX.W is set. */
static int far_return(struct insn *insn, struct arch_specific_insn *ainsn,
		      void (*how)(struct kprobe *p, struct pt_regs *regs))
{
	if (is_resized(insn) ||
	    (is_64bit() && !X86_REX_W(insn->rex_prefix.value)))
		return -EOPNOTSUPP;
	ainsn->value = (u16)insn->immediate.value;
	return emulate(ainsn, how, INSN_EMULATE);
}

static int one_byte_way(struct insn *insn, struct arch_specific_insn *ainsn, u8 op)
{
	switch (op) {
	case 0x50 ... 0x57:
		ainsn->arg = opcode_reg(insn, op & 7);
		return stack_insn(insn, ainsn, kprobe_emulate_push_reg);
	case 0x58 ... 0x5f:
		ainsn->arg = opcode_reg(insn, op & 7);
		return stack_insn(insn, ainsn, kprobe_emulate_pop_reg);
	case 0x68:
	case 0x6a:
		ainsn->value = insn->immediate.value;
		return stack_insn(insn, ainsn, kprobe_emulate_push_imm);
	case 0xc9:
		return stack_insn(insn, ainsn, kprobe_emulate_leave);

	case 0x70 ... 0x7f:
		ainsn->arg = op & 0xf;
		return near_branch(insn, ainsn, kprobe_emulate_jcc);
	case 0xe0 ... 0xe3:
		/* The address size selects CX, ECX or RCX. */
		if (insn->addr_bytes == 2)
			return -EOPNOTSUPP;
		ainsn->arg = (op & 3) | (insn->addr_bytes == 8 ? 4 : 0);
		return near_branch(insn, ainsn, kprobe_emulate_loop);
	case 0xe8:
		return near_branch(insn, ainsn, kprobe_emulate_call);
	case 0xe9:
	case 0xeb:
		return near_branch(insn, ainsn, kprobe_emulate_jmp);
	case 0xff:
		return group5(insn, ainsn);
	case 0xc2:
	case 0xc3:
		if (is_resized(insn))
			return -EOPNOTSUPP;
		ainsn->value = (u16)insn->immediate.value;
		return emulate(ainsn, kprobe_emulate_ret, INSN_EMULATE_OR_COPY);
	case 0xca:
	case 0xcb:
		return far_return(insn, ainsn, kprobe_emulate_lret);
	case 0xcf:
		return far_return(insn, ainsn, kprobe_emulate_iret);

	case 0x9c:
	case 0x9d:
		if (is_resized(insn))
			return -EOPNOTSUPP;
		return emulate(ainsn, op == 0x9c ? kprobe_emulate_pushf : kprobe_emulate_popf,
			       INSN_EMULATE_OR_COPY);
	case 0xf8:
	case 0xf9:
		return flag_insn(ainsn, X86_EFLAGS_CF, op & 1);
	case 0xfa:
	case 0xfb:
		return flag_insn(ainsn, X86_EFLAGS_IF, op & 1);
	case 0xfc:
	case 0xfd:
		return flag_insn(ainsn, X86_EFLAGS_DF, op & 1);

	case 0x90:
		/* f3: pause, f2: unassigned, REX.B: xchg %r8, %rax */
		if (has_prefix(insn, 0xf3) || has_prefix(insn, 0xf2) ||
		    X86_REX_B(insn->rex_prefix.value))
			return INSN_COPY;
		return emulate(ainsn, kprobe_emulate_nop, INSN_EMULATE_OR_COPY);

	case 0xf4:			/* hlt */
		return INSN_COPY_LEAVES;

	case 0x9a:			/* call far */
	case 0xea:			/* jmp far */
	case 0xcc:			/* int3 */
	case 0xcd:			/* int */
	case 0xce:			/* into */
	case 0xf1:			/* int1 */
		return -EOPNOTSUPP;
	case 0xc7:			/* xbegin */
		return insn->modrm.bytes[0] == 0xf8 ? -EOPNOTSUPP : INSN_COPY;
	default:
		return INSN_COPY;
	}
}

static int two_byte_way(struct insn *insn, struct arch_specific_insn *ainsn, u8 op)
{
	switch (op) {
	case 0x80 ... 0x8f:
		ainsn->arg = op & 0xf;
		return near_branch(insn, ainsn, kprobe_emulate_jcc);
	case 0x1f:
		return emulate(ainsn, kprobe_emulate_nop, INSN_EMULATE_OR_COPY);

	case 0x01:
		switch (insn->modrm.bytes[0]) {
		case 0xc2:		/* vmlaunch */
		case 0xc3:		/* vmresume */
		case 0xc9:		/* mwait */
		case 0xca:		/* clac; erets, eretu */
			if (insn->modrm.bytes[0] == 0xca && !has_prefix(insn, 0xf2) &&
			    !has_prefix(insn, 0xf3))
				return INSN_COPY;
			fallthrough;
		case 0xd8:		/* vmrun */
		case 0xf8:		/* swapgs: INT3 needs the kernel's GS base */
		case 0xfb:		/* mwaitx */
			return INSN_COPY_LEAVES;
		default:
			return INSN_COPY;
		}
	case 0x07:			/* sysret */
	case 0x35:			/* sysexit */
		return INSN_COPY_LEAVES;

	case 0x05:			/* syscall */
	case 0x34:			/* sysenter */
	case 0x0b:			/* ud2 */
	case 0xb9:			/* ud1 */
	case 0xff:			/* ud0 */
	case 0xaa:			/* rsm */
		return -EOPNOTSUPP;
	default:
		return INSN_COPY;
	}
}

/* struct pt_regs lacks the registers that REX2 adds: copy the instruction or refuse. */
static int rex2_way(struct insn *insn)
{
	struct arch_specific_insn unused = {};
	u8 op = insn->opcode.bytes[0];
	int way;

	if (X86_REX2_M(insn->rex_prefix.bytes[1]))
		way = two_byte_way(insn, &unused, op);
	else if (op >= 0x50 && op <= 0x5f)	/* push, pop */
		way = INSN_COPY;
	else if (op == 0xa1)			/* jmpabs */
		way = -EOPNOTSUPP;
	else
		way = one_byte_way(insn, &unused, op);
	return way == INSN_COPY ? way : -EOPNOTSUPP;
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

	/* The hypervisor emulates a marked instruction at its original address. */
	if (insn_masking_exception(insn) || insn_has_emulate_prefix(insn))
		return -EOPNOTSUPP;

	/* Instructions with VEX, XOP and EVEX are never branches. */
	if (insn_is_avx(insn))
		way = INSN_COPY;
	else if (insn_is_rex2(insn))
		way = rex2_way(insn);
	else if (insn->opcode.nbytes == 1)
		way = one_byte_way(insn, ainsn, insn->opcode.bytes[0]);
	else if (insn->opcode.nbytes == 2)
		way = two_byte_way(insn, ainsn, insn->opcode.bytes[1]);
	else
		way = INSN_COPY;

	/* EIP-relative: the address of the copy would have to be below 4 GB. */
	if (way != INSN_EMULATE && insn_rip_relative(insn) && insn->addr_bytes != 8)
		return -EOPNOTSUPP;
	return way;
}
