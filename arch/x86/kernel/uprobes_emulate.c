// SPDX-License-Identifier: GPL-2.0
/*
 * Uprobes on x86: emulate instructions that use only registers and immediates.
 *
 * Most functions begin with one of these, or with a push.  To execute a copy of it out of
 * line instead, the process must take a second exception, the trap of the single-step.
 *
 * 32-bit operations clear the upper half of the destination, as on the CPU.  Operations on
 * 8 or 16 bits, and those that read the carry flag, are rare and not emulated.
 *
 * The first process that maps the code decides whether it is decoded as 64-bit or 32-bit code,
 * as for all instructions under uprobes.
 */
#include <linux/bits.h>
#include <linux/bitops.h>
#include <linux/kernel.h>
#include <linux/ptrace.h>
#include <linux/uprobes.h>

#include <asm/insn.h>
#include <asm/processor-flags.h>

#include "uprobes_emulate.h"

/* Operations.  The first ones are numbered as in opcodes. */
enum {
	ADD	= 0,
	OR	= 1,
	AND	= 4,
	SUB	= 5,
	XOR	= 6,
	CMP	= 7,
	TEST,
	MOV,
	MOVSXD,
	LEA,
	NOP,
};

#define NO_REG		0xff

#define RESULT_FLAGS	(X86_EFLAGS_CF | X86_EFLAGS_PF | X86_EFLAGS_AF | X86_EFLAGS_ZF |	\
			 X86_EFLAGS_SF | X86_EFLAGS_OF)

/* Emulation */

static unsigned long read_reg(const struct pt_regs *regs, u8 offset)
{
	return *(const unsigned long *)((const char *)regs + offset);
}

static void write_reg(struct pt_regs *regs, u8 offset, unsigned long value)
{
	*(unsigned long *)((char *)regs + offset) = value;
}

/* Cut a value to the size of the operands. */
static unsigned long sized(bool wide, unsigned long value)
{
	return wide ? value : (u32)value;
}

/* Return the flags that depend only on the result. */
static unsigned long flags_of_result(bool wide, unsigned long result)
{
	unsigned long sign = wide ? BIT(BITS_PER_LONG - 1) : BIT(31);
	unsigned long flags = 0;

	if (!result)
		flags |= X86_EFLAGS_ZF;
	if (result & sign)
		flags |= X86_EFLAGS_SF;
	if (!(hweight8(result) & 1))
		flags |= X86_EFLAGS_PF;
	return flags;
}

/*
 * Return the flags of an addition or subtraction.  @carries has the carry, or the borrow,
 * out of each bit.
 */
static unsigned long flags_of_carries(bool wide, unsigned long carries)
{
	unsigned int top = wide ? BITS_PER_LONG - 1 : 31;
	unsigned long flags = 0;

	if (carries & BIT(top))
		flags |= X86_EFLAGS_CF;
	if (carries & BIT(3))
		flags |= X86_EFLAGS_AF;
	/* The sign is wrong if it got a carry and gave none, or the other way round. */
	if ((carries >> top ^ carries >> (top - 1)) & 1)
		flags |= X86_EFLAGS_OF;
	return flags;
}

static unsigned long calculate(const struct arch_uprobe_emulation *e, unsigned long a,
			       unsigned long b, unsigned long *flags)
{
	unsigned long result, carries = 0;

	a = sized(e->wide, a);
	b = sized(e->wide, b);
	switch (e->op) {
	case ADD:
		result = a + b;
		carries = (a & b) | ((a | b) & ~result);
		break;
	case SUB:
	case CMP:
		result = a - b;
		carries = (~a & b) | ((~a | b) & result);
		break;
	case OR:
		result = a | b;
		break;
	case XOR:
		result = a ^ b;
		break;
	default:	/* AND, TEST */
		result = a & b;
	}
	result = sized(e->wide, result);
	*flags &= ~RESULT_FLAGS;
	*flags |= flags_of_result(e->wide, result) | flags_of_carries(e->wide, carries);
	return result;
}

static unsigned long address(const struct arch_uprobe_emulation *e, const struct pt_regs *regs)
{
	unsigned long address = e->value;

	if (e->src != NO_REG)
		address += read_reg(regs, e->src);
	if (e->index != NO_REG)
		address += read_reg(regs, e->index) << e->scale;
	return address;
}

static void execute(const struct arch_uprobe_emulation *e, struct pt_regs *regs)
{
	unsigned long value;

	if (e->op == LEA)
		value = address(e, regs);
	else
		value = e->src != NO_REG ? read_reg(regs, e->src) : e->value;
	if (e->op == MOVSXD)
		value = (s32)value;
	if (e->op < MOV)
		value = calculate(e, read_reg(regs, e->dst), value, &regs->flags);
	if (e->op != CMP && e->op != TEST)
		write_reg(regs, e->dst, sized(e->wide, value));
}

static bool emulate(struct arch_uprobe *auprobe, struct pt_regs *regs)
{
	const struct arch_uprobe_emulation *e = &auprobe->emulation;

	if (e->op != NOP)
		execute(e, regs);
	regs->ip += e->ilen;
	return true;
}

static const struct uprobe_xol_ops emulation_ops = {
	.emulate	= emulate,
};

/* Analysis */

/* Offsets in struct pt_regs, by the number of the register. */
static const u8 reg_offsets[] = {
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

/* @low has the three bits in the instruction, and @high is not 0 if REX has the fourth. */
static u8 reg_offset(unsigned int low, unsigned int high)
{
	return reg_offsets[(low & 7) | (high ? 8 : 0)];
}

static u8 modrm_reg(const struct insn *insn)
{
	return reg_offset(X86_MODRM_REG(insn->modrm.value), X86_REX_R(insn->rex_prefix.value));
}

static u8 modrm_rm(const struct insn *insn)
{
	return reg_offset(X86_MODRM_RM(insn->modrm.value), X86_REX_B(insn->rex_prefix.value));
}

static bool rm_is_reg(const struct insn *insn)
{
	return insn->modrm.nbytes && X86_MODRM_MOD(insn->modrm.value) == 3;
}

/* Parse the operands of "op reg, rm". */
static bool parse_reg_rm(struct arch_uprobe_emulation *e, const struct insn *insn)
{
	e->dst = modrm_reg(insn);
	e->src = modrm_rm(insn);
	return rm_is_reg(insn);
}

/* Parse the operands of "op rm, reg". */
static bool parse_rm_reg(struct arch_uprobe_emulation *e, const struct insn *insn)
{
	e->dst = modrm_rm(insn);
	e->src = modrm_reg(insn);
	return rm_is_reg(insn);
}

/* Parse the operands of "op rm, imm". */
static bool parse_rm_imm(struct arch_uprobe_emulation *e, const struct insn *insn)
{
	e->dst = modrm_rm(insn);
	e->value = (long)insn->immediate.value;
	return rm_is_reg(insn);
}

static bool parse_lea(struct arch_uprobe_emulation *e, const struct insn *insn)
{
	unsigned int mod = X86_MODRM_MOD(insn->modrm.value);
	unsigned int base = X86_MODRM_RM(insn->modrm.value);

	e->op = LEA;
	e->dst = modrm_reg(insn);
	e->value = (long)insn->displacement.value;
	if (insn->sib.nbytes) {
		base = X86_SIB_BASE(insn->sib.value);
		e->index = reg_offset(X86_SIB_INDEX(insn->sib.value),
				      X86_REX_X(insn->rex_prefix.value));
		/* The number of the stack pointer stands for no index. */
		if (e->index == offsetof(struct pt_regs, sp))
			e->index = NO_REG;
		e->scale = X86_SIB_SCALE(insn->sib.value);
	}
	if (mod || base != 5) {
		e->src = reg_offset(base, X86_REX_B(insn->rex_prefix.value));
	} else if (insn->x86_64 && !insn->sib.nbytes) {
		e->src = offsetof(struct pt_regs, ip);
		e->value += insn->length;
	}
	return mod != 3;
}

/* Parse "mov reg, imm", which has up to 64 bits. */
static bool parse_mov_reg_imm(struct arch_uprobe_emulation *e, const struct insn *insn)
{
	e->op = MOV;
	e->dst = reg_offset(insn->opcode.bytes[0], X86_REX_B(insn->rex_prefix.value));
	e->value = (u32)insn->immediate1.value;
#ifdef CONFIG_X86_64
	if (insn->immediate2.nbytes)
		e->value |= (unsigned long)insn->immediate2.value << 32;
#endif
	return true;
}

static bool parse_arithmetic(struct arch_uprobe_emulation *e, const struct insn *insn, u8 op)
{
	/* ADC and SBB read the carry flag. */
	if (op == 2 || op == 3)
		return false;
	e->op = op;
	switch (insn->opcode.bytes[0]) {
	case 0x81:
	case 0x83:
		return parse_rm_imm(e, insn);
	}
	switch (insn->opcode.bytes[0] & 7) {
	case 1:
		return parse_rm_reg(e, insn);
	case 3:
		return parse_reg_rm(e, insn);
	case 5:
		e->dst = offsetof(struct pt_regs, ax);
		e->value = (long)insn->immediate.value;
		return true;
	}
	/* An operation on bytes, or another instruction. */
	return false;
}

static bool parse_one_byte(struct arch_uprobe_emulation *e, const struct insn *insn)
{
	u8 opcode = insn->opcode.bytes[0];
	u8 reg = X86_MODRM_REG(insn->modrm.value);

	/* They change the size of operands or addresses. */
	if (insn->prefixes.nbytes)
		return false;
	switch (opcode) {
	case 0x00 ... 0x3f:
		return parse_arithmetic(e, insn, opcode >> 3);
	case 0x63:	/* movsxd; in 32-bit mode, arpl */
		e->op = MOVSXD;
		return insn->x86_64 && parse_reg_rm(e, insn);
	case 0x81:
	case 0x83:
		return parse_arithmetic(e, insn, reg);
	case 0x85:
		e->op = TEST;
		return parse_rm_reg(e, insn);
	case 0x89:
		e->op = MOV;
		return parse_rm_reg(e, insn);
	case 0x8b:
		e->op = MOV;
		return parse_reg_rm(e, insn);
	case 0x8d:
		return parse_lea(e, insn);
	case 0xa9:
		e->op = TEST;
		e->dst = offsetof(struct pt_regs, ax);
		e->value = (long)insn->immediate.value;
		return true;
	case 0xb8 ... 0xbf:
		return parse_mov_reg_imm(e, insn);
	case 0xc7:
		e->op = MOV;
		return !reg && parse_rm_imm(e, insn);
	case 0xf7:
		e->op = TEST;
		return !reg && parse_rm_imm(e, insn);
	}
	return false;
}

/*
 * Parse no-operations: those for padding, and ENDBR32 and ENDBR64, with which functions begin
 * that may be called indirectly.  The others of opcode 0F 1E can read the shadow stack pointer.
 */
static bool parse_two_bytes(struct arch_uprobe_emulation *e, const struct insn *insn)
{
	e->op = NOP;
	switch (insn->opcode.bytes[1]) {
	case 0x1e:
		return insn->prefixes.nbytes == 1 && insn->prefixes.bytes[0] == 0xf3 &&
		       !insn->rex_prefix.nbytes &&
		       (insn->modrm.value == 0xfa || insn->modrm.value == 0xfb);
	case 0x1f:
		return !X86_MODRM_REG(insn->modrm.value);
	}
	return false;
}

/**
 * uprobe_setup_emulation() - prepare a uprobe to be emulated
 * @auprobe: the uprobe; its ops and emulation are set
 * @insn: its instruction, decoded
 *
 * Context: any.
 * Return: false if the instruction is not emulated here.
 */
bool uprobe_setup_emulation(struct arch_uprobe *auprobe, struct insn *insn)
{
	struct arch_uprobe_emulation e = {
		.src	= NO_REG,
		.index	= NO_REG,
		.wide	= X86_REX_W(insn->rex_prefix.value),
		.ilen	= insn->length,
	};
	bool done = false;

	/*
	 * Such a prefix selects another opcode map, or registers that struct pt_regs does not
	 * have.  The prefix of paravirtual instructions begins with UD2.
	 */
	if (insn_is_avx(insn) || insn->rex_prefix.nbytes > 1 || insn_has_emulate_prefix(insn))
		return false;
	if (insn->opcode.nbytes == 1)
		done = parse_one_byte(&e, insn);
	else if (insn->opcode.nbytes == 2 && insn->opcode.bytes[0] == 0x0f)
		done = parse_two_bytes(&e, insn);
	if (!done)
		return false;
	auprobe->emulation = e;
	auprobe->ops = &emulation_ops;
	return true;
}
