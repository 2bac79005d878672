/* SPDX-License-Identifier: GPL-2.0 */
/* Events without a provider, for tests. */
#ifndef _PROBE_TESTS_DUMMY_H
#define _PROBE_TESTS_DUMMY_H

struct probe_event;
struct probe_event_ops;
struct trace_seq;

/* Arming an event does nothing, so only the test causes hits. */
extern const struct probe_event_ops dummy_event_ops;

void dummy_event_print_head(struct trace_seq *s, const struct probe_event *event,
			    const unsigned long *head, unsigned long flags);
int dummy_event_arm(struct probe_event *event);
void dummy_event_disarm(struct probe_event *event);

#endif /* _PROBE_TESTS_DUMMY_H */
