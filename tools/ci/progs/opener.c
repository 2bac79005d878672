// SPDX-License-Identifier: GPL-2.0
/*
 * opener PATH [FLAGS [TIMES]]: open PATH, relative to the current directory, with FLAGS
 * (default 0), TIMES times (default 1).  Print the last result, a descriptor or a negative
 * errno.  Tests compare it with the values that a tracer shows.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	long flags = argc > 2 ? strtol(argv[2], NULL, 0) : 0;
	int times = argc > 3 ? atoi(argv[3]) : 1;
	long fd = 0;

	if (argc < 2)
		return 2;
	while (times-- > 0) {
		fd = syscall(SYS_openat, AT_FDCWD, argv[1], flags, 0600);
		if (fd < 0)
			fd = -errno;
		else
			close(fd);
	}
	printf("%ld\n", fd);
	return 0;
}
