// SPDX-License-Identifier: GPL-2.0
/* Tests of comparisons with the text of a predicate. */
#include <string.h>
#include <linux/array_size.h>

#include "check.h"
#include "predicate.h"
#include "random.h"

static const struct {
	const char *pattern, *text;
	bool matches;
} globs[] = {
	{ "", "", true },
	{ "", "a", false },
	{ "*", "", true },
	{ "*", "abc", true },
	{ "**", "a", true },
	{ "abc", "abc", true },
	{ "abc", "abcd", false },
	{ "abc", "ab", false },
	{ "a*", "abc", true },
	{ "a*", "bac", false },
	{ "*c", "abc", true },
	{ "*c", "abcd", false },
	{ "*b*", "abc", true },
	{ "/etc/*.conf", "/etc/a.conf.conf", true },
	{ "/etc/*.conf", "/etc/.conf", true },
	{ "/etc/*.conf", "/etc/a.confx", false },
	{ "a*b*c", "axbxbxc", true },
	{ "a*b*c", "axcxb", false },
	{ "a?c", "abc", true },
	{ "a?c", "ac", false },
	{ "?", "", false },
	{ "*?", "a", true },
	{ "[abc]", "b", true },
	{ "[abc]", "d", false },
	{ "[a-c]x", "bx", true },
	{ "[!a-c]", "b", false },
	{ "[!a-c]", "d", true },
	{ "[]a]", "]", true },
	{ "[!]a]", "b", true },
	{ "[a-]", "-", true },
	{ "[\x80-\xff]", "\xc3", true },
	{ "[abc", "[abc", true },
	{ "[abc", "a", false },
	{ "\\*", "*", true },
	{ "\\*", "a", false },
	{ "\\[a]", "[a]", true },
	{ "a\\", "a\\", true },
};

static bool match(const char *pattern, const char *text, bool is_glob)
{
	struct probe_pattern p = { .text = pattern, .len = strlen(pattern), .is_glob = is_glob };

	return probe_match(&p, text, strlen(text));
}

static void test_globs(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(globs); i++)
		check(match(globs[i].pattern, globs[i].text, true) == globs[i].matches,
		      "'%s' and '%s'", globs[i].pattern, globs[i].text);
}

static void test_whole(void)
{
	check(match("a*", "a*", false), "equal text does not match");
	check(!match("a*", "ab", false), "wildcard without ~");
	check(!match("ab", "abc", false) && !match("abc", "ab", false), "part of a text matches");
	check(match("", "", false) && !match("", "a", false), "empty text");
}

/* The definition: a star is any number of characters. */
static bool slow(const char *p, const char *s)
{
	if (!*p)
		return !*s;
	if (*p == '*')
		return slow(p + 1, s) || (*s && slow(p, s + 1));
	return *s && (*p == '?' || *p == *s) && slow(p + 1, s + 1);
}

static void random_text(char *s, const char *chars)
{
	unsigned int len = random_below(9);

	while (len--)
		*s++ = chars[random_below(strlen(chars))];
	*s = '\0';
}

static void test_random(void)
{
	char pattern[10], text[10];
	unsigned int i, found = 0;

	for (i = 0; i < 200000; i++) {
		random_text(pattern, "aab*?");
		random_text(text, "ab");
		found += slow(pattern, text);
		check(match(pattern, text, true) == slow(pattern, text), "'%s' and '%s'",
		      pattern, text);
	}
	check(found > 10000, "only %u texts match", found);
}

static const struct test tests[] = {
	{ "wildcards", test_globs },
	{ "without wildcards", test_whole },
	{ "random patterns", test_random },
};

int main(void)
{
	ksft_print_header();
	ksft_set_plan(ARRAY_SIZE(tests));
	test_all(tests, ARRAY_SIZE(tests));
	ksft_finished();
}
