/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _X86_KPROBES_FRAME_H
#define _X86_KPROBES_FRAME_H

/*
 * Build pt_regs on the stack, for code that is not entered by an exception, and remove
 * them.
 *
 * SAVE_FRAME expects one word on the stack, in the place of ss, and saves the flags
 * unchanged.  The user of the macro must correct sp and set ss and ip.  RESTORE_FRAME
 * leaves that word at the top of the stack.
 */

#include <linux/objtool.h>
#include <linux/stringify.h>

#include <asm/alternative.h>
#include <asm/asm.h>
#include <asm/asm-offsets.h>
#include <asm/cpufeatures.h>
#include <asm/nospec-branch.h>
#include <asm/ptrace-abi.h>
#include <asm/segment.h>

#ifdef CONFIG_X86_64

.macro SAVE_FRAME
	pushq	%rsp
	pushfq
	pushq	$__KERNEL_CS
	pushq	$0			/* ip */
	pushq	$-1			/* orig_ax: no system call */
	pushq	%rdi
	pushq	%rsi
	pushq	%rdx
	pushq	%rcx
	pushq	%rax
	pushq	%r8
	pushq	%r9
	pushq	%r10
	pushq	%r11
	pushq	%rbx
	pushq	%rbp
	pushq	%r12
	pushq	%r13
	pushq	%r14
	pushq	%r15
.endm

.macro RESTORE_FRAME
	popq	%r15
	popq	%r14
	popq	%r13
	popq	%r12
	popq	%rbp
	popq	%rbx
	popq	%r11
	popq	%r10
	popq	%r9
	popq	%r8
	popq	%rax
	popq	%rcx
	popq	%rdx
	popq	%rsi
	popq	%rdi
	addq	$24, %rsp		/* orig_ax, ip, cs */
	popfq
	leaq	8(%rsp), %rsp		/* sp */
.endm

#else

.macro SAVE_FRAME
	pushl	%esp
	pushfl
	pushl	$__KERNEL_CS
	pushl	$0			/* ip */
	pushl	$-1			/* orig_ax: no system call */
	pushl	$0			/* gs: not used by the kernel */
	pushl	%fs
	pushl	%es
	pushl	%ds
	pushl	%eax
	pushl	%ebp
	pushl	%edi
	pushl	%esi
	pushl	%edx
	pushl	%ecx
	pushl	%ebx
.endm

.macro RESTORE_FRAME
	popl	%ebx
	popl	%ecx
	popl	%edx
	popl	%esi
	popl	%edi
	popl	%ebp
	popl	%eax
	addl	$28, %esp		/* ds, es, fs, gs, orig_ax, ip, cs */
	popfl
	leal	4(%esp), %esp		/* sp */
.endm

#endif

/*
 * Return from a call that call depth tracking did not count, and preserve the flags.
 * The return thunk of call depth tracking would change the flags and count the return.
 */
.macro RET_UNCOUNTED
	ALTERNATIVE __stringify(RET), __stringify(ANNOTATE_UNRET_SAFE; ret; int3),	\
		    X86_FEATURE_CALL_DEPTH
.endm

/*
 * Pair the next RET with a CALL.  Without the CALL, the RET consumes the outer function's
 * entry of the return stack buffer, and all outer returns are mispredicted.
 */
.macro BALANCE_RET
	ANNOTATE_INTRA_FUNCTION_CALL
	call	.Lbalanced\@
	int3
.Lbalanced\@:
	lea	__ASM_SEL(4, 8)(%_ASM_SP), %_ASM_SP
.endm
#endif /* _X86_KPROBES_FRAME_H */
