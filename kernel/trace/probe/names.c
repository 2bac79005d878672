// SPDX-License-Identifier: GPL-2.0
/*
 * Names of numbers.
 *
 * A static event has the names of a field's numbers only in its print fmt, as arguments of
 * __print_symbolic() or __print_flags().  Their numbers are constant expressions of C: when
 * the kernel boots, it has replaced the members of enums by numbers.
 */
#include <linux/array_size.h>
#include <linux/errno.h>
#include <linux/minmax.h>
#include <linux/string.h>

#include "lex.h"
#include "names.h"

#define MAX_DEPTH	16	/* braces in each other in an expression of print fmt */

static int add_room(struct probe_names *names, struct probe_arena *arena)
{
	unsigned int room = max(2 * names->room, 8);
	struct probe_name *list = probe_arena_alloc(arena, room * sizeof(*list));

	if (!list)
		return -ENOMEM;
	if (names->nr)
		memcpy(list, names->list, names->nr * sizeof(*list));
	names->list = list;
	names->room = room;
	return 0;
}

/**
 * probe_names_add() - add a name
 * @names: the names
 * @arena: has the memory of @names
 * @value: the number
 * @text: its name, which is copied
 * @len: length of @text
 *
 * Return: 0; -ENOMEM; -E2BIG if there are too many names or @len is too large.
 */
int probe_names_add(struct probe_names *names, struct probe_arena *arena, u64 value,
		    const char *text, size_t len)
{
	struct probe_name *name;

	if (names->nr == PROBE_MAX_NAMES || len > PROBE_MAX_NAME_TEXT)
		return -E2BIG;
	if (names->nr == names->room && add_room(names, arena))
		return -ENOMEM;
	name = &names->list[names->nr];
	name->value = value;
	name->text = probe_arena_strndup(arena, text, len);
	if (!name->text)
		return -ENOMEM;
	names->nr++;
	return 0;
}

/**
 * probe_names_copy() - copy names
 * @names: the copy; empty before
 * @arena: has the memory of the copy
 * @from: the names
 *
 * Return: 0 or -ENOMEM.
 */
int probe_names_copy(struct probe_names *names, struct probe_arena *arena,
		     const struct probe_names *from)
{
	unsigned int i;
	int ret = 0;

	names->room = from->nr;
	names->list = probe_arena_alloc(arena, from->nr * sizeof(*names->list));
	if (!names->list)
		return -ENOMEM;
	for (i = 0; i < from->nr && !ret; i++)
		ret = probe_names_add(names, arena, from->list[i].value, from->list[i].text,
				      strlen(from->list[i].text));
	return ret;
}

/**
 * probe_names_same() - are there the same names in the same order?
 * @a: some names
 * @b: other names
 *
 * Return: true if there are.
 */
bool probe_names_same(const struct probe_names *a, const struct probe_names *b)
{
	unsigned int i;

	if (a->nr != b->nr)
		return false;
	for (i = 0; i < a->nr; i++)
		if (a->list[i].value != b->list[i].value ||
		    strcmp(a->list[i].text, b->list[i].text))
			return false;
	return true;
}

/* Names in print fmt */

/**
 * struct reader - a position in print fmt
 * @s: the next character
 * @depth: number of open braces around it
 * @bad: the text was not understood
 */
struct reader {
	const char	*s;
	unsigned int	depth;
	bool		bad;
};

static void skip_blanks(struct reader *r)
{
	while (probe_is_space(*r->s))
		r->s++;
}

static bool accept(struct reader *r, const char *text)
{
	size_t len = strlen(text);

	skip_blanks(r);
	if (strncmp(r->s, text, len))
		return false;
	r->s += len;
	return true;
}

static void expect(struct reader *r, const char *text)
{
	if (!accept(r, text))
		r->bad = true;
}

static u64 read_binary(struct reader *r, unsigned int level);

static u64 read_number(struct reader *r)
{
	struct probe_str s = { .s = r->s };
	u64 value;

	while (probe_is_alpha(s.s[s.len]) || probe_is_digit(s.s[s.len]))
		s.len++;
	r->s += s.len;
	while (s.len && strchr("uUlL", s.s[s.len - 1]))
		s.len--;
	r->bad |= probe_str_u64(s, &value) != 0;
	return r->bad ? 0 : value;
}

/* After '(': a type, or an expression in braces. */
static u64 read_unary(struct reader *r);

static u64 read_braces(struct reader *r)
{
	u64 value;

	if (r->depth == MAX_DEPTH) {
		r->bad = true;
		return 0;
	}
	r->depth++;
	skip_blanks(r);
	if (probe_is_alpha(*r->s)) {
		while (probe_is_alpha(*r->s) || probe_is_digit(*r->s) || probe_is_space(*r->s))
			r->s++;
		expect(r, ")");
		value = read_unary(r);
	} else {
		value = read_binary(r, 0);
		expect(r, ")");
	}
	r->depth--;
	return value;
}

static u64 read_unary(struct reader *r)
{
	bool negate = false, invert = false;
	u64 value;

	if (accept(r, "~"))
		invert = true;
	else if (accept(r, "-"))
		negate = true;
	value = accept(r, "(") ? read_braces(r) : read_number(r);
	if (invert)
		return ~value;
	return negate ? -value : value;
}

static u64 apply(char op, u64 a, u64 b)
{
	switch (op) {
	case '|':
		return a | b;
	case '&':
		return a & b;
	case '<':
		return b < 64 ? a << b : 0;
	case '>':
		return b < 64 ? a >> b : 0;
	case '+':
		return a + b;
	default:
		return a - b;
	}
}

/* Operators of each level bind more tightly than those before. */
static const char * const levels[][2] = {
	{ "|" }, { "&" }, { "<<", ">>" }, { "+", "-" },
};

static const char *accept_operator(struct reader *r, unsigned int level)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(levels[level]); i++)
		if (levels[level][i] && accept(r, levels[level][i]))
			return levels[level][i];
	return NULL;
}

static u64 read_binary(struct reader *r, unsigned int level)
{
	const char *op;
	u64 value;

	if (level == ARRAY_SIZE(levels))
		return read_unary(r);
	value = read_binary(r, level + 1);
	while (!r->bad && (op = accept_operator(r, level)))
		value = apply(*op, value, read_binary(r, level + 1));
	return value;
}

/* A quoted text.  A text with a backslash would be shown in other words by some readers. */
static struct probe_str read_text(struct reader *r)
{
	struct probe_str text = {};
	const char *end;

	expect(r, "\"");
	end = strchr(r->s, '"');
	if (r->bad || !end || end - r->s > PROBE_MAX_NAME_TEXT ||
	    memchr(r->s, '\\', end - r->s)) {
		r->bad = true;
		return text;
	}
	text.s = r->s;
	text.len = end - r->s;
	r->s = end + 1;
	return text;
}

/* "{ NUMBER, "TEXT" }, ..." up to the brace that ends the call. */
static int read_table(struct reader *r, struct probe_names *names, struct probe_arena *arena)
{
	struct probe_str text;
	int ret = 0;
	u64 value;

	while (!ret && accept(r, ",")) {
		expect(r, "{");
		value = read_binary(r, 0);
		expect(r, ",");
		text = read_text(r);
		expect(r, "}");
		if (r->bad)
			return -EINVAL;
		ret = probe_names_add(names, arena, value, text.s, text.len);
	}
	if (!ret && !accept(r, ")"))
		return -EINVAL;
	return ret;
}

/* Skip to the comma, or to the brace, that ends the current argument of a call. */
static void skip_argument(struct reader *r)
{
	unsigned int open = 0;
	bool quoted = false;

	for (; *r->s; r->s++) {
		if (*r->s == '"')
			quoted = !quoted;
		if (quoted)
			continue;
		if (!open && (*r->s == ',' || *r->s == ')'))
			return;
		open += (*r->s == '(') - (*r->s == ')');
	}
}

/* Does the text contain REC->FIELD? */
static bool names_field(const char *s, const char *end, struct probe_str field)
{
	static const char record[] = "REC->";
	const size_t len = strlen(record);

	for (; s + len + field.len <= end; s++)
		if (!memcmp(s, record, len) && !memcmp(s + len, field.s, field.len) &&
		    !probe_is_alpha(s[len + field.len]) && !probe_is_digit(s[len + field.len]))
			return true;
	return false;
}

static bool accept_call(struct reader *r, bool *is_flags)
{
	*is_flags = accept(r, "__print_flags");
	if (!*is_flags && !accept(r, "__print_symbolic"))
		return false;
	accept(r, "_u64");
	return accept(r, "(");
}

/**
 * probe_names_from_fmt() - get the names that an event's print fmt has for a field
 * @names: the names; empty before
 * @arena: has the memory of @names
 * @print_fmt: print fmt of an event
 * @field: name of a field of the event
 *
 * Return: 0; -ENOENT if the field has no names; -EINVAL if the text is not understood; -ENOMEM;
 * -E2BIG if there are too many names.
 */
int probe_names_from_fmt(struct probe_names *names, struct probe_arena *arena,
			 const char *print_fmt, struct probe_str field)
{
	struct reader r = { .s = print_fmt };
	const char *begin;
	bool is_flags;

	while ((r.s = strstr(r.s, "__print_"))) {
		if (!accept_call(&r, &is_flags)) {
			r.s++;
			continue;
		}
		begin = r.s;
		skip_argument(&r);
		if (!names_field(begin, r.s, field))
			continue;
		if (is_flags) {
			expect(&r, ",");
			skip_argument(&r);
		}
		return r.bad ? -EINVAL : read_table(&r, names, arena);
	}
	return -ENOENT;
}
