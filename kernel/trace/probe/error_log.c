// SPDX-License-Identifier: GPL-2.0
/*
 * Write errors of commands to error_log.
 */
#include "trace.h"

#include "probe.h"

/**
 * probe_log_text() - write an error to error_log
 * @tr: the trace instance; NULL for the top instance
 * @from: the provider or command that reports it
 * @text: the command that has the error
 * @err: the error
 * @pos: its column
 * @detail: more about it, or NULL
 *
 * Context: may sleep.
 */
void probe_log_text(struct trace_array *tr, const char *from, const char *text,
		    enum probe_err err, unsigned int pos, const char *detail)
{
	/* The log keeps a pointer to a list of texts; here the list has one entry. */
	tracing_log_err_detail(tr, from, text, (const char **)&probe_err_info[err].text, 0,
			       pos, detail);
}

/**
 * probe_log_error() - write the error of a command to error_log
 * @provider: the provider
 * @cmd: the command; nothing is logged when it has no error
 *
 * Context: may sleep.
 */
void probe_log_error(const struct probe_provider *provider, const struct probe_cmd *cmd)
{
	if (cmd->err < PROBE_NR_ERRORS)
		probe_log_text(NULL, provider->name, cmd->text, cmd->err, cmd->err_pos,
			       cmd->detail);
}
