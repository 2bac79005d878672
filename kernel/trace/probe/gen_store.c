// SPDX-License-Identifier: GPL-2.0
/* Code generation: stores to the record. */
#include <linux/align.h>
#include <linux/filter.h>
#include <linux/swab.h>

#include "emit.h"
#include "gen.h"
#include "record.h"

/**
 * probe_gen_fault_bit() - number of an argument's first bit in the fault map
 * @g: the program
 * @f: the argument
 *
 * Return: the number, counted from the start of the record; 0 if the layout has no map.
 */
u32 probe_gen_fault_bit(const struct probe_gen *g, const struct probe_fetch *f)
{
	return g->l->bits ? g->l->fixed * 8 + f->fault : 0;
}

/**
 * probe_gen_map_mask() - a mask for bits of the fault map
 * @g: the program
 * @bit: the first bit, counted from the start of an aligned u32
 * @n: number of bits
 *
 * The map numbers bits byte by byte, so swap the bytes for big-endian machines.
 *
 * Return: the mask for that u32.
 */
u32 probe_gen_map_mask(const struct probe_gen *g, unsigned int bit, unsigned int n)
{
	u32 mask = (u32)(((1ULL << n) - 1) << bit);

	return g->arch->big_endian ? swab32(mask) : mask;
}

static bool store_is_direct(const struct probe_gen *g, unsigned int dst, unsigned int size)
{
	if (size >= 4 && g->arch->word_end && dst >= g->arch->word_end)
		return false;
	/* Records are aligned to at least 4 bytes. */
	return g->arch->unaligned || (size <= 4 && dst % size == 0);
}

/**
 * probe_gen_store_imm() - store a constant in the record
 * @g: the program
 * @dst: offset in the record
 * @size: bytes to store
 * @imm: the constant
 */
void probe_gen_store_imm(struct probe_gen *g, unsigned int dst, unsigned int size, s32 imm)
{
	u8 rec = probe_gen_rec(g);
	unsigned int i;

	if (store_is_direct(g, dst, size)) {
		probe_emit(g->code, BPF_ST_MEM(probe_emit_size(size), rec, dst, imm));
		return;
	}
	for (i = 0; i < size; i++) {
		unsigned int byte = g->arch->big_endian ? size - 1 - i : i;

		probe_emit(g->code, BPF_ST_MEM(BPF_B, rec, dst + i,
					       (u8)((s64)imm >> (8 * byte))));
	}
}

/**
 * probe_gen_store_reg() - store a register in the record
 * @g: the program
 * @dst: offset in the record
 * @size: bytes to store
 * @reg: the register; may be overwritten
 */
void probe_gen_store_reg(struct probe_gen *g, unsigned int dst, unsigned int size, u8 reg)
{
	u8 rec = probe_gen_rec(g);
	unsigned int i;

	if (store_is_direct(g, dst, size)) {
		probe_emit(g->code, BPF_STX_MEM(probe_emit_size(size), rec, reg, dst));
		return;
	}
	for (i = 0; i < size; i++) {
		unsigned int byte = g->arch->big_endian ? size - 1 - i : i;

		probe_emit(g->code, BPF_STX_MEM(BPF_B, rec, reg, dst + byte));
		if (i < size - 1)
			probe_emit(g->code, BPF_ALU64_IMM(BPF_RSH, reg, 8));
	}
}

/**
 * probe_gen_zero() - clear bytes of the record
 * @g: the program
 * @from: offset of the first byte
 * @to: offset after the last byte
 * @floor: stores may begin as low as this offset, so that fewer of them are needed
 */
void probe_gen_zero(struct probe_gen *g, unsigned int from, unsigned int to, unsigned int floor)
{
	while (to > from) {
		unsigned int size = g->arch->unaligned ? 8 : 4;

		while (size > 1 && (to < floor + size || size >= 2 * (to - from) ||
				    !store_is_direct(g, to - size, size)))
			size /= 2;
		to -= size;
		probe_gen_store_imm(g, to, size, 0);
	}
}

/**
 * probe_gen_clear_map() - clear the fault map
 * @g: the program
 *
 * Clear the bytes between the fields and the room for task names, and set PROBE_MAP_MARK.
 * This may overwrite the end of the fields, which are stored later.
 */
void probe_gen_clear_map(struct probe_gen *g)
{
	unsigned int at = g->l->fixed, word = ALIGN_DOWN(at, sizeof(u32));

	if (!g->l->bits) {
		probe_gen_zero(g, at, g->l->texts, g->l->head);
		return;
	}
	probe_gen_store_imm(g, word, sizeof(u32),
			    probe_gen_map_mask(g, 8 * (at - word) + PROBE_MAP_MARK, 1));
	word += sizeof(u32);
	probe_gen_zero(g, word, g->l->texts, word);
}
