// SPDX-License-Identifier: GPL-2.0
/*
 * Generate byte sequences that may be instructions. Uniformly random bytes rarely contain
 * an opcode of more than one byte. So most sequences are assembled from legacy prefixes,
 * the prefix or escape bytes of an encoding, an opcode and operands, or are valid
 * instructions with a few bits and bytes changed.
 */
#include <string.h>

#include "gen.h"

static u64 gen_u64(struct gen *gen)
{
	u64 z = gen->state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

static unsigned int gen_below(struct gen *gen, unsigned int limit)
{
	return (gen_u64(gen) >> 32) * limit >> 32;
}

static bool one_in(struct gen *gen, unsigned int n)
{
	return !gen_below(gen, n);
}

static void gen_random(struct gen *gen, u8 *bytes)
{
	u64 v[2] = { gen_u64(gen), gen_u64(gen) };

	memcpy(bytes, v, GEN_BYTES);
}

static u8 gen_prefix(struct gen *gen)
{
	static const u8 prefixes[] = {
		0x66, 0x66, 0x66, 0xf2, 0xf2, 0xf3, 0xf3, 0x67, 0x67, 0xf0,
		0x26, 0x2e, 0x36, 0x3e, 0x64, 0x65,
	};

	return prefixes[gen_below(gen, ARRAY_SIZE(prefixes))];
}

enum head {
	HEAD_1, HEAD_0F, HEAD_0F_TOO, HEAD_0F38, HEAD_0F3A, HEAD_VEX2, HEAD_VEX3, HEAD_XOP,
	HEAD_EVEX, HEAD_EVEX_TOO, HEAD_REX2, HEAD_EMULATE, NR_HEADS,
};

static unsigned int gen_head(struct gen *gen, enum head head, u8 *p)
{
	static const u8 vex_maps[] = { 1, 2, 3, 1, 2, 3, 5, 7 };
	static const u8 evex_maps[] = { 1, 2, 3, 4, 5, 6, 1, 7 };
	/* Often use the vvvv that means no register, as many instructions require it. */
	u8 vvvv = one_in(gen, 2) ? 0x78 : gen_below(gen, 16) << 3;
	u8 random = gen_u64(gen);

	switch (head) {
	case HEAD_0F:
	case HEAD_0F_TOO:
		p[0] = 0x0f;
		return 1;
	case HEAD_0F38:
		p[0] = 0x0f;
		p[1] = 0x38;
		return 2;
	case HEAD_0F3A:
		p[0] = 0x0f;
		p[1] = 0x3a;
		return 2;
	case HEAD_VEX2:
		p[0] = 0xc5;
		p[1] = (random & 0x87) | vvvv;
		if (gen->mode != MODE_64)
			p[1] |= 0xc0;
		return 2;
	case HEAD_VEX3:
		p[0] = 0xc4;
		p[1] = (random & 0xe0) | vex_maps[gen_below(gen, ARRAY_SIZE(vex_maps))];
		if (one_in(gen, 32))
			p[1] = random;
		p[2] = (gen_u64(gen) & 0x87) | vvvv;
		if (gen->mode != MODE_64)
			p[1] |= 0xc0;
		return 3;
	case HEAD_XOP:
		p[0] = 0x8f;
		p[1] = (random & 0xe0) | (8 + gen_below(gen, 3));
		if (one_in(gen, 32))
			p[1] = random;
		p[2] = (gen_u64(gen) & (one_in(gen, 8) ? 0x87 : 0x84)) | vvvv;
		return 3;
	case HEAD_EVEX:
	case HEAD_EVEX_TOO:
		p[0] = 0x62;
		p[1] = (random & 0xf0) | evex_maps[gen_below(gen, ARRAY_SIZE(evex_maps))];
		p[2] = (gen_u64(gen) & 0x83) | vvvv | 0x04;
		p[3] = gen_u64(gen);
		/* Often use no mask, zeroing or broadcast.  V' must match vvvv. */
		if (one_in(gen, 2))
			p[3] &= 0x60;
		if (vvvv == 0x78)
			p[3] |= 0x08;
		if (one_in(gen, 32))
			p[1] = random;
		if (one_in(gen, 32))
			p[2] = random;
		if (gen->mode != MODE_64)
			p[1] |= 0xc0;
		return 4;
	case HEAD_REX2:
		p[0] = 0xd5;
		p[1] = random;
		return 2;
	case HEAD_EMULATE:
		memcpy(p, one_in(gen, 2) ? "\x0f\x0bxen" : "\x0f\x0bkvm", 5);
		return 5;
	default:
		return 0;
	}
}

static void gen_parts(struct gen *gen, u8 *bytes)
{
	static const u8 borders[] = { 0x00, 0x7f, 0x80, 0xff };
	enum head head = gen_below(gen, NR_HEADS);
	u8 text[GEN_BYTES * 2];
	unsigned int nr, len = 0, i;

	gen_random(gen, text);
	gen_random(gen, text + GEN_BYTES);

	if (head == HEAD_EMULATE) {
		if (one_in(gen, 16))
			len += gen_head(gen, HEAD_EMULATE, text);
		head = gen_below(gen, HEAD_EMULATE);
	}

	nr = gen_below(gen, 4);
	if (nr == 3)
		nr = gen_below(gen, one_in(gen, 4) ? GEN_BYTES : 6);
	if (head >= HEAD_VEX2 && head <= HEAD_EVEX_TOO && !one_in(gen, 8)) {
		while (nr--)
			text[len++] = one_in(gen, 2) ? 0x67 : 0x2e;
	} else {
		while (nr--) {
			text[len++] = gen_prefix(gen);
			if (gen->mode == MODE_64 && one_in(gen, 16))
				text[len++] = 0x40 | gen_below(gen, 16);
		}
		if (gen->mode == MODE_64 && head != HEAD_REX2 && one_in(gen, 2))
			text[len++] = 0x40 | gen_below(gen, 16);
	}

	if (len < GEN_BYTES)
		len += gen_head(gen, head, text + len);
	/* Opcode and ModRM are random; the bytes after them are often boundary values. */
	if (one_in(gen, 2)) {
		for (i = len + 2; i < GEN_BYTES; i++)
			text[i] = borders[gen_below(gen, ARRAY_SIZE(borders))];
	}
	memcpy(bytes, text, GEN_BYTES);
}

static void gen_mutated(struct gen *gen, u8 *bytes)
{
	unsigned int n = 1 + gen_below(gen, 3), at;

	memcpy(bytes, gen->kept[gen_below(gen, gen->nr_kept)], GEN_BYTES);
	while (n--) {
		at = gen_below(gen, one_in(gen, 2) ? 5 : GEN_BYTES - 1);
		switch (gen_below(gen, 8)) {
		case 0:
			bytes[at] = gen_u64(gen);
			break;
		case 1: /* insert */
			memmove(bytes + at + 1, bytes + at, GEN_BYTES - 1 - at);
			bytes[at] = gen_u64(gen);
			break;
		case 2: /* delete */
			memmove(bytes + at, bytes + at + 1, GEN_BYTES - 1 - at);
			break;
		case 3:
			memmove(bytes + 1, bytes, GEN_BYTES - 1);
			bytes[0] = gen_prefix(gen);
			break;
		case 4: /* replace the rest with bytes of another instruction */
			memcpy(bytes + at, gen->kept[gen_below(gen, gen->nr_kept)] + at,
			       GEN_BYTES - at);
			break;
		default:
			bytes[at] ^= 1 << gen_below(gen, 8);
			break;
		}
	}
}

void gen_init(struct gen *gen, u64 seed, enum mode mode)
{
	gen->state = seed ^ (u64)mode << 56;
	gen->mode = mode;
	gen->nr_kept = 0;
}

void gen_next(struct gen *gen, u8 bytes[GEN_BYTES])
{
	unsigned int source = gen_below(gen, 16);

	if (source < 3)
		gen_random(gen, bytes);
	else if (source < 10 || !gen->nr_kept)
		gen_parts(gen, bytes);
	else
		gen_mutated(gen, bytes);
}

void gen_keep(struct gen *gen, const u8 bytes[GEN_BYTES])
{
	unsigned int at;

	if (gen->nr_kept < GEN_KEPT)
		at = gen->nr_kept++;
	else
		at = gen_below(gen, GEN_KEPT);
	memcpy(gen->kept[at], bytes, GEN_BYTES);
}
