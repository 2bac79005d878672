// SPDX-License-Identifier: GPL-2.0
/*
 * stall [MS]: measure how long a busy kernel keeps a CPU from running another task.
 *
 * On each CPU, a real-time task sleeps for MS milliseconds (default: 1) again and again.  When
 * standard input ends, the program prints the longest time in seconds between two wake-ups of
 * the same task, minus these milliseconds.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define MAX_CPUS	64

static long step = 1000000;	/* ns; less than a second */
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
	const struct timespec time = { .tv_nsec = step };
	long before, late, max;
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET((long)arg, &set);
	if (pthread_setaffinity_np(pthread_self(), sizeof(set), &set) ||
	    pthread_setschedparam(pthread_self(), SCHED_FIFO, &param))
		return &done;
	before = now();
	while (!atomic_load(&done)) {
		nanosleep(&time, NULL);
		late = now() - before - step;
		before += late + step;
		max = atomic_load(&longest);
		while (late > max && !atomic_compare_exchange_weak(&longest, &max, late))
			;
	}
	return NULL;
}

int main(int argc, char **argv)
{
	long i, nr = sysconf(_SC_NPROCESSORS_ONLN);
	pthread_t tasks[MAX_CPUS];
	int failed = 0;
	void *result;
	char c;

	if (argc > 1)
		step = atol(argv[1]) * 1000000;
	if (nr < 1 || nr > MAX_CPUS || step <= 0 || step >= 1000000000)
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
