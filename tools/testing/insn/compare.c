// SPDX-License-Identifier: GPL-2.0
/*
 * Compare the decoder with Zydis, on random and mutated encodings.
 *
 * The decoder must accept all encodings that Zydis accepts, with the same length and the
 * same parts.  Encodings that only the decoder accepts are counted.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "campaign.h"
#include "compare.h"
#include "gen.h"

static const char * const check_names[NR_CHECKS] = {
	[CHECK_ACCEPT]		= "accepted",
	[CHECK_LENGTH]		= "length",
	[CHECK_PREFIXES]	= "prefixes.nbytes",
	[CHECK_MANDATORY]	= "mandatory prefix",
	[CHECK_REX]		= "rex_prefix",
	[CHECK_VEX]		= "vex_prefix",
	[CHECK_OPCODE]		= "opcode",
	[CHECK_MODRM]		= "modrm",
	[CHECK_SIB]		= "sib",
	[CHECK_DISP]		= "displacement",
	[CHECK_IMM]		= "immediate",
	[CHECK_ADDR_SIZE]	= "addr_bytes",
	[CHECK_OPND_SIZE]	= "opnd_bytes",
	[CHECK_PARTS]		= "sum of parts",
	[CHECK_PREFIX_LIST]	= "list of prefixes",
	[CHECK_STAGED]		= "staged interface",
	[CHECK_TRUNCATED]	= "truncated",
};

/* Failures of one check with one mnemonic; mnemonic 0 is for encodings that Zydis refuses. */
struct group {
	u64		count;
	const char	*wrong;
	u8		bytes[MAX_INSN_SIZE];
	int		ret;
	u8		is, want;
};

static struct group groups[NR_CHECKS][ZYDIS_MNEMONIC_MAX_VALUE + 1];

/* Encodings that only the decoder accepts, by the status of Zydis. */
#define NR_STATUS	16
static u64 only_ours[NR_STATUS];
static u8 only_ours_bytes[NR_STATUS][MAX_INSN_SIZE];

static const char * const status_names[NR_STATUS] = {
	"more than 15 bytes", "undefined", "more than 15 bytes", "bad register", "illegal lock",
	"illegal legacy prefix", "illegal REX", "invalid map", "malformed EVEX",
	"malformed MVEX", "invalid mask",
};

/* Opcodes that were part of a valid encoding. */
static u8 reached[ZYDIS_INSTRUCTION_ENCODING_MAX_VALUE + 1][ZYDIS_OPCODE_MAP_MAX_VALUE + 1][256];

static void report(const struct pair *p, enum aspect check, const char *wrong)
{
	struct group *g = &groups[check][p->zydis ? p->zydis->mnemonic : 0];

	if (p->zydis && count_known(p, check))
		return;
	if (g->count++)
		return;
	g->wrong = wrong;
	g->ret = p->ret;
	g->is = p->insn->length;
	g->want = p->zydis ? p->zydis->length + p->skipped : 0;
	memcpy(g->bytes, p->bytes, MAX_INSN_SIZE);
}

/* These markers ask a hypervisor to emulate the instruction after them. */
#define MARKER_SIZE	5
static const u8 xen_marker[MARKER_SIZE] = { 0x0f, 0x0b, 'x', 'e', 'n' };
static const u8 kvm_marker[MARKER_SIZE] = { 0x0f, 0x0b, 'k', 'v', 'm' };

#define CHECK(p, check, ok) do {			\
	if (!(ok))					\
		report(p, check, #ok);			\
} while (0)

static u64 low_bits(s64 value, unsigned int bits)
{
	return bits < 64 ? (u64)value & ((1ull << bits) - 1) : (u64)value;
}

static void compare_prefixes(const struct pair *p)
{
	const ZydisDecodedInstruction *z = p->zydis;
	struct insn *insn = p->insn;
	bool has_rex, is_vex;
	unsigned int i, mandatory = 0;

	CHECK(p, CHECK_PREFIXES, insn->emulate_prefix_size == p->skipped);
	CHECK(p, CHECK_PREFIXES,
	      insn->prefixes.nbytes + insn->rex_prefix.nbytes == z->raw.prefix_count);
	for (i = 0; i < z->raw.prefix_count; i++) {
		if (z->raw.prefixes[i].type == ZYDIS_PREFIX_TYPE_MANDATORY)
			mandatory = z->raw.prefixes[i].value;
	}
	if (mandatory)
		CHECK(p, CHECK_MANDATORY, insn->prefixes.bytes[3] == mandatory);

	has_rex = z->attributes & ZYDIS_ATTRIB_HAS_REX;
	CHECK(p, CHECK_REX, insn->rex_prefix.nbytes == has_rex);
	if (has_rex) {
		CHECK(p, CHECK_REX, !X86_REX_W(insn->rex_prefix.value) == !z->raw.rex.W);
		CHECK(p, CHECK_REX,
		      insn_offset_rex_prefix(insn) == z->raw.rex.offset + p->skipped);
	}

	is_vex = true;
	switch (z->encoding) {
	case ZYDIS_INSTRUCTION_ENCODING_VEX:
		CHECK(p, CHECK_VEX, insn->vex_prefix.nbytes == z->raw.vex.size);
		CHECK(p, CHECK_VEX,
		      insn_offset_vex_prefix(insn) == z->raw.vex.offset + p->skipped);
		break;
	case ZYDIS_INSTRUCTION_ENCODING_XOP:
		CHECK(p, CHECK_VEX, insn->vex_prefix.nbytes == 3);
		CHECK(p, CHECK_VEX,
		      insn_offset_vex_prefix(insn) == z->raw.xop.offset + p->skipped);
		break;
	case ZYDIS_INSTRUCTION_ENCODING_EVEX:
		CHECK(p, CHECK_VEX, insn->vex_prefix.nbytes == 4);
		CHECK(p, CHECK_VEX,
		      insn_offset_vex_prefix(insn) == z->raw.evex.offset + p->skipped);
		break;
	default:
		is_vex = false;
		CHECK(p, CHECK_VEX, !insn->vex_prefix.nbytes);
		break;
	}
	CHECK(p, CHECK_VEX, insn_is_avx(insn) == is_vex);
	CHECK(p, CHECK_VEX,
	      insn_is_evex(insn) == (z->encoding == ZYDIS_INSTRUCTION_ENCODING_EVEX));
}

static void compare_opcode(const struct pair *p)
{
	const ZydisDecodedInstruction *z = p->zydis;
	struct insn *insn = p->insn;
	unsigned int nbytes = 1;

	switch (z->encoding) {
	case ZYDIS_INSTRUCTION_ENCODING_LEGACY:
		if (z->opcode_map == ZYDIS_OPCODE_MAP_0F)
			nbytes = 2;
		else if (z->opcode_map != ZYDIS_OPCODE_MAP_DEFAULT)
			nbytes = 3;
		break;
	case ZYDIS_INSTRUCTION_ENCODING_3DNOW:
		/* The last byte is the opcode for Zydis, but an immediate for the decoder. */
		CHECK(p, CHECK_OPCODE, insn->opcode.nbytes == 2);
		CHECK(p, CHECK_OPCODE, insn->opcode.bytes[1] == 0x0f);
		CHECK(p, CHECK_IMM, insn->immediate.nbytes == 1);
		CHECK(p, CHECK_IMM, (u8)insn->immediate.value == z->opcode);
		return;
	default:
		break;
	}
	CHECK(p, CHECK_OPCODE, insn->opcode.nbytes == nbytes);
	CHECK(p, CHECK_OPCODE, insn->opcode.bytes[nbytes - 1] == z->opcode);
}

static void compare_operands(const struct pair *p)
{
	const ZydisDecodedInstruction *z = p->zydis;
	struct insn *insn = p->insn;
	bool has_modrm = z->attributes & ZYDIS_ATTRIB_HAS_MODRM;
	bool has_sib = z->attributes & ZYDIS_ATTRIB_HAS_SIB;

	CHECK(p, CHECK_MODRM, insn->modrm.nbytes == has_modrm);
	if (has_modrm) {
		CHECK(p, CHECK_MODRM,
		      insn_offset_modrm(insn) == z->raw.modrm.offset + p->skipped);
		CHECK(p, CHECK_MODRM, X86_MODRM_MOD(insn->modrm.value) == z->raw.modrm.mod);
		CHECK(p, CHECK_MODRM, X86_MODRM_REG(insn->modrm.value) == z->raw.modrm.reg);
		CHECK(p, CHECK_MODRM, X86_MODRM_RM(insn->modrm.value) == z->raw.modrm.rm);
	}

	CHECK(p, CHECK_SIB, insn->sib.nbytes == has_sib);
	if (has_sib) {
		CHECK(p, CHECK_SIB, insn_offset_sib(insn) == z->raw.sib.offset + p->skipped);
		CHECK(p, CHECK_SIB, X86_SIB_SCALE(insn->sib.value) == z->raw.sib.scale);
		CHECK(p, CHECK_SIB, X86_SIB_INDEX(insn->sib.value) == z->raw.sib.index);
		CHECK(p, CHECK_SIB, X86_SIB_BASE(insn->sib.value) == z->raw.sib.base);
	}
}

/* Join two fields into the number they represent; the second one may be empty. */
static u64 joined(const struct insn_field *low, const struct insn_field *high)
{
	return high->nbytes ? (u32)low->value | (u64)high->value << 32 : (u64)low->value;
}

static void compare_numbers(const struct pair *p)
{
	const ZydisDecodedInstruction *z = p->zydis;
	struct insn *insn = p->insn;
	unsigned int bits;

	if (z->encoding == ZYDIS_INSTRUCTION_ENCODING_3DNOW) {
		CHECK(p, CHECK_DISP, insn->displacement.nbytes * 8 == z->raw.disp.size);
		return;
	}

	/* Zydis treats the address of MOV AL,moffs as a displacement. */
	if (z->raw.disp.size && !(z->attributes & ZYDIS_ATTRIB_HAS_MODRM)) {
		bits = (insn->moffset1.nbytes + insn->moffset2.nbytes) * 8;
		CHECK(p, CHECK_DISP, bits == z->raw.disp.size);
		CHECK(p, CHECK_DISP,
		      insn_offset_immediate(insn) == z->raw.disp.offset + p->skipped);
		CHECK(p, CHECK_DISP,
		      low_bits(joined(&insn->moffset1, &insn->moffset2), bits) ==
		      low_bits(z->raw.disp.value, bits));
		return;
	}

	bits = insn->displacement.nbytes * 8;
	CHECK(p, CHECK_DISP, bits == z->raw.disp.size);
	if (bits) {
		CHECK(p, CHECK_DISP,
		      insn_offset_displacement(insn) == z->raw.disp.offset + p->skipped);
		CHECK(p, CHECK_DISP, insn->displacement.value == z->raw.disp.value);
	}

	if (z->raw.imm[0].size == 64) {
		CHECK(p, CHECK_IMM, insn->immediate1.nbytes == 4 && insn->immediate2.nbytes == 4);
		CHECK(p, CHECK_IMM,
		      joined(&insn->immediate1, &insn->immediate2) == z->raw.imm[0].value.u);
		return;
	}
	bits = insn->immediate1.nbytes * 8;
	CHECK(p, CHECK_IMM, bits == z->raw.imm[0].size);
	if (bits) {
		CHECK(p, CHECK_IMM,
		      insn_offset_immediate(insn) == z->raw.imm[0].offset + p->skipped);
		CHECK(p, CHECK_IMM,
		      low_bits(insn->immediate1.value, bits) ==
		      low_bits(z->raw.imm[0].value.s, bits));
	}
	bits = insn->immediate2.nbytes * 8;
	CHECK(p, CHECK_IMM, bits == z->raw.imm[1].size);
	if (bits)
		CHECK(p, CHECK_IMM,
		      low_bits(insn->immediate2.value, bits) ==
		      low_bits(z->raw.imm[1].value.s, bits));
}

static void compare_sizes(const struct pair *p)
{
	const ZydisDecodedInstruction *z = p->zydis;
	struct insn *insn = p->insn;

	CHECK(p, CHECK_ADDR_SIZE, insn->addr_bytes * 8 == z->address_width);
	/* For byte operands the decoder gives the size of the wider variant. */
	if (z->encoding == ZYDIS_INSTRUCTION_ENCODING_LEGACY &&
	    z->opcode_map == ZYDIS_OPCODE_MAP_DEFAULT && z->operand_width > 8)
		CHECK(p, CHECK_OPND_SIZE, insn->opnd_bytes * 8 == z->operand_width);
}

static void compare_one(const struct pair *p)
{
	if (p->ret) {
		report(p, CHECK_ACCEPT, p->ret == -EINVAL ? "-EINVAL" : "-ENODATA");
		return;
	}
	if (p->insn->length != p->zydis->length + p->skipped) {
		report(p, CHECK_LENGTH, "different length");
		return;
	}
	compare_prefixes(p);
	compare_opcode(p);
	compare_operands(p);
	compare_numbers(p);
	compare_sizes(p);
}

static void check_one(const struct pair *p)
{
	struct insn *insn = p->insn;
	const char *wrong;

	wrong = check_staged(insn, p->ret, MAX_INSN_SIZE, p->mode);
	if (wrong)
		report(p, CHECK_STAGED, wrong);
	if (p->ret)
		return;
	wrong = check_parts(insn, MAX_INSN_SIZE);
	if (wrong)
		report(p, CHECK_PARTS, wrong);
	wrong = check_prefixes(insn);
	if (wrong)
		report(p, CHECK_PREFIX_LIST, wrong);
	/* check_truncated() overwrites the decoder's buffer, so call it last. */
	wrong = check_truncated(insn, p->mode);
	if (wrong)
		report(p, CHECK_TRUNCATED, wrong);
}

/* Print the groups with the most failures first. */
static void print_groups(enum aspect check, enum mode mode, unsigned int limit)
{
	unsigned int i, best;
	struct group *g;

	while (limit--) {
		for (i = best = 0; i <= ZYDIS_MNEMONIC_MAX_VALUE; i++) {
			if (groups[check][i].count > groups[check][best].count)
				best = i;
		}
		g = &groups[check][best];
		if (!g->count)
			return;
		printf("# %u bit: %s: %s, %llu times:", mode_bits(mode), check_names[check],
		       best ? ZydisMnemonicGetString(best) : "not valid",
		       (unsigned long long)g->count);
		print_bytes(g->bytes);
		printf(" (%s", g->wrong);
		if (!g->ret && g->want)
			printf("; length %u, Zydis %u", g->is, g->want);
		printf(")\n");
		g->count = 0;
	}
}

static void print_reached(void)
{
	static const struct {
		const char	*name;
		unsigned int	encoding, map;
	} maps[] = {
		{ "legacy", ZYDIS_INSTRUCTION_ENCODING_LEGACY, ZYDIS_OPCODE_MAP_DEFAULT },
		{ "0f", ZYDIS_INSTRUCTION_ENCODING_LEGACY, ZYDIS_OPCODE_MAP_0F },
		{ "0f38", ZYDIS_INSTRUCTION_ENCODING_LEGACY, ZYDIS_OPCODE_MAP_0F38 },
		{ "0f3a", ZYDIS_INSTRUCTION_ENCODING_LEGACY, ZYDIS_OPCODE_MAP_0F3A },
		{ "3dnow", ZYDIS_INSTRUCTION_ENCODING_3DNOW, ZYDIS_OPCODE_MAP_0F0F },
		{ "vex-1", ZYDIS_INSTRUCTION_ENCODING_VEX, ZYDIS_OPCODE_MAP_0F },
		{ "vex-2", ZYDIS_INSTRUCTION_ENCODING_VEX, ZYDIS_OPCODE_MAP_0F38 },
		{ "vex-3", ZYDIS_INSTRUCTION_ENCODING_VEX, ZYDIS_OPCODE_MAP_0F3A },
		{ "evex-1", ZYDIS_INSTRUCTION_ENCODING_EVEX, ZYDIS_OPCODE_MAP_0F },
		{ "evex-2", ZYDIS_INSTRUCTION_ENCODING_EVEX, ZYDIS_OPCODE_MAP_0F38 },
		{ "evex-3", ZYDIS_INSTRUCTION_ENCODING_EVEX, ZYDIS_OPCODE_MAP_0F3A },
		{ "evex-5", ZYDIS_INSTRUCTION_ENCODING_EVEX, ZYDIS_OPCODE_MAP_MAP5 },
		{ "evex-6", ZYDIS_INSTRUCTION_ENCODING_EVEX, ZYDIS_OPCODE_MAP_MAP6 },
		{ "xop-8", ZYDIS_INSTRUCTION_ENCODING_XOP, ZYDIS_OPCODE_MAP_XOP8 },
		{ "xop-9", ZYDIS_INSTRUCTION_ENCODING_XOP, ZYDIS_OPCODE_MAP_XOP9 },
		{ "xop-a", ZYDIS_INSTRUCTION_ENCODING_XOP, ZYDIS_OPCODE_MAP_XOPA },
	};
	unsigned int i, op, n;

	printf("#   valid opcodes reached:");
	for (i = 0; i < ARRAY_SIZE(maps); i++) {
		for (op = n = 0; op < 256; op++)
			n += reached[maps[i].encoding][maps[i].map][op];
		printf(" %s %u", maps[i].name, n);
	}
	printf("\n");
}

static void compare_mode(enum mode mode, u64 nr, u64 seed, unsigned int limit, bool verbose)
{
	static const struct {
		ZydisMachineMode	mode;
		ZydisStackWidth		stack;
	} machines[NR_MODES] = {
		[MODE_16] = { ZYDIS_MACHINE_MODE_LEGACY_16, ZYDIS_STACK_WIDTH_16 },
		[MODE_32] = { ZYDIS_MACHINE_MODE_LEGACY_32, ZYDIS_STACK_WIDTH_32 },
		[MODE_64] = { ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64 },
	};
	ZydisDecodedInstruction zydis;
	u64 valid = 0, accepted = 0, i;
	struct timespec begin, end;
	ZydisDecoder decoder;
	static struct gen gen;
	u8 bytes[GEN_BYTES];
	unsigned int j, sum;
	double seconds;
	enum aspect check;
	ZyanStatus status;
	struct insn insn;

	memset(groups, 0, sizeof(groups));
	memset(only_ours, 0, sizeof(only_ours));
	memset(reached, 0, sizeof(reached));
	for (j = 0; j < nr_known_differences; j++)
		known_differences[j].seen = 0;

	ZydisDecoderInit(&decoder, machines[mode].mode, machines[mode].stack);
	gen_init(&gen, seed, mode);
	clock_gettime(CLOCK_MONOTONIC, &begin);
	for (i = 0; i < nr; i++) {
		struct pair p = { .mode = mode, .bytes = bytes, .insn = &insn };

		gen_next(&gen, bytes);
		p.ret = decode(&insn, guard_put(bytes, MAX_INSN_SIZE), MAX_INSN_SIZE, mode);
		accepted += !p.ret;
		if (!memcmp(bytes, xen_marker, MARKER_SIZE) ||
		    !memcmp(bytes, kvm_marker, MARKER_SIZE))
			p.skipped = MARKER_SIZE;
		status = ZydisDecoderDecodeInstruction(&decoder, NULL, bytes + p.skipped,
						       MAX_INSN_SIZE - p.skipped, &zydis);
		if (ZYAN_SUCCESS(status)) {
			valid++;
			p.zydis = &zydis;
			reached[zydis.encoding][zydis.opcode_map][zydis.opcode] = 1;
			gen_keep(&gen, bytes);
			compare_one(&p);
		} else if (!p.ret) {
			j = ZYAN_STATUS_CODE(status) % NR_STATUS;
			if (!only_ours[j]++)
				memcpy(only_ours_bytes[j], bytes, MAX_INSN_SIZE);
			/* Also mutate some encodings that Zydis may not support yet. */
			if (!(i % 8))
				gen_keep(&gen, bytes);
		}
		check_one(&p);
	}
	clock_gettime(CLOCK_MONOTONIC, &end);
	seconds = end.tv_sec - begin.tv_sec + (end.tv_nsec - begin.tv_nsec) / 1e9;

	printf("# %u bit: %llu encodings, %llu valid, %llu accepted, %.1f s, %.2f million/s\n",
	       mode_bits(mode), (unsigned long long)nr, (unsigned long long)valid,
	       (unsigned long long)accepted, seconds, nr / seconds / 1e6);
	print_reached();
	if (verbose) {
		for (j = 0; j < NR_STATUS; j++) {
			if (!only_ours[j])
				continue;
			printf("#   accepted (Zydis: %s): %llu, for example",
			       status_names[j] ?: "?", (unsigned long long)only_ours[j]);
			print_bytes(only_ours_bytes[j]);
			printf("\n");
		}
		for (j = 0; j < nr_known_differences; j++)
			printf("#   known: %s: %llu\n", known_differences[j].name,
			       (unsigned long long)known_differences[j].seen);
	}
	for (check = 0; check < NR_CHECKS; check++) {
		for (j = sum = 0; j <= ZYDIS_MNEMONIC_MAX_VALUE; j++)
			sum += groups[check][j].count;
		print_groups(check, mode, limit);
		campaign_result(mode, check_names[check], sum);
	}
}

int main(int argc, char **argv)
{
	return campaign(compare_mode, NR_CHECKS, argc, argv);
}
