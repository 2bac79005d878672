// SPDX-License-Identifier: GPL-2.0
/*
 * Definition, listing and deletion of kprobe events.
 *
 * A definition calls the engine step by step: parse the place, look it up,
 * parse and resolve the arguments, then create a new event or join the existing
 * one of that name.  If a step fails, everything is undone and a line in
 * error_log is all that remains.
 */
#define pr_fmt(fmt)	"trace_kprobe: " fmt

#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/string.h>

#include "trace_kprobe.h"

/* All probes in kprobe_events, oldest first; protected by event_mutex. */
LIST_HEAD(trace_kprobes);

/**
 * trace_kprobe_find - find a probe by its event
 * @event: name of the event
 * @group: and its group
 *
 * Context: event_mutex is held.
 * Return: the oldest probe of that event, or NULL.
 */
struct trace_kprobe *trace_kprobe_find(const char *event, const char *group)
{
	struct trace_kprobe *tk;

	lockdep_assert_held(&event_mutex);

	list_for_each_entry(tk, &trace_kprobes, list)
		if (!strcmp(trace_kprobe_event_name(tk), event) &&
		    !strcmp(trace_kprobe_group_name(tk), group))
			return tk;
	return NULL;
}

/* Register and list @tk.  If its module is not loaded, only list it. */
static int tk_install(struct trace_kprobe *tk, struct probe_cmd *cmd)
{
	int ret = trace_kprobe_register(tk, cmd);

	if (ret == -ENOENT && tk->symbol && probe_symbol_absent(tk->symbol)) {
		pr_info("%s is probed once its module is loaded\n", tk->symbol);
		cmd->err = PROBE_ERR_NONE;
		ret = 0;
	}
	if (ret)
		return ret;
	dyn_event_add(&tk->devent, &tk->probe.event->call);
	list_add_tail(&tk->list, &trace_kprobes);
	return 0;
}

static bool same_place(const struct trace_kprobe *a, const struct trace_kprobe *b)
{
	if (!a->symbol || !b->symbol)
		return a->symbol == b->symbol && a->addr == b->addr;
	return a->rp.kp.offset == b->rp.kp.offset && !strcmp(a->symbol, b->symbol);
}

/* Add @tk to the event of @old. */
static int tk_join(struct trace_kprobe *tk, struct trace_kprobe *old,
		   struct probe_cmd *cmd)
{
	struct probe_event *event = old->probe.event;
	struct trace_kprobe *other;
	unsigned int nr;
	int ret;

	if (trace_kprobe_is_return(tk) != trace_kprobe_is_return(old))
		return probe_cmd_error(cmd, PROBE_ERR_DIFF_PROBE_TYPE, 0);
	nr = probe_event_differs(event, &tk->probe);
	if (nr)
		return probe_cmd_error(cmd, PROBE_ERR_DIFF_ARG_TYPE,
				       nr <= cmd->nr_args ?
				       cmd->args[nr - 1].word.pos :
				       strlen(cmd->text) + 1);
	for_each_trace_kprobe_of(other, event)
		if (same_place(other, tk) && probe_same_args(&other->probe, &tk->probe))
			return probe_cmd_error(cmd, PROBE_ERR_SAME_PROBE, 0);

	ret = probe_event_join(event, &tk->probe);
	if (ret)
		return ret;
	ret = tk_install(tk, cmd);
	if (ret)
		probe_event_leave(&tk->probe);
	return ret;
}

static int tk_add(struct trace_kprobe *tk, const char *group, const char *name,
		  struct probe_cmd *cmd)
{
	struct probe_event *event;
	struct trace_kprobe *old;
	int ret;

	guard(mutex)(&event_mutex);

	old = trace_kprobe_find(name, group);
	if (old)
		return tk_join(tk, old, cmd);

	event = probe_event_new(&tk->probe, group, name, trace_kprobe_event_ops(tk));
	if (IS_ERR(event))
		return PTR_ERR(event);
	ret = probe_event_register(event);
	if (ret == -EEXIST)
		probe_cmd_error(cmd, PROBE_ERR_EVENT_EXIST, 0);
	if (!ret) {
		ret = tk_install(tk, cmd);
		if (ret)
			probe_event_unregister(event);
	}
	if (ret)
		probe_event_leave(&tk->probe);
	return ret;
}

/* Set @scope to the names that arguments of a probe at @place can refer to. */
static int set_scope(struct trace_kprobe *tk, struct probe_cmd *cmd,
		     const struct probe_place *place, struct probe_scope *scope)
{
	int ret;

	ret = kprobe_on_func_entry(tk->rp.kp.addr, tk->symbol, tk->rp.kp.offset);
	if (trace_kprobe_is_return(tk)) {
		if (ret == -EINVAL)
			return probe_cmd_error(cmd, PROBE_ERR_BAD_RETPROBE,
					       place->word.pos);
		scope->is_return = true;
	} else {
		/* In a function that is not loaded yet, only offset 0 is known. */
		scope->is_entry = !ret || (ret == -ENOENT && tk->symbol &&
					   !tk->rp.kp.offset);
	}
	if (tk->symbol)
		scope->func = probe_symbol_name(tk->symbol);
	return 0;
}

static void make_up_event_name(const struct trace_kprobe *tk, char *buf, size_t size)
{
	char kind = trace_kprobe_is_return(tk) ? 'r' : 'p';

	if (tk->symbol)
		snprintf(buf, size, "%c_%s_%u", kind, tk->symbol, tk->rp.kp.offset);
	else
		snprintf(buf, size, "%c_0x%p", kind, tk->rp.kp.addr);
	sanitize_event_name(buf);
}

static void copy_name(char *buf, struct probe_str s)
{
	memcpy(buf, s.s, s.len);
	buf[s.len] = '\0';
}

/* Record an error at the place that showed only at registration. */
static void place_error(struct probe_cmd *cmd, const struct probe_place *place,
			int ret)
{
	enum probe_err err = PROBE_ERR_FAIL_REG_PROBE;

	if (ret == -ENOMEM || ret == -EEXIST)
		return;
	if (ret == -EILSEQ)
		err = PROBE_ERR_BAD_INSN_BNDRY;
	else if (ret == -ENOENT)
		err = PROBE_ERR_BAD_PROBE_ADDR;
	probe_cmd_error(cmd, err, place->word.pos);
}

/* Set the arguments of @tk, and the name and group of its event. */
static int define_event(struct trace_kprobe *tk, struct probe_cmd *cmd,
			const struct probe_place *place)
{
	char group[PROBE_MAX_NAME] = TRACE_KPROBE_GROUP, event[PROBE_MAX_NAME];
	struct probe_scope scope = {};
	int ret;

	ret = set_scope(tk, cmd, place, &scope) ?:
	      probe_parse_event_name(cmd) ?:
	      probe_parse_args(cmd, 2) ?:
	      probe_set_args(&tk->probe, cmd, &scope);
	probe_scope_end(&scope);
	if (ret)
		return ret;

	if (cmd->group.s)
		copy_name(group, cmd->group);
	if (cmd->event.s)
		copy_name(event, cmd->event);
	else
		make_up_event_name(tk, event, sizeof(event));

	ret = tk_add(tk, group, event, cmd);
	if (ret)
		place_error(cmd, place, ret);
	return ret;
}

static int define(struct probe_cmd *cmd)
{
	struct probe_place place;
	struct trace_kprobe *tk;
	int ret;

	ret = probe_parse_head(cmd) ?: probe_parse_place(cmd, &place);
	if (ret)
		return ret;
	tk = trace_kprobe_alloc(place.symbol.s, place.symbol.len, place.offset,
				place.addr, cmd->kind == 'r' || place.ret);
	if (!tk)
		return -ENOMEM;
	tk->rp.maxactive = cmd->maxactive;

	ret = tk->symbol ? probe_symbol_check(tk->symbol) : 0;
	if (ret)
		ret = probe_cmd_error(cmd, ret == -EADDRNOTAVAIL ?
				      PROBE_ERR_NON_UNIQ_SYMBOL :
				      PROBE_ERR_BAD_PROBE_ADDR, place.word.pos);
	else
		ret = define_event(tk, cmd, &place);
	if (ret)
		trace_kprobe_free(tk);
	return ret;
}

static int trace_kprobe_create(const char *raw)
{
	struct probe_cmd *cmd;
	int ret = -ECANCELED;

	cmd = probe_cmd_open(raw);
	if (!cmd)
		return -ENOMEM;

	/* Leave other commands to other kinds of dynamic events. */
	if (cmd->nr_words >= 2 && (cmd->kind == 'p' || cmd->kind == 'r'))
		ret = define(cmd);
	else if (!cmd->nr_words)
		ret = 0;
	if (ret)
		probe_log_error("trace_kprobe", cmd);
	probe_cmd_free(cmd);
	return ret;
}

/**
 * trace_kprobe_command - run a command of kprobe_events
 * @raw: the command
 *
 * Context: may sleep.
 * Return: 0 or a negative errno.
 */
int trace_kprobe_command(const char *raw)
{
	int ret;

	if (raw[0] == '-')
		return dyn_event_release(raw, &trace_kprobe_ops);
	ret = dyn_event_create(raw, &trace_kprobe_ops);
	return ret == -ECANCELED ? -EINVAL : ret;
}

/* Deletion */

static bool trace_kprobe_is_busy(struct dyn_event *ev)
{
	return probe_event_enabled(to_trace_kprobe(ev)->probe.event);
}

static int trace_kprobe_release(struct dyn_event *ev)
{
	struct trace_kprobe *tk = to_trace_kprobe(ev);
	struct probe_event *event = tk->probe.event;
	int ret;

	/* The event may be in use, unless this is its last probe. */
	if (list_is_singular(&event->probes)) {
		ret = probe_event_unregister(event);
		if (ret)
			return ret;
	}
	trace_kprobe_unregister(tk);
	list_del(&tk->list);
	dyn_event_remove(&tk->devent);
	probe_event_leave(&tk->probe);
	trace_kprobe_free(tk);
	return 0;
}

static void place_text(const struct trace_kprobe *tk, char *buf, size_t size)
{
	if (!tk->symbol)
		snprintf(buf, size, "0x%p", tk->rp.kp.addr);
	else if (tk->rp.kp.offset)
		snprintf(buf, size, "%s+%u", tk->symbol, tk->rp.kp.offset);
	else
		snprintf(buf, size, "%s", tk->symbol);
}

static bool match_place(const struct trace_kprobe *tk, const char *word)
{
	char text[KSYM_NAME_LEN + MODULE_NAME_LEN + 16];
	unsigned long addr;

	/* Addresses are printed hashed, but the user may give the real one. */
	if (!tk->symbol && !kstrtoul(word, 0, &addr) && addr == tk->addr)
		return true;
	place_text(tk, text, sizeof(text));
	return !strcmp(word, text);
}

static bool trace_kprobe_match(const char *system, const char *event, int argc,
			       const char **argv, struct dyn_event *ev)
{
	struct trace_kprobe *tk = to_trace_kprobe(ev);

	if (event[0] && strcmp(trace_kprobe_event_name(tk), event))
		return false;
	if (system && strcmp(trace_kprobe_group_name(tk), system))
		return false;
	if (!argc)
		return true;
	return match_place(tk, argv[0]) &&
	       probe_match_args(&tk->probe, argc - 1, argv + 1);
}

static int trace_kprobe_show(struct seq_file *m, struct dyn_event *ev)
{
	char place[KSYM_NAME_LEN + MODULE_NAME_LEN + 16];
	struct trace_kprobe *tk = to_trace_kprobe(ev);

	seq_putc(m, trace_kprobe_is_return(tk) ? 'r' : 'p');
	if (trace_kprobe_is_return(tk) && tk->rp.maxactive)
		seq_printf(m, "%d", tk->rp.maxactive);
	place_text(tk, place, sizeof(place));
	seq_printf(m, ":%s/%s %s", trace_kprobe_group_name(tk), trace_kprobe_event_name(tk), place);
	probe_show_args(&tk->probe, m);
	seq_putc(m, '\n');
	return 0;
}

struct dyn_event_operations trace_kprobe_ops = {
	.match		= trace_kprobe_match,
	.show		= trace_kprobe_show,
	.create		= trace_kprobe_create,
	.is_busy	= trace_kprobe_is_busy,
	.free		= trace_kprobe_release,
};

/* Register early: commands can come from postcore_initcall on, before tracefs exists. */
static int __init trace_kprobe_register_commands(void)
{
	return dyn_event_register(&trace_kprobe_ops);
}
core_initcall(trace_kprobe_register_commands);
