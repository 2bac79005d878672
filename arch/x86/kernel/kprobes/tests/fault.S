/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Instructions with an entry in the exception table.
 */

#include <linux/linkage.h>
#include <linux/objtool.h>

#include <asm/alternative.h>
#include <asm/asm.h>
#include <asm/cpufeatures.h>
#include <asm/errno.h>
#include <asm/nospec-branch.h>
#include <asm/smap.h>

	.pushsection .rodata.kprobes_faults, "a"
	.balign 8
	.globl kprobes_fault_sites
kprobes_fault_sites:
	.popsection

.macro FAULT_TABLE name:req
	.pushsection .rodata.str1.1, "aMS", @progbits, 1
.Lname_\name:
	.asciz "\name"
	.popsection
	.pushsection .rodata.kprobes_faults, "a"
	.quad	kprobes_fault_\name, .Lat_\name, .Lname_\name
	.popsection
.endm

.macro FAULT_BEGIN name:req
SYM_FUNC_START(kprobes_fault_\name)
	FAULT_TABLE \name
	xorl	%eax, %eax
	/* RDMSR and XGETBV take the argument in ECX. */
	movl	%edi, %ecx
	/* With SMAP but without STAC, a fault at a user address is an oops. */
	ASM_STAC
.endm

/* kprobes_fault_sites has the address of this label, but no code branches to it. */
.macro FAULT_AT name:req
.Lat_\name:
	ANNOTATE_NOENDBR
.endm

.macro FAULT_END name:req, restore
	\restore
	ASM_CLAC
	RET
.Lfixup_\name:
	\restore
	ASM_CLAC
	movq	$-EFAULT, %rax
	RET
	_ASM_EXTABLE(.Lat_\name, .Lfixup_\name)
SYM_FUNC_END(kprobes_fault_\name)
	STACK_FRAME_NON_STANDARD kprobes_fault_\name
.endm

	.text

FAULT_BEGIN load
FAULT_AT load
	movq	(%rdi), %rax
FAULT_END load

FAULT_BEGIN store
FAULT_AT store
	movq	%rax, 8(%rdi)
FAULT_END store

/* movq $2, %ds:8(%rdi) with a SIB byte: 13 bytes, which nearly fill the slot. */
FAULT_BEGIN long_store
FAULT_AT long_store
	.byte	0x3e, 0x48, 0xc7, 0x84, 0x27, 8, 0, 0, 0, 2, 0, 0, 0
	movl	$2, %eax
FAULT_END long_store

FAULT_BEGIN string
	movl	$8, %ecx
	movq	%rdi, %rsi
FAULT_AT string
	rep movsb
	movl	%ecx, %eax
FAULT_END string

FAULT_BEGIN push
FAULT_AT push
	pushq	(%rdi)
	popq	%rax
FAULT_END push

FAULT_BEGIN call
FAULT_AT call
	ANNOTATE_RETPOLINE_SAFE
	call	*(%rdi)
FAULT_END call

FAULT_BEGIN jump
FAULT_AT jump
	ANNOTATE_RETPOLINE_SAFE
	jmp	*(%rdi)
FAULT_END jump

FAULT_BEGIN xgetbv
FAULT_AT xgetbv
	xgetbv
FAULT_END xgetbv

FAULT_BEGIN rdmsr
FAULT_AT rdmsr
	rdmsr
FAULT_END rdmsr

/* A non-canonical address in RBP causes a stack fault. */
FAULT_BEGIN stack
	movq	%rbp, %rdx
	movq	%rdi, %rbp
FAULT_AT stack
	movq	(%rbp), %rax
FAULT_END stack, "movq %rdx, %rbp"

/* LOCK INC EAX: LOCK is invalid with a register. */
FAULT_BEGIN invalid
FAULT_AT invalid
	.byte	0xf0, 0xff, 0xc0
FAULT_END invalid

/* A load as in load_unaligned_zeropad(): the fixup gets the bytes before the unmapped page. */
SYM_FUNC_START(kprobes_fault_zeropad)
	xorl	%eax, %eax
SYM_INNER_LABEL(kprobes_fault_zeropad_load, SYM_L_GLOBAL)
	ANNOTATE_NOENDBR
	movq	(%rdi), %rax
.Lafter_zeropad:
	RET
	_ASM_EXTABLE_TYPE(kprobes_fault_zeropad_load, .Lafter_zeropad, EX_TYPE_ZEROPAD)
SYM_FUNC_END(kprobes_fault_zeropad)

/* Target of the call and the jump.  After the jump, it returns to the site's caller. */
SYM_FUNC_START(kprobes_fault_seven)
	ASM_CLAC
	movl	$7, %eax
	RET
SYM_FUNC_END(kprobes_fault_seven)
	STACK_FRAME_NON_STANDARD kprobes_fault_seven

/*
 * Site of probes whose handlers fault, hit other probes on faulting instructions, or skip its
 * first instruction.
 */
SYM_FUNC_START(kprobes_fault_outer)
	movl	$3, %eax
	RET
SYM_FUNC_END(kprobes_fault_outer)

	.pushsection .rodata.kprobes_faults, "a"
	.globl kprobes_fault_sites_end
kprobes_fault_sites_end:
	.popsection
