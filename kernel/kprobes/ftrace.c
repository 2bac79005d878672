// SPDX-License-Identifier: GPL-2.0
/*
 * Kernel probes: places at ftrace call sites.
 *
 * There are three ftrace_ops, each with the addresses of its armed places as its filter.
 * One is for places with a post_handler.  It has the IPMODIFY flag, because a probe whose
 * pre_handler changes the instruction pointer must have a post_handler.  ftrace allows only one
 * ftrace_ops with this flag at a function.  Another one is for places whose probes read only
 * arguments: ftrace need not save all registers, nor load the flags again.  The state of a place
 * records which ftrace_ops armed it, because its probes can change.  ftrace can refuse an enabled
 * place when all probes are armed again; then the place stays disarmed.
 *
 * If a place is armed and a probe needs more registers than before, the place moves to another
 * filter.  It is in both filters for some time, so both handlers may be called for a hit.  In
 * state PLACE_FTRACE_MOVING, the handler leaves a mark in the registers of the hit, which all
 * ftrace_ops share.  So the probes are called exactly once.  A new probe that needs the registers
 * waits until the place has moved.  If the place was removed from the filter for arguments shortly
 * before, a hit may still be about to call its probes with few registers; the new probe waits for
 * such hits, too.
 *
 * A call for an address without an enabled probe has no effect.  So it does not matter if
 * an address cannot be removed from a filter.
 */
#define pr_fmt(fmt)	"kprobes: " fmt

#include <linux/ftrace.h>
#include <linux/kprobes.h>
#include <linux/printk.h>
#include <linux/rcupdate.h>

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

#ifdef __ARCH_HAS_KPROBE_FTRACE_ARGS
static struct ftrace_user args __read_mostly = {
	.ops.func	= kprobe_ftrace_args_handler,
	.armed		= PLACE_FTRACE_ARGS,
};
#else
/* Has no places. */
static struct ftrace_user args;
#endif

static struct ftrace_user post __read_mostly = {
	.ops.func	= kprobe_ftrace_handler,
	.ops.flags	= FTRACE_OPS_FL_SAVE_REGS | FTRACE_OPS_FL_IPMODIFY,
	.armed		= PLACE_FTRACE_POST,
};

/*
 * The grace period that ends all hits which began before a place of @args was last disarmed, and
 * whether there was such a place.  kprobe_mutex protects both.
 */
static unsigned long args_hits;
static bool had_args_hits;

static void wait_for_args_hits(void)
{
	if (had_args_hits)
		cond_synchronize_rcu(args_hits);
}

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

static int add_places(struct ftrace_user *user, struct llist_head *places)
{
	int ret;

	/* If no place is armed, the filter can still have old addresses. */
	ret = change_filter(user, places, false, !user->nr);
	if (!ret && !user->nr)
		ret = register_ftrace_function(&user->ops);
	if (!ret)
		user->nr += count(places);
	return ret;
}

static void remove_places(struct ftrace_user *user, struct llist_head *places)
{
	int ret;

	user->nr -= count(places);
	if (kprobe_ftrace_disabled)
		return;
	/* An empty filter would match all functions. */
	if (user->nr)
		ret = change_filter(user, places, true, false);
	else
		ret = unregister_ftrace_function(&user->ops);
	if (ret)
		pr_warn_once("Cannot remove addresses from an ftrace filter (%d)\n", ret);
}

/*
 * ftrace saves all registers for these places now: let their waiting probes run.
 *
 * Wait also if no probe has KPROBE_FLAG_WAITING: a hit that has already chosen a probe does not
 * look at the flag again.
 */
static void end_waits(struct llist_head *places)
{
	struct kprobe_place *place;

	if (!places->first)
		return;
	wait_for_args_hits();
	for_each_kprobe_in_list(place, places)
		kprobe_place_end_wait(place);
}

static int arm(struct ftrace_user *user, struct llist_head *places)
{
	int ret = places->first ? add_places(user, places) : 0;

	if (ret)
		return ret;
	set_states(places, user->armed);
	if (user != &args)
		end_waits(places);
	return 0;
}

static void disarm(struct ftrace_user *user, struct llist_head *places)
{
	struct kprobe_place *place = kprobe_list_first(places);

	/* Also called after an error: then all places of a list are armed, or none. */
	if (!place || !kprobe_place_is_armed(place))
		return;
	remove_places(user, places);
	set_states(places, PLACE_DISARMED);
	if (user == &args) {
		args_hits = get_state_synchronize_rcu();
		had_args_hits = true;
	}
}

/* The ftrace_ops for a place that is about to be armed. */
static struct ftrace_user *user_for(const struct kprobe_place *place)
{
	if (kprobe_place_has_post_handler(place))
		return &post;
	return args.ops.func && kprobe_place_is_args_only(place) ? &args : &plain;
}

/* The ftrace_ops that armed a place. */
static struct ftrace_user *user_of(const struct kprobe_place *place)
{
	if (place->state == PLACE_FTRACE_POST)
		return &post;
	return place->state == PLACE_FTRACE_ARGS ? &args : &plain;
}

/* Remove the places of an ftrace_ops from a list, and add them to another one. */
static void take(struct llist_head *places, struct llist_head *taken, struct ftrace_user *user,
		 struct ftrace_user *(*of)(const struct kprobe_place *place))
{
	struct llist_head others = { .first = places->first };
	struct kprobe_place *place;

	init_llist_head(places);
	while ((place = kprobe_list_pop(&others)))
		kprobe_list_add(of(place) == user ? taken : places, place);
}

/* Wait for hits in ftrace's code and in handlers, and for tasks that were preempted there. */
static void wait_for_hits(void)
{
	synchronize_rcu();
	synchronize_rcu_tasks();
}

/* Move armed places from the filter for arguments to the one for all registers. */
static int move(struct llist_head *places)
{
	struct kprobe_place *place;
	int ret;

	if (!places->first)
		return 0;
	set_states(places, PLACE_FTRACE_MOVING);
	/* Until now, a handler left no mark. */
	synchronize_rcu();
	ret = add_places(&plain, places);
	if (ret) {
		set_states(places, PLACE_FTRACE_ARGS);
		return ret;
	}
	/* The other handler is not called for hits that began earlier. */
	wait_for_hits();
	remove_places(&args, places);
	/* A hit that began earlier may come only from there. */
	wait_for_hits();
	set_states(places, PLACE_FTRACE);
	for_each_kprobe_in_list(place, places)
		kprobe_place_end_wait(place);
	return 0;
}

/**
 * kprobe_ftrace_lacks_regs() - may a hit call the probes of a place with few registers?
 * @place:	a place at an ftrace call site
 *
 * Context: kprobe_mutex held.
 * Return: whether a hit may call a probe that is enabled now with the registers of arguments only,
 * until the place has moved or is armed again.
 */
bool kprobe_ftrace_lacks_regs(const struct kprobe_place *place)
{
	lockdep_assert_held(&kprobe_mutex);
	if (place->state == PLACE_DISARMED)
		return had_args_hits && !poll_state_synchronize_rcu(args_hits);
	return place->state == PLACE_FTRACE_ARGS;
}

/**
 * kprobes_arm_ftrace() - let ftrace call the probes of places
 * @places:	places at ftrace call sites, disarmed or to be moved; the caller must not use the
 *		list afterwards
 *
 * Context: process context; kprobe_mutex held, text_mutex not held.
 * Return: 0, or a negative errno; after an error, none of them is armed or has moved.
 */
int kprobes_arm_ftrace(struct llist_head *places)
{
	struct llist_head with_post = {}, args_only = {}, moving = {};
	int ret;

	lockdep_assert_held(&kprobe_mutex);
	take(places, &moving, &args, user_of);
	take(places, &with_post, &post, user_for);
	take(places, &args_only, &args, user_for);
	ret = arm(&plain, places) ?: arm(&args, &args_only) ?: arm(&post, &with_post) ?:
	      move(&moving);
	if (ret) {
		disarm(&plain, places);
		disarm(&args, &args_only);
		disarm(&post, &with_post);
	}
	return ret;
}

/**
 * kprobes_disarm_ftrace() - stop ftrace from calling the probes of places
 * @places:	places that ftrace calls; the caller must not use the list afterwards
 *
 * Context: process context; kprobe_mutex held, text_mutex not held.
 */
void kprobes_disarm_ftrace(struct llist_head *places)
{
	struct llist_head with_post = {}, args_only = {};

	lockdep_assert_held(&kprobe_mutex);
	take(places, &with_post, &post, user_of);
	take(places, &args_only, &args, user_of);
	disarm(&plain, places);
	disarm(&args, &args_only);
	disarm(&post, &with_post);
	/* Probes that are enabled from now on are not armed, so they would not wait. */
	if (kprobes_all_disarmed)
		wait_for_args_hits();
}
