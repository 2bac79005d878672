/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _ASM_X86_INAT_H
#define _ASM_X86_INAT_H

/*
 * Instruction attributes: one entry of the opcode tables.
 *
 * The tables are generated from arch/x86/lib/x86-opcode-map.txt.  inat_common[]
 * holds the attributes of the two most frequently used maps.  For the other maps,
 * inat_maps[] holds one byte per opcode, an index into inat_attrs[].  An attribute
 * is one of
 *
 *  - INAT_UNDEFINED: there is no such instruction;
 *  - a legacy prefix (INAT_MAKE_PREFIX());
 *  - a node (INAT_BY_REG, INAT_BY_PFX): ModRM.reg or the mandatory prefix selects
 *    one of 8 or 4 entries in inat_nodes[], each an index into inat_attrs[].  An
 *    entry of a node by reg may be a node by prefix;
 *  - the encoding of an instruction, and the cases in which the instruction does not
 *    exist.
 *
 * If an opcode byte may be an escape byte of a longer opcode, or the first byte of REX,
 * REX2, VEX, EVEX or XOP, its attribute also has an escape (INAT_MAKE_ESCAPE()).
 *
 * Other files use only INAT_MAKE_PREFIX(), INAT_PFX_*, INAT_SEG_REG_* and the
 * functions below.  The bit layout is private to the decoder and the table generator.
 */

#include <asm/inat_types.h> /* __ignore_sync_check__ */

/*
 * Legacy prefixes.  The first three are also mandatory prefixes, which select an
 * instruction.  The pp field of VEX, XOP and EVEX, INAT_DENY_NP to INAT_DENY_F2, and the
 * entries of a node by prefix (pfx_names in the table generator) must use the same order:
 * none, 66, f3, f2, starting at 0.
 */
enum {
	INAT_PFX_OPNDSZ = 1,		/* 66 */
	INAT_PFX_REPE,			/* f3 */
	INAT_PFX_REPNE,			/* f2 */
	INAT_PFX_LOCK,			/* f0 */
	INAT_PFX_ADDRSZ,		/* 67 */
	INAT_PFX_CS,			/* 2e */
	INAT_PFX_DS,			/* 3e */
	INAT_PFX_ES,			/* 26 */
	INAT_PFX_FS,			/* 64 */
	INAT_PFX_GS,			/* 65 */
	INAT_PFX_SS,			/* 36 */
};

/* Escape bytes of longer opcodes, and first bytes of prefixes other than legacy prefixes. */
enum {
	INAT_ESC_0F = 1,
	INAT_ESC_0F38,
	INAT_ESC_0F3A,
	INAT_ESC_REX,
	INAT_ESC_REX2,
	INAT_ESC_VEX2,
	INAT_ESC_VEX3,
	INAT_ESC_EVEX,
	INAT_ESC_XOP,
};

/* Immediates that may need two fields, with their lengths in bytes. */
enum {
	INAT_LONG_MOFFS = 1,		/* 2, 4 or 8 by address size */
	INAT_LONG_PTR,			/* 2 or 4 (by operand size), and 2 */
	INAT_LONG_IW_IB,		/* 2 and 1 */
	INAT_LONG_IB_IB,		/* 1 and 1 */
};

/* Encoding: immediate, operand size in 64-bit mode, ModRM. */
#define INAT_IMM_IB		1U
#define INAT_IMM_IW		2U
#define INAT_IMM_ID		4U
#define INAT_IMM		7U
#define INAT_D64		0x00001000U
#define INAT_F64		0x00002000U
#define INAT_IMM_BY_SIZE	0x00004000U	/* 2 bytes with 16-bit operands */
#define INAT_IMM_64		0x00008000U	/* 8 bytes with 64-bit operands */
#define INAT_IMM_IZ		(INAT_IMM_ID | INAT_IMM_BY_SIZE)
#define INAT_IMM_IV		(INAT_IMM_IZ | INAT_IMM_64)
#define INAT_MODRM		0x80000000U

/*
 * Cases in which the instruction does not exist: memory or register operand, mode,
 * REX2, mandatory prefix in the order of INAT_PFX_*.
 */
#define INAT_DENY_MEM		0x00000008U
#define INAT_DENY_REG		0x00000010U
#define INAT_DENY_64		0x00000020U
#define INAT_DENY_NO64		0x00000040U
#define INAT_DENY_REX2		0x00000080U
#define INAT_DENY_NP		0x00000100U
#define INAT_DENY_66		0x00000200U
#define INAT_DENY_F3		0x00000400U
#define INAT_DENY_F2		0x00000800U

/* No instruction at all. */
#define INAT_UNDEFINED		0x00000ff8U

/* Rare properties, in one mask so that common instructions need a single test. */
#define INAT_UNUSUAL		0x3fff0000U
#define INAT_MAKE_PREFIX(pfx)	((insn_attr_t)(pfx) << 16)	/* bits 16-19 */
#define INAT_MAKE_ESCAPE(esc)	((insn_attr_t)(esc) << 20)	/* bits 20-23 */
#define INAT_MAKE_LONG(imm)	((insn_attr_t)(imm) << 24)	/* bits 24-26 */
#define INAT_MODRM_REG		0x08000000U	/* a register; ModRM.mod is ignored */
#define INAT_BY_REG		0x10000000U
#define INAT_BY_PFX		0x20000000U

/*
 * A node has INAT_MODRM, one of INAT_BY_REG and INAT_BY_PFX, perhaps an escape, and the
 * index of its first entry in inat_nodes[].
 */
#define INAT_MAKE_NODE(at)	((insn_attr_t)(at) << 4)	/* bits 4-15 */

/* A prefix or an escape, not a complete opcode. */
#define INAT_NOT_OPCODE		(INAT_MAKE_PREFIX(15) | INAT_MAKE_ESCAPE(15))

#define INAT_IMM_BYTES(attr)	((attr) & INAT_IMM)
#define INAT_PREFIX(attr)	(((attr) >> 16) & 15)
#define INAT_ESCAPE(attr)	(((attr) >> 20) & 15)
#define INAT_LONG(attr)		(((attr) >> 24) & 7)
#define INAT_NODE(attr)		(((attr) >> 4) & 0xfff)

enum {
	INAT_MAP_LEGACY,
	INAT_MAP_LEGACY_0F,
	INAT_MAP_LEGACY_0F38,
	INAT_MAP_LEGACY_0F3A,
	INAT_MAP_VEX_1,
	INAT_MAP_VEX_2,
	INAT_MAP_VEX_3,
	INAT_MAP_VEX_5,
	INAT_MAP_VEX_7,
	INAT_MAP_EVEX_1,
	INAT_MAP_EVEX_2,
	INAT_MAP_EVEX_3,
	INAT_MAP_EVEX_4,
	INAT_MAP_EVEX_5,
	INAT_MAP_EVEX_6,
	INAT_MAP_EVEX_7,
	INAT_MAP_XOP_8,
	INAT_MAP_XOP_9,
	INAT_MAP_XOP_A,
	INAT_NR_MAPS,
};

#define INAT_MAP_SIZE	256

/* Number of maps in inat_common[]; the other maps are in inat_maps[]. */
#define INAT_NR_COMMON	2

extern const insn_attr_t inat_common[INAT_NR_COMMON][INAT_MAP_SIZE];
extern const insn_byte_t inat_maps[INAT_NR_MAPS - INAT_NR_COMMON][INAT_MAP_SIZE];
extern const insn_byte_t inat_nodes[];
extern const insn_attr_t inat_attrs[];

/*
 * Segment registers as arguments of the functions in insn-eval.h: none, the default
 * of the instruction, or a specific one.
 */
enum {
	INAT_SEG_REG_IGNORE,
	INAT_SEG_REG_DEFAULT,
	INAT_SEG_REG_CS,
	INAT_SEG_REG_SS,
	INAT_SEG_REG_DS,
	INAT_SEG_REG_ES,
	INAT_SEG_REG_FS,
	INAT_SEG_REG_GS,
};

/* The attribute of an opcode in any map. */
static inline insn_attr_t inat_map_attribute(unsigned int map, insn_byte_t opcode)
{
	if (map < INAT_NR_COMMON)
		return inat_common[map][opcode];
	return inat_attrs[inat_maps[map - INAT_NR_COMMON][opcode]];
}

insn_attr_t inat_get_opcode_attribute(insn_byte_t opcode);
int inat_get_last_prefix_id(insn_byte_t prefix);

/**
 * inat_is_address_size_prefix() - is this byte the address size prefix?
 * @attr:	attribute of the byte, from inat_get_opcode_attribute()
 *
 * Return: 1 or 0.
 */
static inline int inat_is_address_size_prefix(insn_attr_t attr)
{
	return INAT_PREFIX(attr) == INAT_PFX_ADDRSZ;
}

#endif /* _ASM_X86_INAT_H */
