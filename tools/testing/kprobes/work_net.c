// SPDX-License-Identifier: GPL-2.0
/*
 * Work: sockets, timers, modules, BPF.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "work.h"

static bool do_unix(struct work_env *env)
{
	char room[CMSG_SPACE(sizeof(int))] = {}, data[8] = "passed";
	struct iovec vec = { data, sizeof(data) };
	struct msghdr msg = { .msg_iov = &vec, .msg_iovlen = 1, .msg_control = room,
			      .msg_controllen = sizeof(room) };
	struct cmsghdr *c = CMSG_FIRSTHDR(&msg);
	int pair[2], ends[2], got;
	char in[8];

	NEED(!socketpair(AF_UNIX, SOCK_STREAM, 0, pair) && !pipe(ends), "socketpair");
	*c = (struct cmsghdr){ .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS,
			       .cmsg_len = CMSG_LEN(sizeof(int)) };
	memcpy(CMSG_DATA(c), &ends[1], sizeof(int));
	NEED(sendmsg(pair[0], &msg, 0) == sizeof(data), "sendmsg");
	memset(room, 0, sizeof(room));
	NEED(recvmsg(pair[1], &msg, 0) == sizeof(data), "recvmsg");
	memcpy(&got, CMSG_DATA(CMSG_FIRSTHDR(&msg)), sizeof(int));
	NEED(write(got, "through", 8) == 8 && read(ends[0], in, 8) == 8, "write to received fd");
	NEED(!strcmp(in, "through"), "data of received fd");
	NEED(!close(got) && !close(ends[0]) && !close(ends[1]) && !close(pair[0]) &&
	     !close(pair[1]), "close");
	return true;
}

static bool do_tcp(struct work_env *env)
{
	struct sockaddr_in to = { .sin_family = AF_INET,
				  .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	int server = socket(AF_INET, SOCK_STREAM, 0), client = socket(AF_INET, SOCK_STREAM, 0);
	socklen_t len = sizeof(to);
	char out[3000], in[3000];
	int peer;

	NEED(server >= 0 && client >= 0, "socket");
	NEED(!bind(server, (void *)&to, sizeof(to)) && !listen(server, 1), "bind, listen");
	NEED(!getsockname(server, (void *)&to, &len), "getsockname");
	NEED(!connect(client, (void *)&to, sizeof(to)), "connect");
	peer = accept(server, NULL, NULL);
	NEED(peer >= 0, "accept");
	memset(out, env->round, sizeof(out));
	NEED(send(client, out, sizeof(out), 0) == sizeof(out), "send");
	NEED(recv(peer, in, sizeof(in), MSG_WAITALL) == sizeof(in), "recv");
	NEED(!memcmp(in, out, sizeof(in)), "data of recv");
	NEED(!shutdown(client, SHUT_WR) && recv(peer, in, 1, 0) == 0, "shutdown");
	NEED(!close(client) && !close(peer) && !close(server), "close");
	return true;
}

static bool do_udp(struct work_env *env)
{
	struct sockaddr_in to = { .sin_family = AF_INET,
				  .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	int a = socket(AF_INET, SOCK_DGRAM, 0), b = socket(AF_INET, SOCK_DGRAM, 0);
	socklen_t len = sizeof(to);
	struct pollfd pfd = { .fd = a, .events = POLLIN };
	char in[16];

	NEED(a >= 0 && b >= 0 && !bind(a, (void *)&to, sizeof(to)), "bind");
	NEED(!getsockname(a, (void *)&to, &len), "getsockname");
	NEED(sendto(b, "datagram", 9, 0, (void *)&to, len) == 9, "sendto");
	NEED(poll(&pfd, 1, 10000) == 1, "poll");
	NEED(recv(a, in, sizeof(in), 0) == 9 && !strcmp(in, "datagram"), "recv");
	NEED(!close(a) && !close(b), "close");
	return true;
}

static volatile sig_atomic_t alarms;

static void on_alarm(int sig)
{
	alarms++;
}

static bool do_timers(struct work_env *env)
{
	struct itimerspec soon = { .it_value.tv_nsec = 200000 };
	struct timespec nap = { .tv_nsec = 100000 }, now;
	struct itimerval alarm = { .it_value.tv_usec = 200 };
	struct pollfd pfd = { .events = POLLIN };
	uint64_t times = 0;
	timer_t timer;

	pfd.fd = timerfd_create(CLOCK_MONOTONIC, 0);
	NEED(pfd.fd >= 0 && !timerfd_settime(pfd.fd, 0, &soon, NULL), "timerfd");
	NEED(poll(&pfd, 1, 10000) == 1, "poll");
	NEED(read(pfd.fd, &times, 8) == 8 && times == 1, "expirations");
	close(pfd.fd);

	alarms = 0;
	signal(SIGALRM, on_alarm);
	NEED(!setitimer(ITIMER_REAL, &alarm, NULL), "setitimer");
	while (!alarms)
		nanosleep(&nap, NULL);
	NEED(!timer_create(CLOCK_MONOTONIC, NULL, &timer), "timer_create");
	NEED(!timer_settime(timer, 0, &soon, NULL), "timer_settime");
	while (alarms < 2)
		nanosleep(&nap, NULL);
	NEED(!timer_delete(timer), "timer_delete");
	NEED(!syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now), "clock_gettime");
	return true;
}

/* Only worker 0 loads the module: it cannot be loaded twice at the same time. */
static bool do_module(struct work_env *env)
{
	char answer = 0;
	int fd;

	if (env->number || env->round % 4 || !env->module)
		return true;
	fd = open(env->module, O_RDONLY);
	NEED(fd >= 0, env->module);
	NEED(!syscall(SYS_finit_module, fd, "", 0), "finit_module");
	close(fd);
	fd = open("/dev/kprobe_stress_load", O_RDONLY);
	NEED(fd >= 0, "open the device");
	NEED(read(fd, &answer, 1) == 1 && answer == '1', "data of the device");
	close(fd);
	NEED(!syscall(SYS_delete_module, "kprobe_stress_load", O_NONBLOCK), "delete_module");
	return true;
}

static int bpf(int cmd, union bpf_attr *attr)
{
	return syscall(SYS_bpf, cmd, attr, sizeof(*attr));
}

/* Run a BPF program that counts its runs in a map and returns the count. */
static bool do_bpf(struct work_env *env)
{
	union bpf_attr map_attr = { .map_type = BPF_MAP_TYPE_ARRAY, .key_size = 4,
				    .value_size = 8, .max_entries = 1 };
	union bpf_attr prog_attr = { .prog_type = BPF_PROG_TYPE_SOCKET_FILTER };
	union bpf_attr run_attr = {}, get_attr = {};
	uint64_t value = 0;
	uint32_t key = 0;
	char data[64] = {};
	int map = bpf(BPF_MAP_CREATE, &map_attr), prog;

	NEED(map >= 0, "map");
	struct bpf_insn insns[] = {
		{ BPF_ST | BPF_MEM | BPF_W, BPF_REG_10, 0, -4, 0 },
		{ BPF_ALU64 | BPF_MOV | BPF_X, BPF_REG_2, BPF_REG_10, 0, 0 },
		{ BPF_ALU64 | BPF_ADD | BPF_K, BPF_REG_2, 0, 0, -4 },
		{ BPF_LD | BPF_DW | BPF_IMM, BPF_REG_1, BPF_PSEUDO_MAP_FD, 0, map },
		{ },
		{ BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_map_lookup_elem },
		{ BPF_JMP | BPF_JEQ | BPF_K, BPF_REG_0, 0, 4, 0 },
		{ BPF_LDX | BPF_MEM | BPF_DW, BPF_REG_1, BPF_REG_0, 0, 0 },
		{ BPF_ALU64 | BPF_ADD | BPF_K, BPF_REG_1, 0, 0, 1 },
		{ BPF_STX | BPF_MEM | BPF_DW, BPF_REG_0, BPF_REG_1, 0, 0 },
		{ BPF_ALU64 | BPF_MOV | BPF_X, BPF_REG_0, BPF_REG_1, 0, 0 },
		{ BPF_JMP | BPF_EXIT, 0, 0, 0, 0 },
	};
	prog_attr.insns = (uintptr_t)insns;
	prog_attr.insn_cnt = sizeof(insns) / sizeof(*insns);
	prog_attr.license = (uintptr_t)"GPL";
	prog = bpf(BPF_PROG_LOAD, &prog_attr);
	NEED(prog >= 0, "program");
	run_attr.test.prog_fd = prog;
	run_attr.test.data_in = (uintptr_t)data;
	run_attr.test.data_size_in = sizeof(data);
	run_attr.test.repeat = 10;
	NEED(!bpf(BPF_PROG_TEST_RUN, &run_attr), "test run");
	NEED(run_attr.test.retval == 10, "return value of the program");
	get_attr.map_fd = map;
	get_attr.key = (uintptr_t)&key;
	get_attr.value = (uintptr_t)&value;
	NEED(!bpf(BPF_MAP_LOOKUP_ELEM, &get_attr) && value == 10, "counter of the program");
	NEED(!close(prog) && !close(map), "close");
	return true;
}

const struct work work_net[] = {
	{ "Unix sockets", do_unix },
	{ "TCP", do_tcp },
	{ "UDP", do_udp },
	{ "timers", do_timers },
	{ "module", do_module },
	{ "BPF", do_bpf },
	{ }
};
