// SPDX-License-Identifier: GPL-2.0
/*
 * Definition and listing of event probes.  The engine does the rest: see probe/define.c and
 * probe/dynevent.c.
 */
#include <linux/cleanup.h>
#include <linux/err.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

#include "trace.h"
#include "eprobe.h"
#include "trace_output.h"

/* Definition */

static bool can_attach_to(struct trace_event_call *call)
{
	return call->class->system &&
	       !(call->flags & (TRACE_EVENT_FL_IGNORE_ENABLE | TRACE_EVENT_FL_EPROBE));
}

/* Find an event, and get a reference to it. */
static struct trace_event_call *get_event(const struct trace_eprobe_place *place)
{
	struct trace_event_call *call;

	guard(mutex)(&event_mutex);
	/* New events are added to the head of the list: look at static events first. */
	list_for_each_entry_reverse(call, &ftrace_events, list)
		if (can_attach_to(call) && probe_str_is(place->group, call->class->system) &&
		    probe_str_is(place->event, trace_event_name(call)))
			return trace_event_try_get_ref(call) ? call : NULL;
	return NULL;
}

static void release_probe(struct probe *p)
{
	struct trace_eprobe *ep = trace_eprobe_of(p);

	if (ep->call)
		trace_event_put_ref(ep->call);
	ep->call = NULL;
}

static void free_probe(struct probe *p)
{
	struct trace_eprobe *ep = trace_eprobe_of(p);

	release_probe(p);
	probe_fini(p);
	kfree(ep);
}

static int set_filter(struct trace_eprobe *ep, struct probe_str filter)
{
	if (!filter.s)
		return 0;
	ep->filter = probe_arena_strndup(ep->probe.arena, filter.s, filter.len);
	if (!ep->filter)
		return -ENOMEM;
	return trace_eprobe_check_filter(ep->call, ep->filter) ? -EINVAL : 0;
}

static int set_place(struct trace_eprobe *ep, struct probe_cmd *cmd)
{
	const struct trace_eprobe_place *place = &to_trace_eprobe_cmd(cmd)->place;
	int ret;

	ret = probe_init(&ep->probe, place->filter.len + 1, cmd->nr_words - PROBE_FIRST_ARG);
	if (ret)
		return ret;
	ep->call = get_event(place);
	if (!ep->call)
		return probe_cmd_error(cmd, PROBE_ERR_BAD_ATTACH_EVENT, cmd->words[1].pos);
	return set_filter(ep, place->filter);
}

static struct probe *create_probe(struct probe_cmd *cmd)
{
	struct trace_eprobe *ep = kzalloc(sizeof(*ep), GFP_KERNEL);
	int ret;

	if (!ep)
		return ERR_PTR(-ENOMEM);
	INIT_LIST_HEAD(&ep->attachments);
	ret = set_place(ep, cmd);
	if (ret) {
		free_probe(&ep->probe);
		return ERR_PTR(ret);
	}
	return &ep->probe;
}

static int set_scope(struct probe *p, struct probe_cmd *cmd, struct probe_scope *scope)
{
	scope->no_registers = true;
	scope->fields = trace_eprobe_of(p)->call;
	return 0;
}

static const char *default_group(const struct probe *p)
{
	return "eprobes";
}

static void default_event_name(const struct probe *p, char *buf, size_t size)
{
	snprintf(buf, size, "%s", trace_event_name(trace_eprobe_of(p)->call));
}

/* A reader of the trace prevents that the event loses its probe. */
static struct trace_eprobe *eprobe_of(const struct probe_event *event)
{
	return trace_eprobe_of(probe_event_first((struct probe_event *)event));
}

static void print_head(struct trace_seq *s, const struct probe_event *event,
		       const unsigned long *head, unsigned long flags)
{
	struct trace_event_call *call = eprobe_of(event)->call;

	trace_seq_printf(s, "(%s.%s)", call->class->system, trace_event_name(call));
}

static const struct probe_event_ops eprobe_event_ops = {
	.head_fmt	= "",
	.flag		= TRACE_EVENT_FL_EPROBE,
	.alone		= true,
	.print_head	= print_head,
	.arm_for	= trace_eprobe_attach,
	.disarm_for	= trace_eprobe_detach,
};

static const struct probe_event_ops *event_ops(const struct probe *p)
{
	return &eprobe_event_ops;
}

/* Several probes cannot have the same event. */
static bool same_place(const struct probe *a, const struct probe *b)
{
	return false;
}

static int install_probe(struct probe *p, struct probe_cmd *cmd)
{
	return probe_link(p, cmd);
}

static int run_command(struct probe_cmd *cmd)
{
	struct trace_eprobe_cmd *tc = to_trace_eprobe_cmd(cmd);

	return probe_parse_event_name(cmd) ?: trace_eprobe_parse_place(cmd, &tc->place) ?:
	       probe_define(&trace_eprobe_provider, cmd);
}

/* Listing */

static void show_kind(const struct probe *p, struct seq_file *m)
{
	seq_putc(m, 'e');
}

static void show_place(const struct probe *p, struct seq_file *m)
{
	struct trace_event_call *call = trace_eprobe_of(p)->call;

	seq_printf(m, "%s.%s", call->class->system, trace_event_name(call));
}

static bool match_place(const struct probe *p, const char *word)
{
	struct trace_event_call *call = trace_eprobe_of(p)->call;
	size_t len = str_has_prefix(word, call->class->system);

	return len && (word[len] == '/' || word[len] == '.') &&
	       !strcmp(word + len + 1, trace_event_name(call));
}

/* Attaching */

/* Each user of an event attaches its probe; there is nothing to do for a set. */
static enum probe_state state(const struct probe *p)
{
	return PROBE_GONE;
}

static void begin(void) { }

static int end(void)
{
	return 0;
}

static void unregister(struct list_head *probes)
{
	tracepoint_synchronize_unregister();
}

struct probe_provider trace_eprobe_provider = {
	.name		= "event_probe",
	.kinds		= "e",
	.cmd_size	= sizeof(struct trace_eprobe_cmd),
	.run		= run_command,
	.create		= create_probe,
	.set_scope	= set_scope,
	.group		= default_group,
	.default_event_name	= default_event_name,
	.event_ops	= event_ops,
	.same_place	= same_place,
	.install	= install_probe,
	.release	= release_probe,
	.free		= free_probe,
	.show_kind	= show_kind,
	.show_place	= show_place,
	.match_place	= match_place,
	.state		= state,
	.begin		= begin,
	.end		= end,
	.unregister	= unregister,
};

static int trace_eprobe_create(const char *raw)
{
	return probe_command(&trace_eprobe_provider, raw);
}

static int __init trace_eprobe_register_commands(void)
{
	return probe_provider_register(&trace_eprobe_provider, trace_eprobe_create);
}
core_initcall(trace_eprobe_register_commands);
