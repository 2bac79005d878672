// SPDX-License-Identifier: GPL-2.0
/*
 * Kernel probes: the bytes of a jump.
 *
 * optimize.c writes the jumps.  text.c recognizes them when it reads text as it would be
 * without probes.
 */

#include <linux/kprobes.h>
#include <linux/string.h>

#include <asm/text-patching.h>

#include "kprobes.h"

/**
 * kprobe_gen_jump() - generate the jump from a place to its detour
 * @buf:	the jump is written here, JMP32_INSN_SIZE bytes
 * @op:		a place with a detour
 *
 * Context: Any.
 */
void kprobe_gen_jump(kprobe_opcode_t *buf, struct optimized_kprobe *op)
{
	__text_gen_insn(buf, JMP32_INSN_OPCODE, op->kp.addr, op->optinsn.detour->code,
			JMP32_INSN_SIZE);
}

/**
 * kprobe_optimized_tail() - is the probe's jump in the text?
 * @p:		a probe
 * @tail:	set to the original text under the last four bytes of the jump
 *
 * Context: text_mutex held.
 * Return: true if it is.
 */
bool kprobe_optimized_tail(struct kprobe *p, const kprobe_opcode_t **tail)
{
	kprobe_opcode_t jump[JMP32_INSN_SIZE];
	struct optimized_kprobe *op;

	/* The flag is set before the jump is written, and cleared after it is removed. */
	if (!kprobe_optimized(p))
		return false;
	op = container_of(p, struct optimized_kprobe, kp);
	kprobe_gen_jump(jump, op);
	if (memcmp(p->addr, jump, sizeof(jump)))
		return false;
	*tail = op->optinsn.tail;
	return true;
}

/**
 * kprobe_in_jump() - is this address among the instructions that a jump replaces?
 * @addr:	the address
 *
 * Context: Any; preemption disabled.
 * Return: true if it is, also if the jump is not written yet.
 */
bool kprobe_in_jump(const void *addr)
{
	struct optimized_kprobe *op;
	struct kprobe *p;
	int i;

	for (i = 0; i < MAX_OPTIMIZED_LENGTH; i++) {
		p = get_kprobe((void *)addr - i);
		if (!p || !kprobe_optimized(p))
			continue;
		op = container_of(p, struct optimized_kprobe, kp);
		if (i < op->optinsn.size)
			return true;
	}
	return false;
}
