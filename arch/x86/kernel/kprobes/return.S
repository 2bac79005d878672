/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Return hooks: trampoline for hooked function returns.
 *
 * The RET of the hooked function popped the address of this trampoline.  The same stack
 * slot gets the original return address from arch_rethook_trampoline_callback().  Until
 * then it holds the trampoline's address again, which unwinders recognize.
 */

#include <linux/linkage.h>
#include <linux/objtool.h>

#include <asm/asm.h>
#include <asm/frame.h>
#include <asm/unwind_hints.h>

#include "frame.h"

	.text

SYM_CODE_START(arch_rethook_trampoline)
#ifdef CONFIG_X86_64
	UNWIND_HINT_UNDEFINED
	ANNOTATE_NOENDBR
	pushq	$arch_rethook_trampoline
	UNWIND_HINT_FUNC
	pushq	$__KERNEL_DS
	SAVE_FRAME
	addq	$16, RSP(%rsp)
	ENCODE_FRAME_POINTER
	movq	%rsp, %rdi
	call	arch_rethook_trampoline_callback
	RESTORE_FRAME
	leaq	8(%rsp), %rsp		/* ss */
	UNWIND_HINT_FUNC
#else
	pushl	$arch_rethook_trampoline
	pushl	$__KERNEL_DS
	SAVE_FRAME
	addl	$8, PT_OLDESP(%esp)
	ENCODE_FRAME_POINTER
	movl	%esp, %eax
	call	arch_rethook_trampoline_callback
	RESTORE_FRAME
	leal	4(%esp), %esp		/* ss */
#endif
	BALANCE_RET
	RET_UNCOUNTED
SYM_CODE_END(arch_rethook_trampoline)
_ASM_NOKPROBE(arch_rethook_trampoline)
