/* SPDX-License-Identifier: GPL-2.0 */
/*
 * As much of eBPF as fetch programs use: run it, show it.
 */
#ifndef _BPF_EVAL_H
#define _BPF_EVAL_H

#include <linux/bpf.h>
#include <linux/types.h>

/**
 * struct bpf_world - what a program can reach
 * @access: memory for a plain load or store; NULL when that is not allowed
 * @probe: memory for a BPF_PROBE_MEM load; NULL when it faults
 * @call: helper @imm with the arguments R1 to R5
 */
struct bpf_world {
	void		*(*access)(u64 addr, unsigned int size, bool store);
	const void	*(*probe)(u64 addr, unsigned int size);
	u64		(*call)(s32 imm, const u64 *args);
};

/* Returns NULL, or what the program did that it must not do. */
const char *bpf_eval(const struct bpf_insn *insn, unsigned int len, u64 ctx,
		     const struct bpf_world *world, unsigned int *steps);

/* One line for each instruction. */
void bpf_show(const struct bpf_insn *insn, unsigned int len, char *buf, size_t size);

#endif /* _BPF_EVAL_H */
