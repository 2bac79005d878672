// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of kernel probes: add probes that count, and check their places.
 */

#include <kunit/test.h>

#include <linux/kprobes.h>
#include <linux/preempt.h>
#include <linux/string.h>

#include <asm/text-patching.h>

#include "place.h"

/**
 * place_count_pre() - the pre_handler of struct place_probe
 * @p:		its kprobe
 * @regs:	the registers at the hit
 *
 * Return: 0.
 */
int place_count_pre(struct kprobe *p, struct pt_regs *regs)
{
	container_of(p, struct place_probe, kp)->nr_pre++;
	return 0;
}

static void count_post(struct kprobe *p, struct pt_regs *regs, unsigned long flags)
{
	container_of(p, struct place_probe, kp)->nr_post++;
}

/**
 * place_add() - register a probe
 * @p:		the probe; dropped first
 * @addr:	the address to probe
 * @post:	with a post_handler?
 *
 * Return: the result of register_kprobe().
 */
int place_add(struct place_probe *p, const void *addr, bool post)
{
	int ret;

	place_drop(p);
	memset(p, 0, sizeof(*p));
	p->kp.addr = (kprobe_opcode_t *)addr;
	p->kp.pre_handler = place_count_pre;
	p->kp.post_handler = post ? count_post : NULL;
	ret = register_kprobe(&p->kp);
	p->is_added = !ret;
	return ret;
}

/**
 * place_drop() - unregister a probe if it is registered
 * @p: the probe; keeps its counts
 */
void place_drop(struct place_probe *p)
{
	if (!p->is_added)
		return;
	unregister_kprobe(&p->kp);
	p->is_added = false;
	/* The optimizer removes a jump later.  Until then, the jump prevents others nearby. */
	wait_for_kprobe_optimizer();
}

/**
 * place_has_jump() - wait for the optimizer, and check for a jump
 * @addr: the address of a probe
 *
 * Return: true if kprobes and the text both say that there is a jump.
 */
bool place_has_jump(const void *addr)
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

/**
 * place_hit_five() - call kprobes_place_five() and check its result
 * @test: the test
 */
void place_hit_five(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, kprobes_place_five(PLACE_ARG), PLACE_ARG + 5);
}
