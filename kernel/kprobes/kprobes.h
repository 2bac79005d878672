/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Kernel probes: declarations shared by the files of this directory.
 *
 *	refusal.c	the reasons to refuse a place
 *	table.c		the hash table of places
 *	busy.c		hits that must be missed; the exception notifier
 *	direct.c	handlers that hits call directly
 *	return.c	hook the returns of functions, and call the handlers of return probes
 *	hit.c		call the handlers of the probes at a place
 *	place.c		probed places: the probes at a place, its state
 *	address.c	find the address of a symbol
 *	blacklist.c	functions that must not be probed
 *	check.c		check an address
 *	slot.c		executable memory for copies of instructions
 *	batch.c		write and remove breakpoints, by default one after the other
 *	ftrace.c	arm and disarm places at ftrace call sites
 *	optimize.c	jumps instead of breakpoints; a thread writes and removes them
 *	arm.c		change the text for a list of places
 *	set.c		sets of probes that change together
 *	enable.c	enable and disable probes
 *	register.c	add and remove probes
 *	kretprobe.c	add and remove return probes
 *	unload.c	probes in text that is freed
 *	debugfs.c	files in debugfs
 *	init.c		initialization
 *	sets_kunit.c	tests of sets
 *
 * A file uses only functions of files before it in this list.
 *
 * Documentation/trace/kprobe-internals.rst shows how all directories work together.
 *
 * A probe is a struct kprobe, which a user registers.  A place is an address with at least
 * one probe: a struct kprobe_place.  The hash table contains the places.  Each place has a
 * struct kprobe of its own, which is passed to the functions of the architecture.  A place
 * is enabled while one of its probes is.  It is armed if its text has a breakpoint or a
 * jump, or if ftrace calls its probes.
 *
 * Registering, enabling, disabling and removing probes works on sets: see set.c.  A set waits
 * for at most one grace period of its own, and updates each ftrace_ops once to arm places
 * and once to disarm places.  ftrace.c may wait for another grace period while it arms places.
 * Breakpoints change in batches; on x86, each batch synchronizes the CPUs once.  Lists of places
 * are linked through kp.batch.  So a set needs no memory, and only ftrace can refuse to arm it.
 *
 * Locking: kprobe_mutex protects the places, the members of registered probes except
 * @nmissed, the set, and the lists of the optimizer.  The order is kprobe_mutex,
 * cpus_read_lock(), jump_label_lock() and text_mutex.  jump_label_lock() and text_mutex
 * keep the text constant while an instruction is decoded.  Without cpus_read_lock(), CPU
 * hotplug could deadlock with the synchronization of CPUs under text_mutex.  ftrace
 * takes text_mutex itself, so ftrace.c is called without it.  Unregistration and the
 * optimizer do not hold kprobe_mutex while they wait for a grace period, but ftrace, ftrace.c
 * and slot.c may wait for a grace period while their caller holds it.
 *
 * A hit takes no lock.  It finds the place in the table with preemption disabled, and
 * reads @addr, @opcode and @ainsn of the place and the handlers of its probes.  These do
 * not change while the place is in the table and not gone.  But the list of the probes, the
 * flags, the post_handler of the place and @only can change during a hit.  A probe that is
 * unregistered leaves its place, then the end of the set changes the text, then an empty
 * place leaves the table.  The user may free the probe after an RCU grace period.  With
 * OPTPROBES, a work item frees places after an RCU grace period and an RCU-tasks grace
 * period, because a task can be preempted in a detour.  Otherwise, kprobes_end_set() frees
 * them.
 */
#ifndef _KERNEL_KPROBES_H
#define _KERNEL_KPROBES_H

#include <linux/bits.h>
#include <linux/kconfig.h>
#include <linux/kprobes.h>
#include <linux/llist.h>
#include <linux/mutex.h>
#include <linux/types.h>

struct module;
struct seq_file;

/* refusal.c */
const char *kprobe_refusal_sentence(enum kprobe_refusal why);

/* table.c */

#define KPROBE_HASH_BITS	(IS_ENABLED(CONFIG_BASE_SMALL) ? 6 : 12)
#define KPROBE_TABLE_SIZE	BIT(KPROBE_HASH_BITS)

extern struct mutex kprobe_mutex;
extern struct hlist_head kprobe_table[KPROBE_TABLE_SIZE];
extern bool kprobes_all_disarmed;

void kprobe_table_add(struct kprobe_place *place);
struct kprobe_place *kprobe_place_at(kprobe_opcode_t *addr);
struct kprobe_place *kprobe_place_with(const struct kprobe *p, kprobe_opcode_t *addr);

/* Walk all places.  The body may remove the current place. */
#define for_each_kprobe_place(place, next, i)				\
	for ((i) = 0; (i) < KPROBE_TABLE_SIZE; (i)++)			\
		hlist_for_each_entry_safe(place, next, &kprobe_table[i], hlist)

/* The address that the user of a probe has set; the core has changed @addr. */
static inline kprobe_opcode_t *kprobe_given_addr(const struct kprobe *p)
{
	return p->symbol_name ? NULL : (void *)p->addr - p->offset - p->moved;
}

/* The place whose struct kprobe this is. */
static nokprobe_inline struct kprobe_place *kprobe_place_of(struct kprobe *kp)
{
	return container_of(kp, struct kprobe_place, kp);
}

static inline bool kprobe_place_is_empty(const struct kprobe_place *place)
{
	return list_empty(&place->kp.list);
}

static inline bool kprobe_place_has_jump(const struct kprobe_place *place)
{
	return place->state == PLACE_JUMP || place->state == PLACE_UNOPTIMIZING;
}

static inline bool kprobe_place_is_armed(const struct kprobe_place *place)
{
	return place->state != PLACE_DISARMED && place->state != PLACE_GONE;
}

/* A list of places that are armed or disarmed together, linked through @kp.batch. */
static inline void kprobe_list_add(struct llist_head *places, struct kprobe_place *place)
{
	__llist_add(&place->kp.batch, places);
}

/* Remove the first place of a list, or return NULL. */
static inline struct kprobe_place *kprobe_list_pop(struct llist_head *places)
{
	struct llist_node *first = places->first;

	if (!first)
		return NULL;
	places->first = first->next;
	return llist_entry(first, struct kprobe_place, kp.batch);
}

/* The first place of a list, or NULL. */
static inline struct kprobe_place *kprobe_list_first(struct llist_head *places)
{
	return places->first ? llist_entry(places->first, struct kprobe_place, kp.batch) : NULL;
}

#define for_each_kprobe_in_list(place, places)				\
	llist_for_each_entry(place, (places)->first, kp.batch)

/* busy.c */
int kprobe_init_notifier(void);

/* direct.c */
int kretprobe_no_direct_handler(struct kretprobe_instance *ri, struct pt_regs *regs);
bool kprobe_is_direct(const struct kprobe *p);
bool kretprobe_is_direct(const struct kretprobe *rp);

DECLARE_STATIC_CALL(kretprobe_direct_entry, kretprobe_no_direct_handler);
DECLARE_STATIC_CALL(kretprobe_direct_hit, kretprobe_no_direct_handler);

/* return.c */
#ifdef CONFIG_KRETPROBES
int kretprobe_alloc_instances(struct kretprobe *rp);
void kretprobe_forget_instances(struct kretprobe *rp);
void kretprobe_detach_instances(struct kretprobe *rp);
void kretprobe_free_instances(struct kretprobe *rp);
#else
static inline void kretprobe_detach_instances(struct kretprobe *rp) { }
static inline void kretprobe_free_instances(struct kretprobe *rp) { }
#endif

/* hit.c */
void kprobe_place_post_handler(struct kprobe *p, struct pt_regs *regs, unsigned long flags);

/* place.c */
void kprobe_init_places(void);
struct kprobe_place *kprobe_place_new(struct kprobe *first);
int kprobe_place_revive(struct kprobe_place *place, const struct kprobe *p);
void kprobe_place_add(struct kprobe_place *place, struct kprobe *p);
void kprobe_place_remove(struct kprobe_place *place, struct kprobe *p);
void kprobe_place_update(struct kprobe_place *place);
bool kprobe_place_has_post_handler(const struct kprobe_place *place);
bool kprobe_place_is_args_only(const struct kprobe_place *place);
bool kprobe_place_must_move(const struct kprobe_place *place);
void kprobe_place_end_wait(struct kprobe_place *place);
void kprobe_place_set_state(struct kprobe_place *place, enum kprobe_place_state state);
void kprobe_place_free_insns(struct kprobe_place *place);
void kprobe_place_retire(struct kprobe_place *place);
struct llist_node *kprobe_places_take_dead(void);
void kprobe_places_free(struct llist_node *dead);
void kprobe_places_flush(void);

/* address.c */
kprobe_opcode_t *kprobe_resolve(const struct kprobe *p, bool *on_func_entry);

/* blacklist.c */
int kprobe_init_blacklist(void);
int kprobe_blacklist_show(struct seq_file *m, void *v);
#ifdef CONFIG_MODULES
void kprobe_blacklist_add_module(struct module *mod);
void kprobe_blacklist_remove_module(struct module *mod, bool init_only);
#endif

/* check.c */
extern bool kprobe_init_text_gone;

enum kprobe_refusal kprobe_check_place(struct kprobe *p, struct module **mod);

/* slot.c */
void kprobe_init_slots(void);

/* batch.c */

/* Largest number of places to change before the locks are released. */
#define KPROBE_MAX_BATCH	256U

/* ftrace.c */
#ifdef CONFIG_KPROBES_ON_FTRACE
int kprobes_arm_ftrace(struct llist_head *places);
void kprobes_disarm_ftrace(struct llist_head *places);
bool kprobe_ftrace_lacks_regs(const struct kprobe_place *place);
#else
static inline int kprobes_arm_ftrace(struct llist_head *places)
{
	return 0;
}

static inline void kprobes_disarm_ftrace(struct llist_head *places) { }

static inline bool kprobe_ftrace_lacks_regs(const struct kprobe_place *place)
{
	return false;
}
#endif

/* optimize.c */
#ifdef CONFIG_OPTPROBES
void kprobe_optimize(struct kprobe_place *place);
void kprobe_optimize_around(kprobe_opcode_t *addr);
bool kprobe_unoptimize_later(struct kprobe_place *place);
void kprobe_unoptimize(struct kprobe_place *place);
void kprobes_unoptimize(struct llist_head *places);
void kprobe_unoptimize_around(kprobe_opcode_t *addr);
#else
static inline void kprobe_optimize(struct kprobe_place *place) { }
static inline void kprobe_optimize_around(kprobe_opcode_t *addr) { }

static inline bool kprobe_unoptimize_later(struct kprobe_place *place)
{
	return false;
}

static inline void kprobe_unoptimize(struct kprobe_place *place) { }
static inline void kprobes_unoptimize(struct llist_head *places) { }
static inline void kprobe_unoptimize_around(kprobe_opcode_t *addr) { }
#endif

/* arm.c */
int kprobes_arm(struct llist_head *places);
void kprobes_disarm(struct llist_head *places);
void kprobes_disarm_now(struct llist_head *places);

/* set.c */

/* Changes of a probe in the current set: bits of @changes of struct kprobe. */
#define KPROBE_IN_SET		BIT(0)	/* it is in the list of the set */
#define KPROBE_ADDED		BIT(1)	/* it was registered */
#define KPROBE_ENABLED		BIT(2)	/* it was disabled before */
#define KPROBE_REMOVED		BIT(3)	/* it was unregistered */
#define KPROBE_WANTED		BIT(4)	/* it was registered without KPROBE_FLAG_DISABLED */
#define KPROBE_ALL_REGS		BIT(5)	/* it had KPROBE_FLAG_ARGS_ONLY before */

bool kprobes_enter_set(void);
int kprobes_leave_set(bool entered, int err);
void kprobe_set_touch(struct kprobe_place *place);
void kprobe_set_add(struct kprobe *p, struct kprobe_place *place, bool enable);
void kprobe_set_enable(struct kprobe *p, struct kprobe_place *place);
void kprobe_set_disable(struct kprobe *p, struct kprobe_place *place);
void kprobe_set_all_regs(struct kprobe *p, struct kprobe_place *place);
void kprobe_set_few_regs(struct kprobe *p, struct kprobe_place *place);
int __unregister_kprobe_top(struct kprobe *p);

/* kretprobe.c */
#ifdef CONFIG_KRETPROBES
void kprobe_init_returns(void);
#else
static inline void kprobe_init_returns(void) { }
#endif

/* unload.c */
void kprobes_forget_text(bool (*is_in)(unsigned long addr, const struct module *mod),
			 const struct module *mod);
int kprobe_init_unload(void);

#endif /* _KERNEL_KPROBES_H */
