/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Watchpoint events: the text of a trigger command.
 */
#ifndef _TRACE_WPROBE_TRIGGER_TEXT_H
#define _TRACE_WPROBE_TRIGGER_TEXT_H

#include "probe/ast.h"

/**
 * struct trace_wprobe_trigger_text - a trigger command without its name and filter
 * @group: group of the watchpoint's event; absent if not given
 * @event: name of this event
 * @field: the field with the address; absent if not given
 * @adjust: bytes from this address
 * @count: how often the trigger can change the watchpoint; LONG_MAX if there is no limit
 */
struct trace_wprobe_trigger_text {
	struct probe_str	group;
	struct probe_str	event;
	struct probe_str	field;
	long			adjust;
	long			count;
};

enum probe_err trace_wprobe_parse_trigger(struct probe_str s, bool needs_field,
					  struct trace_wprobe_trigger_text *t,
					  unsigned int *pos);

#endif /* _TRACE_WPROBE_TRIGGER_TEXT_H */
