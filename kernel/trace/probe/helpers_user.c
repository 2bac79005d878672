// SPDX-License-Identifier: GPL-2.0
/*
 * Helpers for fetch programs of probes in user space: they read memory of the current task,
 * and load pages that are not present.
 *
 * They are the counterparts of helpers in helpers.c, which must not sleep.  A hit is handled
 * when the task is about to return to user mode, so they run in process context with
 * preemption enabled, and every access that may fault has a fix-up.
 */
#include <linux/minmax.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "fetch.h"
#include "helpers.h"
#include "helpers_user.h"
#include "store.h"

static int read_user(void *dst, unsigned long addr, size_t size)
{
	return copy_from_user(dst, (const void __user *)addr, size) ? -EFAULT : 0;
}

static int stack_entry(struct pt_regs *regs, unsigned long nr, u64 *val)
{
	unsigned long off = nr * sizeof(long), v;
	unsigned long sp = user_stack_pointer(regs);

	if (read_user(&v, IS_ENABLED(CONFIG_STACK_GROWSUP) ? sp - off : sp + off, sizeof(v)))
		return -EFAULT;
	*val = v;
	return 0;
}

/**
 * probe_help_user_source() - PROBE_HELP_USER_SOURCE
 * @ctx: the hit
 * @arg1: the source, enum probe_src
 * @arg2: its value
 * @arg3: not used
 * @arg4: not used
 *
 * Context: process context; may sleep.
 * Return: 0 or -EFAULT.
 */
u64 probe_help_user_source(u64 ctx, u64 arg1, u64 arg2, u64 arg3, u64 arg4)
{
	struct probe_hit *hit = probe_hit_of(ctx);
	struct pt_regs *regs = hit->regs;

	switch ((enum probe_src)arg1) {
	case PROBE_SRC_REG:
		hit->val = regs_get_register(regs, arg2);
		return 0;
	case PROBE_SRC_SP:
		hit->val = user_stack_pointer(regs);
		return 0;
	case PROBE_SRC_STACK:
		return stack_entry(regs, arg2, &hit->val);
	case PROBE_SRC_CPU:
		hit->val = raw_smp_processor_id();
		return 0;
	case PROBE_SRC_PID:
		hit->val = current->pid;
		return 0;
	case PROBE_SRC_LATENCY:
		hit->val = probe_time_since(hit->entry + arg2);
		return 0;
	case PROBE_SRC_RETVAL:
		/* On some architectures, regs_return_value() returns a long. */
		hit->val = (unsigned long)regs_return_value(regs);
		return 0;
	default:
		return -EFAULT;
	}
}

/**
 * probe_help_user_load() - PROBE_HELP_USER_LOAD
 * @ctx: the hit
 * @arg1: the address
 * @arg2: the number, from probe_number_shape()
 * @arg3: not used
 * @arg4: not used
 *
 * Context: process context; may sleep.
 * Return: 0 or -EFAULT.
 */
u64 probe_help_user_load(u64 ctx, u64 arg1, u64 arg2, u64 arg3, u64 arg4)
{
	unsigned int size = probe_shape_size(arg2);
	u64 word;

	if (read_user(&word, arg1, size))
		return -EFAULT;
	probe_hit_of(ctx)->val = probe_get_number(&word, size);
	return 0;
}

/**
 * probe_help_user_bits() - PROBE_HELP_USER_BITS
 * @ctx: the hit
 * @arg1: the address
 * @arg2: the number that contains the bitfield, from probe_number_shape()
 * @arg3: the bitfield, from probe_bits_shape()
 * @arg4: not used
 *
 * Context: process context; may sleep.
 * Return: 0 or -EFAULT.
 */
u64 probe_help_user_bits(u64 ctx, u64 arg1, u64 arg2, u64 arg3, u64 arg4)
{
	unsigned int size = probe_shape_size(arg2);
	u8 bytes[PROBE_MAX_BITS_LOAD];

	if (read_user(bytes, arg1, size))
		return -EFAULT;
	probe_hit_of(ctx)->val = probe_bits_in(bytes, size, arg3);
	return 0;
}

/**
 * probe_help_user_array() - PROBE_HELP_USER_ARRAY
 * @ctx: the hit
 * @arg1: the address
 * @arg2: offset in the record
 * @arg3: the array, from probe_array_shape()
 * @arg4: the bitfield in each element, from probe_bits_shape(), or 0
 *
 * Context: process context; may sleep.
 * Return: 0.
 */
u64 probe_help_user_array(u64 ctx, u64 arg1, u64 arg2, u64 arg3, u64 arg4)
{
	unsigned int size = probe_shape_size(arg3), count = probe_shape_count(arg3), i;
	struct probe_hit *hit = probe_hit_of(ctx);
	u8 *field = hit->rec + arg2;
	unsigned long addr = arg1;

	if (read_user(field, addr, size * count)) {
		for (i = 0; i < count; i++) {
			if (!read_user(field + i * size, addr + i * size, size))
				continue;
			memset(field + i * size, 0, size);
			probe_mark_fault(hit, probe_shape_fault_bit(arg3) + i);
		}
	}
	if (arg4)
		probe_store_bits(field, size, count, arg4);
	return 0;
}

/* Length with the NUL, as far as it is known; not positive if the string cannot be read. */
static long copy_text(char *dst, unsigned long addr, size_t room)
{
	long len = strncpy_from_user(dst, (const char __user *)addr, room);

	/* The length does not include the NUL. */
	return len < 0 || len == room ? len : len + 1;
}

static void record_text(struct probe_hit *hit, unsigned long addr, u32 dst)
{
	size_t room = probe_text_room(hit);
	long len = 1;
	char c;

	/* Without room, only check for a fault: a lack of room is no fault. */
	if (!probe_text_is_full(hit))
		len = copy_text(probe_text_start(hit), addr, room + 1);
	else if (read_user(&c, addr, sizeof(c)))
		len = -EFAULT;
	probe_put_text(hit, dst, len, room);
}

/**
 * probe_help_user_string() - PROBE_HELP_USER_STRING
 * @ctx: the hit
 * @arg1: the address
 * @arg2: offset in the record
 * @arg3: not used: the string is in user space
 * @arg4: not used
 *
 * Context: process context; may sleep.
 * Return: 0.
 */
u64 probe_help_user_string(u64 ctx, u64 arg1, u64 arg2, u64 arg3, u64 arg4)
{
	record_text(probe_hit_of(ctx), arg1, arg2);
	return 0;
}

/**
 * probe_help_user_strings() - PROBE_HELP_USER_STRINGS
 * @ctx: the hit
 * @arg1: address of the pointers
 * @arg2: offset in the record
 * @arg3: the pointers, from probe_strings_shape()
 * @arg4: not used
 *
 * Context: process context; may sleep.
 * Return: 0.
 */
u64 probe_help_user_strings(u64 ctx, u64 arg1, u64 arg2, u64 arg3, u64 arg4)
{
	struct probe_hit *hit = probe_hit_of(ctx);
	unsigned int count = probe_shape_count(arg3), i;
	unsigned long addr = arg1, p;
	u32 dst = arg2;

	for (i = 0; i < count; i++, addr += sizeof(p), dst += sizeof(u32)) {
		if (read_user(&p, addr, sizeof(p)))
			probe_put_fault_text(hit, dst);
		else
			record_text(hit, p, dst);
	}
	return 0;
}
