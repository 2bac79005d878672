// SPDX-License-Identifier: GPL-2.0
/*
 * Helpers that fetch programs call, and the description of this machine for the
 * code generator.
 *
 * All helpers have the signature of BPF helpers, since the interpreter calls
 * them through a pointer; the first parameter is always the struct probe_hit.
 * They can run in int3 and NMI context with preemption disabled.  They do not
 * sleep, and every access that may fault has a fix-up.
 */
#include <linux/d_path_nofault.h>
#include <linux/extable.h>
#include <linux/filter.h>
#include <linux/instruction_pointer.h>
#include <linux/kallsyms.h>
#include <linux/kasan-enabled.h>
#include <linux/kprobes.h>
#include <linux/log2.h>
#include <linux/percpu.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sprintf.h>
#include <linux/stacktrace.h>
#include <linux/string.h>
#include <linux/thread_info.h>
#include <linux/timekeeping.h>
#include <linux/uaccess.h>
#include <linux/unaligned.h>

#ifdef CONFIG_X86_64
#include <asm/current.h>
#endif
#include <asm/copy_words.h>
#include <asm/tlb.h>
#include <asm/word-at-a-time.h>

#include "calculate.h"
#include "code.h"
#include "copy_string.h"
#include "fetch.h"
#include "helpers.h"
#include "helpers_user.h"
#include "predicate.h"
#include "record.h"
#include "store.h"

#define HELPER(name) \
	static u64 name(u64 ctx, u64 arg1, u64 arg2, u64 arg3, u64 arg4)

/*
 * If kernel and user addresses do not overlap, an address below TASK_SIZE_MAX is a
 * user address, even without @user.  A tag is removed first.  Compare with TASK_SIZE_MAX,
 * not TASK_SIZE: for a 32-bit task, an address above its user space is not a kernel
 * address either.
 */
static nokprobe_inline bool is_user(unsigned long addr, bool user)
{
	return user || (IS_ENABLED(CONFIG_ARCH_HAS_NON_OVERLAPPING_ADDRESS_SPACE) &&
			untagged_addr(addr) < TASK_SIZE_MAX);
}

static long read_memory(void *dst, unsigned long addr, size_t size, bool user)
{
	if (is_user(addr, user))
		return copy_from_user_nofault(dst, (const void __user *)addr, size);
	return copy_from_kernel_nofault(dst, (const void *)addr, size);
}
NOKPROBE_SYMBOL(read_memory);

/* Numbers */

#ifndef STACK_BIAS
/* On sparc64, the stack is at this offset from the stack pointer. */
#define STACK_BIAS	0
#endif

/*
 * Used instead of regs_get_kernel_stack_nth(), which returns 0 for an entry
 * outside of the stack, and on most architectures expects all of the stack to be
 * readable.
 */
static int stack_entry(struct pt_regs *regs, unsigned long nr, u64 *val)
{
	unsigned long sp = kernel_stack_pointer(regs) + STACK_BIAS;
	unsigned long off = nr * sizeof(long), addr, v;

	addr = IS_ENABLED(CONFIG_STACK_GROWSUP) ? sp - off : sp + off;
	if ((addr ^ sp) & ~(THREAD_SIZE - 1))
		return -EFAULT;
	if (copy_from_kernel_nofault(&v, (const void *)addr, sizeof(v)))
		return -EFAULT;
	*val = v;
	return 0;
}
NOKPROBE_SYMBOL(stack_entry);

HELPER(help_source)
{
	struct probe_hit *hit = probe_hit_of(ctx);
	struct pt_regs *regs = hit->regs;
	unsigned long nr = arg2;

	switch ((enum probe_src)arg1) {
	case PROBE_SRC_REG:
		hit->val = regs_get_register(regs, nr);
		return 0;
	case PROBE_SRC_SP:
		hit->val = kernel_stack_pointer(regs);
		return 0;
	case PROBE_SRC_STACK:
		return stack_entry(regs, nr, &hit->val);
	case PROBE_SRC_CURRENT:
		hit->val = (unsigned long)current;
		return 0;
	case PROBE_SRC_CPU:
		hit->val = raw_smp_processor_id();
		return 0;
	case PROBE_SRC_PID:
		hit->val = current->pid;
		return 0;
	case PROBE_SRC_TIME:
		hit->val = ktime_get_mono_fast_ns();
		return 0;
	case PROBE_SRC_LATENCY:
		hit->val = probe_time_since(hit->entry + nr);
		return 0;
	case PROBE_SRC_RETVAL:
		/* On some architectures, regs_return_value() returns a long. */
		hit->val = (unsigned long)regs_return_value(regs);
		return 0;
#ifdef CONFIG_HAVE_FUNCTION_ARG_ACCESS_API
	case PROBE_SRC_ARG:
		hit->val = regs_get_kernel_argument(regs, nr);
		return 0;
#endif
	default:
		return -EFAULT;
	}
}
NOKPROBE_SYMBOL(help_source);

HELPER(help_load)
{
	struct probe_hit *hit = probe_hit_of(ctx);
	unsigned int size = probe_shape_size(arg2);
	u64 word;

	/* Faults are recorded only for kernel addresses, which are in the upper half. */
	if ((s64)arg1 < 0 && bpf_load_faulted(arg1, _RET_IP_))
		return -EFAULT;
	if (read_memory(&word, arg1, size, probe_shape_user(arg2)))
		return -EFAULT;
	hit->val = probe_get_number(&word, size);
	return 0;
}
NOKPROBE_SYMBOL(help_load);

/* Read a bitfield of up to PROBE_MAX_BITS_LOAD bytes. */
HELPER(help_bits)
{
	struct probe_hit *hit = probe_hit_of(ctx);
	unsigned int size = probe_shape_size(arg2);
	u8 bytes[PROBE_MAX_BITS_LOAD];

	if (read_memory(bytes, arg1, size, probe_shape_user(arg2)))
		return -EFAULT;
	hit->val = probe_bits_in(bytes, size, arg3);
	return 0;
}
NOKPROBE_SYMBOL(help_bits);

/* Part of the array cannot be read: read its elements one by one. */
static void read_elements(struct probe_hit *hit, u8 *field, unsigned long addr,
			  unsigned int size, unsigned int count, bool user, u32 bit)
{
	unsigned int i;

	for (i = 0; i < count; i++, bit++) {
		if (!read_memory(field + i * size, addr + i * size, size, user))
			continue;
		memset(field + i * size, 0, size);
		probe_mark_fault(hit, bit);
	}
}
NOKPROBE_SYMBOL(read_elements);

/* @bits: 0, or the bits of each element, which are a number in memory */
static noinline u64 read_array(struct probe_hit *hit, unsigned long addr, u8 *field, u64 shape,
			       u64 bits)
{
	unsigned int size = probe_shape_size(shape), count = probe_shape_count(shape);
	bool user = probe_shape_user(shape);

	if (read_memory(field, addr, size * count, user))
		read_elements(hit, field, addr, size, count, user, probe_shape_fault_bit(shape));
	if (bits)
		probe_store_bits(field, size, count, bits);
	return 0;
}
NOKPROBE_SYMBOL(read_array);

/* As copy_from_kernel_nofault(), for whole words, which need not be aligned. */
static nokprobe_inline bool copy_kernel_words(unsigned long *dst, const unsigned long *src,
					      unsigned int len)
{
	if (!copy_from_kernel_nofault_allowed(src, len))
		return false;
	pagefault_disable();
	for (; len >= COPY_WORDS * sizeof(*dst); len -= COPY_WORDS * sizeof(*dst)) {
		if (!copy_words_nofault(dst, src))
			goto fault;
		dst += COPY_WORDS;
		src += COPY_WORDS;
	}
	for (; len; len -= sizeof(*dst), dst++, src++)
		__get_kernel_nofault(dst, src, unsigned long, fault);
	pagefault_enable();
	return true;
fault:
	pagefault_enable();
	return false;
}

HELPER(help_array)
{
	return read_array(probe_hit_of(ctx), arg1, probe_hit_of(ctx)->rec + arg2, arg3, arg4);
}
NOKPROBE_SYMBOL(help_array);

/*
 * An array in kernel memory that consists of words, on a machine with probe_arch::unaligned.
 * @arg4: its bytes
 */
HELPER(help_words)
{
	u8 *field = probe_hit_of(ctx)->rec + arg2;

	if (likely(!is_user(arg1, false) &&
		   copy_kernel_words((unsigned long *)field,
				     (const unsigned long *)(unsigned long)arg1, arg4)))
		return 0;
	return read_array(probe_hit_of(ctx), arg1, field, arg3, 0);
}
NOKPROBE_SYMBOL(help_words);

HELPER(help_this_cpu)
{
	return (unsigned long)this_cpu_ptr((void __percpu *)(unsigned long)arg1);
}
NOKPROBE_SYMBOL(help_this_cpu);

/* Without a call, some JITs cannot divide signed numbers, or numbers of 64 bits. */
HELPER(help_divide)
{
	struct probe_hit *hit = probe_hit_of(ctx);

	if (!arg2)
		return -EFAULT;
	hit->val = probe_divide(arg1, arg2, arg3 & PROBE_DIVIDE_MODULO,
				arg3 & PROBE_DIVIDE_SIGNED);
	return 0;
}
NOKPROBE_SYMBOL(help_divide);

/* Strings */

/*
 * With memory tags, the memory after an object can be unreadable although it is in the same
 * page.  A word that is aligned does not extend past the object's last granule.
 */
#if defined(CONFIG_HAVE_EFFICIENT_UNALIGNED_ACCESS) && !defined(CONFIG_KASAN_HW_TAGS)
#define READABLE_BLOCK	PAGE_SIZE
#else
#define READABLE_BLOCK	sizeof(long)
#endif

static long copy_kernel_string(char *dst, unsigned long addr, size_t room)
{
	const char *src = (const char *)addr;
	long len;

	if (!copy_from_kernel_nofault_allowed(src, room))
		return -EFAULT;
	pagefault_disable();
	len = probe_copy_string(dst, src, room, READABLE_BLOCK);
	pagefault_enable();
	return len;
}
NOKPROBE_SYMBOL(copy_kernel_string);

static long copy_user_text(char *dst, unsigned long addr, size_t room)
{
	long len;

	/* Do not read during a switch of address spaces, or in a task without user space. */
	if (!nmi_uaccess_okay())
		return -EFAULT;
	len = strncpy_from_user_nofault(dst, (const void __user *)addr, room);
	/* The length includes the NUL, except for an empty string: then it is 0. */
	return len ?: 1;
}
NOKPROBE_SYMBOL(copy_user_text);

/* Out of line: only this function needs a variable on the stack. */
static noinline long check_readable(unsigned long addr, bool user)
{
	char c;

	return read_memory(&c, addr, sizeof(c), user) ? -EFAULT : 1;
}
NOKPROBE_SYMBOL(check_readable);

static noinline void record_text(struct probe_hit *hit, unsigned long addr, u32 dst, bool user)
{
	size_t room = probe_text_room(hit);
	long len;

	/* Without room, only check for a fault: a lack of room is no fault. */
	if (probe_text_is_full(hit))
		len = check_readable(addr, user);
	else if (is_user(addr, user))
		len = copy_user_text(probe_text_start(hit), addr, room + 1);
	else
		len = copy_kernel_string(probe_text_start(hit), addr, room + 1);
	probe_put_text(hit, dst, len, room);
}
NOKPROBE_SYMBOL(record_text);

/* Most strings are in kernel memory, and there is room.  record_text() handles the others. */
HELPER(help_string)
{
	struct probe_hit *hit = probe_hit_of(ctx);
	size_t room = probe_text_room(hit);
	long len;

	if (unlikely(!room || is_user(arg1, arg3))) {
		record_text(hit, arg1, arg2, arg3);
		return 0;
	}
	len = copy_kernel_string(probe_text_start(hit), arg1, room + 1);
	if (likely(len > 0 && len <= room))
		probe_set_text(hit, arg2, len);
	else
		probe_put_text(hit, arg2, len, room);
	return 0;
}
NOKPROBE_SYMBOL(help_string);

HELPER(help_strings)
{
	struct probe_hit *hit = probe_hit_of(ctx);
	bool user = probe_shape_user(arg3), str_user = probe_shape_str_user(arg3);
	unsigned int count = probe_shape_count(arg3), i;
	unsigned long addr = arg1, p;
	u32 dst = arg2;

	for (i = 0; i < count; i++, addr += sizeof(p), dst += sizeof(u32)) {
		if (read_memory(&p, addr, sizeof(p), user))
			probe_put_fault_text(hit, dst);
		else
			record_text(hit, p, dst, str_user);
	}
	return 0;
}
NOKPROBE_SYMBOL(help_strings);

HELPER(help_symstr)
{
	struct probe_hit *hit = probe_hit_of(ctx);
	unsigned long addr = arg1;
	size_t room = probe_text_room(hit);
	int len = 1;

	if (room >= KSYM_SYMBOL_LEN)
		len = sprint_symbol(probe_text_start(hit), addr) + 1;
	else if (!probe_text_is_full(hit))
		len = snprintf(probe_text_start(hit), room + 1, "%pS", (void *)addr) + 1;
	probe_put_text(hit, arg2, len, room);
	return 0;
}
NOKPROBE_SYMBOL(help_symstr);

/* Without room for a mark, all that is left is the shared mark. */
static bool has_path_room(struct probe_hit *hit, u32 dst)
{
	size_t room = probe_text_room(hit);

	if (room >= PROBE_CUT_LEN)
		return true;
	probe_put_text(hit, dst, room + 1, room);
	return false;
}
NOKPROBE_SYMBOL(has_path_room);

HELPER(help_path)
{
	const struct path *path = (const void *)(unsigned long)arg1;
	struct probe_hit *hit = probe_hit_of(ctx);
	size_t room = probe_text_room(hit);

	if (has_path_room(hit, arg2))
		probe_put_text(hit, arg2, d_path_nofault(path, probe_text_start(hit), room), room);
	return 0;
}
NOKPROBE_SYMBOL(help_path);

HELPER(help_dentry)
{
	const struct dentry *dentry = (const void *)(unsigned long)arg1;
	struct probe_hit *hit = probe_hit_of(ctx);
	size_t room = probe_text_room(hit);

	if (has_path_room(hit, arg2))
		probe_put_text(hit, arg2,
			       dentry_path_nofault(dentry, probe_text_start(hit), room), room);
	return 0;
}
NOKPROBE_SYMBOL(help_dentry);

/* The first @n bytes of a word in memory, followed by NULs; @n < sizeof(@word) */
static nokprobe_inline unsigned long first_bytes(unsigned long word, unsigned int n)
{
	if (IS_ENABLED(CONFIG_CPU_BIG_ENDIAN))
		return word & ~(~0UL >> 8 * n);
	return word & ((1UL << 8 * n) - 1);
}

/*
 * Copy the name of the current task, word by word, and return its length with the NUL.
 * Fill the rest of the TASK_COMM_LEN bytes with NULs.  The name may change at the same
 * time, and then it may lack its NUL.
 */
static nokprobe_inline long copy_comm(char *dst)
{
	static const struct word_at_a_time constants = WORD_AT_A_TIME_CONSTANTS;
	unsigned long word, zeros;
	unsigned int i, n;

	BUILD_BUG_ON(PROBE_COMM_LEN != TASK_COMM_LEN);
	BUILD_BUG_ON(TASK_COMM_LEN % sizeof(word));
	for (i = 0; i < TASK_COMM_LEN; i += sizeof(word)) {
		word = get_unaligned((unsigned long *)(current->comm + i));
		OPTIMIZER_HIDE_VAR(word);
		if (has_zero(word, &zeros, &constants))
			goto last;
		put_unaligned(word, (unsigned long *)(dst + i));
	}
	dst[TASK_COMM_LEN - 1] = '\0';
	return TASK_COMM_LEN;
last:
	n = find_zero(create_zero_mask(prep_zero_mask(word, zeros, &constants)));
	put_unaligned(first_bytes(word, n), (unsigned long *)(dst + i));
	n += i + 1;
	while ((i += sizeof(word)) < TASK_COMM_LEN)
		put_unaligned(0UL, (unsigned long *)(dst + i));
	return n;
}

HELPER(help_comm)
{
	struct probe_hit *hit = probe_hit_of(ctx);
	size_t room;
	long len = 1;

	if (arg2) {
		len = copy_comm(hit->rec + arg2);
		put_unaligned(probe_data_loc(arg2, len), (u32 *)(hit->rec + arg1));
		return 0;
	}
	room = probe_text_room(hit);
	if (likely(room >= TASK_COMM_LEN)) {
		probe_set_text(hit, arg1, copy_comm(probe_text_start(hit)));
		return 0;
	}
	if (!probe_text_is_full(hit))
		len = copy_kernel_string(probe_text_start(hit), (unsigned long)current->comm,
					 min(room + 1, TASK_COMM_LEN));
	probe_put_text(hit, arg1, len, room);
	return 0;
}
NOKPROBE_SYMBOL(help_comm);

HELPER(help_data)
{
	struct probe_hit *hit = probe_hit_of(ctx);
	size_t room = probe_text_room(hit);

	memcpy(probe_text_start(hit), (const void *)(unsigned long)arg1,
	       min_t(size_t, arg3, room));
	probe_put_text(hit, arg2, arg3, room);
	return 0;
}
NOKPROBE_SYMBOL(help_data);

HELPER(help_fault_strings)
{
	unsigned int i;

	for (i = 0; i < arg2; i++)
		probe_put_fault_text(probe_hit_of(ctx), arg1 + i * sizeof(u32));
	return 0;
}
NOKPROBE_SYMBOL(help_fault_strings);

/*
 * Compare a string of the record.  A string that is only compared is dropped from the record,
 * unless it was truncated, so that the hit sees that there was not enough room.
 */
HELPER(help_match)
{
	struct probe_hit *hit = probe_hit_of(ctx);
	const struct probe_pattern *pattern = (const void *)(unsigned long)arg2;
	u32 loc = get_unaligned((u32 *)(hit->rec + arg1));
	u32 off = probe_data_loc_offset(loc), len = probe_data_loc_len(loc);
	bool whole = hit->dyn + PROBE_CUT_LEN < hit->end;

	if (arg3 && whole)
		hit->dyn = off;
	if (!len)
		return PROBE_MATCH_FAULT;
	return probe_match(pattern, hit->rec + off, len - 1) ? PROBE_MATCH_YES : PROBE_MATCH_NO;
}
NOKPROBE_SYMBOL(help_match);

HELPER(help_match_comm)
{
	const struct probe_pattern *pattern = (const void *)(unsigned long)arg1;
	char name[TASK_COMM_LEN] __aligned(8);
	long len = copy_comm(name);

	return probe_match(pattern, name, len - 1) ? PROBE_MATCH_YES : PROBE_MATCH_NO;
}
NOKPROBE_SYMBOL(help_match_comm);

/* Stack traces */

#ifdef CONFIG_STACKTRACE
/* Functions on the stack between a helper and the return address in the hit's registers. */
#define HIT_FRAMES	12

/* The stack from this function on, without the frames up to the one that returns to @ip. */
static noinline unsigned int stack_above(unsigned long ip, unsigned long *entries,
					 unsigned int max)
{
	unsigned long below[HIT_FRAMES];
	unsigned int nr = stack_trace_save(below, HIT_FRAMES, 0), i;

	for (i = 0; i < nr; i++)
		if (below[i] == ip)
			return stack_trace_save(entries, max, i + 1);
	return stack_trace_save(entries, max, 0);
}
NOKPROBE_SYMBOL(stack_above);
#endif

static unsigned int kernel_stack(const struct probe_hit *hit, unsigned long *entries,
				 unsigned int max, bool above_hit)
{
#ifdef CONFIG_STACKTRACE
	unsigned int nr;

	if (!hit->regs)
		return stack_trace_save(entries, max, 0);
	if (above_hit)
		return stack_above(instruction_pointer(hit->regs), entries, max);
	nr = stack_trace_save_regs(hit->regs, entries, max, 0);
	/* On x86, the registers have the address after a breakpoint at the place of the probe. */
	if (nr && entries[0] == hit->head[0] + 1)
		entries[0]--;
	return nr;
#else
	return 0;
#endif
}
NOKPROBE_SYMBOL(kernel_stack);

/* The trace is empty in kernel threads, and where user memory must not be read. */
static unsigned int user_stack(unsigned long *entries, unsigned int max)
{
#ifdef CONFIG_USER_STACKTRACE_SUPPORT
	unsigned int nr = 0;

	if (nmi_uaccess_okay()) {
		/* Not all architectures do this themselves. */
		pagefault_disable();
		nr = stack_trace_save_user(entries, max);
		pagefault_enable();
	}
	return nr;
#else
	return 0;
#endif
}
NOKPROBE_SYMBOL(user_stack);

/* Record the number of entries and the entries, and clear the rest of the room. */
HELPER(help_stack)
{
	struct probe_hit *hit = probe_hit_of(ctx);
	unsigned int max = probe_shape_count(arg3), nr;
	unsigned long *room = hit->rec + arg2;

	if (probe_shape_user(arg3))
		nr = user_stack(room + 1, max);
	else
		nr = kernel_stack(hit, room + 1, max, probe_shape_above_hit(arg3));
	*room = nr;
	memset(room + 1 + nr, 0, (max - nr) * sizeof(*room));
	put_unaligned(probe_data_loc(arg2, (nr + 1) * sizeof(*room)), (u32 *)(hit->rec + arg1));
	return 0;
}
NOKPROBE_SYMBOL(help_stack);

/**
 * probe_helper_imm() - operand for the call of a helper
 * @nr: the helper
 *
 * Context: any.
 * Return: the immediate operand of the call instruction.
 */
s32 probe_helper_imm(enum probe_helper nr)
{
	static u64 (* const helpers[PROBE_NR_HELPERS])(u64, u64, u64, u64, u64) = {
		[PROBE_HELP_SOURCE]	= help_source,
		[PROBE_HELP_LOAD]	= help_load,
		[PROBE_HELP_ARRAY]	= help_array,
		[PROBE_HELP_WORDS]	= help_words,
		[PROBE_HELP_STRING]	= help_string,
		[PROBE_HELP_STRINGS]	= help_strings,
		[PROBE_HELP_SYMSTR]	= help_symstr,
		[PROBE_HELP_PATH]	= help_path,
		[PROBE_HELP_DENTRY]	= help_dentry,
		[PROBE_HELP_STACK]	= help_stack,
		[PROBE_HELP_COMM]	= help_comm,
		[PROBE_HELP_DATA]	= help_data,
		[PROBE_HELP_FAULT_STRINGS]	= help_fault_strings,
		[PROBE_HELP_BITS]	= help_bits,
		[PROBE_HELP_THIS_CPU]	= help_this_cpu,
		[PROBE_HELP_MATCH]	= help_match,
		[PROBE_HELP_MATCH_COMM]	= help_match_comm,
		[PROBE_HELP_DIVIDE]	= help_divide,
#ifdef CONFIG_UPROBE_EVENTS
		[PROBE_HELP_USER_SOURCE]	= probe_help_user_source,
		[PROBE_HELP_USER_LOAD]		= probe_help_user_load,
		[PROBE_HELP_USER_ARRAY]		= probe_help_user_array,
		[PROBE_HELP_USER_BITS]		= probe_help_user_bits,
		[PROBE_HELP_USER_STRING]	= probe_help_user_string,
		[PROBE_HELP_USER_STRINGS]	= probe_help_user_strings,
#endif
	};

	return BPF_CALL_IMM(helpers[nr]);
}

/*
 * The JITs that support BPF_PROBE_MEM, as a list: a JIT cannot be queried.  The other
 * JITs reject the whole program, some with a line in the kernel log, and leave it to the
 * interpreter, which may not be configured.  On machines not listed here, programs call a
 * helper and fetch the same values.
 */
static bool jit_has_probe_mem(void)
{
	if (IS_ENABLED(CONFIG_RISCV))
		return IS_ENABLED(CONFIG_64BIT);
	/*
	 * With asynchronous or asymmetric tag checks, a load with the wrong tag reports a
	 * bug or faults, and only help_load() turns the checks off.
	 */
	if (IS_ENABLED(CONFIG_ARM64))
		return !kasan_hw_tags_enabled();
	/*
	 * The JIT of 32-bit powerpc loads 8 bytes in two steps.  Only the first has an entry
	 * in the exception table.
	 */
	return IS_ENABLED(CONFIG_X86_64) || IS_ENABLED(CONFIG_LOONGARCH) ||
	       IS_ENABLED(CONFIG_PPC64) || IS_ENABLED(CONFIG_S390);
}

/*
 * @direct, and the members from @nr_args to @retval, are for architectures whose programs
 * load registers, stack entries and arguments themselves.  Another architecture can be
 * added if
 *
 *  - regs_query_register_offset() returns offsets in struct pt_regs, and each register
 *    there is a full word;
 *  - for registers in kernel mode, kernel_stack_pointer() and regs_return_value() return
 *    a member without change;
 *  - the stack grows down, entry 0 is at the stack pointer, each argument on the stack
 *    takes one entry, and stacks are aligned to THREAD_SIZE.  arm64 without VMAP_STACK has
 *    interrupt stacks without this alignment: some of their entries count as faults.
 */
static const struct probe_arch this_arch = {
	.word = sizeof(long),
	.unaligned = IS_ENABLED(CONFIG_HAVE_EFFICIENT_UNALIGNED_ACCESS),
	.big_endian = IS_ENABLED(CONFIG_CPU_BIG_ENDIAN),
	.stack_shift = ilog2(THREAD_SIZE),
	/* LoongArch's JIT multiplies offsets from 2048 to 8191 by four. */
	.word_end = IS_ENABLED(CONFIG_LOONGARCH) ? 2048 : 0,
#if defined(CONFIG_X86_64)
	.direct = true,
	.nr_args = 6,
	.args = {
		offsetof(struct pt_regs, di), offsetof(struct pt_regs, si),
		offsetof(struct pt_regs, dx), offsetof(struct pt_regs, cx),
		offsetof(struct pt_regs, r8), offsetof(struct pt_regs, r9),
	},
	/* entry 0 is the return address */
	.first_stack_arg = 1,
	.sp = offsetof(struct pt_regs, sp),
	.retval = offsetof(struct pt_regs, ax),
	/*
	 * The JIT's code does not load from user addresses, but it does load from
	 * non-canonical addresses, which raises an exception.  The guard avoids the
	 * exception for addresses in the lower half.
	 */
	.guard = true,
#elif defined(CONFIG_ARM64)
	.direct = true,
	.nr_args = 8,
	.args = {
		offsetof(struct pt_regs, regs[0]), offsetof(struct pt_regs, regs[1]),
		offsetof(struct pt_regs, regs[2]), offsetof(struct pt_regs, regs[3]),
		offsetof(struct pt_regs, regs[4]), offsetof(struct pt_regs, regs[5]),
		offsetof(struct pt_regs, regs[6]), offsetof(struct pt_regs, regs[7]),
	},
	.sp = offsetof(struct pt_regs, sp),
	.retval = offsetof(struct pt_regs, regs[0]),
	/* Top Byte Ignore: bit 55 selects the kernel's half. */
	.tag_bits = 8,
#endif
};

/**
 * probe_arch_get() - describe this machine for the code generator
 * @arch: filled in
 *
 * Context: any.
 */
void probe_arch_get(struct probe_arch *arch)
{
	*arch = this_arch;
	/*
	 * Without efficient unaligned access, an unaligned load can trap, and the trap
	 * handler does not use the program's exception table.
	 */
	arch->probe_mem = this_arch.unaligned && jit_has_probe_mem();
	arch->percpu = bpf_jit_supports_percpu_insn();
#ifdef CONFIG_X86_64
	if (arch->percpu)
		arch->current_task = (__force unsigned long)&pcpu_hot.current_task;
#endif

	/*
	 * If there is a limit, the JIT relies on the verifier to prevent loads from user
	 * space.  Do not use the limit itself: it depends on the current task, which may be
	 * a 32-bit task, but the program runs in all tasks.  On these machines the kernel
	 * has the upper half of the addresses, after @tag_bits are shifted out.
	 */
	if (bpf_arch_uaddress_limit()) {
		arch->guard = true;
		arch->guard_exact = true;
	}
}
