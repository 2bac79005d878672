// SPDX-License-Identifier: GPL-2.0
/*
 * Names of registers in pt_regs, and of parts of registers.
 *
 * Registers have the names of the members of pt_regs, such as "ax", also on 64-bit.
 * Parts, and the full 64-bit registers, also have the names that assemblers use: eax,
 * al, rax.  The names ax, bx, ... refer to the full registers, so their 16-bit parts
 * have no name.
 */

#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/stddef.h>
#include <linux/string.h>

#include <asm/ptrace.h>

struct reg_name {
	char name[8];
	u8 offset;
	u8 size;
};

#define REG(reg)		{ #reg, offsetof(struct pt_regs, reg), sizeof(long) }
#define PART(name, reg, at, sz)	{ #name, offsetof(struct pt_regs, reg) + (at), sz }

static const struct reg_name registers[] = {
#ifdef CONFIG_X86_64
	REG(r8), REG(r9), REG(r10), REG(r11), REG(r12), REG(r13), REG(r14), REG(r15),
#else
	REG(ds), REG(es), REG(fs), REG(gs),
#endif
	REG(ax), REG(bx), REG(cx), REG(dx), REG(si), REG(di), REG(bp), REG(sp),
	REG(orig_ax), REG(ip), REG(cs), REG(flags), REG(ss),
};

static const struct reg_name parts[] = {
	PART(eax, ax, 0, 4), PART(al, ax, 0, 1), PART(ah, ax, 1, 1),
	PART(ebx, bx, 0, 4), PART(bl, bx, 0, 1), PART(bh, bx, 1, 1),
	PART(ecx, cx, 0, 4), PART(cl, cx, 0, 1), PART(ch, cx, 1, 1),
	PART(edx, dx, 0, 4), PART(dl, dx, 0, 1), PART(dh, dx, 1, 1),
	PART(esi, si, 0, 4), PART(edi, di, 0, 4), PART(ebp, bp, 0, 4), PART(esp, sp, 0, 4),
#ifdef CONFIG_X86_64
	PART(rax, ax, 0, 8), PART(rbx, bx, 0, 8), PART(rcx, cx, 0, 8), PART(rdx, dx, 0, 8),
	PART(rsi, si, 0, 8), PART(rdi, di, 0, 8), PART(rbp, bp, 0, 8), PART(rsp, sp, 0, 8),
	PART(sil, si, 0, 1), PART(dil, di, 0, 1), PART(bpl, bp, 0, 1), PART(spl, sp, 0, 1),
	PART(r8d, r8, 0, 4), PART(r8w, r8, 0, 2), PART(r8b, r8, 0, 1),
	PART(r9d, r9, 0, 4), PART(r9w, r9, 0, 2), PART(r9b, r9, 0, 1),
	PART(r10d, r10, 0, 4), PART(r10w, r10, 0, 2), PART(r10b, r10, 0, 1),
	PART(r11d, r11, 0, 4), PART(r11w, r11, 0, 2), PART(r11b, r11, 0, 1),
	PART(r12d, r12, 0, 4), PART(r12w, r12, 0, 2), PART(r12b, r12, 0, 1),
	PART(r13d, r13, 0, 4), PART(r13w, r13, 0, 2), PART(r13b, r13, 0, 1),
	PART(r14d, r14, 0, 4), PART(r14w, r14, 0, 2), PART(r14b, r14, 0, 1),
	PART(r15d, r15, 0, 4), PART(r15w, r15, 0, 2), PART(r15b, r15, 0, 1),
#endif
};

static const struct reg_name *find_name(const struct reg_name *names, size_t nr,
					const char *name)
{
	for (; nr; nr--, names++) {
		if (!strcmp(names->name, name))
			return names;
	}
	return NULL;
}

/**
 * regs_query_register_offset() - find a register
 * @name:	its name, such as "ax"
 *
 * Context: Any.
 * Return: its offset in pt_regs, or -EINVAL.
 */
int regs_query_register_offset(const char *name)
{
	const struct reg_name *reg = find_name(registers, ARRAY_SIZE(registers), name);

	return reg ? reg->offset : -EINVAL;
}

/**
 * regs_query_register_name() - name a register
 * @offset:	offset of the register in pt_regs
 *
 * Context: Any.
 * Return: its name, or NULL if no register begins there.
 */
const char *regs_query_register_name(unsigned int offset)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(registers); i++) {
		if (registers[i].offset == offset)
			return registers[i].name;
	}
	return NULL;
}

/**
 * regs_query_register_part() - find a register or a part of one
 * @name:	its name, such as "ax", "eax", "ah" or "r8d"
 * @size:	set to its size in bytes
 *
 * Context: Any.
 * Return: its offset in pt_regs, or -EINVAL.
 */
int regs_query_register_part(const char *name, unsigned int *size)
{
	const struct reg_name *reg = find_name(registers, ARRAY_SIZE(registers), name);

	if (!reg)
		reg = find_name(parts, ARRAY_SIZE(parts), name);
	if (!reg)
		return -EINVAL;
	*size = reg->size;
	return reg->offset;
}
