// SPDX-License-Identifier: GPL-2.0
/*
 * Kernel probes: arm and disarm sets of places.
 *
 * Places at ftrace call sites are armed first, because only this can fail.  All other
 * places get a breakpoint at once, and the optimizer may replace it with a jump later.  The
 * optimizer also removes jumps later, unless the text must change at once.
 */
#include <linux/cpu.h>
#include <linux/kprobes.h>
#include <linux/memory.h>
#include <linux/minmax.h>
#include <linux/sched.h>

#include "kprobes.h"

/* debugfs.c changes this with kprobe_mutex held. */
bool kprobes_all_disarmed;

/**
 * arch_arm_kprobes() - write breakpoints
 * @kps:	probes at different addresses
 * @num:	number of @kps
 *
 * An architecture overrides this if it can synchronize the CPUs once for all breakpoints.
 *
 * Context: process context; text_mutex and cpus_read_lock() held.
 */
void __weak arch_arm_kprobes(struct kprobe **kps, unsigned int num)
{
	while (num--)
		arch_arm_kprobe(*kps++);
}

/**
 * arch_disarm_kprobes() - restore the text under breakpoints
 * @kps:	probes with breakpoints
 * @num:	number of @kps
 *
 * Context: process context; text_mutex and cpus_read_lock() held.
 */
void __weak arch_disarm_kprobes(struct kprobe **kps, unsigned int num)
{
	while (num--)
		arch_disarm_kprobe(*kps++);
}

/**
 * kprobes_partition() - move the places with a property to the front
 * @places:	common probes of the places
 * @num:	number of @places
 * @is_first:	does a place have the property?
 *
 * Context: Any.
 * Return: number of places with the property.
 */
unsigned int kprobes_partition(struct kprobe **places, unsigned int num,
			       bool (*is_first)(struct kprobe *p))
{
	unsigned int i, front = 0;

	for (i = 0; i < num; i++) {
		if (is_first(places[i])) {
			swap(places[i], places[front]);
			front++;
		}
	}
	return front;
}

static bool is_at_ftrace_call(struct kprobe *p)
{
	return kprobe_ftrace(p);
}

static bool has_no_jump(struct kprobe *p)
{
	return !kprobe_jump_is_written(p);
}

static bool must_disarm_now(struct kprobe *p)
{
	return !kprobe_unoptimize_later(p);
}

static void arm_some(struct kprobe **places, unsigned int num)
{
	unsigned int i;

	cpus_read_lock();
	mutex_lock(&text_mutex);
	/* Jumps of other places may cover these places. */
	for (i = 0; i < num; i++)
		kprobe_unoptimize_around(places[i]->addr);
	/* Removing a jump may have queued other jumps over these places. */
	for (i = 0; i < num; i++)
		kprobe_unoptimize_around(places[i]->addr);
	/* A place whose jump is still in the text is armed already. */
	arch_arm_kprobes(places, kprobes_partition(places, num, has_no_jump));
	for (i = 0; i < num; i++)
		kprobe_optimize(places[i]);
	mutex_unlock(&text_mutex);
	cpus_read_unlock();
}

static void disarm_some(struct kprobe **places, unsigned int num)
{
	unsigned int i, nr_now;

	cpus_read_lock();
	mutex_lock(&text_mutex);
	if (kprobes_all_disarmed) {
		/* Removing the jump of a place disarms it. */
		nr_now = kprobes_partition(places, num, has_no_jump);
		kprobes_unoptimize(places, num);
	} else {
		nr_now = kprobes_partition(places, num, must_disarm_now);
	}
	arch_disarm_kprobes(places, nr_now);
	/* These breakpoints may have prevented a jump over them. */
	for (i = 0; i < nr_now; i++)
		kprobe_optimize_around(places[i]->addr);
	mutex_unlock(&text_mutex);
	cpus_read_unlock();
}

/*
 * Release the locks after each batch, so that CPU hotplug and other code that changes
 * the text need not wait for thousands of places.  Some architectures stop all CPUs for
 * each place.
 */
static void in_batches(struct kprobe **places, unsigned int num,
		       void (*change)(struct kprobe **places, unsigned int num))
{
	unsigned int done, batch;

	for (done = 0; done < num; done += batch) {
		batch = min(num - done, KPROBE_MAX_BATCH);
		change(places + done, batch);
		cond_resched();
	}
}

/**
 * kprobes_arm() - arm places, unless probes are globally disarmed
 * @places:	common probes of the places, not disabled; their order changes
 * @num:	number of @places
 *
 * Context: process context; kprobe_mutex held.
 * Return: 0, or a negative errno; after an error, no place is armed.
 */
int kprobes_arm(struct kprobe **places, unsigned int num)
{
	unsigned int nr_ftrace;
	int ret;

	lockdep_assert_held(&kprobe_mutex);
	if (kprobes_all_disarmed)
		return 0;
	nr_ftrace = kprobes_partition(places, num, is_at_ftrace_call);
	ret = kprobes_arm_ftrace(places, nr_ftrace);
	if (!ret)
		in_batches(places + nr_ftrace, num - nr_ftrace, arm_some);
	return ret;
}

/**
 * kprobes_disarm() - disarm places
 * @places:	places that are enabled, or were enabled until now; their order changes
 * @num:	number of @places
 *
 * If the places are disabled, the optimizer may disarm them later, so hits are still
 * possible.  With kprobes_all_disarmed, they are disarmed at once.
 *
 * Context: process context; kprobe_mutex held.
 */
void kprobes_disarm(struct kprobe **places, unsigned int num)
{
	unsigned int nr_ftrace = kprobes_partition(places, num, is_at_ftrace_call);

	lockdep_assert_held(&kprobe_mutex);
	kprobes_disarm_ftrace(places, nr_ftrace);
	in_batches(places + nr_ftrace, num - nr_ftrace, disarm_some);
}
