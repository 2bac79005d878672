/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One encoding as the decoder under test and Zydis see it, and where they are
 * known to differ.
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
	/* Zydis knows no markers for emulation: it got what comes after one. */
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

/* Is it known, and in our favour, that Zydis says something else? */
bool is_known(const struct pair *p, enum aspect check);

#endif /* _INSN_TEST_COMPARE_H */
