// SPDX-License-Identifier: GPL-2.0
/* Kernel probes: the state of the hit that each CPU handles. */

#include <linux/kprobes.h>
#include <linux/percpu.h>

DEFINE_PER_CPU(struct kprobe *, current_kprobe);
DEFINE_PER_CPU(struct kprobe_ctlblk, kprobe_ctlblk);
