// SPDX-License-Identifier: GPL-2.0
/*
 * Definition and listing of watchpoint events.  The engine does the rest: see probe/define.c
 * and probe/dynevent.c.
 */
#include <linux/err.h>
#include <linux/kallsyms.h>
#include <linux/kasan.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/security.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "trace.h"
#include "wprobe.h"

/* Definition */

static void free_probe(struct probe *p)
{
	struct trace_wprobe *wp = trace_wprobe_of(p);

	trace_wprobe_free_cpus(wp);
	probe_fini(p);
	kfree(wp);
}

static int fail(struct probe_cmd *cmd, enum probe_err err, unsigned int pos, const char *detail)
{
	cmd->detail = detail;
	return probe_cmd_error(cmd, err, pos);
}

static int find_symbol(struct trace_wprobe *wp, struct probe_cmd *cmd)
{
	const struct trace_wprobe_place *place = &to_trace_wprobe_cmd(cmd)->place;
	const unsigned int pos = place->symbol.pos;
	unsigned int nr;

	wp->symbol = probe_arena_strndup(wp->probe.arena, place->symbol.s, place->symbol.len);
	if (!wp->symbol)
		return -ENOMEM;
	nr = probe_symbol_count(NULL, wp->symbol);
	if (nr > 1)
		return fail(cmd, PROBE_ERR_NON_UNIQ_SYMBOL, pos,
			    "use the address of one of the symbols");
	wp->start = kallsyms_lookup_name(wp->symbol);
	if (!wp->start)
		return fail(cmd, PROBE_ERR_NO_ACCESS_SYMBOL, pos,
			    IS_ENABLED(CONFIG_KALLSYMS_ALL) ? "there is no such symbol" :
			    "the kernel knows only symbols of functions, without KALLSYMS_ALL");
	wp->start += place->offs;
	return 0;
}

/* Refuse accesses, a length or an address that the machine cannot watch. */
static int check_place(const struct trace_wprobe *wp, struct probe_cmd *cmd)
{
	const struct trace_wprobe_place *place = &to_trace_wprobe_cmd(cmd)->place;
	int ret;

	ret = trace_wprobe_check(wp->access, 1, TRACE_WPROBE_NOWHERE);
	if (ret && ret != -ENOMEM)
		return fail(cmd, PROBE_ERR_BAD_ACCESS_TYPE, cmd->words[1].pos,
			    "this machine cannot watch only reads; use rw");
	if (!ret && wp->len > sizeof(long))
		ret = -EINVAL;
	ret = ret ?: trace_wprobe_check(wp->access, wp->len, TRACE_WPROBE_NOWHERE);
	if (ret && ret != -ENOMEM)
		return fail(cmd, PROBE_ERR_BAD_ACCESS_LEN, place->len_pos, NULL);
	if (!ret && !IS_ALIGNED(wp->start, wp->len))
		return fail(cmd, PROBE_ERR_BAD_ACCESS_ADDR, place->text.pos,
			    "the address is no multiple of the length");
	ret = ret ?: trace_wprobe_check(wp->access, wp->len, wp->start);
	if (!ret || ret == -ENOMEM)
		return ret;
	return fail(cmd, PROBE_ERR_BAD_ACCESS_ADDR, place->text.pos,
		    "the address is not in the kernel, or its entry code uses it");
}

/* The text for listing: the same place has the same text. */
static int set_text(struct trace_wprobe *wp, const struct trace_wprobe_place *place)
{
	struct probe_arena *arena = wp->probe.arena;

	if (!wp->symbol && wp->start)
		wp->place = probe_arena_printf(arena, "0x%lx", wp->start);
	else if (!wp->symbol)
		wp->place = "-1";
	else if (place->offs)
		wp->place = probe_arena_printf(arena, "%s%+ld", wp->symbol, place->offs);
	else
		wp->place = wp->symbol;
	return wp->place ? 0 : -ENOMEM;
}

static int set_place(struct trace_wprobe *wp, struct probe_cmd *cmd)
{
	const struct trace_wprobe_place *place = &to_trace_wprobe_cmd(cmd)->place;
	const struct probe_str word = cmd->words[1];
	int ret;

	/* The symbol is copied up to three times. */
	ret = probe_init(&wp->probe, 2 * word.len + place->symbol.len + 3,
			 cmd->nr_words - PROBE_FIRST_ARG);
	ret = ret ?: trace_wprobe_alloc_cpus(wp);
	if (ret)
		return ret;
	wp->word = probe_arena_strndup(wp->probe.arena, word.s, word.len);
	if (!wp->word)
		return -ENOMEM;
	wp->access = place->access;
	wp->len = place->len;
	wp->start = place->addr;
	if (place->symbol.s)
		ret = find_symbol(wp, cmd);
	/* With KASAN, an address may have a tag.  Addresses in debug registers have none. */
	wp->start = (unsigned long)kasan_reset_tag((void *)wp->start);
	return ret ?: set_text(wp, place) ?: check_place(wp, cmd);
}

static struct probe *create_probe(struct probe_cmd *cmd)
{
	struct trace_wprobe *wp = kzalloc(sizeof(*wp), GFP_KERNEL);
	int ret;

	if (!wp)
		return ERR_PTR(-ENOMEM);
	INIT_LIST_HEAD(&wp->armed);
	wp->addr = TRACE_WPROBE_OFF;
	ret = set_place(wp, cmd);
	if (ret) {
		free_probe(&wp->probe);
		return ERR_PTR(ret);
	}
	return &wp->probe;
}

static int set_scope(struct probe *p, struct probe_cmd *cmd, struct probe_scope *scope)
{
	const struct trace_wprobe *wp = trace_wprobe_of(p);
	const struct probe_saved saved[] = {
		{ "addr", offsetof(struct trace_wprobe_values, addr), sizeof(long) },
		{ "value", offsetof(struct trace_wprobe_values, value), wp->len },
		{ "old", offsetof(struct trace_wprobe_values, old), wp->len },
	};
	struct probe_saved *copy;

	copy = probe_arena_alloc(cmd->arena, sizeof(saved));
	if (!copy)
		return -ENOMEM;
	memcpy(copy, saved, sizeof(saved));
	scope->saved = copy;
	/* The last one, $old, is available only if writes hit. */
	scope->nr_saved = ARRAY_SIZE(saved) - !(wp->access & TRACE_WPROBE_W);
	return 0;
}

static const char *default_group(const struct probe *p)
{
	return "wprobes";
}

static void default_event_name(const struct probe *p, char *buf, size_t size)
{
	const struct trace_wprobe *wp = trace_wprobe_of(p);

	if (wp->symbol)
		snprintf(buf, size, "%s", wp->symbol);
	else if (wp->start)
		snprintf(buf, size, "w_0x%lx", wp->start);
	else
		snprintf(buf, size, "wprobe");
}

/* A trigger names an event, and sets its watchpoint: an event has only one. */
static const struct probe_event_ops wprobe_event_ops = {
	.nr_head	= 1,
	.head		= { PROBE_HEAD_IP },
	.head_fmt	= "(%lx)",
	.alone		= true,
	.print_head	= probe_print_ip,
	.arm		= probe_event_arm,
	.disarm		= probe_event_disarm,
};

static const struct probe_event_ops *event_ops(const struct probe *p)
{
	return &wprobe_event_ops;
}

static bool same_place(const struct probe *a, const struct probe *b)
{
	return false;
}

static int install_probe(struct probe *p, struct probe_cmd *cmd)
{
	return security_locked_down(LOCKDOWN_KPROBES) ?: probe_link(p, cmd);
}

static int run_command(struct probe_cmd *cmd)
{
	struct trace_wprobe_cmd *tc = to_trace_wprobe_cmd(cmd);
	unsigned int maxactive;

	return probe_parse_maxactive(cmd, false, &maxactive) ?: probe_parse_event_name(cmd) ?:
	       trace_wprobe_parse_place(cmd, &tc->place) ?:
	       probe_define(&trace_wprobe_provider, cmd);
}

/* Listing */

static void show_kind(const struct probe *p, struct seq_file *m)
{
	seq_putc(m, 'w');
}

static void show_place(const struct probe *p, struct seq_file *m)
{
	char place[TRACE_WPROBE_TEXT];

	trace_wprobe_show_place(p, place, sizeof(place));
	seq_puts(m, place);
}

/* @word can be the place as it was written, or as it is listed. */
static bool match_place(const struct probe *p, const char *word)
{
	char place[TRACE_WPROBE_TEXT];

	trace_wprobe_show_place(p, place, sizeof(place));
	return !strcmp(word, place) || !strcmp(word, trace_wprobe_of(p)->word);
}

struct probe_provider trace_wprobe_provider = {
	.name		= "wprobe",
	.kinds		= "w",
	.cmd_size	= sizeof(struct trace_wprobe_cmd),
	.run		= run_command,
	.create		= create_probe,
	.set_scope	= set_scope,
	.group		= default_group,
	.default_event_name	= default_event_name,
	.event_ops	= event_ops,
	.same_place	= same_place,
	.install	= install_probe,
	.free		= free_probe,
	.show_kind	= show_kind,
	.show_place	= show_place,
	.match_place	= match_place,
	.state		= trace_wprobe_state,
	.begin		= trace_wprobes_begin,
	.arm		= trace_wprobe_arm,
	.disarm		= trace_wprobe_disarm,
	.end		= trace_wprobes_end,
	.explain	= trace_wprobe_explain,
	.unregister	= trace_wprobes_unregister,
};

static int trace_wprobe_create(const char *raw)
{
	return probe_command(&trace_wprobe_provider, raw);
}

static int __init trace_wprobe_register_commands(void)
{
	return probe_provider_register(&trace_wprobe_provider, trace_wprobe_create);
}
core_initcall(trace_wprobe_register_commands);
