// SPDX-License-Identifier: GPL-2.0
/*
 * Kprobe events: commands that define probes at a list of places.
 *
 *   p:GROUP/EVENT SYM1+OFFS,SYM2+OFFS ARG...
 *
 * Each place gets a probe of its own, as if it had been given in a command of its own: a clone
 * of the parsed command.  All probes feed the event that the command names; without a name,
 * each has an event.  If a place is refused, no probe is defined.
 */
#include <linux/string.h>

#include "kprobe.h"
#include "probe/lex.h"

/* Clone the command for one place. */
static struct trace_kprobe_cmd *clone_for(struct trace_kprobe_cmd *tc, struct probe_str word)
{
	struct probe_cmd *one = probe_cmd_clone(&tc->cmd);
	size_t size = tc->cmd.nr_words * sizeof(*tc->cmd.words);

	if (!one)
		return NULL;
	one->words = probe_arena_alloc(one->arena, size);
	if (!one->words) {
		probe_cmd_free(one);
		return NULL;
	}
	memcpy(one->words, tc->cmd.words, size);
	one->words[1] = word;
	return to_trace_kprobe_cmd(one);
}

/* A pattern skips places that are refused, but a list does not. */
static int parse_place(struct trace_kprobe_cmd *one)
{
	unsigned int pos = one->cmd.words[1].pos;
	int ret = trace_kprobe_parse_place(&one->cmd, &one->place);

	if (!ret && (one->place.pattern || one->place.all))
		ret = probe_cmd_error(&one->cmd, PROBE_ERR_PATTERN_IN_LIST, pos);
	return ret;
}

/* Copy the error of the clone to the command. */
static void take_error(struct probe_cmd *cmd, const struct probe_cmd *one)
{
	if (one->err == PROBE_ERR_NONE)
		return;
	probe_cmd_error(cmd, one->err, one->err_pos);
	if (one->detail)
		cmd->detail = probe_arena_strndup(cmd->arena, one->detail, strlen(one->detail));
}

static int define_one(struct trace_kprobe_cmd *tc, struct probe_provider *provider,
		      struct probe_str word)
{
	struct trace_kprobe_cmd *one = clone_for(tc, word);
	int ret;

	if (!one)
		return -ENOMEM;
	ret = parse_place(one) ?: probe_define(provider, &one->cmd);
	if (ret)
		take_error(&tc->cmd, &one->cmd);
	probe_cmd_free(&one->cmd);
	return ret;
}

/**
 * trace_kprobe_define_list() - define probes at all places of a list
 * @tc: the command; its place is a list
 * @provider: defines the probe at one place
 *
 * Context: may sleep; takes event_mutex.
 * Return: 0; -ENOMEM; otherwise the errno of the error recorded in the command.
 */
int trace_kprobe_define_list(struct trace_kprobe_cmd *tc, struct probe_provider *provider)
{
	struct probe_str list = tc->place.word, word;
	struct probe_cmd *cmd = &tc->cmd;
	int ret;

	ret = probe_parse_event_name(cmd);
	if (ret)
		return ret;
	/* The command for the first place finds an error in the arguments again. */
	if (probe_parse_args(cmd))
		cmd->err = PROBE_ERR_NONE;
	tc->origin = trace_kprobe_new_origin();
	while (!ret && trace_kprobe_next_place(&list, &word))
		ret = define_one(tc, provider, word);
	if (ret)
		trace_kprobe_undo(provider, tc->origin);
	return ret;
}
