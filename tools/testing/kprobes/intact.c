// SPDX-License-Identifier: GPL-2.0
/*
 * Compare the kernel's text with its content before any probe was added.
 *
 * Static branches, static calls and ftrace keep changing it during the test.  At their
 * sites the text may hold any content that they would write there, and nothing else.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel.h"

unsigned long nr_flips;

/* Is @addr part of a site, and may the kernel itself have written these bytes there? */
static bool is_kernels_change(uint64_t addr, const uint8_t *live, uint64_t live_addr,
			      unsigned int *len)
{
	unsigned int back;

	for (back = 0; back < 5; back++) {
		const struct site *site = site_at(addr - back);

		if (!site || addr - back < live_addr)
			continue;
		if (site_may_hold(site, live + (addr - back - live_addr), len) && *len > back) {
			*len -= back;
			return true;
		}
	}
	return false;
}

static void report_difference(uint64_t addr, const uint8_t *live, const uint8_t *want,
			      const char *when)
{
	problem("%s: text at %s is %02x %02x %02x %02x %02x, not %02x %02x %02x %02x %02x", when,
		where(addr), live[0], live[1], live[2], live[3], live[4], want[0], want[1],
		want[2], want[3], want[4]);
}

/**
 * text_compare() - compare text with its expected content
 * @addr:	address of the text
 * @live:	its present content
 * @want:	its expected content
 * @size:	number of bytes
 * @when:	first words of the message if they differ
 * @quiet:	print no message
 *
 * Changes by the kernel itself are copied to text.base and thus expected from now on.
 *
 * Return: true if there are no other differences.
 */
bool text_compare(uint64_t addr, const uint8_t *live, const uint8_t *want, size_t size,
		  const char *when, bool quiet)
{
	unsigned int len;
	size_t i, j;

	for (i = 0; i < size; i++) {
		if (live[i] == want[i])
			continue;
		if (is_kernels_change(addr + i, live, addr, &len)) {
			for (j = i; j < i + len && j < size; j++)
				text.base[addr + j - text.start] = live[j];
			nr_flips++;
			i += len - 1;
			continue;
		}
		if (!quiet)
			report_difference(addr + i, live + i, want + i, when);
		return false;
	}
	return true;
}

/* Does the text have its original content, except for changes by the kernel itself? */
bool text_is_back(bool quiet)
{
	size_t size = text.end - text.start;
	uint8_t *live = malloc(size + 8);
	bool good;

	read_kernel(text.start, live, size);
	good = text_compare(text.start, live, text.base, size, "without probes", quiet);
	free(live);
	return good;
}
