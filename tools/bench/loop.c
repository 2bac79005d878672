// SPDX-License-Identifier: GPL-2.0
/*
 * The measuring loop of the hit benchmark.
 *
 *	loop [-p ID | -b ID | -r ID | -f FUNCTION] BATCHES CALLS TEXT
 *
 * Issues getpriority(PRIO_PROCESS, 0, TEXT) in BATCHES batches of CALLS calls and prints
 * how many instructions each batch took, as measured by the processor's time counter.  The
 * kernel ignores the third argument; it is for probes that fetch a user string.
 *
 * ID is the number in the 'id' file of an event.  With -p, count the event for this task,
 * like 'perf stat', and print the count in the last line.  With -b, also attach a BPF
 * program that returns 0, like bpftrace.
 *
 * With -r, attach a BPF program that writes the fields of a kprobe event to a BPF ring
 * buffer: time, task, instruction pointer and a register.  With -f, attach the same program
 * to FUNCTION with an fprobe.  The last line has the number of records.
 *
 * The loop calls no functions between two readings of the counter, and its memory has been
 * touched before, so two runs differ only in the work of the kernel.
 */
#include <err.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <unistd.h>

#define MAX_BATCHES 1000
#define NR_OF(a) (sizeof(a) / sizeof((a)[0]))

#define PAGE 4096
#define RING_SIZE (4 << 20)

/* Size of a record, without and with the header that the BPF ring buffer adds. */
#define DATA_SIZE (4 * sizeof(uint64_t))
#define RECORD_SIZE (BPF_RINGBUF_HDR_SZ + DATA_SIZE)

static uint64_t took[MAX_BATCHES];
static char verifier_log[65536];

/* Positions in the ring buffer, which the kernel and this program share. */
static unsigned long *consumed, *produced;
static unsigned long ring_bytes;

#ifdef __x86_64__
#include <x86intrin.h>

#define IP	rip
#define FIRST	rdi

static inline uint64_t instructions(void)
{
	return __rdtsc();
}

/* A function, so that a uprobe can be at its entry. */
__attribute__((noipa)) long call(const char *text)
{
	long ret;

	asm volatile("syscall" : "=a" (ret)
		     : "a" (SYS_getpriority), "D" (0L), "S" (0L), "d" (text)
		     : "rcx", "r11", "memory");
	return ret;
}
#endif

#ifdef __aarch64__
#define IP	pc
#define FIRST	regs[0]

/*
 * With QEMU's -icount, an instruction takes a nanosecond.  The counter is coarser, so
 * batches must be long.
 */
static inline uint64_t instructions(void)
{
	uint64_t count, frequency;

	asm volatile("isb; mrs %0, cntvct_el0" : "=r" (count) : : "memory");
	asm("mrs %0, cntfrq_el0" : "=r" (frequency));
	return count * (1000000000 / frequency);
}

__attribute__((noipa)) long call(const char *text)
{
	register long nr asm("x8") = SYS_getpriority;
	register long which asm("x0") = 0, who asm("x1") = 0;
	register const char *third asm("x2") = text;

	asm volatile("svc #0" : "+r" (which) : "r" (nr), "r" (who), "r" (third) : "memory");
	return which;
}
#endif

static void batch(long calls, const char *text, uint64_t *result)
{
	uint64_t start = instructions();

	for (long i = 0; i < calls; i++)
		call(text);
	*result = instructions() - start;
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

static int load_bpf(const struct bpf_insn *program, size_t count, uint32_t type)
{
	union bpf_attr attr = {
		.prog_type = BPF_PROG_TYPE_KPROBE,
		.expected_attach_type = type,
		.insns = (uintptr_t)program,
		.insn_cnt = count,
		.license = (uintptr_t)"GPL",
		.log_buf = (uintptr_t)verifier_log,
		.log_size = sizeof(verifier_log),
		.log_level = 1,
	};
	int prog = syscall(SYS_bpf, BPF_PROG_LOAD, &attr, sizeof(attr));

	if (prog < 0)
		err(1, "bpf(BPF_PROG_LOAD): %s", verifier_log);
	return prog;
}

/* Run @prog at each hit of the event that @fd counts. */
static void attach_bpf(int fd, int prog)
{
	if (ioctl(fd, PERF_EVENT_IOC_SET_BPF, prog))
		err(1, "PERF_EVENT_IOC_SET_BPF");
}

/* Run @prog at each call of @function. */
static void attach_fprobe(const char *function, int prog)
{
	union bpf_attr attr = {
		.link_create = {
			.prog_fd = prog,
			.attach_type = BPF_TRACE_KPROBE_MULTI,
			.kprobe_multi = { .syms = (uintptr_t)&function, .cnt = 1 },
		},
	};

	if (syscall(SYS_bpf, BPF_LINK_CREATE, &attr, sizeof(attr)) < 0)
		err(1, "bpf(BPF_LINK_CREATE)");
}

/* Load a program that only returns 0. */
static int load_nothing(void)
{
	static const struct bpf_insn program[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};

	return load_bpf(program, NR_OF(program), 0);
}

static void *map_ring(int map, int prot, off_t offset)
{
	void *p = mmap(NULL, PAGE, prot, MAP_SHARED, map, offset);

	if (p == MAP_FAILED)
		err(1, "mmap of the ring buffer");
	return p;
}

static int create_ring(void)
{
	union bpf_attr attr = {
		.map_type = BPF_MAP_TYPE_RINGBUF,
		.max_entries = RING_SIZE,
	};
	int map = syscall(SYS_bpf, BPF_MAP_CREATE, &attr, sizeof(attr));

	if (map < 0)
		err(1, "bpf(BPF_MAP_CREATE)");
	consumed = map_ring(map, PROT_READ | PROT_WRITE, 0);
	produced = map_ring(map, PROT_READ, PAGE);
	return map;
}

#define MOVE(to, from)							\
	{ .code = BPF_ALU64 | BPF_MOV | BPF_X, .dst_reg = to, .src_reg = from }
#define SET(to, value)							\
	{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = to, .imm = value }
#define CALL(function)							\
	{ .code = BPF_JMP | BPF_CALL, .imm = function }
#define LOAD(to, base, offset)						\
	{ .code = BPF_LDX | BPF_MEM | BPF_DW, .dst_reg = to, .src_reg = base, .off = offset }
#define STORE(base, offset, from)					\
	{ .code = BPF_STX | BPF_MEM | BPF_DW, .dst_reg = base, .src_reg = from, .off = offset }
#define REG(name)	offsetof(struct user_regs_struct, name)

/* Load a program that writes a record.  It wakes no task, as consume() runs after each batch. */
static int load_recorder(uint32_t type)
{
	int map = create_ring();
	const struct bpf_insn program[] = {
		MOVE(BPF_REG_6, BPF_REG_1),
		{ .code = BPF_LD | BPF_IMM | BPF_DW, .dst_reg = BPF_REG_1,
		  .src_reg = BPF_PSEUDO_MAP_FD, .imm = map },
		{},
		SET(BPF_REG_2, DATA_SIZE),
		SET(BPF_REG_3, 0),
		CALL(BPF_FUNC_ringbuf_reserve),
		{ .code = BPF_JMP | BPF_JEQ | BPF_K, .dst_reg = BPF_REG_0, .off = 12 },
		MOVE(BPF_REG_7, BPF_REG_0),
		LOAD(BPF_REG_1, BPF_REG_6, REG(IP)),
		STORE(BPF_REG_7, 0, BPF_REG_1),
		LOAD(BPF_REG_1, BPF_REG_6, REG(FIRST)),
		STORE(BPF_REG_7, 8, BPF_REG_1),
		CALL(BPF_FUNC_ktime_get_ns),
		STORE(BPF_REG_7, 16, BPF_REG_0),
		CALL(BPF_FUNC_get_current_pid_tgid),
		STORE(BPF_REG_7, 24, BPF_REG_0),
		MOVE(BPF_REG_1, BPF_REG_7),
		SET(BPF_REG_2, BPF_RB_NO_WAKEUP),
		CALL(BPF_FUNC_ringbuf_submit),
		SET(BPF_REG_0, 0),
		{ .code = BPF_JMP | BPF_EXIT },
	};

	return load_bpf(program, NR_OF(program), type);
}

/* Count the bytes of the records, and make room for the next batch. */
static void consume(void)
{
	unsigned long end = __atomic_load_n(produced, __ATOMIC_ACQUIRE);

	ring_bytes += end - *consumed;
	__atomic_store_n(consumed, end, __ATOMIC_RELEASE);
}

int main(int argc, char **argv)
{
	int opt, counter = -1;
	long batches, calls;
	const char *text;

	while ((opt = getopt(argc, argv, "p:b:r:f:")) != -1) {
		if (opt == '?')
			return 2;
		if (opt == 'f') {
			attach_fprobe(optarg, load_recorder(BPF_TRACE_KPROBE_MULTI));
			continue;
		}
		counter = open_counter(strtoull(optarg, NULL, 10));
		if (opt == 'b')
			attach_bpf(counter, load_nothing());
		else if (opt == 'r')
			attach_bpf(counter, load_recorder(0));
	}
	if (argc - optind != 3)
		errx(2, "usage: loop [-p ID | -b ID | -r ID | -f FUNCTION] BATCHES CALLS TEXT");
	batches = atol(argv[optind]);
	calls = atol(argv[optind + 1]);
	text = argv[optind + 2];
	if (batches < 1 || batches > MAX_BATCHES || calls < 1)
		errx(2, "1 to %d batches of at least one call", MAX_BATCHES);

	memset(took, 1, sizeof(took));
	for (long i = 0; i < batches; i++) {
		batch(calls, text, &took[i]);
		if (produced)
			consume();
	}
	for (long i = 0; i < batches; i++)
		printf("%llu ", (unsigned long long)took[i]);
	putchar('\n');
	if (produced) {
		printf("%lu\n", ring_bytes / RECORD_SIZE);
	} else if (counter >= 0) {
		uint64_t count;

		if (read(counter, &count, sizeof(count)) != sizeof(count))
			err(1, "read of the counter");
		printf("%llu\n", (unsigned long long)count);
	}
	return 0;
}
