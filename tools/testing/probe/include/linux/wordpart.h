/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _HOST_LINUX_WORDPART_H
#define _HOST_LINUX_WORDPART_H

/* A word whose bytes are all @x */
#define REPEAT_BYTE(x)	(-1UL / 0xff * (x))

#endif
