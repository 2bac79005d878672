/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Description of the machine for the code generator, and helpers for fetch
 * programs.  The host tests have their own version of both.
 */
#ifndef _PROBE_HELPERS_H
#define _PROBE_HELPERS_H

#include <linux/types.h>

/* Maximum number of function arguments in registers, over all architectures. */
#define PROBE_ARCH_MAX_ARGS	8

/**
 * struct probe_arch - facts about the machine
 * @word: bytes of a register, of a pointer and of a stack entry
 * @unaligned: loads and stores need no alignment
 * @big_endian: the byte at the lowest address is the most significant one
 * @direct: registers are words in struct pt_regs, PROBE_SRC_REG has the offset of the
 *	word, and programs use the members @nr_args to @retval; otherwise programs call
 *	PROBE_HELP_SOURCE for every register, stack entry and argument
 * @word_end: stores of 4 and 8 bytes at this offset or a larger one may go to a wrong
 *	address; 0 if all offsets work
 * @nr_args: number of function arguments in registers
 * @first_stack_arg: index of the stack entry that has the first stack argument at function entry
 * @stack_shift: kernel stacks are aligned blocks of 1 << @stack_shift bytes; an entry
 *	outside of the stack pointer's block counts as a fault
 * @args: offsets in struct pt_regs of the arguments in registers
 * @sp: offset of the stack pointer
 * @retval: offset of the return value
 * @probe_mem: programs can load with BPF_PROBE_MEM; otherwise they call
 *	PROBE_HELP_LOAD for every load from memory
 * @guard: before a load, programs check the address.  If it is in the lower half, where
 *	user space is, they call PROBE_HELP_LOAD instead
 * @guard_exact: the check of @guard is required for safety and must include the
 *	displacement; if false, the check only avoids an exception
 * @tag_bits: number of upper address bits that the processor ignores; used with
 *	@guard_exact
 * @percpu: programs can compute the address of this CPU's copy of a per-CPU variable;
 *	otherwise they call PROBE_HELP_THIS_CPU
 * @current_task: with @percpu: the per-CPU variable that has the address of the running task,
 *	as a per-CPU address; 0: programs call PROBE_HELP_SOURCE
 * @in_user: the probe is in user space.  All memory that it reads is user memory, programs can
 *	sleep, and they read all registers except PROBE_SRC_REG by a helper
 */
struct probe_arch {
	u8	word;
	bool	unaligned;
	bool	big_endian;
	bool	direct;
	u16	word_end;
	u8	nr_args;
	u8	first_stack_arg;
	u8	stack_shift;
	u16	args[PROBE_ARCH_MAX_ARGS];
	u16	sp;
	u16	retval;
	bool	probe_mem;
	bool	guard;
	bool	guard_exact;
	u8	tag_bits;
	bool	percpu;
	unsigned long	current_task;
	bool	in_user;
};

void probe_arch_get(struct probe_arch *arch);

/*
 * Helpers.  Their first parameter is the hit; the comments list the others.  "dst"
 * is the offset of a field in the record.  Helpers that read a number store it in
 * hit->val and return 0 or -EFAULT.  Helpers for arrays and strings always return
 * 0.  They mark a fault themselves, in the fault map or in the string's field.
 *
 * Programs of probes in user space call PROBE_HELP_USER_* instead of the helpers of the same
 * names.
 */
enum probe_helper {
	PROBE_HELP_SOURCE,	/* enum probe_src, its value */
	PROBE_HELP_LOAD,	/* address, probe_number_shape() */
	PROBE_HELP_ARRAY,	/* address, dst, probe_array_shape(), probe_bits_shape() */
	PROBE_HELP_WORDS,	/* address, dst, probe_array_shape(), bytes of the array */
	PROBE_HELP_STRING,	/* address, dst, true if in user space */
	PROBE_HELP_STRINGS,	/* address, dst, probe_strings_shape() */
	PROBE_HELP_SYMSTR,	/* address, dst */
	PROBE_HELP_COMM,	/* dst, offset of room for the name or 0 */
	PROBE_HELP_DATA,	/* text, dst, length with the NUL */
	PROBE_HELP_FAULT_STRINGS,	/* dst, number of strings that faulted */
	PROBE_HELP_BITS,	/* address, probe_number_shape(), probe_bits_shape() */
	PROBE_HELP_THIS_CPU,	/* per-CPU address; returns the address of this CPU's copy */
	PROBE_HELP_MATCH,	/* dst, pattern, true to drop the string; returns PROBE_MATCH_* */
	PROBE_HELP_MATCH_COMM,	/* pattern; returns PROBE_MATCH_* */
	PROBE_HELP_PATH,	/* address of a struct path, dst */
	PROBE_HELP_DENTRY,	/* address of a struct dentry, dst */
	PROBE_HELP_STACK,	/* dst, offset of room, probe_stack_shape() */
	PROBE_HELP_DIVIDE,	/* dividend, divisor, PROBE_DIVIDE_*; -EFAULT if the divisor is 0 */
	PROBE_HELP_USER_SOURCE,
	PROBE_HELP_USER_LOAD,
	PROBE_HELP_USER_ARRAY,
	PROBE_HELP_USER_STRING,
	PROBE_HELP_USER_STRINGS,
	PROBE_HELP_USER_BITS,
	PROBE_NR_HELPERS,
};

/* Flags of a division */
#define PROBE_DIVIDE_MODULO	1
#define PROBE_DIVIDE_SIGNED	2

/* Does a string match a pattern? */
#define PROBE_MATCH_NO		0
#define PROBE_MATCH_YES		1
#define PROBE_MATCH_FAULT	2	/* the string could not be read */

s32 probe_helper_imm(enum probe_helper nr);

/*
 * A shape describes the memory that a helper reads:
 *
 *	bits 7:0	bytes of a number or of an array's element
 *	bit 8		the memory is in user space
 *	bit 9		the strings that the pointers refer to are in user space
 *	bits 31:16	number of elements of an array, or of pointers to strings
 *	bits 63:32	number of an array's first bit in the fault map, counted from the
 *			start of the record
 */
static inline u64 probe_number_shape(u8 size, bool user)
{
	return size | (u64)user << 8;
}

static inline u64 probe_array_shape(u8 size, u16 count, bool user, u32 fault_bit)
{
	return probe_number_shape(size, user) | (u64)count << 16 | (u64)fault_bit << 32;
}

static inline u64 probe_strings_shape(u16 count, bool user, bool str_user)
{
	return (u64)user << 8 | (u64)str_user << 9 | (u64)count << 16;
}

static inline u8 probe_shape_size(u64 shape)
{
	return shape;
}

static inline bool probe_shape_user(u64 shape)
{
	return shape >> 8 & 1;
}

static inline bool probe_shape_str_user(u64 shape)
{
	return shape >> 9 & 1;
}

static inline u16 probe_shape_count(u64 shape)
{
	return shape >> 16;
}

static inline u32 probe_shape_fault_bit(u64 shape)
{
	return shape >> 32;
}

/* A stack trace: bit 9 shows that it begins above the functions that handle the hit. */
static inline u64 probe_stack_shape(u16 entries, bool user, bool above_hit)
{
	return (u64)user << 8 | (u64)above_hit << 9 | (u64)entries << 16;
}

static inline bool probe_shape_above_hit(u64 shape)
{
	return shape >> 9 & 1;
}

/* A bitfield; 0 if the number is not a bitfield. */
static inline u64 probe_bits_shape(u8 width, u8 shift, bool is_signed)
{
	return width | (u64)shift << 8 | (u64)is_signed << 16;
}

static inline u8 probe_bits_width(u64 bits)
{
	return bits;
}

static inline u8 probe_bits_shift(u64 bits)
{
	return bits >> 8;
}

static inline bool probe_bits_signed(u64 bits)
{
	return bits >> 16 & 1;
}

/* Extract a bitfield from an integer, for helpers; most programs do this inline. */
static inline u64 probe_extract_bits(u64 v, u64 bits)
{
	u8 width = probe_bits_width(bits);

	v <<= 64 - probe_bits_shift(bits) - width;
	return probe_bits_signed(bits) ? (u64)((s64)v >> (64 - width)) : v >> (64 - width);
}

#endif /* _PROBE_HELPERS_H */
