// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the parsers of watchpoint events: the place in a command, and triggers.
 *
 * Tables contain what each text means and, for each error, a text with a '^' before the
 * expected column.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/array_size.h>

#include "check.h"
#include "wprobe/place.h"
#include "wprobe/trigger_text.h"

static const char *err_name(enum probe_err err)
{
	return err < PROBE_NR_ERRORS ? probe_err_info[err].text : "no error";
}

/* Places: the word, and "ACCESS LENGTH SYMBOL OFFSET ADDRESS". */
static const struct {
	const char *word, *place;
} places[] = {
	{ "@jiffies", "3 4 jiffies 0 0" },
	{ "r@jiffies", "1 4 jiffies 0 0" },
	{ "w@jiffies:8", "2 8 jiffies 0 0" },
	{ "rw@jiffies:1", "3 1 jiffies 0 0" },
	{ "w@jiffies:0x2", "2 2 jiffies 0 0" },
	{ "rw@a.b.1+8:2", "3 2 a.b.1 8 0" },
	{ "rw@sym-0x10:4", "3 4 sym -16 0" },
	{ "w@_x+0", "2 4 _x 0 0" },
	{ "w@0xffff888000001000:8", "2 8 - 0 ffff888000001000" },
	{ "w@4096", "2 4 - 0 1000" },
	{ "rw@0:8", "3 8 - 0 0" },
	{ "rw@-1:8", "3 8 - 0 0" },
	{ "@-1", "3 4 - 0 0" },
};

static void test_places(void)
{
	struct trace_wprobe_place place;
	struct probe_cmd *cmd;
	char buf[300], got[300];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(places); i++) {
		snprintf(buf, sizeof(buf), "w:x %s  $addr", places[i].word);
		cmd = probe_cmd_open(buf, sizeof(*cmd));
		if (trace_wprobe_parse_place(cmd, &place)) {
			check(false, "%s: %s in column %u", places[i].word, err_name(cmd->err),
			      cmd->err_pos);
		} else {
			snprintf(got, sizeof(got), "%u %u %.*s %ld %lx", place.access, place.len,
				 place.symbol.s ? place.symbol.len : 1, place.symbol.s ?: "-",
				 place.offs, place.addr);
			check(!strcmp(got, places[i].place), "%s: parsed as %s, not %s",
			      places[i].word, got, places[i].place);
			check(!memcmp(place.text.s, strchr(places[i].word, '@') + 1,
				      place.text.len), "%s: wrong text", places[i].word);
		}
		probe_cmd_free(cmd);
		test_end("place %s", places[i].word);
	}
}

static const struct {
	const char *text;
	enum probe_err err;
} place_errors[] = {
	{ "w ^symbol", PROBE_ERR_BAD_ACCESS_FMT },
	{ "w ^0x1000:8", PROBE_ERR_BAD_ACCESS_FMT },
	{ "w ^a@symbol", PROBE_ERR_BAD_ACCESS_TYPE },
	{ "w ^wr@symbol", PROBE_ERR_BAD_ACCESS_TYPE },
	{ "w ^rwx@symbol", PROBE_ERR_BAD_ACCESS_TYPE },
	{ "w w@^", PROBE_ERR_BAD_ACCESS_ADDR },
	{ "w w@^:8", PROBE_ERR_BAD_ACCESS_ADDR },
	{ "w w@^0x", PROBE_ERR_BAD_ACCESS_ADDR },
	{ "w w@^12z", PROBE_ERR_BAD_ACCESS_ADDR },
	{ "w w@^0x10000000000000000", PROBE_ERR_BAD_ACCESS_ADDR },
	{ "w w@^-2", PROBE_ERR_BAD_ACCESS_ADDR },
	{ "w w@^+8", PROBE_ERR_BAD_ACCESS_ADDR },
	{ "w w@jiffies^+offset", PROBE_ERR_BAD_ACCESS_ADDR },
	{ "w w@jiffies^+", PROBE_ERR_BAD_ACCESS_ADDR },
	{ "w w@jiffies^-8+8", PROBE_ERR_BAD_ACCESS_ADDR },
	{ "w w@jiffies:^100", PROBE_ERR_BAD_ACCESS_LEN },
	{ "w w@jiffies:^3", PROBE_ERR_BAD_ACCESS_LEN },
	{ "w w@jiffies:^0", PROBE_ERR_BAD_ACCESS_LEN },
	{ "w w@jiffies:^", PROBE_ERR_BAD_ACCESS_LEN },
	{ "w w@jiffies:^8:8", PROBE_ERR_BAD_ACCESS_LEN },
	{ "w w@jiffies:^-8", PROBE_ERR_BAD_ACCESS_LEN },
};

/* Removes the '^' from a text, and returns its column. */
static unsigned int take_caret(char *to, const char *text)
{
	unsigned int pos = strcspn(text, "^");

	sprintf(to, "%.*s%s", (int)pos, text, text + pos + 1);
	return pos;
}

static void test_place_errors(void)
{
	struct trace_wprobe_place place;
	struct probe_cmd *cmd;
	unsigned int i, pos;
	char buf[300];

	for (i = 0; i < ARRAY_SIZE(place_errors); i++) {
		pos = take_caret(buf, place_errors[i].text);
		cmd = probe_cmd_open(buf, sizeof(*cmd));
		check(trace_wprobe_parse_place(cmd, &place), "%s: no error", buf);
		check(cmd->err == place_errors[i].err && cmd->err_pos == pos,
		      "%s: %s in column %u", buf, err_name(cmd->err), cmd->err_pos);
		probe_cmd_free(cmd);
		test_end("error in %s", place_errors[i].text);
	}
}

/* Triggers: the text, whether it needs a field, and "GROUP EVENT FIELD ADJUST COUNT". */
static const struct {
	const char *text;
	bool needs_field;
	const char *trigger;
} triggers[] = {
	{ "watch:obj", true, "- watch obj 0 -1" },
	{ "watch:obj+8", true, "- watch obj 8 -1" },
	{ "watch:obj-0x10:5", true, "- watch obj -16 5" },
	{ "watch:obj:0", true, "- watch obj 0 0" },
	{ "g/watch:obj:1", true, "g watch obj 0 1" },
	{ "g.watch:obj", true, "g watch obj 0 -1" },
	{ "watch", false, "- watch - 0 -1" },
	{ "watch:3", false, "- watch - 0 3" },
	{ "watch:obj+4:3", false, "- watch obj 4 3" },
	{ "watch:obj+4:count=3", true, "- watch obj 4 3" },
	{ "watch:obj:unlimited", true, "- watch obj 0 -1" },
	{ "watch:obj:unlimited", false, "- watch obj 0 -1" },
	{ "watch:count=7", false, "- watch - 0 7" },
	{ "watch:unlimited", false, "- watch - 0 -1" },
	{ "watch:unlimited", true, "- watch unlimited 0 -1" },
	{ "watch:unlimited:unlimited", false, "- watch unlimited 0 -1" },
};

static int len_of(struct probe_str s)
{
	return s.s ? s.len : 1;
}

static void test_triggers(void)
{
	struct trace_wprobe_trigger_text t;
	unsigned int i, pos;
	enum probe_err err;
	char got[300];

	for (i = 0; i < ARRAY_SIZE(triggers); i++) {
		const char *text = triggers[i].text;
		struct probe_str s = { .s = text, .len = strlen(text) };

		err = trace_wprobe_parse_trigger(s, triggers[i].needs_field, &t, &pos);
		if (check(err == PROBE_ERR_NONE, "%s: %s", text, err_name(err))) {
			snprintf(got, sizeof(got), "%.*s %.*s %.*s %ld %ld", len_of(t.group),
				 t.group.s ?: "-", len_of(t.event), t.event.s ?: "-",
				 len_of(t.field), t.field.s ?: "-", t.adjust,
				 t.count == LONG_MAX ? -1 : t.count);
			check(!strcmp(got, triggers[i].trigger), "%s: parsed as %s", text, got);
		}
		test_end("trigger %s", text);
	}
}

static const struct {
	const char *text;
	bool needs_field;
	enum probe_err err;
} trigger_errors[] = {
	{ "^", true, PROBE_ERR_NO_EVENT_NAME },
	{ "g/^", false, PROBE_ERR_NO_EVENT_NAME },
	{ "^/watch:obj", true, PROBE_ERR_NO_GROUP_NAME },
	{ "^1watch:obj", true, PROBE_ERR_BAD_EVENT_NAME },
	{ "watch^", true, PROBE_ERR_NO_WPROBE_FIELD },
	{ "watch:3^", true, PROBE_ERR_NO_WPROBE_FIELD },
	{ "watch:^", false, PROBE_ERR_NO_WPROBE_FIELD },
	{ "watch:^+8", true, PROBE_ERR_NO_WPROBE_FIELD },
	{ "watch:obj^+", true, PROBE_ERR_BAD_ADJUST },
	{ "watch:obj^-x:1", true, PROBE_ERR_BAD_ADJUST },
	{ "watch:obj:^", true, PROBE_ERR_BAD_COUNT },
	{ "watch:obj:^x", true, PROBE_ERR_BAD_COUNT },
	{ "watch:obj:^-1", true, PROBE_ERR_BAD_COUNT },
	{ "watch:obj:^0x7fffffffffffffff", true, PROBE_ERR_BAD_COUNT },
	{ "watch:obj:5:^6", true, PROBE_ERR_BAD_COUNT },
	{ "watch:5:^6", false, PROBE_ERR_BAD_COUNT },
	{ "watch:obj:count=^", true, PROBE_ERR_BAD_COUNT },
	{ "watch:obj:count=^x", true, PROBE_ERR_BAD_COUNT },
	{ "watch:obj:^limited", true, PROBE_ERR_BAD_COUNT },
	{ "watch:count=3^", true, PROBE_ERR_NO_WPROBE_FIELD },
	{ "watch:unlimited:^6x", false, PROBE_ERR_BAD_COUNT },
	{ "watch:obj:unlimited:^6", true, PROBE_ERR_BAD_COUNT },
};

static void test_trigger_errors(void)
{
	struct trace_wprobe_trigger_text t;
	unsigned int i, at, pos;
	struct probe_str s;
	enum probe_err err;
	char buf[300];

	for (i = 0; i < ARRAY_SIZE(trigger_errors); i++) {
		at = take_caret(buf, trigger_errors[i].text);
		s = (struct probe_str) { .s = buf, .len = strlen(buf) };
		err = trace_wprobe_parse_trigger(s, trigger_errors[i].needs_field, &t, &pos);
		check(err == trigger_errors[i].err && pos == at, "%s: %s in column %u", buf,
		      err_name(err), pos);
		test_end("error in trigger %s", trigger_errors[i].text);
	}
}

int main(void)
{
	ksft_print_header();
	ksft_set_plan(ARRAY_SIZE(places) + ARRAY_SIZE(place_errors) + ARRAY_SIZE(triggers) +
		      ARRAY_SIZE(trigger_errors));
	test_places();
	test_place_errors();
	test_triggers();
	test_trigger_errors();
	ksft_finished();
}
