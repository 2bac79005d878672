/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Options and functions that the modes of the stress test share.
 */
#ifndef _STRESS_STRESS_H
#define _STRESS_STRESS_H

#include "code.h"
#include "kernel.h"

struct options {
	const char *self;
	const char *module;	/* for the workload to load */
	const char *exclude;	/* file with a function and a reason in each line */
	const char *output;	/* file for the current batch; for 'refusals', the answers */
	unsigned int batch;	/* probes at a time */
	unsigned int sample;	/* number of functions, 0: all */
	unsigned int seed;
	unsigned int slice, slices;	/* probe only this slice of all functions */
	unsigned int from, to;	/* first batch, and the batch after the last */
	unsigned int patience;	/* seconds until something counts as hung */
	unsigned int alike;	/* instructions of each form to probe, 0: all */
	unsigned int seconds;	/* for churn */
	char **names;		/* only these functions */
	unsigned int nr_names;
};

extern struct options options;

/*
 * Set @picked to the functions that the options select, in a pseudo-random order that depends
 * on options.seed.  Return how many.
 */
unsigned int pick_funcs(const struct func ***picked);
/* Let the workload run for a while, and note the functions that it executes. */
void find_executed(void);

int sweep(const char *way);
int refusals(void);
int churn(void);

#endif /* _STRESS_STRESS_H */
