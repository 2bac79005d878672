// SPDX-License-Identifier: GPL-2.0
/*
 * Parser of the name of an event, and of its options.
 *
 *   name     [GROUP/][EVENT][options]
 *   options  ,option[options]
 *   option   owner=fd[:PID] | owner=task[:PID] | sample=N | limit=N/s | count=N
 *
 * No name of an event contains a comma, so an option cannot change the meaning of a command
 * that has none.
 */
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/limits.h>

#include "lex.h"

enum option {
	OPTION_OWNER,
	OPTION_SAMPLE,
	OPTION_LIMIT,
	OPTION_COUNT,
	NR_OPTIONS,
};

static const char * const option_names[] = {
	[OPTION_OWNER]	= "owner",
	[OPTION_SAMPLE]	= "sample",
	[OPTION_LIMIT]	= "limit",
	[OPTION_COUNT]	= "count",
};

/* A group is an identifier in which '-' counts as a letter. */
static bool is_group_name(struct probe_str s)
{
	unsigned int i;

	if (probe_is_digit(s.s[0]))
		return false;
	for (i = 0; i < s.len; i++)
		if (!probe_is_alpha(s.s[i]) && !probe_is_digit(s.s[i]) &&
		    s.s[i] != '-')
			return false;
	return true;
}

/**
 * probe_parse_name() - split "[GROUP/][EVENT]"
 * @name: the text
 * @group: set to GROUP; absent if not given
 * @event: set to EVENT; absent if not given
 * @pos: set to the column of an error
 *
 * The first slash, or the first dot if there is no slash, separates the two.  A name without
 * a separator is the event's name.
 *
 * Return: PROBE_ERR_NONE, or the error.
 */
enum probe_err probe_parse_name(struct probe_str name, struct probe_str *group,
				struct probe_str *event, unsigned int *pos)
{
	int n;

	*group = (struct probe_str) {};
	*event = (struct probe_str) {};
	n = probe_str_find(name, '/');
	if (n < 0)
		n = probe_str_find(name, '.');
	if (n >= 0) {
		*group = probe_str_cut(name, 0, n);
		*pos = group->pos;
		if (!group->len)
			return PROBE_ERR_NO_GROUP_NAME;
		if (group->len >= PROBE_MAX_NAME)
			return PROBE_ERR_GROUP_TOO_LONG;
		if (!is_group_name(*group))
			return PROBE_ERR_BAD_GROUP_NAME;
		name = probe_str_from(name, n + 1);
	}
	*pos = name.pos;
	if (!name.len)
		return group->s ? PROBE_ERR_NONE : PROBE_ERR_NO_EVENT_NAME;
	if (name.len >= PROBE_MAX_NAME)
		return PROBE_ERR_EVENT_TOO_LONG;
	if (!probe_is_name(name))
		return PROBE_ERR_BAD_EVENT_NAME;
	*event = name;
	return PROBE_ERR_NONE;
}

static int parse_pid(struct probe_cmd *cmd, struct probe_str text)
{
	unsigned long pid;

	/* The listing shows 0 for a process that is not in the reader's PID namespace. */
	if (probe_str_unsigned(text, &pid) || pid > INT_MAX ||
	    (!pid && cmd->options.owner == PROBE_OWNER_TASK))
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

static int parse_limit(struct probe_cmd *cmd, struct probe_str text, unsigned int *limit)
{
	unsigned long number;

	if (probe_str_unsigned(text, &number) || !number || number > INT_MAX)
		return probe_cmd_error(cmd, PROBE_ERR_BAD_LIMIT, text.pos);
	*limit = number;
	return 0;
}

/* "N/s" */
static int parse_rate(struct probe_cmd *cmd, struct probe_str text, unsigned int *rate)
{
	int slash = probe_str_find(text, '/');

	if (slash < 0 || !probe_str_is(probe_str_from(text, slash + 1), "s"))
		return probe_cmd_error(cmd, PROBE_ERR_BAD_RATE, text.pos);
	return parse_limit(cmd, probe_str_cut(text, 0, slash), rate);
}

static int parse_value(struct probe_cmd *cmd, enum option option, struct probe_str value)
{
	struct probe_options *options = &cmd->options;

	switch (option) {
	case OPTION_OWNER:
		return parse_owner(cmd, value);
	case OPTION_SAMPLE:
		return parse_limit(cmd, value, &options->sample);
	case OPTION_LIMIT:
		return parse_rate(cmd, value, &options->rate);
	default:
		return parse_limit(cmd, value, &options->count);
	}
}

static enum option find_option(struct probe_str name)
{
	unsigned int i;

	for (i = 0; i < NR_OPTIONS; i++)
		if (probe_str_is(name, option_names[i]))
			break;
	return i;
}

/* "NAME=VALUE".  @given: a bit for each option of the command so far. */
static int parse_option(struct probe_cmd *cmd, struct probe_str text, unsigned int *given)
{
	int equals = probe_str_find(text, '=');
	struct probe_str name = equals < 0 ? text : probe_str_cut(text, 0, equals);
	enum option option = find_option(name);

	if (equals < 0 || option == NR_OPTIONS)
		return probe_cmd_error(cmd, PROBE_ERR_BAD_OPTION, name.pos);
	if (*given & BIT(option))
		return probe_cmd_error(cmd, PROBE_ERR_OPTION_TWICE, name.pos);
	*given |= BIT(option);
	return parse_value(cmd, option, probe_str_from(text, equals + 1));
}

/* Options; @text begins with a comma. */
static int parse_options(struct probe_cmd *cmd, struct probe_str text)
{
	unsigned int given = 0;
	int comma, ret = 0;

	do {
		text = probe_str_from(text, 1);
		comma = probe_str_find(text, ',');
		ret = parse_option(cmd, comma < 0 ? text : probe_str_cut(text, 0, comma), &given);
		if (comma >= 0)
			text = probe_str_from(text, comma);
	} while (!ret && comma >= 0);
	return ret;
}

/**
 * probe_parse_event_name() - parse GROUP, EVENT and OPTIONS, unless they are parsed already
 * @cmd: the command
 *
 * A command has no event name if nothing follows the separator, or if there is no colon.
 * Options can follow a colon without a name.
 *
 * Return: 0; -ECANCELED, without an error in @cmd, when there are no words;
 * otherwise the errno of the error recorded in @cmd.
 */
int probe_parse_event_name(struct probe_cmd *cmd)
{
	struct probe_str name = cmd->name, group = {}, event = {};
	enum probe_err err = PROBE_ERR_NONE;
	unsigned int pos;
	int comma;

	if (!cmd->nr_words)
		return -ECANCELED;
	if (!name.s || cmd->has_name)
		return 0;
	comma = probe_str_find(name, ',');
	if (comma >= 0)
		name = probe_str_cut(name, 0, comma);
	if (comma)
		err = probe_parse_name(name, &group, &event, &pos);
	if (err != PROBE_ERR_NONE)
		return probe_cmd_error(cmd, err, pos);
	cmd->group = group;
	cmd->event = event;
	cmd->has_name = true;
	return comma < 0 ? 0 : parse_options(cmd, probe_str_from(cmd->name, comma));
}
