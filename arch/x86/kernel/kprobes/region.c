// SPDX-License-Identifier: GPL-2.0
/*
 * Kernel probes: may a jump take a probe's place?
 *
 * A breakpoint replaces one byte, which is as much of an instruction as there can
 * be.  A jump replaces five: a region of one or more instructions.  All of them are
 * executed from the detour, so each has to be one of which a copy does the
 * same.  And nothing may come to the region but at its start, or it would
 * execute what is left of the jump:
 *
 * - branches of the function itself, or of parts of it that the compiler put
 *   elsewhere (function.cold), which jump back into it.  These are found by
 *   following jumps that lead out of the function;
 * - static branches that are off now: their targets are in the jump table;
 * - faults: where they continue is in the exception table;
 * - jumps through registers and memory, directly or by a thunk: if they may lead
 *   anywhere within the function, there must be none.  The compiler makes no such
 *   jumps if the kernel is built without jump tables, but assembly may;
 * - what was interrupted there: kernel/kprobes.c waits until it is gone, and returns
 *   from calls cannot lead there, as calls are not copied.
 *
 * Other probes in the region are looked for each time that the jump is about
 * to be written, as they come and go.
 */

#include <linux/bug.h>
#include <linux/errno.h>
#include <linux/extable.h>
#include <linux/ftrace.h>
#include <linux/jump_label.h>
#include <linux/kallsyms.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/static_call.h>

#include <asm/alternative.h>
#include <asm/ibt.h>
#include <asm/text-patching.h>

#include "kprobes.h"

/* A function may be in this many parts, its own included. */
#define MAX_PARTS	8

/**
 * struct region - what a jump is to replace
 * @start:	where the probe is
 * @end:	the instruction behind those that are replaced
 * @module:	the module in which it is, or NULL
 * @is_compiled: the compiler made the function, as far as is known
 * @nr_parts:	how many entries of @parts there are
 * @parts:	starts of the parts of the function
 * @text:	to read them
 */
struct region {
	const kprobe_opcode_t *start;
	const kprobe_opcode_t *end;
	struct module *module;
	bool is_compiled;
	unsigned int nr_parts;
	const kprobe_opcode_t *parts[MAX_PARTS];
	struct func_text text;
};

/* Is it in the region, but not at the start, where all may come? */
static bool is_inside(const struct region *r, const void *addr)
{
	return addr > (const void *)r->start && addr < (const void *)r->end;
}

/* Does a copy in the detour do what the instruction does? */
static bool can_copy(struct func_text *text)
{
	struct arch_specific_insn unused = {};
	int way = kprobe_insn_way(&text->insn, &unused);

	return (way == INSN_COPY || way == INSN_EMULATE_OR_COPY) &&
	       !search_exception_tables((unsigned long)text->addr);
}

/* Find the end of the region: at the first instruction behind the jump. */
static int find_end(struct region *r)
{
	int ret = func_text_seek(&r->text, r->start);

	if (ret)
		return ret;
	while (can_copy(&r->text) && !kprobe_is_cfi_check(&r->text)) {
		r->end = r->text.next;
		/* Behind STI no interrupt comes before the next one is through. */
		if (r->end - r->start >= JMP32_INSN_SIZE)
			return insn_is_sti(&r->text.insn) ? -EOPNOTSUPP : 0;
		ret = func_text_next(&r->text);
		if (ret < 0)
			return ret;
		/* An indirect call or jump may lead to ENDBR. */
		if (!ret || (ret == ENDBR_INSN_SIZE && is_endbr(*(u32 *)r->text.insn.kaddr)))
			break;
	}
	return -EOPNOTSUPP;
}

/* Is some of it reserved for others who replace text? */
static bool is_reserved(const struct region *r)
{
	void *first = (void *)r->start, *last = (void *)r->end - 1;

	return ftrace_text_reserved(first, last) ||
	       alternatives_text_reserved(first, last + 1) ||
	       jump_label_text_reserved(first, last) ||
	       static_call_text_reserved(first, last);
}

/*
 * Only functions that the compiler made have calls of ftrace.  Without ftrace, no
 * function is known to be compiled.
 */
static bool is_compiled(const struct func_text *text)
{
	return ftrace_location((unsigned long)text->start);
}

/* May a jump through a register or memory lead to another place in the function? */
static bool may_have_jump_tables(const struct region *r)
{
	/* Both options turn off jump tables in the compiler. */
	if (IS_ENABLED(CONFIG_MITIGATION_RETPOLINE) || IS_ENABLED(CONFIG_X86_KERNEL_IBT))
		return !r->is_compiled;
	return true;
}

/*
 * A jump leads out of a part of the function.  To the start of another function,
 * that is a call which does not return; to a thunk, that is a jump through a register;
 * anywhere else is a part of this one.
 */
static bool follow_jump(struct region *r, const void *addr)
{
	unsigned long size, offset;
	char name[KSYM_NAME_LEN], *mod;
	int i;

	/* Thunks may be in allocated memory. */
	if (!kernel_text_address((unsigned long)addr))
		return !may_have_jump_tables(r);
	if (!kallsyms_lookup((unsigned long)addr, &size, &offset, &mod, name))
		return false;
	if (str_has_prefix(name, "__x86_indirect_"))
		return !may_have_jump_tables(r);
	if (!offset && !strstr(name, ".cold"))
		return true;

	addr -= offset;
	for (i = 0; i < r->nr_parts; i++) {
		if (r->parts[i] == addr)
			return true;
	}
	if (r->nr_parts == MAX_PARTS)
		return false;
	r->parts[r->nr_parts++] = addr;
	return true;
}

/* A branch at @from leads to @to: is that out of the region for certain? */
static bool leads_elsewhere(struct region *r, const void *from, const void *to)
{
	const struct func_text *text = &r->text;

	if (is_inside(r, to))
		return false;
	/* Only those of the part that is being read are followed. */
	if (from < (void *)text->start || from >= (void *)text->end)
		return true;
	if (to >= (void *)text->start && to < (void *)text->end)
		return true;
	return follow_jump(r, to);
}

static bool faults_lead_elsewhere(struct region *r)
{
	const struct exception_table_entry *e = __start___ex_table;
	const struct exception_table_entry *end = __stop___ex_table;

#ifdef CONFIG_MODULES
	if (r->module) {
		e = r->module->extable;
		end = e + r->module->num_exentries;
	}
#endif
	for (; e < end; e++) {
		if (!leads_elsewhere(r, (void *)&e->insn + e->insn,
				     (void *)&e->fixup + e->fixup))
			return false;
	}
	return true;
}

static bool static_branches_lead_elsewhere(struct region *r)
{
#ifdef CONFIG_JUMP_LABEL
	struct jump_entry *e = __start___jump_table, *end = __stop___jump_table;

#ifdef CONFIG_MODULES
	if (r->module) {
		e = r->module->jump_entries;
		end = e + r->module->num_jump_entries;
	}
#endif
	for (; e < end; e++) {
		if (!leads_elsewhere(r, (void *)jump_entry_code(e),
				     (void *)jump_entry_target(e)))
			return false;
	}
#endif
	return true;
}

/* Where a branch relative to IP leads, or NULL if the instruction is none. */
static const void *branch_target(struct func_text *text)
{
	struct insn *insn = &text->insn;
	int op = insn_legacy_opcode(insn);

	switch (op) {
	case 0x70 ... 0x7f:		/* jcc */
	case 0xe0 ... 0xe3:		/* loop, jcxz */
	case 0xe8:			/* call */
	case 0xe9:			/* jmp */
	case 0xeb:
	case 0x0f80 ... 0x0f8f:		/* jcc */
		return text->next + insn->immediate.value;
	default:
		return NULL;
	}
}

/* May this lead anywhere in the function? */
static bool leads_to_unknown(const struct region *r, struct insn *insn)
{
	switch (insn_legacy_opcode(insn)) {
	case 0xff:			/* jmp, near or far, through register or memory */
		return (insn->modrm.bytes[0] & 0x30) == 0x20 && may_have_jump_tables(r);
	case 0xc7:			/* xbegin */
		return insn->modrm.bytes[0] == 0xf8;
	case 0xea:			/* jmp far */
		return IS_ENABLED(CONFIG_X86_32);
	default:
		return false;
	}
}

static bool branches_lead_elsewhere(struct region *r)
{
	struct func_text *text = &r->text;
	const void *target;
	int ret;

	while ((ret = func_text_next(text)) > 0) {
		if (leads_to_unknown(r, &text->insn))
			return false;
		target = branch_target(text);
		if (!target)
			continue;
		/* A call comes back. */
		if (insn_legacy_opcode(&text->insn) == CALL_INSN_OPCODE ? is_inside(r, target) :
		    !leads_elsewhere(r, text->addr, target))
			return false;
	}
	return !ret;
}

/* Does nothing in any part of the function lead into the region? */
static bool is_entered_at_start(struct region *r)
{
	unsigned int i;

	r->is_compiled = is_compiled(&r->text);
	r->parts[0] = r->text.start;
	r->nr_parts = 1;
	for (i = 0; i < r->nr_parts; i++) {
		if (func_text_open(&r->text, r->parts[i]) || !branches_lead_elsewhere(r) ||
		    !faults_lead_elsewhere(r) || !static_branches_lead_elsewhere(r))
			return false;
	}
	return true;
}

/**
 * kprobe_region_size() - find out what a jump would replace
 * @addr:	where a probe is, at an instruction
 *
 * Context: Process context, text_mutex and the lock of jump labels held.
 * Return: length of the instructions that the jump would replace, or a negative
 * error number if it must not.
 */
int kprobe_region_size(const kprobe_opcode_t *addr)
{
	struct region *r;
	int ret;

	r = kzalloc(sizeof(*r), GFP_KERNEL);
	if (!r)
		return -ENOMEM;
	r->start = addr;
#ifdef CONFIG_MODULES
	preempt_disable();
	r->module = __module_text_address((unsigned long)addr);
	preempt_enable();
#endif
	ret = find_end(r);
	if (!ret) {
		if (is_reserved(r) || !is_entered_at_start(r))
			ret = -EBUSY;
		else
			ret = r->end - r->start;
	}
	kfree(r);
	return ret;
}
