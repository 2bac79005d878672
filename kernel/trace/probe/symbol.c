// SPDX-License-Identifier: GPL-2.0
/*
 * Look up the function that a command names: whether it exists, whether its name is
 * unique, and its module.
 *
 * Static functions of the same name are common.  A command with such a name is
 * ambiguous and is refused; the user can give an address, an offset from another
 * symbol, or SYM%all.
 */
#include <linux/kallsyms.h>
#include <linux/module.h>
#include <linux/preempt.h>
#include <linux/string.h>

#include "engine.h"

struct name_count {
	const char	*name;
	unsigned int	count;
};

static int count_in_kernel(void *data, unsigned long addr)
{
	struct name_count *c = data;

	c->count++;
	return 0;
}

static int count_in_module(void *data, const char *name, unsigned long addr)
{
	struct name_count *c = data;

	if (!strcmp(name, c->name))
		c->count++;
	return 0;
}

/**
 * probe_symbol_count() - number of symbols with a name
 * @module: look in this module only; NULL: in the kernel and all modules
 * @name: the name
 *
 * Context: may sleep.
 * Return: that number.
 */
unsigned int probe_symbol_count(const char *module, const char *name)
{
	struct name_count c = { .name = name };

	if (!module)
		kallsyms_on_each_match_symbol(count_in_kernel, name, &c);
	module_kallsyms_on_each_symbol(module, count_in_module, &c);
	return c.count;
}

#ifdef CONFIG_MODULES
/**
 * probe_get_module() - get a reference to a module
 * @name: its name
 *
 * Return: the module, or NULL if it is not loaded.
 */
struct module *probe_get_module(const char *name)
{
	struct module *mod;

	guard(preempt)();
	mod = find_module(name);
	return mod && try_module_get(mod) ? mod : NULL;
}

/**
 * probe_module_at() - name of the module that has an address
 * @addr: the address
 * @name: buffer for the name, of MODULE_NAME_LEN bytes
 *
 * Return: whether there is such a module.
 */
bool probe_module_at(unsigned long addr, char *name)
{
	struct module *mod;

	guard(preempt)();
	mod = __module_address(addr);
	return mod && strscpy(name, mod->name, MODULE_NAME_LEN) > 0;
}
#endif

/**
 * probe_module_absent() - is a module not loaded?
 * @module: its name
 *
 * Context: may sleep.
 * Return: true if it is not loaded.
 */
bool probe_module_absent(const char *module)
{
	struct module *mod = probe_get_module(module);

	if (!mod)
		return true;
	module_put(mod);
	return false;
}

/**
 * probe_symbol_check() - can a symbol be probed by its name?
 * @module: look in this module only; NULL: in the kernel and all modules
 * @name: the name
 *
 * Context: may sleep.
 * Return: 0, also when the module is not loaded; -ENOENT when there is no such
 * symbol; -EADDRNOTAVAIL when there are several.
 */
int probe_symbol_check(const char *module, const char *name)
{
	struct module *mod = NULL;
	unsigned int count;

	if (module) {
		mod = probe_get_module(module);
		if (!mod)
			return 0;
	}
	count = probe_symbol_count(module, name);
	if (mod)
		module_put(mod);
	if (!count)
		return -ENOENT;
	return count == 1 ? 0 : -EADDRNOTAVAIL;
}
