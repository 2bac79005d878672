// SPDX-License-Identifier: GPL-2.0
/*
 * Resolver of the type of an argument: the type that is given, or that of the value, and the
 * store, which records numbers, strings, paths, or names of symbols.  resolve_view.c finds the
 * names of numbers.
 */
#include <linux/errno.h>
#include <linux/fs.h>
#include <linux/string.h>

#include "predicate.h"
#include "resolve.h"
#include "types.h"

/**
 * probe_names_path() - is the type of an argument a path, which needs the BTF type of the value?
 * @type: the type as written
 *
 * Return: true if it is.
 */
bool probe_names_path(const struct probe_type_ast *type)
{
	return probe_str_is(type->str, "path");
}

/* The message of this error mentions only strings. */
static int fail_array(struct probe_resolver *r, const char *detail, unsigned int pos)
{
	r->cmd->detail = detail;
	return probe_refuse(r, PROBE_ERR_BAD_STRING, pos);
}

/* If a dereference is the last step, drop it, and record the memory, not a loaded value. */
static bool store_from_memory(struct probe_resolver *r, enum probe_store store)
{
	struct probe_fetch *f = r->fetch;

	if (!f->nr_steps || r->steps[f->nr_steps - 1].this_cpu)
		return false;
	f->store = store;
	f->off = r->steps[--f->nr_steps].off;
	f->user = r->steps[f->nr_steps].user;
	return true;
}

/* Is the value of the source the address of a string? */
static bool has_address(const struct probe_fetch *f)
{
	return f->src == PROBE_SRC_IMM || f->src == PROBE_SRC_FIELD ||
	       f->src == PROBE_SRC_FORMULA || probe_fetch_is_field_address(f);
}

static int store_string(struct probe_resolver *r, unsigned int pos)
{
	bool given = r->arg->type.form != PROBE_TYPE_NONE;
	bool is_ustring = r->def->type->class == PROBE_CLASS_USTRING;
	struct probe_fetch *f = r->fetch;
	bool is_ptr = false;

	if (r->btf.type && given &&
	    !probe_btf_is_string(&r->btf, &is_ptr))
		return probe_refuse(r, PROBE_ERR_BAD_TYPE4STR, r->arg->text.pos);

	/* The value is a pointer or a constant address: the string is at that address. */
	if (is_ptr || (!f->nr_steps && has_address(f))) {
		f->store = PROBE_STORE_STRING;
		/* With ustring, an array that the pointer refers to is in user space, too. */
		f->user = r->scope->in_user || (is_ptr && is_ustring);
	} else if (!store_from_memory(r, PROBE_STORE_STRING)) {
		return probe_refuse(r, PROBE_ERR_BAD_STRING, pos);
	}
	f->str_user = f->user || is_ustring;
	return 0;
}

static int store_symstr(struct probe_resolver *r, unsigned int pos)
{
	struct probe_fetch *f = r->fetch;

	if (f->nr_steps ? r->steps[f->nr_steps - 1].user :
	    f->src == PROBE_SRC_IMM || f->src == PROBE_SRC_SP)
		return probe_refuse(r, PROBE_ERR_BAD_SYMSTRING, pos);
	if (f->count)
		return fail_array(r, "symstr cannot be an array", pos);
	f->store = PROBE_STORE_SYMSTR;
	return 0;
}

static int store_path(struct probe_resolver *r, unsigned int pos)
{
	struct probe_fetch *f = r->fetch;
	enum probe_btf_file kind = r->btf.type ? probe_btf_file(&r->btf) : PROBE_BTF_NO_FILE;

	if (f->count)
		return fail_array(r, "path cannot be an array", pos);
	switch (kind) {
	case PROBE_BTF_FILE_PTR:
		f->off = offsetof(struct file, f_path);
		fallthrough;
	case PROBE_BTF_PATH_PTR:
		f->store = PROBE_STORE_PATH;
		return 0;
	case PROBE_BTF_DENTRY_PTR:
		f->store = PROBE_STORE_DENTRY;
		return 0;
	case PROBE_BTF_PATH:
		if (store_from_memory(r, PROBE_STORE_PATH))
			return 0;
		break;
	case PROBE_BTF_NO_FILE:
		break;
	}
	return probe_refuse(r, PROBE_ERR_BAD_PATH, r->arg->text.pos);
}

static int store_number(struct probe_resolver *r, unsigned int pos)
{
	if (store_from_memory(r, PROBE_STORE_MEM))
		return 0;
	if (r->fetch->count)
		return fail_array(r, "an array must be in memory", pos);
	r->fetch->store = PROBE_STORE_VALUE;
	return 0;
}

/* A field of another event's record has the bytes itself, unless they are somewhere else. */
static bool store_from_field(struct probe_resolver *r)
{
	struct probe_fetch *f = r->fetch;

	if (f->nr_steps || f->count > r->field_size ||
	    (f->src != PROBE_SRC_FIELD && f->src != PROBE_SRC_FIELD_ADDR))
		return false;
	f->src = PROBE_SRC_FIELD_ADDR;
	f->part = 0;
	f->part_signed = false;
	f->store = PROBE_STORE_MEM;
	return true;
}

/* Bytes are at the address that a pointer is, or in memory that the expression reads. */
static int store_bytes(struct probe_resolver *r, unsigned int pos)
{
	if (probe_btf_is_pointer(&r->btf)) {
		r->fetch->store = PROBE_STORE_MEM;
		r->fetch->user = r->scope->in_user;
		return 0;
	}
	if (store_from_memory(r, PROBE_STORE_MEM) || store_from_field(r))
		return 0;
	return fail_array(r, "bytes must be in memory", pos);
}

/* Addresses in user space have no names. */
static bool is_refused(const struct probe_resolver *r, const struct probe_arg_type *type)
{
	return r->scope->in_user && (type->class == PROBE_CLASS_SYMSTR ||
				     type->class == PROBE_CLASS_PATH ||
				     !strcmp(type->name, "symbol"));
}

/* The type that the value has by itself, or NULL. */
static const struct probe_arg_type *own_type(struct probe_resolver *r)
{
	struct probe_fetch *f = r->fetch;
	const struct probe_arg_type *type = NULL;

	if (r->btf.type)
		type = probe_btf_type(&r->btf, f->nr_steps, &f->bits);
	if (type || f->nr_steps)
		return type;
	if (f->part && (f->src == PROBE_SRC_REG || f->src == PROBE_SRC_ENTRY))
		return probe_type_number('x', f->part * 8);
	if (f->src == PROBE_SRC_FORMULA)
		return r->def->type;
	return f->src == PROBE_SRC_LATENCY ? probe_type_number('u', 64) : NULL;
}

/*
 * The type of a view without a size.  Of a number in a register of which nothing is known, an
 * errno and an enum are an int, so the upper half can be anything; flags are often a long.
 */
static const struct probe_arg_type *type_of_view(struct probe_resolver *r,
						 enum probe_view_kind kind)
{
	const struct probe_arg_type *own = NULL;
	unsigned int bits = kind == PROBE_VIEW_FLAGS ? BITS_PER_LONG : 32;

	if (r->arg->type.count)
		probe_btf_enter_array(&r->btf);
	if (!r->arg->type.count || !r->btf.width)
		own = own_type(r);
	if (!own && r->fetch->src == PROBE_SRC_FIELD && !r->fetch->nr_steps)
		bits = r->fetch->part * 8;
	if (own)
		bits = own->size * 8;
	if (kind == PROBE_VIEW_ENUM && own)
		return own;
	return probe_type_number(kind == PROBE_VIEW_FLAGS ? 'u' : 's', bits);
}

static int resolve_view(struct probe_resolver *r, const struct probe_view_word *word,
			unsigned int bits, unsigned int pos)
{
	enum probe_view_kind kind = word->kind;
	const struct probe_arg_type *type;

	if (kind == PROBE_VIEW_ERRNO && !bits && !r->arg->type.count &&
	    probe_btf_is_pointer(&r->btf))
		kind = PROBE_VIEW_ERRPTR;
	if (bits)
		type = probe_type_number(kind <= PROBE_VIEW_ENUM ? 's' : 'u', bits);
	else
		type = type_of_view(r, kind);
	if (word->bytes && r->fetch->count)
		return fail_array(r, "bytes cannot be an array", pos);
	if (word->bytes)
		r->fetch->count = word->bytes;
	r->def->type = type;
	return probe_resolve_view(r->p, r->arg, kind, &r->btf,
				  r->fetch->bits.width ?: type->size * 8, r->def, r->cmd,
				  r->scope);
}

static int find_type(struct probe_resolver *r, unsigned int pos)
{
	const struct probe_type_ast *t = &r->arg->type;
	const struct probe_view_word *word;
	const struct probe_arg_type *type;
	unsigned int bits;

	switch (t->form) {
	case PROBE_TYPE_NONE:
		type = own_type(r);
		if (!type && r->btf.type && r->arg->in_formula)
			return probe_refuse(r, PROBE_ERR_NOT_A_NUMBER, pos);
		type = type ?: probe_type_default();
		break;
	case PROBE_TYPE_BITFIELD:
		type = probe_type_number('u', t->container);
		r->fetch->bits.width = t->width;
		r->fetch->bits.shift = t->shift;
		r->fetch->bits.load = t->container / 8;
		break;
	default:
		word = probe_view_find(t->str, &bits);
		if (word)
			return resolve_view(r, word, bits, pos);
		type = probe_type_find(t->str);
		break;
	}
	if (!type || is_refused(r, type))
		return probe_refuse(r, PROBE_ERR_BAD_TYPE, pos);
	r->def->type = type;
	return 0;
}

static bool has_no_value(const struct probe_resolver *r)
{
	return r->fetch->src == PROBE_SRC_NONE;
}

/* Values that are not read from an address have one type. */
static int check_only_type(struct probe_resolver *r, const struct probe_type_ast *t,
			   unsigned int pos)
{
	if (r->fetch->store == PROBE_STORE_STACK) {
		r->def->type = probe_type_stack(r->fetch->user);
		return t->form == PROBE_TYPE_NONE ? 0 : probe_refuse(r, PROBE_ERR_BAD_TYPE, pos);
	}
	r->def->type = probe_type_string();
	if (t->count || (t->form != PROBE_TYPE_NONE && probe_type_find(t->str) != r->def->type))
		return probe_refuse(r, PROBE_ERR_NEED_STRING_TYPE, pos);
	return 0;
}

/**
 * probe_resolve_type() - resolve the type of an argument, and how its value is recorded
 * @r: the resolver, with the source and the steps of the value; its type and store are set
 *
 * Context: may sleep.
 * Return: 0 or a negative errno.  The error is also in the command, except for -ENOMEM.
 */
int probe_resolve_type(struct probe_resolver *r)
{
	const struct probe_type_ast *t = &r->arg->type;
	unsigned int pos = t->form == PROBE_TYPE_NONE ? r->arg->text.pos : t->str.pos;
	int ret;

	r->fetch->count = t->count;
	if (has_no_value(r))
		return check_only_type(r, t, pos);

	ret = find_type(r, pos);
	if (ret)
		return ret;
	switch (r->def->type->class) {
	case PROBE_CLASS_STRING:
	case PROBE_CLASS_USTRING:
		return store_string(r, pos);
	case PROBE_CLASS_SYMSTR:
		return store_symstr(r, pos);
	case PROBE_CLASS_PATH:
		return store_path(r, pos);
	default:
		return probe_view_is_bytes(r->def->view) ? store_bytes(r, pos) :
							   store_number(r, pos);
	}
}
