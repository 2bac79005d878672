// SPDX-License-Identifier: GPL-2.0
/*
 * Text of a resolved argument: its source, steps and store, as in
 *
 *   arg(0) -> load(+32) -> string(+40)
 *
 * The items of a formula are in the order in which they are evaluated, as in
 *
 *   formula(arg(0) -> value(8), 8 *) -> value(8)
 *
 * With CONFIG_PROBE_EVENTS_DUMP_FETCHARG, the listing of probes shows it to developers of the
 * engine.  The words are those of fetch.h; programs must not depend on them.
 */
#include <linux/array_size.h>
#include <linux/build_bug.h>
#include <linux/minmax.h>
#include <linux/sprintf.h>
#include <linux/stdarg.h>
#include <linux/types.h>

#include "dump.h"
#include "fetch.h"
#include "formula.h"

/* A text that grows at its end, up to @size. */
struct text {
	char	*buf;
	size_t	size;
	size_t	len;
};

static void __printf(2, 3) put(struct text *t, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	t->len += vsnprintf(t->buf + t->len, t->size - t->len, fmt, args);
	t->len = min(t->len, t->size - 1);
	va_end(args);
}

static void put_fetch(struct text *t, const struct probe_fetch *f, const char *symbol);

static void put_operator(struct text *t, const struct probe_item *item)
{
	static const char names[][3] = {
		[PROBE_MATH_OR] = "|", [PROBE_MATH_XOR] = "^", [PROBE_MATH_AND] = "&",
		[PROBE_MATH_EQ] = "==", [PROBE_MATH_NE] = "!=", [PROBE_MATH_LT] = "<",
		[PROBE_MATH_LE] = "<=", [PROBE_MATH_GT] = ">", [PROBE_MATH_GE] = ">=",
		[PROBE_MATH_SHL] = "<<", [PROBE_MATH_SHR] = ">>", [PROBE_MATH_ADD] = "+",
		[PROBE_MATH_SUB] = "-", [PROBE_MATH_MUL] = "*", [PROBE_MATH_DIV] = "/",
		[PROBE_MATH_MOD] = "%",
	};

	put(t, "%s%s%s", item->is_signed ? "s" : "", names[item->op], item->swapped ? "~" : "");
}

static void put_item(struct text *t, const struct probe_item *item)
{
	if (item->kind == PROBE_ITEM_VALUE)
		put_fetch(t, &item->fetch, item->symbol ? item->symbol->name : NULL);
	if (item->kind == PROBE_ITEM_NUMBER || item->kind == PROBE_ITEM_NEXT)
		put(t, "%lld", (long long)item->number);
	if (item->kind == PROBE_ITEM_NEXT)
		put(t, " ");
	if (item->kind == PROBE_ITEM_NEXT || item->kind == PROBE_ITEM_POP)
		put_operator(t, item);
}

/* Without a formula, the value is that of the items before. */
static void put_formula(struct text *t, const struct probe_formula *formula)
{
	unsigned int i;

	if (!formula)
		return;
	put(t, "formula(");
	for (i = 0; i < formula->nr; i++) {
		put(t, i ? ", " : "");
		put_item(t, &formula->items[i]);
	}
	put(t, ") -> ");
}

static void put_source(struct text *t, const struct probe_fetch *f, const char *symbol)
{
	static const char * const names[] = {
		[PROBE_SRC_IMM] = "imm",
		[PROBE_SRC_REG] = "reg",
		[PROBE_SRC_SP] = "sp",
		[PROBE_SRC_STACK] = "stack",
		[PROBE_SRC_ARG] = "arg",
		[PROBE_SRC_RETVAL] = "retval",
		[PROBE_SRC_CURRENT] = "current",
		[PROBE_SRC_ENTRY] = "entry",
		[PROBE_SRC_PLACE] = "place",
		[PROBE_SRC_CPU] = "cpu",
		[PROBE_SRC_PID] = "pid",
		[PROBE_SRC_FIELD] = "field",
		[PROBE_SRC_FIELD_ADDR] = "field_addr",
		[PROBE_SRC_FIELD_DATA] = "field_data",
		[PROBE_SRC_FIELD_REL] = "field_rel",
		[PROBE_SRC_TIME] = "time",
		[PROBE_SRC_LATENCY] = "latency",
	};

	static_assert(ARRAY_SIZE(names) == PROBE_SRC_FORMULA);

	switch (f->src) {
	case PROBE_SRC_NONE:
		return;
	case PROBE_SRC_FORMULA:
		put_formula(t, f->formula);
		return;
	case PROBE_SRC_IMM:
		if (symbol)
			put(t, "symbol(%s)", symbol);
		else
			put(t, "imm(%#lx)", f->value);
		break;
	case PROBE_SRC_SP:
	case PROBE_SRC_RETVAL:
	case PROBE_SRC_CURRENT:
		put(t, "%s", names[f->src]);
		break;
	default:
		put(t, "%s(%ld)", names[f->src], (long)f->value);
		break;
	}
	put(t, " -> ");
}

static void put_step(struct text *t, const struct probe_step *s)
{
	if (s->this_cpu)
		put(t, "this_cpu -> ");
	else
		put(t, "%sload(%+ld) -> ", s->user ? "u" : "", s->off);
}

static void put_store(struct text *t, const struct probe_fetch *f)
{
	switch (f->store) {
	case PROBE_STORE_VALUE:
		put(t, "value(%u)", f->size);
		break;
	case PROBE_STORE_MEM:
		put(t, "%smemory(%+ld, %u)", f->user ? "u" : "", f->off, f->size);
		break;
	case PROBE_STORE_STRING:
		put(t, "%sstring(%+ld)", f->str_user ? "u" : "", f->off);
		break;
	case PROBE_STORE_SYMSTR:
		put(t, "symstr");
		break;
	case PROBE_STORE_PATH:
		put(t, "path(%+ld)", f->off);
		break;
	case PROBE_STORE_DENTRY:
		put(t, "dentry(%+ld)", f->off);
		break;
	case PROBE_STORE_STACK:
		put(t, "%sstack(%lu)", f->user ? "u" : "k", f->value);
		break;
	case PROBE_STORE_COMM:
		put(t, "comm");
		break;
	case PROBE_STORE_DATA:
		put(t, "text(%u)", f->data_len);
		break;
	}
	if (f->count)
		put(t, "[%u]", f->count);
	if (f->bits.width)
		put(t, " bits(%u@%u)", f->bits.width, f->bits.shift);
}

static void put_fetch(struct text *t, const struct probe_fetch *f, const char *symbol)
{
	unsigned int i;

	put_source(t, f, symbol);
	for (i = 0; i < f->nr_steps; i++)
		put_step(t, &f->steps[i]);
	put_store(t, f);
}

/**
 * probe_dump_fetch() - tell how an argument is fetched
 * @f: the argument
 * @symbol: the symbol at which it reads, or NULL
 * @buf: for the text; PROBE_DUMP_LEN bytes are enough unless a symbol or a formula is long
 * @size: bytes of @buf
 *
 * Context: any.
 */
void probe_dump_fetch(const struct probe_fetch *f, const char *symbol, char *buf, size_t size)
{
	struct text t = { .buf = buf, .size = size };

	put_fetch(&t, f, symbol);
}
