/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Uprobe events: declarations shared by the files of this directory.
 *
 *   place.c		parser of the place in a command
 *   targets.c		the processes that perf traces
 *   hit.c		hits
 *   probe.c		a probe and its file
 *   arm.c		registers and unregisters uprobes
 *   event.c		the head of a record; the users of an event
 *   define.c		the provider: definition and listing
 *   perf.c		queries of perf and BPF
 *   local.c		perf's own uprobes
 *   files.c		the files in tracefs
 *
 * A file uses only functions of files before it in this list.
 *
 * Locking: event_mutex protects the list of probes, and arming.  The list does not contain
 * perf's own probes.  Such a probe is changed only by its creator and by the work item that
 * frees it.  Functions for perf and BPF read probes under probe_siblings_mutex.  A hit reads
 * only members that do not change while the probe is armed, and perf's targets, which have a
 * lock of their own.
 *
 * Hits: uprobes call handlers under rcu_read_lock_trace().  uprobe_unregister_sync() waits for
 * them, so a probe, its programs and its event can be freed after it.
 */
#ifndef _TRACE_UPROBE_UPROBE_H
#define _TRACE_UPROBE_UPROBE_H

#include <linux/build_bug.h>
#include <linux/list.h>
#include <linux/path.h>
#include <linux/percpu.h>
#include <linux/spinlock.h>
#include <linux/uprobes.h>

#include "place.h"
#include "trace_dynevent.h"
#include "probe/probe.h"

struct mm_struct;
struct perf_event;

/* Default group of events. */
#define TRACE_UPROBE_GROUP	"uprobes"

/**
 * struct trace_uprobe_cmd - a command of uprobe events
 * @cmd: the engine's part; must be the first member
 * @place: the place
 */
struct trace_uprobe_cmd {
	struct probe_cmd		cmd;
	struct trace_uprobe_place	place;
};

/**
 * struct trace_uprobe_targets - the processes that perf traces with an event
 * @lock: protects the other members
 * @nr_all: number of perf events for all processes
 * @tasks: perf events for one task, linked by hw.tp_list
 */
struct trace_uprobe_targets {
	rwlock_t		lock;
	unsigned int		nr_all;
	struct list_head	tasks;
};

/**
 * struct trace_uprobe - a probe of uprobe events
 * @probe: its arguments and its event
 * @consumer: its handlers
 * @path: its file, with a reference
 * @filename: the path of the file, as given
 * @offset: its offset in the file
 * @ref_ctr: offset of the reference counter in the file; 0 if there is none
 * @is_return: it is a return probe
 * @uprobe: the uprobe at this place while the probe is armed; otherwise NULL
 * @nhit: number of hits
 * @batch: in the list of probes that are armed together
 */
struct trace_uprobe {
	struct probe		probe;
	struct uprobe_consumer	consumer;
	struct path		path;
	const char		*filename;
	unsigned long		offset;
	unsigned long		ref_ctr;
	bool			is_return;
	struct uprobe		*uprobe;
	unsigned long __percpu	*nhit;
	struct list_head	batch;
};

extern struct probe_provider trace_uprobe_provider;

/* The engine allocates and copies both together. */
static_assert(offsetof(struct trace_uprobe_cmd, cmd) == 0);

static inline struct trace_uprobe_cmd *to_trace_uprobe_cmd(struct probe_cmd *cmd)
{
	return container_of(cmd, struct trace_uprobe_cmd, cmd);
}

static inline struct trace_uprobe *trace_uprobe_of(const struct probe *p)
{
	return container_of(p, struct trace_uprobe, probe);
}

/* targets.c */
void trace_uprobe_init_targets(void *targets);
bool trace_uprobe_add_target(struct trace_uprobe_targets *targets, struct perf_event *pe);
bool trace_uprobe_remove_target(struct trace_uprobe_targets *targets, struct perf_event *pe);
bool trace_uprobe_perf_wants(struct probe_event *event, struct mm_struct *mm);

/* hit.c */
void trace_uprobe_set_handlers(struct trace_uprobe *tu);

/* probe.c */
struct trace_uprobe *trace_uprobe_alloc(struct probe_str path, unsigned int nr_args);
void trace_uprobe_free(struct trace_uprobe *tu);
int trace_uprobe_find_file(struct trace_uprobe *tu, struct probe_cmd *cmd);
void trace_uprobe_set_place(struct trace_uprobe *tu, unsigned long offset,
			    unsigned long ref_ctr, bool ret);
struct inode *trace_uprobe_inode(const struct trace_uprobe *tu);
unsigned long trace_uprobe_hits(const struct trace_uprobe *tu);

/* arm.c */
enum probe_state trace_uprobe_state(const struct probe *p);
void trace_uprobes_begin(void);
void trace_uprobe_arm(struct probe *p);
void trace_uprobe_disarm(struct probe *p);
int trace_uprobes_end(void);
bool trace_uprobe_unregister(struct trace_uprobe *tu);
void trace_uprobes_unregister(struct list_head *probes);
int trace_uprobes_apply(struct probe_event *event, bool add);

/* event.c */
const struct probe_event_ops *trace_uprobe_event_ops(const struct trace_uprobe *tu);

#endif /* _TRACE_UPROBE_UPROBE_H */
