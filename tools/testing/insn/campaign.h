/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Common code of the comparisons with other decoders: options, modes, results, and
 * printing of encodings.
 */
#ifndef _INSN_TEST_CAMPAIGN_H
#define _INSN_TEST_CAMPAIGN_H

#include <stdbool.h>

#include "decoder.h"

/* Compare @nr encodings in a mode, and report the result of each check. */
typedef void campaign_fn(enum mode mode, u64 nr, u64 seed, unsigned int limit, bool verbose);

/*
 * Report the result of a check in a mode. @failures is the number of encodings that fail
 * it. The caller first prints its diagnostic lines.
 */
void campaign_result(enum mode mode, const char *check, u64 failures);

/* Print the MAX_INSN_SIZE bytes of an encoding, each with a blank before it. */
void print_bytes(const u8 *bytes);

/* Called by main(). Exits with the result of the tests. */
int campaign(campaign_fn *compare_mode, unsigned int nr_checks, int argc, char **argv);

#endif /* _INSN_TEST_CAMPAIGN_H */
