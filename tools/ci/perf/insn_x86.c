// SPDX-License-Identifier: GPL-2.0
/*
 * Run perf's test of the instruction decoder outside of perf.  The test reports each
 * encoding with pr_debug(): count those that pass, and print the others.
 */

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "debug.h"
#include "kselftest.h"

struct test_suite;
int test__insn_x86(struct test_suite *test, int subtest);

int verbose = 1;

static int decoded, failed;

/* Called by perf's pr_debug(). */
int eprintf(int level, int var, const char *fmt, ...)
{
	va_list args;

	(void)level, (void)var;
	if (!strncmp(fmt, "Decoded ok", strlen("Decoded ok"))) {
		decoded++;
		return 0;
	}
	failed++;
	va_start(args, fmt);
	printf("# ");
	vprintf(fmt, args);
	va_end(args);
	return 0;
}

int main(void)
{
	int ret;

	ksft_print_header();
	ksft_set_plan(1);
	ret = test__insn_x86(NULL, 0);
	ksft_print_msg("%d encodings decoded\n", decoded);
	ksft_test_result(!ret && !failed && decoded, "perf's test of the decoder\n");
	ksft_finished();
}
