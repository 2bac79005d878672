// SPDX-License-Identifier: GPL-2.0
/*
 * Kernel probes: hook the returns of functions, and call the handlers of return probes.
 *
 * A return probe is a probe at the entry of a function.  Its pre_handler replaces the
 * return address of the call with the address of a trampoline.  rethook does this on the
 * architectures that support it.  On the others, the functions of this file do it: each
 * call has a struct kretprobe_instance in a list of its task, the latest call first.
 */
#define pr_fmt(fmt)	"kprobes: " fmt

#include <linux/bug.h>
#include <linux/cleanup.h>
#include <linux/export.h>
#include <linux/init.h>
#include <linux/kprobes.h>
#include <linux/llist.h>
#include <linux/mutex.h>
#include <linux/objpool.h>
#include <linux/printk.h>
#include <linux/rcupdate.h>
#include <linux/rethook.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/static_call.h>

#include "kprobes.h"

static nokprobe_inline int call_entry_handler(struct kretprobe *rp,
					      struct kretprobe_instance *ri,
					      struct pt_regs *regs)
{
	if (likely(READ_ONCE(rp->kp.flags) & KPROBE_FLAG_DIRECT_RETURN))
		return static_call(kretprobe_direct_entry)(ri, regs);
	return rp->entry_handler(ri, regs);
}

static nokprobe_inline void call_handler(struct kretprobe *rp, struct kretprobe_instance *ri,
					 struct pt_regs *regs)
{
	if (likely(READ_ONCE(rp->kp.flags) & KPROBE_FLAG_DIRECT_RETURN))
		static_call(kretprobe_direct_hit)(ri, regs);
	else
		rp->handler(ri, regs);
}

#ifdef CONFIG_KRETPROBE_ON_RETHOOK
/*
 * It is notrace because current_kprobe is not set yet when it is called.
 *
 * Context: Any, NMI included; preemption disabled.
 */
static notrace void handle_return(struct rethook_node *node, void *data,
				  unsigned long ret_addr, struct pt_regs *regs)
{
	struct kretprobe *rp = data;

	if (WARN_ON_ONCE(!rp) || !rp->handler)
		return;
	/* If the call has other hooks, node->ret_addr may be the trampoline's address. */
	node->ret_addr = ret_addr;
	__this_cpu_write(current_kprobe, &rp->kp);
	get_kprobe_ctlblk()->kprobe_status = KPROBE_HIT_ACTIVE;
	call_handler(rp, container_of(node, struct kretprobe_instance, node), regs);
	reset_current_kprobe();
}
NOKPROBE_SYMBOL(handle_return);

static nokprobe_inline struct kretprobe_instance *get_instance(struct kretprobe *rp)
{
	struct rethook_node *node = rethook_try_get(rp->rh);

	return node ? container_of(node, struct kretprobe_instance, node) : NULL;
}

static nokprobe_inline void put_back_instance(struct kretprobe_instance *ri)
{
	rethook_recycle(&ri->node);
}

static nokprobe_inline void hook(struct kretprobe_instance *ri, struct pt_regs *regs,
				 bool by_ftrace)
{
	rethook_hook(&ri->node, regs, by_ftrace);
}

/**
 * kretprobe_alloc_instances() - allocate memory for the calls of a return probe
 * @rp:	the return probe
 *
 * Context: may sleep.
 * Return: 0 or a negative errno.
 */
int kretprobe_alloc_instances(struct kretprobe *rp)
{
	struct rethook *rh;

	rh = rethook_alloc(rp, handle_return,
			   sizeof(struct kretprobe_instance) + rp->data_size, rp->maxactive);
	if (IS_ERR(rh))
		return PTR_ERR(rh);
	rp->rh = rh;
	return 0;
}

/**
 * kretprobe_detach_instances() - stop calling the handlers of a return probe
 * @rp:	the return probe, which has left its place
 *
 * Handlers may still run until an RCU grace period has ended.
 *
 * Context: process context.
 */
void kretprobe_detach_instances(struct kretprobe *rp)
{
	rethook_free(rp->rh);
}

/**
 * kretprobe_free_instances() - free the memory of a return probe, or leave it to the last call
 * @rp:	the return probe, an RCU grace period after kretprobe_detach_instances()
 *
 * Context: may sleep.
 */
void kretprobe_free_instances(struct kretprobe *rp)
{
	rp->rh = NULL;
}

/**
 * kretprobe_forget_instances() - initialize a return probe without memory for calls
 * @rp:	the return probe, not registered
 *
 * Context: any.
 */
void kretprobe_forget_instances(struct kretprobe *rp)
{
	rp->rh = NULL;
}
#else
static int init_instance(void *object, void *context)
{
	struct kretprobe_instance *ri = object;

	ri->rph = context;
	return 0;
}

static int free_holder(struct objpool_head *pool, void *context)
{
	kfree(context);
	return 0;
}

static void drop_instance(struct rcu_head *head)
{
	struct kretprobe_instance *ri = container_of(head, struct kretprobe_instance, rcu);

	objpool_drop(ri, &ri->rph->pool);
}
NOKPROBE_SYMBOL(drop_instance);

/*
 * The call of an instance has returned, or will never return.  The last instance of an
 * unregistered probe frees the holder.
 */
static void put_instance(struct kretprobe_instance *ri)
{
	if (likely(get_kretprobe(ri)))
		objpool_push(ri, &ri->rph->pool);
	else
		call_rcu(&ri->rcu, drop_instance);
}
NOKPROBE_SYMBOL(put_instance);

static void put_instances(struct llist_node *node)
{
	struct kretprobe_instance *ri, *next;

	llist_for_each_entry_safe(ri, next, node, llist)
		put_instance(ri);
}
NOKPROBE_SYMBOL(put_instances);

/**
 * kprobe_flush_task() - release the instances of a task that has ended
 * @tk:	the task
 *
 * Context: RCU callback.
 */
void kprobe_flush_task(struct task_struct *tk)
{
	if (!tk->kretprobe_instances.first)
		return;
	/* Hits are missed while the instances are neither in the list nor in the pool. */
	kprobe_busy_begin();
	put_instances(__llist_del_all(&tk->kretprobe_instances));
	kprobe_busy_end();
}
NOKPROBE_SYMBOL(kprobe_flush_task);

/*
 * Find the next instance that has the original return address: after @node, or from the
 * start of the list if @node is NULL.  A call with several return probes has several
 * instances; all but the oldest have the trampoline's address in @ret_addr.
 */
static struct kretprobe_instance *next_original(struct task_struct *tsk,
						struct llist_node *node)
{
	struct kretprobe_instance *ri;

	node = node ? node->next : tsk->kretprobe_instances.first;
	for (; node; node = node->next) {
		ri = llist_entry(node, struct kretprobe_instance, llist);
		if (ri->ret_addr != kretprobe_trampoline_addr())
			return ri;
	}
	return NULL;
}
NOKPROBE_SYMBOL(next_original);

/**
 * kretprobe_find_ret_addr() - find the original return address of a frame
 * @tsk:	the current task, or a task that is not running
 * @fp:		the frame, as set by arch_prepare_kretprobe()
 * @cur:	the position; *@cur is NULL for the latest frame, and is updated
 *
 * Context: Any; used by stack traces.
 * Return: the address, or 0 if there is none.
 */
unsigned long kretprobe_find_ret_addr(struct task_struct *tsk, void *fp,
				      struct llist_node **cur)
{
	struct kretprobe_instance *ri;

	if (WARN_ON_ONCE(!cur))
		return 0;
	while ((ri = next_original(tsk, *cur)) != NULL) {
		*cur = &ri->llist;
		if (ri->fp == fp)
			return (unsigned long)ri->ret_addr;
	}
	return 0;
}
NOKPROBE_SYMBOL(kretprobe_find_ret_addr);

/**
 * arch_kretprobe_fixup_return() - replace the trampoline's address in the registers or frame
 * @regs:		the registers in the trampoline
 * @correct_ret_addr:	the original return address
 *
 * Context: Any.
 */
void __weak arch_kretprobe_fixup_return(struct pt_regs *regs,
					kprobe_opcode_t *correct_ret_addr)
{
}

static void handle_return(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct kretprobe *rp = get_kretprobe(ri);
	struct kprobe *running;

	if (!rp || !rp->handler)
		return;
	running = kprobe_running();
	__this_cpu_write(current_kprobe, &rp->kp);
	call_handler(rp, ri, regs);
	__this_cpu_write(current_kprobe, running);
}
NOKPROBE_SYMBOL(handle_return);

/*
 * A call that never returns leaves its instances in the list.  An example is a function
 * that suspends the machine: execution resumes in its caller.  Release the instances
 * before those of @fp, unless @fp has no instance.
 */
static void drop_lost_calls(void *fp)
{
	struct llist_node *first = current->kretprobe_instances.first, **end;
	struct kretprobe_instance *ri;

	end = &current->kretprobe_instances.first;
	llist_for_each_entry(ri, first, llist) {
		if (ri->fp == fp)
			break;
		end = &ri->llist.next;
	}
	if (!*end || *end == first)
		return;
	current->kretprobe_instances.first = *end;
	*end = NULL;
	put_instances(first);
}
NOKPROBE_SYMBOL(drop_lost_calls);

/**
 * __kretprobe_trampoline_handler() - call the handlers of a function that returned
 * @regs:		the registers in the trampoline
 * @frame_pointer:	the frame
 *
 * Context: Any, after kprobe_busy_begin(), or called by the handler of a probe.
 * Return: the original return address.
 */
unsigned long __kretprobe_trampoline_handler(struct pt_regs *regs, void *frame_pointer)
{
	struct kretprobe_instance *last, *ri;
	kprobe_opcode_t *ret_addr;
	struct llist_node *first;

	drop_lost_calls(frame_pointer);
	last = next_original(current, NULL);
	first = current->kretprobe_instances.first;
	/* Without the return address, execution cannot continue. */
	if (!last) {
		pr_err("The return address of a probed function is lost\n");
		BUG();
	}
	ret_addr = last->ret_addr;
	/* Stack traces in a handler begin at this address. */
	instruction_pointer_set(regs, (unsigned long)ret_addr);

	llist_for_each_entry(ri, first, llist) {
		if (WARN_ON_ONCE(ri->fp != frame_pointer))
			break;
		/* For get_kretprobe_retaddr() in the handler. */
		ri->ret_addr = ret_addr;
		handle_return(ri, regs);
		if (ri == last)
			break;
	}
	arch_kretprobe_fixup_return(regs, ret_addr);

	current->kretprobe_instances.first = last->llist.next;
	last->llist.next = NULL;
	put_instances(first);
	return (unsigned long)ret_addr;
}
NOKPROBE_SYMBOL(__kretprobe_trampoline_handler);

static nokprobe_inline struct kretprobe_instance *get_instance(struct kretprobe *rp)
{
	return objpool_pop(&rp->rph->pool);
}

static nokprobe_inline void put_back_instance(struct kretprobe_instance *ri)
{
	objpool_push(ri, &ri->rph->pool);
}

static nokprobe_inline void hook(struct kretprobe_instance *ri, struct pt_regs *regs,
				 bool by_ftrace)
{
	arch_prepare_kretprobe(ri, regs);
	__llist_add(&ri->llist, &current->kretprobe_instances);
}

int kretprobe_alloc_instances(struct kretprobe *rp)
{
	struct kretprobe_holder *rph = kzalloc(sizeof(*rph), GFP_KERNEL);

	if (!rph)
		return -ENOMEM;
	if (objpool_init(&rph->pool, rp->maxactive,
			 sizeof(struct kretprobe_instance) + rp->data_size, GFP_KERNEL, rph,
			 init_instance, free_holder)) {
		kfree(rph);
		return -ENOMEM;
	}
	rcu_assign_pointer(rph->rp, rp);
	rp->rph = rph;
	return 0;
}

void kretprobe_detach_instances(struct kretprobe *rp)
{
	rcu_assign_pointer(rp->rph->rp, NULL);
}

/* The last call that returns frees the holder; if there are no calls, objpool_fini() does. */
void kretprobe_free_instances(struct kretprobe *rp)
{
	struct kretprobe_holder *rph = rp->rph;

	rp->rph = NULL;
	objpool_fini(&rph->pool);
}

void kretprobe_forget_instances(struct kretprobe *rp)
{
	rp->rph = NULL;
}
#endif

/**
 * kretprobe_pre_handler() - the pre_handler of all return probes
 * @p:		the probe at the entry of the function
 * @regs:	the registers
 *
 * This function and its callers are notrace: if an fprobe hooked the return of one of them,
 * the fprobe's node would follow the node added here.
 *
 * Context: Any, NMI included; preemption disabled.
 * Return: 0.
 */
notrace int kretprobe_pre_handler(struct kprobe *p, struct pt_regs *regs)
{
	struct kretprobe *rp = container_of(p, struct kretprobe, kp);
	struct kretprobe_instance *ri = get_instance(rp);

	if (!ri)
		rp->nmissed++;
	else if (rp->entry_handler && call_entry_handler(rp, ri, regs))
		put_back_instance(ri);
	else
		hook(ri, regs, kprobe_ftrace(p));
	return 0;
}
NOKPROBE_SYMBOL(kretprobe_pre_handler);
