/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Trial runs of fetch programs: generate and load them, and run them on kernel and
 * user memory, readable or not.
 */
#ifndef _PROBE_TESTS_TRIAL_H
#define _PROBE_TESTS_TRIAL_H

#include <kunit/test.h>
#include <linux/ptrace.h>

#include "../code.h"
#include "../expr.h"
#include "../fetch.h"
#include "../helpers.h"
#include "../predicate.h"
#include "../record.h"

#define TRIAL_HEAD	24
#define TRIAL_RECORD	8192

/**
 * struct trial - state of a test
 * @regs: registers at the hit
 * @entry: data saved at entry
 * @l: layout of the last record
 * @predicate: the predicate of programs; NULL if they have none
 * @verdict: its last result
 * @in_user: the probes are in user space
 * @no_regs: hits have no registers
 * @place: address of the probe; the first header word
 * @room: bytes for dynamic data; at least PROBE_CUT_LEN if there is such data
 * @dyn: end of the last record
 * @rec: the last record
 * @again: the same record from another run
 * @mem: two pages of kernel memory; an unmapped page follows
 * @f: arguments, for tests that have too many for the stack
 */
struct trial {
	struct pt_regs		regs;
	unsigned long		entry[4];
	struct probe_layout	l;
	const struct probe_predicate	*predicate;
	unsigned int		verdict;
	bool			in_user;
	bool			no_regs;
	unsigned long		place;
	u32			room;
	u32			dyn;
	u8			rec[TRIAL_RECORD] __aligned(8);
	u8			again[TRIAL_RECORD] __aligned(8);
	u8			*mem;
	struct probe_fetch	f[64];
};

static inline struct probe_fetch trial_value(enum probe_src src, unsigned long v, u8 size)
{
	return (struct probe_fetch){ .src = src, .value = v, .size = size };
}

static inline struct probe_fetch trial_memory(const void *addr, u8 size)
{
	return (struct probe_fetch){ .src = PROBE_SRC_IMM, .value = (unsigned long)addr,
				     .store = PROBE_STORE_MEM, .size = size };
}

static inline struct probe_fetch trial_string(const void *addr)
{
	return (struct probe_fetch){ .src = PROBE_SRC_IMM, .value = (unsigned long)addr,
				     .store = PROBE_STORE_STRING, .size = 4 };
}

#define TRIAL_MAX_BAD	16

/* Variants of a program */
#define TRIAL_NATIVE	BIT(0)		/* for the JIT, not for the interpreter */
#define TRIAL_PLAIN	BIT(1)		/* as for a JIT without BPF_PROBE_MEM */

int trial_init(struct kunit *test);
void trial_exit(struct kunit *test);
unsigned int trial_bad_addresses(struct kunit *test, unsigned long *bad);

struct bpf_prog *trial_load(struct kunit *test, struct probe_fetch *f,
			    unsigned int nr, unsigned int how);
void trial_run_once(struct trial *t, const struct bpf_prog *prog, u8 *rec, u8 old);
void trial_run(struct kunit *test, struct probe_fetch *f, unsigned int nr);

u64 trial_read(const void *p, unsigned int size);
void trial_expect_number(struct kunit *test, const struct probe_fetch *f,
			 unsigned int i, u64 v);
void trial_expect_fault(struct kunit *test, const struct probe_fetch *f, unsigned int i);
const char *trial_text(struct kunit *test, const struct probe_fetch *f,
		       unsigned int i, u32 *len);
void trial_expect_text(struct kunit *test, const struct probe_fetch *f,
		       unsigned int i, const char *want);
void trial_expect_no_text(struct kunit *test, const struct probe_fetch *f,
			  unsigned int i);
void trial_expect_cut(struct kunit *test, const struct probe_fetch *f,
		      const char *whole, u32 len);

#endif /* _PROBE_TESTS_TRIAL_H */
