// SPDX-License-Identifier: GPL-2.0
/*
 * Commands that do not come from tracefs: those on the kernel command line, and
 * those that kernel code composes with the kprobe_event_*() functions.
 */
#define pr_fmt(fmt)	"trace_kprobe: " fmt

#include <linux/init.h>
#include <linux/string.h>
#include <linux/trace_events.h>
#include <asm/setup.h>

#include "trace.h"
#include "trace_dynevent.h"
#include "kprobe.h"

static char boot_commands[COMMAND_LINE_SIZE] __initdata;

/* kprobe_event=COMMAND[;COMMAND...], with commas instead of blanks, and before options */
static int __init kprobe_event_setup(char *str)
{
	strscpy(boot_commands, str);
	disable_tracing_selftest("running kprobe events");
	return 1;
}
__setup("kprobe_event=", kprobe_event_setup);

/* Enable all kprobe events, such as those of the command line, in the top instance. */
static void __init enable_kprobe_events(struct trace_array *tr)
{
	struct trace_event_file *file;

	guard(mutex)(&event_mutex);
	dyn_events_begin_set();
	list_for_each_entry(file, &tr->events, list)
		if (file->event_call->flags & TRACE_EVENT_FL_KPROBE)
			trace_event_enable_disable(file, 1, 0);
	/* The kernel log names the events that cannot be armed. */
	dyn_events_end_set();
}

/* Is the text up to the next comma an option of an event?  No place contains '='. */
static bool __init is_option(const char *text)
{
	return text[strcspn(text, "=, ")] == '=';
}

/* Replace the commas, except for those before the options of the event. */
static void __init split_words(char *command)
{
	command += strcspn(command, ", ");
	while (*command == ',' && is_option(command + 1))
		command += 1 + strcspn(command + 1, ", ");
	strreplace(command, ',', ' ');
}

/**
 * trace_kprobe_boot_commands() - define and enable the events of kprobe_event=
 *
 * Context: boot, once.
 */
void __init trace_kprobe_boot_commands(void)
{
	struct trace_array *tr = top_trace_array();
	char *command, *rest = boot_commands;
	int ret;

	/* There was no memory for the trace buffers, so there is no tracing. */
	if (!tr)
		return;
	while ((command = strsep(&rest, ";"))) {
		if (!*command)
			continue;
		split_words(command);
		ret = trace_kprobe_command(command);
		if (ret)
			pr_warn("kprobe_event=: %d for: %s\n", ret, command);
	}
	enable_kprobe_events(tr);
}

static int run_composed(struct dynevent_cmd *cmd)
{
	return trace_kprobe_command(cmd->seq.buffer);
}

/**
 * kprobe_event_cmd_init() - begin to compose a command
 * @cmd: the command
 * @buf: buffer for its text
 * @maxlen: size of @buf
 *
 * Call this before any other kprobe_event_*() function on @cmd.
 */
void kprobe_event_cmd_init(struct dynevent_cmd *cmd, char *buf, int maxlen)
{
	dynevent_cmd_init(cmd, buf, maxlen, DYNEVENT_TYPE_KPROBE, run_composed);
}
EXPORT_SYMBOL_GPL(kprobe_event_cmd_init);

static int add_word(struct dynevent_cmd *cmd, const char *word)
{
	struct dynevent_arg arg;

	dynevent_arg_init(&arg, 0);
	arg.str = word;
	return dynevent_arg_add(cmd, &arg, NULL);
}

/* Append fetch arguments, up to a NULL. */
static int add_fields(struct dynevent_cmd *cmd, va_list fields)
{
	const char *field;
	int ret = 0;

	while (!ret && (field = va_arg(fields, const char *))) {
		if (cmd->n_fields >= PROBE_MAX_ARGS)
			return -EINVAL;
		cmd->n_fields++;
		ret = add_word(cmd, field);
	}
	return ret;
}

/**
 * __kprobe_event_gen_cmd_start() - compose a command, or its beginning
 * @cmd: the command, from kprobe_event_cmd_init()
 * @kretprobe: probe the function's return
 * @name: name of the event, in the group "kprobes"
 * @loc: place of the probe, as in a command
 * @...: fetch arguments, up to a NULL
 *
 * The macros for callers, one for probes and one for return probes, add the
 * NULL.  kprobe_event_add_fields() appends more arguments, and
 * kprobe_event_gen_cmd_end() runs the command.
 *
 * Return: 0; -EINVAL without @loc, with too many arguments or when @cmd was not
 * initialized for kprobe events; -E2BIG when the text does not fit.
 */
int __kprobe_event_gen_cmd_start(struct dynevent_cmd *cmd, bool kretprobe,
				 const char *name, const char *loc, ...)
{
	char head[PROBE_MAX_NAME + 16];
	va_list fields;
	int ret;

	if (cmd->type != DYNEVENT_TYPE_KPROBE || !loc)
		return -EINVAL;

	snprintf(head, sizeof(head), "%c:kprobes/%s", kretprobe ? 'r' : 'p', name);
	ret = dynevent_str_add(cmd, head);
	if (!ret)
		ret = add_word(cmd, loc);
	if (ret)
		return ret;

	va_start(fields, loc);
	ret = add_fields(cmd, fields);
	va_end(fields);
	return ret;
}
EXPORT_SYMBOL_GPL(__kprobe_event_gen_cmd_start);

/**
 * __kprobe_event_add_fields() - append fetch arguments to a command
 * @cmd: the command, from __kprobe_event_gen_cmd_start()
 * @...: fetch arguments, up to a NULL
 *
 * Use kprobe_event_add_field() or kprobe_event_add_fields(), which add the
 * NULL.
 *
 * Return: as __kprobe_event_gen_cmd_start().
 */
int __kprobe_event_add_fields(struct dynevent_cmd *cmd, ...)
{
	va_list fields;
	int ret;

	if (cmd->type != DYNEVENT_TYPE_KPROBE)
		return -EINVAL;

	va_start(fields, cmd);
	ret = add_fields(cmd, fields);
	va_end(fields);
	return ret;
}
EXPORT_SYMBOL_GPL(__kprobe_event_add_fields);

/**
 * kprobe_event_delete() - delete a kprobe event
 * @name: its name
 *
 * Context: may sleep.
 * Return: 0; -ENOENT when there is no event of that name; -EBUSY when it is in
 * use; -ENOMEM; -EINVAL for an empty name.
 */
int kprobe_event_delete(const char *name)
{
	char command[PROBE_MAX_NAME + 4];

	snprintf(command, sizeof(command), "-:%s", name);
	return trace_kprobe_command(command);
}
EXPORT_SYMBOL_GPL(kprobe_event_delete);
