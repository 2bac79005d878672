// SPDX-License-Identifier: GPL-2.0
/*
 * Run perf's test of the instruction decoder outside of perf, and count its lines of
 * debug output, one for each encoding.
 */

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "debug.h"

struct test_suite;
int test__insn_x86(struct test_suite *test, int subtest);

int verbose = 1;

static int passed, failed;

/* pr_debug() of perf's sources. */
int eprintf(int level, int var, const char *fmt, ...)
{
	va_list args;

	(void)level, (void)var;
	if (!strncmp(fmt, "Decoded ok", strlen("Decoded ok"))) {
		passed++;
		return 0;
	}
	failed++;
	va_start(args, fmt);
	vprintf(fmt, args);
	va_end(args);
	return 0;
}

int main(void)
{
	int ret = test__insn_x86(NULL, 0);

	printf("%d passed, %d failed\n", passed, failed);
	return ret || failed || !passed;
}
