// SPDX-License-Identifier: GPL-2.0
/*
 * Kernel probes: out-of-line copies of instructions.
 *
 * A copy is in a slot of executable memory, less than 2 GB from the original.  A
 * "boosted" copy is followed by a jump to the next instruction in the text, and needs no
 * further work.  A "stepped" copy is followed by a breakpoint, whose handler completes
 * the instruction and returns to the text.  Most instructions that are not emulated have
 * both copies, and the breakpoint handler chooses one at each hit: a post_handler needs the
 * stepped copy.  A post_handler may be added later, and is not called for a hit in the
 * handler of another probe.
 *
 * The exception table has the address of the original, not that of the copy.  If a stepped
 * copy causes an exception whose handler searches the table, kprobe_fault_handler() or
 * kprobe_leave_copy() corrects the address, except for a machine check.  Instructions with
 * an entry in the table are never boosted.  For a boosted copy, the address is only
 * corrected for the oops message.
 *
 * A slot is freed when no CPU can be in its copy any more.  A stepped copy runs with
 * interrupts off, so an RCU grace period is enough.  A task may be preempted in a
 * boosted copy, so its slot needs an RCU-tasks grace period.  That takes too long for
 * unregistration to wait, so a work item waits and frees the slot.
 */

#include <linux/execmem.h>
#include <linux/extable.h>
#include <linux/kprobes.h>
#include <linux/llist.h>
#include <linux/memory.h>
#include <linux/perf_event.h>
#include <linux/rcupdate.h>
#include <linux/set_memory.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

#include <asm/insn.h>
#include <asm/text-patching.h>

#include "kprobes.h"

/**
 * alloc_insn_page() - get a page for slots
 *
 * The page is filled with breakpoints.  Slots are written with text_poke().
 *
 * Context: may sleep.
 * Return: the page, executable and not writable, or NULL.
 */
void *alloc_insn_page(void)
{
	void *page = execmem_alloc(EXECMEM_KPROBES, PAGE_SIZE);

	if (!page)
		return NULL;
	memset(page, INT3_INSN_OPCODE, PAGE_SIZE);
	if (set_memory_rox((unsigned long)page, 1)) {
		execmem_free(page);
		return NULL;
	}
	return page;
}

/**
 * kprobe_copy_insn() - copy an instruction and adjust an operand relative to RIP
 * @buf:	buffer for the copy
 * @insn:	the instruction, decoded
 * @from:	its address in the text
 * @to:		address at which the copy will be executed
 *
 * Context: Any.
 * Return: its length, or -ERANGE if the operand is more than 2 GB from @to.
 */
int kprobe_copy_insn(kprobe_opcode_t *buf, struct insn *insn, const void *from,
		     const void *to)
{
	memcpy(buf, insn->kaddr, insn->length);
	if (insn_rip_relative(insn)) {
		long disp = (long)insn->displacement.value + (from - to);
		s32 disp32 = disp;

		if (disp != disp32)
			return -ERANGE;
		memcpy(buf + insn_offset_displacement(insn), &disp32, sizeof(disp32));
	}
	return insn->length;
}

/* Write a copy to a new slot, followed by a jump back or by a breakpoint. */
static kprobe_opcode_t *make_slot(struct kprobe *p, struct insn *insn, enum insn_way way,
				  bool boost)
{
	kprobe_opcode_t buf[MAX_INSN_SIZE + JMP32_INSN_SIZE], *slot;
	int len;

	slot = get_insn_slot();
	if (!slot)
		return ERR_PTR(-ENOMEM);

	len = kprobe_copy_insn(buf, insn, p->addr, slot);
	if (len < 0) {
		free_insn_slot(slot, 0);
		return ERR_PTR(len);
	}
	if (way == INSN_COPY_PUSH) {
		kprobe_opcode_t *modrm = buf + insn_offset_modrm(insn);

		*modrm = (*modrm & ~0x38) | 6 << 3;
	}

	if (boost) {
		__text_gen_insn(buf + len, JMP32_INSN_OPCODE, slot + len, p->addr + len,
				JMP32_INSN_SIZE);
		len += JMP32_INSN_SIZE;
	} else {
		buf[len++] = INT3_INSN_OPCODE;
	}

	perf_event_text_poke(slot, NULL, 0, buf, len);
	text_poke(slot, buf, len);
	return slot;
}

static bool can_boost(const struct kprobe *p, const struct arch_specific_insn *ainsn,
		      enum insn_way way)
{
	return way != INSN_COPY_PUSH && ainsn->size + JMP32_INSN_SIZE <= MAX_INSN_SIZE &&
	       !search_exception_tables((unsigned long)p->addr);
}

static bool can_step(const struct arch_specific_insn *ainsn, enum insn_way way)
{
	return way != INSN_COPY_NO_STEP && ainsn->size < MAX_INSN_SIZE;
}

/**
 * kprobe_check_slots() - can a probe have the copies that it needs?
 * @p:		the probe
 * @ainsn:	from kprobe_insn_way()
 * @way:	way to execute the instruction
 *
 * Context: Any.
 * Return: KPROBE_ACCEPTED, or why not.
 */
enum kprobe_refusal kprobe_check_slots(const struct kprobe *p,
				       const struct arch_specific_insn *ainsn, enum insn_way way)
{
	if (ainsn->emulate || can_step(ainsn, way))
		return KPROBE_ACCEPTED;
	if (!can_boost(p, ainsn, way))
		return REFUSED_IN_PLACE;
	return p->post_handler ? REFUSED_NO_STEP : KPROBE_ACCEPTED;
}

/**
 * kprobe_make_slots() - create the copies that a probe needs
 * @p:		the probe; the function sets its @ainsn.boost and @ainsn.step
 * @insn:	its instruction, which kprobe_check_slots() has accepted
 * @way:	way to execute the instruction
 *
 * Context: process context; text_mutex held.
 * Return: 0, -ENOMEM or -ERANGE.
 */
int kprobe_make_slots(struct kprobe *p, struct insn *insn, enum insn_way way)
{
	struct arch_specific_insn *ainsn = &p->ainsn;
	kprobe_opcode_t *slot;

	lockdep_assert_held(&text_mutex);
	if (ainsn->emulate)
		return 0;
	if (can_step(ainsn, way)) {
		slot = make_slot(p, insn, way, false);
		if (IS_ERR(slot))
			return PTR_ERR(slot);
		ainsn->step = (long)slot;
	}
	if (can_boost(p, ainsn, way)) {
		slot = make_slot(p, insn, way, true);
		if (IS_ERR(slot)) {
			if (ainsn->step)
				free_insn_slot(kprobe_code(ainsn->step), 0);
			ainsn->step = 0;
			return PTR_ERR(slot);
		}
		ainsn->boost = (long)slot;
	}
	return 0;
}

#ifdef CONFIG_PREEMPTION
/* A slot that tasks may still execute.  One grace period is enough for all queued slots. */
struct retired_slot {
	struct llist_node node;
	kprobe_opcode_t *slot;
	void (*free)(kprobe_opcode_t *slot, int dirty);
};

static LLIST_HEAD(retired_slots);

static void free_retired_slots(struct work_struct *work)
{
	struct llist_node *slots = llist_del_all(&retired_slots);
	struct retired_slot *r, *next;

	synchronize_rcu_tasks();
	llist_for_each_entry_safe(r, next, slots, node) {
		r->free(r->slot, 0);
		kfree(r);
	}
}

static DECLARE_WORK(retired_slots_work, free_retired_slots);

/**
 * kprobe_retire_slot() - free a slot after the last task has left it
 * @slot:	the slot, which no task can enter any more
 * @free:	free_insn_slot() or free_optinsn_slot()
 *
 * Context: may sleep.
 */
void kprobe_retire_slot(kprobe_opcode_t *slot, void (*free)(kprobe_opcode_t *slot, int dirty))
{
	struct retired_slot *r = kmalloc(sizeof(*r), GFP_KERNEL | __GFP_NOFAIL);

	r->slot = slot;
	r->free = free;
	if (llist_add(&r->node, &retired_slots))
		queue_work(system_unbound_wq, &retired_slots_work);
}
#else
void kprobe_retire_slot(kprobe_opcode_t *slot, void (*free)(kprobe_opcode_t *slot, int dirty))
{
	/* Tasks are not preempted in a slot. */
	free(slot, 1);
}
#endif

/**
 * kprobe_free_slots() - free a probe's slots
 * @p:	a probe that no CPU can hit any more
 *
 * Context: may sleep.
 */
void kprobe_free_slots(struct kprobe *p)
{
	struct arch_specific_insn *ainsn = &p->ainsn;
	kprobe_opcode_t *boost = kprobe_code(ainsn->boost), *step = kprobe_code(ainsn->step);

	if (boost) {
		perf_event_text_poke(boost, boost, ainsn->size + JMP32_INSN_SIZE, NULL, 0);
		kprobe_retire_slot(boost, free_insn_slot);
	}
	if (step) {
		perf_event_text_poke(step, step, ainsn->size + INT3_INSN_SIZE, NULL, 0);
		free_insn_slot(step, 1);
	}
	ainsn->boost = 0;
	ainsn->step = 0;
}
