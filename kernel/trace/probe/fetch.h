/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A resolved argument: the source of its value, the dereferences, and the store.
 * resolve.c creates it, layout.c sets its offset in the record, and codegen.c
 * turns it into a program.
 *
 * An argument is evaluated in three stages:
 *
 *   source  a value v: register, stack entry, constant, result of a formula, ...
 *   steps   v = *(unsigned long *)(v + off), or v = this_cpu_ptr(v), zero or more times
 *   store   record the value, memory at v + off, a string at v + off, ...
 *
 * If the source, a step or the store cannot read memory, the evaluation ends there:
 * the field in the record is zero and marked in the record's fault map (numbers), or
 * has length zero (strings).
 */
#ifndef _PROBE_FETCH_H
#define _PROBE_FETCH_H

#include <linux/types.h>

struct probe_formula;

enum probe_src {
	PROBE_SRC_IMM,		/* @value */
	PROBE_SRC_REG,		/* register; @value: offset from regs_query_register_offset() */
	PROBE_SRC_SP,		/* kernel stack pointer */
	PROBE_SRC_STACK,	/* @value: index of the stack entry */
	PROBE_SRC_ARG,		/* function argument; @value: index from 0 */
	PROBE_SRC_RETVAL,	/* return value */
	PROBE_SRC_CURRENT,	/* address of the running task's struct task_struct */
	PROBE_SRC_ENTRY,	/* @value: byte offset in the data saved at entry */
	PROBE_SRC_PLACE,	/* address of the probe in user space, plus @value */
	PROBE_SRC_CPU,		/* number of this CPU; only in predicates */
	PROBE_SRC_PID,		/* thread ID of the current task; only in predicates */
	PROBE_SRC_FIELD,	/* field of another event's record; @value: its offset in the
				 * record, @part: its bytes, @part_signed
				 */
	PROBE_SRC_FIELD_ADDR,	/* address of such a field; @value: its offset */
	PROBE_SRC_FIELD_DATA,	/* address of the data at a __data_loc; @value: its offset */
	PROBE_SRC_FIELD_REL,	/* address of the data at a __rel_loc; @value: its offset */
	PROBE_SRC_TIME,		/* time in ns */
	PROBE_SRC_LATENCY,	/* ns since a time; @value: offset of the time, a u64, in the data
				 * saved at entry
				 */
	PROBE_SRC_FORMULA,	/* result of @formula; NULL: what a formula has computed so far */
	PROBE_SRC_NONE,		/* none: COMM, DATA and STACK need no value */
};

enum probe_store {
	PROBE_STORE_VALUE,	/* the low @size bytes of v */
	PROBE_STORE_MEM,	/* @size bytes at v + @off; @count > 0: @count elements */
	PROBE_STORE_STACK,	/* stack trace of up to @value entries; @user: of user space */
	PROBE_STORE_STRING,	/* string at v + @off; @count > 0: @count pointers to strings */
	PROBE_STORE_SYMSTR,	/* v as "symbol+offset/size" */
	PROBE_STORE_PATH,	/* path of the struct path at v + @off */
	PROBE_STORE_DENTRY,	/* path of the struct dentry at v + @off in its file system */
	PROBE_STORE_COMM,	/* name of the current task */
	PROBE_STORE_DATA,	/* @data, @data_len bytes with the NUL */
};

/**
 * struct probe_step - one dereference, or the address of this CPU's copy of a variable
 * @off: displacement added to the pointer
 * @user: the pointer is a user-space address
 * @this_cpu: the address of this CPU's copy, without a dereference
 */
struct probe_step {
	long	off;
	bool	user;
	bool	this_cpu;
};

/* Bytes of the largest bitfield: 64 bits that begin inside a byte. */
#define PROBE_MAX_BITS_LOAD	9

/**
 * struct probe_bits - a bitfield inside the stored integer
 * @width: number of bits; 0 when the argument is not a bitfield
 * @shift: lowest bit, counted from the low end of the integer
 * @load: size in bytes of the integer that contains it; may exceed the size of the type,
 *	except in an array.  If it is not a power of two, @shift is less than 8
 * @is_signed: the value is sign-extended
 */
struct probe_bits {
	u8	width;
	u8	shift;
	u8	load;
	bool	is_signed;
};

/**
 * struct probe_symbol - a symbol from which an argument reads
 * @name: its name
 * @offs: bytes from the symbol
 * @pos: column of the symbol in the command
 */
struct probe_symbol {
	const char	*name;
	long		offs;
	unsigned int	pos;
};

/**
 * struct probe_fetch - how to fetch one argument
 * @src: source of the first value
 * @store: kind of store
 * @user: the memory or the pointers read by @store are in user space
 * @str_user: the string itself is in user space
 * @above_hit: the stack trace begins above the functions that handle the hit
 * @part: bytes to load from a register or field at @value; 0 for the whole register; for a
 *	saved value, only the bytes of the default type
 * @part_signed: sign-extend these bytes; otherwise zero-extend them
 * @size: bytes of one recorded element (4 for strings: their __data_loc)
 * @nr_steps: entries of @steps in use
 * @count: array elements; 0 when it is not an array
 * @dst: offset in the record, set by probe_layout_set()
 * @fault: number of the argument's first bit in the fault map (numbers only), set by
 *	probe_layout_set()
 * @text: offset of the room for its text or stack trace in the record, or 0 if the text is
 *	dynamic data; set by probe_layout_set()
 * @data_len: bytes of @data
 * @bits: bitfield
 * @value: see enum probe_src
 * @data: immediate string; there is no @value then
 * @formula: arithmetic on values; there is no @value then
 * @off: see enum probe_store
 * @steps: the dereferences and per-CPU addresses
 */
struct probe_fetch {
	enum probe_src		src : 8;
	enum probe_store	store : 8;
	bool			user;
	bool			str_user;
	bool			above_hit;
	u8			part;
	bool			part_signed;
	u8			size;
	u8			nr_steps;
	u16			count;
	u16			dst;
	u16			fault;
	u16			text;
	u16			data_len;
	struct probe_bits	bits;
	union {
		unsigned long	value;
		const char	*data;
		const struct probe_formula *formula;
	};
	long			off;
	struct probe_step	*steps;
};

/* Is the value of the source an address in another event's record? */
static inline bool probe_fetch_is_field_address(const struct probe_fetch *f)
{
	return f->src == PROBE_SRC_FIELD_ADDR || f->src == PROBE_SRC_FIELD_DATA ||
	       f->src == PROBE_SRC_FIELD_REL;
}

/*
 * Bytes of the room for a stack trace in a record: the number of entries, and the entries.
 * Histograms expect them in this form.
 */
static inline unsigned int probe_stack_size(const struct probe_fetch *f, unsigned int word)
{
	return (f->value + 1) * word;
}

/* Is it a number, or an array of numbers? */
static inline bool probe_fetch_is_number(const struct probe_fetch *f)
{
	return f->store == PROBE_STORE_VALUE || f->store == PROBE_STORE_MEM;
}

static inline bool probe_fetch_is_string(const struct probe_fetch *f)
{
	return f->store >= PROBE_STORE_STRING;
}

#endif /* _PROBE_FETCH_H */
