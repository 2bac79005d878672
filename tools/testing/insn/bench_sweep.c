// SPDX-License-Identifier: GPL-2.0
/*
 * A linear sweep, compiled once for each decoder.  SWEEP is the name of the function.
 */
#include <linux/kernel.h>
#include <asm/insn.h>

#include "bench.h"

void SWEEP(const unsigned char *text, size_t len, struct sweep *sweep)
{
	unsigned long insns = 0, bad = 0, sum = 0;
	size_t at = 0, left;
	struct insn insn;

	while (at < len) {
		left = len - at;
		if (insn_decode(&insn, text + at, left < 15 ? left : 15, INSN_MODE_64)) {
			bad++;
			at++;
			continue;
		}
		insns++;
		sum += insn.displacement.value + insn.immediate.value;
		at += insn.length;
	}
	*sweep = (struct sweep) { .insns = insns, .bad = bad, .sum = sum };
}
