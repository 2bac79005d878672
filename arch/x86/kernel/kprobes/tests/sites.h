/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _X86_KPROBES_TESTS_SITES_H
#define _X86_KPROBES_TESTS_SITES_H

/*
 * Sites: single instructions, each in its own function, that run with given registers,
 * flags, stack and memory.
 *
 *	thunk.S		loads a state, enters the site, and saves the final state
 *	sites.S, sites_copied.S	the instructions
 *	run.c		generates states, runs sites, compares states
 */

/* Execution of the instruction with a probe on it. */
#define SITE_EMULATED	0x01
#define SITE_STEPPED	0x02	/* only from a copy followed by a breakpoint */
#define SITE_JUMP	0x04	/* a jump can replace the breakpoint */
#define SITE_INDIRECT	0x08	/* needs an annotation for objtool */
#define SITE_MANY	0x10	/* several instructions, in the region of a jump */
#define SITE_CALL	0x40	/* the branch target after the instruction is in another function */
/* No jump: SITE sets this flag for the second of two functions with the same instruction. */
#define SITE_INT3	0x20

/* Constraints on the initial state, so that the instruction does something sane. */
#define INIT_WILD	0x000000	/* only the stack pointer is valid */
#define INIT_MEM	0x000100	/* bx, si, di, bp, r12, r13 are pointers */
#define INIT_CX		0x000200	/* cx is small */
#define INIT_CX32	0x000400	/* the lower half of cx is small */
#define INIT_TO_MEM	0x000800	/* memory and stack have branch targets only */
#define INIT_TO_STACK	0x001000	/* the stack has a branch target, and cs */
#define INIT_IRET	0x002000	/* ... and flags, sp and ss */
#define INIT_FLAGS	0x004000	/* the stack has flags */
#define INIT_SP		0x008000	/* the stack has a stack pointer */
#define INIT_BP		0x010000	/* bp points into the stack */
#define INIT_DIV	0x020000	/* ax can be divided by cx with all operand sizes */
#define INIT_EQUAL	0x040000	/* memory is often equal to ax, and to dx:ax */
#define INIT_CPUID	0x080000	/* ax and cx select data that is the same on all CPUs */
#define INIT_FPU	0x100000	/* vector registers are used */
#define INIT_AVX	0x200000	/* ... with all 256 bits */
#define INIT_NO_DATA	0x400000	/* ax and dx differ each time */
#define INIT_UNWRITTEN	0x800000	/* reserves stack space but does not write it */
#define INIT_TO_REG(n)	(0x1000000 + ((n) << 28))	/* register n is the target */
#define INIT_TO_ANY_REG	0x1000000

/* The exit through which a site was left. */
#define EXIT_NEXT	1
#define EXIT_AHEAD	2
#define EXIT_BACK	3

/* Offsets in struct cpu_state. */
#define STATE_REG(n)	((n) * 8)
#define STATE_FLAGS	128
#define STATE_IP	136

#define MEM_WORDS	32
#define MEM_ORIGIN	12	/* pointers refer to this word or one of the next three */

#ifndef __ASSEMBLER__
#include <linux/percpu.h>
#include <linux/types.h>

enum { AX, CX, DX, BX, SP, BP, SI, DI };

struct cpu_state {
	u64 reg[16];	/* by their numbers in instructions */
	u64 flags;
	u64 ip;
};

/* Laid out by site_macros.S. */
struct site {
	void *addr;	/* the instruction */
	void *end;	/* the next instruction */
	void *ahead;	/* branch target after the instruction */
	void *back;	/* branch target before the instruction */
	const char *name;
	u32 kind;
	u32 init;
};

extern const struct site kprobes_sites[], kprobes_sites_end[];
extern const struct site kprobes_sites_copied[], kprobes_sites_copied_end[];

extern struct cpu_state kprobes_site_in, kprobes_site_out;
extern u64 kprobes_site_mem[MEM_WORDS];
extern u64 kprobes_site_exit;
extern u64 kprobes_site_saved_sp;
DECLARE_PER_CPU(u64, kprobes_site_percpu);

void kprobes_site_enter(void);
void kprobes_site_outer(void);
#endif

#endif /* _X86_KPROBES_TESTS_SITES_H */
