// SPDX-License-Identifier: GPL-2.0
/*
 * stall: measure how long a busy kernel keeps a CPU from running another task.
 *
 * On each CPU, a real-time task sleeps for a millisecond again and again.  When standard
 * input ends, the program prints the longest time in seconds between two wake-ups of the
 * same task, minus that millisecond.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define MAX_CPUS	64
#define STEP		1000000		/* ns */

static atomic_long longest;	/* ns */
static atomic_int done;

static long now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000L + t.tv_nsec;
}

static void *watch(void *arg)
{
	const struct sched_param param = { .sched_priority = 50 };
	const struct timespec step = { .tv_nsec = STEP };
	long before, late, max;
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET((long)arg, &set);
	if (pthread_setaffinity_np(pthread_self(), sizeof(set), &set) ||
	    pthread_setschedparam(pthread_self(), SCHED_FIFO, &param))
		return &done;
	before = now();
	while (!atomic_load(&done)) {
		nanosleep(&step, NULL);
		late = now() - before - STEP;
		before += late + STEP;
		max = atomic_load(&longest);
		while (late > max && !atomic_compare_exchange_weak(&longest, &max, late))
			;
	}
	return NULL;
}

int main(void)
{
	long i, nr = sysconf(_SC_NPROCESSORS_ONLN);
	pthread_t tasks[MAX_CPUS];
	int failed = 0;
	void *result;
	char c;

	if (nr < 1 || nr > MAX_CPUS)
		return 2;
	for (i = 0; i < nr; i++)
		if (pthread_create(&tasks[i], NULL, watch, (void *)i))
			return 2;
	while (read(0, &c, 1) > 0)
		;
	atomic_store(&done, 1);
	for (i = 0; i < nr; i++) {
		pthread_join(tasks[i], &result);
		failed |= !!result;
	}
	printf("%.3f\n", atomic_load(&longest) / 1e9);
	return failed;
}
