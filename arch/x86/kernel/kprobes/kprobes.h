/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _X86_KPROBES_H
#define _X86_KPROBES_H

/*
 * What the files of this directory share.
 *
 *	place.c		where may a probe stand?
 *	text.c		what would be there if there were no probes?
 *	insn.c		how can this instruction be executed elsewhere?
 *	emulate.c	... by changing registers and stack as it would
 *	slot.c		... from a copy
 *	int3.c		breakpoints: into the text and out of it, and what a hit does
 *	region.c	may a jump take a probe's place?
 *	optimize.c	jumps in place of breakpoints, and the detours they lead to
 *	detour.S	the way from a detour into the kernel and back
 *	ftrace.c	probes where ftrace calls anyhow
 */

#include <linux/extable.h>
#include <linux/kprobes.h>

#include <asm/insn.h>
#include <asm/kprobes.h>

/* All entries of the kernel proper. */
extern struct exception_table_entry __start___ex_table[], __stop___ex_table[];

/* The ends of the code that ftrace patches or copies in each of its callers. */
#ifdef CONFIG_X86_64
void ftrace_caller_end(void);
void ftrace_regs_caller_end(void);
#define FTRACE_CALLER_END	ftrace_caller_end
#define FTRACE_REGS_CALLER_END	ftrace_regs_caller_end
#else
#define FTRACE_CALLER_END	ftrace_stub
#define FTRACE_REGS_CALLER_END	ftrace_stub_direct_tramp
#endif

/*
 * Enough for any instruction, and so many that most of a function's are read
 * in few goes.
 */
#define FUNC_TEXT_WINDOW	96

/**
 * struct func_text - the instructions of a function, one after the other
 * @start:	where the function begins
 * @end:	where it ends
 * @addr:	the instruction that was read last
 * @insn:	it, decoded; its bytes are in @buf
 * @behind_sti:	the one before it was STI
 * @next:	where the next one is
 * @window:	address of what is in @buf
 * @filled:	how many bytes of @buf are in use
 * @buf:	text as it were without probes
 */
struct func_text {
	const kprobe_opcode_t *start;
	const kprobe_opcode_t *end;
	const kprobe_opcode_t *addr;
	struct insn insn;
	bool behind_sti;
	const kprobe_opcode_t *next;
	const kprobe_opcode_t *window;
	unsigned int filled;
	kprobe_opcode_t buf[FUNC_TEXT_WINDOW];
};

static inline bool insn_is_sti(struct insn *insn)
{
	return insn_legacy_opcode(insn) == 0xfb;
}

int func_text_open(struct func_text *text, const void *addr);
int func_text_next(struct func_text *text);
int func_text_seek(struct func_text *text, const void *addr);
bool kprobe_is_cfi_check(const struct func_text *text);

/**
 * enum insn_way - ways to execute an instruction elsewhere
 * @INSN_COPY:		run a copy
 * @INSN_COPY_LEAVES:	run a copy; it may not come to its end, or only after an
 *			interrupt, so do not wait for that with interrupts off
 * @INSN_COPY_PUSH:	run "push" with the memory operand of this indirect branch;
 *			what it pushed is where to go
 * @INSN_EMULATE:	emulate it; a copy will not do
 * @INSN_EMULATE_OR_COPY: emulate it; in a detour, where interrupts are as they were,
 *			a copy will do
 */
enum insn_way {
	INSN_COPY,
	INSN_COPY_LEAVES,
	INSN_COPY_PUSH,
	INSN_EMULATE,
	INSN_EMULATE_OR_COPY,
};

int kprobe_insn_way(struct insn *insn, struct arch_specific_insn *ainsn);
int kprobe_copy_insn(kprobe_opcode_t *buf, struct insn *insn, const void *from,
		     const void *to);
int kprobe_make_slots(struct kprobe *p, struct insn *insn, enum insn_way way);
void kprobe_free_slots(struct kprobe *p);
void kprobe_retire_slot(kprobe_opcode_t *slot, void (*free)(kprobe_opcode_t *slot, int dirty));

/* Offset in pt_regs of the register with this number in an instruction. */
unsigned int kprobe_reg_offset(unsigned int number);

void kprobe_emulate_nop(struct kprobe *p, struct pt_regs *regs);
void kprobe_emulate_jmp(struct kprobe *p, struct pt_regs *regs);
void kprobe_emulate_jcc(struct kprobe *p, struct pt_regs *regs);
void kprobe_emulate_loop(struct kprobe *p, struct pt_regs *regs);
void kprobe_emulate_call(struct kprobe *p, struct pt_regs *regs);
void kprobe_emulate_jmp_reg(struct kprobe *p, struct pt_regs *regs);
void kprobe_emulate_call_reg(struct kprobe *p, struct pt_regs *regs);
void kprobe_emulate_ret(struct kprobe *p, struct pt_regs *regs);
void kprobe_emulate_lret(struct kprobe *p, struct pt_regs *regs);
void kprobe_emulate_iret(struct kprobe *p, struct pt_regs *regs);
void kprobe_emulate_push_reg(struct kprobe *p, struct pt_regs *regs);
void kprobe_emulate_push_imm(struct kprobe *p, struct pt_regs *regs);
void kprobe_emulate_pop_reg(struct kprobe *p, struct pt_regs *regs);
void kprobe_emulate_leave(struct kprobe *p, struct pt_regs *regs);
void kprobe_emulate_pushf(struct kprobe *p, struct pt_regs *regs);
void kprobe_emulate_popf(struct kprobe *p, struct pt_regs *regs);
void kprobe_emulate_flag(struct kprobe *p, struct pt_regs *regs);
void kprobe_after_push_jmp(struct kprobe *p, struct pt_regs *regs);
void kprobe_after_push_call(struct kprobe *p, struct pt_regs *regs);

/* From here to reset_current_kprobe(), other probes that are hit are missed. */
static nokprobe_inline void kprobe_begin_hit(struct kprobe *p)
{
	__this_cpu_write(current_kprobe, p);
	__this_cpu_write(kprobe_ctlblk.kprobe_status, KPROBE_HIT_ACTIVE);
}

#ifdef CONFIG_OPTPROBES
bool kprobe_optimized_tail(struct kprobe *p, const kprobe_opcode_t **tail);
unsigned long kprobe_detour_copies(struct kprobe *p);
int kprobe_region_size(const kprobe_opcode_t *addr);
void kprobe_detour(void);
void kprobe_detour_hit(struct optimized_kprobe *op, struct pt_regs *regs);
#else
static inline bool kprobe_optimized_tail(struct kprobe *p, const kprobe_opcode_t **tail)
{
	return false;
}

static inline unsigned long kprobe_detour_copies(struct kprobe *p)
{
	return 0;
}
#endif

#endif /* _X86_KPROBES_H */
