/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _HOST_LINUX_LIMITS_H
#define _HOST_LINUX_LIMITS_H

#include_next <linux/limits.h>

#define U8_MAX		0xffU
#define U16_MAX		0xffffU
#define U32_MAX		0xffffffffU
#ifndef INT_MAX
#define INT_MAX		((int)(~0U >> 1))
#endif
#define U64_MAX		(~0ULL)
#ifndef UINT_MAX
#define UINT_MAX	(~0U)
#endif
#ifndef LONG_MAX
#define LONG_MAX	__LONG_MAX__
#endif
#ifndef ULONG_MAX
#define ULONG_MAX	(~0UL)
#endif

#endif
