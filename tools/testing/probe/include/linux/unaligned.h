/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _HOST_LINUX_UNALIGNED_H
#define _HOST_LINUX_UNALIGNED_H

#include <string.h>

#define put_unaligned(val, ptr) do {					\
	typeof(*(ptr)) _val = (val);					\
									\
	memcpy(ptr, &_val, sizeof(_val));				\
} while (0)

#define get_unaligned(ptr) ({						\
	const struct {							\
		typeof(*(ptr)) val;					\
	} __attribute__((packed)) *_at = (const void *)(ptr);		\
									\
	_at->val;							\
})

#endif
