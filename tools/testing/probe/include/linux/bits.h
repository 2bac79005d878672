/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _HOST_LINUX_BITS_H
#define _HOST_LINUX_BITS_H

#define BITS_PER_LONG	__LONG_WIDTH__
#define BIT(n)		(1UL << (n))
#define BIT_ULL(n)	(1ULL << (n))

#endif
