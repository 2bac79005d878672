/* SPDX-License-Identifier: GPL-2.0 */
/* The types that an argument can have; see types.c. */
#ifndef _PROBE_TYPES_H
#define _PROBE_TYPES_H

#include <linux/types.h>

#include "ast.h"

struct trace_seq;

/* The length modifier of 64 bits that readers of print fmt expect. */
#define PROBE_LL	"L"

enum probe_type_class {
	PROBE_CLASS_NUMBER,
	PROBE_CLASS_STRING,	/* string at a kernel address */
	PROBE_CLASS_USTRING,	/* string at a user address */
	PROBE_CLASS_SYMSTR,	/* name of the symbol at an address */
	PROBE_CLASS_PATH,	/* path of a file */
	PROBE_CLASS_STACK,	/* addresses of a stack trace; has no name in commands */
};

/**
 * struct probe_arg_type - a type that an argument can have
 * @name: name in a command
 * @field: declaration in the event's format file
 * @fmt: conversion in the event's print fmt
 * @class: the values it accepts, and how they are fetched
 * @size: bytes in the record
 * @is_signed: the format file and filters treat the value as signed
 * @print: writes the value at @data; @rec is the record it belongs to
 */
struct probe_arg_type {
	const char		*name;
	const char		*field;
	const char		*fmt;
	enum probe_type_class	class;
	u8			size;
	bool			is_signed;
	void			(*print)(struct trace_seq *s, const void *data,
					 const void *rec);
};

const struct probe_arg_type *probe_type_find(struct probe_str name);
const struct probe_arg_type *probe_type_number(char prefix, unsigned int bits);
const struct probe_arg_type *probe_type_string(void);
const struct probe_arg_type *probe_type_default(void);
const struct probe_arg_type *probe_type_stack(bool user);

#endif /* _PROBE_TYPES_H */
