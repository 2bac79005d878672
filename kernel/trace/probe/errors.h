/* SPDX-License-Identifier: GPL-2.0 */
/* The errors of probe commands; error_list.h says which there are. */
#ifndef _PROBE_ERRORS_H
#define _PROBE_ERRORS_H

#define PROBE_ERROR(name, ...) PROBE_ERR_##name,
enum probe_err {
#include "error_list.h"
	PROBE_NR_ERRORS,
	PROBE_ERR_NONE = PROBE_NR_ERRORS,	/* failed, but not by the command's fault */
};

#undef PROBE_ERROR

/**
 * struct probe_err_info - what is said about an error
 * @code: errno of the writer, negative
 * @text: the sentence in error_log
 */
struct probe_err_info {
	int		code;
	const char	*text;
};

extern const struct probe_err_info probe_err_info[PROBE_NR_ERRORS];

#endif /* _PROBE_ERRORS_H */
