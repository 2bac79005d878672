// SPDX-License-Identifier: GPL-2.0
/*
 * Kernel probes: probed places.
 *
 * A place is created for the first probe at an address.  It owns the slots of the
 * instruction.  It leaves the table when it has no probe any more and is disarmed, and is
 * freed when no CPU and no task uses it.  The slots are freed with the place, or before the
 * text is freed.
 *
 * The states of a place and the changes that are possible:
 *
 *	DISARMED <-> FTRACE, FTRACE_POST, FTRACE_ARGS		ftrace.c
 *	FTRACE_ARGS <-> FTRACE_MOVING -> FTRACE			ftrace.c
 *	DISARMED <-> BREAKPOINT					arm.c, optimize.c
 *	BREAKPOINT <-> QUEUED -> JUMP <-> UNOPTIMIZING		optimize.c
 *	JUMP, UNOPTIMIZING -> BREAKPOINT			optimize.c
 *	DISARMED -> GONE					unload.c
 *	GONE -> DISARMED					kprobe_place_revive()
 */
#include <linux/kprobes.h>
#include <linux/list.h>
#include <linux/rculist.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/workqueue.h>

/* For flush_insn_slot() of some architectures. */
#include <asm/cacheflush.h>

#include "kprobes.h"

/* Places at ftrace call sites of core kernel text, which cannot have a jump. */
static struct kmem_cache *small_cache;
static struct kmem_cache *place_cache;

#define SMALL_SIZE	(offsetof(struct kprobe_place, kp) + sizeof(struct kprobe))

static const u16 allowed_before[] = {
	[PLACE_DISARMED]	= BIT(PLACE_BREAKPOINT) | BIT(PLACE_FTRACE) |
				  BIT(PLACE_FTRACE_POST) | BIT(PLACE_FTRACE_ARGS) |
				  BIT(PLACE_GONE),
	[PLACE_BREAKPOINT]	= BIT(PLACE_DISARMED) | BIT(PLACE_QUEUED) | BIT(PLACE_JUMP) |
				  BIT(PLACE_UNOPTIMIZING),
	[PLACE_QUEUED]		= BIT(PLACE_BREAKPOINT),
	[PLACE_JUMP]		= BIT(PLACE_QUEUED) | BIT(PLACE_UNOPTIMIZING),
	[PLACE_UNOPTIMIZING]	= BIT(PLACE_JUMP),
	[PLACE_FTRACE]		= BIT(PLACE_DISARMED) | BIT(PLACE_FTRACE_MOVING),
	[PLACE_FTRACE_POST]	= BIT(PLACE_DISARMED),
	[PLACE_FTRACE_ARGS]	= BIT(PLACE_DISARMED) | BIT(PLACE_FTRACE_MOVING),
	[PLACE_FTRACE_MOVING]	= BIT(PLACE_FTRACE_ARGS),
	[PLACE_GONE]		= BIT(PLACE_DISARMED),
};

/* The flags that tell the architecture the state of a place. */
static u32 state_flags(enum kprobe_place_state state)
{
	switch (state) {
	case PLACE_QUEUED:
	case PLACE_JUMP:
	case PLACE_UNOPTIMIZING:
		/* There is a jump, or it will be written. */
		return KPROBE_FLAG_OPTIMIZED;
	case PLACE_FTRACE_ARGS:
		return KPROBE_FLAG_ARGS_ONLY;
	case PLACE_FTRACE_MOVING:
		return KPROBE_FLAG_MOVING;
	case PLACE_GONE:
		return KPROBE_FLAG_GONE;
	default:
		return 0;
	}
}

/**
 * kprobe_place_set_state() - change the state of a place
 * @place:	the place
 * @state:	its new state
 *
 * Context: kprobe_mutex held.
 */
void kprobe_place_set_state(struct kprobe_place *place, enum kprobe_place_state state)
{
	u32 flags = place->kp.flags & ~(KPROBE_FLAG_OPTIMIZED | KPROBE_FLAG_ARGS_ONLY |
					KPROBE_FLAG_MOVING);

	lockdep_assert_held(&kprobe_mutex);
	WARN_ON_ONCE(!(allowed_before[state] & BIT(place->state)));
	place->state = state;
	WRITE_ONCE(place->kp.flags, flags | state_flags(state));
}

#ifdef CONFIG_OPTPROBES
static void prepare_jump(struct kprobe_place *place)
{
	/* ftrace owns the text there. */
	if (kprobe_ftrace(&place->kp))
		return;
	INIT_LIST_HEAD(&place->op.list);
	arch_prepare_optimized_kprobe(&place->op, &place->kp);
}

static void remove_detour(struct kprobe_place *place)
{
	if (!kprobe_ftrace(&place->kp))
		arch_remove_optimized_kprobe(&place->op);
}
#else
static void prepare_jump(struct kprobe_place *place) { }
static void remove_detour(struct kprobe_place *place) { }
#endif

/* Let the architecture prepare a place: it sets @ainsn and, for a breakpoint, @opcode. */
static int prepare(struct kprobe_place *place)
{
	struct kprobe *kp = &place->kp;
	int ret;

	if (kprobe_ftrace(kp))
		return arch_prepare_kprobe_ftrace(kp);
	ret = arch_prepare_kprobe(kp);
	if (!ret)
		flush_insn_slot(kp);
	return ret;
}

/* The flags of a probe that describe its place. */
static u32 place_flags(const struct kprobe *p)
{
	return p->flags & (KPROBE_FLAG_FTRACE | KPROBE_FLAG_ON_FUNC_ENTRY);
}

/*
 * The text of a module can be freed and replaced by text without an ftrace call site.  The
 * place stays if it still has probes, so it needs room for a jump.
 */
static struct kmem_cache *cache_for(kprobe_opcode_t *addr, u32 flags)
{
	if ((flags & KPROBE_FLAG_FTRACE) && core_kernel_text((unsigned long)addr))
		return small_cache;
	return place_cache;
}

/**
 * kprobe_place_new() - create a place
 * @first:	its first probe, which the caller adds
 *
 * The place is disabled.
 *
 * Context: process context; kprobe_mutex, cpus_read_lock(), jump_label_lock() and text_mutex
 * held.
 * Return: the place, in the hash table; an ERR_PTR() if out of memory, or if the
 * architecture refuses the instruction.
 */
struct kprobe_place *kprobe_place_new(struct kprobe *first)
{
	u32 flags = place_flags(first);
	struct kmem_cache *cache = cache_for(first->addr, flags);
	struct kprobe_place *place = kmem_cache_zalloc(cache, GFP_KERNEL);
	int ret;

	if (!place)
		return ERR_PTR(-ENOMEM);
	INIT_LIST_HEAD(&place->kp.list);
	place->kp.addr = first->addr;
	place->kp.flags = flags | KPROBE_FLAG_DISABLED;
	place->kp.pre_handler = kprobe_place_pre_handler;
	/* The architecture may need another copy of the instruction for it. */
	if (first->post_handler)
		place->kp.post_handler = kprobe_place_post_handler;
	ret = prepare(place);
	if (ret) {
		kmem_cache_free(cache, place);
		return ERR_PTR(ret);
	}
	prepare_jump(place);
	kprobe_table_add(place);
	return place;
}

/**
 * kprobe_place_revive() - prepare a gone place for new text at its address
 * @place:	the place, gone; its old probes stay gone
 * @p:		the new probe
 *
 * Context: as kprobe_place_new().
 * Return: 0 or a negative errno.
 */
int kprobe_place_revive(struct kprobe_place *place, const struct kprobe *p)
{
	u32 flags = place->kp.flags;
	int ret;

	place->kp.flags = place_flags(p) | KPROBE_FLAG_DISABLED;
	if (p->post_handler)
		place->kp.post_handler = kprobe_place_post_handler;
	ret = prepare(place);
	if (ret) {
		place->kp.flags = flags;
		/* After an error, arm leaves a pointer to a local variable here. */
		memset(&place->kp.ainsn, 0, sizeof(place->kp.ainsn));
		return ret;
	}
	kprobe_place_set_state(place, PLACE_DISARMED);
	prepare_jump(place);
	return 0;
}

/**
 * kprobe_place_update() - update a place after a change of its probes
 * @place:	the place
 *
 * A place is enabled while one of its probes is, also one that is waiting.
 *
 * Context: kprobe_mutex held.
 */
void kprobe_place_update(struct kprobe_place *place)
{
	struct kprobe *member, *enabled = NULL;
	bool alone = list_is_singular(&place->kp.list);

	lockdep_assert_held(&kprobe_mutex);
	list_for_each_entry(member, &place->kp.list, list) {
		if (!kprobe_disabled(member)) {
			enabled = member;
			break;
		}
	}
	if (enabled)
		place->kp.flags &= ~KPROBE_FLAG_DISABLED;
	else
		place->kp.flags |= KPROBE_FLAG_DISABLED;
	if (enabled && (!alone || (enabled->flags & KPROBE_FLAG_WAITING)))
		enabled = NULL;
	/* A hit that finds the probe also finds its members. */
	smp_store_release(&place->only, enabled);
}

/**
 * kprobe_place_add() - add a probe to a place
 * @place:	the place; if the probe has a post_handler, it has no jump
 * @p:		the probe, disabled
 *
 * Context: kprobe_mutex held.
 */
void kprobe_place_add(struct kprobe_place *place, struct kprobe *p)
{
	p->opcode = place->kp.opcode;
	p->ainsn = place->kp.ainsn;
	list_add_rcu(&p->list, &place->kp.list);
	if (p->post_handler)
		WRITE_ONCE(place->kp.post_handler, kprobe_place_post_handler);
	kprobe_place_update(place);
}

/**
 * kprobe_place_has_post_handler() - does a probe of a place have a post_handler?
 * @place:	the place
 *
 * @place->kp.post_handler may still be set because of a probe that has left the place.
 *
 * Context: kprobe_mutex held.
 * Return: whether a probe that is not gone does.
 */
bool kprobe_place_has_post_handler(const struct kprobe_place *place)
{
	struct kprobe *member;

	list_for_each_entry(member, &place->kp.list, list)
		if (member->post_handler && !kprobe_gone(member))
			return true;
	return false;
}

/**
 * kprobe_place_is_args_only() - do the probes of a place read only arguments?
 * @place:	the place
 *
 * Context: kprobe_mutex held.
 * Return: whether all probes that are enabled have KPROBE_FLAG_ARGS_ONLY.
 */
bool kprobe_place_is_args_only(const struct kprobe_place *place)
{
	struct kprobe *member;

	list_for_each_entry(member, &place->kp.list, list)
		if (!kprobe_disabled(member) && !(member->flags & KPROBE_FLAG_ARGS_ONLY))
			return false;
	return true;
}

/**
 * kprobe_place_must_move() - must ftrace save more registers for a place that is armed?
 * @place:	the place
 *
 * Context: kprobe_mutex held.
 * Return: whether a probe needs registers that are not saved now.
 */
bool kprobe_place_must_move(const struct kprobe_place *place)
{
	return place->state == PLACE_FTRACE_ARGS && !kprobe_place_is_args_only(place);
}

/**
 * kprobe_place_end_wait() - let the probes of a place run that need all registers
 * @place:	the place, whose hits have all registers
 *
 * Context: kprobe_mutex held.
 */
void kprobe_place_end_wait(struct kprobe_place *place)
{
	struct kprobe *member;

	list_for_each_entry(member, &place->kp.list, list)
		WRITE_ONCE(member->flags, member->flags & ~KPROBE_FLAG_WAITING);
	kprobe_place_update(place);
}

/**
 * kprobe_place_remove() - remove a probe from its place
 * @place:	the place
 * @p:		the probe, disabled
 *
 * Context: kprobe_mutex held.
 */
void kprobe_place_remove(struct kprobe_place *place, struct kprobe *p)
{
	list_del_rcu(&p->list);
	/*
	 * Clear the pointer, so that the place may have a jump.  Keep it if no jump is
	 * possible: some architectures test the pointer and load it again for the call.
	 */
	if (IS_ENABLED(CONFIG_OPTPROBES) && !kprobe_ftrace(&place->kp) &&
	    !kprobe_place_has_post_handler(place))
		WRITE_ONCE(place->kp.post_handler, NULL);
	kprobe_place_update(place);
}

/**
 * kprobe_place_free_insns() - free the memory that the architecture allocated for a place
 * @place:	the place, which no CPU can hit any more
 *
 * Context: may sleep.
 */
void kprobe_place_free_insns(struct kprobe_place *place)
{
	remove_detour(place);
	arch_remove_kprobe(&place->kp);
}

static LLIST_HEAD(dead_places);

/**
 * kprobe_places_take_dead() - take the places that kprobe_place_retire() has collected
 *
 * Context: Any.
 * Return: their list, linked through @link.
 */
struct llist_node *kprobe_places_take_dead(void)
{
	return llist_del_all(&dead_places);
}

/**
 * kprobe_places_free() - free places
 * @dead:	their list, linked through @link; no CPU and no task uses them any more
 *
 * Context: may sleep.
 */
void kprobe_places_free(struct llist_node *dead)
{
	struct kprobe_place *place, *next;

	llist_for_each_entry_safe(place, next, dead, link) {
		kprobe_place_free_insns(place);
		/* kfree() finds the cache. */
		kfree(place);
		cond_resched();
	}
}

static void free_dead_places(struct work_struct *work)
{
	struct llist_node *dead = kprobe_places_take_dead();

	if (!dead)
		return;
	/* Wait for hits that found a place in the table. */
	synchronize_rcu();
	/* Wait for tasks that were preempted in a detour. */
	if (IS_ENABLED(CONFIG_OPTPROBES))
		synchronize_rcu_tasks();
	kprobe_places_free(dead);
}
static DECLARE_WORK(free_work, free_dead_places);

/**
 * kprobe_place_retire() - remove a place from the hash table and free it later
 * @place:	the place, disarmed or gone, without probes, in no list of a set
 *
 * Architectures without jumps rely on places being freed when unregistration returns.  There,
 * set.c frees them.
 *
 * Context: kprobe_mutex held.
 */
void kprobe_place_retire(struct kprobe_place *place)
{
	lockdep_assert_held(&kprobe_mutex);
	hlist_del_rcu(&place->hlist);
	if (llist_add(&place->link, &dead_places) && IS_ENABLED(CONFIG_OPTPROBES))
		queue_work(system_unbound_wq, &free_work);
}

/**
 * kprobe_places_flush() - wait until retired places are freed
 *
 * Context: may sleep; no locks held.
 */
void kprobe_places_flush(void)
{
	flush_work(&free_work);
}

/**
 * kprobe_init_places() - create the caches of places
 *
 * Context: boot, before the first registration.
 */
void __init kprobe_init_places(void)
{
	small_cache = kmem_cache_create("kprobe_place_ftrace", SMALL_SIZE,
					__alignof__(struct kprobe_place), SLAB_PANIC, NULL);
	place_cache = KMEM_CACHE(kprobe_place, SLAB_PANIC);
}
