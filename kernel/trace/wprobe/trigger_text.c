// SPDX-License-Identifier: GPL-2.0
/*
 * Watchpoint events: parser of a trigger command.
 *
 *   set_wprobe:[GROUP/]EVENT:FIELD[+ADJUST|-ADJUST][:COUNT]
 *   clear_wprobe:[GROUP/]EVENT[:FIELD[+ADJUST|-ADJUST]][:COUNT]
 *
 * COUNT is a number, "count=" and a number, or "unlimited".  The listing has the last two, so that
 * a listed trigger can be written again, or removed.  No field has a name like a number, or with
 * '='.  A field can have the name "unlimited": then COUNT must follow in a command that needs no
 * field.
 */
#include <linux/limits.h>
#include <linux/string.h>

#include "probe/lex.h"
#include "trigger_text.h"

#define COUNT_PREFIX	"count="

/* The text up to the next colon; @rest becomes the text after it, or is absent. */
static struct probe_str next_part(struct probe_str *rest)
{
	struct probe_str s = *rest;
	int colon = probe_str_find(s, ':');

	*rest = (struct probe_str) {};
	if (colon < 0)
		return s;
	*rest = probe_str_from(s, colon + 1);
	return probe_str_cut(s, 0, colon);
}

static enum probe_err parse_field(struct probe_str s, struct trace_wprobe_trigger_text *t,
				  unsigned int *pos)
{
	unsigned int i;

	for (i = 0; i < s.len; i++)
		if (s.s[i] == '+' || s.s[i] == '-')
			break;
	t->field = probe_str_cut(s, 0, i);
	*pos = s.pos;
	if (!i)
		return PROBE_ERR_NO_WPROBE_FIELD;
	*pos = s.pos + i;
	if (i < s.len && probe_str_signed(probe_str_from(s, i), &t->adjust))
		return PROBE_ERR_BAD_ADJUST;
	return PROBE_ERR_NONE;
}

static bool has_prefix(struct probe_str s)
{
	const unsigned int len = strlen(COUNT_PREFIX);

	return s.len >= len && !memcmp(s.s, COUNT_PREFIX, len);
}

/* Is the part after the event COUNT, not the field?  @is_last: no part follows. */
static bool is_count(struct probe_str s, bool is_last, bool needs_field)
{
	return (s.len && probe_is_digit(s.s[0])) || has_prefix(s) ||
	       (is_last && !needs_field && probe_str_is(s, "unlimited"));
}

static enum probe_err parse_count(struct probe_str s, struct trace_wprobe_trigger_text *t,
				  unsigned int *pos)
{
	unsigned long count;

	if (probe_str_is(s, "unlimited"))
		return PROBE_ERR_NONE;
	if (has_prefix(s))
		s = probe_str_from(s, strlen(COUNT_PREFIX));
	*pos = s.pos;
	if (probe_str_number(s, &count) || count >= LONG_MAX)
		return PROBE_ERR_BAD_COUNT;
	t->count = count;
	return PROBE_ERR_NONE;
}

/**
 * trace_wprobe_parse_trigger() - parse a trigger command
 * @s: the text after the name of the trigger and a colon, without the filter
 * @needs_field: the command must have FIELD
 * @t: filled in
 * @pos: set to the column of an error
 *
 * Context: any.
 * Return: PROBE_ERR_NONE, or the error.
 */
enum probe_err trace_wprobe_parse_trigger(struct probe_str s, bool needs_field,
					  struct trace_wprobe_trigger_text *t,
					  unsigned int *pos)
{
	struct probe_str rest = s, part = next_part(&rest);
	enum probe_err err;

	*t = (struct trace_wprobe_trigger_text) { .count = LONG_MAX };
	err = probe_parse_name(part, &t->group, &t->event, pos);
	if (err != PROBE_ERR_NONE)
		return err;
	*pos = s.pos + s.len;
	if (!t->event.s)
		return PROBE_ERR_NO_EVENT_NAME;
	part = next_part(&rest);
	if (part.s && !is_count(part, !rest.s, needs_field)) {
		err = parse_field(part, t, pos);
		part = next_part(&rest);
	} else if (needs_field) {
		err = PROBE_ERR_NO_WPROBE_FIELD;
	}
	if (err == PROBE_ERR_NONE && part.s)
		err = parse_count(part, t, pos);
	if (err == PROBE_ERR_NONE && rest.s) {
		*pos = rest.pos;
		err = PROBE_ERR_BAD_COUNT;
	}
	return err;
}
