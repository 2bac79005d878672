// SPDX-License-Identifier: GPL-2.0
/*
 * Kernel probes: add and remove return probes.
 *
 * A return probe is a probe at the entry of a function, with memory for the calls in
 * progress.  The end of a set frees this memory when the probe was unregistered.
 */
#define pr_fmt(fmt)	"kprobes: " fmt

#include <linux/bug.h>
#include <linux/compiler.h>
#include <linux/export.h>
#include <linux/init.h>
#include <linux/kprobes.h>
#include <linux/minmax.h>
#include <linux/printk.h>
#include <linux/sched.h>

#include "kprobes.h"

/**
 * kprobe_init_returns() - find the functions that cannot have a return probe
 *
 * Context: boot.
 */
void __init kprobe_init_returns(void)
{
	struct kretprobe_blackpoint *b;
	bool on_func_entry;

	/* Most architectures have no kretprobe_blacklist. */
	for (b = kretprobe_blacklist_size ? kretprobe_blacklist : NULL; b && b->name; b++) {
		const struct kprobe p = { .symbol_name = b->name };

		/* A probe at the function's entry may be after an instruction such as endbr64. */
		b->addr = kprobe_resolve(&p, &on_func_entry);
		if (IS_ERR(b->addr)) {
			pr_err("No function %s, whose return must not be probed\n", b->name);
			b->addr = NULL;
		}
	}
}

static bool is_forbidden(const void *addr)
{
	const struct kretprobe_blackpoint *b;

	for (b = kretprobe_blacklist_size ? kretprobe_blacklist : NULL; b && b->name; b++)
		if (b->addr == addr)
			return true;
	return false;
}

/* Check a return probe and set its members up. */
static int prepare(struct kretprobe *rp, void *addr, bool on_func_entry)
{
	if (!on_func_entry || is_forbidden(addr))
		return -EINVAL;
	if (rp->data_size > KRETPROBE_MAX_DATA_SIZE)
		return -E2BIG;

	rp->kp.pre_handler = kretprobe_pre_handler;
	rp->kp.post_handler = NULL;
	rp->nmissed = 0;
	if (rp->maxactive <= 0)
		rp->maxactive = max(10, 2 * (int)num_possible_cpus());
	kretprobe_forget_instances(rp);
	return kretprobe_alloc_instances(rp);
}

/* A registered probe must not be registered again: its instances are in use. */
static bool is_registered(struct kretprobe *rp, void *addr)
{
	if (kprobe_place_with(&rp->kp, rp->kp.addr))
		return true;
	if (IS_ERR(addr) || !kprobe_place_with(&rp->kp, addr))
		return false;
	/* The user has cleared the address, without which the probe cannot be found. */
	rp->kp.addr = addr;
	return true;
}

static int add(struct kretprobe *rp)
{
	bool on_func_entry;
	void *addr;
	int ret;

	addr = kprobe_resolve(&rp->kp, &on_func_entry);
	if (is_registered(rp, addr)) {
		/* A probe with a symbol and an address is invalid; this needs no warning. */
		WARN_ON_ONCE(!rp->kp.symbol_name);
		return -EINVAL;
	}
	if (IS_ERR(addr))
		return PTR_ERR(addr);
	ret = prepare(rp, addr, on_func_entry);
	if (ret)
		return ret;
	ret = register_kprobe(&rp->kp);
	if (ret) {
		kretprobe_detach_instances(rp);
		kretprobe_free_instances(rp);
	}
	return ret;
}

/**
 * register_kretprobe() - register a return probe
 * @rp:	the probe
 *
 * Programs that watch kprobes put a probe here: it is called once for each return probe.
 *
 * Context: may sleep; takes kprobe_mutex, unless this task has opened a set.
 * Return: 0; -EINVAL if the place is not the entry of a function, or must not be probed;
 * -E2BIG if @rp->data_size is too large; or an error of register_kprobe().
 */
noinline int register_kretprobe(struct kretprobe *rp)
{
	bool entered = kprobes_enter_set();

	return kprobes_leave_set(entered, add(rp));
}
EXPORT_SYMBOL_GPL(register_kretprobe);

/**
 * register_kretprobes() - register return probes, all or none
 * @rps:	the probes
 * @num:	number of @rps
 *
 * Context: may sleep; takes kprobe_mutex, unless this task has opened a set.
 * Return: 0 or a negative errno, as register_kretprobe().
 */
int register_kretprobes(struct kretprobe **rps, int num)
{
	bool entered;
	int i, ret = 0;

	if (num <= 0)
		return -EINVAL;
	entered = kprobes_enter_set();
	for (i = 0; i < num; i++) {
		ret = register_kretprobe(rps[i]);
		if (ret)
			break;
		cond_resched();
	}
	/* If this task has opened the set, its end may keep the other probes of the set. */
	if (ret && !entered)
		unregister_kretprobes(rps, i);
	return kprobes_leave_set(entered, ret);
}
EXPORT_SYMBOL_GPL(register_kretprobes);

/**
 * unregister_kretprobe() - unregister a return probe
 * @rp:	the probe; its address becomes NULL if it was not registered
 *
 * None of its handlers runs any more when this returns or, if this task has opened a set,
 * when the set ends.  Calls that have not returned yet return as if there had been no probe.
 *
 * Programs that watch kprobes put a probe here: it is called once for each return probe.
 *
 * Context: may sleep; takes kprobe_mutex, unless this task has opened a set.
 */
noinline void unregister_kretprobe(struct kretprobe *rp)
{
	bool entered = kprobes_enter_set();

	if (__unregister_kprobe_top(&rp->kp))
		rp->kp.addr = NULL;
	kprobes_leave_set(entered, 0);
}
EXPORT_SYMBOL_GPL(unregister_kretprobe);

/**
 * unregister_kretprobes() - unregister return probes
 * @rps:	the probes; the address of those that were not registered becomes NULL
 * @num:	number of @rps
 *
 * Context: as unregister_kretprobe().
 */
void unregister_kretprobes(struct kretprobe **rps, int num)
{
	bool entered = kprobes_enter_set();
	int i;

	for (i = 0; i < num; i++) {
		unregister_kretprobe(rps[i]);
		cond_resched();
	}
	kprobes_leave_set(entered, 0);
}
EXPORT_SYMBOL_GPL(unregister_kretprobes);
