// SPDX-License-Identifier: GPL-2.0
/* Kernel probes: the checks of an address that all architectures share. */
#include <linux/bug.h>
#include <linux/cleanup.h>
#include <linux/ftrace.h>
#include <linux/jump_label.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/memory.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/sprintf.h>
#include <linux/static_call.h>
#include <linux/string.h>

#include <asm/sections.h>

#include "kprobes.h"

/* The kernel's init text is about to be freed.  unload.c sets it with kprobe_mutex held. */
bool kprobe_init_text_gone;

/* ftrace rewrites the text at its call sites, so a breakpoint there would be lost. */
static enum kprobe_refusal check_ftrace_site(struct kprobe *p)
{
	unsigned long addr = (unsigned long)p->addr;

	if (ftrace_location(addr) != addr)
		return KPROBE_ACCEPTED;
	if (!IS_ENABLED(CONFIG_KPROBES_ON_FTRACE))
		return REFUSED_FTRACE;
	p->flags |= KPROBE_FLAG_FTRACE;
	return KPROBE_ACCEPTED;
}

/*
 * Take a reference to the module of an address; *@mod is NULL for the kernel itself.  The
 * module must not be unloaded while its text is changed.
 */
static enum kprobe_refusal get_module_of(unsigned long addr, struct module **mod)
{
	*mod = NULL;
	if (core_kernel_text(addr))
		return KPROBE_ACCEPTED;

	guard(preempt)();
	*mod = __module_text_address(addr);
	if (!*mod)
		return REFUSED_NO_TEXT;
	if (!try_module_get(*mod)) {
		*mod = NULL;
		return REFUSED_UNLOADING;
	}
	return KPROBE_ACCEPTED;
}

static bool is_init_text_to_free(unsigned long addr, struct module *mod)
{
	if (!mod)
		return kprobe_init_text_gone && init_section_contains((void *)addr, 1);
	return IS_ENABLED(CONFIG_MODULES) && within_module_init(addr, mod) &&
	       !module_is_coming(mod);
}

/*
 * The padding before a function has its own symbol.  It may contain data, code for call
 * depth tracking, or a check of the type of an indirect call.  Such code also runs before
 * functions that must not be probed.  static_call_update() rewrites a trampoline, and
 * does not expect a breakpoint.
 */
static enum kprobe_refusal check_name(unsigned long addr)
{
	char name[KSYM_NAME_LEN];

	if (lookup_symbol_name(addr, name))
		return KPROBE_ACCEPTED;
	if (str_has_prefix(name, "__pfx_") || str_has_prefix(name, "__cfi_"))
		return REFUSED_PADDING;
	if (str_has_prefix(name, STATIC_CALL_TRAMP_PREFIX_STR))
		return REFUSED_TRAMPOLINE;
	return KPROBE_ACCEPTED;
}

/* Is the text at this address reserved for other kernel code? */
static enum kprobe_refusal check_reserved(kprobe_opcode_t *addr)
{
	if (jump_label_text_reserved(addr, addr))
		return REFUSED_STATIC_BRANCH;
	if (static_call_text_reserved(addr, addr))
		return REFUSED_STATIC_CALL;
	if (find_bug((unsigned long)addr))
		return REFUSED_BUG;
	return check_name((unsigned long)addr);
}

static enum kprobe_refusal check_text(struct kprobe *p, struct module *mod)
{
	unsigned long addr = (unsigned long)p->addr;
	enum kprobe_refusal why;

	if (is_init_text_to_free(addr, mod))
		return REFUSED_INIT_TEXT;
	if (in_gate_area_no_mm(addr))
		return REFUSED_GATE_AREA;
	if (within_kprobe_blacklist(addr))
		return REFUSED_BLACKLISTED;
	/* An ftrace call site is not reserved for other code, and the search is slow. */
	if (kprobe_ftrace(p))
		return KPROBE_ACCEPTED;
	jump_label_lock();
	why = check_reserved(p->addr);
	jump_label_unlock();
	return why;
}

/**
 * kprobe_check_place() - check whether the address of a probe can be probed
 * @p:		the probe; gets KPROBE_FLAG_FTRACE if ftrace calls it
 * @mod:	set to the module of the address, with a reference, or NULL; the caller drops
 *		the reference
 *
 * The architecture checks the instruction later.
 *
 * Context: may sleep; takes jump_label_lock().
 * Return: KPROBE_ACCEPTED, or why it cannot be probed.
 */
enum kprobe_refusal kprobe_check_place(struct kprobe *p, struct module **mod)
{
	enum kprobe_refusal why;

	*mod = NULL;
	why = check_ftrace_site(p);
	if (why)
		return why;
	why = get_module_of((unsigned long)p->addr, mod);
	if (why)
		return why;
	why = check_text(p, *mod);
	if (why) {
		module_put(*mod);
		*mod = NULL;
	}
	return why;
}

/**
 * arch_kprobe_refusal() - check the instruction of a probe
 * @p:	the probe, which has passed kprobe_check_place() and is not at an ftrace call site
 *
 * arch_prepare_kprobe() makes the same checks.
 *
 * Context: process context, kprobe_mutex and text_mutex held; the text cannot be freed.
 * Return: KPROBE_ACCEPTED, or why arch_prepare_kprobe() refuses it; always KPROBE_ACCEPTED if
 * the architecture does not define this function.
 */
enum kprobe_refusal __weak arch_kprobe_refusal(const struct kprobe *p)
{
	return KPROBE_ACCEPTED;
}

/**
 * arch_kprobe_boundary() - describe the instruction around an address
 * @addr:	the address, for which arch_kprobe_refusal() has returned REFUSED_NO_INSN
 * @buf:	the description is written here, as a sentence of kprobe_refusal_sentence()
 * @size:	size of @buf
 *
 * Context: process context, kprobe_mutex and text_mutex held; the text cannot be freed.
 * Return: length of the description; 0 if there is none.
 */
int __weak arch_kprobe_boundary(kprobe_opcode_t *addr, char *buf, size_t size)
{
	return 0;
}

static int write_sentence(enum kprobe_refusal why, char *buf, size_t size)
{
	if (why == KPROBE_ACCEPTED)
		return 0;
	return scnprintf(buf, size, "%s", kprobe_refusal_sentence(why));
}

static int explain_insn(const struct kprobe *p, char *buf, size_t size)
{
	enum kprobe_refusal why;
	int len = 0;

	guard(mutex)(&text_mutex);
	why = arch_kprobe_refusal(p);
	if (why == REFUSED_NO_INSN)
		len = arch_kprobe_boundary(p->addr, buf, size);
	return len ?: write_sentence(why, buf, size);
}

/**
 * kprobe_explain() - explain why a probe cannot be registered
 * @p:		the probe, with symbol and offset or with an address; not registered
 * @buf:	the explanation is written here
 * @size:	size of @buf
 *
 * The explanation completes the sentence "This place cannot be probed: ".
 *
 * Context: may sleep; takes kprobe_mutex, jump_label_lock() and text_mutex.
 * Return: length of the explanation; 0 if there is none.
 */
int kprobe_explain(const struct kprobe *p, char *buf, size_t size)
{
	struct kprobe copy = { .post_handler = p->post_handler };
	enum kprobe_refusal why;
	bool on_func_entry;
	struct module *mod;
	int len;

	/* arch_kprobe_refusal() calls get_kprobe(). */
	guard(mutex)(&kprobe_mutex);
	copy.addr = kprobe_resolve(p, &on_func_entry);
	if (IS_ERR(copy.addr))
		return write_sentence(copy.addr == ERR_PTR(-ENOENT) ? REFUSED_NO_SYMBOL :
				      REFUSED_OFFSET, buf, size);
	why = kprobe_check_place(&copy, &mod);
	if (why || kprobe_ftrace(&copy))
		len = write_sentence(why, buf, size);
	else
		len = explain_insn(&copy, buf, size);
	module_put(mod);
	return len;
}
