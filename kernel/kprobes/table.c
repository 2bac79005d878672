// SPDX-License-Identifier: GPL-2.0
/* Kernel probes: the hash table, which has one probe for each place. */
#include <linux/hash.h>
#include <linux/kprobes.h>
#include <linux/rculist.h>

#include "kprobes.h"

/* See kprobes.h. */
DEFINE_MUTEX(kprobe_mutex);

/* Changed with kprobe_mutex held; a hit reads it with preemption disabled. */
struct hlist_head kprobe_table[KPROBE_TABLE_SIZE];

static nokprobe_inline struct hlist_head *bucket_of(const void *addr)
{
	return &kprobe_table[hash_ptr(addr, KPROBE_HASH_BITS)];
}

/**
 * get_kprobe() - find the probe at an address
 * @addr:	the address
 *
 * Handlers of ftrace call it before they mark a hit as running, so it is notrace.
 *
 * Context: Any, NMI included, with preemption disabled; or with kprobe_mutex held.
 * Return: the only probe there, or the common probe of several, or NULL.
 */
notrace struct kprobe *get_kprobe(void *addr)
{
	struct kprobe *p;

	/* RCU's debugging would call functions that may have probes. */
	hlist_for_each_entry_rcu_notrace(p, bucket_of(addr), hlist)
		if (p->addr == addr)
			return p;
	return NULL;
}
NOKPROBE_SYMBOL(get_kprobe);

/**
 * kprobe_table_add() - add a place
 * @p:	its prepared probe or common probe
 *
 * Context: kprobe_mutex held.
 */
void kprobe_table_add(struct kprobe *p)
{
	lockdep_assert_held(&kprobe_mutex);
	INIT_HLIST_NODE(&p->hlist);
	hlist_add_head_rcu(&p->hlist, bucket_of(p->addr));
}

/**
 * kprobe_common() - find the common probe of a probe's place
 * @p:	a probe that may be registered
 *
 * Context: kprobe_mutex held.
 * Return: the common probe, @p itself if it is the only probe there, or NULL if @p is
 * not registered.
 */
struct kprobe *kprobe_common(struct kprobe *p)
{
	struct kprobe *common, *member;

	lockdep_assert_held(&kprobe_mutex);
	common = get_kprobe(p->addr);
	if (!common || common == p)
		return common;
	if (kprobe_is_group(common))
		list_for_each_entry(member, &common->list, list)
			if (member == p)
				return common;
	return NULL;
}

/**
 * kprobe_is_registered() - is a probe registered?
 * @p:		the probe
 * @addr:	the address of its place, from kprobe_resolve()
 *
 * A registered probe is found by its address.  If the user of a probe with a symbol has
 * set @p->addr to NULL, this function sets it to @addr again.
 *
 * Context: kprobe_mutex held.
 * Return: true if it is registered.
 */
bool kprobe_is_registered(struct kprobe *p, kprobe_opcode_t *addr)
{
	kprobe_opcode_t *given = p->addr;

	if (kprobe_common(p))
		return true;
	p->addr = addr;
	if (kprobe_common(p))
		return true;
	p->addr = given;
	return false;
}
