// SPDX-License-Identifier: GPL-2.0
/*
 * Work: files, directories, pipes, events.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/sendfile.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "work.h"

void enter_clean_dir(const char *path)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf %s; mkdir %s", path, path);
	if (system(command))
		exit(1);
	if (chdir(path))
		exit(1);
}

static bool do_files(struct work_env *env)
{
	static char out[20000], in[20000];
	struct iovec vec[2] = { { in, 5000 }, { in + 5000, 15000 } };
	struct stat st;
	unsigned int i;
	int fd;

	for (i = 0; i < sizeof(out); i++)
		out[i] = i * 7 + env->round;
	fd = open("file", O_RDWR | O_CREAT | O_TRUNC, 0600);
	NEED(fd >= 0, "create");
	NEED(write(fd, out, sizeof(out)) == sizeof(out), "write");
	NEED(lseek(fd, 0, SEEK_SET) == 0, "seek");
	NEED(readv(fd, vec, 2) == sizeof(in), "readv");
	NEED(!memcmp(in, out, sizeof(in)), "data read");
	NEED(pread(fd, in, 100, 5000) == 100 && !memcmp(in, out + 5000, 100), "pread");
	NEED(!ftruncate(fd, 100) && !fstat(fd, &st) && st.st_size == 100, "truncate");
	NEED(!fallocate(fd, 0, 0, 8192) && !fsync(fd), "fallocate");
	NEED(!flock(fd, 2) && !flock(fd, 8), "flock");
	NEED(fcntl(fd, F_GETFL) >= 0 && close(fd) == 0, "close");
	NEED(!chmod("file", 0644) && !access("file", R_OK), "chmod");
	return true;
}

static bool do_names(struct work_env *env)
{
	struct dirent *entry;
	unsigned int found = 0;
	char target[64];
	DIR *dir;

	NEED(!rename("file", "renamed") && !link("renamed", "linked"), "rename");
	NEED(!symlink("renamed", "symbolic"), "symlink");
	NEED(readlink("symbolic", target, sizeof(target)) == 7, "readlink");
	NEED(!mkdir("directory", 0700), "mkdir");
	dir = opendir(".");
	NEED(dir, "opendir");
	while ((entry = readdir(dir)))
		found += entry->d_name[0] != '.';
	closedir(dir);
	NEED(found == 4, "entries of the directory");
	NEED(!unlink("renamed") && !unlink("linked") && !unlink("symbolic") &&
	     !rmdir("directory"), "unlink");
	NEED(access("renamed", F_OK) < 0 && errno == ENOENT, "access to an unlinked file");
	return true;
}

static bool do_mapped_file(struct work_env *env)
{
	char *map, in[8];
	int fd = memfd_create("work", 0);

	NEED(fd >= 0 && !ftruncate(fd, 16384), "memfd");
	map = mmap(NULL, 16384, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	NEED(map != MAP_FAILED, "mmap");
	memcpy(map + 8192, "mapped", 7);
	NEED(!msync(map, 16384, MS_SYNC), "msync");
	NEED(pread(fd, in, 7, 8192) == 7 && !strcmp(in, "mapped"), "data written by mmap");
	NEED(!munmap(map, 16384) && !close(fd), "munmap");
	return true;
}

static bool do_proc(struct work_env *env)
{
	static const char * const names[] = {
		"/proc/self/maps", "/proc/self/status", "/proc/stat", "/proc/meminfo",
		"/proc/interrupts", "/proc/self/stat", "/sys/kernel/mm/transparent_hugepage",
		"/proc/sys/kernel/pid_max", "/proc/net/dev", "/etc/passwd",
	};
	static char buf[65536];
	unsigned int i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++) {
		int fd = open(names[i], O_RDONLY);

		if (fd < 0)
			continue;
		while (read(fd, buf, sizeof(buf)) > 0)
			;
		close(fd);
	}
	return true;
}

static bool do_pipes(struct work_env *env)
{
	struct pollfd pfd = { .events = POLLIN };
	int a[2], b[2];
	char in[8];

	NEED(!pipe(a) && !pipe2(b, O_NONBLOCK), "pipe");
	NEED(write(a[1], "pipe", 5) == 5, "write");
	pfd.fd = a[0];
	NEED(poll(&pfd, 1, 1000) == 1 && pfd.revents & POLLIN, "poll");
	NEED(tee(a[0], b[1], 5, 0) == 5, "tee");
	NEED(read(b[0], in, 8) == 5 && !strcmp(in, "pipe"), "data of tee");
	NEED(splice(a[0], NULL, b[1], NULL, 5, 0) == 5, "splice");
	NEED(read(b[0], in, 8) == 5 && !strcmp(in, "pipe"), "data of splice");
	NEED(read(b[0], in, 8) < 0 && errno == EAGAIN, "read from the empty pipe");
	NEED(!close(a[0]) && !close(a[1]) && !close(b[0]) && !close(b[1]), "close");
	return true;
}

static bool do_events(struct work_env *env)
{
	struct epoll_event ev = { .events = EPOLLIN, .data.u32 = 99 }, got;
	int events = eventfd(0, 0), ep = epoll_create1(0), watch = inotify_init1(0);
	uint64_t value = 3;
	char note[256];

	NEED(events >= 0 && ep >= 0 && watch >= 0, "eventfd, epoll, inotify");
	NEED(!epoll_ctl(ep, EPOLL_CTL_ADD, events, &ev), "epoll_ctl");
	NEED(epoll_wait(ep, &got, 1, 0) == 0, "epoll_wait without event");
	NEED(write(events, &value, 8) == 8, "write");
	NEED(epoll_wait(ep, &got, 1, 1000) == 1 && got.data.u32 == 99, "epoll_wait");
	NEED(read(events, &value, 8) == 8 && value == 3, "read");
	NEED(inotify_add_watch(watch, ".", IN_CREATE) >= 0, "inotify_add_watch");
	close(open("noted", O_CREAT | O_WRONLY, 0600));
	NEED(read(watch, note, sizeof(note)) > 0, "inotify event");
	unlink("noted");
	NEED(!close(events) && !close(ep) && !close(watch), "close");
	return true;
}

static bool do_sysv(struct work_env *env)
{
	struct { long type; char text[8]; } msg = { 1, "message" };
	struct sembuf up = { .sem_op = 1 }, down = { .sem_op = -1 };
	int shm = shmget(IPC_PRIVATE, 8192, 0600), sem = semget(IPC_PRIVATE, 1, 0600);
	int queue = msgget(IPC_PRIVATE, 0600);
	char *map;

	NEED(shm >= 0 && sem >= 0 && queue >= 0, "shm, sem, msg");
	map = shmat(shm, NULL, 0);
	NEED(map != (void *)-1, "shmat");
	map[5000] = 1;
	NEED(!semop(sem, &up, 1) && !semop(sem, &down, 1), "semop");
	NEED(!msgsnd(queue, &msg, sizeof(msg.text), 0), "msgsnd");
	memset(&msg, 0, sizeof(msg));
	NEED(msgrcv(queue, &msg, sizeof(msg.text), 0, 0) == sizeof(msg.text), "msgrcv");
	NEED(!strcmp(msg.text, "message"), "data of msgrcv");
	NEED(!shmdt(map) && !shmctl(shm, IPC_RMID, NULL) && !semctl(sem, 0, IPC_RMID) &&
	     !msgctl(queue, IPC_RMID, NULL), "removal");
	return true;
}

const struct work work_file[] = {
	{ "files", do_files },
	{ "names", do_names },
	{ "mapped file", do_mapped_file },
	{ "proc", do_proc },
	{ "pipes", do_pipes },
	{ "events", do_events },
	{ "System V", do_sysv },
	{ }
};
