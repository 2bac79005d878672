/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions that append eBPF instructions.  They keep an error in the code, so
 * callers need to check only at the end of a sequence.
 */
#ifndef _PROBE_EMIT_H
#define _PROBE_EMIT_H

#include <linux/errno.h>
#include <linux/filter.h>

#include "fetch.h"

void probe_code_add(struct probe_code *code, struct bpf_insn insn);

static inline void emit_insn(struct probe_code *code, u8 op, u8 dst, u8 src, s16 off,
			     s32 imm)
{
	probe_code_add(code, (struct bpf_insn){
		.code = op, .dst_reg = dst, .src_reg = src, .off = off, .imm = imm,
	});
}

static inline u8 emit_size(unsigned int size)
{
	switch (size) {
	case 1:
		return BPF_B;
	case 2:
		return BPF_H;
	case 4:
		return BPF_W;
	default:
		return BPF_DW;
	}
}

static inline void emit_mov(struct probe_code *code, u8 dst, u8 src)
{
	emit_insn(code, BPF_ALU64 | BPF_MOV | BPF_X, dst, src, 0, 0);
}

/* @dst op= @imm */
static inline void emit_alu(struct probe_code *code, u8 op, u8 dst, s32 imm)
{
	emit_insn(code, BPF_ALU64 | op | BPF_K, dst, 0, 0, imm);
}

/* @dst = @v, with as few instructions as possible */
static inline void emit_imm(struct probe_code *code, u8 dst, u64 v)
{
	if ((s64)v == (s32)v) {
		emit_alu(code, BPF_MOV, dst, v);
	} else if (v == (u32)v) {
		emit_insn(code, BPF_ALU | BPF_MOV | BPF_K, dst, 0, 0, v);
	} else {
		emit_insn(code, BPF_LD | BPF_IMM | BPF_DW, dst, 0, 0, (u32)v);
		emit_insn(code, 0, 0, 0, 0, v >> 32);
	}
}

/* @dst += @v; may clobber @temp. */
static inline void emit_add(struct probe_code *code, u8 dst, s64 v, u8 temp)
{
	if (!v)
		return;
	if (v == (s32)v) {
		emit_alu(code, BPF_ADD, dst, v);
	} else {
		emit_imm(code, temp, v);
		emit_insn(code, BPF_ALU64 | BPF_ADD | BPF_X, dst, temp, 0, 0);
	}
}

static inline void emit_load(struct probe_code *code, unsigned int size, u8 dst,
			     u8 src, s16 off)
{
	emit_insn(code, BPF_LDX | BPF_MEM | emit_size(size), dst, src, off, 0);
}

/* A forward branch; returns its index for emit_label(). */
static inline u32 emit_branch(struct probe_code *code, u8 op, u8 reg, s32 imm)
{
	emit_insn(code, BPF_JMP | op | BPF_K, reg, 0, 0, imm);
	return code->len - 1;
}

static inline void emit_target(struct probe_code *code, u32 branch, u32 target)
{
	s32 off = (s32)(target - branch) - 1;

	if (code->err)
		return;
	if (off == (s16)off)
		code->insn[branch].off = off;
	else
		code->err = -E2BIG;
}

/* Make the next instruction the target of @branch. */
static inline void emit_label(struct probe_code *code, u32 branch)
{
	emit_target(code, branch, code->len);
}

static inline void emit_jump(struct probe_code *code, u32 target)
{
	emit_target(code, emit_branch(code, BPF_JA, 0, 0), target);
}

#endif /* _PROBE_EMIT_H */
