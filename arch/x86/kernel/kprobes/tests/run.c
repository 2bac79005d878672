// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of kernel probes: run sites with random states.
 */

#include <linux/kprobes.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/prandom.h>
#include <linux/string.h>

#include <asm/cpufeature.h>
#include <asm/fpu/api.h>
#include <asm/processor-flags.h>
#include <asm/segment.h>

#include "../kprobes.h"
#include "run.h"

#define SEED		0x6b70726f
/* Exception handlers and their callees use this stack, too. */
#define STACK_SIZE	(8 * PAGE_SIZE)

struct cpu_state kprobes_site_in, kprobes_site_out;
u64 kprobes_site_mem[MEM_WORDS] __aligned(64);
u64 kprobes_site_exit;
u64 kprobes_site_saved_sp;
DEFINE_PER_CPU(u64, kprobes_site_percpu);

static u8 site_stack[STACK_SIZE] __aligned(PAGE_SIZE);
#define WINDOW_START	((u64)site_stack + STACK_SIZE - STACK_WINDOW)

#define ARITHMETIC	(X86_EFLAGS_CF | X86_EFLAGS_PF | X86_EFLAGS_AF | X86_EFLAGS_ZF |	\
			 X86_EFLAGS_SF | X86_EFLAGS_OF)
#define OTHERS		(X86_EFLAGS_DF | X86_EFLAGS_AC | X86_EFLAGS_ID)

/**
 * site_can_run() - does this CPU have the instruction?
 * @s:	a site
 *
 * Return: true if it does.
 */
bool site_can_run(const struct site *s)
{
	return !(s->init & INIT_AVX) || boot_cpu_has(X86_FEATURE_AVX);
}

static u64 random_bits(struct rnd_state *rnd)
{
	u64 high = prandom_u32_state(rnd);

	return high << 32 | prandom_u32_state(rnd);
}

static unsigned int below(struct rnd_state *rnd, unsigned int limit)
{
	return prandom_u32_state(rnd) % limit;
}

/* A random value or, with probability 1/4, a boundary value. */
static u64 random_value(struct rnd_state *rnd)
{
	static const u64 edges[] = {
		0, 1, 2, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0x7fffffff, 0x80000000,
		0xffffffff, 0x100000000, S64_MAX, 1ULL << 63, -2, -1,
	};

	if (below(rnd, 4))
		return random_bits(rnd);
	return edges[below(rnd, ARRAY_SIZE(edges))];
}

static u64 random_flags(struct rnd_state *rnd, bool irqs)
{
	u64 mask = ARITHMETIC | OTHERS | (irqs ? X86_EFLAGS_IF : 0);

	return (random_bits(rnd) & mask) | X86_EFLAGS_FIXED;
}

static void fill(struct rnd_state *rnd, void *to, size_t size)
{
	u64 *words = to;

	for (size /= sizeof(*words); size; size--)
		*words++ = random_value(rnd);
}

static u64 pointer(struct rnd_state *rnd)
{
	return (u64)&kprobes_site_mem[MEM_ORIGIN + below(rnd, 4)];
}

static void set_registers(struct rnd_state *rnd, const struct site *s, u64 *reg)
{
	static const u32 leaves[] = { 0, 0x80000000, 0x80000002, 0x80000003 };

	if (s->init & INIT_MEM) {
		reg[BX] = pointer(rnd);
		reg[BP] = pointer(rnd);
		reg[SI] = pointer(rnd);
		reg[DI] = pointer(rnd);
		reg[12] = pointer(rnd);
		reg[13] = pointer(rnd);
	}
	if (s->init & INIT_BP)
		reg[BP] = reg[SP] + 8 * (4 + below(rnd, 8));
	if (s->init & INIT_CX)
		reg[CX] = below(rnd, 8);
	if (s->init & INIT_CX32)
		reg[CX] = (reg[CX] & ~(u64)U32_MAX) | below(rnd, 3);
	if (s->init & INIT_DIV) {
		/* Avoid #DE for all sizes: no divisor is zero, and quotients are small. */
		reg[AX] = below(rnd, 0x80);
		reg[CX] |= 0x0101010101010101;
		reg[DX] = 0;
	}
	if (s->init & INIT_CPUID) {
		reg[AX] = leaves[below(rnd, ARRAY_SIZE(leaves))];
		reg[CX] = 0;
	}
}

static void set_targets_and_memory(struct rnd_state *rnd, const struct site *s,
				   struct site_state *state, u64 *top, bool irqs)
{
	u64 *reg = state->cpu.reg;
	u64 to = (u64)(below(rnd, 2) ? s->ahead : s->back);
	unsigned int i;

	if (s->init & INIT_EQUAL && below(rnd, 2)) {
		for (i = 0; i < MEM_WORDS; i++)
			state->mem[i] = reg[AX];
		reg[DX] = reg[AX] >> 32;
	}
	if (s->init & INIT_TO_ANY_REG)
		reg[s->init >> 28] = to;
	if (s->init & INIT_TO_MEM) {
		for (i = 0; i < MEM_WORDS; i++)
			state->mem[i] = to;
		for (i = 0; i < ARRAY_SIZE(state->stack); i++)
			state->stack[i] = to;
		state->percpu = to;
	}
	if (s->init & (INIT_TO_STACK | INIT_IRET)) {
		top[0] = to;
		top[1] = __KERNEL_CS;
	}
	if (s->init & INIT_IRET) {
		top[2] = random_flags(rnd, irqs);
		top[3] = reg[SP] + 8 * below(rnd, 16);
		top[4] = __KERNEL_DS;
	}
	if (s->init & INIT_FLAGS) {
		/* POPF ignores reserved bits. */
		top[0] = (random_bits(rnd) & ~(u64)GENMASK(21, 0)) |
			 random_flags(rnd, irqs) | X86_EFLAGS_IOPL;
		if (below(rnd, 2))
			top[0] &= ~(u64)X86_EFLAGS_FIXED;
	}
	if (s->init & INIT_SP)
		top[0] = reg[SP] + 8 * below(rnd, 16);
}

/**
 * site_make() - generate an initial state for a site
 * @s:		the site
 * @nr:		number of the site
 * @round:	number of the state; if it is odd, no flags in the state enable interrupts
 * @state:	gets the state
 *
 * The same arguments give the same state.
 */
void site_make(const struct site *s, unsigned int nr, unsigned int round,
	       struct site_state *state)
{
	bool irqs = !(round & 1);
	struct rnd_state rnd;
	unsigned int at;

	prandom_seed_state(&rnd, SEED + nr * 1000ULL + round);
	memset(state, 0, sizeof(*state));
	fill(&rnd, state->cpu.reg, sizeof(state->cpu.reg));
	fill(&rnd, state->mem, sizeof(state->mem));
	fill(&rnd, state->stack, sizeof(state->stack));
	fill(&rnd, state->vec, sizeof(state->vec));
	state->percpu = random_value(&rnd);

	at = STACK_WINDOW / 2 + 8 * below(&rnd, 8);
	state->cpu.reg[SP] = WINDOW_START + at;
	state->cpu.flags = random_flags(&rnd, irqs);
	state->cpu.ip = (u64)s->addr;
	set_registers(&rnd, s, state->cpu.reg);
	set_targets_and_memory(&rnd, s, state, &state->stack[at / 8], irqs);
}

static void load_vectors(const struct site *s, u8 (*vec)[32])
{
	if (s->init & INIT_AVX)
		asm volatile("vmovdqu %0, %%ymm0\n\t"
			     "vmovdqu %1, %%ymm1\n\t"
			     "vmovdqu %2, %%ymm2\n\t"
			     "vmovdqu %3, %%ymm3"
			     : : "m" (vec[0]), "m" (vec[1]), "m" (vec[2]), "m" (vec[3]));
	else
		asm volatile("movdqu %0, %%xmm0\n\t"
			     "movdqu %1, %%xmm1\n\t"
			     "movdqu %2, %%xmm2\n\t"
			     "movdqu %3, %%xmm3"
			     : : "m" (vec[0]), "m" (vec[1]), "m" (vec[2]), "m" (vec[3]));
}

static void store_vectors(const struct site *s, u8 (*vec)[32])
{
	if (s->init & INIT_AVX)
		asm volatile("vmovdqu %%ymm0, %0\n\t"
			     "vmovdqu %%ymm1, %1\n\t"
			     "vmovdqu %%ymm2, %2\n\t"
			     "vmovdqu %%ymm3, %3"
			     : "=m" (vec[0]), "=m" (vec[1]), "=m" (vec[2]), "=m" (vec[3]));
	else
		asm volatile("movdqu %%xmm0, %0\n\t"
			     "movdqu %%xmm1, %1\n\t"
			     "movdqu %%xmm2, %2\n\t"
			     "movdqu %%xmm3, %3"
			     : "=m" (vec[0]), "=m" (vec[1]), "=m" (vec[2]), "=m" (vec[3]));
}

static void enter(enum site_context context)
{
	switch (context) {
	case SITE_PLAIN:
		kprobes_site_enter();
		break;
	case SITE_BUSY:
		kprobe_busy_begin();
		kprobes_site_enter();
		kprobe_busy_end();
		break;
	case SITE_NESTED:
		kprobes_site_outer();
		break;
	}
}

/* Clear the stack below SP, and entries that the site reserved but did not write. */
static void clear_unwritten_stack(const struct site *s, const struct site_state *in,
				  struct site_state *out)
{
	u64 from = in->cpu.reg[SP] - (s->init & INIT_UNWRITTEN ? 0 : 8);

	from = max(from, out->cpu.reg[SP]);
	if (from > WINDOW_START)
		memset(out->stack, 0, min_t(u64, from - WINDOW_START, STACK_WINDOW));
}

/**
 * site_run() - run a site
 * @s:		the site
 * @in:		initial state
 * @out:	gets the final state
 * @context:	context to run it in
 *
 * Context: Process context, one call at a time.  The site runs with preemption disabled,
 * and with the interrupt flag of @in.
 */
void site_run(const struct site *s, const struct site_state *in,
	      struct site_state *out, enum site_context context)
{
	unsigned long flags;

	memset(out, 0, sizeof(*out));
	memcpy(out->vec, in->vec, sizeof(in->vec));
	if (s->init & INIT_FPU)
		kernel_fpu_begin();
	else
		preempt_disable();
	local_irq_save(flags);

	memcpy((void *)WINDOW_START, in->stack, STACK_WINDOW);
	memcpy(kprobes_site_mem, in->mem, sizeof(in->mem));
	this_cpu_write(kprobes_site_percpu, in->percpu);
	kprobes_site_in = in->cpu;
	memset(&kprobes_site_out, 0, sizeof(kprobes_site_out));
	kprobes_site_exit = 0;
	if (s->init & INIT_FPU)
		load_vectors(s, out->vec);

	enter(context);

	if (s->init & INIT_FPU)
		store_vectors(s, out->vec);
	out->cpu = kprobes_site_out;
	out->exit = kprobes_site_exit;
	out->percpu = this_cpu_read(kprobes_site_percpu);
	memcpy(out->mem, kprobes_site_mem, sizeof(out->mem));
	memcpy(out->stack, (void *)WINDOW_START, STACK_WINDOW);

	local_irq_restore(flags);
	if (s->init & INIT_FPU)
		kernel_fpu_end();
	else
		preempt_enable();

	clear_unwritten_stack(s, in, out);
	out->cpu.flags &= SITE_FLAGS;
	if (s->init & INIT_NO_DATA) {
		out->cpu.reg[AX] = 0;
		out->cpu.reg[DX] = 0;
	}
}

/**
 * site_has_irqs_off() - are interrupts off both before and after a site?
 * @in:		state before a site
 * @out:	state after it
 *
 * Return: true if they are.
 */
bool site_has_irqs_off(const struct site_state *in, const struct site_state *out)
{
	return !((in->cpu.flags | out->cpu.flags) & X86_EFLAGS_IF);
}

static const char *exit_name(u64 exit)
{
	switch (exit) {
	case EXIT_NEXT:
		return "the next instruction";
	case EXIT_AHEAD:
		return "the target after the site";
	case EXIT_BACK:
		return "the target before the site";
	default:
		return "an unknown place";
	}
}

/**
 * site_difference() - describe the first difference between two states
 * @a:		a state
 * @b:		the expected state
 * @buf:	buffer for the text
 * @size:	size of @buf
 *
 * Return: @buf, or NULL if they are equal.
 */
const char *site_difference(const struct site_state *a, const struct site_state *b,
			    char *buf, size_t size)
{
	const u64 *x = (const u64 *)a, *y = (const u64 *)b;
	static const struct {
		const char *name;
		unsigned int at;
	} parts[] = {
		{ "vec", offsetof(struct site_state, vec) },
		{ "stack", offsetof(struct site_state, stack) },
		{ "mem", offsetof(struct site_state, mem) },
		{ "percpu", offsetof(struct site_state, percpu) },
		{ "flags", offsetof(struct site_state, cpu.flags) },
		{ "reg", 0 },
	};
	unsigned int i, at;

	for (i = 0; i < sizeof(*a) / sizeof(*x) && x[i] == y[i]; i++)
		;
	if (i == sizeof(*a) / sizeof(*x))
		return NULL;
	at = i * sizeof(*x);
	if (at == offsetof(struct site_state, exit)) {
		snprintf(buf, size, "continued at %s, not at %s", exit_name(a->exit),
			 exit_name(b->exit));
		return buf;
	}
	for (i = 0; parts[i].at > at; i++)
		;
	at -= parts[i].at;
	x = (const void *)a + parts[i].at + at;
	y = (const void *)b + parts[i].at + at;
	snprintf(buf, size, "%s[%u] is %llx, not %llx", parts[i].name, at / 8, *x, *y);
	return buf;
}

/**
 * site_pt_reg() - get a register by its number
 * @regs:	the registers
 * @number:	number of the register in instructions
 *
 * Return: its value.
 */
u64 site_pt_reg(const struct pt_regs *regs, unsigned int number)
{
	return *(const u64 *)((const u8 *)regs + kprobe_reg_offset(number));
}
