/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Event probes: the event and the filter in a command.
 */
#ifndef _TRACE_EPROBE_PLACE_H
#define _TRACE_EPROBE_PLACE_H

#include "probe/ast.h"

/**
 * struct trace_eprobe_place - the place of an event probe
 * @group: group of the event to which it is attached
 * @event: name of this event
 * @filter: the filter; absent if there is none
 */
struct trace_eprobe_place {
	struct probe_str	group;
	struct probe_str	event;
	struct probe_str	filter;
};

int trace_eprobe_parse_place(struct probe_cmd *cmd, struct trace_eprobe_place *place);

#endif /* _TRACE_EPROBE_PLACE_H */
