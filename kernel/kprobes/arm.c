// SPDX-License-Identifier: GPL-2.0
/*
 * Kernel probes: arm and disarm lists of places.
 *
 * Places at ftrace call sites are armed first, because only this can fail.  All other
 * places get a breakpoint at once, and the optimizer may replace it with a jump later.  The
 * optimizer also removes jumps later, unless the text must change at once.
 */
#include <linux/cpu.h>
#include <linux/kprobes.h>
#include <linux/memory.h>
#include <linux/sched.h>

#include "kprobes.h"

static void write_breakpoints(struct llist_head *places)
{
	struct kprobe_place *place;

	arch_arm_kprobes(places);
	for_each_kprobe_in_list(place, places) {
		kprobe_place_set_state(place, PLACE_BREAKPOINT);
		kprobe_optimize(place);
	}
}

static void arm_some(struct llist_head *places)
{
	LLIST_HEAD(disarmed);
	LLIST_HEAD(armed);
	struct kprobe_place *place;

	cpus_read_lock();
	mutex_lock(&text_mutex);
	/* Jumps of other places may cover these places. */
	for_each_kprobe_in_list(place, places)
		kprobe_unoptimize_around(place->kp.addr);
	/* Removing a jump may have queued other jumps over these places. */
	for_each_kprobe_in_list(place, places)
		kprobe_unoptimize_around(place->kp.addr);
	/* A place whose jump the optimizer has not removed yet is armed already. */
	while ((place = kprobe_list_pop(places)))
		kprobe_list_add(kprobe_place_is_armed(place) ? &armed : &disarmed, place);
	write_breakpoints(&disarmed);
	/* Not earlier: a new breakpoint may prevent the jump. */
	for_each_kprobe_in_list(place, &armed)
		kprobe_optimize(place);
	mutex_unlock(&text_mutex);
	cpus_read_unlock();
}

static void remove_breakpoints(struct llist_head *places)
{
	struct kprobe_place *place;

	arch_disarm_kprobes(places);
	for_each_kprobe_in_list(place, places)
		kprobe_place_set_state(place, PLACE_DISARMED);
	/* These breakpoints may have prevented a jump over them. */
	for_each_kprobe_in_list(place, places)
		kprobe_optimize_around(place->kp.addr);
}

static void disarm(struct llist_head *places, bool now)
{
	LLIST_HEAD(breakpoints);
	LLIST_HEAD(jumps);
	struct kprobe_place *place;

	cpus_read_lock();
	mutex_lock(&text_mutex);
	while ((place = kprobe_list_pop(places))) {
		if (!kprobe_place_has_jump(place)) {
			kprobe_unoptimize_later(place);
			kprobe_list_add(&breakpoints, place);
		} else if (now) {
			kprobe_list_add(&jumps, place);
		} else {
			kprobe_unoptimize_later(place);
		}
	}
	/* Removing the jump of a place disarms it. */
	kprobes_unoptimize(&jumps);
	remove_breakpoints(&breakpoints);
	mutex_unlock(&text_mutex);
	cpus_read_unlock();
}

static void disarm_some(struct llist_head *places)
{
	disarm(places, kprobes_all_disarmed);
}

static void disarm_some_now(struct llist_head *places)
{
	disarm(places, true);
}

/*
 * Release the locks after each batch, so that CPU hotplug and other code that changes
 * the text need not wait for thousands of places.  Some architectures stop all CPUs for
 * each place.
 */
static void in_batches(struct llist_head *places, void (*change)(struct llist_head *places))
{
	LLIST_HEAD(batch);
	unsigned int i;

	while (places->first) {
		for (i = 0; i < KPROBE_MAX_BATCH && places->first; i++)
			kprobe_list_add(&batch, kprobe_list_pop(places));
		change(&batch);
		init_llist_head(&batch);
		cond_resched();
	}
}

/* Move the places at ftrace call sites to another list. */
static void split_ftrace(struct llist_head *places, struct llist_head *ftrace)
{
	struct llist_head others = { .first = places->first };
	struct kprobe_place *place;

	init_llist_head(places);
	while ((place = kprobe_list_pop(&others)))
		kprobe_list_add(kprobe_ftrace(&place->kp) ? ftrace : places, place);
}

/**
 * kprobes_arm() - arm places, unless probes are globally disarmed
 * @places:	enabled places that are disarmed or whose jump the optimizer will remove;
 *		the caller must not use the list afterwards
 *
 * Context: process context; kprobe_mutex held.
 * Return: 0, or a negative errno; after an error, no place is armed.
 */
int kprobes_arm(struct llist_head *places)
{
	LLIST_HEAD(ftrace);
	int ret;

	lockdep_assert_held(&kprobe_mutex);
	if (kprobes_all_disarmed)
		return 0;
	split_ftrace(places, &ftrace);
	ret = kprobes_arm_ftrace(&ftrace);
	if (!ret)
		in_batches(places, arm_some);
	return ret;
}

static void disarm_all(struct llist_head *places, void (*change)(struct llist_head *places))
{
	LLIST_HEAD(ftrace);

	lockdep_assert_held(&kprobe_mutex);
	split_ftrace(places, &ftrace);
	kprobes_disarm_ftrace(&ftrace);
	in_batches(places, change);
}

/**
 * kprobes_disarm() - disarm places
 * @places:	armed places; emptied
 *
 * If the places are disabled, the optimizer may disarm them later, so hits are still
 * possible.  With kprobes_all_disarmed, they are disarmed at once.
 *
 * Context: process context; kprobe_mutex held.
 */
void kprobes_disarm(struct llist_head *places)
{
	disarm_all(places, disarm_some);
}

/**
 * kprobes_disarm_now() - disarm places at once
 * @places:	armed places, disabled; emptied
 *
 * A place that has no probe any more, and had a jump, is retired.
 *
 * Context: process context; kprobe_mutex held.
 */
void kprobes_disarm_now(struct llist_head *places)
{
	disarm_all(places, disarm_some_now);
}
