/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _X86_KPROBES_TESTS_PLACE_H
#define _X86_KPROBES_TESTS_PLACE_H

#include <linux/kprobes.h>
#include <linux/types.h>

struct kunit;

/* An instruction on which a probe is accepted or refused. */
struct place_site {
	void *addr;
	const char *name;
	u64 allowed;
};

extern const struct place_site kprobes_places[], kprobes_places_end[];

/* An argument for the functions below. */
#define PLACE_ARG	0x1234

/* Instructions of various lengths; returns @arg. */
u64 kprobes_place_walk(u64 arg);
extern const u32 kprobes_place_walk_size;

/* A jump can replace a breakpoint on its first or second instruction; returns @arg + 5. */
u64 kprobes_place_five(u64 arg);

/* Instructions of two bytes; returns @arg + 6. */
u64 kprobes_place_short(u64 arg);

/*
 * Ends with a one-byte instruction at offset KPROBES_PLACE_TAIL_POP, and a jump with a
 * displacement of 32 bits.  Returns @arg + 1.
 */
u64 kprobes_place_tail(u64 arg);
#define KPROBES_PLACE_TAIL_POP	5

void kprobes_place_halt(void);
void kprobes_place_swapgs(void);
void kprobes_place_nokprobe(void);
void kprobes_place_noinstr(void);

/* Begins with ENDBR, and has another ENDBR inside. */
void kprobes_place_landing(void);
extern void *const kprobes_place_landing_inside;

/*
 * A probe that counts the calls of its handlers.  It must be static: after a failed
 * assertion, it stays registered until the suite's exit() calls place_drop().
 */
struct place_probe {
	struct kprobe kp;
	unsigned int nr_pre;
	unsigned int nr_post;
	bool is_added;
};

int place_count_pre(struct kprobe *p, struct pt_regs *regs);
int place_add(struct place_probe *p, const void *addr, bool post);
void place_drop(struct place_probe *p);
bool place_has_jump(const void *addr);
void place_hit_five(struct kunit *test);

#endif /* _X86_KPROBES_TESTS_PLACE_H */
