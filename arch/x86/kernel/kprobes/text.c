// SPDX-License-Identifier: GPL-2.0
/*
 * Kernel probes: what would be there if there were no probes?
 *
 * Where instructions begin can only be found out by decoding, from a place where
 * one is known to begin, which is the start of the function.  On the way there
 * may be marks of other probes: a breakpoint in place of the first byte of an
 * instruction, or a jump of five bytes in place of one or more of them.  Both
 * are looked for in the text, not in the list of probes: a probe may be known and
 * not armed, or still have its jump after it was removed.
 *
 * What ftrace, static branches, static calls and alternatives put into the text
 * are instructions as good, and as long, as what they replaced.  All of them hold
 * text_mutex while they are at it, and so do those who come here; nothing is
 * ever seen half done.  A debugger's breakpoint is another matter: what it replaced
 * only the debugger knows, so nothing can be said of what follows.
 */

#include <linux/bug.h>
#include <linux/kallsyms.h>
#include <linux/kgdb.h>
#include <linux/kprobes.h>
#include <linux/memory.h>
#include <linux/string.h>

#include "kprobes.h"

/* Replace the mark of a probe, if there is one at @mark, within [@from, @to). */
static void remove_mark(const kprobe_opcode_t *mark, kprobe_opcode_t *buf,
			const kprobe_opcode_t *from, const kprobe_opcode_t *to)
{
	const kprobe_opcode_t *tail;
	struct kprobe *p;
	int i;

	/* A probe that has gone with its module is still known at its address. */
	p = get_kprobe((void *)mark);
	if (!p || kprobe_ftrace(p) || kprobe_gone(p))
		return;

	if (*mark == INT3_INSN_OPCODE) {
		if (mark >= from)
			buf[mark - from] = p->opcode;
		return;
	}

	/* The probe may stand on a jump of the function's own. */
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

/* Fill the window with text from text->next on. */
static void fill_window(struct func_text *text)
{
	const kprobe_opcode_t *from = text->next, *mark, *to;

	to = min(text->end, from + FUNC_TEXT_WINDOW);
	memcpy(text->buf, from, to - from);
	text->window = from;
	text->filled = to - from;

	/* A jump that begins before the window may reach into it. */
	for (mark = max(text->start, from - DISP32_SIZE); mark < to; mark++) {
		if (*mark == INT3_INSN_OPCODE || *mark == JMP32_INSN_OPCODE)
			remove_mark(mark, text->buf, from, to);
	}
}

/**
 * func_text_open() - begin to read the function that has an address
 * @text:	to read from; only this function is needed before func_text_next()
 * @addr:	an address in the kernel or a module
 *
 * Context: Process context, text_mutex held.
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

static bool is_debugger_break(const void *addr, const struct insn *insn)
{
#ifdef CONFIG_KGDB
	return insn->kaddr[0] == INT3_INSN_OPCODE && kgdb_has_hit_break((unsigned long)addr);
#else
	return false;
#endif
}

/**
 * func_text_next() - decode the next instruction
 * @text:	the function, opened with func_text_open()
 *
 * Afterwards @text->addr and @text->insn tell of it, until the next call.
 *
 * Context: Process context, text_mutex held since func_text_open().
 * Return: its length, 0 at the end of the function, or a negative error number if
 * what is there is no instruction, or a debugger's breakpoint.
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

	text->behind_sti = text->addr && insn_is_sti(&text->insn);
	text->addr = text->next;
	ret = insn_decode(&text->insn, text->buf + at, left, INSN_MODE_KERN);
	if (ret < 0)
		return ret;
	if (is_debugger_break(text->addr, &text->insn))
		return -EILSEQ;
	text->next += text->insn.length;
	return text->insn.length;
}

/**
 * func_text_seek() - open a function and go to an instruction in it
 * @text:	to read from
 * @addr:	where the instruction begins
 *
 * Afterwards @text is as if func_text_next() had just returned it.
 *
 * Context: Process context, text_mutex held.
 * Return: 0; -ENOENT if there is no function; -EILSEQ if no instruction begins
 * there, or if that cannot be known.
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
