// SPDX-License-Identifier: GPL-2.0
/*
 * Kprobe events: probes at instructions and function returns of the kernel,
 * defined through kprobe_events or dynamic_events.
 *
 * The probe engine (kernel/trace/probe/) parses commands, fetches and records
 * arguments, and prints records.  This provider does the rest: it looks up the
 * place that a command names, registers kprobes and kretprobes, handles module
 * loading, and implements perf's own kprobes and the tracefs files.
 * kprobe.h lists the source files; this file has a probe and its kprobe.
 */
#define pr_fmt(fmt)	"trace_kprobe: " fmt

#include <linux/kallsyms.h>
#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/rculist.h>
#include <linux/security.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "kprobe.h"
#include "trace_output.h"

/* Probes at instructions need no memory for the other members of struct kretprobe. */
static struct kmem_cache *insn_cache;
static struct kmem_cache *return_cache;

#define INSN_SIZE	offsetofend(struct trace_kprobe, rp.kp)

/**
 * trace_kprobe_hits() - number of hits of a probe
 * @tk: the probe
 *
 * Return: the sum over all CPUs.
 */
unsigned long trace_kprobe_hits(const struct trace_kprobe *tk)
{
	unsigned long sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += *per_cpu_ptr(tk->nhit, cpu);
	return sum;
}

/**
 * trace_kprobe_nested_misses() - number of hits while the CPU handled another kprobe
 * @tk: the probe
 *
 * Return: that number; the handlers were not called.
 */
unsigned long trace_kprobe_nested_misses(const struct trace_kprobe *tk)
{
	return tk->rp.kp.nmissed;
}

/**
 * trace_kprobe_return_misses() - number of calls whose return could not be hooked
 * @tk: the probe
 *
 * Return: that number; there was no free instance, or RCU did not watch.
 */
unsigned long trace_kprobe_return_misses(const struct trace_kprobe *tk)
{
	return trace_kprobe_is_return(tk) ? tk->rp.nmissed : 0;
}

/**
 * trace_kprobe_misses() - number of hits that could not be handled
 * @tk: the probe
 *
 * Return: the number of misses of both causes.
 */
unsigned long trace_kprobe_misses(const struct trace_kprobe *tk)
{
	return trace_kprobe_nested_misses(tk) + trace_kprobe_return_misses(tk);
}

/**
 * trace_kprobe_address() - address of a probe
 * @tk: the probe
 *
 * Return: the address, 0 when its symbol does not exist.
 */
unsigned long trace_kprobe_address(const struct trace_kprobe *tk)
{
	unsigned long addr;

	if (!trace_kprobe_symbol(tk))
		return tk->addr;
	addr = kallsyms_lookup_name(trace_kprobe_symbol(tk));
	return addr ? addr + tk->rp.kp.offset : 0;
}

/**
 * trace_kprobe_free() - free a probe
 * @tk: the probe, neither registered nor in an event
 *
 * Context: may sleep.
 */
void trace_kprobe_free(struct trace_kprobe *tk)
{
	probe_fini(&tk->probe);
	free_percpu(tk->nhit);
	/* It finds the cache. */
	kfree(tk);
}

static bool set_symbol(struct trace_kprobe *tk, const struct trace_kprobe_place *place)
{
	struct probe_str symbol = place->symbol, module = place->module;
	struct probe_arena *arena = tk->probe.arena;
	const char *text = probe_arena_strndup(arena, symbol.s, symbol.len);

	if (!text)
		return false;
	/* perf can ask for ":SYM", where the name of the module is empty. */
	if (place->name.len < symbol.len) {
		tk->module = probe_arena_strndup(arena, module.s ?: "", module.len);
		if (!tk->module)
			return false;
	}
	tk->function = text + symbol.len - place->name.len;
	tk->rp.kp.symbol_name = text;
	tk->rp.kp.offset = place->offset;
	return true;
}

/**
 * trace_kprobe_alloc() - allocate a probe
 * @place: its place; copied
 * @ret: make it a return probe
 * @nr_args: number of arguments that it will probably have
 *
 * Context: may sleep.
 * Return: the probe, without arguments and event, or NULL.
 */
struct trace_kprobe *trace_kprobe_alloc(const struct trace_kprobe_place *place, bool ret,
					unsigned int nr_args)
{
	struct trace_kprobe *tk = kmem_cache_zalloc(ret ? return_cache : insn_cache, GFP_KERNEL);
	/* Each name has a NUL. */
	size_t names = place->symbol.len + place->module.len + 2;

	if (!tk)
		return NULL;
	tk->is_return = ret;
	tk->nhit = alloc_percpu(unsigned long);
	if (probe_init(&tk->probe, names, nr_args) || !tk->nhit ||
	    (place->symbol.s && !set_symbol(tk, place))) {
		trace_kprobe_free(tk);
		return NULL;
	}
	if (!place->symbol.s) {
		tk->addr = place->addr;
		tk->rp.kp.addr = (kprobe_opcode_t *)place->addr;
	}
	trace_kprobe_set_handlers(tk);
	return tk;
}

/* Bootconfig defines events at core_initcall_sync, and needs the caches. */
static int __init trace_kprobe_create_caches(void)
{
	insn_cache = kmem_cache_create("trace_kprobe", INSN_SIZE,
				       __alignof__(struct trace_kprobe), SLAB_PANIC, NULL);
	return_cache = kmem_cache_create("trace_kretprobe", sizeof(struct trace_kprobe),
					 __alignof__(struct trace_kprobe), SLAB_PANIC, NULL);
	return 0;
}
core_initcall(trace_kprobe_create_caches);

/**
 * trace_kprobe_addr_is_notrace() - is an address in a function that ftrace does not trace?
 * @addr: the address
 *
 * ftrace does not trace the functions of the tracer itself, among others.  Such functions
 * can be probed with KPROBE_EVENTS_ON_NOTRACE.  Without DYNAMIC_FTRACE, there is no list of
 * functions that ftrace can trace.
 *
 * Context: may sleep.
 * Return: true if it is; false with KPROBE_EVENTS_ON_NOTRACE or without DYNAMIC_FTRACE.
 */
bool trace_kprobe_addr_is_notrace(unsigned long addr)
{
#ifdef CONFIG_DYNAMIC_FTRACE
	unsigned long size, offset;

	if (IS_ENABLED(CONFIG_KPROBE_EVENTS_ON_NOTRACE))
		return false;
	if (!addr || !kallsyms_lookup_size_offset(addr, &size, &offset))
		return false;
	/* ftrace_location_range() includes the end address. */
	return !ftrace_location_range(addr - offset, addr - offset + size - 1);
#else
	return false;
#endif
}

/**
 * trace_kprobe_is_notrace() - must a probe be refused because its function is notrace?
 * @tk: the probe
 *
 * Context: may sleep.
 * Return: as trace_kprobe_addr_is_notrace(), but false for a part of a traced function.
 */
bool trace_kprobe_is_notrace(const struct trace_kprobe *tk)
{
	unsigned long addr = trace_kprobe_address(tk);
	char name[KSYM_NAME_LEN];
	char *dot;

	if (!trace_kprobe_addr_is_notrace(addr))
		return false;

	/* A part such as "f.cold" that the compiler split off counts as function f. */
	if (lookup_symbol_name(addr, name))
		return true;
	dot = strchr(name, '.');
	if (!dot)
		return true;
	*dot = '\0';
	addr = kallsyms_lookup_name(name);
	return !addr || trace_kprobe_addr_is_notrace(addr);
}

/**
 * trace_kprobe_needs_all_regs() - do users of a probe read registers that are no arguments?
 * @tk: the probe, which belongs to an event
 *
 * BPF programs and perf may read any register.  Those of a return probe read the registers of the
 * return.
 *
 * Context: event_mutex is held.
 * Return: true if they may.
 */
bool trace_kprobe_needs_all_regs(const struct trace_kprobe *tk)
{
	return !trace_kprobe_is_return(tk) &&
	       (tk->probe.reads_other_regs || probe_event_uses_perf(tk->probe.event));
}

static u32 initial_flags(const struct trace_kprobe *tk, bool enable)
{
	return (enable ? 0 : KPROBE_FLAG_DISABLED) |
	       (trace_kprobe_needs_all_regs(tk) ? 0 : KPROBE_FLAG_ARGS_ONLY);
}

/**
 * trace_kprobe_register() - register a probe
 * @tk: the probe, which belongs to an event
 * @enable: arm it
 * @cmd: gets the error if it is in an argument; NULL if there is no command
 *
 * Context: may sleep.
 * Return: 0; -EINVAL when @tk is registered or in a notrace function; -EPERM when the kernel
 * is locked down; -ENOENT when a symbol does not exist; or another error of probe_link() or of
 * register_kprobe().
 */
int trace_kprobe_register(struct trace_kprobe *tk, bool enable, struct probe_cmd *cmd)
{
	int ret;

	ret = security_locked_down(LOCKDOWN_KPROBES);
	if (ret)
		return ret;
	if (tk->registered)
		return -EINVAL;
	if (trace_kprobe_is_notrace(tk)) {
		pr_warn("%ps is a notrace function and cannot be probed\n",
			(void *)trace_kprobe_address(tk));
		return -EINVAL;
	}
	ret = probe_link(&tk->probe, cmd);
	if (ret)
		return ret;

	if (trace_kprobe_is_return(tk) && tk->probe.entry)
		trace_kprobe_save_at_entry(tk, probe_entry_size(&tk->probe));
	tk->rp.kp.flags = initial_flags(tk, enable);
	ret = trace_kprobe_is_return(tk) ? register_kretprobe(&tk->rp) :
					   register_kprobe(&tk->rp.kp);
	tk->registered = !ret;
	return ret;
}
