// SPDX-License-Identifier: GPL-2.0
/*
 * x86 instruction decoder
 *
 * An instruction is
 *
 *	[legacy prefixes] [REX | REX2 | VEX | XOP | EVEX] opcode
 *	[ModRM [SIB] [displacement]] [immediate [second immediate]]
 *
 * and how long each part is follows from the ones before it and from the
 * opcode's attribute in the tables that x86-opcode-map.txt makes.  All parts are
 * decoded in one pass, insn_parse(): the functions that get one part after the
 * other only look at what it has found, up to the part that it could not read.
 *
 * objtool decodes the whole kernel in each build, a probe its function from the
 * start up to the probe.  So most of the kernel's code takes a shorter way,
 * insn_parse_usual(), to what insn_parse() would say as well.  Whether there is
 * a REX prefix, ModRM, a displacement or an immediate is as good as random, and
 * branches on it are mispredicted often enough to cost more than all the rest;
 * there, parts that may be absent are parts of zero bytes, and numbers are read
 * as four bytes of which the surplus is masked out.
 *
 * That means to read bytes behind the instruction.  They are always bytes of the
 * buffer, but the kernel's callers say that the buffer is as large as any
 * instruction may be, and know only that there is an instruction.  Where the
 * next page begins nobody may have mapped anything: it is read only if the
 * instruction goes on there.  What else is behind the instruction is read and
 * not looked at, which sanitizers need not know of (see the Makefile).
 *
 * Nothing here takes locks, allocates or sleeps: any function may be called in
 * any context, NMI and early boot included.  The text need not stay as it is
 * meanwhile, in which case the result describes an instruction that may never
 * have been there; what is said above of reading holds even then.
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
 * Bytes from the last legacy prefix on that are looked at, needed or not: EVEX
 * (which excludes REX), opcode, ModRM, SIB, and four each for displacement and
 * immediate.
 */
#define INSN_PARSE_SIZE		(4 + 1 + 1 + 1 + 4 + 4)

/* The same, behind a buffer of which all may be legacy prefixes. */
#define INSN_PADDED_SIZE	32
static_assert(MAX_INSN_SIZE + 2 + INSN_PARSE_SIZE <= INSN_PADDED_SIZE);

/* What is mapped together, at least. */
#define INSN_PAGE_SIZE		4096

#define INSN_EMULATE_PREFIX_SIZE 5

/* Which map a map field means; 0, that of one-byte opcodes, where none. */
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
 * What ModRM says of the operand that it describes: whether it is a register or
 * in memory, and if in memory whether SIB follows, and how many bytes of
 * displacement.  INSN_SHAPE_MEM and _REG are the bits of INAT_DENY_*.
 */
#define INSN_SHAPE_DISP	0x07
#define INSN_SHAPE_MEM	INAT_DENY_MEM
#define INSN_SHAPE_REG	INAT_DENY_REG
#define INSN_SHAPE_SIB	0x80

/* No bit has two meanings, and a byte has all of them. */
static_assert(INSN_SHAPE_DISP + INSN_SHAPE_MEM + INSN_SHAPE_REG + INSN_SHAPE_SIB ==
	      (INSN_SHAPE_DISP | INSN_SHAPE_MEM | INSN_SHAPE_REG | INSN_SHAPE_SIB));
static_assert((INSN_SHAPE_DISP | INSN_SHAPE_MEM | INSN_SHAPE_REG | INSN_SHAPE_SIB) < 256);

#define M	INSN_SHAPE_MEM
#define R	INSN_SHAPE_REG
#define S	INSN_SHAPE_SIB

static const insn_byte_t insn_shapes[256] = {
	/* mod 0: none, but r/m 5 is a displacement alone */
	M, M, M, M, M | S, M | 4, M, M,
	M, M, M, M, M | S, M | 4, M, M,
	M, M, M, M, M | S, M | 4, M, M,
	M, M, M, M, M | S, M | 4, M, M,
	M, M, M, M, M | S, M | 4, M, M,
	M, M, M, M, M | S, M | 4, M, M,
	M, M, M, M, M | S, M | 4, M, M,
	M, M, M, M, M | S, M | 4, M, M,
	/* mod 1: one byte */
	M | 1, M | 1, M | 1, M | 1, M | S | 1, M | 1, M | 1, M | 1,
	M | 1, M | 1, M | 1, M | 1, M | S | 1, M | 1, M | 1, M | 1,
	M | 1, M | 1, M | 1, M | 1, M | S | 1, M | 1, M | 1, M | 1,
	M | 1, M | 1, M | 1, M | 1, M | S | 1, M | 1, M | 1, M | 1,
	M | 1, M | 1, M | 1, M | 1, M | S | 1, M | 1, M | 1, M | 1,
	M | 1, M | 1, M | 1, M | 1, M | S | 1, M | 1, M | 1, M | 1,
	M | 1, M | 1, M | 1, M | 1, M | S | 1, M | 1, M | 1, M | 1,
	M | 1, M | 1, M | 1, M | 1, M | S | 1, M | 1, M | 1, M | 1,
	/* mod 2: four bytes */
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

/* The same of @modrm with 16-bit addresses. */
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

/* insn_fail() goes through the fields as through an array, which they are. */
static_assert(offsetof(struct insn, immediate2) == 8 * sizeof(struct insn_field));

/* A field that has been reached; one store where that is possible. */
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

	static_assert(sizeof(*field) == sizeof(image));
	memcpy(field, &image, sizeof(image));
#endif
}

/* A field of the signed number of @nbytes (0, 1, 2 or 4) at @p, where four can be read. */
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

/* Does the SIB byte say that there is no base register, but a displacement? */
static __always_inline bool insn_sib_no_base(unsigned int modrm, unsigned int sib)
{
	return X86_SIB_BASE(sib) == 5 && !X86_MODRM_MOD(modrm);
}

/* Do @nbytes bytes begin the marker by which hypervisors are asked to emulate? */
static bool insn_is_emulate_prefix(const insn_byte_t *p, unsigned int nbytes)
{
	static const insn_byte_t markers[][INSN_EMULATE_PREFIX_SIZE] = {
		{ __XEN_EMULATE_PREFIX },
		{ __KVM_EMULATE_PREFIX },
	};

	return !memcmp(p, markers[0], nbytes) || !memcmp(p, markers[1], nbytes);
}

/*
 * Take in a legacy prefix.  @pp is the mandatory prefix so far, as in the fields
 * of VEX: 66, f3, f2 are 1, 2, 3.  Returns what it is then.
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
	/* f2 and f3 go before 66, and before each other if they come later. */
	if (id == INAT_PFX_REPE || id == INAT_PFX_REPNE || (id == INAT_PFX_OPNDSZ && !pp))
		pp = id;
	return pp;
}

/* The value of the field of all legacy prefixes, the last of which is @last. */
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

/* What a prefix says that names the opcode's map itself. */
struct insn_encoding {
	unsigned int nbytes;	/* of the prefix; 0 if it is an opcode after all */
	unsigned int map;	/* 0 if there is no such map */
	unsigned int pp;
	bool rex2;
	bool w;			/* operands of 64 bits */
};

/* Decode REX2, VEX, XOP or EVEX at @p, whichever @escape says. */
static noinline struct insn_encoding insn_get_encoding(const insn_byte_t *p,
						       unsigned int escape, bool x86_64)
{
	struct insn_encoding enc = {};

	/* Where the first byte is an opcode as well, the second one decides. */
	if (escape == INAT_ESC_XOP) {
		/* The reg field of POP is 0, so it seems to name a low map. */
		if ((p[1] & 0x1f) < 8)
			return enc;
	} else if (!x86_64) {
		/* LES, LDS, BOUND have a memory operand; AAM is never REX2. */
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

/* What pp stands for cannot be said before VEX as well, nor can LOCK. */
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
 * The immediates of more than one part, or of one that may be longer than four
 * bytes, at @p.  Returns the number of bytes.
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
	default: /* MOV of 64 bits */
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
 * A copy of the @avail bytes at @from, with zeroes behind them.  Not by memcpy(),
 * which KASAN watches by itself.
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

/* What the prefixes and the opcode leave to know for the other parts. */
struct insn_head {
	const insn_byte_t *base;	/* what is decoded, or a padded copy */
	const insn_byte_t *next;	/* behind the opcode */
	insn_attr_t attr;
	insn_attr_t deny;		/* what it must not have */
	unsigned int opnd_bytes;
	unsigned int pp;
};

/* Decode the opcode at @p, which @rex may precede, and its escapes. */
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

/* Decode the prefix at @p of which @enc is known, and the opcode behind it. */
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
		/* JMPABS is all that this prefix gives a new meaning. */
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
		/* A legacy instruction in a new encoding. */
		if (enc->map == INAT_MAP_EVEX_4 && enc->pp == INAT_PFX_OPNDSZ && !enc->w)
			head->opnd_bytes = 2;
		/* Users look for vvvv in the third byte, whichever VEX it is. */
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
 * Decode all kinds of prefixes and of opcodes.  @padded is there for a copy, if
 * more may be looked at than there is: after any prefix.
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
			/* Which makes a REX before it one without effect. */
			last_prefix = *p++;
			pp = insn_add_prefix(insn, last_prefix, INAT_PREFIX(attr), pp);
		} else if (escape == INAT_ESC_REX && insn->x86_64) {
			/* So does a second REX, which it is that *p begins. */
		} else if (escape == INAT_ESC_0F && p == base && p[1] == 0x0b &&
			   insn_is_emulate_prefix(p, INSN_EMULATE_PREFIX_SIZE)) {
			insn->emulate_prefix_size = INSN_EMULATE_PREFIX_SIZE;
			p += INSN_EMULATE_PREFIX_SIZE;
		} else {
			break;
		}
	}
	insn_set_field(&insn->prefixes, insn_prefixes_value(insn, last_prefix, pp),
		       rex_at - base - insn->emulate_prefix_size);

	head->base = base;
	head->opnd_bytes = insn->opnd_bytes;
	head->pp = pp;
	head->deny = insn->x86_64 ? INAT_DENY_64 : INAT_DENY_NO64;
	if (escape > INAT_ESC_REX)
		enc = insn_get_encoding(p, escape, insn->x86_64);
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
 * Keep those fields before @limit that the first @avail bytes hold, of the
 * @needed ones.  It is not known whether the prefixes were all without the first
 * byte of the opcode, or the second one of what may be VEX or an opcode.
 */
static noinline int insn_fail(struct insn *insn, struct insn_field *limit,
			      unsigned int avail, unsigned int needed)
{
	unsigned int end = insn->emulate_prefix_size, opcode_at = insn_offset_opcode(insn);
	struct insn_field *field = &insn->prefixes;

	if (opcode_at + 1 == avail &&
	    INAT_ESCAPE(inat_get_opcode_attribute(insn->kaddr[opcode_at])) > INAT_ESC_REX2)
		opcode_at++;
	if (opcode_at < avail) {
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
	insn->attr = 0;
	for (; field <= &insn->immediate2; field++)
		*field = (struct insn_field){};

	/* What takes more than fifteen bytes is not an instruction. */
	insn->error = needed > avail && avail < MAX_INSN_SIZE ? -ENODATA : -EINVAL;
	return insn->error;
}

/* Decode whatever the first @avail bytes are. */
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

/* Bytes from @p to the end of its page. */
static __always_inline unsigned int insn_page_rest(const insn_byte_t *p)
{
	return INSN_PAGE_SIZE - ((unsigned long)p & (INSN_PAGE_SIZE - 1));
}

/*
 * Decode whatever there is, with the sizes of the code segment in @insn: what is
 * on the page first, and all again if that was not the whole instruction.  It is
 * the whole one if UD2 ends the page, though it may be the start of a marker.
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

/* @yes where @mask is all ones, @no where it is zero. */
static __always_inline u32 insn_select(u32 no, u32 yes, u32 mask)
{
	return no ^ ((no ^ yes) & mask);
}

/* An attribute's sign tells whether there is ModRM. */
static_assert(INAT_MODRM == 1U << 31);

/*
 * Decode what most of the kernel's text is, in 64-bit mode: one or two bytes of
 * opcode with no prefix but REX, and nothing else that takes looking after, nor
 * an end of the buffer or of a page that has to be watched.  insn_parse() does
 * the rest, and would give the same result for these.
 *
 * A quarter of the text is instructions of a single byte, many of them in rows,
 * padding between functions.  The others are decoded without a branch on
 * whether there is a REX prefix, ModRM, displacement or immediate.
 */
static __always_inline int insn_parse_usual(struct insn *insn, const insn_byte_t *kaddr)
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
	 * Masks of all ones for REX and for ModRM, if they are there, made of a sign
	 * bit.  REX, 40 to 4f, is what XOR makes less than 0x10, and the difference
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

/* Everything but the fields. */
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
 * @insn:	where to describe it
 * @kaddr:	its first byte
 * @buf_len:	how many bytes may be read there; no other page than @kaddr's is read
 *		unless the instruction goes on there
 * @m:		mode of the processor
 *
 * Context: any, NMI too.
 * Return: 0; -ENODATA if the instruction is longer than @buf_len; -EINVAL if
 * there is no such instruction, or none of up to MAX_INSN_SIZE bytes.  After an
 * error the parts before the one that is to blame are valid.
 */
int insn_decode(struct insn *insn, const void *kaddr, int buf_len, enum insn_mode m)
{
	if (m == INSN_MODE_64 || (m == INSN_MODE_KERN && IS_ENABLED(CONFIG_X86_64))) {
		if (likely(buf_len >= MAX_INSN_SIZE && insn_page_rest(kaddr) >= MAX_INSN_SIZE)) {
			insn_setup(insn, kaddr, MAX_INSN_SIZE, true);
			return insn_parse_usual(insn, kaddr);
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
 * insn_init() - prepare an instruction for the functions that get parts of it
 * @insn:	where to describe it
 * @kaddr:	its first byte
 * @buf_len:	how many bytes may be read there
 * @x86_64:	is it one of 64-bit mode?
 *
 * Operand and address size of another code segment may be set in @insn after
 * this.  Context: any, NMI too.
 */
void insn_init(struct insn *insn, const void *kaddr, int buf_len, int x86_64)
{
	memset(insn, 0, sizeof(*insn));
	insn_setup(insn, kaddr, buf_len, x86_64);
}

/* Has this part been reached?  Decodes what has not been decoded yet. */
static int insn_get_field(struct insn *insn, const struct insn_field *field)
{
	if (!field->got && !insn->error)
		insn_parse(insn);
	return field->got ? 0 : insn->error;
}

/**
 * insn_get_prefixes() - see to the prefixes of an instruction, of all kinds
 * @insn:	instruction, from insn_init() or insn_decode()
 *
 * This and the next six functions may be called in any order; nothing is
 * decoded twice.  Context: any, NMI too.
 * Return: 0 if @insn has this part of the instruction, even if it is empty;
 * otherwise the error as of insn_decode().
 */
int insn_get_prefixes(struct insn *insn)
{
	return insn_get_field(insn, &insn->prefixes);
}

/**
 * insn_get_opcode() - see to the opcode of an instruction
 * @insn:	instruction, as for insn_get_prefixes()
 *
 * Return: as insn_get_prefixes().
 */
int insn_get_opcode(struct insn *insn)
{
	return insn_get_field(insn, &insn->opcode);
}

/**
 * insn_get_modrm() - see to the ModRM byte of an instruction
 * @insn:	instruction, as for insn_get_prefixes()
 *
 * Return: as insn_get_prefixes().
 */
int insn_get_modrm(struct insn *insn)
{
	return insn_get_field(insn, &insn->modrm);
}

/**
 * insn_get_sib() - see to the SIB byte of an instruction
 * @insn:	instruction, as for insn_get_prefixes()
 *
 * Return: as insn_get_prefixes().
 */
int insn_get_sib(struct insn *insn)
{
	return insn_get_field(insn, &insn->sib);
}

/**
 * insn_get_displacement() - see to the displacement of an instruction
 * @insn:	instruction, as for insn_get_prefixes()
 *
 * Return: as insn_get_prefixes().
 */
int insn_get_displacement(struct insn *insn)
{
	return insn_get_field(insn, &insn->displacement);
}

/**
 * insn_get_immediate() - see to the immediates of an instruction
 * @insn:	instruction, as for insn_get_prefixes()
 *
 * Return: as insn_get_prefixes().
 */
int insn_get_immediate(struct insn *insn)
{
	return insn_get_field(insn, &insn->immediate);
}

/**
 * insn_get_length() - see to the length of an instruction
 * @insn:	instruction, as for insn_get_prefixes()
 *
 * Return: as insn_get_prefixes().
 */
int insn_get_length(struct insn *insn)
{
	return insn_get_field(insn, &insn->immediate2);
}

/**
 * insn_rip_relative() - does it address memory relative to itself?
 * @insn:	instruction, decoded or just initialized
 *
 * Context: any, NMI too.
 * Return: 1 or 0; 0 also for what is not an instruction.
 */
int insn_rip_relative(struct insn *insn)
{
	if (!insn->x86_64 || insn_get_modrm(insn) || !insn->modrm.nbytes ||
	    insn->attr & INAT_MODRM_REG)
		return 0;
	return (insn->modrm.bytes[0] & 0xc7) == 0x05;
}

/**
 * insn_masking_exception() - does it hold back the trap of a single step?
 * @insn:	decoded instruction
 *
 * MOV and POP to SS do, until after the next instruction, so that nothing comes
 * between the two halves of a new stack pointer.
 *
 * Context: any, NMI too.
 * Return: 1 or 0.
 */
int insn_masking_exception(struct insn *insn)
{
	int op = insn_legacy_opcode(insn);

	return op == 0x17 || (op == 0x8e && X86_MODRM_REG(insn->modrm.bytes[0]) == 2);
}

/**
 * insn_last_prefix_id() - which mandatory prefix does it have?
 * @insn:	instruction, decoded or just initialized
 *
 * Context: any, NMI too.
 * Return: INAT_PFX_OPNDSZ, INAT_PFX_REPE, INAT_PFX_REPNE or 0; for VEX and its
 * like the one that its pp field stands for.
 */
int insn_last_prefix_id(struct insn *insn)
{
	if (insn_is_avx(insn))
		return insn->vex_prefix.bytes[insn->vex_prefix.nbytes == 2 ? 1 : 2] & 3;
	return inat_get_last_prefix_id(insn->prefixes.bytes[3]);
}
