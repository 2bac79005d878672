// SPDX-License-Identifier: GPL-2.0
/*
 * Uprobe events: probes at instructions of programs and libraries, and at the returns of their
 * functions, defined through uprobe_events or dynamic_events.
 *
 * The probe engine (kernel/trace/probe/) parses commands, fetches and records arguments, and
 * prints records.  This provider finds the file that a command names, registers uprobes,
 * chooses the processes that perf traces, and implements perf's own uprobes and the tracefs
 * files.  uprobe.h lists the source files; this file has a probe and its file.
 */
#include <linux/dcache.h>
#include <linux/fs.h>
#include <linux/namei.h>
#include <linux/percpu.h>
#include <linux/slab.h>

#include "uprobe.h"

/**
 * trace_uprobe_hits() - number of hits of a probe
 * @tu: the probe
 *
 * Context: any.
 * Return: the sum over all CPUs.
 */
unsigned long trace_uprobe_hits(const struct trace_uprobe *tu)
{
	unsigned long sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += *per_cpu_ptr(tu->nhit, cpu);
	return sum;
}

/**
 * trace_uprobe_inode() - the file of a probe
 * @tu: the probe
 *
 * Context: any.
 * Return: the inode that has the text; for a file in an overlay, that of the underlying file.
 */
struct inode *trace_uprobe_inode(const struct trace_uprobe *tu)
{
	return d_real_inode(tu->path.dentry);
}

/**
 * trace_uprobe_free() - free a probe
 * @tu: the probe, neither armed nor in an event
 *
 * Context: may sleep.
 */
void trace_uprobe_free(struct trace_uprobe *tu)
{
	path_put(&tu->path);
	probe_fini(&tu->probe);
	free_percpu(tu->nhit);
	kfree(tu);
}

/**
 * trace_uprobe_alloc() - allocate a probe
 * @path: path of its file; copied
 * @nr_args: number of arguments that it will probably have
 *
 * Context: may sleep.
 * Return: the probe, without file, place, arguments and event, or NULL.
 */
struct trace_uprobe *trace_uprobe_alloc(struct probe_str path, unsigned int nr_args)
{
	struct trace_uprobe *tu = kzalloc(sizeof(*tu), GFP_KERNEL);

	if (!tu)
		return NULL;
	INIT_LIST_HEAD(&tu->batch);
	tu->nhit = alloc_percpu(unsigned long);
	if (!probe_init(&tu->probe, path.len + 1, nr_args))
		tu->filename = probe_arena_strndup(tu->probe.arena, path.s, path.len);
	if (!tu->nhit || !tu->filename) {
		trace_uprobe_free(tu);
		return NULL;
	}
	return tu;
}

/**
 * trace_uprobe_find_file() - look up the file of a probe
 * @tu: the probe
 * @cmd: gets the error; NULL if there is no command
 *
 * Context: may sleep.
 * Return: 0; -EINVAL if it is not a regular file; or the error of the lookup.
 */
int trace_uprobe_find_file(struct trace_uprobe *tu, struct probe_cmd *cmd)
{
	enum probe_err err = PROBE_ERR_FILE_NOT_FOUND;
	int ret;

	ret = kern_path(tu->filename, LOOKUP_FOLLOW, &tu->path);
	if (!ret && !d_is_reg(tu->path.dentry)) {
		err = PROBE_ERR_NO_REGULAR_FILE;
		ret = -EINVAL;
	}
	if (ret && cmd)
		probe_cmd_error(cmd, err, cmd->words[1].pos);
	return ret;
}

/**
 * trace_uprobe_set_place() - set the place of a probe in its file
 * @tu: the probe
 * @offset: the offset
 * @ref_ctr: offset of the reference counter; 0 if there is none
 * @ret: make it a return probe
 *
 * Context: any.
 */
void trace_uprobe_set_place(struct trace_uprobe *tu, unsigned long offset,
			    unsigned long ref_ctr, bool ret)
{
	tu->offset = offset;
	tu->ref_ctr = ref_ctr;
	tu->is_return = ret;
	trace_uprobe_set_handlers(tu);
}
