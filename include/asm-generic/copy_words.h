/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Copy words of kernel memory that may fault.  An architecture can have its own version, if its
 * __get_kernel_nofault() tests an error code after each load.
 */
#ifndef __ASM_GENERIC_COPY_WORDS_H
#define __ASM_GENERIC_COPY_WORDS_H

#include <linux/uaccess.h>
#include <linux/unaligned.h>

/* Words that copy_words_nofault() copies */
#define COPY_WORDS	4

/**
 * copy_words_nofault() - copy COPY_WORDS words of kernel memory that may fault
 * @dst: the copy; need not be aligned
 * @src: memory in the kernel's part of the address space, as for __get_kernel_nofault();
 *	aligned, unless unaligned access is efficient
 *
 * Context: any, with page faults disabled.
 * Return: false for a fault; a part of the words may have been copied.
 */
static __always_inline bool copy_words_nofault(void *dst, const void *src)
{
	const unsigned long *from = src;
	unsigned long *to = dst, word;

	__get_kernel_nofault(&word, &from[0], unsigned long, fault);
	put_unaligned(word, &to[0]);
	__get_kernel_nofault(&word, &from[1], unsigned long, fault);
	put_unaligned(word, &to[1]);
	__get_kernel_nofault(&word, &from[2], unsigned long, fault);
	put_unaligned(word, &to[2]);
	__get_kernel_nofault(&word, &from[3], unsigned long, fault);
	put_unaligned(word, &to[3]);
	return true;
fault:
	return false;
}

#endif /* __ASM_GENERIC_COPY_WORDS_H */
