/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _HOST_LINUX_UACCESS_H
#define _HOST_LINUX_UACCESS_H

#include <stdbool.h>
#include <stddef.h>

/* Implemented by the test: a load, which may fail. */
bool host_load(void *dst, const void *src, size_t size);

#define __get_kernel_nofault(dst, src, type, label) do {		\
	if (!host_load(dst, src, sizeof(type)))				\
		goto label;						\
} while (0)

#endif
