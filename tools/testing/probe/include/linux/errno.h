/* SPDX-License-Identifier: GPL-2.0 */
/* This file cannot include <errno.h>, which includes it for the error numbers. */
#ifndef _HOST_LINUX_ERRNO_H
#define _HOST_LINUX_ERRNO_H

#include_next <linux/errno.h>

#endif
