// SPDX-License-Identifier: GPL-2.0
/*
 * From the error in a command to a line in error_log.
 */
#include "trace.h"

#include "probe.h"

/**
 * probe_log_error - show what is wrong with a command in error_log
 * @provider: who says so, as in "trace_kprobe"
 * @cmd: the command; nothing is logged when no error was recorded in it
 *
 * Context: may sleep.
 */
void probe_log_error(const char *provider, const struct probe_cmd *cmd)
{
	if (cmd->err >= PROBE_NR_ERRORS)
		return;

	/* The log keeps a pointer to the list of texts: here, one of one. */
	tracing_log_err(NULL, provider, cmd->text,
			(const char **)&probe_err_info[cmd->err].text, 0,
			cmd->err_pos);
}
