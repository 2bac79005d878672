// SPDX-License-Identifier: GPL-2.0
/* Kprobe events: the fields at the head of a record. */
#include <linux/trace_seq.h>

#include "trace.h"
#include "kprobe.h"
#include "trace_output.h"
#include "trace_probe.h"

static void print_probe_head(struct trace_seq *s, const struct probe_event *event,
			     const unsigned long *head, unsigned long flags)
{
	trace_seq_putc(s, '(');
	seq_print_ip_sym(s, head[0], flags | TRACE_ITER_SYM_OFFSET);
	trace_seq_putc(s, ')');
}

static void print_return_head(struct trace_seq *s, const struct probe_event *event,
			      const unsigned long *head, unsigned long flags)
{
	trace_seq_putc(s, '(');
	seq_print_ip_sym(s, head[1], flags | TRACE_ITER_SYM_OFFSET);
	trace_seq_puts(s, " <- ");
	seq_print_ip_sym(s, head[0], flags & ~TRACE_ITER_SYM_OFFSET);
	trace_seq_putc(s, ')');
}

static const struct probe_event_ops kprobe_event_ops = {
	.nr_head	= 1,
	.head		= { FIELD_STRING_IP },
	.head_fmt	= "(%lx)",
	.flag		= TRACE_EVENT_FL_KPROBE,
	.print_head	= print_probe_head,
	.arm		= probe_event_arm,
	.disarm		= probe_event_disarm,
};

static const struct probe_event_ops kretprobe_event_ops = {
	.nr_head	= 2,
	.head		= { FIELD_STRING_FUNC, FIELD_STRING_RETIP },
	.head_fmt	= "(%lx <- %lx)",
	.flag		= TRACE_EVENT_FL_KPROBE,
	.print_head	= print_return_head,
	.arm		= probe_event_arm,
	.disarm		= probe_event_disarm,
};

/**
 * trace_kprobe_event_ops() - the constants of a probe's event
 * @tk: the probe
 *
 * Return: the constants for kprobes or for kretprobes.
 */
const struct probe_event_ops *trace_kprobe_event_ops(const struct trace_kprobe *tk)
{
	return trace_kprobe_is_return(tk) ? &kretprobe_event_ops : &kprobe_event_ops;
}
