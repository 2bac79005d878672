/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _X86_KPROBES_TESTS_SITES_H
#define _X86_KPROBES_TESTS_SITES_H

/*
 * Sites: single instructions, each in a function of its own, that are run with
 * given registers, flags, stack and memory.
 *
 *	thunk.S		loads all that, goes there, and saves what it comes back with
 *	sites.S, sites_copied.S	the instructions
 *	run.c		makes states, runs sites, compares
 */

/* How the instruction is executed with a probe on it. */
#define SITE_EMULATED	0x01
#define SITE_STEPPED	0x02	/* only from a copy with a breakpoint behind it */
#define SITE_JUMP	0x04	/* a jump may take the place of the probe */
#define SITE_INDIRECT	0x08	/* objtool has to be told that it is meant */
#define SITE_MANY	0x10	/* several instructions, for a jump to take their place */
/* In the table: no jump was meant to be possible in this function of it. */
#define SITE_INT3	0x20

/* What the state has to be like, so that the instruction does something sane. */
#define INIT_WILD	0x000000	/* nothing but the stack pointer is */
#define INIT_MEM	0x000100	/* bx, si, di, bp, r12, r13 are pointers */
#define INIT_CX		0x000200	/* cx is small */
#define INIT_CX32	0x000400	/* the lower half of cx is small */
#define INIT_TO_MEM	0x000800	/* all memory and stack is addresses to go to */
#define INIT_TO_STACK	0x001000	/* the stack has an address to go to, and cs */
#define INIT_IRET	0x002000	/* ... and flags, sp and ss */
#define INIT_FLAGS	0x004000	/* the stack has flags */
#define INIT_SP		0x008000	/* the stack has a stack pointer */
#define INIT_BP		0x010000	/* bp points into the stack */
#define INIT_DIV	0x020000	/* ax may be divided by cx, to 8 bits as well */
#define INIT_EQUAL	0x040000	/* memory often is equal to ax and dx */
#define INIT_CPUID	0x080000	/* ax and cx choose what is the same everywhere */
#define INIT_FPU	0x100000	/* vector registers are used */
#define INIT_AVX	0x200000	/* ... the wide ones */
#define INIT_NO_DATA	0x400000	/* what it computes is another thing each time */
#define INIT_UNWRITTEN	0x800000	/* takes room on the stack and does not use it */
#define INIT_TO_REG(n)	(0x1000000 + ((n) << 28))	/* register n is where to go */
#define INIT_TO_ANY_REG	0x1000000

/* Where a site was left. */
#define WENT_ON		1
#define WENT_AHEAD	2
#define WENT_BACK	3

/* Offsets in struct cpu_state. */
#define STATE_REG(n)	((n) * 8)
#define STATE_FLAGS	128
#define STATE_IP	136

#define MEM_WORDS	32
#define MEM_ORIGIN	12	/* the word that pointers are about */

#ifndef __ASSEMBLER__
#include <linux/percpu.h>
#include <linux/types.h>

enum { AX, CX, DX, BX, SP, BP, SI, DI };

struct cpu_state {
	u64 reg[16];	/* by their numbers in instructions */
	u64 flags;
	u64 ip;
};

/* As sites.S makes it. */
struct site {
	void *addr;	/* the instruction */
	void *end;	/* what is behind it */
	void *ahead;	/* where it may branch to */
	void *back;
	const char *name;
	u32 kind;
	u32 init;
};

extern const struct site kprobes_sites[], kprobes_sites_end[];
extern const struct site kprobes_sites_copied[], kprobes_sites_copied_end[];

extern struct cpu_state kprobes_site_in, kprobes_site_out;
extern u64 kprobes_site_mem[MEM_WORDS];
extern u64 kprobes_site_went;
extern u64 kprobes_site_host_sp;
DECLARE_PER_CPU(u64, kprobes_site_percpu);

void kprobes_site_enter(void);
void kprobes_site_outer(void);
#endif

#endif /* _X86_KPROBES_TESTS_SITES_H */
