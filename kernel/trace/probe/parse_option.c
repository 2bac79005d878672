// SPDX-License-Identifier: GPL-2.0
/*
 * Parser of the options of an event, which follow its name.
 *
 *   options  ,NAME=VALUE[options]
 *   owner    owner=fd[:PID] | owner=task[:PID]
 *
 * No name of an event contains a comma, so an option cannot change the meaning of a command
 * that has none.
 */
#include <linux/errno.h>
#include <linux/limits.h>

#include "lex.h"

static int parse_pid(struct probe_cmd *cmd, struct probe_str text)
{
	unsigned long pid;

	if (probe_str_unsigned(text, &pid) || !pid || pid > INT_MAX)
		return probe_cmd_error(cmd, PROBE_ERR_BAD_OWNER, text.pos);
	cmd->options.owner_pid = pid;
	return 0;
}

static int parse_owner(struct probe_cmd *cmd, struct probe_str value)
{
	int colon = probe_str_find(value, ':');
	struct probe_str kind = colon < 0 ? value : probe_str_cut(value, 0, colon);

	if (probe_str_is(kind, "fd"))
		cmd->options.owner = PROBE_OWNER_FD;
	else if (probe_str_is(kind, "task"))
		cmd->options.owner = PROBE_OWNER_TASK;
	else
		return probe_cmd_error(cmd, PROBE_ERR_BAD_OWNER, kind.pos);
	cmd->options.owner_pos = kind.pos;
	return colon < 0 ? 0 : parse_pid(cmd, probe_str_from(value, colon + 1));
}

/* "NAME=VALUE" */
static int parse_option(struct probe_cmd *cmd, struct probe_str text)
{
	int equals = probe_str_find(text, '=');
	struct probe_str name = equals < 0 ? text : probe_str_cut(text, 0, equals);

	if (equals < 0 || !probe_str_is(name, "owner"))
		return probe_cmd_error(cmd, PROBE_ERR_BAD_OPTION, name.pos);
	if (cmd->options.owner != PROBE_OWNER_NONE)
		return probe_cmd_error(cmd, PROBE_ERR_OPTION_TWICE, name.pos);
	return parse_owner(cmd, probe_str_from(text, equals + 1));
}

/**
 * probe_parse_options() - parse the options of an event
 * @cmd: the command; its options are set
 * @text: the options, beginning with a comma
 *
 * Return: 0, or the errno of the error recorded in @cmd.
 */
int probe_parse_options(struct probe_cmd *cmd, struct probe_str text)
{
	int comma, ret = 0;

	do {
		text = probe_str_from(text, 1);
		comma = probe_str_find(text, ',');
		ret = parse_option(cmd, comma < 0 ? text : probe_str_cut(text, 0, comma));
		if (comma >= 0)
			text = probe_str_from(text, comma);
	} while (!ret && comma >= 0);
	return ret;
}
