// SPDX-License-Identifier: GPL-2.0
/*
 * Work: processes, threads, signals, memory.
 */
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "work.h"
#include "workload.h"

static bool do_fork(struct work_env *env)
{
	int status = -1;
	pid_t pid = fork();

	NEED(pid >= 0, "fork");
	if (!pid)
		_exit(getppid() > 1 ? 42 : 1);
	NEED(waitpid(pid, &status, 0) == pid, "wait");
	NEED(WIFEXITED(status) && WEXITSTATUS(status) == 42, "exit status");
	return true;
}

static bool do_exec(struct work_env *env)
{
	int status = -1;
	pid_t pid = vfork();

	NEED(pid >= 0, "vfork");
	if (!pid) {
		execl(env->self, env->self, EXIT_ARG, NULL);
		_exit(1);
	}
	NEED(waitpid(pid, &status, 0) == pid, "wait");
	NEED(WIFEXITED(status) && !WEXITSTATUS(status), "exit status");
	return true;
}

static pthread_mutex_t thread_lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned int thread_sum;

static void *thread(void *unused)
{
	unsigned int i;

	for (i = 0; i < 100; i++) {
		pthread_mutex_lock(&thread_lock);
		thread_sum++;
		pthread_mutex_unlock(&thread_lock);
		if (i % 16 == 0)
			sched_yield();
	}
	return NULL;
}

static bool do_threads(struct work_env *env)
{
	pthread_t threads[3];
	unsigned int i;

	thread_sum = 0;
	for (i = 0; i < 3; i++)
		NEED(!pthread_create(&threads[i], NULL, thread, NULL), "pthread_create");
	for (i = 0; i < 3; i++)
		NEED(!pthread_join(threads[i], NULL), "pthread_join");
	NEED(thread_sum == 300, "sum of the threads");
	return true;
}

static bool do_trace(struct work_env *env)
{
	int status, steps;
	pid_t pid = fork();

	NEED(pid >= 0, "fork");
	if (!pid) {
		ptrace(PTRACE_TRACEME, 0, 0, 0);
		raise(SIGSTOP);
		_exit(7);
	}
	NEED(waitpid(pid, &status, 0) == pid && WIFSTOPPED(status), "stop");
	for (steps = 0; steps < 5; steps++) {
		NEED(!ptrace(PTRACE_SINGLESTEP, pid, 0, 0), "single step");
		NEED(waitpid(pid, &status, 0) == pid && WIFSTOPPED(status), "step");
		NEED(WSTOPSIG(status) == SIGTRAP, "trap");
	}
	NEED(!ptrace(PTRACE_CONT, pid, 0, 0), "continue");
	NEED(waitpid(pid, &status, 0) == pid && WIFEXITED(status), "exit of the tracee");
	NEED(WEXITSTATUS(status) == 7, "status of the tracee");
	return true;
}

static volatile sig_atomic_t got_signal, got_value;

static void on_signal(int sig, siginfo_t *info, void *context)
{
	got_signal++;
	got_value = info->si_value.sival_int;
}

static bool do_signals(struct work_env *env)
{
	struct sigaction sa = { .sa_sigaction = on_signal, .sa_flags = SA_SIGINFO };
	union sigval value = { .sival_int = 77 };
	struct timespec wait = { .tv_sec = 10 };
	siginfo_t info;
	sigset_t set;

	got_signal = 0;
	NEED(!sigaction(SIGUSR1, &sa, NULL), "sigaction");
	NEED(!kill(getpid(), SIGUSR1), "kill");
	NEED(got_signal == 1, "a signal");
	NEED(!sigqueue(getpid(), SIGUSR1, value), "sigqueue");
	NEED(got_signal == 2 && got_value == 77, "a signal with a value");

	sigemptyset(&set);
	sigaddset(&set, SIGUSR2);
	NEED(!sigprocmask(SIG_BLOCK, &set, NULL), "block");
	NEED(!kill(getpid(), SIGUSR2), "kill with a blocked signal");
	NEED(sigtimedwait(&set, &info, &wait) == SIGUSR2, "sigtimedwait");
	NEED(!sigprocmask(SIG_UNBLOCK, &set, NULL), "unblock");
	return true;
}

static sigjmp_buf fault_jump;
static void *volatile fault_addr;
static char *volatile nowhere = (char *)16;

static void on_fault(int sig, siginfo_t *info, void *context)
{
	fault_addr = info->si_addr;
	siglongjmp(fault_jump, sig);
}

static bool do_faults(struct work_env *env)
{
	struct sigaction sa = { .sa_sigaction = on_fault, .sa_flags = SA_SIGINFO };
	static volatile int zero;
	int sig;

	NEED(!sigaction(SIGSEGV, &sa, NULL) && !sigaction(SIGFPE, &sa, NULL) &&
	     !sigaction(SIGILL, &sa, NULL), "sigaction");
	sig = sigsetjmp(fault_jump, 1);
	if (!sig)
		*nowhere = 1;
	NEED(sig == SIGSEGV && fault_addr == nowhere, "a page fault");
	sig = sigsetjmp(fault_jump, 1);
	if (!sig)
		zero = 77 / zero;
	NEED(sig == SIGFPE, "a division by zero");
	sig = sigsetjmp(fault_jump, 1);
	if (!sig)
		__asm__ volatile("ud2");
	NEED(sig == SIGILL, "an undefined instruction");

	/* System calls that fail.  In uname(), the kernel itself faults. */
	NEED(write(-1, nowhere, 1) < 0 && errno == EBADF, "write to a bad file descriptor");
	NEED(uname((struct utsname *)nowhere) < 0 && errno == EFAULT,
	     "uname to an unmapped address");
	return true;
}

static bool do_memory(struct work_env *env)
{
	size_t page = sysconf(_SC_PAGESIZE), len = 16 * page, i;
	unsigned char *map, *more;

	map = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	NEED(map != MAP_FAILED, "mmap");
	for (i = 0; i < len; i += page)
		map[i] = i / page;
	NEED(!mprotect(map + page, page, PROT_READ), "mprotect");
	NEED(!madvise(map + 2 * page, page, MADV_DONTNEED), "madvise");
	NEED(map[page] == 1 && map[2 * page] == 0 && map[3 * page] == 3,
	     "data after mprotect and madvise");
	/* Make the mapping one VMA again: mremap() cannot move several VMAs at once. */
	NEED(!mprotect(map + page, page, PROT_READ | PROT_WRITE), "mprotect back");
	more = mremap(map, len, 2 * len, MREMAP_MAYMOVE);
	NEED(more != MAP_FAILED, "mremap");
	NEED(more[3 * page] == 3 && more[len] == 0, "data after mremap");
	NEED(!mlock(more, page) && !munlock(more, page), "mlock");
	NEED(!munmap(more, 2 * len), "munmap");
	return true;
}

static bool do_small_calls(struct work_env *env)
{
	unsigned char random[16];
	struct utsname name;
	struct rlimit limit;
	struct rusage usage;
	cpu_set_t set;
	int word = 1;

	NEED(!uname(&name) && !strcmp(name.sysname, "Linux"), "uname");
	NEED(syscall(SYS_getpid) == getpid(), "getpid");
	NEED(!getrlimit(RLIMIT_NOFILE, &limit), "getrlimit");
	NEED(!getrusage(RUSAGE_SELF, &usage), "getrusage");
	NEED(syscall(SYS_getrandom, random, sizeof(random), 0) == sizeof(random), "getrandom");
	NEED(!sched_getaffinity(0, sizeof(set), &set), "sched_getaffinity");
	NEED(syscall(SYS_futex, &word, FUTEX_WAIT, 2, NULL, NULL, 0) < 0 && errno == EAGAIN,
	     "futex");
	NEED(syscall(SYS_futex, &word, FUTEX_WAKE, 1, NULL, NULL, 0) == 0, "futex wake");
	NEED(!setpriority(PRIO_PROCESS, 0, getpriority(PRIO_PROCESS, 0)), "setpriority");
	NEED(getcpu(NULL, NULL) == 0, "getcpu");
	return true;
}

const struct work work_process[] = {
	{ "fork", do_fork },
	{ "exec", do_exec },
	{ "threads", do_threads },
	{ "ptrace", do_trace },
	{ "signals", do_signals },
	{ "faults", do_faults },
	{ "memory", do_memory },
	{ "small calls", do_small_calls },
	{ }
};
