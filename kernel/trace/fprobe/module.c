// SPDX-License-Identifier: GPL-2.0
/*
 * Fprobe events: probes in modules that are loaded and unloaded.
 *
 * A probe loses its call sites and its tracepoint when their module is unloaded, and gets
 * them again when the module is loaded.
 */
#define pr_fmt(fmt)	"trace_fprobe: " fmt

#include <linux/cleanup.h>
#include <linux/init.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/notifier.h>
#include <linux/printk.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

#include "trace.h"
#include "fprobe.h"

static void warn(struct probe *p, int err)
{
	pr_warn("%s: cannot probe %s: %d\n", probe_event_name(p->event),
		trace_fprobe_of(p)->symbol, err);
}

static bool may_be_in(const struct trace_fprobe *tf, const struct module *mod)
{
	return tf->kind != TRACE_FPROBE_TRACEPOINT &&
	       (!tf->module || !strcmp(tf->module, mod->name));
}

/* Functions */

/* Add the functions of a module to a probe that is armed. */
static int arm_new(struct list_head *sites)
{
	struct trace_fprobe_site *site;
	int ret;

	trace_fprobes_begin();
	list_for_each_entry(site, sites, list)
		trace_fprobe_arm_site(site);
	ret = trace_fprobes_end();
	if (!ret)
		return 0;
	list_for_each_entry(site, sites, list)
		trace_fprobe_unlist_site(site);
	synchronize_rcu();
	return ret;
}

/*
 * An argument may read a symbol of the module.  A probe that is armed keeps its program: its
 * functions in other modules are hit.
 */
static int link(struct trace_fprobe *tf)
{
	trace_fprobes_wait_for_hits();
	return probe_link(&tf->probe, NULL);
}

static void add_functions(struct trace_fprobe *tf, const struct module *mod)
{
	LIST_HEAD(sites);
	int ret;

	ret = trace_fprobe_find_functions(tf, mod->name, &sites);
	if (!ret && list_empty(&sites))
		return;
	if (!ret)
		ret = tf->armed ? arm_new(&sites) : link(tf);
	if (ret) {
		warn(&tf->probe, ret);
		trace_fprobe_free_sites(&sites);
		return;
	}
	list_splice(&sites, &tf->sites);
}

/* Move the call sites in a module, or only in its init text, from a probe to @gone. */
static void remove_functions(struct trace_fprobe *tf, const struct module *mod, bool init,
			     struct list_head *gone)
{
	struct trace_fprobe_site *site, *next;

	list_for_each_entry_safe(site, next, &tf->sites, list) {
		if (init ? !within_module_init(site->ip, mod) : !within_module(site->ip, mod))
			continue;
		if (tf->armed)
			trace_fprobe_disarm_site(site);
		list_move(&site->list, gone);
	}
	if (list_empty(&tf->sites))
		WRITE_ONCE(tf->armed, false);
}

static void module_comes(const struct module *mod)
{
	struct probe *p;

	list_for_each_entry(p, &trace_fprobe_provider.probes, list) {
		if (may_be_in(trace_fprobe_of(p), mod))
			add_functions(trace_fprobe_of(p), mod);
		cond_resched();
	}
	/* A probe whose event is enabled may have got its first call site. */
	probe_arm_enabled(&trace_fprobe_provider, warn);
}

static void text_goes(const struct module *mod, bool init)
{
	struct probe *p;
	LIST_HEAD(gone);

	trace_fprobes_begin();
	list_for_each_entry(p, &trace_fprobe_provider.probes, list) {
		if (may_be_in(trace_fprobe_of(p), mod))
			remove_functions(trace_fprobe_of(p), mod, init, &gone);
		cond_resched();
	}
	trace_fprobes_end();
	if (list_empty(&gone))
		return;
	synchronize_rcu();
	trace_fprobe_free_sites(&gone);
}

static int module_event(struct notifier_block *nb, unsigned long state, void *data)
{
	guard(mutex)(&event_mutex);
	if (state == MODULE_STATE_COMING)
		module_comes(data);
	else if (state == MODULE_STATE_LIVE)
		text_goes(data, true);
	else if (state == MODULE_STATE_GOING)
		text_goes(data, false);
	return NOTIFY_DONE;
}

static struct notifier_block module_nb = {
	.notifier_call	= module_event,
};

/* Tracepoints */

static void match_tracepoint(struct tracepoint *tp, struct module *mod, void *data)
{
	struct trace_fprobe *tf = data;

	if (!tf->tp && !strcmp(tp->name, tf->symbol))
		trace_fprobe_set_tracepoint(tf, tp, mod);
}

static void find_tracepoint(struct trace_fprobe *tf, struct module *mod)
{
	int ret;

	for_each_tracepoint_in_module(mod, match_tracepoint, tf);
	if (!tf->tp)
		return;
	ret = link(tf);
	if (ret) {
		warn(&tf->probe, ret);
		trace_fprobe_set_tracepoint(tf, NULL, NULL);
	}
}

static void tracepoints_come(struct module *mod)
{
	struct trace_fprobe *tf;

	list_for_each_entry(tf, &trace_fprobe_provider.probes, probe.list)
		if (tf->kind == TRACE_FPROBE_TRACEPOINT && !tf->tp)
			find_tracepoint(tf, mod);
	probe_arm_enabled(&trace_fprobe_provider, warn);
}

static void tracepoints_go(const struct module *mod)
{
	struct trace_fprobe *tf;

	trace_fprobes_begin();
	list_for_each_entry(tf, &trace_fprobe_provider.probes, probe.list) {
		if (tf->kind != TRACE_FPROBE_TRACEPOINT || tf->tp_module != mod)
			continue;
		trace_fprobe_disarm(&tf->probe);
		trace_fprobe_set_tracepoint(tf, NULL, NULL);
	}
	trace_fprobes_end();
}

static int tracepoint_event(struct notifier_block *nb, unsigned long state, void *data)
{
	struct tp_module *tp_mod = data;

	guard(mutex)(&event_mutex);
	if (state == MODULE_STATE_COMING)
		tracepoints_come(tp_mod->mod);
	else if (state == MODULE_STATE_GOING)
		tracepoints_go(tp_mod->mod);
	return NOTIFY_DONE;
}

static struct notifier_block tracepoint_nb = {
	.notifier_call	= tracepoint_event,
};

static int __init trace_fprobe_watch_modules(void)
{
	return register_module_notifier(&module_nb) ?:
	       register_tracepoint_module_notifier(&tracepoint_nb);
}
core_initcall(trace_fprobe_watch_modules);
