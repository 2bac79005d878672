/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The offsets of the parts of a record, from layout.c.  Providers need the size of the struct,
 * as their probes contain it.  record.h has the rest of the format.
 */
#ifndef _PROBE_LAYOUT_H
#define _PROBE_LAYOUT_H

#include <linux/types.h>

/* Maximum number of words before the arguments: addresses that the provider records. */
#define PROBE_MAX_HEAD	2

/**
 * struct probe_layout - layout of a record
 * @head: bytes before the first argument
 * @fixed: end of the last fixed field, where the declared fields end and the
 *	fault map begins
 * @bits: length of the fault map in bits, 0 if no argument is a number; bit n is
 *	bit n % 8 of byte n / 8, and bit 0 is PROBE_MAP_MARK
 * @texts: end of the fault map, where the room for stack traces and for names of tasks begins;
 *	multiple of 4
 * @size: end of that room, where dynamic data begins; multiple of 4
 * @dynamic: at least one text is dynamic data
 */
struct probe_layout {
	u16	head;
	u16	fixed;
	u16	bits;
	u16	texts;
	u16	size;
	bool	dynamic;
};

#endif /* _PROBE_LAYOUT_H */
