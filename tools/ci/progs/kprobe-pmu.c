// SPDX-License-Identifier: GPL-2.0
/*
 * Use kprobes as BPF loaders do: through the kprobe PMU or an existing event.
 *
 *	kprobe-pmu probe|return|addr|event|override WHERE TIMES [QUERIES]
 *
 * Opens a perf event for WHERE: a function ('probe', 'return') or an address ('addr')
 * through the kprobe PMU, or the event with the id WHERE ('event').  Issues TIMES
 * getpriority() calls, attaches a BPF program that counts its runs in a map, and issues
 * the calls again.  Then queries the event QUERIES times (default 1) with
 * BPF_TASK_FD_QUERY, and prints one line with these results as KEY=VALUE:
 *
 *	perf     count of the perf event before the program was attached
 *	bpf      how often the program ran
 *	after    count of the perf event at the end; the program returns 0, so
 *	         perf counts no hit while it is attached
 *	type     fd_type of BPF_TASK_FD_QUERY
 *	name, offset, addr   other results of the query
 *
 * 'override' is like 'event', but the program makes the probed function fail.  The exit
 * status is 4 if the program cannot be attached.
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

#define PMU "/sys/bus/event_source/devices/kprobe"
#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

static char log_buf[65536];

static int bpf(int cmd, union bpf_attr *attr)
{
	return syscall(SYS_bpf, cmd, attr, sizeof(*attr));
}

static int make_map(void)
{
	union bpf_attr attr = {
		.map_type = BPF_MAP_TYPE_ARRAY,
		.key_size = 4,
		.value_size = 8,
		.max_entries = 1,
	};
	int fd = bpf(BPF_MAP_CREATE, &attr);

	if (fd < 0)
		err(1, "BPF_MAP_CREATE");
	return fd;
}

static int load(const struct bpf_insn *insns, unsigned int nr)
{
	union bpf_attr attr = {
		.prog_type = BPF_PROG_TYPE_KPROBE,
		.insns = (uintptr_t)insns,
		.insn_cnt = nr,
		.license = (uintptr_t)"GPL",
		.log_buf = (uintptr_t)log_buf,
		.log_size = sizeof(log_buf),
		.log_level = 1,
	};
	int fd = bpf(BPF_PROG_LOAD, &attr);

	if (fd < 0)
		err(1, "BPF_PROG_LOAD: %s", log_buf);
	return fd;
}

/* map[0] += 1; the verifier requires a check of the pointer. */
static int load_counter(int map)
{
	const struct bpf_insn insns[] = {
		{ .code = BPF_ST | BPF_MEM | BPF_W, .dst_reg = 10, .off = -4, .imm = 0 },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_X, .dst_reg = 2, .src_reg = 10 },
		{ .code = BPF_ALU64 | BPF_ADD | BPF_K, .dst_reg = 2, .imm = -4 },
		{ .code = BPF_LD | BPF_IMM | BPF_DW, .dst_reg = 1,
		  .src_reg = BPF_PSEUDO_MAP_FD, .imm = map },
		{ 0 },
		{ .code = BPF_JMP | BPF_CALL, .imm = BPF_FUNC_map_lookup_elem },
		{ .code = BPF_JMP | BPF_JEQ | BPF_K, .dst_reg = 0, .imm = 0, .off = 2 },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 1, .imm = 1 },
		{ .code = BPF_STX | BPF_ATOMIC | BPF_DW, .dst_reg = 0, .src_reg = 1,
		  .imm = BPF_ADD },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 0, .imm = 0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};

	return load(insns, ARRAY_SIZE(insns));
}

static int load_override(void)
{
	static const struct bpf_insn insns[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 2, .imm = -18 },
		{ .code = BPF_JMP | BPF_CALL, .imm = BPF_FUNC_override_return },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 0, .imm = 0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};

	return load(insns, ARRAY_SIZE(insns));
}

static uint64_t map_value(int map)
{
	uint32_t key = 0;
	uint64_t value = 0;
	union bpf_attr attr = {
		.map_fd = map,
		.key = (uintptr_t)&key,
		.value = (uintptr_t)&value,
	};

	if (bpf(BPF_MAP_LOOKUP_ELEM, &attr))
		err(1, "BPF_MAP_LOOKUP_ELEM");
	return value;
}

static int read_int(const char *path, const char *format)
{
	FILE *f = fopen(path, "r");
	int n;

	if (!f || fscanf(f, format, &n) != 1)
		err(1, "%s", path);
	fclose(f);
	return n;
}

static int open_event(const char *how, const char *where)
{
	struct perf_event_attr attr = { .size = sizeof(attr), .sample_period = 1 };
	int fd;

	if (!strcmp(how, "event") || !strcmp(how, "override")) {
		attr.type = PERF_TYPE_TRACEPOINT;
		attr.config = atoi(where);
	} else {
		attr.type = read_int(PMU "/type", "%d");
		if (!strcmp(how, "return"))
			attr.config |= 1ULL << read_int(PMU "/format/retprobe", "config:%d");
		if (!strcmp(how, "addr"))
			attr.kprobe_addr = strtoull(where, NULL, 16);
		else
			attr.kprobe_func = (uintptr_t)where;
	}
	fd = syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd < 0)
		err(3, "perf_event_open");
	return fd;
}

static void call(int times)
{
	while (times-- > 0)
		syscall(SYS_getpriority, 0, 0);
}

static uint64_t count(int fd)
{
	uint64_t n = 0;

	if (read(fd, &n, sizeof(n)) != sizeof(n))
		err(1, "read");
	return n;
}

int main(int argc, char **argv)
{
	int event, map, prog, times, queries = 1;
	char name[256] = "";
	union bpf_attr query = {};
	uint64_t perf;

	if (argc != 4 && argc != 5)
		errx(2, "kprobe-pmu probe|return|addr|event|override WHERE TIMES [QUERIES]");
	times = atoi(argv[3]);
	if (argc == 5)
		queries = atoi(argv[4]);
	event = open_event(argv[1], argv[2]);
	if (ioctl(event, PERF_EVENT_IOC_ENABLE, 0))
		err(1, "PERF_EVENT_IOC_ENABLE");
	call(times);
	perf = count(event);

	map = make_map();
	prog = strcmp(argv[1], "override") ? load_counter(map) : load_override();
	if (ioctl(event, PERF_EVENT_IOC_SET_BPF, prog))
		err(4, "PERF_EVENT_IOC_SET_BPF");
	call(times);

	while (queries-- > 0) {
		query = (union bpf_attr){ .task_fd_query = {
			.pid = getpid(), .fd = event,
			.buf = (uintptr_t)name, .buf_len = sizeof(name),
		} };
		if (bpf(BPF_TASK_FD_QUERY, &query))
			err(1, "BPF_TASK_FD_QUERY");
	}
	printf("perf=%llu bpf=%llu after=%llu type=%u name=%s offset=%llu addr=%llx\n",
	       (unsigned long long)perf, (unsigned long long)map_value(map),
	       (unsigned long long)count(event), query.task_fd_query.fd_type, name,
	       (unsigned long long)query.task_fd_query.probe_offset,
	       (unsigned long long)query.task_fd_query.probe_addr);
	return 0;
}
