// SPDX-License-Identifier: GPL-2.0
/*
 * x86 instruction decoder
 *
 * An instruction is
 *
 *	[legacy prefixes] [REX | REX2 | VEX | XOP | EVEX] opcode
 *	[ModRM [SIB] [displacement]] [immediate [second immediate]]
 *
 * The length of each part depends on the parts before it and on the attribute of the
 * opcode in the tables generated from x86-opcode-map.txt.  insn_parse() decodes all
 * parts in one pass.  insn_get_opcode() and the other functions for a single part call
 * it if it has not run yet, and check whether it has reached the part.
 *
 * Speed matters: objtool decodes the whole kernel in each build, and registering a
 * probe decodes a function from its start up to the probe.  So insn_parse_fast() is
 * a fast path for most of the kernel's code, with the same result as insn_parse().  The
 * presence of REX, ModRM, displacement and immediate is nearly random, and mispredicted
 * branches on it would cost more than all other work.  The fast path treats an absent
 * part as a part of zero bytes.  It reads four bytes for each number and masks off the
 * surplus.
 *
 * So the decoder also reads bytes after the instruction, but only within the buffer.
 * insn_decode_kernel() passes the maximum length of an instruction as the length of the
 * buffer, although the next page may not be mapped.  In the kernel, the decoder reads the
 * next page only if the instruction extends there, or if the last three or four bytes of
 * the page may begin a marker that asks a hypervisor to emulate the next instruction.
 * KASAN and KMSAN might report reads of the bytes after the instruction, so the Makefile
 * disables their checks.
 *
 * The functions take no locks, allocate no memory and do not sleep, so they can be called
 * in any context, including NMI and early boot.  The text may change during decoding.
 * The result then describes an instruction that may never have existed, but the decoder
 * still reads only the bytes described above.
 */

#ifdef __KERNEL__
#include <linux/string.h>
#else
#include <string.h>
#include <linux/kernel.h>
#endif
#include <linux/compiler.h>
#include <linux/build_bug.h>
#include <linux/errno.h>
#include <linux/kconfig.h>
#include <linux/stddef.h>
#include <linux/types.h>
#include <linux/unaligned.h>

#include <asm/inat.h> /* __ignore_sync_check__ */
#include <asm/insn.h> /* __ignore_sync_check__ */
#include <asm/emulate_prefix.h> /* __ignore_sync_check__ */

/*
 * Maximum number of bytes that the decoder reads after the legacy prefixes: EVEX (which
 * excludes REX), opcode, ModRM, SIB, and four each for displacement and immediate.
 */
#define INSN_PARSE_SIZE		(4 + 1 + 1 + 1 + 4 + 4)

/*
 * Size of a padded copy of a buffer.  The buffer may consist of legacy prefixes only; the
 * search for the last prefix reads up to two more bytes.
 */
#define INSN_PADDED_SIZE	32
/* objtool may use the C library's static_assert(), for which older clang needs a message. */
static_assert(MAX_INSN_SIZE + 2 + INSN_PARSE_SIZE <= INSN_PADDED_SIZE, "too little padding");

/*
 * Smallest unit of mapped memory.  In tools, each byte of a buffer is mapped, and the result
 * must not depend on the address of the buffer.
 */
#ifdef __KERNEL__
#define INSN_PAGE_SIZE		4096
#elif !defined(INSN_PAGE_SIZE)
#define INSN_PAGE_SIZE		0
#endif

#define INSN_EMULATE_PREFIX_SIZE 5

/* Opcode maps by the low three bits of a prefix's map field.  0 (INAT_MAP_LEGACY): no map. */
static const insn_byte_t insn_vex_maps[8] = {
	[1] = INAT_MAP_VEX_1,
	[2] = INAT_MAP_VEX_2,
	[3] = INAT_MAP_VEX_3,
	[5] = INAT_MAP_VEX_5,
	[7] = INAT_MAP_VEX_7,
};

static const insn_byte_t insn_evex_maps[8] = {
	[1] = INAT_MAP_EVEX_1,
	[2] = INAT_MAP_EVEX_2,
	[3] = INAT_MAP_EVEX_3,
	[4] = INAT_MAP_EVEX_4,
	[5] = INAT_MAP_EVEX_5,
	[6] = INAT_MAP_EVEX_6,
	[7] = INAT_MAP_EVEX_7,
};

static const insn_byte_t insn_xop_maps[8] = {
	[0] = INAT_MAP_XOP_8,
	[1] = INAT_MAP_XOP_9,
	[2] = INAT_MAP_XOP_A,
};

/*
 * Operand that a ModRM byte describes: register or memory, and for memory the presence
 * of SIB and the length of the displacement.  INSN_SHAPE_MEM and INSN_SHAPE_REG are equal
 * to INAT_DENY_MEM and INAT_DENY_REG, so that one AND finds an operand that the
 * instruction must not have.
 */
#define INSN_SHAPE_DISP	0x07
#define INSN_SHAPE_MEM	INAT_DENY_MEM
#define INSN_SHAPE_REG	INAT_DENY_REG
#define INSN_SHAPE_SIB	0x80

/* The masks do not overlap, and fit in a byte. */
static_assert(INSN_SHAPE_DISP + INSN_SHAPE_MEM + INSN_SHAPE_REG + INSN_SHAPE_SIB ==
	      (INSN_SHAPE_DISP | INSN_SHAPE_MEM | INSN_SHAPE_REG | INSN_SHAPE_SIB),
	      "flags overlap");
static_assert((INSN_SHAPE_DISP | INSN_SHAPE_MEM | INSN_SHAPE_REG | INSN_SHAPE_SIB) < 256,
	      "flags do not fit into a byte");

#define M	INSN_SHAPE_MEM
#define R	INSN_SHAPE_REG
#define S	INSN_SHAPE_SIB

static const insn_byte_t insn_shapes[256] = {
	/* mod 0: no displacement, except for four bytes with r/m 5 */
	M, M, M, M, M | S, M | 4, M, M,
	M, M, M, M, M | S, M | 4, M, M,
	M, M, M, M, M | S, M | 4, M, M,
	M, M, M, M, M | S, M | 4, M, M,
	M, M, M, M, M | S, M | 4, M, M,
	M, M, M, M, M | S, M | 4, M, M,
	M, M, M, M, M | S, M | 4, M, M,
	M, M, M, M, M | S, M | 4, M, M,
	/* mod 1: a displacement of one byte */
	M | 1, M | 1, M | 1, M | 1, M | S | 1, M | 1, M | 1, M | 1,
	M | 1, M | 1, M | 1, M | 1, M | S | 1, M | 1, M | 1, M | 1,
	M | 1, M | 1, M | 1, M | 1, M | S | 1, M | 1, M | 1, M | 1,
	M | 1, M | 1, M | 1, M | 1, M | S | 1, M | 1, M | 1, M | 1,
	M | 1, M | 1, M | 1, M | 1, M | S | 1, M | 1, M | 1, M | 1,
	M | 1, M | 1, M | 1, M | 1, M | S | 1, M | 1, M | 1, M | 1,
	M | 1, M | 1, M | 1, M | 1, M | S | 1, M | 1, M | 1, M | 1,
	M | 1, M | 1, M | 1, M | 1, M | S | 1, M | 1, M | 1, M | 1,
	/* mod 2: a displacement of four bytes */
	M | 4, M | 4, M | 4, M | 4, M | S | 4, M | 4, M | 4, M | 4,
	M | 4, M | 4, M | 4, M | 4, M | S | 4, M | 4, M | 4, M | 4,
	M | 4, M | 4, M | 4, M | 4, M | S | 4, M | 4, M | 4, M | 4,
	M | 4, M | 4, M | 4, M | 4, M | S | 4, M | 4, M | 4, M | 4,
	M | 4, M | 4, M | 4, M | 4, M | S | 4, M | 4, M | 4, M | 4,
	M | 4, M | 4, M | 4, M | 4, M | S | 4, M | 4, M | 4, M | 4,
	M | 4, M | 4, M | 4, M | 4, M | S | 4, M | 4, M | 4, M | 4,
	M | 4, M | 4, M | 4, M | 4, M | S | 4, M | 4, M | 4, M | 4,
	/* mod 3: a register */
	R, R, R, R, R, R, R, R,
	R, R, R, R, R, R, R, R,
	R, R, R, R, R, R, R, R,
	R, R, R, R, R, R, R, R,
	R, R, R, R, R, R, R, R,
	R, R, R, R, R, R, R, R,
	R, R, R, R, R, R, R, R,
	R, R, R, R, R, R, R, R,
};

#undef M
#undef R
#undef S

/* Return the shape of @modrm for 16-bit addresses. */
static unsigned int insn_shape_16(unsigned int modrm)
{
	switch (X86_MODRM_MOD(modrm)) {
	case 0:
		return INSN_SHAPE_MEM | (X86_MODRM_RM(modrm) == 6 ? 2 : 0);
	case 1:
		return INSN_SHAPE_MEM | 1;
	case 2:
		return INSN_SHAPE_MEM | 2;
	default:
		return INSN_SHAPE_REG;
	}
}

/* insn_fail() accesses the fields as an array. */
static_assert(offsetof(struct insn, immediate2) == 8 * sizeof(struct insn_field),
	      "other members between the fields");

/* Set a field that the decoder has reached, with a single store if possible. */
static __always_inline void insn_set_field(struct insn_field *field, u32 value,
					   unsigned int nbytes)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	field->value = value;
	put_unaligned_le32(value, field->bytes);
	field->got = 1;
	field->nbytes = nbytes;
#else
	u64 image = value | (u64)(nbytes << 8 | 1) << 32;

	static_assert(sizeof(*field) == sizeof(image), "unexpected size of struct insn_field");
	memcpy(field, &image, sizeof(image));
#endif
}

/* Set a field to the signed number of @nbytes (0, 1, 2 or 4) at @p.  Always read four bytes. */
static __always_inline void insn_set_number(struct insn_field *field, const insn_byte_t *p,
					    unsigned int nbytes)
{
	static const struct {
		u32 mask, sign;
	} bits[] = {
		[0] = { 0, 0 },
		[1] = { 0xff, 0x80 },
		[2] = { 0xffff, 0x8000 },
		[4] = { 0xffffffff, 0x80000000 },
	};

	insn_set_field(field, ((get_unaligned_le32(p) & bits[nbytes].mask) ^ bits[nbytes].sign) -
			      bits[nbytes].sign, nbytes);
}

/* Does the SIB byte select a displacement instead of a base register? */
static __always_inline bool insn_sib_no_base(unsigned int modrm, unsigned int sib)
{
	return X86_SIB_BASE(sib) == 5 && !X86_MODRM_MOD(modrm);
}

/*
 * Do the @nbytes bytes at @p begin a marker that asks a hypervisor to emulate the next
 * instruction?  All of them are mapped, so memcmp() is safe even if KASAN checks it.
 */
static bool insn_is_emulate_prefix(const insn_byte_t *p, unsigned int nbytes)
{
	static const insn_byte_t markers[][INSN_EMULATE_PREFIX_SIZE] = {
		{ __XEN_EMULATE_PREFIX },
		{ __KVM_EMULATE_PREFIX },
	};

	return !memcmp(p, markers[0], nbytes) || !memcmp(p, markers[1], nbytes);
}

/*
 * Add a legacy prefix.  @pp is the mandatory prefix so far, as in the pp field of VEX:
 * 66, f3, f2 are 1, 2, 3.  Returns the new mandatory prefix.
 */
static unsigned int insn_add_prefix(struct insn *insn, insn_byte_t prefix, unsigned int id,
				    unsigned int pp)
{
	insn_byte_t *list = insn->prefix_list;
	int i, nr = insn->nr_prefixes;

	for (i = 0; i < nr && list[i] != prefix; i++)
		;
	if (i == nr) {
		list[nr++] = prefix;
		insn->nr_prefixes = nr;
		if (id == INAT_PFX_OPNDSZ)
			insn->opnd_bytes = 2 + 4 - insn->opnd_bytes;
		else if (id == INAT_PFX_ADDRSZ)
			insn->addr_bytes = (insn->x86_64 ? 4 + 8 : 2 + 4) - insn->addr_bytes;
	}
	/* f2 and f3 override 66, and the last of f2 and f3 takes effect. */
	if (id == INAT_PFX_REPE || id == INAT_PFX_REPNE || (id == INAT_PFX_OPNDSZ && !pp))
		pp = id;
	return pp;
}

/* Return the value of the prefixes field.  @last is the last legacy prefix. */
static u32 insn_prefixes_value(struct insn *insn, insn_byte_t last, unsigned int pp)
{
	static const insn_byte_t mandatory[] = {
		[INAT_PFX_OPNDSZ] = 0x66, [INAT_PFX_REPE] = 0xf3, [INAT_PFX_REPNE] = 0xf2,
	};
	u32 value = (u32)(pp ? mandatory[pp] : last) << 24;
	int i;

	for (i = 0; i < insn->nr_prefixes && i < 3; i++)
		value |= insn->prefix_list[i] << i * 8;
	return value;
}

/* A prefix that selects the map of the opcode: REX2, VEX, XOP or EVEX. */
struct insn_encoding {
	unsigned int nbytes;	/* of the prefix; 0 if the bytes are an opcode */
	unsigned int map;	/* 0: the legacy map for REX2, otherwise no map */
	unsigned int pp;
	bool rex2;
	bool w;			/* operands of 64 bits */
};

/* Decode the prefix at @p.  @escape selects REX2, VEX, XOP or EVEX. */
static noinline struct insn_encoding insn_get_encoding(const insn_byte_t *p,
						       unsigned int escape, bool x86_64)
{
	struct insn_encoding enc = {};

	/* If the first byte may also be an opcode, check the second byte. */
	if (escape == INAT_ESC_XOP) {
		/* The reg field of POP is 0, so these bits are below 8. */
		if ((p[1] & 0x1f) < 8)
			return enc;
	} else if (!x86_64) {
		/* LES, LDS and BOUND have a memory operand.  d5 is AAD, never REX2. */
		if (escape == INAT_ESC_REX2 || X86_MODRM_MOD(p[1]) != 3)
			return enc;
	}

	switch (escape) {
	case INAT_ESC_REX2:
		enc.nbytes = 2;
		enc.rex2 = true;
		enc.map = X86_REX2_M(p[1]) ? INAT_MAP_LEGACY_0F : INAT_MAP_LEGACY;
		enc.w = X86_REX_W(p[1]);
		return enc;

	case INAT_ESC_VEX2:
		enc.nbytes = 2;
		enc.map = INAT_MAP_VEX_1;
		enc.pp = p[1] & 3;
		return enc;

	case INAT_ESC_VEX3:
		enc.nbytes = 3;
		enc.map = (p[1] & 0x1f) < 8 ? insn_vex_maps[p[1] & 7] : 0;
		break;

	case INAT_ESC_XOP:
		enc.nbytes = 3;
		enc.map = (p[1] & 0x1f) < 16 ? insn_xop_maps[p[1] & 7] : 0;
		break;

	default: /* INAT_ESC_EVEX */
		enc.nbytes = 4;
		enc.map = insn_evex_maps[p[1] & 7];
		break;
	}
	enc.pp = p[2] & 3;
	enc.w = x86_64 && p[2] >> 7;
	return enc;
}

/* VEX, XOP and EVEX must not follow LOCK or a mandatory prefix; a field replaces these. */
static bool insn_excludes_vex(struct insn *insn)
{
	insn_byte_t prefix;
	int i;

	for_each_insn_prefix(insn, i, prefix) {
		if (prefix == 0x66 || prefix == 0xf2 || prefix == 0xf3 || prefix == 0xf0)
			return true;
	}
	return false;
}

/*
 * Decode an immediate at @p that may have two parts or more than four bytes.  Returns
 * the number of bytes.
 */
static noinline unsigned int insn_long_immediate(struct insn *insn, const insn_byte_t *p)
{
	unsigned int first, second = 0;

	switch (INAT_LONG(insn->attr)) {
	case INAT_LONG_MOFFS:
		first = insn->addr_bytes;
		if (first == 8) {
			first = 4;
			second = 4;
		}
		break;
	case INAT_LONG_PTR:
		first = insn->opnd_bytes;
		second = 2;
		break;
	case INAT_LONG_IW_IB:
		first = 2;
		second = 1;
		break;
	case INAT_LONG_IB_IB:
		first = 1;
		second = 1;
		break;
	default: /* MOV with 64 bits */
		first = 4;
		second = 4;
		break;
	}
	insn_set_number(&insn->immediate1, p, first);
	if (INAT_LONG(insn->attr) == INAT_LONG_PTR)
		insn_set_field(&insn->immediate2, get_unaligned_le16(p + first), 2);
	else
		insn_set_number(&insn->immediate2, p + first, second);
	return first + second;
}

/*
 * Copy the @avail bytes at @from to @padded, and pad them with zeroes.  Do not use
 * memcpy(), which KASAN always checks.
 */
static noinline const insn_byte_t *insn_pad(insn_byte_t *padded, const insn_byte_t *from,
					    unsigned int avail)
{
	u64 words[INSN_PADDED_SIZE / sizeof(u64)] = {};
	unsigned int i;

	for (i = avail; i--; )
		words[i / 8] = words[i / 8] << 8 | from[i];
	for (i = 0; i < INSN_PADDED_SIZE / sizeof(u64); i++)
		put_unaligned_le64(words[i], padded + i * sizeof(u64));
	return padded;
}

/* State after the prefixes and the opcode, for decoding the other parts. */
struct insn_head {
	const insn_byte_t *base;	/* the buffer, or a padded copy */
	const insn_byte_t *next;	/* after the opcode */
	insn_attr_t attr;
	insn_attr_t deny;		/* bits that attr must not have */
	unsigned int opnd_bytes;
	unsigned int pp;
};

/* Decode the escape bytes and the opcode at @p.  @rex is the REX before them, or 0. */
static void insn_parse_opcode(struct insn *insn, struct insn_head *head,
			      const insn_byte_t *p, unsigned int rex)
{
	const insn_byte_t *opcode_at = p;
	u32 opcode = *p++;
	insn_attr_t attr = inat_common[INAT_MAP_LEGACY][opcode];
	unsigned int escape = INAT_ESCAPE(attr);

	if (escape == INAT_ESC_0F) {
		attr = inat_common[INAT_MAP_LEGACY_0F][*p];
		escape = INAT_ESCAPE(attr);
		opcode |= *p++ << 8;
		if (escape) {
			attr = inat_map_attribute(escape == INAT_ESC_0F38 ?
						  INAT_MAP_LEGACY_0F38 : INAT_MAP_LEGACY_0F3A, *p);
			opcode |= *p++ << 16;
		}
	}
	if (X86_REX_W(rex))
		head->opnd_bytes = 8;
	head->attr = attr & ~INAT_MAKE_ESCAPE(15);
	head->next = p;
	insn_set_field(&insn->rex_prefix, rex, rex != 0);
	insn_set_field(&insn->vex_prefix, 0, 0);
	insn_set_field(&insn->opcode, opcode, p - opcode_at);
}

/* Decode the prefix at @p, described by @enc, and the opcode after it. */
static void insn_parse_encoded(struct insn *insn, struct insn_head *head,
			       const insn_byte_t *p, const struct insn_encoding *enc)
{
	u32 prefix = get_unaligned_le32(p);
	insn_attr_t attr;
	insn_byte_t opcode;

	if (enc->nbytes < 4)
		prefix &= (1U << enc->nbytes * 8) - 1;
	p += enc->nbytes;
	opcode = *p++;
	attr = inat_map_attribute(enc->map, opcode);
	if (enc->w)
		head->opnd_bytes = 8;

	if (enc->rex2) {
		/* JMPABS is the only opcode to which REX2 gives a new meaning. */
		if (enc->map == INAT_MAP_LEGACY && opcode == 0xa1 && insn->addr_bytes == 8)
			attr &= ~INAT_DENY_REX2;
		if (INAT_PREFIX(attr) ||
		    (INAT_ESCAPE(attr) && INAT_ESCAPE(attr) < INAT_ESC_REX))
			attr = INAT_UNDEFINED;
		attr &= ~INAT_MAKE_ESCAPE(15);
		head->deny |= INAT_DENY_REX2;
		insn_set_field(&insn->rex_prefix, prefix, enc->nbytes);
		insn_set_field(&insn->vex_prefix, 0, 0);
	} else {
		if (!enc->map || insn_excludes_vex(insn))
			attr = INAT_UNDEFINED;
		head->pp = enc->pp;
		/*
		 * Map 4 has legacy instructions.  For most, pp 66 selects operands of 16
		 * bits.  For a few, it selects another instruction, whose immediate does
		 * not depend on the operand size.
		 */
		if (enc->map == INAT_MAP_EVEX_4 && enc->pp == INAT_PFX_OPNDSZ && !enc->w)
			head->opnd_bytes = 2;
		/* Callers expect vvvv in the third byte, also for a 2-byte VEX. */
		if (enc->nbytes == 2)
			prefix |= (prefix & 0x7f00) << 8;
		insn_set_field(&insn->rex_prefix, 0, 0);
		insn_set_field(&insn->vex_prefix, prefix, enc->nbytes);
	}
	insn_set_field(&insn->opcode, opcode, 1);
	head->attr = attr;
	head->next = p;
}

/*
 * Decode the prefixes and the opcode.  If the buffer is short, or begins with a legacy
 * prefix or a marker, the decoder might read past the end of the buffer.  In these
 * cases, it decodes a padded copy in @padded instead.
 */
static noinline void insn_parse_head(struct insn *insn, struct insn_head *head,
				     insn_byte_t *padded, unsigned int avail)
{
	const insn_byte_t *base = insn->kaddr, *p, *rex_at;
	unsigned int rex, escape, pp = 0;
	struct insn_encoding enc = {};
	insn_byte_t last_prefix = 0;
	insn_attr_t attr;

	if (avail < INSN_PARSE_SIZE)
		base = insn_pad(padded, insn->kaddr, avail);
	for (p = base; ; ) {
		if (p > base && base != padded) {
			p = insn_pad(padded, insn->kaddr, avail) + (p - base);
			base = padded;
		}
		rex_at = p;
		rex = insn->x86_64 && (*p & 0xf0) == 0x40 ? *p++ : 0;
		attr = inat_common[INAT_MAP_LEGACY][*p];
		escape = INAT_ESCAPE(attr);
		if (p - base >= MAX_INSN_SIZE)
			break;
		if (INAT_PREFIX(attr)) {
			/* A REX before a legacy prefix has no effect. */
			last_prefix = *p++;
			pp = insn_add_prefix(insn, last_prefix, INAT_PREFIX(attr), pp);
		} else if (escape == INAT_ESC_REX && insn->x86_64) {
			/* A REX before another REX, at *p, has no effect either. */
		} else if (escape == INAT_ESC_0F && p == base && p[1] == 0x0b &&
			   insn_is_emulate_prefix(p, INSN_EMULATE_PREFIX_SIZE)) {
			insn->emulate_prefix_size = INSN_EMULATE_PREFIX_SIZE;
			p += INSN_EMULATE_PREFIX_SIZE;
		} else {
			break;
		}
	}
	if (escape > INAT_ESC_REX)
		enc = insn_get_encoding(p, escape, insn->x86_64);
	/* A REX before REX2, VEX, XOP or EVEX is invalid.  Count it as a legacy prefix. */
	if (enc.nbytes)
		rex_at = p;
	insn_set_field(&insn->prefixes, insn_prefixes_value(insn, last_prefix, pp),
		       rex_at - base - insn->emulate_prefix_size);

	head->base = base;
	head->opnd_bytes = insn->opnd_bytes;
	head->pp = pp;
	head->deny = insn->x86_64 ? INAT_DENY_64 : INAT_DENY_NO64;
	if (enc.nbytes) {
		insn_parse_encoded(insn, head, p, &enc);
		if (rex)
			head->attr = INAT_UNDEFINED;
	} else {
		insn_parse_opcode(insn, head, p, rex);
	}
	head->deny |= INAT_DENY_NP << head->pp;
}

/*
 * Return an error.  The instruction needs @needed bytes, and @avail are available.  Keep
 * the complete fields before @limit, and reset the others.  The prefixes are complete
 * only if the first byte of the opcode is available.  If this byte could also be the first
 * byte of VEX, XOP or EVEX, the next byte must be available, too, unless one of these or REX2
 * precedes it.  With MAX_INSN_SIZE bytes, no more bytes can follow, so the prefixes are
 * complete.
 */
static noinline int insn_fail(struct insn *insn, struct insn_field *limit,
			      unsigned int avail, unsigned int needed)
{
	unsigned int end = insn->emulate_prefix_size, opcode_at = insn_offset_opcode(insn);
	struct insn_field *field = &insn->prefixes;

	if (opcode_at + 1 == avail && !insn->vex_prefix.nbytes && insn->rex_prefix.nbytes < 2 &&
	    INAT_ESCAPE(inat_get_opcode_attribute(insn->kaddr[opcode_at])) > INAT_ESC_REX2)
		opcode_at++;
	if (opcode_at < avail || avail == MAX_INSN_SIZE) {
		while (field < limit && end + field->nbytes <= avail) {
			end += field->nbytes;
			field++;
		}
	} else {
		insn->emulate_prefix_size = 0;
		insn->nr_prefixes = 0;
		end = 0;
	}
	insn->next_byte = insn->kaddr + end;
	insn->length = 0;
	insn->attr = 0;
	for (; field <= &insn->immediate2; field++)
		*field = (struct insn_field){};

	/* An instruction of more than 15 bytes is invalid. */
	insn->error = needed > avail && avail < MAX_INSN_SIZE ? -ENODATA : -EINVAL;
	return insn->error;
}

/* Decode an instruction in the first @avail bytes. */
static int insn_parse_bytes(struct insn *insn, unsigned int avail)
{
	unsigned int modrm, shape, disp_bytes = 0, imm_bytes, length;
	insn_byte_t padded[INSN_PADDED_SIZE];
	struct insn_head head;
	const insn_byte_t *p;
	insn_attr_t attr;

	insn_parse_head(insn, &head, padded, avail);
	attr = head.attr;
	p = head.next;

	insn_set_field(&insn->modrm, 0, 0);
	insn_set_field(&insn->sib, 0, 0);
	if (attr & INAT_MODRM) {
		modrm = *p++;
		insn_set_field(&insn->modrm, modrm, 1);
		if (attr & INAT_BY_REG)
			attr = inat_attrs[inat_nodes[INAT_NODE(attr) + X86_MODRM_REG(modrm)]];
		if (attr & INAT_BY_PFX)
			attr = inat_attrs[inat_nodes[INAT_NODE(attr) + head.pp]];
		if (attr & INAT_MODRM_REG)
			shape = INSN_SHAPE_REG;
		else if (insn->addr_bytes == 2)
			shape = insn_shape_16(modrm);
		else
			shape = insn_shapes[modrm];
		head.deny |= shape & (INSN_SHAPE_MEM | INSN_SHAPE_REG);
		disp_bytes = shape & INSN_SHAPE_DISP;
		if (shape & INSN_SHAPE_SIB) {
			insn_set_field(&insn->sib, *p, 1);
			if (insn_sib_no_base(modrm, *p++))
				disp_bytes = 4;
		}
	}
	if (attr & head.deny)
		return insn_fail(insn, &insn->modrm, avail, p - head.base);
	insn->attr = attr;
	insn_set_number(&insn->displacement, p, disp_bytes);
	p += disp_bytes;

	if (insn->x86_64 && (attr & INAT_F64 || (attr & INAT_D64 && head.opnd_bytes == 4)))
		head.opnd_bytes = 8;
	insn->opnd_bytes = head.opnd_bytes;

	imm_bytes = INAT_IMM_BYTES(attr);
	if (INAT_LONG(attr) || (attr & INAT_IMM_64 && insn->opnd_bytes == 8)) {
		imm_bytes = insn_long_immediate(insn, p);
	} else {
		if (attr & INAT_IMM_BY_SIZE && insn->opnd_bytes == 2)
			imm_bytes = 2;
		insn_set_number(&insn->immediate, p, imm_bytes);
		insn_set_field(&insn->immediate2, 0, 0);
	}

	length = p + imm_bytes - head.base;
	if (length > avail)
		return insn_fail(insn, &insn->immediate2 + 1, avail, length);
	insn->next_byte = insn->kaddr + length;
	insn->length = length;
	return 0;
}

/* Number of bytes from @p to the end of its page, or MAX_INSN_SIZE if INSN_PAGE_SIZE is 0. */
static __always_inline unsigned int insn_page_rest(const insn_byte_t *p)
{
	if (!INSN_PAGE_SIZE)
		return MAX_INSN_SIZE;
	return INSN_PAGE_SIZE - ((unsigned long)p & (INSN_PAGE_SIZE - 1));
}

/*
 * Decode any instruction.  @insn has the operand and address sizes of the code segment.
 * First decode only the bytes on the first page.  If the instruction extends to the next
 * page, or a marker may extend there, decode again with all bytes.  A UD2 in the last two
 * bytes of the page counts as the whole instruction, although it may begin a marker.
 */
static noinline int insn_parse(struct insn *insn)
{
	unsigned int avail = insn->end_kaddr - insn->kaddr;
	unsigned int rest = insn_page_rest(insn->kaddr);

	if (unlikely(avail > rest)) {
		unsigned char opnd_bytes = insn->opnd_bytes, addr_bytes = insn->addr_bytes;
		int ret = insn_parse_bytes(insn, rest);
		bool marker = rest > 2 && rest < INSN_EMULATE_PREFIX_SIZE &&
			      insn_is_emulate_prefix(insn->kaddr, rest);

		if (ret != -ENODATA && !marker)
			return ret;
		insn->opnd_bytes = opnd_bytes;
		insn->addr_bytes = addr_bytes;
		insn->emulate_prefix_size = 0;
		insn->nr_prefixes = 0;
		insn->error = 0;
	}
	return insn_parse_bytes(insn, avail);
}

/* Return @yes if @mask is all ones, @no if it is zero. */
static __always_inline u32 insn_select(u32 no, u32 yes, u32 mask)
{
	return no ^ ((no ^ yes) & mask);
}

/* INAT_MODRM must be the sign bit of an attribute. */
static_assert(INAT_MODRM == 1U << 31, "not the sign bit");

/*
 * Fast path for most of the kernel's text, in 64-bit mode: opcodes of one or two bytes,
 * no prefix except REX, no special cases, and MAX_INSN_SIZE bytes in both the buffer and
 * the page.  insn_parse() decodes all other instructions.  It gives the same result as
 * this fast path, but decoding vmlinux with insn_parse() alone takes 2.4 times as long.
 *
 * Instructions of a single byte are frequent, many of them in the padding between
 * functions, so they have a path of their own.  The rest of the function has no branch
 * on the presence of REX, ModRM, displacement or immediate.
 */
static __always_inline int insn_parse_fast(struct insn *insn, const insn_byte_t *kaddr)
{
	const u32 first = kaddr[0], second = kaddr[1], third = kaddr[2];
	insn_attr_t attr = inat_common[INAT_MAP_LEGACY][first], deny;
	u32 has_rex, rex, opcode, modrm, has_modrm, shape;
	unsigned int opcode_bytes = 1, disp_bytes, imm_bytes;
	const insn_byte_t *p;

	insn_set_field(&insn->prefixes, 0, 0);
	insn_set_field(&insn->vex_prefix, 0, 0);
	insn_set_field(&insn->sib, 0, 0);
	insn_set_field(&insn->immediate2, 0, 0);

	if (!(attr & (INAT_UNUSUAL | INAT_MODRM | INAT_IMM | INAT_DENY_64))) {
		insn_set_field(&insn->rex_prefix, 0, 0);
		insn_set_field(&insn->opcode, first, 1);
		insn_set_field(&insn->modrm, 0, 0);
		insn_set_field(&insn->displacement, 0, 0);
		insn_set_field(&insn->immediate, 0, 0);
		insn->attr = attr;
		insn->opnd_bytes = attr & (INAT_D64 | INAT_F64) ? 8 : 4;
		insn->next_byte = kaddr + 1;
		insn->length = 1;
		return 0;
	}

	/*
	 * Make masks for REX and ModRM from a sign bit: all ones if present, else 0.
	 * For REX, 40 to 4f, the XOR gives less than 0x10, so the difference is
	 * negative.
	 */
	has_rex = (s32)((first ^ 0x40) - 0x10) >> 31;
	rex = first & has_rex;
	opcode = insn_select(first, second, has_rex);
	modrm = insn_select(second, third, has_rex);
	attr = insn_select(attr, inat_common[INAT_MAP_LEGACY][second], has_rex);
	shape = insn_select(insn_shapes[second], insn_shapes[third], has_rex);
	p = kaddr + 1 + (has_rex & 1);
	insn_set_field(&insn->rex_prefix, rex, has_rex & 1);

	if (unlikely(attr & INAT_NOT_OPCODE)) {
		opcode |= modrm << 8;
		if (attr != INAT_MAKE_ESCAPE(INAT_ESC_0F) || opcode == 0x0b0f)
			return insn_parse(insn);
		attr = inat_common[INAT_MAP_LEGACY_0F][modrm];
		modrm = *++p;
		shape = insn_shapes[modrm];
		opcode_bytes = 2;
	}
	if (unlikely(attr & INAT_BY_REG))
		attr = inat_attrs[inat_nodes[INAT_NODE(attr) + X86_MODRM_REG(modrm)]];

	insn_set_field(&insn->opcode, opcode, opcode_bytes);

	has_modrm = (s32)attr >> 31;
	modrm &= has_modrm;
	shape &= has_modrm;
	insn_set_field(&insn->modrm, modrm, has_modrm & 1);
	deny = INAT_UNUSUAL | INAT_DENY_64 | INAT_DENY_NP;
	deny |= shape & (INSN_SHAPE_MEM | INSN_SHAPE_REG);
	if (X86_REX_W(rex))
		deny |= INAT_IMM_64;
	if (unlikely(attr & deny))
		return insn_parse(insn);

	p += has_modrm & 1;
	disp_bytes = shape & INSN_SHAPE_DISP;
	if (shape & INSN_SHAPE_SIB) {
		insn_set_field(&insn->sib, *p, 1);
		if (insn_sib_no_base(modrm, *p++))
			disp_bytes = 4;
	}
	imm_bytes = INAT_IMM_BYTES(attr);
	insn->length = p + disp_bytes - kaddr + imm_bytes;

	insn_set_number(&insn->displacement, p, disp_bytes);
	insn_set_number(&insn->immediate, p + disp_bytes, imm_bytes);
	insn->attr = attr;
	insn->opnd_bytes = X86_REX_W(rex) || attr & (INAT_D64 | INAT_F64) ? 8 : 4;
	insn->next_byte = p + disp_bytes + imm_bytes;
	return 0;
}

/* Initialize everything except for the parts of the instruction. */
static __always_inline void insn_setup(struct insn *insn, const void *kaddr, int buf_len,
				       bool x86_64)
{
	insn->kaddr = kaddr;
	if (buf_len > MAX_INSN_SIZE)
		buf_len = MAX_INSN_SIZE;
	else if (buf_len < 0)
		buf_len = 0;
	insn->end_kaddr = kaddr + buf_len;
	insn->next_byte = kaddr;
	insn->attr = 0;
	insn->emulate_prefix_size = 0;
	insn->opnd_bytes = 4;
	insn->addr_bytes = x86_64 ? 8 : 4;
	insn->length = 0;
	insn->x86_64 = x86_64;
	insn->error = 0;
	insn->nr_prefixes = 0;
}

/**
 * insn_decode() - decode an instruction
 * @insn:	gets the result
 * @kaddr:	first byte of the instruction
 * @buf_len:	length of the buffer; in the kernel, the decoder reads the next page only if
 *		the instruction extends there, or if it is a UD2 that may begin a marker
 * @m:		mode of the processor
 *
 * Context: Any, NMI included.
 * Return: 0; -ENODATA if the instruction is longer than @buf_len; -EINVAL if it is
 * invalid or longer than MAX_INSN_SIZE.  After an error, the parts before the invalid
 * or incomplete one are valid.
 */
int insn_decode(struct insn *insn, const void *kaddr, int buf_len, enum insn_mode m)
{
	if (m == INSN_MODE_64 || (m == INSN_MODE_KERN && IS_ENABLED(CONFIG_X86_64))) {
		if (likely(buf_len >= MAX_INSN_SIZE && insn_page_rest(kaddr) >= MAX_INSN_SIZE)) {
			insn_setup(insn, kaddr, MAX_INSN_SIZE, true);
			return insn_parse_fast(insn, kaddr);
		}
		insn_setup(insn, kaddr, buf_len, true);
	} else {
		insn_setup(insn, kaddr, buf_len, false);
		if (m == INSN_MODE_16) {
			insn->opnd_bytes = 2;
			insn->addr_bytes = 2;
		}
	}
	return insn_parse(insn);
}

/**
 * insn_init() - initialize an instruction for insn_get_prefixes() and similar functions
 * @insn:	instruction to initialize
 * @kaddr:	first byte of the instruction
 * @buf_len:	length of the buffer
 * @x86_64:	decode for 64-bit mode?
 *
 * For code with other default sizes, the caller may then change @opnd_bytes and
 * @addr_bytes of @insn.
 *
 * Context: Any, NMI included.
 */
void insn_init(struct insn *insn, const void *kaddr, int buf_len, int x86_64)
{
	memset(insn, 0, sizeof(*insn));
	insn_setup(insn, kaddr, buf_len, x86_64);
}

/* Decode the instruction if the decoder has not reached this part yet. */
static int insn_get_field(struct insn *insn, const struct insn_field *field)
{
	if (!field->got && !insn->error)
		insn_parse(insn);
	return field->got ? 0 : insn->error;
}

/**
 * insn_get_prefixes() - decode all prefixes, including REX, REX2, VEX, XOP and EVEX
 * @insn:	instruction, from insn_init() or insn_decode()
 *
 * This and the next six functions can be called in any order.  They decode the
 * instruction only once.
 *
 * Context: Any, NMI included.
 * Return: 0 if @insn has this part of the instruction, which may be empty; otherwise
 * an error from insn_decode().
 */
int insn_get_prefixes(struct insn *insn)
{
	return insn_get_field(insn, &insn->prefixes);
}

/**
 * insn_get_opcode() - decode up to and including the opcode
 * @insn:	instruction, as for insn_get_prefixes()
 *
 * Context: Any, NMI included.
 * Return: as insn_get_prefixes().
 */
int insn_get_opcode(struct insn *insn)
{
	return insn_get_field(insn, &insn->opcode);
}

/**
 * insn_get_modrm() - decode up to and including the ModRM byte
 * @insn:	instruction, as for insn_get_prefixes()
 *
 * Context: Any, NMI included.
 * Return: as insn_get_prefixes().
 */
int insn_get_modrm(struct insn *insn)
{
	return insn_get_field(insn, &insn->modrm);
}

/**
 * insn_get_sib() - decode up to and including the SIB byte
 * @insn:	instruction, as for insn_get_prefixes()
 *
 * Context: Any, NMI included.
 * Return: as insn_get_prefixes().
 */
int insn_get_sib(struct insn *insn)
{
	return insn_get_field(insn, &insn->sib);
}

/**
 * insn_get_displacement() - decode up to and including the displacement
 * @insn:	instruction, as for insn_get_prefixes()
 *
 * Context: Any, NMI included.
 * Return: as insn_get_prefixes().
 */
int insn_get_displacement(struct insn *insn)
{
	return insn_get_field(insn, &insn->displacement);
}

/**
 * insn_get_immediate() - decode up to and including both parts of the immediate
 * @insn:	instruction, as for insn_get_prefixes()
 *
 * Context: Any, NMI included.
 * Return: as insn_get_prefixes().
 */
int insn_get_immediate(struct insn *insn)
{
	return insn_get_field(insn, &insn->immediate2);
}

/**
 * insn_get_length() - decode the whole instruction
 * @insn:	instruction, as for insn_get_prefixes()
 *
 * Context: Any, NMI included.
 * Return: as insn_get_prefixes().
 */
int insn_get_length(struct insn *insn)
{
	return insn_get_field(insn, &insn->immediate2);
}

/**
 * insn_rip_relative() - does the instruction have a memory operand relative to RIP?
 * @insn:	instruction, decoded or just initialized
 *
 * Context: Any, NMI included.
 * Return: 1 or 0; 0 also if ModRM is invalid or incomplete.
 */
int insn_rip_relative(struct insn *insn)
{
	if (!insn->x86_64 || insn_get_modrm(insn) || !insn->modrm.nbytes ||
	    insn->attr & INAT_MODRM_REG)
		return 0;
	return (insn->modrm.bytes[0] & 0xc7) == 0x05;
}

/**
 * insn_masking_exception() - does the instruction delay a single-step trap?
 * @insn:	decoded instruction
 *
 * MOV and POP to SS delay traps until after the next instruction, so that no trap occurs
 * between the two halves of a stack switch.
 *
 * Context: Any, NMI included.
 * Return: 1 or 0.
 */
int insn_masking_exception(struct insn *insn)
{
	int op = insn_legacy_opcode(insn);

	return op == 0x17 || (op == 0x8e && X86_MODRM_REG(insn->modrm.bytes[0]) == 2);
}

/**
 * insn_last_prefix_id() - get the mandatory prefix of an instruction
 * @insn:	instruction, decoded or just initialized
 *
 * Context: Any, NMI included.
 * Return: INAT_PFX_OPNDSZ, INAT_PFX_REPE, INAT_PFX_REPNE or 0; for VEX, XOP and EVEX the
 * prefix that the pp field encodes.
 */
int insn_last_prefix_id(struct insn *insn)
{
	if (insn_is_avx(insn))
		return insn->vex_prefix.bytes[insn->vex_prefix.nbytes == 2 ? 1 : 2] & 3;
	return inat_get_last_prefix_id(insn->prefixes.bytes[3]);
}
