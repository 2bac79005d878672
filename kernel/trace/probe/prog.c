// SPDX-License-Identifier: GPL-2.0
/*
 * Make executable programs from BPF instructions, with the help of the BPF core.
 * Unlike other BPF programs, these belong to the kernel: the verifier does not
 * check them, no user holds a reference, and their fault fix-up must work for
 * every task that may define a probe.
 *
 * On a fault, search_bpf_extables() finds the program by its symbol, and then the
 * fix-up.  bpf_prog_kallsyms_add() adds no symbol for a task without CAP_BPF, but such
 * a task may be allowed to write kprobe_events.  Without a symbol, the next bad pointer
 * would cause an oops.  So the symbol is added here.
 *
 * A stack trace from a helper continues to the caller of the program only if the
 * program has a symbol.  A program without loads and calls gets no symbol: to
 * find the next BPF symbol, /proc/kallsyms searches from the first one, so reading
 * the file takes long when there are many symbols.  perf is notified of all programs
 * that the JIT compiled.
 *
 * No memory cgroup is charged for a program or for its event: an event outlives
 * the task that defined it, and all users can see it.
 *
 * Each program uses more than a page, so probes with the same instructions share a
 * program, which has the name of the first probe's event.
 */
#include <linux/bpf.h>
#include <linux/err.h>
#include <linux/filter.h>
#include <linux/hashtable.h>
#include <linux/jhash.h>
#include <linux/kernel.h>
#include <linux/memcontrol.h>
#include <linux/mutex.h>
#include <linux/perf_event.h>
#include <linux/rcupdate.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "code.h"

/**
 * struct shared_prog - a program and its users
 * @node: entry in the table
 * @prog: the program
 * @users: number of probes that run it
 */
struct shared_prog {
	struct hlist_node	node;
	struct bpf_prog		*prog;
	unsigned int		users;
};

/* All programs, hashed by their instructions.  The mutex also protects the number of users. */
static DEFINE_HASHTABLE(programs, 8);
static DEFINE_MUTEX(programs_mutex);

static u32 hash_code(const struct bpf_insn *insn, u32 len)
{
	return jhash(insn, len * sizeof(*insn), len);
}

/* The JITs of arm and arc are for little-endian kernels only. */
static bool use_jit(void)
{
	return ebpf_jit_enabled() &&
	       !(IS_ENABLED(CONFIG_CPU_BIG_ENDIAN) &&
		 (IS_ENABLED(CONFIG_ARM) || IS_ENABLED(CONFIG_ARC)));
}

/* Find a program with these instructions, and add a user. */
static struct bpf_prog *get_program(const struct probe_code *code)
{
	size_t size = code->len * sizeof(*code->insn);
	struct shared_prog *s;

	guard(mutex)(&programs_mutex);
	hash_for_each_possible(programs, s, node, hash_code(code->insn, code->len)) {
		/* If the JIT failed or was off, it may work now. */
		if (!s->prog->jited && use_jit())
			continue;
		if (s->prog->len == code->len && !memcmp(s->prog->insnsi, code->insn, size)) {
			s->users++;
			return s->prog;
		}
	}
	return NULL;
}

/*
 * Add a new program to the table.  If the JIT blinds constants, the instructions differ
 * from the code, so other probes do not find the program.
 */
static void add_program(struct shared_prog *s, struct bpf_prog *prog)
{
	s->prog = prog;
	s->users = 1;
	guard(mutex)(&programs_mutex);
	hash_add(programs, &s->node, hash_code(prog->insnsi, prog->len));
}

/* Remove a user.  Return whether it was the last one. */
static bool put_program(struct bpf_prog *prog)
{
	struct shared_prog *s;

	guard(mutex)(&programs_mutex);
	hash_for_each_possible(programs, s, node, hash_code(prog->insnsi, prog->len)) {
		if (s->prog != prog)
			continue;
		if (--s->users)
			return false;
		hash_del(&s->node);
		kfree(s);
		break;
	}
	return true;
}

/* Returns the previous cgroup, for set_active_memcg(). */
static struct mem_cgroup *charge_root_memcg(void)
{
#ifdef CONFIG_MEMCG
	return set_active_memcg(root_mem_cgroup);
#else
	return NULL;
#endif
}

#ifdef CONFIG_BPF_JIT
static void notify_perf(const struct bpf_prog *prog, bool gone)
{
	const struct bpf_ksym *ksym = &prog->aux->ksym;

	perf_event_ksymbol(PERF_RECORD_KSYMBOL_TYPE_BPF, ksym->start,
			   ksym->end - ksym->start, gone, ksym->name);
}

static void publish(struct bpf_prog *prog, const char *name, bool symbol)
{
	struct bpf_ksym *ksym = &prog->aux->ksym;

	/* The interpreter handles faults itself. */
	if (!prog->jited)
		return;
	ksym->start = (unsigned long)prog->bpf_func;
	ksym->end = ksym->start + prog->jited_len;
	ksym->prog = true;
	snprintf(ksym->name, sizeof(ksym->name), "bpf_prog_probe_%s", name);
	if (symbol)
		bpf_ksym_add(ksym);
	notify_perf(prog, false);
}
#else
static void notify_perf(const struct bpf_prog *prog, bool gone)
{
}

static void publish(struct bpf_prog *prog, const char *name, bool symbol)
{
}
#endif

static struct bpf_prog *compile_prog(const struct probe_code *code, const char *name, int *err)
{
	struct bpf_prog *prog;

	/* BPF statistics cover only programs that users load. */
	prog = bpf_prog_alloc_no_stats(bpf_prog_size(code->len), 0);
	if (!prog) {
		*err = -ENOMEM;
		return NULL;
	}
	memcpy(prog->insnsi, code->insn, code->len * sizeof(*code->insn));
	prog->len = code->len;
	/* Any type works except 0, which means classic BPF. */
	prog->type = BPF_PROG_TYPE_KPROBE;
	prog->gpl_compatible = 1;
	prog->jit_requested = use_jit();
	prog->aux->num_exentries = code->nr_ex;
	strscpy(prog->aux->name, name);

	return bpf_prog_select_runtime(prog, err);
}

static struct bpf_prog *create_shared(const struct probe_code *code, const char *name)
{
	struct bpf_prog *prog;
	struct shared_prog *s;
	int err = 0;

	s = kmalloc(sizeof(*s), GFP_KERNEL);
	if (!s)
		return ERR_PTR(-ENOMEM);
	prog = compile_prog(code, name, &err);
	if (!err && code->jit_only && !prog->jited)
		err = -EAGAIN;
	if (err) {
		if (prog)
			bpf_prog_free(prog);
		kfree(s);
		/* ENOTSUPP is not defined for user space. */
		return ERR_PTR(err == -ENOTSUPP ? -EOPNOTSUPP : err);
	}
	publish(prog, name, code->nr_ex || code->calls);
	add_program(s, prog);
	return prog;
}

/**
 * probe_prog_new() - get an executable program
 * @code: its instructions
 * @name: name of a new program after the prefix "bpf_prog_probe_", for perf and, if the
 *	program has loads or calls, for /proc/kallsyms
 *
 * Context: may sleep.
 * Return: the program; ERR_PTR(-ENOMEM); ERR_PTR(-EAGAIN) when the program needs the JIT, which
 * does not compile it; ERR_PTR(-EOPNOTSUPP) when the JIT
 * failed and there is no interpreter; another ERR_PTR() when its memory cannot
 * be protected.
 */
struct bpf_prog *probe_prog_new(const struct probe_code *code, const char *name)
{
	struct bpf_prog *prog = get_program(code);
	struct mem_cgroup *old;

	if (prog)
		return prog;
	old = charge_root_memcg();
	prog = create_shared(code, name);
	set_active_memcg(old);
	return prog;
}

static void free_memory(struct rcu_head *rcu)
{
	bpf_prog_free(container_of(rcu, struct bpf_prog_aux, rcu)->prog);
}

static void unpublish(struct rcu_head *rcu)
{
	struct bpf_prog_aux *aux = container_of(rcu, struct bpf_prog_aux, rcu);

	bpf_prog_kallsyms_del(aux->prog);
	call_rcu(&aux->rcu, free_memory);
}

/**
 * probe_prog_free() - stop using a program, and free it if no other probe uses it
 * @prog: the program, or NULL; no hit of the probe that begins now can run it
 *
 * The fault fix-up is removed after a grace period, when no in-flight hit runs
 * the program.  The memory is freed after another grace period, when no CPU uses
 * the symbol of the program.
 *
 * Context: may sleep, but does not wait for the grace periods.
 */
void probe_prog_free(struct bpf_prog *prog)
{
	if (!prog || !put_program(prog))
		return;
	if (prog->jited)
		notify_perf(prog, true);
	call_rcu(&prog->aux->rcu, unpublish);
}
