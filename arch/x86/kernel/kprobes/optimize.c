// SPDX-License-Identifier: GPL-2.0
/*
 * Kernel probes: jumps instead of breakpoints.
 *
 * A jump costs a fraction of a trap.  It replaces the instructions in the first five
 * bytes of text at the probe, and leads to a detour.  A detour is a slot with a pointer
 * to the probe, followed by
 *
 *	call kprobe_detour_entry	saves all registers, calls kprobe_detour_hit()
 *	...				copies of the replaced instructions
 *	jmp				to the next instruction in the text
 *
 * The copy of a branch has a displacement of four bytes.  The copy of a call pushes a
 * return address that points to the text, and jumps to the function.  So no sleeping task
 * has a return address in a detour, and the detour can be freed before the function returns.
 *
 * kprobe_detour_entry finds the pointer through its return address.
 *
 * The breakpoint stays in the first byte until the last four bytes are those of the
 * jump, and it is written again before they are restored.  So a CPU executes a breakpoint,
 * a complete jump, or the original instructions.  All CPUs are synchronized after each
 * step, once for a whole batch of probes.
 *
 * When the jump is written, no task may be preempted within the replaced instructions.
 * That could happen if the breakpoint handler returned to the instruction after the probed
 * one.  So the handler also continues in the copies, from the time the jump is queued until
 * it is removed.  The jump is written an RCU-tasks grace period after it is queued.
 */

#include <linux/bug.h>
#include <linux/kmsan.h>
#include <linux/kprobes.h>
#include <linux/list_sort.h>
#include <linux/memory.h>
#include <linux/perf_event.h>
#include <linux/preempt.h>
#include <linux/string.h>

#include <asm/alternative.h>
#include <asm/nospec-branch.h>
#include <asm/text-patching.h>

#include "kprobes.h"

#define JCC32_INSN_SIZE		6

/* Number of bytes of the detour in use. */
static unsigned int detour_len(const struct arch_optimized_insn *optinsn)
{
	return offsetof(struct kprobe_detour, code) + optinsn->len;
}

/**
 * kprobe_detour_hit() - handle a hit of a jump-optimized probe
 * @op:		the probe
 * @regs:	registers at the probe, except for @regs->ip
 *
 * Called by kprobe_detour_entry, which restores the general-purpose registers and the flags
 * from @regs, and returns to the detour.  Changes of ip, sp, cs and ss have no effect.
 *
 * Context: Any, NMI included.
 */
__visible notrace void kprobe_detour_hit(struct optimized_kprobe *op, struct pt_regs *regs)
{
	struct kprobe *p = &op->kp;

	kmsan_unpoison_entry_regs(regs);
	/* Handlers get the same address as after a breakpoint. */
	regs->ip = (unsigned long)p->addr + INT3_INSN_SIZE;

	/* The jump is removed some time after the probe is disabled. */
	if (unlikely(kprobe_disabled(p)))
		return;

	/* notrace: the preemptoff tracer must not trace every hit. */
	preempt_disable_notrace();
	if (kprobe_running()) {
		kprobes_inc_nmissed_count(p);
	} else {
		kprobe_begin_hit(p);
		opt_pre_handler(p, regs);
		reset_current_kprobe();
	}
	preempt_enable_notrace();
}
NOKPROBE_SYMBOL(kprobe_detour_hit);

/**
 * kprobe_detour_copies() - get the address of the copies in a probe's detour
 * @p:	a probe whose breakpoint was hit
 *
 * While a probe is marked as optimized, a task that hits the breakpoint must not execute
 * the instructions that the jump replaces.  It executes the copies in the detour instead.
 *
 * Context: Any, NMI included; preemption disabled.
 * Return: the address of the copies, or 0 if only the probed instruction has to be
 * executed out of line.
 */
unsigned long kprobe_detour_copies(struct kprobe *p)
{
	struct optimized_kprobe *op;

	if (!kprobe_optimized(p))
		return 0;
	op = container_of(p, struct optimized_kprobe, kp);
	return (unsigned long)op->optinsn.detour->code + CALL_INSN_SIZE;
}
NOKPROBE_SYMBOL(kprobe_detour_copies);

/* Append a 32-bit value, which the processor sign-extends. */
static int append_s32(kprobe_opcode_t *buf, unsigned int len, long value)
{
	s32 s = value;

	if (s != value)
		return -ERANGE;
	memcpy(buf + len, &s, sizeof(s));
	return len + sizeof(s);
}

/*
 * The functions below generate code to execute at @to, with the effect of an instruction
 * in the text.  They return the length of the code, or a negative errno.
 */

static int gen_jmp(kprobe_opcode_t *buf, const void *to, const void *target)
{
	buf[0] = JMP32_INSN_OPCODE;
	return append_s32(buf, 1, target - (to + JMP32_INSN_SIZE));
}

static int gen_jcc(kprobe_opcode_t *buf, unsigned int condition, const void *to,
		   const void *target)
{
	buf[0] = 0x0f;
	buf[1] = 0x80 | condition;
	return append_s32(buf, 2, target - (to + JCC32_INSN_SIZE));
}

/*
 * Like the original call, this adds an entry to the return stack buffer, so that the
 * processor predicts the returns of the callers.
 */
static int gen_call(kprobe_opcode_t *buf, const void *to, const void *target, const void *ret)
{
	/* call past the INT3; mov $@ret, (%sp) */
	static const kprobe_opcode_t code[] = {
		CALL_INSN_OPCODE, 1, 0, 0, 0, INT3_INSN_OPCODE,
#ifdef CONFIG_X86_64
		0x48,
#endif
		0xc7, 0x04, 0x24,
	};
	int len, jmp_len;

	memcpy(buf, code, sizeof(code));
	len = append_s32(buf, sizeof(code), (long)ret);
	if (len < 0)
		return len;
	jmp_len = gen_jmp(buf + len, to + len, target);
	return jmp_len < 0 ? jmp_len : len + jmp_len;
}

/*
 * With a mitigation for ITS, only returns in one half of each cache line are safe.  The
 * copy of a safe return may be in the other half.
 */
static int gen_ret(kprobe_opcode_t *buf, struct func_text *text, const void *to)
{
	bool is_plain = insn_legacy_opcode(&text->insn) == RET_INSN_OPCODE;

	if (is_plain && cpu_wants_rethunk_at((void *)to) &&
	    !cpu_wants_rethunk_at((void *)text->addr))
		return gen_jmp(buf, to, x86_return_thunk);
	return kprobe_copy_insn(buf, &text->insn, text->addr, to);
}

/* Copy an instruction for execution at @to.  Return the length of the copy, or an errno. */
static int copy_insn(kprobe_opcode_t *buf, struct func_text *text, const void *to)
{
	struct insn *insn = &text->insn;
	const void *target = text->next + insn->immediate.value;

	switch (kprobe_opcode_class(insn)) {
	case OP_JCC:
		return gen_jcc(buf, insn_legacy_opcode(insn) & 0xf, to, target);
	case OP_JMP:
		return gen_jmp(buf, to, target);
	case OP_CALL:
		return gen_call(buf, to, target, text->next);
	case OP_RET:
		return gen_ret(buf, text, to);
	default:
		return kprobe_copy_insn(buf, insn, text->addr, to);
	}
}

/*
 * Copy the instructions of the region to a buffer for the detour.  Return the offset of
 * the first byte after the copies.
 */
static int copy_region(struct kprobe_detour *buf, const struct kprobe_detour *detour,
		       const kprobe_opcode_t *from, unsigned int size)
{
	unsigned int at = CALL_INSN_SIZE;
	struct func_text text;
	int ret;

	ret = func_text_seek(&text, from);
	if (ret)
		return ret;
	for (;;) {
		ret = copy_insn(buf->code + at, &text, detour->code + at);
		if (ret < 0)
			return ret;
		at += ret;
		if (text.next >= from + size)
			return at;
		if (func_text_next(&text) <= 0)
			return -EILSEQ;
	}
}

/**
 * arch_prepare_optimized_kprobe() - create the detour of a probe, if possible
 * @op:		the probe; this sets its @optinsn
 * @orig:	a prepared probe at this address
 *
 * Context: process context; kprobe_mutex, text_mutex and the jump label lock held.
 * Return: 0, or a negative errno if the probe must keep its breakpoint.
 */
int arch_prepare_optimized_kprobe(struct optimized_kprobe *op, struct kprobe *orig)
{
	kprobe_opcode_t *addr = op->kp.addr;
	struct kprobe_detour *detour, buf;
	int size, len, ret;

	size = kprobe_region_size(addr);
	if (size < 0)
		return size;

	detour = (struct kprobe_detour *)get_optinsn_slot();
	if (!detour)
		return -ENOMEM;

	/* The detour must be within 2 GB of the probe. */
	ret = -ERANGE;
	if ((long)detour - (long)addr != (s32)((long)detour - (long)addr))
		goto free;
	len = copy_region(&buf, detour, addr, size);
	if (len < 0) {
		ret = len;
		goto free;
	}

	buf.op = op;
	__text_gen_insn(buf.code, CALL_INSN_OPCODE, detour->code, kprobe_detour_entry,
			CALL_INSN_SIZE);
	__text_gen_insn(buf.code + len, JMP32_INSN_OPCODE, detour->code + len, addr + size,
			JMP32_INSN_SIZE);

	op->optinsn.detour = detour;
	op->optinsn.size = size;
	op->optinsn.len = len + JMP32_INSN_SIZE;
	perf_event_text_poke(detour, NULL, 0, &buf, detour_len(&op->optinsn));
	text_poke(detour, &buf, detour_len(&op->optinsn));
	return 0;

free:
	free_optinsn_slot((kprobe_opcode_t *)detour, 0);
	return ret;
}

/**
 * arch_remove_optimized_kprobe() - free the detour of a probe
 * @op:	a probe that is not optimized, or whose text is freed
 *
 * The detour is freed after an RCU-tasks grace period.
 *
 * Context: process context.
 */
void arch_remove_optimized_kprobe(struct optimized_kprobe *op)
{
	struct arch_optimized_insn *optinsn = &op->optinsn;

	if (!optinsn->size)
		return;
	perf_event_text_poke(optinsn->detour, optinsn->detour, detour_len(optinsn), NULL, 0);
	/* Tasks that hit the breakpoint may still be in the copies. */
	kprobe_retire_slot((kprobe_opcode_t *)optinsn->detour, free_optinsn_slot);
	memset(optinsn, 0, sizeof(*optinsn));
}

/* Is there a breakpoint or a jump?  The probed instruction may have the jump's opcode. */
static bool is_armed(struct kprobe *p)
{
	return *p->addr != p->opcode || kprobe_optimized(p);
}

/*
 * Has the debugger a breakpoint in the region of a queued jump?  When the debugger removes
 * its breakpoint, it writes the byte that was there before the jump.
 */
static bool has_debugger_break(struct optimized_kprobe *op)
{
	kprobe_opcode_t *at = op->kp.addr, *end = at + op->optinsn.size;

	for (; at < end; at++)
		if (kprobe_is_debugger_break(at, *at))
			return true;
	return false;
}

/**
 * arch_check_optimized_kprobe() - check the bytes under a jump for other breakpoints
 * @op:	a probe with a detour
 *
 * Before a jump is queued, this looks for other armed probes: for breakpoints in the text,
 * because KPROBE_FLAG_DISABLED changes before the text does, and for KPROBE_FLAG_OPTIMIZED.
 * Later, arming another probe there removes the jump, or takes it off the queue.
 *
 * Before a queued jump is written, this looks for breakpoints of the debugger, which can be
 * set at any time.  Later, the debugger cannot set one there: see kprobe_has_replaced().
 *
 * Context: kprobe_mutex held; for a queued jump, text_mutex held.
 * Return: 0; -EEXIST if another probe is armed there; -EBUSY if the debugger has a
 * breakpoint there.
 */
int arch_check_optimized_kprobe(struct optimized_kprobe *op)
{
	kprobe_opcode_t *at = op->kp.addr, *end = at + op->optinsn.size;

	if (kprobe_optimized(&op->kp))
		return has_debugger_break(op) ? -EBUSY : 0;
	while (++at < end) {
		struct kprobe *other = get_kprobe(at);

		if (other && !kprobe_gone(other) && is_armed(other))
			return -EEXIST;
	}
	return 0;
}

/**
 * arch_within_optimized_kprobe() - does a probe's jump cover this address?
 * @op:		a probe with a detour
 * @addr:	the address
 *
 * Context: Any.
 * Return: 1 if it covers the address, or will do so once written, else 0.
 */
int arch_within_optimized_kprobe(struct optimized_kprobe *op, kprobe_opcode_t *addr)
{
	return addr >= op->kp.addr && addr < op->kp.addr + op->optinsn.size;
}

static int by_address(void *unused, const struct list_head *a, const struct list_head *b)
{
	return list_entry(a, struct optimized_kprobe, list)->kp.addr >
	       list_entry(b, struct optimized_kprobe, list)->kp.addr;
}

/**
 * arch_optimize_kprobes() - replace breakpoints with jumps
 * @oplist:	armed probes; emptied
 *
 * Context: process context; text_mutex and the CPU hotplug lock held.  No task is
 * preempted in the text that the jumps replace.
 */
void arch_optimize_kprobes(struct list_head *oplist)
{
	kprobe_opcode_t jump[JMP32_INSN_SIZE];
	struct optimized_kprobe *op, *next;

	/* text_poke_queue() batches only increasing addresses. */
	list_sort(NULL, oplist, by_address);
	list_for_each_entry_safe(op, next, oplist, list) {
		WARN_ON(kprobe_disabled(&op->kp));
		memcpy(op->optinsn.tail, op->kp.addr + 1, DISP32_SIZE);
		kprobe_gen_jump(jump, op);
		text_poke_queue(op->kp.addr, jump, JMP32_INSN_SIZE, NULL);
		list_del_init(&op->list);
	}
	text_poke_finish();
}

static void poke_breakpoint(struct optimized_kprobe *op)
{
	static const kprobe_opcode_t int3 = INT3_INSN_OPCODE;

	text_poke(op->kp.addr, &int3, INT3_INSN_SIZE);
}

static void poke_tail(struct optimized_kprobe *op)
{
	kprobe_opcode_t old[JMP32_INSN_SIZE], new[JMP32_INSN_SIZE];

	kprobe_gen_jump(old, op);
	new[0] = INT3_INSN_OPCODE;
	memcpy(new + 1, op->optinsn.tail, DISP32_SIZE);
	perf_event_text_poke(op->kp.addr, old, JMP32_INSN_SIZE, new, JMP32_INSN_SIZE);
	text_poke(op->kp.addr + 1, op->optinsn.tail, DISP32_SIZE);
}

/**
 * arch_unoptimize_kprobes() - replace jumps with breakpoints
 * @oplist:	optimized probes; emptied
 * @done_list:	gets the probes of @oplist
 *
 * Context: process context; text_mutex held.  The caller waits for tasks in the detours
 * of all probes in @done_list before it frees any of the probes.
 */
void arch_unoptimize_kprobes(struct list_head *oplist, struct list_head *done_list)
{
	struct optimized_kprobe *op, *next;

	list_for_each_entry(op, oplist, list)
		poke_breakpoint(op);
	text_poke_sync();
	list_for_each_entry_safe(op, next, oplist, list) {
		poke_tail(op);
		list_move(&op->list, done_list);
	}
	text_poke_sync();
}
