// SPDX-License-Identifier: GPL-2.0
/*
 * From instructions to a program that can run: the kernel's BPF core does the
 * work.  What is special here is that the programs are the kernel's own.  No
 * verifier sees them, no user holds them, and their fault fix-up must work
 * whoever asked for the probe.
 *
 * Faults are fixed up by search_bpf_extables(), which knows a program by its
 * symbol.  bpf_prog_kallsyms_add() leaves that out for a writer without
 * CAP_BPF, who may well be allowed to write kprobe_events; the next bad
 * pointer would then be an oops.  So the symbol is added here.
 */
#include <linux/bpf.h>
#include <linux/err.h>
#include <linux/filter.h>
#include <linux/kernel.h>
#include <linux/rcupdate.h>
#include <linux/string.h>

#include "fetch.h"

static void publish(struct bpf_prog *prog, const char *name)
{
#ifdef CONFIG_BPF_JIT
	struct bpf_ksym *ksym = &prog->aux->ksym;

	/* The interpreter looks after its faults by itself. */
	if (!prog->jited)
		return;
	ksym->start = (unsigned long)prog->bpf_func;
	ksym->end = ksym->start + prog->jited_len;
	ksym->prog = true;
	snprintf(ksym->name, sizeof(ksym->name), "bpf_prog_probe_%s", name);
	bpf_ksym_add(ksym);
#endif
}

/**
 * probe_prog_new - make a program that can run
 * @code: its instructions
 * @name: what it is called in /proc/kallsyms, behind "bpf_prog_probe_"
 *
 * Context: may sleep.
 * Return: the program; ERR_PTR(-ENOMEM); ERR_PTR(-EOPNOTSUPP) when the JIT
 * failed and there is no interpreter; or why its memory cannot be protected.
 */
struct bpf_prog *probe_prog_new(const struct probe_code *code, const char *name)
{
	struct bpf_prog *prog;
	int err = 0;

	prog = bpf_prog_alloc(bpf_prog_size(code->len), 0);
	if (!prog)
		return ERR_PTR(-ENOMEM);

	memcpy(prog->insnsi, code->insn, code->len * sizeof(*code->insn));
	prog->len = code->len;
	/* Any type will do but 0, which says that it was classic BPF. */
	prog->type = BPF_PROG_TYPE_KPROBE;
	prog->gpl_compatible = 1;
	prog->aux->num_exentries = code->nr_ex;
	strscpy(prog->aux->name, name);

	prog = bpf_prog_select_runtime(prog, &err);
	if (err) {
		bpf_prog_free(prog);
		/* User space does not know ENOTSUPP. */
		return ERR_PTR(err == -ENOTSUPP ? -EOPNOTSUPP : err);
	}
	publish(prog, name);
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
 * probe_prog_free - get rid of a program
 * @prog: the program, or NULL; no hit can start to run it any more
 *
 * Hits that are running it now are waited for before its fault fix-up goes,
 * and whoever might be looking at its symbol before its memory goes.  The
 * caller need not wait.
 *
 * Context: any but NMI; does not sleep.
 */
void probe_prog_free(struct bpf_prog *prog)
{
	if (prog)
		call_rcu(&prog->aux->rcu, unpublish);
}
