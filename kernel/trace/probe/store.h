/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Store numbers and texts in a record.  Only the helpers of fetch programs use this.
 */
#ifndef _PROBE_STORE_H
#define _PROBE_STORE_H

#include <linux/kprobes.h>
#include <linux/minmax.h>
#include <linux/types.h>
#include <linux/unaligned.h>

#include "code.h"
#include "record.h"

/* Maximum length of a string, with its NUL. */
#define PROBE_MAX_TEXT	4096

static nokprobe_inline struct probe_hit *probe_hit_of(u64 ctx)
{
	return (struct probe_hit *)(unsigned long)ctx;
}

static nokprobe_inline char *probe_text_start(const struct probe_hit *hit)
{
	return hit->rec + hit->dyn;
}

/* Is the PROBE_CUT at the end of the record in use? */
static nokprobe_inline bool probe_text_is_full(const struct probe_hit *hit)
{
	return hit->dyn + PROBE_CUT_LEN > hit->end;
}

/* Callers copy up to one byte more than this, to see whether a text fits. */
static nokprobe_inline size_t probe_text_room(const struct probe_hit *hit)
{
	return probe_text_is_full(hit) ? 0 :
	       min(hit->end - PROBE_CUT_LEN - hit->dyn, PROBE_MAX_TEXT);
}

/* Make the field at @dst refer to the text at hit->dyn; @len includes the NUL. */
static nokprobe_inline void probe_set_text(struct probe_hit *hit, u32 dst, u32 len)
{
	put_unaligned(probe_data_loc(hit->dyn, len), (u32 *)(hit->rec + dst));
	hit->dyn += len;
}

/* @bit: counted from the start of the record */
static nokprobe_inline void probe_mark_fault(struct probe_hit *hit, u32 bit)
{
	u8 *map = hit->rec;

	map[bit / 8] |= 1U << bit % 8;
}

u64 probe_get_number(const void *p, unsigned int size);
u64 probe_bits_in(const u8 *bytes, unsigned int size, u64 bits);
void probe_store_bits(u8 *field, unsigned int size, unsigned int count, u64 bits);
void probe_put_fault_text(struct probe_hit *hit, u32 dst);
void probe_put_text(struct probe_hit *hit, u32 dst, long len, size_t room);

#endif /* _PROBE_STORE_H */
