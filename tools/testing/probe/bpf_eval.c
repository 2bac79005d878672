// SPDX-License-Identifier: GPL-2.0
/*
 * A strict interpreter for fetch programs, and a disassembler. The interpreter accepts
 * only the instructions that the code generator emits, and reports reads of undefined
 * registers. At the start, only R1 is defined. A call makes R1 to R5 undefined.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <linux/filter.h>

#include "bpf_eval.h"

#define MAX_STEPS	200000

struct machine {
	const struct bpf_insn	*insn;
	unsigned int		len;
	const struct bpf_world	*world;
	u64			reg[MAX_BPF_REG];
	bool			defined[MAX_BPF_REG];
};

static unsigned int size_of(u8 code)
{
	switch (BPF_SIZE(code)) {
	case BPF_B:
		return 1;
	case BPF_H:
		return 2;
	case BPF_W:
		return 4;
	default:
		return 8;
	}
}

static u64 get(const void *p, unsigned int size)
{
	u64 v = 0;

	memcpy(&v, p, size);	/* assumes a little-endian host */
	return v;
}

static const char *do_load(struct machine *m, const struct bpf_insn *i)
{
	u64 addr = m->reg[i->src_reg] + i->off;
	unsigned int size = size_of(i->code);
	const void *p;

	if (!m->defined[i->src_reg])
		return "load through an undefined register";
	switch (BPF_MODE(i->code)) {
	case BPF_MEM:
		p = m->world->access(addr, size, false);
		if (!p)
			return "load from memory that may fault";
		break;
	case BPF_PROBE_MEM:
		p = m->world->probe(addr, size);
		break;
	default:
		return "unsupported load mode";
	}
	m->reg[i->dst_reg] = p ? get(p, size) : 0;
	m->defined[i->dst_reg] = true;
	return NULL;
}

static const char *do_store(struct machine *m, const struct bpf_insn *i)
{
	u64 addr = m->reg[i->dst_reg] + i->off, v = (s64)i->imm;
	unsigned int size = size_of(i->code);
	void *p;

	if (!m->defined[i->dst_reg])
		return "store through an undefined register";
	if (BPF_CLASS(i->code) == BPF_STX) {
		if (!m->defined[i->src_reg])
			return "store of an undefined register";
		v = m->reg[i->src_reg];
	}
	if (BPF_MODE(i->code) != BPF_MEM)
		return "unsupported store mode";
	p = m->world->access(addr, size, true);
	if (!p)
		return "store that is not allowed";
	memcpy(p, &v, size);
	return NULL;
}

static const char *do_alu(struct machine *m, const struct bpf_insn *i)
{
	bool wide = BPF_CLASS(i->code) == BPF_ALU64;
	u64 *dst = &m->reg[i->dst_reg], v = (s64)i->imm;

	if (BPF_SRC(i->code) == BPF_X) {
		if (!m->defined[i->src_reg])
			return "arithmetic with an undefined register";
		v = m->reg[i->src_reg];
	}
	if (BPF_OP(i->code) != BPF_MOV && !m->defined[i->dst_reg])
		return "arithmetic on an undefined register";

	switch (BPF_OP(i->code)) {
	case BPF_MOV:
		*dst = v;
		break;
	case BPF_ADD:
		*dst += v;
		break;
	case BPF_SUB:
		*dst -= v;
		break;
	case BPF_MUL:
		*dst *= v;
		break;
	case BPF_DIV:
	case BPF_MOD:
		if (!wide || i->off || !v)
			return "unsupported division";
		*dst = BPF_OP(i->code) == BPF_DIV ? *dst / v : *dst % v;
		break;
	case BPF_AND:
		*dst &= v;
		break;
	case BPF_OR:
		*dst |= v;
		break;
	case BPF_XOR:
		*dst ^= v;
		break;
	case BPF_LSH:
	case BPF_RSH:
	case BPF_ARSH:
		if (!wide || v >= 64)
			return "shift by too many bits";
		if (BPF_OP(i->code) == BPF_LSH)
			*dst <<= v;
		else if (BPF_OP(i->code) == BPF_RSH)
			*dst >>= v;
		else
			*dst = (s64)*dst >> v;
		break;
	default:
		return "unknown arithmetic operation";
	}
	if (BPF_OP(i->code) == BPF_MOV && i->off == BPF_ADDR_PERCPU)
		*dst += m->world->this_cpu;
	else if (i->off)
		return "unknown form of an arithmetic operation";
	if (!wide)
		*dst = (u32)*dst;
	m->defined[i->dst_reg] = true;
	return NULL;
}

static const char *do_call(struct machine *m, const struct bpf_insn *i)
{
	unsigned int r;
	u64 args[5];

	if (!m->defined[BPF_REG_1])
		return "call with an undefined R1";
	/* Give undefined arguments a value that no helper accepts. */
	for (r = 0; r < 5; r++)
		args[r] = m->defined[r + 1] ? m->reg[r + 1] : 0xdeaddeaddeaddead;
	m->reg[BPF_REG_0] = m->world->call(i->imm, args);
	m->defined[BPF_REG_0] = true;
	for (r = BPF_REG_1; r <= BPF_REG_5; r++)
		m->defined[r] = false;
	return NULL;
}

static const char *do_branch(struct machine *m, const struct bpf_insn *i, bool *taken)
{
	u64 a = m->reg[i->dst_reg], b = (s64)i->imm;

	if (BPF_OP(i->code) == BPF_JA) {
		*taken = true;
		return NULL;
	}
	if (BPF_SRC(i->code) == BPF_X) {
		if (!m->defined[i->src_reg])
			return "comparison with an undefined register";
		b = m->reg[i->src_reg];
	}
	if (!m->defined[i->dst_reg])
		return "branch on an undefined register";
	switch (BPF_OP(i->code)) {
	case BPF_JEQ:
		*taken = a == b;
		return NULL;
	case BPF_JNE:
		*taken = a != b;
		return NULL;
	case BPF_JLT:
		*taken = a < b;
		return NULL;
	case BPF_JLE:
		*taken = a <= b;
		return NULL;
	case BPF_JGT:
		*taken = a > b;
		return NULL;
	case BPF_JGE:
		*taken = a >= b;
		return NULL;
	case BPF_JSLT:
		*taken = (s64)a < (s64)b;
		return NULL;
	case BPF_JSLE:
		*taken = (s64)a <= (s64)b;
		return NULL;
	case BPF_JSGT:
		*taken = (s64)a > (s64)b;
		return NULL;
	case BPF_JSGE:
		*taken = (s64)a >= (s64)b;
		return NULL;
	default:
		return "unknown branch";
	}
}

static const char *step(struct machine *m, unsigned int *pc)
{
	const struct bpf_insn *i = &m->insn[(*pc)++];
	const char *wrong;
	bool taken;

	switch (BPF_CLASS(i->code)) {
	case BPF_LDX:
		return do_load(m, i);
	case BPF_ST:
	case BPF_STX:
		return do_store(m, i);
	case BPF_ALU:
	case BPF_ALU64:
		return do_alu(m, i);
	case BPF_LD:
		if (i->code != (BPF_LD | BPF_IMM | BPF_DW) || *pc == m->len ||
		    m->insn[*pc].code)
			return "unknown constant load";
		m->reg[i->dst_reg] = (u32)i->imm | (u64)(u32)m->insn[(*pc)++].imm << 32;
		m->defined[i->dst_reg] = true;
		return NULL;
	case BPF_JMP:
		if (BPF_OP(i->code) == BPF_CALL)
			return do_call(m, i);
		wrong = do_branch(m, i, &taken);
		if (!wrong && taken)
			*pc += i->off;
		return wrong;
	default:
		return "unknown instruction";
	}
}

const char *bpf_eval(const struct bpf_insn *insn, unsigned int len, u64 ctx,
		     const struct bpf_world *world, unsigned int *steps, u64 *result)
{
	struct machine m = { .insn = insn, .len = len, .world = world };
	const char *wrong = NULL;
	unsigned int pc = 0;

	m.reg[BPF_REG_1] = ctx;
	m.defined[BPF_REG_1] = true;
	for (*steps = 1; !wrong; ++*steps) {
		if (pc >= len)
			return "jump out of the program";
		if (insn[pc].code == (BPF_JMP | BPF_EXIT)) {
			*result = m.defined[BPF_REG_0] ? m.reg[BPF_REG_0] : 0;
			return NULL;
		}
		if (*steps > MAX_STEPS)
			return "program does not end";
		wrong = step(&m, &pc);
	}
	return wrong;
}

/* Listing */

struct out {
	char	*p;
	size_t	left;
};

static void __printf(2, 3)
put(struct out *o, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(o->p, o->left, fmt, ap);
	va_end(ap);
	if (n > 0 && (size_t)n < o->left) {
		o->p += n;
		o->left -= n;
	}
}

static void put_mem(struct out *o, const struct bpf_insn *i, unsigned int reg)
{
	const char *how = BPF_CLASS(i->code) == BPF_LDX &&
			  BPF_MODE(i->code) == BPF_PROBE_MEM ? "probe " : "";

	put(o, "*(%su%u *)(r%u %c %d)", how, size_of(i->code) * 8, reg,
	    i->off < 0 ? '-' : '+', i->off < 0 ? -i->off : i->off);
}

static const char *alu_name(u8 code)
{
	switch (BPF_OP(code)) {
	case BPF_MOV:
		return "";
	case BPF_ADD:
		return "+";
	case BPF_SUB:
		return "-";
	case BPF_MUL:
		return "*";
	case BPF_DIV:
		return "/";
	case BPF_MOD:
		return "%";
	case BPF_AND:
		return "&";
	case BPF_OR:
		return "|";
	case BPF_XOR:
		return "^";
	case BPF_LSH:
		return "<<";
	case BPF_RSH:
		return ">>";
	case BPF_ARSH:
		return "s>>";
	default:
		return "?";
	}
}

static const char *branch_name(u8 code)
{
	switch (BPF_OP(code)) {
	case BPF_JEQ:
		return "==";
	case BPF_JNE:
		return "!=";
	case BPF_JLT:
		return "<";
	case BPF_JLE:
		return "<=";
	case BPF_JGT:
		return ">";
	case BPF_JGE:
		return ">=";
	case BPF_JSLT:
		return "s<";
	case BPF_JSLE:
		return "s<=";
	case BPF_JSGT:
		return "s>";
	case BPF_JSGE:
		return "s>=";
	default:
		return "?";
	}
}

static void put_jump(struct out *o, const struct bpf_insn *i, unsigned int at)
{
	switch (BPF_OP(i->code)) {
	case BPF_EXIT:
		put(o, "exit");
		break;
	case BPF_CALL:
		put(o, "call %d", i->imm);
		break;
	case BPF_JA:
		put(o, "goto %d", at + 1 + i->off);
		break;
	default:
		put(o, "if r%u %s ", i->dst_reg, branch_name(i->code));
		if (BPF_SRC(i->code) == BPF_X)
			put(o, "r%u", i->src_reg);
		else
			put(o, "%d", i->imm);
		put(o, " goto %d", at + 1 + i->off);
		break;
	}
}

static void put_insn(struct out *o, const struct bpf_insn *i, unsigned int at)
{
	char reg = BPF_CLASS(i->code) == BPF_ALU ? 'w' : 'r';

	switch (BPF_CLASS(i->code)) {
	case BPF_LDX:
		put(o, "r%u = ", i->dst_reg);
		put_mem(o, i, i->src_reg);
		break;
	case BPF_ST:
		put_mem(o, i, i->dst_reg);
		put(o, " = %d", i->imm);
		break;
	case BPF_STX:
		put_mem(o, i, i->dst_reg);
		put(o, " = r%u", i->src_reg);
		break;
	case BPF_ALU:
	case BPF_ALU64:
		put(o, "%c%u %s= ", reg, i->dst_reg, alu_name(i->code));
		if (i->off == BPF_ADDR_PERCPU)
			put(o, "this_cpu ");
		if (BPF_SRC(i->code) == BPF_X)
			put(o, "%c%u", reg, i->src_reg);
		else
			put(o, "%d", i->imm);
		break;
	case BPF_LD:
		put(o, "r%u = 0x%" PRIx64, i->dst_reg,
		    (u32)i->imm | (u64)(u32)i[1].imm << 32);
		break;
	default:
		put_jump(o, i, at);
		break;
	}
}

void bpf_show(const struct bpf_insn *insn, unsigned int len, char *buf, size_t size)
{
	struct out o = { buf, size };
	unsigned int i;

	*buf = '\0';
	for (i = 0; i < len; i++) {
		put_insn(&o, &insn[i], i);
		put(&o, "\n");
		if (BPF_CLASS(insn[i].code) == BPF_LD)
			i++;
	}
}
