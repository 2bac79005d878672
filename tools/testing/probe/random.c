// SPDX-License-Identifier: GPL-2.0
/* Pseudo-random arguments and machines: the same sequence with any C library. */
#include <linux/array_size.h>
#include <linux/minmax.h>

#include "expr.h"
#include "random.h"

const u8 random_sizes[RANDOM_NR_SIZES] = { 1, 2, 4, 8 };

const u64 random_bad[] = {
	0, 0x10, UNMAPPED, KERNEL_MEM + KERNEL_SIZE - 7, KERNEL_MEM - 1,
	0x8000000000000000, 0xffffffffffffffff, 0xfffffffffffffff9,
	USER_MEM + USER_SIZE, 0x00007fffffffffff,
	/* Addresses with tags. */
	0xb400000000000000 + USER_MEM, 0x4080000000000000,
};

const unsigned int random_nr_bad = ARRAY_SIZE(random_bad);

static u64 random_state = 1;

unsigned int random_below(unsigned int n)
{
	random_state = random_state * 6364136223846793005ULL + 1442695040888963407ULL;
	return (random_state >> 33) % n;
}

u64 random_address(void)
{
	switch (random_below(8)) {
	case 0:
		return USER_MEM + random_below(USER_SIZE);
	case 1:
		return STACK_MEM + random_below(STACK_SIZE);
	case 2:
		return random_bad[random_below(random_nr_bad)];
	default:
		return KERNEL_MEM + random_below(KERNEL_SIZE / 8) * 8;
	}
}

/* Fill memory mostly with pointers to mapped memory, so that chains are long. */
static void random_memory(u64 base, unsigned int size)
{
	unsigned int i;

	for (i = 0; i < size; i += 8)
		machine_poke(base + i, random_below(5) ? random_address() :
				       random_below(2) ? 0 : random_below(1 << 30));
}

void random_machine(void)
{
	unsigned int i;

	machine_reset();
	random_memory(KERNEL_MEM, KERNEL_SIZE);
	random_memory(STACK_MEM, STACK_SIZE);
	random_memory(USER_MEM, USER_SIZE);
	for (i = 0; i < ARRAY_SIZE(machine.regs); i++)
		machine.regs[i] = random_address();
	for (i = 0; i < ARRAY_SIZE(machine.entry); i++)
		machine.entry[i] = random_address();
	*machine_reg(REG_SP) = STACK_MEM + random_below(STACK_SIZE / 8) * 8;
}

static void random_bits(struct probe_fetch *f)
{
	static const u8 odd[] = { 3, 5, 6, 7, 9 };
	struct probe_bits *b = &f->bits;

	b->load = f->size;
	if (f->store == PROBE_STORE_MEM && !f->count && f->size == 8 && random_below(2))
		b->load = odd[random_below(ARRAY_SIZE(odd))];
	b->width = 1 + random_below(min(b->load, f->size) * 8);
	b->shift = random_below(b->load * 8 - b->width + 1);
	if (b->load != f->size)
		b->shift = b->load > 8 ? 1 + b->shift % 7 : b->shift % 8;
	b->is_signed = random_below(2);
}

/* Formulas, with their items and steps: more than a program has. */
#define NR_FORMULAS	32
#define MAX_ITEMS	12

static struct {
	struct probe_formula	formula;
	struct probe_item	items[MAX_ITEMS];
	struct probe_step	steps[MAX_ITEMS][PROBE_MAX_DEREF];
} formulas[NR_FORMULAS];

/* The fetch is a value of a formula, so it has no formula. */
static bool in_formula;

/* A formula without formulas in its values, except for that on top of the stack. */
static void random_item(struct probe_item *item, struct probe_step *steps, unsigned int height)
{
	unsigned int kind = random_below(6);

	*item = (struct probe_item){ .arg = PROBE_ITEM_OWN, .is_signed = random_below(2),
				     .op = random_below(PROBE_MATH_MOD + 1),
				     .swapped = random_below(2) };
	item->number = random_below(4) ? random_below(256) - 64ULL : random_address();
	if (height && kind == 0) {
		item->kind = PROBE_ITEM_NEXT;
		if (!item->number)
			item->number = 1;
		return;
	}
	if (height > PROBE_MAX_SAVED || (height > 1 && kind < 4)) {
		item->kind = PROBE_ITEM_POP;
		return;
	}
	item->kind = kind == 5 ? PROBE_ITEM_NUMBER : PROBE_ITEM_VALUE;
	do {
		random_fetch(&item->fetch, steps);
	} while (!probe_fetch_is_number(&item->fetch) || item->fetch.count);
	if (item->kind == PROBE_ITEM_VALUE && height && !random_below(4) &&
	    item->fetch.nr_steps) {
		item->fetch.src = PROBE_SRC_FORMULA;
		item->fetch.formula = NULL;
	}
}

static unsigned int height_after(const struct probe_item *item, unsigned int height)
{
	if (item->kind == PROBE_ITEM_POP)
		return height - 1;
	if (item->kind == PROBE_ITEM_NEXT)
		return height;
	if (item->kind == PROBE_ITEM_VALUE && item->fetch.src == PROBE_SRC_FORMULA)
		return height;
	return height + 1;
}

static const struct probe_formula *random_formula(void)
{
	static unsigned int next;
	unsigned int nr = next++ % NR_FORMULAS, height = 0, i;
	struct probe_formula *formula = &formulas[nr].formula;
	unsigned int stop = 1 + random_below(MAX_ITEMS - PROBE_MAX_SAVED - 1);

	for (i = 0; i < stop || height > 1; i++) {
		struct probe_item *item = &formulas[nr].items[i];

		in_formula = true;
		random_item(item, formulas[nr].steps[i], height);
		in_formula = false;
		if (i >= stop)
			item->kind = PROBE_ITEM_POP;
		height = height_after(item, height);
	}
	formula->items = formulas[nr].items;
	formula->nr = i;
	return formula;
}

struct probe_item *random_value(const struct probe_fetch *f)
{
	struct probe_item *item = &f->formula->items[random_below(f->formula->nr)];

	return item->kind == PROBE_ITEM_VALUE && item->fetch.src != PROBE_SRC_FORMULA ? item : NULL;
}

void random_fetch(struct probe_fetch *f, struct probe_step *steps)
{
	unsigned int i;

	*f = (struct probe_fetch){ .src = random_below(in_formula ? PROBE_SRC_FORMULA :
								  PROBE_SRC_NONE),
				   .store = random_below(PROBE_STORE_COMM + 1),
				   .size = random_sizes[random_below(4)],
				   .user = !random_below(4),
				   .str_user = !random_below(4) };
	switch (f->src) {
	case PROBE_SRC_IMM:
		f->value = random_address();
		break;
	case PROBE_SRC_FORMULA:
		f->formula = random_formula();
		break;
	case PROBE_SRC_STACK:
		f->value = random_below(STACK_SIZE / 8);
		break;
	case PROBE_SRC_ARG:
		f->value = random_below(12);
		break;
	case PROBE_SRC_PLACE:
		f->value = (int)random_below(2 * USER_SIZE) - USER_SIZE;
		break;
	case PROBE_SRC_ENTRY:
	case PROBE_SRC_LATENCY:
		f->value = 8 * random_below(16);
		break;
	case PROBE_SRC_FIELD:
		f->value = random_below(sizeof(machine.entry) - 8);
		f->part = 1 << random_below(4);
		f->part_signed = random_below(2);
		break;
	case PROBE_SRC_FIELD_ADDR:
	case PROBE_SRC_FIELD_DATA:
	case PROBE_SRC_FIELD_REL:
		/* The event's record is not in the machine's memory. */
		f->value = random_below(sizeof(machine.entry) - 8);
		f->store = PROBE_STORE_VALUE;
		break;
	case PROBE_SRC_REG:
		f->value = 8 * random_below(ARRAY_SIZE(machine.regs) - 1);
		f->part = random_below(2) ? 0 : 1 << random_below(3);
		if (f->part == 1)
			f->value += random_below(2);
		break;
	default:
		break;
	}
	f->nr_steps = random_below(3) ? random_below(3) : random_below(PROBE_MAX_DEREF + 1);
	f->steps = steps;
	if (probe_fetch_is_field_address(f))
		f->nr_steps = 0;
	for (i = 0; i < f->nr_steps; i++)
		steps[i] = (struct probe_step){ .off = 8 * (int)random_below(9) - 32,
						.user = !random_below(12) };
	if (f->nr_steps && !random_below(4))
		steps[random_below(f->nr_steps)] = (struct probe_step){ .this_cpu = true };

	switch (f->store) {
	case PROBE_STORE_STRING:
		f->size = 4;
		f->off = random_below(64);
		f->count = random_below(2) ? 0 : random_below(5);
		break;
	case PROBE_STORE_MEM:
		f->off = (int)random_below(128) - 64;
		f->count = random_below(2) ? 0 : random_below(PROBE_MAX_ARRAY + 1);
		fallthrough;
	case PROBE_STORE_VALUE:
		if (random_below(3))
			break;
		random_bits(f);
		break;
	case PROBE_STORE_STACK:
		f->value = 1 + random_below(PROBE_MAX_STACK);
		fallthrough;
	case PROBE_STORE_COMM:
		f->src = PROBE_SRC_NONE;
		f->nr_steps = 0;
		fallthrough;
	default:
		f->size = 4;
		break;
	}
}

/* Change a fetch to one of a probe in user space. */
void random_move_to_user(struct probe_fetch *f, struct probe_step *steps)
{
	unsigned int i;

	if (f->src == PROBE_SRC_FORMULA && f->formula)
		for (i = 0; i < f->formula->nr; i++)
			random_move_to_user(&f->formula->items[i].fetch,
					    f->formula->items[i].fetch.steps);
	if (f->src == PROBE_SRC_ARG)
		f->src = PROBE_SRC_PLACE;
	if (f->store == PROBE_STORE_SYMSTR || f->store == PROBE_STORE_PATH ||
	    f->store == PROBE_STORE_DENTRY) {
		f->store = PROBE_STORE_VALUE;
		f->bits.width = 0;
	}
	f->user = true;
	f->str_user = true;
	for (i = 0; i < f->nr_steps; i++) {
		steps[i].user = true;
		steps[i].this_cpu = false;
	}
}
