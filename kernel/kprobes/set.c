// SPDX-License-Identifier: GPL-2.0
/*
 * Kernel probes: sets of probes that change together.
 *
 * A set is open from kprobes_begin_set() to kprobes_end_set().  In between, the functions
 * that register, enable, disable and unregister a probe change its flags and its place, and
 * link the probe and the place into lists of the set.  The end of the set arms and disarms
 * the places together, and waits for one grace period for all probes that were
 * unregistered.  If the places cannot be armed, all registrations and enablings of the set
 * are undone.  The links are members of the probes and places, so a set needs no memory.
 *
 * A function that is called without an open set opens one for itself: see
 * kprobes_enter_set().
 */
#include <linux/compiler.h>
#include <linux/export.h>
#include <linux/kprobes.h>
#include <linux/llist.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>

#include "kprobes.h"

/*
 * The open set.  kprobe_mutex protects it, and is held while a set is open.  Without the
 * mutex, a task can test whether it is the owner, because only it can make that true.
 */
static struct {
	struct task_struct	*owner;
	struct llist_head	probes;		/* linked through @batch */
	struct llist_head	places;		/* linked through @link */
} set;

static bool is_open(void)
{
	return READ_ONCE(set.owner) == current;
}

/**
 * kprobes_begin_set() - begin a set of changes
 *
 * Until kprobes_end_set(), the calls of this task that register, unregister, enable or
 * disable probes and return probes belong to the set.  Each returns its own error.  A probe
 * that was unregistered in the set must not be registered again or freed before its end, and
 * a function that takes kprobe_mutex, such as kprobe_explain(), must not be called.
 *
 * Context: may sleep; takes kprobe_mutex, which is held until the end of the set.
 */
void kprobes_begin_set(void)
{
	mutex_lock(&kprobe_mutex);
	WRITE_ONCE(set.owner, current);
}
EXPORT_SYMBOL_GPL(kprobes_begin_set);

/**
 * kprobe_set_touch() - let the end of the open set arm, disarm or retire a place
 * @place:	the place, which nothing else retires until then
 *
 * Context: kprobe_mutex held.
 */
void kprobe_set_touch(struct kprobe_place *place)
{
	if (place->touched)
		return;
	place->touched = true;
	__llist_add(&place->link, &set.places);
}

static void note(struct kprobe *p, u8 change)
{
	if (!(p->changes & KPROBE_IN_SET))
		__llist_add(&p->batch, &set.probes);
	p->changes |= KPROBE_IN_SET | change;
}

static void set_enabled(struct kprobe *p, struct kprobe_place *place, bool enabled)
{
	u32 flags = p->flags & ~(KPROBE_FLAG_DISABLED | KPROBE_FLAG_WAITING);

	if (!enabled)
		flags |= KPROBE_FLAG_DISABLED;
	else if (kprobe_ftrace(&place->kp) && !(flags & KPROBE_FLAG_ARGS_ONLY) &&
		 kprobe_ftrace_lacks_regs(place))
		flags |= KPROBE_FLAG_WAITING;
	place->enabling |= enabled;
	WRITE_ONCE(p->flags, flags);
	kprobe_place_update(place);
	kprobe_set_touch(place);
}

/**
 * kprobe_set_add() - add a probe to its place, as part of the open set
 * @p:		the probe, disabled
 * @place:	the place
 * @enable:	enable it
 *
 * Context: kprobe_mutex held.
 */
void kprobe_set_add(struct kprobe *p, struct kprobe_place *place, bool enable)
{
	p->changes = 0;
	note(p, enable ? KPROBE_ADDED | KPROBE_WANTED : KPROBE_ADDED);
	kprobe_place_add(place, p);
	kprobe_set_touch(place);
	if (enable)
		set_enabled(p, place, true);
}

/**
 * kprobe_set_enable() - enable a probe, as part of the open set
 * @p:		the probe, registered
 * @place:	its place
 *
 * Context: kprobe_mutex held.
 */
void kprobe_set_enable(struct kprobe *p, struct kprobe_place *place)
{
	if (!kprobe_disabled(p))
		return;
	note(p, KPROBE_ENABLED);
	set_enabled(p, place, true);
}

/**
 * kprobe_set_disable() - disable a probe, as part of the open set
 * @p:		the probe, registered
 * @place:	its place
 *
 * Context: kprobe_mutex held.
 */
void kprobe_set_disable(struct kprobe *p, struct kprobe_place *place)
{
	if (kprobe_disabled(p))
		return;
	p->changes &= ~KPROBE_ENABLED;
	set_enabled(p, place, false);
}

/**
 * kprobe_set_all_regs() - let a probe have all registers, as part of the open set
 * @p:		the probe, registered with KPROBE_FLAG_ARGS_ONLY
 * @place:	its place
 *
 * Context: kprobe_mutex held.
 */
void kprobe_set_all_regs(struct kprobe *p, struct kprobe_place *place)
{
	note(p, KPROBE_ALL_REGS);
	p->flags &= ~KPROBE_FLAG_ARGS_ONLY;
	place->enabling = true;
	kprobe_set_touch(place);
}

/**
 * kprobe_set_few_regs() - let a probe read only arguments
 * @p:		the probe
 * @place:	its place, or NULL if it is not registered
 *
 * A place that is armed does not change, so a set need not undo this.
 *
 * Context: kprobe_mutex held.
 */
void kprobe_set_few_regs(struct kprobe *p, struct kprobe_place *place)
{
	/* If it waits for more registers, it does not need them any more. */
	WRITE_ONCE(p->flags, (p->flags | KPROBE_FLAG_ARGS_ONLY) & ~KPROBE_FLAG_WAITING);
	if (place)
		kprobe_place_update(place);
}

/**
 * __unregister_kprobe_top() - disable a probe and remove it from its place
 * @p:	a probe
 *
 * A set must be open.  The end of the set waits until none of its handlers runs.
 *
 * Programs that watch kprobes put a probe here: it is called once for each probe.
 *
 * Context: kprobe_mutex held.
 * Return: 0, or -EINVAL if it is not registered.
 */
noinline int __unregister_kprobe_top(struct kprobe *p)
{
	struct kprobe_place *place = kprobe_place_with(p, p->addr);

	if (!place)
		return -EINVAL;
	kprobe_set_disable(p, place);
	note(p, KPROBE_REMOVED);
	kprobe_place_remove(place, p);
	kprobe_set_touch(place);
	return 0;
}

static bool must_arm(struct kprobe_place *place)
{
	/* ftrace may have refused an enabled place before; see ftrace.c. */
	if (!place->enabling || kprobe_disabled(&place->kp))
		return false;
	/* The optimizer would remove the jump.  ftrace would not save the registers. */
	return !kprobe_place_is_armed(place) || place->state == PLACE_UNOPTIMIZING ||
	       kprobe_place_must_move(place);
}

static bool must_disarm(struct kprobe_place *place)
{
	return kprobe_disabled(&place->kp) && kprobe_place_is_armed(place) &&
	       place->state != PLACE_UNOPTIMIZING;
}

/* Collect the places of the set for which @is_wanted is true. */
static void collect(struct llist_head *places, bool (*is_wanted)(struct kprobe_place *place))
{
	struct kprobe_place *place;

	llist_for_each_entry(place, set.places.first, link)
		if (is_wanted(place))
			kprobe_list_add(places, place);
}

static int arm_places(void)
{
	LLIST_HEAD(places);

	collect(&places, must_arm);
	return kprobes_arm(&places);
}

static void disarm_places(void)
{
	LLIST_HEAD(places);

	/* An enabled place can be disarmed, too: kprobes may be globally disarmed. */
	collect(&places, must_disarm);
	kprobes_disarm(&places);
}

/* Undo the registrations, the enablings and the calls of kprobe_set_all_regs() of the set. */
static void undo(void)
{
	struct kprobe *p, *next;

	llist_for_each_entry_safe(p, next, set.probes.first, batch) {
		if (p->changes & KPROBE_REMOVED)
			continue;
		if (p->changes & KPROBE_ALL_REGS)
			p->flags |= KPROBE_FLAG_ARGS_ONLY;
		if (p->changes & KPROBE_ADDED)
			__unregister_kprobe_top(p);
		else if (p->changes & KPROBE_ENABLED)
			kprobe_set_disable(p, kprobe_place_with(p, p->addr));
	}
}

/* Retire the places that have no probe any more, and empty the list of the set. */
static void release_places(void)
{
	struct llist_node *places = __llist_del_all(&set.places);
	struct kprobe_place *place, *next;

	llist_for_each_entry_safe(place, next, places, link) {
		place->touched = false;
		place->enabling = false;
		if (!kprobe_place_is_empty(place))
			/* A post_handler that has left may have prevented a jump. */
			kprobe_optimize(place);
		else if (place->state != PLACE_UNOPTIMIZING)
			kprobe_place_retire(place);
	}
}

/*
 * Take the list of probes of the set.  Return those that were removed.  The others may be
 * changed by another set as soon as kprobe_mutex is released.
 */
static struct llist_node *take_removed(void)
{
	struct llist_node *probes = __llist_del_all(&set.probes);
	struct kprobe *p, *next;
	LLIST_HEAD(removed);

	llist_for_each_entry_safe(p, next, probes, batch) {
		if (!(p->changes & KPROBE_REMOVED)) {
			p->changes = 0;
			continue;
		}
		if (p->flags & KPROBE_FLAG_RETURN)
			kretprobe_detach_instances(container_of(p, struct kretprobe, kp));
		__llist_add(&p->batch, &removed);
	}
	return removed.first;
}

/* The users may free these probes, or try to register them again. */
static void release_removed(struct llist_node *removed)
{
	struct kprobe *p, *next;
	u8 changes;

	llist_for_each_entry_safe(p, next, removed, batch) {
		changes = p->changes;
		p->changes = 0;
		if (p->flags & KPROBE_FLAG_RETURN)
			kretprobe_free_instances(container_of(p, struct kretprobe, kp));
		/* The registration was undone: restore the members that the user set. */
		if (changes & KPROBE_ADDED) {
			p->flags = (p->flags & KPROBE_FLAG_ARGS_ONLY) |
				   (changes & KPROBE_WANTED ? 0 : KPROBE_FLAG_DISABLED);
			p->addr = kprobe_given_addr(p);
		}
		cond_resched();
	}
}

/**
 * kprobes_end_set() - carry out the changes of a set
 * @err:	0, or a negative errno to undo the registrations and enablings of the set
 *
 * None of the handlers of a probe that was unregistered runs any more when this returns.
 *
 * Context: may sleep; after kprobes_begin_set().
 * Return: 0; @err; or an error of ftrace.  After an error, no probe of the set has been
 * registered or enabled, or gets more registers than before.  Probes were disabled and
 * unregistered nevertheless.
 */
int kprobes_end_set(int err)
{
	struct llist_node *removed, *dead = NULL;
	int ret;

	ret = err ?: arm_places();
	if (ret)
		undo();
	disarm_places();
	release_places();
	removed = take_removed();
	/* Architectures without jumps rely on unused places being freed by now. */
	if (!IS_ENABLED(CONFIG_OPTPROBES))
		dead = kprobe_places_take_dead();
	WRITE_ONCE(set.owner, NULL);
	mutex_unlock(&kprobe_mutex);

	if (removed || dead)
		synchronize_rcu();
	kprobe_places_free(dead);
	release_removed(removed);
	return ret;
}
EXPORT_SYMBOL_GPL(kprobes_end_set);

/**
 * kprobes_enter_set() - open a set, unless this task has opened one
 *
 * Context: may sleep; takes kprobe_mutex.
 * Return: whether it has opened a set, for kprobes_leave_set().
 */
bool kprobes_enter_set(void)
{
	if (is_open())
		return false;
	kprobes_begin_set();
	return true;
}

/**
 * kprobes_leave_set() - end the set if kprobes_enter_set() has opened it
 * @entered:	the result of kprobes_enter_set()
 * @err:	0, or the error of the caller
 *
 * Context: may sleep.
 * Return: the result of the caller: @err, or an error of kprobes_end_set().
 */
int kprobes_leave_set(bool entered, int err)
{
	return entered ? kprobes_end_set(err) : err;
}
