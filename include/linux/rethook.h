/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Return hooks: call a handler when a function returns.  See kernel/trace/rethook.c.
 */
#ifndef _LINUX_RETHOOK_H
#define _LINUX_RETHOOK_H

#include <linux/atomic.h>
#include <linux/compiler.h>
#include <linux/kallsyms.h>
#include <linux/llist.h>
#include <linux/rcupdate.h>

#include <asm/local.h>

struct pt_regs;
struct rethook_node;
struct rethook_pool;

/* Called with the node, rethook::data, the return address and the registers. */
typedef void (*rethook_handler_t)(struct rethook_node *, void *, unsigned long,
				  struct pt_regs *);

/**
 * struct rethook - a user of return hooks
 * @data: passed to @handler
 * @handler: called for each return; NULL after rethook_stop().  Hits and returns read it
 *	in an RCU read-side critical section.
 * @pool: pool of the nodes
 * @id: unique number of this user
 * @num: number of nodes that this user adds to the pool
 * @used: per-CPU counters; until rethook_stop(), their sum is the number of nodes in use
 * @left: number of nodes in use, valid one grace period after rethook_stop()
 * @unused: entry in the list of users to free
 * @rcu: for freeing
 */
struct rethook {
	void			*data;
	rethook_handler_t	handler;
	struct rethook_pool	*pool;
	unsigned long		id;
	unsigned int		num;
	local_t __percpu	*used;
	atomic_long_t		left;
	struct llist_node	unused;
	struct rcu_head		rcu;
};

/**
 * struct rethook_node - a hooked call of a function
 * @id: number of the last user, whose data follow the node
 * @rcu: for freeing
 * @llist: entry in task_struct::rethooks, innermost call first
 * @rethook: the user; while the node is free, the next free node
 * @ret_addr: original return address
 * @frame: identifies the call; the value depends on the architecture
 *
 * Users embed the node at the beginning of a larger structure, with the data of a call.
 * Data that the user does not write are zero, or left from an earlier call of the same
 * user.
 */
struct rethook_node {
	union {
		unsigned long		id;
		struct rcu_head		rcu;
	};
	struct llist_node	llist;
	struct rethook		*rethook;
	unsigned long		ret_addr;
	unsigned long		frame;
};

struct rethook *rethook_alloc(void *data, rethook_handler_t handler, int size, int num);
void rethook_stop(struct rethook *rh);
void rethook_free(struct rethook *rh);
struct rethook_node *rethook_try_get(struct rethook *rh);
void rethook_recycle(struct rethook_node *node);
void rethook_hook(struct rethook_node *node, struct pt_regs *regs, bool mcount);
unsigned long rethook_find_ret_addr(struct task_struct *tsk, unsigned long frame,
				    struct llist_node **cur);
unsigned long rethook_trampoline_handler(struct pt_regs *regs, unsigned long frame);

/* Provided by the architecture */

/* Hook the return of the function that has just been called. */
void arch_rethook_prepare(struct rethook_node *node, struct pt_regs *regs, bool mcount);
/* Hooked functions return to this trampoline, which calls rethook_trampoline_handler(). */
void arch_rethook_trampoline(void);
/* Optional: make the trampoline return to @correct_ret_addr. */
void arch_rethook_fixup_return(struct pt_regs *regs, unsigned long correct_ret_addr);

/**
 * is_rethook_trampoline() - is this the address to which hooked functions return?
 * @addr: the address
 *
 * Context: any.
 * Return: true if it is.
 */
static inline bool is_rethook_trampoline(unsigned long addr)
{
	return addr == (unsigned long)dereference_symbol_descriptor(arch_rethook_trampoline);
}

#ifdef CONFIG_RETHOOK
void rethook_flush_task(struct task_struct *tk);
#else
static inline void rethook_flush_task(struct task_struct *tk)
{
}
#endif

#endif /* _LINUX_RETHOOK_H */
