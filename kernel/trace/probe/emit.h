/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Append eBPF instructions to a program.  The first error stays in the program, so
 * callers need to check only at the end of a sequence.
 */
#ifndef _PROBE_EMIT_H
#define _PROBE_EMIT_H

#include <linux/filter.h>

#include "code.h"

void probe_emit(struct probe_code *code, struct bpf_insn insn);
void probe_emit_imm(struct probe_code *code, u8 dst, u64 v);
void probe_emit_add(struct probe_code *code, u8 dst, s64 v, u8 temp);
u32 probe_emit_branch(struct probe_code *code, u8 op, u8 reg, s32 imm);
void probe_emit_label(struct probe_code *code, u32 branch);
void probe_emit_jump(struct probe_code *code, u32 target);

/* The size field of a load or store of @bytes bytes. */
static inline u8 probe_emit_size(unsigned int bytes)
{
	switch (bytes) {
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

#endif /* _PROBE_EMIT_H */
