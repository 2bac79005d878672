// SPDX-License-Identifier: GPL-2.0
/*
 * Return hooks: call a handler when a function returns.
 *
 * At the entry of a function, a user (struct rethook) takes a node from a pool and hooks
 * the return: the architecture saves the return address in the node, and lets the function
 * return to a trampoline instead.  The nodes of a task's calls are in a list, with the
 * innermost call first.  When the function returns, the trampoline calls the handlers and
 * continues at the original address.
 *
 * If a call has several users, each has a node.  The node that was added first has the
 * original address, and the others have the address of the trampoline.
 *
 * A user can be freed while calls that it has hooked are in progress.  struct rethook is
 * kept until the nodes of these calls are returned.  Each CPU counts the nodes that it
 * takes and returns.  A grace period after the user has stopped, the sum of these counts
 * is added to one atomic counter.  So hits do not write a counter that CPUs share.
 *
 * Hits and handlers run in any context, NMI included, with preemption disabled.
 *
 * Documentation/trace/kprobe-internals.rst shows the users of return hooks.
 */
#define pr_fmt(fmt) "rethook: " fmt

#include <linux/bug.h>
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/irq_work.h>
#include <linux/kallsyms.h>
#include <linux/kprobes.h>
#include <linux/llist.h>
#include <linux/minmax.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/rethook.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>

#include <asm/local.h>

#include "rethook_pool.h"

/* Included in rethook::left until the sum over all CPUs is known. */
#define SUM_UNKNOWN	(LONG_MAX / 2 + 1)

/* The pool grows with the number of calls in progress, so no user needs more. */
#define MAX_PREALLOCATED	4096

/* Users to free: their last node was returned. */
static LLIST_HEAD(unused_users);

static atomic_long_t last_id;

static nokprobe_inline rethook_handler_t handler_of(struct rethook *rh)
{
	return READ_ONCE(rh->handler);
}

static nokprobe_inline struct rethook_node *node_of(struct llist_node *llist)
{
	return container_of(llist, struct rethook_node, llist);
}

/*
 * The innermost hooked call of a task.  Hits and returns in interrupts change the list, but
 * restore it before the interrupt returns.
 */
static nokprobe_inline struct llist_node *first_hook(struct task_struct *tsk)
{
	return READ_ONCE(tsk->rethooks.first);
}

/* Users */

static void free_rethook_rcu(struct rcu_head *rcu)
{
	struct rethook *rh = container_of(rcu, struct rethook, rcu);

	free_percpu(rh->used);
	kfree(rh);
}

static void free_unused(void)
{
	struct rethook *rh, *next;

	llist_for_each_entry_safe(rh, next, llist_del_all(&unused_users), unused)
		call_rcu(&rh->rcu, free_rethook_rcu);
}

static void free_unused_work(struct irq_work *work)
{
	free_unused();
}
static DEFINE_PER_CPU(struct irq_work, free_work) = IRQ_WORK_INIT_HARD(free_unused_work);

/*
 * The last node of @rh was returned, perhaps in a context that cannot call call_rcu().
 * If no work can be queued, @rh is freed together with a later user.
 */
static nokprobe_inline void queue_free(struct rethook *rh)
{
	llist_add(&rh->unused, &unused_users);
	if (rethook_can_queue_work())
		irq_work_queue(this_cpu_ptr(&free_work));
}

/* No hit takes a node of this user any more, and all returns read a NULL handler. */
static void sum_up(struct rcu_head *rcu)
{
	struct rethook *rh = container_of(rcu, struct rethook, rcu);
	long used = 0;
	int cpu;

	rethook_pool_unuse(rh->pool, rh->num);
	for_each_possible_cpu(cpu)
		used += local_read(per_cpu_ptr(rh->used, cpu));
	if (!atomic_long_add_return(used - SUM_UNKNOWN, &rh->left))
		free_rethook_rcu(rcu);
	free_unused();
}

/**
 * rethook_alloc - create a user of return hooks
 * @data: passed to @handler
 * @handler: called for each return of a hooked function
 * @size: size of a node in bytes, including the data that @handler and the hit use
 * @num: number of nodes to preallocate, limited to 4096; hits can use more
 *
 * Context: may sleep.
 * Return: the user; -EINVAL or -ENOMEM as an ERR_PTR().
 */
struct rethook *rethook_alloc(void *data, rethook_handler_t handler, int size, int num)
{
	struct rethook *rh;

	if (!handler || num <= 0 || size < (int)sizeof(struct rethook_node))
		return ERR_PTR(-EINVAL);

	rh = kzalloc(sizeof(*rh), GFP_KERNEL);
	if (!rh)
		return ERR_PTR(-ENOMEM);
	rh->num = min(num, MAX_PREALLOCATED);
	rh->used = alloc_percpu(local_t);
	rh->pool = rh->used ? rethook_pool_use(size, rh->num) : ERR_PTR(-ENOMEM);
	if (IS_ERR(rh->pool)) {
		struct rethook *error = ERR_CAST(rh->pool);

		free_percpu(rh->used);
		kfree(rh);
		return error;
	}
	rh->id = atomic_long_inc_return(&last_id);
	rh->data = data;
	atomic_long_set(&rh->left, SUM_UNKNOWN);
	rh->handler = handler;
	return rh;
}

/**
 * rethook_stop - stop using return hooks
 * @rh: the user
 *
 * After a grace period, the handler is not called any more.
 *
 * Context: any.
 */
void rethook_stop(struct rethook *rh)
{
	WRITE_ONCE(rh->handler, NULL);
}

/**
 * rethook_free - free a user of return hooks
 * @rh: the user; hooked calls may not have returned yet
 *
 * Context: any in which call_rcu() can be called.
 */
void rethook_free(struct rethook *rh)
{
	rethook_stop(rh);
	call_rcu(&rh->rcu, sum_up);
}

/**
 * rethook_flush_task - return the nodes of a task that has exited
 * @tk: the task; calls that it did not return from may be hooked
 *
 * Context: any but NMI.
 */
void rethook_flush_task(struct task_struct *tk)
{
	struct llist_node *first = tk->rethooks.first;

	tk->rethooks.first = NULL;
	while (first) {
		struct rethook_node *node = node_of(first);

		first = first->next;
		preempt_disable();
		rethook_recycle(node);
		preempt_enable();
	}
}

/* Hits */

/* A user must not get the data of the node's previous user. */
static noinline void change_user(struct rethook_node *node, const struct rethook *rh)
{
	memset(node + 1, 0, rh->pool->size - sizeof(*node));
	node->id = rh->id;
}
NOKPROBE_SYMBOL(change_user);

static nokprobe_inline void use(struct rethook_node *node, struct rethook *rh)
{
	node->rethook = rh;
	local_inc(this_cpu_ptr(rh->used));
}

/*
 * The cache of this CPU has few nodes, or @node is of another user.  This is not inline, so that
 * rethook_try_get() saves no registers.
 */
static noinline struct rethook_node *get_slow(struct rethook *rh, struct rethook_node *node)
{
	if (!node)
		node = rethook_pool_pop(rh->pool);
	if (!node)
		return NULL;
	if (node->id != rh->id)
		change_user(node, rh);
	use(node, rh);
	return node;
}
NOKPROBE_SYMBOL(get_slow);

/**
 * rethook_try_get - take a node
 * @rh: the user
 *
 * Context: any, NMI included; preemption is disabled.
 * Return: the node, or NULL if the user has stopped, there is no node, or RCU is not
 * watching.
 */
struct rethook_node *rethook_try_get(struct rethook *rh)
{
	struct rethook_node *node;

	if (unlikely(!handler_of(rh)))
		return NULL;
	/* rethook_recycle() and the call of the handler need RCU. */
	if ((IS_ENABLED(CONFIG_FTRACE_VALIDATE_RCU_IS_WATCHING) ||
	     IS_ENABLED(CONFIG_KPROBE_EVENTS_ON_NOTRACE)) && unlikely(!rcu_is_watching()))
		return NULL;

	node = rethook_pool_pop_fast(rh->pool);
	if (unlikely(!node) || unlikely(node->id != rh->id))
		return get_slow(rh, node);
	use(node, rh);
	return node;
}
NOKPROBE_SYMBOL(rethook_try_get);

static __always_inline void recycle(struct rethook_node *node)
{
	struct rethook *rh = node->rethook;
	bool stopped = !handler_of(rh);

	rethook_pool_push(rh->pool, node);
	if (likely(!stopped))
		local_dec(this_cpu_ptr(rh->used));
	else if (atomic_long_dec_and_test(&rh->left))
		queue_free(rh);
}

/**
 * rethook_recycle - return a node
 * @node: the node, from rethook_try_get(), in no list
 *
 * Context: any, NMI included; preemption is disabled.
 */
void rethook_recycle(struct rethook_node *node)
{
	recycle(node);
}
NOKPROBE_SYMBOL(rethook_recycle);

/**
 * rethook_hook - hook the return of the current function
 * @node: the node, from rethook_try_get()
 * @regs: registers at the entry of the function
 * @mcount: whether an ftrace callback hooks the return
 *
 * Context: any, NMI included; preemption is disabled.
 */
void rethook_hook(struct rethook_node *node, struct pt_regs *regs, bool mcount)
{
	arch_rethook_prepare(node, regs, mcount);
	node->llist.next = first_hook(current);
	/* An interrupt may unwind the stack, so the node must be complete. */
	barrier();
	WRITE_ONCE(current->rethooks.first, &node->llist);
}
NOKPROBE_SYMBOL(rethook_hook);

/* Returns */

/* Find the first node, from @llist on, that has an original return address. */
static nokprobe_inline struct rethook_node *find_original(struct llist_node *llist)
{
	for (; llist; llist = llist->next)
		if (node_of(llist)->ret_addr != (unsigned long)arch_rethook_trampoline)
			return node_of(llist);
	return NULL;
}

/**
 * rethook_find_ret_addr - find the original return address of a call, for unwinders
 * @tsk: current, or a task that does not run
 * @frame: value of rethook_node::frame
 * @cur: the position in the list; *@cur is NULL to begin at the innermost call
 *
 * Context: any.
 * Return: the address; 0 if there is none, or if @tsk may be running.
 */
unsigned long rethook_find_ret_addr(struct task_struct *tsk, unsigned long frame,
				    struct llist_node **cur)
{
	struct rethook_node *node;

	if (WARN_ON_ONCE(!cur) || (tsk != current && task_is_running(tsk)))
		return 0;

	do {
		node = find_original(*cur ? (*cur)->next : first_hook(tsk));
		if (!node)
			return 0;
		*cur = &node->llist;
	} while (node->frame != frame);
	return node->ret_addr;
}
NOKPROBE_SYMBOL(rethook_find_ret_addr);

/* Not needed if the trampoline uses the result of rethook_trampoline_handler(). */
void __weak arch_rethook_fixup_return(struct pt_regs *regs, unsigned long correct_ret_addr)
{
}

/*
 * A call that never returns leaves its nodes in the list.  For example, a function that
 * suspends the machine does not return: after resume, its caller continues.  Recycle the
 * nodes from @first to those of @frame, unless @frame has no node.  Return the first node
 * that remains.
 */
static noinline struct llist_node *drop_lost_calls(struct llist_node *first, unsigned long frame)
{
	struct llist_node *at = first, *next;

	while (at && node_of(at)->frame != frame)
		at = at->next;
	if (!at)
		return first;
	WRITE_ONCE(current->rethooks.first, at);
	for (; first != at; first = next) {
		next = first->next;
		recycle(node_of(first));
	}
	return at;
}
NOKPROBE_SYMBOL(drop_lost_calls);

static __always_inline void call_handler(struct rethook_node *node, unsigned long ret_addr,
					 struct pt_regs *regs)
{
	struct rethook *rh = node->rethook;
	rethook_handler_t handler = handler_of(rh);

	if (likely(handler))
		handler(node, rh->data, ret_addr, regs);
}

/* Call the handlers of all nodes of a call, from @node to @last. */
static __always_inline void call_handlers(struct rethook_node *node, struct rethook_node *last,
					  struct pt_regs *regs, unsigned long frame)
{
	for (;;) {
		if (WARN_ON_ONCE(node->frame != frame))
			return;
		call_handler(node, last->ret_addr, regs);
		if (node == last)
			return;
		node = node_of(node->llist.next);
	}
}

/* Handle a return if the call has several hooks, or if nodes of lost calls come first. */
static noinline unsigned long return_from_any(struct llist_node *first, struct pt_regs *regs,
					      unsigned long frame)
{
	struct rethook_node *last, *node;
	struct llist_node *next;
	unsigned long ret_addr;

	if (!first || node_of(first)->frame != frame)
		first = drop_lost_calls(first, frame);
	last = find_original(first);
	if (!last) {
		pr_err("the return address is lost\n");
		BUG();
	}
	ret_addr = last->ret_addr;
	instruction_pointer_set(regs, ret_addr);

	/* The nodes stay in the list: a handler may unwind the stack. */
	node = node_of(first);
	call_handlers(node, last, regs, frame);
	arch_rethook_fixup_return(regs, ret_addr);

	WRITE_ONCE(current->rethooks.first, last->llist.next);
	while (node != last) {
		next = node->llist.next;
		recycle(node);
		node = node_of(next);
	}
	recycle(last);
	return ret_addr;
}
NOKPROBE_SYMBOL(return_from_any);

/* Handle the return of a call that has one hook, as above, but without loops. */
static __always_inline unsigned long return_from_one(struct rethook_node *node,
						     struct pt_regs *regs)
{
	unsigned long ret_addr = node->ret_addr;

	instruction_pointer_set(regs, ret_addr);
	call_handler(node, ret_addr, regs);
	arch_rethook_fixup_return(regs, ret_addr);
	WRITE_ONCE(current->rethooks.first, node->llist.next);
	recycle(node);
	return ret_addr;
}

/**
 * rethook_trampoline_handler - handle the return of a hooked function
 * @regs: registers after the return; the instruction pointer becomes the return address
 * @frame: value of rethook_node::frame
 *
 * Context: any, NMI included.
 * Return: the original return address.
 */
unsigned long rethook_trampoline_handler(struct pt_regs *regs, unsigned long frame)
{
	struct llist_node *first = first_hook(current);
	unsigned long ret_addr;

	/* A user that stops is not freed until preemption is enabled again. */
	preempt_disable_notrace();
	if (likely(first) && likely(node_of(first)->frame == frame) &&
	    likely(node_of(first)->ret_addr != (unsigned long)arch_rethook_trampoline))
		ret_addr = return_from_one(node_of(first), regs);
	else
		ret_addr = return_from_any(first, regs, frame);
	preempt_enable_notrace();
	return ret_addr;
}
NOKPROBE_SYMBOL(rethook_trampoline_handler);
