// SPDX-License-Identifier: GPL-2.0
/* Kernel probes: find the address of a symbol. */
#include <linux/err.h>
#include <linux/kallsyms.h>
#include <linux/kprobes.h>

#include "kprobes.h"

/**
 * kprobe_lookup_name() - find the address of a symbol
 * @name:	"SYMBOL" or "MODULE:SYMBOL"
 * @offset:	offset of the probe; not added to the address
 *
 * Context: Any.
 * Return: the address, or NULL.
 */
kprobe_opcode_t *__weak kprobe_lookup_name(const char *name, unsigned int offset)
{
	return (kprobe_opcode_t *)kallsyms_lookup_name(name);
}

/**
 * arch_adjust_kprobe_addr() - choose the address for a probe at an offset
 * @addr:		start of the symbol
 * @offset:		the offset
 * @on_func_entry:	set to whether this is the entry of the function
 *
 * An architecture overrides this, for example, if a function begins with an instruction
 * that must stay, such as the landing pad of indirect branches.
 *
 * Context: Any.
 * Return: the address, or NULL if it cannot be probed.
 */
kprobe_opcode_t *__weak arch_adjust_kprobe_addr(unsigned long addr, unsigned long offset,
						bool *on_func_entry)
{
	*on_func_entry = offset == 0;
	return (kprobe_opcode_t *)(addr + offset);
}

static kprobe_opcode_t *resolve(kprobe_opcode_t *base, const char *name,
				unsigned long offset, bool *on_func_entry)
{
	unsigned long addr, in_symbol;
	kprobe_opcode_t *place;

	if (!base == !name)
		return ERR_PTR(-EINVAL);
	if (name)
		base = kprobe_lookup_name(name, offset);
	if (!base)
		return ERR_PTR(-ENOENT);

	/* The address may belong to another symbol. */
	addr = (unsigned long)base + offset;
	if (!kallsyms_lookup_size_offset(addr, NULL, &in_symbol))
		return ERR_PTR(-ENOENT);
	place = arch_adjust_kprobe_addr(addr - in_symbol, in_symbol, on_func_entry);
	return place ?: ERR_PTR(-EINVAL);
}

/**
 * kprobe_resolve() - find the address of a probe
 * @p:			the probe
 * @on_func_entry:	set to whether it is the entry of a function
 *
 * Context: may sleep.
 * Return: the address; ERR_PTR(-EINVAL) if both or neither of symbol and address are given,
 * or if the architecture refuses the address; ERR_PTR(-ENOENT) if there is no symbol.
 */
kprobe_opcode_t *kprobe_resolve(const struct kprobe *p, bool *on_func_entry)
{
	return resolve(p->addr, p->symbol_name, p->offset, on_func_entry);
}

/**
 * kprobe_on_func_entry() - is this the entry of a function?
 * @addr:	an address, or NULL
 * @sym:	a symbol, or NULL; exactly one of @addr and @sym is given
 * @offset:	bytes from @addr or @sym
 *
 * Context: may sleep.
 * Return: 0 if it is; -EINVAL if it is not; -ENOENT if there is no symbol.
 */
int kprobe_on_func_entry(kprobe_opcode_t *addr, const char *sym, unsigned long offset)
{
	bool on_func_entry;
	kprobe_opcode_t *place = resolve(addr, sym, offset, &on_func_entry);

	if (IS_ERR(place))
		return PTR_ERR(place);
	return on_func_entry ? 0 : -EINVAL;
}
