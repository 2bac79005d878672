/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Macros for tables of sites.
 *
 *	SITES_BEGIN table
 *	SITE kind, init, "instruction"
 *	SITES_END table
 *
 * An instruction may branch to "7f" and "7b".  For SITE_JUMP without SITE_MANY, SITE emits
 * the instruction in two functions.  In the second function, the probe keeps its breakpoint.
 */

#include <linux/linkage.h>
#include <linux/objtool.h>

#include <asm/ibt.h>
#include <asm/nospec-branch.h>

#include "sites.h"

.macro SITES_BEGIN table:req
	.pushsection .rodata.kprobes_sites, "a"
	.balign 8
	.globl \table
\table:
	.popsection
	.text
.endm

.macro SITES_END table:req
	.pushsection .rodata.kprobes_sites, "a"
	.globl \table\()_end
\table\()_end:
	.popsection
.endm

.macro SITE_FUNCTION name:req kind:req init:req insn:req
SYM_FUNC_START_LOCAL(\name)
	/* Even without ENDBR, the label below must not be the start of the function. */
	nop
.Lback_\name:
7:	ENDBR
	jmp	kprobes_site_exit_back
	.if (\kind) & SITE_INT3
	/* Never executed; the check for branches finds XBEGIN and forbids the jump. */
	.byte	0xc7, 0xf8, 0, 0, 0, 0
	.endif
.Lat_\name:
	ANNOTATE_NOENDBR
	.if (\kind) & SITE_INDIRECT
	ANNOTATE_RETPOLINE_SAFE
	.endif
	\insn
.Lend_\name:
	ANNOTATE_NOENDBR
	nop
	nop
	nop
	nop
	jmp	kprobes_site_exit_next
	.if (\kind) & SITE_CALL
SYM_FUNC_END(\name)
	STACK_FRAME_NON_STANDARD \name
SYM_FUNC_START_LOCAL(\name\()_ahead)
	.endif
.Lahead_\name:
7:	ENDBR
	jmp	kprobes_site_exit_ahead
	.if (\kind) & SITE_CALL
SYM_FUNC_END(\name\()_ahead)
	STACK_FRAME_NON_STANDARD \name\()_ahead
	.else
SYM_FUNC_END(\name)
	STACK_FRAME_NON_STANDARD \name
	.endif

	.pushsection .rodata.kprobes_site_names, "a"
.Lname_\name:
	.asciz "\insn"
	.popsection

	.pushsection .rodata.kprobes_sites, "a"
	.quad	.Lat_\name, .Lend_\name, .Lahead_\name, .Lback_\name, .Lname_\name
	.long	\kind
	.long	\init
	.popsection
.endm

.macro SITE kind:req init:req insn:req
	SITE_FUNCTION kprobes_site_\@, \kind, \init, "\insn"
	.if ((\kind) & (SITE_JUMP | SITE_MANY)) == SITE_JUMP
	SITE_FUNCTION kprobes_site_int3_\@, ((\kind) | SITE_INT3), \init, "\insn"
	.endif
.endm
