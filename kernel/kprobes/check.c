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

#include "kprobes.h"

/* ftrace rewrites the text at its call sites, so a breakpoint there would be lost. */
static int check_ftrace_site(struct kprobe *p)
{
	unsigned long addr = (unsigned long)p->addr;

	if (ftrace_location(addr) != addr)
		return 0;
	if (!IS_ENABLED(CONFIG_KPROBES_ON_FTRACE))
		return -EINVAL;
	p->flags |= KPROBE_FLAG_FTRACE;
	return 0;
}

/*
 * The padding before a function has its own symbol.  It may contain data, code for call
 * depth tracking, or a check of the type of an indirect call.  Such code also runs before
 * functions that must not be probed.  static_call_update() rewrites a trampoline, and
 * does not expect a breakpoint.
 */
static const char *why_reserved_by_name(unsigned long addr)
{
	char name[KSYM_NAME_LEN];

	if (lookup_symbol_name(addr, name))
		return NULL;
	if (str_has_prefix(name, "__pfx_") || str_has_prefix(name, "__cfi_"))
		return "it is in the padding before a function";
	if (str_has_prefix(name, STATIC_CALL_TRAMP_PREFIX_STR))
		return "it is the trampoline of a static call";
	return NULL;
}

/* Return why the text at this address is reserved for other kernel code, or NULL. */
static const char *why_reserved(kprobe_opcode_t *addr)
{
	if (jump_label_text_reserved(addr, addr))
		return "it is a static branch";
	if (static_call_text_reserved(addr, addr))
		return "it is a static call";
	if (find_bug((unsigned long)addr))
		return "it is the trap of a BUG() or WARN()";
	return why_reserved_by_name((unsigned long)addr);
}

/* Return why kernel text cannot be probed, or NULL. */
static const char *why_refused(struct kprobe *p)
{
	unsigned long addr = (unsigned long)p->addr;
	const char *why;

	if (in_gate_area_no_mm(addr))
		return "it is in the gate area";
	if (within_kprobe_blacklist(addr))
		return "it is in the kprobes blacklist";
	/* An ftrace call site is not reserved for other code, and the search is slow. */
	if (kprobe_ftrace(p))
		return NULL;
	jump_label_lock();
	why = why_reserved(p->addr);
	jump_label_unlock();
	return why;
}

/*
 * Take a reference to the module of an address; *@mod is NULL for the kernel itself.  The
 * module must not be unloaded while its text is changed.
 */
static int get_module_of(unsigned long addr, struct module **mod)
{
	*mod = NULL;
	if (core_kernel_text(addr))
		return 0;

	guard(preempt)();
	*mod = __module_text_address(addr);
	if (!*mod)
		return -EINVAL;
	if (!try_module_get(*mod)) {
		*mod = NULL;
		return -ENOENT;
	}
	return 0;
}

static bool is_init_text_to_free(unsigned long addr, struct module *mod)
{
	return IS_ENABLED(CONFIG_MODULES) && mod && within_module_init(addr, mod) &&
	       !module_is_coming(mod);
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
 * Return: 0; -EINVAL if it cannot be probed; -ENOENT if the text is about to be freed.
 */
int kprobe_check_place(struct kprobe *p, struct module **mod)
{
	unsigned long addr = (unsigned long)p->addr;
	int ret;

	*mod = NULL;
	ret = check_ftrace_site(p);
	if (ret)
		return ret;
	ret = get_module_of(addr, mod);
	if (ret)
		return ret;

	if (is_init_text_to_free(addr, *mod))
		ret = -ENOENT;
	else if (why_refused(p))
		ret = -EINVAL;
	if (ret) {
		module_put(*mod);
		*mod = NULL;
	}
	return ret;
}

/**
 * arch_kprobe_explain() - explain why the architecture refuses an address
 * @addr:	the address, in kernel text
 * @buf:	the explanation is written here
 * @size:	size of @buf
 *
 * Context: process context, kprobe_mutex and text_mutex held; the text cannot be freed.
 * Return: length of the explanation; 0 if there is none.
 */
int __weak arch_kprobe_explain(kprobe_opcode_t *addr, char *buf, size_t size)
{
	return 0;
}

static int explain_text(struct kprobe *p, struct module *mod, char *buf, size_t size)
{
	const char *why;

	if (is_init_text_to_free((unsigned long)p->addr, mod))
		why = "it is init text that is about to be freed";
	else if (check_ftrace_site(p))
		why = "ftrace replaces this instruction";
	else
		why = why_refused(p);
	if (why)
		return scnprintf(buf, size, "%s", why);

	guard(mutex)(&text_mutex);
	return arch_kprobe_explain(p->addr, buf, size);
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
	struct kprobe copy = {};
	bool on_func_entry;
	struct module *mod;
	int ret;

	/* arch_kprobe_explain() calls get_kprobe(). */
	guard(mutex)(&kprobe_mutex);
	copy.addr = kprobe_resolve(p, &on_func_entry);
	if (IS_ERR(copy.addr))
		return scnprintf(buf, size, copy.addr == ERR_PTR(-ENOENT) ?
				 "there is no symbol for it" : "the architecture refuses it");
	ret = get_module_of((unsigned long)copy.addr, &mod);
	if (ret)
		return scnprintf(buf, size, ret == -ENOENT ? "its module is being unloaded" :
				 "it is not in the text of the kernel or of a module");
	ret = explain_text(&copy, mod, buf, size);
	module_put(mod);
	return ret;
}
