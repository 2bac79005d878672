// SPDX-License-Identifier: GPL-2.0
/*
 * Addresses where probes are accepted or refused, and several probes at one address or
 * close to each other.
 */

#include <kunit/test.h>

#include <linux/bitmap.h>
#include <linux/bug.h>
#include <linux/compiler.h>
#include <linux/delay.h>
#include <linux/ftrace.h>
#include <linux/jump_label.h>
#include <linux/kprobes.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/preempt.h>
#include <linux/rculist.h>
#include <linux/sched/task.h>
#include <linux/string.h>

#include <asm/ibt.h>
#include <asm/idtentry.h>
#include <asm/insn.h>
#include <asm/text-patching.h>

/* For dbg_set_sw_break(), which sets a debugger's breakpoint without a debugger. */
#include "../../../../../kernel/debug/debug_core.h"

#include "../kprobes.h"
#include "place.h"

#define MAX_WALK	128
#define RESULT		0x1234
#define TRIES		50

static DEFINE_STATIC_KEY_FALSE(key);

struct counter {
	struct kprobe kp;
	unsigned int nr_pre;
	unsigned int nr_post;
	bool is_added;
};

/* Static, because the probes stay registered until place_exit() after a failed assertion. */
static struct counter lone, first, second;

static int count_pre(struct kprobe *p, struct pt_regs *regs)
{
	container_of(p, struct counter, kp)->nr_pre++;
	return 0;
}

static void count_post(struct kprobe *p, struct pt_regs *regs, unsigned long flags)
{
	container_of(p, struct counter, kp)->nr_post++;
}

static void drop(struct counter *c)
{
	if (!c->is_added)
		return;
	unregister_kprobe(&c->kp);
	c->is_added = false;
	/* The optimizer removes a jump later.  Until then, the jump prevents others nearby. */
	wait_for_kprobe_optimizer();
}

static int add_with(struct counter *c, const void *addr, kprobe_pre_handler_t pre_handler,
		    bool post)
{
	int ret;

	drop(c);
	memset(c, 0, sizeof(*c));
	c->kp.addr = (kprobe_opcode_t *)addr;
	c->kp.pre_handler = pre_handler;
	c->kp.post_handler = post ? count_post : NULL;
	ret = register_kprobe(&c->kp);
	c->is_added = !ret;
	return ret;
}

static int add(struct counter *c, const void *addr, bool post)
{
	return add_with(c, addr, count_pre, post);
}

static void place_exit(struct kunit *test)
{
	drop(&lone);
	drop(&second);
	drop(&first);
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

/* Instructions on which a probe is accepted or refused. */
static void place_insn(struct kunit *test)
{
	const struct place_site *s;

	for (s = kprobes_places; s < kprobes_places_end; s++)
		KUNIT_EXPECT_EQ_MSG(test, add(&lone, s->addr, false),
				    s->allowed ? 0 : -EOPNOTSUPP, "%s", s->name);
	KUNIT_EXPECT_EQ(test, add(&lone, kprobes_place_halt, true), -EOPNOTSUPP);
	KUNIT_EXPECT_EQ(test, add(&lone, kprobes_place_halt, false), 0);
	drop(&lone);
	KUNIT_EXPECT_EQ(test, add(&lone, kprobes_place_swapgs, true), -EOPNOTSUPP);
	KUNIT_EXPECT_EQ(test, add(&lone, kprobes_place_swapgs, false), 0);
	KUNIT_EXPECT_EQ(test, add(&second, kprobes_place_swapgs, true), -EOPNOTSUPP);
	KUNIT_EXPECT_EQ(test, add(&second, kprobes_place_swapgs, false), 0);
	drop(&second);
	drop(&lone);
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
			KUNIT_EXPECT_EQ_MSG(test, add(&lone, (void *)addr, false), -EINVAL,
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
		ret = add(&lone, function + offset, false);
		if (!ret)
			drop(&lone);
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
	KUNIT_EXPECT_EQ(test, add(&lone, kprobes_place_nokprobe, false), -EINVAL);
	KUNIT_EXPECT_EQ(test, add(&lone, kprobes_place_noinstr, false), -EINVAL);
	KUNIT_EXPECT_EQ(test, add(&lone, asm_exc_int3, false), -EINVAL);
	/* Data belongs to a symbol only with CONFIG_KALLSYMS_ALL. */
	KUNIT_EXPECT_EQ(test, add(&lone, &key, false),
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
		KUNIT_EXPECT_EQ_MSG(test, add(&lone, (void *)addr, false), -EINVAL, "%s",
				    thunks[i].name);
	}
}

static noinline int with_ftrace(void)
{
	barrier();
	return RESULT;
}

/* The padding before a function may have code for call depth tracking or CFI. */
static void place_prefix(struct kunit *test)
{
	char name[KSYM_NAME_LEN];
	u8 *at = (u8 *)with_ftrace;

	/* objtool warns about a reference to code that does not begin with ENDBR. */
	OPTIMIZER_HIDE_VAR(at);
	at -= CONFIG_FUNCTION_PADDING_BYTES;
	if (!CONFIG_FUNCTION_PADDING_BYTES ||
	    lookup_symbol_name((unsigned long)at, name) || strncmp(name, "__", 2))
		kunit_skip(test, "no symbol for the padding before functions");
	KUNIT_EXPECT_EQ_MSG(test, add(&lone, at, false), -EINVAL, "%s", name);
}

/* ftrace writes calls into these functions, and copies them to make trampolines. */
static void place_ftrace_callers(struct kunit *test)
{
#ifdef CONFIG_DYNAMIC_FTRACE
	KUNIT_EXPECT_EQ(test, add(&lone, ftrace_caller, false), -EINVAL);
	KUNIT_EXPECT_EQ(test, add(&lone, ftrace_call, false), -EINVAL);
	KUNIT_EXPECT_EQ(test, add(&lone, ftrace_regs_caller, false), -EINVAL);
	KUNIT_EXPECT_EQ(test, add(&lone, ftrace_regs_call, false), -EINVAL);
#else
	kunit_skip(test, "no ftrace");
#endif
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
	KUNIT_EXPECT_EQ(test, add(&lone, kprobes_place_landing_inside, false), -EILSEQ);
	KUNIT_ASSERT_EQ(test, add(&lone, start, false), 0);
	KUNIT_EXPECT_PTR_EQ(test, (void *)lone.kp.addr, start + ENDBR_INSN_SIZE);
	KUNIT_EXPECT_TRUE(test, is_endbr(*(u32 *)start));
	kprobes_place_landing();
	drop(&lone);
	KUNIT_EXPECT_EQ(test, lone.nr_pre, 1);
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
		KUNIT_EXPECT_EQ_MSG(test, add(&lone, at + i, false), -EILSEQ, "at %u", i);

	KUNIT_ASSERT_EQ(test, add(&lone, at, false), 0);
	KUNIT_EXPECT_TRUE(test, kprobe_ftrace(&lone.kp));
	KUNIT_EXPECT_EQ(test, with_ftrace(), RESULT);
	KUNIT_EXPECT_EQ(test, lone.nr_pre, 1);
	drop(&lone);
}

/* Instructions at and after a debugger's breakpoint cannot be decoded. */
static void place_debugger(struct kunit *test)
{
#ifdef CONFIG_KGDB
	u8 *at = (u8 *)kprobes_place_five;

	KUNIT_ASSERT_EQ(test, dbg_set_sw_break((unsigned long)at + 1), 0);
	KUNIT_EXPECT_EQ(test, dbg_activate_sw_breakpoints(), 0);
	KUNIT_EXPECT_EQ(test, at[1], INT3_INSN_OPCODE);
	KUNIT_EXPECT_EQ(test, add(&lone, at + 1, false), -EILSEQ);
	KUNIT_EXPECT_EQ(test, add(&lone, at + 5, false), -EILSEQ);
	KUNIT_EXPECT_EQ(test, add(&lone, at, false), 0);
	KUNIT_EXPECT_FALSE(test, has_jump(at));
	KUNIT_EXPECT_EQ(test, dbg_deactivate_sw_breakpoints(), 0);
	KUNIT_EXPECT_EQ(test, dbg_remove_sw_break((unsigned long)at + 1), 0);
	KUNIT_EXPECT_EQ(test, kprobes_place_five(RESULT), RESULT + 5);
	KUNIT_EXPECT_EQ(test, lone.nr_pre, 1);
	drop(&lone);

	/* A breakpoint of the debugger after the region may hide a branch into the region. */
	KUNIT_ASSERT_EQ(test, dbg_set_sw_break((unsigned long)at + 11), 0);
	KUNIT_EXPECT_EQ(test, dbg_activate_sw_breakpoints(), 0);
	KUNIT_EXPECT_EQ(test, add(&lone, at, false), 0);
	KUNIT_EXPECT_FALSE(test, has_jump(at));
	KUNIT_EXPECT_EQ(test, dbg_deactivate_sw_breakpoints(), 0);
	KUNIT_EXPECT_EQ(test, dbg_remove_sw_break((unsigned long)at + 11), 0);
	drop(&lone);
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
	KUNIT_ASSERT_EQ(test, add(&lone, at, true), 0);
	check_debugger(test, at, 1);
	KUNIT_ASSERT_EQ(test, add(&lone, at, false), 0);
	KUNIT_ASSERT_TRUE(test, has_jump(at));
	check_debugger(test, at, JMP32_INSN_SIZE);
	KUNIT_EXPECT_EQ(test, kprobes_place_five(RESULT), RESULT + 5);
	KUNIT_EXPECT_EQ(test, lone.nr_pre, 1);

	/* A breakpoint in the region prevents the jump. */
	KUNIT_EXPECT_EQ(test, disable_kprobe(&lone.kp), 0);
	wait_for_kprobe_optimizer();
	debugger_begin(test, at + 1);
	KUNIT_EXPECT_EQ(test, enable_kprobe(&lone.kp), 0);
	KUNIT_EXPECT_FALSE(test, has_jump(at));
	KUNIT_EXPECT_EQ(test, at[0], INT3_INSN_OPCODE);
	KUNIT_EXPECT_EQ(test, at[1], INT3_INSN_OPCODE);
	debugger_end(test, at + 1);
	KUNIT_EXPECT_EQ(test, kprobes_place_five(RESULT), RESULT + 5);
	KUNIT_EXPECT_EQ(test, lone.nr_pre, 2);

	/* So does one at the probe itself.  The last writer is the debugger. */
	KUNIT_EXPECT_EQ(test, disable_kprobe(&lone.kp), 0);
	debugger_begin(test, at);
	KUNIT_EXPECT_EQ(test, enable_kprobe(&lone.kp), 0);
	KUNIT_EXPECT_FALSE(test, has_jump(at));
	KUNIT_EXPECT_EQ(test, kprobes_place_five(RESULT), RESULT + 5);
	KUNIT_EXPECT_EQ(test, lone.nr_pre, 3);
	debugger_end(test, at);
	KUNIT_EXPECT_MEMEQ(test, at, text, sizeof(text));
	drop(&lone);
	KUNIT_EXPECT_MEMEQ(test, at, text, sizeof(text));
#else
	kunit_skip(test, "no kgdb");
#endif
}

/* Probes are accepted only on instruction boundaries, also near other probes. */
static void check_walk(struct kunit *test, const unsigned long *begins, unsigned int skip,
		       unsigned int size)
{
	unsigned int i;
	int ret;

	for (i = skip; i < size; i++) {
		ret = add(&lone, (u8 *)kprobes_place_walk + i, false);
		KUNIT_EXPECT_EQ_MSG(test, ret, test_bit(i, begins) ? 0 : -EILSEQ,
				    "at %u", i);
		if (ret)
			continue;
		KUNIT_EXPECT_EQ_MSG(test, kprobes_place_walk(RESULT), RESULT, "at %u", i);
		KUNIT_EXPECT_LE_MSG(test, lone.nr_pre, 1, "at %u", i);
		drop(&lone);
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
	KUNIT_EXPECT_EQ(test, kprobes_place_walk(RESULT), RESULT);
	check_walk(test, begins, 0, size);

	/* With a jump at the start, and then with the breakpoint that replaces it. */
	KUNIT_ASSERT_EQ(test, add(&first, text, false), 0);
	KUNIT_EXPECT_TRUE(test, has_jump(text));
	check_walk(test, begins, 1, size);
	KUNIT_ASSERT_EQ(test, add(&second, text, true), 0);
	KUNIT_EXPECT_FALSE(test, has_jump(text));
	check_walk(test, begins, 1, size);
	drop(&second);
	drop(&first);

	/* With probes on instructions in the middle of the function. */
	KUNIT_ASSERT_EQ(test, add(&first, text + 5, true), 0);
	KUNIT_ASSERT_EQ(test, add(&second, text + 15, false), 0);
	wait_for_kprobe_optimizer();
	check_walk(test, begins, 0, size);
	drop(&second);
	drop(&first);
	KUNIT_EXPECT_EQ(test, kprobes_place_walk(RESULT), RESULT);
}

static void hit_five(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, kprobes_place_five(RESULT), RESULT + 5);
}

/* A second probe at the same address has a post_handler. */
static void place_second_post(struct kunit *test)
{
	u8 *at = (u8 *)kprobes_place_five + 1;
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

		drop(&second);
		hit_five(test);
		KUNIT_EXPECT_EQ(test, first.nr_pre, 3);
		KUNIT_EXPECT_EQ(test, second.nr_pre, 1);
		KUNIT_EXPECT_EQ(test, second.nr_post, 1);

		drop(&first);
		hit_five(test);
		KUNIT_EXPECT_EQ(test, first.nr_pre, 3);
		if (jump)
			break;
	}
}

/* The first probe has the post_handler, and is unregistered first. */
static void place_first_removed(struct kunit *test)
{
	u8 *at = (u8 *)kprobes_place_five + 1;

	KUNIT_ASSERT_EQ(test, add(&first, at, true), 0);
	KUNIT_ASSERT_EQ(test, add(&second, at, false), 0);
	hit_five(test);
	drop(&first);
	hit_five(test);
	KUNIT_EXPECT_EQ(test, first.nr_pre, 1);
	KUNIT_EXPECT_EQ(test, first.nr_post, 1);
	KUNIT_EXPECT_EQ(test, second.nr_pre, 2);
	wait_for_kprobe_optimizer();
	hit_five(test);
	KUNIT_EXPECT_EQ(test, second.nr_pre, 3);
	drop(&second);
	hit_five(test);
	KUNIT_EXPECT_EQ(test, second.nr_pre, 3);
}

/* A probe on an instruction that another probe's jump has replaced. */
static void place_within_jump(struct kunit *test)
{
	u8 *at = (u8 *)kprobes_place_five;

	OPTIMIZER_HIDE_VAR(at);
	KUNIT_ASSERT_EQ(test, add(&first, at, false), 0);
	KUNIT_EXPECT_TRUE(test, has_jump(at));
	hit_five(test);
	KUNIT_EXPECT_EQ(test, first.nr_pre, 1);

	/* With a post_handler, the second probe keeps its breakpoint. */
	KUNIT_ASSERT_EQ(test, add(&second, at + 1, true), 0);
	KUNIT_EXPECT_EQ(test, *at, INT3_INSN_OPCODE);
	KUNIT_EXPECT_FALSE(test, has_jump(at));
	KUNIT_EXPECT_FALSE(test, has_jump(at + 1));
	hit_five(test);
	drop(&second);
	hit_five(test);
	KUNIT_EXPECT_EQ(test, first.nr_pre, 3);
	KUNIT_EXPECT_EQ(test, second.nr_pre, 1);
	KUNIT_EXPECT_EQ(test, second.nr_post, 1);

	/* After the second probe is unregistered, the first one gets its jump again. */
	KUNIT_EXPECT_TRUE(test, has_jump(at));
	hit_five(test);
	KUNIT_EXPECT_EQ(test, first.nr_pre, 4);

	/* Disabling the second probe has the same effect.  Enabling it removes the jump. */
	KUNIT_ASSERT_EQ(test, add(&second, at + 1, true), 0);
	KUNIT_EXPECT_FALSE(test, has_jump(at));
	KUNIT_EXPECT_EQ(test, disable_kprobe(&second.kp), 0);
	KUNIT_EXPECT_TRUE(test, has_jump(at));
	KUNIT_EXPECT_EQ(test, enable_kprobe(&second.kp), 0);
	KUNIT_EXPECT_FALSE(test, has_jump(at));
	hit_five(test);
	KUNIT_EXPECT_EQ(test, first.nr_pre, 5);
	KUNIT_EXPECT_EQ(test, second.nr_pre, 1);
	drop(&second);

	/* Without a post_handler, the second probe gets its own jump. */
	KUNIT_ASSERT_EQ(test, add(&second, at + 1, false), 0);
	KUNIT_EXPECT_EQ(test, *at, INT3_INSN_OPCODE);
	hit_five(test);
	KUNIT_EXPECT_FALSE(test, has_jump(at));
	KUNIT_EXPECT_TRUE(test, has_jump(at + 1));
	hit_five(test);
	KUNIT_EXPECT_EQ(test, first.nr_pre, 7);
	KUNIT_EXPECT_EQ(test, second.nr_pre, 2);

	/* The first probe gets its jump again after the second jump is removed. */
	KUNIT_EXPECT_EQ(test, disable_kprobe(&second.kp), 0);
	KUNIT_EXPECT_FALSE(test, has_jump(at + 1));
	KUNIT_EXPECT_TRUE(test, has_jump(at));
	hit_five(test);
	KUNIT_EXPECT_EQ(test, first.nr_pre, 8);
	KUNIT_EXPECT_EQ(test, enable_kprobe(&second.kp), 0);
	KUNIT_EXPECT_TRUE(test, has_jump(at + 1));

	/* Unregister the first probe, and keep the second. */
	drop(&first);
	KUNIT_EXPECT_TRUE(test, has_jump(at + 1));
	hit_five(test);
	KUNIT_EXPECT_EQ(test, first.nr_pre, 8);
	KUNIT_EXPECT_EQ(test, second.nr_pre, 3);
	drop(&second);
	hit_five(test);
	KUNIT_EXPECT_EQ(test, second.nr_pre, 3);
}

static void call_tail(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, kprobes_place_tail(RESULT), RESULT + 1);
}

/* The probed instruction is a jump, so replacing it with a jump keeps its first byte. */
static void place_before_jump(struct kunit *test)
{
	u8 *pop = (u8 *)kprobes_place_tail + KPROBES_PLACE_TAIL_POP;

	/* objtool misreads the address in a comparison with a constant. */
	OPTIMIZER_HIDE_VAR(pop);
	KUNIT_ASSERT_EQ(test, pop[1], JMP32_INSN_OPCODE);
	KUNIT_ASSERT_EQ(test, add(&first, pop + 1, false), 0);
	KUNIT_EXPECT_TRUE(test, has_jump(pop + 1));
	call_tail(test);
	KUNIT_EXPECT_EQ(test, first.nr_pre, 1);

	KUNIT_ASSERT_EQ(test, add(&second, pop, false), 0);
	KUNIT_EXPECT_FALSE(test, has_jump(pop));
	call_tail(test);
	KUNIT_EXPECT_EQ(test, first.nr_pre, 2);
	KUNIT_EXPECT_EQ(test, second.nr_pre, 1);

	drop(&first);
	KUNIT_EXPECT_TRUE(test, has_jump(pop));
	call_tail(test);
	KUNIT_EXPECT_EQ(test, second.nr_pre, 2);
	drop(&second);
	call_tail(test);
}

static void place_disabled(struct kunit *test)
{
	u8 *at = (u8 *)kprobes_place_five;

	OPTIMIZER_HIDE_VAR(at);
	KUNIT_ASSERT_EQ(test, add(&lone, at, false), 0);
	KUNIT_EXPECT_TRUE(test, has_jump(at));
	KUNIT_EXPECT_EQ(test, disable_kprobe(&lone.kp), 0);
	hit_five(test);
	KUNIT_EXPECT_FALSE(test, has_jump(at));
	hit_five(test);
	KUNIT_EXPECT_EQ(test, lone.nr_pre, 0);
	KUNIT_EXPECT_EQ(test, enable_kprobe(&lone.kp), 0);
	hit_five(test);
	KUNIT_EXPECT_TRUE(test, has_jump(at));
	hit_five(test);
	KUNIT_EXPECT_EQ(test, lone.nr_pre, 2);
	drop(&lone);
}

/* Enable the probe again at once, while its jump may still be in the text. */
static void place_enabled_again(struct kunit *test)
{
	u8 *at = (u8 *)kprobes_place_five, text[16];

	OPTIMIZER_HIDE_VAR(at);
	memcpy(text, at, sizeof(text));
	KUNIT_ASSERT_EQ(test, add(&first, at, false), 0);
	KUNIT_EXPECT_TRUE(test, has_jump(at));
	KUNIT_EXPECT_EQ(test, disable_kprobe(&first.kp), 0);
	KUNIT_EXPECT_EQ(test, enable_kprobe(&first.kp), 0);
	hit_five(test);
	KUNIT_EXPECT_EQ(test, first.nr_pre, 1);

	KUNIT_ASSERT_EQ(test, add(&second, at + 1, true), 0);
	KUNIT_EXPECT_EQ(test, second.kp.opcode, text[1]);
	hit_five(test);
	KUNIT_EXPECT_EQ(test, first.nr_pre, 2);
	KUNIT_EXPECT_EQ(test, second.nr_pre, 1);

	/* A disarmed probe in the region does not prevent the jump. */
	KUNIT_EXPECT_EQ(test, disable_kprobe(&second.kp), 0);
	KUNIT_EXPECT_TRUE(test, has_jump(at));
	KUNIT_EXPECT_EQ(test, disable_kprobe(&first.kp), 0);
	KUNIT_EXPECT_EQ(test, enable_kprobe(&first.kp), 0);
	KUNIT_EXPECT_TRUE(test, has_jump(at));
	drop(&second);
	drop(&first);
	KUNIT_EXPECT_EQ(test, memcmp(text, at, sizeof(text)), 0);
	hit_five(test);
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
	KUNIT_ASSERT_EQ(test, add(&first, at, false), 0);
	KUNIT_ASSERT_EQ(test, add(&second, at + 1, true), 0);
	KUNIT_EXPECT_EQ(test, disable_kprobe(&second.kp), 0);
	KUNIT_EXPECT_TRUE(test, has_jump(at));
	KUNIT_EXPECT_EQ(test, disable_kprobe(&first.kp), 0);

	kprobes_begin_set();
	KUNIT_EXPECT_EQ(test, enable_kprobe(&first.kp), 0);
	KUNIT_EXPECT_EQ(test, enable_kprobe(&second.kp), 0);
	KUNIT_EXPECT_EQ(test, kprobes_end_set(0), 0);
	KUNIT_EXPECT_FALSE(test, has_jump(at));
	hit_five(test);
	KUNIT_EXPECT_EQ(test, first.nr_pre, 1);
	KUNIT_EXPECT_EQ(test, second.nr_pre, 1);
	drop(&second);
	drop(&first);
	KUNIT_EXPECT_EQ(test, memcmp(text, at, sizeof(text)), 0);
	hit_five(test);
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

	KUNIT_ASSERT_EQ(test, add(&first, at, false), 0);
	KUNIT_ASSERT_TRUE(test, has_jump(at));
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
	second.kp.pre_handler = count_pre;
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
		hit_five(test);
		KUNIT_EXPECT_EQ(test, second.nr_pre, 0);

		KUNIT_EXPECT_EQ(test, enable_kprobe(&second.kp), 0);
		KUNIT_EXPECT_TRUE(test, has_jump(at));
		hit_five(test);
		KUNIT_EXPECT_EQ(test, second.nr_pre, 1);
		drop(&second);
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
	KUNIT_ASSERT_EQ(test, add(&second, at + 1, true), 0);
	KUNIT_EXPECT_EQ(test, disable_kprobe(&second.kp), 0);
	KUNIT_ASSERT_EQ(test, add(&first, at, false), 0);
	KUNIT_EXPECT_TRUE(test, has_jump(at));
	for (i = 0; i < TRIES && !in_time; i++) {
		KUNIT_EXPECT_EQ(test, disable_kprobe(&first.kp), 0);
		/* False if the optimizer has already removed the jump. */
		in_time = *at == JMP32_INSN_OPCODE;
		KUNIT_EXPECT_EQ(test, enable_kprobe(&second.kp), 0);
		KUNIT_EXPECT_NE(test, *at, JMP32_INSN_OPCODE);
		KUNIT_EXPECT_EQ(test, disable_kprobe(&second.kp), 0);
		KUNIT_EXPECT_EQ(test, enable_kprobe(&first.kp), 0);
		KUNIT_EXPECT_TRUE(test, has_jump(at));
		hit_five(test);
		KUNIT_EXPECT_EQ(test, first.nr_pre, i + 1);
	}
	KUNIT_EXPECT_TRUE(test, in_time);
	drop(&first);
	drop(&second);
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
		KUNIT_ASSERT_EQ(test, add(&first, at + 2, false), 0);
		KUNIT_EXPECT_TRUE(test, has_jump(at + 2));
		KUNIT_ASSERT_EQ(test, add(&lone, at, false), 0);
		KUNIT_EXPECT_FALSE(test, has_jump(at));

		KUNIT_EXPECT_EQ(test, disable_kprobe(&first.kp), 0);
		in_time = at[2] == JMP32_INSN_OPCODE;
		KUNIT_ASSERT_EQ(test, add(&second, at + 4, false), 0);
		KUNIT_EXPECT_FALSE(test, has_jump(at));
		KUNIT_EXPECT_EQ(test, at[0], INT3_INSN_OPCODE);
		KUNIT_EXPECT_EQ(test, at[2], text[2]);
		KUNIT_EXPECT_NE(test, at[4], text[4]);
		KUNIT_EXPECT_EQ(test, kprobes_place_short(RESULT), RESULT + 6);
		KUNIT_EXPECT_EQ(test, lone.nr_pre, 1);
		KUNIT_EXPECT_EQ(test, first.nr_pre, 0);
		KUNIT_EXPECT_EQ(test, second.nr_pre, 1);

		drop(&second);
		KUNIT_EXPECT_TRUE(test, has_jump(at));
		drop(&lone);
		drop(&first);
		KUNIT_EXPECT_EQ(test, memcmp(text, at, sizeof(text)), 0);
	}
	KUNIT_EXPECT_TRUE(test, in_time);
}

/* A handler that changes the instruction pointer. */
static int skip_pre(struct kprobe *p, struct pt_regs *regs)
{
	count_pre(p, regs);
	/* Skip the probed instruction and the next one. */
	regs->ip = (unsigned long)kprobes_place_five + 1 + 4;
	regs->ax = regs->di + 1;
	return 1;
}

static void place_redirected(struct kunit *test)
{
	struct kprobe *running;

	KUNIT_ASSERT_EQ(test, add_with(&lone, kprobes_place_five, skip_pre, true), 0);
	hit_five(test);
	hit_five(test);
	preempt_disable();
	running = kprobe_running();
	preempt_enable();
	KUNIT_EXPECT_NULL(test, running);
	drop(&lone);
	KUNIT_EXPECT_EQ(test, lone.nr_pre, 2);
	KUNIT_EXPECT_EQ(test, lone.nr_post, 0);
}

static struct kunit_case place_cases[] = {
	KUNIT_CASE(place_insn),
	KUNIT_CASE(place_switch),
	KUNIT_CASE(place_cpu_down),
	KUNIT_CASE(place_livepatch),
	KUNIT_CASE(place_reserved),
	KUNIT_CASE(place_thunks),
	KUNIT_CASE(place_prefix),
	KUNIT_CASE(place_ftrace_callers),
	KUNIT_CASE(place_landing),
	KUNIT_CASE(place_ftrace),
	KUNIT_CASE(place_debugger),
	KUNIT_CASE(place_debugger_after),
	KUNIT_CASE_SLOW(place_middle),
	KUNIT_CASE(place_second_post),
	KUNIT_CASE(place_first_removed),
	KUNIT_CASE(place_within_jump),
	KUNIT_CASE(place_before_jump),
	KUNIT_CASE(place_disabled),
	KUNIT_CASE(place_enabled_again),
	KUNIT_CASE(place_enabled_together),
	KUNIT_CASE(place_reused),
	KUNIT_CASE(place_forced),
	KUNIT_CASE(place_chain),
	KUNIT_CASE(place_redirected),
	{}
};

static struct kunit_suite place_suite = {
	.name = "kprobes_x86_place",
	.exit = place_exit,
	.test_cases = place_cases,
};

kunit_test_suite(place_suite);
