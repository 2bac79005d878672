/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The format of a record: its largest size, its fault map, and the texts in it.  layout.c
 * describes its parts.
 */
#ifndef _PROBE_RECORD_H
#define _PROBE_RECORD_H

#include <linux/types.h>

#include "layout.h"

struct probe_fetch;

/* Largest total size of a record's fixed fields, without header and fault map. */
#define PROBE_MAX_FIXED		3072

/* Largest record that a hit in the kernel fetches to the stack. */
#define PROBE_STACK_RECORD	256

/* Room for the name of a task: TASK_COMM_LEN. */
#define PROBE_COMM_LEN		16

/* A record of this size fits into every buffer. */
#define PROBE_ANY_RECORD	4000

/*
 * Largest record.  It is smaller than perf's limit, so that the record, printed with all
 * its strings, fits into a line of the trace file.
 */
#define PROBE_MAX_RECORD	7680

/*
 * Bit 0 of the fault map, set in every record that has a map. A record from the
 * event's "inject" file has a NUL in place of the map, followed by the strings.
 */
#define PROBE_MAP_MARK		0

/*
 * A truncated text ends with this mark. All texts for which no room is left share a mark at
 * the end of the record; the other texts leave room for it.
 */
#define PROBE_CUT		"..."
#define PROBE_CUT_LEN		4	/* with the NUL */

/*
 * __data_loc: location of a string. Low half: offset from the start of the
 * record; high half: length with the NUL, 0 when the string could not be read.
 */
static inline u32 probe_data_loc(u32 off, u32 len)
{
	return len << 16 | (off & 0xffff);
}

static inline u32 probe_data_loc_offset(u32 loc)
{
	return loc & 0xffff;
}

static inline u32 probe_data_loc_len(u32 loc)
{
	return loc >> 16;
}

/* layout.c */
int probe_layout_set(struct probe_layout *l, unsigned int head,
		     struct probe_fetch *fetch, unsigned int nr);

#endif /* _PROBE_RECORD_H */
