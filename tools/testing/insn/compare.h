/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One encoding, decoded by the decoder under test and by Zydis, and the known differences
 * between the two decoders.
 */
#ifndef _INSN_TEST_COMPARE_H
#define _INSN_TEST_COMPARE_H

#include <Zydis/Zydis.h>

#include "decoder.h"

enum aspect {
	CHECK_ACCEPT,
	CHECK_LENGTH,
	CHECK_PREFIXES,
	CHECK_MANDATORY,
	CHECK_REX,
	CHECK_VEX,
	CHECK_OPCODE,
	CHECK_MODRM,
	CHECK_SIB,
	CHECK_DISP,
	CHECK_IMM,
	CHECK_ADDR_SIZE,
	CHECK_OPND_SIZE,
	CHECK_PARTS,
	CHECK_PREFIX_LIST,
	CHECK_STAGED,
	CHECK_TRUNCATED,
	NR_CHECKS,
};

struct pair {
	enum mode			mode;
	const u8			*bytes;
	int				ret;	/* of the decoder under test */
	struct insn			*insn;
	/* Length of the emulation marker, which is not passed to Zydis. */
	unsigned int			skipped;
	const ZydisDecodedInstruction	*zydis;
};

struct known {
	const char	*name;
	unsigned int	checks;
	bool		(*applies)(const struct pair *p);
	u64		seen;
};

extern struct known known_differences[];
extern const unsigned int nr_known_differences;

/* Is this a known difference where the decoder is right?  If so, count it. */
bool count_known(const struct pair *p, enum aspect check);

#endif /* _INSN_TEST_COMPARE_H */
