// SPDX-License-Identifier: GPL-2.0
/*
 * Append eBPF instructions to a program: a single instruction, the load of a constant
 * of any size, or a branch.
 */
#include <linux/errno.h>
#include <linux/filter.h>
#include <linux/minmax.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "emit.h"

/**
 * probe_emit() - append an instruction
 * @code: the program; not changed after an error
 * @insn: the instruction
 *
 * Context: may sleep.
 */
void probe_emit(struct probe_code *code, struct bpf_insn insn)
{
	u32 cap = max(2 * code->cap, 64U);
	struct bpf_insn *larger;

	if (code->err)
		return;
	if (code->len == code->cap) {
		larger = kvmalloc_array(cap, sizeof(insn), GFP_KERNEL);
		if (!larger) {
			code->err = -ENOMEM;
			return;
		}
		if (code->len)
			memcpy(larger, code->insn, code->len * sizeof(insn));
		kvfree(code->insn);
		code->insn = larger;
		code->cap = cap;
	}
	code->insn[code->len++] = insn;
}

/**
 * probe_emit_imm() - load a constant with as few instructions as possible
 * @code: the program
 * @dst: register
 * @v: the constant
 *
 * Context: may sleep.
 */
void probe_emit_imm(struct probe_code *code, u8 dst, u64 v)
{
	struct bpf_insn wide[] = { BPF_LD_IMM64(dst, v) };

	if ((s64)v == (s32)v) {
		probe_emit(code, BPF_MOV64_IMM(dst, v));
	} else if (v == (u32)v) {
		probe_emit(code, BPF_MOV32_IMM(dst, v));
	} else {
		probe_emit(code, wide[0]);
		probe_emit(code, wide[1]);
	}
}

/**
 * probe_emit_add() - add a constant to a register
 * @code: the program
 * @dst: register
 * @v: the constant
 * @temp: a register that may be overwritten
 *
 * Context: may sleep.
 */
void probe_emit_add(struct probe_code *code, u8 dst, s64 v, u8 temp)
{
	if (!v)
		return;
	if (v == (s32)v) {
		probe_emit(code, BPF_ALU64_IMM(BPF_ADD, dst, v));
	} else {
		probe_emit_imm(code, temp, v);
		probe_emit(code, BPF_ALU64_REG(BPF_ADD, dst, temp));
	}
}

/**
 * probe_emit_branch() - branch to a later instruction
 * @code: the program
 * @op: condition, such as BPF_JEQ
 * @reg: register that is compared
 * @imm: the value to compare with
 *
 * Context: may sleep.
 * Return: index of the branch, for probe_emit_label().
 */
u32 probe_emit_branch(struct probe_code *code, u8 op, u8 reg, s32 imm)
{
	probe_emit(code, BPF_JMP_IMM(op, reg, imm, 0));
	return code->len - 1;
}

static void set_target(struct probe_code *code, u32 branch, u32 target)
{
	s32 off = (s32)(target - branch) - 1;

	if (code->err)
		return;
	if (off == (s16)off)
		code->insn[branch].off = off;
	else
		code->err = -E2BIG;
}

/**
 * probe_emit_label() - make the next instruction the target of a branch
 * @code: the program
 * @branch: index of the branch
 */
void probe_emit_label(struct probe_code *code, u32 branch)
{
	set_target(code, branch, code->len);
}

/**
 * probe_emit_jump() - jump to an earlier instruction
 * @code: the program
 * @target: index of that instruction
 *
 * Context: may sleep.
 */
void probe_emit_jump(struct probe_code *code, u32 target)
{
	probe_emit(code, BPF_JMP_A(0));
	set_target(code, code->len - 1, target);
}
