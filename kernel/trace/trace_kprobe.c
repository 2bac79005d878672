// SPDX-License-Identifier: GPL-2.0
/*
 * Kprobe events: probes at any instruction or function return of the kernel,
 * defined through kprobe_events or dynamic_events.
 *
 * What a command means, what is recorded and how it is shown is the probe
 * engine's (kernel/trace/probe/).  This provider knows the rest: which place
 * a command names, kprobes and kretprobes, modules that come and go, perf's
 * own kprobes, and the tracefs files.  See trace_kprobe_cmd.c for commands
 * that the kernel itself gives.
 *
 * A probe in a module that is not loaded is kept, unregistered, and put in
 * place when the module comes.  When the module goes, kprobes marks its
 * probes as gone; they stay registered until the module is back.
 *
 * Locking: event_mutex protects the list of events and all of struct
 * trace_kprobe; the handlers at the end only read what does not change while
 * the probe is registered.
 */
#define pr_fmt(fmt)	"trace_kprobe: " fmt

#include <linux/error-injection.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/rculist.h>
#include <linux/security.h>
#include <linux/string.h>

#include "trace_dynevent.h"
#include "trace_kprobe_cmd.h"
#include "trace_output.h"
#include "trace_probe.h"
#include "probe/probe.h"

#define KPROBE_EVENT_GROUP	"kprobes"

/**
 * struct trace_kprobe - a probe of kprobe events
 * @devent: in the list of all dynamic events
 * @list: in trace_kprobes
 * @rp: the kprobe, or kretprobe when rp.handler is set
 * @probe: what it records
 * @nhit: number of hits
 * @symbol: "[MOD:]SYM"; NULL when the probe is at a bare address
 * @addr: that address as it was given; kprobes may step over an ENDBR there
 */
struct trace_kprobe {
	struct dyn_event	devent;
	struct list_head	list;
	struct kretprobe	rp;
	struct probe		probe;
	unsigned long __percpu	*nhit;
	char			*symbol;
	unsigned long		addr;
};

static int kprobe_hit(struct kprobe *kp, struct pt_regs *regs);
static int kretprobe_hit(struct kretprobe_instance *ri, struct pt_regs *regs);
static int kretprobe_entry(struct kretprobe_instance *ri, struct pt_regs *regs);

static struct dyn_event_operations trace_kprobe_ops;

/* All probes in kprobe_events, oldest first; event_mutex. */
static LIST_HEAD(trace_kprobes);

static bool is_trace_kprobe(const struct dyn_event *ev)
{
	return ev->ops == &trace_kprobe_ops;
}

static struct trace_kprobe *to_trace_kprobe(struct dyn_event *ev)
{
	return container_of(ev, struct trace_kprobe, devent);
}

#define for_each_sibling(tk, event)	\
	list_for_each_entry(tk, &(event)->probes, probe.siblings)

static bool is_return(const struct trace_kprobe *tk)
{
	return tk->rp.handler;
}

/* Known to kprobes, be it enabled, disabled or gone with its module. */
static bool is_registered(const struct trace_kprobe *tk)
{
	return !list_empty(&tk->rp.kp.list) || !hlist_unhashed(&tk->rp.kp.hlist);
}

static const char *tk_event_name(const struct trace_kprobe *tk)
{
	return probe_event_name(tk->probe.event);
}

static const char *tk_group_name(const struct trace_kprobe *tk)
{
	return probe_event_group(tk->probe.event);
}

static unsigned long tk_hits(const struct trace_kprobe *tk)
{
	unsigned long sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += *per_cpu_ptr(tk->nhit, cpu);
	return sum;
}

static unsigned long tk_misses(const struct trace_kprobe *tk)
{
	return tk->rp.kp.nmissed + (is_return(tk) ? tk->rp.nmissed : 0);
}

static unsigned long tk_address(const struct trace_kprobe *tk)
{
	unsigned long addr;

	if (!tk->symbol)
		return tk->addr;
	addr = kallsyms_lookup_name(tk->symbol);
	return addr ? addr + tk->rp.kp.offset : 0;
}

/* Allocation */

static void tk_free(struct trace_kprobe *tk)
{
	probe_fini(&tk->probe);
	kfree(tk->symbol);
	free_percpu(tk->nhit);
	kfree(tk);
}

static struct trace_kprobe *tk_alloc(const char *symbol, size_t len,
				     unsigned long offset, unsigned long addr,
				     bool ret)
{
	struct trace_kprobe *tk = kzalloc(sizeof(*tk), GFP_KERNEL);

	if (!tk)
		return NULL;
	tk->nhit = alloc_percpu(unsigned long);
	if (symbol)
		tk->symbol = kstrndup(symbol, len, GFP_KERNEL);
	if (probe_init(&tk->probe) || !tk->nhit || (symbol && !tk->symbol)) {
		tk_free(tk);
		return NULL;
	}

	if (symbol) {
		tk->rp.kp.symbol_name = tk->symbol;
		tk->rp.kp.offset = offset;
	} else {
		tk->addr = addr;
		tk->rp.kp.addr = (kprobe_opcode_t *)addr;
	}
	if (ret)
		tk->rp.handler = kretprobe_hit;
	else
		tk->rp.kp.pre_handler = kprobe_hit;
	INIT_HLIST_NODE(&tk->rp.kp.hlist);
	INIT_LIST_HEAD(&tk->rp.kp.list);
	INIT_LIST_HEAD(&tk->list);
	dyn_event_init(&tk->devent, &trace_kprobe_ops);
	return tk;
}

/* Arming: the probes of an event are enabled together or not at all. */

static int tk_enable(struct trace_kprobe *tk)
{
	if (!is_registered(tk) || kprobe_gone(&tk->rp.kp))
		return 0;
	return is_return(tk) ? enable_kretprobe(&tk->rp) : enable_kprobe(&tk->rp.kp);
}

static void tk_disable(struct trace_kprobe *tk)
{
	if (!is_registered(tk))
		return;
	if (is_return(tk))
		disable_kretprobe(&tk->rp);
	else
		disable_kprobe(&tk->rp.kp);
}

static void event_disarm(struct probe_event *event)
{
	struct trace_kprobe *tk;

	for_each_sibling(tk, event)
		tk_disable(tk);
}

static int event_arm(struct probe_event *event)
{
	struct trace_kprobe *tk;
	int ret;

	for_each_sibling(tk, event) {
		ret = tk_enable(tk);
		if (ret) {
			event_disarm(event);
			return ret;
		}
	}
	return 0;
}

static void print_probe_head(struct trace_seq *s, const unsigned long *head,
			     unsigned long flags)
{
	trace_seq_putc(s, '(');
	seq_print_ip_sym(s, head[0], flags | TRACE_ITER_SYM_OFFSET);
	trace_seq_putc(s, ')');
}

static void print_return_head(struct trace_seq *s, const unsigned long *head,
			      unsigned long flags)
{
	trace_seq_putc(s, '(');
	seq_print_ip_sym(s, head[1], flags | TRACE_ITER_SYM_OFFSET);
	trace_seq_puts(s, " <- ");
	seq_print_ip_sym(s, head[0], flags & ~TRACE_ITER_SYM_OFFSET);
	trace_seq_putc(s, ')');
}

static const struct probe_event_ops kprobe_event_ops = {
	.nr_head	= 1,
	.head		= { FIELD_STRING_IP },
	.head_fmt	= "(%lx)",
	.flag		= TRACE_EVENT_FL_KPROBE,
	.print_head	= print_probe_head,
	.arm		= event_arm,
	.disarm		= event_disarm,
};

static const struct probe_event_ops kretprobe_event_ops = {
	.nr_head	= 2,
	.head		= { FIELD_STRING_FUNC, FIELD_STRING_RETIP },
	.head_fmt	= "(%lx <- %lx)",
	.flag		= TRACE_EVENT_FL_KPROBE,
	.print_head	= print_return_head,
	.arm		= event_arm,
	.disarm		= event_disarm,
};

static const struct probe_event_ops *tk_event_ops(const struct trace_kprobe *tk)
{
	return is_return(tk) ? &kretprobe_event_ops : &kprobe_event_ops;
}

/*
 * Functions that ftrace leaves alone are left alone here as well: the tracer
 * itself is among them.
 */
static bool without_ftrace_site(unsigned long addr)
{
	unsigned long size, offset;

	if (!addr || !kallsyms_lookup_size_offset(addr, &size, &offset))
		return false;
	/* the end is included in the range */
	return !ftrace_location_range(addr - offset, addr - offset + size - 1);
}

static bool is_notrace(const struct trace_kprobe *tk)
{
	unsigned long addr = tk_address(tk);
	char name[KSYM_NAME_LEN];
	char *dot;

	if (!IS_ENABLED(CONFIG_DYNAMIC_FTRACE) ||
	    IS_ENABLED(CONFIG_KPROBE_EVENTS_ON_NOTRACE))
		return false;
	if (!without_ftrace_site(addr))
		return false;

	/* A piece the compiler split off counts as the function it is from. */
	if (lookup_symbol_name(addr, name))
		return true;
	dot = strchr(name, '.');
	if (!dot)
		return true;
	*dot = '\0';
	addr = kallsyms_lookup_name(name);
	return !addr || without_ftrace_site(addr);
}

/* Put a probe in place, armed if its event is enabled. */
static int tk_register(struct trace_kprobe *tk, struct probe_cmd *cmd)
{
	int ret;

	ret = security_locked_down(LOCKDOWN_KPROBES);
	if (ret)
		return ret;
	if (is_registered(tk))
		return -EINVAL;
	if (is_notrace(tk)) {
		pr_warn("%ps is a notrace function and cannot be probed\n",
			(void *)tk_address(tk));
		return -EINVAL;
	}
	ret = probe_link(&tk->probe, cmd);
	if (ret)
		return ret;

	if (is_return(tk) && tk->probe.entry_size) {
		tk->rp.entry_handler = kretprobe_entry;
		tk->rp.data_size = tk->probe.entry_size;
	}
	if (probe_event_enabled(tk->probe.event))
		tk->rp.kp.flags &= ~KPROBE_FLAG_DISABLED;
	else
		tk->rp.kp.flags |= KPROBE_FLAG_DISABLED;
	return is_return(tk) ? register_kretprobe(&tk->rp) : register_kprobe(&tk->rp.kp);
}

/* Take it away; when this returns, no handler of it runs any more. */
static void tk_unregister(struct trace_kprobe *tk)
{
	if (!is_registered(tk))
		return;
	if (is_return(tk))
		unregister_kretprobe(&tk->rp);
	else
		unregister_kprobe(&tk->rp.kp);

	/* as tk_alloc() made it, so that it can be registered again */
	INIT_HLIST_NODE(&tk->rp.kp.hlist);
	INIT_LIST_HEAD(&tk->rp.kp.list);
	if (tk->symbol)
		tk->rp.kp.addr = NULL;
}

/* Definition */

static struct trace_kprobe *find_trace_kprobe(const char *event, const char *group)
{
	struct trace_kprobe *tk;

	list_for_each_entry(tk, &trace_kprobes, list)
		if (!strcmp(tk_event_name(tk), event) &&
		    !strcmp(tk_group_name(tk), group))
			return tk;
	return NULL;
}

/* Put in place what is to be listed, now or when its module comes. */
static int tk_install(struct trace_kprobe *tk, struct probe_cmd *cmd)
{
	int ret = tk_register(tk, cmd);

	if (ret == -ENOENT && tk->symbol && probe_symbol_absent(tk->symbol)) {
		pr_info("%s is probed once its module is loaded\n", tk->symbol);
		cmd->err = PROBE_ERR_NONE;
		ret = 0;
	}
	if (ret)
		return ret;
	dyn_event_add(&tk->devent, &tk->probe.event->call);
	list_add_tail(&tk->list, &trace_kprobes);
	return 0;
}

static bool same_place(const struct trace_kprobe *a, const struct trace_kprobe *b)
{
	if (!a->symbol || !b->symbol)
		return a->symbol == b->symbol && a->addr == b->addr;
	return a->rp.kp.offset == b->rp.kp.offset && !strcmp(a->symbol, b->symbol);
}

/* Let @tk feed the event that @old feeds already. */
static int tk_join(struct trace_kprobe *tk, struct trace_kprobe *old,
		   struct probe_cmd *cmd)
{
	struct probe_event *event = old->probe.event;
	struct trace_kprobe *other;
	unsigned int nr;
	int ret;

	if (is_return(tk) != is_return(old))
		return probe_cmd_error(cmd, PROBE_ERR_DIFF_PROBE_TYPE, 0);
	nr = probe_event_differs(event, &tk->probe);
	if (nr)
		return probe_cmd_error(cmd, PROBE_ERR_DIFF_ARG_TYPE,
				       nr <= cmd->nr_args ?
				       cmd->args[nr - 1].word.pos :
				       strlen(cmd->text) + 1);
	for_each_sibling(other, event)
		if (same_place(other, tk) && probe_same_args(&other->probe, &tk->probe))
			return probe_cmd_error(cmd, PROBE_ERR_SAME_PROBE, 0);

	ret = probe_event_join(event, &tk->probe);
	if (ret)
		return ret;
	ret = tk_install(tk, cmd);
	if (ret)
		probe_event_leave(&tk->probe);
	return ret;
}

static int tk_add(struct trace_kprobe *tk, const char *group, const char *name,
		  struct probe_cmd *cmd)
{
	struct probe_event *event;
	struct trace_kprobe *old;
	int ret;

	guard(mutex)(&event_mutex);

	old = find_trace_kprobe(name, group);
	if (old)
		return tk_join(tk, old, cmd);

	event = probe_event_new(&tk->probe, group, name, tk_event_ops(tk));
	if (IS_ERR(event))
		return PTR_ERR(event);
	ret = probe_event_register(event);
	if (ret == -EEXIST)
		probe_cmd_error(cmd, PROBE_ERR_EVENT_EXIST, 0);
	if (!ret) {
		ret = tk_install(tk, cmd);
		if (ret)
			probe_event_unregister(event);
	}
	if (ret)
		probe_event_leave(&tk->probe);
	return ret;
}

/* What the arguments of a probe at @place can refer to. */
static int set_scope(struct trace_kprobe *tk, struct probe_cmd *cmd,
		     const struct probe_place *place, struct probe_scope *scope)
{
	int ret;

	ret = kprobe_on_func_entry(tk->rp.kp.addr, tk->symbol, tk->rp.kp.offset);
	if (is_return(tk)) {
		if (ret == -EINVAL)
			return probe_cmd_error(cmd, PROBE_ERR_BAD_RETPROBE,
					       place->word.pos);
		scope->is_return = true;
	} else {
		/* of an absent function only the entry is known */
		scope->is_entry = !ret || (ret == -ENOENT && tk->symbol &&
					   !tk->rp.kp.offset);
	}
	if (tk->symbol)
		scope->func = probe_symbol_name(tk->symbol);
	return 0;
}

static void make_up_event_name(const struct trace_kprobe *tk, char *buf, size_t size)
{
	char kind = is_return(tk) ? 'r' : 'p';

	if (tk->symbol)
		snprintf(buf, size, "%c_%s_%u", kind, tk->symbol, tk->rp.kp.offset);
	else
		snprintf(buf, size, "%c_0x%p", kind, tk->rp.kp.addr);
	sanitize_event_name(buf);
}

static void copy_name(char *buf, struct probe_str s)
{
	memcpy(buf, s.s, s.len);
	buf[s.len] = '\0';
}

/* An error at the place which only showed when the probe was put there. */
static void place_error(struct probe_cmd *cmd, const struct probe_place *place,
			int ret)
{
	enum probe_err err = PROBE_ERR_FAIL_REG_PROBE;

	if (ret == -ENOMEM || ret == -EEXIST)
		return;
	if (ret == -EILSEQ)
		err = PROBE_ERR_BAD_INSN_BNDRY;
	else if (ret == -ENOENT)
		err = PROBE_ERR_BAD_PROBE_ADDR;
	probe_cmd_error(cmd, err, place->word.pos);
}

/* The arguments of @tk, and the name and group of its event. */
static int define_event(struct trace_kprobe *tk, struct probe_cmd *cmd,
			const struct probe_place *place)
{
	char group[PROBE_MAX_NAME] = KPROBE_EVENT_GROUP, event[PROBE_MAX_NAME];
	struct probe_scope scope = {};
	int ret;

	ret = set_scope(tk, cmd, place, &scope) ?:
	      probe_parse_event_name(cmd) ?:
	      probe_parse_args(cmd, 2) ?:
	      probe_set_args(&tk->probe, cmd, &scope);
	probe_scope_end(&scope);
	if (ret)
		return ret;

	if (cmd->group.s)
		copy_name(group, cmd->group);
	if (cmd->event.s)
		copy_name(event, cmd->event);
	else
		make_up_event_name(tk, event, sizeof(event));

	ret = tk_add(tk, group, event, cmd);
	if (ret)
		place_error(cmd, place, ret);
	return ret;
}

static int define(struct probe_cmd *cmd)
{
	struct probe_place place;
	struct trace_kprobe *tk;
	int ret;

	ret = probe_parse_head(cmd) ?: probe_parse_place(cmd, &place);
	if (ret)
		return ret;
	tk = tk_alloc(place.symbol.s, place.symbol.len, place.offset, place.addr,
		      cmd->kind == 'r' || place.ret);
	if (!tk)
		return -ENOMEM;
	tk->rp.maxactive = cmd->nr_active;

	ret = tk->symbol ? probe_symbol_check(tk->symbol) : 0;
	if (ret)
		ret = probe_cmd_error(cmd, ret == -EADDRNOTAVAIL ?
				      PROBE_ERR_NON_UNIQ_SYMBOL :
				      PROBE_ERR_BAD_PROBE_ADDR, place.word.pos);
	else
		ret = define_event(tk, cmd, &place);
	if (ret)
		tk_free(tk);
	return ret;
}

static int trace_kprobe_create(const char *raw)
{
	struct probe_cmd *cmd;
	int ret = -ECANCELED;

	cmd = probe_cmd_open(raw);
	if (!cmd)
		return -ENOMEM;

	/* Other commands may be those of another kind of dynamic event. */
	if (cmd->nr_words >= 2 && (cmd->kind == 'p' || cmd->kind == 'r'))
		ret = define(cmd);
	else if (!cmd->nr_words)
		ret = 0;
	if (ret)
		probe_log_error("trace_kprobe", cmd);
	probe_cmd_free(cmd);
	return ret;
}

/**
 * trace_kprobe_command - carry out a command of kprobe_events
 * @raw: the command
 *
 * Context: may sleep.
 * Return: 0 or a negative errno.
 */
int trace_kprobe_command(const char *raw)
{
	int ret;

	if (raw[0] == '-')
		return dyn_event_release(raw, &trace_kprobe_ops);
	ret = dyn_event_create(raw, &trace_kprobe_ops);
	return ret == -ECANCELED ? -EINVAL : ret;
}

/* Deletion */

static bool trace_kprobe_is_busy(struct dyn_event *ev)
{
	return probe_event_enabled(to_trace_kprobe(ev)->probe.event);
}

static int trace_kprobe_release(struct dyn_event *ev)
{
	struct trace_kprobe *tk = to_trace_kprobe(ev);
	struct probe_event *event = tk->probe.event;
	int ret;

	/* The event may be in use as long as another probe feeds it. */
	if (list_is_singular(&event->probes)) {
		ret = probe_event_unregister(event);
		if (ret)
			return ret;
	}
	tk_unregister(tk);
	list_del(&tk->list);
	dyn_event_remove(&tk->devent);
	probe_event_leave(&tk->probe);
	tk_free(tk);
	return 0;
}

static void place_text(const struct trace_kprobe *tk, char *buf, size_t size)
{
	if (!tk->symbol)
		snprintf(buf, size, "0x%p", tk->rp.kp.addr);
	else if (tk->rp.kp.offset)
		snprintf(buf, size, "%s+%u", tk->symbol, tk->rp.kp.offset);
	else
		snprintf(buf, size, "%s", tk->symbol);
}

static bool match_place(const struct trace_kprobe *tk, const char *word)
{
	char text[KSYM_NAME_LEN + MODULE_NAME_LEN + 16];
	unsigned long addr;

	/* Addresses are shown hashed, but have been given as they are. */
	if (!tk->symbol && !kstrtoul(word, 0, &addr) && addr == tk->addr)
		return true;
	place_text(tk, text, sizeof(text));
	return !strcmp(word, text);
}

static bool trace_kprobe_match(const char *system, const char *event, int argc,
			       const char **argv, struct dyn_event *ev)
{
	struct trace_kprobe *tk = to_trace_kprobe(ev);

	if (event[0] && strcmp(tk_event_name(tk), event))
		return false;
	if (system && strcmp(tk_group_name(tk), system))
		return false;
	if (!argc)
		return true;
	return match_place(tk, argv[0]) &&
	       probe_match_args(&tk->probe, argc - 1, argv + 1);
}

static int trace_kprobe_show(struct seq_file *m, struct dyn_event *ev)
{
	char place[KSYM_NAME_LEN + MODULE_NAME_LEN + 16];
	struct trace_kprobe *tk = to_trace_kprobe(ev);

	seq_putc(m, is_return(tk) ? 'r' : 'p');
	if (is_return(tk) && tk->rp.maxactive)
		seq_printf(m, "%d", tk->rp.maxactive);
	place_text(tk, place, sizeof(place));
	seq_printf(m, ":%s/%s %s", tk_group_name(tk), tk_event_name(tk), place);
	probe_show_args(&tk->probe, m);
	seq_putc(m, '\n');
	return 0;
}

static struct dyn_event_operations trace_kprobe_ops = {
	.match		= trace_kprobe_match,
	.show		= trace_kprobe_show,
	.create		= trace_kprobe_create,
	.is_busy	= trace_kprobe_is_busy,
	.free		= trace_kprobe_release,
};

/* Modules */

#ifdef CONFIG_MODULES
static bool is_in_module(const struct trace_kprobe *tk, const struct module *mod)
{
	size_t len = tk->symbol ? probe_symbol_module(tk->symbol) : 0;

	return len && len == strlen(mod->name) && !memcmp(tk->symbol, mod->name, len);
}

static int tk_module_came(struct trace_kprobe *tk, struct module *mod)
{
	/* It may be gone since the last time the module was here. */
	tk_unregister(tk);
	switch (probe_symbol_count(mod->name, probe_symbol_name(tk->symbol))) {
	case 0:
		return -ENOENT;
	case 1:
		return tk_register(tk, NULL);
	default:
		return -EADDRNOTAVAIL;
	}
}

static int module_event(struct notifier_block *nb, unsigned long state, void *data)
{
	struct module *mod = data;
	struct trace_kprobe *tk;
	int ret;

	if (state != MODULE_STATE_COMING)
		return NOTIFY_DONE;

	guard(mutex)(&event_mutex);
	list_for_each_entry(tk, &trace_kprobes, list) {
		if (!is_in_module(tk, mod))
			continue;
		ret = tk_module_came(tk, mod);
		if (ret)
			pr_warn("%s: cannot probe %s: %d\n", tk_event_name(tk),
				tk->symbol, ret);
	}
	return NOTIFY_DONE;
}

static struct notifier_block module_nb = {
	.notifier_call	= module_event,
	/* before what else wants to see the probes, such as jump labels */
	.priority	= 2,
};

static int watch_modules(void)
{
	return register_module_notifier(&module_nb);
}
#else
static int watch_modules(void)
{
	return 0;
}
#endif

/* Files */

static int kprobe_events_seq_show(struct seq_file *m, void *v)
{
	struct dyn_event *ev = v;

	return is_trace_kprobe(ev) ? trace_kprobe_show(m, ev) : 0;
}

static const struct seq_operations kprobe_events_seq_ops = {
	.start	= dyn_event_seq_start,
	.next	= dyn_event_seq_next,
	.stop	= dyn_event_seq_stop,
	.show	= kprobe_events_seq_show,
};

static int kprobe_events_open(struct inode *inode, struct file *file)
{
	int ret;

	ret = security_locked_down(LOCKDOWN_TRACEFS);
	if (!ret && (file->f_mode & FMODE_WRITE) && (file->f_flags & O_TRUNC))
		ret = dyn_events_release_all(&trace_kprobe_ops);
	return ret ?: seq_open(file, &kprobe_events_seq_ops);
}

static ssize_t kprobe_events_write(struct file *file, const char __user *buf,
				   size_t count, loff_t *ppos)
{
	return trace_parse_run_command(file, buf, count, ppos, trace_kprobe_command);
}

static const struct file_operations kprobe_events_fops = {
	.owner		= THIS_MODULE,
	.open		= kprobe_events_open,
	.read		= seq_read,
	.write		= kprobe_events_write,
	.llseek		= seq_lseek,
	.release	= seq_release,
};

static int kprobe_profile_seq_show(struct seq_file *m, void *v)
{
	struct dyn_event *ev = v;
	struct trace_kprobe *tk;

	if (is_trace_kprobe(ev)) {
		tk = to_trace_kprobe(ev);
		seq_printf(m, "  %-44s %15lu %15lu\n", tk_event_name(tk),
			   tk_hits(tk), tk_misses(tk));
	}
	return 0;
}

static const struct seq_operations kprobe_profile_seq_ops = {
	.start	= dyn_event_seq_start,
	.next	= dyn_event_seq_next,
	.stop	= dyn_event_seq_stop,
	.show	= kprobe_profile_seq_show,
};

static int kprobe_profile_open(struct inode *inode, struct file *file)
{
	int ret = security_locked_down(LOCKDOWN_TRACEFS);

	return ret ?: seq_open(file, &kprobe_profile_seq_ops);
}

static const struct file_operations kprobe_profile_fops = {
	.owner		= THIS_MODULE,
	.open		= kprobe_profile_open,
	.read		= seq_read,
	.llseek		= seq_lseek,
	.release	= seq_release,
};

/**
 * trace_kprobe_enable_all - enable every kprobe event in the top instance
 *
 * Context: boot, for the events of the command line.
 */
void __init trace_kprobe_enable_all(void)
{
	struct trace_array *tr = top_trace_array();
	struct trace_event_file *file;
	struct trace_kprobe *tk;

	guard(mutex)(&event_mutex);
	list_for_each_entry(tk, &trace_kprobes, list)
		list_for_each_entry(file, &tr->events, list)
			if (file->event_call == &tk->probe.event->call)
				trace_event_enable_disable(file, 1, 0);
}

/* Commands can be given from postcore_initcall on, long before tracefs. */
static int __init trace_kprobe_init_early(void)
{
	return dyn_event_register(&trace_kprobe_ops) ?: watch_modules();
}
core_initcall(trace_kprobe_init_early);

static int __init trace_kprobe_init(void)
{
	if (tracing_init_dentry())
		return 0;
	trace_create_file("kprobe_events", TRACE_MODE_WRITE, NULL, NULL,
			  &kprobe_events_fops);
	trace_create_file("kprobe_profile", TRACE_MODE_READ, NULL, NULL,
			  &kprobe_profile_fops);
	trace_kprobe_boot_commands();
	return 0;
}
fs_initcall(trace_kprobe_init);

/* Questions that BPF and perf ask */

static struct trace_kprobe *call_to_trace_kprobe(struct trace_event_call *call)
{
	struct probe *p = probe_event_first(probe_event_of(call));

	return p ? container_of(p, struct trace_kprobe, probe) : NULL;
}

/**
 * trace_kprobe_on_func_entry - is a kprobe event at the entry of a function?
 * @call: the event
 */
bool trace_kprobe_on_func_entry(struct trace_event_call *call)
{
	struct trace_kprobe *tk = call_to_trace_kprobe(call);
	struct kprobe *kp;

	if (!tk)
		return false;
	kp = &tk->rp.kp;
	return !kprobe_on_func_entry(kp->addr, kp->addr ? NULL : kp->symbol_name,
				     kp->addr ? 0 : kp->offset);
}

/**
 * trace_kprobe_error_injectable - may the probed function be made to fail?
 * @call: the event
 */
bool trace_kprobe_error_injectable(struct trace_event_call *call)
{
	struct trace_kprobe *tk = call_to_trace_kprobe(call);

	return tk && within_error_injection_list(tk_address(tk));
}

#ifdef CONFIG_PERF_EVENTS
/**
 * bpf_get_kprobe_info - describe the kprobe behind a perf event
 * @event: the perf event
 * @fd_type: set to BPF_FD_TYPE_*
 * @symbol: set to "[MOD:]SYM", or NULL
 * @probe_offset: set to the offset from the symbol
 * @probe_addr: set to the address, 0 for whom it is a secret
 * @missed: set to the number of missed hits, unless NULL
 * @perf_type_tracepoint: the event is a tracefs event, not perf's own kprobe
 *
 * Return: 0, or -EINVAL when it is not a kprobe.
 */
int bpf_get_kprobe_info(const struct perf_event *event, u32 *fd_type,
			const char **symbol, u64 *probe_offset,
			u64 *probe_addr, unsigned long *missed,
			bool perf_type_tracepoint)
{
	struct trace_event_call *call = event->tp_event;
	struct trace_kprobe *tk;

	if (perf_type_tracepoint)
		tk = find_trace_kprobe(trace_event_name(call), call->class->system);
	else
		tk = call_to_trace_kprobe(call);
	if (!tk)
		return -EINVAL;

	*fd_type = is_return(tk) ? BPF_FD_TYPE_KRETPROBE : BPF_FD_TYPE_KPROBE;
	*symbol = tk->symbol;
	*probe_offset = tk->rp.kp.offset;
	*probe_addr = 0;
	if (kallsyms_show_value(current_cred()))
		*probe_addr = (unsigned long)tk->rp.kp.addr;
	if (missed)
		*missed = tk_misses(tk);
	return 0;
}

/**
 * create_local_trace_kprobe - make a kprobe event that is only perf's
 * @func: "[MOD:]SYM", or NULL
 * @addr: the address, when @func is NULL
 * @offs: offset from @func
 * @is_return: probe the function's return
 *
 * The event has no arguments, is in no list and in no file.
 *
 * Context: may sleep.
 * Return: the event or an ERR_PTR().
 */
struct trace_event_call *
create_local_trace_kprobe(char *func, void *addr, unsigned long offs,
			  bool is_return)
{
	struct trace_kprobe *tk;
	struct probe_event *event;
	int ret;

	ret = func ? probe_symbol_check(func) : 0;
	if (ret)
		return ERR_PTR(ret);
	tk = tk_alloc(func, func ? strlen(func) : 0, offs, (unsigned long)addr,
		      is_return);
	if (!tk)
		return ERR_PTR(-ENOMEM);

	event = probe_event_new(&tk->probe, KPROBE_EVENT_GROUP, func ?: "DUMMY_EVENT",
				tk_event_ops(tk));
	if (IS_ERR(event)) {
		tk_free(tk);
		return ERR_CAST(event);
	}
	ret = tk_register(tk, NULL);
	if (ret) {
		probe_event_leave(&tk->probe);
		tk_free(tk);
		return ERR_PTR(ret);
	}
	return &event->call;
}

/**
 * destroy_local_trace_kprobe - end what create_local_trace_kprobe() made
 * @event_call: the event
 *
 * Context: may sleep.
 */
void destroy_local_trace_kprobe(struct trace_event_call *event_call)
{
	struct trace_kprobe *tk = call_to_trace_kprobe(event_call);

	if (!tk || WARN_ON(probe_event_enabled(tk->probe.event)))
		return;
	tk_unregister(tk);
	probe_event_leave(&tk->probe);
	tk_free(tk);
}
#endif /* CONFIG_PERF_EVENTS */

/*
 * Hits
 *
 * Called by kprobes with preemption disabled, from int3, ftrace or a detour,
 * in any context including NMI.  Kprobes sees to it that no probe is hit on
 * this CPU meanwhile.
 */

static int kprobe_hit(struct kprobe *kp, struct pt_regs *regs)
{
	struct trace_kprobe *tk = container_of(kp, struct trace_kprobe, rp.kp);
	unsigned int flags = READ_ONCE(tk->probe.event->flags);
	unsigned long head[] = { (unsigned long)kp->addr };
	struct probe_hit hit __uninitialized;
	int ret = 0;

	probe_hit_begin(&hit, regs, NULL);
	raw_cpu_inc(*tk->nhit);
	if (flags & PROBE_EVENT_TRACE)
		probe_hit_trace(&tk->probe, &hit, head);
	if (flags & PROBE_EVENT_PERF)
		ret = probe_hit_perf(&tk->probe, &hit, head, true);
	probe_hit_end(&hit);
	return ret;
}

NOKPROBE_SYMBOL(kprobe_hit);

/* The kretprobe can be unregistered while a function it waits for runs. */
static struct trace_kprobe *instance_to_trace_kprobe(struct kretprobe_instance *ri)
{
	struct kretprobe *rp = get_kretprobe(ri);

	return likely(rp) ? container_of(rp, struct trace_kprobe, rp) : NULL;
}

NOKPROBE_SYMBOL(instance_to_trace_kprobe);

static int kretprobe_entry(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct trace_kprobe *tk = instance_to_trace_kprobe(ri);
	struct probe_hit hit __uninitialized;

	if (!tk)
		return -ENOENT;
	probe_hit_begin(&hit, regs, NULL);
	hit.rec = ri->data;
	probe_prog_run(tk->probe.entry_prog, &hit);
	return 0;
}

NOKPROBE_SYMBOL(kretprobe_entry);

static int kretprobe_hit(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct trace_kprobe *tk = instance_to_trace_kprobe(ri);
	unsigned long head[PROBE_MAX_HEAD] __uninitialized;
	struct probe_hit hit __uninitialized;
	unsigned int flags;

	if (!tk)
		return 0;
	probe_hit_begin(&hit, regs, ri->data);
	head[0] = (unsigned long)tk->rp.kp.addr;
	head[1] = get_kretprobe_retaddr(ri);
	flags = READ_ONCE(tk->probe.event->flags);

	raw_cpu_inc(*tk->nhit);
	if (flags & PROBE_EVENT_TRACE)
		probe_hit_trace(&tk->probe, &hit, head);
	if (flags & PROBE_EVENT_PERF)
		probe_hit_perf(&tk->probe, &hit, head, false);
	probe_hit_end(&hit);
	return 0;
}

NOKPROBE_SYMBOL(kretprobe_hit);
