// SPDX-License-Identifier: GPL-2.0
/* Kernel probes: initialization. */
#define pr_fmt(fmt)	"kprobes: " fmt

#include <linux/init.h>
#include <linux/kprobes.h>
#include <linux/printk.h>

#include "kprobes.h"

/**
 * arch_populate_kprobe_blacklist() - add the areas of the architecture
 *
 * Context: boot.
 * Return: 0 or a negative errno.
 */
int __init __weak arch_populate_kprobe_blacklist(void)
{
	return 0;
}

static int __init init_kprobes(void)
{
	int ret;

	kprobe_init_places();
	ret = kprobe_init_blacklist() ?: arch_populate_kprobe_blacklist();
	if (ret)
		pr_err("The list of functions that must not be probed is incomplete (%d)\n",
		       ret);
	kprobe_init_returns();
	kprobe_init_slots();
	return arch_init_kprobes() ?: kprobe_init_notifier() ?: kprobe_init_unload();
}
early_initcall(init_kprobes);
