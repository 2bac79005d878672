/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Write records of trace events that only the ring buffer needs.
 *
 * The functions are inline, with the common path of the ring buffer, so that a probe or a system
 * call reserves, fills and commits a record in one function.
 */
#ifndef _TRACE_EVENT_WRITE_H
#define _TRACE_EVENT_WRITE_H

#include <linux/jump_label.h>
#include <linux/percpu.h>
#include <linux/trace_events.h>

#include "ring_buffer_write.h"
#include "trace.h"

DECLARE_STATIC_KEY_FALSE(tracepoint_printk_key);
DECLARE_STATIC_KEY_FALSE(trace_event_exports_enabled);

/**
 * trace_event_has_users() - does an event have users other than triggers and the ring buffer?
 * @file: the event in a trace instance
 *
 * Context: any.
 * Return: true if it has, or if the instance records stack traces.
 */
static __always_inline bool trace_event_has_users(const struct trace_event_file *file)
{
	return unlikely(file->tr->trace_flags & (TRACE_ITER_STACKTRACE |
						 TRACE_ITER_USERSTACKTRACE)) ||
	       static_key_false(&tracepoint_printk_key.key) ||
	       static_branch_unlikely(&trace_event_exports_enabled);
}

/**
 * trace_event_conditions() - flags of an event that are conditions for a record, or triggers
 * @file: the event in a trace instance
 *
 * Context: any.
 * Return: the flags; 0 if the instance records each event and has no trigger for it.
 */
static __always_inline unsigned long trace_event_conditions(const struct trace_event_file *file)
{
	return READ_ONCE(file->flags) &
	       (EVENT_FILE_FL_FILTERED | EVENT_FILE_FL_TRIGGER_MODE | EVENT_FILE_FL_TRIGGER_COND |
		EVENT_FILE_FL_SOFT_DISABLED | EVENT_FILE_FL_PID_FILTER);
}

/**
 * trace_event_reserve_plain() - reserve a record that only the ring buffer needs
 * @buffer: the buffer of a trace instance
 * @type: the type of the event
 * @len: bytes of the record
 * @reserved: set to the record, for trace_event_commit_plain()
 *
 * The caller has checked that trace_event_conditions() returns 0 and trace_event_has_users()
 * returns false.  Commit the record with trace_event_commit_plain() and the same @buffer: the
 * instance may have another one by then.
 *
 * Context: any; preemption is disabled until the commit, once more than in the traced code.
 * Return: false if nothing can be recorded.
 */
static __always_inline bool trace_event_reserve_plain(struct trace_buffer *buffer,
						      unsigned short type, unsigned int len,
						      struct rb_reserved *reserved)
{
	unsigned int trace_ctx = tracing_gen_ctx_dec();

	if (unlikely(!rb_reserve(buffer, len, reserved)))
		return false;
	tracing_generic_entry_update(reserved->data, type, trace_ctx);
	return true;
}

/**
 * trace_event_commit_plain() - commit a record from trace_event_reserve_plain()
 * @buffer: the buffer
 * @reserved: the record
 *
 * Context: that of trace_event_reserve_plain().
 */
static __always_inline void trace_event_commit_plain(struct trace_buffer *buffer,
						     const struct rb_reserved *reserved)
{
	__this_cpu_write(trace_taskinfo_save, true);
	rb_commit(buffer, reserved);
}

bool trace_event_write(struct trace_event_file *file, void *rec, unsigned int len);

#endif /* _TRACE_EVENT_WRITE_H */
