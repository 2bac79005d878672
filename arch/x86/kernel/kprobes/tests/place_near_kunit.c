// SPDX-License-Identifier: GPL-2.0
/*
 * Several probes at one address, or close to each other.
 */

#include <kunit/test.h>

#include <linux/compiler.h>
#include <linux/kprobes.h>

#include <asm/text-patching.h>

#include "place.h"

static struct place_probe first, second;

static void place_near_exit(struct kunit *test)
{
	place_drop(&second);
	place_drop(&first);
}

/* A second probe at the same address has a post_handler. */
static void place_second_post(struct kunit *test)
{
	u8 *at = (u8 *)kprobes_place_five + 1;
	bool jump;

	for (jump = false; ; jump = true) {
		KUNIT_ASSERT_EQ(test, place_add(&first, at, false), 0);
		if (jump)
			KUNIT_EXPECT_TRUE(test, place_has_jump(at));
		place_hit_five(test);
		KUNIT_EXPECT_EQ(test, first.nr_pre, 1);

		KUNIT_ASSERT_EQ(test, place_add(&second, at, true), 0);
		KUNIT_EXPECT_FALSE(test, place_has_jump(at));
		place_hit_five(test);
		KUNIT_EXPECT_EQ(test, first.nr_pre, 2);
		KUNIT_EXPECT_EQ(test, second.nr_pre, 1);
		KUNIT_EXPECT_EQ(test, second.nr_post, 1);

		place_drop(&second);
		place_hit_five(test);
		KUNIT_EXPECT_EQ(test, first.nr_pre, 3);
		KUNIT_EXPECT_EQ(test, second.nr_pre, 1);
		KUNIT_EXPECT_EQ(test, second.nr_post, 1);

		place_drop(&first);
		place_hit_five(test);
		KUNIT_EXPECT_EQ(test, first.nr_pre, 3);
		if (jump)
			break;
	}
}

/* The first probe has the post_handler, and is unregistered first. */
static void place_first_removed(struct kunit *test)
{
	u8 *at = (u8 *)kprobes_place_five + 1;

	KUNIT_ASSERT_EQ(test, place_add(&first, at, true), 0);
	KUNIT_ASSERT_EQ(test, place_add(&second, at, false), 0);
	place_hit_five(test);
	place_drop(&first);
	place_hit_five(test);
	KUNIT_EXPECT_EQ(test, first.nr_pre, 1);
	KUNIT_EXPECT_EQ(test, first.nr_post, 1);
	KUNIT_EXPECT_EQ(test, second.nr_pre, 2);
	wait_for_kprobe_optimizer();
	place_hit_five(test);
	KUNIT_EXPECT_EQ(test, second.nr_pre, 3);
	place_drop(&second);
	place_hit_five(test);
	KUNIT_EXPECT_EQ(test, second.nr_pre, 3);
}

/* A probe on an instruction that another probe's jump has replaced. */
static void place_within_jump(struct kunit *test)
{
	u8 *at = (u8 *)kprobes_place_five;

	OPTIMIZER_HIDE_VAR(at);
	KUNIT_ASSERT_EQ(test, place_add(&first, at, false), 0);
	KUNIT_EXPECT_TRUE(test, place_has_jump(at));
	place_hit_five(test);
	KUNIT_EXPECT_EQ(test, first.nr_pre, 1);

	/* With a post_handler, the second probe keeps its breakpoint. */
	KUNIT_ASSERT_EQ(test, place_add(&second, at + 1, true), 0);
	KUNIT_EXPECT_EQ(test, *at, INT3_INSN_OPCODE);
	KUNIT_EXPECT_FALSE(test, place_has_jump(at));
	KUNIT_EXPECT_FALSE(test, place_has_jump(at + 1));
	place_hit_five(test);
	place_drop(&second);
	place_hit_five(test);
	KUNIT_EXPECT_EQ(test, first.nr_pre, 3);
	KUNIT_EXPECT_EQ(test, second.nr_pre, 1);
	KUNIT_EXPECT_EQ(test, second.nr_post, 1);

	/* After the second probe is unregistered, the first one gets its jump again. */
	KUNIT_EXPECT_TRUE(test, place_has_jump(at));
	place_hit_five(test);
	KUNIT_EXPECT_EQ(test, first.nr_pre, 4);

	/* Disabling the second probe has the same effect.  Enabling it removes the jump. */
	KUNIT_ASSERT_EQ(test, place_add(&second, at + 1, true), 0);
	KUNIT_EXPECT_FALSE(test, place_has_jump(at));
	KUNIT_EXPECT_EQ(test, disable_kprobe(&second.kp), 0);
	KUNIT_EXPECT_TRUE(test, place_has_jump(at));
	KUNIT_EXPECT_EQ(test, enable_kprobe(&second.kp), 0);
	KUNIT_EXPECT_FALSE(test, place_has_jump(at));
	place_hit_five(test);
	KUNIT_EXPECT_EQ(test, first.nr_pre, 5);
	KUNIT_EXPECT_EQ(test, second.nr_pre, 1);
	place_drop(&second);

	/* Without a post_handler, the second probe gets its own jump. */
	KUNIT_ASSERT_EQ(test, place_add(&second, at + 1, false), 0);
	KUNIT_EXPECT_EQ(test, *at, INT3_INSN_OPCODE);
	place_hit_five(test);
	KUNIT_EXPECT_FALSE(test, place_has_jump(at));
	KUNIT_EXPECT_TRUE(test, place_has_jump(at + 1));
	place_hit_five(test);
	KUNIT_EXPECT_EQ(test, first.nr_pre, 7);
	KUNIT_EXPECT_EQ(test, second.nr_pre, 2);

	/* The first probe gets its jump again after the second jump is removed. */
	KUNIT_EXPECT_EQ(test, disable_kprobe(&second.kp), 0);
	KUNIT_EXPECT_FALSE(test, place_has_jump(at + 1));
	KUNIT_EXPECT_TRUE(test, place_has_jump(at));
	place_hit_five(test);
	KUNIT_EXPECT_EQ(test, first.nr_pre, 8);
	KUNIT_EXPECT_EQ(test, enable_kprobe(&second.kp), 0);
	KUNIT_EXPECT_TRUE(test, place_has_jump(at + 1));

	/* Unregister the first probe, and keep the second. */
	place_drop(&first);
	KUNIT_EXPECT_TRUE(test, place_has_jump(at + 1));
	place_hit_five(test);
	KUNIT_EXPECT_EQ(test, first.nr_pre, 8);
	KUNIT_EXPECT_EQ(test, second.nr_pre, 3);
	place_drop(&second);
	place_hit_five(test);
	KUNIT_EXPECT_EQ(test, second.nr_pre, 3);
}

static void call_tail(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, kprobes_place_tail(PLACE_ARG), PLACE_ARG + 1);
}

/* The probed instruction is a jump, so replacing it with a jump keeps its first byte. */
static void place_before_jump(struct kunit *test)
{
	u8 *pop = (u8 *)kprobes_place_tail + KPROBES_PLACE_TAIL_POP;

	/* objtool misreads the address in a comparison with a constant. */
	OPTIMIZER_HIDE_VAR(pop);
	KUNIT_ASSERT_EQ(test, pop[1], JMP32_INSN_OPCODE);
	KUNIT_ASSERT_EQ(test, place_add(&first, pop + 1, false), 0);
	KUNIT_EXPECT_TRUE(test, place_has_jump(pop + 1));
	call_tail(test);
	KUNIT_EXPECT_EQ(test, first.nr_pre, 1);

	KUNIT_ASSERT_EQ(test, place_add(&second, pop, false), 0);
	KUNIT_EXPECT_FALSE(test, place_has_jump(pop));
	call_tail(test);
	KUNIT_EXPECT_EQ(test, first.nr_pre, 2);
	KUNIT_EXPECT_EQ(test, second.nr_pre, 1);

	place_drop(&first);
	KUNIT_EXPECT_TRUE(test, place_has_jump(pop));
	call_tail(test);
	KUNIT_EXPECT_EQ(test, second.nr_pre, 2);
	place_drop(&second);
	call_tail(test);
}

static struct kunit_case place_near_cases[] = {
	KUNIT_CASE(place_second_post),
	KUNIT_CASE(place_first_removed),
	KUNIT_CASE(place_within_jump),
	KUNIT_CASE(place_before_jump),
	{}
};

static struct kunit_suite place_near_suite = {
	.name = "kprobes_x86_place_near",
	.exit = place_near_exit,
	.test_cases = place_near_cases,
};

kunit_test_suite(place_near_suite);
