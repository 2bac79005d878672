// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of fetch programs: the records that they write.
 *
 * After each run, the test compares the whole record with a record that it computes
 * without a program: every byte from the first argument to the end of the dynamic data,
 * and the poison around them. Each kind of machine runs named cases, and then many
 * pseudo-random cases.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/align.h>
#include <linux/array_size.h>
#include <linux/errno.h>
#include <linux/minmax.h>
#include <linux/slab.h>

#include "check.h"
#include "expr.h"
#include "machine.h"
#include "model.h"
#include "random.h"

#define HEAD	MODEL_HEAD

/* Run @fetch and compare the record. @fmt names the case. */
static bool __printf(3, 4)
run(struct probe_fetch *fetch, unsigned int nr, const char *fmt, ...)
{
	struct probe_layout l;
	const char *wrong;
	char name[128];
	unsigned int i;
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(name, sizeof(name), fmt, ap);
	va_end(ap);

	if (!check(!probe_layout_set(&l, HEAD, fetch, nr), "%s: no layout", name))
		return false;
	model_run(&l, fetch, nr);
	wrong = machine_run(&l, fetch, nr, NULL);
	if (!check(!wrong, "%s: %s", name, wrong))
		return false;
	if (!check(machine.hit.dyn == model_dyn, "%s: record ends at %u, not %u", name,
		   machine.hit.dyn, model_dyn))
		return false;
	for (i = 0; i < RECORD_SIZE; i++)
		if (machine.rec[i] != model_rec[i])
			break;
	return check(i == RECORD_SIZE,
		     "%s: byte %u (arguments at %u, map at %u) is %#x, should be %#x",
		     name, i, HEAD, l.fixed, machine.rec[i % RECORD_SIZE],
		     model_rec[i % RECORD_SIZE]);
}

static bool fault_bit(const struct probe_fetch *f, unsigned int map)
{
	return machine.rec[map + f->fault / 8] >> f->fault % 8 & 1;
}

/* Named cases */

static struct probe_fetch mem(unsigned int reg, unsigned int size)
{
	return (struct probe_fetch){ .src = PROBE_SRC_REG, .value = reg,
				     .store = PROBE_STORE_MEM, .size = size };
}

static struct probe_fetch text_at(unsigned int reg)
{
	return (struct probe_fetch){ .src = PROBE_SRC_REG, .value = reg,
				     .store = PROBE_STORE_STRING, .size = 4 };
}

static void test_sizes(void)
{
	unsigned int i, before;
	u64 *di;

	machine_reset();
	di = machine_reg(REG_DI);
	*di = KERNEL_MEM + 0x100;
	machine_poke(*di, 0x8877665544332211);
	for (i = 0; i < RANDOM_NR_SIZES; i++) {
		/* also at every alignment */
		for (before = 0; before < 8; before++) {
			struct probe_fetch f[11];
			unsigned int nr = 0;

			while (nr < before)
				f[nr++] = (struct probe_fetch){ .src = PROBE_SRC_IMM,
								.value = nr, .size = 1 };
			f[nr++] = (struct probe_fetch){ .src = PROBE_SRC_REG,
				.value = REG_DI, .size = random_sizes[i] };
			f[nr++] = mem(REG_DI, random_sizes[i]);
			f[nr++] = (struct probe_fetch){ .src = PROBE_SRC_IMM,
				.value = 0x8123456789abcdef, .size = random_sizes[i] };
			run(f, nr, "size %u after %u bytes", random_sizes[i], before);
		}
	}
}

/* Parts of registers: stored, cut to a bitfield, and used as an address. */
static void test_parts(void)
{
	static const struct { u8 at, size; } parts[] = { { 0, 1 }, { 1, 1 }, { 0, 2 }, { 0, 4 } };
	struct probe_step step = { .off = KERNEL_MEM };
	unsigned int i, j;

	machine_reset();
	*machine_reg(REG_DI) = 0x8877665500002010;
	machine_poke(KERNEL_MEM + 0x10, KERNEL_MEM + 0x40);
	machine_poke(KERNEL_MEM + 0x20, KERNEL_MEM + 0x40);
	machine_poke(KERNEL_MEM + 0x2010, KERNEL_MEM + 0x40);
	machine_poke(KERNEL_MEM + 0x40, 0x4142434445464748);
	for (i = 0; i < ARRAY_SIZE(parts); i++) {
		for (j = 0; j < RANDOM_NR_SIZES; j++) {
			struct probe_fetch f[3] = { {
				.src = PROBE_SRC_REG, .value = REG_DI + parts[i].at,
				.part = parts[i].size, .size = random_sizes[j],
			} };

			f[1] = f[0];
			f[1].bits = (struct probe_bits){ .width = 5, .shift = 1,
				.load = random_sizes[j], .is_signed = true };
			f[2] = f[0];
			f[2].store = PROBE_STORE_MEM;
			f[2].nr_steps = 1;
			f[2].steps = &step;
			run(f, 3, "%u bytes at %u of a register, size %u", parts[i].size,
			    parts[i].at, random_sizes[j]);
			check(!fault_bit(&f[2], HEAD + 3 * random_sizes[j]),
			      "part: unexpected fault");
		}
	}
}

/* A zero in memory does not count as a fault. A fault gives zero and sets a bit. */
static void test_zero(void)
{
	unsigned int i;

	machine_reset();
	*machine_reg(REG_DI) = KERNEL_MEM + 0x200;
	*machine_reg(REG_SI) = UNMAPPED;
	machine_poke(KERNEL_MEM + 0x200, 0);
	for (i = 0; i < RANDOM_NR_SIZES; i++) {
		struct probe_fetch f[] = {
			mem(REG_DI, random_sizes[i]), mem(REG_SI, random_sizes[i]),
		};

		run(f, 2, "zero of size %u", random_sizes[i]);
		check(!fault_bit(&f[0], HEAD + 2 * random_sizes[i]),
		      "zero of size %u: unexpected fault", random_sizes[i]);
	}
}

static void test_bad_addresses(void)
{
	unsigned int i;

	for (i = 0; i < random_nr_bad; i++) {
		struct probe_fetch f[] = { mem(REG_DI, 8), text_at(REG_DI), mem(REG_DI, 8) };

		machine_reset();
		*machine_reg(REG_DI) = random_bad[i];
		f[2].user = true;
		run(f, 3, "bad address %llx", (unsigned long long)random_bad[i]);
		check(fault_bit(&f[0], HEAD + 20) && fault_bit(&f[2], HEAD + 20),
		      "bad address %llx: no fault",
		      (unsigned long long)random_bad[i]);
	}
}

/* Read user addresses as kernel memory, and kernel addresses as user memory. */
static void test_user(void)
{
	struct probe_fetch f[] = { mem(REG_DI, 4), mem(REG_DI, 4), mem(REG_SI, 4) };

	machine_reset();
	*machine_reg(REG_DI) = USER_MEM + 0x20;
	*machine_reg(REG_SI) = KERNEL_MEM + 0x20;
	machine_poke(USER_MEM + 0x20, 0x12345678);
	f[1].user = true;
	f[2].user = true;
	run(f, 3, "user");
	check(!fault_bit(&f[0], HEAD + 12), "user address as kernel address: unexpected fault");
	check(!fault_bit(&f[1], HEAD + 12), "user address: unexpected fault");
	check(fault_bit(&f[2], HEAD + 12), "kernel address as user address: no fault");
}

/*
 * A chain of pointers: a register is pointer 0, and @depth pointers in memory follow. Pointer
 * @broken is bad, unless @broken is -1.
 */
static void test_chain(unsigned int depth, int broken, bool user, bool string)
{
	struct probe_step steps[PROBE_MAX_DEREF] = {};
	u64 base = user ? USER_MEM : KERNEL_MEM, at = base;
	struct probe_fetch f[3] = { mem(REG_SI, 8), mem(REG_DI, 8), mem(REG_SI, 8) };
	unsigned int i;

	machine_reset();
	*machine_reg(REG_SI) = KERNEL_MEM + 0x3000;
	machine_poke(KERNEL_MEM + 0x3000, 0x5151515151515151);
	*machine_reg(REG_DI) = broken == 0 ? UNMAPPED : at;
	for (i = 0; i < depth; i++) {
		steps[i].off = 8 * i;
		steps[i].user = user;
		machine_poke(at + 8 * i, (int)i + 1 == broken ? UNMAPPED : at + 0x100);
		at += 0x100;
	}
	machine_poke(at + 0x18, 0x00676e6972747330);
	f[1].steps = steps;
	f[1].nr_steps = depth;
	f[1].off = 0x18;
	f[1].user = user;
	if (string) {
		f[1].store = PROBE_STORE_STRING;
		f[1].size = 4;
		f[1].str_user = user;
	}
	run(f, 3, "depth %u, broken at %d, user %d, string %d", depth, broken, user, string);
	if (!string)
		check(fault_bit(&f[1], HEAD + 24) == (broken >= 0),
		      "depth %u, broken at %d: wrong fault bit", depth, broken);
	else
		check(!machine.rec[f[1].dst + 2] == (broken >= 0),
		      "depth %u, broken at %d: wrong string length", depth, broken);
}

static void test_chains(void)
{
	unsigned int depth, kind;
	int broken;

	for (depth = 0; depth <= PROBE_MAX_DEREF; depth++)
		for (broken = -1; broken <= (int)depth; broken++)
			for (kind = 0; kind < 4; kind++)
				test_chain(depth, broken, kind & 1, kind & 2);
}

static void test_displacements(void)
{
	static const long offs[] = {
		0x7fff, 0x8000, -0x8000, -0x8001, 0x7fffffff, 0x80000000,
		-0x80000000L, -0x80000001L, 0x300000000, -0x300000000,
	};
	unsigned int i, imm;

	for (i = 0; i < ARRAY_SIZE(offs); i++) {
		for (imm = 0; imm < 2; imm++) {
			struct probe_fetch f = mem(REG_DI, 8);

			machine_reset();
			machine_poke(FAR_MEM + 0x40, 0x4242424242424242);
			*machine_reg(REG_DI) = FAR_MEM + 0x40 - offs[i];
			if (imm) {
				f.src = PROBE_SRC_IMM;
				f.value = *machine_reg(REG_DI);
			}
			f.off = offs[i];
			run(&f, 1, "displacement %ld", offs[i]);
			check(machine.rec[HEAD] == 0x42, "displacement %ld: wrong value",
			      offs[i]);

			/* The helper must get the same address. */
			machine_poke(FAR_MEM + 0x40, 0);
			run(&f, 1, "displacement %ld to zero", offs[i]);
			check(!fault_bit(&f, HEAD + 8), "displacement %ld: unexpected fault",
			      offs[i]);
		}
	}
}

static void test_stack(void)
{
	unsigned int i;

	machine_reset();
	for (i = 0; i < STACK_SIZE; i += 8)
		machine_poke(STACK_MEM + i, i % 0x80 ? 0xaa00000000000000 + i : 0);
	for (i = 0; i <= STACK_SIZE / 8; i++) {
		struct probe_fetch f[] = {
			{ .src = PROBE_SRC_STACK, .value = i, .size = 8 },
			{ .src = PROBE_SRC_ARG, .value = i, .size = 8 },
		};

		run(f, 2, "stack entry %u", i);
		check(fault_bit(&f[0], HEAD + 16) == (0x3000 + 8 * i >= STACK_SIZE),
		      "stack entry %u: wrong fault bit", i);
	}
}

static void test_arrays(void)
{
	unsigned int i, in, count;
	bool words;

	for (i = 0; i < RANDOM_NR_SIZES; i++) {
		for (count = 1; count <= PROBE_MAX_ARRAY; count += 9) {
			/* @in elements are readable, the rest is not mapped */
			for (in = 0; in <= count; in += 3) {
				struct probe_fetch f[] = {
					mem(REG_SI, 1), mem(REG_DI, random_sizes[i]),
					mem(REG_SI, 1),
				};

				machine_reset();
				*machine_reg(REG_SI) = UNMAPPED;
				*machine_reg(REG_DI) = KERNEL_MEM + KERNEL_SIZE -
						       in * random_sizes[i];
				f[1].count = count;
				run(f, 3, "array %u x %u, %u readable", count, random_sizes[i], in);
				words = machine_arch.unaligned &&
					count * random_sizes[i] % machine_arch.word == 0;
				check(machine.calls[PROBE_HELP_ARRAY] == !words &&
				      machine.calls[PROBE_HELP_WORDS] == words,
				      "array: not one call, or of the wrong helper");
			}
		}
	}
}

/* If the pointer to an array cannot be read, the fault map marks each array element. */
static void test_array_pointer(void)
{
	struct probe_step bad = { .off = UNMAPPED - KERNEL_MEM };
	unsigned int count, before;

	for (count = 1; count <= PROBE_MAX_ARRAY; count++) {
		for (before = 1; before <= 33; before += 4) {
			struct probe_fetch f[] = {
				mem(REG_DI, 1), mem(REG_DI, 2), mem(REG_DI, 1),
			};

			machine_reset();
			*machine_reg(REG_DI) = KERNEL_MEM;
			f[0].count = before;
			f[1].count = count;
			f[1].steps = &bad;
			f[1].nr_steps = 1;
			run(f, 3, "array of %u after %u bytes, address faults", count, before);
		}
	}
}

/* Bitfields of memory, of a register, and of array elements. */
static void test_bitfield(u64 value, unsigned int size, struct probe_bits bits)
{
	struct probe_fetch f[3] = {
		mem(REG_SI, size), mem(REG_DI, size), mem(REG_SI, size),
	};
	unsigned int i;

	machine_reset();
	*machine_reg(REG_SI) = KERNEL_MEM;
	*machine_reg(REG_DI) = value;
	machine_poke(KERNEL_MEM, value);
	machine_poke(KERNEL_MEM + 8, ~value);
	for (i = 0; i < ARRAY_SIZE(f); i++)
		f[i].bits = bits;
	f[1].store = PROBE_STORE_VALUE;
	if (size == bits.load)
		f[2].count = 2;
	run(f, 3, "bits %u@%u/%u as %u, signed %u, of %llx", bits.width, bits.shift,
	    bits.load * 8, size * 8, bits.is_signed, (unsigned long long)value);
}

static void test_bitfields_of(u64 value, unsigned int size, unsigned int load)
{
	struct probe_bits b = { .load = load };
	unsigned int width, shift;

	for (width = 1; width <= size * 8; width += 1 + width / 8) {
		for (shift = 0; shift + width <= load * 8; shift += 1 + shift / 3) {
			b.width = width;
			b.shift = shift;
			b.is_signed = false;
			test_bitfield(value, size, b);
			b.is_signed = true;
			test_bitfield(value, size, b);
		}
	}
}

static void test_bitfields(void)
{
	static const u64 values[] = { 0, ~0ULL, 0xa5a5a5a5a5a5a5a5, 0x123456789abcdef0 };
	unsigned int i, s, l;

	for (i = 0; i < ARRAY_SIZE(values); i++)
		for (l = 0; l < RANDOM_NR_SIZES; l++)
			for (s = 0; s <= l; s++)
				test_bitfields_of(values[i], random_sizes[s], random_sizes[l]);
}

/* Bitfields at the end of readable memory that are in no integer before that end. */
static void test_odd_bitfields(void)
{
	static const u8 loads[] = { 3, 5, 6, 7, 9 };
	struct probe_fetch f[3] = { mem(REG_SI, 8), mem(REG_DI, 8), mem(REG_SI, 8) };
	unsigned int i, shift, end, is_signed;

	machine_reset();
	*machine_reg(REG_SI) = KERNEL_MEM;
	for (i = 0; i < ARRAY_SIZE(loads); i++) {
		*machine_reg(REG_DI) = KERNEL_MEM + KERNEL_SIZE - loads[i];
		machine_poke(KERNEL_MEM + KERNEL_SIZE - 16, 0x123456789abcdef0);
		machine_poke(KERNEL_MEM + KERNEL_SIZE - 8, 0xa9876543210fed65);
		for (shift = 0; shift < 8; shift++) {
			for (end = 0; end < 8; end++) {
				for (is_signed = 0; is_signed < 2; is_signed++) {
					struct probe_bits b = {
						.load = loads[i], .shift = shift,
						.width = loads[i] * 8 - shift - end,
						.is_signed = is_signed,
					};

					if (b.width > 64)
						continue;
					f[1].bits = b;
					f[1].off = 0;
					run(f, 3, "bits %u@%u/%u, signed %u", b.width, shift,
					    b.load * 8, is_signed);
					check(!fault_bit(&f[1], HEAD + 24), "unexpected fault");
					f[1].off = 1;
					run(f, 3, "bits %u@%u/%u, not readable", b.width, shift,
					    b.load * 8);
					check(fault_bit(&f[1], HEAD + 24), "no fault");
				}
			}
		}
	}
}

static void test_strings(void)
{
	static const char data[] = "immediate";
	struct probe_fetch f[] = {
		text_at(REG_DI), text_at(REG_SI), text_at(REG_DX), text_at(REG_CX),
		{ .src = PROBE_SRC_NONE, .store = PROBE_STORE_DATA, .size = 4,
		  .data = data, .data_len = sizeof(data) },
		{ .src = PROBE_SRC_NONE, .store = PROBE_STORE_COMM, .size = 4 },
		{ .src = PROBE_SRC_REG, .value = REG_DI, .size = 4,
		  .store = PROBE_STORE_SYMSTR },
		text_at(REG_R8),
	};
	u64 end = KERNEL_MEM + KERNEL_SIZE - 8;

	machine_reset();
	*machine_reg(REG_DI) = KERNEL_MEM;		/* empty */
	*machine_reg(REG_SI) = end;			/* ends with the page */
	*machine_reg(REG_DX) = end + 8;			/* not mapped */
	*machine_reg(REG_CX) = USER_MEM;
	*machine_reg(REG_R8) = KERNEL_MEM + 0x100;	/* an array of three */
	machine_poke(KERNEL_MEM, 0);
	machine_poke(end, 0x0073656d61736373);
	machine_poke(USER_MEM, 0x0000000072657375);
	machine_poke(KERNEL_MEM + 0x100, end);
	machine_poke(KERNEL_MEM + 0x108, UNMAPPED);
	machine_poke(KERNEL_MEM + 0x110, KERNEL_MEM);
	f[3].str_user = true;
	f[7].count = 3;
	run(f, ARRAY_SIZE(f), "strings");
	check(machine.rec[f[0].dst + 2] == 1, "empty string: length is not 1");
	check(machine.rec[f[2].dst + 2] == 0, "string that faults: length is not 0");

	/* A string without a NUL before the end of mapped memory. */
	machine_poke(end, 0x7878787878787878);
	run(f, ARRAY_SIZE(f), "unterminated string");
	check(machine.rec[f[1].dst + 2] == 0, "unterminated string: length is not 0");

	f[7].user = true;
	f[7].str_user = true;
	run(f, ARRAY_SIZE(f), "pointers that are not user addresses");
}

/* Arguments saved at function entry have no header, no map and no dynamic data. */
static void test_without_map(void)
{
	struct probe_fetch f[] = {
		{ .src = PROBE_SRC_ARG, .value = 0, .size = 8, .dst = 0 },
		{ .src = PROBE_SRC_ARG, .size = 8, .dst = 8 },
		{ .src = PROBE_SRC_ARG, .value = 2000, .size = 8, .dst = 16 },
	};
	struct probe_layout l = { .fixed = 24, .size = 24 };
	const struct probe_arch *regs = machine_regs();
	const char *wrong;
	u64 saved[3];

	/* The first argument on the stack. */
	f[1].value = regs->nr_args;
	machine_reset();
	*machine_reg(regs->args[0]) = 0x1234;
	machine_poke(STACK_MEM + 0x3000 + 8 * regs->first_stack_arg, 0x5678);
	wrong = machine_run(&l, f, ARRAY_SIZE(f), NULL);
	check(!wrong, "without map: %s", wrong);
	memcpy(saved, machine.rec, sizeof(saved));
	check(saved[0] == 0x1234 && saved[1] == 0x5678 && !saved[2], "without map: wrong values");
	check(machine.rec[24] == POISON, "without map: write after the end");
}

/* Pseudo-random cases */

#define RANDOM_CASES	30000

static void test_random(void)
{
	static struct probe_step steps[12][PROBE_MAX_DEREF];
	struct probe_fetch f[12];
	unsigned int i, j, nr;

	for (i = 0; i < RANDOM_CASES; i++) {
		if (i % 16 == 0)
			random_machine();
		nr = 1 + random_below(ARRAY_SIZE(f));
		for (j = 0; j < nr; j++)
			random_fetch(&f[j], steps[j]);
		run(f, nr, "random case %u", i);
	}
}

/* All memory is user memory.  Values of each kind, and then random ones. */
static void test_in_user(void)
{
	static struct probe_step steps[12][PROBE_MAX_DEREF];
	struct probe_arch saved = machine_arch;
	struct probe_fetch f[12];
	unsigned int i, j, nr;
	u64 di;

	machine_arch.in_user = true;
	for (i = 0; i < RANDOM_CASES / 4; i++) {
		if (i % 16 == 0) {
			random_machine();
			for (j = 0; j < USER_SIZE; j += 8)
				if (random_below(4))
					machine_poke(USER_MEM + j, USER_MEM +
						     random_below(USER_SIZE));
			*machine_reg(REG_SP) = USER_MEM + random_below(USER_SIZE / 8) * 8;
			di = USER_MEM + random_below(USER_SIZE);
			*machine_reg(REG_DI) = di;
		}
		nr = 1 + random_below(ARRAY_SIZE(f));
		for (j = 0; j < nr; j++) {
			random_fetch(&f[j], steps[j]);
			random_move_to_user(&f[j], steps[j]);
		}
		run(f, nr, "random case %u in user space", i);
	}
	machine_arch = saved;
}

static const struct {
	const char *name;
	const struct probe_arch *arch;
} machines[] = {
	{ "x86", &arch_x86 },
	{ "arm64", &arch_arm64 },
	{ "strict machine", &arch_strict },
	{ "loongarch", &arch_loongarch },
	{ "x86 without BPF_PROBE_MEM", &arch_x86_plain },
	{ "strict machine without BPF_PROBE_MEM", &arch_strict_plain },
};

static const struct test tests[] = {
	{ "sizes", test_sizes },
	{ "parts of registers", test_parts },
	{ "zero is not a fault", test_zero },
	{ "bad addresses", test_bad_addresses },
	{ "user addresses", test_user },
	{ "chains of pointers", test_chains },
	{ "displacements", test_displacements },
	{ "stack entries", test_stack },
	{ "arrays", test_arrays },
	{ "arrays whose address faults", test_array_pointer },
	{ "bitfields", test_bitfields },
	{ "bitfields in an odd number of bytes", test_odd_bitfields },
	{ "strings", test_strings },
	{ "values saved at entry", test_without_map },
	{ "random fetches", test_random },
	{ "probes in user space", test_in_user },
};

int main(void)
{
	unsigned int i, j;

	ksft_print_header();
	ksft_set_plan(ARRAY_SIZE(machines) * ARRAY_SIZE(tests) + 1);
	for (i = 0; i < ARRAY_SIZE(machines); i++) {
		machine_arch = *machines[i].arch;
		for (j = 0; j < ARRAY_SIZE(tests); j++) {
			tests[j].run();
			test_end("%s: %s", machines[i].name, tests[j].name);
		}
	}
	check(!host_alloc_live(), "%ld allocations leaked", host_alloc_live());
	test_end("all memory is freed");
	ksft_finished();
}
