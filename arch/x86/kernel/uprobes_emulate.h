/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Uprobes on x86: declarations shared by uprobes.c and uprobes_emulate.c.
 */
#ifndef _X86_KERNEL_UPROBES_EMULATE_H
#define _X86_KERNEL_UPROBES_EMULATE_H

#include <linux/types.h>

struct arch_uprobe;
struct insn;
struct pt_regs;

/**
 * struct uprobe_xol_ops - how to execute the probed instruction
 * @emulate: emulate it; if there is no such function, or it returns false, the process
 *	executes a copy
 * @pre_xol: prepare the registers for the copy
 * @post_xol: correct the registers after the copy
 * @abort: restore the registers; the copy was not executed
 */
struct uprobe_xol_ops {
	bool	(*emulate)(struct arch_uprobe *auprobe, struct pt_regs *regs);
	int	(*pre_xol)(struct arch_uprobe *auprobe, struct pt_regs *regs);
	int	(*post_xol)(struct arch_uprobe *auprobe, struct pt_regs *regs);
	void	(*abort)(struct arch_uprobe *auprobe, struct pt_regs *regs);
};

bool uprobe_setup_emulation(struct arch_uprobe *auprobe, struct insn *insn);

#endif /* _X86_KERNEL_UPROBES_EMULATE_H */
