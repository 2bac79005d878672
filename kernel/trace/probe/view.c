// SPDX-License-Identifier: GPL-2.0
/*
 * How numbers and bytes are shown, if not as their type says: by names, as times, as addresses
 * of a network.
 *
 * The record has the plain number, so filters and histograms compare numbers.  The text is
 * made when the trace is read.  print fmt makes the same text in perf and trace-cmd.  It uses
 * only what libtraceevent evaluates in the same way: its numbers are unsigned, of 64 bits, and
 * not sign-extended, and each operation needs braces.
 */
#include <linux/array_size.h>
#include <linux/err.h>
#include <linux/errname.h>
#include <linux/math64.h>
#include <linux/seq_buf.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/time64.h>
#include <linux/unaligned.h>

#include "trace.h"

#include "lex.h"
#include "types.h"
#include "view.h"

#define ROOM	SZ_64K		/* more than print fmt needs for a value */
#define TIME_FMT	"%02" PROBE_LL "u:%02" PROBE_LL "u:%02" PROBE_LL "u.%09" PROBE_LL "u"
#define DEV_MINOR_BITS	20	/* of dev_t in the kernel */
#define ERRNO_GAP	16	/* unused numbers between those of errnos */

static const struct probe_view_word words[] = {
	{ .word = "errno", .kind = PROBE_VIEW_ERRNO },
	{ .word = "enum", .kind = PROBE_VIEW_ENUM },
	{ .word = "flags", .kind = PROBE_VIEW_FLAGS },
	{ .word = "time", .kind = PROBE_VIEW_TIME, .bits = 64 },
	{ .word = "dev", .kind = PROBE_VIEW_DEV, .bits = 32 },
	{ .word = "ipv4", .kind = PROBE_VIEW_IPV4, .bits = 32 },
	{ .word = "ipv6", .kind = PROBE_VIEW_IPV6, .bits = 8, .bytes = 16 },
	{ .word = "mac", .kind = PROBE_VIEW_MAC, .bits = 8, .bytes = 6 },
	{ .word = "uuid", .kind = PROBE_VIEW_UUID, .bits = 8, .bytes = 16 },
};

/**
 * probe_view_find() - look up the word of a view
 * @word: the word; after errno, enum and flags, with or without a number of bits
 * @bits: set to the bits of the number; 0: those of the value
 *
 * Return: the word; NULL if it is not that of a view.
 */
const struct probe_view_word *probe_view_find(struct probe_str word, unsigned int *bits)
{
	static const char * const sizes[] = { "8", "16", "32", "64" };
	unsigned int i, n;
	size_t len;

	for (i = 0; i < ARRAY_SIZE(words); i++) {
		*bits = words[i].bits;
		if (probe_str_is(word, words[i].word))
			return &words[i];
		len = strlen(words[i].word);
		if (*bits || !probe_str_starts(word, words[i].word))
			continue;
		for (n = 0; n < ARRAY_SIZE(sizes); n++) {
			*bits = 8 << n;
			if (probe_str_is(probe_str_from(word, len), sizes[n]))
				return &words[i];
		}
	}
	return NULL;
}

/**
 * probe_view_copy() - copy a view
 * @arena: has the memory of the copy
 * @from: the view
 *
 * Return: the copy; NULL if out of memory.
 */
const struct probe_view *probe_view_copy(struct probe_arena *arena,
					 const struct probe_view *from)
{
	struct probe_view *view = probe_arena_alloc(arena, sizeof(*view));

	if (!view)
		return NULL;
	view->kind = from->kind;
	return probe_names_copy(&view->names, arena, &from->names) ? NULL : view;
}

/**
 * probe_view_same() - do two views show the same?
 * @a: a view or NULL
 * @b: another view or NULL
 *
 * Return: true if they do.
 */
bool probe_view_same(const struct probe_view *a, const struct probe_view *b)
{
	if (!a || !b)
		return a == b;
	return a->kind == b->kind && probe_names_same(&a->names, &b->names);
}

/* The trace file */

/* The number, without the bits that its type does not have. */
static u64 read_unsigned(const struct probe_arg_type *type, const void *data)
{
	switch (type->size) {
	case 1:
		return *(const u8 *)data;
	case 2:
		return get_unaligned((const u16 *)data);
	case 4:
		return get_unaligned((const u32 *)data);
	default:
		return get_unaligned((const u64 *)data);
	}
}

static u64 mask_of(const struct probe_arg_type *type)
{
	return U64_MAX >> (64 - type->size * 8);
}

static s64 read_signed(const struct probe_arg_type *type, const void *data)
{
	unsigned int unused = 64 - type->size * 8;

	return (s64)(read_unsigned(type, data) << unused) >> unused;
}

static void print_errno(struct trace_seq *s, s64 value, bool is_address)
{
	const char *name = value < 0 && value >= -MAX_ERRNO ? errname(value) : NULL;

	if (name)
		trace_seq_puts(s, name);
	else if (is_address && value)
		trace_seq_printf(s, "0x%lx", (unsigned long)value);
	else
		trace_seq_printf(s, "%lld", value);
}

static void print_enum(struct trace_seq *s, const struct probe_names *names,
		       const struct probe_arg_type *type, u64 value)
{
	unsigned int i;

	for (i = 0; i < names->nr; i++) {
		if ((names->list[i].value & mask_of(type)) != value)
			continue;
		trace_seq_puts(s, names->list[i].text);
		return;
	}
	trace_seq_printf(s, "0x%llx", value);
}

/* Readers of print fmt compare flags as signed numbers, and skip a 0 and the highest bit. */
static bool is_flag(const struct probe_name *name, const struct probe_arg_type *type)
{
	return (s64)(name->value & mask_of(type)) > 0;
}

static const char *name_of_none(const struct probe_names *names)
{
	unsigned int i;

	for (i = 0; i < names->nr; i++)
		if (!names->list[i].value)
			return names->list[i].text;
	return "0";
}

static void print_flags(struct trace_seq *s, const struct probe_names *names,
			const struct probe_arg_type *type, u64 value)
{
	const char *between = "";
	unsigned int i;
	u64 flag;

	if (!value) {
		trace_seq_puts(s, name_of_none(names));
		return;
	}
	for (i = 0; i < names->nr; i++) {
		flag = names->list[i].value & mask_of(type);
		if (!is_flag(&names->list[i], type) || (value & flag) != flag)
			continue;
		trace_seq_printf(s, "%s%s", between, names->list[i].text);
		between = "|";
		value &= ~flag;
	}
	if (value)
		trace_seq_printf(s, "%s0x%llx", between, value);
}

static void print_time(struct trace_seq *s, u64 value)
{
	u32 ns, second, minute, hour;
	u64 rest;

	rest = div_u64_rem(value, NSEC_PER_SEC, &ns);
	rest = div_u64_rem(rest, 60, &second);
	rest = div_u64_rem(rest, 60, &minute);
	div_u64_rem(rest, 24, &hour);
	trace_seq_printf(s, "%02u:%02u:%02u.%09u", hour, minute, second, ns);
}

/**
 * probe_view_print() - write a value as a view shows it
 * @s: the output
 * @view: the view
 * @type: type of the number, or of each byte
 * @data: the value in a record
 */
void probe_view_print(struct trace_seq *s, const struct probe_view *view,
		      const struct probe_arg_type *type, const void *data)
{
	u64 value = read_unsigned(type, data);

	switch (view->kind) {
	case PROBE_VIEW_ERRNO:
	case PROBE_VIEW_ERRPTR:
		print_errno(s, read_signed(type, data), view->kind == PROBE_VIEW_ERRPTR);
		break;
	case PROBE_VIEW_ENUM:
		print_enum(s, &view->names, type, value);
		break;
	case PROBE_VIEW_FLAGS:
		print_flags(s, &view->names, type, value);
		break;
	case PROBE_VIEW_TIME:
		print_time(s, value);
		break;
	case PROBE_VIEW_DEV:
		trace_seq_printf(s, "%u:%u", (u32)value >> DEV_MINOR_BITS,
				 (u32)value & ((1U << DEV_MINOR_BITS) - 1));
		break;
	case PROBE_VIEW_IPV4:
		trace_seq_printf(s, "%pI4", data);
		break;
	case PROBE_VIEW_IPV6:
		trace_seq_printf(s, "%pI6c", data);
		break;
	case PROBE_VIEW_MAC:
		trace_seq_printf(s, "%pM", data);
		break;
	case PROBE_VIEW_UUID:
		trace_seq_printf(s, "%pU", data);
		break;
	}
}

/* print fmt */

/**
 * probe_view_fmt() - the conversions of a view in print fmt
 * @view: the view
 * @type: type of the number, or of each byte
 *
 * Return: the conversions, for the values that probe_view_put_values() writes.
 */
const char *probe_view_fmt(const struct probe_view *view, const struct probe_arg_type *type)
{
	bool is_wide = type->size == sizeof(u64);

	switch (view->kind) {
	/* The number is 0 if there is a name, and "%.0d" writes nothing for a 0. */
	case PROBE_VIEW_ERRNO:
		return is_wide ? "%s%.0" PROBE_LL "d" : "%s%.0d";
	case PROBE_VIEW_ERRPTR:
		return is_wide ? "%s%.0" PROBE_LL "x" : "%s%.0x";
	case PROBE_VIEW_TIME:
		return TIME_FMT;
	case PROBE_VIEW_DEV:
		return "%u:%u";
	case PROBE_VIEW_IPV4:
		return "%pI4";
	case PROBE_VIEW_IPV6:
		return "%pI6c";
	case PROBE_VIEW_MAC:
		return "%pM";
	case PROBE_VIEW_UUID:
		return "%pU";
	default:
		return "%s";
	}
}

/*
 * Find the next numbers of errnos, with small gaps between them, from @first on.  0 counts as
 * one.  Returns the number after the last one, or 0.
 */
static unsigned int next_errnos(unsigned int *first)
{
	unsigned int i, end = 0;

	for (i = *first; i <= MAX_ERRNO; i++) {
		if (end && i > end + ERRNO_GAP)
			break;
		if (i && !errname(-i))
			continue;
		if (!end)
			*first = i;
		end = i + 1;
	}
	return end;
}

/* Is the errno in @number one of those with names?  Or, with @negated, is it not? */
static void put_errno_test(struct seq_buf *b, const char *number, bool negated)
{
	unsigned int first, end, nr = 0;

	for (first = 0; (end = next_errnos(&first)); first = end)
		nr++;
	while (nr--)
		seq_buf_putc(b, '(');
	for (first = 0; (end = next_errnos(&first)); first = end) {
		if (first)
			seq_buf_puts(b, negated ? " && " : " || ");
		seq_buf_printf(b, "(%s - %u %s %u))", number, first, negated ? ">=" : "<",
			       end - first);
	}
}

static void put_errnos(struct seq_buf *b, const struct probe_view *view,
		       const struct probe_arg_type *type)
{
	unsigned int first, end, i;

	for (first = 0; (end = next_errnos(&first)); first = end) {
		for (i = first; i < end; i++) {
			const char *name = i ? errname(-i) : "0";

			if (name)
				seq_buf_printf(b, ",{%u,\"%s\"}", i, name);
			else if (view->kind == PROBE_VIEW_ERRPTR)
				seq_buf_printf(b, ",{%u,\"0x%llx\"}", i, -(u64)i & mask_of(type));
			else
				seq_buf_printf(b, ",{%u,\"-%u\"}", i, i);
		}
	}
}

/*
 * The numbers in the table are positive, to keep it short.  libtraceevent crashes on a ternary
 * operator with an element of an array after the colon, and ignores braces on the right side of
 * an operator.
 */
static void put_errno(struct seq_buf *b, const struct probe_view *view,
		      const struct probe_arg_type *type, const char *value)
{
	char number[80];

	snprintf(number, sizeof(number), "(u%u)(0 - %s)", type->size * 8, value);
	seq_buf_puts(b, ", ");
	put_errno_test(b, number, false);
	seq_buf_printf(b, " ? __print_symbolic(%s", number);
	put_errnos(b, view, type);
	seq_buf_printf(b, ") : \"%s\", ", view->kind == PROBE_VIEW_ERRPTR ? "0x" : "");
	put_errno_test(b, number, true);
	seq_buf_printf(b, " * %s", value);
}

static void put_names(struct seq_buf *b, const struct probe_view *view,
		      const struct probe_arg_type *type)
{
	const struct probe_name *name = view->names.list, *end = name + view->names.nr;

	for (; name < end; name++)
		seq_buf_printf(b, ",{0x%llx,\"%s\"}", name->value & mask_of(type), name->text);
}

static void put_flags(struct seq_buf *b, const struct probe_view *view,
		      const struct probe_arg_type *type, const char *value)
{
	seq_buf_printf(b, ", %s ? __print_flags(%s, \"|\"", value, value);
	put_names(b, view, type);
	seq_buf_printf(b, ") : \"%s\"", name_of_none(&view->names));
}

static void put_time(struct seq_buf *b, const char *value)
{
	seq_buf_printf(b, ", (%s / %llu) %% 24", value, 3600 * (u64)NSEC_PER_SEC);
	seq_buf_printf(b, ", (%s / %llu) %% 60", value, 60 * (u64)NSEC_PER_SEC);
	seq_buf_printf(b, ", (%s / %ld) %% 60, %s %% %ld", value, NSEC_PER_SEC, value,
		       NSEC_PER_SEC);
}

/**
 * probe_view_put_values() - write the values of a view in print fmt
 * @b: the output
 * @view: the view
 * @type: type of the number, or of each byte
 * @value: the number or the bytes, as in "REC->x"
 */
void probe_view_put_values(struct seq_buf *b, const struct probe_view *view,
			   const struct probe_arg_type *type, const char *value)
{
	switch (view->kind) {
	case PROBE_VIEW_ERRNO:
	case PROBE_VIEW_ERRPTR:
		put_errno(b, view, type, value);
		break;
	case PROBE_VIEW_ENUM:
		seq_buf_printf(b, ", __print_symbolic(%s", value);
		put_names(b, view, type);
		seq_buf_putc(b, ')');
		break;
	case PROBE_VIEW_FLAGS:
		put_flags(b, view, type, value);
		break;
	case PROBE_VIEW_TIME:
		put_time(b, value);
		break;
	case PROBE_VIEW_DEV:
		seq_buf_printf(b, ", %s >> %u, %s & 0x%x", value, DEV_MINOR_BITS, value,
			       (1U << DEV_MINOR_BITS) - 1);
		break;
	default:
		seq_buf_printf(b, ", %s", value);
		break;
	}
}

/**
 * probe_view_room() - length of the values of a view in print fmt
 * @view: the view
 * @type: type of the number, or of each byte
 * @value: the longest text of the number or the bytes
 *
 * Context: may sleep.
 * Return: the length or -ENOMEM.
 */
int probe_view_room(const struct probe_view *view, const struct probe_arg_type *type,
		    const char *value)
{
	char *buf = kvmalloc(ROOM, GFP_KERNEL);
	struct seq_buf b;
	int len;

	if (!buf)
		return -ENOMEM;
	seq_buf_init(&b, buf, ROOM);
	probe_view_put_values(&b, view, type, value);
	len = seq_buf_used(&b);
	kvfree(buf);
	return len;
}
