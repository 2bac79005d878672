// SPDX-License-Identifier: GPL-2.0
/*
 * Kernel probes: enable and disable sets of probes.
 *
 * A place is enabled while one of its probes is enabled.  An operation first changes the
 * flags of a set and collects its places, and then arms or disarms them together.
 */
#include <linux/cleanup.h>
#include <linux/export.h>
#include <linux/kprobes.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "kprobes.h"

static bool alloc_places(struct kprobe_set *set, unsigned int max)
{
	set->nr = 0;
	set->max = ARRAY_SIZE(set->some);
	set->places = set->some;
	if (max <= set->max)
		return true;
	set->places = kvmalloc_array(max, sizeof(*set->places), GFP_KERNEL | __GFP_NOWARN);
	if (!set->places)
		return false;
	set->max = max;
	return true;
}

/**
 * kprobe_set_init() - initialize an empty set
 * @set:	the set
 * @max:	number of places it can hold
 *
 * Context: may sleep.
 * Return: 0 or -ENOMEM.
 */
int kprobe_set_init(struct kprobe_set *set, unsigned int max)
{
	return alloc_places(set, max) ? 0 : -ENOMEM;
}

/**
 * kprobe_set_init_nofail() - initialize an empty set, even if out of memory
 * @set:	the set
 * @max:	number of places it should hold; if out of memory, it holds a few
 *
 * For operations that cannot fail, such as disabling.  When the set is full, they disarm
 * its places, empty it and continue.
 *
 * Context: may sleep.
 */
void kprobe_set_init_nofail(struct kprobe_set *set, unsigned int max)
{
	if (!alloc_places(set, max))
		set->places = set->some;
}

/**
 * kprobe_set_free() - free the memory of a set
 * @set:	the set
 */
void kprobe_set_free(struct kprobe_set *set)
{
	if (set->places != set->some)
		kvfree(set->places);
}

/**
 * kprobe_set_place_enabled() - enable the place of an enabled probe
 * @set:	gets the place if it was disabled
 * @common:	the common probe of the place
 *
 * Context: kprobe_mutex held.
 */
void kprobe_set_place_enabled(struct kprobe_set *set, struct kprobe *common)
{
	if (!kprobe_disabled(common))
		return;
	common->flags &= ~KPROBE_FLAG_DISABLED;
	set->places[set->nr++] = common;
}

/**
 * kprobe_set_undo() - disable the places of a set that could not be armed
 * @set:	the set; in enable_kprobes(), also a set of probes
 *
 * Context: kprobe_mutex held.
 */
void kprobe_set_undo(struct kprobe_set *set)
{
	while (set->nr)
		set->places[--set->nr]->flags |= KPROBE_FLAG_DISABLED;
}

static void disarm_set(struct kprobe_set *set)
{
	if (!kprobes_all_disarmed)
		kprobes_disarm(set->places, set->nr);
	set->nr = 0;
}

static bool has_enabled_member(const struct kprobe *common)
{
	struct kprobe *member;

	if (kprobe_is_group(common))
		list_for_each_entry(member, &common->list, list)
			if (!kprobe_disabled(member))
				return true;
	return false;
}

static void disable_one(struct kprobe_set *set, struct kprobe *common, struct kprobe *p)
{
	if (kprobe_disabled(p))
		return;
	p->flags |= KPROBE_FLAG_DISABLED;
	if (p != common && (has_enabled_member(common) || kprobe_disabled(common)))
		return;
	common->flags |= KPROBE_FLAG_DISABLED;
	if (set->nr == set->max)
		disarm_set(set);
	set->places[set->nr++] = common;
}

/**
 * kprobes_disable_all() - disable probes and disarm their places
 * @kps:	the probes; those that are not registered are ignored
 * @num:	number of @kps
 *
 * Context: process context; kprobe_mutex held.
 * Return: the number of registered probes.
 */
int kprobes_disable_all(struct kprobe **kps, int num)
{
	struct kprobe_set set;
	int i, valid = 0;

	kprobe_set_init_nofail(&set, num);
	for (i = 0; i < num; i++) {
		struct kprobe *common = kprobe_common(kps[i]);

		if (!common)
			continue;
		valid++;
		disable_one(&set, common, kps[i]);
		cond_resched();
	}
	disarm_set(&set);
	kprobe_set_free(&set);
	return valid;
}

/**
 * disable_kprobes() - disable probes
 * @kps:	the probes
 * @num:	number of @kps
 *
 * Handlers may still run on other CPUs when this returns.
 *
 * Context: may sleep; takes kprobe_mutex.
 * Return: 0; -EINVAL if @num is not positive, or if some probes are not registered (the
 * others are still disabled).
 */
int disable_kprobes(struct kprobe **kps, int num)
{
	if (num <= 0)
		return -EINVAL;
	guard(mutex)(&kprobe_mutex);
	return kprobes_disable_all(kps, num) == num ? 0 : -EINVAL;
}
EXPORT_SYMBOL_GPL(disable_kprobes);

/**
 * disable_kprobe() - disable a probe
 * @kp:	the probe
 *
 * Context: may sleep; takes kprobe_mutex.
 * Return: 0, or -EINVAL if it is not registered.
 */
int disable_kprobe(struct kprobe *kp)
{
	return disable_kprobes(&kp, 1);
}
EXPORT_SYMBOL_GPL(disable_kprobe);

static bool can_enable(struct kprobe **kps, int num)
{
	int i;

	for (i = 0; i < num; i++)
		if (!kprobe_common(kps[i]) || kprobe_gone(kps[i]))
			return false;
	return true;
}

/*
 * Enable the probes.  @enabled gets the probes that were disabled, and @set gets their
 * places.  A probe without a group is in both.
 */
static void enable_flags(struct kprobe_set *enabled, struct kprobe_set *set,
			 struct kprobe **kps, int num)
{
	int i;

	for (i = 0; i < num; i++) {
		struct kprobe *p = kps[i], *common = kprobe_common(p);

		if (kprobe_disabled(p)) {
			enabled->places[enabled->nr++] = p;
			if (p != common)
				p->flags &= ~KPROBE_FLAG_DISABLED;
		}
		kprobe_set_place_enabled(set, common);
	}
}

/**
 * enable_kprobes() - enable probes, all or none
 * @kps:	the probes; enabled probes stay enabled
 * @num:	number of @kps
 *
 * Context: may sleep; takes kprobe_mutex.
 * Return: 0; -EINVAL if @num is not positive, or if a probe is not registered or is
 * gone; -ENOMEM; or an error from ftrace.  After an error, nothing has changed.
 */
int enable_kprobes(struct kprobe **kps, int num)
{
	struct kprobe_set set, enabled;
	int ret;

	if (num <= 0)
		return -EINVAL;
	ret = kprobe_set_init(&enabled, num);
	if (ret)
		return ret;
	ret = kprobe_set_init(&set, num);
	if (ret)
		goto free;

	mutex_lock(&kprobe_mutex);
	if (can_enable(kps, num)) {
		enable_flags(&enabled, &set, kps, num);
		ret = kprobes_arm(set.places, set.nr);
		if (ret) {
			kprobe_set_undo(&set);
			kprobe_set_undo(&enabled);
		}
	} else {
		ret = -EINVAL;
	}
	mutex_unlock(&kprobe_mutex);
	kprobe_set_free(&set);
free:
	kprobe_set_free(&enabled);
	return ret;
}
EXPORT_SYMBOL_GPL(enable_kprobes);

/**
 * enable_kprobe() - enable a probe
 * @kp:	the probe
 *
 * Context: may sleep; takes kprobe_mutex.
 * Return: 0 or a negative errno, see enable_kprobes().
 */
int enable_kprobe(struct kprobe *kp)
{
	return enable_kprobes(&kp, 1);
}
EXPORT_SYMBOL_GPL(enable_kprobe);
