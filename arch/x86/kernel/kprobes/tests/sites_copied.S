/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sites with instructions that kprobes executes from a copy.
 */

#include "site_macros.S"

#define COPY		SITE_JUMP
/* The slot has no room for a jump back after the copy. */
#define LONG		(SITE_STEPPED | SITE_JUMP)
#define MANY		(SITE_MANY | SITE_JUMP)

SITES_BEGIN kprobes_sites_copied

/* Operands of all sizes. */
.irp insn, add, or, adc, sbb, and, sub, xor, cmp
SITE COPY, INIT_WILD, "\insn\()q %rdx, %rax"
SITE COPY, INIT_WILD, "\insn\()l %r9d, %ebx"
SITE COPY, INIT_WILD, "\insn\()w %dx, %r10w"
SITE COPY, INIT_WILD, "\insn\()b %dh, %al"
SITE COPY, INIT_MEM, "\insn\()q %rax, 8(%rbx)"
SITE COPY, INIT_MEM, "\insn\()l (%rsi), %edx"
SITE COPY, INIT_MEM, "\insn\()b $-3, 5(%rdi)"
SITE LONG, INIT_WILD, "\insn\()q $-0x12345678, kprobes_site_mem + 16(%rip)"
.endr

/* Operands relative to RIP, with and without an immediate after the displacement. */
SITE COPY, INIT_WILD, "movq kprobes_site_mem(%rip), %rax"
SITE COPY, INIT_WILD, "movq %r11, kprobes_site_mem + 8(%rip)"
SITE COPY, INIT_WILD, "movl $0x12345678, kprobes_site_mem + 20(%rip)"
SITE LONG, INIT_WILD, "movq $-0x12345678, kprobes_site_mem + 24(%rip)"
SITE COPY, INIT_WILD, "movw $0x1234, kprobes_site_mem + 34(%rip)"
SITE COPY, INIT_WILD, "movb $0x12, kprobes_site_mem + 41(%rip)"
SITE COPY, INIT_WILD, "addl $5, kprobes_site_mem + 44(%rip)"
SITE COPY, INIT_WILD, "testl $0x1000, kprobes_site_mem + 52(%rip)"
SITE COPY, INIT_WILD, "testb $0x80, kprobes_site_mem + 53(%rip)"
SITE COPY, INIT_WILD, "cmpw $0x1000, kprobes_site_mem + 56(%rip)"
SITE LONG, INIT_WILD, "imulq $0x12345, kprobes_site_mem + 64(%rip), %rdx"
SITE COPY, INIT_WILD, "shldq $13, %rdx, kprobes_site_mem + 72(%rip)"
SITE COPY, INIT_WILD, "btsl $7, kprobes_site_mem + 80(%rip)"
SITE COPY, INIT_WILD, "notq kprobes_site_mem + 88(%rip)"
SITE COPY, INIT_WILD, "pushq kprobes_site_mem + 96(%rip)"
SITE COPY, INIT_WILD, "popq kprobes_site_mem + 96(%rip)"
SITE COPY, INIT_WILD, "leaq kprobes_site_mem + 3(%rip), %r12"
SITE COPY, INIT_WILD, "leaq 7f(%rip), %rdi"
SITE COPY, INIT_WILD, "movzbl 7b + 1(%rip), %ecx"
SITE COPY, INIT_WILD, "incl %gs:kprobes_site_percpu(%rip)"
SITE COPY, INIT_WILD, "movq %gs:kprobes_site_percpu(%rip), %r8"
SITE COPY, INIT_WILD, "xchgq %rax, kprobes_site_mem(%rip)"
SITE COPY, INIT_WILD, "lock xaddq %rdx, kprobes_site_mem(%rip)"

SITE COPY, INIT_WILD, "movq %rsp, %rax"
SITE COPY, INIT_WILD, "movl $0x12345678, %r14d"
SITE COPY, INIT_WILD, "movq $-2, %r13"
SITE COPY, INIT_WILD, "movabsq $0x123456789abcdef0, %rsi"
SITE COPY, INIT_WILD, "movw $0x1234, %bx"
SITE COPY, INIT_WILD, "movb $0x12, %ah"
SITE COPY, INIT_WILD, "movb %sil, %r8b"
SITE COPY, INIT_WILD, "leaq 0x12345678(%rax, %rdx, 8), %rcx"
SITE COPY, INIT_WILD, "leal -1(%r12, %r12), %r13d"
SITE COPY, INIT_UNWRITTEN, "leaq -8(%rsp), %rsp"
SITE COPY, INIT_WILD, "addq $16, %rsp"
SITE COPY, INIT_UNWRITTEN, "subq $0x100, %rsp"
SITE COPY, INIT_BP, "movq %rbp, %rsp"
SITE COPY, INIT_MEM, "movq 8(%rsp), %r9"
SITE COPY, INIT_MEM, "movq %r9, 16(%rsp)"
SITE COPY, INIT_MEM | INIT_CX, "movl -4(%rbx, %rcx, 4), %eax"
SITE COPY, INIT_MEM | INIT_CX, "movw %ax, 2(%r13, %rcx, 2)"
SITE COPY, INIT_MEM | INIT_CX, "movb kprobes_site_mem(, %rcx, 8), %al"
SITE COPY, INIT_CX32, ".byte 0x67; leal (%rcx, %rdx), %eax"

SITE COPY, INIT_WILD, "incq %rax"
SITE COPY, INIT_WILD, "decw %dx"
SITE COPY, INIT_WILD, "negl %ecx"
SITE COPY, INIT_WILD, "notb %bl"
SITE COPY, INIT_WILD, "cmc"
SITE COPY, INIT_WILD, "lahf"
SITE COPY, INIT_WILD, "sahf"
SITE COPY, INIT_WILD, "cltq"
SITE COPY, INIT_WILD, "cqto"
SITE COPY, INIT_WILD, "cwtd"
SITE COPY, INIT_WILD, "bswapq %r11"
SITE COPY, INIT_WILD, "pause"
SITE COPY, INIT_WILD, "xchgq %rax, %r8"
SITE COPY, INIT_WILD, "xchgl %edx, %ecx"
SITE COPY, INIT_WILD, "testq %rax, %rax"
SITE COPY, INIT_WILD, "mfence"
SITE COPY, INIT_WILD, "prefetcht0 (%rsp)"

.irp insn, shl, shr, sar, rol, ror, rcl, rcr
SITE COPY, INIT_WILD, "\insn\()q $13, %rax"
SITE COPY, INIT_WILD, "\insn\()l %cl, %edx"
SITE COPY, INIT_WILD, "\insn\()w %bx"
SITE COPY, INIT_MEM | INIT_CX, "\insn\()b %cl, 3(%rsi)"
.endr
SITE COPY, INIT_WILD, "shrdl %cl, %edx, %eax"
SITE COPY, INIT_WILD, "btcq $33, %rax"
SITE COPY, INIT_WILD, "btl %edx, %eax"
SITE COPY, INIT_WILD, "bsfq %rdx, %rax"
SITE COPY, INIT_WILD, "bsrl %edx, %eax"
SITE COPY, INIT_WILD, "popcntq %rdx, %rax"
SITE COPY, INIT_MEM, "popcntl (%rbx), %eax"

SITE COPY, INIT_WILD, "mulq %rdx"
SITE COPY, INIT_WILD, "mull %ecx"
SITE COPY, INIT_WILD, "mulb %dl"
SITE COPY, INIT_WILD, "imulw %dx"
SITE COPY, INIT_WILD, "imulq %rbx, %rdx"
SITE COPY, INIT_WILD, "imull $7, %ebx, %edx"
SITE COPY, INIT_DIV, "divq %rcx"
SITE COPY, INIT_DIV, "divl %ecx"
SITE COPY, INIT_DIV, "divw %cx"
SITE COPY, INIT_DIV, "divb %cl"
SITE COPY, INIT_DIV, "idivq %rcx"
SITE COPY, INIT_DIV, "idivl %ecx"

SITE COPY, INIT_MEM, "xchgq %rdx, (%rbx)"
SITE COPY, INIT_MEM, "xchgb %dl, 1(%rbx)"
SITE COPY, INIT_MEM | INIT_EQUAL, "cmpxchgq %rcx, (%rbx)"
SITE COPY, INIT_MEM | INIT_EQUAL, "lock cmpxchgq %r9, (%rbx)"
SITE COPY, INIT_MEM | INIT_EQUAL, "lock cmpxchgb %r9b, (%rbx)"
SITE COPY, INIT_MEM | INIT_EQUAL, "lock cmpxchg8b (%rbx)"
SITE COPY, INIT_EQUAL, "lock cmpxchgl %ecx, kprobes_site_mem + 96(%rip)"
SITE COPY, INIT_MEM, "lock incl (%rsi)"
SITE COPY, INIT_MEM, "lock orb $4, 3(%rsi)"

.irp cc, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
SITE COPY, INIT_WILD, ".byte 0x0f, 0x90 + \cc, 0xc2"
SITE COPY, INIT_WILD, ".byte 0x48, 0x0f, 0x40 + \cc, 0xc2"
.endr
SITE COPY, INIT_MEM, "setne 3(%rbx)"
SITE COPY, INIT_MEM, "cmoveq (%rbx), %rdx"
SITE COPY, INIT_WILD, "cmovncl kprobes_site_mem + 4(%rip), %edx"

SITE COPY, INIT_WILD, "movzbl %dh, %eax"
SITE COPY, INIT_WILD, "movzwl %dx, %eax"
SITE COPY, INIT_WILD, "movsbq %dl, %rax"
SITE COPY, INIT_WILD, "movswl %dx, %eax"
SITE COPY, INIT_WILD, "movslq %edx, %rax"
SITE COPY, INIT_MEM, "movzwl 2(%rbx), %eax"
SITE COPY, INIT_MEM, "movsbl (%rdi), %eax"

/* String instructions, in both directions. */
.irp size, b, w, l, q
SITE COPY, INIT_MEM, "movs\size"
SITE COPY, INIT_MEM, "stos\size"
SITE COPY, INIT_MEM, "lods\size"
SITE COPY, INIT_MEM, "scas\size"
SITE COPY, INIT_MEM, "cmps\size"
SITE COPY, INIT_MEM | INIT_CX, "rep movs\size"
SITE COPY, INIT_MEM | INIT_CX, "rep stos\size"
SITE COPY, INIT_MEM | INIT_CX | INIT_EQUAL, "repne scas\size"
SITE COPY, INIT_MEM | INIT_CX | INIT_EQUAL, "repe cmps\size"
.endr

/* Stack instructions that kprobes does not emulate. */
SITE COPY, INIT_WILD, "pushw %dx"
SITE COPY, INIT_WILD, "popw %dx"
SITE COPY, INIT_WILD, "pushw $0x1234"
SITE COPY, INIT_MEM, "pushq 8(%rsp)"
SITE COPY, INIT_MEM, "popq 8(%rsp)"
SITE COPY, INIT_MEM, "popq (%rbx)"
SITE COPY, INIT_WILD, "pushq %fs"
SITE COPY, INIT_WILD, "enter $32, $0"
SITE COPY, INIT_BP, "enter $16, $1"
SITE COPY, INIT_BP, "enter $16, $3"
SITE COPY, INIT_SP, "xchgq (%rsp), %rsp"

.macro STORE_SIB	/* movq $0x12345678, 8(%rbx, %rcx, 8) */
	.byte 0x48, 0xc7, 0x84, 0xcb, 8, 0, 0, 0, 0x78, 0x56, 0x34, 0x12
.endm
.macro STORE_RIP	/* movq $0x12345678, kprobes_site_mem + 8(%rip) */
	.byte 0x48, 0xc7, 0x05
	.long kprobes_site_mem + 8 - . - 8, 0x12345678
.endm

/* Long instructions.  After 14 bytes, a slot has room for only a breakpoint. */
SITE COPY, INIT_MEM, "movq $-0x12345678, 0x12345678 - 0x12345670(%rbx)"
SITE LONG, INIT_MEM, ".byte 0x48, 0xc7, 0x83, 8, 0, 0, 0, 0x78, 0x56, 0x34, 0x12"
SITE LONG, INIT_MEM | INIT_CX, "STORE_SIB"
SITE LONG, INIT_WILD, "movq $0x12345678, %gs:kprobes_site_percpu(%rip)"
SITE LONG, INIT_MEM | INIT_CX, ".byte 0x3e; STORE_SIB"
SITE LONG, INIT_MEM | INIT_CX, ".byte 0x3e, 0x3e; STORE_SIB"
SITE LONG, INIT_WILD, ".byte 0x3e, 0x3e, 0x3e; STORE_RIP"

SITE COPY, INIT_CPUID, "cpuid"
SITE COPY, INIT_NO_DATA, "rdtsc"

/* Vector instructions. */
SITE COPY, INIT_FPU, "movups kprobes_site_mem + 8(%rip), %xmm0"
SITE COPY, INIT_FPU, "movups %xmm1, kprobes_site_mem + 16(%rip)"
SITE COPY, INIT_FPU, "paddd %xmm1, %xmm2"
SITE COPY, INIT_FPU, "pxor kprobes_site_mem + 32(%rip), %xmm3"
SITE COPY, INIT_FPU, "pshufd $0x1b, kprobes_site_mem + 16(%rip), %xmm1"
SITE COPY, INIT_FPU, "movq %xmm2, %rax"
SITE COPY, INIT_FPU, "pextrw $3, %xmm1, %ecx"
SITE COPY, INIT_FPU, "ucomisd %xmm0, %xmm1"
SITE COPY, INIT_FPU | INIT_MEM, "movdqu %xmm0, 8(%rbx)"
SITE COPY, INIT_FPU | INIT_AVX, "vmovdqu kprobes_site_mem + 8(%rip), %ymm0"
SITE COPY, INIT_FPU | INIT_AVX, "vmovdqu %ymm1, kprobes_site_mem + 40(%rip)"
SITE COPY, INIT_FPU | INIT_AVX, "vpxor kprobes_site_mem(%rip), %xmm1, %xmm2"
SITE COPY, INIT_FPU | INIT_AVX, "vxorps kprobes_site_mem(%rip), %ymm1, %ymm2"
SITE COPY, INIT_FPU | INIT_AVX, "vinsertf128 $1, kprobes_site_mem + 8(%rip), %ymm1, %ymm3"
SITE COPY, INIT_FPU | INIT_AVX, "vshufps $0x4e, kprobes_site_mem(%rip), %ymm1, %ymm2"
SITE COPY, INIT_FPU | INIT_AVX | INIT_MEM, "vmovups -16(%r13), %ymm1"
SITE COPY, INIT_FPU | INIT_AVX, "vzeroupper"

/* Several instructions in a region, with operands at various offsets in the detour. */
SITE MANY, INIT_WILD, "movq %rax, %rdx; movl $0x12345678, kprobes_site_mem + 20(%rip)"
SITE MANY, INIT_WILD, "nop; leaq kprobes_site_mem(%rip), %rsi"
SITE MANY, INIT_WILD, "nop; nop; addb $3, kprobes_site_mem + 9(%rip)"
SITE MANY, INIT_WILD, "cmc; cmc; cmc; cmc; incl %gs:kprobes_site_percpu(%rip)"
SITE MANY, INIT_WILD, "pushq %rax; pushfq; popq %rdx; popq %rcx; stc"
SITE MANY, INIT_WILD, "stc; cld; cmc; lahf; sbbq %rdx, %rdx"
SITE MANY, INIT_MEM, "lodsb; stosb; lodsb; stosb; lodsb"
SITE MANY, INIT_MEM | INIT_CX, "std; rep stosb; cld; nop"
SITE MANY, INIT_BP, "nop; leave; popq %rdx; nop; nop"
SITE MANY, INIT_WILD, "cli; nop; nop; sti; nop"
SITE MANY, INIT_FLAGS, "popfq; pushfq; popfq; nop; nop"
SITE MANY, INIT_FPU | INIT_AVX, "nop; vxorps kprobes_site_mem + 8(%rip), %ymm1, %ymm2"

SITES_END kprobes_sites_copied
