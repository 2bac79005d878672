/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _HOST_LINUX_SWAB_H
#define _HOST_LINUX_SWAB_H

#define swab32(x)	__builtin_bswap32(x)

#endif
