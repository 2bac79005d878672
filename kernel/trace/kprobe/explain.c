// SPDX-License-Identifier: GPL-2.0
/*
 * Kprobe events: why a place is refused, and which other place may be meant.
 *
 * error_log shows these texts after the message of the error.
 */
#include <linux/errno.h>
#include <linux/kallsyms.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/string.h>

#include "kprobe.h"

/**
 * struct variants - symbols whose names are a name with a suffix that the compiler added
 * @name: the name
 * @len: its length
 * @text: list of the symbols, as long as there is room
 * @used: characters in @text
 * @more: number of symbols that are not in @text
 */
struct variants {
	const char	*name;
	size_t		len;
	char		text[200];
	unsigned int	used;
	unsigned int	more;
};

static int add_variant(void *data, const char *name, unsigned long addr)
{
	struct variants *v = data;

	/* "f.cold" is only a part of f, and does not replace it. */
	if (strncmp(name, v->name, v->len) || name[v->len] != '.' || strstr(name, ".cold"))
		return 0;
	if (v->more || v->used + strlen(name) + 3 > sizeof(v->text))
		v->more++;
	else
		v->used += scnprintf(v->text + v->used, sizeof(v->text) - v->used, "%s%s",
				     v->used ? ", " : "", name);
	return 0;
}

static const char *explain_missing(const struct trace_kprobe *tk, struct probe_arena *arena)
{
	static const char none[] = "there is no such symbol";
	const char *name = tk->function;
	struct variants v = { .name = name, .len = strlen(name) };

	if (!tk->module)
		kallsyms_on_each_symbol(add_variant, &v);
	module_kallsyms_on_each_symbol(tk->module, add_variant, &v);
	if (v.more && v.used)
		return probe_arena_printf(arena, "%s, but there are %s and %u more", none, v.text,
					  v.more);
	if (v.used)
		return probe_arena_printf(arena, "%s, but there %s %s", none,
					  strchr(v.text, ',') ? "are" : "is", v.text);
	return "there is no such symbol; the compiler may have inlined the function";
}

/* Is the place SYM%return?  %return can follow neither SYM%all nor an address. */
static bool has_return_suffix(const struct trace_kprobe *tk, const struct probe_cmd *cmd)
{
	return trace_kprobe_is_return(tk) && cmd->kind == 'p';
}

/**
 * trace_kprobe_explain_symbol() - explain why a symbol is refused
 * @tk:		the probe, with a symbol
 * @cmd:	its command; gets the detail of the error
 *
 * Context: may sleep.
 */
void trace_kprobe_explain_symbol(const struct trace_kprobe *tk, struct probe_cmd *cmd)
{
	unsigned int count = probe_symbol_count(tk->module, tk->function);

	if (!count)
		cmd->detail = explain_missing(tk, cmd->arena);
	else if (tk->rp.kp.offset)
		cmd->detail = probe_arena_printf(cmd->arena, "%u symbols have this name", count);
	else
		cmd->detail = probe_arena_printf(cmd->arena, "%u symbols have this name; "
						 "use %s%s%%all, or the address of one of them",
						 count, has_return_suffix(tk, cmd) ? "r with " : "",
						 trace_kprobe_symbol(tk));
}

/* Is it a return probe at an address that is not the entry of a function? */
static bool returns_from_no_entry(const struct trace_kprobe *tk)
{
	return trace_kprobe_is_return(tk) && !trace_kprobe_symbol(tk) &&
	       kprobe_on_func_entry((kprobe_opcode_t *)tk->addr, NULL, 0) == -EINVAL;
}

/**
 * trace_kprobe_explain_place() - explain why a probe cannot be registered
 * @tk:		the probe
 * @cmd:	its command; gets the detail of the error
 * @err:	the error
 *
 * Context: may sleep; event_mutex is held.
 */
void trace_kprobe_explain_place(const struct trace_kprobe *tk, struct probe_cmd *cmd, int err)
{
	char text[KSYM_NAME_LEN + 128];

	if (err == -EPERM)
		cmd->detail = "kprobes are not allowed in a kernel that is locked down";
	else if (trace_kprobe_forbids_override(tk))
		cmd->detail = "a BPF program of the event may not override return values here";
	else if (returns_from_no_entry(tk))
		cmd->detail = "a return probe must be at the entry of a function";
	else if (kprobe_explain(&tk->rp.kp, text, sizeof(text)))
		cmd->detail = probe_arena_strndup(cmd->arena, text, strlen(text));
	else if (trace_kprobe_is_notrace(tk))
		cmd->detail = "the function is notrace";
}
