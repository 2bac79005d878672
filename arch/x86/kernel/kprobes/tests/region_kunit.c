// SPDX-License-Identifier: GPL-2.0
/*
 * Regions in which a jump may replace a breakpoint, and regions in which it must not.
 */

#include <kunit/test.h>

#include <linux/ftrace.h>
#include <linux/kallsyms.h>
#include <linux/kprobes.h>
#include <linux/memory.h>
#include <linux/preempt.h>
#include <linux/stacktrace.h>
#include <linux/string.h>

#include <asm/text-patching.h>

#include "region.h"

/* The key of the static branches in region.S. */
DEFINE_STATIC_KEY_FALSE(kprobes_region_key);

struct region_probe {
	struct kprobe kp;
	unsigned int nr_hits;
};

static struct region_probe *probes;
static struct kprobe **armed;
static unsigned int nr_sites;

static int count(struct kprobe *p, struct pt_regs *regs)
{
	container_of(p, struct region_probe, kp)->nr_hits++;
	return 0;
}

/* Is there a jump?  Also check that kprobes and the text agree. */
static bool has_jump(struct kunit *test, const struct region_site *s)
{
	struct kprobe *p;
	bool optimized;

	preempt_disable();
	p = get_kprobe(s->addr);
	optimized = p && kprobe_optimized(p);
	preempt_enable();
	KUNIT_EXPECT_EQ_MSG(test, *(u8 *)s->addr,
			    optimized ? JMP32_INSN_OPCODE : INT3_INSN_OPCODE, "%s", s->name);
	return optimized;
}

static __nocfi int call(const struct region_site *s)
{
	return s->function();
}

static void call_all(struct kunit *test, bool are_armed)
{
	const struct region_site *s;
	unsigned int i, hits;

	for (i = 0; i < nr_sites; i++) {
		s = &kprobes_regions[i];
		hits = are_armed && !(s->skips && static_key_enabled(&kprobes_region_key));
		probes[i].nr_hits = 0;
		KUNIT_EXPECT_EQ_MSG(test, call(s), REGION_RESULT, "%s", s->name);
		KUNIT_EXPECT_EQ_MSG(test, probes[i].nr_hits, hits, "%s", s->name);
	}
}

static int region_init(struct kunit *test)
{
	unsigned int i;

	nr_sites = kprobes_regions_end - kprobes_regions;
	probes = kunit_kcalloc(test, nr_sites, sizeof(*probes), GFP_KERNEL);
	armed = kunit_kcalloc(test, nr_sites, sizeof(*armed), GFP_KERNEL);
	if (!probes || !armed)
		return -ENOMEM;
	for (i = 0; i < nr_sites; i++) {
		probes[i].kp.addr = kprobes_regions[i].addr;
		probes[i].kp.pre_handler = count;
		armed[i] = &probes[i].kp;
	}
	return 0;
}

static void region_jumps(struct kunit *test)
{
	const struct region_site *s;

	call_all(test, false);
	KUNIT_ASSERT_EQ(test, register_kprobes(armed, nr_sites), 0);
	call_all(test, true);
	wait_for_kprobe_optimizer();
	for (s = kprobes_regions; s < kprobes_regions_end; s++)
		KUNIT_EXPECT_EQ_MSG(test, has_jump(test, s), s->allowed, "%s", s->name);
	call_all(test, true);
	unregister_kprobes(armed, nr_sites);
	call_all(test, false);
}

/* Toggle the static key while jumps are in the functions that use it. */
static void region_static_branch(struct kunit *test)
{
	const struct region_site *s;

	if (!IS_ENABLED(CONFIG_JUMP_LABEL))
		kunit_skip(test, "static branches are not patched");
	KUNIT_ASSERT_EQ(test, register_kprobes(armed, nr_sites), 0);
	wait_for_kprobe_optimizer();
	static_branch_enable(&kprobes_region_key);
	call_all(test, true);
	static_branch_disable(&kprobes_region_key);
	call_all(test, true);
	unregister_kprobes(armed, nr_sites);

	/* An enabled static branch into the region forbids the jump, too. */
	static_branch_enable(&kprobes_region_key);
	for (s = kprobes_regions; s < kprobes_regions_end; s++)
		probes[s - kprobes_regions].kp.flags = 0;
	KUNIT_ASSERT_EQ(test, register_kprobes(armed, nr_sites), 0);
	wait_for_kprobe_optimizer();
	for (s = kprobes_regions; s < kprobes_regions_end; s++)
		KUNIT_EXPECT_EQ_MSG(test, has_jump(test, s), s->allowed, "%s", s->name);
	call_all(test, true);
	unregister_kprobes(armed, nr_sites);
	static_branch_disable(&kprobes_region_key);
}

/*
 * Call a site that is queued for a jump, with garbage where the jump's last four bytes will
 * be.  Return false if the site is not optimized, or if its jump is already written.
 */
static bool call_partial(struct kunit *test, unsigned int i)
{
	static const u8 garbage[DISP32_SIZE] = { 0xcc, 0xcc, 0xcc, 0xcc };
	const struct region_site *s = &kprobes_regions[i];
	bool optimized, partial;
	u8 tail[DISP32_SIZE];

	probes[i].nr_hits = 0;
	/* In the previous try, unregister_kprobe() set KPROBE_FLAG_DISABLED. */
	probes[i].kp.flags = 0;
	KUNIT_ASSERT_EQ(test, register_kprobe(armed[i]), 0);
	/* The optimizer cannot write the jump from now on. */
	mutex_lock(&text_mutex);
	preempt_disable();
	optimized = kprobe_optimized(get_kprobe(s->addr));
	preempt_enable();
	KUNIT_EXPECT_EQ_MSG(test, optimized, s->allowed, "%s", s->name);
	partial = optimized && *(u8 *)s->addr == INT3_INSN_OPCODE;
	if (partial) {
		memcpy(tail, s->addr + 1, DISP32_SIZE);
		text_poke(s->addr + 1, garbage, DISP32_SIZE);
		text_poke_sync();
		KUNIT_EXPECT_EQ_MSG(test, call(s), REGION_RESULT, "%s", s->name);
		KUNIT_EXPECT_EQ_MSG(test, probes[i].nr_hits, 1, "%s", s->name);
		text_poke(s->addr + 1, tail, DISP32_SIZE);
		text_poke_sync();
	}
	mutex_unlock(&text_mutex);
	unregister_kprobe(armed[i]);
	return partial;
}

/*
 * The last four bytes of a jump are written first.  Until the first byte is written, a
 * CPU that hits the breakpoint must not execute these bytes.  The optimizer may be too
 * fast, so retry.
 */
static void region_partial_jump(struct kunit *test)
{
	unsigned int i, tries, nr_partial = 0;

	for (tries = 0; tries < 100 && !nr_partial; tries++) {
		/* A jump that waits for removal would stay if its probe were registered again. */
		wait_for_kprobe_optimizer();
		for (i = 0; i < nr_sites; i++)
			nr_partial += call_partial(test, i);
	}
	KUNIT_EXPECT_GT(test, nr_partial, 0);
	call_all(test, false);
}

/* The compiler turns the last call into an indirect jump, which uses no jump table. */
static noinline int tail_call(int (*to)(void), int *count)
{
	WRITE_ONCE(*count, 1);
	WRITE_ONCE(*count, 2);
	return to();
}

static int result(void)
{
	return REGION_RESULT;
}

static void region_tail_call(struct kunit *test)
{
	unsigned long entry = ftrace_location((unsigned long)tail_call);
	struct region_probe *p = &probes[0];
	bool optimized;
	int nr = 0;

	if (!entry)
		kunit_skip(test, "no ftrace call site");
	p->kp.addr = (kprobe_opcode_t *)entry + CALL_INSN_SIZE;
	KUNIT_ASSERT_EQ(test, register_kprobe(&p->kp), 0);
	wait_for_kprobe_optimizer();
	preempt_disable();
	optimized = kprobe_optimized(get_kprobe(p->kp.addr));
	preempt_enable();
	/* With frame pointers the compiler generates a call and a return. */
	KUNIT_EXPECT_EQ(test, optimized, IS_ENABLED(CONFIG_X86_KERNEL_IBT) ||
			IS_ENABLED(CONFIG_FRAME_POINTER));
	KUNIT_EXPECT_EQ(test, tail_call(result, &nr), REGION_RESULT);
	KUNIT_EXPECT_EQ(test, p->nr_hits, 1);
	unregister_kprobe(&p->kp);
}

#define MAX_TRACE	64

static unsigned long trace[MAX_TRACE];
static unsigned int nr_trace;

static int save_trace(struct kprobe *p, struct pt_regs *regs)
{
#ifdef CONFIG_STACKTRACE
	nr_trace = stack_trace_save(trace, MAX_TRACE, 0);
#endif
	return 0;
}

static noinline int call_push(void)
{
	int ret = kprobes_region_push();

	/* Keep the compiler from turning the call into a jump. */
	barrier();
	return ret;
}

/* Is the caller of the probed function in the trace? */
static bool is_caller_in_trace(void)
{
	unsigned long size, offset;
	unsigned int i;

	for (i = 0; i < nr_trace; i++) {
		if (kallsyms_lookup_size_offset(trace[i], &size, &offset) &&
		    trace[i] - offset == (unsigned long)call_push)
			return true;
	}
	return false;
}

/* The region starts with a one-byte instruction that changes the stack pointer. */
static void region_stack_trace(struct kunit *test)
{
	struct kprobe *p = &probes[0].kp;
	bool optimized;

	if (!IS_ENABLED(CONFIG_UNWINDER_ORC) || !IS_ENABLED(CONFIG_STACKTRACE))
		kunit_skip(test, "no ORC unwinder or no stack traces");
	p->addr = (kprobe_opcode_t *)kprobes_region_push_at;
	p->pre_handler = save_trace;
	KUNIT_ASSERT_EQ(test, register_kprobe(p), 0);
	wait_for_kprobe_optimizer();
	preempt_disable();
	optimized = kprobe_optimized(get_kprobe(p->addr));
	preempt_enable();
	KUNIT_EXPECT_TRUE(test, optimized);
	nr_trace = 0;
	KUNIT_EXPECT_EQ(test, call_push(), REGION_RESULT);
	KUNIT_EXPECT_TRUE(test, is_caller_in_trace());
	unregister_kprobe(p);
}

static struct kunit_case region_cases[] = {
	KUNIT_CASE(region_jumps),
	KUNIT_CASE(region_partial_jump),
	KUNIT_CASE(region_static_branch),
	KUNIT_CASE(region_tail_call),
	KUNIT_CASE(region_stack_trace),
	{}
};

static struct kunit_suite region_suite = {
	.name = "kprobes_x86_region",
	.init = region_init,
	.test_cases = region_cases,
};

kunit_test_suite(region_suite);
