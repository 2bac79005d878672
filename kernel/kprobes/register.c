// SPDX-License-Identifier: GPL-2.0
/*
 * Kernel probes: add and remove sets of probes.
 *
 * Registration checks all places, then prepares all instructions, then arms all places.
 * If one of these steps fails, the probes of the set are removed again.
 */
#define pr_fmt(fmt)	"kprobes: " fmt

#include <linux/cpu.h>
#include <linux/export.h>
#include <linux/init.h>
#include <linux/jump_label.h>
#include <linux/kprobes.h>
#include <linux/list.h>
#include <linux/memory.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/rculist.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "kprobes.h"

/**
 * struct registration - a probe that is being registered
 * @addr:	the address that the user set; NULL if the user set a symbol
 * @mod:	the module of its place, with a reference, or NULL
 * @enable:	the user did not set KPROBE_FLAG_DISABLED
 */
struct registration {
	kprobe_opcode_t	*addr;
	struct module	*mod;
	bool		enable;
};

/**
 * struct registration_set - a set of probes that is being registered
 * @kps:	the probes; disabled until their places are armed
 * @num:	number of @kps
 * @each:	data of each of @kps
 * @checked:	number of probes that passed the checks
 * @added:	number of probes in the table or in a group
 * @places:	places to arm
 */
struct registration_set {
	struct kprobe		**kps;
	int			num;
	struct registration	*each;
	int			checked;
	int			added;
	struct kprobe_set	places;
};

/* Restore the members that the user set: the user may try to register the probe again. */
static void restore_user_members(struct kprobe *p, const struct registration *reg)
{
	p->flags = reg->enable ? 0 : KPROBE_FLAG_DISABLED;
	p->addr = reg->addr;
}

/* Find and check the address of a probe, and initialize its other members. */
static int check(struct kprobe *p, struct registration *reg)
{
	bool on_func_entry;
	kprobe_opcode_t *addr;
	int ret;

	addr = kprobe_resolve(p, &on_func_entry);
	if (IS_ERR(addr))
		return PTR_ERR(addr);
	if (WARN_ON_ONCE(kprobe_is_registered(p, addr)))
		return -EINVAL;

	reg->addr = p->addr;
	p->addr = addr;
	INIT_LIST_HEAD(&p->list);
	p->nmissed = 0;
	reg->enable = !(p->flags & KPROBE_FLAG_DISABLED);
	p->flags &= KPROBE_FLAG_DISABLED;
	ret = kprobe_check_place(p, &reg->mod);
	if (ret) {
		restore_user_members(p, reg);
		return ret;
	}
	p->flags |= KPROBE_FLAG_DISABLED;
	if (on_func_entry)
		p->flags |= KPROBE_FLAG_ON_FUNC_ENTRY;
	return 0;
}

static int check_all(struct registration_set *set)
{
	int ret = 0;

	while (!ret && set->checked < set->num) {
		ret = check(set->kps[set->checked], &set->each[set->checked]);
		if (!ret)
			set->checked++;
		cond_resched();
	}
	return ret;
}

static int add(struct kprobe *p)
{
	struct kprobe *common = get_kprobe(p->addr);
	int ret;

	if (common) {
		/* The probe may be in the set twice. */
		if (WARN_ON_ONCE(kprobe_common(p)))
			return -EINVAL;
		return kprobe_group_add(common, p);
	}
	ret = kprobe_prepare(p);
	if (ret)
		return ret;
	if (!kprobe_group_new(p, NULL))
		kprobe_table_add(p);
	return 0;
}

static int add_all(struct registration_set *set)
{
	int ret = 0;

	cpus_read_lock();
	jump_label_lock();
	mutex_lock(&text_mutex);
	while (!ret && set->added < set->num) {
		ret = add(set->kps[set->added]);
		if (!ret)
			set->added++;
		cond_resched();
	}
	mutex_unlock(&text_mutex);
	jump_label_unlock();
	cpus_read_unlock();
	return ret;
}

static int arm_all(struct registration_set *set)
{
	int i, ret;

	for (i = 0; i < set->num; i++) {
		struct kprobe *p = set->kps[i], *common = kprobe_common(p);

		if (!set->each[i].enable)
			continue;
		if (p != common)
			p->flags &= ~KPROBE_FLAG_DISABLED;
		kprobe_set_place_enabled(&set->places, common);
		cond_resched();
	}
	ret = kprobes_arm(set->places.places, set->places.nr);
	if (ret)
		kprobe_set_undo(&set->places);
	return ret;
}

/* Remove a disarmed probe from the table or its group. */
static void remove(struct kprobe *p)
{
	struct kprobe *common = kprobe_common(p);

	if (!common)
		return;
	if (common == p)
		hlist_del_rcu(&p->hlist);
	else
		kprobe_group_remove(common, p);
}

/**
 * kprobes_remove() - disable probes and remove them from the table
 * @kps:	the probes; the address of those that are not registered becomes NULL
 * @num:	number of @kps
 *
 * Context: may sleep; takes kprobe_mutex.  The caller must then wait for an RCU grace
 * period and call kprobes_release().
 */
void kprobes_remove(struct kprobe **kps, int num)
{
	int i;

	mutex_lock(&kprobe_mutex);
	kprobes_disable_all(kps, num);
	for (i = 0; i < num; i++) {
		if (kprobe_common(kps[i]))
			remove(kps[i]);
		else
			kps[i]->addr = NULL;
		cond_resched();
	}
	mutex_unlock(&kprobe_mutex);
}

/**
 * kprobes_release() - free the memory of removed probes
 * @kps:	the probes, from kprobes_remove()
 * @num:	number of @kps
 *
 * Context: may sleep; after an RCU grace period.
 */
void kprobes_release(struct kprobe **kps, int num)
{
	int i;

	for (i = 0; i < num; i++) {
		/* A probe from a group has no slots.  Its @list still points to the group. */
		if (kps[i]->addr && list_empty(&kps[i]->list))
			arch_remove_kprobe(kps[i]);
		cond_resched();
	}
	/* Architectures without jumps rely on unused groups being freed by now. */
	if (!IS_ENABLED(CONFIG_OPTPROBES))
		kprobe_group_flush();
}

/* Remove the probes that were added.  They are not armed. */
static void remove_added(struct registration_set *set)
{
	int i;

	for (i = 0; i < set->added; i++) {
		set->kps[i]->flags |= KPROBE_FLAG_DISABLED;
		remove(set->kps[i]);
	}
}

static void drop_modules(struct registration_set *set)
{
	int i;

	for (i = 0; i < set->checked; i++)
		module_put(set->each[i].mod);
}

static int register_set(struct registration_set *set, bool *arming)
{
	int i, ret;

	mutex_lock(&kprobe_mutex);
	ret = check_all(set);
	if (!ret)
		ret = add_all(set);
	*arming = !ret;
	if (!ret)
		ret = arm_all(set);
	if (ret)
		remove_added(set);
	/* A module that fails to load waits for kprobe_mutex, but not for references. */
	drop_modules(set);
	mutex_unlock(&kprobe_mutex);

	if (ret) {
		if (set->added) {
			synchronize_rcu();
			kprobes_release(set->kps, set->added);
		}
		/* If a probe is in the set twice, only its first saved @addr is from the user. */
		for (i = set->checked; i--;)
			restore_user_members(set->kps[i], &set->each[i]);
	}
	return ret;
}

/**
 * kprobes_add() - register probes, all or none
 * @kps:	the probes
 * @num:	number of @kps
 * @arming:	set to true if places began to be armed, so that there may be hits even if
 *		this returns an error
 *
 * Context: may sleep; takes kprobe_mutex.
 * Return: 0 or a negative errno, as register_kprobes().
 */
int kprobes_add(struct kprobe **kps, int num, bool *arming)
{
	struct registration_set set = { .kps = kps, .num = num };
	struct registration one;
	int ret;

	*arming = false;
	if (num <= 0)
		return -EINVAL;
	set.each = &one;
	if (num > 1)
		set.each = kvmalloc_array(num, sizeof(*set.each), GFP_KERNEL);
	if (!set.each)
		return -ENOMEM;
	ret = kprobe_set_init(&set.places, num);
	if (!ret) {
		ret = register_set(&set, arming);
		kprobe_set_free(&set.places);
	}
	if (set.each != &one)
		kvfree(set.each);
	return ret;
}

/**
 * register_kprobes() - register probes, all or none
 * @kps:	the probes
 * @num:	number of @kps
 *
 * The places of probes without KPROBE_FLAG_DISABLED are armed.
 *
 * Context: may sleep; takes kprobe_mutex.
 * Return: 0; -EINVAL if @num is not positive, a probe has both a symbol and an address or
 * neither, a probe is registered already, or a place must not be probed; -ENOENT if there
 * is no symbol, or the text is about to be freed; -ENOMEM; or an error of
 * arch_prepare_kprobe() or of ftrace.
 */
int register_kprobes(struct kprobe **kps, int num)
{
	bool arming;

	return kprobes_add(kps, num, &arming);
}
EXPORT_SYMBOL_GPL(register_kprobes);

/**
 * register_kprobe() - register a probe
 * @p:	the probe
 *
 * Context: may sleep; takes kprobe_mutex.
 * Return: 0 or a negative errno, as register_kprobes().
 */
int register_kprobe(struct kprobe *p)
{
	return register_kprobes(&p, 1);
}
EXPORT_SYMBOL_GPL(register_kprobe);

/**
 * unregister_kprobes() - unregister probes
 * @kps:	the probes; the address of those that were not registered becomes NULL
 * @num:	number of @kps
 *
 * None of their handlers runs any more when this returns.
 *
 * Context: may sleep; takes kprobe_mutex.
 */
void unregister_kprobes(struct kprobe **kps, int num)
{
	if (num <= 0)
		return;
	kprobes_remove(kps, num);
	synchronize_rcu();
	kprobes_release(kps, num);
}
EXPORT_SYMBOL_GPL(unregister_kprobes);

/**
 * unregister_kprobe() - unregister a probe
 * @p:	the probe; its address becomes NULL if it was not registered
 *
 * None of its handlers runs any more when this returns.
 *
 * Context: may sleep; takes kprobe_mutex.
 */
void unregister_kprobe(struct kprobe *p)
{
	unregister_kprobes(&p, 1);
}
EXPORT_SYMBOL_GPL(unregister_kprobe);

static int __init init_kprobes(void)
{
	int ret;

	ret = kprobe_init_blacklist();
	if (ret)
		pr_err("The list of functions that must not be probed is incomplete (%d)\n",
		       ret);
	kprobe_init_returns();
	kprobe_init_slots();
	return arch_init_kprobes() ?: kprobe_init_hits() ?: kprobe_init_unload();
}
early_initcall(init_kprobes);
