// SPDX-License-Identifier: GPL-2.0
/*
 * Addresses where probes are accepted or refused.
 */

#include <kunit/test.h>

#include <linux/bitmap.h>
#include <linux/bug.h>
#include <linux/compiler.h>
#include <linux/ftrace.h>
#include <linux/jump_label.h>
#include <linux/kallsyms.h>
#include <linux/kprobes.h>
#include <linux/string.h>

#include <asm/ibt.h>
#include <asm/idtentry.h>
#include <asm/insn.h>
#include <asm/text-patching.h>

#include "place.h"

#define MAX_WALK	128

static DEFINE_STATIC_KEY_FALSE(key);

static struct place_probe lone, first, second;

static void place_exit(struct kunit *test)
{
	place_drop(&lone);
	place_drop(&second);
	place_drop(&first);
}

/* Instructions on which a probe is accepted or refused. */
static void place_insn(struct kunit *test)
{
	const struct place_site *s;

	for (s = kprobes_places; s < kprobes_places_end; s++)
		KUNIT_EXPECT_EQ_MSG(test, place_add(&lone, s->addr, false),
				    s->allowed ? 0 : -EOPNOTSUPP, "%s", s->name);
	KUNIT_EXPECT_EQ(test, place_add(&lone, kprobes_place_halt, true), -EOPNOTSUPP);
	KUNIT_EXPECT_EQ(test, place_add(&lone, kprobes_place_halt, false), 0);
	place_drop(&lone);
	KUNIT_EXPECT_EQ(test, place_add(&lone, kprobes_place_swapgs, true), -EOPNOTSUPP);
	KUNIT_EXPECT_EQ(test, place_add(&lone, kprobes_place_swapgs, false), 0);
	KUNIT_EXPECT_EQ(test, place_add(&second, kprobes_place_swapgs, true), -EOPNOTSUPP);
	KUNIT_EXPECT_EQ(test, place_add(&second, kprobes_place_swapgs, false), 0);
	place_drop(&second);
	place_drop(&lone);
}

static void refuse_return(struct kunit *test, const char *function)
{
	static struct kretprobe rp;
	int ret;

	memset(&rp, 0, sizeof(rp));
	rp.kp.symbol_name = function;
	ret = register_kretprobe(&rp);
	KUNIT_EXPECT_EQ_MSG(test, ret, -EINVAL, "%s", function);
	if (!ret)
		unregister_kretprobe(&rp);
}

/* These functions return in another task or in another kernel. */
static void place_switch(struct kunit *test)
{
	refuse_return(test, "__switch_to");
	if (IS_ENABLED(CONFIG_HIBERNATION))
		refuse_return(test, "swsusp_arch_suspend");
}

/* A CPU that goes offline, or whose kernel resumes, cannot be probed in these functions. */
static void place_cpu_down(struct kunit *test)
{
	static const char * const names[] = {
		"cpuhp_ap_report_dead", "play_dead_common", "native_play_dead",
		"hlt_play_dead", "create_image",
	};
	unsigned long addr;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		addr = kallsyms_lookup_name(names[i]);
		if (!addr && IS_ENABLED(CONFIG_HIBERNATION) && !strcmp(names[i], "create_image"))
			addr = kallsyms_lookup_name("hibernation_snapshot");
		if (addr)
			KUNIT_EXPECT_EQ_MSG(test, place_add(&lone, (void *)addr, false), -EINVAL,
					    "%s", names[i]);
	}
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

/*
 * An INT3 after a return: alternatives replaced a jump to the return thunk with a shorter
 * RET, or the compiler added the INT3 against straight-line speculation.  INT3 cannot be
 * executed out of line.
 */
static bool is_padding(const void *text)
{
	return *(const u8 *)text == INT3_INSN_OPCODE;
}

/* Probe each instruction of a function.  Returns the number of refusals with @err. */
static unsigned int refused_in(struct kunit *test, const void *function, int err)
{
	unsigned long size, offset = 0;
	unsigned int nr = 0;
	struct insn insn;
	int ret;

	KUNIT_ASSERT_TRUE(test, kallsyms_lookup_size_offset((unsigned long)function, &size,
							    &offset));
	for (offset = 0; offset < size; offset += insn.length) {
		KUNIT_ASSERT_EQ(test, insn_decode_kernel(&insn, function + offset), 0);
		ret = place_add(&lone, function + offset, false);
		if (!ret)
			place_drop(&lone);
		else if (is_padding(function + offset))
			KUNIT_EXPECT_EQ(test, ret, -EOPNOTSUPP);
		else if (is_endbr(*(const u32 *)(function + offset)))
			/* clang puts an ENDBR at the target of a static branch. */
			KUNIT_EXPECT_EQ(test, ret, -EILSEQ);
		else if (ret == err)
			nr++;
		else
			KUNIT_FAIL(test, "%ps+%lu: %d", function, offset, ret);
	}
	return nr;
}

static void place_reserved(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, place_add(&lone, kprobes_place_nokprobe, false), -EINVAL);
	KUNIT_EXPECT_EQ(test, place_add(&lone, kprobes_place_noinstr, false), -EINVAL);
	KUNIT_EXPECT_EQ(test, place_add(&lone, asm_exc_int3, false), -EINVAL);
	/* Data belongs to a symbol only with CONFIG_KALLSYMS_ALL. */
	KUNIT_EXPECT_EQ(test, place_add(&lone, &key, false),
			IS_ENABLED(CONFIG_KALLSYMS_ALL) ? -EINVAL : -ENOENT);
	KUNIT_EXPECT_EQ(test, refused_in(test, with_static_branch, -EINVAL),
			IS_ENABLED(CONFIG_JUMP_LABEL));
	KUNIT_EXPECT_EQ(test, with_static_branch(), 2);
	KUNIT_EXPECT_EQ(test, refused_in(test, with_warning, -EINVAL),
			IS_ENABLED(CONFIG_GENERIC_BUG));
	with_warning(false);
}

/*
 * Each return or indirect branch may go through one of these thunks, also on the way to
 * a handler.  Without its mitigation, a thunk may be an empty function.
 */
static void place_thunks(struct kunit *test)
{
	static const struct {
		const char *name;
		bool is_thunk;
	} thunks[] = {
		{ "__x86_return_thunk", IS_ENABLED(CONFIG_MITIGATION_RETHUNK) },
		{ "its_return_thunk", IS_ENABLED(CONFIG_MITIGATION_ITS) },
		{ "__x86_indirect_its_thunk_rax", IS_ENABLED(CONFIG_MITIGATION_ITS) },
		{ "call_depth_return_thunk", IS_ENABLED(CONFIG_MITIGATION_CALL_DEPTH_TRACKING) },
		{ "retbleed_return_thunk", IS_ENABLED(CONFIG_MITIGATION_UNRET_ENTRY) },
		{ "retbleed_untrain_ret", IS_ENABLED(CONFIG_MITIGATION_UNRET_ENTRY) },
		{ "srso_return_thunk", IS_ENABLED(CONFIG_MITIGATION_SRSO) },
		{ "srso_safe_ret", IS_ENABLED(CONFIG_MITIGATION_SRSO) },
		{ "srso_untrain_ret", IS_ENABLED(CONFIG_MITIGATION_SRSO) },
		{ "srso_alias_return_thunk", IS_ENABLED(CONFIG_MITIGATION_SRSO) },
		{ "srso_alias_safe_ret", IS_ENABLED(CONFIG_MITIGATION_SRSO) },
		{ "srso_alias_untrain_ret", IS_ENABLED(CONFIG_MITIGATION_SRSO) },
	};
	unsigned long addr;
	unsigned int i;

	if (!IS_ENABLED(CONFIG_MITIGATION_RETHUNK))
		kunit_skip(test, "no return thunks");
	for (i = 0; i < ARRAY_SIZE(thunks); i++) {
		if (!thunks[i].is_thunk)
			continue;
		addr = kallsyms_lookup_name(thunks[i].name);
		KUNIT_ASSERT_NE_MSG(test, addr, 0, "%s", thunks[i].name);
		KUNIT_EXPECT_EQ_MSG(test, place_add(&lone, (void *)addr, false), -EINVAL, "%s",
				    thunks[i].name);
	}
}

/* The padding before a function may have code for call depth tracking or CFI. */
static void place_prefix(struct kunit *test)
{
	char name[KSYM_NAME_LEN];
	u8 *at = (u8 *)with_static_branch;

	/* objtool warns about a reference to code that does not begin with ENDBR. */
	OPTIMIZER_HIDE_VAR(at);
	at -= CONFIG_FUNCTION_PADDING_BYTES;
	if (!CONFIG_FUNCTION_PADDING_BYTES ||
	    lookup_symbol_name((unsigned long)at, name) || strncmp(name, "__", 2))
		kunit_skip(test, "no symbol for the padding before functions");
	KUNIT_EXPECT_EQ_MSG(test, place_add(&lone, at, false), -EINVAL, "%s", name);
}

/*
 * A probe on an ENDBR inside a function is refused.  A probe on the ENDBR at the start of a
 * function is moved to the next instruction.
 */
static void place_landing(struct kunit *test)
{
	void *start = kprobes_place_landing;

	if (!IS_ENABLED(CONFIG_X86_KERNEL_IBT))
		kunit_skip(test, "functions do not begin with ENDBR");
	KUNIT_EXPECT_EQ(test, place_add(&lone, kprobes_place_landing_inside, false), -EILSEQ);
	KUNIT_ASSERT_EQ(test, place_add(&lone, start, false), 0);
	KUNIT_EXPECT_PTR_EQ(test, (void *)lone.kp.addr, start + ENDBR_INSN_SIZE);
	KUNIT_EXPECT_TRUE(test, is_endbr(*(u32 *)start));
	kprobes_place_landing();
	place_drop(&lone);
	KUNIT_EXPECT_EQ(test, lone.nr_pre, 1);
}

/* Probes are accepted only on instruction boundaries, also near other probes. */
static void check_walk(struct kunit *test, const unsigned long *begins, unsigned int skip,
		       unsigned int size)
{
	unsigned int i;
	int ret;

	for (i = skip; i < size; i++) {
		ret = place_add(&lone, (u8 *)kprobes_place_walk + i, false);
		KUNIT_EXPECT_EQ_MSG(test, ret, test_bit(i, begins) ? 0 : -EILSEQ,
				    "at %u", i);
		if (ret)
			continue;
		KUNIT_EXPECT_EQ_MSG(test, kprobes_place_walk(PLACE_ARG), PLACE_ARG, "at %u", i);
		KUNIT_EXPECT_LE_MSG(test, lone.nr_pre, 1, "at %u", i);
		place_drop(&lone);
	}
}

static void place_middle(struct kunit *test)
{
	DECLARE_BITMAP(begins, MAX_WALK) = {};
	u8 *text = (u8 *)kprobes_place_walk;
	struct insn insn;
	unsigned int size;

	OPTIMIZER_HIDE_VAR(text);
	KUNIT_ASSERT_LT(test, kprobes_place_walk_size, MAX_WALK);
	for (size = 0; size < kprobes_place_walk_size && !is_padding(text + size);
	     size += insn.length) {
		__set_bit(size, begins);
		KUNIT_ASSERT_EQ(test, insn_decode_kernel(&insn, text + size), 0);
	}
	KUNIT_EXPECT_EQ(test, kprobes_place_walk(PLACE_ARG), PLACE_ARG);
	check_walk(test, begins, 0, size);

	/* With a jump at the start, and then with the breakpoint that replaces it. */
	KUNIT_ASSERT_EQ(test, place_add(&first, text, false), 0);
	KUNIT_EXPECT_TRUE(test, place_has_jump(text));
	check_walk(test, begins, 1, size);
	KUNIT_ASSERT_EQ(test, place_add(&second, text, true), 0);
	KUNIT_EXPECT_FALSE(test, place_has_jump(text));
	check_walk(test, begins, 1, size);
	place_drop(&second);
	place_drop(&first);

	/* With probes on instructions in the middle of the function. */
	KUNIT_ASSERT_EQ(test, place_add(&first, text + 5, true), 0);
	KUNIT_ASSERT_EQ(test, place_add(&second, text + 15, false), 0);
	wait_for_kprobe_optimizer();
	check_walk(test, begins, 0, size);
	place_drop(&second);
	place_drop(&first);
	KUNIT_EXPECT_EQ(test, kprobes_place_walk(PLACE_ARG), PLACE_ARG);
}

static struct kunit_case place_cases[] = {
	KUNIT_CASE(place_insn),
	KUNIT_CASE(place_switch),
	KUNIT_CASE(place_cpu_down),
	KUNIT_CASE(place_reserved),
	KUNIT_CASE(place_thunks),
	KUNIT_CASE(place_prefix),
	KUNIT_CASE(place_landing),
	KUNIT_CASE_SLOW(place_middle),
	{}
};

static struct kunit_suite place_suite = {
	.name = "kprobes_x86_place",
	.exit = place_exit,
	.test_cases = place_cases,
};

kunit_test_suite(place_suite);
