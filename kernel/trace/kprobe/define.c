// SPDX-License-Identifier: GPL-2.0
/*
 * Definition and listing of kprobe events.  This file handles the places of probes.  The
 * engine does the rest: see probe/define.c and probe/dynevent.c.
 */
#define pr_fmt(fmt)	"trace_kprobe: " fmt

#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/string.h>

#include "kprobe.h"

/* Definition */

static struct probe *create_probe(struct probe_cmd *cmd)
{
	const struct trace_kprobe_cmd *tc = to_trace_kprobe_cmd(cmd);
	struct trace_kprobe *tk;
	int ret = 0;

	tk = trace_kprobe_alloc(&tc->place, cmd->kind == 'r' || tc->place.ret,
				cmd->nr_words - PROBE_FIRST_ARG);
	if (!tk)
		return ERR_PTR(-ENOMEM);
	if (trace_kprobe_is_return(tk))
		tk->rp.maxactive = tc->maxactive;
	tk->origin = tc->origin;
	tk->found = tc->found;

	if (trace_kprobe_symbol(tk) && !tk->found)
		ret = probe_symbol_check(tk->module, tk->function);
	if (ret) {
		trace_kprobe_explain_symbol(tk, cmd);
		ret = probe_cmd_error(cmd, ret == -EADDRNOTAVAIL ?
				      PROBE_ERR_NON_UNIQ_SYMBOL :
				      PROBE_ERR_BAD_PROBE_ADDR, tc->place.word.pos);
		trace_kprobe_free(tk);
		return ERR_PTR(ret);
	}
	return &tk->probe;
}

/* Find the function that begins at an address, or at an offset from another symbol. */
static int find_function(struct trace_kprobe *tk, struct probe_scope *scope)
{
	unsigned long addr = trace_kprobe_address(tk), size, offset;
	const char *symbol = trace_kprobe_symbol(tk);
	char name[KSYM_NAME_LEN];

	if (symbol && kallsyms_lookup_size_offset(addr, &size, &offset)) {
		/* The function has this name, but lookup_symbol_name() may find an alias. */
		if (kallsyms_lookup_name(symbol) == addr - offset)
			return 0;
		/* perf probe writes "_text+OFFS"; see set_function(). */
		if (!tk->found)
			scope->untyped = true;
	}
	if (lookup_symbol_name(addr, name))
		return 0;
	scope->func = probe_arena_strndup(tk->probe.arena, name, strlen(name));
	if (!scope->func)
		return -ENOMEM;
	if (!probe_module_at(addr, name))
		return 0;
	scope->module = probe_arena_strndup(tk->probe.arena, name, strlen(name));
	return scope->module ? 0 : -ENOMEM;
}

static int set_function(struct trace_kprobe *tk, struct probe_scope *scope)
{
	scope->func = tk->function;
	scope->module = tk->module;
	/*
	 * Earlier versions of kprobe events did not find the function in BTF for "MOD:SYM",
	 * or for an offset from another symbol such as _text.  Keep $argN and $retval plain
	 * numbers for existing users.
	 */
	scope->untyped = scope->module;
	if ((scope->is_entry || scope->is_return) && (!scope->func || tk->rp.kp.offset))
		return find_function(tk, scope);
	return 0;
}

static int set_scope(struct probe *p, struct probe_cmd *cmd, struct probe_scope *scope)
{
	struct trace_kprobe *tk = trace_kprobe_of(p);
	const char *symbol = trace_kprobe_symbol(tk);
	int ret;

	ret = kprobe_on_func_entry(tk->rp.kp.addr, symbol, tk->rp.kp.offset);
	if (trace_kprobe_is_return(tk)) {
		/* install_probe() refuses an address. */
		if (ret == -EINVAL && symbol)
			return probe_cmd_error(cmd, PROBE_ERR_BAD_RETPROBE,
					       cmd->words[1].pos);
		scope->is_return = true;
		scope->no_names = ret && !symbol;
	} else {
		/* In a module that is not loaded, only offset 0 is known to be an entry. */
		scope->is_entry = !ret || (ret == -ENOENT && symbol && !tk->rp.kp.offset);
		scope->no_names = ret;
	}
	return set_function(tk, scope);
}

static const char *default_group(const struct probe *p)
{
	return TRACE_KPROBE_GROUP;
}

static void default_event_name(const struct probe *p, char *buf, size_t size)
{
	const struct trace_kprobe *tk = trace_kprobe_of(p);
	char kind = trace_kprobe_is_return(tk) ? 'r' : 'p';

	if (trace_kprobe_symbol(tk))
		snprintf(buf, size, "%c_%s_%u", kind, trace_kprobe_symbol(tk),
			 tk->rp.kp.offset);
	else
		snprintf(buf, size, "%c_0x%p", kind, tk->rp.kp.addr);
}

static const struct probe_event_ops *event_ops(const struct probe *p)
{
	return trace_kprobe_event_ops(trace_kprobe_of(p));
}

static bool same_place(const struct probe *p1, const struct probe *p2)
{
	const struct trace_kprobe *a = trace_kprobe_of(p1), *b = trace_kprobe_of(p2);
	const char *s = trace_kprobe_symbol(a), *t = trace_kprobe_symbol(b);

	if (!s || !t)
		return s == t && a->addr == b->addr;
	return a->rp.kp.offset == b->rp.kp.offset && !strcmp(s, t);
}

/* Register a probe, unless its module is not loaded. */
static int install_probe(struct probe *p, struct probe_cmd *cmd)
{
	struct trace_kprobe *tk = trace_kprobe_of(p);
	int ret;

	if (trace_kprobe_forbids_override(tk))
		ret = -EINVAL;
	else
		ret = trace_kprobe_register(tk, probe_event_enabled(tk->probe.event), cmd);
	if (ret == -ENOENT && tk->module && !tk->found &&
	    probe_module_absent(tk->module)) {
		pr_info("%s is probed once its module is loaded\n", trace_kprobe_symbol(tk));
		cmd->err = PROBE_ERR_NONE;
		ret = 0;
	}
	if (ret && ret != -ENOMEM && cmd->err == PROBE_ERR_NONE)
		trace_kprobe_explain_place(tk, cmd, ret);
	if (ret == -EILSEQ)
		probe_cmd_error(cmd, PROBE_ERR_BAD_INSN_BNDRY, cmd->words[1].pos);
	else if (ret == -ENOENT)
		probe_cmd_error(cmd, PROBE_ERR_BAD_PROBE_ADDR, cmd->words[1].pos);
	return ret;
}

static void free_probe(struct probe *p)
{
	trace_kprobe_free(trace_kprobe_of(p));
}

/* Parse the place, and define probes there. */
static int run_command(struct probe_cmd *cmd)
{
	struct trace_kprobe_cmd *tc = to_trace_kprobe_cmd(cmd);
	int ret;

	ret = probe_parse_maxactive(cmd, cmd->kind == 'r', &tc->maxactive) ?:
	      trace_kprobe_parse_place(cmd, &tc->place);
	if (ret)
		return ret;
	if (tc->place.pattern || tc->place.all)
		return trace_kprobe_define_many(tc, &trace_kprobe_provider);
	if (tc->place.list)
		return trace_kprobe_define_list(tc, &trace_kprobe_provider);
	return probe_define(&trace_kprobe_provider, cmd);
}

/* Listing */

static void place_text(const struct trace_kprobe *tk, char *buf, size_t size)
{
	const char *symbol = trace_kprobe_symbol(tk);

	if (!symbol)
		snprintf(buf, size, "0x%p", tk->rp.kp.addr);
	else if (tk->rp.kp.offset)
		snprintf(buf, size, "%s+%u", symbol, tk->rp.kp.offset);
	else
		snprintf(buf, size, "%s", symbol);
}

static bool match_place(const struct probe *p, const char *word)
{
	const struct trace_kprobe *tk = trace_kprobe_of(p);
	char text[KSYM_NAME_LEN + MODULE_NAME_LEN + 16];
	unsigned long addr;

	/* Addresses are printed hashed, but the user may give the real address. */
	if (!trace_kprobe_symbol(tk) && !kstrtoul(word, 0, &addr) && addr == tk->addr)
		return true;
	place_text(tk, text, sizeof(text));
	return !strcmp(word, text);
}

static void show_kind(const struct probe *p, struct seq_file *m)
{
	const struct trace_kprobe *tk = trace_kprobe_of(p);

	seq_putc(m, trace_kprobe_is_return(tk) ? 'r' : 'p');
	if (trace_kprobe_is_return(tk) && tk->rp.maxactive)
		seq_printf(m, "%d", tk->rp.maxactive);
}

static void show_place(const struct probe *p, struct seq_file *m)
{
	char text[KSYM_NAME_LEN + MODULE_NAME_LEN + 16];

	place_text(trace_kprobe_of(p), text, sizeof(text));
	seq_puts(m, text);
}

struct probe_provider trace_kprobe_provider = {
	.name		= "trace_kprobe",
	.kinds		= "pr",
	.cmd_size	= sizeof(struct trace_kprobe_cmd),
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
	.state		= trace_kprobe_state,
	.begin		= trace_kprobes_begin,
	.arm		= trace_kprobe_arm,
	.disarm		= trace_kprobe_disarm,
	.end		= trace_kprobes_end,
	.unregister	= trace_kprobes_unregister,
};

static int trace_kprobe_create(const char *raw)
{
	return probe_command(&trace_kprobe_provider, raw);
}

/**
 * trace_kprobe_command() - run a command of kprobe_events
 * @raw: the command
 *
 * Context: may sleep.
 * Return: 0 or a negative errno.
 */
int trace_kprobe_command(const char *raw)
{
	return probe_run_command(&trace_kprobe_provider, raw);
}

static int __init trace_kprobe_register_commands(void)
{
	return probe_provider_register(&trace_kprobe_provider, trace_kprobe_create);
}
core_initcall(trace_kprobe_register_commands);
