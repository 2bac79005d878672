/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Event probes: declarations shared by the files of this directory.
 *
 *   place.c		parser of the event and the filter in a command
 *   attach.c		attaches a probe to its event in a trace instance, and hits
 *   define.c		the provider: definition and listing
 *
 * A file uses only functions of files before it in this list.
 *
 * Locking: event_mutex protects the list of attachments.  A hit reads only members that do
 * not change while the probe is attached.
 */
#ifndef _TRACE_EPROBE_EPROBE_H
#define _TRACE_EPROBE_EPROBE_H

#include "place.h"
#include "probe/probe.h"

struct trace_event_call;

/**
 * struct trace_eprobe_cmd - a command of event probes
 * @cmd: the engine's part; must be the first member
 * @place: the place
 */
struct trace_eprobe_cmd {
	struct probe_cmd		cmd;
	struct trace_eprobe_place	place;
};

/**
 * struct trace_eprobe - an event probe
 * @probe: its arguments and its event
 * @call: the event to which it is attached, with a reference
 * @filter: filter for records of @call, or NULL
 * @attachments: where it is attached now
 */
struct trace_eprobe {
	struct probe		probe;
	struct trace_event_call	*call;
	const char		*filter;
	struct list_head	attachments;
};

extern struct probe_provider trace_eprobe_provider;

/* The engine allocates and copies both together. */
static_assert(offsetof(struct trace_eprobe_cmd, cmd) == 0);

static inline struct trace_eprobe_cmd *to_trace_eprobe_cmd(struct probe_cmd *cmd)
{
	return container_of(cmd, struct trace_eprobe_cmd, cmd);
}

static inline struct trace_eprobe *trace_eprobe_of(const struct probe *p)
{
	return container_of(p, struct trace_eprobe, probe);
}

/* attach.c */
int trace_eprobe_attach(struct probe_event *event, struct trace_event_file *file);
void trace_eprobe_detach(struct probe_event *event, struct trace_event_file *file);
int trace_eprobe_check_filter(struct trace_event_call *call, const char *filter);

#endif /* _TRACE_EPROBE_EPROBE_H */
