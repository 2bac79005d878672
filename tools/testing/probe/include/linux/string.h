/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _HOST_LINUX_STRING_H
#define _HOST_LINUX_STRING_H

#include <linux/types.h>
#include <string.h>

#endif
