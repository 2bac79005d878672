// SPDX-License-Identifier: GPL-2.0
/*
 * Kernel probes: write and remove the breakpoints of a batch, one after the other.
 *
 * An architecture that can synchronize the CPUs once for a whole batch defines
 * __ARCH_HAS_KPROBE_BATCHES, and has functions of its own instead.
 */
#include <linux/kprobes.h>
#include <linux/llist.h>

#include "kprobes.h"

#ifndef __ARCH_HAS_KPROBE_BATCHES
/**
 * arch_arm_kprobes() - write breakpoints
 * @kps:	probes at different addresses, linked through @batch
 *
 * Context: process context; text_mutex and cpus_read_lock() held.
 */
void arch_arm_kprobes(struct llist_head *kps)
{
	struct kprobe *kp;

	llist_for_each_entry(kp, kps->first, batch)
		arch_arm_kprobe(kp);
}

/**
 * arch_disarm_kprobes() - restore the text under breakpoints
 * @kps:	probes with breakpoints, linked through @batch
 *
 * Context: process context; text_mutex and cpus_read_lock() held.
 */
void arch_disarm_kprobes(struct llist_head *kps)
{
	struct kprobe *kp;

	llist_for_each_entry(kp, kps->first, batch)
		arch_disarm_kprobe(kp);
}
#endif
