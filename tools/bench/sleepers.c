// SPDX-License-Identifier: GPL-2.0
/*
 * sleepers N: N threads sleep in read() of one pipe at the same time, and then all
 * return.  Prints the number of threads.
 *
 * sleepers N FILE: also create FILE while they sleep, and wait until it is removed.
 */
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int ends[2];
static atomic_int started;
static int *tids;

static void *sleeper(void *unused)
{
	char c;

	tids[started++] = syscall(SYS_gettid);
	/* read() returns 0 when the last writer has closed the pipe. */
	return read(ends[0], &c, 1) ? unused : NULL;
}

static int sleeps(int tid)
{
	char path[64], stat[512], *state;
	int fd, n;

	snprintf(path, sizeof(path), "/proc/self/task/%d/stat", tid);
	fd = open(path, O_RDONLY);
	n = read(fd, stat, sizeof(stat) - 1);
	close(fd);
	stat[n > 0 ? n : 0] = '\0';
	state = strrchr(stat, ')');
	return state && state[2] == 'S';
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 0, i;
	pthread_t *threads = calloc(n, sizeof(*threads));
	pthread_attr_t attr;

	tids = calloc(n, sizeof(*tids));
	if (!n || !threads || !tids || pipe(ends))
		return 2;
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, PTHREAD_STACK_MIN);
	for (i = 0; i < n; i++)
		if (pthread_create(&threads[i], &attr, sleeper, NULL))
			break;
	n = i;
	while (started < n)
		usleep(1000);
	for (i = 0; i < n; i++)
		while (!sleeps(tids[i]))
			usleep(1000);
	if (argc > 2) {
		close(open(argv[2], O_CREAT | O_WRONLY, 0600));
		while (!access(argv[2], F_OK))
			usleep(1000);
	}
	close(ends[1]);
	for (i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
	printf("%d\n", n);
	return 0;
}
