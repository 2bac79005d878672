/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions with known results, which are probed while they run.
 *
 * Both the module and the program that drives it contain them.  The module, whose copy
 * has probes, must compute the same results as the program.
 */
#ifndef _KPROBE_STRESS_COMPUTE_H
#define _KPROBE_STRESS_COMPUTE_H

#include <linux/types.h>

#define COMPUTE_BYTES	24

#ifndef noinline
#define noinline __attribute__((noinline))
#endif

/* Shifts and multiplications, without branches. */
static noinline __u64 compute_mix(__u64 a, __u64 b)
{
	a ^= b << 17 | b >> 47;
	a *= 0x9e3779b97f4a7c15ULL;
	return a ^ a >> 29;
}

/* Branches in both directions. */
static noinline __u64 compute_steps(__u64 n)
{
	__u64 steps = 0;

	for (n = (n & 63) + 1; n != 1; steps++)
		n = n & 1 ? 3 * n + 1 : n / 2;
	return steps;
}

/* Calls, returns, and saved registers. */
static noinline __u64 compute_tree(unsigned int depth, __u64 a)
{
	if (!depth)
		return compute_mix(a, depth);
	return compute_tree(depth - 1, a + depth) ^ compute_mix(compute_tree(depth - 1, a), a);
}

/* Bytes in memory, and addresses with base and index. */
static noinline void compute_fill(__u8 *bytes, __u64 seed)
{
	unsigned int i;

	for (i = 0; i < COMPUTE_BYTES; i++) {
		seed = compute_mix(seed, i);
		bytes[i] = seed >> (i % 7 * 8);
	}
}

static noinline void compute_sort(__u8 *bytes)
{
	unsigned int i, j;
	__u8 byte;

	for (i = 1; i < COMPUTE_BYTES; i++) {
		byte = bytes[i];
		for (j = i; j && bytes[j - 1] > byte; j--)
			bytes[j] = bytes[j - 1];
		bytes[j] = byte;
	}
}

static noinline __u64 compute_sum(const __u8 *bytes)
{
	__u64 sum = 0;
	unsigned int i;

	for (i = 0; i < COMPUTE_BYTES; i++)
		sum = sum * 31 + bytes[i];
	return sum;
}

/* Division, with a remainder. */
static noinline __u64 compute_digits(__u64 n, __u64 base)
{
	__u64 reversed = 0;

	base = base % 30 + 2;
	for (; n; n /= base)
		reversed = reversed * base + n % base;
	return reversed;
}

static noinline __u64 compute_add(__u64 a, __u64 b)
{
	return a + b;
}

static noinline __u64 compute_sub(__u64 a, __u64 b)
{
	return a - b;
}

/* Indirect calls. */
static noinline __u64 compute_calls(__u64 a, __u64 b)
{
	static __u64 (*const volatile calls[])(__u64 a, __u64 b) = {
		compute_add, compute_mix, compute_sub, compute_digits,
	};
	unsigned int i;

	for (i = 0; i < 8; i++)
		a = calls[(a ^ i) & 3](a, b);
	return a;
}

static noinline __u64 compute_all(__u64 seed)
{
	__u8 bytes[COMPUTE_BYTES];
	__u64 a;

	a = compute_mix(seed, compute_steps(seed));
	a = compute_mix(a, compute_tree(4, a));
	compute_fill(bytes, a);
	compute_sort(bytes);
	a = compute_mix(a, compute_sum(bytes));
	a = compute_mix(a, compute_digits(a, seed));
	return compute_mix(a, compute_calls(a, seed));
}

#endif /* _KPROBE_STRESS_COMPUTE_H */
