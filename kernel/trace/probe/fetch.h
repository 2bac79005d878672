/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A resolved argument: the source of its value, the dereferences, and the store.
 * resolve.c creates it, layout.c sets its offset in the record, and codegen.c
 * turns it into a program.
 *
 * An argument is evaluated in three stages:
 *
 *   source  a value v: register, stack entry, constant, ...
 *   steps   v = *(unsigned long *)(v + off), zero or more times
 *   store   record the value, memory at v + off, a string at v + off, ...
 *
 * If the source, a step or the store cannot read memory, the evaluation ends there:
 * the field in the record is zero and marked in the record's fault map (numbers), or
 * has length zero (strings).
 */
#ifndef _PROBE_FETCH_H
#define _PROBE_FETCH_H

#include <linux/types.h>

#ifdef __KERNEL__
#include <linux/filter.h>
#endif

enum probe_src {
	PROBE_SRC_IMM,		/* @value */
	PROBE_SRC_REG,		/* register; @value: offset from regs_query_register_offset() */
	PROBE_SRC_SP,		/* kernel stack pointer */
	PROBE_SRC_STACK,	/* @value: index of the stack entry */
	PROBE_SRC_ARG,		/* function argument; @value: index from 0 */
	PROBE_SRC_RETVAL,	/* return value */
	PROBE_SRC_ENTRY,	/* @value: byte offset in the data saved at entry */
	PROBE_SRC_NONE,		/* none: COMM and DATA need no value */
};

enum probe_store {
	PROBE_STORE_VALUE,	/* the low @size bytes of v */
	PROBE_STORE_MEM,	/* @size bytes at v + @off; @count > 0: @count elements */
	PROBE_STORE_STRING,	/* string at v + @off; @count > 0: @count pointers to strings */
	PROBE_STORE_SYMSTR,	/* v as "symbol+offset/size" */
	PROBE_STORE_COMM,	/* name of the current task */
	PROBE_STORE_DATA,	/* @data, @data_len bytes with the NUL */
};

/**
 * struct probe_step - one dereference
 * @off: displacement added to the pointer
 * @user: the pointer is a user-space address
 */
struct probe_step {
	long	off;
	bool	user;
};

/**
 * struct probe_bits - a bitfield inside the stored integer
 * @width: number of bits; 0 when the argument is not a bitfield
 * @shift: lowest bit, counted from the low end of the integer
 * @load: size in bytes of the integer that contains it; may exceed the size of the type,
 *	except in an array
 * @is_signed: the value is sign-extended
 */
struct probe_bits {
	u8	width;
	u8	shift;
	u8	load;
	bool	is_signed;
};

/**
 * struct probe_fetch - how to fetch one argument
 * @src: source of the first value
 * @store: kind of store
 * @user: the memory or the pointers read by @store are in user space
 * @str_user: the string itself is in user space
 * @part: bytes to load from a register at @value, zero-extended; 0 for the whole register
 * @size: bytes of one recorded element (4 for strings: their __data_loc)
 * @nr_steps: entries of @steps in use
 * @count: array elements; 0 when it is not an array
 * @dst: offset in the record, set by probe_layout_set()
 * @fault: number of the argument's first bit in the fault map (numbers only), set by
 *	probe_layout_set()
 * @text: offset of the room for its text in the record, or 0 if the text is dynamic data;
 *	set by probe_layout_set()
 * @data_len: bytes of @data
 * @bits: bitfield
 * @value: see enum probe_src
 * @off: see enum probe_store
 * @data: immediate string
 * @steps: the dereferences
 */
struct probe_fetch {
	enum probe_src		src : 8;
	enum probe_store	store : 8;
	bool			user;
	bool			str_user;
	u8			part;
	u8			size;
	u8			nr_steps;
	u16			count;
	u16			dst;
	u16			fault;
	u16			text;
	u16			data_len;
	struct probe_bits	bits;
	unsigned long		value;
	long			off;
	const char		*data;
	struct probe_step	*steps;
};

static inline bool probe_fetch_is_string(const struct probe_fetch *f)
{
	return f->store >= PROBE_STORE_STRING;
}

/* Largest total size of a record's fixed fields, without header and fault map. */
#define PROBE_MAX_FIXED		3072

/* Room for the name of a task: TASK_COMM_LEN. */
#define PROBE_COMM_LEN		16

/* A record of this size fits into every buffer. */
#define PROBE_ANY_RECORD	4000

/*
 * Largest record.  It is smaller than perf's limit, so that the record, printed with all
 * its strings, fits into a line of the trace file.
 */
#define PROBE_MAX_RECORD	7680

/**
 * struct probe_layout - layout of a record
 * @head: bytes before the first argument
 * @fixed: end of the last fixed field, where the declared fields end and the
 *	fault map begins
 * @bits: length of the fault map in bits, 0 if no argument is a number; bit n is
 *	bit n % 8 of byte n / 8, and bit 0 is PROBE_MAP_MARK
 * @texts: end of the fault map, where the room for names of tasks begins; multiple of 4
 * @size: end of that room, where dynamic data begins; multiple of 4
 * @dynamic: at least one text is dynamic data
 */
struct probe_layout {
	u16	head;
	u16	fixed;
	u16	bits;
	u16	texts;
	u16	size;
	bool	dynamic;
};

/*
 * Bit 0 of the fault map, set in every record that has a map. A record from the
 * event's "inject" file has a NUL in place of the map, followed by the strings.
 */
#define PROBE_MAP_MARK		0

int probe_layout_set(struct probe_layout *l, unsigned int head,
		     struct probe_fetch *fetch, unsigned int nr);

/* Maximum number of words before the arguments: addresses that the provider records. */
#define PROBE_MAX_HEAD	2

/**
 * struct probe_hit - context of a fetch program, on the stack of the hit handler
 * @regs: registers at the probe
 * @rec: start of the record (its struct trace_entry) or of the data saved at entry
 * @entry: at function return, the data saved at entry; otherwise NULL
 * @dyn: offset in the record of the next free byte for dynamic data
 * @end: end of the room for dynamic data; initially, the room is at least
 *	PROBE_CUT_LEN bytes
 * @val: result of the helpers that read one number
 * @head: the header words of the event; programs do not use them
 */
struct probe_hit {
	struct pt_regs	*regs;
	void		*rec;
	void		*entry;
	u32		dyn;
	u32		end;
	u64		val;
	unsigned long	head[PROBE_MAX_HEAD];
};

struct bpf_insn;

/**
 * struct probe_code - eBPF instructions under construction
 * @insn: the instructions
 * @len: number of instructions
 * @cap: capacity of @insn
 * @nr_ex: number of BPF_PROBE_MEM loads among them
 * @calls: some of the instructions call helpers
 * @err: first error; nothing is appended after an error
 */
struct probe_code {
	struct bpf_insn	*insn;
	u32		len;
	u32		cap;
	u32		nr_ex;
	bool		calls;
	int		err;
};

/* codegen.c */
struct probe_arch;
int probe_codegen(struct probe_code *code, const struct probe_arch *arch,
		  const struct probe_layout *l, const struct probe_fetch *fetch,
		  unsigned int nr);
void probe_code_free(struct probe_code *code);

/* prog.c */
struct bpf_prog;
struct bpf_prog *probe_prog_new(const struct probe_code *code, const char *name);
void probe_prog_free(struct bpf_prog *prog);

#ifdef __KERNEL__
/**
 * probe_prog_run - fetch the arguments of a hit
 * @prog: the program
 * @hit: registers and record; if the layout is dynamic, also the room for strings
 *
 * Writes all bytes of the record from the first argument to the end. The end is hit->dyn
 * if the layout is dynamic, and the size in the layout otherwise.
 *
 * Context: any, NMI included; preemption is disabled.
 */
static __always_inline void probe_prog_run(const struct bpf_prog *prog,
					   struct probe_hit *hit)
{
	bpf_dispatcher_nop_func(hit, prog->insnsi, prog->bpf_func);
}
#endif

/*
 * A truncated text ends with this mark. All texts for which no room is left share a mark at
 * the end of the record; the other texts leave room for it.
 */
#define PROBE_CUT		"..."
#define PROBE_CUT_LEN		4	/* with the NUL */

/*
 * __data_loc: location of a string. Low half: offset from the start of the
 * record; high half: length with the NUL, 0 when the string could not be read.
 */
static inline u32 probe_data_loc(u32 off, u32 len)
{
	return len << 16 | (off & 0xffff);
}

#endif /* _PROBE_FETCH_H */
