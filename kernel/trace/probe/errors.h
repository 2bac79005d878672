/* SPDX-License-Identifier: GPL-2.0 */
/* The errors of probe commands, as listed in error_list.h. */
#ifndef _PROBE_ERRORS_H
#define _PROBE_ERRORS_H

#define PROBE_ERROR(name, ...) PROBE_ERR_##name,
enum probe_err {
#include "error_list.h"
	PROBE_NR_ERRORS,
	PROBE_ERR_NONE = PROBE_NR_ERRORS,	/* the command itself has no error */
};

#undef PROBE_ERROR

/**
 * struct probe_err_info - errno and message of an error
 * @code: errno for the writer, negative
 * @text: message in error_log
 */
struct probe_err_info {
	int		code;
	const char	*text;
};

extern const struct probe_err_info probe_err_info[PROBE_NR_ERRORS];

#endif /* _PROBE_ERRORS_H */
