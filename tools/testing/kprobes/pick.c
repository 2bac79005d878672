// SPDX-License-Identifier: GPL-2.0
/*
 * Select the functions to probe, and their order.
 *
 * Adjacent functions often call each other.  A pseudo-random order spreads the functions
 * that run most often over many batches, so that no batch slows down the guest too much.
 * The order depends only on the seed and the names, so it hardly differs between kernels.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stress.h"
#include "workload.h"

#define PROFILE	"/sys/kernel/tracing/function_profile_enabled"
#define STAT	"/sys/kernel/tracing/trace_stat/function%u"

static bool executed_known;

static bool is_excluded(const char *list, const char *name)
{
	size_t len = strlen(name);
	const char *line;

	for (line = list; line && *line; line = strchr(line, '\n') ?: "") {
		line += *line == '\n';
		if (!strncmp(line, name, len) && (line[len] == ' ' || line[len] == '\t'))
			return true;
	}
	return false;
}

/* The KUnit tests have unusual instructions, some of which kprobes must refuse. */
static bool is_kunit_code(const char *name)
{
	static const char * const prefixes[] = {
		"kprobes_context_", "kprobes_fault_", "kprobes_place_", "kprobes_region_",
		"kprobes_site_",
	};
	unsigned int i;

	for (i = 0; i < sizeof(prefixes) / sizeof(*prefixes); i++) {
		if (!strncmp(name, prefixes[i], strlen(prefixes[i])))
			return true;
	}
	return false;
}

static bool is_selected(const char *name)
{
	unsigned int i;

	for (i = 0; i < options.nr_names; i++) {
		if (!strcmp(options.names[i], name))
			return true;
	}
	return !options.nr_names && !is_kunit_code(name);
}

static uint64_t name_hash(const char *name)
{
	uint64_t h = options.seed * 0x9e3779b97f4a7c15;

	while (*name)
		h = (h ^ (uint8_t)*name++) * 0x100000001b3;
	return h ^ h >> 32;
}

/* A function is in the same slice on all kernels. */
static bool is_in_slice(const char *name)
{
	return name_hash(name) % options.slices == options.slice;
}

static int by_hash(const void *a, const void *b)
{
	const struct func *x = *(const struct func **)a, *y = *(const struct func **)b;
	uint64_t hx = name_hash(x->name), hy = name_hash(y->name);

	if (hx != hy)
		return hx < hy ? -1 : 1;
	return x->addr < y->addr ? -1 : 1;
}

/*
 * Keep at most options.sample functions.  If find_executed() has run, at most three quarters
 * of the sample are functions that the workload executes.
 */
static unsigned int take_sample(const struct func **list, unsigned int nr)
{
	unsigned int i, n = 0, want[2], got[2] = {};

	want[1] = executed_known ? options.sample * 3 / 4 : 0;
	want[0] = options.sample - want[1];
	for (i = 0; i < nr; i++) {
		if (got[list[i]->executed] == want[list[i]->executed])
			continue;
		got[list[i]->executed]++;
		list[n++] = list[i];
	}
	return n;
}

unsigned int pick_funcs(const struct func ***picked)
{
	char *list = options.exclude ? read_file(options.exclude) : NULL;
	unsigned int i, nr = 0;

	*picked = calloc(nr_funcs, sizeof(**picked));
	for (i = 0; i < nr_funcs; i++) {
		if (is_selected(funcs[i].name) && is_in_slice(funcs[i].name) &&
		    !is_excluded(list, funcs[i].name))
			(*picked)[nr++] = &funcs[i];
	}
	free(list);
	if (!nr)
		die("no function to probe");
	qsort(*picked, nr, sizeof(**picked), by_hash);
	if (options.sample && options.sample < nr)
		nr = take_sample(*picked, nr);
	return nr;
}

static unsigned int read_profile(unsigned int cpu)
{
	unsigned int found = 0;
	char path[80], *all, *line, *save;

	snprintf(path, sizeof(path), STAT, cpu);
	all = read_file(path);
	for (line = strtok_r(all, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		struct func *f;
		char name[256];

		if (sscanf(line, " %255s", name) != 1)
			continue;
		f = func_named(name);
		if (f && !f->executed) {
			f->executed = true;
			found++;
		}
	}
	free(all);
	return found;
}

void find_executed(void)
{
	unsigned int i, found = 0;

	write_file(PROFILE, "1");
	if (!workers_wait(3, options.patience))
		die("a worker of the workload has ended or does not complete three rounds");
	write_file(PROFILE, "0");
	for (i = 0; i < NR_WORKERS; i++)
		found += read_profile(i);
	executed_known = true;
	printf("# count functions-executed %u\n", found);
	if (!ok(found > 1000, "the workload executes more than 1000 functions"))
		exit(1);
}
