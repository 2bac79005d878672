/* SPDX-License-Identifier: GPL-2.0 */
/* Between kprobe events and the commands that come from the kernel itself. */
#ifndef _TRACE_KPROBE_CMD_H
#define _TRACE_KPROBE_CMD_H

#include <linux/init.h>

/* trace_kprobe.c */
int trace_kprobe_command(const char *raw);
void trace_kprobe_enable_all(void);

/* trace_kprobe_cmd.c */
void trace_kprobe_boot_commands(void);

#endif /* _TRACE_KPROBE_CMD_H */
