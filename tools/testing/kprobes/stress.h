/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the modes of the stress test share.
 */
#ifndef _STRESS_STRESS_H
#define _STRESS_STRESS_H

#include "code.h"
#include "kernel.h"

struct options {
	const char *self;
	const char *module;	/* for the workload to load */
	const char *exclude;	/* file with names of functions */
	const char *progress;	/* file that tells which batch is being probed */
	unsigned int batch;	/* probes at a time */
	unsigned int sample;	/* that many functions, 0: all */
	unsigned int seed;
	unsigned int slice, slices;	/* only functions of this one of so many parts */
	unsigned int from, to;	/* batches */
	unsigned int patience;	/* seconds until something counts as hung */
	unsigned int alike;	/* of instructions alike ask for so many, 0: all */
	unsigned int seconds;	/* for churn */
	char **names;		/* only these functions */
	unsigned int nr_names;
};

extern struct options options;

/* Functions in the order in which they are probed; options say which. */
unsigned int pick_funcs(const struct func ***picked);
/* Let the workload run for a while, and see which functions it gets to. */
void find_executed(void);

int sweep(const char *way);
int refusals(void);
int churn(void);

#endif /* _STRESS_STRESS_H */
