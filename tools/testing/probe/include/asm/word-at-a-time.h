/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _HOST_ASM_WORD_AT_A_TIME_H
#define _HOST_ASM_WORD_AT_A_TIME_H

#include <stdbool.h>

struct word_at_a_time { };

#define WORD_AT_A_TIME_CONSTANTS	{ }

/* The number of bytes before the first zero in memory order, plus 1; 0 without a zero. */
static inline bool has_zero(unsigned long word, unsigned long *zeros,
			    const struct word_at_a_time *c)
{
	const char *bytes = (const char *)&word;
	unsigned long i;

	for (i = 0; i < sizeof(word) && bytes[i]; i++)
		;
	*zeros = i < sizeof(word) ? i + 1 : 0;
	return *zeros;
}

static inline unsigned long prep_zero_mask(unsigned long word, unsigned long zeros,
					   const struct word_at_a_time *c)
{
	return zeros;
}

#define create_zero_mask(zeros)		(zeros)
#define find_zero(zeros)		((zeros) - 1)

#endif
