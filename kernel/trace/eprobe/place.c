// SPDX-License-Identifier: GPL-2.0
/*
 * Event probes: parser of the event and the filter in a command.
 *
 *   GROUP/EVENT ARG... [if FILTER] | GROUP.EVENT ARG... [if FILTER]
 */
#include <linux/errno.h>
#include <linux/string.h>

#include "place.h"
#include "probe/lex.h"

/* The words of the filter are not arguments. */
static int split_filter(struct probe_cmd *cmd, struct trace_eprobe_place *place)
{
	struct probe_str text = { .s = cmd->text, .len = strlen(cmd->text) };
	unsigned int i, nr = cmd->nr_words;

	for (i = PROBE_FIRST_ARG; i < nr; i++)
		if (probe_str_is(cmd->words[i], "if"))
			break;
	if (i == nr)
		return 0;
	cmd->nr_words = i;
	if (i + 1 == nr)
		return probe_cmd_error(cmd, PROBE_ERR_NO_EP_FILTER, text.len + 1);
	place->filter = probe_str_from(text, cmd->words[i + 1].pos);
	return 0;
}

/**
 * trace_eprobe_parse_place() - parse the event and the filter of an event probe
 * @cmd: the command; keeps only the words before "if"
 * @place: filled in
 *
 * Return: 0, or the errno of the error recorded in @cmd.
 */
int trace_eprobe_parse_place(struct probe_cmd *cmd, struct trace_eprobe_place *place)
{
	struct probe_str group, event;
	unsigned int pos;

	if (probe_parse_name(cmd->words[1], &group, &event, &pos) != PROBE_ERR_NONE ||
	    !group.s || !event.s)
		return probe_cmd_error(cmd, PROBE_ERR_NO_EVENT_INFO, cmd->words[1].pos);
	*place = (struct trace_eprobe_place) { .group = group, .event = event };
	return split_filter(cmd, place);
}
