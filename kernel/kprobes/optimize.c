// SPDX-License-Identifier: GPL-2.0
/*
 * Kernel probes: jumps instead of breakpoints.
 *
 * A jump replaces all instructions of a region, so no task may be preempted inside the
 * region when the jump is written.  A task may have entered the region before the
 * breakpoint was armed.  So the optimizer, a thread, waits for an RCU-tasks grace period
 * after a place is queued, and then writes the jumps of the places that are still queued.
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

/* kprobe_mutex protects changes of these variables. */
static LIST_HEAD(queued);	/* PLACE_QUEUED, the grace period has not begun */
static LIST_HEAD(waiting);	/* PLACE_QUEUED, the grace period has begun */
static LIST_HEAD(unoptimizing);	/* PLACE_UNOPTIMIZING */
static unsigned long nr_passes;
static bool jumps_allowed;
static struct task_struct *optimizer_task;

static DECLARE_WAIT_QUEUE_HEAD(wake_wait);	/* the thread waits here */
static DECLARE_WAIT_QUEUE_HEAD(pass_wait);	/* callers wait here for the end of a pass */
static bool has_work;
static bool expedite;

static struct kprobe_place *place_of(struct optimized_kprobe *op)
{
	return kprobe_place_of(&op->kp);
}

/* Can the place have a jump? */
static bool has_detour(struct kprobe_place *place)
{
	return !kprobe_ftrace(&place->kp) && arch_prepared_optinsn(&place->op.optinsn);
}

static void request_pass(void)
{
	WRITE_ONCE(has_work, true);
	wake_up(&wake_wait);
}

/**
 * kprobe_optimize() - let the optimizer write a jump if possible
 * @place:	a place
 *
 * A jump that is about to be removed stays in the text.
 *
 * Context: kprobe_mutex held.
 */
void kprobe_optimize(struct kprobe_place *place)
{
	lockdep_assert_held(&kprobe_mutex);
	if (!has_detour(place) || !jumps_allowed || kprobes_all_disarmed ||
	    kprobe_disabled(&place->kp) || place->kp.post_handler ||
	    arch_check_optimized_kprobe(&place->op) < 0)
		return;

	if (place->state == PLACE_BREAKPOINT) {
		kprobe_place_set_state(place, PLACE_QUEUED);
		list_add_tail(&place->op.list, &queued);
		request_pass();
	} else if (place->state == PLACE_UNOPTIMIZING) {
		kprobe_place_set_state(place, PLACE_JUMP);
		list_del_init(&place->op.list);
	}
}

/* A jump covers at most this number of kprobe_opcode_t units from its own address. */
#define MAX_DISTANCE	(MAX_OPTIMIZED_LENGTH / sizeof(kprobe_opcode_t))

/* The place @distance before @addr if its jump would cover @addr, or NULL. */
static struct kprobe_place *covering(kprobe_opcode_t *addr, unsigned int distance)
{
	struct kprobe_place *place = kprobe_place_at(addr - distance);

	if (!place || !has_detour(place) || !arch_within_optimized_kprobe(&place->op, addr))
		return NULL;
	return place;
}

/**
 * kprobe_optimize_around() - queue the jumps that a removed breakpoint may have prevented
 * @addr:	address of the breakpoint
 *
 * Context: kprobe_mutex held.
 */
void kprobe_optimize_around(kprobe_opcode_t *addr)
{
	struct kprobe_place *place;
	unsigned int i;

	for (i = 1; i < MAX_DISTANCE; i++) {
		place = covering(addr, i);
		if (place)
			kprobe_optimize(place);
	}
}

/* Write no jump. */
static void dequeue(struct kprobe_place *place)
{
	list_del_init(&place->op.list);
	kprobe_place_set_state(place, PLACE_BREAKPOINT);
}

/**
 * kprobe_unoptimize_later() - let the optimizer remove a jump
 * @place:	a place
 *
 * If the place is disabled, the optimizer also disarms it.
 *
 * Context: kprobe_mutex held.
 * Return: true if the jump will be removed; false if there is no jump, and none will be
 * written.
 */
bool kprobe_unoptimize_later(struct kprobe_place *place)
{
	lockdep_assert_held(&kprobe_mutex);
	if (place->state == PLACE_QUEUED) {
		dequeue(place);
	} else if (place->state == PLACE_JUMP) {
		kprobe_place_set_state(place, PLACE_UNOPTIMIZING);
		list_add_tail(&place->op.list, &unoptimizing);
		request_pass();
	}
	return place->state == PLACE_UNOPTIMIZING;
}

/* Disarm places whose jump was removed. */
static void disarm(struct llist_head *places)
{
	struct kprobe_place *place;

	arch_disarm_kprobes(places);
	while ((place = kprobe_list_pop(places))) {
		kprobe_place_set_state(place, PLACE_DISARMED);
		kprobe_optimize_around(place->kp.addr);
		/* A set retires the places that it has changed. */
		if (kprobe_place_is_empty(place) && !place->touched)
			kprobe_place_retire(place);
	}
}

static bool must_disarm(struct kprobe_place *place)
{
	/* The breakpoint of a trampoline is never disarmed; see debugfs.c. */
	return kprobe_disabled(&place->kp) ||
	       (kprobes_all_disarmed && !arch_trampoline_kprobe(&place->kp));
}

/*
 * Remove the jumps of the places in a list.  The breakpoint of a place stays if the
 * place is enabled and probes are not globally disarmed.
 */
static void remove_jumps(struct list_head *ops)
{
	struct optimized_kprobe *op, *next;
	LLIST_HEAD(places);
	LIST_HEAD(done);

	lockdep_assert_held(&text_mutex);
	if (list_empty(ops))
		return;
	arch_unoptimize_kprobes(ops, &done);
	list_for_each_entry_safe(op, next, &done, list) {
		list_del_init(&op->list);
		kprobe_place_set_state(place_of(op), PLACE_BREAKPOINT);
		if (must_disarm(place_of(op)))
			kprobe_list_add(&places, place_of(op));
	}
	if (places.first)
		disarm(&places);
}

static void take_jump(struct kprobe_place *place, struct list_head *ops)
{
	if (place->state == PLACE_QUEUED)
		dequeue(place);
	else if (kprobe_place_has_jump(place))
		list_move_tail(&place->op.list, ops);
}

/**
 * kprobe_unoptimize() - remove a jump at once
 * @place:	a place; if it has a jump, it is also disarmed if it is disabled
 *
 * Context: process context; kprobe_mutex, cpus_read_lock() and text_mutex held.
 */
void kprobe_unoptimize(struct kprobe_place *place)
{
	LIST_HEAD(ops);

	take_jump(place, &ops);
	remove_jumps(&ops);
}

/**
 * kprobes_unoptimize() - remove jumps at once
 * @places:	places, which are also disarmed if they are disabled, or if probes are globally
 *		disarmed; emptied
 *
 * Context: process context; kprobe_mutex, cpus_read_lock() and text_mutex held.
 */
void kprobes_unoptimize(struct llist_head *places)
{
	struct kprobe_place *place;
	LIST_HEAD(ops);

	while ((place = kprobe_list_pop(places)))
		take_jump(place, &ops);
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
	struct kprobe_place *place;
	unsigned int i;
	LIST_HEAD(ops);

	for (i = 1; i < MAX_DISTANCE; i++) {
		place = covering(addr, i);
		if (place)
			take_jump(place, &ops);
	}
	remove_jumps(&ops);
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
	struct optimized_kprobe *op, *next;
	LIST_HEAD(batch);

	take_batch(&waiting, &batch);
	list_for_each_entry_safe(op, next, &batch, list) {
		/* A debugger may have set a breakpoint there in the meantime. */
		if (arch_check_optimized_kprobe(op) < 0)
			dequeue(place_of(op));
		else
			kprobe_place_set_state(place_of(op), PLACE_JUMP);
	}
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
 * Places without probes have been freed when this returns.
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
	kprobe_places_flush();
}

/* Turning jumps on and off */

static void allow_jumps(void)
{
	struct kprobe_place *place;
	struct hlist_node *next;
	unsigned int i;

	guard(mutex)(&kprobe_mutex);
	if (jumps_allowed || !optimizer_task)
		return;
	jumps_allowed = true;
	for_each_kprobe_place(place, next, i)
		kprobe_optimize(place);
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
	struct kprobe_place *place;
	struct hlist_node *next;
	unsigned int i;

	mutex_lock(&kprobe_mutex);
	if (!jumps_allowed) {
		mutex_unlock(&kprobe_mutex);
		return;
	}
	jumps_allowed = false;
	for_each_kprobe_place(place, next, i)
		kprobe_unoptimize_later(place);
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
