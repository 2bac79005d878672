// SPDX-License-Identifier: GPL-2.0
/*
 * caller TIMES: call counted() TIMES times.  Print the number of calls and the first byte
 * of counted() in memory.  It is a breakpoint, cc, while the function has a uprobe.
 */
#include <stdio.h>
#include <stdlib.h>

int calls;

void __attribute__((noipa)) counted(void)
{
	calls++;
}

int main(int argc, char **argv)
{
	int times = argc > 1 ? atoi(argv[1]) : 1;

	while (times-- > 0)
		counted();
	printf("%d %02x\n", calls, *(const volatile unsigned char *)counted);
	return 0;
}
