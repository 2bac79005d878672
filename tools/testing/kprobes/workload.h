/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Workers that exercise the kernel, so that probes are hit.
 */
#ifndef _STRESS_WORKLOAD_H
#define _STRESS_WORKLOAD_H

#include <stdbool.h>

#define NR_WORKERS	2

/* Workers run the program at @self with this argument, which makes it do nothing. */
#define EXIT_ARG	"--do-nothing"

void workers_start(const char *self, const char *module);
void workers_stop(void);

/*
 * Workers are idle from workers_pause() to workers_go().  workers_pause() returns false if
 * a worker has ended or does not pause within @seconds.
 */
bool workers_pause(unsigned int seconds);
void workers_go(void);

/*
 * Wait until each worker has completed @times more rounds.  Return false if a worker has
 * ended or needs more than @seconds.
 */
bool workers_wait(unsigned int times, unsigned int seconds);

#endif /* _STRESS_WORKLOAD_H */
