// SPDX-License-Identifier: GPL-2.0
/*
 * Golden cases: bytes, and the parts of the instruction.
 *
 * The bytes are in hexadecimal with a letter in front of each part:
 *
 *	E  marker for emulation		M  ModRM
 *	P  legacy prefixes		S  SIB
 *	R  REX or REX2			D  displacement
 *	V  VEX, XOP or EVEX		I  immediate
 *	O  opcode			J  second immediate
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/bits.h>

#include <kselftest.h>

#include "decoder.h"

#define M16	BIT(MODE_16)
#define M32	BIT(MODE_32)
#define M64	BIT(MODE_64)
#define LEGACY	(M16 | M32)
#define ALL	(M16 | M32 | M64)

struct golden {
	unsigned int	modes;
	const char	*name;
	const char	*parts;		/* for errors, bytes without letters */
	int		err;
	unsigned int	opnd, addr;	/* sizes in bytes, 0 for any */
	unsigned int	prefix;		/* prefixes.bytes[3] */
};

#define YES(modes, name, parts, ...)	{ modes, name, parts, 0, __VA_ARGS__ }
#define NO(modes, name, bytes)		{ modes, name, bytes, -EINVAL }
#define MORE(modes, name, bytes)	{ modes, name, bytes, -ENODATA }

static const struct golden golden[] = {
	/* One-byte opcodes. */
	YES(ALL, "nop", "O 90"),
	YES(ALL, "add Eb,Gb", "O 00 M c0"),
	YES(M64, "add Ev,Gv", "O 01 M d8", .opnd = 4, .addr = 8),
	YES(M32, "add Ev,Gv", "O 01 M d8", .opnd = 4, .addr = 4),
	YES(M16, "add Ev,Gv", "O 01 M d8", .opnd = 2, .addr = 2),
	YES(ALL, "add al,Ib", "O 04 I 80"),
	YES(M32 | M64, "add eax,Iz", "O 05 I 78 56 34 82", .opnd = 4),
	YES(M16, "add ax,Iz", "O 05 I 78 86", .opnd = 2),
	YES(M32 | M64, "66 add ax,Iz", "P 66 O 05 I 78 86", .opnd = 2, .prefix = 0x66),
	YES(M16, "66 add eax,Iz", "P 66 O 05 I 78 56 34 82", .opnd = 4, .prefix = 0x66),
	YES(M64, "REX.W add rax,Iz", "R 48 O 05 I 78 56 34 82", .opnd = 8),
	YES(M64, "66 REX.W add rax,Iz", "P 66 R 48 O 05 I 78 56 34 82", .opnd = 8),
	YES(M32 | M64, "grp1 Ev,Iz", "O 81 M c3 I 01 02 03 04"),
	YES(ALL, "grp1 Ev,Ib", "O 83 M c3 I ff"),
	YES(LEGACY, "grp1 Eb,Ib, opcode 82", "O 82 M c3 I ff"),
	NO(M64, "grp1 Eb,Ib, opcode 82", "82 c3 ff"),
	YES(LEGACY, "push es", "O 06"),
	YES(LEGACY, "pop es", "O 07"),
	YES(LEGACY, "daa", "O 27"),
	YES(LEGACY, "das", "O 2f"),
	YES(LEGACY, "aaa", "O 37"),
	YES(LEGACY, "aas", "O 3f"),
	YES(LEGACY, "aam Ib", "O d4 I 0a"),
	YES(LEGACY, "aad Ib", "O d5 I 0a"),
	YES(LEGACY, "into", "O ce"),
	YES(LEGACY, "pusha", "O 60"),
	YES(LEGACY, "popa", "O 61"),
	YES(LEGACY, "inc", "O 40"),
	YES(LEGACY, "dec", "O 4f"),
	YES(LEGACY, "salc", "O d6"),
	NO(M64, "push es", "06"),
	NO(M64, "pop es", "07"),
	NO(M64, "push cs", "0e"),
	NO(M64, "push ss", "16"),
	NO(M64, "pop ss", "17"),
	NO(M64, "push ds", "1e"),
	NO(M64, "pop ds", "1f"),
	NO(M64, "daa", "27"),
	NO(M64, "das", "2f"),
	NO(M64, "aaa", "37"),
	NO(M64, "aas", "3f"),
	NO(M64, "pusha", "60"),
	NO(M64, "popa", "61"),
	NO(M64, "aam Ib", "d4 0a"),
	NO(M64, "into", "ce"),
	YES(M64, "movsxd", "R 48 O 63 M c8", .opnd = 8),
	YES(LEGACY, "arpl", "O 63 M c8"),
	YES(ALL, "test Eb,Ib", "O f6 M c1 I 80"),
	YES(ALL, "test Eb,Ib /1", "O f6 M c9 I 80"),
	YES(ALL, "not Eb", "O f6 M d1"),
	YES(M32 | M64, "test Ev,Iz", "O f7 M c1 I 01 00 00 80"),
	YES(M32 | M64, "66 test Ev,Iz", "P 66 O f7 M c1 I 01 80"),
	YES(ALL, "div Ev", "O f7 M f1"),
	YES(ALL, "inc Eb", "O fe M c0"),
	YES(ALL, "dec Eb", "O fe M c8"),
	NO(ALL, "fe /2", "fe d0"),
	NO(ALL, "fe /7", "fe f8"),
	NO(ALL, "ff /7", "ff f8"),
	YES(ALL, "mov Eb,Ib", "O c6 M c0 I 12"),
	NO(ALL, "c6 /1", "c6 c8 12"),
	YES(M32 | M64, "mov Ev,Iz", "O c7 M c0 I 12 34 56 78"),
	NO(ALL, "c7 /1", "c7 c8 12 34 56 78"),
	YES(ALL, "xabort", "O c6 M f8 I 12"),
	NO(ALL, "xabort of memory", "c6 38 12"),
	YES(M32 | M64, "xbegin", "O c7 M f8 I 12 34 56 78"),
	YES(M32, "66 xbegin", "P 66 O c7 M f8 I 12 34"),
	YES(ALL, "shift by Ib", "O c1 M e0 I 1f"),
	YES(ALL, "shift by 1", "O d1 M e0"),
	YES(ALL, "sal", "O d1 M f0"),
	YES(ALL, "in al,Ib", "O e4 I 60"),
	YES(ALL, "in al,dx", "O ec"),
	YES(ALL, "int", "O cd I 80"),
	YES(ALL, "int3", "O cc"),
	YES(ALL, "int1", "O f1"),
	YES(ALL, "ret Iw", "O c2 I 08 80"),
	YES(ALL, "ret", "O c3"),
	YES(ALL, "retf Iw", "O ca I 08 80"),
	YES(ALL, "enter", "O c8 I 10 80 J 81"),
	YES(ALL, "leave", "O c9"),
	YES(M32 | M64, "push Iz", "O 68 I 01 02 03 84"),
	YES(M32 | M64, "66 push Iz", "P 66 O 68 I 01 82", .opnd = 2),
	YES(ALL, "push Ib", "O 6a I fe"),
	YES(M64, "push in 64 bit mode", "O 50", .opnd = 8),
	YES(M64, "66 push", "P 66 O 50", .opnd = 2),
	YES(M32, "push", "O 50", .opnd = 4),
	YES(M32 | M64, "imul Gv,Ev,Iz", "O 69 M c0 I 01 02 03 84"),
	YES(ALL, "imul Gv,Ev,Ib", "O 6b M c0 I 84"),
	YES(ALL, "lea", "O 8d M 00"),
	NO(ALL, "lea of a register", "8d c0"),
	YES(ALL, "mov Ev,Sw", "O 8c M d8"),
	YES(ALL, "mov Sw,Ev", "O 8e M d8"),
	NO(ALL, "mov cs,Ev", "8e c8"),
	NO(ALL, "mov Ev,seg 6", "8c f0"),
	YES(ALL, "pop Ev", "O 8f M c0"),
	YES(ALL, "xlat", "O d7"),
	YES(ALL, "fwait", "O 9b"),
	YES(ALL, "f3 nop", "P f3 O 90", .prefix = 0xf3),
	YES(ALL, "rep movs", "P f3 O a4", .prefix = 0xf3),

	/* MOV with an immediate of the operand size, and with an address. */
	YES(M32 | M64, "mov eax,Iv", "O b8 I 78 56 34 82"),
	YES(M32 | M64, "66 mov ax,Iv", "P 66 O b8 I 78 86"),
	YES(M16, "mov ax,Iv", "O b8 I 78 86"),
	YES(M64, "mov rax,Iv", "R 48 O b8 I 88 77 66 55 J 44 33 22 91", .opnd = 8),
	YES(M64, "66 mov rax,Iv", "P 66 R 49 O bf I 88 77 66 85 J 44 33 22 11", .opnd = 8),
	YES(ALL, "mov al,Ib", "O b0 I ff"),
	YES(M64, "REX.W mov al,Ib", "R 48 O b0 I ff"),
	YES(M64, "mov al,Ob", "O a0 I 88 77 66 55 J 44 33 22 91", .addr = 8),
	YES(M64, "mov Ov,eax", "O a3 I 88 77 66 85 J 44 33 22 11", .addr = 8),
	YES(M64, "REX.W mov rax,Ov", "R 48 O a1 I 88 77 66 85 J 44 33 22 11"),
	YES(M64, "67 mov eax,Ov", "P 67 O a1 I 88 77 66 85", .addr = 4),
	YES(M64, "66 mov ax,Ov", "P 66 O a1 I 88 77 66 55 J 44 33 22 11"),
	YES(M32, "mov al,Ob", "O a0 I 88 77 66 85", .addr = 4),
	YES(M32, "67 mov al,Ob", "P 67 O a0 I 88 87", .addr = 2),
	YES(M16, "mov al,Ob", "O a0 I 88 87", .addr = 2),
	YES(M16, "67 mov al,Ob", "P 67 O a0 I 88 77 66 85", .addr = 4),

	/* Far pointers: the selector is unsigned. */
	YES(M32, "call far", "O 9a I 78 56 34 82 J 34 f2"),
	YES(M32, "66 call far", "P 66 O 9a I 34 82 J 34 f2"),
	YES(M32, "jmp far", "O ea I 78 56 34 12 J 34 12"),
	YES(M16, "jmp far", "O ea I 34 82 J 34 f2"),
	YES(M16, "66 jmp far", "P 66 O ea I 78 56 34 82 J 34 f2"),
	NO(M64, "call far", "9a 78 56 34 12 34 12"),
	NO(M64, "jmp far", "ea 78 56 34 12 34 12"),
	YES(ALL, "call far of memory", "O ff M 18"),
	NO(ALL, "call far of a register", "ff d8"),
	NO(ALL, "jmp far of a register", "ff e8"),

	/* Branches. 66 changes the size of Jz, except in 64-bit mode. */
	YES(ALL, "jz Jb", "O 74 I 80"),
	YES(ALL, "66 jz Jb", "P 66 O 74 I 80"),
	YES(M32 | M64, "call Jz", "O e8 I 01 02 03 84"),
	YES(M32, "66 call Jz", "P 66 O e8 I 01 82", .opnd = 2),
	YES(M64, "66 call Jz", "P 66 O e8 I 01 02 03 84", .opnd = 8),
	YES(M16, "call Jz", "O e8 I 01 82"),
	YES(M16, "66 call Jz", "P 66 O e8 I 01 02 03 84"),
	YES(M32, "66 jmp Jz", "P 66 O e9 I 01 82"),
	YES(M64, "66 jmp Jz", "P 66 O e9 I 01 02 03 84", .opnd = 8),
	YES(M64, "66 REX.W jmp Jz", "P 66 R 48 O e9 I 01 02 03 84", .opnd = 8),
	YES(M32 | M64, "jz Jz", "O 0f 84 I 01 02 03 84"),
	YES(M32, "66 jz Jz", "P 66 O 0f 84 I 01 82"),
	YES(M64, "66 jz Jz", "P 66 O 0f 84 I 01 02 03 84", .opnd = 8),
	YES(M16, "jz Jz", "O 0f 84 I 01 82"),
	YES(ALL, "bnd jmp", "P f2 O eb I 10", .prefix = 0xf2),
	YES(M64, "bnd call", "P f2 O e8 I 10 00 00 00", .prefix = 0xf2),
	YES(ALL, "jcxz", "O e3 I 10"),
	YES(ALL, "67 jecxz", "P 67 O e3 I 10"),
	YES(M64, "call Ev", "O ff M d0", .opnd = 8),
	YES(M64, "jmp Ev", "O ff M e0", .opnd = 8),
	YES(M64, "notrack jmp", "P 3e O ff M e0", .opnd = 8),
	YES(M64, "66 jmp Ev", "P 66 O ff M e0", .opnd = 8),
	YES(M32, "66 jmp Ev", "P 66 O ff M e0", .opnd = 2),

	/* ModRM with 32 and 64 bit addresses. */
	YES(M32 | M64, "[eax]", "O 8b M 00"),
	YES(M32 | M64, "[eax+8]", "O 8b M 40 D 80"),
	YES(M32 | M64, "[eax+32]", "O 8b M 80 D 01 02 03 84"),
	YES(M32 | M64, "[sib]", "O 8b M 04 S 08"),
	YES(M32 | M64, "[sib+8]", "O 8b M 44 S 08 D 80"),
	YES(M32 | M64, "[sib+32]", "O 8b M 84 S 08 D 01 02 03 84"),
	YES(M32 | M64, "[sib without base]", "O 8b M 04 S 0d D 01 02 03 84"),
	YES(M32 | M64, "[sib with ebp+8]", "O 8b M 44 S 0d D 7f"),
	YES(M32 | M64, "[sib with ebp+32]", "O 8b M 84 S 0d D 01 02 03 84"),
	YES(M32 | M64, "[esp]", "O 8b M 04 S 24"),
	YES(M32, "[32]", "O 8b M 05 D 01 02 03 84"),
	YES(M64, "[rip+32]", "O 8b M 05 D 01 02 03 84"),
	YES(M64, "[r13] with a displacement", "R 41 O 8b M 45 D 00"),
	YES(M64, "REX.B [rip+32]", "R 41 O 8b M 05 D 01 02 03 84"),
	YES(M64, "REX.B [r12]", "R 41 O 8b M 04 S 24"),
	YES(M64, "REX.B [sib without base]", "R 41 O 8b M 04 S 25 D 01 02 03 84"),
	YES(M64, "67 [eip+32]", "P 67 O 8b M 05 D 01 02 03 84", .addr = 4),
	YES(M64, "67 [sib]", "P 67 O 8b M 04 S 08", .addr = 4),
	YES(M32 | M64, "rip and immediate", "O 80 M 3d D 01 02 03 84 I 85"),
	YES(M32 | M64, "sib, displacement, immediate",
	    "O c7 M 84 S 24 D 10 00 00 80 I 01 02 03 84"),
	YES(M32 | M64, "register 4 has no sib", "O 8b M c4"),

	/* ModRM with 16 bit addresses. */
	YES(M16, "[bx+si]", "O 8b M 00", .addr = 2),
	YES(M16, "[si]: no sib", "O 8b M 04"),
	YES(M16, "[di]", "O 8b M 05"),
	YES(M16, "[16]", "O 8b M 06 D 01 82"),
	YES(M16, "[si+8]", "O 8b M 44 D 80"),
	YES(M16, "[bp+8]", "O 8b M 46 D 80"),
	YES(M16, "[bp+16]", "O 8b M 86 D 01 82"),
	YES(M16, "[si+16]", "O 8b M 84 D 01 82"),
	YES(M16, "register", "O 8b M c6"),
	YES(M16, "[16] and immediate", "O 81 M 06 D 01 82 I 03 84"),
	YES(M16, "67 [sib]", "P 67 O 8b M 04 S 08", .addr = 4),
	YES(M16, "67 [32]", "P 67 O 8b M 05 D 01 02 03 84"),
	YES(M16, "67 [esi]", "P 67 O 8b M 06"),
	YES(M16, "66 67 mov", "P 66 67 O c7 M 05 D 01 02 03 04 I 05 06 07 08",
	    .opnd = 4, .addr = 4),
	YES(M32, "67 [si]: no sib", "P 67 O 8b M 04", .addr = 2),
	YES(M32, "67 [16]", "P 67 O 8b M 06 D 01 82"),
	YES(M32, "67 [di]", "P 67 O 8b M 05"),
	YES(M32, "67 [bp+16]", "P 67 O 8b M 86 D 01 82"),

	/* Prefixes. */
	YES(M64, "REX", "R 48 O 89 M da", .opnd = 8),
	YES(M64, "REX before 66 is ignored", "P 48 66 O 89 M da", .opnd = 2, .prefix = 0x66),
	YES(M64, "REX before 2e is ignored", "P 48 2e O 89 M da", .opnd = 4, .prefix = 0x2e),
	YES(M64, "REX before REX is ignored", "P 48 R 41 O 89 M da", .opnd = 4),
	YES(M64, "REX.X before REX.W", "P 42 R 48 O 89 M da", .opnd = 8),
	YES(M64, "many REX", "P 48 49 4a 4b 4c R 40 O 89 M da", .opnd = 4),
	YES(M64, "REX 66 REX", "P 48 66 R 44 O 89 M da", .opnd = 2),
	YES(M64, "ignored REX.W and Iz", "P 48 66 O 05 I 01 82", .opnd = 2),
	YES(M64, "ignored REX.W and Iv", "P 48 2e O b8 I 01 02 03 84", .opnd = 4),
	YES(M64, "REX f3 0f", "P 48 f3 O 0f 10 M c1", .prefix = 0xf3),
	YES(LEGACY, "inc is not REX", "O 48"),
	YES(ALL, "66 twice", "P 66 66 O 89 M da", .prefix = 0x66),
	YES(M32 | M64, "66 twice, size", "P 66 66 O 05 I 01 82", .opnd = 2),
	YES(M64, "67 twice, size", "P 67 67 O a1 I 01 02 03 84", .addr = 4),
	YES(ALL, "all prefixes",
	    "P 26 2e 36 3e 64 65 66 67 f0 f2 f3 O 00 M 07", .prefix = 0xf3),
	YES(M64, "all prefixes and REX",
	    "P f3 f2 f0 67 66 65 64 3e 36 2e 26 R 48 O 01 M 07", .opnd = 8, .prefix = 0xf2),
	YES(ALL, "five different prefixes", "P 2e 3e 26 64 65 O 89 M c8"),
	YES(ALL, "last of f2 and f3 is f3", "P f2 f3 O 0f 10 M c1", .prefix = 0xf3),
	YES(ALL, "last of f3 and f2 is f2", "P f3 f2 O 0f 10 M c1", .prefix = 0xf2),
	YES(ALL, "f2 f3 f2", "P f2 f3 f2 O 0f 10 M c1", .prefix = 0xf2),
	YES(ALL, "f3 before 66", "P f3 66 O 0f 10 M c1", .prefix = 0xf3),
	YES(ALL, "66 before f3", "P 66 f3 O 0f 10 M c1", .prefix = 0xf3),
	YES(ALL, "f2 before 66", "P f2 66 O 0f 38 f1 M c1", .prefix = 0xf2),
	YES(ALL, "66 before a segment", "P 66 3e O 0f 10 M 07", .prefix = 0x66),
	YES(ALL, "f3 before a segment", "P f3 64 O 0f 10 M 07", .prefix = 0xf3),
	YES(ALL, "lock", "P f0 O 01 M 07", .prefix = 0xf0),
	YES(M64, "66 REX.W", "P 66 R 48 O 81 M c0 I 01 02 03 84", .opnd = 8),
	YES(M64, "segment prefixes ignored in 64 bit mode", "P 2e 36 26 3e O 8b M 07"),

	/* Two-byte opcodes. */
	YES(ALL, "syscall", "O 0f 05"),
	YES(ALL, "ud2", "O 0f 0b"),
	YES(ALL, "ud1", "O 0f b9 M c0"),
	YES(M32 | M64, "ud1 of memory", "O 0f b9 M 40 D 10"),
	YES(M32 | M64, "ud0 has a ModRM", "O 0f ff M 04 S 24"),
	YES(ALL, "nop Ev", "O 0f 1f M 00"),
	YES(M32 | M64, "long nop", "P 66 2e O 0f 1f M 84 S 00 D 00 00 00 00"),
	YES(M32 | M64, "hint nop 0f 19", "O 0f 19 M 44 S 00 D 00"),
	YES(ALL, "hint nop 0f 1c", "O 0f 1c M c0"),
	YES(ALL, "hint nop 0f 1d", "O 0f 1d M c0"),
	YES(ALL, "hint nop 0f 1e", "O 0f 1e M c0"),
	YES(ALL, "hint nop 0f 18 /7", "O 0f 18 M f8"),
	YES(ALL, "endbr64", "P f3 O 0f 1e M fa", .prefix = 0xf3),
	YES(ALL, "endbr32", "P f3 O 0f 1e M fb"),
	YES(M64, "rdsspq", "P f3 R 48 O 0f 1e M c8"),
	YES(ALL, "prefetchw", "O 0f 0d M 08"),
	YES(ALL, "mov r,cr", "O 0f 20 M c3"),
	YES(ALL, "mov r,cr ignores mod", "O 0f 20 M 04"),
	YES(ALL, "mov r,dr ignores mod", "O 0f 21 M 6b"),
	YES(ALL, "mov cr,r ignores mod", "O 0f 22 M 44"),
	YES(ALL, "mov dr,r ignores mod", "O 0f 23 M 85"),
	NO(ALL, "mov tr is invalid", "0f 24 c0"),
	NO(ALL, "0f 04", "0f 04"),
	NO(ALL, "0f 0a", "0f 0a"),
	NO(ALL, "0f 0c", "0f 0c"),
	NO(ALL, "0f 36", "0f 36"),
	NO(ALL, "0f 39", "0f 39 c0"),
	NO(ALL, "0f 3b", "0f 3b c0"),
	NO(ALL, "0f 7a", "0f 7a c0"),
	YES(ALL, "cmov", "O 0f 44 M c1"),
	YES(ALL, "setz", "O 0f 94 M c0"),
	YES(ALL, "setz /7", "O 0f 94 M f8"),
	YES(ALL, "shld Ib", "O 0f a4 M c1 I 05"),
	YES(ALL, "shld cl", "O 0f a5 M c1"),
	YES(ALL, "shrd Ib", "O 0f ac M c1 I 05"),
	YES(ALL, "bt Ib", "O 0f ba M e0 I 05"),
	NO(ALL, "0f ba /0", "0f ba c0 05"),
	YES(ALL, "movzx", "O 0f b6 M c1"),
	YES(ALL, "popcnt", "P f3 O 0f b8 M c1"),
	NO(LEGACY | M64, "0f b8 without f3", "0f b8 c1"),
	YES(ALL, "bswap", "O 0f c8"),
	YES(ALL, "pshufw", "O 0f 70 M c1 I 05"),
	YES(ALL, "psrlw Ib", "O 0f 71 M d1 I 05"),
	NO(ALL, "psrlw Ib of memory", "0f 71 11 05"),
	NO(ALL, "0f 71 /0", "0f 71 c1 05"),
	YES(ALL, "psrldq", "P 66 O 0f 73 M d9 I 05"),
	NO(ALL, "psrldq without 66", "0f 73 d9 05"),
	YES(ALL, "cmpps", "O 0f c2 M c1 I 05"),
	YES(ALL, "pinsrw", "O 0f c4 M c1 I 05"),
	YES(ALL, "emms", "O 0f 77"),
	YES(ALL, "clac", "O 0f 01 M ca"),
	YES(ALL, "rdtscp", "O 0f 01 M f9"),
	YES(ALL, "lgdt", "O 0f 01 M 10"),
	YES(ALL, "vmcall", "O 0f 01 M c1"),
	YES(ALL, "lfence", "O 0f ae M e8"),
	YES(M64, "rdfsbase", "P f3 O 0f ae M c0"),
	YES(ALL, "fxsave", "O 0f ae M 00"),
	YES(ALL, "cmpxchg8b", "O 0f c7 M 08"),
	YES(ALL, "rdrand", "O 0f c7 M f0"),
	YES(ALL, "movnti", "O 0f c3 M 00"),
	NO(ALL, "movnti of a register", "0f c3 c0"),
	YES(ALL, "cpuid", "O 0f a2"),
	YES(ALL, "getsec", "O 0f 37"),
	YES(ALL, "rsm", "O 0f aa"),

	/* 3DNow!: the last byte selects the operation. */
	YES(ALL, "pfadd", "O 0f 0f M c1 I 9e"),
	YES(M32 | M64, "pfadd of memory", "O 0f 0f M 44 S 24 D 08 I 9e"),
	YES(ALL, "femms", "O 0f 0e"),

	/* EXTRQ and INSERTQ have two immediates. */
	YES(ALL, "extrq Ib,Ib", "P 66 O 0f 78 M c1 I 05 J 86", .prefix = 0x66),
	YES(ALL, "insertq Ib,Ib", "P f2 O 0f 78 M c1 I 05 J 86", .prefix = 0xf2),
	YES(ALL, "extrq", "P 66 O 0f 79 M c1"),
	YES(ALL, "insertq", "P f2 O 0f 79 M c1"),
	YES(ALL, "vmread", "O 0f 78 M c1"),
	YES(ALL, "vmwrite", "O 0f 79 M c1"),
	NO(ALL, "extrq Ib,Ib of memory", "66 0f 78 01 05 06"),

	/* Three-byte opcodes. */
	YES(ALL, "pshufb", "O 0f 38 00 M c1"),
	YES(ALL, "pshufb xmm", "P 66 O 0f 38 00 M c1"),
	YES(ALL, "movbe", "O 0f 38 f0 M 07"),
	YES(ALL, "crc32", "P f2 O 0f 38 f0 M c1"),
	YES(M64, "crc32 rax", "P f2 R 48 O 0f 38 f1 M c1", .opnd = 8),
	YES(ALL, "adcx", "P 66 O 0f 38 f6 M c1"),
	YES(ALL, "adox", "P f3 O 0f 38 f6 M c1"),
	YES(M64, "wrssq", "R 48 O 0f 38 f6 M 01"),
	YES(ALL, "sha1nexte", "O 0f 38 c8 M c1"),
	YES(ALL, "sha1rnds4", "O 0f 3a cc M c1 I 03"),
	YES(ALL, "palignr", "O 0f 3a 0f M c1 I 08"),
	YES(ALL, "pextrq", "P 66 O 0f 3a 16 M c1 I 01"),
	YES(M64, "pcmpestri, rip relative", "P 66 O 0f 3a 61 M 05 D 01 02 03 04 I 0c"),
	NO(ALL, "0f 38 0c", "0f 38 0c c1"),
	NO(ALL, "0f 3a 00", "0f 3a 00 c1 00"),

	/* x87. */
	YES(ALL, "fld", "O d9 M c1"),
	YES(M32 | M64, "fldcw", "O d9 M 6c S 24 D 08"),
	YES(ALL, "fnop", "O d9 M d0"),

	/* VEX2 and VEX3; outside of 64-bit mode, LDS and LES with a memory operand. */
	YES(ALL, "vzeroupper", "V c5 f8 O 77"),
	YES(ALL, "vaddps", "V c5 f0 O 58 M c2"),
	YES(M32 | M64, "vaddps of memory", "V c5 f0 O 58 M 44 S 24 D 10"),
	YES(M16, "vaddps of memory", "V c5 f0 O 58 M 44 D 10"),
	YES(ALL, "vpshufd", "V c5 f9 O 70 M c1 I 1b"),
	YES(ALL, "vcmpps", "V c5 f0 O c2 M c1 I 1b"),
	YES(M64, "VEX2 without R", "V c5 70 O 58 M c2"),
	YES(ALL, "VEX3 map 1", "V c4 e1 70 O 58 M c2"),
	YES(ALL, "VEX3 map 2", "V c4 e2 71 O 00 M c2"),
	YES(ALL, "VEX3 map 3", "V c4 e3 71 O 0f M c2 I 08"),
	YES(ALL, "vblendvps", "V c4 e3 71 O 4a M c2 I 30"),
	YES(M64, "VEX3 without R, X, B", "V c4 02 71 O 00 M c2"),
	YES(ALL, "andn", "V c4 e2 70 O f2 M c2"),
	YES(M64, "andn rax", "V c4 e2 f0 O f2 M c2"),
	YES(ALL, "blsr", "V c4 e2 78 O f3 M c9"),
	NO(ALL, "VEX 0f38 f3 /0", "c4 e2 78 f3 c1"),
	YES(ALL, "rorx", "V c4 e3 7b O f0 M c1 I 05"),
	YES(ALL, "vpsrlw Ib", "V c5 f1 O 71 M d1 I 05"),
	YES(ALL, "vpmaskmovd", "V c4 e2 69 O 8c M 00"),
	YES(ALL, "kandw", "V c5 f4 O 41 M c1"),
	YES(ALL, "kmovw", "V c5 f8 O 92 M c1"),
	YES(M64, "tilezero", "V c4 e2 7b O 49 M c0"),
	YES(M64, "ldtilecfg", "V c4 e2 78 O 49 M 00"),
	YES(M64, "VEX map 7, urdmsr", "V c4 e7 7b O f8 M c0 I 10 00 00 00"),
	YES(ALL, "segment before VEX", "P 2e V c5 f8 O 77"),
	YES(M64, "67 before VEX", "P 67 V c5 f8 O 10 M 00", .addr = 4),
	NO(M64, "66 before VEX", "66 c5 f8 77"),
	NO(M64, "f2 before VEX", "f2 c5 f8 77"),
	NO(M64, "f3 before VEX", "f3 c5 f8 77"),
	NO(M64, "lock before VEX", "f0 c5 f8 77"),
	NO(M64, "REX before VEX", "48 c5 f8 77"),
	NO(M64, "REX before VEX3", "40 c4 e1 70 58 c2"),
	NO(M64, "VEX3 map 0", "c4 e0 70 58 c2"),
	NO(M64, "VEX3 map 4", "c4 e4 70 58 c2"),
	NO(M64, "VEX3 map 31", "c4 ff 70 58 c2"),
	NO(M64, "VEX with a legacy opcode", "c5 f8 a2"),
	NO(M64, "VEX with an opcode that only EVEX has", "c4 e2 7d 7f c1"),
	YES(LEGACY, "lds", "O c5 M 07"),
	YES(LEGACY, "les", "O c4 M 07"),
	YES(M32, "lds with displacement", "O c5 M 44 S 24 D 10"),
	YES(M16, "les with displacement", "O c4 M 86 D 10 20"),
	YES(M32, "66 lds", "P 66 O c5 M 07", .opnd = 2),
	YES(M32, "lds, mod 2 is not VEX", "O c5 M 87 D 10 20 30 40"),
	YES(M16, "lds, mod 2 is not VEX", "O c5 M 87 D 10 20"),
	MORE(M64, "first byte of VEX2", "c5"),
	MORE(M64, "VEX2 without opcode", "c5 f8"),
	MORE(M64, "VEX3 without its last byte", "c4 e1"),

	/* EVEX; outside of 64-bit mode, BOUND with a memory operand. */
	YES(ALL, "vaddps zmm", "V 62 f1 74 48 O 58 M c2"),
	YES(M32 | M64, "vaddps zmm, disp8", "V 62 f1 74 48 O 58 M 44 S 24 D 81"),
	YES(M32 | M64, "vaddps zmm, disp32", "V 62 f1 74 48 O 58 M 84 S 24 D 01 02 03 84"),
	YES(M64, "vaddps zmm, rip relative", "V 62 f1 74 48 O 58 M 05 D 01 02 03 84"),
	YES(ALL, "vaddps with mask", "V 62 f1 74 c9 O 58 M c2"),
	YES(ALL, "vpternlogd", "V 62 f3 75 48 O 25 M c2 I ff"),
	YES(ALL, "vpermb", "V 62 f2 75 48 O 8d M c2"),
	YES(ALL, "vaddph, map 5", "V 62 f5 74 48 O 58 M c2"),
	YES(ALL, "vfmadd213ph, map 6", "V 62 f6 75 48 O a8 M c2"),
	YES(ALL, "vprold Ib", "V 62 f1 75 48 O 72 M c9 I 05"),
	YES(M64, "vaddps zmm31", "V 62 01 04 40 O 58 M ff"),
	NO(M64, "66 before EVEX", "66 62 f1 74 48 58 c2"),
	NO(M64, "lock before EVEX", "f0 62 f1 74 48 58 c2"),
	NO(M64, "REX before EVEX", "48 62 f1 74 48 58 c2"),
	NO(M64, "EVEX map 0", "62 f0 74 48 58 c2"),
	YES(LEGACY, "bound", "O 62 M 07"),
	YES(M32, "bound with displacement", "O 62 M 44 S 24 D 10"),
	YES(M16, "bound with displacement", "O 62 M 47 D 10"),
	MORE(M64, "first byte of EVEX", "62"),
	MORE(M64, "EVEX without its last byte", "62 f1 74"),
	MORE(M64, "EVEX without opcode", "62 f1 74 48"),
	MORE(M64, "EVEX without ModRM", "62 f1 74 48 58"),

	/* APX: EVEX map 4, and EVEX with the bits for registers above 15. */
	YES(M64, "add r,r,r", "V 62 f4 7c 18 O 01 M c3", .opnd = 4),
	YES(M64, "add r,Iz 16 bits", "V 62 f4 7d 18 O 81 M c3 I 01 82", .opnd = 2),
	YES(M64, "add r,Iz 32 bits", "V 62 f4 7c 18 O 81 M c3 I 01 02 03 84", .opnd = 4),
	YES(M64, "add r,Iz 64 bits", "V 62 f4 fc 18 O 81 M c3 I 01 02 03 84", .opnd = 8),
	YES(M64, "add r,Ib", "V 62 f4 7c 18 O 83 M c3 I 81"),
	YES(M64, "test Ev,Iz", "V 62 f4 7c 08 O f7 M c3 I 01 02 03 84"),
	YES(M64, "test Ev,Iz 16 bits", "V 62 f4 7d 08 O f7 M c3 I 01 82", .opnd = 2),
	YES(M64, "not Ev", "V 62 f4 7c 18 O f7 M d3"),
	YES(M64, "shld r,r,r,Ib", "V 62 f4 7c 18 O 24 M c3 I 05"),
	YES(M64, "push2", "V 62 f4 74 18 O ff M f0"),
	YES(M64, "pop2", "V 62 f4 74 18 O 8f M c0"),
	YES(M64, "ccmp Ev,Iz", "V 62 f4 7c 02 O 81 M fb I 01 02 03 84"),
	YES(M64, "ctest", "V 62 f4 7c 02 O 85 M c3"),
	YES(M64, "imul r,r,Iz", "V 62 f4 7c 08 O 69 M c3 I 01 02 03 84"),
	YES(M64, "movbe", "V 62 f4 7c 08 O 60 M c3"),
	YES(M64, "with r31 as index", "V 62 94 78 10 O 01 M 1c S 39"),

	/* REX2: the prefix selects the map. */
	YES(M64, "REX2 map 0", "R d5 10 O 89 M c0", .opnd = 4),
	YES(M64, "REX2 map 0, W", "R d5 18 O 89 M c0", .opnd = 8),
	YES(M64, "REX2 map 1", "R d5 90 O af M c0"),
	YES(M64, "REX2 map 1, W", "R d5 98 O af M c0", .opnd = 8),
	YES(M64, "66 REX2", "P 66 R d5 10 O 81 M c0 I 01 82", .opnd = 2),
	YES(M64, "f3 REX2", "P f3 R d5 90 O b8 M c0", .prefix = 0xf3),
	YES(M64, "REX2 mov r,imm64", "R d5 18 O b8 I 88 77 66 85 J 44 33 22 11", .opnd = 8),
	YES(M64, "REX2 mov r,imm32", "R d5 10 O b8 I 88 77 66 85", .opnd = 4),
	YES(M64, "REX2 with sib and displacement",
	    "R d5 33 O 8b M 84 S 24 D 01 02 03 84"),
	YES(M64, "REX2 push", "R d5 11 O 50", .opnd = 8),
	YES(M64, "pushp", "R d5 19 O 50", .opnd = 8),
	YES(M64, "REX2 bswap", "R d5 98 O c8"),
	YES(M64, "jmpabs", "R d5 00 O a1 I 88 77 66 85 J 44 33 22 11"),
	NO(M64, "REX2 map 0, 0f is not an escape", "d5 10 0f af c0"),
	NO(M64, "REX2 jcc", "d5 00 74 10"),
	NO(M64, "REX2 call", "d5 00 e8 01 02 03 04"),
	NO(M64, "REX2 jcc Jz", "d5 80 84 01 02 03 04"),
	NO(M64, "REX2 mov moffs", "d5 00 a0 88 77 66 55 44 33 22 11"),
	NO(M64, "REX2 in", "d5 00 ec"),
	NO(M64, "REX2 wrmsr", "d5 80 30"),
	NO(M64, "REX2 before a prefix", "d5 10 66 89 c0"),
	NO(M64, "REX2 before REX", "d5 10 48 89 c0"),
	NO(M64, "REX before REX2", "48 d5 10 89 c0"),
	NO(M64, "REX2 before VEX", "d5 10 c5 f8 77"),
	NO(M64, "REX2 map 1, 38 is not an escape", "d5 80 38 00 c1"),
	NO(M64, "REX2 map 1, 3a is not an escape", "d5 80 3a 0f c1 08"),
	MORE(M64, "first byte of REX2", "d5"),
	MORE(M64, "REX2 without opcode", "d5 10"),

	/* XOP, and POP Ev with the same first byte, but with ModRM.reg 0. */
	YES(ALL, "XOP map 8", "V 8f e8 78 O c0 M c1 I 05"),
	YES(ALL, "XOP map 9", "V 8f e9 78 O 80 M c1"),
	YES(ALL, "XOP map a", "V 8f ea 78 O 10 M c1 I 01 02 03 84"),
	YES(ALL, "vpcmov", "V 8f e8 70 O a2 M c2 I 30"),
	YES(ALL, "blcfill", "V 8f e9 70 O 01 M c9"),
	YES(M32 | M64, "vpcomb of memory", "V 8f e8 70 O cc M 44 S 24 D 08 I 02"),
	YES(M64, "XOP without R, X, B", "V 8f 09 78 O 80 M c1"),
	YES(M64, "pop Ev, register", "O 8f M c0", .opnd = 8),
	YES(M32 | M64, "pop Ev, memory", "O 8f M 44 S 24 D 08"),
	NO(ALL, "pop Ev /3 is XOP with map 24", "8f d8 00 00 00"),
	NO(M64, "66 before XOP", "66 8f e9 78 80 c1"),
	NO(M64, "REX before XOP", "48 8f e9 78 80 c1"),
	YES(M64, "REX before pop Ev", "R 41 O 8f M c0"),
	MORE(ALL, "first byte of XOP or POP", "8f"),

	/* FMA4 and other instructions that only AMD processors had. */
	YES(ALL, "vfmaddps", "V c4 e3 f1 O 68 M c2 I 30"),
	YES(ALL, "vpermil2ps", "V c4 e3 71 O 48 M c2 I 30"),

	/* Markers for hypervisors. */
	YES(ALL, "xen marker, cpuid", "E 0f 0b 78 65 6e O 0f a2"),
	YES(ALL, "kvm marker, cpuid", "E 0f 0b 6b 76 6d O 0f a2"),
	YES(ALL, "marker, then a prefix", "E 0f 0b 78 65 6e P 66 O 89 M c8"),
	YES(M64, "marker, then REX", "E 0f 0b 6b 76 6d R 48 O 89 M c8", .opnd = 8),
	YES(M64, "marker, then VEX", "E 0f 0b 6b 76 6d V c5 f8 O 77"),
	YES(M64, "marker, then all parts",
	    "E 0f 0b 6b 76 6d O 81 M 44 S 24 D 08 I 01 02 03 04"),
	YES(ALL, "incomplete marker", "O 0f 0b"),
	MORE(ALL, "marker without instruction", "0f 0b 78 65 6e"),
	MORE(ALL, "marker with a truncated instruction", "0f 0b 78 65 6e 0f"),

	/* The longest instructions, and truncated instructions. */
	YES(M32 | M64, "15 bytes", "P 2e 2e 2e 2e O c7 M 84 S 24 D 01 02 03 04 I 05 06 07 08"),
	NO(M32 | M64, "16 bytes", "2e 2e 2e 2e 2e c7 84 24 01 02 03 04 05 06 07 08"),
	NO(ALL, "15 prefixes without opcode", "66 66 66 66 66 66 66 66 66 66 66 66 66 66 66 90"),
	YES(ALL, "14 prefixes", "P 66 66 66 66 66 66 66 66 66 66 66 66 66 66 O 90"),
	NO(M64, "15 REX without opcode", "48 48 48 48 48 48 48 48 48 48 48 48 48 48 48 90"),
	YES(M64, "14 REX", "P 48 48 48 48 48 48 48 48 48 48 48 48 48 R 48 O 90"),
	NO(M64, "16 bytes of MOV",
	   "2e 2e 2e 2e 2e 2e 48 b8 01 02 03 04 05 06 07 08"),
	NO(M64, "16 bytes with EVEX", "2e 62 84 fc fe 69 8c 7a f6 1d 8b 1c 0c e8 e8 01"),
	NO(M64, "16 bytes with XOP", "2e 2e 8f ea 78 10 84 24 01 02 03 04 01 02 03 04"),
	NO(M64, "19 bytes of MOV", "2e 2e 2e 2e 2e 2e 2e 2e 2e 48 b8 01 02 03 04 05 06 07 08"),
	NO(M32, "19 bytes of CALL", "2e 2e 2e 2e 2e 2e 2e 2e 2e 2e 2e 2e 9a 01 02 03 04 05 06"),
	NO(ALL, "16 bytes of ENTER", "2e 2e 2e 2e 2e 2e 2e 2e 2e 2e 2e 2e c8 01 02 03"),
	NO(M64, "16 bytes with VEX", "2e 2e 2e 2e 2e c4 e3 71 0f 84 24 01 02 03 04 08"),
	NO(M64, "16 bytes with a marker",
	   "0f 0b 78 65 6e 2e c7 84 24 01 02 03 04 05 06 07"),
	MORE(ALL, "nothing", ""),
	MORE(ALL, "only a prefix", "66"),
	MORE(M64, "only REX", "48"),
	MORE(ALL, "only an escape", "0f"),
	MORE(ALL, "only two escapes", "0f 38"),
	MORE(ALL, "no ModRM", "89"),
	MORE(M32 | M64, "no SIB", "89 04"),
	MORE(M32 | M64, "truncated displacement", "89 80 01 02"),
	MORE(ALL, "truncated immediate", "81 c0 01"),
	MORE(M64, "truncated immediate of 64 bits", "48 b8 01 02 03 04 05"),
	MORE(ALL, "enter without its second immediate", "c8 10 00"),
};

/* Number of failed checks in the current test. */
static unsigned int checks_failed;

static void check(const struct golden *g, enum mode m, const char *what, const char *wrong)
{
	if (!wrong)
		return;
	checks_failed++;
	ksft_print_msg("%u bit: %s (%s): %s%s%s\n", mode_bits(m), g->name, g->parts, what,
		       *what ? ": " : "", wrong);
}

/* End the current test: print the line with its result. */
static void test_end(const char *name, const char *more)
{
	ksft_test_result(!checks_failed, "%s%s\n", name, more);
	checks_failed = 0;
}

/* The expected parts of a case. */
struct expected {
	unsigned int	len;
	u8		bytes[32];
	unsigned int	nbytes[128];	/* by letter */
};

static void parse_parts(struct expected *x, const char *parts)
{
	unsigned char part = 'X';
	const char *p = parts;
	char *end;

	memset(x, 0, sizeof(*x));
	while (*p) {
		if (*p == ' ') {
			p++;
		} else if (*p >= 'A' && *p <= 'Z') {
			part = *p++;
		} else {
			x->bytes[x->len++] = strtoul(p, &end, 16);
			x->nbytes[part]++;
			if (end != p + 2 || x->len == sizeof(x->bytes)) {
				fprintf(stderr, "test is wrong: %s\n", parts);
				exit(2);
			}
			p = end;
		}
	}
}

static const char *wrong_parts(const struct golden *g, const struct expected *x,
			       const struct insn *insn)
{
	static char text[64];
	const struct {
		char			letter;
		const char		*name;
		unsigned int		nbytes;
	} parts[] = {
		{ 'E', "emulate_prefix_size", insn->emulate_prefix_size },
		{ 'P', "prefixes", insn->prefixes.nbytes },
		{ 'R', "rex_prefix", insn->rex_prefix.nbytes },
		{ 'V', "vex_prefix", insn->vex_prefix.nbytes },
		{ 'O', "opcode", insn->opcode.nbytes },
		{ 'M', "modrm", insn->modrm.nbytes },
		{ 'S', "sib", insn->sib.nbytes },
		{ 'D', "displacement", insn->displacement.nbytes },
		{ 'I', "immediate", insn->immediate.nbytes },
		{ 'J', "immediate2", insn->immediate2.nbytes },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(parts); i++) {
		if (parts[i].nbytes == x->nbytes[(u8)parts[i].letter])
			continue;
		snprintf(text, sizeof(text), "%u bytes of %s", parts[i].nbytes, parts[i].name);
		return text;
	}
	if (insn->length != x->len)
		return "length";
	if (g->opnd && insn->opnd_bytes != g->opnd) {
		snprintf(text, sizeof(text), "opnd_bytes %u", insn->opnd_bytes);
		return text;
	}
	if (g->addr && insn->addr_bytes != g->addr) {
		snprintf(text, sizeof(text), "addr_bytes %u", insn->addr_bytes);
		return text;
	}
	if (g->prefix && insn->prefixes.bytes[3] != g->prefix) {
		snprintf(text, sizeof(text), "prefixes.bytes[3] %02x", insn->prefixes.bytes[3]);
		return text;
	}
	return NULL;
}

static const char *errno_text(int err)
{
	return !err ? "accepted" : err == -EINVAL ? "-EINVAL" :
	       err == -ENODATA ? "-ENODATA" : "unknown error";
}

static void test_golden(const struct golden *g, enum mode mode)
{
	const char *wrong = NULL, *staged = NULL, *parts = NULL, *prefixes = NULL;
	static const u8 fills[] = { 0x00, 0x90, 0xff };
	struct expected x;
	struct insn insn;
	unsigned int i;
	u8 bytes[32];
	int ret, len;

	parse_parts(&x, g->parts);

	/* A truncated instruction: the buffer ends after its bytes. */
	if (g->err == -ENODATA) {
		ret = decode(&insn, guard_put(x.bytes, x.len), x.len, mode);
		check(g, mode, "", ret != g->err ? errno_text(ret) : NULL);
		check(g, mode, "", check_staged(&insn, ret, x.len, mode));
		return;
	}

	/* The bytes after the instruction must not matter. */
	for (i = 0; i < 2 * ARRAY_SIZE(fills); i++) {
		/* The decoder must not look beyond 15 bytes. */
		len = i % 2 ? MAX_INSN_SIZE : max_t(int, x.len, MAX_INSN_SIZE + 1);
		memset(bytes, fills[i / 2], sizeof(bytes));
		memcpy(bytes, x.bytes, x.len);
		ret = decode(&insn, guard_put(bytes, len), len, mode);
		staged = staged ?: check_staged(&insn, ret, len, mode);
		if (ret != g->err) {
			check(g, mode, "", errno_text(ret));
			return;
		}
		if (ret)
			continue;
		wrong = wrong ?: wrong_parts(g, &x, &insn);
		parts = parts ?: check_parts(&insn, len);
		prefixes = prefixes ?: check_prefixes(&insn);
	}
	check(g, mode, "", wrong);
	check(g, mode, "", staged);
	if (ret)
		return;
	check(g, mode, "parts", parts);
	check(g, mode, "prefixes", prefixes);
	check(g, mode, "", check_truncated(&insn, mode));
}

#define CHECK(name, mode, ok) do {						\
	static const struct golden _g = { ALL, name, #ok };			\
										\
	check(&_g, mode, "", (ok) ? NULL : "is false");			\
} while (0)

static void get(struct insn *insn, const char *bytes, enum mode mode)
{
	struct expected x;
	u8 buf[32] = {};

	parse_parts(&x, bytes);
	memcpy(buf, x.bytes, x.len);
	if (decode(insn, guard_put(buf, MAX_INSN_SIZE), MAX_INSN_SIZE, mode))
		insn->length = 0;
}

static void test_values(void)
{
	struct insn insn;

	get(&insn, "81 84 24 fe ff ff ff 01 00 00 80", MODE_64);
	CHECK("displacement", MODE_64, insn.displacement.value == -2);
	CHECK("immediate", MODE_64, insn.immediate.value == -0x7fffffff);
	CHECK("modrm", MODE_64, insn.modrm.value == 0x84);
	CHECK("sib", MODE_64, insn.sib.value == 0x24);
	CHECK("opcode", MODE_64, insn.opcode.value == 0x81);
	get(&insn, "83 40 80 ff", MODE_64);
	CHECK("displacement of a byte", MODE_64, insn.displacement.value == -128);
	CHECK("immediate of a byte", MODE_64, insn.immediate.value == -1);
	get(&insn, "66 05 34 f2", MODE_64);
	CHECK("immediate of two bytes", MODE_64, insn.immediate.value == (s16)0xf234);
	get(&insn, "48 b8 88 77 66 55 44 33 22 f1", MODE_64);
	CHECK("low half", MODE_64, insn.immediate1.value == 0x55667788);
	CHECK("high half", MODE_64, (u32)insn.immediate2.value == 0xf1223344);
	get(&insn, "a1 88 77 66 55 44 33 22 f1", MODE_64);
	CHECK("low half of an address", MODE_64, insn.moffset1.value == 0x55667788);
	CHECK("high half of an address", MODE_64, (u32)insn.moffset2.value == 0xf1223344);
	get(&insn, "ea 88 77 66 55 34 f2", MODE_32);
	CHECK("offset", MODE_32, insn.immediate1.value == 0x55667788);
	CHECK("selector", MODE_32, insn.immediate2.value == 0xf234);
	get(&insn, "c8 10 80 05", MODE_64);
	CHECK("enter", MODE_64, (u16)insn.immediate1.value == 0x8010);
	CHECK("enter, level", MODE_64, insn.immediate2.value == 5);
	get(&insn, "0f 38 f0 07", MODE_64);
	CHECK("opcode of three bytes", MODE_64, insn.opcode.bytes[0] == 0x0f &&
	      insn.opcode.bytes[1] == 0x38 && insn.opcode.bytes[2] == 0xf0);
	get(&insn, "8b 86 34 f2", MODE_16);
	CHECK("displacement of two bytes", MODE_16, insn.displacement.value == (s16)0xf234);
}

static void test_predicates(void)
{
	struct insn insn;

	get(&insn, "48 8b 05 01 02 03 04", MODE_64);
	CHECK("rip relative", MODE_64, insn_rip_relative(&insn));
	get(&insn, "8b 05 01 02 03 04", MODE_32);
	CHECK("rip relative, not in 32 bit mode", MODE_32, !insn_rip_relative(&insn));
	get(&insn, "8b 45 01", MODE_64);
	CHECK("rip relative, not with rbp", MODE_64, !insn_rip_relative(&insn));
	get(&insn, "8b 04 25 01 02 03 04", MODE_64);
	CHECK("rip relative, not without base", MODE_64, !insn_rip_relative(&insn));
	get(&insn, "c3", MODE_64);
	CHECK("rip relative, not without ModRM", MODE_64, !insn_rip_relative(&insn));
	get(&insn, "0f 20 05", MODE_64);
	CHECK("rip relative, not mov from cr", MODE_64, !insn_rip_relative(&insn));
	get(&insn, "62 f1 74 48 58 05 01 02 03 04", MODE_64);
	CHECK("rip relative, EVEX", MODE_64, insn_rip_relative(&insn));
	insn_init(&insn, guard_put((const u8 *)"\x8b\x05\1\2\3\4", 6), 6, 1);
	CHECK("rip relative, before decoding", MODE_64, insn_rip_relative(&insn));

	get(&insn, "8e d0", MODE_64);
	CHECK("masking: mov ss", MODE_64, insn_masking_exception(&insn));
	get(&insn, "8e d8", MODE_64);
	CHECK("masking: not mov ds", MODE_64, !insn_masking_exception(&insn));
	get(&insn, "17", MODE_32);
	CHECK("masking: pop ss", MODE_32, insn_masking_exception(&insn));
	get(&insn, "1f", MODE_32);
	CHECK("masking: not pop ds", MODE_32, !insn_masking_exception(&insn));
	get(&insn, "66 8e d0", MODE_64);
	CHECK("masking: mov ss with a prefix", MODE_64, insn_masking_exception(&insn));
	get(&insn, "d5 10 8e d0", MODE_64);
	CHECK("masking: mov ss with REX2", MODE_64, insn_masking_exception(&insn));
	get(&insn, "d5 80 17 00", MODE_64);
	CHECK("masking: not movhps with REX2", MODE_64, !insn_masking_exception(&insn));

	get(&insn, "d5 10 89 c0", MODE_64);
	CHECK("legacy opcode: REX2", MODE_64, insn_legacy_opcode(&insn) == 0x89);
	get(&insn, "d5 80 af c0", MODE_64);
	CHECK("legacy opcode: REX2, second map", MODE_64, insn_legacy_opcode(&insn) == 0x0faf);
	get(&insn, "48 0f af c0", MODE_64);
	CHECK("legacy opcode: second map", MODE_64, insn_legacy_opcode(&insn) == 0x0faf);
	get(&insn, "0f 38 c8 c0", MODE_64);
	CHECK("legacy opcode: third map", MODE_64, insn_legacy_opcode(&insn) == -1);
	get(&insn, "c5 f8 77", MODE_64);
	CHECK("legacy opcode: VEX", MODE_64, insn_legacy_opcode(&insn) == -1);
	get(&insn, "48 89 c0", MODE_64);
	CHECK("legacy opcode: REX", MODE_64, insn_legacy_opcode(&insn) == 0x89);

	get(&insn, "c5 f8 77", MODE_64);
	CHECK("avx: VEX", MODE_64, insn_is_avx(&insn) && !insn_is_evex(&insn));
	get(&insn, "62 f1 74 48 58 c2", MODE_64);
	CHECK("avx: EVEX", MODE_64, insn_is_avx(&insn) && insn_is_evex(&insn));
	get(&insn, "8f e9 78 80 c1", MODE_64);
	CHECK("avx: XOP", MODE_64, insn_is_avx(&insn) && !insn_is_evex(&insn));
	get(&insn, "0f 58 c2", MODE_64);
	CHECK("avx: not SSE", MODE_64, !insn_is_avx(&insn) && !insn_is_evex(&insn));
	get(&insn, "c5 07", MODE_32);
	CHECK("avx: not lds", MODE_32, !insn_is_avx(&insn));
	insn_init(&insn, guard_put((const u8 *)"\xc5\xf8\x77", 3), 3, 1);
	CHECK("avx, before decoding", MODE_64, insn_is_avx(&insn));

	get(&insn, "d5 10 89 c0", MODE_64);
	CHECK("rex2", MODE_64, insn_is_rex2(&insn) && insn.rex_prefix.bytes[1] == 0x10);
	get(&insn, "48 89 c0", MODE_64);
	CHECK("rex2: not REX", MODE_64, !insn_is_rex2(&insn) && insn.rex_prefix.value == 0x48);
	get(&insn, "d5 10", MODE_32);
	CHECK("rex2: not aad", MODE_32, !insn_is_rex2(&insn));

	get(&insn, "0f 0b 78 65 6e 0f a2", MODE_64);
	CHECK("emulate", MODE_64, insn_has_emulate_prefix(&insn));
	get(&insn, "0f 0b", MODE_64);
	CHECK("emulate: not ud2", MODE_64, !insn_has_emulate_prefix(&insn));

	get(&insn, "f2 66 0f 38 f1 c1", MODE_64);
	CHECK("last prefix: f2", MODE_64,
	      insn_last_prefix_id(&insn) == inat_get_last_prefix_id(0xf2));
	get(&insn, "66 2e 0f 58 07", MODE_64);
	CHECK("last prefix: 66", MODE_64,
	      insn_last_prefix_id(&insn) == inat_get_last_prefix_id(0x66));
	get(&insn, "2e 89 07", MODE_64);
	CHECK("last prefix: none", MODE_64, !insn_last_prefix_id(&insn));
	get(&insn, "c5 fb 58 c1", MODE_64);
	CHECK("last prefix: of VEX2", MODE_64,
	      insn_last_prefix_id(&insn) == inat_get_last_prefix_id(0xf2));
	get(&insn, "c4 e2 79 00 c1", MODE_64);
	CHECK("last prefix: of VEX3", MODE_64,
	      insn_last_prefix_id(&insn) == inat_get_last_prefix_id(0x66));
	get(&insn, "62 f1 7e 48 58 c2", MODE_64);
	CHECK("last prefix: of EVEX", MODE_64,
	      insn_last_prefix_id(&insn) == inat_get_last_prefix_id(0xf3));
}

/* After an error, the length is 0, and only parts in the buffer are set. */
static void test_errors(void)
{
	static const u8 not_marker[] = { 0x0f, 0x0b, 0x78, 0x65, 0x6e, 0x06 };
	static const u8 rex_vex[] = { 0x48, 0xc5, 0xf8, 0x77 };
	static const u8 rex_rex2[] = { 0x40, 0xd5, 0, 0x90 };
	static const u8 constant[] = { 0x48, 0xb8, 0x11, 0x22, 0x33, 0x44 };
	u8 prefixes[MAX_INSN_SIZE];
	struct insn insn;

	CHECK("errors: invalid after a marker", MODE_64,
	      decode(&insn, guard_cross(not_marker, 6, 3), MAX_INSN_SIZE, MODE_64) == -EINVAL &&
	      !insn.length);
	insn_init(&insn, guard_put(rex_vex, 3), 3, 1);
	CHECK("errors: no opcode after REX and VEX", MODE_64,
	      insn_get_opcode(&insn) == -ENODATA && !insn.opcode.got);
	CHECK("errors: VEX after REX", MODE_64,
	      decode(&insn, guard_put(rex_vex, 4), 4, MODE_64) == -EINVAL &&
	      insn_offset_vex_prefix(&insn) == 1 && insn.next_byte == insn.kaddr + 4);
	CHECK("errors: REX2 after REX", MODE_64,
	      decode(&insn, guard_put(rex_rex2, 4), 4, MODE_64) == -EINVAL &&
	      insn.next_byte == insn.kaddr + 4);
	insn_init(&insn, guard_put(constant, 6), 6, 1);
	CHECK("errors: half of an immediate", MODE_64, insn_get_immediate(&insn) == -ENODATA);
	memset(prefixes, 0x66, sizeof(prefixes));
	CHECK("errors: only prefixes", MODE_64,
	      decode(&insn, guard_put(prefixes, 15), 15, MODE_64) == -EINVAL &&
	      insn.next_byte == insn.kaddr + 15 && insn.prefixes.nbytes == 15);
}

/* Callers may repeat or skip stages. */
static void test_stages(void)
{
	const u8 *bytes = guard_put((const u8 *)"\x66\x81\x84\x24\1\2\3\4\5\6", 10);
	struct insn insn;

	insn_init(&insn, bytes, 10, 1);
	CHECK("stages: insn_init() decodes nothing", MODE_64, !insn.prefixes.got && !insn.length);
	CHECK("stages: prefixes", MODE_64, !insn_get_prefixes(&insn) && insn.prefixes.got);
	CHECK("stages: repeated", MODE_64, !insn_get_prefixes(&insn) && insn.prefixes.nbytes == 1);
	CHECK("stages: displacement", MODE_64,
	      !insn_get_displacement(&insn) && insn.displacement.nbytes == 4);
	CHECK("stages: earlier stages", MODE_64,
	      insn.opcode.got && insn.modrm.got && insn.sib.got);
	CHECK("stages: length", MODE_64, !insn_get_length(&insn) && insn.length == 10);

	/* Complete parts of a truncated instruction are available. */
	insn_init(&insn, bytes, 6, 1);
	CHECK("stages: opcode of a truncated instruction", MODE_64,
	      !insn_get_opcode(&insn) && insn.opcode.bytes[0] == 0x81);
	CHECK("stages: modrm of a truncated instruction", MODE_64,
	      !insn_get_modrm(&insn) && insn.modrm.value == 0x84);
	CHECK("stages: sib of a truncated instruction", MODE_64,
	      !insn_get_sib(&insn) && insn.sib.value == 0x24);
	CHECK("stages: no displacement", MODE_64, insn_get_displacement(&insn) == -ENODATA);
	CHECK("stages: no immediate", MODE_64, insn_get_immediate(&insn) == -ENODATA);
	CHECK("stages: no length", MODE_64, insn_get_length(&insn) == -ENODATA);
	CHECK("stages: no length if repeated", MODE_64,
	      insn_get_length(&insn) == -ENODATA && !insn.length);
	CHECK("stages: negative length", MODE_64,
	      decode(&insn, guard_put(bytes, 10), -1, MODE_64) == -ENODATA);
}

/* Write the cases to files, for the fuzzer's initial corpus. */
static void write_cases(const char *dir)
{
	struct expected x;
	char path[4096];
	unsigned int i;
	FILE *f;

	for (i = 0; i < ARRAY_SIZE(golden); i++) {
		parse_parts(&x, golden[i].parts);
		snprintf(path, sizeof(path), "%s/case-%u", dir, i);
		f = fopen(path, "w");
		if (!f || fwrite(x.bytes, 1, x.len, f) != x.len || fclose(f)) {
			perror(path);
			exit(2);
		}
	}
}

int main(int argc, char **argv)
{
	char bytes[128];
	enum mode mode;
	unsigned int i;

	if (argc > 1) {
		write_cases(argv[1]);
		return 0;
	}
	ksft_print_header();
	ksft_set_plan(ARRAY_SIZE(golden) + 4);
	guard_init();
	for (i = 0; i < ARRAY_SIZE(golden); i++) {
		for (mode = 0; mode < NR_MODES; mode++) {
			if (golden[i].modes & BIT(mode))
				test_golden(&golden[i], mode);
		}
		snprintf(bytes, sizeof(bytes), " (%s)", golden[i].parts);
		test_end(golden[i].name, bytes);
	}
	test_values();
	test_end("values of fields", "");
	test_predicates();
	test_end("predicates of instructions", "");
	test_errors();
	test_end("fields after errors", "");
	test_stages();
	test_end("stages of decoding", "");
	ksft_finished();
}
