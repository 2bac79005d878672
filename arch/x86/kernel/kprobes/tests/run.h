/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _X86_KPROBES_TESTS_RUN_H
#define _X86_KPROBES_TESTS_RUN_H

/*
 * Run sites with random states, and say what came of it; see sites.h.
 */

#include <kunit/test.h>

#include "sites.h"

/* What is compared of the stack: it begins somewhere in the first half. */
#define STACK_WINDOW	512

/* All that an instruction may read or write. */
struct site_state {
	struct cpu_state cpu;
	u64 went;
	u64 percpu;
	u64 mem[MEM_WORDS];
	u64 stack[STACK_WINDOW / sizeof(u64)];
	u8 vec[4][32] __aligned(32);
};

/* From where a site is run. */
enum site_way {
	SITE_PLAIN,	/* from nowhere in particular */
	SITE_BUSY,	/* while kprobes say they are busy */
	SITE_NESTED,	/* called by the handler of another probe */
};

bool site_can_run(const struct site *s);
void site_make(const struct site *s, unsigned int nr, unsigned int round,
	       struct site_state *state);
void site_run(const struct site *s, const struct site_state *in,
	      struct site_state *out, enum site_way way);
bool site_is_irq_safe(const struct site_state *in, const struct site_state *out);
const char *site_difference(const struct site_state *a, const struct site_state *b,
			    char *buf, size_t size);
u64 site_pt_reg(const struct pt_regs *regs, unsigned int number);

/* Flags that are looked at. */
#define SITE_FLAGS	(~(u64)X86_EFLAGS_RF)

#endif /* _X86_KPROBES_TESTS_RUN_H */
