/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _HOST_LINUX_SIZES_H
#define _HOST_LINUX_SIZES_H

#define SZ_1M	0x00100000

#endif
