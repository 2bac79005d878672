/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Byte sequences that may be instructions.
 */
#ifndef _INSN_TEST_GEN_H
#define _INSN_TEST_GEN_H

#include "decoder.h"

#define GEN_BYTES	16
#define GEN_KEPT	4096

struct gen {
	u64		state;
	enum mode	mode;
	unsigned int	nr_kept;
	u8		kept[GEN_KEPT][GEN_BYTES];
};

void gen_init(struct gen *gen, u64 seed, enum mode mode);

/* Generate the next sequence: random, assembled from parts, or mutated. */
void gen_next(struct gen *gen, u8 bytes[GEN_BYTES]);

/* Keep a valid sequence for mutations. */
void gen_keep(struct gen *gen, const u8 bytes[GEN_BYTES]);

#endif /* _INSN_TEST_GEN_H */
