// SPDX-License-Identifier: GPL-2.0
/*
 * Watchpoint events: triggers that set and clear a watchpoint.
 *
 * A trigger runs in the context of the event that it belongs to, which may be NMI or int3.
 * The event of the watchpoint is armed as long as it has a set_wprobe trigger.  Such a trigger
 * also enables the event, unless the user has done this before.
 */
#include <linux/atomic.h>
#include <linux/cleanup.h>
#include <linux/kprobes.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/notifier.h>
#include <linux/rculist.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/unaligned.h>

#include "trace.h"
#include "trigger_text.h"
#include "wprobe.h"

/**
 * struct target - the watchpoint that a trigger changes, and its address
 * @wp: the watchpoint
 * @file: its event, in the instance of the trigger
 * @field: the field with the address, or NULL
 * @adjust: bytes from this address
 * @left: the changes that the trigger has left, or TRACE_WPROBE_UNLIMITED
 * @trigger: the trigger
 * @source: the event that has the trigger
 * @list: in the list of all targets
 * @keeps_armed: the trigger keeps the event of the watchpoint in soft mode
 * @has_enabled: the trigger has enabled the event
 */
struct target {
	struct trace_wprobe		*wp;
	struct trace_event_file		*file;
	struct ftrace_event_field	*field;
	long				adjust;
	atomic_long_t			left;
	struct event_trigger_data	*trigger;
	struct trace_event_file		*source;
	struct list_head		list;
	bool				keeps_armed;
	bool				has_enabled;
};

/* Targets of all triggers; event_mutex protects the list. */
static LIST_HEAD(targets);

static struct event_command set_command, clear_command;

/* Running */

static nokprobe_inline unsigned long address_in(const struct target *t, const void *rec)
{
	return get_unaligned((const unsigned long *)(rec + t->field->offset)) + t->adjust;
}

static void run_set(struct event_trigger_data *data, struct trace_buffer *buffer, void *rec,
		    struct ring_buffer_event *rbe)
{
	struct target *t = data->private_data;

	if (rec)
		trace_wprobe_set(t->wp, address_in(t, rec), &t->left);
}
NOKPROBE_SYMBOL(run_set);

static void run_clear(struct event_trigger_data *data, struct trace_buffer *buffer, void *rec,
		      struct ring_buffer_event *rbe)
{
	struct target *t = data->private_data;

	if (!rec)
		return;
	if (t->field)
		trace_wprobe_clear(t->wp, address_in(t, rec), &t->left);
	else
		trace_wprobe_clear_any(t->wp, &t->left);
}
NOKPROBE_SYMBOL(run_clear);

/* Enabling the event of the watchpoint */

static bool is_enabled(const struct trace_event_file *file)
{
	return (file->flags & EVENT_FILE_FL_ENABLED) &&
	       !(file->flags & EVENT_FILE_FL_SOFT_DISABLED);
}

static int enable_event(struct target *t)
{
	bool was_enabled = is_enabled(t->file);
	int ret = trace_event_enable_disable(t->file, 1, 1);

	if (ret < 0) {
		/* The event is in soft mode even after an error. */
		trace_event_enable_disable(t->file, 0, 1);
		return ret;
	}
	t->keeps_armed = true;
	t->has_enabled = !was_enabled;
	clear_bit(EVENT_FILE_FL_SOFT_DISABLED_BIT, &t->file->flags);
	return 0;
}

/* Let another trigger keep the event enabled, if there is one. */
static bool pass_on(const struct target *from)
{
	struct target *t;

	list_for_each_entry(t, &targets, list) {
		if (t == from || t->file != from->file || !t->keeps_armed)
			continue;
		t->has_enabled = true;
		return true;
	}
	return false;
}

static void disable_event(struct target *t)
{
	if (!t->keeps_armed)
		return;
	if (t->has_enabled && !pass_on(t))
		set_bit(EVENT_FILE_FL_SOFT_DISABLED_BIT, &t->file->flags);
	trace_event_enable_disable(t->file, 0, 1);
}

/* Definition and removal */

static void free_target(struct target *t)
{
	disable_event(t);
	list_del(&t->list);
	trace_event_put_ref(t->file->event_call);
	kfree(t);
}

/* Called after the trigger was removed from the list of its event; event_mutex is held. */
static void free_trigger(struct event_trigger_data *data)
{
	struct target *t = data->private_data;

	/* This waits until the trigger no longer runs. */
	trigger_data_free(data);
	free_target(t);
}

static struct trace_wprobe *find_wprobe(const struct trace_wprobe_trigger_text *text)
{
	struct probe *p;

	list_for_each_entry(p, &trace_wprobe_provider.probes, list)
		if (probe_str_is(text->event, probe_event_name(p->event)) &&
		    (!text->group.s || probe_str_is(text->group, probe_event_group(p->event))))
			return trace_wprobe_of(p);
	return NULL;
}

static struct ftrace_event_field *find_field(struct trace_event_file *file, struct probe_str name)
{
	struct ftrace_event_field *field;

	list_for_each_entry(field, trace_get_fields(file->event_call), link)
		if (probe_str_is(name, field->name))
			return field;
	return NULL;
}

static bool is_address(const struct ftrace_event_field *field)
{
	return field->size == sizeof(unsigned long) &&
	       (field->filter_type == FILTER_OTHER || field->filter_type == FILTER_PTR_STRING);
}

static enum probe_err set_target(struct target *t, struct trace_event_file *file,
				 const struct trace_wprobe_trigger_text *text, unsigned int *pos)
{
	const struct probe_event *event;

	*pos = text->event.pos;
	t->wp = find_wprobe(text);
	if (!t->wp)
		return PROBE_ERR_NO_WPROBE;
	event = t->wp->probe.event;
	t->file = find_event_file(file->tr, probe_event_group(event), probe_event_name(event));
	if (!t->file)
		return PROBE_ERR_NO_WPROBE;
	t->adjust = text->adjust;
	atomic_long_set(&t->left, text->count);
	if (!text->field.s)
		return PROBE_ERR_NONE;
	*pos = text->field.pos;
	t->field = find_field(file, text->field);
	if (!t->field)
		return PROBE_ERR_NO_EVENT_FIELD;
	return is_address(t->field) ? PROBE_ERR_NONE : PROBE_ERR_BAD_WPROBE_FIELD;
}

/* An event has at most one trigger of each kind for a watchpoint. */
static struct event_trigger_data *find_trigger(struct trace_event_file *file,
					       const struct event_command *command,
					       const struct trace_wprobe *wp)
{
	struct event_trigger_data *data;

	list_for_each_entry(data, &file->triggers, list)
		if (data->cmd_ops == command &&
		    ((struct target *)data->private_data)->wp == wp)
			return data;
	return NULL;
}

static void remove_trigger(struct trace_event_file *file, struct event_trigger_data *data)
{
	list_del_rcu(&data->list);
	trace_event_trigger_enable_disable(file, 0);
	update_cond_flag(file);
	free_trigger(data);
}

static int list_trigger(struct trace_event_file *file, struct event_trigger_data *data)
{
	int ret;

	list_add_rcu(&data->list, &file->triggers);
	ret = trace_event_trigger_enable_disable(file, 1);
	if (ret < 0) {
		/* The file counts the trigger even after an error. */
		trace_event_trigger_enable_disable(file, 0);
		list_del_rcu(&data->list);
	}
	update_cond_flag(file);
	return ret;
}

/* On success, the trigger owns a copy of the target. */
static int add_trigger(struct trace_event_file *file, struct event_command *command,
		       const struct target *from, char *filter)
{
	struct event_trigger_data *data;
	struct target *t;
	int ret;

	if (!trace_event_try_get_ref(from->file->event_call))
		return -ENOENT;
	t = kmemdup(from, sizeof(*t), GFP_KERNEL);
	data = trigger_data_alloc(command, command->name, NULL, t);
	if (!t || !data) {
		trace_event_put_ref(from->file->event_call);
		kfree(t);
		kfree(data);
		return -ENOMEM;
	}
	t->trigger = data;
	t->source = file;
	list_add(&t->list, &targets);
	ret = event_trigger_set_filter(command, file, filter, data);
	if (!ret && command == &set_command)
		ret = enable_event(t);
	if (!ret)
		ret = list_trigger(file, data);
	if (ret < 0)
		free_trigger(data);
	return ret;
}

static int change_triggers(struct trace_event_file *file, struct event_command *command,
			   const struct target *t, char *filter, bool remove,
			   enum probe_err *err)
{
	struct event_trigger_data *data = find_trigger(file, command, t->wp);

	if (remove) {
		if (data)
			remove_trigger(file, data);
		return 0;
	}
	if (data) {
		*err = PROBE_ERR_SAME_TRIGGER;
		return probe_err_info[*err].code;
	}
	return add_trigger(file, command, t, filter);
}

static int parse_text(struct event_command *command, struct trace_event_file *file, bool remove,
		      const char *line, char *filter)
{
	bool needs_field = command == &set_command && !remove;
	struct trace_wprobe_trigger_text text;
	struct target t = {};
	unsigned int pos, skip = strlen(command->name) + 1;
	struct probe_str s = { .s = line + skip, .len = strlen(line + skip), .pos = skip };
	enum probe_err err;
	int ret;

	err = trace_wprobe_parse_trigger(s, needs_field, &text, &pos);
	if (err == PROBE_ERR_NONE)
		err = set_target(&t, file, &text, &pos);
	ret = err == PROBE_ERR_NONE ? change_triggers(file, command, &t, filter, remove, &err) :
				      probe_err_info[err].code;
	if (err != PROBE_ERR_NONE)
		probe_log_text(file->tr, "wprobe", line, err, pos, NULL);
	return ret;
}

/* Called with event_mutex held, for a line of the trigger file. */
static int parse(struct event_command *command, struct trace_event_file *file, char *glob,
		 char *cmd, char *param_and_filter)
{
	char *param, *filter, *line;
	int ret;

	ret = event_trigger_separate_filter(param_and_filter, &param, &filter, true);
	if (ret)
		return ret;
	line = kasprintf(GFP_KERNEL, "%s:%s", command->name, param);
	if (!line)
		return -ENOMEM;
	ret = parse_text(command, file, event_trigger_check_remove(glob), line, filter);
	kfree(line);
	return ret;
}

static int print(struct seq_file *m, struct event_trigger_data *data)
{
	const struct target *t = data->private_data;
	const struct probe_event *event = t->wp->probe.event;
	long left = atomic_long_read(&t->left);

	seq_printf(m, "%s:%s/%s", data->cmd_ops->name, probe_event_group(event),
		   probe_event_name(event));
	if (t->field)
		seq_printf(m, ":%s", t->field->name);
	if (t->adjust)
		seq_printf(m, "%+ld", t->adjust);
	if (left == TRACE_WPROBE_UNLIMITED)
		seq_puts(m, ":unlimited");
	else
		seq_printf(m, ":count=%ld", left);
	if (data->filter_str)
		seq_printf(m, " if %s", data->filter_str);
	seq_putc(m, '\n');
	return 0;
}

#ifdef CONFIG_MODULES
/*
 * A module is unloaded.  Tracing frees its events, but not their triggers.  These triggers would
 * keep the event of the watchpoint forever.
 */
static int remove_with_module(struct notifier_block *nb, unsigned long action, void *module)
{
	struct target *t, *next;

	if (action != MODULE_STATE_GOING)
		return NOTIFY_DONE;
	guard(mutex)(&event_mutex);
	list_for_each_entry_safe(t, next, &targets, list) {
		const struct trace_event_call *call = t->source->event_call;

		if (!(call->flags & TRACE_EVENT_FL_DYNAMIC) && call->module == module)
			remove_trigger(t->source, t->trigger);
	}
	return NOTIFY_OK;
}

/* This runs before the notifier of trace_events.c, which frees the events. */
static struct notifier_block module_notifier = {
	.notifier_call	= remove_with_module,
	.priority	= 2,
};

static int follow_modules(void)
{
	return register_module_notifier(&module_notifier);
}
#else
static int follow_modules(void)
{
	return 0;
}
#endif

static struct event_command set_command = {
	.name		= "set_wprobe",
	.trigger_type	= ETT_EVENT_WPROBE,
	.flags		= EVENT_CMD_FL_NEEDS_REC,
	.parse		= parse,
	.set_filter	= set_trigger_filter,
	.trigger	= run_set,
	.free		= free_trigger,
	.print		= print,
};

static struct event_command clear_command = {
	.name		= "clear_wprobe",
	.trigger_type	= ETT_EVENT_WPROBE,
	.flags		= EVENT_CMD_FL_NEEDS_REC,
	.parse		= parse,
	.set_filter	= set_trigger_filter,
	.trigger	= run_clear,
	.free		= free_trigger,
	.print		= print,
};

static int __init register_triggers(void)
{
	return register_event_command(&set_command) ?: register_event_command(&clear_command) ?:
	       follow_modules();
}
core_initcall(register_triggers);
