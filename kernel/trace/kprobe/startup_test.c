// SPDX-License-Identifier: GPL-2.0
/*
 * FTRACE_STARTUP_TEST for kprobe events: define, enable, hit once and remove
 * probes at the entry and the return of a function.  The test has its own instance,
 * so it does not consume records of the top instance.
 */
#define pr_fmt(fmt)	"trace_kprobe: " fmt

#include <linux/bug.h>
#include <linux/init.h>
#include <linux/kprobes.h>
#include <linux/mutex.h>
#include <linux/ring_buffer.h>
#include <linux/security.h>
#include <linux/trace_events.h>

#include "trace.h"
#include "kprobe.h"
#include "trace_kprobe_selftest.h"

#define GROUP	"kprobe_startup"
#define TARGET	"kprobe_trace_selftest_target"

/**
 * struct startup_probe - a probe at the target
 * @event: name of its event
 * @define: the command that defines it
 * @remove: the command that removes it
 * @want: the value that its only argument, an s32, must have
 * @type: the number of its event in the ring buffer
 * @dst: offset of the argument in the record
 * @hits: number of hits
 * @right: number of its records that contain @want
 */
struct startup_probe {
	const char	*event;
	const char	*define;
	const char	*remove;
	s32		want;
	int		type;
	unsigned int	dst;
	unsigned long	hits;
	unsigned int	right;
};

static struct startup_probe probes[] __initdata = {
	{
		.event	= "entry",
#ifdef CONFIG_HAVE_FUNCTION_ARG_ACCESS_API
		.define	= "p:" GROUP "/entry " TARGET " a=$arg2:s32",
#else
		.define	= "p:" GROUP "/entry " TARGET " a=\\2:s32",
#endif
		.remove	= "-:" GROUP "/entry",
		.want	= 2,
	},
#ifdef CONFIG_KRETPROBES
	{
		.event	= "return",
		.define	= "r:" GROUP "/return " TARGET " a=$retval:s32",
		.remove	= "-:" GROUP "/return",
		.want	= 21,
	},
#endif
};

static bool __init expect(bool ok, const char *what, const struct startup_probe *p)
{
	WARN(!ok, "%s/%s: %s\n", GROUP, p->event, what);
	return ok;
}

static bool __init find_event(struct startup_probe *p)
{
	struct probe_event *event;
	struct trace_kprobe *tk;

	guard(mutex)(&event_mutex);
	event = probe_event_find(GROUP, p->event);
	if (!event)
		return false;
	tk = list_first_entry(&event->probes, struct trace_kprobe, probe.siblings);
	p->type = event->call.event.type;
	p->dst = event->fields[0].dst;
	p->hits = trace_kprobe_hits(tk);
	return true;
}

static void __init count_record(const struct trace_entry *entry)
{
	struct startup_probe *p;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(probes); i++) {
		p = &probes[i];
		if (entry->type == p->type &&
		    *(const s32 *)((const void *)entry + p->dst) == p->want)
			p->right++;
	}
}

static void __init count_records(struct trace_array *tr)
{
	struct trace_buffer *buffer = tr->array_buffer.buffer;
	struct ring_buffer_event *event;
	int cpu;

	for_each_tracing_cpu(cpu)
		while ((event = ring_buffer_consume(buffer, cpu, NULL, NULL)))
			count_record(ring_buffer_event_data(event));
}

static bool __init set_enabled(struct trace_array *tr, struct startup_probe *p, bool on)
{
	return expect(!trace_array_set_clr_event(tr, GROUP, p->event, on),
		      on ? "not enabled" : "not disabled", p);
}

static bool __init begin(struct trace_array *tr, struct startup_probe *p)
{
	return expect(!trace_kprobe_command(p->define), "not defined", p) &&
	       set_enabled(tr, p, true) && expect(find_event(p), "not found", p);
}

/* Disable and remove the event even if an earlier step failed. */
static bool __init end(struct trace_array *tr, struct startup_probe *p)
{
	bool ok = set_enabled(tr, p, false);

	ok &= expect(find_event(p) && p->hits == 1, "not hit exactly once", p);
	ok &= expect(p->right == 1, "not recorded exactly once, with the right value", p);
	ok &= expect(!trace_kprobe_command(p->remove), "not removed", p);
	ok &= expect(!find_event(p), "still there", p);
	return ok;
}

static bool __init run(struct trace_array *tr)
{
	int (*target)(int, int, int, int, int, int) = kprobe_trace_selftest_target;
	unsigned int i;
	bool ok = true;

	for (i = 0; i < ARRAY_SIZE(probes); i++)
		ok &= begin(tr, &probes[i]);
	/* Hide the target from the compiler, so that it emits a real call. */
	OPTIMIZER_HIDE_VAR(target);
	target(1, 2, 3, 4, 5, 6);
	count_records(tr);
	for (i = 0; i < ARRAY_SIZE(probes); i++)
		ok &= end(tr, &probes[i]);
	return ok;
}

static int __init trace_kprobe_startup_test(void)
{
	struct trace_array *tr;
	bool ok = false;

	if (tracing_is_disabled())
		return -ENODEV;
	if (tracing_selftest_disabled || security_locked_down(LOCKDOWN_KPROBES))
		return 0;
	/* An instance without directories cannot be removed. */
	if (tracing_init_dentry())
		return 0;

	tr = trace_array_get_by_name(GROUP, GROUP);
	if (tr) {
		ok = run(tr);
		trace_array_put(tr);
		ok &= !WARN_ON(trace_array_destroy(tr));
	}
	pr_info("startup test: %s\n", ok ? "ok" : "failed");
	return 0;
}
/* Run after trace_eval_sync(), which waits until tracefs has its files. */
late_initcall_sync(trace_kprobe_startup_test);
