// SPDX-License-Identifier: GPL-2.0
/*
 * Uprobe events for perf and BPF: queries.
 *
 * The caller holds a perf event open.  This keeps the trace event alive, but not each of its
 * probes.  The caller cannot take event_mutex: see kprobe/perf.c.
 */
#include <linux/cleanup.h>
#include <linux/mutex.h>
#include <linux/perf_event.h>

#include "uprobe.h"

/**
 * bpf_get_uprobe_info() - describe the uprobe that a perf event counts
 * @event: the perf event
 * @fd_type: set to BPF_FD_TYPE_*
 * @filename: set to the path of the file; valid as long as @event
 * @probe_offset: set to the offset in the file
 * @probe_addr: set to 0: the address depends on the process
 * @perf_type_tracepoint: the event is a tracefs event, not perf's own uprobe
 *
 * If the event has several probes, this describes the oldest.
 *
 * Context: may sleep; takes probe_siblings_mutex.
 * Return: 0; -EINVAL when the event has no probe; -ENOMEM.
 */
int bpf_get_uprobe_info(const struct perf_event *event, u32 *fd_type, const char **filename,
			u64 *probe_offset, u64 *probe_addr, bool perf_type_tracepoint)
{
	struct probe_event *pe = probe_event_of(event->tp_event);
	const struct trace_uprobe *tu;
	struct probe *p;

	guard(mutex)(&probe_siblings_mutex);
	p = probe_event_first(pe);
	if (!p)
		return -EINVAL;
	tu = trace_uprobe_of(p);
	*filename = probe_event_keep_text(pe, tu->filename);
	if (!*filename)
		return -ENOMEM;
	*fd_type = tu->is_return ? BPF_FD_TYPE_URETPROBE : BPF_FD_TYPE_UPROBE;
	*probe_offset = tu->offset;
	*probe_addr = 0;
	return 0;
}
