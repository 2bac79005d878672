/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What is asked of kprobe_stress.ko through /dev/kprobe_stress.
 *
 * Each open file has one set of probes at a time, which goes with it.
 */
#ifndef _KPROBE_STRESS_H
#define _KPROBE_STRESS_H

#include <linux/ioctl.h>
#include <linux/types.h>

/* How to add probes. */
#define KS_DISABLED	0x01	/* do not arm them */
#define KS_POST		0x02	/* with a handler behind the instruction */
#define KS_RETURN	0x04	/* return probes; the addresses are functions */

#define KS_MAX_PROBES	65536

/**
 * struct ks_add - add a set of probes
 * @addrs:	address of an array of __u64, where to put them
 * @nr:		how many
 * @flags:	KS_DISABLED, ...
 *
 * That some are refused is no error; see struct ks_state.
 */
struct ks_add {
	__u64 addrs;
	__u32 nr;
	__u32 flags;
};

/* What became of a probe. */
#define KS_FTRACE	0x01	/* it uses ftrace's call */
#define KS_SHARED	0x02	/* it is one of a list: it has a detour, or company */

/**
 * struct ks_state - about one probe
 * @addr:	where it is, which may be behind where it was asked for
 * @hits:	calls of its handler
 * @after:	calls of the one behind the instruction, or of the return handler
 * @missed:	hits without a call, as the handler of another was running
 * @error:	what the kernel said when it was added: 0 or a negative number
 * @flags:	KS_FTRACE, ...
 */
struct ks_state {
	__u64 addr;
	__u64 hits;
	__u64 after;
	__u64 missed;
	__s32 error;
	__u32 flags;
};

/**
 * struct ks_states - get the state of all probes of the set
 * @states:	address of an array of struct ks_state
 * @nr:		how many it holds; no more than there are probes
 */
struct ks_states {
	__u64 states;
	__u32 nr;
	__u32 pad;
};

/**
 * struct ks_read - read the kernel's memory
 * @from:	address in the kernel
 * @to:		address here
 * @len:	how much
 */
struct ks_read {
	__u64 from;
	__u64 to;
	__u64 len;
};

/**
 * struct ks_compute - have something computed that is known; see compute.h
 * @seed:	of what
 * @times:	how often; each goes on with the result of the one before
 * @result:	set
 */
struct ks_compute {
	__u64 seed;
	__u64 times;
	__u64 result;
};

#define KS_ADD		_IOW('k', 0, struct ks_add)
#define KS_STATES	_IOW('k', 1, struct ks_states)
#define KS_REMOVE	_IO('k', 2)
#define KS_READ		_IOW('k', 3, struct ks_read)
/* Of one probe, which is named by its number in the set. */
#define KS_ENABLE	_IO('k', 4)
#define KS_DISABLE	_IO('k', 5)
#define KS_COMPUTE	_IOWR('k', 6, struct ks_compute)

#endif /* _KPROBE_STRESS_H */
