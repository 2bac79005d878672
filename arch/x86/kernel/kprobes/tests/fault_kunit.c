// SPDX-License-Identifier: GPL-2.0
/*
 * Probed instructions that fault or that a handler skips: kprobes leaves no state of the hit.
 * After a fault, the kernel uses the exception table.
 */

#include <kunit/test.h>

#include <linux/kprobes.h>
#include <linux/preempt.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>

#include <asm/msr-index.h>
#include <asm/text-patching.h>

#include "fault.h"

#define NULL_PAGE	0x10
#define NON_CANONICAL	0x8000000000000000
#define NO_XCR		77
#define NO_MSR		0x3fffffff

/* Size of the first instruction of kprobes_fault_outer(), which sets the returned value. */
#define OUTER_SIZE	5

/* Memory that instructions can read and write; the first word is a branch target. */
static u64 good_words[4];
static void *unmapped;

static unsigned int nr_pre, nr_post;
static bool wrong_ip;

static int count_pre(struct kprobe *p, struct pt_regs *regs)
{
	nr_pre++;
	if (regs->ip != (unsigned long)p->addr + INT3_INSN_SIZE)
		wrong_ip = true;
	return 0;
}

static void count_post(struct kprobe *p, struct pt_regs *regs, unsigned long flags)
{
	nr_post++;
}

static bool takes_number(const struct fault_site *s)
{
	return !strcmp(s->name, "xgetbv") || !strcmp(s->name, "rdmsr");
}

static bool always_faults(const struct fault_site *s)
{
	return !strcmp(s->name, "invalid");
}

static u64 good_arg(const struct fault_site *s)
{
	if (!strcmp(s->name, "rdmsr"))
		return MSR_EFER;
	if (!strcmp(s->name, "xgetbv"))
		return 0;
	return (u64)good_words;
}

/* Get the arguments that make the instruction fault, terminated by 0. */
static void bad_args(const struct fault_site *s, u64 args[4])
{
	memset(args, 0, 4 * sizeof(*args));
	if (!strcmp(s->name, "rdmsr")) {
		args[0] = NO_MSR;
	} else if (!strcmp(s->name, "xgetbv")) {
		args[0] = NO_XCR;
	} else {
		args[0] = NULL_PAGE;
		args[1] = (u64)unmapped;
		args[2] = NON_CANONICAL;
	}
}

/* Call the function.  Check that the interrupt flag is unchanged and that the hit has ended. */
static __nocfi u64 call(struct kunit *test, const struct fault_site *s, u64 arg, bool irqs)
{
	bool irqs_after;
	struct kprobe *running;
	u64 result;

	preempt_disable();
	if (!irqs)
		local_irq_disable();
	result = s->function(arg);
	irqs_after = !irqs_disabled();
	local_irq_enable();
	running = kprobe_running();
	preempt_enable();

	KUNIT_EXPECT_EQ_MSG(test, irqs_after, irqs, "%s(%llx)", s->name, arg);
	KUNIT_EXPECT_NULL_MSG(test, running, "%s(%llx)", s->name, arg);
	return result;
}

static void hit(struct kunit *test, const struct fault_site *s, u64 arg, u64 expected,
		bool irqs, bool post)
{
	bool faults = expected == -EFAULT;

	nr_pre = 0;
	nr_post = 0;
	wrong_ip = false;
	KUNIT_EXPECT_EQ_MSG(test, call(test, s, arg, irqs), expected, "%s(%llx)", s->name,
			    arg);
	KUNIT_EXPECT_EQ_MSG(test, nr_pre, 1, "%s(%llx)", s->name, arg);
	KUNIT_EXPECT_EQ_MSG(test, nr_post, post && !faults, "%s(%llx)", s->name, arg);
	KUNIT_EXPECT_FALSE_MSG(test, wrong_ip, "%s(%llx)", s->name, arg);
}

static void test_site(struct kunit *test, const struct fault_site *s, bool post)
{
	u64 good = good_arg(s), bad[4], expected;
	static struct kprobe kp;
	unsigned int i;

	kp = (struct kprobe){
		.addr = s->addr,
		.pre_handler = count_pre,
		.post_handler = post ? count_post : NULL,
	};
	expected = call(test, s, good, true);
	KUNIT_EXPECT_EQ_MSG(test, expected == -EFAULT, always_faults(s), "%s", s->name);
	bad_args(s, bad);
	if (call(test, s, bad[0], true) != -EFAULT) {
		/* QEMU accepts any MSR. */
		KUNIT_EXPECT_STREQ(test, s->name, "rdmsr");
		bad[0] = 0;
	}

	KUNIT_ASSERT_EQ_MSG(test, register_kprobe(&kp), 0, "%s", s->name);
	wait_for_kprobe_optimizer();
	KUNIT_EXPECT_EQ_MSG(test, *(u8 *)s->addr, INT3_INSN_OPCODE, "%s", s->name);
	for (i = 0; bad[i]; i++) {
		hit(test, s, bad[i], -EFAULT, true, post);
		hit(test, s, good, expected, true, post);
		hit(test, s, bad[i], -EFAULT, false, post);
		hit(test, s, bad[i], -EFAULT, false, post);
		hit(test, s, good, expected, false, post);
	}
	unregister_kprobe(&kp);
	KUNIT_EXPECT_EQ_MSG(test, call(test, s, good, true), expected, "%s", s->name);
}

static void fault_pre(struct kunit *test)
{
	const struct fault_site *s;

	for (s = kprobes_fault_sites; s < kprobes_fault_sites_end; s++)
		test_site(test, s, false);
}

static void fault_post(struct kunit *test)
{
	const struct fault_site *s;

	for (s = kprobes_fault_sites; s < kprobes_fault_sites_end; s++)
		test_site(test, s, true);
}

/* Run the faulting instructions in the handlers of another probe. */
static unsigned int nr_inner, nr_wrong;

/* Is the place of this probe being handled? */
static bool is_running(struct kprobe *p)
{
	return kprobe_running() && kprobe_running()->addr == p->addr;
}

static __nocfi void run_inner(void)
{
	const struct fault_site *s;
	u64 bad[4];
	unsigned int i;

	for (s = kprobes_fault_sites; s < kprobes_fault_sites_end; s++) {
		if (takes_number(s))
			continue;
		bad_args(s, bad);
		for (i = 0; bad[i]; i++) {
			nr_inner += 2;
			nr_wrong += s->function(bad[i]) != -EFAULT;
			nr_wrong += (s->function((u64)good_words) == -EFAULT) !=
				    always_faults(s);
		}
	}
}

static int inner_pre(struct kprobe *p, struct pt_regs *regs)
{
	nr_pre++;
	run_inner();
	nr_wrong += !is_running(p);
	return 0;
}

static void inner_post(struct kprobe *p, struct pt_regs *regs, unsigned long flags)
{
	nr_post++;
	run_inner();
	nr_wrong += !is_running(p);
}

static void test_nested(struct kunit *test, bool post)
{
	unsigned int nr = kprobes_fault_sites_end - kprobes_fault_sites, i, nr_missed = 0;
	static struct kprobe outer;
	struct kprobe *kps;

	outer = (struct kprobe){
		.addr = (kprobe_opcode_t *)kprobes_fault_outer,
		.pre_handler = inner_pre,
		.post_handler = inner_post,
	};
	kps = kunit_kcalloc(test, nr, sizeof(*kps), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, kps);
	for (i = 0; i < nr; i++) {
		kps[i].addr = kprobes_fault_sites[i].addr;
		kps[i].pre_handler = count_pre;
		kps[i].post_handler = post ? count_post : NULL;
		KUNIT_EXPECT_EQ(test, register_kprobe(&kps[i]), 0);
	}
	KUNIT_EXPECT_EQ(test, register_kprobe(&outer), 0);

	nr_pre = 0;
	nr_post = 0;
	nr_inner = 0;
	nr_wrong = 0;
	KUNIT_EXPECT_EQ(test, kprobes_fault_outer(), 3);
	KUNIT_EXPECT_EQ(test, kprobes_fault_outer(), 3);
	KUNIT_EXPECT_EQ(test, nr_pre, 2);
	KUNIT_EXPECT_EQ(test, nr_post, 2);
	KUNIT_EXPECT_GT(test, nr_inner, 0);
	KUNIT_EXPECT_EQ(test, nr_wrong, 0);

	unregister_kprobe(&outer);
	for (i = 0; i < nr; i++) {
		nr_missed += kps[i].nmissed;
		unregister_kprobe(&kps[i]);
	}
	KUNIT_EXPECT_EQ(test, nr_missed, nr_inner);
}

static void fault_nested(struct kunit *test)
{
	test_nested(test, false);
}

static void fault_nested_post(struct kunit *test)
{
	test_nested(test, true);
}

/* A handler that faults.  kprobes must not mistake the fault for a fault of the copy. */
static int faulting_pre(struct kprobe *p, struct pt_regs *regs)
{
	u64 value;

	nr_pre++;
	nr_wrong += get_kernel_nofault(value, (u64 *)unmapped) != -EFAULT;
	nr_wrong += !is_running(p);
	return 0;
}

static void faulting_post(struct kprobe *p, struct pt_regs *regs, unsigned long flags)
{
	u64 value;

	nr_post++;
	nr_wrong += get_kernel_nofault(value, (u64 *)unmapped) != -EFAULT;
	nr_wrong += !is_running(p);
}

static void fault_in_handler(struct kunit *test)
{
	static struct kprobe kp;

	kp = (struct kprobe){
		.addr = (kprobe_opcode_t *)kprobes_fault_outer,
		.pre_handler = faulting_pre,
		.post_handler = faulting_post,
	};
	KUNIT_ASSERT_EQ(test, register_kprobe(&kp), 0);
	nr_pre = 0;
	nr_post = 0;
	nr_wrong = 0;
	KUNIT_EXPECT_EQ(test, kprobes_fault_outer(), 3);
	KUNIT_EXPECT_EQ(test, kprobes_fault_outer(), 3);
	unregister_kprobe(&kp);
	KUNIT_EXPECT_EQ(test, nr_pre, 2);
	KUNIT_EXPECT_EQ(test, nr_post, 2);
	KUNIT_EXPECT_EQ(test, nr_wrong, 0);
}

/* A handler that skips the probed instruction and returns another value. */
static int skipping_pre(struct kprobe *p, struct pt_regs *regs)
{
	nr_pre++;
	regs->ip = (unsigned long)p->addr + OUTER_SIZE;
	regs->ax = 5;
	return 1;
}

static void fault_skipped(struct kunit *test)
{
	static struct kprobe kp;
	struct kprobe *running;

	kp = (struct kprobe){
		.addr = (kprobe_opcode_t *)kprobes_fault_outer,
		.pre_handler = skipping_pre,
		.post_handler = count_post,
	};
	KUNIT_ASSERT_EQ(test, register_kprobe(&kp), 0);
	nr_pre = 0;
	nr_post = 0;
	KUNIT_EXPECT_EQ(test, kprobes_fault_outer(), 5);
	KUNIT_EXPECT_EQ(test, kprobes_fault_outer(), 5);
	preempt_disable();
	running = kprobe_running();
	preempt_enable();
	unregister_kprobe(&kp);
	KUNIT_EXPECT_NULL(test, running);
	KUNIT_EXPECT_EQ(test, nr_pre, 2);
	KUNIT_EXPECT_EQ(test, nr_post, 0);
	KUNIT_EXPECT_EQ(test, kprobes_fault_outer(), 3);
}

/* Load a word of which only the first @nr_bytes bytes are mapped. */
static void load_at_end(struct kunit *test, const u8 *end, unsigned int nr_bytes)
{
	struct kprobe *running;
	u64 expected = 0, word;

	memcpy(&expected, end - nr_bytes, nr_bytes);
	preempt_disable();
	word = kprobes_fault_zeropad(end - nr_bytes);
	running = kprobe_running();
	preempt_enable();
	KUNIT_EXPECT_EQ_MSG(test, word, expected, "%u bytes", nr_bytes);
	KUNIT_EXPECT_NULL(test, running);
}

static void fault_zeropad(struct kunit *test)
{
	static struct kprobe kp;
	unsigned int i;
	u8 *page;

	kp = (struct kprobe){
		.addr = kprobes_fault_zeropad_load,
		.pre_handler = count_pre,
	};
	/* A guard page follows the allocated page. */
	page = vmalloc(PAGE_SIZE);
	KUNIT_ASSERT_NOT_NULL(test, page);
	for (i = 0; i < PAGE_SIZE; i++)
		page[i] = i;

	load_at_end(test, page + PAGE_SIZE, 3);
	KUNIT_EXPECT_EQ(test, register_kprobe(&kp), 0);
	nr_pre = 0;
	for (i = 1; i <= 8; i++)
		load_at_end(test, page + PAGE_SIZE, i);
	KUNIT_EXPECT_EQ(test, nr_pre, 8);
	unregister_kprobe(&kp);
	load_at_end(test, page + PAGE_SIZE, 3);
	vfree(page);
}

/* If a boosted copy causes an oops, kprobe_leave_copy() makes regs->ip the probe's address. */
static void fault_boosted(struct kunit *test)
{
	struct pt_regs *regs = kunit_kzalloc(test, sizeof(*regs), GFP_KERNEL);
	static struct kprobe kp;
	unsigned long addr;
	struct kprobe *p;

	KUNIT_ASSERT_NOT_NULL(test, regs);
	kp = (struct kprobe){ .addr = (kprobe_opcode_t *)kprobes_fault_outer };
	KUNIT_ASSERT_EQ(test, register_kprobe(&kp), 0);
	addr = (unsigned long)kp.addr;
	preempt_disable();
	p = get_kprobe(kp.addr);
	regs->ip = (unsigned long)kprobe_code(p->ainsn.boost);
	KUNIT_EXPECT_NE(test, regs->ip, 0);
	KUNIT_EXPECT_TRUE(test, kprobe_leave_copy(regs));
	KUNIT_EXPECT_EQ(test, regs->ip, addr);

	/* It does not change an address in the text, or in a copy that no hit is stepping. */
	regs->ip = (unsigned long)kprobe_code(p->ainsn.step);
	KUNIT_EXPECT_FALSE(test, kprobe_leave_copy(regs));
	regs->ip = addr;
	KUNIT_EXPECT_FALSE(test, kprobe_leave_copy(regs));
	preempt_enable();
	unregister_kprobe(&kp);
}

static int fault_init(struct kunit_suite *suite)
{
	good_words[0] = (u64)kprobes_fault_seven;
	/* The page after a vmalloc area is not mapped. */
	unmapped = vmalloc(PAGE_SIZE);
	if (!unmapped)
		return -ENOMEM;
	unmapped += PAGE_SIZE;
	return 0;
}

static void fault_exit(struct kunit_suite *suite)
{
	if (unmapped)
		vfree(unmapped - PAGE_SIZE);
}

static struct kunit_case fault_cases[] = {
	KUNIT_CASE(fault_pre),
	KUNIT_CASE(fault_post),
	KUNIT_CASE(fault_nested),
	KUNIT_CASE(fault_nested_post),
	KUNIT_CASE(fault_in_handler),
	KUNIT_CASE(fault_skipped),
	KUNIT_CASE(fault_zeropad),
	KUNIT_CASE(fault_boosted),
	{}
};

static struct kunit_suite fault_suite = {
	.name = "kprobes_x86_fault",
	.suite_init = fault_init,
	.suite_exit = fault_exit,
	.test_cases = fault_cases,
};

kunit_test_suite(fault_suite);
