/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _ASM_X86_PT_REGS_ACCESS_H
#define _ASM_X86_PT_REGS_ACCESS_H

/*
 * Access to pt_regs by name and by number: registers and parts of them, words on the
 * stack, function arguments.  Used by code that learns at run time which value to read,
 * such as probe events.  Included by asm/ptrace.h.
 */

#include <linux/compiler.h>
#include <linux/stddef.h>
#include <linux/types.h>

#include <asm/page_types.h>

/* Declared here because linux/uaccess.h depends on this header. */
long copy_from_kernel_nofault(void *dst, const void *src, size_t size);

/* Offset of the last register. */
#define MAX_REG_OFFSET		offsetof(struct pt_regs, ss)

int regs_query_register_offset(const char *name);
const char *regs_query_register_name(unsigned int offset);
int regs_query_register_part(const char *name, unsigned int *size);
#define regs_query_register_part regs_query_register_part

/**
 * regs_get_register() - value of a register
 * @regs:	registers
 * @offset:	offset of the register in struct pt_regs
 *
 * Context: Any.
 * Return: the value, zero-extended for segment registers on 32-bit; 0 if @offset is
 * too large.
 */
static inline unsigned long regs_get_register(struct pt_regs *regs, unsigned int offset)
{
	const void *reg = (void *)regs + offset;

	if (unlikely(offset > MAX_REG_OFFSET))
		return 0;
#ifdef CONFIG_X86_32
	switch (offset) {
	case offsetof(struct pt_regs, ds):
	case offsetof(struct pt_regs, es):
	case offsetof(struct pt_regs, fs):
	case offsetof(struct pt_regs, gs):
	case offsetof(struct pt_regs, cs):
	case offsetof(struct pt_regs, ss):
		return *(u16 *)reg;
	}
#endif
	return *(unsigned long *)reg;
}

/**
 * regs_within_kernel_stack() - is an address on the kernel stack of @regs?
 * @regs:	registers saved in kernel mode
 * @addr:	address
 *
 * Context: Any.
 * Return: 1 if @addr is in the same THREAD_SIZE block as the stack pointer,
 * else 0.
 */
static inline int regs_within_kernel_stack(struct pt_regs *regs, unsigned long addr)
{
	return (addr ^ regs->sp) < THREAD_SIZE;
}

/**
 * regs_get_kernel_stack_nth_addr() - address of a word on the stack
 * @regs:	registers saved in kernel mode
 * @n:		index of the word; 0 is at the stack pointer
 *
 * Context: Any.
 * Return: the address, or NULL if it is not on this stack.
 */
static inline unsigned long *regs_get_kernel_stack_nth_addr(struct pt_regs *regs,
							    unsigned int n)
{
	unsigned long addr = regs->sp + n * sizeof(long);

	return regs_within_kernel_stack(regs, addr) ? (unsigned long *)addr : NULL;
}

/**
 * regs_get_kernel_stack_nth() - a word on the stack
 * @regs:	registers saved in kernel mode
 * @n:		index of the word; 0 is at the stack pointer
 *
 * Context: Any.
 * Return: the word, or 0 if it is not on this stack or not mapped.
 */
static inline unsigned long regs_get_kernel_stack_nth(struct pt_regs *regs, unsigned int n)
{
	unsigned long *addr = regs_get_kernel_stack_nth_addr(regs, n);
	unsigned long value;

	if (!addr || copy_from_kernel_nofault(&value, addr, sizeof(value)))
		return 0;
	return value;
}

/**
 * regs_get_kernel_argument() - an argument of a function
 * @regs:	registers at the function's entry
 * @n:		index of the argument, from 0
 *
 * Follows the calling convention of the kernel for integers and pointers: six arguments
 * in registers, three on 32-bit, and the rest on the stack after the return address.
 *
 * Context: Any.
 * Return: its value, or 0 if it cannot be read.
 */
static inline unsigned long regs_get_kernel_argument(struct pt_regs *regs, unsigned int n)
{
	switch (n) {
#ifdef CONFIG_X86_64
	case 0:	return regs->di;
	case 1:	return regs->si;
	case 2:	return regs->dx;
	case 3:	return regs->cx;
	case 4:	return regs->r8;
	case 5:	return regs->r9;
	default: return regs_get_kernel_stack_nth(regs, n - 6 + 1);
#else
	case 0:	return regs->ax;
	case 1:	return regs->dx;
	case 2:	return regs->cx;
	default: return regs_get_kernel_stack_nth(regs, n - 3 + 1);
#endif
	}
}

#endif /* _ASM_X86_PT_REGS_ACCESS_H */
