// SPDX-License-Identifier: GPL-2.0
/*
 * Numbers: every source, size and depth, arrays and bitfields, and a fault at
 * every step.
 */
#include <linux/cred.h>
#include <linux/extable.h>
#include <linux/filter.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/ptrace.h>
#include <linux/rcupdate.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/unaligned.h>

#include "trial.h"

static const u8 sizes[] = { 1, 2, 4, 8 };

/* Sources */

/* Some architectures have members in pt_regs that are not registers. */
#ifdef MAX_REG_OFFSET
#define NR_REGS	(MAX_REG_OFFSET / sizeof(long) + 1)
#else
#define NR_REGS	(sizeof(struct pt_regs) / sizeof(long))
#endif

static void test_registers(struct kunit *test)
{
	struct trial *t = test->priv;
	struct probe_fetch *f = t->f;
	unsigned int i, nr, first;

	for (i = 0; i < sizeof(t->regs); i++)
		((u8 *)&t->regs)[i] = i * 37 + 1;
	for (first = 0; first < NR_REGS; first += nr) {
		nr = min(NR_REGS - first, ARRAY_SIZE(t->f));
		for (i = 0; i < nr; i++)
			f[i] = trial_value(PROBE_SRC_REG, (first + i) * sizeof(long),
					   sizeof(long));
		trial_run(test, f, nr);
		for (i = 0; i < nr; i++)
			trial_expect_number(test, &f[i], 0,
					    regs_get_register(&t->regs, f[i].value));
	}
}

static void test_sources(struct kunit *test)
{
	struct trial *t = test->priv;
	struct probe_fetch f[] = {
		trial_value(PROBE_SRC_SP, 0, sizeof(long)),
		trial_value(PROBE_SRC_RETVAL, 0, sizeof(long)),
		trial_value(PROBE_SRC_ENTRY, 2 * sizeof(long), sizeof(long)),
		trial_value(PROBE_SRC_IMM, (unsigned long)0x8899aabbccddeeff, 8),
		trial_value(PROBE_SRC_IMM, (unsigned long)0x8899aabbccddeeff, 4),
		trial_value(PROBE_SRC_IMM, -2, 8),
		trial_value(PROBE_SRC_IMM, 0xfffffffe, 8),
		trial_value(PROBE_SRC_IMM, 0x1ff, 1),
		trial_value(PROBE_SRC_CURRENT, 0, sizeof(long)),
	};
	const unsigned int task = ARRAY_SIZE(f) - 1;
	unsigned int i;

	memset(&t->regs, 0x77, sizeof(t->regs));
	t->entry[2] = 0x12345678;
	trial_run(test, f, ARRAY_SIZE(f));
	trial_expect_number(test, &f[0], 0, kernel_stack_pointer(&t->regs));
	trial_expect_number(test, &f[1], 0, regs_return_value(&t->regs));
	trial_expect_number(test, &f[2], 0, 0x12345678);
	for (i = 3; i < task; i++)
		trial_expect_number(test, &f[i], 0, f[i].value);
	trial_expect_number(test, &f[task], 0, (unsigned long)current);
}

#ifdef CONFIG_HAVE_FUNCTION_ARG_ACCESS_API
static void put_pages(void *pages)
{
	free_pages((unsigned long)pages, get_order(THREAD_SIZE));
}

/* Use an aligned block as a stack, with the stack pointer at word @sp. */
static void test_stack(struct kunit *test)
{
	const unsigned int nr = THREAD_SIZE / sizeof(long), sp = nr - 12;
	unsigned int i, first, place;
	struct trial *t = test->priv;
	struct probe_fetch *f = t->f;
	struct probe_arch arch;
	unsigned long *stack;

	probe_arch_get(&arch);
	if (!arch.direct)
		kunit_skip(test, "programs do not read the stack");
	first = arch.nr_args - arch.first_stack_arg;

	stack = (void *)__get_free_pages(GFP_KERNEL, get_order(THREAD_SIZE));
	KUNIT_ASSERT_NOT_NULL(test, stack);
	KUNIT_ASSERT_EQ(test, kunit_add_action_or_reset(test, put_pages, stack), 0);
	for (i = 0; i < nr; i++)
		stack[i] = i % 3 ? 0x5000 + i : 0;
	for (i = 0; i < sizeof(t->regs); i++)
		((u8 *)&t->regs)[i] = i * 37 + 1;
	*(unsigned long *)((void *)&t->regs + arch.sp) = (unsigned long)&stack[sp];

	for (i = 0; i < 20; i++) {
		f[i] = trial_value(PROBE_SRC_STACK, i, 8);
		f[20 + i] = trial_value(PROBE_SRC_ARG, i, 8);
	}
	f[15].value = nr;
	trial_run(test, f, 40);
	for (i = 0; i < 20; i++) {
		if (sp + f[i].value < nr)
			trial_expect_number(test, &f[i], 0, stack[sp + i]);
		else
			trial_expect_fault(test, &f[i], 0);

		place = sp + i - first;
		if (i < arch.nr_args)
			trial_expect_number(test, &f[20 + i], 0,
					    regs_get_kernel_argument(&t->regs, i));
		else if (place < nr)
			trial_expect_number(test, &f[20 + i], 0, stack[place]);
		else
			trial_expect_fault(test, &f[20 + i], 0);
	}
}
#endif

/* Per-CPU variables */

static void free_copies(void *copies)
{
	free_percpu((void __force __percpu *)copies);
}

/* The address of this CPU's copy, and the copy; the test stays on its CPU. */
static void test_this_cpu(struct kunit *test)
{
	static struct probe_step steps[] = { { .this_cpu = true }, { .off = sizeof(u64) } };
	u64 __percpu *copies = __alloc_percpu(2 * sizeof(u64), sizeof(u64));
	unsigned long address = (__force unsigned long)copies;
	struct probe_fetch f[] = {
		trial_value(PROBE_SRC_IMM, address, sizeof(long)),
		trial_memory((void *)address, 8),
		trial_memory((void *)address, 4),
		trial_value(PROBE_SRC_ENTRY, 0, sizeof(long)),
	};
	struct trial *t = test->priv;
	unsigned int i;

	KUNIT_ASSERT_NE(test, address, 0);
	KUNIT_ASSERT_EQ(test, kunit_add_action_or_reset(test, free_copies, (void *)address), 0);
	for (i = 0; i < ARRAY_SIZE(f); i++) {
		f[i].steps = steps;
		f[i].nr_steps = 1;
	}
	f[2].nr_steps = 2;
	t->entry[0] = address;

	migrate_disable();
	this_cpu_write(copies[0], 0x123456789abcdef0);
	this_cpu_write(copies[1], (unsigned long)t->mem);
	*(u32 *)t->mem = 0x13579bdf;
	trial_run(test, f, ARRAY_SIZE(f));
	trial_expect_number(test, &f[0], 0, (unsigned long)this_cpu_ptr(copies));
	trial_expect_number(test, &f[1], 0, 0x123456789abcdef0);
	trial_expect_number(test, &f[2], 0, 0x13579bdf);
	trial_expect_number(test, &f[3], 0, (unsigned long)this_cpu_ptr(copies));
	migrate_enable();
}

/* Memory */

static void test_sizes(struct kunit *test)
{
	struct trial *t = test->priv;
	struct probe_fetch *f = t->f;
	unsigned int i, nr = 0;

	for (i = 0; i < 16; i++)
		t->mem[i] = 0xf0 + i;
	for (i = 0; i < 32; i++) {
		f[nr++] = trial_memory(t->mem + i / 4, sizes[i % 4]);
		/* A load of a zero is not a fault. */
		f[nr++] = trial_memory(t->mem + 64 + i, sizes[i % 4]);
	}
	trial_run(test, f, nr);
	for (i = 0; i < 32; i++) {
		trial_expect_number(test, &f[2 * i], 0,
				    trial_read(t->mem + i / 4, sizes[i % 4]));
		trial_expect_number(test, &f[2 * i + 1], 0, 0);
	}
}

static void test_bad_addresses(struct kunit *test)
{
	unsigned long bad[TRIAL_MAX_BAD];
	unsigned int i, j, n = trial_bad_addresses(test, bad);
	struct probe_step user = { .user = true };

	for (i = 0; i < n; i++) {
		void *addr = (void *)bad[i];
		struct probe_fetch f[] = {
			trial_memory(addr, 1), trial_memory(addr, 2),
			trial_memory(addr, 4), trial_memory(addr, 8), trial_memory(addr, 4),
			trial_value(PROBE_SRC_IMM, bad[i], 8),
			trial_memory(addr, 2), trial_string(addr), trial_string(addr),
		};

		f[4].user = true;
		f[5].steps = &user;
		f[5].nr_steps = 1;
		f[6].count = 3;
		f[8].str_user = true;
		trial_run(test, f, ARRAY_SIZE(f));
		for (j = 0; j < 6; j++)
			trial_expect_fault(test, &f[j], 0);
		for (j = 0; j < 3; j++)
			trial_expect_fault(test, &f[6], j);
		trial_expect_no_text(test, &f[7], 0);
		trial_expect_no_text(test, &f[8], 0);
	}
}

/* Chains of pointers, intact and with a bad pointer at each link. */
static void test_depth(struct kunit *test)
{
	struct trial *t = test->priv;
	unsigned long *chain = (unsigned long *)t->mem, bad[TRIAL_MAX_BAD];
	unsigned int n = trial_bad_addresses(test, bad), depth, i;
	struct probe_step steps[PROBE_MAX_DEREF];

	for (i = 0; i < PROBE_MAX_DEREF; i++)
		steps[i] = (struct probe_step){ .off = i * sizeof(*chain) };
	for (depth = 0; depth <= PROBE_MAX_DEREF; depth++) {
		struct probe_fetch f[] = {
			trial_memory(chain, 4), trial_string(chain),
			trial_memory(t->mem, sizeof(*chain)),
		};
		int broken;

		for (i = 0; i < 2; i++) {
			f[i].steps = steps;
			f[i].nr_steps = depth;
			f[i].off = depth * sizeof(*chain);
		}
		for (broken = -1; broken < (int)depth; broken++) {
			/* Step i adds i words and so reads chain[3 * i]. */
			for (i = 0; i < depth; i++)
				chain[i * 3] = (unsigned long)&chain[(i + 1) * 2];
			if (broken >= 0)
				chain[broken * 3] = bad[(depth + broken) % n];
			strscpy((char *)&chain[depth * 3], "abcdefgh", 9);
			trial_run(test, f, ARRAY_SIZE(f));
			if (broken < 0) {
				trial_expect_number(test, &f[0], 0,
						    get_unaligned((u32 *)"abcd"));
				trial_expect_text(test, &f[1], 0, "abcdefgh");
			} else {
				trial_expect_fault(test, &f[0], 0);
				trial_expect_no_text(test, &f[1], 0);
			}
			trial_expect_number(test, &f[2], 0, chain[0]);
		}
	}
}

static void test_displacements(struct kunit *test)
{
	static const long offs[] = {
		0x7fff, 0x8000, -0x8000, -0x8001, 0x12345678, -0x12345678,
#ifdef CONFIG_64BIT
		0x7fffffff, 0x80000000, -0x80000001, 0x123456789a, -0x123456789a,
#endif
	};
	struct trial *t = test->priv;
	struct probe_fetch f[] = { trial_memory(NULL, 8), trial_memory(NULL, 8) };
	unsigned int i;

	put_unaligned(0x1122334455667788, (u64 *)t->mem);
	put_unaligned(0, (u64 *)(t->mem + 8));
	f[0].src = PROBE_SRC_ENTRY;
	f[1].src = PROBE_SRC_ENTRY;
	f[1].value = sizeof(long);
	for (i = 0; i < ARRAY_SIZE(offs); i++) {
		t->entry[0] = (unsigned long)t->mem - offs[i];
		t->entry[1] = (unsigned long)t->mem + 8 - offs[i];
		f[0].off = offs[i];
		f[1].off = offs[i];
		trial_run(test, f, ARRAY_SIZE(f));
		trial_expect_number(test, &f[0], 0, 0x1122334455667788);
		trial_expect_number(test, &f[1], 0, 0);
	}
}

/* Arrays that end at the end of the mapped memory or extend beyond it. */
static void test_arrays(struct kunit *test)
{
	struct trial *t = test->priv;
	u8 *end = t->mem + 2 * PAGE_SIZE;
	unsigned int s, in, i;

	for (i = 0; i < 1024; i++)
		end[-1 - (int)i] = i * 7 + 1;
	for (s = 0; s < ARRAY_SIZE(sizes); s++) {
		for (in = 0; in <= PROBE_MAX_ARRAY; in += in < 8 ? 1 : 4) {
			u8 *start = end - in * sizes[s];
			struct probe_fetch f[] = {
				trial_memory(end, 1), trial_memory(start, sizes[s]),
				trial_memory(t->mem, 1),
			};

			f[1].count = PROBE_MAX_ARRAY;
			trial_run(test, f, ARRAY_SIZE(f));
			trial_expect_fault(test, &f[0], 0);
			for (i = 0; i < in; i++)
				trial_expect_number(test, &f[1], i,
						    trial_read(start + i * sizes[s], sizes[s]));
			for (; i < PROBE_MAX_ARRAY; i++)
				trial_expect_fault(test, &f[1], i);
			trial_expect_number(test, &f[2], 0, t->mem[0]);
		}
	}
}

static u64 bits_of(u64 v, const struct probe_bits *b)
{
	v = v >> b->shift & (~0ULL >> (64 - b->width));
	if (b->is_signed && v >> (b->width - 1))
		v |= ~0ULL << (b->width - 1);
	return v;
}

static void check_bits(struct kunit *test, unsigned int size, unsigned int load,
		       unsigned int width)
{
	static const u64 v = 0x9f3c5a7182e4d6b0, v2 = 0x60c3a58e7d1b294f;
	struct trial *t = test->priv;
	unsigned int i, top = load * 8 - width;
	struct probe_fetch f[4];

	for (i = 0; i < load; i++) {
		unsigned int at = IS_ENABLED(CONFIG_CPU_BIG_ENDIAN) ? load - 1 - i : i;

		t->mem[at] = v >> 8 * i;
		t->mem[load + at] = v2 >> 8 * i;
	}
	for (i = 0; i < ARRAY_SIZE(f); i++) {
		f[i] = trial_memory(t->mem, size);
		f[i].bits = (struct probe_bits){ .width = width, .load = load,
			.shift = i % 2 ? top : top / 2, .is_signed = i / 2 };
	}
	if (size == load)
		f[3].count = 2;
	trial_run(test, f, ARRAY_SIZE(f));
	for (i = 0; i < ARRAY_SIZE(f); i++)
		trial_expect_number(test, &f[i], 0, bits_of(v, &f[i].bits));
	if (size == load)
		trial_expect_number(test, &f[3], 1, bits_of(v2, &f[3].bits));
}

static void test_bitfields(struct kunit *test)
{
	unsigned int s, l, width;

	for (l = 0; l < ARRAY_SIZE(sizes); l++)
		for (s = 0; s <= l; s++)
			for (width = 1; width <= sizes[s] * 8; width += 1 + width / 4)
				check_bits(test, sizes[s], sizes[l], width);
}

/* Bit @n, from the least significant one, of the integer of @size bytes at @p. */
static u64 bit_of(const u8 *p, unsigned int size, unsigned int n)
{
	unsigned int at = IS_ENABLED(CONFIG_CPU_BIG_ENDIAN) ? size - 1 - n / 8 : n / 8;

	return p[at] >> n % 8 & 1;
}

static u64 long_bits_of(const u8 *p, const struct probe_bits *b)
{
	unsigned int i;
	u64 v = 0;

	for (i = 0; i < 64; i++)
		if (i < b->width || b->is_signed)
			v |= bit_of(p, b->load, b->shift + min(i, b->width - 1U)) << i;
	return v;
}

/* The last bytes before an unmapped page can be read, but not from one byte later. */
static void check_odd_bits(struct kunit *test, struct probe_bits b)
{
	struct trial *t = test->priv;
	u8 *p = t->mem + 2 * PAGE_SIZE - b.load;
	struct probe_fetch f[] = {
		trial_memory(p, 8), trial_memory(p, 8), trial_memory(p + 1, 8),
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(f); i++)
		f[i].bits = b;
	f[1].bits.is_signed = true;
	trial_run(test, f, ARRAY_SIZE(f));
	trial_expect_number(test, &f[0], 0, long_bits_of(p, &f[0].bits));
	trial_expect_number(test, &f[1], 0, long_bits_of(p, &f[1].bits));
	trial_expect_fault(test, &f[2], 0);
}

/* Bitfields that cannot be read with one load. */
static void test_odd_bitfields(struct kunit *test)
{
	static const u8 loads[] = { 3, 5, 6, 7, 9 };
	struct trial *t = test->priv;
	unsigned int i, shift, end;

	for (i = 1; i <= PROBE_MAX_BITS_LOAD; i++)
		t->mem[2 * PAGE_SIZE - i] = i * 0x4d + 0x86;
	for (i = 0; i < ARRAY_SIZE(loads); i++) {
		for (shift = 0; shift < 8; shift++) {
			for (end = 0; end < 8; end++) {
				struct probe_bits b = {
					.load = loads[i], .shift = shift,
					.width = loads[i] * 8 - shift - end,
				};

				if (b.width <= 64)
					check_odd_bits(test, b);
			}
		}
	}
}

/* The program itself */

/* Faults are fixed up even if the task has no capabilities. */
static void test_unprivileged(struct kunit *test)
{
	struct trial *t = test->priv;
	struct probe_fetch f = trial_memory(t->mem + 2 * PAGE_SIZE, 8);
	const struct cred *old;
	struct cred *cred;

	cred = prepare_creds();
	KUNIT_ASSERT_NOT_NULL(test, cred);
	cap_clear(cred->cap_effective);
	old = override_creds(cred);
	trial_run(test, &f, 1);
	revert_creds(old);
	put_cred(cred);
	trial_expect_fault(test, &f, 0);
}

struct remote {
	struct trial		*t;
	struct bpf_prog		*prog;
};

static void run_remote(void *info)
{
	struct remote *r = info;

	trial_run_once(r->t, r->prog, r->t->rec, 0xa5);
}

/* Run a program with interrupts off. */
static void test_interrupts_off(struct kunit *test)
{
	struct trial *t = test->priv;
	struct probe_fetch f[] = {
		trial_memory(t->mem, 4), trial_memory(t->mem + 2 * PAGE_SIZE, 4),
		trial_string(t->mem), trial_string(t->mem + 2 * PAGE_SIZE),
		trial_memory(NULL, 4),
	};
	struct remote r = { .t = t };

	f[4].user = true;
	strscpy(t->mem, "four", 5);
	r.prog = trial_load(test, f, ARRAY_SIZE(f), TRIAL_NATIVE);
	smp_call_function_any(cpu_online_mask, run_remote, &r, true);
	probe_prog_free(r.prog);
	trial_expect_number(test, &f[0], 0, get_unaligned((u32 *)"four"));
	trial_expect_fault(test, &f[1], 0);
	trial_expect_text(test, &f[2], 0, "four");
	trial_expect_no_text(test, &f[3], 0);
	trial_expect_fault(test, &f[4], 0);
}

static bool note_belongs_to(const struct bpf_prog *prog, struct probe_hit *hit,
			    const void *addr, unsigned long ip, bool *again)
{
	bool faulted;

	guard(preempt)();
	probe_prog_run(prog, hit);
	faulted = bpf_load_faulted((unsigned long)addr, ip);
	*again = bpf_load_faulted((unsigned long)addr, ip);
	return faulted;
}

/*
 * The note of a fault belongs to one address and one program, and can be taken only once.
 * The test's program does not call the helper, which would take the note.
 */
static void test_fault_note(struct kunit *test)
{
	struct trial *t = test->priv;
	void *bad = t->mem + 2 * PAGE_SIZE;
	struct bpf_insn insns[] = {
		BPF_LD_IMM64(BPF_REG_1, (unsigned long)bad),
		BPF_LDX_MEM(BPF_DW, BPF_REG_0, BPF_REG_1, 0),
		BPF_EXIT_INSN(),
	};
	struct probe_code code = { .insn = insns, .len = ARRAY_SIZE(insns), .nr_ex = 1 };
	struct probe_hit hit = { .regs = &t->regs, .rec = t->rec };
	struct bpf_prog *prog;
	unsigned long ip;
	bool again;

	insns[2].code = BPF_LDX | BPF_PROBE_MEM | BPF_DW;
	if (!IS_ENABLED(CONFIG_BPF_JIT) ||
	    !(IS_ENABLED(CONFIG_X86_64) || IS_ENABLED(CONFIG_ARM64)))
		kunit_skip(test, "faults are not noted");
	prog = probe_prog_new(&code, "note");
	KUNIT_ASSERT_FALSE(test, IS_ERR(prog));
	if (!prog->jited) {
		probe_prog_free(prog);
		kunit_skip(test, "the program is interpreted");
	}
	ip = (unsigned long)prog->bpf_func;

	KUNIT_EXPECT_TRUE(test, note_belongs_to(prog, &hit, bad, ip, &again));
	KUNIT_EXPECT_FALSE(test, again);
	KUNIT_EXPECT_FALSE(test, note_belongs_to(prog, &hit, bad + 8, ip, &again));
	KUNIT_EXPECT_FALSE(test, note_belongs_to(prog, &hit, bad, _THIS_IP_, &again));
	KUNIT_EXPECT_FALSE(test, again);
	probe_prog_free(prog);
}

/* A fault is not attributed to the next load. */
static void test_zero_after_fault(struct kunit *test)
{
	struct trial *t = test->priv;
	struct probe_fetch f[] = {
		trial_memory(t->mem + 2 * PAGE_SIZE, 8), trial_memory(t->mem, 8),
		trial_memory(t->mem + 2 * PAGE_SIZE, 8),
	};

	memset(t->mem, 0, 8);
	trial_run(test, f, ARRAY_SIZE(f));
	trial_expect_fault(test, &f[0], 0);
	trial_expect_number(test, &f[1], 0, 0);
	trial_expect_fault(test, &f[2], 0);
}

/*
 * Only programs that may fault or that call a helper have a symbol.  The symbol is
 * gone after the program is freed.
 */
static void test_symbol(struct kunit *test)
{
	struct trial *t = test->priv;
	const struct {
		struct probe_fetch	f;
		unsigned int		how;
		bool			symbol;
	} cases[] = {
		{ trial_value(PROBE_SRC_IMM, 1, 8), TRIAL_NATIVE, false },
		{ trial_value(PROBE_SRC_ENTRY, 0, 8), TRIAL_NATIVE, false },
		{ trial_memory(t->mem, 8), TRIAL_NATIVE, true },
		{ trial_memory(t->mem, 8), TRIAL_NATIVE | TRIAL_PLAIN, true },
		{ trial_string(t->mem), TRIAL_NATIVE, true },
	};
	struct probe_fetch f;
	struct bpf_prog *prog;
	unsigned long addr;
	unsigned int i;

	if (!IS_ENABLED(CONFIG_BPF_JIT))
		kunit_skip(test, "only native code has a symbol");
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		f = cases[i].f;
		prog = trial_load(test, &f, 1, cases[i].how);
		addr = (unsigned long)prog->bpf_func;
		KUNIT_EXPECT_EQ(test, is_bpf_text_address(addr),
				prog->jited && cases[i].symbol);
		probe_prog_free(prog);
		rcu_barrier();
		rcu_barrier();
		KUNIT_EXPECT_FALSE(test, is_bpf_text_address(addr));
	}
	probe_prog_free(NULL);
}

/* The users of equal programs share one program.  It exists until the last user frees it. */
static void test_shared(struct kunit *test)
{
	struct trial *t = test->priv;
	struct probe_fetch one = trial_memory(t->mem, 4);
	struct probe_fetch other = trial_memory(t->mem + 4, 4);
	struct bpf_prog *progs[3], *different;
	unsigned int i;

	put_unaligned(0x12345678, (u32 *)t->mem);
	for (i = 0; i < ARRAY_SIZE(progs); i++) {
		progs[i] = trial_load(test, &one, 1, TRIAL_NATIVE);
		/* A JIT that blinds constants makes a different program each time. */
		if (!progs[i]->blinding_requested)
			KUNIT_EXPECT_PTR_EQ(test, progs[0], progs[i]);
	}
	different = trial_load(test, &other, 1, TRIAL_NATIVE);
	KUNIT_EXPECT_PTR_NE(test, progs[0], different);
	probe_prog_free(different);

	for (i = 0; i < ARRAY_SIZE(progs); i++) {
		trial_run_once(t, progs[i], t->rec, 0xa5);
		trial_expect_number(test, &one, 0, 0x12345678);
		probe_prog_free(progs[i]);
		/* Wait until freed programs are gone. */
		rcu_barrier();
		rcu_barrier();
	}
}

/* Fetch programs have no statistics. */
static void test_no_statistics(struct kunit *test)
{
	struct probe_fetch f = trial_value(PROBE_SRC_IMM, 1, 8);
	struct bpf_prog *prog = trial_load(test, &f, 1, TRIAL_NATIVE);

	KUNIT_EXPECT_TRUE(test, !prog->stats);
	probe_prog_free(prog);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(test_registers),
	KUNIT_CASE(test_sources),
	KUNIT_CASE(test_this_cpu),
#ifdef CONFIG_HAVE_FUNCTION_ARG_ACCESS_API
	KUNIT_CASE(test_stack),
#endif
	KUNIT_CASE(test_sizes),
	KUNIT_CASE(test_bad_addresses),
	KUNIT_CASE(test_depth),
	KUNIT_CASE(test_displacements),
	KUNIT_CASE(test_arrays),
	KUNIT_CASE(test_bitfields),
	KUNIT_CASE(test_odd_bitfields),
	KUNIT_CASE(test_unprivileged),
	KUNIT_CASE(test_interrupts_off),
	KUNIT_CASE(test_fault_note),
	KUNIT_CASE(test_zero_after_fault),
	KUNIT_CASE(test_symbol),
	KUNIT_CASE(test_shared),
	KUNIT_CASE(test_no_statistics),
	{}
};

static struct kunit_suite suite = {
	.name = "probe_codegen",
	.init = trial_init,
	.exit = trial_exit,
	.test_cases = cases,
};

kunit_test_suites(&suite);
