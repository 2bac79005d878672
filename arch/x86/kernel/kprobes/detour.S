/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Kernel probes: call the handlers from a detour and return to it.
 *
 * The return address on the stack is in the place of the last member of pt_regs, ss.
 * A callee-saved register holds it during the call; it is stored back before the
 * return.
 */

#include <linux/linkage.h>
#include <linux/objtool.h>

#include <asm/alternative.h>
#include <asm/asm.h>
#include <asm/cpufeatures.h>
#include <asm/frame.h>
#include <asm/smap.h>
#include <asm/unwind_hints.h>

#include "frame.h"

	.text

SYM_CODE_START(kprobe_detour_entry)
#ifdef CONFIG_X86_64
	UNWIND_HINT_FUNC
	ANNOTATE_NOENDBR
	SAVE_FRAME
	/*
	 * kprobe_detour_hit() sets regs->ip to the address after the first byte of the
	 * probed instruction, as after INT3.  Unwinders must look up the instruction itself.
	 */
	UNWIND_HINT_REGS signal=0

	cld
	ASM_CLAC
	addq	$8, RSP(%rsp)
	movq	SS(%rsp), %rbx
	movq	%rbx, RIP(%rsp)		/* points into the detour until the C code sets it */
	movq	$__KERNEL_DS, SS(%rsp)

	/* The pointer to the probe precedes the call in the detour. */
	movq	-(5 + 8)(%rbx), %rdi
	movq	%rsp, %rsi
	ENCODE_FRAME_POINTER
	call	kprobe_detour_hit

	movq	%rbx, SS(%rsp)
	RESTORE_FRAME
	UNWIND_HINT_FUNC
#else
	SAVE_FRAME

	cld
	ASM_CLAC
	addl	$4, PT_OLDESP(%esp)
	movl	PT_OLDSS(%esp), %ebx
	movl	%ebx, PT_EIP(%esp)
	movl	$__KERNEL_DS, PT_OLDSS(%esp)

	movl	-(5 + 4)(%ebx), %eax
	movl	%esp, %edx
	ENCODE_FRAME_POINTER
	call	kprobe_detour_hit

	movl	%ebx, PT_OLDSS(%esp)
	RESTORE_FRAME
#endif
	RET_UNCOUNTED
SYM_CODE_END(kprobe_detour_entry)
_ASM_NOKPROBE(kprobe_detour_entry)
