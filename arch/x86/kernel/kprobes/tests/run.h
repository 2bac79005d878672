/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _X86_KPROBES_TESTS_RUN_H
#define _X86_KPROBES_TESTS_RUN_H

/*
 * Run sites with random states, and compare the results; see sites.h.
 */

#include <kunit/test.h>

#include "sites.h"

/* Size of the compared part of the stack.  SP starts near its middle. */
#define STACK_WINDOW	512

/* All state that an instruction may read or write. */
struct site_state {
	struct cpu_state cpu;
	u64 exit;
	u64 percpu;
	u64 mem[MEM_WORDS];
	u64 stack[STACK_WINDOW / sizeof(u64)];
	u8 vec[4][32] __aligned(32);
};

/* The context in which a site runs. */
enum site_context {
	SITE_PLAIN,	/* outside of probes */
	SITE_BUSY,	/* after kprobe_busy_begin() */
	SITE_NESTED,	/* in the handler of another probe */
};

bool site_can_run(const struct site *s);
void site_make(const struct site *s, unsigned int nr, unsigned int round,
	       struct site_state *state);
void site_run(const struct site *s, const struct site_state *in,
	      struct site_state *out, enum site_context context);
bool site_has_irqs_off(const struct site_state *in, const struct site_state *out);
const char *site_difference(const struct site_state *a, const struct site_state *b,
			    char *buf, size_t size);
u64 site_pt_reg(const struct pt_regs *regs, unsigned int number);

/* Flags that are compared. */
#define SITE_FLAGS	(~(u64)X86_EFLAGS_RF)

#endif /* _X86_KPROBES_TESTS_RUN_H */
