/* SPDX-License-Identifier: GPL-2.0 */
/* Included in front of every file, as in the kernel. */
#ifndef _HOST_LINUX_COMPILER_TYPES_H
#define _HOST_LINUX_COMPILER_TYPES_H

#define __aligned(n)	__attribute__((__aligned__(n)))
#define __packed	__attribute__((__packed__))
#define __maybe_unused	__attribute__((__unused__))
#define __printf(f, a)	__attribute__((__format__(printf, f, a)))
#define fallthrough	__attribute__((__fallthrough__))

#endif
