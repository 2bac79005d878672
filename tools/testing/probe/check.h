/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Results of tests, as KTAP. A test makes any number of checks and has one result line;
 * the checks that fail print diagnostic lines before it.
 */
#ifndef _PROBE_TEST_CHECK_H
#define _PROBE_TEST_CHECK_H

#include <ctype.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

#include <kselftest.h>

/* Maximum number of failed checks that a test prints. */
#define CHECK_LINES	20

struct test {
	const char	*name;
	void		(*run)(void);
};

/* Number of failed checks in the current test. */
static unsigned int checks_failed;

static inline bool __printf(2, 3) check(bool ok, const char *fmt, ...)
{
	va_list ap;

	if (ok || checks_failed++ >= CHECK_LINES)
		return ok;
	va_start(ap, fmt);
	printf("# ");
	vprintf(fmt, ap);
	putchar('\n');
	va_end(ap);
	return false;
}

/* Print a listing of many lines. */
static inline void check_show(const char *text)
{
	int len;

	for (; *text; text += len + !!text[len]) {
		len = strcspn(text, "\n");
		printf("#   %.*s\n", len, text);
	}
}

/* End the current test: print the line with its result. */
static inline void __printf(1, 2) test_end(const char *fmt, ...)
{
	char name[128], *c;
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(name, sizeof(name), fmt, ap);
	va_end(ap);
	/* In KTAP, '#' ends the name. */
	for (c = name; *c; c++)
		if (!isprint((unsigned char)*c) || *c == '#')
			*c = '?';
	if (checks_failed > CHECK_LINES)
		ksft_print_msg("%u checks failed\n", checks_failed);
	ksft_test_result(!checks_failed, "%s\n", name);
	checks_failed = 0;
}

static inline void test_all(const struct test *tests, unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr; i++) {
		tests[i].run();
		test_end("%s", tests[i].name);
	}
}

#endif /* _PROBE_TEST_CHECK_H */
