/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Enter and leave a site.
 *
 * IRET enters the site, since it sets flags, stack and instruction pointer at once and
 * needs no register.  The site's stack is unknown to the kernel.  The site runs with the
 * interrupt flag of the initial state, unless it changes the flag.
 */

#include <linux/linkage.h>
#include <linux/objtool.h>

#include <asm/asm.h>
#include <asm/nospec-branch.h>
#include <asm/segment.h>

#include "sites.h"

#define in	kprobes_site_in
#define out	kprobes_site_out

	.text

/* void kprobes_site_enter(void) */
SYM_FUNC_START(kprobes_site_enter)
	pushq	%rbx
	pushq	%rbp
	pushq	%r12
	pushq	%r13
	pushq	%r14
	pushq	%r15
	pushfq
	movq	%rsp, kprobes_site_saved_sp(%rip)

	pushq	$__KERNEL_DS
	pushq	in + STATE_REG(4)(%rip)
	pushq	in + STATE_FLAGS(%rip)
	pushq	$__KERNEL_CS
	pushq	in + STATE_IP(%rip)
	movq	in + STATE_REG(0)(%rip), %rax
	movq	in + STATE_REG(1)(%rip), %rcx
	movq	in + STATE_REG(2)(%rip), %rdx
	movq	in + STATE_REG(3)(%rip), %rbx
	movq	in + STATE_REG(5)(%rip), %rbp
	movq	in + STATE_REG(6)(%rip), %rsi
	movq	in + STATE_REG(7)(%rip), %rdi
	movq	in + STATE_REG(8)(%rip), %r8
	movq	in + STATE_REG(9)(%rip), %r9
	movq	in + STATE_REG(10)(%rip), %r10
	movq	in + STATE_REG(11)(%rip), %r11
	movq	in + STATE_REG(12)(%rip), %r12
	movq	in + STATE_REG(13)(%rip), %r13
	movq	in + STATE_REG(14)(%rip), %r14
	movq	in + STATE_REG(15)(%rip), %r15
	iretq

.Lleave:
	movq	%rax, out + STATE_REG(0)(%rip)
	movq	%rcx, out + STATE_REG(1)(%rip)
	movq	%rdx, out + STATE_REG(2)(%rip)
	movq	%rbx, out + STATE_REG(3)(%rip)
	movq	%rsp, out + STATE_REG(4)(%rip)
	movq	%rbp, out + STATE_REG(5)(%rip)
	movq	%rsi, out + STATE_REG(6)(%rip)
	movq	%rdi, out + STATE_REG(7)(%rip)
	movq	%r8, out + STATE_REG(8)(%rip)
	movq	%r9, out + STATE_REG(9)(%rip)
	movq	%r10, out + STATE_REG(10)(%rip)
	movq	%r11, out + STATE_REG(11)(%rip)
	movq	%r12, out + STATE_REG(12)(%rip)
	movq	%r13, out + STATE_REG(13)(%rip)
	movq	%r14, out + STATE_REG(14)(%rip)
	movq	%r15, out + STATE_REG(15)(%rip)

	movq	kprobes_site_saved_sp(%rip), %rsp
	pushfq
	popq	out + STATE_FLAGS(%rip)
	popfq
	popq	%r15
	popq	%r14
	popq	%r13
	popq	%r12
	popq	%rbp
	popq	%rbx
	RET
SYM_FUNC_END(kprobes_site_enter)
	STACK_FRAME_NON_STANDARD kprobes_site_enter

SYM_FUNC_START(kprobes_site_exit_next)
	movq	$EXIT_NEXT, kprobes_site_exit(%rip)
	jmp	.Lleave
SYM_FUNC_END(kprobes_site_exit_next)
	STACK_FRAME_NON_STANDARD kprobes_site_exit_next

SYM_FUNC_START(kprobes_site_exit_ahead)
	movq	$EXIT_AHEAD, kprobes_site_exit(%rip)
	jmp	.Lleave
SYM_FUNC_END(kprobes_site_exit_ahead)
	STACK_FRAME_NON_STANDARD kprobes_site_exit_ahead

SYM_FUNC_START(kprobes_site_exit_back)
	movq	$EXIT_BACK, kprobes_site_exit(%rip)
	jmp	.Lleave
SYM_FUNC_END(kprobes_site_exit_back)
	STACK_FRAME_NON_STANDARD kprobes_site_exit_back

/* A function with a probe whose handler runs a site. */
SYM_FUNC_START(kprobes_site_outer)
	nop
	RET
SYM_FUNC_END(kprobes_site_outer)
