/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _HOST_LINUX_SPRINTF_H
#define _HOST_LINUX_SPRINTF_H

#include <stdio.h>

#endif
