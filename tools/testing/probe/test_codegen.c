// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the code generator: compare the programs with expected listings.
 * test_program.c tests the results of the programs.
 *
 * In the listings, the offsets in struct probe_hit are: regs 0, rec 8,
 * entry 16, val 32; the record has 16 bytes before the arguments.
 */
#include <stdlib.h>
#include <string.h>
#include <linux/array_size.h>
#include <linux/errno.h>
#include <linux/slab.h>

#include "bpf_eval.h"
#include "check.h"
#include "expr.h"
#include "machine.h"

#define HEAD	16

#define VALUE(s, v, n)	{ .src = (s), .value = (v), .size = (n) }
#define REG(off, n)	VALUE(PROBE_SRC_REG, off, n)

static const struct probe_arch arch_strict_be = {
	.word = 8, .big_endian = true, .probe_mem = true,
};

static struct probe_step at8[] = { { .off = 8 } };
static struct probe_step user8[] = { { .off = 8, .user = true } };
static struct probe_step here[] = { { .this_cpu = true } };
static struct probe_step here_at8[] = { { .off = 8 }, { .this_cpu = true }, { .off = 4 } };
static struct probe_step far_away[] = { { .off = 0x123456789 } };

#define OPERAND(off)	{ .kind = PROBE_ITEM_VALUE, .arg = PROBE_ITEM_OWN, .fetch = REG(off, 8) }
#define FORMULA(f)	{ .src = PROBE_SRC_FORMULA, .size = 8, .formula = &(f) }

/* (di - si) * 8 */
static struct probe_item difference_items[] = {
	OPERAND(REG_DI), OPERAND(REG_SI), { .kind = PROBE_ITEM_POP, .op = PROBE_MATH_SUB },
	{ .kind = PROBE_ITEM_NEXT, .op = PROBE_MATH_MUL, .number = 8 },
};

static const struct probe_formula difference = { difference_items, ARRAY_SIZE(difference_items) };

/* di / si % 16 */
static struct probe_item quotient_items[] = {
	OPERAND(REG_DI), OPERAND(REG_SI), { .kind = PROBE_ITEM_POP, .op = PROBE_MATH_DIV },
	{ .kind = PROBE_ITEM_NEXT, .op = PROBE_MATH_MOD, .number = 16 },
};

static const struct probe_formula quotient = { quotient_items, ARRAY_SIZE(quotient_items) };

/* 0 < di / 3, signed */
static struct probe_item compared_items[] = {
	OPERAND(REG_DI),
	{ .kind = PROBE_ITEM_NEXT, .op = PROBE_MATH_DIV, .is_signed = true, .number = 3 },
	{ .kind = PROBE_ITEM_NEXT, .op = PROBE_MATH_LT, .is_signed = true, .swapped = true },
};

static const struct probe_formula compared = { compared_items, ARRAY_SIZE(compared_items) };

static const struct {
	const char		*name;
	const struct probe_arch	*arch;
	struct probe_fetch	f[3];
	unsigned int		nr;
	const char		*listing;
} programs[] = {
	{
		"no argument", &arch_x86, {}, 0,
		"exit\n"
	}, {
		"register", &arch_x86, { REG(REG_DI, 8) }, 1,
		"r3 = *(u64 *)(r1 + 8)\n"
		"*(u32 *)(r3 + 24) = 1\n"
		"r2 = *(u64 *)(r1 + 0)\n"
		"r0 = *(u64 *)(r2 + 112)\n"
		"*(u64 *)(r3 + 16) = r0\n"
		"exit\n"
	}, {
		"registers of every size", &arch_x86,
		{ REG(REG_DI, 1), REG(REG_SI, 2), REG(REG_AX, 4) }, 3,
		/* the fields end before byte 23, which has the fault map */
		"r3 = *(u64 *)(r1 + 8)\n"
		"*(u32 *)(r3 + 20) = 16777216\n"
		"r2 = *(u64 *)(r1 + 0)\n"
		"r0 = *(u64 *)(r2 + 112)\n"
		"*(u8 *)(r3 + 16) = r0\n"
		"r0 = *(u64 *)(r2 + 104)\n"
		"*(u16 *)(r3 + 17) = r0\n"
		"r0 = *(u64 *)(r2 + 80)\n"
		"*(u32 *)(r3 + 19) = r0\n"
		"exit\n"
	}, {
		"field of one byte: the store of the map does not change the header", &arch_x86,
		{ REG(REG_DI, 1) }, 1,
		"r3 = *(u64 *)(r1 + 8)\n"
		"*(u32 *)(r3 + 16) = 256\n"
		"r2 = *(u64 *)(r1 + 0)\n"
		"r0 = *(u64 *)(r2 + 112)\n"
		"*(u8 *)(r3 + 16) = r0\n"
		"exit\n"
	}, {
		"arguments, stack pointer, return value", &arch_x86,
		{ VALUE(PROBE_SRC_ARG, 5, 8), VALUE(PROBE_SRC_SP, 0, 8),
		  VALUE(PROBE_SRC_RETVAL, 0, 8) }, 3,
		"r3 = *(u64 *)(r1 + 8)\n"
		"*(u32 *)(r3 + 40) = 1\n"
		"r2 = *(u64 *)(r1 + 0)\n"
		"r0 = *(u64 *)(r2 + 64)\n"
		"*(u64 *)(r3 + 16) = r0\n"
		"r0 = *(u64 *)(r2 + 152)\n"
		"*(u64 *)(r3 + 24) = r0\n"
		"r0 = *(u64 *)(r2 + 80)\n"
		"*(u64 *)(r3 + 32) = r0\n"
		"exit\n"
	}, {
		"constants", &arch_x86,
		{ VALUE(PROBE_SRC_IMM, -1UL, 8), VALUE(PROBE_SRC_IMM, 0xdeadbeef, 4),
		  VALUE(PROBE_SRC_IMM, 0x1122334455667788, 8) }, 3,
		"r3 = *(u64 *)(r1 + 8)\n"
		"*(u32 *)(r3 + 36) = 1\n"
		"*(u64 *)(r3 + 16) = -1\n"
		"*(u32 *)(r3 + 24) = -559038737\n"
		"r0 = 0x1122334455667788\n"
		"*(u64 *)(r3 + 28) = r0\n"
		"exit\n"
	}, {
		"operators", &arch_x86, { FORMULA(difference) }, 1,
		"r3 = *(u64 *)(r1 + 8)\n"
		"*(u32 *)(r3 + 24) = 1\n"
		"r2 = *(u64 *)(r1 + 0)\n"
		"r0 = *(u64 *)(r2 + 112)\n"
		"r7 = r0\n"
		"r0 = *(u64 *)(r2 + 104)\n"
		"r7 -= r0\n"
		"r7 *= 8\n"
		"*(u64 *)(r3 + 16) = r7\n"
		"exit\n"
	}, {
		"unsigned division", &arch_x86, { FORMULA(quotient) }, 1,
		"r3 = *(u64 *)(r1 + 8)\n"
		"*(u32 *)(r3 + 24) = 1\n"
		"r2 = *(u64 *)(r1 + 0)\n"
		"r0 = *(u64 *)(r2 + 112)\n"
		"r7 = r0\n"
		"r0 = *(u64 *)(r2 + 104)\n"
		"if r0 == 0 goto 11\n"
		"r7 /= r0\n"
		"r7 &= 15\n"
		"*(u64 *)(r3 + 16) = r7\n"
		"exit\n"
		"r3 = *(u64 *)(r1 + 8)\n"
		"*(u64 *)(r3 + 16) = 0\n"
		"r4 = *(u32 *)(r3 + 24)\n"
		"w4 |= 2\n"
		"*(u32 *)(r3 + 24) = r4\n"
		"r2 = *(u64 *)(r1 + 0)\n"
		"r3 = *(u64 *)(r1 + 8)\n"
		"goto 10\n"
	}, {
		"signed division and comparison", &arch_x86, { FORMULA(compared) }, 1,
		"r6 = r1\n"
		"r3 = *(u64 *)(r6 + 8)\n"
		"*(u32 *)(r3 + 24) = 1\n"
		"r2 = *(u64 *)(r6 + 0)\n"
		"r0 = *(u64 *)(r2 + 112)\n"
		"r4 = 3\n"
		"r2 = r0\n"
		"r3 = r4\n"
		"r4 = 2\n"
		"r1 = r6\n"
		"call 17\n"
		"if r0 != 0 goto 21\n"
		"r0 = *(u64 *)(r6 + 32)\n"
		"r4 = 0\n"
		"r5 = 1\n"
		"if r4 s< r0 goto 17\n"
		"r5 = 0\n"
		"r0 = r5\n"
		"r3 = *(u64 *)(r6 + 8)\n"
		"*(u64 *)(r3 + 16) = r0\n"
		"exit\n"
		"r3 = *(u64 *)(r6 + 8)\n"
		"*(u64 *)(r3 + 16) = 0\n"
		"r4 = *(u32 *)(r3 + 24)\n"
		"w4 |= 2\n"
		"*(u32 *)(r3 + 24) = r4\n"
		"r3 = *(u64 *)(r6 + 8)\n"
		"goto 20\n"
	}, {
		"value saved at entry", &arch_x86, { VALUE(PROBE_SRC_ENTRY, 8, 4) }, 1,
		"r3 = *(u64 *)(r1 + 8)\n"
		"*(u32 *)(r3 + 20) = 1\n"
		"r0 = *(u64 *)(r1 + 16)\n"
		"r0 = *(u64 *)(r0 + 8)\n"
		"*(u32 *)(r3 + 16) = r0\n"
		"exit\n"
	}, {
		"running task", &arch_x86, {
			VALUE(PROBE_SRC_CURRENT, 0, 8),
			{ .src = PROBE_SRC_CURRENT, .store = PROBE_STORE_MEM, .off = 16,
			  .size = 4 } }, 2,
		"r6 = r1\n"
		"r3 = *(u64 *)(r6 + 8)\n"
		"*(u32 *)(r3 + 28) = 1\n"
		"r0 = 137792\n"
		"r0 = this_cpu r0\n"
		"r0 = *(u64 *)(r0 + 0)\n"
		"*(u64 *)(r3 + 16) = r0\n"
		"r0 = 137792\n"
		"r0 = this_cpu r0\n"
		"r0 = *(u64 *)(r0 + 0)\n"
		"r4 = *(probe u32 *)(r0 + 16)\n"
		"if r4 == 0 goto 14\n"
		"*(u32 *)(r3 + 24) = r4\n"
		"exit\n"
	}, {
		"running task, by a helper", &arch_arm64, { VALUE(PROBE_SRC_CURRENT, 0, 8) }, 1,
		"r6 = r1\n"
		"r3 = *(u64 *)(r6 + 8)\n"
		"*(u32 *)(r3 + 24) = 1\n"
		"r2 = 6\n"
		"r3 = 0\n"
		"r1 = r6\n"
		"call 0\n"
		"if r0 != 0 goto 12\n"
		"r0 = *(u64 *)(r6 + 32)\n"
		"r3 = *(u64 *)(r6 + 8)\n"
		"*(u64 *)(r3 + 16) = r0\n"
		"exit\n"
	}, {
		"addresses of this CPU's copies", &arch_x86, {
			{ .src = PROBE_SRC_IMM, .value = 0x1f000, .size = 8,
			  .steps = here, .nr_steps = 1 },
			{ .src = PROBE_SRC_REG, .value = REG_DI, .size = 8,
			  .steps = here, .nr_steps = 1 } }, 2,
		"r3 = *(u64 *)(r1 + 8)\n"
		"*(u32 *)(r3 + 32) = 1\n"
		"r0 = 126976\n"
		"r0 = this_cpu r0\n"
		"*(u64 *)(r3 + 16) = r0\n"
		"r2 = *(u64 *)(r1 + 0)\n"
		"r0 = *(u64 *)(r2 + 112)\n"
		"r0 = this_cpu r0\n"
		"*(u64 *)(r3 + 24) = r0\n"
		"exit\n"
	}, {
		"memory of this CPU's copy", &arch_x86, {
			{ .src = PROBE_SRC_REG, .value = REG_DI, .size = 4,
			  .store = PROBE_STORE_MEM, .off = 16,
			  .steps = here_at8, .nr_steps = 3 } }, 1,
		"r6 = r1\n"
		"r3 = *(u64 *)(r6 + 8)\n"
		"*(u32 *)(r3 + 20) = 1\n"
		"r2 = *(u64 *)(r6 + 0)\n"
		"r0 = *(u64 *)(r2 + 112)\n"
		"if r0 s>= 0 goto 17\n"
		"r4 = *(probe u64 *)(r0 + 8)\n"
		"if r4 == 0 goto 17\n"
		"r4 = this_cpu r4\n"
		"if r4 s>= 0 goto 27\n"
		"r0 = *(probe u64 *)(r4 + 4)\n"
		"if r0 == 0 goto 27\n"
		"if r0 s>= 0 goto 37\n"
		"r4 = *(probe u32 *)(r0 + 16)\n"
		"if r4 == 0 goto 37\n"
		"*(u32 *)(r3 + 16) = r4\n"
		"exit\n"
	}, {
		"address of this CPU's copy, by a helper", &arch_x86_plain, {
			{ .src = PROBE_SRC_IMM, .value = 0x1f000, .size = 8,
			  .steps = here, .nr_steps = 1 } }, 1,
		"r6 = r1\n"
		"r3 = *(u64 *)(r6 + 8)\n"
		"*(u32 *)(r3 + 24) = 1\n"
		"r0 = 126976\n"
		"r2 = r0\n"
		"r1 = r6\n"
		"call 11\n"
		"r3 = *(u64 *)(r6 + 8)\n"
		"*(u64 *)(r3 + 16) = r0\n"
		"exit\n"
	}, {
		"signed field of another event", &arch_x86, {
			{ .src = PROBE_SRC_FIELD, .value = 12, .part = 4, .part_signed = true,
			  .size = 8 } }, 1,
		"r3 = *(u64 *)(r1 + 8)\n"
		"*(u32 *)(r3 + 24) = 1\n"
		"r0 = *(u64 *)(r1 + 16)\n"
		"r4 = *(u32 *)(r0 + 12)\n"
		"r4 <<= 32\n"
		"r4 s>>= 32\n"
		"*(u64 *)(r3 + 16) = r4\n"
		"exit\n"
	}, {
		"unaligned field of another event", &arch_strict_be, {
			{ .src = PROBE_SRC_FIELD, .value = 9, .part = 2, .size = 4 } }, 1,
		"r3 = *(u64 *)(r1 + 8)\n"
		"*(u32 *)(r3 + 20) = 16777216\n"
		"r0 = *(u64 *)(r1 + 16)\n"
		"r4 = 0\n"
		"r4 <<= 8\n"
		"r5 = *(u8 *)(r0 + 9)\n"
		"r4 |= r5\n"
		"r4 <<= 8\n"
		"r5 = *(u8 *)(r0 + 10)\n"
		"r4 |= r5\n"
		"*(u32 *)(r3 + 16) = r4\n"
		"exit\n"
	}, {
		"addresses in another event", &arch_x86, {
			VALUE(PROBE_SRC_FIELD_ADDR, 12, 8), VALUE(PROBE_SRC_FIELD_DATA, 8, 8),
			VALUE(PROBE_SRC_FIELD_REL, 8, 8) }, 3,
		"r3 = *(u64 *)(r1 + 8)\n"
		"*(u32 *)(r3 + 40) = 1\n"
		"r0 = *(u64 *)(r1 + 16)\n"
		"r0 += 12\n"
		"*(u64 *)(r3 + 16) = r0\n"
		"r0 = *(u64 *)(r1 + 16)\n"
		"r4 = *(u32 *)(r0 + 8)\n"
		"r5 = r4\n"
		"r5 >>= 16\n"
		"if r5 == 0 goto 23\n"
		"r4 &= 65535\n"
		"r4 += r0\n"
		"*(u64 *)(r3 + 24) = r4\n"
		"r0 = *(u64 *)(r1 + 16)\n"
		"r4 = *(u32 *)(r0 + 8)\n"
		"r5 = r4\n"
		"r5 >>= 16\n"
		"if r5 == 0 goto 30\n"
		"r4 &= 65535\n"
		"r4 += r0\n"
		"r4 += 12\n"
		"*(u64 *)(r3 + 32) = r4\n"
		"exit\n"
	}, {
		"bitfields of a register", &arch_x86, {
			{ .src = PROBE_SRC_REG, .value = REG_DI, .size = 4,
			  .bits = { .width = 4, .shift = 2, .load = 4 } },
			{ .src = PROBE_SRC_REG, .value = REG_DI, .size = 4,
			  .bits = { .width = 4, .shift = 2, .load = 4,
				    .is_signed = true } },
			{ .src = PROBE_SRC_REG, .value = REG_DI, .size = 8,
			  .bits = { .width = 40, .shift = 24, .load = 8 } },
		}, 3,
		"r3 = *(u64 *)(r1 + 8)\n"
		"*(u32 *)(r3 + 32) = 1\n"
		"r2 = *(u64 *)(r1 + 0)\n"
		"r0 = *(u64 *)(r2 + 112)\n"
		"r0 >>= 2\n"
		"r0 &= 15\n"
		"*(u32 *)(r3 + 16) = r0\n"
		"r0 = *(u64 *)(r2 + 112)\n"
		"r0 <<= 58\n"
		"r0 s>>= 60\n"
		"*(u32 *)(r3 + 20) = r0\n"
		"r0 = *(u64 *)(r2 + 112)\n"
		"r0 >>= 24\n"
		"*(u64 *)(r3 + 24) = r0\n"
		"exit\n"
	}, {
		"memory", &arch_x86, {
			{ .src = PROBE_SRC_REG, .value = REG_DI,
			  .store = PROBE_STORE_MEM, .off = 16, .size = 4 },
		}, 1,
		"r6 = r1\n"
		"r3 = *(u64 *)(r6 + 8)\n"
		"*(u32 *)(r3 + 20) = 1\n"
		"r2 = *(u64 *)(r6 + 0)\n"
		"r0 = *(u64 *)(r2 + 112)\n"
		"if r0 s>= 0 goto 10\n"
		"r4 = *(probe u32 *)(r0 + 16)\n"
		"if r4 == 0 goto 10\n"
		"*(u32 *)(r3 + 16) = r4\n"
		"exit\n"
		/* 10: the address is not a kernel address, or the load returned zero */
		"r2 = r0\n"
		"r2 += 16\n"
		"r3 = 4\n"
		"r1 = r6\n"
		"call 1\n"
		"if r0 != 0 goto 20\n"
		"r4 = *(u64 *)(r6 + 32)\n"
		"r2 = *(u64 *)(r6 + 0)\n"
		"r3 = *(u64 *)(r6 + 8)\n"
		"goto 8\n"
		/* 20: fault */
		"r3 = *(u64 *)(r6 + 8)\n"
		"*(u32 *)(r3 + 16) = 0\n"
		"r4 = *(u32 *)(r3 + 20)\n"
		"w4 |= 2\n"
		"*(u32 *)(r3 + 20) = r4\n"
		"r2 = *(u64 *)(r6 + 0)\n"
		"r3 = *(u64 *)(r6 + 8)\n"
		"goto 9\n"
	}, {
		"user memory", &arch_x86, {
			{ .src = PROBE_SRC_IMM, .value = 0x400000,
			  .store = PROBE_STORE_MEM, .off = 16, .size = 2, .user = true },
		}, 1,
		"r6 = r1\n"
		"r3 = *(u64 *)(r6 + 8)\n"
		"*(u32 *)(r3 + 16) = 65536\n"
		"r0 = 4194320\n"
		"r2 = r0\n"
		"r3 = 258\n"
		"r1 = r6\n"
		"call 1\n"
		"if r0 != 0 goto 13\n"
		"r0 = *(u64 *)(r6 + 32)\n"
		"r3 = *(u64 *)(r6 + 8)\n"
		"*(u16 *)(r3 + 16) = r0\n"
		"exit\n"
		"r3 = *(u64 *)(r6 + 8)\n"
		"*(u16 *)(r3 + 16) = 0\n"
		"r4 = *(u32 *)(r3 + 16)\n"
		"w4 |= 131072\n"
		"*(u32 *)(r3 + 16) = r4\n"
		"r3 = *(u64 *)(r6 + 8)\n"
		"goto 12\n"
	}, {
		"memory, without BPF_PROBE_MEM", &arch_x86_plain, {
			{ .src = PROBE_SRC_REG, .value = REG_DI,
			  .store = PROBE_STORE_MEM, .off = 16, .size = 4 },
		}, 1,
		"r6 = r1\n"
		"r3 = *(u64 *)(r6 + 8)\n"
		"*(u32 *)(r3 + 20) = 1\n"
		"r2 = *(u64 *)(r6 + 0)\n"
		"r0 = *(u64 *)(r2 + 112)\n"
		"r2 = r0\n"
		"r2 += 16\n"
		"r3 = 4\n"
		"r1 = r6\n"
		"call 1\n"
		"if r0 != 0 goto 15\n"
		"r0 = *(u64 *)(r6 + 32)\n"
		"r3 = *(u64 *)(r6 + 8)\n"
		"*(u32 *)(r3 + 16) = r0\n"
		"exit\n"
		"r3 = *(u64 *)(r6 + 8)\n"
	}, {
		"stack entry, without BPF_PROBE_MEM", &arch_x86_plain,
		{ VALUE(PROBE_SRC_STACK, 3, 8) }, 1,
		"r6 = r1\n"
		"r3 = *(u64 *)(r6 + 8)\n"
		"*(u32 *)(r3 + 24) = 1\n"
		"r2 = *(u64 *)(r6 + 0)\n"
		"r0 = *(u64 *)(r2 + 152)\n"
		"r4 = r0\n"
		"r4 += 24\n"
		"r4 ^= r0\n"
		"r4 >>= 14\n"
		"if r4 != 0 goto 20\n"
		"r2 = r0\n"
		"r2 += 24\n"
		"r3 = 8\n"
		"r1 = r6\n"
		"call 1\n"
		"if r0 != 0 goto 20\n"
		"r0 = *(u64 *)(r6 + 32)\n"
		"r3 = *(u64 *)(r6 + 8)\n"
		"*(u64 *)(r3 + 16) = r0\n"
		"exit\n"
	}, {
		"stack entry", &arch_x86,
		{ VALUE(PROBE_SRC_STACK, 3, 8) }, 1,
		"r6 = r1\n"
		"r3 = *(u64 *)(r6 + 8)\n"
		"*(u32 *)(r3 + 24) = 1\n"
		"r2 = *(u64 *)(r6 + 0)\n"
		"r0 = *(u64 *)(r2 + 152)\n"
		"r4 = r0\n"
		"r4 += 24\n"
		"r4 ^= r0\n"
		"r4 >>= 14\n"
		"if r4 != 0 goto 24\n"
		"r4 = *(probe u64 *)(r0 + 24)\n"
		"if r4 == 0 goto 14\n"
		"*(u64 *)(r3 + 16) = r4\n"
		"exit\n"
		"r2 = r0\n"
		"r2 += 24\n"
		"r3 = 8\n"
		"r1 = r6\n"
		"call 1\n"
		"if r0 != 0 goto 24\n"
		"r4 = *(u64 *)(r6 + 32)\n"
		"r2 = *(u64 *)(r6 + 0)\n"
		"r3 = *(u64 *)(r6 + 8)\n"
		"goto 12\n"
		"r3 = *(u64 *)(r6 + 8)\n"
		"*(u64 *)(r3 + 16) = 0\n"
		"r4 = *(u32 *)(r3 + 24)\n"
		"w4 |= 2\n"
		"*(u32 *)(r3 + 24) = r4\n"
		"r2 = *(u64 *)(r6 + 0)\n"
		"r3 = *(u64 *)(r6 + 8)\n"
		"goto 13\n"
	}, {
		"array of words", &arch_x86, {
			{ .src = PROBE_SRC_REG, .value = REG_DI, .off = -8,
			  .store = PROBE_STORE_MEM, .size = 8, .count = 4 },
		}, 1,
		"r6 = r1\n"
		"r3 = *(u64 *)(r6 + 8)\n"
		"*(u32 *)(r3 + 48) = 1\n"
		"r2 = *(u64 *)(r6 + 0)\n"
		"r0 = *(u64 *)(r2 + 112)\n"
		"r2 = r0\n"
		"r2 += -8\n"
		"r3 = 16\n"
		/* bit 385 of the record is bit 1 of byte 48 */
		"r4 = 0x18100040008\n"
		"r5 = 32\n"
		"r1 = r6\n"
		"call 3\n"
		"exit\n"
	}, {
		"array that ends within a word", &arch_x86, {
			{ .src = PROBE_SRC_REG, .value = REG_DI,
			  .store = PROBE_STORE_MEM, .size = 2, .count = 5 },
		}, 1,
		"r6 = r1\n"
		"r3 = *(u64 *)(r6 + 8)\n"
		"*(u32 *)(r3 + 24) = 65536\n"
		"r2 = *(u64 *)(r6 + 0)\n"
		"r0 = *(u64 *)(r2 + 112)\n"
		"r2 = r0\n"
		"r3 = 16\n"
		"r4 = 0xd100050002\n"
		"r5 = 0\n"
		"r1 = r6\n"
		"call 2\n"
		"exit\n"
	}, {
		"paths", &arch_x86, {
			{ .src = PROBE_SRC_REG, .value = REG_DI, .size = 4, .off = 152,
			  .store = PROBE_STORE_PATH },
			{ .src = PROBE_SRC_REG, .value = REG_SI, .size = 4,
			  .store = PROBE_STORE_DENTRY },
		}, 2,
		"r6 = r1\n"
		"r2 = *(u64 *)(r6 + 0)\n"
		"r0 = *(u64 *)(r2 + 112)\n"
		"r2 = r0\n"
		"r2 += 152\n"
		"r3 = 16\n"
		"r1 = r6\n"
		"call 14\n"
		"r2 = *(u64 *)(r6 + 0)\n"
		"r0 = *(u64 *)(r2 + 104)\n"
		"r2 = r0\n"
		"r3 = 20\n"
		"r1 = r6\n"
		"call 15\n"
		"exit\n"
	}, {
		"stack traces", &arch_x86, {
			{ .src = PROBE_SRC_NONE, .size = 4, .value = 16,
			  .store = PROBE_STORE_STACK },
			{ .src = PROBE_SRC_NONE, .size = 4, .value = 2, .user = true,
			  .store = PROBE_STORE_STACK },
		}, 2,
		"r6 = r1\n"
		"r2 = 16\n"
		"r3 = 24\n"
		"r4 = 1048576\n"
		"r1 = r6\n"
		"call 16\n"
		"r2 = 20\n"
		"r3 = 160\n"
		"r4 = 131328\n"
		"r1 = r6\n"
		"call 16\n"
		"exit\n"
	}, {
		"strings", &arch_x86, {
			{ .src = PROBE_SRC_REG, .value = REG_DI, .size = 4,
			  .store = PROBE_STORE_STRING, .str_user = true },
			{ .src = PROBE_SRC_REG, .value = REG_SI, .size = 4, .count = 2,
			  .store = PROBE_STORE_STRING, .user = true },
			{ .src = PROBE_SRC_NONE, .store = PROBE_STORE_COMM, .size = 4 },
		}, 3,
		"r6 = r1\n"
		"r2 = *(u64 *)(r6 + 0)\n"
		"r0 = *(u64 *)(r2 + 112)\n"
		"r2 = r0\n"
		"r3 = 16\n"
		"r4 = 1\n"
		"r1 = r6\n"
		"call 4\n"
		"r2 = *(u64 *)(r6 + 0)\n"
		"r0 = *(u64 *)(r2 + 104)\n"
		"r2 = r0\n"
		"r3 = 20\n"
		"r4 = 131328\n"
		"r1 = r6\n"
		"call 5\n"
		"r2 = 28\n"
		"r3 = 0\n"
		"r1 = r6\n"
		"call 7\n"
		"exit\n"
	}, {
		"name of the task as the only string", &arch_x86, {
			{ .src = PROBE_SRC_NONE, .store = PROBE_STORE_COMM, .size = 4 },
			REG(REG_DI, 1),
		}, 2,
		"r6 = r1\n"
		"r3 = *(u64 *)(r6 + 8)\n"
		"*(u32 *)(r3 + 20) = 256\n"
		"r2 = 16\n"
		"r3 = 24\n"
		"r1 = r6\n"
		"call 7\n"
		"r2 = *(u64 *)(r6 + 0)\n"
		"r0 = *(u64 *)(r2 + 112)\n"
		"r3 = *(u64 *)(r6 + 8)\n"
		"*(u8 *)(r3 + 20) = r0\n"
		"exit\n"
	}, {
		"string whose pointer cannot be read", &arch_x86, {
			{ .src = PROBE_SRC_IMM, .value = 0x1000, .size = 4,
			  .steps = user8, .nr_steps = 1, .store = PROBE_STORE_STRING },
		}, 1,
		"r6 = r1\n"
		"r0 = 4104\n"
		"r2 = r0\n"
		"r3 = 264\n"
		"r1 = r6\n"
		"call 1\n"
		"if r0 != 0 goto 14\n"
		"r0 = *(u64 *)(r6 + 32)\n"
		"r2 = r0\n"
		"r3 = 16\n"
		"r4 = 0\n"
		"r1 = r6\n"
		"call 4\n"
		"exit\n"
		"r2 = 16\n"
		"r3 = 1\n"
		"r1 = r6\n"
		"call 9\n"
		"goto 13\n"
	}, {
		"symbol", &arch_x86, {
			{ .src = PROBE_SRC_REG, .value = REG_DI, .size = 4,
			  .store = PROBE_STORE_SYMSTR },
		}, 1,
		"r6 = r1\n"
		"r2 = *(u64 *)(r6 + 0)\n"
		"r0 = *(u64 *)(r2 + 112)\n"
		"r2 = r0\n"
		"r3 = 16\n"
		"r1 = r6\n"
		"call 6\n"
		"exit\n"
	}, {
		"constant address, displacement larger than s16", &arch_x86, {
			{ .src = PROBE_SRC_IMM, .value = 0xffffffff81000000, .off = 0x10000,
			  .steps = at8, .nr_steps = 1,
			  .store = PROBE_STORE_STRING, .size = 4 },
		}, 1,
		"r6 = r1\n"
		"r0 = -2130706424\n"
		"r4 = *(probe u64 *)(r0 + 0)\n"
		"if r4 == 0 goto 11\n"
		"r2 = r4\n"
		"r2 += 65536\n"
		"r3 = 16\n"
		"r4 = 0\n"
		"r1 = r6\n"
		"call 4\n"
		"exit\n"
	}, {
		"displacement larger than s32", &arch_x86, {
			{ .src = PROBE_SRC_REG, .value = REG_DI, .size = 8,
			  .steps = far_away, .nr_steps = 1 },
		}, 1,
		"r6 = r1\n"
		"r3 = *(u64 *)(r6 + 8)\n"
		"*(u32 *)(r3 + 24) = 1\n"
		"r2 = *(u64 *)(r6 + 0)\n"
		"r0 = *(u64 *)(r2 + 112)\n"
		"r5 = 0x123456789\n"
		"r0 += r5\n"
		"if r0 s>= 0 goto 13\n"
		"r4 = *(probe u64 *)(r0 + 0)\n"
		"if r4 == 0 goto 13\n"
		"*(u64 *)(r3 + 16) = r4\n"
		"exit\n"
	}, {
		"strict machine: the helper reads registers, unaligned values are stored bytewise",
		&arch_strict, { REG(8, 1), REG(16, 2) }, 2,
		"r6 = r1\n"
		"r3 = *(u64 *)(r6 + 8)\n"
		"*(u32 *)(r3 + 16) = 16777216\n"
		"r2 = 1\n"
		"r3 = 8\n"
		"r1 = r6\n"
		"call 0\n"
		"if r0 != 0 goto 22\n"
		"r0 = *(u64 *)(r6 + 32)\n"
		"r3 = *(u64 *)(r6 + 8)\n"
		"*(u8 *)(r3 + 16) = r0\n"
		"r2 = 1\n"
		"r3 = 16\n"
		"r1 = r6\n"
		"call 0\n"
		"if r0 != 0 goto 29\n"
		"r0 = *(u64 *)(r6 + 32)\n"
		"r3 = *(u64 *)(r6 + 8)\n"
		"*(u8 *)(r3 + 17) = r0\n"
		"r0 >>= 8\n"
		"*(u8 *)(r3 + 18) = r0\n"
		"exit\n"
	}, {
		"strict machine: the address check includes displacements", &arch_strict, {
			{ .src = PROBE_SRC_ENTRY, .off = 32,
			  .store = PROBE_STORE_MEM, .size = 4 },
		}, 1,
		"r6 = r1\n"
		"r3 = *(u64 *)(r6 + 8)\n"
		"*(u32 *)(r3 + 20) = 1\n"
		"r0 = *(u64 *)(r6 + 16)\n"
		"r0 = *(u64 *)(r0 + 0)\n"
		"r5 = r0\n"
		"r5 += 32\n"
		"if r5 s>= 0 goto 12\n"
		"r4 = *(probe u32 *)(r0 + 32)\n"
		"if r4 == 0 goto 12\n"
		"*(u32 *)(r3 + 16) = r4\n"
		"exit\n"
	}, {
		"constant addresses of the kernel and of user space", &arch_strict, {
			{ .src = PROBE_SRC_IMM, .value = 0x8000000000001000,
			  .store = PROBE_STORE_MEM, .size = 4 },
			{ .src = PROBE_SRC_IMM, .value = 0x1000,
			  .store = PROBE_STORE_MEM, .size = 4 },
		}, 2,
		"r6 = r1\n"
		"r3 = *(u64 *)(r6 + 8)\n"
		"*(u32 *)(r3 + 24) = 1\n"
		"r0 = 0x8000000000001000\n"
		"r4 = *(probe u32 *)(r0 + 0)\n"
		"if r4 == 0 goto 14\n"
		"*(u32 *)(r3 + 16) = r4\n"
		"r0 = 4096\n"
		"if r0 s>= 0 goto 29\n"
		"r4 = *(probe u32 *)(r0 + 0)\n"
		"if r4 == 0 goto 29\n"
		"*(u32 *)(r3 + 20) = r4\n"
		"exit\n"
	}, {
		"a big-endian machine", &arch_strict_be, {
			VALUE(PROBE_SRC_IMM, 0x11223344, 4),
			VALUE(PROBE_SRC_IMM, 0x55, 1),
			VALUE(PROBE_SRC_ENTRY, 0, 2),
		}, 3,
		"r3 = *(u64 *)(r1 + 8)\n"
		"*(u32 *)(r3 + 20) = 1\n"
		"*(u32 *)(r3 + 16) = 287454020\n"
		"*(u8 *)(r3 + 20) = 85\n"
		"r0 = *(u64 *)(r1 + 16)\n"
		"r0 = *(u64 *)(r0 + 0)\n"
		"*(u8 *)(r3 + 22) = r0\n"
		"r0 >>= 8\n"
		"*(u8 *)(r3 + 21) = r0\n"
		"exit\n"
	}, {
		"a fault on a big-endian machine", &arch_strict_be, {
			{ .src = PROBE_SRC_IMM, .value = 0x400000,
			  .store = PROBE_STORE_MEM, .off = 16, .size = 2, .user = true },
		}, 1,
		"r6 = r1\n"
		"r3 = *(u64 *)(r6 + 8)\n"
		/* 256 and 512 are bits 0 and 1 of byte 18 */
		"*(u32 *)(r3 + 16) = 256\n"
		"r0 = 4194320\n"
		"r2 = r0\n"
		"r3 = 258\n"
		"r1 = r6\n"
		"call 1\n"
		"if r0 != 0 goto 13\n"
		"r0 = *(u64 *)(r6 + 32)\n"
		"r3 = *(u64 *)(r6 + 8)\n"
		"*(u16 *)(r3 + 16) = r0\n"
		"exit\n"
		"r3 = *(u64 *)(r6 + 8)\n"
		"*(u16 *)(r3 + 16) = 0\n"
		"r4 = *(u32 *)(r3 + 16)\n"
		"w4 |= 512\n"
		"*(u32 *)(r3 + 16) = r4\n"
	},
};

/* Programs with predicates */
static const struct {
	const char		*name;
	const struct probe_arch	*arch;
	struct probe_fetch	f[3];
	unsigned int		nr;
	const char		*listing;
	struct probe_term	terms[2];
	unsigned int		nr_terms;
} predicates[] = {
	{
		"predicate on a register: no record is touched before", &arch_x86,
		{ REG(REG_DI, 8) }, 1,
		"r2 = *(u64 *)(r1 + 0)\n"
		"r0 = *(u64 *)(r2 + 112)\n"
		"if r0 != 5 goto 9\n"
		"r3 = *(u64 *)(r1 + 8)\n"
		"*(u32 *)(r3 + 24) = 1\n"
		"r0 = *(u64 *)(r2 + 112)\n"
		"*(u64 *)(r3 + 16) = r0\n"
		"r0 = 1\n"
		"exit\n"
		"r0 = 0\n"
		"exit\n",
		{ { .op = PROBE_OP_EQ, .number = 5, .arg = 0,
		    .yes = PROBE_TERM_ACCEPT, .no = PROBE_TERM_REJECT } },
		1,
	}, {
		"predicate on registers that are not recorded", &arch_x86, {}, 0,
		"r2 = *(u64 *)(r1 + 0)\n"
		"r0 = *(u64 *)(r2 + 112)\n"
		"r0 <<= 32\n"
		"r0 s>>= 32\n"
		"if r0 s< -1 goto 10\n"
		"r0 = *(u64 *)(r2 + 104)\n"
		"r5 = 0x100000000\n"
		"r0 &= r5\n"
		"if r0 == 0 goto 12\n"
		"r0 = 1\n"
		"exit\n"
		"r0 = 0\n"
		"exit\n",
		{ { .op = PROBE_OP_LT, .number = -1, .arg = PROBE_TERM_OWN,
		    .is_signed = true, .fetch = REG(REG_DI, 4),
		    .yes = PROBE_TERM_ACCEPT, .no = 1 },
		  { .op = PROBE_OP_AND, .number = 0x100000000, .arg = PROBE_TERM_OWN,
		    .fetch = REG(REG_SI, 8),
		    .yes = PROBE_TERM_ACCEPT, .no = PROBE_TERM_REJECT } },
		2,
	}, {
		"predicate on memory: compared as recorded", &arch_x86, {
			{ .src = PROBE_SRC_REG, .value = REG_DI,
			  .store = PROBE_STORE_MEM, .size = 4 } }, 1,
		"r6 = r1\n"
		"r3 = *(u64 *)(r6 + 8)\n"
		"*(u32 *)(r3 + 20) = 1\n"
		"r2 = *(u64 *)(r6 + 0)\n"
		"r0 = *(u64 *)(r2 + 112)\n"
		"if r0 s>= 0 goto 18\n"
		"r4 = *(probe u32 *)(r0 + 0)\n"
		"if r4 == 0 goto 18\n"
		"*(u32 *)(r3 + 16) = r4\n"
		"r0 = *(u8 *)(r3 + 20)\n"
		"r0 &= 2\n"
		"if r0 != 0 goto 35\n"
		"r0 = *(u32 *)(r3 + 16)\n"
		"if r0 <= 5 goto 16\n"
		"r0 = 1\n"
		"exit\n"
		"r0 = 0\n"
		"exit\n",
		{ { .op = PROBE_OP_GT, .number = 5, .arg = 0,
		    .yes = PROBE_TERM_ACCEPT, .no = PROBE_TERM_REJECT } },
		1,
	}, {
		"decision without a record", &arch_x86, { REG(REG_DI, 4), REG(REG_SI, 8) }, 0,
		"r2 = *(u64 *)(r1 + 0)\n"
		"r0 = *(u64 *)(r2 + 112)\n"
		"w0 = w0\n"
		"if r0 == 5 goto 6\n"
		"r0 = *(u64 *)(r2 + 104)\n"
		"if r0 s>= 0 goto 8\n"
		"r0 = 1\n"
		"exit\n"
		"r0 = 0\n"
		"exit\n",
		{ { .op = PROBE_OP_EQ, .number = 5, .arg = 0,
		    .yes = PROBE_TERM_ACCEPT, .no = 1 },
		  { .op = PROBE_OP_LT, .number = 0, .arg = 1, .is_signed = true,
		    .yes = PROBE_TERM_ACCEPT, .no = PROBE_TERM_REJECT } },
		2,
	}
};

/* A listing may omit the end of a program if other listings have similar code. */
static void check_listing(const char *name, const struct probe_arch *arch,
			  const struct probe_fetch *fetch, unsigned int nr,
			  const struct probe_predicate *predicate, const char *listing)
{
	static char buf[16384];
	struct probe_code code = {};
	struct probe_fetch f[3];
	struct probe_layout l;

	machine_arch = *arch;
	memcpy(f, fetch, sizeof(f));
	probe_layout_set(&l, HEAD, f, nr);
	check(!probe_codegen(&code, &machine_arch, &l, f, nr, predicate), "no program");
	bpf_show(code.insn, code.len, buf, sizeof(buf));
	if (!check(!strncmp(buf, listing, strlen(listing)), "wrong program:"))
		check_show(buf);
	probe_code_free(&code);
	test_end("program: %s", name);
}

static void test_listings(void)
{
	struct probe_predicate predicate;
	struct probe_term terms[2];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(programs); i++)
		check_listing(programs[i].name, programs[i].arch, programs[i].f, programs[i].nr,
			      NULL, programs[i].listing);
	for (i = 0; i < ARRAY_SIZE(predicates); i++) {
		memcpy(terms, predicates[i].terms, sizeof(terms));
		predicate = (struct probe_predicate) {
			.terms = terms,
			.nr = predicates[i].nr_terms,
		};
		check_listing(predicates[i].name, predicates[i].arch, predicates[i].f,
			      predicates[i].nr, &predicate, predicates[i].listing);
	}
}

static unsigned int count_main_line(struct probe_fetch *f, unsigned int nr)
{
	struct probe_code code = {};
	struct probe_layout l;
	unsigned int n;

	probe_layout_set(&l, HEAD, f, nr);
	check(!probe_codegen(&code, &machine_arch, &l, f, nr, NULL), "no program");
	for (n = 0; n < code.len; n++)
		if (code.insn[n].code == (BPF_JMP | BPF_EXIT))
			break;
	probe_code_free(&code);
	return n + 1;
}

/* Detect a change in the number of instructions that a hit executes. */
static void test_length(void)
{
	struct probe_fetch f[8];
	unsigned int n;

	machine_arch = arch_x86;
	for (n = 1; n <= 8; n++) {
		f[n - 1] = (struct probe_fetch)REG(REG_DI, 8);
		check(count_main_line(f, n) == 4 + 2 * n,
		      "%u registers: wrong program length", n);
	}
	for (n = 1; n <= 8; n++) {
		f[n - 1] = (struct probe_fetch){ .src = PROBE_SRC_REG, .value = REG_DI,
			.store = PROBE_STORE_MEM, .off = 8 * n, .size = 8 };
		check(count_main_line(f, n) == 5 + 5 * n,
		      "%u loads: wrong program length", n);
	}
}

static void test_same_twice(void)
{
	struct probe_fetch f[] = {
		REG(REG_DI, 8),
		{ .src = PROBE_SRC_REG, .value = REG_DI, .size = 8,
		  .steps = far_away, .nr_steps = 1 },
	};
	struct probe_code a = {}, b = {};
	struct probe_layout l;

	machine_arch = arch_x86;
	probe_layout_set(&l, HEAD, f, ARRAY_SIZE(f));
	probe_codegen(&a, &machine_arch, &l, f, ARRAY_SIZE(f), NULL);
	probe_codegen(&b, &machine_arch, &l, f, ARRAY_SIZE(f), NULL);
	check(a.len == b.len && !memcmp(a.insn, b.insn, a.len * sizeof(*a.insn)),
	      "different programs");
	probe_code_free(&a);
	probe_code_free(&b);
}

static void test_refused(void)
{
	static struct probe_step steps[PROBE_MAX_DEREF + 1];
	struct probe_fetch bad[] = {
		VALUE(PROBE_SRC_NONE, 0, 8),
		{ .src = PROBE_SRC_REG, .size = 8, .steps = steps,
		  .nr_steps = ARRAY_SIZE(steps) },
		{ .src = PROBE_SRC_REG, .size = 1, .store = PROBE_STORE_MEM, .count = 3,
		  .bits = { .width = 3, .load = 4 } },
	};
	unsigned int i;

	machine_arch = arch_x86;
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		struct probe_code code = {};
		struct probe_layout l;

		probe_layout_set(&l, HEAD, &bad[i], 1);
		check(probe_codegen(&code, &machine_arch, &l, &bad[i], 1, NULL) == -EINVAL,
		      "invalid fetch %u was accepted", i);
		probe_code_free(&code);
	}
}

/* Generate the largest possible program, and make each allocation fail once. */
static void test_large(void)
{
	static struct probe_step steps[PROBE_MAX_DEREF];
	static struct probe_fetch f[PROBE_MAX_ARGS];
	struct probe_layout l;
	unsigned int i;
	int ret, skip;

	for (i = 0; i < ARRAY_SIZE(f); i++)
		f[i] = (struct probe_fetch){ .src = PROBE_SRC_REG, .value = REG_DI,
			.size = 8, .store = PROBE_STORE_MEM, .off = 1 << 20,
			.steps = steps, .nr_steps = PROBE_MAX_DEREF };
	machine_arch = arch_x86;
	probe_layout_set(&l, HEAD, f, ARRAY_SIZE(f));
	for (skip = 0, ret = -ENOMEM; ret == -ENOMEM && skip < 30; skip++) {
		struct probe_code code = {};

		host_alloc_fail_at(skip);
		ret = probe_codegen(&code, &machine_arch, &l, f, ARRAY_SIZE(f), NULL);
		host_alloc_fail_at(-1);
		check(ret == -ENOMEM || (!ret && code.len > 20000),
		      "allocation %d fails: wrong result", skip);
		probe_code_free(&code);
	}
	check(!ret, "no program even without a failing allocation");
	check(!host_alloc_live(), "%ld allocations leaked", host_alloc_live());
}

static const struct test tests[] = {
	{ "length of programs", test_length },
	{ "equal programs for equal fetches", test_same_twice },
	{ "invalid fetches are refused", test_refused },
	{ "largest program, and failing allocations", test_large },
};

int main(void)
{
	ksft_print_header();
	ksft_set_plan(ARRAY_SIZE(programs) + ARRAY_SIZE(predicates) + ARRAY_SIZE(tests));
	test_listings();
	test_all(tests, ARRAY_SIZE(tests));
	ksft_finished();
}
