// SPDX-License-Identifier: GPL-2.0
/*
 * Kernel probes: places at ftrace call sites.
 *
 * There are two ftrace_ops, each with the addresses of its armed places as its filter.
 * One is for places with a post_handler.  It has the IPMODIFY flag, because a probe whose
 * pre_handler changes the instruction pointer must have a post_handler.  ftrace allows only
 * one ftrace_ops with this flag at a function.  The state of a place records which
 * ftrace_ops armed it, because its post_handler can change.  ftrace can refuse an enabled
 * place when all probes are armed again; then the place stays disarmed.
 *
 * A call for an address without an enabled probe has no effect.  So it does not matter if
 * an address cannot be removed from a filter.
 */
#define pr_fmt(fmt)	"kprobes: " fmt

#include <linux/ftrace.h>
#include <linux/kprobes.h>
#include <linux/printk.h>

#include "kprobes.h"

/**
 * struct ftrace_user - an ftrace_ops and its places
 * @ops:	the ftrace_ops
 * @nr:		number of armed places; kprobe_mutex protects it
 * @armed:	state of an armed place
 */
struct ftrace_user {
	struct ftrace_ops	ops;
	unsigned int		nr;
	enum kprobe_place_state	armed;
};

static struct ftrace_user plain __read_mostly = {
	.ops.func	= kprobe_ftrace_handler,
	.ops.flags	= FTRACE_OPS_FL_SAVE_REGS,
	.armed		= PLACE_FTRACE,
};

static struct ftrace_user post __read_mostly = {
	.ops.func	= kprobe_ftrace_handler,
	.ops.flags	= FTRACE_OPS_FL_SAVE_REGS | FTRACE_OPS_FL_IPMODIFY,
	.armed		= PLACE_FTRACE_POST,
};

/* Return the address of the place at *@data and go to the next one; 0 at the end. */
static unsigned long next_ip(void *data)
{
	struct llist_node **pos = data, *node = *pos;

	if (!node)
		return 0;
	*pos = node->next;
	return (unsigned long)llist_entry(node, struct kprobe_place, kp.batch)->kp.addr;
}

static int change_filter(struct ftrace_user *user, struct llist_head *places, bool remove,
			 bool reset)
{
	struct llist_node *pos = places->first;

	/* ftrace adds a single address in place. */
	if (!pos->next)
		return ftrace_set_filter_ip(&user->ops, next_ip(&pos), remove, reset);
	return ftrace_set_filter_next(&user->ops, next_ip, &pos, remove, reset);
}

static void set_states(struct llist_head *places, enum kprobe_place_state state)
{
	struct kprobe_place *place;

	for_each_kprobe_in_list(place, places)
		kprobe_place_set_state(place, state);
}

static unsigned int count(struct llist_head *places)
{
	struct kprobe_place *place;
	unsigned int nr = 0;

	for_each_kprobe_in_list(place, places)
		nr++;
	return nr;
}

static int arm(struct ftrace_user *user, struct llist_head *places)
{
	int ret;

	if (!places->first)
		return 0;
	/* If no place is armed, the filter can still have old addresses. */
	ret = change_filter(user, places, false, !user->nr);
	if (!ret && !user->nr)
		ret = register_ftrace_function(&user->ops);
	if (ret)
		return ret;
	user->nr += count(places);
	set_states(places, user->armed);
	return 0;
}

static void disarm(struct ftrace_user *user, struct llist_head *places)
{
	int ret;

	if (!places->first)
		return;
	user->nr -= count(places);
	if (!kprobe_ftrace_disabled) {
		/* An empty filter would match all functions. */
		if (user->nr)
			ret = change_filter(user, places, true, false);
		else
			ret = unregister_ftrace_function(&user->ops);
		if (ret)
			pr_warn_once("Cannot remove addresses from an ftrace filter (%d)\n",
				     ret);
	}
	set_states(places, PLACE_DISARMED);
}

/**
 * kprobes_arm_ftrace() - let ftrace call the probes of places
 * @places:	disarmed places at ftrace call sites; emptied
 *
 * Context: process context; kprobe_mutex held, text_mutex not held.
 * Return: 0, or a negative errno; after an error, none of them is armed.
 */
int kprobes_arm_ftrace(struct llist_head *places)
{
	LLIST_HEAD(with_post);
	LLIST_HEAD(others);
	struct kprobe_place *place;
	int ret;

	lockdep_assert_held(&kprobe_mutex);
	while ((place = kprobe_list_pop(places)))
		kprobe_list_add(kprobe_place_has_post_handler(place) ? &with_post : &others,
				place);
	ret = arm(&plain, &others);
	if (ret)
		return ret;
	ret = arm(&post, &with_post);
	if (ret)
		disarm(&plain, &others);
	return ret;
}

/**
 * kprobes_disarm_ftrace() - stop ftrace from calling the probes of places
 * @places:	places that ftrace calls; emptied
 *
 * Context: process context; kprobe_mutex held, text_mutex not held.
 */
void kprobes_disarm_ftrace(struct llist_head *places)
{
	LLIST_HEAD(with_post);
	LLIST_HEAD(others);
	struct kprobe_place *place;

	lockdep_assert_held(&kprobe_mutex);
	while ((place = kprobe_list_pop(places)))
		kprobe_list_add(place->state == PLACE_FTRACE_POST ? &with_post : &others,
				place);
	disarm(&plain, &others);
	disarm(&post, &with_post);
}
