// SPDX-License-Identifier: GPL-2.0
/*
 * The types of arguments.
 *
 * Each type is a row of one table.  The resolver uses the class of a type to
 * select how values are recorded.
 */
#include <linux/build_bug.h>
#include <linux/string.h>
#include <linux/unaligned.h>

#include "trace.h"

#include "record.h"
#include "types.h"

static void print_string(struct trace_seq *s, const void *data, const void *rec)
{
	u32 loc = get_unaligned((const u32 *)data);

	/* A string that could be read has at least its NUL. */
	if (!probe_data_loc_len(loc))
		trace_seq_puts(s, "(fault)");
	else
		trace_seq_printf(s, "\"%s\"", (const char *)rec + probe_data_loc_offset(loc));
}

static void print_symbol(struct trace_seq *s, const void *data, const void *rec)
{
	trace_seq_printf(s, "%pS",
			 (void *)get_unaligned((const unsigned long *)data));
}

static void print_stack(struct trace_seq *s, const void *data, const void *rec, bool user)
{
	u32 loc = get_unaligned((const u32 *)data), nr = probe_data_loc_len(loc) / sizeof(long), i;
	const unsigned long *words = rec + probe_data_loc_offset(loc);
	unsigned long entry;

	/* The event's inject file accepts any number for the field. */
	if (probe_data_loc_offset(loc) + probe_data_loc_len(loc) > PROBE_MAX_RECORD)
		nr = 0;
	trace_seq_putc(s, '{');
	/* The first word is the number of entries. */
	for (i = 1; i < nr; i++) {
		entry = get_unaligned(words + i);
		if (i > 1)
			trace_seq_putc(s, ',');
		if (user)
			trace_seq_printf(s, "0x%lx", entry);
		else
			trace_seq_printf(s, "%pS", (void *)entry);
	}
	trace_seq_putc(s, '}');
}

static void print_kstack(struct trace_seq *s, const void *data, const void *rec)
{
	print_stack(s, data, rec, false);
}

static void print_ustack(struct trace_seq *s, const void *data, const void *rec)
{
	print_stack(s, data, rec, true);
}

/* Fields are packed, so any of them may be unaligned. */
#define PRINT_NUMBER(name, ctype, conv)					\
static void print_##name(struct trace_seq *s, const void *data,		\
			 const void *rec)				\
{									\
	const typeof(ctype) *p = data;					\
									\
	trace_seq_printf(s, conv, get_unaligned(p));			\
}

PRINT_NUMBER(u8, u8, "%u")
PRINT_NUMBER(u16, u16, "%u")
PRINT_NUMBER(u32, u32, "%u")
PRINT_NUMBER(u64, u64, "%llu")
PRINT_NUMBER(s8, s8, "%d")
PRINT_NUMBER(s16, s16, "%d")
PRINT_NUMBER(s32, s32, "%d")
PRINT_NUMBER(s64, s64, "%lld")
PRINT_NUMBER(x8, u8, "0x%x")
PRINT_NUMBER(x16, u16, "0x%x")
PRINT_NUMBER(x32, u32, "0x%x")
PRINT_NUMBER(x64, u64, "0x%llx")
PRINT_NUMBER(char, u8, "'%c'")

#define NUMBER(n, decl, conv, bytes, sign) {				\
	.name = #n, .field = decl, .fmt = conv, .size = bytes,		\
	.is_signed = sign, .class = PROBE_CLASS_NUMBER, .print = print_##n }
#define STRING(n, cls) {						\
	.name = #n, .field = "__data_loc char[]", .fmt = "\\\"%s\\\"",	\
	.size = sizeof(u32), .is_signed = true, .class = cls,		\
	.print = print_string }

static const struct probe_arg_type probe_types[] = {
	NUMBER(x64, "u64", "0x%" PROBE_LL "x", 8, false),
	NUMBER(x32, "u32", "0x%x", 4, false),
	NUMBER(x16, "u16", "0x%x", 2, false),
	NUMBER(x8, "u8", "0x%x", 1, false),
	NUMBER(u64, "u64", "%" PROBE_LL "u", 8, false),
	NUMBER(u32, "u32", "%u", 4, false),
	NUMBER(u16, "u16", "%u", 2, false),
	NUMBER(u8, "u8", "%u", 1, false),
	NUMBER(s64, "s64", "%" PROBE_LL "d", 8, true),
	NUMBER(s32, "s32", "%d", 4, true),
	NUMBER(s16, "s16", "%d", 2, true),
	NUMBER(s8, "s8", "%d", 1, true),
	NUMBER(char, "u8", "'%c'", 1, false),
#ifdef CONFIG_64BIT
	NUMBER(symbol, "u64", "%pS", 8, false),
#else
	NUMBER(symbol, "u32", "%pS", 4, false),
#endif
	STRING(string, PROBE_CLASS_STRING),
	STRING(ustring, PROBE_CLASS_USTRING),
	STRING(symstr, PROBE_CLASS_SYMSTR),
	STRING(path, PROBE_CLASS_PATH),
};

#define STACK(how) {							\
	.field = "__data_loc unsigned long[]", .fmt = "%s",		\
	.size = sizeof(u32), .class = PROBE_CLASS_STACK, .print = how }

static const struct probe_arg_type stack_types[] = {
	STACK(print_kstack), STACK(print_ustack)
};

/**
 * probe_type_find() - look up a type by its name
 * @name: the name
 *
 * Return: the type, or NULL when no type has that name.
 */
const struct probe_arg_type *probe_type_find(struct probe_str name)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(probe_types); i++)
		if (probe_str_is(name, probe_types[i].name))
			return &probe_types[i];
	return NULL;
}

/**
 * probe_type_number() - the numeric type of a given format and size
 * @prefix: 'u', 's' or 'x'
 * @bits: 8, 16, 32 or 64
 *
 * Return: the type; NULL for any other size.
 */
const struct probe_arg_type *probe_type_number(char prefix, unsigned int bits)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(probe_types); i++)
		if (probe_types[i].class == PROBE_CLASS_NUMBER &&
		    probe_types[i].name[0] == prefix &&
		    probe_types[i].size * 8 == bits)
			return &probe_types[i];
	return NULL;
}

/**
 * probe_type_string() - the type of kernel strings
 *
 * Return: the only type of PROBE_CLASS_STRING.
 */
const struct probe_arg_type *probe_type_string(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(probe_types); i++)
		if (probe_types[i].class == PROBE_CLASS_STRING)
			return &probe_types[i];
	return NULL;
}

/**
 * probe_type_default() - the type of an argument without an explicit type
 *
 * Return: a hexadecimal number of the size of a register.
 */
const struct probe_arg_type *probe_type_default(void)
{
	return probe_type_number('x', BITS_PER_LONG);
}

/**
 * probe_type_stack() - the type of stack traces
 * @user: the stack is that of user space
 *
 * Return: the type.
 */
const struct probe_arg_type *probe_type_stack(bool user)
{
	return &stack_types[user];
}
