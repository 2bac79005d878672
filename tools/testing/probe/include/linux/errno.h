/* SPDX-License-Identifier: GPL-2.0 */
/* Do not include <errno.h>: it includes this file for the error numbers. */
#ifndef _HOST_LINUX_ERRNO_H
#define _HOST_LINUX_ERRNO_H

#include_next <linux/errno.h>

#endif
