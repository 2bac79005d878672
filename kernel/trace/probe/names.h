/* SPDX-License-Identifier: GPL-2.0 */
/* Names of numbers: the members of an enum, a list in a command; see names.c. */
#ifndef _PROBE_NAMES_H
#define _PROBE_NAMES_H

#include <linux/types.h>

#include "ast.h"

#define PROBE_MAX_NAMES		512	/* names that a number can have */
#define PROBE_MAX_NAME_TEXT	64	/* length of one of them */

/**
 * struct probe_name - the name of a number
 * @value: the number; of a negative one, the low bits
 * @text: its name
 */
struct probe_name {
	u64		value;
	const char	*text;
};

/**
 * struct probe_names - names of numbers, in the order in which they are compared
 * @list: the names
 * @nr: number of names
 * @room: number of names for which @list has memory
 */
struct probe_names {
	struct probe_name	*list;
	unsigned int		nr;
	unsigned int		room;
};

int probe_names_add(struct probe_names *names, struct probe_arena *arena, u64 value,
		    const char *text, size_t len);
int probe_names_copy(struct probe_names *names, struct probe_arena *arena,
		     const struct probe_names *from);
bool probe_names_same(const struct probe_names *a, const struct probe_names *b);
int probe_names_from_fmt(struct probe_names *names, struct probe_arena *arena,
			 const char *print_fmt, struct probe_str field);

#endif /* _PROBE_NAMES_H */
