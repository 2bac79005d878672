/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface between the benchmark and the decoders.
 */
#ifndef _INSN_TEST_BENCH_H
#define _INSN_TEST_BENCH_H

#include <stddef.h>

struct sweep {
	unsigned long	insns;
	unsigned long	bad;	/* bytes at which decoding failed */
	unsigned long	sum;	/* of decoded fields, so that decoders can't skip them */
};

/* Decode 64-bit code, one instruction after the other. */
typedef void sweep_fn(const unsigned char *text, size_t len, struct sweep *sweep);

sweep_fn bench_ours, bench_stock;

#endif /* _INSN_TEST_BENCH_H */
