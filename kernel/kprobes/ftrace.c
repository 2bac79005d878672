// SPDX-License-Identifier: GPL-2.0
/*
 * Kernel probes: places at ftrace call sites.
 *
 * There are two ftrace_ops, each with the addresses of its armed places as its filter.
 * One is for places with a post_handler.  It has the IPMODIFY flag, because a probe whose
 * pre_handler changes the instruction pointer must have a post_handler.  ftrace allows only
 * one ftrace_ops with this flag at a function.  A place remembers the ftrace_ops it was
 * armed with, because its post_handler can change.  It also remembers whether it is in the
 * filter, because ftrace can refuse an enabled place when all probes are armed again.
 *
 * A call for an address without an enabled probe has no effect.  So it does not matter if
 * an address cannot be removed from a filter.  csky is an exception: its handler does not
 * check whether the only probe at an address is disabled.
 */
#define pr_fmt(fmt)	"kprobes: " fmt

#include <linux/ftrace.h>
#include <linux/kprobes.h>
#include <linux/minmax.h>
#include <linux/printk.h>
#include <linux/slab.h>

#include "kprobes.h"

/* Number of addresses to remove at a time if there is no memory for a larger array. */
#define SOME_IPS	16

/* Read by the handlers of the architecture. */
bool kprobe_ftrace_disabled __read_mostly;

/* An ftrace_ops and the number of its armed places, which kprobe_mutex protects. */
struct ftrace_user {
	struct ftrace_ops	ops;
	unsigned int		nr;
};

static struct ftrace_user plain __read_mostly = {
	.ops.func	= kprobe_ftrace_handler,
	.ops.flags	= FTRACE_OPS_FL_SAVE_REGS,
};

static struct ftrace_user ipmodify __read_mostly = {
	.ops.func	= kprobe_ftrace_handler,
	.ops.flags	= FTRACE_OPS_FL_SAVE_REGS | FTRACE_OPS_FL_IPMODIFY,
};

/**
 * kprobe_ftrace_kill() - ignore further calls after an internal error of ftrace
 *
 * Context: Any.
 */
void kprobe_ftrace_kill(void)
{
	kprobe_ftrace_disabled = true;
}

static int add_ips(struct ftrace_user *user, unsigned long *ips, unsigned int nr)
{
	int ret;

	if (!nr)
		return 0;
	/* If no place is armed, the filter can still have old addresses. */
	ret = ftrace_set_filter_ips(&user->ops, ips, nr, 0, !user->nr);
	if (!ret && !user->nr)
		ret = register_ftrace_function(&user->ops);
	if (!ret)
		user->nr += nr;
	return ret;
}

static void remove_ips(struct ftrace_user *user, unsigned long *ips, unsigned int nr)
{
	int ret;

	if (!nr || kprobe_ftrace_disabled)
		return;
	user->nr -= nr;
	/* An empty filter would match all functions. */
	if (user->nr)
		ret = ftrace_set_filter_ips(&user->ops, ips, nr, 1, 0);
	else
		ret = unregister_ftrace_function(&user->ops);
	if (ret)
		pr_warn_once("Cannot remove %u addresses from an ftrace filter (%d)\n", nr, ret);
}

/*
 * Write the addresses of @places to @ips, those for the plain ftrace_ops first.  Return the
 * number of addresses for the plain ftrace_ops.
 */
static unsigned int partition_ips(unsigned long *ips, struct kprobe **places, unsigned int num)
{
	unsigned int i, front = 0, back = num;

	for (i = 0; i < num; i++) {
		unsigned long ip = (unsigned long)places[i]->addr;

		if (places[i]->flags & KPROBE_FLAG_IPMODIFY)
			ips[--back] = ip;
		else
			ips[front++] = ip;
	}
	return front;
}

static void choose_ops(struct kprobe *p)
{
	if (kprobe_has_post_handler(p))
		p->flags |= KPROBE_FLAG_IPMODIFY;
	else
		p->flags &= ~KPROBE_FLAG_IPMODIFY;
}

/**
 * kprobes_arm_ftrace() - let ftrace call probes
 * @places:	common probes of places at ftrace call sites
 * @num:	number of @places
 *
 * Context: process context; kprobe_mutex held, text_mutex not held.
 * Return: 0, or a negative errno; after an error, none of them is armed.
 */
int kprobes_arm_ftrace(struct kprobe **places, unsigned int num)
{
	unsigned long one, *ips = &one;
	unsigned int i, nr_plain;
	int ret;

	lockdep_assert_held(&kprobe_mutex);
	if (!num)
		return 0;
	if (num > 1)
		ips = kvmalloc_array(num, sizeof(*ips), GFP_KERNEL);
	if (!ips)
		return -ENOMEM;

	for (i = 0; i < num; i++)
		choose_ops(places[i]);
	nr_plain = partition_ips(ips, places, num);
	ret = add_ips(&plain, ips, nr_plain);
	if (!ret) {
		ret = add_ips(&ipmodify, ips + nr_plain, num - nr_plain);
		if (ret)
			remove_ips(&plain, ips, nr_plain);
	}
	for (i = 0; !ret && i < num; i++)
		places[i]->flags |= KPROBE_FLAG_IN_FILTER;
	if (ips != &one)
		kvfree(ips);
	return ret;
}

static bool is_in_filter(struct kprobe *p)
{
	return p->flags & KPROBE_FLAG_IN_FILTER;
}

/**
 * kprobes_disarm_ftrace() - stop ftrace from calling probes
 * @places:	places at ftrace call sites; their order changes
 * @num:	number of @places
 *
 * Context: process context; kprobe_mutex held, text_mutex not held.
 */
void kprobes_disarm_ftrace(struct kprobe **places, unsigned int num)
{
	unsigned long some[SOME_IPS], *ips = some;
	unsigned int i, nr, nr_plain, max = SOME_IPS;

	lockdep_assert_held(&kprobe_mutex);
	num = kprobes_partition(places, num, is_in_filter);
	if (num > SOME_IPS) {
		ips = kvmalloc_array(num, sizeof(*ips), GFP_KERNEL | __GFP_NOWARN);
		if (ips)
			max = num;
		else
			ips = some;
	}
	for (; num; num -= nr, places += nr) {
		nr = min(num, max);
		nr_plain = partition_ips(ips, places, nr);
		remove_ips(&plain, ips, nr_plain);
		remove_ips(&ipmodify, ips + nr_plain, nr - nr_plain);
		for (i = 0; i < nr; i++)
			places[i]->flags &= ~KPROBE_FLAG_IN_FILTER;
	}
	if (ips != some)
		kvfree(ips);
}
