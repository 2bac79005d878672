/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The state of resolving an argument.  Only resolve.c, resolve_operand.c and resolve_type.c
 * include this file.
 */
#ifndef _PROBE_RESOLVE_H
#define _PROBE_RESOLVE_H

#include "btf.h"
#include "engine.h"
#include "expr.h"
#include "fetch.h"

/**
 * struct probe_resolver - state of resolving an argument
 * @p: the probe that the argument will belong to
 * @cmd: the command, for errors
 * @scope: the names that the argument can refer to
 * @arg: syntax of the argument
 * @fetch: the result
 * @def: name, text and type of the argument
 * @btf: BTF type of the value so far
 * @inside: bytes from the start of the structure to the place where the value points, if the
 *	value is cast
 * @by_address: the operand is the address of a symbol, not the memory there
 * @field_size: bytes of the field of another event that the operand is
 * @steps: the dereferences so far
 */
struct probe_resolver {
	struct probe			*p;
	struct probe_cmd		*cmd;
	struct probe_scope		*scope;
	const struct probe_arg_ast	*arg;
	struct probe_fetch		*fetch;
	struct probe_arg_def		*def;
	struct probe_btf_value		btf;
	long				inside;
	bool				by_address;
	unsigned int			field_size;
	struct probe_step		steps[PROBE_MAX_DEREF];
};

static inline int probe_refuse(struct probe_resolver *r, enum probe_err err, unsigned int pos)
{
	return probe_cmd_error(r->cmd, err, pos);
}

/* resolve_type.c */
bool probe_names_path(const struct probe_type_ast *type);
int probe_resolve_type(struct probe_resolver *r);

/* resolve_operand.c */
int probe_add_step(struct probe_resolver *r, const struct probe_expr *e, long off,
		   bool user);
int probe_resolve_operand(struct probe_resolver *r, const struct probe_expr *e);

#endif /* _PROBE_RESOLVE_H */
