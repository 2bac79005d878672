// SPDX-License-Identifier: GPL-2.0
/*
 * Output of an event: the fields in its format file, its print fmt, and the
 * lines of the trace file.  All three come from event->fields.
 *
 * The fault map (see record.h) follows the declared fields and is not declared
 * itself.  If memory could not be read, readers that use the format file see a
 * zero; the trace file uses the map and shows "(fault)".
 */
#include <linux/seq_buf.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/unaligned.h>

#include "trace.h"
#include "trace_output.h"

#include "engine.h"
#include "expr.h"
#include "record.h"
#include "types.h"

static bool is_string(const struct probe_field *f)
{
	return f->type->class != PROBE_CLASS_NUMBER;
}

static bool is_stack(const struct probe_field *f)
{
	return f->type->class == PROBE_CLASS_STACK;
}

/* The words of a stack trace: the number of entries, and the entries. */
#define STACK_OPEN	"__print_array(__get_dynamic_array("
#define STACK_CLOSE	"), __get_dynamic_array_len(%s) / %zu, %zu)"

/* Number of values: the elements of an array, or 0 for a single value. */
static unsigned int nr_elements(const struct probe_field *f)
{
	return probe_view_is_bytes(f->view) ? 0 : f->count;
}

static const char *conversion(const struct probe_field *f)
{
	return f->view ? probe_view_fmt(f->view, f->type) : f->type->fmt;
}

/* Longest text of a value in print fmt: "REC->NAME[99]". */
#define VALUE_LEN	(PROBE_MAX_ARG_NAME + 10)

/* Maximum length of a value in print fmt, or a negative errno. */
static int value_room(const struct probe_field *f)
{
	char value[VALUE_LEN + 1];

	if (is_stack(f))
		return strlen(", " STACK_OPEN STACK_CLOSE) + 2 * strlen(f->name);
	if (!f->view)
		return strlen(", ") + strlen(f->name) +
		       (is_string(f) ? strlen("__get_str()") : strlen("REC->"));
	snprintf(value, sizeof(value), "REC->%s%s", f->name, nr_elements(f) ? "[99]" : "");
	return probe_view_room(f->view, f->type, value);
}

/* Maximum length of an argument in print fmt: conversions and values; or a negative errno. */
static int print_fmt_room(const struct probe_field *f)
{
	int each = value_room(f), room = strlen(" =") + strlen(f->name);

	if (each < 0)
		return each;
	each += strlen(conversion(f));
	if (!nr_elements(f))
		return room + each;
	return room + strlen("}") + nr_elements(f) * (strlen(",") + each + strlen("[99]"));
}

static void put_conversions(struct seq_buf *b, const struct probe_field *f)
{
	unsigned int i;

	seq_buf_printf(b, " %s=", f->name);
	if (!nr_elements(f)) {
		seq_buf_puts(b, conversion(f));
		return;
	}
	for (i = 0; i < f->count; i++)
		seq_buf_printf(b, "%c%s", i ? ',' : '{', conversion(f));
	seq_buf_putc(b, '}');
}

static void put_value(struct seq_buf *b, const struct probe_field *f, const char *element)
{
	char value[VALUE_LEN + 1];

	if (is_stack(f)) {
		seq_buf_printf(b, ", " STACK_OPEN "%s" STACK_CLOSE, f->name, f->name,
			       sizeof(long), sizeof(long));
	} else if (is_string(f)) {
		seq_buf_printf(b, ", __get_str(%s%s)", f->name, element);
	} else if (f->view) {
		snprintf(value, sizeof(value), "REC->%s%s", f->name, element);
		probe_view_put_values(b, f->view, f->type, value);
	} else {
		seq_buf_printf(b, ", REC->%s%s", f->name, element);
	}
}

static void put_values(struct seq_buf *b, const struct probe_field *f)
{
	char element[8] = "";
	unsigned int i = 0;

	do {
		if (nr_elements(f))
			snprintf(element, sizeof(element), "[%u]", i);
		put_value(b, f, element);
	} while (++i < nr_elements(f));
}

/**
 * probe_event_set_print_fmt() - compose the event's print fmt
 * @event: the event; its fields are set
 *
 * Return: 0 or -ENOMEM.
 */
int probe_event_set_print_fmt(struct probe_event *event)
{
	const struct probe_event_ops *ops = event->ops;
	size_t size = strlen(ops->head_fmt) + sizeof("\"\"");
	struct seq_buf b;
	unsigned int i;
	char *buf;
	int room;

	for (i = 0; i < ops->nr_head; i++)
		size += strlen(", REC->") + strlen(ops->head[i]);
	for (i = 0; i < event->nr_fields; i++) {
		room = print_fmt_room(&event->fields[i]);
		if (room < 0)
			return room;
		size += room;
	}

	buf = probe_arena_alloc(event->arena, size);
	if (!buf)
		return -ENOMEM;

	seq_buf_init(&b, buf, size);
	seq_buf_printf(&b, "\"%s", ops->head_fmt);
	for (i = 0; i < event->nr_fields; i++)
		put_conversions(&b, &event->fields[i]);
	seq_buf_putc(&b, '"');
	for (i = 0; i < ops->nr_head; i++)
		seq_buf_printf(&b, ", REC->%s", ops->head[i]);
	for (i = 0; i < event->nr_fields; i++)
		put_values(&b, &event->fields[i]);

	event->call.print_fmt = (char *)seq_buf_str(&b);
	return 0;
}

/**
 * probe_event_define_fields() - declare the fields of an event's records
 * @call: the event
 *
 * Return: 0 or a negative errno.
 */
int probe_event_define_fields(struct trace_event_call *call)
{
	struct probe_event *event = probe_event_of(call);
	const struct probe_event_ops *ops = event->ops;
	unsigned int i;
	int ret;

	for (i = 0; i < ops->nr_head; i++) {
		ret = trace_define_field(call, "unsigned long", ops->head[i],
					 sizeof(struct trace_entry) + i * sizeof(long),
					 sizeof(long), false, FILTER_OTHER);
		if (ret)
			return ret;
	}
	for (i = 0; i < event->nr_fields; i++) {
		const struct probe_field *f = &event->fields[i];

		ret = trace_define_field(call, f->decl, f->name, f->dst,
					 f->type->size * max(f->count, 1),
					 f->type->is_signed,
					 is_stack(f) ? FILTER_STACKTRACE : FILTER_OTHER);
		if (ret)
			return ret;
	}
	return 0;
}

static bool faulted(const struct probe_layout *l, const void *rec, unsigned int bit)
{
	const u8 *map = rec + l->fixed;

	return map[bit / 8] & BIT(bit % 8);
}

/* Could any of the bytes of a value not be read? */
static bool any_faulted(const struct probe_field *f, const struct probe_layout *l,
			const void *rec, unsigned int nr)
{
	unsigned int i, bytes = probe_view_is_bytes(f->view) ? f->count : 1;

	for (i = 0; i < bytes; i++)
		if (faulted(l, rec, f->fault + nr + i))
			return true;
	return false;
}

static void print_value(struct trace_seq *s, const struct probe_field *f,
			const struct probe_layout *l, const void *rec, unsigned int nr)
{
	const void *data = rec + f->dst + nr * f->type->size;

	if (l && !is_string(f) && any_faulted(f, l, rec, nr))
		trace_seq_puts(s, "(fault)");
	else if (f->view)
		probe_view_print(s, f->view, f->type, data);
	else
		f->type->print(s, data, rec);
}

static void print_field(struct trace_seq *s, const struct probe_field *f,
			const struct probe_layout *l, const void *rec)
{
	unsigned int i;

	trace_seq_printf(s, " %s=", f->name);
	for (i = 0; i < max(nr_elements(f), 1); i++) {
		if (nr_elements(f))
			trace_seq_putc(s, i ? ',' : '{');
		print_value(s, f, l, rec, i);
	}
	if (nr_elements(f))
		trace_seq_putc(s, '}');
}

/**
 * probe_print_ip() - print the head of a record with the address of a probe in the kernel
 * @s: the output
 * @event: the event
 * @head: the header words: the address
 * @flags: TRACE_ITER_* flags
 */
void probe_print_ip(struct trace_seq *s, const struct probe_event *event,
		    const unsigned long *head, unsigned long flags)
{
	trace_seq_putc(s, '(');
	seq_print_ip_sym(s, head[0], flags | TRACE_ITER_SYM_OFFSET);
	trace_seq_putc(s, ')');
}

/**
 * probe_print_return() - print the head of a record of the return of a kernel function
 * @s: the output
 * @event: the event
 * @head: the header words: the function, and the address to which it returns
 * @flags: TRACE_ITER_* flags
 */
void probe_print_return(struct trace_seq *s, const struct probe_event *event,
			const unsigned long *head, unsigned long flags)
{
	trace_seq_putc(s, '(');
	seq_print_ip_sym(s, head[1], flags | TRACE_ITER_SYM_OFFSET);
	trace_seq_puts(s, " <- ");
	seq_print_ip_sym(s, head[0], flags & ~TRACE_ITER_SYM_OFFSET);
	trace_seq_putc(s, ')');
}

/**
 * probe_event_print() - write a record as a line of the trace file
 * @iter: iterator, at the record
 * @flags: TRACE_ITER_* flags, for the format of addresses
 * @trace_event: the event's type
 *
 * Context: any; does not sleep.
 * Return: TRACE_TYPE_HANDLED; TRACE_TYPE_PARTIAL_LINE if the line does not fit.
 */
enum print_line_t probe_event_print(struct trace_iterator *iter, int flags,
				    struct trace_event *trace_event)
{
	struct probe_event *event =
		container_of(trace_event, struct probe_event, call.event);
	const struct probe_layout *l = &event->layout;
	const void *rec = iter->ent;
	unsigned long head[PROBE_MAX_HEAD];
	struct trace_seq *s = &iter->seq;
	unsigned int i;

	for (i = 0; i < event->ops->nr_head; i++)
		head[i] = get_unaligned((const unsigned long *)
					(rec + sizeof(struct trace_entry)) + i);

	/* A record from the event's inject file has no map. */
	if (!l->bits || !faulted(l, rec, PROBE_MAP_MARK))
		l = NULL;

	trace_seq_printf(s, "%s: ", probe_event_name(event));
	event->ops->print_head(s, event, head, flags);
	for (i = 0; i < event->nr_fields; i++)
		print_field(s, &event->fields[i], l, rec);
	trace_seq_putc(s, '\n');

	return trace_handle_return(s);
}
