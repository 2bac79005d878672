// SPDX-License-Identifier: GPL-2.0
/*
 * Common code of the comparisons with other decoders: options, modes, results, and
 * printing of encodings.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <kselftest.h>

#include "campaign.h"

static void bad_options(const char *program)
{
	fprintf(stderr,
		"usage: %s [-n encodings] [-s seed] [-m 16|32|64] [-g groups to print] [-v]\n",
		program);
	exit(2);
}

void print_bytes(const u8 *bytes)
{
	int i;

	for (i = 0; i < MAX_INSN_SIZE; i++)
		printf(" %02x", bytes[i]);
}

void campaign_result(enum mode mode, const char *check, u64 failures)
{
	if (failures)
		ksft_print_msg("%llu encodings fail\n", (unsigned long long)failures);
	ksft_test_result(!failures, "%u bit: %s\n", mode_bits(mode), check);
}

int campaign(campaign_fn *compare_mode, unsigned int nr_checks, int argc, char **argv)
{
	unsigned int limit = 10, bits = 0;
	u64 nr = 1000000, seed = 1;
	bool verbose = false;
	enum mode mode;
	int opt;

	while ((opt = getopt(argc, argv, "n:s:m:g:v")) != -1) {
		switch (opt) {
		case 'n':
			nr = strtoull(optarg, NULL, 0);
			break;
		case 's':
			seed = strtoull(optarg, NULL, 0);
			break;
		case 'm':
			bits = strtoul(optarg, NULL, 0);
			break;
		case 'g':
			limit = strtoul(optarg, NULL, 0);
			break;
		case 'v':
			verbose = true;
			break;
		default:
			bad_options(argv[0]);
		}
	}
	if (optind != argc || (bits && bits != 16 && bits != 32 && bits != 64))
		bad_options(argv[0]);

	ksft_print_header();
	ksft_set_plan(bits ? nr_checks : NR_MODES * nr_checks);
	guard_init();
	for (mode = 0; mode < NR_MODES; mode++) {
		if (!bits || bits == mode_bits(mode))
			compare_mode(mode, nr, seed, limit, verbose);
	}
	ksft_finished();
}
