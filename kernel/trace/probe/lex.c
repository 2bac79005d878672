// SPDX-License-Identifier: GPL-2.0
/*
 * Strings and their tokens.
 *
 * No text is copied or changed: a struct probe_str is a pointer, a length and
 * the column in the command, and cutting updates all three.
 */
#include <linux/errno.h>
#include <linux/limits.h>
#include <linux/string.h>

#include "lex.h"

bool probe_is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool is_word_char(char c)
{
	return probe_is_alpha(c) || probe_is_digit(c);
}

/* Is it a C identifier? */
bool probe_is_name(struct probe_str s)
{
	unsigned int i;

	if (!s.len || !probe_is_alpha(s.s[0]))
		return false;
	for (i = 1; i < s.len; i++)
		if (!is_word_char(s.s[i]))
			return false;
	return true;
}

/* The characters from @from up to @to, exclusive. */
struct probe_str probe_str_cut(struct probe_str s, unsigned int from,
			       unsigned int to)
{
	return (struct probe_str) {
		.s = s.s + from,
		.len = to - from,
		.pos = s.pos + from,
	};
}

/* Index of the first @c, or -1. */
int probe_str_find(struct probe_str s, char c)
{
	unsigned int i;

	for (i = 0; i < s.len; i++)
		if (s.s[i] == c)
			return i;
	return -1;
}

/* Index of the brace that closes the first one, or -1. */
int probe_str_close(struct probe_str s)
{
	unsigned int i, open = 0;

	for (i = 0; i < s.len; i++) {
		if (s.s[i] == '(')
			open++;
		else if (s.s[i] == ')' && open && !--open)
			return i;
	}
	return -1;
}

bool probe_str_starts(struct probe_str s, const char *prefix)
{
	size_t len = strlen(prefix);

	return s.len >= len && !memcmp(s.s, prefix, len);
}

static unsigned int digit_value(char c)
{
	if (probe_is_digit(c))
		return c - '0';
	/* Bit 5 is set in lower-case letters of ASCII. */
	c |= 0x20;
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return UINT_MAX;
}

/*
 * All of @s as an unsigned number. As in C, a leading "0x" makes it hexadecimal, and
 * any other leading 0 makes it octal. Returns 0, -EINVAL or -ERANGE.
 */
int probe_str_u64(struct probe_str s, u64 *val)
{
	unsigned int i = 0, base = 10;
	/* A 32-bit kernel cannot divide by a variable. */
	u64 v = 0, max = U64_MAX / 10;

	if (!s.len)
		return -EINVAL;
	if (s.s[0] == '0' && s.len > 1) {
		base = 8;
		max = U64_MAX / 8;
		i = 1;
		if ((s.s[1] | 0x20) == 'x') {
			base = 16;
			max = U64_MAX / 16;
			i = 2;
		}
	}
	if (i == s.len)
		return -EINVAL;
	for (; i < s.len; i++) {
		unsigned int digit = digit_value(s.s[i]);

		if (digit >= base)
			return -EINVAL;
		if (v > max || v * base > U64_MAX - digit)
			return -ERANGE;
		v = v * base + digit;
	}
	*val = v;
	return 0;
}

/* As probe_str_u64(), but for a number that fits into a long. */
int probe_str_number(struct probe_str s, unsigned long *val)
{
	u64 v;
	int ret = probe_str_u64(s, &v);

	if (ret)
		return ret;
	if (v > ULONG_MAX)
		return -ERANGE;
	*val = v;
	return 0;
}

/* A number that may have a plus sign. */
int probe_str_unsigned(struct probe_str s, unsigned long *val)
{
	if (probe_str_starts(s, "+"))
		s = probe_str_from(s, 1);
	return probe_str_number(s, val);
}

/* A number without its sign; it is negative if @negative. */
int probe_str_long(struct probe_str s, bool negative, long *val)
{
	unsigned long v;
	int ret = probe_str_number(s, &v);

	if (ret)
		return ret;
	if (v > (unsigned long)LONG_MAX + negative)
		return -ERANGE;
	*val = negative ? -v : v;
	return 0;
}

/* A number that may have a sign. */
int probe_str_signed(struct probe_str s, long *val)
{
	bool negative = probe_str_starts(s, "-");

	if (negative || probe_str_starts(s, "+"))
		s = probe_str_from(s, 1);
	return probe_str_long(s, negative, val);
}

/* Makes the token at @lx->tok.s the current one. */
static void lex_here(struct probe_lexer *lx)
{
	const char *s = lx->tok.s;
	unsigned int n = 0;

	while (s + n < lx->end && is_word_char(s[n]))
		n++;
	if (n) {
		lx->kind = PROBE_TOK_WORD;
	} else if (s == lx->end) {
		lx->kind = PROBE_TOK_END;
	} else if (s[0] == '-' && s + 1 < lx->end && s[1] == '>') {
		lx->kind = PROBE_TOK_ARROW;
		n = 2;
	} else {
		lx->kind = (unsigned char)s[0];
		n = 1;
	}
	lx->tok.len = n;
}

/* Starts at the first token of @text. */
void probe_lex_start(struct probe_lexer *lx, struct probe_str text)
{
	lx->tok = text;
	lx->end = text.s + text.len;
	lex_here(lx);
}

/* Advances to the next token; does nothing at the end. */
void probe_lex_next(struct probe_lexer *lx)
{
	probe_lex_skip(lx, lx->tok.len);
}

/* Skips @nr characters; at least that many must be left. */
void probe_lex_skip(struct probe_lexer *lx, unsigned int nr)
{
	lx->tok.s += nr;
	lx->tok.pos += nr;
	lex_here(lx);
}

static bool is_one_of(unsigned int kind, const char *set)
{
	for (; *set; set++)
		if (kind == (unsigned char)*set)
			return true;
	return false;
}

/*
 * Advances to the first token, from the current one on, that is one of the characters
 * in @stop, an arrow (if '>' is in @stop) or the end. Returns the skipped text.
 */
struct probe_str probe_lex_until(struct probe_lexer *lx, const char *stop)
{
	struct probe_str text = lx->tok;

	while (lx->kind != PROBE_TOK_END && !is_one_of(lx->kind, stop) &&
	       !(lx->kind == PROBE_TOK_ARROW && is_one_of('>', stop)))
		probe_lex_next(lx);
	text.len = lx->tok.s - text.s;
	return text;
}

/* The text from the current token to the end. */
struct probe_str probe_lex_rest(const struct probe_lexer *lx)
{
	struct probe_str text = lx->tok;

	text.len = lx->end - text.s;
	return text;
}
