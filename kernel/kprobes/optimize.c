// SPDX-License-Identifier: GPL-2.0
/*
 * Kernel probes: jumps instead of breakpoints.
 *
 * A jump replaces all instructions of a region, so no task may be preempted inside the
 * region when the jump is written.  A task may have entered the region before the
 * breakpoint was armed.  So the optimizer, a thread, waits for an RCU-tasks grace period
 * after a place is queued, and then writes the jumps of all places still queued.
 *
 * The optimizer also removes jumps: those of disabled places, and all jumps if the user
 * turns them off.  Callers that arm a probe inside a region, add a probe with a
 * post_handler, or disarm all probes, do not wait for the thread: they remove the jump at
 * once and take the place off the thread's lists.
 *
 * A pass of the thread handles all places that are on its lists, in batches.  It holds
 * kprobe_mutex during a batch, but not during the grace period.  So a place can leave the
 * list @waiting before its jump is written; then it gets no jump.
 */
#define pr_fmt(fmt)	"kprobes: " fmt

#include <linux/cleanup.h>
#include <linux/cpu.h>
#include <linux/init.h>
#include <linux/kprobes.h>
#include <linux/kthread.h>
#include <linux/list.h>
#include <linux/memory.h>
#include <linux/mutex.h>
#include <linux/printk.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sysctl.h>
#include <linux/wait.h>

#include "kprobes.h"

/* A pass starts this many jiffies after the first request, to include later requests. */
#define DELAY	5

/* Number of places to disarm together; the array is on the stack. */
#define BATCH	32

/* kprobe_mutex protects changes of these variables. */
static LIST_HEAD(queued);	/* KPROBE_JUMP_QUEUED, the grace period has not begun */
static LIST_HEAD(waiting);	/* KPROBE_JUMP_QUEUED, the grace period has begun */
static LIST_HEAD(unoptimizing);	/* KPROBE_JUMP_UNOPTIMIZING */
static unsigned long nr_passes;
static bool jumps_allowed;
static struct task_struct *optimizer_task;

static DECLARE_WAIT_QUEUE_HEAD(wake_wait);	/* the thread waits here */
static DECLARE_WAIT_QUEUE_HEAD(pass_wait);	/* callers wait here for the end of a pass */
static bool has_work;
static bool expedite;

static struct kprobe_group *group_of(struct optimized_kprobe *op)
{
	return container_of(op, struct kprobe_group, op);
}

/* The group of a place if it can have a jump, or NULL. */
static struct kprobe_group *jump_group(struct kprobe *p)
{
	struct kprobe_group *group;

	if (!p || !kprobe_is_group(p))
		return NULL;
	group = kprobe_group_of(p);
	return arch_prepared_optinsn(&group->op.optinsn) ? group : NULL;
}

static void request_pass(void)
{
	WRITE_ONCE(has_work, true);
	wake_up(&wake_wait);
}

static void set_jump(struct kprobe_group *group, enum kprobe_jump jump)
{
	group->jump = jump;
	if (jump == KPROBE_JUMP_NONE)
		group->op.kp.flags &= ~KPROBE_FLAG_OPTIMIZED;
	else
		group->op.kp.flags |= KPROBE_FLAG_OPTIMIZED;
}

/**
 * kprobe_optimize() - let the optimizer write a jump if possible
 * @p:	the probe of a place
 *
 * A jump that is about to be removed stays in the text.
 *
 * Context: kprobe_mutex held.
 */
void kprobe_optimize(struct kprobe *p)
{
	struct kprobe_group *group = jump_group(p);

	lockdep_assert_held(&kprobe_mutex);
	if (!group || !jumps_allowed || kprobes_all_disarmed || kprobe_disabled(p) ||
	    p->post_handler || arch_check_optimized_kprobe(&group->op) < 0)
		return;

	switch (group->jump) {
	case KPROBE_JUMP_NONE:
		set_jump(group, KPROBE_JUMP_QUEUED);
		list_add_tail(&group->op.list, &queued);
		request_pass();
		break;
	case KPROBE_JUMP_UNOPTIMIZING:
		set_jump(group, KPROBE_JUMP_WRITTEN);
		list_del_init(&group->op.list);
		break;
	case KPROBE_JUMP_QUEUED:
	case KPROBE_JUMP_WRITTEN:
		break;
	}
}

/* A jump covers at most this number of kprobe_opcode_t units from its own address. */
#define MAX_DISTANCE	(MAX_OPTIMIZED_LENGTH / sizeof(kprobe_opcode_t))

/* The group @distance before @addr if its jump would cover @addr, or NULL. */
static struct kprobe_group *covering(kprobe_opcode_t *addr, unsigned int distance)
{
	struct kprobe_group *group = jump_group(get_kprobe(addr - distance));

	if (!group || !arch_within_optimized_kprobe(&group->op, addr))
		return NULL;
	return group;
}

/**
 * kprobe_optimize_around() - queue the jumps that a removed breakpoint may have prevented
 * @addr:	address of the breakpoint
 *
 * Context: kprobe_mutex held.
 */
void kprobe_optimize_around(kprobe_opcode_t *addr)
{
	struct kprobe_group *group;
	unsigned int i;

	for (i = 1; i < MAX_DISTANCE; i++) {
		group = covering(addr, i);
		if (group)
			kprobe_optimize(&group->op.kp);
	}
}

/**
 * kprobe_jump_is_written() - is there a jump in the text of a place?
 * @p:	the probe of the place
 *
 * Context: kprobe_mutex and text_mutex held.
 * Return: whether there is.
 */
bool kprobe_jump_is_written(struct kprobe *p)
{
	struct kprobe_group *group = jump_group(p);

	return group && (group->jump == KPROBE_JUMP_WRITTEN ||
			 group->jump == KPROBE_JUMP_UNOPTIMIZING);
}

/**
 * kprobe_unoptimize_later() - let the optimizer remove a jump
 * @p:	the probe of a place
 *
 * If the place is disabled, the optimizer also disarms it.
 *
 * Context: kprobe_mutex held.
 * Return: true if the jump will be removed; false if there is no jump, and none will be
 * written.
 */
bool kprobe_unoptimize_later(struct kprobe *p)
{
	struct kprobe_group *group = jump_group(p);

	lockdep_assert_held(&kprobe_mutex);
	if (!group)
		return false;
	switch (group->jump) {
	case KPROBE_JUMP_NONE:
		return false;
	case KPROBE_JUMP_QUEUED:
		list_del_init(&group->op.list);
		set_jump(group, KPROBE_JUMP_NONE);
		return false;
	case KPROBE_JUMP_WRITTEN:
		set_jump(group, KPROBE_JUMP_UNOPTIMIZING);
		list_add_tail(&group->op.list, &unoptimizing);
		request_pass();
		break;
	case KPROBE_JUMP_UNOPTIMIZING:
		break;
	}
	return true;
}

/* Disarm places whose jump was removed. */
static void disarm_batch(struct kprobe **places, unsigned int num)
{
	unsigned int i;

	arch_disarm_kprobes(places, num);
	for (i = 0; i < num; i++) {
		kprobe_optimize_around(places[i]->addr);
		if (kprobe_is_empty_group(places[i]))
			kprobe_group_retire(places[i]);
	}
}

/*
 * Remove the jumps of the groups in a list.  The breakpoint of a place stays if the
 * place is enabled and probes are not globally disarmed.
 */
static void remove_jumps(struct list_head *ops)
{
	struct optimized_kprobe *op, *next;
	struct kprobe *places[BATCH];
	unsigned int num = 0;
	LIST_HEAD(done);

	lockdep_assert_held(&text_mutex);
	if (list_empty(ops))
		return;
	arch_unoptimize_kprobes(ops, &done);
	/*
	 * disarm_batch() does not queue a place that is still in @done.  Either the
	 * place is disabled, or jumps are not allowed, or all probes are disarmed, or
	 * its state is KPROBE_JUMP_WRITTEN.
	 */
	list_for_each_entry_safe(op, next, &done, list) {
		list_del_init(&op->list);
		set_jump(group_of(op), KPROBE_JUMP_NONE);
		/* The breakpoint of a trampoline is never disarmed; see debugfs.c. */
		if (!kprobe_disabled(&op->kp) &&
		    (!kprobes_all_disarmed || arch_trampoline_kprobe(&op->kp)))
			continue;
		/* The text was freed. */
		if (kprobe_gone(&op->kp))
			continue;
		places[num++] = &op->kp;
		if (num == BATCH) {
			disarm_batch(places, num);
			num = 0;
		}
	}
	disarm_batch(places, num);
}

static void take_jump(struct kprobe_group *group, struct list_head *ops)
{
	switch (group->jump) {
	case KPROBE_JUMP_NONE:
		break;
	case KPROBE_JUMP_QUEUED:
		list_del_init(&group->op.list);
		set_jump(group, KPROBE_JUMP_NONE);
		break;
	case KPROBE_JUMP_WRITTEN:
	case KPROBE_JUMP_UNOPTIMIZING:
		list_move_tail(&group->op.list, ops);
		break;
	}
}

/**
 * kprobes_unoptimize() - remove jumps at once
 * @places:	the probes of places; a place that has a jump is also disarmed if it is
 *		disabled, or if probes are globally disarmed
 * @num:	number of @places
 *
 * Context: process context; kprobe_mutex, cpus_read_lock() and text_mutex held.
 */
void kprobes_unoptimize(struct kprobe **places, unsigned int num)
{
	struct kprobe_group *group;
	LIST_HEAD(ops);

	while (num--) {
		group = jump_group(*places++);
		if (group)
			take_jump(group, &ops);
	}
	remove_jumps(&ops);
}

/**
 * kprobe_unoptimize_around() - remove at once all jumps that cover an address
 * @addr:	the address, which gets a breakpoint
 *
 * Context: process context; kprobe_mutex, cpus_read_lock() and text_mutex held.
 */
void kprobe_unoptimize_around(kprobe_opcode_t *addr)
{
	struct kprobe_group *group;
	unsigned int i;
	LIST_HEAD(ops);

	for (i = 1; i < MAX_DISTANCE; i++) {
		group = covering(addr, i);
		if (group)
			take_jump(group, &ops);
	}
	remove_jumps(&ops);
}

/**
 * kprobe_cancel_jump() - cancel the jump of a place whose text is freed
 * @p:	the common probe, gone
 *
 * Context: kprobe_mutex held.
 */
void kprobe_cancel_jump(struct kprobe *p)
{
	struct kprobe_group *group = kprobe_group_of(p);

	list_del_init(&group->op.list);
	set_jump(group, KPROBE_JUMP_NONE);
}

/* The thread */

static void lock_text(void)
{
	mutex_lock(&kprobe_mutex);
	cpus_read_lock();
	mutex_lock(&text_mutex);
}

static void unlock_text(void)
{
	mutex_unlock(&text_mutex);
	cpus_read_unlock();
	mutex_unlock(&kprobe_mutex);
}

static void take_batch(struct list_head *from, struct list_head *batch)
{
	unsigned int num;

	for (num = 0; num < KPROBE_MAX_BATCH && !list_empty(from); num++)
		list_move_tail(from->next, batch);
}

/* Remove a batch of jumps.  Return false if there are more. */
static bool remove_some_jumps(void)
{
	LIST_HEAD(batch);

	take_batch(&unoptimizing, &batch);
	remove_jumps(&batch);
	return list_empty(&unoptimizing);
}

/* Write a batch of jumps.  Return false if there are more. */
static bool write_some_jumps(void)
{
	struct optimized_kprobe *op;
	LIST_HEAD(batch);

	take_batch(&waiting, &batch);
	list_for_each_entry(op, &batch, list)
		set_jump(group_of(op), KPROBE_JUMP_WRITTEN);
	if (!list_empty(&batch))
		arch_optimize_kprobes(&batch);
	return list_empty(&waiting);
}

/* Release the locks after each batch, so that other tasks can take them. */
static void in_batches(bool (*change_some)(void))
{
	bool all;

	do {
		lock_text();
		all = change_some();
		unlock_text();
		cond_resched();
	} while (!all);
}

static bool begin_wait(void)
{
	guard(mutex)(&kprobe_mutex);
	list_splice_tail_init(&queued, &waiting);
	return !list_empty(&waiting);
}

static void end_pass(void)
{
	guard(mutex)(&kprobe_mutex);
	nr_passes++;
}

static void one_pass(void)
{
	in_batches(remove_some_jumps);
	if (begin_wait()) {
		synchronize_rcu_tasks();
		in_batches(write_some_jumps);
	}
	end_pass();
	wake_up_all(&pass_wait);
}

static int optimizer(void *unused)
{
	for (;;) {
		wait_event_interruptible(wake_wait, READ_ONCE(has_work));
		wait_event_interruptible_timeout(wake_wait, READ_ONCE(expedite), DELAY);
		WRITE_ONCE(expedite, false);
		WRITE_ONCE(has_work, false);
		one_pass();
	}
	return 0;
}

/* Is there nothing to do?  @pass is set to the number of passes so far. */
static bool is_idle(unsigned long *pass)
{
	guard(mutex)(&kprobe_mutex);
	*pass = nr_passes;
	return list_empty(&queued) && list_empty(&waiting) && list_empty(&unoptimizing);
}

/**
 * wait_for_kprobe_optimizer() - wait until all jumps are written or removed
 *
 * Groups without probes have been freed when this returns.
 *
 * Context: may sleep; takes kprobe_mutex; no locks held.
 */
void wait_for_kprobe_optimizer(void)
{
	unsigned long pass;

	while (!is_idle(&pass)) {
		WRITE_ONCE(expedite, true);
		request_pass();
		wait_event(pass_wait, READ_ONCE(nr_passes) != pass);
	}
	kprobe_group_flush();
}

/* Turning jumps on and off */

static void allow_jumps(void)
{
	struct hlist_node *next;
	struct kprobe *p;
	unsigned int i;

	guard(mutex)(&kprobe_mutex);
	if (jumps_allowed || !optimizer_task)
		return;
	jumps_allowed = true;
	for_each_kprobe_place(p, next, i)
		kprobe_optimize(p);
	pr_info("Breakpoints are replaced with jumps if possible\n");
}

static int __init start_optimizer(void)
{
	struct task_struct *task = kthread_run(optimizer, NULL, "kprobe-optimizer");

	if (IS_ERR(task)) {
		pr_err("Cannot start the optimizer (%ld)\n", PTR_ERR(task));
		return PTR_ERR(task);
	}
	optimizer_task = task;
	allow_jumps();
	return 0;
}
subsys_initcall(start_optimizer);

#ifdef CONFIG_SYSCTL
static void forbid_jumps(void)
{
	struct hlist_node *next;
	struct kprobe *p;
	unsigned int i;

	mutex_lock(&kprobe_mutex);
	if (!jumps_allowed) {
		mutex_unlock(&kprobe_mutex);
		return;
	}
	jumps_allowed = false;
	for_each_kprobe_place(p, next, i)
		kprobe_unoptimize_later(p);
	mutex_unlock(&kprobe_mutex);
	wait_for_kprobe_optimizer();
	pr_info("Breakpoints are not replaced with jumps\n");
}

/* Serializes accesses to the file. */
static DEFINE_MUTEX(sysctl_mutex);
static int sysctl_allowed;

static int handle_sysctl(const struct ctl_table *table, int write, void *buffer,
			 size_t *length, loff_t *ppos)
{
	int ret;

	guard(mutex)(&sysctl_mutex);
	sysctl_allowed = READ_ONCE(jumps_allowed);
	ret = proc_dointvec_minmax(table, write, buffer, length, ppos);
	if (ret || !write)
		return ret;
	if (sysctl_allowed)
		allow_jumps();
	else
		forbid_jumps();
	return 0;
}

static struct ctl_table sysctls[] = {
	{
		.procname	= "kprobes-optimization",
		.mode		= 0644,
		.proc_handler	= handle_sysctl,
		.data		= &sysctl_allowed,
		.maxlen		= sizeof(sysctl_allowed),
		.extra1		= SYSCTL_ZERO,
		.extra2		= SYSCTL_ONE,
	},
};

static int __init add_sysctls(void)
{
	register_sysctl_init("debug", sysctls);
	return 0;
}
early_initcall(add_sysctls);
#endif
