/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions that are called in interrupts, with instructions that kprobes executes in
 * different ways.
 */

#include <linux/linkage.h>
#include <linux/objtool.h>

#include <asm/nospec-branch.h>

	.pushsection .rodata, "a"
	.balign 8
.Lmemory_to:
	.quad	kprobes_context_inner
	.popsection

	.pushsection .rodata.kprobes_contexts, "a"
	.balign 8
	.globl kprobes_context_sites
kprobes_context_sites:
	.popsection

	.text

SYM_FUNC_START_LOCAL(kprobes_context_inner)
	incq	%rax
	RET
SYM_FUNC_END(kprobes_context_inner)

.macro CONTEXT name:req takes_jump:req
SYM_FUNC_START(kprobes_context_\name)
	/* Five bytes for the jump of a return probe. */
	movl	%edi, %eax
	nop
	nop
	nop
.Lcopied_\name:
	ANNOTATE_NOENDBR
	leaq	1(%rdi), %rax
	leaq	(%rax), %rax
.Lemulated_\name:
	ANNOTATE_NOENDBR
	pushq	%rdi
	nop
	nop
	nop
	nop
.Lbranch_\name:
	ANNOTATE_NOENDBR
	call	kprobes_context_inner
.Lmemory_\name:
	ANNOTATE_NOENDBR
	ANNOTATE_RETPOLINE_SAFE
	call	*.Lmemory_to(%rip)
	popq	%rdi
	RET
	.if !\takes_jump
	/* Never executed; the check for branches finds XBEGIN and forbids the jump. */
	.byte	0xc7, 0xf8, 0, 0, 0, 0
	.endif
SYM_FUNC_END(kprobes_context_\name)
	STACK_FRAME_NON_STANDARD kprobes_context_\name

	.pushsection .rodata.kprobes_contexts, "a"
	.quad	.Lcopied_\name, \takes_jump
	.quad	.Lemulated_\name, \takes_jump
	.quad	.Lbranch_\name, \takes_jump
	.quad	.Lmemory_\name, 0
	.popsection
.endm

CONTEXT int3, 0
CONTEXT jump, 1

	.pushsection .rodata.kprobes_contexts, "a"
	.globl kprobes_context_sites_end
kprobes_context_sites_end:
	.popsection

/* Site of a probe whose handler an NMI interrupts. */
SYM_FUNC_START(kprobes_context_outer)
	nop
	RET
SYM_FUNC_END(kprobes_context_outer)

/* STI delays interrupts until after the next instruction. */
SYM_FUNC_START(kprobes_context_send_mmio)
	sti
.Lmmio:
	ANNOTATE_NOENDBR
	movl	%edi, (%rsi)
	pushfq
	cli
	popq	%rax
	RET
SYM_FUNC_END(kprobes_context_send_mmio)

SYM_FUNC_START(kprobes_context_send_msr)
	movl	%esi, %ecx
	movl	%edi, %eax
	movq	%rdi, %rdx
	shrq	$32, %rdx
	sti
.Lmsr:
	ANNOTATE_NOENDBR
	wrmsr
	pushfq
	cli
	popq	%rax
	RET
SYM_FUNC_END(kprobes_context_send_msr)

	.pushsection .rodata, "a"
	.balign 8
	.globl kprobes_context_mmio_addr
kprobes_context_mmio_addr:
	.quad	.Lmmio
	.globl kprobes_context_msr_addr
kprobes_context_msr_addr:
	.quad	.Lmsr
	.popsection
