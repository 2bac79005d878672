/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sites with instructions that kprobes emulates.
 */

#include "site_macros.S"

/* Emulated after a breakpoint, copied to a detour. */
#define SIMPLE		(SITE_EMULATED | SITE_JUMP)
/* Emulated after a breakpoint, copied to a detour with another encoding. */
#define BRANCH		(SITE_EMULATED | SITE_JUMP)
#define CALL		(SITE_EMULATED | SITE_JUMP | SITE_CALL)
/* Only emulated, for example a call within the function. */
#define ONLY		SITE_EMULATED
#define INDIRECT	(SITE_EMULATED | SITE_INDIRECT)
/* Like SIMPLE, with an annotation for objtool. */
#define RETURN		(SITE_EMULATED | SITE_INDIRECT | SITE_JUMP)
/* Branches through memory: kprobes single-steps a "push" and emulates the rest. */
#define MEMORY		(SITE_STEPPED | SITE_INDIRECT)

SITES_BEGIN kprobes_sites

SITE SIMPLE, INIT_WILD, "nop"
SITE SIMPLE, INIT_WILD, ".byte 0x66, 0x90"
SITE SIMPLE, INIT_WILD, ".byte 0x48, 0x90"
SITE SIMPLE, INIT_WILD, "nopl (%rax)"
SITE SIMPLE, INIT_WILD, "nopl 0x8(%rax, %rax)"
SITE SIMPLE, INIT_WILD, "nopw 0x12345678(%rax, %rax)"
SITE SIMPLE, INIT_WILD, ".byte 0x66, 0x66, 0x2e, 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0"

SITE BRANCH, INIT_WILD, "jmp 7f"
SITE BRANCH, INIT_WILD, "jmp 7b"
SITE BRANCH, INIT_WILD, ".byte 0xe9; .long 7f - . - 4"
SITE BRANCH, INIT_WILD, ".byte 0xe9; .long 7b - . - 4"

.irp cc, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
SITE BRANCH, INIT_WILD, ".byte 0x70 + \cc; .byte 7f - . - 1"
SITE BRANCH, INIT_WILD, ".byte 0x70 + \cc; .byte 7b - . - 1"
SITE BRANCH, INIT_WILD, ".byte 0x0f, 0x80 + \cc; .long 7f - . - 4"
SITE BRANCH, INIT_WILD, ".byte 0x0f, 0x80 + \cc; .long 7b - . - 4"
.endr

.irp insn, loop, loope, loopne, jrcxz
SITE ONLY, INIT_WILD, "\insn 7f"
SITE ONLY, INIT_CX, "\insn 7f"
SITE ONLY, INIT_CX, "\insn 7b"
SITE ONLY, INIT_CX32, "\insn 7f"
SITE ONLY, INIT_CX32, ".byte 0x67; \insn 7f"
SITE ONLY, INIT_CX, ".byte 0x67; \insn 7b"
.endr

SITE CALL, INIT_WILD, "call 7f"
SITE ONLY, INIT_WILD, "call 7b"

.irp reg, 0, 1, 2, 3, 5, 6, 7
SITE INDIRECT, INIT_TO_REG(\reg), ".byte 0xff, 0xe0 + \reg"
SITE INDIRECT, INIT_TO_REG(\reg), ".byte 0xff, 0xd0 + \reg"
.endr
.irp reg, 8, 9, 10, 11, 12, 13, 14, 15
SITE INDIRECT, INIT_TO_REG(\reg), "jmp *%r\reg"
SITE INDIRECT, INIT_TO_REG(\reg), "call *%r\reg"
.endr

SITE RETURN, INIT_TO_STACK, "ret"
SITE RETURN, INIT_TO_STACK, "rep ret"
SITE RETURN, INIT_TO_STACK, "ret $0"
SITE RETURN, INIT_TO_STACK, "ret $24"
SITE ONLY, INIT_TO_STACK, "lretq"
SITE ONLY, INIT_TO_STACK, "lretq $16"
SITE ONLY, INIT_IRET, "iretq"

.irp reg, rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi, r8, r9, r10, r11, r12, r13, r14, r15
SITE SIMPLE, INIT_WILD, "pushq %\reg"
.endr
.irp reg, rax, rcx, rdx, rbx, rbp, rsi, rdi, r8, r9, r10, r11, r12, r13, r14, r15
SITE SIMPLE, INIT_WILD, "popq %\reg"
.endr
SITE SIMPLE, INIT_SP, "popq %rsp"
SITE SIMPLE, INIT_WILD, "pushq $0x12"
SITE SIMPLE, INIT_WILD, "pushq $-0x12"
SITE SIMPLE, INIT_WILD, "pushq $0x12345678"
SITE SIMPLE, INIT_WILD, "pushq $-0x12345678"
SITE SIMPLE, INIT_BP, "leave"
SITE SIMPLE, INIT_WILD, "pushfq"
SITE SIMPLE, INIT_FLAGS, "popfq"

SITE SIMPLE, INIT_WILD, "cli"
SITE SIMPLE, INIT_WILD, "sti"
SITE SIMPLE, INIT_WILD, "clc"
SITE SIMPLE, INIT_WILD, "stc"
SITE SIMPLE, INIT_WILD, "cld"
SITE SIMPLE, INIT_WILD, "std"

.irp insn, jmp, call
SITE MEMORY, INIT_MEM | INIT_TO_MEM, "\insn *(%rbx)"
SITE MEMORY, INIT_MEM | INIT_TO_MEM, "\insn *8(%rsi)"
SITE MEMORY, INIT_MEM | INIT_TO_MEM, "\insn *-8(%rdi)"
SITE MEMORY, INIT_MEM | INIT_TO_MEM, "\insn *0x88 - 0x40(%rbx)"
SITE MEMORY, INIT_MEM | INIT_TO_MEM, "\insn *(%r12)"
SITE MEMORY, INIT_MEM | INIT_TO_MEM, "\insn *(%r13)"
SITE MEMORY, INIT_MEM | INIT_TO_MEM, "\insn *16(%r13)"
SITE MEMORY, INIT_MEM | INIT_TO_MEM | INIT_CX, "\insn *(%rbx, %rcx, 8)"
SITE MEMORY, INIT_MEM | INIT_TO_MEM | INIT_CX, "\insn *8(%r13, %rcx, 8)"
SITE MEMORY, INIT_MEM | INIT_TO_MEM | INIT_CX, "\insn *kprobes_site_mem(, %rcx, 8)"
SITE MEMORY, INIT_MEM | INIT_TO_MEM, "\insn *kprobes_site_mem"
SITE MEMORY, INIT_MEM | INIT_TO_MEM, "\insn *(%rsp)"
SITE MEMORY, INIT_MEM | INIT_TO_MEM, "\insn *8(%rsp)"
SITE MEMORY, INIT_MEM | INIT_TO_MEM | INIT_CX, "\insn *8(%rsp, %rcx, 8)"
SITE MEMORY, INIT_MEM | INIT_TO_MEM, "\insn *(%rbp)"
SITE MEMORY, INIT_TO_MEM, "\insn *kprobes_site_mem + 32(%rip)"
SITE MEMORY, INIT_TO_MEM, "\insn *%gs:kprobes_site_percpu(%rip)"
.endr

SITES_END kprobes_sites
