// SPDX-License-Identifier: GPL-2.0
/*
 * Disabled and unregistered probes.  The optimizer removes their jumps later.  Until then,
 * probes are enabled or registered at the same address or close to it.
 */

#include <kunit/test.h>

#include <linux/compiler.h>
#include <linux/delay.h>
#include <linux/kprobes.h>
#include <linux/kthread.h>
#include <linux/preempt.h>
#include <linux/rculist.h>
#include <linux/sched/task.h>
#include <linux/string.h>

#include <asm/text-patching.h>

#include "place.h"

/* The optimizer may be faster than the test. */
#define TRIES		50

static struct place_probe lone, first, second;

static void place_disabled_exit(struct kunit *test)
{
	place_drop(&lone);
	place_drop(&second);
	place_drop(&first);
}

static void place_disabled(struct kunit *test)
{
	u8 *at = (u8 *)kprobes_place_five;

	OPTIMIZER_HIDE_VAR(at);
	KUNIT_ASSERT_EQ(test, place_add(&lone, at, false), 0);
	KUNIT_EXPECT_TRUE(test, place_has_jump(at));
	KUNIT_EXPECT_EQ(test, disable_kprobe(&lone.kp), 0);
	place_hit_five(test);
	KUNIT_EXPECT_FALSE(test, place_has_jump(at));
	place_hit_five(test);
	KUNIT_EXPECT_EQ(test, lone.nr_pre, 0);
	KUNIT_EXPECT_EQ(test, enable_kprobe(&lone.kp), 0);
	place_hit_five(test);
	KUNIT_EXPECT_TRUE(test, place_has_jump(at));
	place_hit_five(test);
	KUNIT_EXPECT_EQ(test, lone.nr_pre, 2);
	place_drop(&lone);
}

/* Enable the probe again at once, while its jump may still be in the text. */
static void place_enabled_again(struct kunit *test)
{
	u8 *at = (u8 *)kprobes_place_five, text[16];

	OPTIMIZER_HIDE_VAR(at);
	memcpy(text, at, sizeof(text));
	KUNIT_ASSERT_EQ(test, place_add(&first, at, false), 0);
	KUNIT_EXPECT_TRUE(test, place_has_jump(at));
	KUNIT_EXPECT_EQ(test, disable_kprobe(&first.kp), 0);
	KUNIT_EXPECT_EQ(test, enable_kprobe(&first.kp), 0);
	place_hit_five(test);
	KUNIT_EXPECT_EQ(test, first.nr_pre, 1);

	KUNIT_ASSERT_EQ(test, place_add(&second, at + 1, true), 0);
	KUNIT_EXPECT_EQ(test, second.kp.opcode, text[1]);
	place_hit_five(test);
	KUNIT_EXPECT_EQ(test, first.nr_pre, 2);
	KUNIT_EXPECT_EQ(test, second.nr_pre, 1);

	/* A disarmed probe in the region does not prevent the jump. */
	KUNIT_EXPECT_EQ(test, disable_kprobe(&second.kp), 0);
	KUNIT_EXPECT_TRUE(test, place_has_jump(at));
	KUNIT_EXPECT_EQ(test, disable_kprobe(&first.kp), 0);
	KUNIT_EXPECT_EQ(test, enable_kprobe(&first.kp), 0);
	KUNIT_EXPECT_TRUE(test, place_has_jump(at));
	place_drop(&second);
	place_drop(&first);
	KUNIT_EXPECT_EQ(test, memcmp(text, at, sizeof(text)), 0);
	place_hit_five(test);
}

/*
 * In one set, enable the probe again, while its jump may still be in the text, and another
 * probe on an instruction that the jump replaces.
 */
static void place_enabled_together(struct kunit *test)
{
	u8 *at = (u8 *)kprobes_place_five, text[16];

	OPTIMIZER_HIDE_VAR(at);
	memcpy(text, at, sizeof(text));
	KUNIT_ASSERT_EQ(test, place_add(&first, at, false), 0);
	KUNIT_ASSERT_EQ(test, place_add(&second, at + 1, true), 0);
	KUNIT_EXPECT_EQ(test, disable_kprobe(&second.kp), 0);
	KUNIT_EXPECT_TRUE(test, place_has_jump(at));
	KUNIT_EXPECT_EQ(test, disable_kprobe(&first.kp), 0);

	kprobes_begin_set();
	KUNIT_EXPECT_EQ(test, enable_kprobe(&first.kp), 0);
	KUNIT_EXPECT_EQ(test, enable_kprobe(&second.kp), 0);
	KUNIT_EXPECT_EQ(test, kprobes_end_set(0), 0);
	KUNIT_EXPECT_FALSE(test, place_has_jump(at));
	place_hit_five(test);
	KUNIT_EXPECT_EQ(test, first.nr_pre, 1);
	KUNIT_EXPECT_EQ(test, second.nr_pre, 1);
	place_drop(&second);
	place_drop(&first);
	KUNIT_EXPECT_EQ(test, memcmp(text, at, sizeof(text)), 0);
	place_hit_five(test);
}

static int unregister_first(void *unused)
{
	unregister_kprobe(&first.kp);
	return 0;
}

static bool in_use(const void *addr)
{
	struct kprobe *p;
	bool ret;

	preempt_disable();
	p = get_kprobe((kprobe_opcode_t *)addr);
	ret = p && !list_empty(&p->list);
	preempt_enable();
	return ret;
}

/*
 * Unregister a probe, and register a disabled probe at the same address before the optimizer
 * removes the jump.  Returns false if the optimizer was faster.
 */
static bool add_to_unused(struct kunit *test, u8 *at)
{
	struct task_struct *other;
	bool in_time;

	KUNIT_ASSERT_EQ(test, place_add(&first, at, false), 0);
	KUNIT_ASSERT_TRUE(test, place_has_jump(at));
	/* unregister_kprobe() waits for a grace period, so another thread calls it. */
	other = kthread_create(unregister_first, NULL, "kprobe_unregister");
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, other);
	first.is_added = false;
	get_task_struct(other);
	wake_up_process(other);
	while (in_use(at))
		fsleep(50);

	memset(&second, 0, sizeof(second));
	second.kp.addr = at;
	second.kp.pre_handler = place_count_pre;
	second.kp.flags = KPROBE_FLAG_DISABLED;
	KUNIT_EXPECT_EQ(test, register_kprobe(&second.kp), 0);
	second.is_added = true;
	in_time = *at == JMP32_INSN_OPCODE;
	kthread_stop(other);
	put_task_struct(other);
	return in_time;
}

static void place_reused(struct kunit *test)
{
	u8 *at = (u8 *)kprobes_place_five, text[16];
	bool in_time = false;
	unsigned int i;

	OPTIMIZER_HIDE_VAR(at);
	memcpy(text, at, sizeof(text));
	for (i = 0; i < TRIES && !in_time; i++) {
		in_time = add_to_unused(test, at);
		wait_for_kprobe_optimizer();
		KUNIT_EXPECT_EQ(test, memcmp(text, at, sizeof(text)), 0);
		place_hit_five(test);
		KUNIT_EXPECT_EQ(test, second.nr_pre, 0);

		KUNIT_EXPECT_EQ(test, enable_kprobe(&second.kp), 0);
		KUNIT_EXPECT_TRUE(test, place_has_jump(at));
		place_hit_five(test);
		KUNIT_EXPECT_EQ(test, second.nr_pre, 1);
		place_drop(&second);
		KUNIT_EXPECT_EQ(test, memcmp(text, at, sizeof(text)), 0);
	}
	KUNIT_EXPECT_TRUE(test, in_time);
}

/*
 * The optimizer removes the jump of a disabled probe later.  Arming another probe in the
 * region removes the jump at once.
 */
static void place_forced(struct kunit *test)
{
	u8 *at = (u8 *)kprobes_place_five, text[16];
	bool in_time = false;
	int i;

	OPTIMIZER_HIDE_VAR(at);
	memcpy(text, at, sizeof(text));
	KUNIT_ASSERT_EQ(test, place_add(&second, at + 1, true), 0);
	KUNIT_EXPECT_EQ(test, disable_kprobe(&second.kp), 0);
	KUNIT_ASSERT_EQ(test, place_add(&first, at, false), 0);
	KUNIT_EXPECT_TRUE(test, place_has_jump(at));
	for (i = 0; i < TRIES && !in_time; i++) {
		KUNIT_EXPECT_EQ(test, disable_kprobe(&first.kp), 0);
		/* False if the optimizer has already removed the jump. */
		in_time = *at == JMP32_INSN_OPCODE;
		KUNIT_EXPECT_EQ(test, enable_kprobe(&second.kp), 0);
		KUNIT_EXPECT_NE(test, *at, JMP32_INSN_OPCODE);
		KUNIT_EXPECT_EQ(test, disable_kprobe(&second.kp), 0);
		KUNIT_EXPECT_EQ(test, enable_kprobe(&first.kp), 0);
		KUNIT_EXPECT_TRUE(test, place_has_jump(at));
		place_hit_five(test);
		KUNIT_EXPECT_EQ(test, first.nr_pre, i + 1);
	}
	KUNIT_EXPECT_TRUE(test, in_time);
	place_drop(&first);
	place_drop(&second);
	KUNIT_EXPECT_EQ(test, memcmp(text, at, sizeof(text)), 0);
}

/*
 * No two of the places at offsets 0, 2 and 4 can have a jump at the same time.  While the
 * jump at offset 2 waits for removal, a probe at offset 4 is armed.  From then on, only the
 * probe at offset 4 prevents a jump at offset 0.
 */
static void place_chain(struct kunit *test)
{
	u8 *at = (u8 *)kprobes_place_short, text[16];
	bool in_time = false;
	int i;

	OPTIMIZER_HIDE_VAR(at);
	memcpy(text, at, sizeof(text));
	for (i = 0; i < TRIES && !in_time; i++) {
		KUNIT_ASSERT_EQ(test, place_add(&first, at + 2, false), 0);
		KUNIT_EXPECT_TRUE(test, place_has_jump(at + 2));
		KUNIT_ASSERT_EQ(test, place_add(&lone, at, false), 0);
		KUNIT_EXPECT_FALSE(test, place_has_jump(at));

		KUNIT_EXPECT_EQ(test, disable_kprobe(&first.kp), 0);
		in_time = at[2] == JMP32_INSN_OPCODE;
		KUNIT_ASSERT_EQ(test, place_add(&second, at + 4, false), 0);
		KUNIT_EXPECT_FALSE(test, place_has_jump(at));
		KUNIT_EXPECT_EQ(test, at[0], INT3_INSN_OPCODE);
		KUNIT_EXPECT_EQ(test, at[2], text[2]);
		KUNIT_EXPECT_NE(test, at[4], text[4]);
		KUNIT_EXPECT_EQ(test, kprobes_place_short(PLACE_ARG), PLACE_ARG + 6);
		KUNIT_EXPECT_EQ(test, lone.nr_pre, 1);
		KUNIT_EXPECT_EQ(test, first.nr_pre, 0);
		KUNIT_EXPECT_EQ(test, second.nr_pre, 1);

		place_drop(&second);
		KUNIT_EXPECT_TRUE(test, place_has_jump(at));
		place_drop(&lone);
		place_drop(&first);
		KUNIT_EXPECT_EQ(test, memcmp(text, at, sizeof(text)), 0);
	}
	KUNIT_EXPECT_TRUE(test, in_time);
}

static struct kunit_case place_disabled_cases[] = {
	KUNIT_CASE(place_disabled),
	KUNIT_CASE(place_enabled_again),
	KUNIT_CASE(place_enabled_together),
	KUNIT_CASE(place_reused),
	KUNIT_CASE(place_forced),
	KUNIT_CASE(place_chain),
	{}
};

static struct kunit_suite place_disabled_suite = {
	.name = "kprobes_x86_place_disabled",
	.exit = place_disabled_exit,
	.test_cases = place_disabled_cases,
};

kunit_test_suite(place_disabled_suite);
