/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Common code of the comparisons with other decoders: options, modes, counts, and
 * printing of encodings.
 */
#ifndef _INSN_TEST_CAMPAIGN_H
#define _INSN_TEST_CAMPAIGN_H

#include <stdbool.h>

#include "decoder.h"

/* Compare @nr encodings in a mode, report, and count each check once. */
typedef void campaign_fn(enum mode mode, u64 nr, u64 seed, unsigned int limit, bool verbose,
			 unsigned int *passed, unsigned int *failed);

/* Print the MAX_INSN_SIZE bytes of an encoding, each with a blank before it. */
void print_bytes(const u8 *bytes);

/* Called by main(); returns the exit status. */
int campaign(const char *name, campaign_fn *compare_mode, int argc, char **argv);

#endif /* _INSN_TEST_CAMPAIGN_H */
