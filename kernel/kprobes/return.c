// SPDX-License-Identifier: GPL-2.0
/*
 * Kernel probes: return probes.
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

#include "kprobes.h"

/* Like kprobe_call_pre_handler(), for the handlers of a return probe. */
static nokprobe_inline int call_handler(kretprobe_handler_t handler,
					struct kretprobe_instance *ri,
					struct pt_regs *regs)
{
#ifdef CONFIG_KPROBE_EVENTS
	return INDIRECT_CALL_2(handler, kretprobe_event_hit, kretprobe_event_entry,
			       ri, regs);
#else
	return handler(ri, regs);
#endif
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
	call_handler(rp->handler, container_of(node, struct kretprobe_instance, node), regs);
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

static int alloc_instances(struct kretprobe *rp)
{
	struct rethook *rh;

	rh = rethook_alloc(rp, handle_return,
			   sizeof(struct kretprobe_instance) + rp->data_size, rp->maxactive);
	if (IS_ERR(rh))
		return PTR_ERR(rh);
	rp->rh = rh;
	return 0;
}

static void detach_instances(struct kretprobe *rp)
{
	rethook_free(rp->rh);
}

static void free_instances(struct kretprobe *rp)
{
	rp->rh = NULL;
}

static bool has_instances(const struct kretprobe *rp)
{
	return rp->rh;
}

static void forget_instances(struct kretprobe *rp)
{
	rp->rh = NULL;
}
#else
static bool is_ready;

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
	if (unlikely(!is_ready))
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
	call_handler(rp->handler, ri, regs);
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

static int alloc_instances(struct kretprobe *rp)
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

static void detach_instances(struct kretprobe *rp)
{
	rcu_assign_pointer(rp->rph->rp, NULL);
}

/* The last call that returns frees the holder; if there are no calls, objpool_fini() does. */
static void free_instances(struct kretprobe *rp)
{
	struct kretprobe_holder *rph = rp->rph;

	rp->rph = NULL;
	objpool_fini(&rph->pool);
}

static bool has_instances(const struct kretprobe *rp)
{
	return rp->rph;
}

static void forget_instances(struct kretprobe *rp)
{
	rp->rph = NULL;
}
#endif

/*
 * The pre_handler of all return probes.  This function and its callers are notrace: if an
 * fprobe hooked the return of one of them, the fprobe's node would follow the node added here.
 *
 * Context: Any, NMI included; preemption disabled.
 */
static notrace int hook_return(struct kprobe *p, struct pt_regs *regs)
{
	struct kretprobe *rp = container_of(p, struct kretprobe, kp);
	struct kretprobe_instance *ri = get_instance(rp);

	if (!ri)
		rp->nmissed++;
	else if (rp->entry_handler && call_handler(rp->entry_handler, ri, regs))
		put_back_instance(ri);
	else
		hook(ri, regs, kprobe_ftrace(p));
	return 0;
}
NOKPROBE_SYMBOL(hook_return);

/**
 * kprobe_is_return() - does this probe belong to a return probe?
 * @p:	the probe, registered
 *
 * Context: Any.
 * Return: whether it does.
 */
bool kprobe_is_return(const struct kprobe *p)
{
	return p->pre_handler == hook_return;
}

/* Context: boot. */
void __init kprobe_init_returns(void)
{
	struct kretprobe_blackpoint *b;
	bool on_func_entry;

	/* Most architectures have no kretprobe_blacklist. */
	for (b = kretprobe_blacklist_size ? kretprobe_blacklist : NULL; b && b->name; b++) {
		const struct kprobe p = { .symbol_name = b->name };

		/* A probe at the function's entry may be after an instruction such as endbr64. */
		b->addr = kprobe_resolve(&p, &on_func_entry);
		if (IS_ERR(b->addr)) {
			pr_err("No function %s, whose return must not be probed\n", b->name);
			b->addr = NULL;
		}
	}
#ifndef CONFIG_KRETPROBE_ON_RETHOOK
	is_ready = true;
#endif
}

static bool is_forbidden(const void *addr)
{
	const struct kretprobe_blackpoint *b;

	for (b = kretprobe_blacklist_size ? kretprobe_blacklist : NULL; b && b->name; b++)
		if (b->addr == addr)
			return true;
	return false;
}

/* Check a return probe and set its members up. */
static int prepare(struct kretprobe *rp)
{
	bool on_func_entry;
	void *addr;

	addr = kprobe_resolve(&rp->kp, &on_func_entry);
	if (IS_ERR(addr))
		return PTR_ERR(addr);
	/* The probe is in the set twice. */
	if (WARN_ON_ONCE(has_instances(rp)))
		return -EINVAL;
	if (!on_func_entry || is_forbidden(addr))
		return -EINVAL;
	if (rp->data_size > KRETPROBE_MAX_DATA_SIZE)
		return -E2BIG;

	rp->kp.pre_handler = hook_return;
	rp->kp.post_handler = NULL;
	rp->nmissed = 0;
	if (rp->maxactive <= 0)
		rp->maxactive = max(10, 2 * (int)num_possible_cpus());
	return alloc_instances(rp);
}

/**
 * register_kretprobe() - register a return probe
 * @rp:	the probe
 *
 * Context: may sleep; takes kprobe_mutex.
 * Return: 0; -EINVAL if the place is not the entry of a function, or must not be probed;
 * -E2BIG if @rp->data_size is too large; or an error of register_kprobes().
 */
int register_kretprobe(struct kretprobe *rp)
{
	return register_kretprobes(&rp, 1);
}
EXPORT_SYMBOL_GPL(register_kretprobe);

static bool is_registered(struct kretprobe *rp)
{
	bool on_func_entry;
	void *addr;

	if (kprobe_common(&rp->kp))
		return true;
	/* A registered probe has instances, but these may also be left from an earlier use. */
	if (!has_instances(rp))
		return false;
	addr = kprobe_resolve(&rp->kp, &on_func_entry);
	return !IS_ERR(addr) && kprobe_is_registered(&rp->kp, addr);
}

/* A registered probe must not be registered again: its instances are in use. */
static bool is_any_registered(struct kretprobe **rps, int num)
{
	int i;

	guard(mutex)(&kprobe_mutex);
	for (i = 0; i < num; i++) {
		if (!is_registered(rps[i]))
			continue;
		/* A probe with a symbol and an address is invalid; this needs no warning. */
		WARN_ON_ONCE(!rps[i]->kp.symbol_name);
		return true;
	}
	return false;
}

/*
 * Free the instances of the prepared probes of a set that could not be registered.  Calls
 * may have been @hooked: other places may have been armed before one failed, and ftrace may
 * still call a place that could not be removed from a filter earlier.
 */
static void drop_instances(struct kretprobe **rps, int num, bool hooked)
{
	int i;

	for (i = 0; i < num; i++)
		detach_instances(rps[i]);
	/* Handlers of calls that have returned may still run. */
	if (hooked)
		synchronize_rcu();
	for (i = 0; i < num; i++)
		free_instances(rps[i]);
}

static struct kprobe **entry_probes(struct kretprobe **rps, int num)
{
	struct kprobe **kps = kvmalloc_array(num, sizeof(*kps), GFP_KERNEL | __GFP_NOWARN);
	int i;

	for (i = 0; kps && i < num; i++)
		kps[i] = &rps[i]->kp;
	return kps;
}

/**
 * register_kretprobes() - register return probes, all or none
 * @rps:	the probes
 * @num:	number of @rps
 *
 * Context: may sleep; takes kprobe_mutex.
 * Return: 0 or a negative errno, as register_kretprobe().
 */
int register_kretprobes(struct kretprobe **rps, int num)
{
	struct kprobe **kps;
	bool hooked = false;
	int i, ret;

	if (num <= 0)
		return -EINVAL;
	if (is_any_registered(rps, num))
		return -EINVAL;
	kps = entry_probes(rps, num);
	if (!kps)
		return -ENOMEM;
	for (i = 0; i < num; i++)
		forget_instances(rps[i]);
	for (i = 0, ret = 0; i < num; i++) {
		ret = prepare(rps[i]);
		if (ret)
			break;
	}
	if (!ret)
		ret = kprobes_add(kps, num, &hooked);
	if (ret)
		drop_instances(rps, i, hooked);
	kvfree(kps);
	return ret;
}
EXPORT_SYMBOL_GPL(register_kretprobes);

static void unregister_set(struct kretprobe **rps, struct kprobe **kps, int num)
{
	int i;

	kprobes_remove(kps, num);
	for (i = 0; i < num; i++)
		if (kps[i]->addr)
			detach_instances(rps[i]);
	synchronize_rcu();
	kprobes_release(kps, num);
	for (i = 0; i < num; i++)
		if (kps[i]->addr)
			free_instances(rps[i]);
}

/**
 * unregister_kretprobes() - unregister return probes
 * @rps:	the probes; the address of those that were not registered becomes NULL
 * @num:	number of @rps
 *
 * None of their handlers runs any more when this returns.  Calls that have not returned
 * yet return as if there had been no probe.
 *
 * Context: may sleep; takes kprobe_mutex.
 */
void unregister_kretprobes(struct kretprobe **rps, int num)
{
	struct kprobe **kps, *one;
	int i;

	if (num <= 0)
		return;
	kps = entry_probes(rps, num);
	if (kps) {
		unregister_set(rps, kps, num);
		kvfree(kps);
		return;
	}
	for (i = 0; i < num; i++) {
		one = &rps[i]->kp;
		unregister_set(&rps[i], &one, 1);
	}
}
EXPORT_SYMBOL_GPL(unregister_kretprobes);

/**
 * unregister_kretprobe() - unregister a return probe
 * @rp:	the probe; its address becomes NULL if it was not registered
 *
 * Context: may sleep; takes kprobe_mutex.
 */
void unregister_kretprobe(struct kretprobe *rp)
{
	unregister_kretprobes(&rp, 1);
}
EXPORT_SYMBOL_GPL(unregister_kretprobe);
