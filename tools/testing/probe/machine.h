/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A machine that runs fetch programs: registers, a record, kernel and user memory with
 * holes, and models of the kernel's helpers.
 */
#ifndef _MACHINE_H
#define _MACHINE_H

#include <linux/types.h>

#include "code.h"
#include "fetch.h"
#include "formula.h"
#include "helpers.h"
#include "predicate.h"
#include "record.h"

/* Regions of memory. The addresses after each region are not mapped. */
#define KERNEL_MEM	0xffff888000100000ULL
#define KERNEL_SIZE	0x4000
#define FAR_MEM		(KERNEL_MEM + 0x300000000ULL)	/* more than an s32 away */
#define FAR_SIZE	0x1000
#define STACK_MEM	0xffffc90000010000ULL
#define STACK_SIZE	0x4000
#define USER_MEM	0x00007f1200000000ULL
#define USER_SIZE	0x2000

/* Address of the running task, and the offset of this CPU's copies of variables. */
#define MACHINE_TASK	(KERNEL_MEM + 0x2000)
#define MACHINE_THIS_CPU	0x40

/* Address of the probe. */
#define MACHINE_PLACE	(USER_MEM + 0x100)

#define UNMAPPED	(KERNEL_MEM + 0x8000)

/* Offsets of registers, as in the pt_regs of x86-64. */
enum {
	REG_R9 = 64, REG_R8 = 72, REG_AX = 80, REG_CX = 88, REG_DX = 96,
	REG_SI = 104, REG_DI = 112, REG_SP = 152,
};

/* The size of the record's buffer, and the byte it is filled with. */
#define RECORD_SIZE	8192
#define POISON		0xa5

struct machine_state {
	u64		regs[21];
	u64		entry[16];
	u64		task;		/* per-CPU variable: address of the running task */
	u8		rec_bytes[RECORD_SIZE + 8];
	u8		*rec;
	struct probe_hit hit;
	unsigned int	calls[PROBE_NR_HELPERS];
	unsigned int	steps;
	u64		verdict;
};

extern struct probe_arch machine_arch;
extern struct machine_state machine;

/*
 * arch_x86: x86-64.
 * arch_arm64: more arguments in registers, and no return address on the stack.
 * arch_strict: only aligned accesses, and the helper reads all registers.
 * arch_loongarch: the helper reads all registers, and stores at offset 24 and above are
 * limited to bytes and half words.
 * arch_x86_plain, arch_strict_plain: the JIT does not support BPF_PROBE_MEM.
 */
extern const struct probe_arch arch_x86, arch_arm64, arch_strict, arch_loongarch;
extern const struct probe_arch arch_x86_plain, arch_strict_plain;

void machine_reset(void);
void *machine_mem(u64 addr, unsigned int size);
void machine_poke(u64 addr, u64 v);
bool machine_read(u64 addr, unsigned int size, bool user, u64 *v);
u64 *machine_reg(unsigned int off);
/* The architecture that defines the registers: x86-64 if machine_arch.direct is false. */
const struct probe_arch *machine_regs(void);

/* Read a string of at most @room bytes. Returns its length with the NUL, or -1 on a fault. */
int machine_text(u64 addr, bool user, char *buf, unsigned int room);

/* The CPU, and the name and the thread ID of the current task. */
#define MACHINE_CPU	3
#define MACHINE_COMM	"comm"
#define MACHINE_PID	1234
#define MACHINE_TIME	0x123456789abcULL	/* ns */
#define MACHINE_FRAME	0xffffffff81234560ULL	/* entry of the kernel stack */

/*
 * Generate a program and run it with a poisoned record. Returns NULL, or a message if
 * the program itself is invalid. @predicate may be NULL.
 */
const char *machine_run(const struct probe_layout *l, const struct probe_fetch *fetch,
			unsigned int nr, const struct probe_predicate *predicate);

#endif /* _MACHINE_H */
