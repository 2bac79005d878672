// SPDX-License-Identifier: GPL-2.0
/*
 * Watchpoint events: explain in error_log why a watchpoint cannot be armed.
 */
#include <linux/cleanup.h>
#include <linux/hw_breakpoint.h>
#include <linux/list.h>
#include <linux/seq_buf.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "trace.h"
#include "wprobe.h"

/**
 * trace_wprobe_show_place() - write the place of a watchpoint, as in a command
 * @p: the probe
 * @buf: the buffer
 * @size: bytes of @buf
 *
 * Context: any.
 */
void trace_wprobe_show_place(const struct probe *p, char *buf, size_t size)
{
	static const char * const access[] = {
		[TRACE_WPROBE_R] = "r", [TRACE_WPROBE_W] = "w", [TRACE_WPROBE_RW] = "rw",
	};
	const struct trace_wprobe *wp = trace_wprobe_of(p);

	snprintf(buf, size, "%s@%s:%u", access[wp->access], wp->place, wp->len);
}

/* Too large for the stack. */
struct message {
	char	command[2 * PROBE_MAX_NAME + TRACE_WPROBE_TEXT];
	char	detail[512];
};

/* The mutex of the list is not needed: only the holder of event_mutex changes it. */
static unsigned int list_holders(struct seq_buf *s)
{
	const struct trace_wprobe *wp;
	unsigned int nr = 0;

	list_for_each_entry(wp, &trace_wprobes_armed, armed) {
		const struct probe_event *event = wp->probe.event;

		seq_buf_printf(s, "%s%s/%s", nr++ ? ", " : "", probe_event_group(event),
			       probe_event_name(event));
	}
	return nr;
}

/**
 * trace_wprobe_explain() - if no hardware watchpoint is free, write this to error_log
 * @p: the probe that could not be armed
 * @err: the error
 *
 * Context: may sleep; event_mutex is held.
 */
void trace_wprobe_explain(const struct probe *p, int err)
{
	const struct probe_event *event = p->event;
	unsigned int total = hw_breakpoint_slots(TYPE_DATA), nr, pos;
	struct message *msg __free(kfree) = NULL;
	struct seq_buf s;

	if (err != -ENOSPC)
		return;
	msg = kmalloc(sizeof(*msg), GFP_KERNEL);
	if (!msg)
		return;
	pos = scnprintf(msg->command, sizeof(msg->command), "w:%s/%s ",
			probe_event_group(event), probe_event_name(event));
	trace_wprobe_show_place(p, msg->command + pos, sizeof(msg->command) - pos);
	seq_buf_init(&s, msg->detail, sizeof(msg->detail));
	seq_buf_printf(&s, "the hardware has %u: ", total);
	nr = list_holders(&s);
	if (nr < total)
		seq_buf_printf(&s, "%s%u of perf, ptrace or a debugger", nr ? ", and " : "",
			       total - nr);
	probe_log_text(NULL, probe_provider_of(p)->name, msg->command, PROBE_ERR_NO_WATCHPOINT, pos,
		       seq_buf_str(&s));
}
