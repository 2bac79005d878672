// SPDX-License-Identifier: GPL-2.0
/*
 * A probe does not change the effect of an instruction: run each site with random
 * states, first without a probe, then with a probe in each form.
 */

#include <linux/kprobes.h>
#include <linux/preempt.h>
#include <linux/vmalloc.h>

#include <asm/text-patching.h>

#include "run.h"

/* With KMSAN, a round takes 16 seconds under emulation. */
#define ROUNDS		(IS_ENABLED(CONFIG_KMSAN) ? 2 : 24)
#define MAX_COMPLAINTS	10

/* A probe on a site, and the observations of its handlers. */
struct site_probe {
	struct kprobe kp;
	const struct site *site;
	unsigned int nr_pre;
	unsigned int nr_post;
	const char *wrong;
	struct pt_regs after;
};

struct form {
	enum site_context context;
	bool jump;
	bool post;
};

static const struct site **sites;
static unsigned int nr_sites;
static struct site_probe *probes;
static struct kprobe **armed;
static struct site_state *expected, in, out;

/* Can a jump replace the breakpoint of a probe on the site? */
static bool takes_jump(const struct site *s)
{
	return s->kind & SITE_JUMP && !(s->kind & SITE_INT3);
}

static int handle_pre(struct kprobe *p, struct pt_regs *regs)
{
	struct site_probe *sp = container_of(p, struct site_probe, kp);
	int i;

	sp->nr_pre++;
	if (regs->ip != (unsigned long)p->addr + INT3_INSN_SIZE)
		sp->wrong = "ip in pre_handler";
	if ((regs->flags ^ kprobes_site_in.flags) & SITE_FLAGS)
		sp->wrong = "flags in pre_handler";
	for (i = 0; i < 16; i++) {
		if (site_pt_reg(regs, i) != kprobes_site_in.reg[i])
			sp->wrong = "registers in pre_handler";
	}
	return 0;
}

static void handle_post(struct kprobe *p, struct pt_regs *regs, unsigned long flags)
{
	struct site_probe *sp = container_of(p, struct site_probe, kp);

	sp->nr_post++;
	sp->after = *regs;
}

static int run_inner(struct kprobe *p, struct pt_regs *regs)
{
	kprobes_site_enter();
	return 0;
}

static struct kprobe outer = {
	.addr = (kprobe_opcode_t *)kprobes_site_outer,
	.pre_handler = run_inner,
};

static void add_sites(const struct site *from, const struct site *to)
{
	for (; from < to; from++) {
		if (site_can_run(from))
			sites[nr_sites++] = from;
	}
}

static struct site_state *expected_of(unsigned int nr, unsigned int round)
{
	return &expected[nr * ROUNDS + round];
}

static int exec_init(struct kunit_suite *suite)
{
	unsigned int max, nr, round;

	max = kprobes_sites_end - kprobes_sites +
	      kprobes_sites_copied_end - kprobes_sites_copied;
	nr_sites = 0;
	sites = vcalloc(max, sizeof(*sites));
	probes = vcalloc(max, sizeof(*probes));
	armed = vcalloc(max, sizeof(*armed));
	expected = vcalloc(max, ROUNDS * sizeof(*expected));
	if (!sites || !probes || !armed || !expected)
		return -ENOMEM;

	add_sites(kprobes_sites, kprobes_sites_end);
	add_sites(kprobes_sites_copied, kprobes_sites_copied_end);
	for (nr = 0; nr < nr_sites; nr++) {
		for (round = 0; round < ROUNDS; round++) {
			site_make(sites[nr], nr, round, &in);
			site_run(sites[nr], &in, expected_of(nr, round), SITE_PLAIN);
		}
	}
	return 0;
}

static void exec_exit(struct kunit_suite *suite)
{
	vfree(sites);
	vfree(probes);
	vfree(armed);
	vfree(expected);
}

/* Check that the post_handler got the final state of the site. */
static void check_after(struct site_probe *sp)
{
	const struct site *s = sp->site;
	u64 ip = (u64)(kprobes_site_exit == EXIT_NEXT ? s->end :
		       kprobes_site_exit == EXIT_AHEAD ? s->ahead : s->back);
	int i;

	if (sp->after.ip != ip)
		sp->wrong = "ip in post_handler";
	if ((sp->after.flags ^ kprobes_site_out.flags) & SITE_FLAGS)
		sp->wrong = "flags in post_handler";
	for (i = 0; i < 16; i++) {
		if (site_pt_reg(&sp->after, i) != kprobes_site_out.reg[i])
			sp->wrong = "registers in post_handler";
	}
}

/* Returns false after a failure. */
static bool check_run(struct kunit *test, unsigned int nr, unsigned int round,
		      const struct form *form)
{
	unsigned int hits = form->context == SITE_PLAIN;
	struct site_probe *sp = &probes[nr];
	unsigned long missed = sp->kp.nmissed;
	const char *difference;
	char buf[100];

	site_make(sp->site, nr, round, &in);
	/* Breakpoint handlers must run with interrupts off. */
	if (form->context == SITE_NESTED &&
	    !site_has_irqs_off(&in, expected_of(nr, round)))
		return true;

	sp->nr_pre = 0;
	sp->nr_post = 0;
	sp->wrong = NULL;
	site_run(sp->site, &in, &out, form->context);
	if (sp->nr_post)
		check_after(sp);

	difference = site_difference(&out, expected_of(nr, round), buf, sizeof(buf));
	if (difference)
		sp->wrong = difference;
	if (sp->nr_pre != hits || sp->nr_post != (form->post && hits))
		sp->wrong = "number of handler calls";
	if (sp->kp.nmissed - missed != !hits)
		sp->wrong = "number of missed hits";
	if (sp->wrong)
		KUNIT_FAIL(test, "%s (%ps, round %u): %s", sp->site->name, sp->site->addr,
			   round, sp->wrong);
	return !sp->wrong;
}

/* Check that the instruction is executed in the expected way. */
static void check_kind(struct kunit *test, struct site_probe *sp)
{
	const struct arch_specific_insn *ainsn = &sp->kp.ainsn;
	u32 kind = sp->site->kind;

	if (kind & SITE_MANY)
		return;
	KUNIT_EXPECT_EQ_MSG(test, !!ainsn->emulate, !!(kind & SITE_EMULATED), "%s",
			    sp->site->name);
	KUNIT_EXPECT_EQ_MSG(test, !!ainsn->boost,
			    !(kind & (SITE_EMULATED | SITE_STEPPED)), "%s", sp->site->name);
	KUNIT_EXPECT_EQ_MSG(test, !!ainsn->step, !(kind & SITE_EMULATED), "%s",
			    sp->site->name);
}

static void check_text(struct kunit *test, struct site_probe *sp, const struct form *form)
{
	struct kprobe *p;
	bool optimized;

	preempt_disable();
	p = get_kprobe(sp->site->addr);
	optimized = p && kprobe_optimized(p);
	preempt_enable();
	KUNIT_EXPECT_EQ_MSG(test, optimized, form->jump, "%s", sp->site->name);
	KUNIT_EXPECT_EQ_MSG(test, *(u8 *)sp->site->addr,
			    form->jump ? JMP32_INSN_OPCODE : INT3_INSN_OPCODE, "%s",
			    sp->site->name);
}

static void run_form(struct kunit *test, struct form form)
{
	unsigned int nr, round, nr_armed = 0, complaints = 0;
	struct site_probe *sp;
	int ret;

	for (nr = 0; nr < nr_sites; nr++) {
		sp = &probes[nr];
		memset(sp, 0, sizeof(*sp));
		sp->site = sites[nr];
		if (takes_jump(sp->site) != form.jump)
			continue;
		sp->kp.addr = sp->site->addr;
		sp->kp.pre_handler = handle_pre;
		sp->kp.post_handler = form.post ? handle_post : NULL;
		ret = register_kprobe(&sp->kp);
		if (!ret)
			armed[nr_armed++] = &sp->kp;
		KUNIT_EXPECT_EQ_MSG(test, ret, 0, "%s", sp->site->name);
	}
	if (form.context == SITE_NESTED) {
		/* Unregistering has set KPROBE_FLAG_DISABLED. */
		outer.flags = 0;
		KUNIT_EXPECT_EQ(test, register_kprobe(&outer), 0);
	}
	wait_for_kprobe_optimizer();

	for (nr = 0; nr < nr_armed && complaints < MAX_COMPLAINTS; nr++) {
		sp = container_of(armed[nr], struct site_probe, kp);
		check_kind(test, sp);
		check_text(test, sp, &form);
		for (round = 0; round < ROUNDS; round++) {
			if (!check_run(test, sp - probes, round, &form)) {
				complaints++;
				break;
			}
		}
	}
	kunit_info(test, "%u instructions, %u times each", nr_armed, ROUNDS);

	if (form.context == SITE_NESTED)
		unregister_kprobe(&outer);
	unregister_kprobes(armed, nr_armed);
}

/* Run the sites again without probes: equal initial states lead to equal final states. */
static void exec_no_probe(struct kunit *test)
{
	unsigned int nr, round;
	const char *difference;
	char buf[100];

	for (nr = 0; nr < nr_sites; nr++) {
		for (round = 0; round < ROUNDS; round++) {
			site_make(sites[nr], nr, round, &in);
			site_run(sites[nr], &in, &out, SITE_PLAIN);
			difference = site_difference(&out, expected_of(nr, round), buf,
						     sizeof(buf));
			KUNIT_EXPECT_NULL_MSG(test, difference, "%s (%ps, round %u): %s",
					      sites[nr]->name, sites[nr]->addr, round,
					      difference);
		}
	}
}

static void exec_breakpoint(struct kunit *test)
{
	run_form(test, (struct form){ .context = SITE_PLAIN });
}

static void exec_breakpoint_post(struct kunit *test)
{
	run_form(test, (struct form){ .context = SITE_PLAIN, .post = true });
}

static void exec_breakpoint_busy(struct kunit *test)
{
	run_form(test, (struct form){ .context = SITE_BUSY });
}

static void exec_breakpoint_post_busy(struct kunit *test)
{
	run_form(test, (struct form){ .context = SITE_BUSY, .post = true });
}

static void exec_breakpoint_nested(struct kunit *test)
{
	run_form(test, (struct form){ .context = SITE_NESTED });
}

static void exec_breakpoint_post_nested(struct kunit *test)
{
	run_form(test, (struct form){ .context = SITE_NESTED, .post = true });
}

static void exec_jump(struct kunit *test)
{
	run_form(test, (struct form){ .context = SITE_PLAIN, .jump = true });
}

static void exec_jump_busy(struct kunit *test)
{
	run_form(test, (struct form){ .context = SITE_BUSY, .jump = true });
}

static void exec_jump_nested(struct kunit *test)
{
	run_form(test, (struct form){ .context = SITE_NESTED, .jump = true });
}

static struct kunit_case exec_cases[] = {
	KUNIT_CASE(exec_no_probe),
	KUNIT_CASE_SLOW(exec_breakpoint),
	KUNIT_CASE_SLOW(exec_breakpoint_post),
	KUNIT_CASE_SLOW(exec_breakpoint_busy),
	KUNIT_CASE_SLOW(exec_breakpoint_post_busy),
	KUNIT_CASE_SLOW(exec_breakpoint_nested),
	KUNIT_CASE_SLOW(exec_breakpoint_post_nested),
	KUNIT_CASE_SLOW(exec_jump),
	KUNIT_CASE_SLOW(exec_jump_busy),
	KUNIT_CASE_SLOW(exec_jump_nested),
	{}
};

static struct kunit_suite exec_suite = {
	.name = "kprobes_x86_exec",
	.suite_init = exec_init,
	.suite_exit = exec_exit,
	.test_cases = exec_cases,
};

kunit_test_suite(exec_suite);
