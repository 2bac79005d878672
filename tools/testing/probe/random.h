/* SPDX-License-Identifier: GPL-2.0 */
/* Pseudo-random arguments and machines; see random.c. */
#ifndef _RANDOM_H
#define _RANDOM_H

#include "machine.h"

#define RANDOM_NR_SIZES	4
extern const u8 random_sizes[RANDOM_NR_SIZES];

/* Addresses that cannot be read. */
extern const u64 random_bad[];
extern const unsigned int random_nr_bad;

unsigned int random_below(unsigned int n);
u64 random_address(void);

/* Fill registers and memory. */
void random_machine(void);

/* @steps: memory for its dereferences */
void random_fetch(struct probe_fetch *f, struct probe_step *steps);

/* Let a value of a formula be that of an argument, and decide later which one. */
struct probe_item *random_value(const struct probe_fetch *f);

/* Change a fetch to one of a probe in user space. */
void random_move_to_user(struct probe_fetch *f, struct probe_step *steps);

#endif /* _RANDOM_H */
