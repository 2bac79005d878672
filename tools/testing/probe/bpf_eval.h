/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interpreter and disassembler for the subset of eBPF that fetch programs use.
 */
#ifndef _BPF_EVAL_H
#define _BPF_EVAL_H

#include <linux/bpf.h>
#include <linux/types.h>

/**
 * struct bpf_world - memory and helpers that a program can access
 * @access: returns the memory for a plain load or store; NULL if the access is not allowed
 * @probe: returns the memory for a BPF_PROBE_MEM load; NULL if the load faults
 * @call: calls helper @imm with the arguments R1 to R5
 * @this_cpu: the offset of this CPU's copies of per-CPU variables
 */
struct bpf_world {
	void		*(*access)(u64 addr, unsigned int size, bool store);
	const void	*(*probe)(u64 addr, unsigned int size);
	u64		(*call)(s32 imm, const u64 *args);
	u64		this_cpu;
};

/*
 * Run a program.  Returns NULL, or a message about its first violation.  @result is R0 at the
 * end; 0 if it is undefined.
 */
const char *bpf_eval(const struct bpf_insn *insn, unsigned int len, u64 ctx,
		     const struct bpf_world *world, unsigned int *steps, u64 *result);

/* Disassemble a program, one line for each instruction. */
void bpf_show(const struct bpf_insn *insn, unsigned int len, char *buf, size_t size);

#endif /* _BPF_EVAL_H */
