// SPDX-License-Identifier: GPL-2.0
/*
 * Kernel probes: classes of instructions.
 *
 * All instructions of a class are executed out of line in the same way (way.c), and branch
 * in the same way, if at all (region.c).  Two tables map opcodes to classes.  For a few
 * opcodes, the class depends on other parts of the instruction, too.
 */

#include <linux/kprobes.h>

#include <asm/insn.h>

#include "kprobes.h"

/* In the tables: opcodes with instructions of different classes. */
enum {
	NOP_OR_XCHG = OP_IN_PLACE + 1,	/* 90 */
	MOV_OR_JMPABS,			/* a1 */
	GROUP5,				/* ff */
	GROUP7,				/* 0f 01 */
	GROUP11,			/* c7 */
};

/* Opcodes of one byte.  All others are OP_OTHER, which is 0. */
static const u8 classes[256] = {
	[0x50 ... 0x57]	= OP_PUSH_REG,
	[0x58 ... 0x5f]	= OP_POP_REG,
	[0x68]		= OP_PUSH_IMM,
	[0x6a]		= OP_PUSH_IMM,
	[0x70 ... 0x7f]	= OP_JCC,
	[0x90]		= NOP_OR_XCHG,
	[0x9a]		= OP_IN_PLACE,	/* call far */
	[0x9c]		= OP_PUSHF,
	[0x9d]		= OP_POPF,
	[0xa1]		= MOV_OR_JMPABS,
	[0xc2 ... 0xc3]	= OP_RET,
	[0xc7]		= GROUP11,
	[0xc9]		= OP_LEAVE,
	[0xca ... 0xcb]	= OP_LRET,
	[0xcc]		= OP_IN_PLACE,	/* int3 */
	[0xcd]		= OP_IN_PLACE,	/* int */
	[0xce]		= OP_IN_PLACE,	/* into */
	[0xcf]		= OP_IRET,
	[0xe0 ... 0xe3]	= OP_LOOP,
	[0xe8]		= OP_CALL,
	[0xe9]		= OP_JMP,
	[0xea]		= OP_JMP_ABS,
	[0xeb]		= OP_JMP,
	[0xf1]		= OP_IN_PLACE,	/* int1 */
	[0xf4]		= OP_NO_STEP,	/* hlt */
	[0xf8]		= OP_CLC,
	[0xf9]		= OP_STC,
	[0xfa]		= OP_CLI,
	[0xfb]		= OP_STI,
	[0xfc]		= OP_CLD,
	[0xfd]		= OP_STD,
	[0xff]		= GROUP5,
};

/* Opcodes of two bytes: 0f, and this one. */
static const u8 classes_0f[256] = {
	[0x01]		= GROUP7,
	[0x05]		= OP_IN_PLACE,	/* syscall */
	[0x07]		= OP_NO_STEP,	/* sysret */
	[0x0b]		= OP_IN_PLACE,	/* ud2 */
	[0x1f]		= OP_NOP,
	[0x34]		= OP_IN_PLACE,	/* sysenter */
	[0x35]		= OP_NO_STEP,	/* sysexit */
	[0x80 ... 0x8f]	= OP_JCC,
	[0xaa]		= OP_IN_PLACE,	/* rsm */
	[0xb9]		= OP_IN_PLACE,	/* ud1 */
	[0xff]		= OP_IN_PLACE,	/* ud0 */
};

/* Without a prefix, 90 is nop.  f3: pause, f2: unassigned, REX.B: xchg %r8, %rax */
static enum opcode_class nop_class(struct insn *insn)
{
	if (insn_has_prefix(insn, 0xf3) || insn_has_prefix(insn, 0xf2) ||
	    X86_REX_B(insn->rex_prefix.value))
		return OP_OTHER;
	return OP_NOP;
}

/* inc, dec, call, call far, jmp, jmp far, push */
static enum opcode_class group5_class(struct insn *insn)
{
	u8 modrm = insn->modrm.bytes[0];
	bool is_reg = X86_MODRM_MOD(modrm) == 3;

	switch (X86_MODRM_REG(modrm)) {
	case 2:
		return is_reg ? OP_CALL_REG : OP_CALL_MEM;
	case 3:
		return OP_IN_PLACE;
	case 4:
		return is_reg ? OP_JMP_REG : OP_JMP_MEM;
	case 5:
		return OP_JMP_FAR;
	default:
		return OP_OTHER;
	}
}

/* ModRM selects one of many instructions. */
static enum opcode_class group7_class(struct insn *insn)
{
	switch (insn->modrm.bytes[0]) {
	case 0xca:			/* clac; erets, eretu */
		return insn_has_prefix(insn, 0xf2) || insn_has_prefix(insn, 0xf3) ?
		       OP_NO_STEP : OP_OTHER;
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
	int opcode = insn_legacy_opcode(insn);
	unsigned int class;

	if (opcode < 0)
		return OP_OTHER;
	class = opcode < 0x100 ? classes[opcode] : classes_0f[opcode & 0xff];
	switch (class) {
	case NOP_OR_XCHG:
		return nop_class(insn);
	case MOV_OR_JMPABS:
		return insn_is_rex2(insn) ? OP_JMP_ABS : OP_OTHER;
	case GROUP5:
		return group5_class(insn);
	case GROUP7:
		return group7_class(insn);
	case GROUP11:			/* mov, xbegin */
		return insn->modrm.bytes[0] == 0xf8 ? OP_XBEGIN : OP_OTHER;
	default:
		return class;
	}
}
