// SPDX-License-Identifier: GPL-2.0
/*
 * Instruction boundaries, kinds of instructions, and targets of branches.
 */
#include <stdlib.h>
#include <string.h>

#include <linux/kernel.h>
#include <linux/types.h>
#include <asm/insn.h>

#include "code.h"

#define STI	0xfb

/* One bit for each byte of the text, set if a branch leads there. */
static uint8_t *branched;

/* Decode within the function, as kprobes does.  Returns the length, or 0. */
static int decode_at(struct insn *insn, uint64_t addr, uint64_t end)
{
	if (insn_decode(insn, text_at(addr), end - addr, INSN_MODE_64))
		return 0;
	return insn->length;
}

/**
 * code_read() - find the instructions of a function
 * @f:		the function
 * @places:	set to an array that the caller frees
 *
 * Stops at the end of the function, or at bytes that can't be decoded.
 *
 * Return: the number of instructions.
 */
unsigned int code_read(const struct func *f, struct place **places)
{
	uint64_t addr = f->addr, end = f->addr + f->size;
	unsigned int nr = 0;
	struct insn insn;
	int len;

	*places = malloc((f->size + 1) * sizeof(**places));
	while (addr < end) {
		len = decode_at(&insn, addr, end);
		if (!len)
			break;
		(*places)[nr++] = (struct place){ .addr = addr, .len = len };
		addr += len;
	}
	return nr;
}

static enum insn_kind one_byte_kind(const struct insn *insn, uint8_t op)
{
	uint8_t reg = (insn->modrm.bytes[0] >> 3) & 7;

	switch (op) {
	case 0x70 ... 0x7f:
	case 0xe0 ... 0xe3:
	case 0xe8:
	case 0xe9:
	case 0xeb:
		return KIND_BRANCH;
	case 0xc2:
	case 0xc3:
		return KIND_RETURN;
	case 0xcc ... 0xce:
	case 0xf1:
		return KIND_INT;
	case 0x9a:
	case 0xea:
	case 0xca:
	case 0xcb:
	case 0xcf:
		return KIND_FAR;
	case 0x8e:
		return reg == 2 ? KIND_IRQ_SHADOW : KIND_OTHER;
	case 0xff:
		if (reg == 3 || reg == 5)
			return KIND_FAR;
		return reg == 4 ? KIND_INDIRECT_JUMP : KIND_OTHER;
	default:
		return KIND_OTHER;
	}
}

/* hlt, mwait, mwaitx: an earlier interrupt does not end their wait. */
static bool is_halt(const uint8_t *bytes)
{
	return bytes[0] == 0xf4 ||
	       (bytes[0] == 0x0f && bytes[1] == 0x01 && (bytes[2] == 0xc9 || bytes[2] == 0xfb));
}

/**
 * insn_kind() - classify an instruction
 * @place:	the instruction
 * @target:	set to the target address of a KIND_BRANCH
 *
 * Return: the kind.
 */
enum insn_kind insn_kind(const struct place *place, uint64_t *target)
{
	static const uint8_t endbr64[] = { 0xf3, 0x0f, 0x1e, 0xfa };
	static const uint8_t endbr32[] = { 0xf3, 0x0f, 0x1e, 0xfb };
	/* Replaces endbr in functions that are never called through a pointer. */
	static const uint8_t poison[] = { 0x66, 0x0f, 0x1f, 0x00 };
	const uint8_t *bytes = text_at(place->addr);
	struct insn insn;
	uint8_t op;

	if (place->len == 4 && (!memcmp(bytes, endbr64, 4) || !memcmp(bytes, endbr32, 4) ||
				!memcmp(bytes, poison, 4)))
		return KIND_ENDBR;
	if (bytes[0] == STI ? is_halt(bytes + 1) : is_halt(bytes) && bytes[-1] == STI)
		return KIND_IRQ_SHADOW;
	if (!decode_at(&insn, place->addr, place->addr + place->len) || insn_is_avx(&insn))
		return KIND_OTHER;
	if (insn.opcode.nbytes == 1) {
		enum insn_kind kind = one_byte_kind(&insn, insn.opcode.bytes[0]);

		if (kind == KIND_BRANCH)
			*target = place->addr + place->len + insn.immediate.value;
		return kind;
	}
	if (insn.opcode.nbytes != 2)
		return KIND_OTHER;

	op = insn.opcode.bytes[1];
	switch (op) {
	case 0x80 ... 0x8f:
		*target = place->addr + place->len + insn.immediate.value;
		return KIND_BRANCH;
	case 0x0b:
	case 0xb9:
	case 0xff:
		return KIND_UD;
	case 0x05:
	case 0x07:
	case 0x34:
	case 0x35:
	case 0xaa:
		return KIND_SYSTEM;
	default:
		return KIND_OTHER;
	}
}

const char *kind_name(enum insn_kind kind)
{
	static const char * const names[] = {
		[KIND_OTHER]		= "other",
		[KIND_ENDBR]		= "endbr",
		[KIND_INT]		= "int",
		[KIND_UD]		= "ud",
		[KIND_FAR]		= "far",
		[KIND_SYSTEM]		= "system",
		[KIND_IRQ_SHADOW]		= "shadow",
		[KIND_INDIRECT_JUMP]	= "indirect-jump",
		[KIND_BRANCH]		= "branch",
		[KIND_RETURN]		= "return",
	};

	return names[kind];
}

static uint64_t hash(uint64_t h, const void *data, size_t len)
{
	const uint8_t *bytes = data;

	while (len--)
		h = (h ^ *bytes++) * 0x100000001b3;
	return h;
}

/**
 * code_shape() - hash a function's code without the addresses that it refers to
 * @places:	instructions
 * @nr:		number of instructions
 *
 * The hash covers lengths, legacy prefixes, opcodes, ModRM and SIB bytes, and targets of
 * branches within the function.  Other immediates and displacements may be addresses,
 * which differ between two builds.
 *
 * Return: the hash.
 */
uint64_t code_shape(const struct place *places, unsigned int nr)
{
	uint64_t h = 0xcbf29ce484222325, target, start = places[0].addr;
	uint64_t end = places[nr - 1].addr + places[nr - 1].len;
	struct insn insn;
	unsigned int i;

	for (i = 0; i < nr; i++) {
		decode_at(&insn, places[i].addr, places[i].addr + places[i].len);
		h = hash(h, &places[i].len, sizeof(places[i].len));
		h = hash(h, insn.prefixes.bytes, sizeof(insn.prefixes.bytes));
		h = hash(h, insn.opcode.bytes, insn.opcode.nbytes);
		h = hash(h, insn.modrm.bytes, insn.modrm.nbytes);
		h = hash(h, insn.sib.bytes, insn.sib.nbytes);
		if (insn_kind(&places[i], &target) == KIND_BRANCH &&
		    target >= start && target < end) {
			target -= start;
			h = hash(h, &target, sizeof(target));
		}
	}
	return h;
}

/**
 * code_form() - hash an instruction's prefixes, opcode and ModRM byte
 * @place:	the instruction
 *
 * Return: the hash.
 */
uint64_t code_form(const struct place *place)
{
	uint64_t h = 0xcbf29ce484222325;
	struct insn insn;

	decode_at(&insn, place->addr, place->addr + place->len);
	h = hash(h, insn.prefixes.bytes, sizeof(insn.prefixes.bytes));
	h = hash(h, insn.rex_prefix.bytes, insn.rex_prefix.nbytes);
	h = hash(h, insn.opcode.bytes, insn.opcode.nbytes);
	return hash(h, insn.modrm.bytes, insn.modrm.nbytes);
}

void branches_load(void)
{
	struct place *places;
	unsigned int i, j, nr;

	branched = calloc(1, (text.end - text.start) / 8 + 1);
	for (i = 0; i < nr_funcs; i++) {
		nr = code_read(&funcs[i], &places);
		for (j = 0; j < nr; j++) {
			uint64_t to;

			if (insn_kind(&places[j], &to) != KIND_BRANCH ||
			    to < text.start || to >= text.end)
				continue;
			to -= text.start;
			branched[to / 8] |= 1 << to % 8;
		}
		free(places);
	}
}

/* Does a branch lead to an address between @from and @to, both excluded? */
bool is_branched_to(uint64_t from, uint64_t to, uint64_t *target)
{
	uint64_t addr;

	for (addr = from + 1; addr < to; addr++) {
		uint64_t at = addr - text.start;

		if (branched[at / 8] & 1 << at % 8) {
			*target = addr;
			return true;
		}
	}
	return false;
}

/* Number of bytes that a jump at this instruction replaces, or 0 if the function is too short. */
unsigned int region_size(const struct place *places, unsigned int nr, unsigned int first)
{
	unsigned int i, size = 0;

	for (i = first; i < nr; i++) {
		size += places[i].len;
		if (size >= JUMP_SIZE)
			return size;
	}
	return 0;
}
