// SPDX-License-Identifier: GPL-2.0
/*
 * BTF of the probed function: names and types of its parameters, its return
 * type, and the members of structures that pointers point to.  Casts find structures of the
 * whole kernel.
 */
#include <linux/bpf.h>
#include <linux/btf.h>
#include <linux/err.h>
#include <linux/log2.h>
#include <linux/math.h>
#include <linux/module.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "trace.h"
#include "trace_btf.h"

#include "btf.h"
#include "engine.h"

/* Largest offset of an element in its array, in bytes. */
#define MAX_OFFSET	SZ_16M

/*
 * The prototype of a function in a module.  The search skips the types of the kernel,
 * which may have another function of this name.
 */
static const struct btf_type *find_in_module(struct btf *btf, const char *func)
{
	const struct btf_type *t;
	const char *name;
	u32 id;

	for (id = btf_nr_types(btf_base_btf(btf)); id < btf_nr_types(btf); id++) {
		t = btf_type_by_id(btf, id);
		if (!btf_type_is_func(t))
			continue;
		name = btf_name_by_offset(btf, t->name_off);
		if (!name || strcmp(name, func))
			continue;
		t = btf_type_by_id(btf, t->type);
		return t && btf_type_is_func_proto(t) ? t : NULL;
	}
	return NULL;
}

static const struct btf_type *find_proto(const struct probe_scope *scope, struct btf **btf)
{
	const struct btf_type *proto;
	struct module *mod;

	if (!scope->module)
		return btf_find_func_proto(scope->func, btf);
	mod = probe_get_module(scope->module);
	if (!mod)
		return NULL;
	*btf = btf_get_module_btf(mod);
	module_put(mod);
	if (IS_ERR_OR_NULL(*btf))
		return NULL;
	proto = find_in_module(*btf, scope->func);
	if (!proto)
		btf_put(*btf);
	return proto;
}

/**
 * probe_scope_btf() - look up the BTF of the probed function
 * @scope: the scope; on success its BTF members are set
 *
 * Context: may sleep.
 * Return: whether the function has BTF.
 */
bool probe_scope_btf(struct probe_scope *scope)
{
	const struct btf_param *params;
	s32 nr = 0;

	if (scope->btf)
		return true;
	if (!scope->func)
		return false;
	scope->proto = find_proto(scope, &scope->btf);
	if (!scope->proto) {
		scope->btf = NULL;
		return false;
	}
	params = btf_get_func_param(scope->proto, &nr);
	if (!IS_ERR_OR_NULL(params)) {
		/* BTF describes "..." as a parameter without type. */
		if (nr && !params[nr - 1].type)
			nr--;
		scope->params = params + min(nr, scope->skip_params);
		scope->nr_params = nr - min(nr, scope->skip_params);
	}
	return true;
}

static void drop_cast(struct probe_scope *scope)
{
	if (scope->cast_btf)
		btf_put(scope->cast_btf);
	scope->cast_btf = NULL;
}

/**
 * probe_scope_end() - drop the BTF references of a scope
 * @scope: the scope
 */
void probe_scope_end(struct probe_scope *scope)
{
	drop_cast(scope);
	if (scope->btf)
		btf_put(scope->btf);
	scope->btf = NULL;
}

/**
 * probe_scope_param() - name of a parameter of the probed function
 * @scope: the scope; probe_scope_btf() has found the function
 * @nr: which parameter, from 0
 *
 * Return: its name; NULL when there is no such parameter or it has no name.
 */
const char *probe_scope_param(struct probe_scope *scope, unsigned int nr)
{
	const char *name;

	if (nr >= scope->nr_params)
		return NULL;
	name = btf_name_by_offset(scope->btf, scope->params[nr].name_off);
	return name && *name ? name : NULL;
}

static bool set_value(struct probe_btf_value *v, struct btf *btf, u32 id)
{
	u32 real;

	v->btf = btf;
	v->type = btf_type_skip_modifiers(btf, id, &real);
	v->is_cast = false;
	v->bit = 0;
	v->width = 0;
	v->load = 0;
	return v->type;
}

/**
 * probe_btf_param_nth() - the type of a parameter
 * @scope: the scope
 * @nr: which parameter, from 0
 * @v: its type, when known
 *
 * Return: 0, or -ENOENT when BTF has no such parameter.
 */
int probe_btf_param_nth(struct probe_scope *scope, unsigned int nr,
			struct probe_btf_value *v)
{
	if (!probe_scope_btf(scope) || nr >= scope->nr_params ||
	    !set_value(v, scope->btf, scope->params[nr].type))
		return -ENOENT;
	return 0;
}

/**
 * probe_btf_param_find() - find a parameter by its name
 * @cmd: for errors
 * @scope: the scope
 * @e: the expression that names it
 * @v: its type
 *
 * Return: its number, from 0, or a negative errno with the error in @cmd.
 */
int probe_btf_param_find(struct probe_cmd *cmd, struct probe_scope *scope,
			 const struct probe_expr *e, struct probe_btf_value *v)
{
	unsigned int i;

	if (!probe_scope_btf(scope) || !scope->nr_params)
		return probe_cmd_error(cmd, PROBE_ERR_NO_BTF_ENTRY, e->pos);

	for (i = 0; i < scope->nr_params; i++) {
		const char *name = probe_scope_param(scope, i);

		if (!name || !probe_str_is(e->str, name))
			continue;
		if (!set_value(v, scope->btf, scope->params[i].type))
			return probe_cmd_error(cmd, PROBE_ERR_BAD_BTF_TID, e->pos);
		return i;
	}
	return probe_cmd_error(cmd, PROBE_ERR_NO_BTFARG, e->pos);
}

/**
 * probe_btf_retval() - the type of the probed function's return value
 * @cmd: for errors
 * @scope: the scope
 * @e: the expression $retval
 * @v: its type; unchanged when BTF does not have the function
 *
 * Return: 0, or a negative errno, with the error in @cmd, if the function returns
 * void or if its return type cannot be found.
 */
int probe_btf_retval(struct probe_cmd *cmd, struct probe_scope *scope,
		     const struct probe_expr *e, struct probe_btf_value *v)
{
	if (!probe_scope_btf(scope))
		return 0;
	if (!scope->proto->type)
		return probe_cmd_error(cmd, PROBE_ERR_NO_RETVAL, e->pos);
	if (!set_value(v, scope->btf, scope->proto->type))
		return probe_cmd_error(cmd, PROBE_ERR_BAD_BTF_TID, e->pos);
	return 0;
}

/* Move @v from a structure to its member @e; add the member's offset to @bits. */
static int enter_member(struct probe_cmd *cmd, const struct probe_expr *e,
			struct probe_btf_value *v, unsigned int *bits)
{
	const struct btf_member *m;
	const struct btf_type *owner;
	u32 anon = 0;
	char *name;

	name = probe_arena_strndup(cmd->arena, e->str.s, e->str.len);
	if (!name)
		return -ENOMEM;
	m = btf_find_struct_member(v->btf, v->type, name, &anon, &owner);
	if (m == ERR_PTR(-ENOMEM))
		return -ENOMEM;
	/* The type has no members. */
	if (IS_ERR(m))
		return probe_cmd_error(cmd, PROBE_ERR_BAD_BTF_TID, e->pos);
	if (!m)
		return probe_cmd_error(cmd, PROBE_ERR_NO_BTF_FIELD, e->pos);

	*bits += anon + __btf_member_bit_offset(owner, m);
	if (!set_value(v, v->btf, m->type))
		return probe_cmd_error(cmd, PROBE_ERR_BAD_BTF_TID, e->pos);
	v->width = __btf_member_bitfield_size(owner, m);
	return 0;
}

/*
 * Move @v from an array to its element @e; add the element's offset to @bits.  @end is set to the
 * end of the element if the structure, of @end bytes, is known to be larger now.
 */
static int enter_element(struct probe_cmd *cmd, const struct probe_expr *e,
			 struct probe_btf_value *v, unsigned int *bits, u32 *end)
{
	const struct btf_array *array;
	u32 size;

	if (!btf_type_is_array(v->type))
		return probe_cmd_error(cmd, PROBE_ERR_BAD_INDEX, e->pos);
	array = btf_array(v->type);
	if (!set_value(v, v->btf, array->type) || IS_ERR(btf_resolve_size(v->btf, v->type, &size)))
		return probe_cmd_error(cmd, PROBE_ERR_BAD_BTF_TID, e->pos);
	/* An array without a length ends its structure.  BTF does not know its length. */
	if ((array->nelems && e->value >= array->nelems) || e->value > MAX_OFFSET / (size ?: 1))
		return probe_cmd_error(cmd, PROBE_ERR_BAD_INDEX, e->pos);
	*bits += e->value * size * 8;
	*end = max(*end, *bits / 8 + size);
	return 0;
}

/*
 * Choose the bytes to load for a bitfield in a structure of @size bytes.  The memory after
 * the structure may not be readable.  So if an integer from the bitfield's first byte would
 * end after the structure, load an integer that begins before, or, if there is none, only
 * the bytes with the bitfield.  These can be nine.
 */
static void choose_load(struct probe_btf_value *v, long *off, u32 size)
{
	unsigned int bytes = DIV_ROUND_UP(v->bit + v->width, 8);

	v->load = roundup_pow_of_two(bytes);
	if (v->load > min(size, sizeof(u64))) {
		v->load = bytes;
	} else if (*off + v->load > size) {
		v->bit += (*off + v->load - size) * 8;
		*off = size - v->load;
	}
}

static bool is_struct_named(const struct btf *btf, const struct btf_type *t, const char *name)
{
	const char *s = btf_type_is_struct(t) ? btf_name_by_offset(btf, t->name_off) : NULL;

	return s && !strcmp(s, name);
}

/* A module can have a structure with the name of another one of the kernel. */
static const struct btf_type *find_struct_in_module(const struct btf *btf, const char *name)
{
	u32 id;

	for (id = btf_nr_types(btf_base_btf(btf)); id < btf_nr_types(btf); id++)
		if (is_struct_named(btf, btf_type_by_id(btf, id), name))
			return btf_type_by_id(btf, id);
	return NULL;
}

static const struct btf_type *find_struct(struct probe_scope *scope, const char *name,
					  struct btf **btf)
{
	const struct btf_type *t = NULL;
	s32 id;

	if (scope->btf && btf_is_module(scope->btf))
		t = find_struct_in_module(scope->btf, name);
	if (t) {
		*btf = scope->btf;
		return t;
	}
	id = bpf_find_btf_id(name, BTF_KIND_STRUCT, btf);
	if (id < 0)
		id = bpf_find_btf_id(name, BTF_KIND_UNION, btf);
	if (id < 0)
		return NULL;
	drop_cast(scope);
	scope->cast_btf = *btf;
	return btf_type_by_id(*btf, id);
}

/**
 * probe_btf_cast() - take a value for a pointer to a structure or union
 * @scope: the scope; keeps a reference to the BTF of the structure, until the next cast
 * @name: name of the structure; not the empty name of many structures
 * @v: set to the type
 *
 * Context: may sleep.
 * Return: 0; -ENOENT if there is no such structure; -ENOMEM.
 */
int probe_btf_cast(struct probe_scope *scope, struct probe_str name, struct probe_btf_value *v)
{
	char *text = kmemdup_nul(name.s, name.len, GFP_KERNEL);

	if (!text)
		return -ENOMEM;
	*v = (struct probe_btf_value) { .is_cast = true };
	v->type = name.len ? find_struct(scope, text, &v->btf) : NULL;
	kfree(text);
	return v->type ? 0 : -ENOENT;
}

/**
 * probe_btf_members() - follow "->a.b[2].c" from a pointer
 * @cmd: for errors
 * @path: the members and indices; the first one is a member that follows an arrow
 * @nr: number of them
 * @v: in: type of the pointer; out: type of the last one
 * @off: its offset in bytes; for a bitfield, the offset of the bytes to load
 * @typed: the load has a type of its own, so the type of the member has no effect on @off
 *
 * Return: 0 or a negative errno; @cmd gets the error, except for -ENOMEM.
 */
int probe_btf_members(struct probe_cmd *cmd, struct probe_expr **path, unsigned int nr,
		      struct probe_btf_value *v, long *off, bool typed)
{
	unsigned int i, bits = 0;
	u32 size;
	int ret;

	if (!v->type || (!v->is_cast && !btf_type_is_ptr(v->type)))
		return probe_cmd_error(cmd, PROBE_ERR_NO_PTR_STRCT, path[0]->pos);
	if (!v->is_cast && !set_value(v, v->btf, v->type->type))
		return probe_cmd_error(cmd, PROBE_ERR_BAD_BTF_TID, path[0]->pos);

	size = v->type->size;
	for (i = 0; i < nr; i++) {
		if (path[i]->kind == PROBE_EXPR_INDEX)
			ret = enter_element(cmd, path[i], v, &bits, &size);
		else
			ret = enter_member(cmd, path[i], v, &bits);
		if (ret)
			return ret;
	}
	*off = bits / 8;
	v->bit = bits % 8;
	if (v->width && !typed)
		choose_load(v, off, size);
	return 0;
}

/**
 * probe_btf_offset() - offset of a member in a structure to which a value was cast
 * @cmd: for errors
 * @field: the member, as in a cast
 * @v: the value, from probe_btf_cast(); not changed
 * @off: set to the offset in bytes
 *
 * Return: 0 or a negative errno; @cmd gets the error, except for -ENOMEM.
 */
int probe_btf_offset(struct probe_cmd *cmd, const struct probe_expr *field,
		     const struct probe_btf_value *v, long *off)
{
	struct probe_btf_value member = *v;
	const struct probe_expr *e;
	unsigned int bits = 0;
	int ret;

	for (e = field; e; e = e->base) {
		ret = enter_member(cmd, e, &member, &bits);
		if (ret)
			return ret;
	}
	if (bits % 8)
		return probe_cmd_error(cmd, PROBE_ERR_CAST_NOT_ALIGNED, field->pos);
	*off = bits / 8;
	return 0;
}

static void describe_bitfield(const struct probe_btf_value *v, bool is_signed,
			      struct probe_bits *bits)
{
	bits->load = v->load;
	bits->width = v->width;
	bits->shift = v->bit;
	/* On big-endian machines, BTF counts bits from the most significant one. */
	if (IS_ENABLED(CONFIG_CPU_BIG_ENDIAN))
		bits->shift = v->load * 8 - v->bit - v->width;
	bits->is_signed = is_signed;
}

static bool has_negative_values(const struct btf_type *enum_type)
{
	const struct btf_enum *e = btf_enum(enum_type);
	unsigned int i;

	if (btf_type_kflag(enum_type))
		return true;
	if (BTF_INFO_KIND(enum_type->info) != BTF_KIND_ENUM)
		return false;
	/* Before version 1.24, pahole did not set the flag. */
	for (i = 0; i < btf_type_vlen(enum_type); i++)
		if (e[i].val < 0)
			return true;
	return false;
}

/**
 * probe_btf_type() - default type for recording a value
 * @v: the value
 * @in_memory: whether it is read from memory
 * @bits: set for a bitfield
 *
 * Return: the type; NULL when there is no default type, as for structures and for
 * bitfields of more than 64 bits.
 */
const struct probe_arg_type *
probe_btf_type(const struct probe_btf_value *v, bool in_memory, struct probe_bits *bits)
{
	const struct btf_type *t = v->type;
	bool is_signed = true;
	u32 size = t->size;

	switch (BTF_INFO_KIND(t->info)) {
	case BTF_KIND_PTR:
		return probe_type_default();
	case BTF_KIND_INT:
		is_signed = btf_int_encoding(t) & BTF_INT_SIGNED;
		/* Record the first half of an unsigned 128-bit integer as a u64. */
		if (!is_signed)
			size = min_t(u32, size, sizeof(u64));
		break;
	case BTF_KIND_ENUM:
		/* A packed enum is smaller than an int only in memory. */
		if (!in_memory)
			size = max_t(u32, size, sizeof(int));
		break;
	case BTF_KIND_ENUM64:
		break;
	default:
		return NULL;
	}
	if (v->width) {
		if (v->width > 64)
			return NULL;
		/* A bitfield of an enum has a sign only if the enum has negative values. */
		describe_bitfield(v, btf_type_is_int(t) ? is_signed : has_negative_values(t), bits);
	}
	return probe_type_number(is_signed ? 's' : 'u', size * 8);
}

static bool is_char(const struct btf *btf, u32 id)
{
	const struct btf_type *t;
	u32 real;

	t = btf_type_skip_modifiers(btf, id, &real);
	return t && BTF_INFO_KIND(t->info) == BTF_KIND_INT && t->size == 1;
}

/* Is it an integer as wide as an address?  Members of struct pt_regs can be addresses. */
static bool is_long(const struct probe_btf_value *v)
{
	return BTF_INFO_KIND(v->type->info) == BTF_KIND_INT && !v->width &&
	       v->type->size == sizeof(long);
}

/**
 * probe_btf_is_string() - can a value be read as a string?
 * @v: the value
 * @is_ptr: set to true if it is the address of the characters, to false if it is an array
 *
 * Return: true if it can.
 */
bool probe_btf_is_string(const struct probe_btf_value *v, bool *is_ptr)
{
	*is_ptr = true;
	if (is_long(v))
		return true;
	if (btf_type_is_ptr(v->type))
		return is_char(v->btf, v->type->type);
	*is_ptr = false;
	return btf_type_is_array(v->type) &&
	       is_char(v->btf, btf_array(v->type)->type);
}

static bool is_struct(const struct btf *btf, const struct btf_type *t, const char *name)
{
	return t && BTF_INFO_KIND(t->info) == BTF_KIND_STRUCT &&
	       !strcmp(btf_name_by_offset(btf, t->name_off), name);
}

/**
 * probe_btf_file() - does a value have a path?
 * @v: the value
 *
 * Return: the kind of the value; PROBE_BTF_NO_FILE if it has no path.
 */
enum probe_btf_file probe_btf_file(const struct probe_btf_value *v)
{
	const struct btf_type *t = v->type;
	u32 id;

	if (is_struct(v->btf, t, "path"))
		return PROBE_BTF_PATH;
	if (!btf_type_is_ptr(t))
		return PROBE_BTF_NO_FILE;
	t = btf_type_skip_modifiers(v->btf, t->type, &id);
	if (is_struct(v->btf, t, "file"))
		return PROBE_BTF_FILE_PTR;
	if (is_struct(v->btf, t, "path"))
		return PROBE_BTF_PATH_PTR;
	if (is_struct(v->btf, t, "dentry"))
		return PROBE_BTF_DENTRY_PTR;
	return PROBE_BTF_NO_FILE;
}

/**
 * probe_btf_is_pointer() - is a value known to be a pointer?
 * @v: the value
 *
 * Return: true if it is.
 */
bool probe_btf_is_pointer(const struct probe_btf_value *v)
{
	return v->type && btf_type_is_ptr(v->type);
}

/**
 * probe_btf_enter_array() - continue with the type of an array's elements
 * @v: the value; changed only if it is an array
 */
void probe_btf_enter_array(struct probe_btf_value *v)
{
	if (v->type && btf_type_is_array(v->type))
		set_value(v, v->btf, btf_array(v->type)->type);
}
