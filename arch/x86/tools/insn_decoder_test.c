// SPDX-License-Identifier: GPL-2.0
/*
 * Compare the instruction decoder with objdump, on the output of objdump as
 * objdump_reformat.awk writes it:
 *
 *	<symbol>
 *	address	bytes	mnemonic and operands
 *
 * The lengths must be equal.  The decoder gets only the bytes of objdump's instruction,
 * so decoding a longer instruction fails, too.  The test is part of the build with
 * CONFIG_X86_DECODER_SELFTEST.
 */

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <asm/insn.h>
#include <inat.c>
#include <insn.c>

/* More differences than this usually have one cause, which the first ones show. */
#define MAX_REPORTS	20

static enum insn_mode mode = INSN_MODE_64;
static bool verbose;

/* Parse the bytes of a line.  Returns their number, or -1 for a line without bytes. */
static int parse_bytes(const char *line, unsigned char *bytes, int max)
{
	const char *p = strchr(line, '\t');
	char *end;
	int n;

	if (!p)
		return -1;
	p++;
	for (n = 0; n < max; n++) {
		p += strspn(p, " ");
		if (*p == '\t' || *p == '\n' || !*p)
			break;
		bytes[n] = strtoul(p, &end, 16);
		if (end == p)
			return -1;
		p = end;
	}
	return n ?: -1;
}

/* Do the decoder and objdump agree on the length of an instruction? */
static bool check(const char *symbol, const char *line, const unsigned char *bytes, int n)
{
	struct insn insn;
	int ret;

	/* objdump prints FWAIT and a following FNSTCW as a single FSTCW, and so on. */
	if (n > 1 && bytes[0] == 0x9b) {
		bytes++;
		n--;
	}
	ret = insn_decode(&insn, bytes, n, mode);

	if (verbose)
		printf("%d bytes, decoded as %d: %s", n, ret ?: insn.length, line);
	if (!ret && insn.length == n)
		return true;

	fprintf(stderr, "%s%s", symbol, line);
	if (ret)
		fprintf(stderr, "objdump: %d bytes, decoder: %s\n", n, strerror(-ret));
	else
		fprintf(stderr, "objdump: %d bytes, decoder: %d\n", n, insn.length);
	return false;
}

int main(int argc, char **argv)
{
	static char line[4096], symbol[4096];
	unsigned long checked = 0, wrong = 0;
	unsigned char bytes[MAX_INSN_SIZE];
	int opt, n;

	while ((opt = getopt(argc, argv, "ynv")) != -1) {
		switch (opt) {
		case 'y':
			mode = INSN_MODE_64;
			break;
		case 'n':
			mode = INSN_MODE_32;
			break;
		case 'v':
			verbose = true;
			break;
		default:
			fprintf(stderr, "usage: %s [-y|-n] [-v] < reformatted output of objdump\n"
				"-y  64-bit code (default)\n"
				"-n  32-bit code\n"
				"-v  show every instruction\n", argv[0]);
			return 2;
		}
	}

	while (fgets(line, sizeof(line), stdin)) {
		if (line[0] == '<') {
			memcpy(symbol, line, sizeof(symbol));
			continue;
		}
		n = parse_bytes(line, bytes, sizeof(bytes));
		if (n < 0) {
			fprintf(stderr, "%s: invalid line: %s", argv[0], line);
			return 2;
		}
		checked++;
		if (!check(symbol, line, bytes, n) && ++wrong >= MAX_REPORTS)
			break;
	}
	if (!checked) {
		fprintf(stderr, "%s: no instructions in the input\n", argv[0]);
		return 2;
	}
	printf("%s: %lu instructions, %lu decoded differently%s\n", argv[0], checked, wrong,
	       wrong < MAX_REPORTS ? "" : " so far");
	return wrong != 0;
}
