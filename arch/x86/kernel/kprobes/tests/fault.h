/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _X86_KPROBES_TESTS_FAULT_H
#define _X86_KPROBES_TESTS_FAULT_H

#include <linux/kprobes.h>
#include <linux/types.h>

/* A function that returns -EFAULT if its tested instruction faults; see fault.S. */
struct fault_site {
	u64 (*function)(u64 arg);
	void *addr;		/* that instruction */
	const char *name;
};

extern const struct fault_site kprobes_fault_sites[], kprobes_fault_sites_end[];

void kprobes_fault_seven(void);
u64 kprobes_fault_zeropad(const void *addr);
extern kprobe_opcode_t kprobes_fault_zeropad_load[];
u64 kprobes_fault_outer(void);

#endif /* _X86_KPROBES_TESTS_FAULT_H */
