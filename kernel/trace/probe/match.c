// SPDX-License-Identifier: GPL-2.0
/*
 * Comparison of a string with the text of a predicate.  As in filters, the wildcards are "*" for
 * any text, "?" for any character, "[a-z]" and "[!a-z]" for some characters, and a backslash
 * before a character that is none of them.
 *
 * Hits call this in any context, hence NOKPROBE.
 */
#include <linux/kprobes.h>
#include <linux/string.h>

#include "predicate.h"

/*
 * Is @c in the class that begins after the '[' at @p?  Returns the end of the class; NULL if
 * it has none, so that the '[' is an ordinary character.
 */
static const char *find_in_class(const char *p, char c, bool *found)
{
	bool inverted = *p == '!';
	const char *first;

	*found = false;
	p += inverted;
	/* A ']' at the beginning belongs to the class. */
	for (first = p; *p && (*p != ']' || p == first); p++) {
		unsigned char low = *p, high = low;

		if (p[1] == '-' && p[2] && p[2] != ']') {
			high = p[2];
			p += 2;
		}
		if ((unsigned char)c >= low && (unsigned char)c <= high)
			*found = true;
	}
	*found ^= inverted;
	return *p ? p + 1 : NULL;
}
NOKPROBE_SYMBOL(find_in_class);

/* If one character of the pattern matches @c: the rest of the pattern; otherwise NULL. */
static const char *match_one(const char *p, char c)
{
	const char *end;
	bool found;

	if (*p == '?')
		return p + 1;
	if (*p == '[') {
		end = find_in_class(p + 1, c, &found);
		if (end)
			return found ? end : NULL;
	}
	if (*p == '\\' && p[1])
		p++;
	return *p == c ? p + 1 : NULL;
}
NOKPROBE_SYMBOL(match_one);

static bool match_glob(const char *p, const char *s)
{
	const char *after_star = NULL, *from = s, *rest;

	while (*s) {
		if (*p == '*') {
			after_star = ++p;
			from = s;
			continue;
		}
		rest = match_one(p, *s);
		if (rest) {
			p = rest;
			s++;
			continue;
		}
		if (!after_star)
			return false;
		/* Let the last star match one character more. */
		p = after_star;
		s = ++from;
	}
	while (*p == '*')
		p++;
	return !*p;
}
NOKPROBE_SYMBOL(match_glob);

/**
 * probe_match() - compare a string with the text of a predicate
 * @pattern: the text
 * @text: the string
 * @len: its length
 *
 * Context: any, NMI included.
 * Return: true if the whole string matches.
 */
bool probe_match(const struct probe_pattern *pattern, const char *text, size_t len)
{
	if (pattern->is_glob)
		return match_glob(pattern->text, text);
	return len == pattern->len && !memcmp(text, pattern->text, len);
}
NOKPROBE_SYMBOL(probe_match);
