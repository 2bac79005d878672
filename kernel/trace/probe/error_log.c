// SPDX-License-Identifier: GPL-2.0
/*
 * Write errors of commands to error_log.
 */
#include "trace.h"

#include "probe.h"

/**
 * probe_log_error() - write the error of a command to error_log
 * @provider: the provider
 * @cmd: the command; nothing is logged when it has no error
 *
 * Context: may sleep.
 */
void probe_log_error(const struct probe_provider *provider, const struct probe_cmd *cmd)
{
	if (cmd->err >= PROBE_NR_ERRORS)
		return;

	/* The log keeps a pointer to a list of texts; here the list has one entry. */
	tracing_log_err_detail(NULL, provider->name, cmd->text,
			       (const char **)&probe_err_info[cmd->err].text, 0,
			       cmd->err_pos, cmd->detail);
}
