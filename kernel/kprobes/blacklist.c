// SPDX-License-Identifier: GPL-2.0
/*
 * Kernel probes: functions that must not be probed, for example because they run during
 * the handling of a hit.
 *
 * NOKPROBE_SYMBOL() and special sections mark these functions, and the architecture adds
 * others.  A list keeps the order in which debugfs shows them, and a maple tree contains
 * their addresses.  kprobe_mutex protects changes of both; a lookup needs no lock.
 */
#define pr_fmt(fmt)	"kprobes: " fmt

#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/list.h>
#include <linux/maple_tree.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/xarray.h>

#include <asm/sections.h>

#include "kprobes.h"

struct area {
	struct list_head	list;
	unsigned long		start, end;
};

static LIST_HEAD(areas);

/* The value of each forbidden address in the tree. */
#define FORBIDDEN	xa_mk_value(1)
static struct maple_tree by_address = MTREE_INIT(by_address, MT_FLAGS_USE_RCU);

/**
 * arch_within_kprobe_blacklist() - does the architecture forbid probes at an address?
 * @addr:	the address
 *
 * Context: Any.
 * Return: whether it does; by default, true for functions marked __kprobes.
 */
bool __weak arch_within_kprobe_blacklist(unsigned long addr)
{
	return addr >= (unsigned long)__kprobes_text_start &&
	       addr < (unsigned long)__kprobes_text_end;
}

static bool is_listed(unsigned long addr)
{
	return arch_within_kprobe_blacklist(addr) || mtree_load(&by_address, addr);
}

/**
 * within_kprobe_blacklist() - is an address in a function that must not be probed?
 * @addr:	the address
 *
 * A part that the compiler split off, such as "f.cold", counts as part of function f.
 *
 * Context: Any; kgdb calls it with the other CPUs stopped.
 * Return: true if it is.
 */
bool within_kprobe_blacklist(unsigned long addr)
{
	char name[KSYM_NAME_LEN], *dot;

	if (is_listed(addr))
		return true;
	if (lookup_symbol_name(addr, name))
		return false;
	dot = strchr(name, '.');
	if (!dot)
		return false;
	*dot = '\0';
	addr = (unsigned long)kprobe_lookup_name(name, 0);
	return addr && is_listed(addr);
}

/**
 * kprobe_add_ksym_blacklist() - forbid probes in a function
 * @entry:	address of the function, or an address in it
 *
 * Context: boot, or kprobe_mutex held.
 * Return: number of bytes from @entry to the end of the function; -EINVAL if no function is
 * there; -ENOMEM.
 */
int kprobe_add_ksym_blacklist(unsigned long entry)
{
	unsigned long size, offset;
	struct area *area;
	int ret;

	if (!kernel_text_address(entry) ||
	    !kallsyms_lookup_size_offset(entry, &size, &offset))
		return -EINVAL;

	area = kmalloc(sizeof(*area), GFP_KERNEL);
	if (!area)
		return -ENOMEM;
	/*
	 * On arm, the address of a Thumb function is that of its symbol plus one.  Otherwise,
	 * @entry can be after another function, at bytes without a symbol, such as kCFI's hash.
	 */
	area->start = offset == 1 ? entry - 1 : entry;
	area->end = entry - offset + size;
	/* A symbol without a size is an alias.  Areas may overlap: all have the same value. */
	if (size) {
		ret = mtree_store_range(&by_address, area->start, area->end - 1,
					FORBIDDEN, GFP_KERNEL);
		if (ret) {
			kfree(area);
			return ret;
		}
	}
	list_add_tail(&area->list, &areas);
	return size - offset;
}

/**
 * kprobe_add_area_blacklist() - forbid probes in all functions of an area
 * @start:	start of the area
 * @end:	its end
 *
 * Context: boot, or kprobe_mutex held.
 * Return: 0; -EINVAL if an address has no symbol; -ENOMEM.
 */
int kprobe_add_area_blacklist(unsigned long start, unsigned long end)
{
	int size;

	while (start < end) {
		size = kprobe_add_ksym_blacklist(start);
		if (size < 0)
			return size;
		start += max(size, 1);
	}
	return 0;
}

#ifdef CONFIG_MODULES
static void add_section(const void *start, unsigned int size)
{
	if (start)
		kprobe_add_area_blacklist((unsigned long)start, (unsigned long)start + size);
}

/**
 * kprobe_blacklist_add_module() - add the functions of a module
 * @mod:	the module, which is being loaded
 *
 * Context: kprobe_mutex held.
 */
void kprobe_blacklist_add_module(struct module *mod)
{
	unsigned int i;

	lockdep_assert_held(&kprobe_mutex);
	for (i = 0; i < mod->num_kprobe_blacklist; i++)
		kprobe_add_ksym_blacklist(mod->kprobe_blacklist[i]);
	add_section(mod->kprobes_text_start, mod->kprobes_text_size);
	add_section(mod->noinstr_text_start, mod->noinstr_text_size);
}

/**
 * kprobe_blacklist_remove_module() - remove the functions of a module
 * @mod:	the module
 * @init_only:	only functions in its init text, which is freed after loading
 *
 * Context: kprobe_mutex held.
 */
void kprobe_blacklist_remove_module(struct module *mod, bool init_only)
{
	struct area *area, *next;

	lockdep_assert_held(&kprobe_mutex);
	list_for_each_entry_safe(area, next, &areas, list) {
		if (!within_module_init(area->start, mod) &&
		    (init_only || !within_module_core(area->start, mod)))
			continue;
		/* If this fails for lack of memory, the addresses stay forbidden. */
		if (area->end > area->start)
			mtree_store_range(&by_address, area->start, area->end - 1, NULL,
					  GFP_KERNEL);
		list_del(&area->list);
		kfree(area);
	}
}
#endif

/**
 * kprobe_blacklist_show() - show all areas
 * @m:	the file debugfs/kprobes/blacklist
 * @v:	unused
 *
 * Context: may sleep; takes kprobe_mutex.
 * Return: 0.
 */
int kprobe_blacklist_show(struct seq_file *m, void *v)
{
	bool show = kallsyms_show_value(m->file->f_cred);
	struct area *area;

	guard(mutex)(&kprobe_mutex);
	list_for_each_entry(area, &areas, list)
		seq_printf(m, "0x%px-0x%px\t%ps\n", show ? (void *)area->start : NULL,
			   show ? (void *)area->end : NULL, (void *)area->start);
	return 0;
}

static int __init add_symbols(void)
{
	unsigned long *symbol;
	int ret;

	for (symbol = __start_kprobe_blacklist; symbol < __stop_kprobe_blacklist; symbol++) {
		void *entry = dereference_symbol_descriptor((void *)*symbol);

		ret = kprobe_add_ksym_blacklist((unsigned long)entry);
		/* Ignore functions that are not in kernel text or have no symbol. */
		if (ret < 0 && ret != -EINVAL)
			return ret;
	}
	return 0;
}

/**
 * kprobe_init_blacklist() - add the functions of the kernel
 *
 * Context: boot.
 * Return: 0 or a negative errno.
 */
int __init kprobe_init_blacklist(void)
{
	return add_symbols() ?:
	       kprobe_add_area_blacklist((unsigned long)__kprobes_text_start,
					 (unsigned long)__kprobes_text_end) ?:
	       kprobe_add_area_blacklist((unsigned long)__noinstr_text_start,
					 (unsigned long)__noinstr_text_end);
}
