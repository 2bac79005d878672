// SPDX-License-Identifier: GPL-2.0
/*
 * Definition and listing of uprobe events.  This file handles the places of probes.  The
 * engine does the rest: see probe/define.c and probe/dynevent.c.
 */
#include <linux/err.h>
#include <linux/init.h>
#include <linux/list.h>
#include <linux/seq_file.h>
#include <linux/string.h>

#include "trace.h"
#include "uprobe.h"

/* Definition */

static struct probe *create_probe(struct probe_cmd *cmd)
{
	struct trace_uprobe_place *place = &to_trace_uprobe_cmd(cmd)->place;
	struct trace_uprobe *tu;
	int ret;

	tu = trace_uprobe_alloc(place->path, cmd->nr_words - PROBE_FIRST_ARG);
	if (!tu)
		return ERR_PTR(-ENOMEM);
	ret = trace_uprobe_find_file(tu, cmd) ?: trace_uprobe_parse_place(cmd, place);
	if (ret) {
		trace_uprobe_free(tu);
		return ERR_PTR(ret);
	}
	trace_uprobe_set_place(tu, place->offset, place->ref_ctr, cmd->kind == 'r' || place->ret);
	return &tu->probe;
}

static int set_scope(struct probe *p, struct probe_cmd *cmd, struct probe_scope *scope)
{
	const struct trace_uprobe *tu = trace_uprobe_of(p);

	scope->in_user = true;
	scope->untyped = true;
	scope->is_return = tu->is_return;
	scope->file_offset = tu->offset;
	return 0;
}

static const char *default_group(const struct probe *p)
{
	return TRACE_UPROBE_GROUP;
}

/* The name of the file without directories, up to the first of some characters. */
static void default_event_name(const struct probe *p, char *buf, size_t size)
{
	const struct trace_uprobe *tu = trace_uprobe_of(p);
	const char *name = kbasename(tu->filename);

	snprintf(buf, size, "p_%.*s_0x%lx", (int)strcspn(name, ".-_"), name, tu->offset);
}

static const struct probe_event_ops *event_ops(const struct probe *p)
{
	return trace_uprobe_event_ops(trace_uprobe_of(p));
}

static bool same_place(const struct probe *p1, const struct probe *p2)
{
	const struct trace_uprobe *a = trace_uprobe_of(p1), *b = trace_uprobe_of(p2);

	return a->offset == b->offset && trace_uprobe_inode(a) == trace_uprobe_inode(b);
}

/* Uprobes accept only one reference counter for a place: another probe could not be armed. */
static int check_ref_ctr(const struct trace_uprobe *tu, struct probe_cmd *cmd)
{
	struct probe *other;

	list_for_each_entry(other, &trace_uprobe_provider.probes, list) {
		if (!same_place(other, &tu->probe) ||
		    trace_uprobe_of(other)->ref_ctr == tu->ref_ctr)
			continue;
		cmd->detail = "another probe at this place has a different reference counter";
		return -EINVAL;
	}
	return 0;
}

/* Arm a new probe of an event that is enabled. */
static int arm_now(struct probe *p)
{
	trace_uprobes_begin();
	trace_uprobe_arm(p);
	return trace_uprobes_end();
}

static int install_probe(struct probe *p, struct probe_cmd *cmd)
{
	int ret = check_ref_ctr(trace_uprobe_of(p), cmd) ?: probe_link(p, cmd);

	return ret || !probe_event_enabled(p->event) ? ret : arm_now(p);
}

static void free_probe(struct probe *p)
{
	trace_uprobe_free(trace_uprobe_of(p));
}

static int run_command(struct probe_cmd *cmd)
{
	/* For compatibility, other text before the colon, as in "r100:NAME", hides the name. */
	if (cmd->head.len > 1)
		cmd->name = (struct probe_str) {};
	return trace_uprobe_split_place(cmd, &to_trace_uprobe_cmd(cmd)->place) ?:
	       probe_define(&trace_uprobe_provider, cmd);
}

/* Listing */

static void show_kind(const struct probe *p, struct seq_file *m)
{
	seq_putc(m, trace_uprobe_of(p)->is_return ? 'r' : 'p');
}

/* Size of the longest text of the numbers of a place, with the NUL. */
#define NUMBERS_LEN	48

static void numbers_text(const struct trace_uprobe *tu, char *buf, size_t size)
{
	int n = scnprintf(buf, size, "0x%0*lx", (int)sizeof(long) * 2, tu->offset);

	if (tu->ref_ctr)
		scnprintf(buf + n, size - n, "(0x%lx)", tu->ref_ctr);
}

static void show_place(const struct probe *p, struct seq_file *m)
{
	const struct trace_uprobe *tu = trace_uprobe_of(p);
	char numbers[NUMBERS_LEN];

	numbers_text(tu, numbers, sizeof(numbers));
	seq_printf(m, "%s:%s", tu->filename, numbers);
}

static bool match_place(const struct probe *p, const char *word)
{
	const struct trace_uprobe *tu = trace_uprobe_of(p);
	size_t len = str_has_prefix(word, tu->filename);
	char numbers[NUMBERS_LEN];

	if (!len || word[len] != ':')
		return false;
	numbers_text(tu, numbers, sizeof(numbers));
	return !strcmp(word + len + 1, numbers);
}

struct probe_provider trace_uprobe_provider = {
	.name		= "trace_uprobe",
	.kinds		= "pr",
	.cmd_size	= sizeof(struct trace_uprobe_cmd),
	.run		= run_command,
	.create		= create_probe,
	.set_scope	= set_scope,
	.group		= default_group,
	.default_event_name	= default_event_name,
	.event_ops	= event_ops,
	.same_place	= same_place,
	.install	= install_probe,
	.free		= free_probe,
	.show_kind	= show_kind,
	.show_place	= show_place,
	.match_place	= match_place,
	.state		= trace_uprobe_state,
	.begin		= trace_uprobes_begin,
	.arm		= trace_uprobe_arm,
	.disarm		= trace_uprobe_disarm,
	.end		= trace_uprobes_end,
	.unregister	= trace_uprobes_unregister,
};

static int trace_uprobe_create(const char *raw)
{
	return probe_command(&trace_uprobe_provider, raw);
}

static int __init trace_uprobe_register_commands(void)
{
	return probe_provider_register(&trace_uprobe_provider, trace_uprobe_create);
}
core_initcall(trace_uprobe_register_commands);
