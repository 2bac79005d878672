/* SPDX-License-Identifier: GPL-2.0 */
/* The C library's <errno.h> gets its numbers from here, too: do not include it. */
#ifndef _HOST_LINUX_ERRNO_H
#define _HOST_LINUX_ERRNO_H

#include_next <linux/errno.h>

#endif
