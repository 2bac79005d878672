/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _X86_KPROBES_TESTS_REGION_H
#define _X86_KPROBES_TESTS_REGION_H

#include <linux/jump_label.h>
#include <linux/types.h>

#define REGION_RESULT	5

/* A function that a probe stands in; see region.S. */
struct region_site {
	int (*function)(void);	/* returns REGION_RESULT, going by the probe once */
	void *addr;
	const char *name;
	u32 allowed;		/* may a jump take the probe's place? */
	u32 skips;		/* is the probe gone around while the key is on? */
};

DECLARE_STATIC_KEY_FALSE(kprobes_region_key);

/* Returns REGION_RESULT.  A probe for stack traces is at the label in it. */
int kprobes_region_push(void);
extern const u8 kprobes_region_push_at[];

extern const struct region_site kprobes_regions[], kprobes_regions_end[];

#endif /* _X86_KPROBES_TESTS_REGION_H */
