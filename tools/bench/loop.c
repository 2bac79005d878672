// SPDX-License-Identifier: GPL-2.0
/*
 * The measuring loop of the hit benchmark.
 *
 *	loop [-p ID | -b ID] BATCHES CALLS TEXT
 *
 * Issues getpriority(PRIO_PROCESS, 0, TEXT) in BATCHES batches of CALLS and prints
 * the increase of the time stamp counter in each.  The kernel ignores the third
 * argument; it is for probes that fetch a user string.
 *
 * With -p, count the event ID (its 'id' file) for this task, like 'perf stat', and
 * print the count in the last line.  With -b, also attach a BPF program that returns
 * 0, like bpftrace.
 *
 * The program calls no functions between two readings of the counter and has touched
 * all memory before: two runs differ only by the work of the kernel.
 */
#include <err.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <x86intrin.h>

#define MAX_BATCHES 1000

static uint64_t took[MAX_BATCHES];
static char verifier_log[4096];

static inline long call(const char *text)
{
	long ret;

	asm volatile("syscall" : "=a" (ret)
		     : "a" (SYS_getpriority), "D" (0L), "S" (0L), "d" (text)
		     : "rcx", "r11", "memory");
	return ret;
}

static void batch(long calls, const char *text, uint64_t *result)
{
	uint64_t start = __rdtsc();

	for (long i = 0; i < calls; i++)
		call(text);
	*result = __rdtsc() - start;
}

/* Count event @id for this task. */
static int open_counter(uint64_t id)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_TRACEPOINT,
		.size = sizeof(attr),
		.config = id,
	};
	int fd = syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);

	if (fd < 0)
		err(1, "perf_event_open");
	return fd;
}

/* Run the shortest possible program at each hit of counter @fd. */
static void attach_bpf(int fd)
{
	static const struct bpf_insn program[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	union bpf_attr attr = {
		.prog_type = BPF_PROG_TYPE_KPROBE,
		.insns = (uintptr_t)program,
		.insn_cnt = sizeof(program) / sizeof(program[0]),
		.license = (uintptr_t)"GPL",
		.log_buf = (uintptr_t)verifier_log,
		.log_size = sizeof(verifier_log),
		.log_level = 1,
	};
	int prog = syscall(SYS_bpf, BPF_PROG_LOAD, &attr, sizeof(attr));

	if (prog < 0)
		err(1, "bpf(BPF_PROG_LOAD): %s", verifier_log);
	if (ioctl(fd, PERF_EVENT_IOC_SET_BPF, prog))
		err(1, "PERF_EVENT_IOC_SET_BPF");
}

int main(int argc, char **argv)
{
	int opt, counter = -1;
	long batches, calls;
	const char *text;

	while ((opt = getopt(argc, argv, "p:b:")) != -1) {
		if (opt == '?')
			return 2;
		counter = open_counter(strtoull(optarg, NULL, 10));
		if (opt == 'b')
			attach_bpf(counter);
	}
	if (argc - optind != 3)
		errx(2, "usage: loop [-p ID | -b ID] BATCHES CALLS TEXT");
	batches = atol(argv[optind]);
	calls = atol(argv[optind + 1]);
	text = argv[optind + 2];
	if (batches < 1 || batches > MAX_BATCHES || calls < 1)
		errx(2, "1 to %d batches of at least one call", MAX_BATCHES);

	memset(took, 1, sizeof(took));
	for (long i = 0; i < batches; i++)
		batch(calls, text, &took[i]);
	for (long i = 0; i < batches; i++)
		printf("%llu ", (unsigned long long)took[i]);
	putchar('\n');
	if (counter >= 0) {
		uint64_t count;

		if (read(counter, &count, sizeof(count)) != sizeof(count))
			err(1, "read of the counter");
		printf("%llu\n", (unsigned long long)count);
	}
	return 0;
}
