/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Addresses where a probe is accepted or refused.
 */

#include <linux/linkage.h>
#include <linux/objtool.h>

#include <asm/asm.h>
#include <asm/nospec-branch.h>

/* Start a function without ENDBR: its first instruction follows the macro. */
#define PLACE_START(name)	SYM_START(name, SYM_L_GLOBAL, SYM_F_ALIGN) ANNOTATE_NOENDBR

	.text

/*
 * Bytes that look like the breakpoint or the jump of a probe, or like other
 * instructions if decoding starts in the middle of an instruction.
 */
PLACE_START(kprobes_place_walk)
	movl	$0xcccccccc, %eax
	ANNOTATE_NOENDBR
	movabsq	$0xe9cce9e9cccccce9, %rcx
	ANNOTATE_NOENDBR
	pushq	%rbx
	xorl	%ebx, %ebx
	leaq	0x55555555(%rdi), %rax
	subq	$0x55555555, %rax
	nopw	0x66909090(%rax, %rax)
	testl	$0xe8e8e8e8, %ebx
	jne	1f
	addl	$0x0f0f0f0f, %ebx
	.byte	0x3e, 0x3e, 0x3e, 0x48, 0xc7, 0xc1, 0xcc, 0xe9, 0xcc, 0xe9
1:	movb	$0xcc, %cl
	popq	%rbx
	nop
	nop
	RET
.Lwalk_end:
SYM_FUNC_END(kprobes_place_walk)
	STACK_FRAME_NON_STANDARD kprobes_place_walk

	.pushsection .rodata, "a"
	.balign 4
	.globl kprobes_place_walk_size
kprobes_place_walk_size:
	.long	.Lwalk_end - kprobes_place_walk
	.popsection

PLACE_START(kprobes_place_five)
	nop
	ANNOTATE_NOENDBR
	leaq	1(%rdi), %rax
	ANNOTATE_NOENDBR
	incq	%rax
	ANNOTATE_NOENDBR
	incq	%rax
	ANNOTATE_NOENDBR
	incq	%rax
	incq	%rax
	RET
SYM_FUNC_END(kprobes_place_five)

PLACE_START(kprobes_place_short)
	movl	%edi, %eax
	ANNOTATE_NOENDBR
	incl	%eax
	ANNOTATE_NOENDBR
	incl	%eax
	incl	%eax
	incl	%eax
	incl	%eax
	incl	%eax
	RET
SYM_FUNC_END(kprobes_place_short)

PLACE_START(kprobes_place_tail_target)
	RET
SYM_FUNC_END(kprobes_place_tail_target)

PLACE_START(kprobes_place_tail)
	leaq	1(%rdi), %rax
	pushq	%rbx
	ANNOTATE_NOENDBR
	popq	%rbx
	ANNOTATE_NOENDBR
	{disp32} jmp kprobes_place_tail_target
SYM_FUNC_END(kprobes_place_tail)

	.pushsection .rodata.kprobes_places, "a"
	.balign 8
	.globl kprobes_places
kprobes_places:
	.popsection

/* Never executed. */
.macro PLACE name:req allowed:req insn:req before=nop
SYM_FUNC_START_LOCAL(kprobes_place_\name)
	\before
.Lat_\name:
	ANNOTATE_NOENDBR
	\insn
	nop
	RET
SYM_FUNC_END(kprobes_place_\name)
	STACK_FRAME_NON_STANDARD kprobes_place_\name
	.pushsection .rodata.kprobes_place_names, "a"
.Lname_\name:
	.asciz "\name"
	.popsection
	.pushsection .rodata.kprobes_places, "a"
	.quad	.Lat_\name, .Lname_\name, \allowed
	.popsection
.endm

.macro REFUSED name:req insn:req before=nop
PLACE \name, 0, "\insn", "\before"
.endm

.macro ALLOWED name:req insn:req
PLACE \name, 1, "\insn"
.endm

REFUSED ud2, "ud2"
REFUSED ud1, "ud1 (%rax), %eax"
REFUSED int3, "int3"
REFUSED int, "int $0x80"
REFUSED int1, ".byte 0xf1"
REFUSED syscall, "syscall"
REFUSED sysenter, "sysenter"
REFUSED mov_ss, "mov %eax, %ss"
REFUSED jmp_far, "ljmp *(%rax)"
REFUSED call_far, "ANNOTATE_RETPOLINE_SAFE; lcall *(%rax)"
REFUSED lret32, "lretl"
REFUSED iret32, "iretl"
REFUSED jmp16, ".byte 0x66; jmp 1f; 1:"
REFUSED jcc16, ".byte 0x66; jz 1f; 1:"
REFUSED ret16, "ANNOTATE_RETPOLINE_SAFE; .byte 0x66, 0xc3"
REFUSED pushf16, "pushfw"
REFUSED xbegin, ".byte 0xc7, 0xf8, 0, 0, 0, 0"
REFUSED eip, ".byte 0x67, 0x8b, 0x05, 0, 0, 0, 0"
REFUSED eip_call, "ANNOTATE_RETPOLINE_SAFE; .byte 0x67, 0xff, 0x15, 0, 0, 0, 0"
REFUSED longest, ".byte 0x3e, 0x3e, 0x3e, 0x48, 0xc7, 0x84, 0xcb, 8, 0, 0, 0, 0, 0, 0, 0"

/* A probe would allow an interrupt between STI and the next instruction. */
REFUSED sti_before_hlt, "sti; hlt"
REFUSED sti_before_mwait, "sti; mwait"
REFUSED hlt_after_sti, "hlt", "sti"
REFUSED mwait_after_sti, "mwait", "sti"

/* REX2 selects the 0f map, so these are RDSEED, PSUBQ, MOVHPS, not XBEGIN, STI, POP SS. */
ALLOWED rex2_rdseed, ".byte 0xd5, 0x80, 0xc7, 0xf8"
ALLOWED rex2_psubq_before_hlt, ".byte 0xd5, 0x80, 0xfb, 0xc0; hlt"
ALLOWED rex2_movhps, ".byte 0xd5, 0x80, 0x17, 0x00"

	.pushsection .rodata.kprobes_places, "a"
	.globl kprobes_places_end
kprobes_places_end:
	.popsection

/* Never executed; a halt must not be single-stepped. */
SYM_FUNC_START(kprobes_place_halt)
	hlt
	RET
SYM_FUNC_END(kprobes_place_halt)
	STACK_FRAME_NON_STANDARD kprobes_place_halt

/* Never executed; a post_handler cannot run after SWAPGS. */
SYM_FUNC_START(kprobes_place_swapgs)
	swapgs
	RET
SYM_FUNC_END(kprobes_place_swapgs)
	STACK_FRAME_NON_STANDARD kprobes_place_swapgs

SYM_FUNC_START(kprobes_place_nokprobe)
	nop
	RET
SYM_FUNC_END(kprobes_place_nokprobe)
_ASM_NOKPROBE(kprobes_place_nokprobe)

	.pushsection .noinstr.text, "ax"
SYM_FUNC_START(kprobes_place_noinstr)
	nop
	RET
SYM_FUNC_END(kprobes_place_noinstr)
	.popsection

SYM_FUNC_START(kprobes_place_landing)
	ANNOTATE_NOENDBR
	nop
.Lendbr_inside:
	.byte	0xf3, 0x0f, 0x1e, 0xfa
	RET
SYM_FUNC_END(kprobes_place_landing)

	.pushsection .rodata, "a"
	.balign 8
	.globl kprobes_place_landing_inside
kprobes_place_landing_inside:
	.quad	.Lendbr_inside
	.popsection
