/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _ASM_X86_INAT_TYPES_H
#define _ASM_X86_INAT_TYPES_H

/* A byte of machine code; the value of an instruction field; an opcode attribute. */
typedef unsigned char	insn_byte_t;
typedef int		insn_value_t;
typedef unsigned int	insn_attr_t;

#endif /* _ASM_X86_INAT_TYPES_H */
