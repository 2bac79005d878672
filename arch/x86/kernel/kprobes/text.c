// SPDX-License-Identifier: GPL-2.0
/*
 * Kernel probes: read text as it would be without probes.
 *
 * To find instruction boundaries, the function must be decoded from its start.  The text
 * may have marks of other probes: a breakpoint in the first byte of an instruction, or a
 * five-byte jump over one or more instructions.  The functions here search the text, not
 * the hash table, for marks, because a registered probe may be disarmed, and an
 * unregistered probe may still have its jump.
 *
 * ftrace, static branches, static calls and alternatives replace instructions with other
 * valid instructions of the same total length.  They write with text_mutex held, and the
 * functions here read with text_mutex held, so no partial modification is visible here.
 * Only the debugger has the byte that its breakpoint replaced, so the text after such a
 * breakpoint cannot be decoded.
 *
 * kprobe_insn_text() is for fault handlers that decode the faulting instruction.  It needs
 * no lock.
 */

#include <linux/bug.h>
#include <linux/kallsyms.h>
#include <linux/kgdb.h>
#include <linux/kprobes.h>
#include <linux/memory.h>
#include <linux/preempt.h>
#include <linux/string.h>

#include "kprobes.h"

/* If a probe has a mark at @mark, restore the original bytes of [@from, @to) in @buf. */
static void remove_mark(const kprobe_opcode_t *mark, kprobe_opcode_t *buf,
			const kprobe_opcode_t *from, const kprobe_opcode_t *to)
{
	const kprobe_opcode_t *tail;
	struct kprobe *p;
	int i;

	/* A probe of an unloaded module is still in the hash table. */
	p = get_kprobe((void *)mark);
	if (!p || kprobe_ftrace(p) || kprobe_gone(p))
		return;

	if (*mark == INT3_INSN_OPCODE) {
		if (mark >= from)
			buf[mark - from] = p->opcode;
		return;
	}

	/* The jump may be the probed instruction itself. */
	if (!kprobe_optimized_tail(p, &tail))
		return;
	if (mark >= from)
		buf[mark - from] = p->opcode;
	for (i = 0; i < DISP32_SIZE; i++) {
		const kprobe_opcode_t *byte = mark + 1 + i;

		if (byte >= from && byte < to)
			buf[byte - from] = tail[i];
	}
}

/**
 * kprobe_insn_text() - read an instruction as it would be without a probe on it
 * @buf:	the copy is written here
 * @addr:	the instruction; no jump has replaced it
 * @len:	its length
 *
 * Context: Any.  A probe on @addr may be registered or unregistered meanwhile.
 */
void kprobe_insn_text(u8 *buf, const void *addr, unsigned int len)
{
	struct kprobe *p;

	memcpy(buf, addr, len);
	if (buf[0] != INT3_INSN_OPCODE)
		return;
	guard(preempt)();
	/* If the probe has left the table, its breakpoint is no longer there, either. */
	p = get_kprobe((void *)addr);
	buf[0] = p && !kprobe_gone(p) ? p->opcode : READ_ONCE(*(const u8 *)addr);
}

/**
 * kprobe_has_replaced() - has a probe replaced this byte of text?
 * @addr:	address of the byte
 *
 * A debugger must not replace such a byte: it would save and later write a part of a
 * breakpoint or jump that may be gone by then.
 *
 * Context: Any; the text does not change meanwhile.
 * Return: true if there is a breakpoint, or if a jump covers the byte or will do so.
 */
bool kprobe_has_replaced(const void *addr)
{
	struct kprobe *p;

	guard(preempt)();
	p = get_kprobe((void *)addr);
	if (p && !kprobe_gone(p) && !kprobe_ftrace(p) && *(const u8 *)addr == INT3_INSN_OPCODE)
		return true;
	return kprobe_in_jump(addr);
}

/* Fill the window with text starting at text->next. */
static void fill_window(struct func_text *text)
{
	const kprobe_opcode_t *from = text->next, *mark, *to;

	to = min(text->end, from + FUNC_TEXT_WINDOW);
	memcpy(text->buf, from, to - from);
	text->window = from;
	text->filled = to - from;

	/* A jump that begins before the window may extend into it. */
	for (mark = max(text->start, from - DISP32_SIZE); mark < to; mark++) {
		if (*mark == INT3_INSN_OPCODE || *mark == JMP32_INSN_OPCODE)
			remove_mark(mark, text->buf, from, to);
	}
}

/**
 * func_text_open() - start to read the function that contains an address
 * @text:	iterator, initialized here
 * @addr:	an address in the kernel or a module
 *
 * Context: process context; text_mutex held.
 * Return: 0, or -ENOENT if there is no function.
 */
int func_text_open(struct func_text *text, const void *addr)
{
	unsigned long size, offset;

	lockdep_assert_held(&text_mutex);
	if (!kallsyms_lookup_size_offset((unsigned long)addr, &size, &offset))
		return -ENOENT;

	text->start = addr - offset;
	text->end = text->start + size;
	text->next = text->start;
	text->addr = NULL;
	text->window = text->start;
	text->filled = 0;
	return 0;
}

/**
 * kprobe_is_debugger_break() - is this byte a breakpoint of the debugger?
 * @addr:	address of the byte
 * @byte:	the byte, as it would be without probes
 *
 * Context: Any; text_mutex held, with which the debugger does not set a breakpoint.
 * Return: true if it is.
 */
bool kprobe_is_debugger_break(const void *addr, kprobe_opcode_t byte)
{
#ifdef CONFIG_KGDB
	return byte == INT3_INSN_OPCODE && kgdb_has_hit_break((unsigned long)addr);
#else
	return false;
#endif
}

/**
 * func_text_next() - decode the next instruction
 * @text:	the function, opened with func_text_open()
 *
 * @text->addr and @text->insn describe the instruction until the next call.
 *
 * Context: process context; text_mutex held since func_text_open().
 * Return: its length, 0 at the end of the function, or a negative errno if there is an
 * invalid instruction or a debugger's breakpoint.
 */
int func_text_next(struct func_text *text)
{
	unsigned int at, left;
	int ret;

	if (text->next >= text->end)
		return 0;

	at = text->next - text->window;
	left = text->filled > at ? text->filled - at : 0;
	if (left < MAX_INSN_SIZE && text->window + text->filled < text->end) {
		fill_window(text);
		at = 0;
		left = text->filled;
	}

	text->after_sti = text->addr && insn_is_sti(&text->insn);
	text->addr = text->next;
	ret = insn_decode(&text->insn, text->buf + at, left, INSN_MODE_KERN);
	if (ret < 0)
		return ret;
	if (kprobe_is_debugger_break(text->addr, text->insn.kaddr[0]))
		return -EILSEQ;
	text->next += text->insn.length;
	return text->insn.length;
}

/**
 * func_text_seek() - open a function and decode up to an instruction in it
 * @text:	iterator, initialized here
 * @addr:	start of the instruction
 *
 * Afterwards, the instruction at @addr is the current one of @text.
 *
 * Context: process context; text_mutex held.
 * Return: 0; -ENOENT if there is no function; -EILSEQ if no instruction begins at @addr,
 * or if the text before it cannot be decoded.
 */
int func_text_seek(struct func_text *text, const void *addr)
{
	int ret = func_text_open(text, addr);

	if (ret)
		return ret;
	do {
		ret = func_text_next(text);
	} while (ret > 0 && text->addr < (const kprobe_opcode_t *)addr);

	return ret > 0 && text->addr == addr ? 0 : -EILSEQ;
}
