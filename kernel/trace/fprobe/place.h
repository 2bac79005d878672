/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Fprobe events: the place in a command.
 */
#ifndef _TRACE_FPROBE_PLACE_H
#define _TRACE_FPROBE_PLACE_H

#include "probe/ast.h"

/**
 * enum trace_fprobe_kind - kinds of places
 * @TRACE_FPROBE_ENTRY: entries of functions
 * @TRACE_FPROBE_TRACEPOINT: a tracepoint
 * @TRACE_FPROBE_RETURN: returns of functions
 */
enum trace_fprobe_kind {
	TRACE_FPROBE_ENTRY,
	TRACE_FPROBE_TRACEPOINT,
	TRACE_FPROBE_RETURN,
};

/**
 * struct trace_fprobe_place - the place of a probe
 * @word: the whole word
 * @symbol: the word without suffix: a function or a pattern, with its module if it is given,
 *	or a tracepoint
 * @module: the module; absent if not given
 * @name: @symbol without the module
 * @kind: its kind
 */
struct trace_fprobe_place {
	struct probe_str	word;
	struct probe_str	symbol;
	struct probe_str	module;
	struct probe_str	name;
	enum trace_fprobe_kind	kind;
};

int trace_fprobe_parse_place(struct probe_cmd *cmd, struct trace_fprobe_place *place);
int trace_fprobe_check_symbol(struct probe_cmd *cmd, struct probe_str symbol);

#endif /* _TRACE_FPROBE_PLACE_H */
