/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Watchpoint events: declarations shared by the files of this directory.
 *
 *   place.c		parser of the place in a command
 *   hit.c		hits, and the address that is watched now
 *   arm.c		breakpoints of the CPUs: arm, move and disarm them
 *   limits.c		explains why a watchpoint cannot be armed
 *   define.c		the provider: definition and listing
 *   trigger_text.c	parser of a trigger command
 *   trigger.c		triggers that set and clear a watchpoint
 *
 * A file uses only functions of files before it in this list.
 *
 * A watchpoint uses a hardware breakpoint on each CPU.  A trigger changes the address of the
 * watchpoint in one atomic step, in any context, and then each CPU moves its own breakpoint in
 * a hard interrupt.  A hit of a breakpoint that is not at the address of the watchpoint is not
 * recorded.  So clearing a watchpoint takes effect at once.  Setting it takes effect on each CPU
 * with its interrupt.
 *
 * Locking: event_mutex protects struct trace_wprobe, except for @addr and @last, which triggers
 * and hits change.  The mutex of arm.c, which nests inside event_mutex and cpus_read_lock(),
 * protects the breakpoints of CPUs.
 */
#ifndef _TRACE_WPROBE_WPROBE_H
#define _TRACE_WPROBE_WPROBE_H

#include <linux/atomic.h>
#include <linux/irq_work.h>
#include <linux/kallsyms.h>
#include <linux/limits.h>
#include <linux/list.h>
#include <linux/percpu.h>

#include "place.h"
#include "probe/probe.h"

struct perf_event;
struct perf_event_attr;
struct perf_sample_data;
struct pt_regs;

/* Values of trace_wprobe::addr that are not addresses */
#define TRACE_WPROBE_NOWHERE	0UL	/* armed, but a trigger must set the address */
#define TRACE_WPROBE_BUSY	(~0UL - 1)	/* a trigger is about to set the address */
#define TRACE_WPROBE_OFF	~0UL	/* not armed: triggers have no effect */

/* The count of a trigger that has no limit */
#define TRACE_WPROBE_UNLIMITED	LONG_MAX

/* Length of a place in a command, with the NUL: a symbol, and the other parts */
#define TRACE_WPROBE_TEXT	(KSYM_NAME_LEN + 40)

/**
 * struct trace_wprobe_cmd - a command of watchpoint events
 * @cmd: the engine's part; must be the first member
 * @place: the place
 */
struct trace_wprobe_cmd {
	struct probe_cmd		cmd;
	struct trace_wprobe_place	place;
};

/**
 * struct trace_wprobe_cpu - the breakpoint of a CPU
 * @bp: the breakpoint; NULL if the watchpoint is not armed on this CPU
 * @move: moves it to the address of the watchpoint
 * @wp: the watchpoint
 */
struct trace_wprobe_cpu {
	struct perf_event	*bp;
	struct irq_work		move;
	struct trace_wprobe	*wp;
};

/**
 * struct trace_wprobe - a watchpoint
 * @probe: its arguments and its event
 * @addr: the address that is watched now, or TRACE_WPROBE_NOWHERE, TRACE_WPROBE_BUSY or
 *	TRACE_WPROBE_OFF
 * @last: the value of the memory at the latest hit, or when @addr was set
 * @start: the address in the command, at which it is armed; TRACE_WPROBE_NOWHERE if the
 *	command has none
 * @len: number of bytes
 * @access: accesses that are reported
 * @place: text of the address or the symbol, for listing
 * @word: the place as it was written, for matching
 * @symbol: the symbol, or NULL
 * @moved: lets all CPUs move their breakpoints
 * @cpus: the breakpoints
 * @armed: in the list of armed watchpoints
 * @batch: in a list of watchpoints that are armed together
 */
struct trace_wprobe {
	struct probe			probe;
	unsigned long			addr;
	unsigned long			last;
	unsigned long			start;
	u8				len;
	u8				access;
	const char			*place;
	const char			*word;
	const char			*symbol;
	struct irq_work			moved;
	struct trace_wprobe_cpu __percpu *cpus;
	struct list_head		armed;
	struct list_head		batch;
};

/**
 * struct trace_wprobe_values - values of a hit that arguments can refer to
 * @addr: address that is watched
 * @value: value of the memory after the access
 * @old: value of the memory at the previous hit, or when the address was set
 */
struct trace_wprobe_values {
	unsigned long	addr;
	unsigned long	value;
	unsigned long	old;
};

extern struct probe_provider trace_wprobe_provider;

/* The engine allocates and copies both together. */
static_assert(offsetof(struct trace_wprobe_cmd, cmd) == 0);

static inline struct trace_wprobe_cmd *to_trace_wprobe_cmd(struct probe_cmd *cmd)
{
	return container_of(cmd, struct trace_wprobe_cmd, cmd);
}

static inline struct trace_wprobe *trace_wprobe_of(const struct probe *p)
{
	return container_of(p, struct trace_wprobe, probe);
}

/* hit.c */
void trace_wprobe_hit(struct perf_event *bp, struct perf_sample_data *data,
		      struct pt_regs *regs);
void trace_wprobe_start(struct trace_wprobe *wp);
void trace_wprobe_stop(struct trace_wprobe *wp);
bool trace_wprobe_can_watch(u8 len, unsigned long addr);
bool trace_wprobe_set(struct trace_wprobe *wp, unsigned long addr, atomic_long_t *left);
bool trace_wprobe_clear(struct trace_wprobe *wp, unsigned long addr, atomic_long_t *left);
bool trace_wprobe_clear_any(struct trace_wprobe *wp, atomic_long_t *left);

/* arm.c */
int trace_wprobe_check(u8 access, u8 len, unsigned long addr);
int trace_wprobe_alloc_cpus(struct trace_wprobe *wp);
void trace_wprobe_free_cpus(struct trace_wprobe *wp);
enum probe_state trace_wprobe_state(const struct probe *p);
void trace_wprobes_begin(void);
void trace_wprobe_arm(struct probe *p);
void trace_wprobe_disarm(struct probe *p);
int trace_wprobes_end(void);
void trace_wprobes_unregister(struct list_head *probes);
extern struct list_head trace_wprobes_armed;

/* limits.c */
void trace_wprobe_show_place(const struct probe *p, char *buf, size_t size);
void trace_wprobe_explain(const struct probe *p, int err);

#endif /* _TRACE_WPROBE_WPROBE_H */
