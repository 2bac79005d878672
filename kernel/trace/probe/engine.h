/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Declarations shared by the files of the engine.  Providers see only probe.h and the
 * headers that it includes.
 */
#ifndef _PROBE_ENGINE_H
#define _PROBE_ENGINE_H

#include <linux/trace_events.h>

#include "probe.h"

struct module;
struct probe_arg_type;

/**
 * struct probe_arg_def - one argument of a probe, for listing and matching
 * @name: its name
 * @text: its expression and type, as kprobe_events shows them
 * @type: its type
 * @symbol: name of the symbol it reads from; NULL when there is none
 * @symbol_offs: bytes from that symbol
 * @symbol_pos: column of the symbol in the command
 */
struct probe_arg_def {
	const char		*name;
	const char		*text;
	const struct probe_arg_type	*type;
	const char		*symbol;
	long			symbol_offs;
	unsigned int		symbol_pos;
};

/* expand.c */
int probe_expand_args(struct probe_cmd *cmd, struct probe_scope *scope);

/* resolve.c */
int probe_resolve_arg(struct probe *p, unsigned int nr, struct probe_cmd *cmd,
		      struct probe_scope *scope);

/* probe.c */
int probe_set_args(struct probe *p, struct probe_cmd *cmd,
		   struct probe_scope *scope);
bool probe_same_args(const struct probe *a, const struct probe *b);

/* symbol.c */
#ifdef CONFIG_MODULES
struct module *probe_get_module(const char *name);
#else
static inline struct module *probe_get_module(const char *name)
{
	return NULL;
}
#endif

/* event.c */
int probe_event_register(struct probe_event *event);
int probe_event_join(struct probe_event *event, struct probe *p);
unsigned int probe_event_differs(const struct probe_event *event,
				 const struct probe *p);

/* print.c */
int probe_event_set_print_fmt(struct probe_event *event);
int probe_event_define_fields(struct trace_event_call *call);
enum print_line_t probe_event_print(struct trace_iterator *iter, int flags,
				    struct trace_event *trace_event);

/* hit.c */
int probe_scratch_get(void);

#endif /* _PROBE_ENGINE_H */
