// SPDX-License-Identifier: GPL-2.0
/* The record that a fetch program must write, computed without a program. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <linux/array_size.h>
#include <linux/errno.h>
#include <linux/minmax.h>

#include "model.h"

u8 model_rec[RECORD_SIZE];
u32 model_dyn;
const struct probe_fetch *model_args;

static void add_text(u32 dst, const char *text, int len)
{
	u32 loc = probe_data_loc(model_dyn, len < 0 ? 0 : len);

	memcpy(model_rec + dst, &loc, sizeof(loc));
	if (len < 0) {
		text = "";
		len = 1;
	}
	memcpy(model_rec + model_dyn, text, len);
	model_dyn += len;
}

/* Expect a string in its reserved space, padded with NULs. */
static void add_text_at(u32 dst, u32 at, const char *text)
{
	u32 loc = probe_data_loc(at, strlen(text) + 1);

	memcpy(model_rec + dst, &loc, sizeof(loc));
	memset(model_rec + at, 0, PROBE_COMM_LEN);
	memcpy(model_rec + at, text, strlen(text));
}

static void add_string(u32 dst, u64 addr, bool user)
{
	char text[RECORD_SIZE];

	add_text(dst, text, machine_text(addr, user, text, PROBE_MAX_RECORD - model_dyn));
}

/* Expect the low bits of @v if it is a bitfield. */
static void add_number(const struct probe_layout *l, const struct probe_fetch *f,
		       unsigned int i, bool ok, u64 v)
{
	const struct probe_bits *b = &f->bits;
	unsigned int bit = f->fault + i;

	if (!ok) {
		v = 0;
		if (l->bits)
			model_rec[l->fixed + bit / 8] |= 1 << bit % 8;
	}
	if (b->width) {
		if (b->width < 64)
			v &= (1ULL << b->width) - 1;
		if (b->is_signed && v >> (b->width - 1))
			v |= -(1ULL << (b->width - 1));
	}
	memcpy(model_rec + f->dst + i * f->size, &v, f->size);
}

/* The values of a formula that is being evaluated. */
static u64 stack[PROBE_MAX_SAVED + 2];
static unsigned int height;

static bool evaluate(const struct probe_formula *formula, u64 *v);

static bool source(const struct probe_fetch *f, u64 *v)
{
	u64 sp = *machine_reg(REG_SP), addr, nr = f->value;
	const struct probe_arch *regs = machine_regs();
	u32 loc;

	switch (f->src) {
	case PROBE_SRC_FORMULA:
		if (f->formula)
			return evaluate(f->formula, v);
		*v = stack[--height];
		return true;
	case PROBE_SRC_IMM:
		*v = nr;
		return true;
	case PROBE_SRC_REG:
		*v = 0;
		memcpy(v, (u8 *)machine.regs + nr, f->part ?: sizeof(*v));
		return true;
	case PROBE_SRC_SP:
		*v = sp;
		return true;
	case PROBE_SRC_CURRENT:
		*v = MACHINE_TASK;
		return true;
	case PROBE_SRC_RETVAL:
		*v = *machine_reg(regs->retval);
		return true;
	case PROBE_SRC_ENTRY:
		*v = machine.entry[nr / 8];
		return true;
	case PROBE_SRC_PLACE:
		*v = MACHINE_PLACE + nr;
		return true;
	case PROBE_SRC_CPU:
		*v = MACHINE_CPU;
		return true;
	case PROBE_SRC_PID:
		*v = MACHINE_PID;
		return true;
	case PROBE_SRC_TIME:
		*v = MACHINE_TIME;
		return true;
	case PROBE_SRC_LATENCY:
		*v = MACHINE_TIME - machine.entry[nr / 8];
		return true;
	case PROBE_SRC_FIELD:
		*v = 0;
		memcpy(v, (u8 *)machine.entry + nr, f->part);
		if (f->part_signed && f->part < 8 && *v >> (8 * f->part - 1))
			*v |= -(1ULL << 8 * f->part);
		return true;
	case PROBE_SRC_FIELD_ADDR:
		*v = (uintptr_t)machine.entry + nr;
		return true;
	case PROBE_SRC_FIELD_DATA:
	case PROBE_SRC_FIELD_REL:
		memcpy(&loc, (u8 *)machine.entry + nr, sizeof(loc));
		*v = (uintptr_t)machine.entry + (loc & 0xffff);
		if (f->src == PROBE_SRC_FIELD_REL)
			*v += nr + sizeof(loc);
		return loc >> 16;
	case PROBE_SRC_ARG:
		if (nr < regs->nr_args) {
			*v = *machine_reg(regs->args[nr]);
			return true;
		}
		nr = nr - regs->nr_args + regs->first_stack_arg;
		break;
	default:
		break;
	}
	addr = sp + nr * 8;
	*v = 0;
	return (machine_arch.in_user || addr / STACK_SIZE == sp / STACK_SIZE) &&
	       machine_read(addr, 8, false, v);
}

/* Read memory, without the bits below a bitfield. */
static bool read_number(u64 addr, const struct probe_fetch *f, u64 *v)
{
	unsigned int size = f->bits.width ? f->bits.load : f->size, i;
	int to = -f->bits.shift;
	u64 byte;

	*v = 0;
	for (i = 0; i < size; i++, to += 8) {
		if (!machine_read(addr + i, 1, f->user, &byte))
			return false;
		*v |= to < 0 ? byte >> -to : byte << to;
	}
	return true;
}

static bool take_step(const struct probe_step *s, u64 *v)
{
	if (!s->this_cpu)
		return machine_read(*v + s->off, 8, s->user, v);
	*v += MACHINE_THIS_CPU;
	return true;
}

static u64 low_bits(u64 v, unsigned int bits, bool is_signed)
{
	if (bits == 64)
		return v;
	v &= (1ULL << bits) - 1;
	return is_signed && v >> (bits - 1) ? v - (1ULL << bits) : v;
}

/* A number that is no array, of 64 bits. */
static bool number(const struct probe_fetch *f, bool is_signed, u64 *v)
{
	const struct probe_bits *b = &f->bits;
	unsigned int i;

	if (!source(f, v))
		return false;
	for (i = 0; i < f->nr_steps; i++)
		if (!take_step(&f->steps[i], v))
			return false;
	if (f->store == PROBE_STORE_VALUE)
		*v >>= b->shift;
	else if (!read_number(*v + f->off, f, v))
		return false;
	if (b->width)
		*v = low_bits(*v, b->width, b->is_signed);
	*v = low_bits(*v, f->size * 8, is_signed);
	return true;
}

static bool divide(const struct probe_item *item, u64 a, u64 b, u64 *v)
{
	bool modulo = item->op == PROBE_MATH_MOD;

	if (!b)
		return false;
	if (!item->is_signed)
		*v = modulo ? a % b : a / b;
	else if (b == -1ULL)
		*v = modulo ? 0 : -a;
	else
		*v = modulo ? (s64)a % (s64)b : (s64)a / (s64)b;
	return true;
}

static bool operate(const struct probe_item *item, u64 a, u64 b, u64 *v)
{
	bool less = item->is_signed ? (s64)a < (s64)b : a < b;

	switch (item->op) {
	case PROBE_MATH_OR:
		*v = a | b;
		break;
	case PROBE_MATH_XOR:
		*v = a ^ b;
		break;
	case PROBE_MATH_AND:
		*v = a & b;
		break;
	case PROBE_MATH_EQ:
		*v = a == b;
		break;
	case PROBE_MATH_NE:
		*v = a != b;
		break;
	case PROBE_MATH_LT:
		*v = less;
		break;
	case PROBE_MATH_LE:
		*v = less || a == b;
		break;
	case PROBE_MATH_GT:
		*v = !less && a != b;
		break;
	case PROBE_MATH_GE:
		*v = !less;
		break;
	case PROBE_MATH_SHL:
		*v = a << b % 64;
		break;
	case PROBE_MATH_SHR:
		*v = item->is_signed ? (u64)((s64)a >> b % 64) : a >> b % 64;
		break;
	case PROBE_MATH_ADD:
		*v = a + b;
		break;
	case PROBE_MATH_SUB:
		*v = a - b;
		break;
	case PROBE_MATH_MUL:
		*v = a * b;
		break;
	case PROBE_MATH_DIV:
	case PROBE_MATH_MOD:
		return divide(item, a, b, v);
	}
	return true;
}

static bool evaluate_item(const struct probe_item *item, u64 *v)
{
	u64 a, b;

	switch (item->kind) {
	case PROBE_ITEM_NUMBER:
		*v = item->number;
		return true;
	case PROBE_ITEM_VALUE:
		if (item->arg != PROBE_ITEM_OWN)
			return number(&model_args[item->arg], item->is_signed, v);
		return number(&item->fetch, item->is_signed, v);
	default:
		b = item->kind == PROBE_ITEM_POP ? stack[--height] : item->number;
		a = stack[--height];
		return operate(item, item->swapped ? b : a, item->swapped ? a : b, v);
	}
}

static bool evaluate(const struct probe_formula *formula, u64 *v)
{
	u64 saved[ARRAY_SIZE(stack)];
	unsigned int i, saved_height = height;
	bool ok = true;

	/* A recorded argument can have a formula of its own. */
	memcpy(saved, stack, sizeof(saved));
	for (i = 0, height = 0; ok && i < formula->nr; i++) {
		ok = evaluate_item(&formula->items[i], v);
		stack[height++] = *v;
	}
	memcpy(stack, saved, sizeof(saved));
	height = saved_height;
	return ok;
}

static void add_stack(const struct probe_fetch *f)
{
	u32 loc = probe_data_loc(f->text, 2 * 8);
	u64 words[2] = { 1, MACHINE_FRAME + f->user };

	memset(model_rec + f->text, 0, probe_stack_size(f, 8));
	memcpy(model_rec + f->text, words, sizeof(words));
	memcpy(model_rec + f->dst, &loc, sizeof(loc));
}

static void add_arg(const struct probe_layout *l, const struct probe_fetch *f)
{
	unsigned int n = f->count ?: 1, i;
	char text[32];
	u64 v = 0, p;
	bool ok, got;

	if (f->store == PROBE_STORE_COMM) {
		if (f->text)
			add_text_at(f->dst, f->text, "comm");
		else
			add_text(f->dst, "comm", 5);
		return;
	}
	if (f->store == PROBE_STORE_STACK) {
		add_stack(f);
		return;
	}
	if (f->store == PROBE_STORE_DATA) {
		add_text(f->dst, f->data, f->data_len);
		return;
	}

	ok = source(f, &v);
	for (i = 0; ok && i < f->nr_steps; i++)
		ok = take_step(&f->steps[i], &v);

	for (i = 0; i < n; i++) {
		switch (f->store) {
		case PROBE_STORE_VALUE:
			add_number(l, f, i, ok, v >> f->bits.shift);
			break;
		case PROBE_STORE_MEM:
			p = 0;
			got = ok && read_number(v + f->off + i * f->size, f, &p);
			add_number(l, f, i, got, p);
			break;
		case PROBE_STORE_SYMSTR:
			sprintf(text, "sym_%" PRIx64, v);
			add_text(f->dst, text, ok ? (int)strlen(text) + 1 : -1);
			break;
		case PROBE_STORE_PATH:
		case PROBE_STORE_DENTRY:
			sprintf(text, "%s_%" PRIx64,
				f->store == PROBE_STORE_PATH ? "path" : "dentry", v + f->off);
			add_text(f->dst, text, ok ? (int)strlen(text) + 1 : -1);
			break;
		default:
			p = v + f->off;
			if (!ok || (f->count && !machine_read(p + i * 8, 8, f->user, &p)))
				add_text(f->dst + i * 4, "", -1);
			else
				add_string(f->dst + i * 4, p, f->str_user);
			break;
		}
	}
}

/* Compute the record of a hit. */
void model_run(const struct probe_layout *l, const struct probe_fetch *fetch, unsigned int nr)
{
	unsigned int i;

	memset(model_rec, POISON, sizeof(model_rec));
	memset(model_rec + MODEL_HEAD, 0, l->size - MODEL_HEAD);
	if (l->bits)
		model_rec[l->fixed] = 1 << PROBE_MAP_MARK;
	model_dyn = l->size;
	for (i = 0; i < nr; i++)
		add_arg(l, &fetch[i]);
}
