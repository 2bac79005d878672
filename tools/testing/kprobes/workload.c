// SPDX-License-Identifier: GPL-2.0
/*
 * Two workers, each on its own CPU.  Each runs all kinds of work in a loop and checks
 * the results.  The work is in work_*.c.
 */
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "kernel.h"
#include "work.h"
#include "workload.h"

/*
 * Microseconds that a worker sleeps after each kind of work.  Each change of the text waits
 * for all CPUs.  The virtual CPUs of a guest may share one thread of the host.  A virtual
 * CPU that never sleeps then keeps the others waiting for a tenth of a second each time.
 */
#define NAP	200

/* Shared with the worker. */
struct worker {
	volatile unsigned long rounds;
	volatile unsigned long failed;
	volatile bool pause;		/* stop before the next kind of work */
	volatile bool paused;
	char what[256];			/* the first failure */
	pid_t pid;
};

static struct worker *workers;

static const struct work *const all_works[] = {
	work_process, work_file, work_net,
};

/* Called on failure by the functions that do the work.  Keeps the first message. */
bool work_failed(struct work_env *env, const char *what)
{
	struct worker *w = &workers[env->number];

	if (!w->failed)
		snprintf(w->what, sizeof(w->what), "%s: %s: %s", env->name, what,
			 strerror(errno));
	w->failed++;
	return false;
}

static void pause_if_asked(struct worker *w)
{
	while (w->pause) {
		w->paused = true;
		usleep(2000);
	}
	w->paused = false;
}

static void work(struct work_env *env)
{
	const struct work *w;
	unsigned int i;
	cpu_set_t set;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	CPU_ZERO(&set);
	CPU_SET(env->number % sysconf(_SC_NPROCESSORS_ONLN), &set);
	sched_setaffinity(0, sizeof(set), &set);
	snprintf(env->dir, sizeof(env->dir), "/tmp/stress-%u", env->number);
	enter_clean_dir(env->dir);
	for (;;) {
		for (i = 0; i < sizeof(all_works) / sizeof(*all_works); i++) {
			for (w = all_works[i]; w->name; w++) {
				pause_if_asked(&workers[env->number]);
				env->name = w->name;
				errno = 0;
				w->run(env);
				usleep(NAP);
			}
		}
		env->round++;
		workers[env->number].rounds++;
	}
}

void workers_start(const char *self, const char *module)
{
	unsigned int i;

	workers = mmap(NULL, NR_WORKERS * sizeof(*workers), PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (workers == MAP_FAILED)
		die("mmap: %s", strerror(errno));
	fflush(stdout);
	for (i = 0; i < NR_WORKERS; i++) {
		pid_t pid = fork();

		if (pid < 0)
			die("fork: %s", strerror(errno));
		if (!pid) {
			struct work_env env = { .number = i, .self = self, .module = module };

			work(&env);
			_exit(1);
		}
		workers[i].pid = pid;
	}
}

void workers_stop(void)
{
	unsigned int i;

	for (i = 0; i < NR_WORKERS; i++) {
		bool ended = waitpid(workers[i].pid, NULL, WNOHANG);

		if (!ended) {
			kill(workers[i].pid, SIGKILL);
			waitpid(workers[i].pid, NULL, 0);
		}
		ok(!workers[i].failed && !ended, "worker %u: all operations succeeded%s%s", i,
		   workers[i].failed ? ": " : ended ? ": it has died" : "", workers[i].what);
	}
}

/*
 * Changing text is faster when the other processors are idle.  Stopping the workers by a
 * signal would make some of their system calls fail.
 */
bool workers_pause(unsigned int seconds)
{
	time_t end = time(NULL) + seconds;
	unsigned int i;

	for (i = 0; i < NR_WORKERS; i++) {
		workers[i].paused = false;
		workers[i].pause = true;
	}
	for (i = 0; i < NR_WORKERS; i++) {
		while (!workers[i].paused) {
			if (time(NULL) > end || waitpid(workers[i].pid, NULL, WNOHANG))
				return false;
			usleep(1000);
		}
	}
	return true;
}

void workers_go(void)
{
	unsigned int i;

	for (i = 0; i < NR_WORKERS; i++)
		workers[i].pause = false;
}

bool workers_wait(unsigned int times, unsigned int seconds)
{
	unsigned long want[NR_WORKERS];
	time_t end = time(NULL) + seconds;
	unsigned int i;

	for (i = 0; i < NR_WORKERS; i++)
		want[i] = workers[i].rounds + times;
	for (i = 0; i < NR_WORKERS; i++) {
		while ((long)(workers[i].rounds - want[i]) < 0) {
			if (time(NULL) > end || waitpid(workers[i].pid, NULL, WNOHANG))
				return false;
			usleep(5000);
		}
	}
	return true;
}
