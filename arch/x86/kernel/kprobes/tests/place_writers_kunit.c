// SPDX-License-Identifier: GPL-2.0
/*
 * Probes in text that others write, too: livepatches, ftrace, and a debugger.
 */

#include <kunit/test.h>

#include <linux/compiler.h>
#include <linux/elf.h>
#include <linux/ftrace.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/string.h>

#include <asm/text-patching.h>

/* For dbg_set_sw_break(), which sets a debugger's breakpoint without a debugger. */
#include "../../../../../kernel/debug/debug_core.h"

#include "../kprobes.h"
#include "place.h"

static struct place_probe lone;

static void place_writers_exit(struct kunit *test)
{
	place_drop(&lone);
}

#ifdef CONFIG_LIVEPATCH
#define RELA(at) { .r_offset = (at) }

/* A livepatch module with relocations of its own, of vmlinux, and of another module. */
static void place_livepatch(struct kunit *test)
{
	static const u8 text[32];
	static Elf_Rela own[] = { RELA(1) }, vmlinux[] = { RELA(6) };
	static Elf_Rela other[] = { RELA(11), RELA(18) };
	static char names[] = "\0.rela.text\0.klp.rela.vmlinux..text\0.klp.rela.ext4..text";
	static Elf_Shdr sections[] = {
		{ },
		{ .sh_addr = (unsigned long)text },
		{ .sh_name = 1, .sh_addr = (unsigned long)own, .sh_size = sizeof(own),
		  .sh_info = 1 },
		{ .sh_name = 12, .sh_addr = (unsigned long)vmlinux,
		  .sh_size = sizeof(vmlinux), .sh_info = 1,
		  .sh_flags = SHF_RELA_LIVEPATCH },
		{ .sh_name = 36, .sh_addr = (unsigned long)other, .sh_size = sizeof(other),
		  .sh_info = 1, .sh_flags = SHF_RELA_LIVEPATCH },
	};
	const struct klp_modinfo info = {
		.hdr.e_shnum = ARRAY_SIZE(sections),
		.sechdrs = sections,
		.secstrings = names,
	};
	static const struct {
		unsigned int start, end;
		bool relocated;
	} insns[] = {
		{ 0, 5, false }, { 5, 10, false }, { 10, 15, true }, { 15, 18, false },
		{ 17, 22, true }, { 22, 32, false },
	};
	unsigned int i;

	KUNIT_ASSERT_STREQ(test, names + 12, ".klp.rela.vmlinux..text");
	KUNIT_ASSERT_STREQ(test, names + 36, ".klp.rela.ext4..text");
	for (i = 0; i < ARRAY_SIZE(insns); i++)
		KUNIT_EXPECT_EQ_MSG(test, insns[i].relocated,
				    kprobe_livepatch_relocates(&info, text + insns[i].start,
							       text + insns[i].end),
				    "%u", insns[i].start);
}
#else
static void place_livepatch(struct kunit *test)
{
	kunit_skip(test, "no livepatches");
}
#endif

/* ftrace writes calls into these functions, and copies them to make trampolines. */
static void place_ftrace_callers(struct kunit *test)
{
#ifdef CONFIG_DYNAMIC_FTRACE
	KUNIT_EXPECT_EQ(test, place_add(&lone, ftrace_caller, false), -EINVAL);
	KUNIT_EXPECT_EQ(test, place_add(&lone, ftrace_call, false), -EINVAL);
	KUNIT_EXPECT_EQ(test, place_add(&lone, ftrace_regs_caller, false), -EINVAL);
	KUNIT_EXPECT_EQ(test, place_add(&lone, ftrace_regs_call, false), -EINVAL);
#else
	kunit_skip(test, "no ftrace");
#endif
}

static noinline int with_ftrace(void)
{
	barrier();
	return PLACE_ARG;
}

/* An ftrace call site has one instruction: a call, or a nop. */
static void place_ftrace(struct kunit *test)
{
	u8 *at = (u8 *)ftrace_location((unsigned long)with_ftrace);
	unsigned int i;

	if (!IS_ENABLED(CONFIG_KPROBES_ON_FTRACE))
		kunit_skip(test, "no kprobes on ftrace");
	KUNIT_ASSERT_NOT_NULL(test, at);
	for (i = 1; i < CALL_INSN_SIZE; i++)
		KUNIT_EXPECT_EQ_MSG(test, place_add(&lone, at + i, false), -EILSEQ, "at %u", i);

	KUNIT_ASSERT_EQ(test, place_add(&lone, at, false), 0);
	KUNIT_EXPECT_TRUE(test, kprobe_ftrace(&lone.kp));
	KUNIT_EXPECT_EQ(test, with_ftrace(), PLACE_ARG);
	KUNIT_EXPECT_EQ(test, lone.nr_pre, 1);
	place_drop(&lone);
}

/* Instructions at and after a debugger's breakpoint cannot be decoded. */
static void place_debugger(struct kunit *test)
{
#ifdef CONFIG_KGDB
	u8 *at = (u8 *)kprobes_place_five;

	KUNIT_ASSERT_EQ(test, dbg_set_sw_break((unsigned long)at + 1), 0);
	KUNIT_EXPECT_EQ(test, dbg_activate_sw_breakpoints(), 0);
	KUNIT_EXPECT_EQ(test, at[1], INT3_INSN_OPCODE);
	KUNIT_EXPECT_EQ(test, place_add(&lone, at + 1, false), -EILSEQ);
	KUNIT_EXPECT_EQ(test, place_add(&lone, at + 5, false), -EILSEQ);
	KUNIT_EXPECT_EQ(test, place_add(&lone, at, false), 0);
	KUNIT_EXPECT_FALSE(test, place_has_jump(at));
	KUNIT_EXPECT_EQ(test, dbg_deactivate_sw_breakpoints(), 0);
	KUNIT_EXPECT_EQ(test, dbg_remove_sw_break((unsigned long)at + 1), 0);
	place_hit_five(test);
	KUNIT_EXPECT_EQ(test, lone.nr_pre, 1);
	place_drop(&lone);

	/* A breakpoint of the debugger after the region may hide a branch into the region. */
	KUNIT_ASSERT_EQ(test, dbg_set_sw_break((unsigned long)at + 11), 0);
	KUNIT_EXPECT_EQ(test, dbg_activate_sw_breakpoints(), 0);
	KUNIT_EXPECT_EQ(test, place_add(&lone, at, false), 0);
	KUNIT_EXPECT_FALSE(test, place_has_jump(at));
	KUNIT_EXPECT_EQ(test, dbg_deactivate_sw_breakpoints(), 0);
	KUNIT_EXPECT_EQ(test, dbg_remove_sw_break((unsigned long)at + 11), 0);
	place_drop(&lone);
#else
	kunit_skip(test, "no kgdb");
#endif
}

#ifdef CONFIG_KGDB
static void debugger_begin(struct kunit *test, const void *addr)
{
	KUNIT_ASSERT_EQ(test, dbg_set_sw_break((unsigned long)addr), 0);
	KUNIT_EXPECT_EQ(test, dbg_activate_sw_breakpoints(), 0);
	KUNIT_EXPECT_EQ(test, *(const u8 *)addr, INT3_INSN_OPCODE);
}

static void debugger_end(struct kunit *test, const void *addr)
{
	KUNIT_EXPECT_EQ(test, dbg_deactivate_sw_breakpoints(), 0);
	KUNIT_EXPECT_EQ(test, dbg_remove_sw_break((unsigned long)addr), 0);
}

/* The debugger cannot set a breakpoint where a probe has one, or a jump. */
static void check_debugger(struct kunit *test, u8 *at, unsigned int size)
{
	unsigned int i;

	for (i = 0; i < size; i++)
		KUNIT_EXPECT_EQ_MSG(test, dbg_set_sw_break((unsigned long)at + i), -EBUSY,
				    "at %u", i);
	debugger_begin(test, at + size);
	debugger_end(test, at + size);
}
#endif

/* The debugger wants to set a breakpoint after the probe was registered. */
static void place_debugger_after(struct kunit *test)
{
#ifdef CONFIG_KGDB
	u8 *at = (u8 *)kprobes_place_five;
	u8 text[JMP32_INSN_SIZE];

	OPTIMIZER_HIDE_VAR(at);
	memcpy(text, at, sizeof(text));
	KUNIT_ASSERT_EQ(test, place_add(&lone, at, true), 0);
	check_debugger(test, at, 1);
	KUNIT_ASSERT_EQ(test, place_add(&lone, at, false), 0);
	KUNIT_ASSERT_TRUE(test, place_has_jump(at));
	check_debugger(test, at, JMP32_INSN_SIZE);
	place_hit_five(test);
	KUNIT_EXPECT_EQ(test, lone.nr_pre, 1);

	/* A breakpoint in the region prevents the jump. */
	KUNIT_EXPECT_EQ(test, disable_kprobe(&lone.kp), 0);
	wait_for_kprobe_optimizer();
	debugger_begin(test, at + 1);
	KUNIT_EXPECT_EQ(test, enable_kprobe(&lone.kp), 0);
	KUNIT_EXPECT_FALSE(test, place_has_jump(at));
	KUNIT_EXPECT_EQ(test, at[0], INT3_INSN_OPCODE);
	KUNIT_EXPECT_EQ(test, at[1], INT3_INSN_OPCODE);
	debugger_end(test, at + 1);
	place_hit_five(test);
	KUNIT_EXPECT_EQ(test, lone.nr_pre, 2);

	/* So does one at the probe itself.  The last writer is the debugger. */
	KUNIT_EXPECT_EQ(test, disable_kprobe(&lone.kp), 0);
	debugger_begin(test, at);
	KUNIT_EXPECT_EQ(test, enable_kprobe(&lone.kp), 0);
	KUNIT_EXPECT_FALSE(test, place_has_jump(at));
	place_hit_five(test);
	KUNIT_EXPECT_EQ(test, lone.nr_pre, 3);
	debugger_end(test, at);
	KUNIT_EXPECT_MEMEQ(test, at, text, sizeof(text));
	place_drop(&lone);
	KUNIT_EXPECT_MEMEQ(test, at, text, sizeof(text));
#else
	kunit_skip(test, "no kgdb");
#endif
}

static struct kunit_case place_writers_cases[] = {
	KUNIT_CASE(place_livepatch),
	KUNIT_CASE(place_ftrace_callers),
	KUNIT_CASE(place_ftrace),
	KUNIT_CASE(place_debugger),
	KUNIT_CASE(place_debugger_after),
	{}
};

static struct kunit_suite place_writers_suite = {
	.name = "kprobes_x86_place_writers",
	.exit = place_writers_exit,
	.test_cases = place_writers_cases,
};

kunit_test_suite(place_writers_suite);
