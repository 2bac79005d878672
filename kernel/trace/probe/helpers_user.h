/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Helpers for fetch programs of probes in user space; helpers.c passes them to programs.  And
 * code of helpers that both files share.
 */
#ifndef _PROBE_HELPERS_USER_H
#define _PROBE_HELPERS_USER_H

#include <linux/kprobes.h>
#include <linux/timekeeping.h>
#include <linux/types.h>
#include <linux/unaligned.h>

/* The nanoseconds since a time.  Clocks of CPUs can differ a little, so it may be in the future. */
static nokprobe_inline u64 probe_time_since(const u64 *time)
{
	u64 now = ktime_get_mono_fast_ns(), then = get_unaligned(time);

	return now > then ? now - then : 0;
}

u64 probe_help_user_source(u64 ctx, u64 arg1, u64 arg2, u64 arg3, u64 arg4);
u64 probe_help_user_load(u64 ctx, u64 arg1, u64 arg2, u64 arg3, u64 arg4);
u64 probe_help_user_bits(u64 ctx, u64 arg1, u64 arg2, u64 arg3, u64 arg4);
u64 probe_help_user_array(u64 ctx, u64 arg1, u64 arg2, u64 arg3, u64 arg4);
u64 probe_help_user_string(u64 ctx, u64 arg1, u64 arg2, u64 arg3, u64 arg4);
u64 probe_help_user_strings(u64 ctx, u64 arg1, u64 arg2, u64 arg3, u64 arg4);

#endif /* _PROBE_HELPERS_USER_H */
