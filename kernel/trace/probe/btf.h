/* SPDX-License-Identifier: GPL-2.0 */
/*
 * BTF of the probed function.  Without CONFIG_PROBE_EVENTS_BTF_ARGS, no function has BTF,
 * and no value has a type.
 */
#ifndef _PROBE_BTF_H
#define _PROBE_BTF_H

#include <linux/errno.h>
#include <linux/types.h>

#include "expr.h"
#include "fetch.h"
#include "probe.h"
#include "types.h"

struct btf;
struct btf_type;
struct probe_names;

/* The BTF type of an expression's last value or member. */
struct probe_btf_value {
	struct btf		*btf;	/* has the type */
	const struct btf_type	*type;	/* NULL: not known */
	bool			is_cast;	/* the value is a pointer to this structure */
	unsigned int		bit;	/* first bit, from the addressed byte */
	unsigned int		width;	/* bits of a bitfield member, or 0 */
	unsigned int		load;	/* bytes to load for a bitfield */
};

/* Values that have a path. */
enum probe_btf_file {
	PROBE_BTF_NO_FILE,
	PROBE_BTF_FILE_PTR,	/* struct file * */
	PROBE_BTF_PATH_PTR,	/* struct path * */
	PROBE_BTF_DENTRY_PTR,	/* struct dentry * */
	PROBE_BTF_PATH,		/* struct path, a member */
};

#ifdef CONFIG_PROBE_EVENTS_BTF_ARGS
bool probe_scope_btf(struct probe_scope *scope);
const char *probe_scope_param(struct probe_scope *scope, unsigned int nr);
void probe_scope_end(struct probe_scope *scope);
int probe_btf_param_find(struct probe_cmd *cmd, struct probe_scope *scope,
			 const struct probe_expr *e, struct probe_btf_value *v);
int probe_btf_param_nth(struct probe_scope *scope, unsigned int nr,
			struct probe_btf_value *v);
int probe_btf_retval(struct probe_cmd *cmd, struct probe_scope *scope,
		     const struct probe_expr *e, struct probe_btf_value *v);
int probe_btf_cast(struct probe_scope *scope, struct probe_str name, struct probe_btf_value *v);
int probe_btf_members(struct probe_cmd *cmd, struct probe_expr **path, unsigned int nr,
		      struct probe_btf_value *v, long *off, bool typed);
int probe_btf_offset(struct probe_cmd *cmd, const struct probe_expr *field,
		     const struct probe_btf_value *v, long *off);
const struct probe_arg_type *
probe_btf_type(const struct probe_btf_value *v, bool in_memory, struct probe_bits *bits);
bool probe_btf_is_string(const struct probe_btf_value *v, bool *is_ptr);
enum probe_btf_file probe_btf_file(const struct probe_btf_value *v);
bool probe_btf_is_pointer(const struct probe_btf_value *v);
void probe_btf_enter_array(struct probe_btf_value *v);

/* btf_enum.c */
int probe_btf_enum(struct probe_scope *scope, struct probe_str name,
		   struct probe_arena *arena, struct probe_names *names);
int probe_btf_enum_of(const struct probe_btf_value *v, struct probe_arena *arena,
		      struct probe_names *names);
#else
static inline bool probe_scope_btf(struct probe_scope *scope)
{
	return false;
}

static inline const char *probe_scope_param(struct probe_scope *scope,
					    unsigned int nr)
{
	return NULL;
}

static inline void probe_scope_end(struct probe_scope *scope) { }

static inline int probe_btf_param_find(struct probe_cmd *cmd,
				       struct probe_scope *scope,
				       const struct probe_expr *e,
				       struct probe_btf_value *v)
{
	return probe_cmd_error(cmd, PROBE_ERR_NOSUP_BTFARG, e->pos);
}

static inline int probe_btf_param_nth(struct probe_scope *scope, unsigned int nr,
				      struct probe_btf_value *v)
{
	return -ENOENT;
}

static inline int probe_btf_retval(struct probe_cmd *cmd,
				   struct probe_scope *scope,
				   const struct probe_expr *e,
				   struct probe_btf_value *v)
{
	return 0;
}

static inline int probe_btf_cast(struct probe_scope *scope, struct probe_str name,
				 struct probe_btf_value *v)
{
	return -EOPNOTSUPP;
}

static inline int probe_btf_members(struct probe_cmd *cmd, struct probe_expr **path,
				    unsigned int nr, struct probe_btf_value *v,
				    long *off, bool typed)
{
	return probe_cmd_error(cmd, PROBE_ERR_NOSUP_BTFARG, path[0]->pos);
}

static inline int probe_btf_offset(struct probe_cmd *cmd, const struct probe_expr *field,
				   const struct probe_btf_value *v, long *off)
{
	return probe_cmd_error(cmd, PROBE_ERR_NOSUP_BTFARG, field->pos);
}

static inline const struct probe_arg_type *
probe_btf_type(const struct probe_btf_value *v, bool in_memory, struct probe_bits *bits)
{
	return NULL;
}

static inline bool probe_btf_is_string(const struct probe_btf_value *v, bool *is_ptr)
{
	return false;
}

static inline enum probe_btf_file probe_btf_file(const struct probe_btf_value *v)
{
	return PROBE_BTF_NO_FILE;
}

static inline bool probe_btf_is_pointer(const struct probe_btf_value *v)
{
	return false;
}

static inline void probe_btf_enter_array(struct probe_btf_value *v) { }

static inline int probe_btf_enum(struct probe_scope *scope, struct probe_str name,
				 struct probe_arena *arena, struct probe_names *names)
{
	return -EOPNOTSUPP;
}

static inline int probe_btf_enum_of(const struct probe_btf_value *v, struct probe_arena *arena,
				    struct probe_names *names)
{
	return -EOPNOTSUPP;
}
#endif

#endif /* _PROBE_BTF_H */
