/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _HOST_LINUX_ALIGN_H
#define _HOST_LINUX_ALIGN_H

/* @a is a power of two */
#define ALIGN(x, a)	(((x) + ((typeof(x))(a) - 1)) & ~((typeof(x))(a) - 1))
#define ALIGN_DOWN(x, a)	((x) & ~((typeof(x))(a) - 1))

#endif
