// SPDX-License-Identifier: GPL-2.0
/*
 * Classify instructions by costs that a count of instructions does not show.
 *
 * Each line of the input has words in hexadecimal: an instruction, with bytes after it, which
 * are ignored; its address; and the registers before it, as in enum input.  For each line, print
 * the length of the instruction, the number of bytes of memory that it reads or writes, the
 * addresses of the cache lines of this memory, or '-', and letters:
 *
 *	L	locks the bus or a cache line
 *	F	saves or restores the flags, or changes the interrupt flag
 *	I	jumps or calls through a register or memory
 *	C	calls
 *	R	returns
 */
#include <ctype.h>
#include <err.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <Zydis/Zydis.h>

#define LINE	64

/* Registers in a line of the input: RAX to R15 in the order of ZydisRegister, and two bases. */
enum input { NR_GENERAL = 16, FS_BASE = NR_GENERAL, GS_BASE, NR_INPUT };

/* Does the instruction access the memory of a memory operand? */
static bool accesses_memory(const ZydisDecodedInstruction *insn)
{
	return insn->meta.category != ZYDIS_CATEGORY_NOP &&
	       insn->meta.category != ZYDIS_CATEGORY_WIDENOP &&
	       insn->meta.category != ZYDIS_CATEGORY_PREFETCH;
}

static unsigned int accessed(const ZydisDecodedInstruction *insn,
			     const ZydisDecodedOperand *operands)
{
	unsigned int sum = 0;

	for (unsigned int i = 0; accesses_memory(insn) && i < insn->operand_count; i++)
		if (operands[i].type == ZYDIS_OPERAND_TYPE_MEMORY &&
		    operands[i].mem.type == ZYDIS_MEMOP_TYPE_MEM)
			sum += operands[i].size / 8;
	return sum;
}

static ZyanU64 segment_base(const ZydisDecodedOperand *operand, const ZyanU64 *regs)
{
	if (operand->mem.segment == ZYDIS_REGISTER_FS)
		return regs[FS_BASE];
	return operand->mem.segment == ZYDIS_REGISTER_GS ? regs[GS_BASE] : 0;
}

/* Print the cache lines that an operand of @size bytes, perhaps repeated, accesses. */
static void print_lines(const ZydisDecodedInstruction *insn, const ZydisDecodedOperand *operand,
			ZyanU64 address, const ZyanU64 *regs, bool *any)
{
	static ZydisRegisterContext context;
	ZyanU64 start, end, size = operand->size / 8;

	for (unsigned int i = 0; i < NR_GENERAL; i++)
		context.values[ZYDIS_REGISTER_RAX + i] = regs[i];
	if (!ZYAN_SUCCESS(ZydisCalcAbsoluteAddressEx(insn, operand, address, &context, &start)))
		errx(1, "no address at %llx", (unsigned long long)address);
	start += segment_base(operand, regs);
	if (insn->attributes & (ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE |
				ZYDIS_ATTRIB_HAS_REPNE))
		size *= regs[ZYDIS_REGISTER_RCX - ZYDIS_REGISTER_RAX];
	/* The stack pointer is that before the instruction. */
	if (operand->visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN &&
	    operand->mem.base == ZYDIS_REGISTER_RSP &&
	    (operand->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) &&
	    !operand->mem.disp.has_displacement)
		start -= size;
	end = start + size;
	for (ZyanU64 line = start / LINE; size && line <= (end - 1) / LINE; line++) {
		printf("%s%llx", *any ? "," : "", (unsigned long long)line);
		*any = true;
	}
}

static void print_all_lines(const ZydisDecodedInstruction *insn,
			    const ZydisDecodedOperand *operands, ZyanU64 address,
			    const ZyanU64 *regs)
{
	bool any = false;

	for (unsigned int i = 0; accesses_memory(insn) && i < insn->operand_count; i++)
		if (operands[i].type == ZYDIS_OPERAND_TYPE_MEMORY &&
		    operands[i].mem.type == ZYDIS_MEMOP_TYPE_MEM)
			print_lines(insn, &operands[i], address, regs, &any);
	printf(any ? " " : "- ");
}

static bool is_locked(const ZydisDecodedInstruction *insn,
		      const ZydisDecodedOperand *operands)
{
	if (insn->attributes & ZYDIS_ATTRIB_HAS_LOCK)
		return true;
	return insn->mnemonic == ZYDIS_MNEMONIC_XCHG &&
	       (operands[0].type == ZYDIS_OPERAND_TYPE_MEMORY ||
		operands[1].type == ZYDIS_OPERAND_TYPE_MEMORY);
}

static bool is_flags_access(ZydisMnemonic m)
{
	return m == ZYDIS_MNEMONIC_PUSHF || m == ZYDIS_MNEMONIC_PUSHFQ ||
	       m == ZYDIS_MNEMONIC_POPF || m == ZYDIS_MNEMONIC_POPFQ ||
	       m == ZYDIS_MNEMONIC_CLI || m == ZYDIS_MNEMONIC_STI;
}

static bool is_indirect(const ZydisDecodedInstruction *insn,
			const ZydisDecodedOperand *operands)
{
	return (insn->mnemonic == ZYDIS_MNEMONIC_JMP ||
		insn->mnemonic == ZYDIS_MNEMONIC_CALL) &&
	       operands[0].type != ZYDIS_OPERAND_TYPE_IMMEDIATE;
}

static void describe(const ZydisDecodedInstruction *insn, const ZydisDecodedOperand *operands,
		     ZyanU64 address, const ZyanU64 *regs)
{
	printf("%u %u ", insn->length, accessed(insn, operands));
	print_all_lines(insn, operands, address, regs);
	if (is_locked(insn, operands))
		putchar('L');
	if (is_flags_access(insn->mnemonic))
		putchar('F');
	if (is_indirect(insn, operands))
		putchar('I');
	if (insn->mnemonic == ZYDIS_MNEMONIC_CALL)
		putchar('C');
	if (insn->mnemonic == ZYDIS_MNEMONIC_RET)
		putchar('R');
	putchar('\n');
}

int main(void)
{
	ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
	unsigned char code[ZYDIS_MAX_INSTRUCTION_LENGTH];
	ZydisDecodedInstruction insn;
	ZydisDecoder decoder;
	char line[1024];

	ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
	while (fgets(line, sizeof(line), stdin)) {
		ZyanU64 address, regs[NR_INPUT];
		unsigned int len = 0, byte;
		char *at;

		while (len < sizeof(code) && isxdigit(line[2 * len]) &&
		       sscanf(line + 2 * len, "%2x", &byte) == 1)
			code[len++] = byte;
		if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, code, len, &insn, operands)))
			errx(1, "not an instruction: %s", line);
		at = strchr(line, ' ');
		if (!at)
			errx(1, "no address: %s", line);
		address = strtoull(at, &at, 16);
		for (unsigned int i = 0; i < NR_INPUT; i++)
			regs[i] = strtoull(at, &at, 16);
		describe(&insn, operands, address, regs);
	}
	return 0;
}
