// SPDX-License-Identifier: GPL-2.0
/*
 * Code generation: what all parts of a program use: the pointer registers, calls of helpers,
 * and branches to slow paths.  codegen.c describes programs.
 */
#include <linux/filter.h>

#include "emit.h"
#include "gen.h"

/**
 * probe_gen_field() - load a member of the hit
 * @g: the program
 * @size: its bytes
 * @dst: register for its value
 * @field: its offset in struct probe_hit
 */
void probe_gen_field(struct probe_gen *g, unsigned int size, u8 dst, size_t field)
{
	probe_emit(g->code, BPF_LDX_MEM(probe_emit_size(size), dst, g->hit, field));
}

static void load_regs(struct probe_gen *g)
{
	probe_gen_field(g, g->arch->word, REG_REGS, offsetof(struct probe_hit, regs));
}

static void load_rec(struct probe_gen *g)
{
	probe_gen_field(g, g->arch->word, REG_REC, offsetof(struct probe_hit, rec));
}

/**
 * probe_gen_regs() - load the address of the registers, unless it is loaded
 * @g: the program
 *
 * Return: the register with the address.
 */
u8 probe_gen_regs(struct probe_gen *g)
{
	if (!g->state.have_regs)
		load_regs(g);
	g->state.have_regs = true;
	return REG_REGS;
}

/**
 * probe_gen_rec() - load the address of the record, unless it is loaded
 * @g: the program
 *
 * Return: the register with the address.
 */
u8 probe_gen_rec(struct probe_gen *g)
{
	if (!g->state.have_rec)
		load_rec(g);
	g->state.have_rec = true;
	return REG_REC;
}

/**
 * probe_gen_restore() - load the pointer registers that were loaded in a state
 * @g: the program
 * @state: the state
 */
void probe_gen_restore(struct probe_gen *g, struct probe_gen_state state)
{
	if (state.have_regs)
		load_regs(g);
	if (state.have_rec)
		load_rec(g);
}

static enum probe_helper helper_in_user(enum probe_helper nr)
{
	switch (nr) {
	case PROBE_HELP_SOURCE:
		return PROBE_HELP_USER_SOURCE;
	case PROBE_HELP_LOAD:
		return PROBE_HELP_USER_LOAD;
	case PROBE_HELP_ARRAY:
		return PROBE_HELP_USER_ARRAY;
	case PROBE_HELP_STRING:
		return PROBE_HELP_USER_STRING;
	case PROBE_HELP_STRINGS:
		return PROBE_HELP_USER_STRINGS;
	case PROBE_HELP_BITS:
		return PROBE_HELP_USER_BITS;
	default:
		return nr;
	}
}

/**
 * probe_gen_call() - call a helper
 * @g: the program; its helpers of the same names are used if the probe is in user space
 * @nr: the helper; R2 to R5 have its parameters after the hit
 *
 * Clobbers R0 to R5.
 */
void probe_gen_call(struct probe_gen *g, enum probe_helper nr)
{
	if (g->arch->in_user)
		nr = helper_in_user(nr);
	probe_emit(g->code, BPF_MOV64_REG(BPF_REG_1, g->hit));
	probe_emit(g->code, BPF_RAW_INSN(BPF_JMP | BPF_CALL, 0, 0, 0,
					 probe_helper_imm(nr)));
	g->code->calls = true;
	g->state = (struct probe_gen_state){};
}

/**
 * probe_gen_slow_path() - add a slow path
 * @g: the program
 * @branch: the branch that leads to it
 *
 * Return: the slow path, which has only @branch.
 */
struct probe_slow_path *probe_gen_slow_path(struct probe_gen *g, u32 branch)
{
	struct probe_slow_path *s = &g->slow[g->nr_slow++];

	*s = (struct probe_slow_path){ .branch = branch, .state = g->state };
	return s;
}

/**
 * probe_gen_fault_if() - branch to the argument's fault block
 * @g: the program
 * @op: condition, such as BPF_JNE
 * @reg: register that is compared with 0
 */
void probe_gen_fault_if(struct probe_gen *g, u8 op, u8 reg)
{
	probe_gen_slow_path(g, probe_emit_branch(g->code, op, reg, 0));
}
