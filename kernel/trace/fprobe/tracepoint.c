// SPDX-License-Identifier: GPL-2.0
/*
 * Fprobe events: tracepoints.
 *
 * A probe is a function of the tracepoint, like a static trace event.  The arguments of a
 * tracepoint differ from one to the next, but each is passed as one register or word of the
 * stack, in order.  So one function, whose parameters are longs, can save the arguments of
 * all tracepoints.  The saved words of parameters that a tracepoint does not have are not
 * used.
 *
 * With CFI, the kernel checks the type of the function that a tracepoint calls.  Then, the
 * tracepoint calls its own empty function, and an fprobe there saves the arguments.
 */
#include <linux/fprobe.h>
#include <linux/ftrace.h>
#include <linux/kallsyms.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/perf_event.h>
#include <linux/preempt.h>
#include <linux/string.h>
#include <linux/trace_recursion.h>
#include <linux/tracepoint.h>

#include "fprobe.h"

/* Hits */

static nokprobe_inline void tracepoint_hit(struct trace_fprobe *tf, unsigned long *args)
{
	int bit;

	if (!probe_hit_may_fault(&tf->probe)) {
		probe_hit_trace(&tf->probe, NULL, args, tf->tp_addr, 0);
		return;
	}
	/* A page fault has tracepoints, too. */
	bit = ftrace_test_recursion_trylock(tf->tp_addr, 0);
	if (bit < 0)
		return;
	/* The record shows the depth of the tracepoint, which has disabled preemption. */
	preempt_enable_notrace();
	probe_hit_saved(&tf->probe, args, tf->tp_addr);
	preempt_disable_notrace();
	ftrace_test_recursion_unlock(bit);
}

#ifdef CONFIG_CFI_CLANG
static int stub_hit(struct fprobe *fp, unsigned long ip, unsigned long parent_ip,
		    struct pt_regs *regs, void *data)
{
	struct trace_fprobe *tf = container_of(fp, struct trace_fprobe, stub);
	unsigned long args[TRACE_FPROBE_TP_ARGS];
	unsigned int i;

	/* The tracepoint calls the empty function once for each probe. */
	if (regs_get_kernel_argument(regs, 0) != (unsigned long)tf)
		return 0;
	for (i = 0; i < ARRAY_SIZE(args); i++)
		args[i] = regs_get_kernel_argument(regs, i + 1);
	tracepoint_hit(tf, args);
	return 0;
}
NOKPROBE_SYMBOL(stub_hit);

static int attach(struct trace_fprobe *tf)
{
	int ret;

	ret = tracepoint_probe_register(tf->tp, tf->tp->probestub, tf);
	if (ret)
		return ret;
	tf->stub.entry_handler = stub_hit;
	ret = register_fprobe_ips(&tf->stub, &tf->tp_addr, 1);
	if (ret)
		tracepoint_probe_unregister(tf->tp, tf->tp->probestub, tf);
	return ret;
}

static void detach(struct trace_fprobe *tf)
{
	unregister_fprobe(&tf->stub);
	tracepoint_probe_unregister(tf->tp, tf->tp->probestub, tf);
}
#else
/*
 * On most machines, registers pass the first five arguments after @data, and a store of each
 * is all it takes.  Another function saves the arguments on the stack.
 */
#define FEW_ARGS	5

static notrace void few_args_hit(void *data, unsigned long a0, unsigned long a1,
				 unsigned long a2, unsigned long a3, unsigned long a4)
{
	unsigned long args[] = { a0, a1, a2, a3, a4 };

	tracepoint_hit(data, args);
}
NOKPROBE_SYMBOL(few_args_hit);

static notrace void many_args_hit(void *data, unsigned long a0, unsigned long a1,
				  unsigned long a2, unsigned long a3, unsigned long a4,
				  unsigned long a5, unsigned long a6, unsigned long a7,
				  unsigned long a8, unsigned long a9, unsigned long a10,
				  unsigned long a11)
{
	unsigned long args[] = { a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11 };

	BUILD_BUG_ON(ARRAY_SIZE(args) != TRACE_FPROBE_TP_ARGS);
	tracepoint_hit(data, args);
}
NOKPROBE_SYMBOL(many_args_hit);

static void *function_of(const struct trace_fprobe *tf)
{
	return tf->probe.nr_saved <= FEW_ARGS ? (void *)few_args_hit : (void *)many_args_hit;
}

static int attach(struct trace_fprobe *tf)
{
	return tracepoint_probe_register(tf->tp, function_of(tf), tf);
}

static void detach(struct trace_fprobe *tf)
{
	tracepoint_probe_unregister(tf->tp, function_of(tf), tf);
}
#endif

/* Arming */

/**
 * trace_fprobe_arm_tracepoint() - register a probe with its tracepoint
 * @tf: the probe
 *
 * Context: may sleep; event_mutex is held.
 * Return: 0 or a negative errno.
 */
int trace_fprobe_arm_tracepoint(struct trace_fprobe *tf)
{
	return attach(tf);
}

/**
 * trace_fprobe_disarm_tracepoint() - unregister a probe from its tracepoint
 * @tf: the probe
 *
 * Hits may run until tracepoint_synchronize_unregister().
 *
 * Context: may sleep; event_mutex is held.
 */
void trace_fprobe_disarm_tracepoint(struct trace_fprobe *tf)
{
	detach(tf);
}

/* Lookup */

/**
 * trace_fprobe_set_tracepoint() - set the tracepoint of a probe
 * @tf: the probe
 * @tp: the tracepoint; NULL if its module is not loaded
 * @module: the module that has it, or NULL
 *
 * Context: event_mutex is held, unless @tf is new.
 */
void trace_fprobe_set_tracepoint(struct trace_fprobe *tf, struct tracepoint *tp,
				 const struct module *module)
{
	unsigned long stub;

	tf->tp = tp;
	tf->tp_module = module;
	if (!tp)
		return;
	stub = (unsigned long)tp->probestub;
	tf->tp_addr = ftrace_location(stub) ?: stub;
}

/**
 * struct tracepoint_search - search for a tracepoint
 * @name: its name
 * @tp: the tracepoint found, or NULL
 * @module: the module that has it, with a reference, or NULL
 */
struct tracepoint_search {
	struct probe_str	name;
	struct tracepoint	*tp;
	struct module		*module;
};

static void match_kernel(struct tracepoint *tp, void *data)
{
	struct tracepoint_search *s = data;

	if (!s->tp && probe_str_is(s->name, tp->name))
		s->tp = tp;
}

#ifdef CONFIG_MODULES
static void match_module(struct tracepoint *tp, struct module *mod, void *data)
{
	struct tracepoint_search *s = data;

	/* A module that is being removed does not give a reference. */
	if (s->tp || !probe_str_is(s->name, tp->name) || !try_module_get(mod))
		return;
	s->tp = tp;
	s->module = mod;
}

static void search_modules(struct tracepoint_search *s)
{
	for_each_module_tracepoint(match_module, s);
}
#else
static void search_modules(struct tracepoint_search *s) { }
#endif

/**
 * trace_fprobe_find_tracepoint() - look up the tracepoint of a command
 * @tc: the command; its tp and tp_module are set
 *
 * The module that has the tracepoint stays loaded until its reference is dropped.
 *
 * Context: may sleep; event_mutex is not held, because modules that are loaded take it while
 * they hold the mutex of the list of tracepoints.
 * Return: true if there is such a tracepoint.
 */
bool trace_fprobe_find_tracepoint(struct trace_fprobe_cmd *tc)
{
	struct tracepoint_search s = { .name = tc->place.symbol };

	for_each_kernel_tracepoint(match_kernel, &s);
	if (!s.tp)
		search_modules(&s);
	tc->tp = s.tp;
	tc->tp_module = s.module;
	return s.tp;
}
