// SPDX-License-Identifier: GPL-2.0
/*
 * Store numbers and texts in a record.
 *
 * The name of a task is copied to the room reserved for it in the record, if any.  Other
 * strings are copied in one pass to their final place, hit->dyn, which then advances
 * past the string.  A string that cannot be read is stored as a single NUL, so that its
 * offset is valid even for a reader that ignores lengths.  A string that does not fit is
 * truncated and ends in PROBE_CUT.  When the room is used up, all further strings share
 * one PROBE_CUT at the end of the record.
 *
 * All of this can run in int3 and NMI context, hence NOKPROBE.
 */
#include <linux/kprobes.h>
#include <linux/string.h>
#include <linux/unaligned.h>

#include "helpers.h"
#include "store.h"

/**
 * probe_get_number() - read a number
 * @p: its address, which need not be aligned
 * @size: its bytes
 *
 * Context: any.
 * Return: the number, zero-extended.
 */
u64 probe_get_number(const void *p, unsigned int size)
{
	switch (size) {
	case 1:
		return *(const u8 *)p;
	case 2:
		return get_unaligned((const u16 *)p);
	case 4:
		return get_unaligned((const u32 *)p);
	default:
		return get_unaligned((const u64 *)p);
	}
}
NOKPROBE_SYMBOL(probe_get_number);

static void put_number(void *p, u64 v, unsigned int size)
{
	switch (size) {
	case 1:
		*(u8 *)p = v;
		break;
	case 2:
		put_unaligned((u16)v, (u16 *)p);
		break;
	case 4:
		put_unaligned((u32)v, (u32 *)p);
		break;
	default:
		put_unaligned(v, (u64 *)p);
		break;
	}
}
NOKPROBE_SYMBOL(put_number);

/**
 * probe_bits_in() - extract a bitfield from bytes in memory
 * @bytes: the bytes
 * @size: their number, up to PROBE_MAX_BITS_LOAD
 * @bits: the bitfield, from probe_bits_shape()
 *
 * Context: any.
 * Return: the bitfield.
 */
u64 probe_bits_in(const u8 *bytes, unsigned int size, u64 bits)
{
	unsigned int shift = probe_bits_shift(bits), i;
	u64 v = 0, high = 0;

	/* Begin at the most significant byte.  If there are nine bytes, @high gets this one. */
	for (i = 0; i < size; i++) {
		high = v >> 56;
		v = v << 8 | bytes[IS_ENABLED(CONFIG_CPU_BIG_ENDIAN) ? i : size - 1 - i];
	}
	v = v >> shift | high << 1 << (63 - shift);
	return probe_extract_bits(v, probe_bits_shape(probe_bits_width(bits), 0,
						      probe_bits_signed(bits)));
}
NOKPROBE_SYMBOL(probe_bits_in);

/**
 * probe_store_bits() - replace each element of an array by its bitfield
 * @field: the array, in a record
 * @size: bytes of an element
 * @count: number of elements
 * @bits: the bitfield, from probe_bits_shape()
 *
 * Context: any.
 */
void probe_store_bits(u8 *field, unsigned int size, unsigned int count, u64 bits)
{
	unsigned int i;

	for (i = 0; i < count; i++, field += size)
		put_number(field, probe_extract_bits(probe_get_number(field, size), bits), size);
}
NOKPROBE_SYMBOL(probe_store_bits);

/**
 * probe_put_fault_text() - store a text that could not be read
 * @hit: the hit
 * @dst: offset of its field in the record
 *
 * Context: any.
 */
void probe_put_fault_text(struct probe_hit *hit, u32 dst)
{
	u32 at = hit->dyn;

	if (probe_text_room(hit))
		*(char *)(hit->rec + hit->dyn++) = '\0';
	else
		at--;
	put_unaligned(probe_data_loc(at, 0), (u32 *)(hit->rec + dst));
}
NOKPROBE_SYMBOL(probe_put_fault_text);

static void put_cut(struct probe_hit *hit, u32 at)
{
	memcpy(hit->rec + at, PROBE_CUT, PROBE_CUT_LEN);
}
NOKPROBE_SYMBOL(put_cut);

/**
 * probe_put_text() - finish a text that was copied to hit->dyn
 * @hit: the hit
 * @dst: offset of its field in the record
 * @len: its bytes, including the NUL; not positive if the text could not be read
 * @room: the value of probe_text_room() before the copy
 *
 * The caller need not have written the bytes that do not fit.
 *
 * Context: any.
 */
void probe_put_text(struct probe_hit *hit, u32 dst, long len, size_t room)
{
	if (len <= 0) {
		probe_put_fault_text(hit, dst);
		return;
	}
	if (len <= room) {
		probe_set_text(hit, dst, len);
		return;
	}
	if (room >= PROBE_CUT_LEN) {
		put_cut(hit, hit->dyn + room - PROBE_CUT_LEN);
		probe_set_text(hit, dst, room);
		return;
	}
	if (!probe_text_is_full(hit)) {
		put_cut(hit, hit->dyn);
		hit->dyn += PROBE_CUT_LEN;
	}
	put_unaligned(probe_data_loc(hit->dyn - PROBE_CUT_LEN, PROBE_CUT_LEN),
		      (u32 *)(hit->rec + dst));
}
NOKPROBE_SYMBOL(probe_put_text);
