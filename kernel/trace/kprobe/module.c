// SPDX-License-Identifier: GPL-2.0
/*
 * Kprobe events: probes in modules that are loaded.
 *
 * A probe in a module that is not loaded is kept unregistered until the module
 * is loaded.  When the module is unloaded, kprobes marks its probes as gone;
 * they stay registered until the module is loaded again.
 */
#define pr_fmt(fmt)	"trace_kprobe: " fmt

#include <linux/cleanup.h>
#include <linux/init.h>
#include <linux/kprobes.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/notifier.h>
#include <linux/printk.h>
#include <linux/sched.h>

#include "trace.h"
#include "kprobe.h"

static int register_in_module(struct trace_kprobe *tk, const struct module *mod)
{
	switch (probe_symbol_count(mod->name, tk->function)) {
	case 0:
		return -ENOENT;
	case 1:
		return trace_kprobe_register(tk, false, NULL);
	default:
		return -EADDRNOTAVAIL;
	}
}

static void unregister_in(const struct module *mod)
{
	struct probe *p;

	trace_kprobes_begin();
	list_for_each_entry(p, &trace_kprobe_provider.probes, list) {
		if (trace_kprobe_is_in(trace_kprobe_of(p), mod->name))
			trace_kprobe_unregister(trace_kprobe_of(p));
		cond_resched();
	}
	trace_kprobes_end();
}

static void warn(const struct trace_kprobe *tk, int err)
{
	pr_warn("%s: cannot probe %s: %d\n", trace_kprobe_event_name(tk),
		trace_kprobe_symbol(tk), err);
}

static void give_up(struct probe *p, int err)
{
	struct trace_kprobe *tk = trace_kprobe_of(p);

	warn(tk, err);
	trace_kprobe_unregister(tk);
}

static int module_event(struct notifier_block *nb, unsigned long state, void *data)
{
	struct module *mod = data;
	struct trace_kprobe *tk;
	struct probe *p;
	int ret;

	if (state != MODULE_STATE_COMING)
		return NOTIFY_DONE;

	guard(mutex)(&event_mutex);
	/* Probes may still be registered from an earlier load, and marked as gone. */
	unregister_in(mod);
	list_for_each_entry(p, &trace_kprobe_provider.probes, list) {
		tk = trace_kprobe_of(p);
		if (!trace_kprobe_is_in(tk, mod->name))
			continue;
		tk->rp.kp.addr = NULL;
		ret = register_in_module(tk, mod);
		if (ret)
			warn(tk, ret);
	}
	probe_arm_enabled(&trace_kprobe_provider, give_up);
	return NOTIFY_DONE;
}

static struct notifier_block module_nb = {
	.notifier_call	= module_event,
	/* Run before the notifiers of jump labels and of trace events. */
	.priority	= 2,
};

static int __init trace_kprobe_watch_modules(void)
{
	return register_module_notifier(&module_nb);
}
core_initcall(trace_kprobe_watch_modules);
