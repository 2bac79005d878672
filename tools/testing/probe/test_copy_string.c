// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of copying strings: at every offset, with memory that cannot be read before and
 * after the string.
 */
#include <string.h>
#include <linux/align.h>
#include <linux/array_size.h>

#include "check.h"
#include "copy_string.h"

#define WORD		sizeof(long)
#define GRANULE		16	/* of memory tags on arm64 */
#define PAGE		64

#define MEM_SIZE	(4 * PAGE)
#define MAX_LEN		80
#define POISON		0x5a

static char mem[MEM_SIZE] __aligned(PAGE);

/* The part of @mem that can be read. */
static const char *first, *end;
static bool aligned_only;

static unsigned int loads;

/* The first of the 20 characters of which strings consist */
static unsigned char letters = 'a';

bool host_load(void *dst, const void *src, size_t size)
{
	size_t at = (const char *)src - mem;

	loads++;
	if (aligned_only)
		check(IS_ALIGNED(at, size), "load of %zu bytes at %zu", size, at);
	if (mem + at < first || mem + at + size > end)
		return false;
	memcpy(dst, src, size);
	return true;
}

/* A string that begins @at bytes into @mem; only the blocks that it touches can be read. */
static char *place(unsigned int at, unsigned int len, unsigned int block)
{
	unsigned int i;

	memset(mem, 'x', sizeof(mem));
	for (i = 0; i < len; i++)
		mem[at + i] = letters + i % 20;
	mem[at + len] = '\0';
	first = mem + ALIGN_DOWN(at, block);
	end = mem + ALIGN(at + len + 1, block);
	loads = 0;
	return mem + at;
}

static void check_copy(unsigned int at, unsigned int len, unsigned int room, size_t block)
{
	unsigned int whole = len + 1, want = whole <= room ? whole : room;
	char dst[MAX_LEN + 16];
	const char *src = mem + at;
	long ret;

	memset(dst, POISON, sizeof(dst));
	ret = probe_copy_string(dst, src, room, block);
	if (!check(ret == want, "%u bytes at %u, room for %u: returned %ld", whole, at, room, ret))
		return;
	check(!memcmp(dst, src, want - 1) && !dst[want - 1],
	      "%u bytes at %u, room for %u: wrong copy", whole, at, room);
	check(dst[room] == POISON, "%u bytes at %u, room for %u: wrote too much", whole, at, room);
}

/* Every offset and length; in particular, the NUL is the last byte that can be read. */
static void test_blocks(unsigned int readable, size_t block)
{
	unsigned int at, len;

	for (at = 0; at < PAGE; at++) {
		for (len = 0; len < MAX_LEN; len++) {
			place(at, len, readable);
			check_copy(at, len, MAX_LEN + 1, block);
			/* Most loads are words.  Some follow the NUL. */
			check(loads <= len / WORD + 3 * WORD, "%u bytes at %u: %u loads",
			      len + 1, at, loads);
		}
	}
}

static void test_pages(void)
{
	test_blocks(PAGE, PAGE);
}

static void test_granules(void)
{
	test_blocks(GRANULE, GRANULE);
}

/*
 * The quick test takes a byte above 0x80 for a NUL.  The smallest byte that it must not take for
 * one is 0x01.
 */
static void test_all_characters(void)
{
	static const unsigned char first_letters[] = { 0x01, 0x75, 0xec };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(first_letters); i++) {
		letters = first_letters[i];
		test_blocks(PAGE, PAGE);
	}
	letters = 'a';
}

/* A word is less than a granule: machines with memory tags use it. */
static void test_words_in_granules(void)
{
	aligned_only = true;
	test_blocks(GRANULE, WORD);
	aligned_only = false;
}

static void test_words(void)
{
	aligned_only = true;
	test_blocks(WORD, WORD);
	aligned_only = false;
}

static void test_room(void)
{
	static const size_t blocks[] = { WORD, GRANULE, PAGE };
	unsigned int at, len, room, i;

	for (i = 0; i < ARRAY_SIZE(blocks); i++) {
		for (at = 0; at < GRANULE; at++) {
			for (len = 0; len < 40; len++) {
				for (room = 1; room < 40; room++) {
					place(at, len, blocks[i]);
					check_copy(at, len, room, blocks[i]);
				}
			}
		}
	}
}

/* The memory ends before the string. */
static void test_fault(void)
{
	static const size_t blocks[] = { WORD, GRANULE, PAGE };
	char dst[MAX_LEN];
	unsigned int at, i;
	long ret;

	for (i = 0; i < ARRAY_SIZE(blocks); i++) {
		for (at = 0; at <= PAGE; at++) {
			char *src = place(at, MAX_LEN, blocks[i]);

			end = mem + PAGE;
			ret = probe_copy_string(dst, src, sizeof(dst), blocks[i]);
			check(ret == -EFAULT, "at %u: returned %ld", at, ret);
		}
	}
}

static const struct test tests[] = {
	{ "pages", test_pages },
	{ "characters from 0x01 to 0xff", test_all_characters },
	{ "granules", test_granules },
	{ "aligned words in granules", test_words_in_granules },
	{ "aligned words", test_words },
	{ "a string that does not fit", test_room },
	{ "a string that cannot be read", test_fault },
};

int main(void)
{
	ksft_print_header();
	ksft_set_plan(ARRAY_SIZE(tests));
	test_all(tests, ARRAY_SIZE(tests));
	ksft_finished();
}
