/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _X86_KPROBES_TESTS_REGION_H
#define _X86_KPROBES_TESTS_REGION_H

#include <linux/jump_label.h>
#include <linux/types.h>

#define REGION_RESULT	5

/* A function that hits its probe once, or skips the probe; see region.S. */
struct region_site {
	int (*function)(void);	/* returns REGION_RESULT */
	void *addr;
	const char *name;
	u32 allowed;		/* can a jump replace the breakpoint? */
	u32 skips;		/* is the probe skipped while the key is on? */
};

DECLARE_STATIC_KEY_FALSE(kprobes_region_key);

/* Returns REGION_RESULT.  A probe at kprobes_region_push_at saves a stack trace. */
int kprobes_region_push(void);
extern const u8 kprobes_region_push_at[];

extern const struct region_site kprobes_regions[], kprobes_regions_end[];

#endif /* _X86_KPROBES_TESTS_REGION_H */
