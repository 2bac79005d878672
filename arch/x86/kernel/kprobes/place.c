// SPDX-License-Identifier: GPL-2.0
/*
 * Kernel probes: where may a probe stand?
 *
 * Three kinds of places are out.  Code that is run on the way to the handler of a
 * breakpoint, or from there back: a probe in it would be hit again on the way to
 * its own handler.  Bytes that do not begin an instruction: the breakpoint would
 * change one that does.  And bytes that others read or replace: who finds a
 * breakpoint there draws the wrong conclusion.
 *
 * Much of it is the business of kernel/kprobes.c, which knows the functions
 * that are marked, static branches and calls, and BUG().  Here is the rest.
 */

#include <linux/cfi.h>
#include <linux/ftrace.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/memory.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include <asm/alternative.h>
#include <asm/ibt.h>
#include <asm/sections.h>

#include "kprobes.h"

/* It returns to a function that another task has called. */
struct kretprobe_blackpoint kretprobe_blacklist[] = {
	{ .name = "__switch_to" },
	{ }
};

const int kretprobe_blacklist_size = ARRAY_SIZE(kretprobe_blacklist);

/**
 * arch_within_kprobe_blacklist() - is this in code that must not be probed?
 * @addr:	address in the kernel or a module
 *
 * Context: Any.
 * Return: true if it is.
 */
bool arch_within_kprobe_blacklist(unsigned long addr)
{
	if (addr >= (unsigned long)__kprobes_text_start &&
	    addr < (unsigned long)__kprobes_text_end)
		return true;
	return addr >= (unsigned long)__entry_text_start &&
	       addr < (unsigned long)__entry_text_end;
}

/*
 * When a tracer comes or goes, ftrace writes new calls into its callers, and it copies
 * the callers to make trampolines.  It would overwrite or copy a breakpoint, and a
 * breakpoint in a trampoline belongs to no probe.
 */
static int __init add_ftrace_callers(void)
{
#ifdef CONFIG_DYNAMIC_FTRACE
	int ret;

	ret = kprobe_add_area_blacklist((unsigned long)ftrace_caller,
					(unsigned long)FTRACE_CALLER_END);
	if (ret)
		return ret;
	return kprobe_add_area_blacklist((unsigned long)ftrace_regs_caller,
					 (unsigned long)FTRACE_REGS_CALLER_END);
#else
	return 0;
#endif
}

/**
 * arch_populate_kprobe_blacklist() - add what is shown in debugfs
 *
 * Context: Boot.
 * Return: 0, -ENOMEM, or -EINVAL if there are no symbols.
 */
int __init arch_populate_kprobe_blacklist(void)
{
	int ret;

	ret = kprobe_add_area_blacklist((unsigned long)__entry_text_start,
					(unsigned long)__entry_text_end);
	return ret ?: add_ftrace_callers();
}

/* Is there an ENDBR, or what the kernel replaces one with? */
static bool is_landing_pad(const void *addr)
{
	u32 insn;

	return !copy_from_kernel_nofault(&insn, addr, sizeof(insn)) && is_endbr(insn);
}

/**
 * arch_adjust_kprobe_addr() - step over what an indirect call has to land on
 * @addr:		where a function begins
 * @offset:		of the probe in it
 * @on_func_entry:	set to whether that is where it is entered
 *
 * With a breakpoint in place of ENDBR an indirect call would fault.  A probe at the
 * function's start, or behind its ENDBR, therefore is behind the ENDBR, which is
 * where ftrace takes the function to begin, too.
 *
 * Context: Any.
 * Return: the address to probe.
 */
kprobe_opcode_t *arch_adjust_kprobe_addr(unsigned long addr, unsigned long offset,
					 bool *on_func_entry)
{
	*on_func_entry = !offset;
	if (is_landing_pad((void *)addr) && (!offset || offset == ENDBR_INSN_SIZE)) {
		*on_func_entry = true;
		offset = ENDBR_INSN_SIZE;
	}
	return (kprobe_opcode_t *)(addr + offset);
}

/**
 * kprobe_is_cfi_check() - does someone read the bytes of this instruction later?
 * @text:	at the instruction
 *
 * Before an indirect call clang checks the type of what is called:
 *
 *	mov  $-hash, %r10d		(6 bytes)
 *	add  -4(%reg), %r10d		(4 bytes)
 *	je   1f				(2 bytes)
 *	ud2
 *
 * and the handler of the ud2 decodes the first two to say what went wrong.
 *
 * Context: Process context, text_mutex held.
 * Return: true if it is one of these two.
 */
bool kprobe_is_cfi_check(const struct func_text *text)
{
	int to_trap;

	if (!IS_ENABLED(CONFIG_CFI_CLANG))
		return false;
	switch (text->insn.opcode.bytes[0]) {
	case 0xba:
		to_trap = 6 + 4 + 2;
		break;
	case 0x03:
		to_trap = 4 + 2;
		break;
	default:
		return false;
	}
	return is_cfi_trap((unsigned long)text->addr + to_trap);
}

/*
 * The room before a function has a symbol of its own.  It may hold code that counts
 * calls or checks the type of an indirect call, which runs on the way to functions
 * that must not be probed as well.
 */
static bool is_prefix(const void *addr)
{
	char name[KSYM_NAME_LEN];

	return !lookup_symbol_name((unsigned long)addr, name) &&
	       (str_has_prefix(name, "__pfx_") || str_has_prefix(name, "__cfi_"));
}

/*
 * Behind STI there comes no interrupt before the next instruction is through.  With
 * a probe on either of them one may come, which matters if the latter waits for it.
 */
static bool is_halt_behind_sti(struct func_text *text, int way)
{
	struct arch_specific_insn unused = {};
	struct func_text next;

	if (way == INSN_COPY_LEAVES)
		return text->behind_sti;
	if (!insn_is_sti(&text->insn))
		return false;
	next = *text;
	return func_text_next(&next) > 0 &&
	       kprobe_insn_way(&next.insn, &unused) == INSN_COPY_LEAVES;
}

/**
 * arch_prepare_kprobe() - make ready to arm a probe
 * @p:	a probe in text that kernel/kprobes.c has found to be allowed
 *
 * Sets @p->opcode and @p->ainsn.
 *
 * Context: Process context, kprobe_mutex and text_mutex held.
 * Return: 0;
 * -EILSEQ if no instruction begins at @p->addr, or one that has to stay as it is;
 * -EINVAL if alternatives may replace it, or if it is in the room before a function;
 * -EOPNOTSUPP if it cannot be executed elsewhere;
 * -ERANGE if what it refers to is too far from the copy; -ENOMEM.
 */
int arch_prepare_kprobe(struct kprobe *p)
{
	struct func_text text;
	int ret;

	/* The end is not part of this range. */
	if (alternatives_text_reserved(p->addr, p->addr + 1))
		return -EINVAL;
	if (is_prefix(p->addr))
		return -EINVAL;

	ret = func_text_seek(&text, p->addr);
	if (ret)
		return ret;
	if (kprobe_is_cfi_check(&text) || is_landing_pad(p->addr))
		return -EILSEQ;

	memset(&p->ainsn, 0, sizeof(p->ainsn));
	p->opcode = text.insn.kaddr[0];
	p->ainsn.size = text.insn.length;
	ret = kprobe_insn_way(&text.insn, &p->ainsn);
	if (ret < 0)
		return ret;
	if (is_halt_behind_sti(&text, ret))
		return -EOPNOTSUPP;
	return kprobe_make_slots(p, &text.insn, ret);
}

/**
 * arch_remove_kprobe() - free what arch_prepare_kprobe() allocated
 * @p:	a disarmed probe that nobody hits any more
 *
 * Context: Process context, after a grace period of RCU.
 */
void arch_remove_kprobe(struct kprobe *p)
{
	kprobe_free_slots(p);
}

/**
 * arch_init_kprobes() - nothing has to be prepared
 *
 * Return: 0.
 */
int __init arch_init_kprobes(void)
{
	return 0;
}

/**
 * arch_trampoline_kprobe() - does this probe belong to kprobes themselves?
 * @p:	a probe
 *
 * Return: 0; return probes on this architecture need none.
 */
int arch_trampoline_kprobe(struct kprobe *p)
{
	return 0;
}
