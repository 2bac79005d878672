/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Watchpoint events: the place in a command.
 */
#ifndef _TRACE_WPROBE_PLACE_H
#define _TRACE_WPROBE_PLACE_H

#include "probe/ast.h"

/* Accesses that a watchpoint reports; the bits are those of HW_BREAKPOINT_*. */
#define TRACE_WPROBE_R	1
#define TRACE_WPROBE_W	2
#define TRACE_WPROBE_RW	(TRACE_WPROBE_R | TRACE_WPROBE_W)

/* Bytes that are watched if the command has no LENGTH. */
#define TRACE_WPROBE_LEN	4

/**
 * struct trace_wprobe_place - the place of a watchpoint
 * @text: the address or symbol, with its offset
 * @symbol: the symbol; absent if the command has an address
 * @offs: bytes from the symbol
 * @addr: the address if there is no symbol; 0: a trigger sets it later
 * @len_pos: column of LENGTH, or of the place if there is none
 * @len: number of bytes: 1, 2, 4 or 8
 * @access: TRACE_WPROBE_R, TRACE_WPROBE_W, or both
 */
struct trace_wprobe_place {
	struct probe_str	text;
	struct probe_str	symbol;
	long			offs;
	unsigned long		addr;
	u16			len_pos;
	u8			len;
	u8			access;
};

int trace_wprobe_parse_place(struct probe_cmd *cmd, struct trace_wprobe_place *place);

#endif /* _TRACE_WPROBE_PLACE_H */
