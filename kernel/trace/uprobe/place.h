/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Uprobe events: the place in a command.
 */
#ifndef _TRACE_UPROBE_PLACE_H
#define _TRACE_UPROBE_PLACE_H

#include "probe/ast.h"

/**
 * struct trace_uprobe_place - the place of a uprobe
 * @path: the file
 * @tail: the text after the colon that follows @path
 * @offset: offset of the probe in the file
 * @ref_ctr: offset of the reference counter in the file; 0 if there is none
 * @ret: "%return" was given
 */
struct trace_uprobe_place {
	struct probe_str	path;
	struct probe_str	tail;
	unsigned long		offset;
	unsigned long		ref_ctr;
	bool			ret;
};

int trace_uprobe_split_place(struct probe_cmd *cmd, struct trace_uprobe_place *place);
int trace_uprobe_parse_place(struct probe_cmd *cmd, struct trace_uprobe_place *place);

#endif /* _TRACE_UPROBE_PLACE_H */
