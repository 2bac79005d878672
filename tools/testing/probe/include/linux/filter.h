/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _HOST_LINUX_FILTER_H
#define _HOST_LINUX_FILTER_H

/* The macros for instructions are in tools/include of the kernel tree. */
#include_next <linux/filter.h>

/* Mode of a load that gives 0 on a fault; not part of the UAPI. */
#define BPF_PROBE_MEM	0x20

/* Offset of a move that adds the offset of this CPU's copies; not part of the UAPI. */
#define BPF_ADDR_PERCPU	(-1)

#endif
