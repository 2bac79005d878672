// SPDX-License-Identifier: GPL-2.0
/*
 * Definition and listing of fprobe events: probes at functions ('f') and at tracepoints ('t').
 * The engine does the rest: see probe/define.c and probe/dynevent.c.
 */
#define pr_fmt(fmt)	"trace_fprobe: " fmt

#include <linux/ctype.h>
#include <linux/err.h>
#include <linux/ftrace.h>
#include <linux/kallsyms.h>
#include <linux/module.h>
#include <linux/rcupdate.h>
#include <linux/rethook.h>
#include <linux/security.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

#include "trace.h"
#include "fprobe.h"

static bool is_tracepoint(const struct trace_fprobe *tf)
{
	return tf->kind == TRACE_FPROBE_TRACEPOINT;
}

static bool is_return(const struct trace_fprobe *tf)
{
	return tf->kind == TRACE_FPROBE_RETURN;
}

/* Definition */

static void free_probe(struct probe *p)
{
	struct trace_fprobe *tf = trace_fprobe_of(p);

	if (!is_tracepoint(tf))
		trace_fprobe_free_sites(&tf->sites);
	probe_fini(p);
	kfree(tf);
}

/* Copy a name; NULL if it is absent. */
static int copy(struct trace_fprobe *tf, const char **to, struct probe_str s)
{
	if (!s.s)
		return 0;
	*to = probe_arena_strndup(tf->probe.arena, s.s, s.len);
	return *to ? 0 : -ENOMEM;
}

static int set_place(struct trace_fprobe *tf, const struct trace_fprobe_cmd *tc)
{
	const struct trace_fprobe_place *place = &tc->place;
	int ret;

	ret = copy(tf, &tf->symbol, place->symbol);
	if (ret)
		return ret;
	if (is_tracepoint(tf)) {
		trace_fprobe_set_tracepoint(tf, tc->tp, tc->tp_module);
		return 0;
	}
	return copy(tf, &tf->module, place->module) ?: copy(tf, &tf->function, place->name);
}

static struct probe *create_probe(struct probe_cmd *cmd)
{
	const struct trace_fprobe_cmd *tc = to_trace_fprobe_cmd(cmd);
	struct trace_fprobe *tf;
	int ret;

	tf = kzalloc(sizeof(*tf), GFP_KERNEL);
	if (!tf)
		return ERR_PTR(-ENOMEM);
	tf->kind = tc->place.kind;
	tf->maxactive = tc->maxactive;
	if (!is_tracepoint(tf))
		INIT_LIST_HEAD(&tf->sites);
	/* The names of a module and a function are copied twice. */
	ret = probe_init(&tf->probe, 2 * tc->place.symbol.len + 3,
			 cmd->nr_words - PROBE_FIRST_ARG);
	ret = ret ?: set_place(tf, tc);
	if (ret) {
		free_probe(&tf->probe);
		return ERR_PTR(ret);
	}
	return &tf->probe;
}

/* The parameters of a tracepoint are those of its empty function, after the first. */
static int set_tracepoint_scope(struct trace_fprobe *tf, struct probe_scope *scope)
{
	char name[KSYM_NAME_LEN];

	scope->is_entry = true;
	scope->saved_args = TRACE_FPROBE_TP_ARGS;
	scope->skip_params = 1;
	if (!tf->tp || lookup_symbol_name((unsigned long)tf->tp->probestub, name))
		return 0;
	scope->func = probe_arena_strndup(tf->probe.arena, name, strlen(name));
	return scope->func ? 0 : -ENOMEM;
}

static int set_scope(struct probe *p, struct probe_cmd *cmd, struct probe_scope *scope)
{
	struct trace_fprobe *tf = trace_fprobe_of(p);

	scope->no_registers = true;
	if (is_tracepoint(tf))
		return set_tracepoint_scope(tf, scope);
	scope->is_entry = !is_return(tf);
	scope->is_return = is_return(tf);
	scope->func = tf->function;
	scope->module = tf->module;
	return 0;
}

static const char *default_group(const struct probe *p)
{
	return is_tracepoint(trace_fprobe_of(p)) ? "tracepoints" : "fprobes";
}

static void default_event_name(const struct probe *p, char *buf, size_t size)
{
	const struct trace_fprobe *tf = trace_fprobe_of(p);

	if (is_tracepoint(tf))
		snprintf(buf, size, "%s%s", isdigit(tf->symbol[0]) ? "_" : "", tf->symbol);
	else
		snprintf(buf, size, "%s__%s", tf->symbol, is_return(tf) ? "exit" : "entry");
}

/* All probes of an event have the same constants, and so are of the same kind. */
static const struct probe_event_ops ops[] = {
	[TRACE_FPROBE_ENTRY ... TRACE_FPROBE_TRACEPOINT] = {
		.nr_head	= 1,
		.head		= { PROBE_HEAD_IP },
		.head_fmt	= "(%lx)",
		.flag		= TRACE_EVENT_FL_FPROBE,
		.print_head	= probe_print_ip,
		.arm		= probe_event_arm,
		.disarm		= probe_event_disarm,
	},
	[TRACE_FPROBE_RETURN] = {
		.nr_head	= 2,
		.head		= { PROBE_HEAD_FUNC, PROBE_HEAD_RET_IP },
		.head_fmt	= "(%lx <- %lx)",
		.flag		= TRACE_EVENT_FL_FPROBE,
		.print_head	= probe_print_return,
		.arm		= probe_event_arm,
		.disarm		= probe_event_disarm,
	},
};

static const struct probe_event_ops *event_ops(const struct probe *p)
{
	return &ops[trace_fprobe_of(p)->kind];
}

static bool same_place(const struct probe *a, const struct probe *b)
{
	return !strcmp(trace_fprobe_of(a)->symbol, trace_fprobe_of(b)->symbol);
}

static bool waits_for_module(const struct trace_fprobe *tf)
{
	if (is_tracepoint(tf))
		return !tf->tp;
	return tf->module && probe_module_absent(tf->module);
}

/* Modules that are loaded and unloaded change the call sites of the probes that are listed. */
static int find_sites(struct trace_fprobe *tf, struct probe_cmd *cmd)
{
	int ret;

	if (is_tracepoint(tf))
		return 0;
	ret = trace_fprobe_find_functions(tf, tf->module, &tf->sites);
	if (!ret && list_empty(&tf->sites) && !waits_for_module(tf))
		ret = probe_cmd_error(cmd, PROBE_ERR_FAIL_REG_PROBE, cmd->words[1].pos);
	return ret;
}

/* A symbol that an argument reads can be in the module that is not loaded. */
static int link(struct trace_fprobe *tf, struct probe_cmd *cmd)
{
	int ret = probe_link(&tf->probe, cmd);

	if (ret == -ENOENT && waits_for_module(tf)) {
		cmd->err = PROBE_ERR_NONE;
		ret = 0;
	}
	return ret;
}

/* Arm a new probe of an event that is enabled. */
static int arm_now(struct probe *p)
{
	if (trace_fprobe_state(p) == PROBE_GONE)
		return 0;
	trace_fprobes_begin();
	trace_fprobe_arm(p);
	return trace_fprobes_end();
}

static int install_probe(struct probe *p, struct probe_cmd *cmd)
{
	struct trace_fprobe *tf = trace_fprobe_of(p);
	int ret;

	ret = security_locked_down(LOCKDOWN_KPROBES);
	if (ret)
		return ret;
	ret = find_sites(tf, cmd) ?: link(tf, cmd);
	if (!ret && is_return(tf))
		ret = trace_fprobe_alloc_rethook(tf);
	if (!ret && probe_event_enabled(p->event))
		ret = arm_now(p);
	if (ret && is_return(tf) && tf->rethook) {
		rethook_free(tf->rethook);
		tf->rethook = NULL;
		/* A call that was hooked while the probe was armed may return now. */
		synchronize_rcu();
	}
	return ret;
}

static int find_place(struct trace_fprobe_cmd *tc)
{
	struct probe_cmd *cmd = &tc->cmd;

	if (tc->place.kind != TRACE_FPROBE_TRACEPOINT)
		return trace_fprobe_check_symbol(cmd, tc->place.symbol);
	/* A module that is loaded later may have the tracepoint. */
	if (!trace_fprobe_find_tracepoint(tc) && !IS_ENABLED(CONFIG_MODULES))
		return probe_cmd_error(cmd, PROBE_ERR_NO_TRACEPOINT, cmd->words[1].pos);
	return 0;
}

static int run_command(struct probe_cmd *cmd)
{
	struct trace_fprobe_cmd *tc = to_trace_fprobe_cmd(cmd);
	int ret;

	ret = probe_parse_maxactive(cmd, true, &tc->maxactive) ?:
	      trace_fprobe_parse_place(cmd, &tc->place);
	if (!ret && tc->maxactive && tc->place.kind != TRACE_FPROBE_RETURN)
		ret = probe_cmd_error(cmd, PROBE_ERR_BAD_MAXACT_TYPE, cmd->head.pos + 1);
	ret = ret ?: probe_parse_event_name(cmd) ?: find_place(tc) ?:
	      probe_define(&trace_fprobe_provider, cmd);
	module_put(tc->tp_module);
	return ret;
}

/* Listing */

static void show_kind(const struct probe *p, struct seq_file *m)
{
	const struct trace_fprobe *tf = trace_fprobe_of(p);

	seq_putc(m, is_tracepoint(tf) ? 't' : 'f');
	if (tf->maxactive)
		seq_printf(m, "%u", tf->maxactive);
}

static void show_place(const struct probe *p, struct seq_file *m)
{
	const struct trace_fprobe *tf = trace_fprobe_of(p);

	seq_printf(m, "%s%s", tf->symbol, is_return(tf) ? "%return" : "");
}

/* The word has no suffix, for compatibility. */
static bool match_place(const struct probe *p, const char *word)
{
	return !strcmp(trace_fprobe_of(p)->symbol, word);
}

struct probe_provider trace_fprobe_provider = {
	.name		= "trace_fprobe",
	.kinds		= "ft",
	.cmd_size	= sizeof(struct trace_fprobe_cmd),
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
	.state		= trace_fprobe_state,
	.begin		= trace_fprobes_begin,
	.arm		= trace_fprobe_arm,
	.disarm		= trace_fprobe_disarm,
	.end		= trace_fprobes_end,
	.unregister	= trace_fprobes_unregister,
};

static int trace_fprobe_create(const char *raw)
{
	return probe_command(&trace_fprobe_provider, raw);
}

static int __init trace_fprobe_register_commands(void)
{
	return probe_provider_register(&trace_fprobe_provider, trace_fprobe_create);
}
core_initcall(trace_fprobe_register_commands);
