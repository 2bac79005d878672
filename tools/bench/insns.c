// SPDX-License-Identifier: GPL-2.0
/*
 * Classify instructions by costs that a count of instructions does not show.
 *
 * Each line of the input has bytes in hexadecimal: an instruction, and bytes after it, which
 * are ignored.  For each line, print the length of the instruction, the number of bytes of
 * memory that it reads or writes, and letters:
 *
 *	L	locks the bus or a cache line
 *	F	saves or restores the flags, or changes the interrupt flag
 *	I	jumps or calls through a register or memory
 *	C	calls
 *	R	returns
 */
#include <err.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <Zydis/Zydis.h>

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

static void describe(const ZydisDecodedInstruction *insn,
		     const ZydisDecodedOperand *operands)
{
	printf("%u %u ", insn->length, accessed(insn, operands));
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
	char line[256];

	ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
	while (fgets(line, sizeof(line), stdin)) {
		unsigned int len = 0, byte;

		while (len < sizeof(code) && sscanf(line + 2 * len, "%2x", &byte) == 1)
			code[len++] = byte;
		if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, code, len, &insn, operands)))
			errx(1, "not an instruction: %s", line);
		describe(&insn, operands);
	}
	return 0;
}
