// SPDX-License-Identifier: GPL-2.0
/*
 * See machine.h. The helpers here have no fast paths, so they do not share bugs with the
 * fast paths of the kernel's helpers.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <linux/array_size.h>
#include <linux/errno.h>

#include "bpf_eval.h"
#include "machine.h"

const struct probe_arch arch_x86 = {
	.word = 8,
	.unaligned = true,
	.direct = true,
	.nr_args = 6,
	.first_stack_arg = 1,
	.stack_shift = 14,
	.args = { REG_DI, REG_SI, REG_DX, REG_CX, REG_R8, REG_R9 },
	.sp = REG_SP,
	.retval = REG_AX,
	.probe_mem = true,
	.guard = true,
	.percpu = true,
	.current_task = 0x21a40,
};

const struct probe_arch arch_arm64 = {
	.word = 8,
	.unaligned = true,
	.direct = true,
	.nr_args = 8,
	.stack_shift = 14,
	.args = { 0, 8, 16, 24, 32, 40, 48, 56 },
	.sp = REG_SP,
	.probe_mem = true,
	.guard = true,
	.guard_exact = true,
	.tag_bits = 8,
	.percpu = true,
};

const struct probe_arch arch_strict = {
	.word = 8,
	.stack_shift = 14,
	.probe_mem = true,
	.guard = true,
	.guard_exact = true,
};

const struct probe_arch arch_loongarch = {
	.word = 8,
	.unaligned = true,
	.stack_shift = 14,
	.probe_mem = true,
	.guard = true,
	.guard_exact = true,
	.word_end = 24,
};

const struct probe_arch arch_x86_plain = {
	.word = 8,
	.unaligned = true,
	.direct = true,
	.nr_args = 6,
	.first_stack_arg = 1,
	.stack_shift = 14,
	.args = { REG_DI, REG_SI, REG_DX, REG_CX, REG_R8, REG_R9 },
	.sp = REG_SP,
	.retval = REG_AX,
};

const struct probe_arch arch_strict_plain = { .word = 8, .stack_shift = 14 };

struct probe_arch machine_arch;
struct machine_state machine;

static u8 kernel_mem[KERNEL_SIZE], far_mem[FAR_SIZE];
static u8 stack_mem[STACK_SIZE], user_mem[USER_SIZE];

static const struct region {
	u64	addr;
	u64	size;
	u8	*bytes;
} regions[] = {
	{ KERNEL_MEM, KERNEL_SIZE, kernel_mem },
	{ FAR_MEM, FAR_SIZE, far_mem },
	{ STACK_MEM, STACK_SIZE, stack_mem },
	{ USER_MEM, USER_SIZE, user_mem },
};

static const char *violation;

s32 probe_helper_imm(enum probe_helper nr)
{
	return nr;
}

static bool is_user(u64 addr)
{
	return addr < 1ULL << 47;
}

void *machine_mem(u64 addr, unsigned int size)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(regions); i++) {
		const struct region *r = &regions[i];
		u64 at = addr - r->addr;

		if (at < r->size && size <= r->size - at)
			return r->bytes + at;
	}
	return NULL;
}

const struct probe_arch *machine_regs(void)
{
	return machine_arch.direct ? &machine_arch : &arch_x86;
}

void machine_poke(u64 addr, u64 v)
{
	memcpy(machine_mem(addr, sizeof(v)), &v, sizeof(v));
}

u64 *machine_reg(unsigned int off)
{
	return &machine.regs[off / sizeof(u64)];
}

/* With @user, or if the probe is in user space, a read of a kernel address fails. */
bool machine_read(u64 addr, unsigned int size, bool user, u64 *v)
{
	bool refused = (user || machine_arch.in_user) && !is_user(addr);
	const void *p = refused ? NULL : machine_mem(addr, size);

	*v = 0;
	if (p)
		memcpy(v, p, size);
	return p;
}

int machine_text(u64 addr, bool user, char *buf, unsigned int room)
{
	unsigned int i;
	u64 c;

	for (i = 0; i < room; i++) {
		if (!machine_read(addr + i, 1, user, &c))
			return -1;
		buf[i] = c;
		if (!c)
			return i + 1;
	}
	buf[room - 1] = '\0';
	return room;
}

/* Memory of the program */

static bool inside(u64 addr, unsigned int size, const void *start, size_t len)
{
	u64 at = addr - (unsigned long)start;

	return at < len && size <= len - at;
}

static void *plain_access(u64 addr, unsigned int size, bool store)
{
	bool ok;

	if (!machine_arch.unaligned && addr % size)
		violation = "unaligned access";
	if (store && size >= 4 && machine_arch.word_end &&
	    addr - (unsigned long)machine.rec >= machine_arch.word_end)
		violation = "word stored at a large offset";
	ok = inside(addr, size, machine.rec, RECORD_SIZE);
	if (!store)
		ok = ok || inside(addr, size, machine.regs, sizeof(machine.regs)) ||
		     inside(addr, size, machine.entry, sizeof(machine.entry)) ||
		     inside(addr, size, &machine.task, sizeof(machine.task)) ||
		     inside(addr, size, &machine.hit, sizeof(machine.hit));
	return ok ? (void *)addr : NULL;
}

static const void *probe_access(u64 addr, unsigned int size)
{
	/* Without guard_exact, a displacement may lead out of the kernel's address range. */
	if (machine_arch.guard && (s64)(addr << machine_arch.tag_bits) >= 0 &&
	    (machine_arch.guard_exact ||
	     ((s64)(addr + 0x8000) >= 0 && (s64)(addr - 0x8000) >= 0)))
		violation = "load from an address that was not checked";
	return is_user(addr) ? NULL : machine_mem(addr, size);
}

/* Helpers */

static void set_loc(u32 dst, u32 loc)
{
	memcpy(machine.rec + dst, &loc, sizeof(loc));
}

static void add_text(u32 dst, const char *text, int len)
{
	struct probe_hit *hit = &machine.hit;

	if (len < 0) {
		set_loc(dst, probe_data_loc(hit->dyn, 0));
		machine.rec[hit->dyn++] = '\0';
		return;
	}
	set_loc(dst, probe_data_loc(hit->dyn, len));
	memcpy(machine.rec + hit->dyn, text, len);
	hit->dyn += len;
}

static void add_string(u32 dst, u64 addr, bool user)
{
	unsigned int room = machine.hit.end - machine.hit.dyn;
	char text[RECORD_SIZE];

	add_text(dst, text, machine_text(addr, user, text, room));
}

static u64 help_source(u64 src, u64 nr)
{
	u64 sp = *machine_reg(REG_SP), addr = sp + nr * 8;
	const struct probe_arch *regs = machine_regs();
	u64 *val = &machine.hit.val;

	switch (src) {
	case PROBE_SRC_REG:
		memcpy(val, (u8 *)machine.regs + nr, sizeof(*val));
		return 0;
	case PROBE_SRC_SP:
		*val = sp;
		return 0;
	case PROBE_SRC_ARG:
		if (nr < regs->nr_args) {
			*val = *machine_reg(regs->args[nr]);
			return 0;
		}
		return help_source(PROBE_SRC_STACK,
				   nr - regs->nr_args + regs->first_stack_arg);
	case PROBE_SRC_STACK:
		if (addr / STACK_SIZE != sp / STACK_SIZE)
			return -EFAULT;
		return machine_read(addr, 8, false, val) ? 0 : -EFAULT;
	case PROBE_SRC_CURRENT:
		*val = MACHINE_TASK;
		return 0;
	case PROBE_SRC_RETVAL:
		*val = *machine_reg(regs->retval);
		return 0;
	case PROBE_SRC_CPU:
		*val = MACHINE_CPU;
		return 0;
	case PROBE_SRC_PID:
		*val = MACHINE_PID;
		return 0;
	case PROBE_SRC_TIME:
		*val = MACHINE_TIME;
		return 0;
	case PROBE_SRC_LATENCY:
		*val = MACHINE_TIME - machine.entry[nr / 8];
		return 0;
	default:
		violation = "source is not a register";
		return 0;
	}
}

/* All memory is user memory, also the stack. */
static u64 help_user_source(u64 src, u64 nr)
{
	u64 *val = &machine.hit.val;

	if (src == PROBE_SRC_STACK)
		return machine_read(*machine_reg(REG_SP) + nr * 8, 8, true, val) ? 0 : -EFAULT;
	if (src == PROBE_SRC_ARG)
		violation = "argument of a function in user space";
	return help_source(src, nr);
}

static u64 help_divide(u64 a, u64 b, u64 how)
{
	bool negative = how & PROBE_DIVIDE_SIGNED && (s64)a < 0;
	bool differ = how & PROBE_DIVIDE_SIGNED && ((s64)a < 0) != ((s64)b < 0);
	u64 quotient, rest;

	if (!b)
		return -EFAULT;
	if (negative)
		a = -a;
	if (how & PROBE_DIVIDE_SIGNED && (s64)b < 0)
		b = -b;
	quotient = a / b;
	rest = a % b;
	if (how & PROBE_DIVIDE_MODULO)
		machine.hit.val = negative ? -rest : rest;
	else
		machine.hit.val = differ ? -quotient : quotient;
	return 0;
}

/* Bit by bit. */
static u64 help_bits(u64 addr, u64 shape, u64 bits)
{
	u32 size = probe_shape_size(shape), width = probe_bits_width(bits), i, at;
	u64 bytes[PROBE_MAX_BITS_LOAD];

	for (i = 0; i < size; i++)
		if (!machine_read(addr + i, 1, probe_shape_user(shape), &bytes[i]))
			return -EFAULT;
	machine.hit.val = 0;
	for (i = 0; i < 64; i++) {
		if (i >= width && !probe_bits_signed(bits))
			break;
		at = probe_bits_shift(bits) + (i < width ? i : width - 1);
		machine.hit.val |= (bytes[at / 8] >> at % 8 & 1) << i;
	}
	return 0;
}

static void help_array(u64 addr, u64 dst, u64 shape, u64 bits)
{
	u32 count = probe_shape_count(shape), bit = probe_shape_fault_bit(shape), i;
	u8 size = probe_shape_size(shape);
	u64 v;

	for (i = 0; i < count; i++) {
		if (!machine_read(addr + i * size, size, probe_shape_user(shape), &v))
			machine.rec[(bit + i) / 8] |= 1 << (bit + i) % 8;
		if (bits)
			v = probe_extract_bits(v, bits);
		memcpy(machine.rec + dst + i * size, &v, size);
	}
}

static void help_words(u64 addr, u64 dst, u64 shape, u64 len)
{
	if (!machine_arch.unaligned || probe_shape_user(shape) || len % machine_arch.word ||
	    len != probe_shape_size(shape) * probe_shape_count(shape))
		violation = "not an array of words";
	help_array(addr, dst, shape, 0);
}

static void help_strings(u64 addr, u64 dst, u64 shape)
{
	u32 count = probe_shape_count(shape), i;
	u64 p;

	for (i = 0; i < count; i++) {
		if (machine_read(addr + i * 8, 8, probe_shape_user(shape), &p))
			add_string(dst + i * 4, p, probe_shape_str_user(shape));
		else
			add_text(dst + i * 4, NULL, -1);
	}
}

/* The stack has one entry. */
static void help_stack(u64 dst, u64 room, u64 shape)
{
	u64 words[2] = { 1, MACHINE_FRAME + probe_shape_user(shape) };

	memset(machine.rec + room, 0, 8 * (probe_shape_count(shape) + 1));
	memcpy(machine.rec + room, words, sizeof(words));
	set_loc(dst, probe_data_loc(room, sizeof(words)));
}

static u64 help_match(u64 dst, u64 pattern, bool drop)
{
	const struct probe_pattern *p = (const void *)(unsigned long)pattern;
	const char *text;
	u32 loc;

	memcpy(&loc, machine.rec + dst, sizeof(loc));
	text = (const char *)machine.rec + probe_data_loc_offset(loc);
	if (drop)
		machine.hit.dyn = probe_data_loc_offset(loc);
	if (!probe_data_loc_len(loc))
		return PROBE_MATCH_FAULT;
	return probe_match(p, text, strlen(text)) ? PROBE_MATCH_YES : PROBE_MATCH_NO;
}

/* Helpers that read memory or registers in the kernel. */
static bool is_kernel_helper(s32 imm)
{
	return imm <= PROBE_HELP_STRINGS || imm == PROBE_HELP_BITS;
}

static u64 helper(s32 imm, const u64 *arg)
{
	static const char comm[PROBE_COMM_LEN] = MACHINE_COMM;
	char text[64];
	u64 i;

	if (arg[0] != (unsigned long)&machine.hit || imm < 0 || imm >= PROBE_NR_HELPERS) {
		violation = "invalid call";
		return 0;
	}
	machine.calls[imm]++;
	if (machine_arch.in_user ? is_kernel_helper(imm) : imm >= PROBE_HELP_USER_SOURCE)
		violation = "call for the other kind of probes";
	switch (imm) {
	case PROBE_HELP_SOURCE:
		return help_source(arg[1], arg[2]);
	case PROBE_HELP_USER_SOURCE:
		return help_user_source(arg[1], arg[2]);
	case PROBE_HELP_LOAD:
	case PROBE_HELP_USER_LOAD:
		return machine_read(arg[1], probe_shape_size(arg[2]), probe_shape_user(arg[2]),
				    &machine.hit.val) ? 0 : -EFAULT;
	case PROBE_HELP_BITS:
	case PROBE_HELP_USER_BITS:
		return help_bits(arg[1], arg[2], arg[3]);
	case PROBE_HELP_ARRAY:
	case PROBE_HELP_USER_ARRAY:
		help_array(arg[1], arg[2], arg[3], arg[4]);
		break;
	case PROBE_HELP_WORDS:
		help_words(arg[1], arg[2], arg[3], arg[4]);
		break;
	case PROBE_HELP_STRING:
	case PROBE_HELP_USER_STRING:
		add_string(arg[2], arg[1], arg[3]);
		break;
	case PROBE_HELP_STRINGS:
	case PROBE_HELP_USER_STRINGS:
		help_strings(arg[1], arg[2], arg[3]);
		break;
	case PROBE_HELP_SYMSTR:
		add_text(arg[2], text, sprintf(text, "sym_%" PRIx64, arg[1]) + 1);
		break;
	case PROBE_HELP_PATH:
		add_text(arg[2], text, sprintf(text, "path_%" PRIx64, arg[1]) + 1);
		break;
	case PROBE_HELP_DENTRY:
		add_text(arg[2], text, sprintf(text, "dentry_%" PRIx64, arg[1]) + 1);
		break;
	case PROBE_HELP_STACK:
		help_stack(arg[1], arg[2], arg[3]);
		break;
	case PROBE_HELP_COMM:
		if (arg[2]) {
			memcpy(machine.rec + arg[2], comm, sizeof(comm));
			set_loc(arg[1], probe_data_loc(arg[2], 5));
		} else {
			add_text(arg[1], comm, 5);
		}
		break;
	case PROBE_HELP_DATA:
		add_text(arg[2], (const char *)(unsigned long)arg[1], arg[3]);
		break;
	case PROBE_HELP_THIS_CPU:
		return arg[1] + MACHINE_THIS_CPU;
	case PROBE_HELP_MATCH:
		return help_match(arg[1], arg[2], arg[3]);
	case PROBE_HELP_DIVIDE:
		return help_divide(arg[1], arg[2], arg[3]);
	case PROBE_HELP_MATCH_COMM:
		return probe_match((const void *)(unsigned long)arg[1], comm, strlen(comm));
	case PROBE_HELP_FAULT_STRINGS:
		for (i = 0; i < arg[2]; i++)
			add_text(arg[1] + i * 4, NULL, -1);
		break;
	}
	return 0;
}

void machine_reset(void)
{
	unsigned int i;

	memset(&machine, 0, sizeof(machine));
	for (i = 0; i < ARRAY_SIZE(machine.regs); i++)
		machine.regs[i] = 0x1111111111111111ULL * (i % 15 + 1);
	for (i = 0; i < ARRAY_SIZE(machine.entry); i++)
		machine.entry[i] = 0xe000000000000000ULL + i;
	*machine_reg(REG_SP) = STACK_MEM + 0x3000;
	machine.task = MACHINE_TASK;

	/* The ring buffer aligns records to 4 bytes only. */
	machine.rec = machine.rec_bytes;
	while ((unsigned long)machine.rec % 8 != 4)
		machine.rec++;
}

/* Check properties that hold for all programs. */
static const char *check_shape(const struct probe_code *code)
{
	bool calls = false, saves = false, jit_only = false;
	u32 i, nr_ex = 0;

	for (i = 0; i < code->len; i++) {
		const struct bpf_insn *insn = &code->insn[i];

		if (insn->code == (BPF_JMP | BPF_CALL))
			calls = true;
		/* Formulas may use other registers that calls preserve. */
		if (insn->dst_reg == BPF_REG_6 || insn->src_reg == BPF_REG_6)
			saves = true;
		if (BPF_CLASS(insn->code) == BPF_LDX &&
		    BPF_MODE(insn->code) == 0x20)
			nr_ex++;
		if (insn->code == (BPF_ALU64 | BPF_MOV | BPF_X) && insn->off)
			jit_only = true;
	}
	if (jit_only != code->jit_only)
		return "wrong value of jit_only";
	if (jit_only && !machine_arch.percpu)
		return "an instruction that the JIT does not support";
	if (nr_ex != code->nr_ex)
		return "wrong value of nr_ex";
	if (calls != code->calls)
		return "wrong value of calls";
	if (nr_ex && !machine_arch.probe_mem)
		return "loads that the JIT does not support";
	if (saves && !calls)
		return "saves a register without need";
	return NULL;
}

const char *machine_run(const struct probe_layout *l, const struct probe_fetch *fetch,
			unsigned int nr, const struct probe_predicate *predicate)
{
	static const struct bpf_world world = {
		.access = plain_access,
		.probe = probe_access,
		.call = helper,
		.this_cpu = MACHINE_THIS_CPU,
	};
	struct probe_code code = {};
	const char *wrong;

	memset(machine.rec, POISON, RECORD_SIZE);
	memset(machine.calls, 0, sizeof(machine.calls));
	machine.hit = (struct probe_hit){
		.regs = (void *)machine.regs,
		.rec = machine.rec,
		.entry = machine.entry,
		.dyn = l->size,
		.end = PROBE_MAX_RECORD,
		.head[0] = MACHINE_PLACE,
	};
	violation = NULL;

	/* The variable is not in the machine's memory. */
	if (machine_arch.current_task)
		machine_arch.current_task = (unsigned long)&machine.task - MACHINE_THIS_CPU;
	if (probe_codegen(&code, &machine_arch, l, fetch, nr, predicate))
		wrong = "no program was generated";
	else
		wrong = check_shape(&code);
	if (!wrong)
		wrong = bpf_eval(code.insn, code.len, (unsigned long)&machine.hit,
				 &world, &machine.steps, &machine.verdict);
	probe_code_free(&code);
	return wrong ?: violation;
}
