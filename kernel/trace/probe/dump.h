/* SPDX-License-Identifier: GPL-2.0 */
/* Text of a resolved argument, for developers of the engine; see dump.c. */
#ifndef _PROBE_DUMP_H
#define _PROBE_DUMP_H

#include <linux/types.h>

struct probe_fetch;

#define PROBE_DUMP_LEN	1024

void probe_dump_fetch(const struct probe_fetch *f, const char *symbol, char *buf, size_t size);

#endif /* _PROBE_DUMP_H */
