/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Work for the kernel, so that probes are hit.
 */
#ifndef _STRESS_WORKLOAD_H
#define _STRESS_WORKLOAD_H

#include <stdbool.h>

#define NR_WORKERS	2

/* The worker runs the program at @self with this argument, which does nothing. */
#define NOTHING		"--do-nothing"

void workers_start(const char *self, const char *module);
void workers_stop(void);

/*
 * Workers are idle from workers_pause() to workers_go().  False if one has ended or does
 * not pause within @seconds.
 */
bool workers_pause(unsigned int seconds);
void workers_go(void);

/*
 * Wait until each worker has completed @times more rounds.  False on timeout, or if one
 * has ended.
 */
bool workers_wait(unsigned int times, unsigned int seconds);
unsigned long workers_rounds(void);

#endif /* _STRESS_WORKLOAD_H */
