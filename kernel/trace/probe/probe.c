// SPDX-License-Identifier: GPL-2.0
/*
 * The arguments and the predicate of one probe: from a parsed command to a fetch program, and
 * back to text.
 *
 * The address of a symbol that an argument reads ("@counter") can change: the module that
 * has both the symbol and the place of the probe may be loaded again at another address.
 * So probe_link() generates the fetch program each time the provider is about to register
 * the probe.
 */
#include <linux/kallsyms.h>
#include <linux/percpu.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "trace.h"

#include "code.h"
#include "dump.h"
#include "engine.h"
#include "expr.h"
#include "fetch.h"
#include "formula.h"
#include "helpers.h"
#include "predicate.h"
#include "record.h"

/**
 * probe_init() - initialize a probe without arguments
 * @p: the probe
 * @names: bytes that the provider will allocate from the arena of @p
 * @nr_args: number of arguments that @p will probably have
 *
 * Return: 0 or -ENOMEM.
 */
int probe_init(struct probe *p, size_t names, unsigned int nr_args)
{
	/* The texts of an argument such as "a=%di" fit into 8 bytes. */
	size_t arg = sizeof(*p->args) + sizeof(*p->fetch) + 8;

	memset(p, 0, sizeof(*p));
	INIT_LIST_HEAD(&p->list);
	INIT_LIST_HEAD(&p->siblings);
	p->arena = probe_arena_new(names + nr_args * arg);
	return p->arena ? 0 : -ENOMEM;
}

static bool is_reserved(const char *name)
{
	static const char * const reserved[] = {
		"common_type", "common_flags", "common_preempt_count",
		"common_pid", "common_tgid",
		PROBE_HEAD_IP, PROBE_HEAD_FUNC, PROBE_HEAD_RET_IP,
	};

	return match_string(reserved, ARRAY_SIZE(reserved), name) >= 0;
}

/*
 * The name of an argument, followed by its expression and type as in a command.  An argument
 * without NAME= has the name of the parameter if the expression is just a parameter, otherwise
 * "argN" with the number of the argument.
 */
static const char *compose_name(struct probe *p, const struct probe_arg_ast *arg, unsigned int nr)
{
	struct probe_str name = arg->name, text = arg->text, type = arg->type.text;
	char number[sizeof("arg4294967295")];

	if (!name.s && arg->expr->kind == PROBE_EXPR_NAME) {
		name = arg->expr->str;
	} else if (!name.s) {
		name.s = number;
		name.len = snprintf(number, sizeof(number), "arg%u", nr + 1);
	}
	return probe_arena_printf(p->arena, "%.*s%c%.*s%s%.*s", name.len, name.s, '\0',
				  text.len, text.s, type.s ? ":" : "", type.len, type.s ?: "");
}

static int set_name(struct probe *p, unsigned int nr, struct probe_cmd *cmd)
{
	const struct probe_arg_ast *arg = &cmd->args[nr];
	struct probe_arg_def *def = &p->args[nr];
	unsigned int i;

	def->name = compose_name(p, arg, nr);
	if (!def->name)
		return -ENOMEM;

	if (is_reserved(def->name))
		return probe_cmd_error(cmd, PROBE_ERR_USED_ARG_NAME, arg->word.pos);
	for (i = 0; i < nr; i++)
		if (!strcmp(p->args[i].name, def->name))
			return probe_cmd_error(cmd, PROBE_ERR_USED_ARG_NAME,
					       arg->word.pos);
	return 0;
}

/* The operand of nested dereferences. */
static const struct probe_expr *innermost(const struct probe_expr *e)
{
	while (e->kind == PROBE_EXPR_DEREF)
		e = e->base;
	return e;
}

static int set_arg(struct probe *p, unsigned int nr, struct probe_cmd *cmd,
		   struct probe_scope *scope)
{
	return set_name(p, nr, cmd) ?:
	       probe_resolve_expr(p, &cmd->args[nr], &p->fetch[nr], &p->args[nr], cmd, scope,
				  false);
}

static int set_all_args(struct probe *p, struct probe_cmd *cmd, struct probe_scope *scope)
{
	unsigned int i, size = 0;
	int ret;

	p->args = probe_arena_alloc(p->arena, array_size(cmd->nr_args,
							 sizeof(*p->args)));
	p->fetch = probe_arena_alloc(p->arena, array_size(cmd->nr_args,
							  sizeof(*p->fetch)));
	if (!p->args || !p->fetch)
		return -ENOMEM;

	for (i = 0; i < cmd->nr_args; i++) {
		ret = set_arg(p, i, cmd, scope);
		if (ret)
			return ret;
		size += p->fetch[i].size * max(p->fetch[i].count, 1);
		if (size > PROBE_MAX_FIXED)
			return probe_cmd_error(cmd, PROBE_ERR_EVENT_TOO_BIG,
					       innermost(cmd->args[i].expr)->pos);
		p->nr_args++;
	}
	return 0;
}

static int set_checks(struct probe *p, struct probe_cmd *cmd, struct probe_scope *scope)
{
	if (probe_options_limit(&cmd->options))
		p->checks |= PROBE_CHECK_LIMITS;
	else if (!cmd->nr_terms)
		return 0;
	BUILD_BUG_ON(ARRAY_SIZE(p->drops->by) != PROBE_NR_VERDICTS);
	p->drops = alloc_percpu(struct probe_drops);
	if (!p->drops)
		return -ENOMEM;
	return cmd->nr_terms ? probe_resolve_predicate(p, cmd, scope) : 0;
}

/**
 * probe_set_args() - resolve a command's arguments and predicate
 * @p: the probe, from probe_init()
 * @cmd: the command, after probe_parse_args() and probe_parse_predicate()
 * @scope: the names that the arguments can refer to
 *
 * Context: may sleep.
 * Return: 0, or a negative errno with the error recorded in @cmd unless it
 * is -ENOMEM.
 */
int probe_set_args(struct probe *p, struct probe_cmd *cmd,
		   struct probe_scope *scope)
{
	int ret;

	p->in_user = scope->in_user;
	ret = probe_expand_args(cmd, scope);
	if (!ret && cmd->nr_args)
		ret = set_all_args(p, cmd, scope);
	return ret ?: set_checks(p, cmd, scope);
}

static void drop_programs(struct probe *p)
{
	probe_prog_free(p->prog);
	p->prog = NULL;
	if (p->entry) {
		probe_prog_free(p->entry->prog);
		p->entry->prog = NULL;
	}
}

static int make_program_for(const struct probe_arch *arch, struct bpf_prog **prog,
			    const char *name, const struct probe_layout *l,
			    const struct probe_fetch *fetch, unsigned int nr,
			    const struct probe_predicate *predicate)
{
	struct probe_code code = {};
	struct bpf_prog *new;
	int ret;

	ret = probe_codegen(&code, arch, l, fetch, nr, predicate);
	if (!ret) {
		new = probe_prog_new(&code, name);
		if (IS_ERR(new))
			ret = PTR_ERR(new);
		else
			*prog = new;
	}
	probe_code_free(&code);
	return ret;
}

static int make_program(const struct probe *p, struct bpf_prog **prog, const char *name,
			const struct probe_layout *l, const struct probe_fetch *fetch,
			unsigned int nr, const struct probe_predicate *predicate)
{
	struct probe_arch arch;
	int ret;

	probe_arch_get(&arch);
	arch.in_user = p->in_user;
	ret = make_program_for(&arch, prog, name, l, fetch, nr, predicate);
	if (ret != -EAGAIN)
		return ret;
	/* The JIT is off, so helpers replace its instructions. */
	arch.percpu = false;
	arch.current_task = 0;
	return make_program_for(&arch, prog, name, l, fetch, nr, predicate);
}

/**
 * probe_make_decision() - make another program that decides about hits of a probe
 * @p: the probe, which belongs to an event
 * @prog: set to the program
 * @predicate: the comparisons, of arguments for which probe_code_is_certain() is true
 * @fetches: the program also fetches the arguments
 *
 * Context: may sleep.
 * Return: 0, or an error of probe_codegen() or probe_prog_new().
 */
int probe_make_decision(const struct probe *p, struct bpf_prog **prog,
			const struct probe_predicate *predicate, bool fetches)
{
	const struct probe_layout none = {};

	return make_program(p, prog, probe_event_name(p->event), fetches ? &p->layout : &none,
			    p->fetch, fetches ? p->nr_args : 0, predicate);
}

/* How to fetch a value at entry, into a buffer. */
static struct probe_fetch entry_fetch(unsigned int value, unsigned int dst)
{
	if (value == PROBE_ENTRY_TIME)
		return (struct probe_fetch) { .src = PROBE_SRC_TIME, .store = PROBE_STORE_VALUE,
					      .size = sizeof(u64), .dst = dst };
	return (struct probe_fetch) { .src = PROBE_SRC_ARG, .value = value,
				      .store = PROBE_STORE_VALUE, .size = sizeof(long),
				      .dst = dst };
}

/*
 * Function arguments that are recorded at return, and the time, are saved at entry: a program
 * "records" them one after the other in the buffer that the provider keeps for
 * each call.
 */
static int make_entry_program(struct probe *p)
{
	struct probe_entry *entry = p->entry;
	struct probe_layout l = {};
	struct probe_fetch *fetch;
	unsigned int i, nr = 0;
	int ret;

	fetch = kcalloc(entry->nr, sizeof(*fetch), GFP_KERNEL);
	if (!fetch)
		return -ENOMEM;
	for (i = 0; i < entry->nr; i++)
		if (entry->args[i] != PROBE_ENTRY_MORE)
			fetch[nr++] = entry_fetch(entry->args[i], i * sizeof(long));
	l.fixed = probe_entry_size(p);
	l.texts = l.fixed;
	l.size = l.fixed;
	ret = make_program(p, &entry->prog, "probe_entry", &l, fetch, nr, NULL);
	kfree(fetch);
	return ret;
}

/* Look up the symbol, if any, that an argument reads from. */
static int find_symbol(const struct probe_symbol *symbol, struct probe_fetch *fetch,
		       struct probe_cmd *cmd)
{
	unsigned long addr;

	if (!symbol)
		return 0;
	addr = kallsyms_lookup_name(symbol->name);
	if (!addr) {
		if (cmd)
			probe_cmd_error(cmd, PROBE_ERR_BAD_MEM_ADDR, symbol->pos);
		return -ENOENT;
	}
	fetch->value = addr + symbol->offs;
	return 0;
}

static int find_in_formula(const struct probe_formula *formula, struct probe_cmd *cmd)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; i < formula->nr && !ret; i++)
		ret = find_symbol(formula->items[i].symbol, &formula->items[i].fetch, cmd);
	return ret;
}

static int find_symbols_of(const struct probe_symbol *symbol, struct probe_fetch *fetch,
			   struct probe_cmd *cmd)
{
	return fetch->src == PROBE_SRC_FORMULA ? find_in_formula(fetch->formula, cmd) :
						 find_symbol(symbol, fetch, cmd);
}

static int find_symbols(struct probe *p, struct probe_cmd *cmd)
{
	unsigned int nr_terms = p->predicate ? p->predicate->nr : 0, i;
	int ret = 0;

	for (i = 0; i < p->nr_args && !ret; i++)
		ret = find_symbols_of(p->args[i].symbol, &p->fetch[i], cmd);
	for (i = 0; i < nr_terms && !ret; i++)
		ret = find_symbols_of(p->predicate->terms[i].symbol,
				      &p->predicate->terms[i].fetch, cmd);
	return ret;
}

/**
 * probe_link() - look up symbols and generate the fetch programs
 * @p: the probe, which belongs to an event and cannot be hit now
 * @cmd: the command, for errors; NULL if the caller has none
 *
 * Context: may sleep.
 * Return: 0; -ENOENT when a symbol does not exist; -ENOMEM, -EOPNOTSUPP or
 * another error of probe_codegen() or probe_prog_new().
 */
int probe_link(struct probe *p, struct probe_cmd *cmd)
{
	int ret;

	drop_programs(p);
	if (!p->nr_args && !p->predicate)
		return 0;

	ret = find_symbols(p, cmd);
	if (ret)
		return ret;
	ret = make_program(p, &p->prog, probe_event_name(p->event),
			   &p->layout, p->fetch, p->nr_args, p->predicate);
	if (!ret && p->entry)
		ret = make_entry_program(p);
	if (ret == -EOPNOTSUPP && cmd)
		probe_cmd_error(cmd, PROBE_ERR_NO_JIT, cmd->nr_args ?
				cmd->args[0].word.pos : cmd->predicate.pos);
	if (ret)
		drop_programs(p);
	return ret;
}

/**
 * probe_fini() - free the programs and the arena of a probe, and leave its owner
 * @p: the probe, without an event and without in-flight hits
 *
 * Context: may sleep.
 */
void probe_fini(struct probe *p)
{
	drop_programs(p);
	probe_owner_put(p);
	free_percpu(p->drops);
	if (p->arena)
		probe_arena_free(p->arena);
}

/**
 * probe_count_drops() - number of hits of a probe that were not recorded
 * @p: the probe, which has checks
 *
 * Return: the sums over all CPUs.
 */
struct probe_drops probe_count_drops(const struct probe *p)
{
	struct probe_drops sum = {};
	unsigned int i;
	int cpu;

	for_each_possible_cpu(cpu)
		for (i = 0; i < ARRAY_SIZE(sum.by); i++)
			sum.by[i] += READ_ONCE(per_cpu_ptr(p->drops, cpu)->by[i]);
	return sum;
}

/**
 * probe_show_args() - show the arguments and the predicate as in a command
 * @p: the probe
 * @m: the output file
 */
void probe_show_args(const struct probe *p, struct seq_file *m)
{
	unsigned int i;

	for (i = 0; i < p->nr_args; i++)
		seq_printf(m, " %s=%s", p->args[i].name, probe_arg_text(&p->args[i]));
	if (p->predicate)
		seq_printf(m, " if %s", p->predicate->text);
}

/* Do the words, which have no blanks, make up the predicate? */
static bool match_predicate(const struct probe *p, int argc, const char **argv)
{
	static const char blanks[] = " \t\v\f\r";
	const char *text = p->predicate ? p->predicate->text : "";
	int i;

	for (i = 0; i < argc; i++) {
		size_t len = strlen(argv[i]);

		text += strspn(text, blanks);
		if (len != strcspn(text, blanks) || memcmp(text, argv[i], len))
			return false;
		text += len;
	}
	return p->predicate && !*text;
}

#ifdef CONFIG_PROBE_EVENTS_DUMP_FETCHARG
/**
 * probe_dump_args() - show how the arguments are fetched, in lines that are comments
 * @p: the probe
 * @m: the output file
 */
void probe_dump_args(const struct probe *p, struct seq_file *m)
{
	char *text = kmalloc(PROBE_DUMP_LEN, GFP_KERNEL);
	unsigned int i;

	for (i = 0; text && i < p->nr_args; i++) {
		const struct probe_symbol *symbol = p->args[i].symbol;

		probe_dump_fetch(&p->fetch[i], symbol ? symbol->name : NULL, text, PROBE_DUMP_LEN);
		seq_printf(m, "#  %s: %s\n", p->args[i].name, text);
	}
	kfree(text);
}
#endif

/**
 * probe_match_args() - do the words match the first arguments of a probe?
 * @p: the probe
 * @argc: number of words
 * @argv: the words, each NAME=TEXT as probe_show_args() writes it; after "if", those of the
 *	predicate
 *
 * Return: true if there are at least as many arguments, and all words match.
 */
bool probe_match_args(const struct probe *p, int argc, const char **argv)
{
	unsigned int i;

	for (i = 0; i < argc; i++) {
		size_t len;

		if (!strcmp(argv[i], "if"))
			return match_predicate(p, argc - i - 1, argv + i + 1);
		if (i == p->nr_args)
			return false;
		len = str_has_prefix(argv[i], p->args[i].name);
		if (!len || argv[i][len] != '=' ||
		    strcmp(argv[i] + len + 1, probe_arg_text(&p->args[i])))
			return false;
	}
	return true;
}

static bool same_predicate(const struct probe_predicate *a, const struct probe_predicate *b)
{
	return a && b ? !strcmp(a->text, b->text) : a == b;
}

/**
 * probe_same_args() - do two probes of one event have the same arguments and predicate?
 * @a: a probe
 * @b: another probe, with as many arguments
 *
 * Return: true if all texts are equal.
 */
bool probe_same_args(const struct probe *a, const struct probe *b)
{
	unsigned int i;

	for (i = 0; i < a->nr_args; i++)
		if (strcmp(probe_arg_text(&a->args[i]), probe_arg_text(&b->args[i])))
			return false;
	return same_predicate(a->predicate, b->predicate);
}
