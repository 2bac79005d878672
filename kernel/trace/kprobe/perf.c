// SPDX-License-Identifier: GPL-2.0
/*
 * Kprobe events for perf and BPF: queries.
 *
 * The caller holds a perf event open.  This keeps the trace event alive, but not
 * each of its probes.  The caller cannot take event_mutex to protect the probes:
 * PERF_EVENT_IOC_SET_BPF holds the mutex of a perf context, CPU hotplug takes
 * the mutex of a CPU's context, and code that holds event_mutex calls
 * cpus_read_lock().
 */
#include <linux/cleanup.h>
#include <linux/error-injection.h>
#include <linux/kallsyms.h>
#include <linux/kprobes.h>
#include <linux/mutex.h>
#include <linux/perf_event.h>

#include "kprobe.h"
#include "trace_probe_perf.h"

static bool is_on_func_entry(const struct trace_kprobe *tk)
{
	const struct kprobe *kp = &tk->rp.kp;
	/* When the probed module is loaded, the address is cleared and set again. */
	kprobe_opcode_t *addr = READ_ONCE(kp->addr);

	return !kprobe_on_func_entry(addr, addr ? NULL : kp->symbol_name,
				     addr ? 0 : kp->offset);
}

/**
 * trace_kprobe_on_func_entry() - are all probes of an event at function entries?
 * @call: the event, which a perf event uses
 *
 * Context: may sleep; takes probe_siblings_mutex.
 * Return: whether each of its probes is at the entry of a function.
 */
bool trace_kprobe_on_func_entry(struct trace_event_call *call)
{
	struct trace_kprobe *tk;

	guard(mutex)(&probe_siblings_mutex);
	for_each_trace_kprobe_of(tk, probe_event_of(call))
		if (!is_on_func_entry(tk))
			return false;
	return true;
}

/**
 * trace_kprobe_error_injectable() - do all probed functions allow error injection?
 * @call: the event, which a perf event uses
 *
 * Context: may sleep; takes probe_siblings_mutex.
 * Return: whether errors may be injected at each of its probes.
 */
bool trace_kprobe_error_injectable(struct trace_event_call *call)
{
	struct trace_kprobe *tk;

	guard(mutex)(&probe_siblings_mutex);
	for_each_trace_kprobe_of(tk, probe_event_of(call))
		if (!within_error_injection_list(trace_kprobe_address(tk)))
			return false;
	return true;
}

/**
 * trace_kprobe_forbids_override() - must a probe be refused because of an attached program?
 * @tk: the probe, which belongs to an event
 *
 * Programs that are attached later are checked against all probes of the event.  Only an
 * event that perf has open can have programs.  For other events, this does not wait for
 * bpf_event_mutex.
 *
 * Context: may sleep; event_mutex is held; takes bpf_event_mutex.
 * Return: true if a BPF program of the event overrides return values, which is not allowed
 * at the place of this probe.
 */
bool trace_kprobe_forbids_override(const struct trace_kprobe *tk)
{
	return (tk->probe.event->flags & PROBE_EVENT_PERF) &&
	       trace_event_overrides_return(&tk->probe.event->call) &&
	       !(is_on_func_entry(tk) &&
		 within_error_injection_list(trace_kprobe_address(tk)));
}

#ifdef CONFIG_PERF_EVENTS
static struct trace_kprobe *first_of(struct probe_event *event)
{
	struct probe *p = probe_event_first(event);

	return p ? trace_kprobe_of(p) : NULL;
}

/**
 * bpf_get_kprobe_info() - describe the kprobe that a perf event counts
 * @event: the perf event
 * @fd_type: set to BPF_FD_TYPE_*
 * @symbol: set to "[MOD:]SYM", or NULL; valid as long as @event
 * @probe_offset: set to the offset from the symbol
 * @probe_addr: set to the address, 0 if the task may not see kernel addresses
 * @missed: set to the number of missed hits, unless NULL
 * @perf_type_tracepoint: the event is a tracefs event, not perf's own kprobe
 *
 * If the event has several probes, this describes the oldest.
 *
 * Context: may sleep; takes probe_siblings_mutex.
 * Return: 0; -EINVAL when the event has no probe; -ENOMEM.
 */
int bpf_get_kprobe_info(const struct perf_event *event, u32 *fd_type,
			const char **symbol, u64 *probe_offset,
			u64 *probe_addr, unsigned long *missed,
			bool perf_type_tracepoint)
{
	struct probe_event *pe = probe_event_of(event->tp_event);
	const struct trace_kprobe *tk;

	guard(mutex)(&probe_siblings_mutex);
	tk = first_of(pe);
	if (!tk)
		return -EINVAL;

	*symbol = NULL;
	if (trace_kprobe_symbol(tk)) {
		*symbol = probe_event_keep_text(pe, trace_kprobe_symbol(tk));
		if (!*symbol)
			return -ENOMEM;
	}
	*fd_type = trace_kprobe_is_return(tk) ? BPF_FD_TYPE_KRETPROBE : BPF_FD_TYPE_KPROBE;
	*probe_offset = tk->rp.kp.offset;
	*probe_addr = 0;
	if (kallsyms_show_value(current_cred()))
		*probe_addr = (unsigned long)READ_ONCE(tk->rp.kp.addr);
	if (missed)
		*missed = trace_kprobe_misses(tk);
	return 0;
}
#endif /* CONFIG_PERF_EVENTS */
