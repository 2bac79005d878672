// SPDX-License-Identifier: GPL-2.0
/*
 * Deliberate differences from Zydis 4.0, with the document that justifies each. A rule
 * covers as few encodings as possible.
 *
 * SDM is Intel's Software Developer's Manual.
 */
#include <linux/bits.h>

#include "compare.h"

#define ON(check)	BIT(CHECK_##check)

/* Zydis accepts instructions of Knights Corner even without its KNC mode. */
static bool is_knights_corner(const struct pair *p)
{
	const ZydisDecodedInstruction *z = p->zydis;

	switch (z->meta.isa_set) {
	case ZYDIS_ISA_SET_KNCE:
	case ZYDIS_ISA_SET_KNCJKBR:
	case ZYDIS_ISA_SET_KNCSTREAM:
	case ZYDIS_ISA_SET_KNCV:
	case ZYDIS_ISA_SET_KNC_MISC:
	case ZYDIS_ISA_SET_KNC_PF_HINT:
		return true;
	default:
		return z->encoding == ZYDIS_INSTRUCTION_ENCODING_MVEX;
	}
}

static bool is_bounds_check(const struct pair *p)
{
	return p->zydis->meta.isa_ext == ZYDIS_ISA_EXT_MPX && p->mode == MODE_64 &&
	       p->insn->addr_bytes == 4;
}

static bool is_enclave(const struct pair *p)
{
	switch (p->zydis->mnemonic) {
	case ZYDIS_MNEMONIC_ENCLS:
	case ZYDIS_MNEMONIC_ENCLU:
	case ZYDIS_MNEMONIC_ENCLV:
		return true;
	default:
		return false;
	}
}

static bool is_port_access(const struct pair *p)
{
	switch (p->zydis->mnemonic) {
	case ZYDIS_MNEMONIC_IN:
	case ZYDIS_MNEMONIC_OUT:
		return p->insn->opnd_bytes == 8 && X86_REX_W(p->insn->rex_prefix.value);
	default:
		return false;
	}
}

struct known known_differences[] = {
	{
		/*
		 * No newer processor has MVEX, and the VEX opcodes of Knights Corner are
		 * reserved in the SDM (volume 2, appendix A). The fixed bit of EVEX, which
		 * is clear in MVEX, is a bit of the index register in APX.
		 */
		"instructions of Knights Corner",
		ON(ACCEPT) | ON(LENGTH) | ON(VEX) | ON(OPCODE) | ON(MODRM) | ON(SIB) |
		ON(DISP) | ON(IMM), is_knights_corner,
	}, {
		/*
		 * SDM volume 1, chapter on MPX: in 64-bit mode, MPX instructions use
		 * 64-bit addresses, even with prefix 67. Only the address size of these
		 * instructions differs.
		 */
		"MPX ignores 67",
		ON(ADDR_SIZE), is_bounds_check,
	}, {
		/* No operand has an address, so the address size does not matter. */
		"address size without an address operand",
		ON(ADDR_SIZE), is_enclave,
	}, {
		/*
		 * SDM volume 2, IN and OUT: REX.W has no effect. The decoder's field
		 * has the size that the prefixes and the code segment select.
		 */
		"IN and OUT ignore REX.W",
		ON(OPND_SIZE), is_port_access,
	},
};

const unsigned int nr_known_differences = ARRAY_SIZE(known_differences);

bool count_known(const struct pair *p, enum aspect check)
{
	unsigned int i;

	for (i = 0; i < nr_known_differences; i++) {
		struct known *k = &known_differences[i];

		if ((k->checks & BIT(check)) && k->applies(p)) {
			k->seen++;
			return true;
		}
	}
	return false;
}
