// SPDX-License-Identifier: GPL-2.0
/* Uprobe events in tracefs: uprobe_events and uprobe_profile. */
#include <linux/fs.h>
#include <linux/init.h>
#include <linux/module.h>
#include <linux/security.h>
#include <linux/seq_file.h>

#include "trace.h"
#include "uprobe.h"

static int profile_seq_show(struct seq_file *m, void *v)
{
	const struct dyn_event *ev = v;
	const struct trace_uprobe *tu;

	if (ev->ops != &trace_uprobe_provider.dyn)
		return 0;
	tu = container_of(ev, struct trace_uprobe, probe.devent);
	seq_printf(m, "  %s %-44s %15lu\n", tu->filename, probe_event_name(tu->probe.event),
		   trace_uprobe_hits(tu));
	return 0;
}

static const struct seq_operations profile_seq_ops = {
	.start	= dyn_event_seq_start,
	.next	= dyn_event_seq_next,
	.stop	= dyn_event_seq_stop,
	.show	= profile_seq_show,
};

static int profile_open(struct inode *inode, struct file *file)
{
	int ret = security_locked_down(LOCKDOWN_TRACEFS);

	return ret ?: seq_open(file, &profile_seq_ops);
}

static const struct file_operations profile_fops = {
	.owner		= THIS_MODULE,
	.open		= profile_open,
	.release	= seq_release,
	.read		= seq_read,
	.llseek		= seq_lseek,
};

static int __init trace_uprobe_init_files(void)
{
	if (tracing_init_dentry())
		return 0;
	trace_create_file("uprobe_events", TRACE_MODE_WRITE, NULL, &trace_uprobe_provider,
			  &probe_events_fops);
	trace_create_file("uprobe_profile", TRACE_MODE_READ, NULL, NULL, &profile_fops);
	return 0;
}
fs_initcall(trace_uprobe_init_files);
