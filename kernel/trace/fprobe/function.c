// SPDX-License-Identifier: GPL-2.0
/*
 * Fprobe events: entries and returns of functions.
 *
 * All probes share one ftrace_ops, whose filter has the armed call sites.  ftrace changes the
 * text once for all sites that are armed together.  The return of a function is hooked with
 * rethook at its entry.
 */
#define pr_fmt(fmt)	"trace_fprobe: " fmt

#include <linux/cpumask.h>
#include <linux/cleanup.h>
#include <linux/ftrace.h>
#include <linux/glob.h>
#include <linux/kallsyms.h>
#include <linux/kmsan-checks.h>
#include <linux/kprobes.h>
#include <linux/llist.h>
#include <linux/module.h>
#include <linux/preempt.h>
#include <linux/printk.h>
#include <linux/rculist.h>
#include <linux/rcupdate.h>
#include <linux/rethook.h>
#include <linux/string.h>
#include <linux/trace_recursion.h>

#include "fprobe.h"

/* Hits */

/**
 * struct call - a call of a function whose return is hooked
 * @node: the hook
 * @ip: address of the call site
 * @data: data saved at entry
 */
struct call {
	struct rethook_node	node;
	unsigned long		ip;
	unsigned long		data[];
};

/* Context: any, NMI included; preemption is disabled. */
static void return_hit(struct rethook_node *node, void *data, unsigned long ret_ip,
		       struct pt_regs *regs)
{
	struct call *call = container_of(node, struct call, node);
	struct trace_fprobe *tf = data;
	int bit;

	if (!tf || !READ_ONCE(tf->armed))
		return;
	bit = ftrace_test_recursion_trylock(call->ip, ret_ip);
	if (bit < 0)
		return;
	probe_hit_return(&tf->probe, regs, call->data, call->ip, ret_ip);
	ftrace_test_recursion_unlock(bit);
}
NOKPROBE_SYMBOL(return_hit);

#ifdef arch_ftrace_complete_regs
/* The registers that ftrace saves have all arguments, and are enough for a stack trace. */
#define OPS_FLAGS	0

static nokprobe_inline struct pt_regs *entry_regs(struct ftrace_regs *fregs)
{
	return &arch_ftrace_regs(fregs)->regs;
}
#else
#define OPS_FLAGS	FTRACE_OPS_FL_SAVE_REGS

static nokprobe_inline struct pt_regs *entry_regs(struct ftrace_regs *fregs)
{
	return ftrace_get_regs(fregs);
}

static nokprobe_inline void arch_ftrace_complete_regs(struct pt_regs *regs)
{
}
#endif

static nokprobe_inline void entry_hit(struct trace_fprobe *tf, struct pt_regs *regs,
				      unsigned long ip)
{
	unsigned int flags = probe_event_flags(tf->probe.event);

	/* perf can record all registers. */
	if (!probe_hit_is_plain(flags) && (flags & PROBE_EVENT_PERF))
		arch_ftrace_complete_regs(regs);
	probe_hit_any(&tf->probe, flags, regs, NULL, ip, 0, false);
}

static nokprobe_inline void hook_return(struct trace_fprobe *tf, unsigned long ip,
					struct pt_regs *regs)
{
	struct rethook_node *node = rethook_try_get(tf->rethook);
	struct call *call;

	if (!node)
		return;
	call = container_of(node, struct call, node);
	call->ip = ip;
	if (tf->probe.entry)
		probe_hit_entry(&tf->probe, regs, call->data);
	rethook_hook(node, regs, true);
}

/* Context: any, NMI included. */
static notrace void function_hit(unsigned long ip, unsigned long parent_ip,
				 struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	struct trace_fprobe_site *site;
	struct pt_regs *regs;
	int bit;

	/* KMSAN does not see that assembly code initialized @fregs. */
	kmsan_unpoison_memory(fregs, ftrace_regs_size());
	regs = entry_regs(fregs);
	if ((OPS_FLAGS && unlikely(!regs)) || trace_warn_on_no_rcu(ip))
		return;
	/* Also disables preemption. */
	bit = ftrace_test_recursion_trylock(ip, parent_ip);
	if (bit < 0)
		return;
	hlist_for_each_entry_rcu_notrace(site, trace_fprobe_sites_at(ip), node) {
		if (site->ip != ip)
			continue;
		if (site->tf->kind == TRACE_FPROBE_ENTRY)
			entry_hit(site->tf, regs, ip);
		else
			hook_return(site->tf, ip, regs);
	}
	ftrace_test_recursion_unlock(bit);
}
NOKPROBE_SYMBOL(function_hit);

/* Lookup */

/**
 * struct search - search for the functions of a probe
 * @tf: the probe
 * @is_pattern: the name is a pattern
 * @sites: list of the call sites found
 * @err: an error that ended the search
 */
struct search {
	struct trace_fprobe	*tf;
	bool			is_pattern;
	struct list_head	*sites;
	int			err;
};

/* The call sites of code that is about to be freed must not be found again. */
static bool goes_away(unsigned long addr)
{
	struct module *mod;

	if (is_kernel_inittext(addr))
		return true;
	guard(preempt)();
	mod = __module_address(addr);
	return mod && mod->state == MODULE_STATE_GOING;
}

static int add_function(struct search *s, unsigned long addr)
{
	unsigned long ip = ftrace_location(addr);

	if (ip && !goes_away(ip))
		s->err = trace_fprobe_add_site(s->tf, s->sites, ip);
	return s->err;
}

static int add_if_match(void *data, const char *name, unsigned long addr)
{
	struct search *s = data;
	const char *function = s->tf->function;

	if (s->is_pattern ? !glob_match(function, name) : strcmp(function, name))
		return 0;
	return add_function(s, addr);
}

static int add_match(void *data, unsigned long addr)
{
	return add_function(data, addr);
}

/**
 * trace_fprobe_find_functions() - find the call sites of the functions of a probe
 * @tf: the probe
 * @module: look in this module only; NULL: in the kernel and all modules
 * @sites: list to which call sites are added that the probe does not have yet
 *
 * Context: may sleep.
 * Return: 0, also if there is none; -ENOMEM.
 */
int trace_fprobe_find_functions(struct trace_fprobe *tf, const char *module,
				struct list_head *sites)
{
	struct search s = {
		.tf = tf,
		.is_pattern = strpbrk(tf->function, "*?["),
		.sites = sites,
	};

	if (!module && s.is_pattern)
		kallsyms_on_each_symbol(add_if_match, &s);
	else if (!module)
		kallsyms_on_each_match_symbol(add_match, tf->function, &s);
	if (!s.err)
		module_kallsyms_on_each_symbol(module, add_if_match, &s);
	return s.err;
}

/**
 * trace_fprobe_alloc_rethook() - allocate the hook for the returns of functions
 * @tf: the probe, with its call sites and arguments
 *
 * Context: may sleep.
 * Return: 0 or a negative errno.
 */
int trace_fprobe_alloc_rethook(struct trace_fprobe *tf)
{
	unsigned int num = tf->maxactive;
	struct rethook *rh;

	if (!num)
		num = 2 * num_possible_cpus() * max_t(size_t, list_count_nodes(&tf->sites), 1);
	rh = rethook_alloc(tf, return_hit,
			   sizeof(struct call) + probe_entry_size(&tf->probe), num);
	if (IS_ERR(rh))
		return PTR_ERR(rh);
	tf->rethook = rh;
	return 0;
}

/* Arming */

static struct ftrace_ops ops __read_mostly = {
	.func	= function_hit,
	.flags	= OPS_FLAGS,
};

/* Number of addresses in the filter of @ops, without those that ftrace has forgotten. */
static unsigned int nr_filtered;

/* @ops is registered.  Its filter is not empty: an empty one would match all functions. */
static bool is_registered;

/* Sites to add to the filter, and sites to remove. */
static LLIST_HEAD(to_add);
static LLIST_HEAD(to_remove);

/* The grace period after which no hit is at a site that has left the table. */
static unsigned long unlisted_gp;

/**
 * trace_fprobes_wait_for_hits() - wait until no hit uses a site that was disarmed
 *
 * Does not wait if a grace period has passed since a site was disarmed.
 *
 * Context: may sleep; event_mutex is held.
 */
void trace_fprobes_wait_for_hits(void)
{
	cond_synchronize_rcu(unlisted_gp);
}

/**
 * trace_fprobe_arm_site() - arm a call site, at trace_fprobes_apply_added()
 * @site: the site
 *
 * Context: event_mutex is held.
 */
void trace_fprobe_arm_site(struct trace_fprobe_site *site)
{
	/* A hit of another site may still be at this one in the table. */
	trace_fprobes_wait_for_hits();
	/* ftrace forgets init text, and would refuse the whole set. */
	if (ftrace_location(site->ip) && trace_fprobe_list_site(site))
		llist_add(&site->batch, &to_add);
}

/**
 * trace_fprobe_disarm_site() - disarm a call site, at trace_fprobes_apply_removed()
 * @site: the site
 *
 * Context: event_mutex is held.
 */
void trace_fprobe_disarm_site(struct trace_fprobe_site *site)
{
	bool last = trace_fprobe_unlist_site(site);

	unlisted_gp = get_state_synchronize_rcu();
	if (!last)
		return;
	if (ftrace_location(site->ip))
		llist_add(&site->batch, &to_remove);
	else
		nr_filtered--;
}

/* Return the address of the site at *@data and go to the next one; 0 at the end. */
static unsigned long next_ip(void *data)
{
	struct llist_node **pos = data, *node = *pos;

	if (!node)
		return 0;
	*pos = node->next;
	return llist_entry(node, struct trace_fprobe_site, batch)->ip;
}

static int change_filter(struct llist_head *sites, bool remove, bool reset)
{
	struct llist_node *pos = sites->first;

	/* ftrace adds a single address in place. */
	if (!pos->next)
		return ftrace_set_filter_ip(&ops, next_ip(&pos), remove, reset);
	return ftrace_set_filter_next(&ops, next_ip, &pos, remove, reset);
}

static unsigned int count(struct llist_head *sites)
{
	struct llist_node *node;
	unsigned int nr = 0;

	llist_for_each(node, sites->first)
		nr++;
	return nr;
}

/**
 * trace_fprobes_apply_added() - let ftrace call the probes that are armed
 *
 * Context: may sleep; event_mutex is held.
 * Return: 0 or a negative errno; after an error, ftrace calls none of them.
 */
int trace_fprobes_apply_added(void)
{
	int ret;

	if (llist_empty(&to_add))
		return 0;
	/* If no site is armed, the filter can still have old addresses. */
	ret = change_filter(&to_add, false, !nr_filtered);
	if (!ret && !is_registered) {
		ret = register_ftrace_function(&ops);
		is_registered = !ret;
	}
	if (!ret)
		nr_filtered += count(&to_add);
	init_llist_head(&to_add);
	return ret;
}

/**
 * trace_fprobes_forget_added() - do not let ftrace call the sites that are armed
 *
 * The caller then unlists these sites.
 *
 * Context: event_mutex is held.
 */
void trace_fprobes_forget_added(void)
{
	init_llist_head(&to_add);
}

/**
 * trace_fprobes_apply_removed() - stop ftrace from calling the probes that are disarmed
 *
 * A call for an address without an armed probe has no effect.  So it does not matter if an
 * address cannot be removed from the filter.
 *
 * Context: may sleep; event_mutex is held.
 */
void trace_fprobes_apply_removed(void)
{
	int ret = 0;

	nr_filtered -= count(&to_remove);
	if (!nr_filtered && is_registered) {
		ret = unregister_ftrace_function(&ops);
		is_registered = false;
	} else if (!llist_empty(&to_remove)) {
		ret = change_filter(&to_remove, true, false);
	}
	if (ret)
		pr_warn_once("Cannot remove addresses from an ftrace filter (%d)\n", ret);
	init_llist_head(&to_remove);
}
