/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Copyright (C) IBM Corporation, 2002, 2004
 *
 * Kernel probes: call a handler when the kernel is about to execute an instruction, or
 * when a function returns.
 *
 * kernel/kprobes/ implements this interface.  It calls functions of the architecture,
 * which are declared below and in asm/kprobes.h.  Documentation/trace/kprobes.rst
 * explains the use of probes.
 */
#ifndef _LINUX_KPROBES_H
#define _LINUX_KPROBES_H

#include <linux/bug.h>
#include <linux/compiler.h>
#include <linux/ftrace.h>
#include <linux/linkage.h>
#include <linux/list.h>
#include <linux/llist.h>
#include <linux/mutex.h>
#include <linux/notifier.h>
#include <linux/objpool.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/rethook.h>
#include <linux/smp.h>
#include <linux/spinlock.h>
#include <linux/static_call_types.h>
#include <asm/kprobes.h>

struct kprobe;
struct kretprobe;
struct kretprobe_instance;
struct pt_regs;

#ifndef CONFIG_KPROBES
#include <asm-generic/kprobes.h>

/* struct kprobe has members of these types in every configuration. */
struct arch_specific_insn {
	int dummy;
};

typedef int kprobe_opcode_t;
#endif

/* A pre_handler that returns non-zero has changed the instruction pointer. */
typedef int (*kprobe_pre_handler_t)(struct kprobe *p, struct pt_regs *regs);
typedef void (*kprobe_post_handler_t)(struct kprobe *p, struct pt_regs *regs,
				      unsigned long flags);
typedef int (*kretprobe_handler_t)(struct kretprobe_instance *ri, struct pt_regs *regs);

/**
 * struct kprobe - a probe
 * @symbol_name: symbol of the place, or NULL if the user sets @addr
 * @offset:	bytes from @symbol_name or from @addr
 * @addr:	address of the place; before registration, NULL or the address to which the
 *		core adds @offset
 * @pre_handler: NULL, or runs before the instruction
 * @post_handler: NULL, or runs after the instruction unless @pre_handler returned non-zero
 * @flags:	KPROBE_FLAG_*; a user can set KPROBE_FLAG_DISABLED before registration, and a user
 *		with direct handlers KPROBE_FLAG_ARGS_ONLY
 * @nmissed:	number of hits for which no handler could run
 * @batch:	entry in the list of probes or places that change together
 * @list:	entry in the list of the probes at the same place
 * @opcode:	first kprobe_opcode_t of the instruction, which a breakpoint replaces
 * @changes:	changes of the probe in the current set: KPROBE_* of kernel/kprobes/kprobes.h
 * @moved:	bytes by which the architecture has moved the probe from the sum of @addr and
 *		@offset, as the user set them; at most the length of an instruction
 * @ainsn:	data with which the architecture emulates the instruction or executes a copy
 *
 * A place, see struct kprobe_place, has a struct kprobe of its own, which the functions of
 * the architecture get.  There, @list is the head of the list of its probes.
 *
 * kprobe_mutex protects all members except @nmissed while the probe is registered.
 */
struct kprobe {
	const char		*symbol_name;
	unsigned int		offset;
	u32			flags;
	struct llist_node	batch;
	kprobe_opcode_t		*addr;
	struct list_head	list;
	kprobe_pre_handler_t	pre_handler;
	kprobe_post_handler_t	post_handler;
	unsigned long		nmissed;
	kprobe_opcode_t		opcode;
	u8			changes;
	s8			moved;
	struct arch_specific_insn ainsn;
};

/* The text at the place is freed, or is about to be. */
#define KPROBE_FLAG_GONE		BIT(0)
/* The handlers do not run. */
#define KPROBE_FLAG_DISABLED		BIT(1)
/* A jump replaces the breakpoint, or is about to be written or removed. */
#define KPROBE_FLAG_OPTIMIZED		BIT(2)
/* The place is an ftrace call site; ftrace is used instead of a breakpoint. */
#define KPROBE_FLAG_FTRACE		BIT(3)
/* The probe is at the entry of a function. */
#define KPROBE_FLAG_ON_FUNC_ENTRY	BIT(4)
/* The probe belongs to a return probe. */
#define KPROBE_FLAG_RETURN		BIT(5)
/* The pre_handler is that of kprobe_set_direct_handlers(), which hits call directly. */
#define KPROBE_FLAG_DIRECT		BIT(6)
/* The same for the handlers of a return probe. */
#define KPROBE_FLAG_DIRECT_RETURN	BIT(7)
/*
 * At an ftrace call site, the handlers read only the registers that ftrace saves for a tracer of
 * arguments.  Of a place: its handlers get only these.
 */
#define KPROBE_FLAG_ARGS_ONLY		BIT(8)
/* Of a place: two ftrace_ops may call the handlers for a hit. */
#define KPROBE_FLAG_MOVING		BIT(9)
/* The probe is enabled, but its handlers do not run until they get all registers. */
#define KPROBE_FLAG_WAITING		BIT(10)

static inline bool kprobe_ftrace(struct kprobe *p)
{
	return p->flags & KPROBE_FLAG_FTRACE;
}

static inline bool kprobe_optimized(struct kprobe *p)
{
	return READ_ONCE(p->flags) & KPROBE_FLAG_OPTIMIZED;
}

/* A probe that is gone counts as disabled. */
static inline bool kprobe_disabled(struct kprobe *p)
{
	return READ_ONCE(p->flags) & (KPROBE_FLAG_DISABLED | KPROBE_FLAG_GONE);
}

static inline bool kprobe_gone(struct kprobe *p)
{
	return READ_ONCE(p->flags) & KPROBE_FLAG_GONE;
}

/* Largest data_size of a return probe. */
#define KRETPROBE_MAX_DATA_SIZE	4096

/**
 * struct kretprobe - a return probe
 * @kp:		the probe at the entry of the function
 * @handler:	runs when the function returns
 * @entry_handler: runs at entry, or NULL; returns non-zero to skip @handler for this call
 * @data_size:	bytes of data per call, which both handlers share
 * @maxactive:	number of calls for which memory is allocated in advance; if it is not
 *		positive, registration chooses a number
 * @nmissed:	number of calls that were missed, for example because no memory was free
 * @rh:		the rethook of this probe
 * @rph:	the memory for calls
 */
struct kretprobe {
	struct kprobe		kp;
	kretprobe_handler_t	entry_handler;
	kretprobe_handler_t	handler;
	size_t			data_size;
	int			maxactive;
	int			nmissed;
#ifdef CONFIG_KRETPROBE_ON_RETHOOK
	struct rethook		*rh;
#else
	struct kretprobe_holder	*rph;
#endif
};

/*
 * Memory for the calls of a return probe.  Unregistration sets @rp to NULL.  The memory is
 * freed when the last of these calls has returned, which can be after unregistration.
 */
struct kretprobe_holder {
	struct objpool_head	pool;
	struct kretprobe __rcu	*rp;
};

/* One call of a function with a return probe. */
struct kretprobe_instance {
#ifdef CONFIG_KRETPROBE_ON_RETHOOK
	struct rethook_node	node;
#else
	struct llist_node	llist;
	struct kretprobe_holder	*rph;
	void			*fp;
	kprobe_opcode_t		*ret_addr;
	struct rcu_head		rcu;
#endif
	char			data[];
};

#ifdef CONFIG_KPROBES

/* Progress of a hit, in kprobe_ctlblk.kprobe_status. */
enum kprobe_status {
	KPROBE_HIT_ACTIVE	= 1,	/* pre_handler runs */
	KPROBE_HIT_SS		= 2,	/* the copy of the instruction is single-stepped */
	KPROBE_REENTER		= 4,	/* single-step for a hit during another hit */
	KPROBE_HIT_SSDONE	= 8,	/* post_handler runs */
};

/* The comment before a block names the file of kernel/kprobes/ that defines it. */

/* register.c */
int register_kprobe(struct kprobe *p);
int register_kprobes(struct kprobe **kps, int num);
void unregister_kprobe(struct kprobe *p);
void unregister_kprobes(struct kprobe **kps, int num);

/* enable.c */
int enable_kprobe(struct kprobe *kp);
int kprobe_set_args_only(struct kprobe *kp, bool args_only);
int disable_kprobe(struct kprobe *kp);

/* set.c */
void kprobes_begin_set(void);
int kprobes_end_set(int err);

/* address.c */
kprobe_opcode_t *kprobe_lookup_name(const char *name, unsigned int offset);
int kprobe_on_func_entry(kprobe_opcode_t *addr, const char *sym, unsigned long offset);

/* check.c */
int kprobe_explain(const struct kprobe *p, char *buf, size_t size);

/* blacklist.c */
bool within_kprobe_blacklist(unsigned long addr);
int kprobe_add_area_blacklist(unsigned long start, unsigned long end);
int kprobe_add_ksym_blacklist(unsigned long entry);

/* unload.c */
void kprobe_free_init_mem(void);

/* The architecture defines these variables. */
DECLARE_PER_CPU(struct kprobe_ctlblk, kprobe_ctlblk);
DECLARE_PER_CPU(struct kprobe *, current_kprobe);

/* table.c */
struct kprobe *get_kprobe(void *addr);

/* hit.c */
void kprobes_inc_nmissed_count(struct kprobe *p);

/* busy.c */
void kprobe_busy_begin(void);
void kprobe_busy_end(void);
void dump_kprobe(struct kprobe *kp);

/*
 * The struct kprobe of the place whose hit this CPU handles, or of the return probe whose
 * handler runs; NULL if there is none.  Preemption is disabled.
 */
static inline struct kprobe *kprobe_running(void)
{
	return __this_cpu_read(current_kprobe);
}

static inline struct kprobe_ctlblk *get_kprobe_ctlblk(void)
{
	return this_cpu_ptr(&kprobe_ctlblk);
}

static inline void reset_current_kprobe(void)
{
	__this_cpu_write(current_kprobe, NULL);
}

/* slot.c */

/**
 * struct kprobe_insn_cache - pages for copies of instructions
 * @mutex:	protects the other members
 * @alloc:	allocates a page of executable memory
 * @free:	frees such a page
 * @sym:	name of the pages in kallsyms
 * @pages:	the pages; readers use RCU
 * @insn_size:	size of a slot, in units of kprobe_opcode_t
 * @nr_garbage:	number of freed slots that a CPU may still execute
 */
struct kprobe_insn_cache {
	struct mutex		mutex;		/* protects the other members */
	struct list_head	pages;
	size_t			insn_size;
	int			nr_garbage;
	const char		*sym;
	void			*(*alloc)(void);
	void			(*free)(void *page);
};

void *alloc_insn_page(void);
int kprobe_get_kallsym(unsigned int symnum, unsigned long *value, char *type, char *sym);

#ifdef __ARCH_WANT_KPROBES_INSN_SLOT
#define KPROBE_INSN_PAGE_SYM	"kprobe_insn_page"
#define KPROBE_OPTINSN_PAGE_SYM	"kprobe_optinsn_page"

extern struct kprobe_insn_cache kprobe_insn_slots;

kprobe_opcode_t *__get_insn_slot(struct kprobe_insn_cache *c);
void __free_insn_slot(struct kprobe_insn_cache *c, kprobe_opcode_t *slot, int dirty);
bool __is_insn_slot_addr(struct kprobe_insn_cache *c, unsigned long addr);
int kprobe_cache_get_kallsym(struct kprobe_insn_cache *c, unsigned int *symnum,
			     unsigned long *value, char *type, char *sym);

/* Context: may sleep.  Return: a slot of MAX_INSN_SIZE units of kprobe_opcode_t, or NULL. */
static inline kprobe_opcode_t *get_insn_slot(void)
{
	return __get_insn_slot(&kprobe_insn_slots);
}

/* If @dirty, a CPU may execute the slot until the next RCU grace period ends. */
static inline void free_insn_slot(kprobe_opcode_t *slot, int dirty)
{
	__free_insn_slot(&kprobe_insn_slots, slot, dirty);
}

static inline bool is_kprobe_insn_slot(unsigned long addr)
{
	return __is_insn_slot_addr(&kprobe_insn_slots, addr);
}
#endif

#ifdef CONFIG_OPTPROBES
/**
 * struct optimized_kprobe - the part of a place that the functions for jumps get
 * @kp:		the struct kprobe of the place
 * @list:	entry in a list of optimize.c
 * @optinsn:	the detour to which the jump leads
 */
struct optimized_kprobe {
	struct kprobe		kp;
	struct list_head	list;
	struct arch_optimized_insn optinsn;
};

/* slot.c */
extern struct kprobe_insn_cache kprobe_optinsn_slots;

void *alloc_optinsn_page(void);
void free_optinsn_page(void *page);
/* hit.c */
void opt_pre_handler(struct kprobe *p, struct pt_regs *regs);

/* optimize.c */
void wait_for_kprobe_optimizer(void);

/* Like get_insn_slot() and the functions after it, but for detours. */
static inline kprobe_opcode_t *get_optinsn_slot(void)
{
	return __get_insn_slot(&kprobe_optinsn_slots);
}

static inline void free_optinsn_slot(kprobe_opcode_t *slot, int dirty)
{
	__free_insn_slot(&kprobe_optinsn_slots, slot, dirty);
}

static inline bool is_kprobe_optinsn_slot(unsigned long addr)
{
	return __is_insn_slot_addr(&kprobe_optinsn_slots, addr);
}
#endif

/**
 * enum kprobe_place_state - the text at a place
 * @PLACE_DISARMED:	it is unchanged; hits call no handler
 * @PLACE_BREAKPOINT:	it has a breakpoint
 * @PLACE_QUEUED:	it has a breakpoint, which the optimizer will replace with a jump
 * @PLACE_JUMP:		it has a jump
 * @PLACE_UNOPTIMIZING:	it has a jump, which the optimizer will remove; then it has a
 *			breakpoint, or is disarmed if the place is disabled
 * @PLACE_FTRACE:	it is in the filter of the ftrace_ops for probes without a post_handler
 * @PLACE_FTRACE_POST:	it is in the filter of the ftrace_ops for probes with a post_handler
 * @PLACE_FTRACE_ARGS:	it is in the filter of the ftrace_ops for probes that read only arguments
 * @PLACE_FTRACE_MOVING: it is changing from PLACE_FTRACE_ARGS to PLACE_FTRACE
 * @PLACE_GONE:		it was freed, or is about to be
 *
 * kprobe_place_set_state() changes the state.
 */
enum kprobe_place_state {
	PLACE_DISARMED,
	PLACE_BREAKPOINT,
	PLACE_QUEUED,
	PLACE_JUMP,
	PLACE_UNOPTIMIZING,
	PLACE_FTRACE,
	PLACE_FTRACE_POST,
	PLACE_FTRACE_ARGS,
	PLACE_FTRACE_MOVING,
	PLACE_GONE,
};

/**
 * struct kprobe_place - a probed place
 * @hlist:	entry in the hash table
 * @only:	the probe here if it is the only one and enabled, or NULL; hits read it
 * @link:	entry in the list of places that a set changes, or that debugfs.c arms; when the
 *		place has left the table, entry in the list of places that will be freed
 * @state:	the text at the place
 * @touched:	the place is in the list of the set
 * @enabling:	a probe here was enabled in the set
 * @kp:		the address, the instruction and the list of the probes, for the architecture;
 *		it is enabled while one of the probes is, and gone while the text is
 * @op:		@kp with the jump; not allocated for an ftrace call site of core kernel text
 *
 * kprobe_mutex protects changes.
 */
struct kprobe_place {
	struct hlist_node	hlist;
	struct kprobe		*only;
	struct llist_node	link;
	enum kprobe_place_state	state : 8;
	bool			touched;
	bool			enabling;
	union {
		struct kprobe		kp;
#ifdef CONFIG_OPTPROBES
		struct optimized_kprobe	op;
#endif
	};
};

/* hit.c */
int kprobe_place_pre_handler(struct kprobe *p, struct pt_regs *regs);

/* direct.c */
int kprobe_no_direct_handler(struct kprobe *p, struct pt_regs *regs);

DECLARE_STATIC_CALL(kprobe_direct_hit, kprobe_no_direct_handler);

void kprobe_set_direct_handlers(kprobe_pre_handler_t hit, kretprobe_handler_t entry,
				kretprobe_handler_t ret);

#ifdef CONFIG_KRETPROBES
/* return.c */
int kretprobe_pre_handler(struct kprobe *p, struct pt_regs *regs);
#endif

/**
 * kprobe_call_only() - call the pre_handler of a probe that is alone at its place
 * @p:		the probe
 * @regs:	the registers
 *
 * An indirect call is slow with retpolines, so the usual handlers are called directly.
 *
 * Context: Any, NMI included; preemption disabled.
 * Return: the result of the handler.
 */
static __always_inline int kprobe_call_only(struct kprobe *p, struct pt_regs *regs)
{
	u32 flags = READ_ONCE(p->flags);

	if (likely(flags & KPROBE_FLAG_DIRECT))
		return static_call(kprobe_direct_hit)(p, regs);
#ifdef CONFIG_KRETPROBES
	if (flags & KPROBE_FLAG_RETURN)
		return kretprobe_pre_handler(p, regs);
#endif
	return p->pre_handler ? p->pre_handler(p, regs) : 0;
}

/**
 * kprobe_call_pre_handler() - call the pre_handlers of the probes at a place
 * @p:		the struct kprobe of the place
 * @regs:	the registers
 *
 * The architecture calls this when it handles a hit.  @p->pre_handler has the same effect.
 *
 * Context: Any, NMI included; preemption disabled.
 * Return: non-zero if a handler has changed the instruction pointer.
 */
static __always_inline int kprobe_call_pre_handler(struct kprobe *p, struct pt_regs *regs)
{
	struct kprobe *only = READ_ONCE(container_of(p, struct kprobe_place, kp)->only);

	return likely(only) ? kprobe_call_only(only, regs) : kprobe_place_pre_handler(p, regs);
}

/* Bounds of the section of NOKPROBE_SYMBOL(). */
extern unsigned long __start_kprobe_blacklist[], __stop_kprobe_blacklist[];

struct kretprobe_blackpoint {
	const char *name;
	void *addr;
};

/* Functions that cannot have a return probe; the last entry has no name. */
extern struct kretprobe_blackpoint kretprobe_blacklist[];

/**
 * enum kprobe_refusal - the result of checking a place
 * @KPROBE_ACCEPTED:	it can be probed
 * @REFUSED_NO_SYMBOL:	there is no symbol for the address, or no address for the symbol
 * @REFUSED_OFFSET:	the architecture refuses the offset
 * @REFUSED_NO_TEXT:	it is not kernel text
 * @REFUSED_UNLOADING:	its module is being unloaded
 * @REFUSED_INIT_TEXT:	it is init text of the kernel or of a module that has been initialized
 * @REFUSED_FTRACE:	ftrace replaces the instruction, and kprobes cannot use ftrace
 * @REFUSED_GATE_AREA:	it is in the gate area, which user space executes
 * @REFUSED_BLACKLISTED: it is in the kprobes blacklist
 * @REFUSED_STATIC_BRANCH: it is a static branch
 * @REFUSED_STATIC_CALL: it is a static call
 * @REFUSED_TRAMPOLINE:	it is the trampoline of a static call
 * @REFUSED_BUG:	it is the trap of a BUG() or WARN()
 * @REFUSED_PADDING:	it is in the padding before a function
 * @REFUSED_ALTERNATIVE: alternatives may replace the instruction
 * @REFUSED_NO_HANDLER:	it may run without a breakpoint handler
 * @REFUSED_RELOCATED:	the instruction is relocated again when a module is livepatched
 * @REFUSED_NO_INSN:	no instruction begins there
 * @REFUSED_ENDBR:	it is an ENDBR instruction
 * @REFUSED_TYPE_CHECK:	the handler of a failed type check decodes the instruction
 * @REFUSED_IN_PLACE:	the instruction can neither be copied nor emulated
 * @REFUSED_NO_STEP:	the instruction cannot be single-stepped, as a post_handler requires
 * @REFUSED_STI:	it is STI or follows STI, and a probe would allow an interrupt between
 *			the two instructions
 */
enum kprobe_refusal {
	KPROBE_ACCEPTED,
	REFUSED_NO_SYMBOL,
	REFUSED_OFFSET,
	REFUSED_NO_TEXT,
	REFUSED_UNLOADING,
	REFUSED_INIT_TEXT,
	REFUSED_FTRACE,
	REFUSED_GATE_AREA,
	REFUSED_BLACKLISTED,
	REFUSED_STATIC_BRANCH,
	REFUSED_STATIC_CALL,
	REFUSED_TRAMPOLINE,
	REFUSED_BUG,
	REFUSED_PADDING,
	REFUSED_ALTERNATIVE,
	REFUSED_NO_HANDLER,
	REFUSED_RELOCATED,
	REFUSED_NO_INSN,
	REFUSED_ENDBR,
	REFUSED_TYPE_CHECK,
	REFUSED_IN_PLACE,
	REFUSED_NO_STEP,
	REFUSED_STI,
};

/* refusal.c */
int kprobe_refusal_errno(enum kprobe_refusal why);

/* The architecture provides these functions.  Those with a default are marked (weak). */
int arch_init_kprobes(void);
int arch_populate_kprobe_blacklist(void);			/* weak */
bool arch_within_kprobe_blacklist(unsigned long addr);		/* weak */
kprobe_opcode_t *arch_adjust_kprobe_addr(unsigned long addr, unsigned long offset,
					 bool *on_func_entry);	/* weak */
int arch_prepare_kprobe(struct kprobe *p);
void arch_arm_kprobe(struct kprobe *p);
void arch_disarm_kprobe(struct kprobe *p);
void arch_arm_kprobes(struct llist_head *kps);
void arch_disarm_kprobes(struct llist_head *kps);
enum kprobe_refusal arch_kprobe_refusal(const struct kprobe *p);	/* weak */
int arch_kprobe_boundary(kprobe_opcode_t *addr, char *buf, size_t size);	/* weak */
int arch_kprobe_get_kallsym(unsigned int *symnum, unsigned long *value, char *type,
			    char *sym);				/* weak */
int kprobe_exceptions_notify(struct notifier_block *self, unsigned long val,
			     void *data);			/* weak */

#ifdef CONFIG_OPTPROBES
int arch_prepared_optinsn(struct arch_optimized_insn *optinsn);
int arch_prepare_optimized_kprobe(struct optimized_kprobe *op, struct kprobe *orig);
void arch_remove_optimized_kprobe(struct optimized_kprobe *op);
int arch_check_optimized_kprobe(struct optimized_kprobe *op);
int arch_within_optimized_kprobe(struct optimized_kprobe *op, kprobe_opcode_t *addr);
void arch_optimize_kprobes(struct list_head *oplist);
void arch_unoptimize_kprobes(struct list_head *oplist, struct list_head *done_list);
/* Used by arch_unoptimize_kprobes() of some architectures. */
void arch_unoptimize_kprobe(struct optimized_kprobe *op);
#endif

#ifdef CONFIG_KPROBES_ON_FTRACE
/* ftrace was shut down after an internal error, and kprobe_ftrace_handler() does nothing. */
extern bool kprobe_ftrace_disabled __read_mostly;

int arch_prepare_kprobe_ftrace(struct kprobe *p);
void kprobe_ftrace_handler(unsigned long ip, unsigned long parent_ip,
			   struct ftrace_ops *ops, struct ftrace_regs *fregs);
#ifdef __ARCH_HAS_KPROBE_FTRACE_ARGS
void kprobe_ftrace_args_handler(unsigned long ip, unsigned long parent_ip,
				struct ftrace_ops *ops, struct ftrace_regs *fregs);
#endif
/* busy.c */
void kprobe_ftrace_kill(void);
#endif

#else /* !CONFIG_KPROBES */

static inline int register_kprobe(struct kprobe *p)
{
	return -EOPNOTSUPP;
}

static inline int register_kprobes(struct kprobe **kps, int num)
{
	return -EOPNOTSUPP;
}

static inline void unregister_kprobe(struct kprobe *p) { }
static inline void unregister_kprobes(struct kprobe **kps, int num) { }

static inline int enable_kprobe(struct kprobe *kp)
{
	return -EOPNOTSUPP;
}

static inline int disable_kprobe(struct kprobe *kp)
{
	return -EOPNOTSUPP;
}

static inline void kprobes_begin_set(void) { }

static inline int kprobes_end_set(int err)
{
	return err;
}

static inline struct kprobe *get_kprobe(void *addr)
{
	return NULL;
}

static inline struct kprobe *kprobe_running(void)
{
	return NULL;
}

static inline void kprobe_busy_begin(void) { }
static inline void kprobe_busy_end(void) { }

/* Nothing can be probed. */
static inline bool within_kprobe_blacklist(unsigned long addr)
{
	return true;
}

static inline int kprobe_fault_handler(struct pt_regs *regs, int trapnr)
{
	return 0;
}

static inline int kprobe_get_kallsym(unsigned int symnum, unsigned long *value,
				     char *type, char *sym)
{
	return -ERANGE;
}

static inline void kprobe_free_init_mem(void) { }

#endif /* CONFIG_KPROBES */

#if !defined(CONFIG_KPROBES) || !defined(__ARCH_WANT_KPROBES_INSN_SLOT)
static inline bool is_kprobe_insn_slot(unsigned long addr)
{
	return false;
}
#endif

#ifndef CONFIG_OPTPROBES
static inline bool is_kprobe_optinsn_slot(unsigned long addr)
{
	return false;
}

static inline void wait_for_kprobe_optimizer(void) { }
#endif

#ifndef CONFIG_KPROBES_ON_FTRACE
static inline int arch_prepare_kprobe_ftrace(struct kprobe *p)
{
	return -EINVAL;
}

static inline void kprobe_ftrace_kill(void) { }
#endif

static inline int enable_kretprobe(struct kretprobe *rp)
{
	return enable_kprobe(&rp->kp);
}

static inline int disable_kretprobe(struct kretprobe *rp)
{
	return disable_kprobe(&rp->kp);
}

/* Return probes */

#if defined(CONFIG_KRETPROBES) && !defined(CONFIG_KRETPROBE_ON_RETHOOK)
void kprobe_flush_task(struct task_struct *tk);
void arch_prepare_kretprobe(struct kretprobe_instance *ri, struct pt_regs *regs);
void arch_kretprobe_fixup_return(struct pt_regs *regs,
				 kprobe_opcode_t *correct_ret_addr);	/* weak */
unsigned long __kretprobe_trampoline_handler(struct pt_regs *regs, void *frame_pointer);
unsigned long kretprobe_find_ret_addr(struct task_struct *tsk, void *fp,
				      struct llist_node **cur);
/* Assembly code of the architecture, to which functions with a return probe return. */
void __kretprobe_trampoline(void);

/* On some architectures, a function pointer is the address of a descriptor. */
static nokprobe_inline void *kretprobe_trampoline_addr(void)
{
	return dereference_kernel_function_descriptor(__kretprobe_trampoline);
}

static nokprobe_inline bool is_kretprobe_trampoline(unsigned long addr)
{
	return addr == (unsigned long)kretprobe_trampoline_addr();
}

/*
 * Called by a trampoline that is not itself probed.  Hits while the handlers run count as
 * missed.
 */
static nokprobe_inline unsigned long
kretprobe_trampoline_handler(struct pt_regs *regs, void *frame_pointer)
{
	unsigned long ret_addr;

	kprobe_busy_begin();
	ret_addr = __kretprobe_trampoline_handler(regs, frame_pointer);
	kprobe_busy_end();
	return ret_addr;
}

static nokprobe_inline unsigned long get_kretprobe_retaddr(struct kretprobe_instance *ri)
{
	return (unsigned long)ri->ret_addr;
}

/* The return probe of a call, or NULL if it was unregistered. */
static nokprobe_inline struct kretprobe *get_kretprobe(struct kretprobe_instance *ri)
{
	return rcu_dereference_check(ri->rph->rp, rcu_read_lock_any_held());
}
#else
static inline void kprobe_flush_task(struct task_struct *tk) { }
#endif

#ifdef CONFIG_KRETPROBE_ON_RETHOOK
static nokprobe_inline unsigned long get_kretprobe_retaddr(struct kretprobe_instance *ri)
{
	return ri->node.ret_addr;
}

/* The return probe of a call, even if it is being unregistered; never NULL. */
static nokprobe_inline struct kretprobe *get_kretprobe(struct kretprobe_instance *ri)
{
	return (struct kretprobe *)ri->node.rethook->data;
}

static nokprobe_inline bool is_kretprobe_trampoline(unsigned long addr)
{
	return is_rethook_trampoline(addr);
}

static nokprobe_inline unsigned long
kretprobe_find_ret_addr(struct task_struct *tsk, void *fp, struct llist_node **cur)
{
	return rethook_find_ret_addr(tsk, (unsigned long)fp, cur);
}
#endif

#ifdef CONFIG_KRETPROBES
/* kretprobe.c */
int register_kretprobe(struct kretprobe *rp);
int register_kretprobes(struct kretprobe **rps, int num);
void unregister_kretprobe(struct kretprobe *rp);
void unregister_kretprobes(struct kretprobe **rps, int num);

/* Is this a probe that the architecture itself uses for its trampoline? */
int arch_trampoline_kprobe(struct kprobe *p);
#else
static inline int register_kretprobe(struct kretprobe *rp)
{
	return -EOPNOTSUPP;
}

static inline int register_kretprobes(struct kretprobe **rps, int num)
{
	return -EOPNOTSUPP;
}

static inline void unregister_kretprobe(struct kretprobe *rp) { }
static inline void unregister_kretprobes(struct kretprobe **rps, int num) { }

static inline int arch_trampoline_kprobe(struct kprobe *p)
{
	return 0;
}

static nokprobe_inline bool is_kretprobe_trampoline(unsigned long addr)
{
	return false;
}

static nokprobe_inline unsigned long
kretprobe_find_ret_addr(struct task_struct *tsk, void *fp, struct llist_node **cur)
{
	return 0;
}
#endif

/*
 * Called by the page fault handler.  If a single-stepped copy caused the fault, the
 * architecture makes @regs point to the probed instruction.  Return: true if the fault is
 * handled completely.
 */
static nokprobe_inline bool kprobe_page_fault(struct pt_regs *regs, unsigned int trap)
{
	if (!IS_ENABLED(CONFIG_KPROBES) || user_mode(regs))
		return false;
	/* A copy is single-stepped with preemption disabled; kprobe_running() requires this. */
	if (preemptible() || !kprobe_running())
		return false;
	return kprobe_fault_handler(regs, trap);
}

#endif /* _LINUX_KPROBES_H */
