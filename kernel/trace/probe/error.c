// SPDX-License-Identifier: GPL-2.0
/*
 * From the error in a command to a line in error_log.
 */
#include "trace.h"

#include "probe.h"

#define PROBE_ERR_TEXT(...) PROBE_ERR_THIRD(__VA_ARGS__),
#define PROBE_ERR_THIRD(name, code, text) text
/* Not const all the way: tracing_log_err() takes it as it is. */
static const char *probe_err_texts[] = {
	PROBE_ERRORS(PROBE_ERR_TEXT)
};

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
	tracing_log_err(NULL, provider, cmd->text, probe_err_texts, cmd->err,
			cmd->err_pos);
}
