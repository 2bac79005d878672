// SPDX-License-Identifier: GPL-2.0
/*
 * Kprobe events: commands that define probes on many functions.
 *
 *   p:GROUP/ [MODULE:]PATTERN ARG...	all functions whose names match
 *   p:GROUP/EVENT SYMBOL%all ARG...	all functions with this name
 *
 * trace_kprobe_define_many() finds the functions, and runs a separate command for each of
 * them: a clone of the parsed command with another place.  Functions that cannot be probed
 * are skipped, and the log shows how many and why.  If no function can be probed, the
 * command fails with the error of the first command that failed.  If a command for one
 * function fails for a general reason, such as a lack of memory, the probes that were
 * already defined are deleted again; see trace_kprobe_undo().
 *
 * The command for a symbol with an ambiguous name has the place "_stext+OFFSET", or the
 * address of the symbol if it is in a module.  If error_log shows an error of a command for
 * one function, it shows the text of a command with the same meaning; see log_error().
 */
#define pr_fmt(fmt)	"trace_kprobe: " fmt

#include <linux/atomic.h>
#include <linux/cleanup.h>
#include <linux/ftrace.h>
#include <linux/glob.h>
#include <linux/kallsyms.h>
#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/module_symbol.h>
#include <linux/preempt.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/string.h>

#ifdef CONFIG_PPC64_ELF_ABI_V2
#include <asm/code-patching.h>
#endif
#include <asm/sections.h>

#include "trace.h"
#include "kprobe.h"

/* Maximum number of characters of a command in the kernel log. */
#define MAX_SHOWN	200

/* Why a function is skipped. */
enum skip {
	SKIP_NOTRACE,
	SKIP_BLACKLISTED,
	SKIP_AMBIGUOUS,
	SKIP_DEFINED,
	SKIP_NAME_IN_USE,
	SKIP_ARGUMENTS,
	SKIP_JIT,
	SKIP_REFUSED,
	NR_SKIPS
};

static const char *const skip_text[NR_SKIPS] = {
	[SKIP_NOTRACE]		= "notrace",
	[SKIP_BLACKLISTED]	= "in the kprobes blacklist",
	[SKIP_AMBIGUOUS]	= "with an ambiguous name",
	[SKIP_DEFINED]		= "defined before",
	[SKIP_NAME_IN_USE]	= "with an event name in use",
	[SKIP_ARGUMENTS]	= "without these arguments",
	[SKIP_JIT]		= "with arguments that the BPF JIT refused",
	[SKIP_REFUSED]		= "refused by kprobes",
};

/**
 * struct matched_symbol - a symbol whose name matches
 * @name: its name
 * @module: its module; NULL: the kernel
 * @addr: its address
 * @ambiguous: a command with this name would be refused
 */
struct matched_symbol {
	const char	*name;
	const char	*module;
	unsigned long	addr;
	bool		ambiguous;
};

/**
 * struct many_probes - state of a command for many functions
 * @tc: the command
 * @provider: defines the probe on one function
 * @pattern: name or pattern in its place
 * @module: module in its place; NULL if not given
 * @origin: number of this command
 * @arena: memory of names
 * @found: symbols that match
 * @nr: number of @found
 * @size: allocated size of @found
 * @skipped: number of functions that were skipped, for each reason
 * @defined: number of probes that were defined
 * @failed: the first command that failed; NULL if there is none
 * @err: the error of @failed
 */
struct many_probes {
	const struct trace_kprobe_cmd	*tc;
	struct probe_provider	*provider;
	const char			*pattern;
	const char			*module;
	unsigned int			origin;
	struct probe_arena		*arena;
	struct matched_symbol		*found;
	unsigned int			nr;
	unsigned int			size;
	unsigned int			skipped[NR_SKIPS];
	unsigned int			defined;
	struct trace_kprobe_cmd		*failed;
	int				err;
};

/* Symbols */

static int add_symbol(struct many_probes *m, const char *name, const char *module,
		      unsigned long addr)
{
	struct matched_symbol *f;

	if (!glob_match(m->pattern, name))
		return 0;
	if (m->nr == m->size) {
		unsigned int size = m->size ? 2 * m->size : 64;

		f = kvrealloc(m->found, array_size(size, sizeof(*f)), GFP_KERNEL);
		if (!f)
			return -ENOMEM;
		m->found = f;
		m->size = size;
	}
	f = &m->found[m->nr++];
	*f = (struct matched_symbol) { .module = module, .addr = addr };
	f->name = probe_arena_strndup(m->arena, name, strlen(name));
	return f->name ? 0 : -ENOMEM;
}

static int add_kernel_symbol(void *data, const char *name, unsigned long addr)
{
	/* ".f" is the text of function f, and "f" is its descriptor. */
	if (IS_ENABLED(CONFIG_PPC64_ELF_ABI_V1) && *name++ != '.')
		return 0;
	return add_symbol(data, name, NULL, addr);
}

#ifdef CONFIG_MODULES
/* module_mutex is held, so the module cannot be freed. */
static int add_module_symbol(void *data, const char *name, unsigned long addr)
{
	struct module *mod = __module_address(addr);
	struct many_probes *m = data;
	const char *module;

	if (IS_ENABLED(CONFIG_PPC64_ELF_ABI_V1) && *name++ != '.')
		return 0;
	/* Unlike the kernel's table, the table of a module contains symbols of the assembler. */
	if (!mod || !*name || is_mapping_symbol(name) || !glob_match(m->pattern, name))
		return 0;
	/* Most symbols are in the same module as the previous symbol. */
	module = m->nr ? m->found[m->nr - 1].module : NULL;
	if (!module || strcmp(module, mod->name))
		module = probe_arena_strndup(m->arena, mod->name, strlen(mod->name));
	return module ? add_symbol(m, name, module, addr) : -ENOMEM;
}

static int find_module_symbols(struct many_probes *m)
{
	return module_kallsyms_on_each_symbol(m->module, add_module_symbol, m);
}
#else
static int find_module_symbols(struct many_probes *m)
{
	return 0;
}
#endif

static int by_name(const void *p1, const void *p2)
{
	const struct matched_symbol *a = p1, *b = p2;

	return strcmp(a->name, b->name);
}

static int by_address(const void *p1, const void *p2)
{
	const struct matched_symbol *a = p1, *b = p2;

	if (a->addr != b->addr)
		return a->addr < b->addr ? -1 : 1;
	return strcmp(a->name, b->name);
}

static bool same_scope(const struct matched_symbol *f, const struct matched_symbol *other)
{
	/* "SYM" is looked up in kernel and modules, "MOD:SYM" in one module. */
	return !f->module || (other->module && !strcmp(f->module, other->module));
}

/* Mark the ambiguous ones among @nr symbols that have the same name. */
static void mark_ambiguous(struct matched_symbol *found, unsigned int nr)
{
	unsigned int i, j;

	for (i = 0; i < nr; i++)
		for (j = 0; j < nr && !found[i].ambiguous; j++)
			found[i].ambiguous = i != j && same_scope(&found[i], &found[j]);
}

/* Is this the name of code that is not a whole function? */
static bool is_not_function(const char *name)
{
	return strstarts(name, "__pfx_") || strstarts(name, "__cfi_") || strstr(name, ".cold");
}

/* Is @f a better name of its function than @other? */
static bool is_better(const struct matched_symbol *f, const struct matched_symbol *other)
{
	char name[KSYM_NAME_LEN];

	if (f->ambiguous != other->ambiguous)
		return other->ambiguous;
	return !lookup_symbol_name(f->addr, name) && !strcmp(f->name, name);
}

/* Keep only functions, with one name for each.  Names of data may match, too. */
static void keep_functions(struct many_probes *m)
{
	struct matched_symbol *f = m->found, *end = f + m->nr, *to = f;

	for (; f < end; f++)
		if (kernel_text_address(f->addr) && !is_not_function(f->name))
			*to++ = *f;
	m->nr = to - m->found;
	sort(m->found, m->nr, sizeof(*f), by_address, NULL);

	for (f = m->found, end = to, to = f; f < end; f++) {
		if (to == m->found || to[-1].addr != f->addr)
			*to++ = *f;
		else if (is_better(f, &to[-1]))
			to[-1] = *f;
	}
	m->nr = to - m->found;
}

static int find_functions(struct many_probes *m)
{
	unsigned int i, begin = 0;
	int ret = 0;

	if (!m->module)
		ret = kallsyms_on_each_symbol(add_kernel_symbol, m);
	ret = ret ?: find_module_symbols(m);
	if (ret)
		return ret;

	sort(m->found, m->nr, sizeof(*m->found), by_name, NULL);
	for (i = 1; i <= m->nr; i++) {
		if (i < m->nr && !strcmp(m->found[i].name, m->found[begin].name))
			continue;
		/* Quadratic, but only names of data are shared by many symbols. */
		if (i - begin > 1)
			mark_ambiguous(m->found + begin, i - begin);
		begin = i;
		cond_resched();
	}
	keep_functions(m);
	return 0;
}

/* Commands for one function each */

/*
 * On powerpc, the symbol is the entry for calls through pointers.  The entry for direct
 * calls follows, and then the call of ftrace.  Kprobes puts a probe on the function at
 * that call, or else at the entry for direct calls.
 */
static unsigned long entry_of(unsigned long symbol)
{
#ifdef CONFIG_PPC64_ELF_ABI_V2
	unsigned long addr = 0;

	if (IS_ENABLED(CONFIG_KPROBES_ON_FTRACE))
		addr = ftrace_location(symbol);
	if (addr)
		return addr;
	/* The text of a module is not freed while preemption is disabled. */
	guard(preempt)();
	if (kernel_text_address(symbol))
		return ppc_function_entry((void *)symbol);
#endif
	return symbol;
}

static struct probe_str str(const char *s)
{
	return (struct probe_str) { .s = s, .len = strlen(s) };
}

static bool set_symbol(struct trace_kprobe_place *place, struct probe_arena *arena,
		       const struct matched_symbol *f)
{
	const char *symbol = f->name;

	if (f->module) {
		symbol = probe_arena_printf(arena, "%s:%s", f->module, f->name);
		if (!symbol)
			return false;
		place->module = str(f->module);
	}
	place->symbol = str(symbol);
	place->name = str(f->name);
	return true;
}

/* An address always works, but it has another meaning after the next boot. */
static bool set_place(struct trace_kprobe_cmd *one, const struct matched_symbol *f)
{
	const struct trace_kprobe_place *old = &one->place;
	struct trace_kprobe_place place = { .word = old->word, .ret = old->ret };
	unsigned long start = (unsigned long)_stext, addr;

	if (!f->ambiguous) {
		if (!set_symbol(&place, one->cmd.arena, f))
			return false;
	} else {
		addr = entry_of(f->addr);
		if (!f->module && addr > start && addr - start <= UINT_MAX) {
			place.symbol = str("_stext");
			place.name = place.symbol;
			place.offset = addr - start;
		} else {
			place.addr = addr;
		}
	}
	one->place = place;
	return true;
}

/* Name the event after the function, not after the place, if the command has no name. */
static bool set_event(struct trace_kprobe_cmd *one, const struct matched_symbol *f)
{
	char kind = one->place.ret ? 'r' : one->cmd.kind;
	struct probe_str *event = &one->cmd.event;
	char name[PROBE_MAX_NAME];

	if (event->s || !f->ambiguous)
		return true;
	snprintf(name, sizeof(name), "%c_%s_0", kind, f->name);
	sanitize_event_name(name);
	event->len = strlen(name);
	event->s = probe_arena_strndup(one->cmd.arena, name, event->len);
	return event->s;
}

/* The command for function @f. */
static struct trace_kprobe_cmd *clone_for(struct many_probes *m, const struct matched_symbol *f)
{
	struct probe_cmd *cmd = probe_cmd_clone(&m->tc->cmd);
	struct trace_kprobe_cmd *one;

	if (!cmd)
		return NULL;
	one = to_trace_kprobe_cmd(cmd);
	one->origin = m->origin;
	one->found = true;
	if (set_place(one, f) && set_event(one, f))
		return one;
	probe_cmd_free(cmd);
	return NULL;
}

static const char *place_text(const struct trace_kprobe_cmd *one)
{
	const struct trace_kprobe_place *place = &one->place;
	const char *suffix = place->ret ? "%return" : "";
	struct probe_str symbol = place->symbol;

	if (!symbol.s)
		return probe_arena_printf(one->cmd.arena, "0x%lx%s", place->addr, suffix);
	if (!place->offset)
		return probe_arena_printf(one->cmd.arena, "%.*s%s", symbol.len, symbol.s, suffix);
	return probe_arena_printf(one->cmd.arena, "%.*s+%lu%s", symbol.len, symbol.s,
				  place->offset, suffix);
}

/* Kind, group and event. */
static const char *head_text(const struct many_probes *m, const struct trace_kprobe_cmd *one)
{
	struct probe_str head = one->cmd.head, group = one->cmd.group, event = one->cmd.event;

	if (event.s == m->tc->cmd.event.s)
		return probe_arena_strndup(one->cmd.arena, one->cmd.text, one->cmd.words[0].len);
	return probe_arena_printf(one->cmd.arena, "%.*s:%.*s%s%.*s", head.len, head.s,
				  group.len, group.s ?: "", group.s ? "/" : "",
				  event.len, event.s);
}

/*
 * Write the error of a command for one function to error_log, with the text of that
 * command.  Until then, it has the text and columns of the command for many functions.
 */
static void log_error(const struct many_probes *m, struct trace_kprobe_cmd *one)
{
	unsigned int begin = one->place.word.pos, end = begin + one->place.word.len;
	const char *head = head_text(m, one), *place = place_text(one);
	struct probe_cmd *cmd = &one->cmd;
	char *text;

	if (!head || !place)
		return;
	text = probe_arena_printf(cmd->arena, "%s %s%s", head, place, cmd->text + end);
	if (!text)
		return;
	if (cmd->err_pos >= end)
		cmd->err_pos += strlen(head) + 1 + strlen(place) - end;
	else if (cmd->err_pos >= begin)
		cmd->err_pos += strlen(head) + 1 - begin;
	cmd->text = text;
	probe_log_error(m->provider, cmd);
}

static enum skip skip_reason(const struct probe_cmd *failed)
{
	switch (failed->err) {
	case PROBE_ERR_SAME_PROBE:
		return SKIP_DEFINED;
	case PROBE_ERR_EVENT_EXIST:
	case PROBE_ERR_DIFF_PROBE_TYPE:
	case PROBE_ERR_DIFF_ARG_TYPE:
		return SKIP_NAME_IN_USE;
	case PROBE_ERR_FAIL_REG_PROBE:
	case PROBE_ERR_BAD_INSN_BNDRY:
	case PROBE_ERR_BAD_PROBE_ADDR:
	case PROBE_ERR_BAD_RETPROBE:
		return SKIP_REFUSED;
	case PROBE_ERR_NO_JIT:
		return SKIP_JIT;
	default:
		return SKIP_ARGUMENTS;
	}
}

/* Would other functions fail, too?  -ENODEV: there is no event number left. */
static bool is_fatal_for_all(int err)
{
	return err == -ENOMEM || err == -ENODEV || err == -EPERM;
}

static int define_one(struct many_probes *m, const struct matched_symbol *f)
{
	struct trace_kprobe_cmd *one;
	int ret;

	one = clone_for(m, f);
	if (!one)
		return -ENOMEM;
	ret = probe_define(m->provider, &one->cmd);
	if (!ret) {
		m->defined++;
	} else if (is_fatal_for_all(ret)) {
		log_error(m, one);
	} else {
		m->skipped[skip_reason(&one->cmd)]++;
		if (!m->failed) {
			m->failed = one;
			m->err = ret;
			return 0;
		}
		ret = 0;
	}
	probe_cmd_free(&one->cmd);
	return ret;
}

static int define_all(struct many_probes *m)
{
	const struct matched_symbol *f;
	int ret = 0;

	for (f = m->found; f < m->found + m->nr && !ret; f++) {
		if (f->ambiguous && !m->tc->place.all)
			m->skipped[SKIP_AMBIGUOUS]++;
		else if (trace_kprobe_addr_is_notrace(f->addr))
			m->skipped[SKIP_NOTRACE]++;
		else if (within_kprobe_blacklist(f->addr))
			m->skipped[SKIP_BLACKLISTED]++;
		else
			ret = fatal_signal_pending(current) ? -EINTR : define_one(m, f);
		cond_resched();
	}
	return ret;
}

/**
 * trace_kprobe_new_origin() - get the number of a command for several places
 *
 * Context: any.
 * Return: the number, which is not 0.
 */
unsigned int trace_kprobe_new_origin(void)
{
	static atomic_t last;

	return atomic_inc_return(&last) ?: atomic_inc_return(&last);
}

/**
 * trace_kprobe_undo() - delete the probes that a command has defined
 * @provider: the provider
 * @origin: the number of the command
 *
 * The last probe of an event in use is not deleted.
 *
 * Context: may sleep; takes event_mutex.
 */
void trace_kprobe_undo(struct probe_provider *provider, unsigned int origin)
{
	struct probe *p, *next;

	guard(mutex)(&event_mutex);
	probe_begin_set(provider);
	list_for_each_entry_safe(p, next, &provider->probes, list)
		if (trace_kprobe_of(p)->origin == origin)
			probe_delete(p);
	probe_end_set(provider);
	/* The numbers of the events will be reused. */
	tracing_reset_all_online_cpus();
}

static void report(const struct many_probes *m)
{
	struct probe_str place = m->tc->place.word;
	char text[256];
	int i, len = 0;

	for (i = 0; i < NR_SKIPS; i++)
		if (m->skipped[i])
			len += scnprintf(text + len, sizeof(text) - len, "%s %u %s",
					 len ? "," : "; not probed:", m->skipped[i],
					 skip_text[i]);
	text[len] = '\0';
	/* The arguments may be longer than a line of the log. */
	pr_info("%.*s: %u probes%s\n", min_t(int, place.pos + place.len, MAX_SHOWN),
		m->tc->cmd.text, m->defined, text);
}

static int run(struct many_probes *m, struct probe_cmd *cmd)
{
	int ret;

	ret = find_functions(m) ?: define_all(m);
	if (ret) {
		trace_kprobe_undo(m->provider, m->origin);
		return ret;
	}
	report(m);
	if (m->defined)
		return 0;
	if (!m->failed)
		return probe_cmd_error(cmd, PROBE_ERR_NO_FUNCTION, m->tc->place.name.pos);
	log_error(m, m->failed);
	return m->err;
}

/**
 * trace_kprobe_define_many() - define probes on all functions that a command names
 * @tc: the command; its place has a pattern or "%all"
 * @provider: defines the probe on one function
 *
 * Context: may sleep; takes event_mutex.
 * Return: 0 if at least one probe was defined; -ENOENT if no function matches, or all were
 * skipped before a probe was tried; -EINTR after a fatal signal; -ENOMEM; an error of
 * probe_parse_event_name(); or the error of a command for one function.
 */
int trace_kprobe_define_many(struct trace_kprobe_cmd *tc, struct probe_provider *provider)
{
	struct many_probes m = {
		.tc = tc, .provider = provider, .origin = trace_kprobe_new_origin(),
	};
	const struct trace_kprobe_place *place = &tc->place;
	struct probe_cmd *cmd = &tc->cmd;
	int ret;

	ret = probe_parse_event_name(cmd);
	if (ret)
		return ret;
	/*
	 * An error in the arguments is an error of each command for one function, which may
	 * have another error that comes first.  Those commands find it again.
	 */
	if (probe_parse_args(cmd) || probe_parse_predicate(cmd))
		cmd->err = PROBE_ERR_NONE;

	m.arena = probe_arena_new(1000);
	if (!m.arena)
		return -ENOMEM;
	m.pattern = probe_arena_strndup(m.arena, place->name.s, place->name.len);
	if (place->module.s)
		m.module = probe_arena_strndup(m.arena, place->module.s, place->module.len);
	if (m.pattern && (m.module || !place->module.s))
		ret = run(&m, cmd);
	else
		ret = -ENOMEM;
	if (m.failed)
		probe_cmd_free(&m.failed->cmd);
	kvfree(m.found);
	probe_arena_free(m.arena);
	return ret;
}
