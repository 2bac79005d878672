// SPDX-License-Identifier: GPL-2.0
/*
 * Kernel probes: check whether a jump can replace a probe's breakpoint.
 *
 * A breakpoint replaces one byte, so it never extends past the probed instruction.  A
 * jump replaces five bytes: a region of one or more instructions.  All of them are
 * executed from copies in the detour, so each copy must have the same effect as the
 * original.  No CPU may enter the region except at its start, or it would execute a part
 * of the jump.  These are the ways to enter it:
 *
 * - branches in the function, or in parts of it that the compiler placed elsewhere
 *   (function.cold).  These parts are found by following jumps out of the function.  A
 *   region in a cold part is replaced only if a jump from there to the main part is found;
 * - disabled static branches.  The jump label entries have their targets;
 * - faults.  The exception table has the fixup addresses;
 * - jumps through registers or memory, directly or by a thunk.  There must be no such jump
 *   that may stay within the function.  With IBT, the compiler puts ENDBR at the targets of
 *   these jumps, but assembly code may have jumps to other targets;
 * - interrupted tasks in the region.  kernel/kprobes/ waits until they have left it;
 * - returns from calls.  A direct call has at least five bytes, so it is the last
 *   instruction of a region and returns to its end.  Indirect calls are not copied.
 *
 * The region is checked for other probes each time the jump is queued, since they can be
 * added and removed at any time.  If a probe is armed there later, the jump is removed.
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
#include <linux/string.h>

#include <asm/alternative.h>
#include <asm/ibt.h>
#include <asm/text-patching.h>

#include "kprobes.h"

/* Maximum number of parts of a function, including its main part. */
#define MAX_PARTS	8

/**
 * struct region - the instructions that a jump replaces
 * @start:	address of the probe
 * @end:	end of the replaced instructions
 * @module:	the module of the function, or NULL
 * @is_compiled: the compiler is known to have generated the function
 * @nr_parts:	number of entries of @parts
 * @parts:	start addresses of the parts of the function
 * @text:	iterator over the instructions of the current part
 * @name:	buffer for the name of a part; two such buffers are too large for the stack
 */
struct region {
	const kprobe_opcode_t *start;
	const kprobe_opcode_t *end;
	struct module *module;
	bool is_compiled;
	unsigned int nr_parts;
	const kprobe_opcode_t *parts[MAX_PARTS];
	struct func_text text;
	char name[KSYM_NAME_LEN];
};

/* Is @addr in the region, but not at its start? */
static bool is_inside(const struct region *r, const void *addr)
{
	return addr > (const void *)r->start && addr < (const void *)r->end;
}

/* Does it call code of the same function?  Such a call manipulates the return stack buffer. */
static bool is_local_call(struct func_text *text)
{
	const kprobe_opcode_t *target = text->next + text->insn.immediate.value;

	return kprobe_opcode_class(&text->insn) == OP_CALL &&
	       target > text->start && target < text->end;
}

/* Can the detour have code with the same effect? */
static bool can_copy(struct func_text *text)
{
	struct arch_specific_insn unused = {};

	switch (kprobe_insn_way(&text->insn, &unused)) {
	case INSN_COPY:
	case INSN_EMULATE_OR_COPY:
		return !search_exception_tables((unsigned long)text->addr);
	case INSN_EMULATE_OR_ENCODE:
		return !is_local_call(text);
	default:
		return false;
	}
}

/* Find the end of the region: the end of the instruction that contains the jump's last byte. */
static int find_end(struct region *r)
{
	int ret = func_text_seek(&r->text, r->start);

	if (ret)
		return ret;
	while (can_copy(&r->text) && !kprobe_is_cfi_check(&r->text)) {
		r->end = r->text.next;
		/* STI must delay interrupts until after the next instruction. */
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

/* Is part of the region reserved for other code that modifies text? */
static bool is_reserved(const struct region *r)
{
	void *first = (void *)r->start, *last = (void *)r->end - 1;

	return ftrace_text_reserved(first, last) ||
	       alternatives_text_reserved(first, last + 1) ||
	       jump_label_text_reserved(first, last) ||
	       static_call_text_reserved(first, last);
}

/*
 * Only compiled functions have an ftrace call site.  Without ftrace, no function is known
 * to be compiled.
 */
static bool is_compiled(const struct func_text *text)
{
	return ftrace_location((unsigned long)text->start);
}

/* Can a jump through a register or memory have a target in the function? */
static bool may_have_jump_tables(const struct region *r)
{
	/*
	 * With X86_KERNEL_IBT, the compiler generates no jump tables, and a label whose
	 * address is taken begins with ENDBR.  With retpolines, it generates no jump tables,
	 * either, but without IBT nothing marks such a label.
	 */
	return !IS_ENABLED(CONFIG_X86_KERNEL_IBT) || !r->is_compiled;
}

/*
 * Follow a jump out of a part of the function.  A jump to the start of a function is a tail
 * call.  A jump to a thunk is a jump through a register.  Any other target belongs to
 * another part of this function.
 */
static bool follow_jump(struct region *r, const void *addr)
{
	unsigned long size, offset;
	char name[KSYM_NAME_LEN], *mod;
	int i;

	/* The target may be an ITS thunk.  These are allocated, and have no symbols. */
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

/* Is it certain that a branch from @from to @to does not enter the region?  May add a part. */
static bool avoids_region(struct region *r, const void *from, const void *to)
{
	const struct func_text *text = &r->text;

	if (is_inside(r, to))
		return false;
	/* Only branches in the current part are followed. */
	if (from < (void *)text->start || from >= (void *)text->end)
		return true;
	if (to >= (void *)text->start && to < (void *)text->end)
		return true;
	return follow_jump(r, to);
}

static bool fixups_avoid_region(struct region *r)
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
		if (!avoids_region(r, (void *)&e->insn + e->insn,
				   (void *)&e->fixup + e->fixup))
			return false;
	}
	return true;
}

static bool static_branches_avoid_region(struct region *r)
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
		if (!avoids_region(r, (void *)jump_entry_code(e),
				   (void *)jump_entry_target(e)))
			return false;
	}
#endif
	return true;
}

/* The target of a branch relative to IP, or NULL for other instructions. */
static const void *branch_target(const struct func_text *text, enum opcode_class class)
{
	switch (class) {
	case OP_JCC:
	case OP_LOOP:
	case OP_JMP:
	case OP_CALL:
		return text->next + text->insn.immediate.value;
	default:
		return NULL;
	}
}

/* Can it jump to an address in the function that branch_target() does not return? */
static bool leads_to_unknown(const struct region *r, enum opcode_class class)
{
	switch (class) {
	case OP_JMP_REG:
	case OP_JMP_MEM:
	case OP_JMP_FAR:
		return may_have_jump_tables(r);
	case OP_JMP_ABS:
	case OP_XBEGIN:
		return true;
	default:
		return false;
	}
}

static bool branches_avoid_region(struct region *r)
{
	struct func_text *text = &r->text;
	enum opcode_class class;
	const void *target;
	int ret;

	while ((ret = func_text_next(text)) > 0) {
		class = kprobe_opcode_class(&text->insn);
		if (leads_to_unknown(r, class))
			return false;
		target = branch_target(text, class);
		if (!target)
			continue;
		/* Do not follow calls: the called code returns to the end of the call. */
		if (class == OP_CALL ? is_inside(r, target) :
		    !avoids_region(r, text->addr, target))
			return false;
	}
	return !ret;
}

/* Is one of the parts the main part of the function? */
static bool has_main_part(struct region *r)
{
	char main[KSYM_NAME_LEN], *suffix;
	unsigned int i;

	if (lookup_symbol_name((unsigned long)r->parts[0], main))
		return false;
	suffix = strstr(main, ".cold");
	if (!suffix)
		return true;
	*suffix = '\0';
	for (i = 1; i < r->nr_parts; i++) {
		if (!lookup_symbol_name((unsigned long)r->parts[i], r->name) &&
		    !strcmp(r->name, main))
			return true;
	}
	return false;
}

/* Do all branches of the function that enter the region go to its start? */
static bool is_entered_at_start(struct region *r)
{
	unsigned int i;

	r->is_compiled = is_compiled(&r->text);
	r->parts[0] = r->text.start;
	r->nr_parts = 1;
	for (i = 0; i < r->nr_parts; i++) {
		if (func_text_open(&r->text, r->parts[i]) || !branches_avoid_region(r) ||
		    !fixups_avoid_region(r) || !static_branches_avoid_region(r))
			return false;
	}
	return has_main_part(r);
}

/**
 * kprobe_region_size() - get the length of the instructions that a jump would replace
 * @addr:	address of a probe, at the start of an instruction
 *
 * Context: process context; text_mutex and the jump label lock held.
 * Return: the length, or a negative errno if no jump may be written.
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
	/* Branch targets in a livepatch change when a patched module is loaded or unloaded. */
	if (r->module && is_livepatch_module(r->module)) {
		kfree(r);
		return -EBUSY;
	}
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
