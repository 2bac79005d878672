// SPDX-License-Identifier: GPL-2.0
/*
 * Providers as kinds of dynamic events: commands, and listing, matching and deletion of
 * probes.
 */
#include <linux/array_size.h>
#include <linux/cleanup.h>
#include <linux/fs.h>
#include <linux/init.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/security.h>
#include <linux/seq_file.h>
#include <linux/string.h>

#include "trace.h"

#include "code.h"
#include "engine.h"

static struct probe *probe_of(struct dyn_event *ev)
{
	return container_of(ev, struct probe, devent);
}

static struct probe_provider *provider_of(struct dyn_event_operations *dyn)
{
	return container_of(dyn, struct probe_provider, dyn);
}

static bool match(const char *system, const char *event, int argc, const char **argv,
		  struct dyn_event *ev)
{
	struct probe *p = probe_of(ev);

	if (event[0] && strcmp(probe_event_name(p->event), event))
		return false;
	if (system && strcmp(probe_event_group(p->event), system))
		return false;
	if (!argc)
		return true;
	return probe_provider_of(p)->match_place(p, argv[0]) &&
	       probe_match_args(p, argc - 1, argv + 1);
}

static int show(struct seq_file *m, struct dyn_event *ev)
{
	struct probe *p = probe_of(ev);
	const struct probe_provider *provider = probe_provider_of(p);

	provider->show_kind(p, m);
	seq_printf(m, ":%s/%s", probe_event_group(p->event), probe_event_name(p->event));
	probe_owner_show(p, m);
	probe_limits_show(p->event->limits, m);
	seq_putc(m, ' ');
	provider->show_place(p, m);
	probe_show_args(p, m);
	seq_putc(m, '\n');
	probe_dump_args(p, m);
	return 0;
}

static bool is_busy(struct dyn_event *ev)
{
	probe_finish_all_closed();
	return probe_event_enabled(probe_of(ev)->event);
}

static bool is_kept(struct dyn_event *ev)
{
	return probe_of(ev)->owner;
}

static int release(struct dyn_event *ev)
{
	return probe_delete(probe_of(ev));
}

static void begin_set(struct dyn_event_operations *dyn)
{
	probe_begin_set(provider_of(dyn));
}

static int end_set(struct dyn_event_operations *dyn)
{
	return probe_end_set(provider_of(dyn));
}

/**
 * probe_provider_register() - let dynamic_events use a provider
 * @provider: the provider
 * @create: runs a command, with probe_command()
 *
 * Register early: commands of bootconfig run at core_initcall_sync.
 *
 * Context: boot.
 * Return: 0 or a negative errno.
 */
int __init probe_provider_register(struct probe_provider *provider,
				   int (*create)(const char *raw))
{
	INIT_LIST_HEAD(&provider->probes);
	INIT_LIST_HEAD(&provider->deleted);
	scoped_guard(mutex, &event_mutex)
		list_add_tail(&provider->entry, &probe_providers);
	provider->dyn = (struct dyn_event_operations) {
		.create		= create,
		.match		= match,
		.show		= show,
		.is_busy	= is_busy,
		.is_kept	= is_kept,
		.file_closed	= probe_reap_file,
		.free		= release,
		.begin_set	= begin_set,
		.end_set	= end_set,
	};
	return dyn_event_register(&provider->dyn);
}

/**
 * probe_run_command() - run a command from a file of a provider
 * @provider: the provider
 * @raw: the command; with a '-' at its beginning, it deletes probes
 *
 * Context: may sleep.
 * Return: 0 or a negative errno.
 */
int probe_run_command(struct probe_provider *provider, const char *raw)
{
	int ret;

	if (raw[0] == '-')
		return dyn_event_release(raw, &provider->dyn);
	ret = dyn_event_create(raw, &provider->dyn);
	return ret == -ECANCELED ? -EINVAL : ret;
}

/* The file of a provider's commands: the data of its inode is the provider. */

static int events_show(struct seq_file *m, void *v)
{
	const struct probe_provider *provider = file_inode(m->file)->i_private;
	struct dyn_event *ev = v;

	return ev->ops == &provider->dyn ? show(m, ev) : 0;
}

static const struct seq_operations events_seq_ops = {
	.start	= dyn_event_seq_start,
	.next	= dyn_event_seq_next,
	.stop	= dyn_event_seq_stop,
	.show	= events_show,
};

static int events_open(struct inode *inode, struct file *file)
{
	struct probe_provider *provider = inode->i_private;
	int ret;

	ret = security_locked_down(LOCKDOWN_TRACEFS);
	if (!ret && (file->f_mode & FMODE_WRITE) && (file->f_flags & O_TRUNC))
		ret = dyn_events_release_all(&provider->dyn);
	return ret ?: seq_open(file, &events_seq_ops);
}

static ssize_t events_write(struct file *file, const char __user *buf, size_t count,
			    loff_t *ppos)
{
	struct probe_provider *provider = file_inode(file)->i_private;
	ssize_t ret;

	ret = dyn_event_write_commands(file, buf, count, ppos, &provider->dyn, NULL);
	/* The command is for another provider. */
	return ret == -ECANCELED ? -EINVAL : ret;
}

static int events_release(struct inode *inode, struct file *file)
{
	probe_reap_file(file);
	return seq_release(inode, file);
}

/* The hits that were not recorded, by cause: columns of dynamic_event_drops. */
static const struct {
	const char		*name;
	enum probe_verdict	verdict;
} causes[] = {
	{ "false", PROBE_REJECT },
	{ "fault", PROBE_FAULT },
	{ "sample", PROBE_NOT_SAMPLED },
	{ "limit", PROBE_OVER_RATE },
	{ "count", PROBE_OVER_COUNT },
};

static void show_drops(struct seq_file *m, const struct probe *p)
{
	const char *group = probe_event_group(p->event);
	struct probe_drops drops = probe_count_drops(p);
	unsigned int i;

	seq_printf(m, "  %s/%-*s", group, max(43 - (int)strlen(group), 0),
		   probe_event_name(p->event));
	for (i = 0; i < ARRAY_SIZE(causes); i++)
		seq_printf(m, " %11lu", drops.by[causes[i].verdict]);
	seq_putc(m, '\n');
}

static void show_drops_head(struct seq_file *m)
{
	unsigned int i;

	seq_printf(m, "# %-44s", "event");
	for (i = 0; i < ARRAY_SIZE(causes); i++)
		seq_printf(m, " %11s", causes[i].name);
	seq_putc(m, '\n');
}

static int drops_show(struct seq_file *m, void *v)
{
	struct dyn_event *ev = v;

	if (v == &dyn_event_list)
		show_drops_head(m);
	else if (ev->ops->show == show && probe_of(ev)->checks)
		show_drops(m, probe_of(ev));
	return 0;
}

/* dyn_event_seq_stop() releases the mutex.  The head of the list stands for the first line. */
static void *drops_start(struct seq_file *m, loff_t *pos)
{
	mutex_lock(&event_mutex);
	return seq_list_start_head(&dyn_event_list, *pos);
}

static const struct seq_operations drops_seq_ops = {
	.start	= drops_start,
	.next	= dyn_event_seq_next,
	.stop	= dyn_event_seq_stop,
	.show	= drops_show,
};

static int drops_open(struct inode *inode, struct file *file)
{
	int ret = security_locked_down(LOCKDOWN_TRACEFS);

	return ret ?: seq_open(file, &drops_seq_ops);
}

static const struct file_operations drops_fops = {
	.owner		= THIS_MODULE,
	.open		= drops_open,
	.read		= seq_read,
	.llseek		= seq_lseek,
	.release	= seq_release,
};

static int __init create_drops_file(void)
{
	if (!tracing_init_dentry())
		trace_create_file("dynamic_event_drops", TRACE_MODE_READ, NULL, NULL, &drops_fops);
	return 0;
}
fs_initcall(create_drops_file);

/* For a file such as kprobe_events; its data is the provider. */
const struct file_operations probe_events_fops = {
	.owner		= THIS_MODULE,
	.open		= events_open,
	.read		= seq_read,
	.write		= events_write,
	.llseek		= seq_lseek,
	.release	= events_release,
};
