/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _X86_KPROBES_TESTS_CONTEXT_H
#define _X86_KPROBES_TESTS_CONTEXT_H

#include <linux/types.h>

/* Functions with sites for probes.  They return their argument plus CONTEXT_ADDS. */
#define CONTEXT_ADDS	3

u64 kprobes_context_int3(u64 arg);
u64 kprobes_context_jump(u64 arg);

struct context_site {
	void *addr;
	u64 takes_jump;		/* can a jump replace the breakpoint? */
};

extern const struct context_site kprobes_context_sites[], kprobes_context_sites_end[];

void kprobes_context_outer(void);

/*
 * Send an interrupt through the local APIC.  Called with interrupts off.  The instruction
 * at kprobes_context_*_addr sends the interrupt.  STI is directly before this instruction,
 * and CLI is soon after it.  Returns the flags after this instruction.
 */
u64 kprobes_context_send_mmio(u32 value, u32 *to);
u64 kprobes_context_send_msr(u64 value, u32 msr);
extern void *const kprobes_context_mmio_addr, *const kprobes_context_msr_addr;

#endif /* _X86_KPROBES_TESTS_CONTEXT_H */
