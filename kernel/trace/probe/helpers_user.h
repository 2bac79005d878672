/* SPDX-License-Identifier: GPL-2.0 */
/* Helpers for fetch programs of probes in user space; helpers.c passes them to programs. */
#ifndef _PROBE_HELPERS_USER_H
#define _PROBE_HELPERS_USER_H

#include <linux/types.h>

u64 probe_help_user_source(u64 ctx, u64 arg1, u64 arg2, u64 arg3, u64 arg4);
u64 probe_help_user_load(u64 ctx, u64 arg1, u64 arg2, u64 arg3, u64 arg4);
u64 probe_help_user_bits(u64 ctx, u64 arg1, u64 arg2, u64 arg3, u64 arg4);
u64 probe_help_user_array(u64 ctx, u64 arg1, u64 arg2, u64 arg3, u64 arg4);
u64 probe_help_user_string(u64 ctx, u64 arg1, u64 arg2, u64 arg3, u64 arg4);
u64 probe_help_user_strings(u64 ctx, u64 arg1, u64 arg2, u64 arg3, u64 arg4);

#endif /* _PROBE_HELPERS_USER_H */
