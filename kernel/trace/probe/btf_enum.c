// SPDX-License-Identifier: GPL-2.0
/* Enums in BTF: the names of their members. */
#include <linux/bpf.h>
#include <linux/btf.h>
#include <linux/err.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "trace.h"

#include "btf.h"
#include "names.h"

/* The value and the name of a member. */
static u64 member_at(const struct btf *btf, const struct btf_type *t, unsigned int nr,
		     const char **name)
{
	const struct btf_enum64 *wide = btf_enum64(t) + nr;
	const struct btf_enum *e = btf_enum(t) + nr;

	if (BTF_INFO_KIND(t->info) == BTF_KIND_ENUM64) {
		*name = btf_name_by_offset(btf, wide->name_off);
		return btf_enum64_value(wide);
	}
	*name = btf_name_by_offset(btf, e->name_off);
	return btf_type_kflag(t) ? (s64)e->val : (u32)e->val;
}

static int add_members(const struct btf *btf, const struct btf_type *t,
		       struct probe_arena *arena, struct probe_names *names)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; i < btf_type_vlen(t) && !ret; i++) {
		const char *name;
		u64 value = member_at(btf, t, i, &name);

		if (name)
			ret = probe_names_add(names, arena, value, name, strlen(name));
	}
	/* An enum can be declared and not defined. */
	return ret ?: names->nr ? 0 : -ENOENT;
}

static bool has_member(const struct btf *btf, const struct btf_type *t, const char *text)
{
	unsigned int i;

	for (i = 0; i < btf_type_vlen(t); i++) {
		const char *name;

		member_at(btf, t, i, &name);
		if (name && !strcmp(name, text))
			return true;
	}
	return false;
}

/*
 * Is it the enum of this name?  An enum without a name is known by its members, which share
 * one scope in C.
 */
static bool is_enum(const struct btf *btf, const struct btf_type *t, const char *text, bool named)
{
	const char *name;

	if (!btf_is_any_enum(t) || !t->name_off == named)
		return false;
	name = btf_name_by_offset(btf, t->name_off);
	return named ? name && !strcmp(name, text) : has_member(btf, t, text);
}

static const struct btf_type *find_from(const struct btf *btf, u32 id, const char *text,
					bool named)
{
	for (; id < btf_nr_types(btf); id++)
		if (is_enum(btf, btf_type_by_id(btf, id), text, named))
			return btf_type_by_id(btf, id);
	return NULL;
}

/* The types of the module come first: the kernel may have another enum of this name. */
static const struct btf_type *find_enum(const struct btf *module, const struct btf *kernel,
					const char *text, const struct btf **btf)
{
	const struct btf_type *t = NULL;
	unsigned int named;

	for (named = 2; named-- && !t;) {
		*btf = module;
		if (module)
			t = find_from(module, btf_nr_types(kernel), text, named);
		if (t)
			break;
		*btf = kernel;
		t = find_from(kernel, 1, text, named);
	}
	return t;
}

/**
 * probe_btf_enum() - the names of the members of an enum
 * @scope: the scope
 * @name: name of the enum or, of an enum without a name, of one of its members
 * @arena: has the memory of @names
 * @names: filled in; empty before
 *
 * The enum belongs to the kernel or to the module of the probed function.
 *
 * Context: may sleep.
 * Return: 0; -EOPNOTSUPP if the kernel has no BTF; -ENOENT if there is no such enum; -E2BIG
 * if it has too many members; -ENOMEM.
 */
int probe_btf_enum(struct probe_scope *scope, struct probe_str name,
		   struct probe_arena *arena, struct probe_names *names)
{
	const struct btf *kernel = bpf_get_btf_vmlinux(), *module = NULL, *btf;
	const struct btf_type *t;
	char *text;

	if (IS_ERR_OR_NULL(kernel))
		return -EOPNOTSUPP;
	text = kmemdup_nul(name.s, name.len, GFP_KERNEL);
	if (!text)
		return -ENOMEM;
	if (probe_scope_btf(scope) && btf_is_module(scope->btf))
		module = scope->btf;
	t = find_enum(module, kernel, text, &btf);
	kfree(text);
	return t ? add_members(btf, t, arena, names) : -ENOENT;
}

/**
 * probe_btf_enum_of() - the names of the members of the enum that a value is
 * @v: the value
 * @arena: has the memory of @names
 * @names: filled in; empty before
 *
 * Context: may sleep.
 * Return: 0; -ENOENT if the value is not known to be an enum; -E2BIG if the enum has too many
 * members; -ENOMEM.
 */
int probe_btf_enum_of(const struct probe_btf_value *v, struct probe_arena *arena,
		      struct probe_names *names)
{
	if (!v->type || !btf_is_any_enum(v->type))
		return -ENOENT;
	return add_members(v->btf, v->type, arena, names);
}
