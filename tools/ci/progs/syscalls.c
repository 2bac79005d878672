// SPDX-License-Identifier: GPL-2.0
/*
 * syscalls list: print the names of the system calls that this program makes.
 * syscalls STOP: on each CPU, make all these calls again and again until the file STOP exists.
 * Print how often each was made.
 *
 * All arguments are -1, so the calls fail.  Other programs of the test do not use these calls.
 */
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define CALL(name) { #name, SYS_##name }
static const struct {
	const char	*name;
	long		number;
} calls[] = {
	CALL(getpriority), CALL(sched_getparam), CALL(sched_setparam), CALL(sched_getscheduler),
	CALL(sched_setscheduler), CALL(sched_rr_get_interval), CALL(getsid), CALL(timer_gettime),
	CALL(timer_settime), CALL(timer_getoverrun), CALL(timer_delete), CALL(mq_getsetattr),
	CALL(mq_timedsend), CALL(mq_timedreceive), CALL(mq_notify), CALL(msgctl), CALL(msgsnd),
	CALL(msgrcv), CALL(semctl), CALL(semop), CALL(shmctl), CALL(shmdt), CALL(shmat),
	CALL(inotify_rm_watch), CALL(inotify_add_watch),
	CALL(fdatasync), CALL(readahead), CALL(tee), CALL(vmsplice),
	CALL(sync_file_range), CALL(preadv), CALL(pwritev), CALL(signalfd4),
	CALL(timerfd_gettime), CALL(timerfd_settime), CALL(getitimer), CALL(tkill),
	CALL(ioprio_get), CALL(ioprio_set), CALL(fremovexattr), CALL(fsetxattr), CALL(syncfs),
};

#define NR (sizeof(calls) / sizeof(calls[0]))

static long call_all(const char *stop)
{
	long rounds = 0;
	unsigned int i;

	while (access(stop, F_OK)) {
		for (i = 0; i < NR; i++)
			syscall(calls[i].number, -1L, -1L, -1L, -1L, -1L, -1L);
		rounds++;
	}
	return rounds;
}

static int call_on(int cpu, const char *stop, int out)
{
	cpu_set_t set;
	long rounds;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		return 1;
	rounds = call_all(stop);
	return write(out, &rounds, sizeof(rounds)) != sizeof(rounds);
}

int main(int argc, char **argv)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN), rounds, sum = 0;
	unsigned int i;
	pid_t child;
	int out[2];

	if (argc != 2)
		return 2;
	if (!strcmp(argv[1], "list")) {
		for (i = 0; i < NR; i++)
			printf("%s\n", calls[i].name);
		return 0;
	}
	if (pipe(out))
		return 1;
	for (i = 0; i < cpus; i++) {
		child = fork();
		if (!child)
			_exit(call_on(i, argv[1], out[1]));
		if (child < 0)
			return 1;
	}
	/* The end of the pipe shows that all children have ended. */
	close(out[1]);
	for (i = 0; i < cpus; i++) {
		if (read(out[0], &rounds, sizeof(rounds)) != sizeof(rounds)) {
			fprintf(stderr, "a child failed\n");
			return 1;
		}
		sum += rounds;
	}
	while (wait(NULL) > 0)
		;
	printf("%ld\n", sum);
	return 0;
}
