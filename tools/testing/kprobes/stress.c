// SPDX-License-Identifier: GPL-2.0
/*
 * Stress test of kprobes; see README.rst.
 */
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "stress.h"
#include "workload.h"

struct options options = {
	.batch = 2000,
	.seed = 1,
	.slices = 1,
	.to = UINT_MAX,
	.patience = 60,
	.seconds = 30,
};

static const char usage[] =
	"stress [OPTION...] int3|step|jump [FUNCTION...]\n"
	"stress [OPTION...] refusals [FUNCTION...]\n"
	"stress [OPTION...] churn\n"
	"  -b N     probes in a batch\n"
	"  -n N     a sample of N functions\n"
	"  -s N     seed of the pseudo-random order\n"
	"  -k I/N   divide the functions into N parts, probe part I (from 0)\n"
	"  -f N     start with batch N\n"
	"  -t N     end before batch N\n"
	"  -u N     refusals: probe at most N instructions of each form\n"
	"  -p N     seconds until an operation counts as hung\n"
	"  -l N     duration of churn in seconds\n"
	"  -m FILE  module for the workload to load\n"
	"  -x FILE  functions that must not be probed, one per line, with the reason\n"
	"  -o FILE  write the current batch, or the result of refusals, to FILE\n";

static const struct {
	char letter;
	unsigned int *number;
	const char **text;
} settings[] = {
	{ 'b', .number = &options.batch },
	{ 'n', .number = &options.sample },
	{ 's', .number = &options.seed },
	{ 'f', .number = &options.from },
	{ 't', .number = &options.to },
	{ 'u', .number = &options.alike },
	{ 'p', .number = &options.patience },
	{ 'l', .number = &options.seconds },
	{ 'm', .text = &options.module },
	{ 'x', .text = &options.exclude },
	{ 'o', .text = &options.output },
};

static void set_slice(const char *value)
{
	if (sscanf(value, "%u/%u", &options.slice, &options.slices) != 2 ||
	    options.slice >= options.slices)
		die("-k %s: not I/N", value);
}

static void set(int letter, const char *value)
{
	unsigned int i;

	for (i = 0; i < sizeof(settings) / sizeof(*settings); i++) {
		if (settings[i].letter != letter)
			continue;
		if (settings[i].number)
			*settings[i].number = atoi(value);
		else
			*settings[i].text = value;
		return;
	}
	fputs(usage, stderr);
	exit(2);
}

static void parse(int argc, char **argv)
{
	int c;

	while ((c = getopt(argc, argv, "+b:n:s:k:f:t:u:p:l:m:x:o:")) != -1) {
		if (c == 'k')
			set_slice(optarg);
		else
			set(c, optarg);
	}
	if (optind == argc) {
		fputs(usage, stderr);
		exit(2);
	}
	options.names = argv + optind + 1;
	options.nr_names = argc - optind - 1;
}

int main(int argc, char **argv)
{
	const char *mode;
	int ret;

	if (argc == 2 && !strcmp(argv[1], EXIT_ARG))
		return 0;
	parse(argc, argv);
	results_begin();
	options.self = realpath("/proc/self/exe", NULL);
	mode = argv[optind];

	if (!strcmp(mode, "refusals")) {
		symbols_load();
		text_load();
		sites_load();
		ret = refusals();
		results_end();
		return ret;
	}
	if (strcmp(mode, "int3") && strcmp(mode, "step") && strcmp(mode, "jump") &&
	    strcmp(mode, "churn"))
		die("unknown mode %s", mode);

	/* Fork while the process is still small. */
	workers_start(options.self, options.module);
	symbols_load();
	/* This also lets static keys settle before text_load() saves the original text. */
	find_executed();
	text_load();
	sites_load();
	ret = strcmp(mode, "churn") ? sweep(mode) : churn();
	workers_stop();
	results_end();
	return ret || nr_problems();
}
