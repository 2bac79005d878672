// SPDX-License-Identifier: GPL-2.0
/*
 * Each program is generated in four variants: with loads that may fault or with
 * calls instead, and for the JIT or for the interpreter.  The first variant
 * runs on a record filled with one byte value, and all variants run on records
 * filled with another value.  All runs must give the same record, so no old byte may
 * remain.  The first run must not write before the arguments or after the room for
 * dynamic data.  The test then checks the record.
 */
#include <linux/filter.h>
#include <linux/string.h>
#include <linux/unaligned.h>
#include <linux/vmalloc.h>

#include "trial.h"

int trial_init(struct kunit *test)
{
	struct trial *t = kunit_kzalloc(test, sizeof(*t), GFP_KERNEL);

	if (!t)
		return -ENOMEM;
	t->room = 2048;
	/* The page after the allocation is not mapped. */
	t->mem = vzalloc(2 * PAGE_SIZE);
	test->priv = t;
	return t->mem ? 0 : -ENOMEM;
}

void trial_exit(struct kunit *test)
{
	struct trial *t = test->priv;

	if (t)
		vfree(t->mem);
}

/* Addresses that cannot be read. */
unsigned int trial_bad_addresses(struct kunit *test, unsigned long *bad)
{
	struct trial *t = test->priv;
	unsigned int n = 0;

	bad[n++] = (unsigned long)t->mem + 2 * PAGE_SIZE;
	bad[n++] = -4095UL;
	/*
	 * On s390, kernel memory begins at 0.  A load from the last addresses wraps
	 * around and ends there.
	 */
#ifdef CONFIG_ARCH_HAS_NON_OVERLAPPING_ADDRESS_SPACE
	bad[n++] = -1UL;
	bad[n++] = -8UL;
	bad[n++] = 0;
	bad[n++] = 8;
	bad[n++] = PAGE_SIZE;
	/* Tests add small offsets; on 32-bit machines, the kernel can begin at TASK_SIZE. */
	bad[n++] = TASK_SIZE - 256;
#ifdef CONFIG_64BIT
	bad[n++] = TASK_SIZE;
#endif
#endif
#ifdef CONFIG_X86_64
	bad[n++] = TASK_SIZE_MAX;
	bad[n++] = TASK_SIZE_MAX + PAGE_SIZE;
	bad[n++] = 0x8000000000000000;
	bad[n++] = 0xdead000000000100;
	bad[n++] = 0xffffffffff600000;	/* vsyscall page */
#endif
#ifdef CONFIG_ARM64
	/* Addresses with tags.  Bit 55 distinguishes user addresses from kernel addresses. */
	bad[n++] = 0xb400000000000000 + PAGE_SIZE;
	bad[n++] = 0x4080000000000000;
#endif
	return n;
}

/* Also sets the layout of the record. */
struct bpf_prog *trial_load(struct kunit *test, struct probe_fetch *f,
			    unsigned int nr, unsigned int how)
{
	struct trial *t = test->priv;
	bool native = how & TRIAL_NATIVE;
	struct probe_code code = {};
	struct probe_arch arch;
	struct bpf_prog *prog;
	int ret;

#ifdef CONFIG_BPF_JIT
	int jit_was = bpf_jit_enable;
#endif

	KUNIT_ASSERT_EQ(test, probe_layout_set(&t->l, TRIAL_HEAD, f, nr), 0);
	KUNIT_ASSERT_LE(test, t->l.size + t->room, TRIAL_RECORD);

	probe_arch_get(&arch);
	arch.in_user = t->in_user;
	if (how & TRIAL_PLAIN)
		arch.probe_mem = false;
	if (!native) {
		arch.percpu = false;
		arch.current_task = 0;
	}
	ret = probe_codegen(&code, &arch, &t->l, f, nr, t->predicate);
	KUNIT_EXPECT_EQ(test, ret, 0);
#ifdef CONFIG_BPF_JIT
	bpf_jit_enable = native;
#endif
	prog = ret ? ERR_PTR(ret) : probe_prog_new(&code, "kunit");
#ifdef CONFIG_BPF_JIT
	bpf_jit_enable = jit_was;
#endif
	probe_code_free(&code);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, prog);
	if ((IS_ENABLED(CONFIG_X86_64) || IS_ENABLED(CONFIG_ARM64)) && IS_ENABLED(CONFIG_BPF_JIT))
		KUNIT_EXPECT_TRUE(test, prog->jited == native);
	return prog;
}

void trial_run_once(struct trial *t, const struct bpf_prog *prog, u8 *rec, u8 old)
{
	struct probe_hit hit = {
		.regs = t->no_regs ? NULL : &t->regs,
		.rec = rec,
		.entry = t->entry,
		.dyn = t->l.size,
		.end = t->l.size + t->room,
		.head[0] = t->place,
	};

	memset(rec, old, TRIAL_RECORD);
	/* Programs of probes in user space may sleep. */
	if (!t->in_user)
		preempt_disable();
	t->verdict = probe_prog_run(prog, &hit);
	if (!t->in_user)
		preempt_enable();
	t->dyn = hit.dyn;
}

static void expect_old(struct kunit *test, const u8 *rec, u8 old, u32 from, u32 to)
{
	KUNIT_EXPECT_PTR_EQ_MSG(test, memchr_inv(rec + from, old, to - from), NULL,
				"written between %u and %u", from, to);
}

static void run_program(struct kunit *test, const struct bpf_prog *prog, bool first)
{
	struct trial *t = test->priv;
	u32 dyn;

	if (first) {
		trial_run_once(t, prog, t->rec, 0xa5);
		expect_old(test, t->rec, 0xa5, 0, TRIAL_HEAD);
		expect_old(test, t->rec, 0xa5, t->l.size + t->room, TRIAL_RECORD);
	}
	dyn = t->dyn;
	KUNIT_ASSERT_LE(test, dyn, t->l.size + t->room);
	trial_run_once(t, prog, t->again, 0x5a);
	KUNIT_EXPECT_EQ(test, t->dyn, dyn);
	KUNIT_EXPECT_MEMEQ(test, t->again + TRIAL_HEAD, t->rec + TRIAL_HEAD, dyn - TRIAL_HEAD);
}

void trial_run(struct kunit *test, struct probe_fetch *f, unsigned int nr)
{
	static const unsigned int how[] = {
		TRIAL_NATIVE, TRIAL_NATIVE | TRIAL_PLAIN, 0, TRIAL_PLAIN,
	};
	struct bpf_prog *prog;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(how); i++) {
		/* With BPF_JIT_ALWAYS_ON there is no interpreter. */
		if (IS_ENABLED(CONFIG_BPF_JIT_ALWAYS_ON) && !(how[i] & TRIAL_NATIVE))
			break;
		prog = trial_load(test, f, nr, how[i]);
		run_program(test, prog, !i);
		probe_prog_free(prog);
	}
}

/* Read a number of @size bytes. */
u64 trial_read(const void *p, unsigned int size)
{
	switch (size) {
	case 1:
		return *(u8 *)p;
	case 2:
		return get_unaligned((u16 *)p);
	case 4:
		return get_unaligned((u32 *)p);
	default:
		return get_unaligned((u64 *)p);
	}
}

static u64 number_of(struct kunit *test, const struct probe_fetch *f, unsigned int i)
{
	struct trial *t = test->priv;

	return trial_read(t->rec + f->dst + i * f->size, f->size);
}

static bool faulted(struct kunit *test, const struct probe_fetch *f, unsigned int i)
{
	struct trial *t = test->priv;
	const u8 *map = t->rec + t->l.fixed;
	unsigned int bit = f->fault + i;

	KUNIT_EXPECT_TRUE(test, map[0] & BIT(PROBE_MAP_MARK));
	return map[bit / 8] >> bit % 8 & 1;
}

void trial_expect_number(struct kunit *test, const struct probe_fetch *f,
			 unsigned int i, u64 v)
{
	if (f->size < 8)
		v &= BIT_ULL(f->size * 8) - 1;
	KUNIT_EXPECT_EQ(test, number_of(test, f, i), v);
	KUNIT_EXPECT_FALSE(test, faulted(test, f, i));
}

void trial_expect_fault(struct kunit *test, const struct probe_fetch *f, unsigned int i)
{
	KUNIT_EXPECT_EQ(test, number_of(test, f, i), 0);
	KUNIT_EXPECT_TRUE(test, faulted(test, f, i));
}

const char *trial_text(struct kunit *test, const struct probe_fetch *f,
		       unsigned int i, u32 *len)
{
	struct trial *t = test->priv;
	u32 loc = get_unaligned((u32 *)(t->rec + f->dst + i * 4));
	u32 off = probe_data_loc_offset(loc);

	*len = probe_data_loc_len(loc);
	KUNIT_ASSERT_GE(test, off, TRIAL_HEAD);
	KUNIT_ASSERT_LE(test, off + *len, t->dyn);
	return t->rec + off;
}

void trial_expect_text(struct kunit *test, const struct probe_fetch *f,
		       unsigned int i, const char *want)
{
	const char *is;
	u32 len;

	is = trial_text(test, f, i, &len);
	KUNIT_EXPECT_EQ(test, len, strlen(want) + 1);
	if (len)
		KUNIT_EXPECT_STREQ(test, is, want);
}

void trial_expect_no_text(struct kunit *test, const struct probe_fetch *f, unsigned int i)
{
	const char *is;
	u32 len;

	is = trial_text(test, f, i, &len);
	KUNIT_EXPECT_EQ(test, len, 0);
	KUNIT_EXPECT_STREQ(test, is, "");
}

/* Expect the first @len - PROBE_CUT_LEN bytes of @whole, then PROBE_CUT. */
void trial_expect_cut(struct kunit *test, const struct probe_fetch *f,
		      const char *whole, u32 len)
{
	const char *is;
	u32 is_len;

	is = trial_text(test, f, 0, &is_len);
	KUNIT_ASSERT_EQ(test, is_len, len);
	KUNIT_ASSERT_GE(test, len, PROBE_CUT_LEN);
	KUNIT_EXPECT_MEMEQ(test, is, whole, len - PROBE_CUT_LEN);
	KUNIT_EXPECT_MEMEQ(test, is + len - PROBE_CUT_LEN, PROBE_CUT, PROBE_CUT_LEN);
}
