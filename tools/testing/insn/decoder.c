// SPDX-License-Identifier: GPL-2.0
/*
 * Calls of the decoder, and checks of its results that need no other decoder.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "decoder.h"

/*
 * Like the users of the staged interface, set the sizes of a 16-bit code segment
 * between insn_init() and the first stage.
 */
static void init(struct insn *insn, const void *buf, int len, enum mode mode)
{
	insn_init(insn, buf, len, mode == MODE_64);
	if (mode == MODE_16) {
		insn->opnd_bytes = 2;
		insn->addr_bytes = 2;
	}
}

int decode(struct insn *insn, const void *buf, int len, enum mode mode)
{
#ifdef HAVE_INSN_MODE_16
	static const enum insn_mode modes[] = { INSN_MODE_16, INSN_MODE_32, INSN_MODE_64 };

	return insn_decode(insn, buf, len, modes[mode]);
#else
	if (mode != MODE_16)
		return insn_decode(insn, buf, len, mode == MODE_64 ? INSN_MODE_64 : INSN_MODE_32);
	init(insn, buf, len, mode);
	return insn_get_length(insn);
#endif
}

int decode_staged(struct insn *insn, const void *buf, int len, enum mode mode)
{
	static int (*const stages[])(struct insn *insn) = {
		insn_get_prefixes, insn_get_opcode, insn_get_modrm, insn_get_sib,
		insn_get_displacement, insn_get_immediate, insn_get_length,
	};
	unsigned int i;
	int ret;

	init(insn, buf, len, mode);
	for (i = 0; i < ARRAY_SIZE(stages); i++) {
		ret = stages[i](insn);
		if (ret)
			return ret;
	}
	return 0;
}

/* Do not compare the values: their bytes beyond @nbytes are unspecified. */
static bool same_field(const struct insn_field *a, const struct insn_field *b)
{
	return a->nbytes == b->nbytes && !memcmp(a->bytes, b->bytes, min_t(int, a->nbytes, 4));
}

bool same_insn(const struct insn *a, const struct insn *b)
{
	return a->length == b->length && a->attr == b->attr &&
	       a->opnd_bytes == b->opnd_bytes && a->addr_bytes == b->addr_bytes &&
	       a->emulate_prefix_size == b->emulate_prefix_size &&
	       same_field(&a->prefixes, &b->prefixes) &&
	       a->prefixes.value == b->prefixes.value &&
	       same_field(&a->rex_prefix, &b->rex_prefix) &&
	       same_field(&a->vex_prefix, &b->vex_prefix) &&
	       same_field(&a->opcode, &b->opcode) && same_field(&a->modrm, &b->modrm) &&
	       same_field(&a->sib, &b->sib) &&
	       same_field(&a->displacement, &b->displacement) &&
	       a->displacement.value == b->displacement.value &&
	       same_field(&a->immediate1, &b->immediate1) &&
	       a->immediate1.value == b->immediate1.value &&
	       same_field(&a->immediate2, &b->immediate2) &&
	       a->immediate2.value == b->immediate2.value;
}

bool is_legacy_prefix(u8 byte)
{
	switch (byte) {
	case 0x26: case 0x2e: case 0x36: case 0x3e:
	case 0x64: case 0x65: case 0x66: case 0x67:
	case 0xf0: case 0xf2: case 0xf3:
		return true;
	default:
		return false;
	}
}

/* Like insn_last_prefix_id(), but look at the legacy prefixes even if there is a VEX prefix. */
int last_prefix_id(struct insn *insn)
{
	return insn->prefixes.bytes[3] ? inat_get_last_prefix_id(insn->prefixes.bytes[3]) : 0;
}

static const char *check_field(const struct insn_field *f, const u8 *bytes, const char *name)
{
	if (!f->got)
		return name;
	return f->nbytes && memcmp(f->bytes, bytes, f->nbytes) ? name : NULL;
}

static const char *check_value(const struct insn_field *f, const u8 *bytes, const char *name,
			       bool is_signed)
{
	s8 v8;
	s16 v16;
	s32 v32;

	switch (f->nbytes) {
	case 0:
		return f->value ? name : NULL;
	case 1:
		memcpy(&v8, bytes, 1);
		return f->value != (is_signed ? v8 : (u8)v8) ? name : NULL;
	case 2:
		memcpy(&v16, bytes, 2);
		return f->value != (is_signed ? v16 : (u16)v16) ? name : NULL;
	case 4:
		memcpy(&v32, bytes, 4);
		return f->value != v32 ? name : NULL;
	default:
		return name;
	}
}

/* Check that the parts follow each other without a gap, and hold the buffer's bytes. */
const char *check_parts(struct insn *insn, int len)
{
	const u8 *start = insn->kaddr;
	const char *wrong = NULL;
	int at;

	if (!insn->length || insn->length > min(len, MAX_INSN_SIZE))
		return "length";
	if (insn->next_byte != start + insn->length)
		return "next_byte";

	at = insn->emulate_prefix_size + insn->prefixes.nbytes;
	if (insn_offset_rex_prefix(insn) != at)
		return "insn_offset_rex_prefix";
	wrong = wrong ?: check_field(&insn->rex_prefix, start + at, "rex_prefix");
	at += insn->rex_prefix.nbytes;
	if (insn_offset_vex_prefix(insn) != at)
		return "insn_offset_vex_prefix";
	wrong = wrong ?: check_field(&insn->vex_prefix, start + at, "vex_prefix");
	at += insn->vex_prefix.nbytes;
	if (insn_offset_opcode(insn) != at)
		return "insn_offset_opcode";
	if (!insn->opcode.nbytes || insn->opcode.nbytes > 3)
		return "opcode.nbytes";
	wrong = wrong ?: check_field(&insn->opcode, start + at, "opcode");
	at += insn->opcode.nbytes;
	if (insn_offset_modrm(insn) != at)
		return "insn_offset_modrm";
	wrong = wrong ?: check_field(&insn->modrm, start + at, "modrm");
	wrong = wrong ?: check_value(&insn->modrm, start + at, "modrm", false);
	at += insn->modrm.nbytes;
	if (insn_offset_sib(insn) != at)
		return "insn_offset_sib";
	wrong = wrong ?: check_field(&insn->sib, start + at, "sib");
	wrong = wrong ?: check_value(&insn->sib, start + at, "sib", false);
	at += insn->sib.nbytes;
	if (insn_offset_displacement(insn) != at)
		return "insn_offset_displacement";
	wrong = wrong ?: check_field(&insn->displacement, start + at, "displacement");
	wrong = wrong ?: check_value(&insn->displacement, start + at, "displacement", true);
	at += insn->displacement.nbytes;
	if (insn_offset_immediate(insn) != at)
		return "insn_offset_immediate";
	wrong = wrong ?: check_field(&insn->immediate, start + at, "immediate");
	wrong = wrong ?: check_value(&insn->immediate, start + at, "immediate", true);
	at += insn->immediate.nbytes;
	/* An immediate2 of two bytes is the selector of a far pointer.  It is unsigned. */
	wrong = wrong ?: check_value(&insn->immediate2, start + at, "immediate2",
				     insn->immediate2.nbytes != 2);
	at += insn->immediate2.nbytes;
	if (at != insn->length)
		return "sum of parts";
	return wrong;
}

/* Check that each prefix is listed once, and that the mandatory prefix is found. */
const char *check_prefixes(struct insn *insn)
{
	const u8 *start = insn->kaddr + insn->emulate_prefix_size;
	int repeat = 0, size = 0, want, found = 0, i, at;
	u8 prefix, listed[256] = {};

	for_each_insn_prefix(insn, i, prefix) {
		if (listed[prefix]++)
			return "prefix listed twice";
		found++;
	}
	for (at = 0; at < insn->prefixes.nbytes; at++) {
		prefix = start[at];
		if (!is_legacy_prefix(prefix)) {
			if (!insn->x86_64 || (prefix & 0xf0) != 0x40)
				return "not a prefix";
			continue;
		}
		if (!listed[prefix])
			return "prefix not listed";
		if (listed[prefix] == 1) {
			listed[prefix]++;
			found--;
		}
		if (prefix == 0xf2 || prefix == 0xf3)
			repeat = inat_get_last_prefix_id(prefix);
		else if (prefix == 0x66)
			size = inat_get_last_prefix_id(prefix);
	}
	if (found)
		return "absent prefix listed";
	want = repeat ?: size;
	if (last_prefix_id(insn) != want)
		return "last prefix";
	return NULL;
}

/* Check that decoding in stages gives the same result as insn_decode(). */
const char *check_staged(struct insn *insn, int ret, int len, enum mode mode)
{
	struct insn staged;
	int staged_ret;

	staged_ret = decode_staged(&staged, insn->kaddr, len, mode);
	if (staged_ret != ret)
		return "staged result";
	if (!ret && !same_insn(insn, &staged))
		return "staged fields";
	return NULL;
}

/* May the first byte of the opcode of @insn also begin VEX, XOP or EVEX? */
static bool needs_second_byte(const struct insn *insn)
{
	u8 opcode = insn->opcode.bytes[0];

	return !insn->vex_prefix.nbytes && insn->rex_prefix.nbytes < 2 &&
	       (opcode == 0xc4 || opcode == 0xc5 || opcode == 0x62 || opcode == 0x8f);
}

/*
 * @part is the result of decoding only the first @n bytes of @insn.  Check that it has
 * all complete parts and no others, or no part if the opcode cannot be recognized.
 */
static const char *check_partial(struct insn *insn, const struct insn *part, int n)
{
	const struct insn_field *want = &insn->prefixes, *got = &part->prefixes;
	bool known = n > insn_offset_opcode(insn) + needs_second_byte(insn);
	int end = insn->emulate_prefix_size;

	if (part->length)
		return "truncated length";
	for (; want <= &insn->immediate2; want++, got++) {
		end += want->nbytes;
		known &= end <= n;
		if (got->got != known)
			return "truncated parts";
		if (known && (!same_field(want, got) || want->value != got->value))
			return "truncated values";
	}
	return NULL;
}

/*
 * Check that the decoder returns -ENODATA for each truncated buffer, and the same
 * instruction for a buffer of the exact length.  The result must also be the same with
 * a length of MAX_INSN_SIZE if an unmapped page follows the instruction, or if the
 * instruction crosses a page boundary.
 */
const char *check_truncated(struct insn *insn, enum mode mode)
{
	u8 bytes[MAX_INSN_SIZE];
	const char *wrong;
	struct insn part;
	int n, ret;

	memcpy(bytes, insn->kaddr, insn->length);
	for (n = 0; n < insn->length; n++) {
		ret = decode(&part, guard_put(bytes, n), n, mode);
		/* A truncated marker decodes as a UD2. */
		if (n >= 2 && n < insn->emulate_prefix_size) {
			if (ret || part.length != 2)
				return "truncated marker";
			continue;
		}
		if (ret != -ENODATA)
			return ret ? "truncated error" : "truncated success";
		/* In @insn, the parts follow the marker. */
		wrong = n < insn->emulate_prefix_size ? NULL : check_partial(insn, &part, n);
		if (wrong)
			return wrong;
	}
	ret = decode(&part, guard_put(bytes, n), n, mode);
	if (ret || !same_insn(insn, &part))
		return "exact length";
	ret = decode(&part, guard_put(bytes, n), MAX_INSN_SIZE, mode);
	if (ret || !same_insn(insn, &part))
		return "end of a page";
	for (n = 1; n < insn->length; n++) {
		ret = decode(&part, guard_cross(bytes, insn->length, n), MAX_INSN_SIZE, mode);
		/* At the end of a page, the first two bytes of a marker count as a UD2. */
		if (n == 2 && insn->emulate_prefix_size) {
			if (ret || part.length != 2)
				return "marker across pages";
			continue;
		}
		if (ret || !same_insn(insn, &part))
			return "across pages";
	}
	return NULL;
}

static u8 *guard_end, *guard_start;
static u8 guard_bytes[MAX_INSN_SIZE + 1];
static unsigned int guard_len;

static void guard_hit(int sig, siginfo_t *info, void *context)
{
	char text[128] = "Bail out! The decoder reads past the buffer:";
	static const char hex[] = "0123456789abcdef";
	unsigned int i, len = strlen(text);

	for (i = 0; i < guard_len && i < MAX_INSN_SIZE; i++) {
		text[len++] = ' ';
		text[len++] = hex[guard_bytes[i] >> 4];
		text[len++] = hex[guard_bytes[i] & 15];
	}
	text[len++] = '\n';
	if (write(STDOUT_FILENO, text, len) != (ssize_t)len)
		_exit(2);
	_exit(1);
}

void guard_init(void)
{
	struct sigaction sa = { .sa_sigaction = guard_hit, .sa_flags = SA_SIGINFO };
	long page = sysconf(_SC_PAGESIZE);
	u8 *map;

	/* Flush each line, so that guard_hit() loses no output. */
	setvbuf(stdout, NULL, _IOLBF, 0);
	map = mmap(NULL, 3 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (map == MAP_FAILED || mprotect(map + 2 * page, page, PROT_NONE)) {
		perror("mmap");
		exit(2);
	}
	guard_start = map + page;
	guard_end = map + 2 * page;
	sigaction(SIGSEGV, &sa, NULL);
}

u8 *guard_put(const u8 *bytes, unsigned int len)
{
	u8 *at = guard_end - len;

	memcpy(at, bytes, len);
	memcpy(guard_bytes, bytes, min_t(unsigned int, len, sizeof(guard_bytes)));
	guard_len = len;
	return at;
}

u8 *guard_cross(const u8 *bytes, unsigned int len, unsigned int first)
{
	u8 *at = guard_start - first;

	memcpy(at, bytes, len);
	return at;
}
