// SPDX-License-Identifier: GPL-2.0
/*
 * Kernel probes: executable memory for copies of instructions and for detours.
 *
 * A page of executable memory has slots of one size.  A freed slot that a CPU may still
 * execute is garbage: it can be used again after the next RCU grace period.  The cache
 * waits for a grace period when it has much garbage, or when no slot is left.
 */
#include <linux/bitmap.h>
#include <linux/cleanup.h>
#include <linux/execmem.h>
#include <linux/init.h>
#include <linux/kallsyms.h>
#include <linux/kprobes.h>
#include <linux/mutex.h>
#include <linux/perf_event.h>
#include <linux/rculist.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "kprobes.h"

#ifdef __ARCH_WANT_KPROBES_INSN_SLOT
/**
 * struct slot_page - a page of slots
 * @list:	entry in the list of its cache; readers use RCU
 * @insns:	the page
 * @nr_used:	number of slots that are not free, including garbage
 * @used:	bitmap of these slots
 * @garbage:	bitmap of the slots that will be free after a grace period
 * @bits:	memory of both bitmaps
 */
struct slot_page {
	struct list_head	list;
	kprobe_opcode_t		*insns;
	unsigned int		nr_used;
	unsigned long		*used;
	unsigned long		*garbage;
	unsigned long		bits[];
};

/**
 * alloc_insn_page() - allocate a page for copies of instructions
 *
 * The page is near the kernel and its modules if the architecture requires it.
 *
 * Context: may sleep.
 * Return: the executable page, or NULL.
 */
void *__weak alloc_insn_page(void)
{
	return execmem_alloc(EXECMEM_KPROBES, PAGE_SIZE);
}

static void free_page_of_insns(void *page)
{
	execmem_free(page);
}

struct kprobe_insn_cache kprobe_insn_slots = {
	.sym		= KPROBE_INSN_PAGE_SYM,
	.insn_size	= MAX_INSN_SIZE,
	.alloc		= alloc_insn_page,
	.free		= free_page_of_insns,
	.pages		= LIST_HEAD_INIT(kprobe_insn_slots.pages),
	.mutex		= __MUTEX_INITIALIZER(kprobe_insn_slots.mutex),
};

#ifdef CONFIG_OPTPROBES
/**
 * alloc_optinsn_page() - allocate a page for detours
 *
 * Context: may sleep.
 * Return: the executable page, or NULL.
 */
void *__weak alloc_optinsn_page(void)
{
	return alloc_insn_page();
}

/**
 * free_optinsn_page() - free a page from alloc_optinsn_page()
 * @page:	the page
 *
 * Context: may sleep.
 */
void __weak free_optinsn_page(void *page)
{
	free_page_of_insns(page);
}

struct kprobe_insn_cache kprobe_optinsn_slots = {
	.sym		= KPROBE_OPTINSN_PAGE_SYM,
	/* kprobe_init_slots() sets .insn_size, which is not a constant on all architectures. */
	.alloc		= alloc_optinsn_page,
	.free		= free_optinsn_page,
	.pages		= LIST_HEAD_INIT(kprobe_optinsn_slots.pages),
	.mutex		= __MUTEX_INITIALIZER(kprobe_optinsn_slots.mutex),
};
#endif

static size_t slot_size(const struct kprobe_insn_cache *c)
{
	return c->insn_size * sizeof(kprobe_opcode_t);
}

static unsigned int slots_per_page(const struct kprobe_insn_cache *c)
{
	return PAGE_SIZE / slot_size(c);
}

static void announce(const struct kprobe_insn_cache *c, const struct slot_page *page,
		     bool is_removed)
{
	perf_event_ksymbol(PERF_RECORD_KSYMBOL_TYPE_OOL, (unsigned long)page->insns,
			   PAGE_SIZE, is_removed, c->sym);
}

static struct slot_page *add_page(struct kprobe_insn_cache *c)
{
	unsigned int longs = BITS_TO_LONGS(slots_per_page(c));
	struct slot_page *page;

	page = kzalloc(struct_size(page, bits, 2 * longs), GFP_KERNEL);
	if (!page)
		return NULL;
	page->insns = c->alloc();
	if (!page->insns) {
		kfree(page);
		return NULL;
	}
	page->used = page->bits;
	page->garbage = page->bits + longs;
	list_add_rcu(&page->list, &c->pages);
	announce(c, page, false);
	return page;
}

static void remove_page(struct kprobe_insn_cache *c, struct slot_page *page)
{
	announce(c, page, true);
	list_del_rcu(&page->list);
	/* Wait for readers of the list; see page_of(). */
	synchronize_rcu();
	c->free(page->insns);
	kfree(page);
}

/* Free the page if it is unused, but keep the last page for the next probe. */
static void maybe_free_page(struct kprobe_insn_cache *c, struct slot_page *page)
{
	if (!page->nr_used && !list_is_singular(&c->pages))
		remove_page(c, page);
}

static void collect_garbage(struct kprobe_insn_cache *c)
{
	struct slot_page *page, *next;
	unsigned int nr = slots_per_page(c), found;

	synchronize_rcu();
	list_for_each_entry_safe(page, next, &c->pages, list) {
		found = bitmap_weight(page->garbage, nr);
		if (!found)
			continue;
		bitmap_andnot(page->used, page->used, page->garbage, nr);
		bitmap_zero(page->garbage, nr);
		page->nr_used -= found;
		maybe_free_page(c, page);
	}
	c->nr_garbage = 0;
}

static struct slot_page *page_with_room(struct kprobe_insn_cache *c)
{
	struct slot_page *page;

	list_for_each_entry(page, &c->pages, list)
		if (page->nr_used < slots_per_page(c))
			return page;
	return NULL;
}

/**
 * __get_insn_slot() - allocate a slot
 * @c:	the cache
 *
 * Context: may sleep; takes the mutex of the cache.
 * Return: the slot, or NULL.
 */
kprobe_opcode_t *__get_insn_slot(struct kprobe_insn_cache *c)
{
	struct slot_page *page;
	unsigned int nr;

	guard(mutex)(&c->mutex);
	page = page_with_room(c);
	if (!page && c->nr_garbage) {
		collect_garbage(c);
		page = page_with_room(c);
	}
	if (!page)
		page = add_page(c);
	if (!page)
		return NULL;
	nr = find_first_zero_bit(page->used, slots_per_page(c));
	__set_bit(nr, page->used);
	page->nr_used++;
	return page->insns + nr * c->insn_size;
}

/* Context: the mutex of the cache held, or under RCU. */
static struct slot_page *page_of(struct kprobe_insn_cache *c, unsigned long addr)
{
	struct slot_page *page;

	list_for_each_entry_rcu(page, &c->pages, list, lockdep_is_held(&c->mutex))
		if (addr - (unsigned long)page->insns < PAGE_SIZE)
			return page;
	return NULL;
}

/**
 * __free_insn_slot() - free a slot
 * @c:		the cache
 * @slot:	the slot
 * @dirty:	a CPU may execute it until the next RCU grace period ends
 *
 * Context: may sleep; takes the mutex of the cache.
 */
void __free_insn_slot(struct kprobe_insn_cache *c, kprobe_opcode_t *slot, int dirty)
{
	unsigned long addr = (unsigned long)slot;
	struct slot_page *page;
	unsigned int nr;

	guard(mutex)(&c->mutex);
	page = page_of(c, addr);
	if (WARN_ON(!page))
		return;
	nr = (addr - (unsigned long)page->insns) / slot_size(c);
	if (WARN_ON(!test_bit(nr, page->used) || test_bit(nr, page->garbage)))
		return;
	if (dirty) {
		__set_bit(nr, page->garbage);
		if (++c->nr_garbage > slots_per_page(c))
			collect_garbage(c);
	} else {
		__clear_bit(nr, page->used);
		page->nr_used--;
		maybe_free_page(c, page);
	}
}

/**
 * __is_insn_slot_addr() - is an address in a page of slots?
 * @c:		the cache
 * @addr:	the address
 *
 * Context: Any; used by stack traces.
 * Return: whether it is.
 */
bool __is_insn_slot_addr(struct kprobe_insn_cache *c, unsigned long addr)
{
	guard(rcu)();
	return page_of(c, addr);
}

/**
 * kprobe_cache_get_kallsym() - describe a page for kallsyms
 * @c:		the cache
 * @symnum:	number of the page; if there is no such page, reduced by the number of pages
 * @value:	set to its address
 * @type:	set to the type of symbol
 * @sym:	gets its name, KSYM_NAME_LEN bytes
 *
 * Context: Any.
 * Return: 0, or -ERANGE if there is no such page.
 */
int kprobe_cache_get_kallsym(struct kprobe_insn_cache *c, unsigned int *symnum,
			     unsigned long *value, char *type, char *sym)
{
	struct slot_page *page;

	guard(rcu)();
	list_for_each_entry_rcu(page, &c->pages, list) {
		if ((*symnum)-- == 0) {
			*value = (unsigned long)page->insns;
			*type = 't';
			strscpy(sym, c->sym, KSYM_NAME_LEN);
			return 0;
		}
	}
	return -ERANGE;
}
#else
static int kprobe_cache_get_kallsym(struct kprobe_insn_cache *c, unsigned int *symnum,
				    unsigned long *value, char *type, char *sym)
{
	return -ERANGE;
}
#endif

#if defined(CONFIG_OPTPROBES) && defined(__ARCH_WANT_KPROBES_INSN_SLOT)
#define OPTINSN_SLOTS	(&kprobe_optinsn_slots)
#else
#define OPTINSN_SLOTS	NULL
#endif

#ifdef __ARCH_WANT_KPROBES_INSN_SLOT
#define INSN_SLOTS	(&kprobe_insn_slots)
#else
#define INSN_SLOTS	NULL
#endif

/**
 * arch_kprobe_get_kallsym() - describe an architecture's executable memory for kallsyms
 * @symnum:	number of the symbol among the architecture's symbols
 * @value:	set to its address
 * @type:	set to its type
 * @sym:	gets its name
 *
 * Context: Any.
 * Return: 0, or -ERANGE if there is no such symbol.
 */
int __weak arch_kprobe_get_kallsym(unsigned int *symnum, unsigned long *value, char *type,
				   char *sym)
{
	return -ERANGE;
}

/**
 * kprobe_get_kallsym() - describe a page of executable memory for kallsyms
 * @symnum:	number of the page
 * @value:	set to its address
 * @type:	set to the type of symbol
 * @sym:	gets its name, KSYM_NAME_LEN bytes
 *
 * Context: Any.
 * Return: 0, or -ERANGE if there is no such page.
 */
int kprobe_get_kallsym(unsigned int symnum, unsigned long *value, char *type, char *sym)
{
	struct kprobe_insn_cache *caches[] = { INSN_SLOTS, OPTINSN_SLOTS };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(caches); i++)
		if (caches[i] &&
		    !kprobe_cache_get_kallsym(caches[i], &symnum, value, type, sym))
			return 0;
	return arch_kprobe_get_kallsym(&symnum, value, type, sym);
}

/* Context: boot. */
void __init kprobe_init_slots(void)
{
#if defined(CONFIG_OPTPROBES) && defined(__ARCH_WANT_KPROBES_INSN_SLOT)
	kprobe_optinsn_slots.insn_size = MAX_OPTINSN_SIZE;
#endif
}
