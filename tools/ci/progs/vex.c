// SPDX-License-Identifier: GPL-2.0
/*
 * Execute two VEX instructions whose opcodes mean something else without VEX, and print
 * their results, which a probe on them must not change.  Opcode c2 is VCMPPS, or RET
 * without VEX; opcode c6 is VSHUFPS, or MOV without VEX.  Each instruction has a symbol.
 * Another symbol marks a PCMPEQB with REX2, whose opcode is JZ without REX2; it is not
 * executed.  With an argument, wait for a signal.
 */
#include <stdio.h>
#include <unistd.h>

asm(".globl rex2_cmp\nrex2_cmp: .byte 0xd5, 0x80, 0x74, 0xc1\n");

static const float a[4] = { 1, 2, 3, 4 }, b[4] = { 1, 0, 3, 0 };

int main(int argc, char **argv)
{
	unsigned int equal[4];
	float mixed[4];
	int i;

	if (argc > 1)
		return pause();
	if (!__builtin_cpu_supports("avx")) {
		puts("no AVX");
		return 0;
	}
	for (i = 0; i < 3; i++) {
		asm volatile("vmovups %2, %%xmm0\n"
			     "vmovups %3, %%xmm1\n"
			     ".globl vex_cmp\n"
			     "vex_cmp: vcmpps $0, %%xmm1, %%xmm0, %%xmm2\n"
			     ".globl vex_shuf\n"
			     "vex_shuf: vshufps $0x1b, %%xmm0, %%xmm0, %%xmm3\n"
			     "vmovups %%xmm2, %0\n"
			     "vmovups %%xmm3, %1\n"
			     : "=m" (equal), "=m" (mixed)
			     : "m" (a), "m" (b)
			     : "xmm0", "xmm1", "xmm2", "xmm3");
	}
	printf("%d%d%d%d %g%g%g%g\n", !!equal[0], !!equal[1], !!equal[2], !!equal[3],
	       mixed[0], mixed[1], mixed[2], mixed[3]);
	return 0;
}
