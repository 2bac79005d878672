// SPDX-License-Identifier: GPL-2.0
/*
 * Owners of probes: open files and processes.
 *
 * An owner is gone when the last descriptor of the file is closed, or when the last thread of
 * the process has exited.  reap.c then deletes its probes.
 *
 * All probes of an owner refer to the same struct probe_owner.  owners_mutex, which nests
 * inside event_mutex, protects the list of owners and their users.
 */
#include <linux/cleanup.h>
#include <linux/errno.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/pid.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/wait.h>

#include "trace.h"

#include "engine.h"

/**
 * struct probe_owner - an owner of probes
 * @entry: in the list of owners
 * @users: number of probes that refer to it
 * @kind: its kind
 * @gone: it does not exist any more; set once
 * @file: PROBE_OWNER_FD: the open file, without a reference; NULL after it was closed
 * @pid: the process that is the owner, or the process that wrote the command to @file
 * @exit: PROBE_OWNER_TASK: entry in the wait queue of @pid
 * @exited: called when the process exits
 */
struct probe_owner {
	struct list_head	entry;
	unsigned int		users;
	enum probe_owner_kind	kind;
	bool			gone;
	const struct file	*file;
	struct pid		*pid;
	wait_queue_entry_t	exit;
	void			(*exited)(void);
};

static LIST_HEAD(owners);
static DEFINE_MUTEX(owners_mutex);

/* Has the last thread of a process exited? */
static bool has_exited(struct pid *pid)
{
	struct task_struct *task;

	guard(rcu)();
	task = pid_task(pid, PIDTYPE_TGID);
	return !task || (READ_ONCE(task->exit_state) && thread_group_empty(task));
}

/* Called when the process exits, with interrupts off and locks held. */
static int exit_func(wait_queue_entry_t *entry, unsigned int mode, int sync, void *key)
{
	container_of(entry, struct probe_owner, exit)->exited();
	return 0;
}

static struct probe_owner *find_owner(enum probe_owner_kind kind, const struct file *file,
				      const struct pid *pid)
{
	struct probe_owner *owner;

	list_for_each_entry(owner, &owners, entry)
		if (owner->kind == kind && !owner->gone && owner->file == file &&
		    owner->pid == pid)
			return owner;
	return NULL;
}

static struct probe_owner *get_owner(enum probe_owner_kind kind, const struct file *file,
				     struct pid *pid, void (*exited)(void))
{
	struct probe_owner *owner;

	guard(mutex)(&owners_mutex);
	owner = find_owner(kind, file, pid);
	if (owner) {
		owner->users++;
		return owner;
	}
	owner = kzalloc(sizeof(*owner), GFP_KERNEL);
	if (!owner)
		return NULL;
	owner->users = 1;
	owner->kind = kind;
	owner->file = file;
	owner->pid = get_pid(pid);
	owner->exited = exited;
	list_add(&owner->entry, &owners);
	if (kind == PROBE_OWNER_TASK) {
		init_waitqueue_func_entry(&owner->exit, exit_func);
		add_wait_queue(&pid->wait_pidfd, &owner->exit);
	}
	return owner;
}

/* Returns a reference, or NULL if there is no such process. */
static struct pid *owning_process(const struct probe_options *options)
{
	struct pid *pid;

	if (options->owner == PROBE_OWNER_FD || !options->owner_pid)
		return get_pid(task_tgid(current));
	pid = find_get_pid(options->owner_pid);
	if (pid && has_exited(pid)) {
		put_pid(pid);
		return NULL;
	}
	return pid;
}

/**
 * probe_owner_set() - set the owner of a new probe
 * @p: the probe
 * @cmd: the command, which may name an owner
 * @exited: called when a process that owns probes exits, with interrupts off and locks held
 *
 * Context: may sleep.
 * Return: 0; -ENOMEM; otherwise the errno of the error recorded in @cmd.
 */
int probe_owner_set(struct probe *p, struct probe_cmd *cmd, void (*exited)(void))
{
	const struct probe_options *options = &cmd->options;
	const struct file *file = NULL;
	struct pid *pid;

	if (options->owner == PROBE_OWNER_NONE)
		return 0;
	if (options->owner == PROBE_OWNER_FD) {
		file = dyn_event_written_file();
		if (!file)
			return probe_cmd_error(cmd, PROBE_ERR_NO_OWNER_FD, options->owner_pos);
	}
	pid = owning_process(options);
	if (!pid)
		return probe_cmd_error(cmd, PROBE_ERR_NO_OWNER_TASK, options->owner_pos);
	p->owner = get_owner(options->owner, file, pid, exited);
	put_pid(pid);
	return p->owner ? 0 : -ENOMEM;
}

/**
 * probe_owner_put() - drop a probe's reference to its owner
 * @p: the probe
 *
 * Context: may sleep.
 */
void probe_owner_put(struct probe *p)
{
	struct probe_owner *owner = p->owner;

	if (!owner)
		return;
	p->owner = NULL;
	guard(mutex)(&owners_mutex);
	if (--owner->users)
		return;
	list_del(&owner->entry);
	if (owner->kind == PROBE_OWNER_TASK)
		remove_wait_queue(&owner->pid->wait_pidfd, &owner->exit);
	put_pid(owner->pid);
	kfree(owner);
}

/**
 * probe_owner_show() - show the owner of a probe as in a command
 * @p: the probe
 * @m: the output file
 *
 * The number of the process is 0 if the reader's PID namespace does not contain it.
 */
void probe_owner_show(const struct probe *p, struct seq_file *m)
{
	const struct probe_owner *owner = p->owner;

	if (owner)
		seq_printf(m, ",owner=%s:%d", owner->kind == PROBE_OWNER_FD ? "fd" : "task",
			   pid_nr_ns(owner->pid, task_active_pid_ns(current)));
}

/**
 * probe_owner_is_gone() - must a probe be deleted because its owner is gone?
 * @p: the probe
 *
 * Context: any.
 * Return: true if it has an owner that is known to be gone.
 */
bool probe_owner_is_gone(const struct probe *p)
{
	return p->owner && READ_ONCE(p->owner->gone);
}

/**
 * probe_owners_gone() - look for processes that have exited
 *
 * Context: may sleep.
 * Return: true if the owner of any probe is gone.
 */
bool probe_owners_gone(void)
{
	struct probe_owner *owner;
	bool found = false;

	guard(mutex)(&owners_mutex);
	list_for_each_entry(owner, &owners, entry) {
		if (owner->kind == PROBE_OWNER_TASK && !owner->gone)
			WRITE_ONCE(owner->gone, has_exited(owner->pid));
		found |= owner->gone;
	}
	return found;
}

/* Several processes may have written to the file. */
static bool close_owners(const struct file *file)
{
	struct probe_owner *owner;
	bool found = false;

	guard(mutex)(&owners_mutex);
	list_for_each_entry(owner, &owners, entry) {
		if (owner->file != file)
			continue;
		owner->file = NULL;
		WRITE_ONCE(owner->gone, true);
		found = true;
	}
	return found;
}

/**
 * probe_owner_close() - tell that the last descriptor of a file was closed
 * @file: the file
 *
 * Context: may sleep.
 * Return: true if it was the owner of a probe.
 */
bool probe_owner_close(const struct file *file)
{
	/* An owner is added only while its file is in use. */
	return !list_empty_careful(&owners) && close_owners(file);
}
