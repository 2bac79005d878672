/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions with one probe each.  For some, a jump may replace the breakpoint; for the
 * others, it must not.
 *
 * Most functions come in sets of three: one with a branch to the start of the region that
 * the jump would replace, one with a branch into the region, and one with a branch to its
 * end.  Only the branch into the region forbids the jump.
 */

#include <linux/linkage.h>
#include <linux/objtool.h>

#include <asm/asm.h>
#include <asm/ibt.h>
#include <asm/nospec-branch.h>

#define ALLOWED		1
#define FORBIDDEN	0

	.pushsection .rodata.kprobes_regions, "a"
	.balign 8
	.globl kprobes_regions
kprobes_regions:
	.popsection

.macro REGION_BEGIN name:req
SYM_FUNC_START_LOCAL(kprobes_region_\name)
	movl	$5, %eax
	/* JRCXZ, LOOP and JNE do not branch: CX is 1, and ZF is set. */
	movl	$1, %ecx
	cmpl	%ecx, %ecx
.endm

.macro REGION_AT name:req
.Lat_\name:
	ANNOTATE_NOENDBR
.endm

.macro REGION_END name:req allowed:req skips=0
SYM_FUNC_END(kprobes_region_\name)
	STACK_FRAME_NON_STANDARD kprobes_region_\name
	.pushsection .rodata.kprobes_region_names, "a"
.Lname_\name:
	.asciz "\name"
	.popsection
	.pushsection .rodata.kprobes_regions, "a"
	.quad	kprobes_region_\name, .Lat_\name, .Lname_\name
	.long	\allowed, \skips
	.popsection
.endm

/*
 * Label 3 is at the start of the region, 4 is inside the region, and 5 is at its end.
 * A jump to label 6 skips instructions that must be in the function but must not run.
 */
.macro REGION name:req allowed:req before after
REGION_BEGIN \name
	\before
6:
REGION_AT \name
3:	nop
	nop
4:	nop
	nop
	nop
5:	nop
	\after
6:	RET
REGION_END \name, \allowed
.endm

.macro REGION_BRANCH name:req insn:req
REGION \name\()_forward_start, ALLOWED, "\insn 3f"
REGION \name\()_forward_inside, FORBIDDEN, "\insn 4f"
REGION \name\()_forward_end, ALLOWED, "\insn 5f"
REGION \name\()_back_start, ALLOWED, , "\insn 3b"
REGION \name\()_back_inside, FORBIDDEN, , "\insn 4b"
REGION \name\()_back_end, ALLOWED, , "\insn 5b"
.endm

/* JNE with a displacement of four bytes. */
.macro JNE32 to:req
	.byte	0x0f, 0x85
	.long	\to - . - 4
.endm

	.text

REGION nothing, ALLOWED
REGION_BRANCH jne, "jne"
REGION_BRANCH jrcxz, "jrcxz"
REGION_BRANCH loop, "loop"
REGION_BRANCH jne32, "JNE32"
REGION_BRANCH jmp, "jmp 6f; jmp"
REGION_BRANCH call, "jmp 6f; call"

/* A branch in the cold part of a function. */
.macro REGION_COLD to:req allowed:req
REGION_BEGIN cold_\to
	jne	kprobes_region_cold_\to\().cold
REGION_AT cold_\to
.Lstart_\to:
	nop
	nop
.Linside_\to:
	nop
	nop
	nop
.Lend_\to:
	RET
REGION_END cold_\to, \allowed

SYM_FUNC_START_LOCAL(kprobes_region_cold_\to\().cold)
	nop
	jmp	.L\to\()_\to
SYM_FUNC_END(kprobes_region_cold_\to\().cold)
	STACK_FRAME_NON_STANDARD kprobes_region_cold_\to\().cold
.endm
REGION_COLD start, ALLOWED
REGION_COLD inside, FORBIDDEN
REGION_COLD end, ALLOWED

/*
 * The region is in the cold part, and the main part branches into the region.  The cold
 * part does not jump to the main part.
 */
REGION_BEGIN cold_alone
	je	kprobes_region_cold_alone.cold
	jne	.Linside_cold_alone
	RET
REGION_END cold_alone, FORBIDDEN

SYM_FUNC_START_LOCAL(kprobes_region_cold_alone.cold)
REGION_AT cold_alone
	nop
	nop
.Linside_cold_alone:
	nop
	nop
	nop
	RET
SYM_FUNC_END(kprobes_region_cold_alone.cold)
	STACK_FRAME_NON_STANDARD kprobes_region_cold_alone.cold

/*
 * No jump may replace the breakpoint in a function with XBEGIN or with an indirect jump,
 * which may lead anywhere in assembly code.
 */
REGION jmp_reg, FORBIDDEN, , "jmp 6f; ANNOTATE_RETPOLINE_SAFE; jmp *%rax"
REGION jmp_mem, FORBIDDEN, , "jmp 6f; ANNOTATE_RETPOLINE_SAFE; jmp *(%rax)"
REGION jmp_r8, FORBIDDEN, "jmp 6f; ANNOTATE_RETPOLINE_SAFE; jmp *%r8"
REGION jmp_thunk, FORBIDDEN, , "jmp 6f; JMP_NOSPEC rdx"
REGION xbegin, FORBIDDEN, , "jmp 6f; .byte 0xc7, 0xf8, 0, 0, 0, 0"
/* With REX2: JMPABS, and RDSEED, whose last two bytes alone would be XBEGIN. */
REGION jmpabs, FORBIDDEN, , "jmp 6f; .byte 0xd5, 0, 0xa1; .quad 0"
REGION rex2_rdseed, ALLOWED, , "jmp 6f; .byte 0xd5, 0x80, 0xc7, 0xf8"
/* A call returns, so its target is not in this function. */
REGION call_reg, ALLOWED, , "jmp 6f; ANNOTATE_RETPOLINE_SAFE; call *%rax"

#ifdef CONFIG_JUMP_LABEL
/* A static branch, which is initially off. */
.macro REGION_STATIC to:req label:req allowed:req skips:req
REGION_BEGIN static_\to
2:	.byte	0x0f, 0x1f, 0x44, 0x00, 0x00
	.pushsection __jump_table, "aw"
	.balign	8
	.long	2b - ., \label\()f - .
	.quad	kprobes_region_key - .
	.popsection
REGION_AT static_\to
3:	nop
	nop
4:	nop
	nop
	nop
5:	RET
REGION_END static_\to, \allowed, \skips
.endm
REGION_STATIC start, 3, ALLOWED, 0
REGION_STATIC inside, 4, FORBIDDEN, 1
REGION_STATIC end, 5, ALLOWED, 1
#endif

/* An entry in the exception table: after a fault, execution continues at the label. */
.macro REGION_FIXUP to:req label:req allowed:req
REGION_BEGIN fixup_\to
	xorl	%edx, %edx
2:	movl	kprobes_regions(%rip), %edx
	_ASM_EXTABLE(2b, \label\()f)
REGION_AT fixup_\to
3:	nop
	nop
4:	nop
	nop
	nop
5:	RET
REGION_END fixup_\to, \allowed
.endm
REGION_FIXUP start, 3, ALLOWED
REGION_FIXUP inside, 4, FORBIDDEN
REGION_FIXUP end, 5, ALLOWED

/* Instructions that a region may have, and instructions that forbid the jump. */
REGION_BEGIN fault_at_end
REGION_AT fault_at_end
	nop
	nop
	nop
	nop
	nop
2:	movl	kprobes_regions(%rip), %edx
	_ASM_EXTABLE(2b, 3f)
3:	RET
REGION_END fault_at_end, ALLOWED

REGION_BEGIN fault_inside
REGION_AT fault_inside
	nop
	nop
2:	movl	kprobes_regions(%rip), %edx
	_ASM_EXTABLE(2b, 3f)
3:	RET
REGION_END fault_inside, FORBIDDEN

REGION_BEGIN long
REGION_AT long
	nop
	nop
	nop
	nop
	movabsq	$0x123456789abcdef0, %rdx
	RET
REGION_END long, ALLOWED

/* A call within the function manipulates the return stack buffer. */
REGION_BEGIN call_local
REGION_AT call_local
	nop
	nop
	call	.Lreturn_call_local
	nop
.Lreturn_call_local:
	popq	%rdx
	RET
REGION_END call_local, FORBIDDEN

SYM_FUNC_START_LOCAL(kprobes_region_callee)
	incl	%ecx
	RET
SYM_FUNC_END(kprobes_region_callee)

/* The callee returns to the end of the region. */
REGION_BEGIN call_first
REGION_AT call_first
	call	kprobes_region_callee
	subl	$2, %ecx
	jne	.Lwrong_call_first
	RET
.Lwrong_call_first:
	xorl	%eax, %eax
	RET
REGION_END call_first, ALLOWED

/* Among regions without returns, this one has the longest copies: 6 + 6 + 19 bytes. */
REGION_BEGIN branches_and_call
REGION_AT branches_and_call
	jne	6f
	jne	6f
	call	kprobes_region_callee
	RET
6:	xorl	%eax, %eax
	RET
REGION_END branches_and_call, ALLOWED

REGION_BEGIN jump_past_end
REGION_AT jump_past_end
	nop
	nop
	jmp	5f
	nop
	nop
5:	RET
REGION_END jump_past_end, ALLOWED

REGION_BEGIN jump_to_end
REGION_AT jump_to_end
	jmp	5f
	nop
	nop
	nop
5:	RET
REGION_END jump_to_end, ALLOWED

REGION_BEGIN jump_inside
REGION_AT jump_inside
	nop
	jmp	5f
	nop
5:	nop
	nop
	RET
REGION_END jump_inside, FORBIDDEN

REGION_BEGIN branches_and_long
REGION_AT branches_and_long
	jne	6f
	jne	6f
	.byte	0x2e, 0x2e, 0x2e, 0x2e, 0x2e, 0x2e, 0x66, 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0
6:	nop
	RET
REGION_END branches_and_long, ALLOWED

REGION_BEGIN branches_to_start
	movl	$3, %ecx
REGION_AT branches_to_start
5:	nop
	nop
	jne	5b
	nop
	RET
REGION_END branches_to_start, ALLOWED

REGION_BEGIN loop_inside
REGION_AT loop_inside
	nop
	nop
	loop	6f
	nop
6:	RET
REGION_END loop_inside, FORBIDDEN

REGION_BEGIN too_short
REGION_AT too_short
	nop
	nop
	nop
	ANNOTATE_UNRET_SAFE
	ret
	ud2
REGION_END too_short, FORBIDDEN

REGION_BEGIN return_last
REGION_AT return_last
	nop
	nop
	nop
	nop
	ANNOTATE_UNRET_SAFE
	ret
REGION_END return_last, ALLOWED

REGION_BEGIN return_inside
REGION_AT return_inside
	nop
	ANNOTATE_UNRET_SAFE
	ret
	nop
	nop
	nop
REGION_END return_inside, ALLOWED

/* STI delays interrupts by one instruction, which would be the jump back from the detour. */
REGION_BEGIN sti_last
REGION_AT sti_last
	nop
	nop
	nop
	nop
	sti
	RET
REGION_END sti_last, FORBIDDEN

REGION_BEGIN sti_inside
REGION_AT sti_inside
	nop
	nop
	nop
	sti
	nop
	RET
REGION_END sti_inside, ALLOWED

#ifdef CONFIG_X86_KERNEL_IBT
/* An indirect branch may lead to ENDBR. */
REGION_BEGIN endbr_inside
REGION_AT endbr_inside
	nop
	nop
	.byte	0xf3, 0x0f, 0x1e, 0xfa
	RET
REGION_END endbr_inside, FORBIDDEN
#endif

/*
 * For stack traces: the first instruction that the jump replaces is a push.  The
 * function does not set up a frame, but its ORC data describe the push.
 */
SYM_FUNC_START(kprobes_region_push)
SYM_INNER_LABEL(kprobes_region_push_at, SYM_L_GLOBAL)
	ANNOTATE_NOENDBR
	pushq	%rbx
	movl	$5, %ebx
	movl	%ebx, %eax
	popq	%rbx
	RET
SYM_FUNC_END(kprobes_region_push)

	.pushsection .rodata.kprobes_regions, "a"
	.globl kprobes_regions_end
kprobes_regions_end:
	.popsection
