// SPDX-License-Identifier: GPL-2.0
/*
 * Kernel probes: groups, for places that have several probes or may have a jump.
 *
 * The common probe of a group is in the hash table.  It owns the slots, and each probe
 * has a copy of its @ainsn.  The slots are freed with the group, or before the text is freed.
 * The group is freed after its last probe is unregistered, by a work item that waits until
 * no CPU and no task uses the group.
 */
#include <linux/kprobes.h>
#include <linux/list.h>
#include <linux/rculist.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/workqueue.h>

/* For flush_insn_slot() of some architectures. */
#include <asm/cacheflush.h>

#include "kprobes.h"

/**
 * kprobe_prepare() - let the architecture prepare a probe for arming
 * @p:	the probe; this sets its @ainsn and, for a breakpoint, its @opcode
 *
 * Context: process context; kprobe_mutex, jump_label_lock() and text_mutex held.
 * Return: 0 or a negative errno.
 */
int kprobe_prepare(struct kprobe *p)
{
	return kprobe_ftrace(p) ? arch_prepare_kprobe_ftrace(p) : arch_prepare_kprobe(p);
}

static void copy_insn(struct kprobe *to, const struct kprobe *from)
{
	to->opcode = from->opcode;
	to->ainsn = from->ainsn;
}

#ifdef CONFIG_OPTPROBES
static struct kprobe *common_of(struct kprobe_group *group)
{
	return &group->op.kp;
}

static void init_jump(struct kprobe_group *group)
{
	INIT_LIST_HEAD(&group->op.list);
}

static void prepare_jump(struct kprobe *common, struct kprobe *prepared)
{
	struct kprobe_group *group = kprobe_group_of(common);

	/* ftrace owns the text there. */
	if (!kprobe_ftrace(prepared))
		arch_prepare_optimized_kprobe(&group->op, prepared);
}

static bool has_detour(struct kprobe *common)
{
	return arch_prepared_optinsn(&kprobe_group_of(common)->op.optinsn);
}

static void remove_detour(struct kprobe *common)
{
	arch_remove_optimized_kprobe(&kprobe_group_of(common)->op);
}

static bool has_jump(struct kprobe *common)
{
	return kprobe_group_of(common)->jump != KPROBE_JUMP_NONE;
}
#else
static struct kprobe *common_of(struct kprobe_group *group)
{
	return &group->kp;
}

static void init_jump(struct kprobe_group *group) { }

static void prepare_jump(struct kprobe *common, struct kprobe *prepared) { }

static bool has_detour(struct kprobe *common)
{
	return false;
}

static void remove_detour(struct kprobe *common) { }

static bool has_jump(struct kprobe *common)
{
	return false;
}
#endif

/**
 * kprobe_group_new() - put a prepared probe into a new group
 * @first:	the probe
 * @old:	@first if it is in the hash table, where the group replaces it; NULL if
 *		@first is new, in which case it gets a group only if there can be a jump
 *
 * Context: process context; kprobe_mutex, jump_label_lock() and text_mutex held.
 * Return: the common probe, in the hash table; NULL if out of memory, or if @first is new and
 * there can be no jump.
 */
struct kprobe *kprobe_group_new(struct kprobe *first, struct kprobe *old)
{
	struct kprobe_group *group;
	struct kprobe *common;

	if (!old && (!IS_ENABLED(CONFIG_OPTPROBES) || kprobe_ftrace(first)))
		return NULL;
	group = kzalloc(sizeof(*group), GFP_KERNEL);
	if (!group)
		return NULL;
	init_jump(group);
	common = common_of(group);
	common->addr = first->addr;
	/* If the probe is gone, there may be other text at its address now. */
	if (!kprobe_gone(first))
		prepare_jump(common, first);
	if (!old && !has_detour(common)) {
		remove_detour(common);
		kfree(group);
		return NULL;
	}

	copy_insn(common, first);
	flush_insn_slot(common);
	common->flags = first->flags & ~KPROBE_FLAG_OPTIMIZED;
	common->pre_handler = kprobe_group_pre_handler;
	if (first->post_handler && !kprobe_gone(first))
		common->post_handler = kprobe_group_post_handler;
	INIT_LIST_HEAD(&common->list);
	list_add_rcu(&first->list, &common->list);
	if (old)
		hlist_replace_rcu(&old->hlist, &common->hlist);
	else
		kprobe_table_add(common);
	return common;
}

/*
 * The text of the place was unloaded, and now there is other text at its address.  The
 * old probes of the group stay gone.
 */
static int revive(struct kprobe *common, const struct kprobe *p)
{
	u32 kind = p->flags & (KPROBE_FLAG_FTRACE | KPROBE_FLAG_ON_FUNC_ENTRY);
	u32 flags = common->flags;
	int ret;

	common->flags = kind | KPROBE_FLAG_DISABLED;
	ret = kprobe_prepare(common);
	if (ret) {
		common->flags = flags;
		/* After an error, arm leaves a pointer to a local variable here. */
		memset(&common->ainsn, 0, sizeof(common->ainsn));
	} else {
		prepare_jump(common, common);
	}
	return ret;
}

/**
 * kprobe_group_add() - add a probe to a place that has probes
 * @common:	the common probe, or the only probe of the place
 * @p:		the new probe
 *
 * The caller arms the place if necessary.
 *
 * Context: process context; kprobe_mutex, cpus_read_lock(), jump_label_lock() and
 * text_mutex held.
 * Return: 0 or a negative errno.
 */
int kprobe_group_add(struct kprobe *common, struct kprobe *p)
{
	int ret;

	if (!kprobe_is_group(common)) {
		common = kprobe_group_new(common, common);
		if (!common)
			return -ENOMEM;
	}
	if (kprobe_gone(common)) {
		ret = revive(common, p);
		if (ret)
			return ret;
	}

	copy_insn(p, common);
	list_add_rcu(&p->list, &common->list);
	/* A detour does not call post_handlers. */
	if (p->post_handler) {
		kprobes_unoptimize(&common, 1);
		common->post_handler = kprobe_group_post_handler;
	}
	return 0;
}

/**
 * kprobe_has_post_handler() - does a probe of a place have a post_handler?
 * @common:	the common probe, or the only probe of the place
 *
 * @common->post_handler may still be set because of a probe that has left the group.
 *
 * Context: kprobe_mutex held.
 * Return: whether a probe does; in a group, probes that are gone do not count.
 */
bool kprobe_has_post_handler(const struct kprobe *common)
{
	struct kprobe *member;

	if (!kprobe_is_group(common))
		return common->post_handler;
	list_for_each_entry(member, &common->list, list)
		if (member->post_handler && !kprobe_gone(member))
			return true;
	return false;
}

static void update_post_handler(struct kprobe *common)
{
	/*
	 * Clear the pointer, so that the place may have a jump.  Keep it if no jump is
	 * possible: some architectures test the pointer and load it again for the call.
	 */
	if (!IS_ENABLED(CONFIG_OPTPROBES) || kprobe_ftrace(common))
		return;
	if (!kprobe_has_post_handler(common))
		WRITE_ONCE(common->post_handler, NULL);
}

/**
 * kprobe_group_remove() - remove a probe from its group
 * @common:	the common probe
 * @p:		the probe, disabled
 *
 * Retires the group if this was its last probe.  If there is still a jump, the optimizer
 * removes it and then retires the group.
 *
 * Context: kprobe_mutex held.
 */
void kprobe_group_remove(struct kprobe *common, struct kprobe *p)
{
	list_del_rcu(&p->list);
	if (list_empty(&common->list)) {
		if (!has_jump(common))
			kprobe_group_retire(common);
		return;
	}
	if (p->post_handler && !kprobe_gone(p)) {
		update_post_handler(common);
		/* The post_handler may have prevented a jump. */
		kprobe_optimize(common);
	}
}

/**
 * kprobe_free_insns() - free the memory that the architecture allocated for a place
 * @p:	the probe of a place, which no CPU can hit any more
 *
 * Context: may sleep.
 */
void kprobe_free_insns(struct kprobe *p)
{
	if (kprobe_is_group(p))
		remove_detour(p);
	arch_remove_kprobe(p);
}

static LLIST_HEAD(dead_groups);

static void free_dead_groups(struct work_struct *work)
{
	struct llist_node *dead = llist_del_all(&dead_groups);
	struct kprobe_group *group, *next;

	if (!dead)
		return;
	/* Wait for hits that found a group in the table. */
	synchronize_rcu();
	/* Wait for tasks that were preempted in a detour. */
	if (IS_ENABLED(CONFIG_OPTPROBES))
		synchronize_rcu_tasks();

	llist_for_each_entry_safe(group, next, dead, dead) {
		kprobe_free_insns(common_of(group));
		kfree(group);
		cond_resched();
	}
}
static DECLARE_WORK(free_work, free_dead_groups);

/**
 * kprobe_group_retire() - remove an unused group from the hash table and free it later
 * @common:	the common probe of a disarmed group that has no probes left
 *
 * Context: kprobe_mutex held.
 */
void kprobe_group_retire(struct kprobe *common)
{
	lockdep_assert_held(&kprobe_mutex);
	hlist_del_rcu(&common->hlist);
	if (llist_add(&kprobe_group_of(common)->dead, &dead_groups))
		queue_work(system_unbound_wq, &free_work);
}

/**
 * kprobe_group_flush() - wait until retired groups are freed
 *
 * Context: may sleep; no locks held.
 */
void kprobe_group_flush(void)
{
	flush_work(&free_work);
}
