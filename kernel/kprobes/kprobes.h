/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Kernel probes: declarations shared by the files of this directory.
 *
 *	table.c		hash table of the probes, by address
 *	hit.c		functions for the handling of hits
 *	place.c		find the address of a symbol; check an address
 *	blacklist.c	functions that must not be probed
 *	group.c		several probes at one place
 *	register.c	add and remove sets of probes; initialization
 *	enable.c	enable and disable sets of probes
 *	arm.c		change the text for a set of places
 *	ftrace.c	arm and disarm places at ftrace call sites
 *	optimize.c	jumps instead of breakpoints; a thread writes and removes them
 *	slot.c		executable memory for copies of instructions
 *	return.c	return probes
 *	unload.c	probes in text that is freed
 *	debugfs.c	files in debugfs
 *
 * Terms: a place is an address with at least one registered probe.  The hash table has
 * one struct kprobe for each place, which is passed to the functions of the
 * architecture: the user's probe, or the common probe of a group.  A place has a group
 * if it has or had several probes, or if it may have a jump.  A place is armed if its
 * struct kprobe in the table is not disabled, and if probes are not globally disarmed.
 * Then its text has a breakpoint or a jump, or ftrace calls the probe.
 *
 * All operations work on sets.  A set needs one grace period, like a single probe, and one
 * update of each ftrace_ops.  Breakpoints change in batches; on x86, each batch
 * synchronizes the CPUs once.  An operation begins with the steps that can fail, and undoes
 * them if one fails.
 *
 * Locking: kprobe_mutex protects the table, the members of registered probes except
 * @nmissed, and the lists of the optimizer.  The order is kprobe_mutex,
 * cpus_read_lock(), jump_label_lock() and text_mutex.  jump_label_lock() and text_mutex
 * keep the text constant while an instruction is decoded.  Without cpus_read_lock(), CPU
 * hotplug could deadlock with the synchronization of CPUs under text_mutex.  ftrace
 * takes text_mutex itself, so ftrace.c is called without it.  Unregistration and the
 * optimizer do not hold kprobe_mutex while they wait for a grace period, but ftrace and
 * slot.c may wait for a grace period while their caller holds it.
 *
 * A hit takes no lock.  It finds the probe in the table with preemption disabled, and
 * reads @addr, @opcode, @ainsn and the handlers.  These do not change until no CPU can
 * hit the probe: the text is changed first, then the probe leaves the table or its
 * group, and its memory is freed after an RCU grace period.  But the flags can change
 * during a hit, and so can the post_handler of a common probe.  A work item frees groups.
 * It also waits for an RCU-tasks grace period, because a task can be preempted in a detour.
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

/* table.c */

#define KPROBE_HASH_BITS	(IS_ENABLED(CONFIG_BASE_SMALL) ? 6 : 12)
#define KPROBE_TABLE_SIZE	BIT(KPROBE_HASH_BITS)

extern struct mutex kprobe_mutex;
extern struct hlist_head kprobe_table[KPROBE_TABLE_SIZE];

void kprobe_table_add(struct kprobe *p);
struct kprobe *kprobe_common(struct kprobe *p);
bool kprobe_is_registered(struct kprobe *p, kprobe_opcode_t *addr);

/* Walk all places.  The body may remove the current place. */
#define for_each_kprobe_place(p, next, i)				\
	for ((i) = 0; (i) < KPROBE_TABLE_SIZE; (i)++)			\
		hlist_for_each_entry_safe(p, next, &kprobe_table[i], hlist)

/* hit.c */
void kprobe_group_post_handler(struct kprobe *p, struct pt_regs *regs,
			       unsigned long flags);
int kprobe_init_hits(void);

/* group.c */

/**
 * enum kprobe_jump - state of a group's jump
 * @KPROBE_JUMP_NONE:	there is no jump
 * @KPROBE_JUMP_QUEUED:	the optimizer will write it
 * @KPROBE_JUMP_WRITTEN: it is in the text
 * @KPROBE_JUMP_UNOPTIMIZING: it is in the text; the optimizer will remove it
 */
enum kprobe_jump {
	KPROBE_JUMP_NONE,
	KPROBE_JUMP_QUEUED,
	KPROBE_JUMP_WRITTEN,
	KPROBE_JUMP_UNOPTIMIZING,
};

/**
 * struct kprobe_group - the probes at one place
 * @op:		the common probe, with a detour
 * @kp:		the common probe; its @list is the list of probes
 * @jump:	state of the jump
 * @dead:	entry in the list of groups that will be freed
 */
struct kprobe_group {
#ifdef CONFIG_OPTPROBES
	struct optimized_kprobe	op;
	enum kprobe_jump	jump;
#else
	struct kprobe		kp;
#endif
	struct llist_node	dead;
};

static inline bool kprobe_is_group(const struct kprobe *p)
{
	return p->pre_handler == kprobe_group_pre_handler;
}

/* Is this a group without probes? */
static inline bool kprobe_is_empty_group(const struct kprobe *p)
{
	return kprobe_is_group(p) && list_empty(&p->list);
}

static inline struct kprobe_group *kprobe_group_of(struct kprobe *p)
{
#ifdef CONFIG_OPTPROBES
	return container_of(p, struct kprobe_group, op.kp);
#else
	return container_of(p, struct kprobe_group, kp);
#endif
}

struct kprobe *kprobe_group_new(struct kprobe *first, struct kprobe *old);
int kprobe_group_add(struct kprobe *common, struct kprobe *p);
void kprobe_group_remove(struct kprobe *common, struct kprobe *p);
bool kprobe_has_post_handler(const struct kprobe *common);
void kprobe_group_retire(struct kprobe *common);
void kprobe_group_flush(void);
int kprobe_prepare(struct kprobe *p);
void kprobe_free_insns(struct kprobe *p);

/* place.c */
kprobe_opcode_t *kprobe_resolve(const struct kprobe *p, bool *on_func_entry);
int kprobe_check_place(struct kprobe *p, struct module **mod);

/* blacklist.c */
int kprobe_init_blacklist(void);
int kprobe_blacklist_show(struct seq_file *m, void *v);
#ifdef CONFIG_MODULES
void kprobe_blacklist_add_module(struct module *mod);
void kprobe_blacklist_remove_module(struct module *mod, bool init_only);
#endif

/* register.c */
int kprobes_add(struct kprobe **kps, int num, bool *arming);
void kprobes_remove(struct kprobe **kps, int num);
void kprobes_release(struct kprobe **kps, int num);

/* enable.c */

/**
 * struct kprobe_set - places that are armed or disarmed together
 * @places:	their common probes
 * @nr:		number of @places
 * @max:	size of the array
 * @some:	the array of a small set, also used if there is no memory for a larger array
 */
struct kprobe_set {
	struct kprobe	**places;
	unsigned int	nr, max;
	struct kprobe	*some[8];
};

int kprobe_set_init(struct kprobe_set *set, unsigned int max);
void kprobe_set_init_nofail(struct kprobe_set *set, unsigned int max);
void kprobe_set_free(struct kprobe_set *set);
void kprobe_set_place_enabled(struct kprobe_set *set, struct kprobe *common);
void kprobe_set_undo(struct kprobe_set *set);
int kprobes_disable_all(struct kprobe **kps, int num);

/* arm.c */

/* Largest number of places to change before the locks are released. */
#define KPROBE_MAX_BATCH	256U

extern bool kprobes_all_disarmed;

unsigned int kprobes_partition(struct kprobe **places, unsigned int num,
			       bool (*is_first)(struct kprobe *p));
int kprobes_arm(struct kprobe **places, unsigned int num);
void kprobes_disarm(struct kprobe **places, unsigned int num);

/* ftrace.c */
#ifdef CONFIG_KPROBES_ON_FTRACE
int kprobes_arm_ftrace(struct kprobe **places, unsigned int num);
void kprobes_disarm_ftrace(struct kprobe **places, unsigned int num);
#else
static inline int kprobes_arm_ftrace(struct kprobe **places, unsigned int num)
{
	return 0;
}

static inline void kprobes_disarm_ftrace(struct kprobe **places, unsigned int num) { }
#endif

/* optimize.c */
#ifdef CONFIG_OPTPROBES
void kprobe_optimize(struct kprobe *p);
void kprobe_optimize_around(kprobe_opcode_t *addr);
bool kprobe_jump_is_written(struct kprobe *p);
bool kprobe_unoptimize_later(struct kprobe *p);
void kprobes_unoptimize(struct kprobe **places, unsigned int num);
void kprobe_unoptimize_around(kprobe_opcode_t *addr);
void kprobe_cancel_jump(struct kprobe *p);
#else
static inline void kprobe_optimize(struct kprobe *p) { }
static inline void kprobe_optimize_around(kprobe_opcode_t *addr) { }

static inline bool kprobe_jump_is_written(struct kprobe *p)
{
	return false;
}

static inline bool kprobe_unoptimize_later(struct kprobe *p)
{
	return false;
}

static inline void kprobes_unoptimize(struct kprobe **places, unsigned int num) { }
static inline void kprobe_unoptimize_around(kprobe_opcode_t *addr) { }
static inline void kprobe_cancel_jump(struct kprobe *p) { }
#endif

/* slot.c */
void kprobe_init_slots(void);

/* return.c */
#ifdef CONFIG_KRETPROBES
bool kprobe_is_return(const struct kprobe *p);
void kprobe_init_returns(void);
#else
static inline bool kprobe_is_return(const struct kprobe *p)
{
	return false;
}

static inline void kprobe_init_returns(void) { }
#endif

/* unload.c */
int kprobe_init_unload(void);

#endif /* _KERNEL_KPROBES_H */
