/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _ASM_X86_INSN_H
#define _ASM_X86_INSN_H

/*
 * x86 instruction decoder: the length of an instruction and its parts.  See
 * arch/x86/lib/insn.c.  Most callers need only insn_decode().
 *
 * objtool, perf and the self-tests compile copies of this header and of the decoder
 * for the host, from tools/arch/x86.
 */

#include <asm/inat.h> /* __ignore_sync_check__ */

/* Processors refuse longer instructions. */
#define MAX_INSN_SIZE		15

/* Number of different legacy prefixes. */
#define INSN_NR_PREFIXES	11

/**
 * struct insn_field - a part of an instruction
 * @value:	its value; displacements and immediates of one or two bytes are sign-extended
 * @bytes:	its bytes, at most four
 * @got:	this part is complete; it may be empty
 * @nbytes:	its length in the instruction
 */
struct insn_field {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	insn_value_t value;
	insn_byte_t bytes[sizeof(insn_value_t)];
#else
	union {
		insn_value_t value;
		insn_byte_t bytes[sizeof(insn_value_t)];
	};
#endif
	unsigned char got;
	unsigned char nbytes;
};

/**
 * struct insn - a decoded instruction
 *
 * The fields are in the order of the parts of an instruction.
 *
 * @prefixes:	legacy prefixes.  @bytes[0] to [2] are the first three different
 *		prefixes.  @bytes[3] is the mandatory prefix (the last of f2 and f3,
 *		else 66), or the last prefix if there is no mandatory prefix.
 *		for_each_insn_prefix() iterates over all different prefixes.  @nbytes
 *		includes repeated prefixes, and REX prefixes that have no effect.
 * @rex_prefix:	REX, or the two bytes of REX2
 * @vex_prefix:	the bytes of VEX (2 or 3), XOP (3) or EVEX (4).  For a 2-byte VEX,
 *		@bytes[2] is the last byte of the equivalent 3-byte VEX.
 * @opcode:	opcode with its escape bytes.  After VEX, XOP, EVEX and REX2 there
 *		are no escape bytes: the prefix selects the map.
 * @modrm:	ModRM
 * @sib:	SIB
 * @displacement: displacement of a memory operand
 * @immediate:	immediate operand, or the first part of it
 * @immediate1: alias of @immediate: low half of a 64-bit number, offset of a far
 *		pointer, first of two operands
 * @moffset1:	alias of @immediate: an address, or its low half
 * @immediate2:	second part: high half, segment selector (not sign-extended), second
 *		operand
 * @moffset2:	alias of @immediate2: high half of an address
 * @attr:	attribute from the opcode map, see inat.h
 * @emulate_prefix_size: length of the marker that asks a hypervisor to emulate the
 *		instruction (asm/emulate_prefix.h), or 0
 * @opnd_bytes:	operand size; before decoding, the default of the code segment
 * @addr_bytes:	address size; before decoding, the default of the code segment
 * @length:	length of the instruction, 0 unless decoded to the end
 * @x86_64:	decode for 64-bit mode
 * @error:	reason why decoding stopped, a negative errno, or 0
 * @nr_prefixes: entries of @prefix_list
 * @prefix_list: different legacy prefixes, in order of appearance
 * @kaddr:	start of the buffer
 * @end_kaddr:	end of the buffer
 * @next_byte:	the byte after the last decoded part
 */
struct insn {
	struct insn_field prefixes, rex_prefix, vex_prefix;
	struct insn_field opcode, modrm, sib;
	struct insn_field displacement;
	union {
		struct insn_field immediate, immediate1, moffset1;
	};
	union {
		struct insn_field immediate2, moffset2;
	};

	insn_attr_t attr;
	int emulate_prefix_size;
	unsigned char opnd_bytes, addr_bytes;
	unsigned char length;
	unsigned char x86_64;
	signed char error;
	unsigned char nr_prefixes;
	insn_byte_t prefix_list[INSN_NR_PREFIXES];

	const insn_byte_t *kaddr, *end_kaddr, *next_byte;
};

#define X86_MODRM_MOD(modrm)	(((modrm) >> 6) & 3)
#define X86_MODRM_REG(modrm)	(((modrm) >> 3) & 7)
#define X86_MODRM_RM(modrm)	((modrm) & 7)

#define X86_SIB_SCALE(sib)	(((sib) >> 6) & 3)
#define X86_SIB_INDEX(sib)	(((sib) >> 3) & 7)
#define X86_SIB_BASE(sib)	((sib) & 7)

/* Bits of REX, and of the second byte of REX2, where M selects the map. */
#define X86_REX_W(rex)		((rex) & 0x08)
#define X86_REX_R(rex)		((rex) & 0x04)
#define X86_REX_X(rex)		((rex) & 0x02)
#define X86_REX_B(rex)		((rex) & 0x01)
#define X86_REX2_M(rex)		((rex) & 0x80)

/**
 * enum insn_mode - processor mode
 * @INSN_MODE_32:	32-bit code segment
 * @INSN_MODE_64:	64-bit code segment
 * @INSN_MODE_16:	16-bit code segment, or real mode
 * @INSN_MODE_KERN:	mode of this kernel
 */
enum insn_mode {
	INSN_MODE_32,
	INSN_MODE_64,
	INSN_MODE_16,
	INSN_MODE_KERN,
};

int insn_decode(struct insn *insn, const void *kaddr, int buf_len, enum insn_mode m);

/* Decode an instruction of the kernel.  The bytes after it need not be mapped. */
#define insn_decode_kernel(insn, kaddr)	\
	insn_decode(insn, kaddr, MAX_INSN_SIZE, INSN_MODE_KERN)

void insn_init(struct insn *insn, const void *kaddr, int buf_len, int x86_64);
int insn_get_prefixes(struct insn *insn);
int insn_get_opcode(struct insn *insn);
int insn_get_modrm(struct insn *insn);
int insn_get_sib(struct insn *insn);
int insn_get_displacement(struct insn *insn);
int insn_get_immediate(struct insn *insn);
int insn_get_length(struct insn *insn);

int insn_rip_relative(struct insn *insn);
int insn_masking_exception(struct insn *insn);
int insn_last_prefix_id(struct insn *insn);

/**
 * insn_is_rex2() - is there a REX2 prefix?
 * @insn:	instruction, decoded or just initialized
 *
 * Context: Any.
 * Return: 1 or 0.
 */
static inline int insn_is_rex2(struct insn *insn)
{
	insn_get_prefixes(insn);
	return insn->rex_prefix.nbytes == 2;
}

/**
 * insn_is_avx() - does the instruction use VEX, XOP or EVEX?
 * @insn:	instruction, decoded or just initialized
 *
 * Context: Any.
 * Return: 1 or 0.
 */
static inline int insn_is_avx(struct insn *insn)
{
	insn_get_prefixes(insn);
	return insn->vex_prefix.nbytes != 0;
}

/**
 * insn_is_evex() - does the instruction use EVEX?
 * @insn:	instruction, decoded or just initialized
 *
 * Context: Any.
 * Return: 1 or 0.
 */
static inline int insn_is_evex(struct insn *insn)
{
	insn_get_prefixes(insn);
	return insn->vex_prefix.nbytes == 4;
}

/**
 * insn_legacy_opcode() - opcode of an instruction in the first two opcode maps
 * @insn:	instruction of which at least the opcode is decoded
 *
 * Context: Any.
 * Return: the opcode in the one-byte map, or 0x0f00 plus the opcode in the 0f map (also
 * if REX2 selects that map); -1 for other maps, VEX, XOP and EVEX.
 */
static inline int insn_legacy_opcode(struct insn *insn)
{
	const insn_byte_t *op = insn->opcode.bytes;

	if (insn_is_avx(insn))
		return -1;
	if (insn->opcode.nbytes == 1)
		return insn_is_rex2(insn) && X86_REX2_M(insn->rex_prefix.bytes[1]) ?
		       0x0f00 | op[0] : op[0];
	return insn->opcode.nbytes == 2 && op[0] == 0x0f ? 0x0f00 | op[1] : -1;
}

/**
 * insn_has_emulate_prefix() - is the instruction marked for a hypervisor to emulate?
 * @insn:	instruction of which at least the prefixes are decoded
 *
 * Context: Any.
 * Return: 1 or 0.
 */
static inline int insn_has_emulate_prefix(struct insn *insn)
{
	return insn->emulate_prefix_size != 0;
}

/*
 * insn_offset_modrm() and so on: offset of a part in a decoded instruction.  Each part
 * follows the previous one in this list.
 */
#define INSN_OFFSET(part, start, before)					\
static inline int insn_offset_##part(struct insn *insn)				\
{										\
	return (start) + insn->before.nbytes;					\
}

INSN_OFFSET(rex_prefix, insn->emulate_prefix_size, prefixes)
INSN_OFFSET(vex_prefix, insn_offset_rex_prefix(insn), rex_prefix)
INSN_OFFSET(opcode, insn_offset_vex_prefix(insn), vex_prefix)
INSN_OFFSET(modrm, insn_offset_opcode(insn), opcode)
INSN_OFFSET(sib, insn_offset_modrm(insn), modrm)
INSN_OFFSET(displacement, insn_offset_sib(insn), sib)
INSN_OFFSET(immediate, insn_offset_displacement(insn), displacement)

#undef INSN_OFFSET

/**
 * for_each_insn_prefix() - iterate over the different legacy prefixes
 * @insn:	instruction of which at least the prefixes are decoded
 * @idx:	int, loop counter
 * @prefix:	insn_byte_t, the prefix
 */
#define for_each_insn_prefix(insn, idx, prefix)					\
	for ((idx) = 0; (idx) < (insn)->nr_prefixes &&				\
	     ((prefix) = (insn)->prefix_list[idx], 1); (idx)++)

#endif /* _ASM_X86_INSN_H */
