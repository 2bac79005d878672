/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Kprobe events: the place in a command.
 */
#ifndef _TRACE_KPROBE_PLACE_H
#define _TRACE_KPROBE_PLACE_H

#include "probe/ast.h"

/**
 * struct trace_kprobe_place - the place of a kprobe
 * @word: the whole word
 * @symbol: "[MOD:]SYM" without offset and suffix; absent for an address
 * @module: the MOD part; absent when not given
 * @name: the SYM part
 * @offset: offset from the symbol in bytes
 * @addr: the address, when there is no symbol
 * @ret: "%return" was given
 * @all: "%all" was given: all functions of this name
 * @pattern: @name is a pattern: all functions with matching names
 * @list: @word is a list of places; the other members are not set
 */
struct trace_kprobe_place {
	struct probe_str	word;
	struct probe_str	symbol;
	struct probe_str	module;
	struct probe_str	name;
	unsigned long		offset;
	unsigned long		addr;
	bool			ret;
	bool			all;
	bool			pattern;
	bool			list;
};

bool trace_kprobe_next_place(struct probe_str *list, struct probe_str *word);
int trace_kprobe_parse_place(struct probe_cmd *cmd, struct trace_kprobe_place *place);
void trace_kprobe_parse_symbol(struct trace_kprobe_place *place, const char *symbol);

#endif /* _TRACE_KPROBE_PLACE_H */
