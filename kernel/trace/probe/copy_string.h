/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Copy a string, four words or one word at a time.  No word may extend past the end of the memory
 * that can be read, since the string may end before that.
 *
 * The end of readable memory is the end of a page.  With memory tags, it is the end of a
 * granule, which is a few words.
 */
#ifndef _PROBE_COPY_STRING_H
#define _PROBE_COPY_STRING_H

#include <linux/build_bug.h>
#include <linux/errno.h>
#include <linux/minmax.h>
#include <linux/types.h>
#include <linux/uaccess.h>
#include <linux/unaligned.h>
#include <linux/wordpart.h>

#include <asm/copy_words.h>
#include <asm/word-at-a-time.h>

/* Bytes that are copied before they are checked for a NUL */
#define PROBE_COPY_STEP	(COPY_WORDS * sizeof(long))

/*
 * Copy a word, and return it in @word.  @dst need not be aligned; @src must be, unless unaligned
 * access is efficient.  Return false for a fault.
 */
static __always_inline bool probe_copy_word(char *dst, const char *src, unsigned long *word)
{
	__get_kernel_nofault(word, (const unsigned long *)src, unsigned long, fault);
	put_unaligned(*word, (unsigned long *)dst);
	return true;
fault:
	return false;
}

/*
 * Return a word with a bit of REPEAT_BYTE(0x80) if word @n at @p may have a NUL.  Its other bits
 * do not count.  A byte above 0x80 has the same effect as a NUL.
 */
static __always_inline unsigned long probe_quick_find(const char *p, unsigned int n)
{
	return get_unaligned((const unsigned long *)p + n) - REPEAT_BYTE(0x01);
}

/*
 * Copy PROBE_COPY_STEP bytes.  Return 0 if they have no NUL, 1 if they may have one, and -EFAULT
 * if they cannot be read.
 */
static __always_inline int probe_copy_step(char *dst, const char *src)
{
	unsigned long found;

	if (!copy_words_nofault(dst, src))
		return -EFAULT;
	BUILD_BUG_ON(COPY_WORDS != 4);
	found = probe_quick_find(dst, 0) | probe_quick_find(dst, 1) |
		probe_quick_find(dst, 2) | probe_quick_find(dst, 3);
	return !!(found & REPEAT_BYTE(0x80));
}

/* Return the number of bytes at @p up to the first NUL, or PROBE_COPY_STEP if there is none. */
static __always_inline unsigned int probe_find_nul(const char *p)
{
	static const struct word_at_a_time constants = WORD_AT_A_TIME_CONSTANTS;
	unsigned long word, zeros;
	unsigned int i;

	for (i = 0; i < PROBE_COPY_STEP; i += sizeof(word)) {
		word = get_unaligned((const unsigned long *)(p + i));
		if (!has_zero(word, &zeros, &constants))
			continue;
		zeros = prep_zero_mask(word, zeros, &constants);
		return i + find_zero(create_zero_mask(zeros));
	}
	return i;
}

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
	const char *start = dst;
	unsigned long word, zeros;
	size_t readable;
	unsigned int len;
	int found;

	do {
		readable = min(room, block - ((unsigned long)src & (block - 1)));
		room -= readable;
		while (block >= PROBE_COPY_STEP && readable >= PROBE_COPY_STEP) {
			found = probe_copy_step(dst, src);
			if (found) {
				if (found < 0)
					return -EFAULT;
				len = probe_find_nul(dst);
				if (len < PROBE_COPY_STEP)
					return dst + len + 1 - start;
			}
			dst += PROBE_COPY_STEP;
			src += PROBE_COPY_STEP;
			readable -= PROBE_COPY_STEP;
		}
		for (; readable >= sizeof(word); readable -= sizeof(word)) {
			if (!probe_copy_word(dst, src, &word))
				return -EFAULT;
			if (has_zero(word, &zeros, &constants)) {
				zeros = prep_zero_mask(word, zeros, &constants);
				return dst + find_zero(create_zero_mask(zeros)) + 1 - start;
			}
			dst += sizeof(word);
			src += sizeof(word);
		}
		while (readable--) {
			__get_kernel_nofault(dst, src, char, fault);
			src++;
			if (!*dst++)
				return dst - start;
		}
	} while (room);
	dst[-1] = '\0';
	return dst - start;
fault:
	return -EFAULT;
}

#endif /* _PROBE_COPY_STRING_H */
