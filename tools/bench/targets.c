// SPDX-License-Identifier: GPL-2.0
/*
 * A program with many functions, for a set of uprobe events.  Runs until the end of its input,
 * so that its code is mapped while the events are enabled.  It calls none of the functions.
 *
 * 'targets' is the first function.  The others follow at a distance of 16 bytes each.
 */
#include <unistd.h>

asm(".pushsection .text\n"
    ".balign 16\n"
    ".globl targets\n"
    ".type targets, @function\n"
    "targets:\n"
    ".rept 1600\n"
    "	push %rbp\n"
    "	pop %rbp\n"
    "	ret\n"
    "	.balign 16, 0xcc\n"
    ".endr\n"
    ".size targets, . - targets\n"
    ".popsection\n");

int main(void)
{
	char c;

	/* Uprobes have no breakpoints in a process that has not run yet. */
	if (write(1, "\n", 1) != 1)
		return 1;
	while (read(0, &c, 1) > 0)
		;
	return 0;
}
