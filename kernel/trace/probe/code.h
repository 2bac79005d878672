/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Fetch programs: their context, their instructions, and how they are run.
 * codegen.c generates the instructions, and prog.c makes them executable.
 */
#ifndef _PROBE_CODE_H
#define _PROBE_CODE_H

#include <linux/types.h>

#ifdef __KERNEL__
#include <linux/filter.h>
#endif

#include "layout.h"

struct bpf_insn;
struct bpf_prog;
struct probe_arch;
struct probe_fetch;
struct probe_predicate;
struct pt_regs;

/**
 * struct probe_hit - context of a fetch program, on the stack of the hit handler
 * @regs: registers at the probe
 * @rec: start of the record (its struct trace_entry) or of the data saved at entry
 * @entry: values that were saved: those of the function's entry, the arguments of a
 *	tracepoint, or the record of another event; NULL if there are none
 * @dyn: offset in the record of the next free byte for dynamic data
 * @end: end of the room for dynamic data; initially, the room is at least
 *	PROBE_CUT_LEN bytes
 * @val: result of the helpers that read one number
 * @head: the header words of the event; programs of probes in user space read the first, the
 *	address of the probe
 */
struct probe_hit {
	struct pt_regs	*regs;
	void		*rec;
	void		*entry;
	u32		dyn;
	u32		end;
	u64		val;
	unsigned long	head[PROBE_MAX_HEAD];
};

/* Why a hit has no record, or that it has one */
enum probe_verdict {
	/* results of a fetch program that has a predicate */
	PROBE_REJECT,		/* the predicate is false */
	PROBE_ACCEPT,
	PROBE_FAULT,		/* an operand cannot be read */
	/* limits of the event */
	PROBE_NOT_SAMPLED,
	PROBE_OVER_RATE,
	PROBE_OVER_COUNT,
	PROBE_NR_VERDICTS,
};

/**
 * struct probe_code - eBPF instructions under construction
 * @insn: the instructions
 * @len: number of instructions
 * @cap: capacity of @insn
 * @nr_ex: number of BPF_PROBE_MEM loads among them
 * @calls: some of the instructions call helpers
 * @jit_only: some of the instructions are not known to the interpreter
 * @err: first error; nothing is appended after an error
 */
struct probe_code {
	struct bpf_insn	*insn;
	u32		len;
	u32		cap;
	u32		nr_ex;
	bool		calls;
	bool		jit_only;
	int		err;
};

/* codegen.c */
int probe_codegen(struct probe_code *code, const struct probe_arch *arch,
		  const struct probe_layout *l, const struct probe_fetch *fetch,
		  unsigned int nr, const struct probe_predicate *predicate);
bool probe_code_is_certain(const struct probe_arch *arch, const struct probe_fetch *fetch);
void probe_code_free(struct probe_code *code);

/* prog.c */
struct bpf_prog *probe_prog_new(const struct probe_code *code, const char *name);
void probe_prog_free(struct bpf_prog *prog);

#ifdef __KERNEL__
/**
 * probe_prog_run() - fetch the arguments of a hit
 * @prog: the program
 * @hit: registers and record; if the layout is dynamic, also the room for strings
 *
 * Writes all bytes of the record from the first argument to the end. The end is hit->dyn
 * if the layout is dynamic, and the size in the layout otherwise.
 *
 * Context: any, NMI included; preemption is disabled.  If the program is for a probe in user
 * space: process context; may sleep.
 * Return: enum probe_verdict if the program has a predicate; otherwise undefined.
 */
static __always_inline unsigned int probe_prog_run(const struct bpf_prog *prog,
						   struct probe_hit *hit)
{
	return bpf_dispatcher_nop_func(hit, prog->insnsi, prog->bpf_func);
}
#endif

#endif /* _PROBE_CODE_H */
