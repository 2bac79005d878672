// SPDX-License-Identifier: GPL-2.0
/*
 * Compare the decoder with LLVM, on encodings that Zydis does not support: APX, AVX10.2
 * and others that are newer than Zydis.
 *
 * compare.c checks the encodings that Zydis accepts. The decoder must accept all others
 * that LLVM can disassemble, with the same length, except for known_differences[].
 * Encodings that only the decoder accepts are counted.
 *
 * SDM and APM are the manuals of Intel and of AMD.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <llvm-c/Disassembler.h>
#include <llvm-c/Target.h>
#include <linux/bits.h>
#include <Zydis/Zydis.h>

#include "campaign.h"
#include "decoder.h"
#include "gen.h"

#define FEATURES	"+egpr,+push2pop2,+ppx,+ndd,+ccmp,+nf,+cf,+zu,+avx10.2," \
			"+amx-tile,+amx-fp8,+amx-avx512,+amx-tf32,+movrs,+usermsr,+sm4"

enum aspect {
	CHECK_ACCEPT,
	CHECK_LENGTH,
	CHECK_STAGED,
	CHECK_PARTS,
	CHECK_PREFIX_LIST,
	CHECK_TRUNCATED,
	NR_CHECKS,
};

static const char * const check_names[NR_CHECKS] = {
	"accepted", "length", "staged interface", "sum of parts", "list of prefixes", "truncated",
};

struct llvm_case {
	enum mode	mode;
	const u8	*bytes;
	int		ret;
	struct insn	*insn;
	unsigned int	llvm;		/* length according to LLVM, 0 if invalid */
	const char	*asm_text;
	LLVMDisasmContextRef disasm;
	/* Index of the first byte that is neither a legacy prefix nor REX. */
	unsigned int	head;
};

static unsigned int nr_of(const struct llvm_case *t, u8 prefix)
{
	unsigned int i, n = 0;

	for (i = 0; i < t->head; i++)
		n += t->bytes[i] == prefix;
	return n;
}

static bool has_encoding_prefix(const struct llvm_case *t)
{
	switch (t->bytes[t->head]) {
	case 0x8f:
		return (t->bytes[t->head + 1] & 0x1f) >= 8;
	case 0xc4:
	case 0xc5:
	case 0x62:
		return t->mode == MODE_64 || t->bytes[t->head + 1] >= 0xc0;
	case 0xd5:
		return t->mode == MODE_64;
	default:
		return false;
	}
}

/*
 * SDM volume 2, sections 2.3.2 to 2.3.5 and "#UD equations for EVEX": 66, F2, F3, LOCK
 * and REX before VEX and EVEX cause #UD. LLVM ignores them. APX specification, REX2
 * prefix: REX before REX2 causes #UD, too.
 */
static bool has_invalid_prefix(const struct llvm_case *t)
{
	unsigned int i;

	if (!has_encoding_prefix(t))
		return false;
	for (i = 0; i < t->head; i++) {
		if (t->mode == MODE_64 && (t->bytes[i] & 0xf0) == 0x40 && i + 1 == t->head)
			return true;
	}
	return t->bytes[t->head] != 0xd5 &&
	       nr_of(t, 0x66) + nr_of(t, 0xf2) + nr_of(t, 0xf3) + nr_of(t, 0xf0);
}

/* SDM volume 2, section 2.2.1: REX is ignored unless it directly precedes the opcode. */
static bool is_early_rex(const struct llvm_case *t)
{
	unsigned int i;

	for (i = 0; i + 1 < t->head; i++) {
		if (t->mode == MODE_64 && (t->bytes[i] & 0xf0) == 0x40)
			return true;
	}
	return false;
}

/*
 * After an operand size prefix, LLVM decodes near branches with a 16-bit displacement, also
 * in 64-bit mode, like AMD processors. The decoder uses 32 bits there, like Intel.
 */
static bool is_near_branch(const struct llvm_case *t)
{
	u8 op = t->bytes[t->head], op2 = t->bytes[t->head + 1];

	/* In 16-bit mode, XBEGIN's displacement has 16 bits in the SDM, but 32 bits in LLVM. */
	if (t->mode == MODE_16 && op == 0xc7 && op2 == 0xf8)
		return true;
	if (!nr_of(t, 0x66))
		return false;
	return op == 0xe8 || op == 0xe9 || (op == 0x0f && (op2 & 0xf0) == 0x80) ||
	       (op == 0xc7 && op2 == 0xf8);
}

/* SDM volume 2, MOV: the instruction cannot load CS. */
static bool is_mov_to_cs(const struct llvm_case *t)
{
	const u8 *op = t->bytes + t->head;

	if (t->mode == MODE_64 && op[0] == 0xd5)
		op += 2;
	return op[0] == 0x8e && X86_MODRM_REG(op[1]) == 1;
}

/*
 * APX specification, REX2 prefix: prefixes, escapes, rows 4, 7, a, e of map 0 (except
 * JMPABS) and rows 3, 8 of map 1 are invalid after it.
 */
static bool is_refused_with_rex2(const struct llvm_case *t)
{
	u8 op;

	if (t->mode != MODE_64 || t->bytes[t->head] != 0xd5)
		return false;
	op = t->bytes[t->head + 2];
	if (X86_REX2_M(t->bytes[t->head + 1]))
		return op >> 4 == 3 || op >> 4 == 8;
	if (op == 0xa1)		/* JMPABS */
		return false;
	return op == 0x0f || is_legacy_prefix(op) || op == 0xd5 || op == 0xc4 || op == 0xc5 ||
	       op == 0x62 || op >> 4 == 4 || op >> 4 == 7 || op >> 4 == 0xa || op >> 4 == 0xe;
}

/*
 * APX specification, extended EVEX prefix: as with r13, a SIB.base of 5 with a mod of 0
 * means a displacement without a base, whatever the upper bits of the base register's
 * number are. LLVM decodes r21 or r29 as the base.
 */
static bool is_high_base(const struct llvm_case *t)
{
	const struct insn *insn = t->insn;
	bool b4 = insn->vex_prefix.nbytes == 4 ? insn->vex_prefix.bytes[1] & 0x08 :
		  insn->rex_prefix.nbytes == 2 && (insn->rex_prefix.bytes[1] & 0x10);

	return b4 && insn->sib.nbytes && X86_SIB_BASE(insn->sib.value) == 5 &&
	       !X86_MODRM_MOD(insn->modrm.value) && insn->length == t->llvm + 4;
}

/* Skip the prefixes at the beginning of the text. */
static const char *plain_text(const char *text)
{
	static const char * const words[] = {
		"rep", "repne", "lock", "data16", "addr16", "addr32", "data32", "xacquire",
		"xrelease", "notrack", "{evex}",
	};
	unsigned int i, len;

again:
	text += strspn(text, " \t");
	len = strcspn(text, " \t");
	for (i = 0; text[len] && i < ARRAY_SIZE(words); i++) {
		if (len == strlen(words[i]) && !memcmp(text, words[i], len)) {
			text += len;
			goto again;
		}
	}
	return text;
}

/*
 * Does LLVM find the same instruction after removal of LOCK, of F2 and F3 (if @repeats), and
 * of 66 (if @size)? Compare the length and the first four letters, since a suffix for the
 * operand size may differ.
 */
static bool is_same_without(const struct llvm_case *t, bool repeats, bool size)
{
	u8 bytes[GEN_BYTES] = {};
	unsigned int i, n = 0;
	char text[256];
	size_t len;

	for (i = 0; i < MAX_INSN_SIZE; i++) {
		u8 b = t->bytes[i];

		if (i < t->head && (b == 0xf0 || (size && b == 0x66) ||
				    (repeats && (b == 0xf2 || b == 0xf3))))
			continue;
		bytes[n++] = b;
	}
	len = LLVMDisasmInstruction(t->disasm, bytes, n, 0, text, sizeof(text));
	return n < MAX_INSN_SIZE && len == t->llvm - (MAX_INSN_SIZE - n) &&
	       !strncmp(plain_text(text), plain_text(t->asm_text), 4);
}

/*
 * SDM volume 2, section 2.1.1: if a mandatory prefix selects among instructions, other
 * uses of such a prefix are reserved. LLVM ignores the prefix.
 */
static bool llvm_ignores_prefix(const struct llvm_case *t)
{
	return is_same_without(t, true, false) || is_same_without(t, false, true) ||
	       is_same_without(t, true, true);
}

/*
 * SDM volume 2, section 2.1.1: more than one prefix of a group is not useful. With F2 and
 * F3, the decoder uses the last one.
 */
static bool has_f2_and_f3(const struct llvm_case *t)
{
	return nr_of(t, 0xf2) && nr_of(t, 0xf3);
}

/* APM volume 4, EXTRQ: reg must be 0. */
static bool is_extrq_by_reg(const struct llvm_case *t)
{
	return !strncmp(plain_text(t->asm_text), "extrq", 5) &&
	       X86_MODRM_REG(t->bytes[t->head + 2]) != 0;
}

/*
 * Some instructions exist only in 64-bit mode, but LLVM accepts them in all modes: AMX,
 * CMPccXADD, URDMSR, MOVRS (SDM volume 2, ISA extensions reference) and all of APX, which
 * includes BMI, KMOV and others in EVEX (APX specification).
 */
static bool is_only_64(const struct llvm_case *t)
{
	static const char * const apx[] = {
		"andn", "bextr", "bls", "bzhi", "cmp", "enqcmd", "inv", "kmov", "movdir", "mulx",
		"pdep", "pext", "rorx", "sarx", "sha", "shlx", "shrx", "wrss", "wruss", "crc32",
	};
	const char *text = plain_text(t->asm_text);
	unsigned int i;

	if (t->mode == MODE_64)
		return false;
	if (strstr(text, "%tmm") || !strncmp(text, "tile", 4) || strstr(text, "tilecfg") ||
	    strstr(text, "movrs") || strstr(text, "msr") ||
	    (!strncmp(text, "cmp", 3) && strstr(text, "xadd")))
		return true;
	if (t->bytes[t->head] != 0x62)
		return false;
	if ((t->bytes[t->head + 1] & 7) == 4 || strstr(text, "{nf}"))
		return true;
	for (i = 0; i < ARRAY_SIZE(apx); i++) {
		if (!strncmp(text, apx[i], strlen(apx[i])))
			return true;
	}
	return false;
}

/*
 * APX specification, extended EVEX prefix: pp is 66 for an operand size of 16 bits and
 * otherwise selects among instructions. With NF, or with 66 and W, LLVM ignores pp.
 */
static bool llvm_ignores_pp(const struct llvm_case *t)
{
	u8 bytes[GEN_BYTES];
	char text[256];

	if (t->mode != MODE_64 || t->bytes[t->head] != 0x62 || !(t->bytes[t->head + 2] & 3))
		return false;
	memcpy(bytes, t->bytes, MAX_INSN_SIZE);
	bytes[t->head + 2] &= ~3;
	return LLVMDisasmInstruction(t->disasm, bytes, MAX_INSN_SIZE, 0, text,
				     sizeof(text)) == t->llvm &&
	       !strcmp(text, t->asm_text);
}

/*
 * SDM volume 2, MOVDIR64B: 66 is part of the opcode. LLVM does not require it with 67 and
 * REX.W.
 */
static bool is_movdir64b(const struct llvm_case *t)
{
	return !strncmp(plain_text(t->asm_text), "movdir64b", 9) && !nr_of(t, 0x66);
}

/*
 * SDM volume 2, section 2.3.11: an instruction has at most 15 bytes. If a longer one is cut
 * at 15 bytes, LLVM may return a smaller length, so decode again with more bytes.
 */
static bool is_too_long(const struct llvm_case *t)
{
	u8 bytes[2 * MAX_INSN_SIZE] = {};
	char text[256];

	memcpy(bytes, t->bytes, MAX_INSN_SIZE);
	return LLVMDisasmInstruction(t->disasm, bytes, sizeof(bytes), 0, text,
				     sizeof(text)) > MAX_INSN_SIZE;
}

/* APM volume 3, BEXTR: the immediate has 32 bits. LLVM decodes 16 bits in 16-bit mode. */
static bool is_xop_immediate(const struct llvm_case *t)
{
	const u8 *p = t->bytes + t->head;

	return t->mode == MODE_16 && p[0] == 0x8f && (p[1] & 0x1f) == 10;
}

/*
 * Encodings for which LLVM is wrong or less strict. The comment of each function names the
 * document that the decoder follows.
 */
static struct known {
	const char	*name;
	unsigned int	checks;
	bool		(*applies)(const struct llvm_case *t);
	u64		seen;
} known_differences[] = {
	{ "prefix before VEX, XOP, EVEX, REX2", BIT(CHECK_ACCEPT), has_invalid_prefix },
	{ "ignored REX", BIT(CHECK_ACCEPT) | BIT(CHECK_LENGTH), is_early_rex },
	{ "66 with near branches", BIT(CHECK_ACCEPT) | BIT(CHECK_LENGTH), is_near_branch },
	{ "more than 15 bytes", BIT(CHECK_ACCEPT), is_too_long },
	{ "MOV to CS", BIT(CHECK_ACCEPT), is_mov_to_cs },
	{ "valid only in 64-bit mode", BIT(CHECK_ACCEPT), is_only_64 },
	{ "invalid with REX2", BIT(CHECK_ACCEPT), is_refused_with_rex2 },
	{ "base of r21 or r29", BIT(CHECK_LENGTH), is_high_base },
	{ "pp selects no instruction", BIT(CHECK_ACCEPT), llvm_ignores_pp },
	{ "MOVDIR64B without 66", BIT(CHECK_ACCEPT), is_movdir64b },
	{ "immediate of XOP", BIT(CHECK_ACCEPT) | BIT(CHECK_LENGTH), is_xop_immediate },
	{ "F2 and F3", BIT(CHECK_ACCEPT), has_f2_and_f3 },
	{ "EXTRQ with reg other than 0", BIT(CHECK_ACCEPT), is_extrq_by_reg },
	{ "mandatory prefix selects no instruction", BIT(CHECK_ACCEPT) | BIT(CHECK_LENGTH),
	  llvm_ignores_prefix },
};

/* Failures are grouped by check and first bytes; for EVEX, by opcode, map and pp. */
#define NR_GROUPS	0x2400

static struct group {
	u64		count;
	const char	*wrong;
	u8		bytes[MAX_INSN_SIZE];
	int		ret;
	unsigned int	is, want;
	char		asm_text[64];
} groups[NR_CHECKS][NR_GROUPS];

static unsigned int group_of(const struct llvm_case *t)
{
	const u8 *p = t->bytes + t->head;

	switch (p[0]) {
	case 0x0f:
		return 0x100 + p[1];
	case 0x62:
		return 0x400 + (p[1] & 7) * 1024 + (p[2] & 3) * 256 + p[4];
	case 0xc4:
		return 0x210 + (p[1] & 0x1f);
	case 0x8f:
		return 0x230 + (p[1] & 0x1f);
	case 0xd5:
		return 0x300 + (p[1] & 0x80) / 2 + p[2] / 4;
	default:
		return p[0];
	}
}

static void report(const struct llvm_case *t, enum aspect check, const char *wrong)
{
	struct group *g = &groups[check][group_of(t)];
	unsigned int i;

	for (i = 0; t->llvm && i < ARRAY_SIZE(known_differences); i++) {
		struct known *k = &known_differences[i];

		if ((k->checks & BIT(check)) && k->applies(t)) {
			k->seen++;
			return;
		}
	}
	if (g->count++)
		return;
	g->wrong = wrong;
	g->ret = t->ret;
	g->is = t->ret ? 0 : t->insn->length;
	g->want = t->llvm;
	memcpy(g->bytes, t->bytes, MAX_INSN_SIZE);
	snprintf(g->asm_text, sizeof(g->asm_text), "%.60s", t->asm_text);
}

static void print_groups(enum aspect check, enum mode mode, unsigned int limit)
{
	unsigned int i, best;
	struct group *g;

	while (limit--) {
		for (i = best = 0; i < NR_GROUPS; i++) {
			if (groups[check][i].count > groups[check][best].count)
				best = i;
		}
		g = &groups[check][best];
		if (!g->count)
			return;
		printf("# %u bit: %s: %llu times:", mode_bits(mode), check_names[check],
		       (unsigned long long)g->count);
		print_bytes(g->bytes);
		printf(" (%s; length %u, LLVM %u:%s)\n", g->wrong, g->is, g->want, g->asm_text);
		g->count = 0;
	}
}

/* LLVM also disassembles a single prefix as an instruction. */
static bool is_lone_prefix(const struct llvm_case *t)
{
	return t->llvm <= t->head;
}

static void check_one(const struct llvm_case *t)
{
	const char *wrong;

	wrong = check_staged(t->insn, t->ret, MAX_INSN_SIZE, t->mode);
	if (wrong)
		report(t, CHECK_STAGED, wrong);
	if (t->ret)
		return;
	wrong = check_parts(t->insn, MAX_INSN_SIZE);
	if (wrong)
		report(t, CHECK_PARTS, wrong);
	wrong = check_prefixes(t->insn);
	if (wrong)
		report(t, CHECK_PREFIX_LIST, wrong);
	wrong = check_truncated(t->insn, t->mode);
	if (wrong)
		report(t, CHECK_TRUNCATED, wrong);
}

static void compare_mode(enum mode mode, u64 nr, u64 seed, unsigned int limit, bool verbose)
{
	static const char * const triples[NR_MODES] = {
		"i386-unknown-linux-code16", "i386-unknown-linux", "x86_64-unknown-linux",
	};
	static const struct {
		ZydisMachineMode	mode;
		ZydisStackWidth		stack;
	} machines[NR_MODES] = {
		{ ZYDIS_MACHINE_MODE_LEGACY_16, ZYDIS_STACK_WIDTH_16 },
		{ ZYDIS_MACHINE_MODE_LEGACY_32, ZYDIS_STACK_WIDTH_32 },
		{ ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64 },
	};
	u64 valid = 0, left = 0, accepted = 0, only_ours = 0, i;
	u8 only_ours_bytes[8][MAX_INSN_SIZE];
	ZydisDecodedInstruction zydis;
	struct timespec begin, end;
	LLVMDisasmContextRef llvm;
	ZydisDecoder decoder;
	static struct gen gen;
	u8 bytes[GEN_BYTES];
	char asm_text[256];
	double seconds;
	enum aspect check;
	struct insn insn;
	u64 sum;
	int j;

	memset(groups, 0, sizeof(groups));
	for (j = 0; j < ARRAY_SIZE(known_differences); j++)
		known_differences[j].seen = 0;
	llvm = LLVMCreateDisasmCPUFeatures(triples[mode], "", FEATURES, NULL, 0, NULL, NULL);
	if (!llvm) {
		fprintf(stderr, "no LLVM disassembler for %s\n", triples[mode]);
		exit(2);
	}
	ZydisDecoderInit(&decoder, machines[mode].mode, machines[mode].stack);
	gen_init(&gen, seed, mode);
	clock_gettime(CLOCK_MONOTONIC, &begin);
	for (i = 0; i < nr; i++) {
		struct llvm_case t = {
			.mode = mode, .bytes = bytes, .insn = &insn, .asm_text = asm_text,
			.disasm = llvm,
		};

		gen_next(&gen, bytes);
		t.ret = decode(&insn, guard_put(bytes, MAX_INSN_SIZE), MAX_INSN_SIZE, mode);
		if (!t.ret && insn.emulate_prefix_size)
			continue;
		if (ZYAN_SUCCESS(ZydisDecoderDecodeInstruction(&decoder, NULL, bytes,
							       MAX_INSN_SIZE, &zydis)))
			continue;
		left++;
		accepted += !t.ret;
		while (t.head < MAX_INSN_SIZE &&
		       (is_legacy_prefix(bytes[t.head]) ||
			(mode == MODE_64 && (bytes[t.head] & 0xf0) == 0x40)))
			t.head++;
		t.llvm = LLVMDisasmInstruction(llvm, bytes, MAX_INSN_SIZE, 0, asm_text,
					       sizeof(asm_text));
		if (!t.llvm)
			asm_text[0] = '\0';
		else if (is_lone_prefix(&t))
			t.llvm = 0;
		if (t.llvm) {
			valid++;
			gen_keep(&gen, bytes);
			if (t.ret)
				report(&t, CHECK_ACCEPT,
				       t.ret == -EINVAL ? "-EINVAL" : "-ENODATA");
			else if (t.llvm != insn.length)
				report(&t, CHECK_LENGTH, "different length");
		} else if (!t.ret) {
			memcpy(only_ours_bytes[only_ours++ % 8], bytes, MAX_INSN_SIZE);
		}
		check_one(&t);
	}
	clock_gettime(CLOCK_MONOTONIC, &end);
	seconds = end.tv_sec - begin.tv_sec + (end.tv_nsec - begin.tv_nsec) / 1e9;
	LLVMDisasmDispose(llvm);

	printf("# %u bit: %llu encodings, %llu not valid for Zydis, ", mode_bits(mode),
	       (unsigned long long)nr, (unsigned long long)left);
	printf("of which %llu valid for LLVM, %llu accepted, %.1f s\n",
	       (unsigned long long)valid, (unsigned long long)accepted, seconds);
	if (verbose) {
		printf("#   accepted only by the decoder: %llu\n", (unsigned long long)only_ours);
		for (j = 0; j < 8 && j < only_ours; j++) {
			printf("#    ");
			print_bytes(only_ours_bytes[j]);
			printf("\n");
		}
		for (j = 0; j < ARRAY_SIZE(known_differences); j++)
			printf("#   known: %s: %llu\n", known_differences[j].name,
			       (unsigned long long)known_differences[j].seen);
	}
	for (check = 0; check < NR_CHECKS; check++) {
		for (j = 0, sum = 0; j < NR_GROUPS; j++)
			sum += groups[check][j].count;
		print_groups(check, mode, limit);
		campaign_result(mode, check_names[check], sum);
	}
}

int main(int argc, char **argv)
{
	LLVMInitializeX86TargetInfo();
	LLVMInitializeX86Target();
	LLVMInitializeX86TargetMC();
	LLVMInitializeX86Disassembler();
	return campaign(compare_mode, NR_CHECKS, argc, argv);
}
