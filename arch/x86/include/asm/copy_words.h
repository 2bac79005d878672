/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Copy words of kernel memory that may fault, with two instructions for each word.
 *
 * The kernel does not use asm goto with outputs with gcc before 11.5, 12.4 and 13.3.  Then
 * __get_kernel_nofault() tests an error code after each load.
 */
#ifndef _ASM_X86_COPY_WORDS_H
#define _ASM_X86_COPY_WORDS_H

#ifdef CONFIG_KMSAN
/* KMSAN does not see that assembly initializes memory. */
#include <asm-generic/copy_words.h>
#else

#include <linux/types.h>

#include <asm/asm.h>

/* Words that copy_words_nofault() copies */
#define COPY_WORDS	4

#define __COPY_WORD(n)								\
	"1:	" _ASM_MOV " " #n " * %c[size](%[src]), %%" _ASM_AX "\n"		\
	"	" _ASM_MOV " %%" _ASM_AX ", " #n " * %c[size](%[dst])\n"		\
	_ASM_EXTABLE(1b, %l[fault])

/* include/asm-generic/copy_words.h describes this function. */
static __always_inline bool copy_words_nofault(void *dst, const void *src)
{
	asm goto(__COPY_WORD(0)
		 __COPY_WORD(1)
		 __COPY_WORD(2)
		 __COPY_WORD(3)
		 : /* no outputs */
		 : [dst] "r" (dst), [src] "r" (src), [size] "i" (sizeof(long))
		 : "ax", "memory"
		 : fault);
	return true;
fault:
	return false;
}

#undef __COPY_WORD

#endif /* CONFIG_KMSAN */
#endif /* _ASM_X86_COPY_WORDS_H */
