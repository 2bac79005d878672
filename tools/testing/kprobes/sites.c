// SPDX-License-Identifier: GPL-2.0
/*
 * Tables of the kernel: places where the kernel changes its own text, and the bytes that
 * it writes there; targets of jumps without a visible branch; the kprobes blacklist.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel.h"

/* A place that the kernel jumps to without a branch in the text. */
struct target {
	uint64_t addr;
	const char *what;
};

struct range {
	uint64_t start;
	uint64_t end;
};

static struct site *sites;
static unsigned int nr_sites;
static struct target *targets;
static unsigned int nr_targets;
static struct range *blacklist;
static unsigned int nr_blacklist;

static void add_site(uint64_t addr, enum site_kind kind, uint64_t target)
{
	if (addr < text.start || addr >= text.end)
		return;
	if (!(nr_sites & 4095))
		sites = realloc(sites, (nr_sites + 4096) * sizeof(*sites));
	sites[nr_sites++] = (struct site){ .addr = addr, .target = target, .kind = kind };
}

static void add_target(uint64_t addr, const char *what)
{
	if (!(nr_targets & 4095))
		targets = realloc(targets, (nr_targets + 4096) * sizeof(*targets));
	targets[nr_targets++] = (struct target){ .addr = addr, .what = what };
}

/* Read the memory between two symbols.  Returns the number of 32-bit words. */
static unsigned int read_table(const char *start, const char *stop, int32_t **words,
			       uint64_t *at)
{
	size_t len;

	*at = symbol(start);
	len = symbol(stop) - *at;
	*words = malloc(len);
	read_kernel(*at, *words, len);
	return len / sizeof(**words);
}

/* Table entries hold addresses relative to themselves. */
static uint64_t address(uint64_t at, const int32_t *words, unsigned int i)
{
	return at + i * sizeof(*words) + words[i];
}

static void jump_labels_load(void)
{
	unsigned int i, n;
	int32_t *w;
	uint64_t at;

	n = read_table("__start___jump_table", "__stop___jump_table", &w, &at);
	for (i = 0; i < n; i += 4) {
		add_site(address(at, w, i), SITE_JUMP_LABEL, address(at, w, i + 1));
		add_target(address(at, w, i + 1), "jump label");
	}
	free(w);
}

static void tables_load(void)
{
	unsigned int i, n;
	int32_t *w;
	uint64_t at;

	n = read_table("__start___ex_table", "__stop___ex_table", &w, &at);
	for (i = 0; i < n; i += 3)
		add_target(address(at, w, i + 1), "fixup");
	free(w);

	n = read_table("__start___bug_table", "__stop___bug_table", &w, &at);
	for (i = 0; i < n; i += 3)
		add_site(address(at, w, i), SITE_BUG, 0);
	free(w);

	n = read_table("__start_static_call_sites", "__stop_static_call_sites", &w, &at);
	for (i = 0; i < n; i += 2)
		add_site(address(at, w, i), SITE_STATIC_CALL, 0);
	free(w);
}

static void trampolines_load(void)
{
	unsigned int i;

	for (i = 0; i < nr_funcs; i++) {
		if (!strncmp(funcs[i].name, "__SCT__", 7))
			add_site(funcs[i].addr, SITE_STATIC_CALL, 0);
	}
}

static void ftrace_load(void)
{
	char *all = read_file("/sys/kernel/tracing/available_filter_functions_addrs");
	char *line, *save;

	for (line = strtok_r(all, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
		add_site(strtoul(line, NULL, 16), SITE_FTRACE, 0);
	free(all);
}

/* Each ftrace_*caller has a call, which ftrace directs to the current tracer. */
static void ftrace_callers_load(void)
{
	static const char * const names[] = { "ftrace_call", "ftrace_regs_call" };
	unsigned int i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++) {
		const struct func *f = func_named(names[i]);

		if (f)
			add_site(f->addr, SITE_FTRACE_CALL, 0);
	}
}

static void blacklist_load(void)
{
	char *all = read_file("/sys/kernel/debug/kprobes/blacklist"), *line, *save;

	for (line = strtok_r(all, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		unsigned long start, end;

		if (sscanf(line, "%lx-%lx", &start, &end) != 2)
			continue;
		if (!(nr_blacklist & 1023))
			blacklist = realloc(blacklist, (nr_blacklist + 1024) * sizeof(*blacklist));
		blacklist[nr_blacklist++] = (struct range){ start, end };
	}
	free(all);
}

static int by_address(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

void sites_load(void)
{
	jump_labels_load();
	tables_load();
	trampolines_load();
	ftrace_load();
	ftrace_callers_load();
	blacklist_load();
	qsort(sites, nr_sites, sizeof(*sites), by_address);
	qsort(targets, nr_targets, sizeof(*targets), by_address);
}

const struct site *site_at(uint64_t addr)
{
	return bsearch(&addr, sites, nr_sites, sizeof(*sites), by_address);
}

/* May the kernel jump, without a branch, to an address between @from and @to, both excluded? */
bool is_target(uint64_t from, uint64_t to, const char **what)
{
	unsigned int low = 0, high = nr_targets;

	while (low < high) {
		unsigned int mid = (low + high) / 2;

		if (targets[mid].addr <= from)
			low = mid + 1;
		else
			high = mid;
	}
	if (low == nr_targets || targets[low].addr >= to)
		return false;
	*what = targets[low].what;
	return true;
}

bool is_blacklisted(uint64_t addr)
{
	unsigned int i;

	for (i = 0; i < nr_blacklist; i++) {
		if (addr >= blacklist[i].start && addr < blacklist[i].end)
			return true;
	}
	return false;
}

static bool leads_to(const uint8_t *bytes, uint64_t addr, uint64_t target)
{
	if (bytes[0] == 0xeb)
		return addr + 2 + (int8_t)bytes[1] == target;
	return addr + 5 + *(const int32_t *)(bytes + 1) == target;
}

/* Maximum size of the call depth tracking code before a function. */
#define PADDING		16

/*
 * Does a call or jump lead to the start of a function, or out of the kernel's text?
 * With call depth tracking, the branch leads to the accounting code before the function.
 */
static bool leads_to_function(const uint8_t *bytes, uint64_t addr)
{
	uint64_t to = addr + 5 + *(const int32_t *)(bytes + 1);
	const struct func *f = func_at(to), *next = func_at(to + PADDING);

	return !f || f->addr == to || (next && next->addr > to);
}

/**
 * site_may_hold() - may the kernel itself have written these bytes?
 * @site:	a place where the kernel changes text
 * @bytes:	the five bytes found there
 * @len:	set to the number of bytes that belong to the site
 *
 * Return: true if the kernel writes such bytes to this kind of site.
 */
bool site_may_hold(const struct site *site, const uint8_t *bytes, unsigned int *len)
{
	static const uint8_t nop5[] = { 0x0f, 0x1f, 0x44, 0x00, 0x00 };
	static const uint8_t nop2[] = { 0x66, 0x90 };
	static const uint8_t return0[] = { 0x2e, 0x2e, 0x2e, 0x31, 0xc0 };
	bool nop = !memcmp(bytes, nop5, 5);

	*len = 5;
	switch (site->kind) {
	case SITE_JUMP_LABEL:
		if (!memcmp(bytes, nop2, 2) || bytes[0] == 0xeb) {
			*len = 2;
			return bytes[0] != 0xeb || leads_to(bytes, site->addr, site->target);
		}
		return nop || (bytes[0] == 0xe9 && leads_to(bytes, site->addr, site->target));
	case SITE_STATIC_CALL:
		/* The call may also lead to the image of a BPF program. */
		if (bytes[0] == 0xe8 || bytes[0] == 0xe9)
			return leads_to_function(bytes, site->addr);
		return nop || bytes[0] == 0xc3 || !memcmp(bytes, return0, 5);
	case SITE_FTRACE:
		return nop || bytes[0] == 0xe8;
	case SITE_FTRACE_CALL:
		return bytes[0] == 0xe8 && leads_to_function(bytes, site->addr);
	default:
		return false;
	}
}
