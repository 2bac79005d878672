// SPDX-License-Identifier: GPL-2.0
/*
 * Where probes may stand, and several of them at one place or close to another.
 */

#include <kunit/test.h>

#include <linux/bitmap.h>
#include <linux/bug.h>
#include <linux/compiler.h>
#include <linux/ftrace.h>
#include <linux/jump_label.h>
#include <linux/kprobes.h>
#include <linux/preempt.h>
#include <linux/string.h>

#include <asm/ibt.h>
#include <asm/idtentry.h>
#include <asm/insn.h>
#include <asm/text-patching.h>

/* Nothing else sets a debugger's breakpoints without a debugger. */
#include "../../../../../kernel/debug/debug_core.h"

#include "place.h"

#define MAX_WALK	128
#define RESULT		0x1234

static DEFINE_STATIC_KEY_FALSE(key);

struct counter {
	struct kprobe kp;
	unsigned int nr_pre;
	unsigned int nr_post;
};

static int count_pre(struct kprobe *p, struct pt_regs *regs)
{
	container_of(p, struct counter, kp)->nr_pre++;
	return 0;
}

static void count_post(struct kprobe *p, struct pt_regs *regs, unsigned long flags)
{
	container_of(p, struct counter, kp)->nr_post++;
}

static int add(struct counter *c, const void *addr, bool post)
{
	memset(c, 0, sizeof(*c));
	c->kp.addr = (kprobe_opcode_t *)addr;
	c->kp.pre_handler = count_pre;
	c->kp.post_handler = post ? count_post : NULL;
	return register_kprobe(&c->kp);
}

static bool has_jump(const void *addr)
{
	struct kprobe *p;
	bool optimized;

	wait_for_kprobe_optimizer();
	preempt_disable();
	p = get_kprobe((kprobe_opcode_t *)addr);
	optimized = p && kprobe_optimized(p) && *(u8 *)addr == JMP32_INSN_OPCODE;
	preempt_enable();
	return optimized;
}

/* Instructions that no probe can stand on. */
static void place_refused(struct kunit *test)
{
	const struct place_site *s;
	struct counter c;
	int ret;

	for (s = kprobes_places; s < kprobes_places_end; s++) {
		ret = add(&c, s->addr, false);
		KUNIT_EXPECT_EQ_MSG(test, ret, -EOPNOTSUPP, "%s", s->name);
		if (!ret)
			unregister_kprobe(&c.kp);
	}
	KUNIT_EXPECT_EQ(test, add(&c, kprobes_place_halt, true), -EOPNOTSUPP);
	KUNIT_EXPECT_EQ(test, add(&c, kprobes_place_halt, false), 0);
	unregister_kprobe(&c.kp);
}

static noinline int with_static_branch(void)
{
	if (static_branch_unlikely(&key))
		return 1;
	return 2;
}

static noinline void with_warning(bool yes)
{
	WARN_ON(yes);
}

/* Put a probe on each instruction of a function, and return how many are refused. */
static unsigned int refused_in(struct kunit *test, const void *function, int err)
{
	unsigned long size, offset = 0;
	unsigned int nr = 0;
	struct counter c;
	struct insn insn;
	int ret;

	KUNIT_ASSERT_TRUE(test, kallsyms_lookup_size_offset((unsigned long)function, &size,
							    &offset));
	for (offset = 0; offset < size; offset += insn.length) {
		KUNIT_ASSERT_EQ(test, insn_decode_kernel(&insn, function + offset), 0);
		ret = add(&c, function + offset, false);
		if (!ret)
			unregister_kprobe(&c.kp);
		else if (ret == err)
			nr++;
		else
			KUNIT_FAIL(test, "%ps+%lu: %d", function, offset, ret);
	}
	return nr;
}

static void place_reserved(struct kunit *test)
{
	struct counter c;
	unsigned int i;

	KUNIT_EXPECT_EQ(test, add(&c, kprobes_place_nokprobe, false), -EINVAL);
	KUNIT_EXPECT_EQ(test, add(&c, kprobes_place_noinstr, false), -EINVAL);
	KUNIT_EXPECT_EQ(test, add(&c, asm_exc_int3, false), -EINVAL);
	for (i = 0; i < 3; i++)
		KUNIT_EXPECT_EQ_MSG(test, add(&c, kprobes_place_alternative + i, false),
				    -EINVAL, "at %u", i);
	KUNIT_EXPECT_EQ(test, add(&c, kprobes_place_alternative + 3, false), 0);
	unregister_kprobe(&c.kp);

	KUNIT_EXPECT_EQ(test, add(&c, &key, false), -EINVAL);
	KUNIT_EXPECT_EQ(test, refused_in(test, with_static_branch, -EINVAL), 1);
	KUNIT_EXPECT_EQ(test, with_static_branch(), 2);
	KUNIT_EXPECT_EQ(test, refused_in(test, with_warning, -EINVAL), 1);
	with_warning(false);
}

/* What an indirect call lands on stays; at the start, the probe is behind it. */
static void place_landing(struct kunit *test)
{
	void *start = kprobes_place_landing;
	struct counter c;

	KUNIT_EXPECT_EQ(test, add(&c, kprobes_place_landing_inside, false), -EILSEQ);
	KUNIT_ASSERT_EQ(test, add(&c, start, false), 0);
	KUNIT_EXPECT_PTR_EQ(test, (void *)c.kp.addr, start + ENDBR_INSN_SIZE);
	KUNIT_EXPECT_TRUE(test, is_endbr(*(u32 *)start));
	kprobes_place_landing();
	unregister_kprobe(&c.kp);
	KUNIT_EXPECT_EQ(test, c.nr_pre, 1);
}

static noinline int with_ftrace(void)
{
	barrier();
	return RESULT;
}

/* A call of ftrace's, or the nop in its place, is one instruction. */
static void place_ftrace(struct kunit *test)
{
	u8 *at = (u8 *)ftrace_location((unsigned long)with_ftrace);
	struct counter c;
	unsigned int i;

	if (!IS_ENABLED(CONFIG_KPROBES_ON_FTRACE))
		kunit_skip(test, "no probes on ftrace");
	KUNIT_ASSERT_NOT_NULL(test, at);
	for (i = 1; i < MCOUNT_INSN_SIZE; i++)
		KUNIT_EXPECT_EQ_MSG(test, add(&c, at + i, false), -EILSEQ, "at %u", i);

	KUNIT_ASSERT_EQ(test, add(&c, at, false), 0);
	KUNIT_EXPECT_TRUE(test, kprobe_ftrace(&c.kp));
	KUNIT_EXPECT_EQ(test, with_ftrace(), RESULT);
	KUNIT_EXPECT_EQ(test, c.nr_pre, 1);
	unregister_kprobe(&c.kp);
}

/* A breakpoint that is not ours: what is behind it cannot be known. */
static void place_debugger(struct kunit *test)
{
#ifdef CONFIG_KGDB
	u8 *at = (u8 *)kprobes_place_five;
	struct counter c;

	KUNIT_ASSERT_EQ(test, dbg_set_sw_break((unsigned long)at + 1), 0);
	KUNIT_EXPECT_EQ(test, dbg_activate_sw_breakpoints(), 0);
	KUNIT_EXPECT_EQ(test, at[1], INT3_INSN_OPCODE);
	KUNIT_EXPECT_EQ(test, add(&c, at + 1, false), -EILSEQ);
	KUNIT_EXPECT_EQ(test, add(&c, at + 5, false), -EILSEQ);
	KUNIT_ASSERT_EQ(test, add(&c, at, false), 0);
	KUNIT_EXPECT_FALSE(test, has_jump(at));
	KUNIT_EXPECT_EQ(test, dbg_deactivate_sw_breakpoints(), 0);
	KUNIT_EXPECT_EQ(test, dbg_remove_sw_break((unsigned long)at + 1), 0);
	KUNIT_EXPECT_EQ(test, kprobes_place_five(RESULT), RESULT + 5);
	KUNIT_EXPECT_EQ(test, c.nr_pre, 1);
	unregister_kprobe(&c.kp);
#else
	kunit_skip(test, "no kgdb");
#endif
}

/* Only where instructions begin, whoever has a probe before that place. */
static void check_walk(struct kunit *test, const unsigned long *begins, unsigned int skip)
{
	unsigned int i;
	struct counter c;
	int ret;

	for (i = skip; i < kprobes_place_walk_size; i++) {
		ret = add(&c, (u8 *)kprobes_place_walk + i, false);
		KUNIT_EXPECT_EQ_MSG(test, ret, test_bit(i, begins) ? 0 : -EILSEQ,
				    "at %u", i);
		if (ret)
			continue;
		KUNIT_EXPECT_EQ_MSG(test, kprobes_place_walk(RESULT), RESULT, "at %u", i);
		KUNIT_EXPECT_LE_MSG(test, c.nr_pre, 1, "at %u", i);
		unregister_kprobe(&c.kp);
	}
}

static void place_middle(struct kunit *test)
{
	DECLARE_BITMAP(begins, MAX_WALK) = {};
	u8 *text = (u8 *)kprobes_place_walk;
	struct counter first, second;
	struct insn insn;
	unsigned int i;

	KUNIT_ASSERT_LT(test, kprobes_place_walk_size, MAX_WALK);
	for (i = 0; i < kprobes_place_walk_size; i += insn.length) {
		__set_bit(i, begins);
		KUNIT_ASSERT_EQ(test, insn_decode_kernel(&insn, text + i), 0);
	}
	KUNIT_EXPECT_EQ(test, kprobes_place_walk(RESULT), RESULT);
	check_walk(test, begins, 0);

	/* Behind a jump, and then a breakpoint; the latter in the former's tail. */
	KUNIT_ASSERT_EQ(test, add(&first, text, false), 0);
	KUNIT_EXPECT_TRUE(test, has_jump(text));
	check_walk(test, begins, 1);
	KUNIT_ASSERT_EQ(test, add(&second, text, true), 0);
	KUNIT_EXPECT_FALSE(test, has_jump(text));
	check_walk(test, begins, 1);
	unregister_kprobe(&second.kp);
	unregister_kprobe(&first.kp);

	/* An instruction that a probe stands on in the middle of the function. */
	KUNIT_ASSERT_EQ(test, add(&first, text + 5, true), 0);
	KUNIT_ASSERT_EQ(test, add(&second, text + 15, false), 0);
	wait_for_kprobe_optimizer();
	check_walk(test, begins, 0);
	unregister_kprobe(&second.kp);
	unregister_kprobe(&first.kp);
	KUNIT_EXPECT_EQ(test, kprobes_place_walk(RESULT), RESULT);
}

static void hit_five(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, kprobes_place_five(RESULT), RESULT + 5);
}

/* A second probe at the same place wants to know when the instruction is through. */
static void place_second_post(struct kunit *test)
{
	u8 *at = (u8 *)kprobes_place_five + 1;
	struct counter first, second;
	bool jump;

	for (jump = false; ; jump = true) {
		KUNIT_ASSERT_EQ(test, add(&first, at, false), 0);
		if (jump)
			KUNIT_EXPECT_TRUE(test, has_jump(at));
		hit_five(test);
		KUNIT_EXPECT_EQ(test, first.nr_pre, 1);

		KUNIT_ASSERT_EQ(test, add(&second, at, true), 0);
		KUNIT_EXPECT_FALSE(test, has_jump(at));
		hit_five(test);
		KUNIT_EXPECT_EQ(test, first.nr_pre, 2);
		KUNIT_EXPECT_EQ(test, second.nr_pre, 1);
		KUNIT_EXPECT_EQ(test, second.nr_post, 1);

		unregister_kprobe(&second.kp);
		hit_five(test);
		KUNIT_EXPECT_EQ(test, first.nr_pre, 3);
		KUNIT_EXPECT_EQ(test, second.nr_pre, 1);
		KUNIT_EXPECT_EQ(test, second.nr_post, 1);

		unregister_kprobe(&first.kp);
		hit_five(test);
		KUNIT_EXPECT_EQ(test, first.nr_pre, 3);
		if (jump)
			break;
	}
}

/* The other order, and who came first leaves first. */
static void place_first_leaves(struct kunit *test)
{
	u8 *at = (u8 *)kprobes_place_five + 1;
	struct counter first, second;

	KUNIT_ASSERT_EQ(test, add(&first, at, true), 0);
	KUNIT_ASSERT_EQ(test, add(&second, at, false), 0);
	hit_five(test);
	unregister_kprobe(&first.kp);
	hit_five(test);
	KUNIT_EXPECT_EQ(test, first.nr_pre, 1);
	KUNIT_EXPECT_EQ(test, first.nr_post, 1);
	KUNIT_EXPECT_EQ(test, second.nr_pre, 2);
	wait_for_kprobe_optimizer();
	hit_five(test);
	KUNIT_EXPECT_EQ(test, second.nr_pre, 3);
	unregister_kprobe(&second.kp);
	hit_five(test);
	KUNIT_EXPECT_EQ(test, second.nr_pre, 3);
}

/* A probe on an instruction that another one's jump has replaced. */
static void place_within_jump(struct kunit *test)
{
	u8 *at = (u8 *)kprobes_place_five;
	struct counter first, second;

	KUNIT_ASSERT_EQ(test, add(&first, at, false), 0);
	KUNIT_EXPECT_TRUE(test, has_jump(at));
	hit_five(test);
	KUNIT_EXPECT_EQ(test, first.nr_pre, 1);

	KUNIT_ASSERT_EQ(test, add(&second, at + 1, false), 0);
	KUNIT_EXPECT_EQ(test, *at, INT3_INSN_OPCODE);
	hit_five(test);
	KUNIT_EXPECT_FALSE(test, has_jump(at));
	KUNIT_EXPECT_TRUE(test, has_jump(at + 1));
	hit_five(test);
	KUNIT_EXPECT_EQ(test, first.nr_pre, 3);
	KUNIT_EXPECT_EQ(test, second.nr_pre, 2);

	unregister_kprobe(&second.kp);
	hit_five(test);
	KUNIT_EXPECT_EQ(test, first.nr_pre, 4);
	KUNIT_EXPECT_TRUE(test, has_jump(at));
	hit_five(test);
	KUNIT_EXPECT_EQ(test, first.nr_pre, 5);
	KUNIT_EXPECT_EQ(test, second.nr_pre, 2);

	/* The one before leaves while the other stays. */
	KUNIT_ASSERT_EQ(test, add(&second, at + 1, false), 0);
	unregister_kprobe(&first.kp);
	KUNIT_EXPECT_TRUE(test, has_jump(at + 1));
	hit_five(test);
	KUNIT_EXPECT_EQ(test, first.nr_pre, 5);
	KUNIT_EXPECT_EQ(test, second.nr_pre, 1);
	unregister_kprobe(&second.kp);
	hit_five(test);
	KUNIT_EXPECT_EQ(test, second.nr_pre, 1);
}

static void place_disabled(struct kunit *test)
{
	u8 *at = (u8 *)kprobes_place_five;
	struct counter c;

	KUNIT_ASSERT_EQ(test, add(&c, at, false), 0);
	KUNIT_EXPECT_TRUE(test, has_jump(at));
	KUNIT_EXPECT_EQ(test, disable_kprobe(&c.kp), 0);
	hit_five(test);
	KUNIT_EXPECT_FALSE(test, has_jump(at));
	hit_five(test);
	KUNIT_EXPECT_EQ(test, c.nr_pre, 0);
	KUNIT_EXPECT_EQ(test, enable_kprobe(&c.kp), 0);
	hit_five(test);
	KUNIT_EXPECT_TRUE(test, has_jump(at));
	hit_five(test);
	KUNIT_EXPECT_EQ(test, c.nr_pre, 2);
	unregister_kprobe(&c.kp);
}

/* A handler that says where to go on. */
static int skip_pre(struct kprobe *p, struct pt_regs *regs)
{
	count_pre(p, regs);
	/* Over the breakpoint's instruction and the next one. */
	regs->ip = (unsigned long)kprobes_place_five + 1 + 4;
	regs->ax = regs->di + 1;
	return 1;
}

static void place_redirected(struct kunit *test)
{
	struct counter c = {};

	c.kp.addr = (kprobe_opcode_t *)kprobes_place_five;
	c.kp.pre_handler = skip_pre;
	c.kp.post_handler = count_post;
	KUNIT_ASSERT_EQ(test, register_kprobe(&c.kp), 0);
	hit_five(test);
	hit_five(test);
	preempt_disable();
	KUNIT_EXPECT_NULL(test, kprobe_running());
	preempt_enable();
	unregister_kprobe(&c.kp);
	KUNIT_EXPECT_EQ(test, c.nr_pre, 2);
	KUNIT_EXPECT_EQ(test, c.nr_post, 0);
}

static struct kunit_case place_cases[] = {
	KUNIT_CASE(place_refused),
	KUNIT_CASE(place_reserved),
	KUNIT_CASE(place_landing),
	KUNIT_CASE(place_ftrace),
	KUNIT_CASE(place_debugger),
	KUNIT_CASE(place_middle),
	KUNIT_CASE(place_second_post),
	KUNIT_CASE(place_first_leaves),
	KUNIT_CASE(place_within_jump),
	KUNIT_CASE(place_disabled),
	KUNIT_CASE(place_redirected),
	{}
};

static struct kunit_suite place_suite = {
	.name = "kprobes_x86_place",
	.test_cases = place_cases,
};

kunit_test_suite(place_suite);
