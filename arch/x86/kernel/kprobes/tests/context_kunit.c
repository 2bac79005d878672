// SPDX-License-Identifier: GPL-2.0
/*
 * Probes that are hit in interrupts and NMIs, including NMIs during the handling of
 * another probe: in its handler, or in the copy of its instruction.
 */

#include <kunit/test.h>

#include <linux/irq_work.h>
#include <linux/kprobes.h>
#include <linux/preempt.h>
#include <linux/processor.h>
#include <linux/smp.h>

#include <asm/apic.h>
#include <asm/msr-index.h>
#include <asm/nmi.h>
#include <asm/processor-flags.h>
#include <asm/text-patching.h>

#include "context.h"

#define ARG		0x1234
#define MAX_SITES	8
#define MAX_SPINS	250000000
#define ROUNDS		4

struct context_probe {
	struct kprobe kp;
	unsigned int nr_pre;
	unsigned int nr_post;
};

/* A context in which the probes are hit. */
struct context {
	/* Hit the probes; returns false if that failed. */
	bool (*run)(void);
	/* Is this the right context? */
	bool (*is_current)(void);
	/* Are the hits missed? */
	enum { NEVER, ALWAYS, ANY } missed;
};

static u64 (*const functions[])(u64 arg) = { kprobes_context_int3, kprobes_context_jump };

static struct context_probe probes[MAX_SITES];
static struct kprobe *armed[MAX_SITES];
static unsigned int nr_sites;

static const struct context *context;
static unsigned int nr_rounds, nr_wrong;
static bool in_round;

/* The CPU that an NMI was sent to, or -1. */
static int nmi_to = -1;

static void hit_probes(void)
{
	unsigned int i;

	nr_wrong += !context->is_current();
	in_round = true;
	for (i = 0; i < ARRAY_SIZE(functions); i++)
		nr_wrong += functions[i](ARG) != ARG + CONTEXT_ADDS;
	in_round = false;
	nr_rounds++;
}

static bool is_in_irq(void)
{
	return in_hardirq() && !in_nmi();
}

static bool is_in_nmi(void)
{
	return in_nmi();
}

static void hit_in_irq(struct irq_work *work)
{
	hit_probes();
}

static bool run_in_irq(void)
{
	struct irq_work work = IRQ_WORK_INIT_HARD(hit_in_irq);
	unsigned int before = nr_rounds;

	irq_work_queue(&work);
	irq_work_sync(&work);
	return nr_rounds == before + 1;
}

static int handle_nmi(unsigned int type, struct pt_regs *regs)
{
	if (READ_ONCE(nmi_to) != raw_smp_processor_id())
		return NMI_DONE;
	hit_probes();
	WRITE_ONCE(nmi_to, -1);
	return NMI_HANDLED;
}

static bool wait_for_nmi(void)
{
	unsigned int spins;

	for (spins = 0; READ_ONCE(nmi_to) >= 0; spins++) {
		if (spins == MAX_SPINS) {
			WRITE_ONCE(nmi_to, -1);
			return false;
		}
		cpu_relax();
	}
	return true;
}

/* Send an NMI to this CPU, and wait until it is handled. */
static bool run_in_nmi(void)
{
	int cpu = get_cpu();
	bool came;

	WRITE_ONCE(nmi_to, cpu);
	__apic_send_IPI_mask(cpumask_of(cpu), NMI_VECTOR);
	came = wait_for_nmi();
	put_cpu();
	return came;
}

/* Is the place of this probe being handled? */
static bool is_running(struct kprobe *p)
{
	return kprobe_running() && kprobe_running()->addr == p->addr;
}

/* Calls of the outer probe's handlers.  An NMI interrupts the handling of this probe. */
static unsigned int nr_outer_pre, nr_outer_post;

static int outer_send(struct kprobe *p, struct pt_regs *regs)
{
	nr_outer_pre++;
	nr_wrong += !run_in_nmi();
	nr_wrong += !is_running(p);
	return 0;
}

static int outer_count(struct kprobe *p, struct pt_regs *regs)
{
	nr_outer_pre++;
	return 0;
}

static void outer_post(struct kprobe *p, struct pt_regs *regs, unsigned long flags)
{
	nr_outer_post++;
	nr_wrong += !is_running(p);
}

/* Call @call with a probe at @addr.  Returns true if each handler of the probe ran once. */
static bool run_outer(void *addr, kprobe_pre_handler_t pre_handler, void (*call)(void))
{
	static struct kprobe outer;
	bool right;

	outer = (struct kprobe){
		.addr = addr,
		.pre_handler = pre_handler,
		.post_handler = outer_post,
	};
	if (register_kprobe(&outer))
		return false;
	nr_outer_pre = 0;
	nr_outer_post = 0;
	call();
	right = nr_outer_pre == 1 && nr_outer_post == 1 && !outer.nmissed;
	unregister_kprobe(&outer);
	return right;
}

static bool run_in_nmi_of_handler(void)
{
	return run_outer(kprobes_context_outer, outer_send, kprobes_context_outer);
}

/*
 * Send an NMI to this CPU with a single instruction, which runs from a copy.  The NMI
 * arrives before the next instruction, or in the handler of the breakpoint after the copy.
 * Use raw_local_irq_save(), since lockdep need not track that interrupts are on for one
 * instruction.
 */
static void send_from_copy(void)
{
	u32 id, how = APIC_DM_NMI | APIC_DEST_PHYSICAL;
	unsigned long flags, flags_after;

	raw_local_irq_save(flags);
	id = read_apic_id();
	WRITE_ONCE(nmi_to, raw_smp_processor_id());
	if (x2apic_enabled()) {
		flags_after = kprobes_context_send_msr((u64)id << 32 | how,
						       APIC_BASE_MSR + (APIC_ICR >> 4));
	} else {
		native_apic_mem_write(APIC_ICR2, SET_XAPIC_DEST_FIELD(id));
		flags_after = kprobes_context_send_mmio(how, (u32 *)(APIC_BASE + APIC_ICR));
	}
	nr_wrong += !(flags_after & X86_EFLAGS_IF);
	nr_wrong += !wait_for_nmi();
	nr_wrong += !!kprobe_running();
	raw_local_irq_restore(flags);
}

static bool run_in_nmi_of_copy(void)
{
	return run_outer(x2apic_enabled() ? kprobes_context_msr_addr :
			 kprobes_context_mmio_addr, outer_count, send_from_copy);
}

static const struct context in_irq = { run_in_irq, is_in_irq, NEVER };
static const struct context in_task_nmi = { run_in_nmi, is_in_nmi, NEVER };
static const struct context in_nmi_of_handler = { run_in_nmi_of_handler, is_in_nmi, ALWAYS };
static const struct context in_nmi_of_copy = { run_in_nmi_of_copy, is_in_nmi, ANY };

static int count_pre(struct kprobe *p, struct pt_regs *regs)
{
	container_of(p, struct context_probe, kp)->nr_pre++;
	nr_wrong += !in_round;
	nr_wrong += !is_running(p);
	return 0;
}

static void count_post(struct kprobe *p, struct pt_regs *regs, unsigned long flags)
{
	container_of(p, struct context_probe, kp)->nr_post++;
	nr_wrong += !is_running(p);
}

static bool has_jump(struct kprobe *kp)
{
	struct kprobe *p;
	bool optimized;

	preempt_disable();
	p = get_kprobe(kp->addr);
	optimized = p && kprobe_optimized(p) && *(u8 *)kp->addr == JMP32_INSN_OPCODE;
	preempt_enable();
	return optimized;
}

/* Hit the probes in a context several times. */
static void run(struct kunit *test, const struct context *where)
{
	struct kprobe *running;
	unsigned int round;

	context = where;
	nr_rounds = 0;
	nr_wrong = 0;
	for (round = 0; round < ROUNDS; round++)
		KUNIT_EXPECT_TRUE(test, where->run());
	KUNIT_EXPECT_EQ(test, nr_rounds, ROUNDS);
	KUNIT_EXPECT_EQ(test, nr_wrong, 0);
	preempt_disable();
	running = kprobe_running();
	preempt_enable();
	KUNIT_EXPECT_NULL(test, running);
}

static void check_counts(struct kunit *test, const struct context *where,
			 unsigned int nr_hits, unsigned long nr_missed)
{
	KUNIT_EXPECT_EQ(test, nr_hits + nr_missed, ROUNDS);
	if (where->missed == NEVER)
		KUNIT_EXPECT_EQ(test, nr_missed, 0);
	if (where->missed == ALWAYS)
		KUNIT_EXPECT_EQ(test, nr_hits, 0);
}

static void test_probes(struct kunit *test, const struct context *where, bool post)
{
	struct context_probe *cp;
	unsigned int i;

	memset(probes, 0, sizeof(probes));
	for (i = 0; i < nr_sites; i++) {
		cp = &probes[i];
		cp->kp.addr = kprobes_context_sites[i].addr;
		cp->kp.pre_handler = count_pre;
		cp->kp.post_handler = post ? count_post : NULL;
		armed[i] = &cp->kp;
	}
	KUNIT_ASSERT_EQ(test, register_kprobes(armed, nr_sites), 0);
	wait_for_kprobe_optimizer();
	for (i = 0; i < nr_sites; i++)
		KUNIT_EXPECT_EQ_MSG(test, has_jump(armed[i]),
				    kprobes_context_sites[i].takes_jump && !post, "%u", i);

	run(test, where);
	for (i = 0; i < nr_sites; i++) {
		cp = &probes[i];
		check_counts(test, where, cp->nr_pre, cp->kp.nmissed);
		KUNIT_EXPECT_EQ(test, cp->nr_post, post ? cp->nr_pre : 0);
	}
	unregister_kprobes(armed, nr_sites);
}

static unsigned int nr_entries, nr_returns;

static int enter(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	nr_entries++;
	nr_wrong += regs->di != ARG;
	nr_wrong += !in_round;
	return 0;
}

static int leave(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	nr_returns++;
	nr_wrong += regs_return_value(regs) != ARG + CONTEXT_ADDS;
	nr_wrong += !in_round;
	return 0;
}

static void test_returns(struct kunit *test, const struct context *where)
{
	static struct kretprobe rp;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(functions); i++) {
		memset(&rp, 0, sizeof(rp));
		rp.kp.addr = (kprobe_opcode_t *)functions[i];
		rp.entry_handler = enter;
		rp.handler = leave;
		KUNIT_ASSERT_EQ(test, register_kretprobe(&rp), 0);
		wait_for_kprobe_optimizer();
		KUNIT_EXPECT_EQ(test, has_jump(&rp.kp), functions[i] == kprobes_context_jump);
		nr_entries = 0;
		nr_returns = 0;

		run(test, where);
		check_counts(test, where, nr_entries, rp.kp.nmissed);
		KUNIT_EXPECT_EQ(test, nr_returns, nr_entries);
		KUNIT_EXPECT_EQ(test, rp.nmissed, 0);
		unregister_kretprobe(&rp);
	}
}

static void test_context(struct kunit *test, const struct context *where)
{
	test_probes(test, where, false);
	test_probes(test, where, true);
	test_returns(test, where);
}

static void context_irq(struct kunit *test)
{
	test_context(test, &in_irq);
}

static void context_nmi(struct kunit *test)
{
	test_context(test, &in_task_nmi);
}

static void context_nmi_of_handler(struct kunit *test)
{
	test_context(test, &in_nmi_of_handler);
}

static void context_nmi_of_copy(struct kunit *test)
{
	test_context(test, &in_nmi_of_copy);
}

static int context_init(struct kunit_suite *suite)
{
	nr_sites = kprobes_context_sites_end - kprobes_context_sites;
	if (nr_sites > MAX_SITES)
		return -E2BIG;
	return register_nmi_handler(NMI_LOCAL, handle_nmi, NMI_FLAG_FIRST, "kprobes_x86_test");
}

static void context_exit(struct kunit_suite *suite)
{
	unregister_nmi_handler(NMI_LOCAL, "kprobes_x86_test");
}

static struct kunit_case context_cases[] = {
	KUNIT_CASE(context_irq),
	KUNIT_CASE(context_nmi),
	KUNIT_CASE(context_nmi_of_handler),
	KUNIT_CASE(context_nmi_of_copy),
	{}
};

static struct kunit_suite context_suite = {
	.name = "kprobes_x86_context",
	.suite_init = context_init,
	.suite_exit = context_exit,
	.test_cases = context_cases,
};

kunit_test_suite(context_suite);
