/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Instructions of the kernel's text as it would be without probes.
 */
#ifndef _STRESS_CODE_H
#define _STRESS_CODE_H

#include "kernel.h"

#define JUMP_SIZE	5	/* an optimised probe replaces at least this many bytes */

/* An instruction. */
struct place {
	uint64_t addr;
	uint8_t len;
};

/* Kinds of instructions that may explain why a probe is refused. */
enum insn_kind {
	KIND_OTHER,
	KIND_ENDBR,
	KIND_INT,		/* int3, int, int1, into */
	KIND_UD,		/* ud0, ud1, ud2 */
	KIND_FAR,		/* far call, jump, return; iret */
	KIND_SYSTEM,		/* syscall, sysret, sysenter, sysexit, rsm */
	KIND_IRQ_SHADOW,		/* mov to SS; sti and a hlt or mwait directly after it */
	KIND_INDIRECT_JUMP,
	KIND_BRANCH,		/* relative */
	KIND_RETURN,
};

unsigned int code_read(const struct func *f, struct place **places);
enum insn_kind insn_kind(const struct place *place, uint64_t *target);
const char *kind_name(enum insn_kind kind);
uint64_t code_form(const struct place *place);
uint64_t code_shape(const struct place *places, unsigned int nr);

/* Collect all branches of the text, to find those that lead into a region. */
void branches_load(void);
bool is_branched_to(uint64_t from, uint64_t to, uint64_t *target);
unsigned int region_size(const struct place *places, unsigned int nr, unsigned int first);

#endif /* _STRESS_CODE_H */
