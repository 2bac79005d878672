// SPDX-License-Identifier: GPL-2.0
/*
 * perfprobes TYPE: open an event with perf_event_open() for each line of standard input,
 * then close all events.
 *
 * If TYPE is the type of the kprobe PMU, a line names a function, and the event is a kprobe.
 * If TYPE is 2 (PERF_TYPE_TRACEPOINT), a line is the number of a trace event.
 *
 * Prints the number of events, and the seconds for opening and closing them.
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

static int open_event(int type, const char *line)
{
	struct perf_event_attr attr = {
		.type = type,
		.size = sizeof(attr),
	};

	if (type == PERF_TYPE_TRACEPOINT)
		attr.config = strtoull(line, NULL, 10);
	else
		attr.kprobe_func = (uintptr_t)line;
	return syscall(SYS_perf_event_open, &attr, -1, 0, -1, PERF_FLAG_FD_CLOEXEC);
}

int main(int argc, char **argv)
{
	struct rlimit limit = { MAX + 16, MAX + 16 };
	double begin, opened;
	char line[256];
	int i, n = 0;

	if (argc != 2 || setrlimit(RLIMIT_NOFILE, &limit))
		return 2;
	begin = now();
	while (n < MAX && fgets(line, sizeof(line), stdin)) {
		line[strcspn(line, "\n")] = '\0';
		fds[n] = open_event(atoi(argv[1]), line);
		if (fds[n++] < 0) {
			perror(line);
			return 1;
		}
	}
	opened = now();
	for (i = 0; i < n; i++)
		close(fds[i]);
	printf("%d %.4f %.4f\n", n, opened - begin, now() - opened);
	return 0;
}
