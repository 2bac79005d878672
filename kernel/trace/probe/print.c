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

/* Maximum length of an argument in print fmt: conversions and values. */
static size_t print_fmt_room(const struct probe_field *f)
{
	size_t each = strlen(f->type->fmt) + strlen(", ") + strlen(f->name) +
		      (is_string(f) ? strlen("__get_str()") : strlen("REC->"));
	size_t room = strlen(" =") + strlen(f->name);

	if (is_stack(f))
		return room + each + strlen(STACK_OPEN STACK_CLOSE) + strlen(f->name);
	if (!f->count)
		return room + each;
	return room + strlen("}") + f->count * (strlen(",") + each + strlen("[99]"));
}

static void put_conversions(struct seq_buf *b, const struct probe_field *f)
{
	unsigned int i;

	seq_buf_printf(b, " %s=", f->name);
	if (!f->count) {
		seq_buf_puts(b, f->type->fmt);
		return;
	}
	for (i = 0; i < f->count; i++)
		seq_buf_printf(b, "%c%s", i ? ',' : '{', f->type->fmt);
	seq_buf_putc(b, '}');
}

static void put_values(struct seq_buf *b, const struct probe_field *f)
{
	const char *open = is_string(f) ? "__get_str(" : "REC->";
	const char *close = is_string(f) ? ")" : "";
	unsigned int i;

	if (is_stack(f)) {
		seq_buf_printf(b, ", " STACK_OPEN "%s" STACK_CLOSE, f->name, f->name,
			       sizeof(long), sizeof(long));
		return;
	}
	if (!f->count)
		seq_buf_printf(b, ", %s%s%s", open, f->name, close);
	for (i = 0; i < f->count; i++)
		seq_buf_printf(b, ", %s%s[%u]%s", open, f->name, i, close);
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

	for (i = 0; i < ops->nr_head; i++)
		size += strlen(", REC->") + strlen(ops->head[i]);
	for (i = 0; i < event->nr_fields; i++)
		size += print_fmt_room(&event->fields[i]);

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

static void print_field(struct trace_seq *s, const struct probe_field *f,
			const struct probe_layout *l, const void *rec)
{
	unsigned int i;

	trace_seq_printf(s, " %s=", f->name);
	for (i = 0; i < max(f->count, 1); i++) {
		if (f->count)
			trace_seq_putc(s, i ? ',' : '{');
		if (l && !is_string(f) && faulted(l, rec, f->fault + i))
			trace_seq_puts(s, "(fault)");
		else
			f->type->print(s, rec + f->dst + i * f->type->size, rec);
	}
	if (f->count)
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
