// SPDX-License-Identifier: GPL-2.0
/* Events without a provider, for tests. */
#include "../engine.h"

#include "dummy.h"

/* The record has no header words. */
void dummy_event_print_head(struct trace_seq *s, const struct probe_event *event,
			    const unsigned long *head, unsigned long flags)
{
}

int dummy_event_arm(struct probe_event *event)
{
	return 0;
}

void dummy_event_disarm(struct probe_event *event)
{
}

const struct probe_event_ops dummy_event_ops = {
	.head_fmt	= "()",
	.print_head	= dummy_event_print_head,
	.arm		= dummy_event_arm,
	.disarm		= dummy_event_disarm,
};
