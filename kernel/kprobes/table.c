// SPDX-License-Identifier: GPL-2.0
/* Kernel probes: the hash table of places. */
#include <linux/hash.h>
#include <linux/kprobes.h>
#include <linux/rculist.h>

#include "kprobes.h"

/* See kprobes.h. */
DEFINE_MUTEX(kprobe_mutex);

/* Changed with kprobe_mutex held; a hit reads it with preemption disabled. */
struct hlist_head kprobe_table[KPROBE_TABLE_SIZE];

/* The user has disarmed all probes.  debugfs.c changes this with kprobe_mutex held. */
bool kprobes_all_disarmed;

static nokprobe_inline struct hlist_head *bucket_of(const void *addr)
{
	return &kprobe_table[hash_ptr(addr, KPROBE_HASH_BITS)];
}

/**
 * get_kprobe() - find the place at an address
 * @addr:	the address
 *
 * Handlers of ftrace call it before they mark a hit as running, so it is notrace.
 *
 * Context: Any, NMI included, with preemption disabled; or with kprobe_mutex held.
 * Return: the struct kprobe of the place, or NULL.
 */
notrace struct kprobe *get_kprobe(void *addr)
{
	struct kprobe_place *place;

	/* RCU's debugging would call functions that may have probes. */
	hlist_for_each_entry_rcu_notrace(place, bucket_of(addr), hlist)
		if (place->kp.addr == addr)
			return &place->kp;
	return NULL;
}
NOKPROBE_SYMBOL(get_kprobe);

/**
 * kprobe_table_add() - add a place
 * @place:	the place, prepared
 *
 * Context: kprobe_mutex held.
 */
void kprobe_table_add(struct kprobe_place *place)
{
	lockdep_assert_held(&kprobe_mutex);
	hlist_add_head_rcu(&place->hlist, bucket_of(place->kp.addr));
}

/**
 * kprobe_place_at() - find the place at an address
 * @addr:	the address
 *
 * Context: kprobe_mutex held.
 * Return: the place, or NULL.
 */
struct kprobe_place *kprobe_place_at(kprobe_opcode_t *addr)
{
	struct kprobe *kp;

	lockdep_assert_held(&kprobe_mutex);
	kp = get_kprobe(addr);
	return kp ? kprobe_place_of(kp) : NULL;
}

/**
 * kprobe_place_with() - find the place of a probe
 * @p:		a probe that may be registered
 * @addr:	address of the place
 *
 * Context: kprobe_mutex held.
 * Return: the place, or NULL if @p is not registered at @addr.
 */
struct kprobe_place *kprobe_place_with(const struct kprobe *p, kprobe_opcode_t *addr)
{
	struct kprobe_place *place = kprobe_place_at(addr);
	struct kprobe *member;

	if (place)
		list_for_each_entry(member, &place->kp.list, list)
			if (member == p)
				return place;
	return NULL;
}
