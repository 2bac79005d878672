// SPDX-License-Identifier: GPL-2.0
/* Kprobe events in tracefs: kprobe_events, kprobe_profile and kprobe_misses. */
#include <linux/fs.h>
#include <linux/security.h>
#include <linux/seq_file.h>

#include "trace.h"
#include "kprobe.h"

/* The probe of an entry in the list of all dynamic events; NULL for other kinds of events. */
static struct trace_kprobe *to_trace_kprobe(struct dyn_event *ev)
{
	if (ev->ops != &trace_kprobe_provider.dyn)
		return NULL;
	return container_of(ev, struct trace_kprobe, probe.devent);
}

static int kprobe_profile_seq_show(struct seq_file *m, void *v)
{
	struct trace_kprobe *tk = to_trace_kprobe(v);

	if (tk)
		seq_printf(m, "  %-44s %15lu %15lu\n", trace_kprobe_event_name(tk),
			   trace_kprobe_hits(tk), trace_kprobe_misses(tk));
	return 0;
}

static const struct seq_operations kprobe_profile_seq_ops = {
	.start	= dyn_event_seq_start,
	.next	= dyn_event_seq_next,
	.stop	= dyn_event_seq_stop,
	.show	= kprobe_profile_seq_show,
};

/* The misses in kprobe_profile, by cause. */
static int kprobe_misses_seq_show(struct seq_file *m, void *v)
{
	struct trace_kprobe *tk = to_trace_kprobe(v);

	if (tk)
		seq_printf(m, "  %-44s %15lu %15lu\n", trace_kprobe_event_name(tk),
			   trace_kprobe_nested_misses(tk), trace_kprobe_return_misses(tk));
	return 0;
}

static const struct seq_operations kprobe_misses_seq_ops = {
	.start	= dyn_event_seq_start,
	.next	= dyn_event_seq_next,
	.stop	= dyn_event_seq_stop,
	.show	= kprobe_misses_seq_show,
};

static int kprobe_counts_open(struct inode *inode, struct file *file)
{
	int ret = security_locked_down(LOCKDOWN_TRACEFS);

	return ret ?: seq_open(file, inode->i_private);
}

/* Files of counts: the data of the inode is their seq_operations. */
static const struct file_operations kprobe_counts_fops = {
	.owner		= THIS_MODULE,
	.open		= kprobe_counts_open,
	.read		= seq_read,
	.llseek		= seq_lseek,
	.release	= seq_release,
};

static int __init trace_kprobe_init_files(void)
{
	if (tracing_init_dentry())
		return 0;
	trace_create_file("kprobe_events", TRACE_MODE_WRITE, NULL,
			  &trace_kprobe_provider, &probe_events_fops);
	trace_create_file("kprobe_profile", TRACE_MODE_READ, NULL,
			  (void *)&kprobe_profile_seq_ops, &kprobe_counts_fops);
	trace_create_file("kprobe_misses", TRACE_MODE_READ, NULL,
			  (void *)&kprobe_misses_seq_ops, &kprobe_counts_fops);
	trace_kprobe_boot_commands();
	return 0;
}
fs_initcall(trace_kprobe_init_files);
