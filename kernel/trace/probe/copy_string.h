/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Copy a string word by word.  A word must not extend past the end of the memory that
 * can be read, since the string may end before that.
 *
 * The end of readable memory is the end of a page.  With memory tags, it is the end of a
 * granule, which is a few words.
 */
#ifndef _PROBE_COPY_STRING_H
#define _PROBE_COPY_STRING_H

#include <linux/errno.h>
#include <linux/minmax.h>
#include <linux/types.h>
#include <linux/uaccess.h>
#include <linux/unaligned.h>

#include <asm/word-at-a-time.h>

/**
 * probe_copy_string() - copy a string from kernel memory that may fault
 * @dst: the copy
 * @src: the string
 * @room: bytes at @dst, not 0
 * @block: size of aligned blocks of memory, a power of two: if a byte can be read, its
 *	whole block can.  If it is larger than a word, words need no alignment.
 *
 * Context: any, with page faults disabled.
 * Return: length with the NUL; @room if the string is longer and has been truncated;
 * -EFAULT if it cannot be read.
 */
static __always_inline long probe_copy_string(char *dst, const char *src, size_t room,
					      size_t block)
{
	static const struct word_at_a_time constants = WORD_AT_A_TIME_CONSTANTS;
	unsigned long word, zeros;
	size_t i = 0, stop;

	do {
		stop = min(room, i + block - ((unsigned long)(src + i) & (block - 1)));
		while (i + sizeof(word) <= stop) {
			__get_kernel_nofault(&word, (const unsigned long *)(src + i),
					     unsigned long, fault);
			put_unaligned(word, (unsigned long *)(dst + i));
			if (has_zero(word, &zeros, &constants)) {
				zeros = prep_zero_mask(word, zeros, &constants);
				return i + find_zero(create_zero_mask(zeros)) + 1;
			}
			i += sizeof(word);
		}
		while (i < stop) {
			/* Some architectures' macros lack parentheses around the argument. */
			__get_kernel_nofault((dst + i), src + i, char, fault);
			if (!dst[i++])
				return i;
		}
	} while (i < room);
	dst[room - 1] = '\0';
	return room;
fault:
	return -EFAULT;
}

#endif /* _PROBE_COPY_STRING_H */
