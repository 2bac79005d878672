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
 * class_ways[] has the way for each class of instructions (class.c).
 */

#include <linux/errno.h>
#include <linux/kconfig.h>
#include <linux/kprobes.h>

#include <asm/insn.h>
#include <asm/processor-flags.h>

#include "kprobes.h"

static bool is_64bit(void)
{
	return IS_ENABLED(CONFIG_X86_64);
}

static void set_reg(struct insn *insn, struct arch_specific_insn *ainsn, unsigned int reg)
{
	ainsn->arg = kprobe_reg_offset(reg | (X86_REX_B(insn->rex_prefix.value) ? 8 : 0));
}

/* The register is part of the opcode. */
static int op_reg(struct insn *insn, struct arch_specific_insn *ainsn)
{
	set_reg(insn, ainsn, insn_legacy_opcode(insn) & 7);
	return 0;
}

static int modrm_reg(struct insn *insn, struct arch_specific_insn *ainsn)
{
	set_reg(insn, ainsn, X86_MODRM_RM(insn->modrm.bytes[0]));
	return 0;
}

static int imm(struct insn *insn, struct arch_specific_insn *ainsn)
{
	ainsn->value = insn->immediate.value;
	return 0;
}

/* A return may remove some bytes of arguments from the stack. */
static int imm16(struct insn *insn, struct arch_specific_insn *ainsn)
{
	ainsn->value = (u16)insn->immediate.value;
	return 0;
}

static int condition(struct insn *insn, struct arch_specific_insn *ainsn)
{
	ainsn->arg = insn_legacy_opcode(insn) & 0xf;
	return imm(insn, ainsn);
}

/* The address size selects CX, ECX or RCX. */
static int loop_counter(struct insn *insn, struct arch_specific_insn *ainsn)
{
	if (insn->addr_bytes == 2)
		return -EOPNOTSUPP;
	ainsn->arg = (insn_legacy_opcode(insn) & 3) | (insn->addr_bytes == 8 ? 4 : 0);
	return imm(insn, ainsn);
}

/* f8 to fd: CLC, STC, CLI, STI, CLD, STD */
static int flag(struct insn *insn, struct arch_specific_insn *ainsn)
{
	static const u16 flags[] = { X86_EFLAGS_CF, X86_EFLAGS_IF, X86_EFLAGS_DF };
	unsigned int nr = insn_legacy_opcode(insn) - 0xf8;

	ainsn->value = flags[nr / 2];
	ainsn->arg = nr & 1;
	return 0;
}

/* Return to another code segment.  Operands have 32 bits unless REX.W is set. */
static int far_return(struct insn *insn, struct arch_specific_insn *ainsn)
{
	if (is_64bit() && !X86_REX_W(insn->rex_prefix.value))
		return -EOPNOTSUPP;
	/*
	 * The kernel of a Xen PV guest runs in ring 3, so the CS on the stack has this level.
	 * With this CS in regs->cs, the breakpoint handler would return to user mode.
	 */
	if (cpu_feature_enabled(X86_FEATURE_XENPV))
		return -EOPNOTSUPP;
	return imm16(insn, ainsn);
}

/**
 * struct class_way - how to execute the instructions of a class
 * @way:	value of enum insn_way, or -EOPNOTSUPP
 * @way_66:	the same with prefix 66, which changes the operand size; if this is not the same
 *		as @way, the other members do not apply
 * @emulate:	emulates the instruction; NULL if a copy runs instead
 * @operand:	sets the operands of @emulate, if any; returns 0 or -EOPNOTSUPP
 * @after_step:	remaining work after a copy was single-stepped
 */
struct class_way {
	s8 way;
	s8 way_66;
	void (*emulate)(struct kprobe *p, struct pt_regs *regs);
	int (*operand)(struct insn *insn, struct arch_specific_insn *ainsn);
	enum after_step after_step;
};

/*
 * With prefix 66, push, pop and leave are unusual and run from a copy.  Intel and AMD
 * disagree on whether the target of a near branch with this prefix has 16 bits.
 *
 * The displacement of loop and jcxz has one byte, which is too short for a detour.
 */
static const struct class_way class_ways[] = {
	[OP_OTHER]	= { INSN_COPY, INSN_COPY },
	[OP_NOP]	= { INSN_EMULATE_OR_COPY, INSN_EMULATE_OR_COPY, kprobe_emulate_nop },
	[OP_PUSH_REG]	= { INSN_EMULATE_OR_COPY, INSN_COPY, kprobe_emulate_push_reg, op_reg },
	[OP_POP_REG]	= { INSN_EMULATE_OR_COPY, INSN_COPY, kprobe_emulate_pop_reg, op_reg },
	[OP_PUSH_IMM]	= { INSN_EMULATE_OR_COPY, INSN_COPY, kprobe_emulate_push_imm, imm },
	[OP_LEAVE]	= { INSN_EMULATE_OR_COPY, INSN_COPY, kprobe_emulate_leave },
	[OP_PUSHF]	= { INSN_EMULATE_OR_COPY, -EOPNOTSUPP, kprobe_emulate_pushf },
	[OP_POPF]	= { INSN_EMULATE_OR_COPY, -EOPNOTSUPP, kprobe_emulate_popf },
	[OP_CLC ... OP_STD] = {
		INSN_EMULATE_OR_COPY, INSN_EMULATE_OR_COPY, kprobe_emulate_flag, flag,
	},
	[OP_JCC]	= { INSN_EMULATE_OR_ENCODE, -EOPNOTSUPP, kprobe_emulate_jcc, condition },
	[OP_LOOP]	= { INSN_EMULATE, -EOPNOTSUPP, kprobe_emulate_loop, loop_counter },
	[OP_JMP]	= { INSN_EMULATE_OR_ENCODE, -EOPNOTSUPP, kprobe_emulate_jmp, imm },
	[OP_CALL]	= { INSN_EMULATE_OR_ENCODE, -EOPNOTSUPP, kprobe_emulate_call, imm },
	[OP_JMP_REG]	= { INSN_EMULATE, -EOPNOTSUPP, kprobe_emulate_jmp_reg, modrm_reg },
	[OP_CALL_REG]	= { INSN_EMULATE, -EOPNOTSUPP, kprobe_emulate_call_reg, modrm_reg },
	[OP_JMP_MEM]	= { INSN_COPY_PUSH, -EOPNOTSUPP, .after_step = AFTER_STEP_JMP },
	[OP_CALL_MEM]	= { INSN_COPY_PUSH, -EOPNOTSUPP, .after_step = AFTER_STEP_CALL },
	[OP_JMP_FAR]	= { -EOPNOTSUPP, -EOPNOTSUPP },
	[OP_JMP_ABS]	= { -EOPNOTSUPP, -EOPNOTSUPP },
	[OP_RET]	= { INSN_EMULATE_OR_COPY, -EOPNOTSUPP, kprobe_emulate_ret, imm16 },
	[OP_LRET]	= { INSN_EMULATE, -EOPNOTSUPP, kprobe_emulate_lret, far_return },
	[OP_IRET]	= { INSN_EMULATE, -EOPNOTSUPP, kprobe_emulate_iret, far_return },
	[OP_XBEGIN]	= { -EOPNOTSUPP, -EOPNOTSUPP },
	[OP_NO_STEP]	= { INSN_COPY_NO_STEP, INSN_COPY_NO_STEP },
	[OP_IN_PLACE]	= { -EOPNOTSUPP, -EOPNOTSUPP },
};

static int class_way(struct insn *insn, struct arch_specific_insn *ainsn)
{
	const struct class_way *cw = &class_ways[kprobe_opcode_class(insn)];
	int ret;

	if (cw->way_66 != cw->way && insn_has_prefix(insn, 0x66))
		return cw->way_66;
	if (cw->operand) {
		ret = cw->operand(insn, ainsn);
		if (ret)
			return ret;
	}
	ainsn->emulate = (long)cw->emulate;
	ainsn->after_step = cw->after_step;
	return cw->way;
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
 * @ainsn:	gets @emulate and its operands, or @after_step
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
