/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a decoder does for the benchmark.
 */
#ifndef _INSN_TEST_BENCH_H
#define _INSN_TEST_BENCH_H

#include <stddef.h>

struct sweep {
	unsigned long	insns;
	unsigned long	bad;	/* bytes where no instruction begins */
	unsigned long	sum;	/* of something decoded, so that it has to be */
};

/* Decode one instruction after the other, 64 bit code. */
typedef void sweep_fn(const unsigned char *text, size_t len, struct sweep *sweep);

sweep_fn bench_ours, bench_stock;

#endif /* _INSN_TEST_BENCH_H */
