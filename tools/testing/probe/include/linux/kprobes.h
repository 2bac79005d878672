/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _HOST_LINUX_KPROBES_H
#define _HOST_LINUX_KPROBES_H

/* No probes on the host: only a declaration, so that a semicolon can follow. */
#define NOKPROBE_SYMBOL(fname)	struct host_nokprobe_##fname

#endif
