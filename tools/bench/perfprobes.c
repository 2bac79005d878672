// SPDX-License-Identifier: GPL-2.0
/*
 * perfprobes TYPE: open a kprobe with perf_event_open() for each function named on
 * standard input, then close all kprobes.  TYPE is the type of the kprobe PMU.
 *
 * Prints the number of kprobes, and the seconds for opening and closing them.
 */
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define MAX	65536

static int fds[MAX];

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

static int open_probe(int type, const char *name)
{
	struct perf_event_attr attr = {
		.type = type,
		.size = sizeof(attr),
		.kprobe_func = (uintptr_t)name,
	};

	return syscall(SYS_perf_event_open, &attr, -1, 0, -1, PERF_FLAG_FD_CLOEXEC);
}

int main(int argc, char **argv)
{
	struct rlimit limit = { MAX + 16, MAX + 16 };
	double begin, opened;
	char name[256];
	int i, n = 0;

	if (argc != 2 || setrlimit(RLIMIT_NOFILE, &limit))
		return 2;
	begin = now();
	while (n < MAX && fgets(name, sizeof(name), stdin)) {
		name[strcspn(name, "\n")] = '\0';
		fds[n] = open_probe(atoi(argv[1]), name);
		if (fds[n++] < 0) {
			perror(name);
			return 1;
		}
	}
	opened = now();
	for (i = 0; i < n; i++)
		close(fds[i]);
	printf("%d %.4f %.4f\n", n, opened - begin, now() - opened);
	return 0;
}
