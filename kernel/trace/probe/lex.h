/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tokens of a word of a probe command.  Only lex.c, the parsers of the engine and of the
 * providers, resolve.c and the host tests include this file.
 *
 * A token is a run of letters, digits and '_', an arrow, or one character of
 * any other kind, so the lexer accepts every input.  A name or a number of the
 * command language can be several tokens ("foo.isra.0", "-8"); since a word has
 * no blanks, the text of several tokens is contiguous.
 *
 * Only ASCII letters and digits count.  The kernel's ctype is Latin-1 and would
 * treat bytes of UTF-8 characters as letters and blanks.
 */
#ifndef _PROBE_LEX_H
#define _PROBE_LEX_H

#include "ast.h"

/* The kind of a one-character token is that character, from 0 to 255. */
enum probe_tok {
	PROBE_TOK_WORD = 256,
	PROBE_TOK_ARROW,
	PROBE_TOK_END,
};

/**
 * struct probe_lexer - a position in a text
 * @tok: text of the current token; empty at the end, but @tok.pos is valid
 * @kind: its kind: enum probe_tok or a character
 * @end: end of the whole text
 */
struct probe_lexer {
	struct probe_str	tok;
	unsigned int		kind;
	const char		*end;
};

static inline bool probe_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static inline bool probe_is_alpha(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool probe_is_space(char c);
bool probe_is_name(struct probe_str s);
struct probe_str probe_str_cut(struct probe_str s, unsigned int from,
			       unsigned int to);
int probe_str_find(struct probe_str s, char c);
int probe_str_close(struct probe_str s);
bool probe_str_starts(struct probe_str s, const char *prefix);

int probe_str_u64(struct probe_str s, u64 *val);
int probe_str_number(struct probe_str s, unsigned long *val);
int probe_str_unsigned(struct probe_str s, unsigned long *val);
int probe_str_long(struct probe_str s, bool negative, long *val);
int probe_str_signed(struct probe_str s, long *val);

static inline struct probe_str probe_str_from(struct probe_str s,
					      unsigned int from)
{
	return probe_str_cut(s, from, s.len);
}

void probe_lex_start(struct probe_lexer *lx, struct probe_str text);
void probe_lex_next(struct probe_lexer *lx);
void probe_lex_skip(struct probe_lexer *lx, unsigned int nr);
struct probe_str probe_lex_until(struct probe_lexer *lx, const char *stop);
struct probe_str probe_lex_rest(const struct probe_lexer *lx);

#endif /* _PROBE_LEX_H */
