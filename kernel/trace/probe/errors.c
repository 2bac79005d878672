// SPDX-License-Identifier: GPL-2.0
/* Errno and message of each error of probe commands. */
#include <linux/errno.h>
#include <linux/stddef.h>

#include "errors.h"

#define PROBE_ERROR(name, errno_value, sentence) \
	[PROBE_ERR_##name] = { .code = -(errno_value), .text = (sentence) },

const struct probe_err_info probe_err_info[PROBE_NR_ERRORS] = {
#include "error_list.h"
};
