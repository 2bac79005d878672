// SPDX-License-Identifier: GPL-2.0
/*
 * x86 opcode tables, and queries that need no decoded instruction.
 */

#include <asm/insn.h> /* __ignore_sync_check__ */

#include "inat-tables.c"

#ifdef __BOOT_COMPRESSED
/* The tables contain no pointers, so there is nothing to initialize at run time. */
static inline void inat_init_tables(void)
{
}
#endif

/**
 * inat_get_opcode_attribute() - get an attribute from the map of one-byte opcodes
 * @opcode:	a legacy or REX prefix, or the first byte of the opcode
 *
 * Context: Any, NMI included.
 * Return: the attribute; for a legacy prefix, INAT_MAKE_PREFIX() of its INAT_PFX_*.
 */
insn_attr_t inat_get_opcode_attribute(insn_byte_t opcode)
{
	return inat_common[INAT_MAP_LEGACY][opcode];
}

/**
 * inat_get_last_prefix_id() - get the number of a mandatory prefix
 * @prefix:	prefixes.bytes[3] of an instruction
 *
 * Context: Any, NMI included.
 * Return: INAT_PFX_OPNDSZ, INAT_PFX_REPE or INAT_PFX_REPNE, else 0.
 */
int inat_get_last_prefix_id(insn_byte_t prefix)
{
	int id = INAT_PREFIX(inat_get_opcode_attribute(prefix));

	return id <= INAT_PFX_REPNE ? id : 0;
}
