// SPDX-License-Identifier: GPL-2.0
/*
 * sleepers N: N threads sleep in read() of one pipe at the same time, and then all
 * return.  Prints how many there were.
 */
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int ends[2];

static void *sleeper(void *unused)
{
	char c;

	/* 0 when the last writer has closed the pipe. */
	return read(ends[0], &c, 1) ? unused : NULL;
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 0, i;
	pthread_t *threads = calloc(n, sizeof(*threads));
	pthread_attr_t attr;

	if (!n || !threads || pipe(ends))
		return 2;
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, PTHREAD_STACK_MIN);
	for (i = 0; i < n; i++) {
		if (pthread_create(&threads[i], &attr, sleeper, NULL))
			break;
	}
	n = i;
	/* They are all there when no other thread is left to run. */
	sleep(1);
	close(ends[1]);
	for (i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
	printf("%d\n", n);
	return 0;
}
