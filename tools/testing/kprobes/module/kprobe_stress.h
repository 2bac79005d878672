/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Requests to kprobe_stress.ko through /dev/kprobe_stress.
 *
 * Each open file has at most one set of probes.  Closing the file removes the set.
 */
#ifndef _KPROBE_STRESS_H
#define _KPROBE_STRESS_H

#include <linux/ioctl.h>
#include <linux/types.h>

/* How to add probes. */
#define KS_DISABLED	0x01	/* do not arm them */
#define KS_POST		0x02	/* with a post-handler */
#define KS_RETURN	0x04	/* return probes; the addresses are entries of functions */

#define KS_MAX_PROBES	65536

/**
 * struct ks_add - add a set of probes
 * @addrs:	address of an array of __u64: the addresses to probe
 * @nr:		number of addresses
 * @flags:	KS_DISABLED, ...
 *
 * KS_ADD succeeds even if some probes are refused; see struct ks_state.
 */
struct ks_add {
	__u64 addrs;
	__u32 nr;
	__u32 flags;
};

/* State of a probe. */
#define KS_FTRACE	0x01	/* it is at an ftrace call site */
#define KS_DETOUR	0x02	/* it is alone at its address, which can have a jump */

/**
 * struct ks_state - state of one probe
 * @addr:	its address, which may be after the requested one
 * @hits:	calls of its handler
 * @after:	calls of its post-handler or return handler
 * @missed:	hits that the kernel counted as missed (nmissed)
 * @error:	result of its registration: 0 or a negative errno
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
 * struct ks_states - get the states of the first @nr probes of the set
 * @states:	address of an array of struct ks_state
 * @nr:		length of the array; at most the number of probes
 * @pad:	unused
 */
struct ks_states {
	__u64 states;
	__u32 nr;
	__u32 pad;
};

/**
 * struct ks_read - read the kernel's memory
 * @from:	address in the kernel
 * @to:		address of the caller's buffer
 * @len:	number of bytes
 */
struct ks_read {
	__u64 from;
	__u64 to;
	__u64 len;
};

/**
 * struct ks_compute - call compute_all(); see compute.h
 * @seed:	argument of the first call
 * @times:	number of calls; each gets the result of the previous call
 * @result:	set to the result of the last call
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
/* For one probe; the argument is its index in the set. */
#define KS_ENABLE	_IO('k', 4)
#define KS_DISABLE	_IO('k', 5)
#define KS_COMPUTE	_IOWR('k', 6, struct ks_compute)

#endif /* _KPROBE_STRESS_H */
