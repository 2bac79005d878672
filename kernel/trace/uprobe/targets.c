// SPDX-License-Identifier: GPL-2.0
/*
 * Uprobe events: the processes that perf traces.
 *
 * A breakpoint is a change of a process's text.  If only perf uses an event, and only for some
 * tasks, other processes get no breakpoints.  A perf event for a task needs them in the task's
 * process: uprobes ask for each process whether a consumer wants it.
 */
#include <linux/list.h>
#include <linux/perf_event.h>
#include <linux/sched.h>
#include <linux/spinlock.h>

#include "uprobe.h"

/**
 * trace_uprobe_init_targets() - initialize perf's targets of an event
 * @targets: the targets
 *
 * This is the callback probe_event_ops::init_data.
 *
 * Context: any.
 */
void trace_uprobe_init_targets(void *targets)
{
	struct trace_uprobe_targets *t = targets;

	rwlock_init(&t->lock);
	INIT_LIST_HEAD(&t->tasks);
}

static bool has_task_in(const struct trace_uprobe_targets *targets, const struct mm_struct *mm)
{
	struct perf_event *pe;

	list_for_each_entry(pe, &targets->tasks, hw.tp_list)
		if (READ_ONCE(pe->hw.target->mm) == mm)
			return true;
	return false;
}

/* Has a perf event added breakpoints to a process?  One that waits for exec() has not. */
static bool has_breakpoints_in(const struct trace_uprobe_targets *targets,
			       const struct mm_struct *mm)
{
	struct perf_event *pe;

	list_for_each_entry(pe, &targets->tasks, hw.tp_list)
		if (!pe->attr.enable_on_exec && READ_ONCE(pe->hw.target->mm) == mm)
			return true;
	return false;
}

/**
 * trace_uprobe_add_target() - let a perf event use an event
 * @targets: perf's targets of the event
 * @pe: the perf event
 *
 * Context: may sleep.
 * Return: whether breakpoints must be added for it.  They are there already if another perf
 * event needs them.  A child of the traced task has copies of the breakpoints, and exec()
 * adds them to the new program.
 */
bool trace_uprobe_add_target(struct trace_uprobe_targets *targets, struct perf_event *pe)
{
	struct task_struct *task = pe->hw.target;
	bool covered;

	write_lock(&targets->lock);
	covered = targets->nr_all;
	if (task) {
		covered = covered || pe->parent || pe->attr.enable_on_exec ||
			  has_breakpoints_in(targets, READ_ONCE(task->mm));
		list_add(&pe->hw.tp_list, &targets->tasks);
	} else {
		WRITE_ONCE(targets->nr_all, targets->nr_all + 1);
	}
	write_unlock(&targets->lock);
	return !covered;
}

/**
 * trace_uprobe_remove_target() - undo trace_uprobe_add_target()
 * @targets: perf's targets of the event
 * @pe: the perf event
 *
 * Context: may sleep.
 * Return: whether breakpoints must be removed.  If the task exits, they are freed together with
 * its memory.
 */
bool trace_uprobe_remove_target(struct trace_uprobe_targets *targets, struct perf_event *pe)
{
	struct task_struct *task = pe->hw.target;
	bool covered;

	write_lock(&targets->lock);
	if (task)
		list_del(&pe->hw.tp_list);
	else
		WRITE_ONCE(targets->nr_all, targets->nr_all - 1);
	covered = targets->nr_all;
	if (task)
		covered = covered || (task->flags & PF_EXITING) ||
			  has_task_in(targets, READ_ONCE(task->mm));
	write_unlock(&targets->lock);
	return !covered;
}

/**
 * trace_uprobe_perf_wants() - does perf use an event for a process?
 * @event: the event
 * @mm: memory of the process
 *
 * Context: may sleep.
 * Return: whether a perf event is for all processes, or for a task of this process.
 */
bool trace_uprobe_perf_wants(struct probe_event *event, struct mm_struct *mm)
{
	struct trace_uprobe_targets *targets = event->call.data;
	bool found;

	/* The common cases take no lock. */
	if (!probe_event_uses_perf(event))
		return false;
	if (READ_ONCE(targets->nr_all))
		return true;
	read_lock(&targets->lock);
	found = has_task_in(targets, mm);
	read_unlock(&targets->lock);
	return found;
}
