// SPDX-License-Identifier: GPL-2.0
/*
 * calls TRACING_ON: make the same calls in each run.
 *
 * The calls are made twice, so that all pages are present when the second round turns the
 * trace on.  Then the program executes itself, and turns the trace off.  The functions
 * u_*() are for uprobes.  The program is linked statically: a dynamic linker would make
 * calls of its own.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define DIR	"/tmp/same/"
#define NOIPA	__attribute__((noipa))

struct node {
	struct node	*next;
	const char	*text;
	int		number;
	unsigned short	half;
	unsigned char	bytes[6];
};

static struct node second = { NULL, "second", -7, 0xabcd, "fghij" };
static struct node first = { &second, "first", 42, 0x1234, "abcde" };
static char buf[64];

/* Uprobes count their users here.  Their commands need its offset in the file. */
unsigned short semaphore __attribute__((section(".probes")));

NOIPA long u_numbers(int a, long b, unsigned char c, short d)
{
	return a + b + c + d;
}

NOIPA const char *u_text(const char *text, int n)
{
	return text + n;
}

NOIPA struct node *u_node(struct node *node)
{
	return node->next;
}

NOIPA int u_semaphore(int users)
{
	return -users;
}

static void handler(int sig)
{
}

static long call(long nr, long a, long b, long c, long d)
{
	return syscall(nr, a, b, c, d);
}

static void files(void)
{
	long fd = call(SYS_openat, AT_FDCWD, (long)DIR "file", O_RDWR, 0);

	call(SYS_read, fd, (long)buf, 5, 0);
	call(SYS_lseek, fd, 2, SEEK_SET, 0);
	call(SYS_write, fd, (long)"abc", 3, 0);
	call(SYS_close, call(SYS_dup3, fd, 20, O_CLOEXEC, 0), 0, 0, 0);
	call(SYS_close, fd, 0, 0, 0);
	call(SYS_openat, AT_FDCWD, (long)DIR "no-such-file", O_RDONLY | O_NOFOLLOW, 0);
	call(SYS_openat, AT_FDCWD, 8, O_RDONLY, 0);
	call(SYS_close, 1000, 0, 0, 0);
	call(SYS_faccessat, AT_FDCWD, (long)DIR "file", R_OK, 0);
	call(SYS_mkdirat, AT_FDCWD, (long)DIR "dir", 0750, 0);
	call(SYS_unlinkat, AT_FDCWD, (long)DIR "dir", AT_REMOVEDIR, 0);
	call(SYS_readlinkat, AT_FDCWD, (long)DIR "link", (long)buf, sizeof(buf));
}

static void task(void)
{
	call(SYS_prctl, PR_SET_NAME, (long)"renamed", 0, 0);
	call(SYS_prctl, PR_SET_NAME, (long)"calls", 0, 0);
	call(SYS_kill, getpid(), SIGUSR1, 0, 0);
	call(SYS_kill, getpid(), SIGUSR2, 0, 0);
	call(SYS_getpgid, 0, 0, 0, 0);
	call(SYS_getpgid, 999999, 0, 0, 0);
	call(SYS_prlimit64, 0, RLIMIT_NOFILE, 0, (long)buf);
}

static void functions(void)
{
	u_numbers(-1, 0x123456789abcdef, 200, -300);
	u_numbers(7, -2, 'x', 32767);
	u_text("some text", 5);
	u_text((const char *)8, 0);
	u_node(&first);
	u_node(&second);
	u_semaphore(semaphore);
}

static void round_of_calls(void)
{
	files();
	task();
	functions();
}

int main(int argc, char **argv)
{
	char number[16];
	int fd;

	if (argc == 3) {
		write(atoi(argv[2]), "0", 1);
		return 0;
	}
	fd = argc == 2 ? open(argv[1], O_WRONLY) : -1;
	if (fd < 0)
		return 2;
	snprintf(number, sizeof(number), "%d", fd);
	signal(SIGUSR1, SIG_IGN);
	signal(SIGUSR2, handler);
	round_of_calls();
	if (write(fd, "1", 1) != 1)
		return 2;
	round_of_calls();
	execl(DIR "calls", "calls", "end", number, NULL);
	return 2;
}
