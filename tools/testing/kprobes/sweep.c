// SPDX-License-Identifier: GPL-2.0
/*
 * Put probes on all instructions of some functions at once: arm, hit and remove them.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "stress.h"
#include "workload.h"

#define MAX_BATCH	32768
#define LIST		"/sys/kernel/debug/kprobes/list"
#define OPTIMIZATION	"/proc/sys/debug/kprobes-optimization"

/* Some functions, and all of their instructions. */
struct batch {
	const struct func **funcs;
	unsigned int nr_funcs;
	struct place *places;
	const struct func **of;		/* the function of each place */
	unsigned long *hits;		/* of each place */
	unsigned int nr;
};

/* Probes that exist at the same time: places of a batch, and their states. */
struct pass {
	const struct batch *batch;
	unsigned int *which;
	uint64_t *addrs;
	struct ks_state *states;
	unsigned int nr;
	bool jumps;		/* probes should be optimised */
	unsigned int nr_jumps;
};

static struct {
	unsigned long functions, places, accepted, refused, ftrace, detours, optimized;
	unsigned long hit_places, hits, after, missed, passes;
} total;

static int probes;

static bool batch_is_back(const struct batch *b, bool quiet)
{
	static uint8_t *live;
	unsigned int i;

	live = live ?: malloc(1 << 20);
	for (i = 0; i < b->nr_funcs; i++) {
		const struct func *f = b->funcs[i];

		read_kernel(f->addr, live, f->size);
		if (!text_compare(f->addr, live, text.base + (f->addr - text.start), f->size,
				  "after removal", quiet))
			return false;
	}
	return true;
}

/* The jump at an optimised probe leads out of the text, to its detour. */
static bool is_jump_out(const uint8_t *bytes, uint64_t addr)
{
	uint64_t to = addr + JUMP_SIZE + *(const int32_t *)(bytes + 1);

	return bytes[0] == 0xe9 && (to < text.start || to >= text.end);
}

/* Set @want to the bytes that a probe writes to the text.  Return false if @live differs. */
static bool set_expected(struct pass *p, const struct ks_state *state, const uint8_t *live,
			 uint8_t *want)
{
	if (state->flags & KS_FTRACE) {
		memcpy(want, live, 5);
		return live[0] == 0xe8;
	}
	if (live[0] == 0xcc) {
		want[0] = 0xcc;
		return true;
	}
	if (!p->jumps || !(state->flags & KS_DETOUR) || !is_jump_out(live, state->addr))
		return false;
	memcpy(want, live, JUMP_SIZE);
	p->nr_jumps++;
	return true;
}

/* While the probes are armed, the text may differ only in the bytes that they write. */
static bool check_armed(struct pass *p, bool quiet)
{
	static uint8_t *live, *want;
	unsigned int i = 0, n;
	bool good = true;

	live = live ?: malloc(1 << 20);
	want = want ?: malloc(1 << 20);
	p->nr_jumps = 0;
	for (n = 0; n < p->batch->nr_funcs && good; n++) {
		const struct func *f = p->batch->funcs[n];

		read_kernel(f->addr, live, f->size);
		memcpy(want, text.base + (f->addr - text.start), f->size);
		for (; i < p->nr && p->batch->of[p->which[i]] == f; i++) {
			uint64_t at = p->states[i].addr - f->addr;

			if (p->states[i].error)
				continue;
			if (!set_expected(p, &p->states[i], live + at, want + at)) {
				if (!quiet)
					problem("probe at %s: text is %02x", where(f->addr + at),
						live[at]);
				good = false;
			}
		}
		good &= text_compare(f->addr, live, want, f->size, "with probes", quiet);
	}
	return good;
}

/* Count the optimised probes in the kernel's own list. */
static unsigned int listed_optimized(void)
{
	char *all = read_file(LIST), *at = all;
	unsigned int n = 0;

	while ((at = strstr(at, "[OPTIMIZED]"))) {
		n++;
		at++;
	}
	free(all);
	return n;
}

static unsigned int nr_detours(const struct pass *p)
{
	unsigned int i, n = 0;

	for (i = 0; i < p->nr; i++)
		n += !p->states[i].error && (p->states[i].flags & KS_DETOUR);
	return n;
}

/* Probes of a pass do not overlap, so each probe with a detour becomes a jump. */
static void wait_for_jumps(struct pass *p)
{
	unsigned int want = nr_detours(p), listed, i;

	for (i = 0; i < options.patience * 20; i++) {
		if (check_armed(p, true) && p->nr_jumps == want)
			break;
		usleep(50000);
	}
	listed = listed_optimized();
	if (p->nr_jumps != want || listed != want)
		problem("%u probes have a detour, %u a jump, %u are [OPTIMIZED]; near %s", want,
			p->nr_jumps, listed, p->batch->funcs[0]->name);
	total.detours += want;
	total.optimized += p->nr_jumps;
}

static void add_up(const struct pass *p)
{
	unsigned int i;

	for (i = 0; i < p->nr; i++) {
		const struct ks_state *s = &p->states[i];

		if (s->error) {
			total.refused++;
			continue;
		}
		total.accepted++;
		total.ftrace += !!(s->flags & KS_FTRACE);
		total.hit_places += !!s->hits;
		total.hits += s->hits;
		p->batch->hits[p->which[i]] = s->hits;
		total.after += s->after;
		total.missed += s->missed;
	}
}

static bool run_pass(struct pass *p, uint32_t flags)
{
	unsigned int i;

	for (i = 0; i < p->nr; i++)
		p->addrs[i] = p->batch->places[p->which[i]].addr;
	if (add_probes(probes, p->addrs, p->nr, flags))
		die("adding %u probes: %s", p->nr, strerror(errno));
	get_states(probes, p->states, p->nr);
	if (p->jumps)
		wait_for_jumps(p);
	check_armed(p, false);
	workers_go();
	if (!workers_wait(2, options.patience))
		die("a worker ended or did not complete two rounds with %u probes, the first at %s",
		    p->nr, where(p->addrs[0]));
	if (!workers_pause(options.patience))
		die("a worker has ended or does not pause with %u probes, the first at %s", p->nr,
		    where(p->addrs[0]));
	get_states(probes, p->states, p->nr);
	add_up(p);
	remove_probes(probes);
	total.passes++;

	/* The kernel removes jumps asynchronously. */
	for (i = 0; p->jumps && i < options.patience * 20; i++) {
		if (batch_is_back(p->batch, true))
			break;
		usleep(50000);
	}
	return batch_is_back(p->batch, false);
}

/* A probe on an entry's ENDBR moves to the next instruction, which has its own probe. */
static bool is_moved(const struct batch *b, unsigned int i)
{
	uint64_t unused;

	return b->places[i].addr == b->of[i]->addr &&
	       insn_kind(&b->places[i], &unused) == KIND_ENDBR;
}

/* Pick places that are not picked yet and whose regions don't overlap. */
static bool next_pass(struct pass *p, bool *done)
{
	const struct batch *b = p->batch;
	uint64_t end = 0;
	unsigned int i;

	p->nr = 0;
	for (i = 0; i < b->nr; i++) {
		unsigned int size;

		/* The next function may be anywhere in the text. */
		if (i && b->of[i] != b->of[i - 1])
			end = 0;
		if (done[i] || is_moved(b, i) || (p->jumps && b->places[i].addr < end))
			continue;
		done[i] = true;
		p->which[p->nr++] = i;
		size = region_size(b->places, b->nr, i);
		end = b->places[i].addr + (size ?: JUMP_SIZE);
	}
	return p->nr;
}

static bool run_batch(const struct batch *b, bool jumps, uint32_t flags)
{
	struct pass p = { .batch = b, .jumps = jumps };
	bool *done = calloc(b->nr, sizeof(*done)), good = true;

	p.which = calloc(b->nr, sizeof(*p.which));
	p.addrs = calloc(b->nr, sizeof(*p.addrs));
	p.states = calloc(b->nr, sizeof(*p.states));
	while (good && next_pass(&p, done))
		good = run_pass(&p, flags);
	total.functions += b->nr_funcs;
	total.places += b->nr;
	free(done);
	free(p.which);
	free(p.addrs);
	free(p.states);
	return good;
}

static void write_progress(unsigned int number, const struct batch *b)
{
	unsigned int i;
	FILE *f;

	if (!options.output)
		return;
	f = fopen(options.output, "w");
	if (!f)
		die("%s: %s", options.output, strerror(errno));
	fprintf(f, "%u", number);
	for (i = 0; i < b->nr_funcs; i++)
		fprintf(f, " %s", b->funcs[i]->name);
	fprintf(f, "\n");
	fclose(f);
}

/* Take functions until the batch is full. */
static void fill_batch(struct batch *b, const struct func **list, unsigned int nr)
{
	b->funcs = list;
	b->nr_funcs = 0;
	b->nr = 0;
	while (b->nr_funcs < nr && b->nr < options.batch) {
		const struct func *f = list[b->nr_funcs];
		struct place *places;
		unsigned int n = code_read(f, &places), i;

		if (b->nr && b->nr + n > options.batch) {
			free(places);
			break;
		}
		if (b->nr + n > MAX_BATCH)
			n = MAX_BATCH - b->nr;
		for (i = 0; i < n; i++) {
			b->places[b->nr] = places[i];
			b->hits[b->nr] = 0;
			b->of[b->nr++] = f;
		}
		free(places);
		b->nr_funcs++;
	}
}

/* Hits take most of a slow batch's time, and most of them are in one or two functions. */
static void print_batch(unsigned int number, const struct batch *b, time_t seconds)
{
	unsigned long all = 0, most = 0, hits = 0;
	const struct func *hottest = NULL;
	unsigned int i;

	for (i = 0; i < b->nr; i++) {
		hits += b->hits[i];
		all += b->hits[i];
		if (i + 1 < b->nr && b->of[i] == b->of[i + 1])
			continue;
		if (hits > most) {
			most = hits;
			hottest = b->of[i];
		}
		hits = 0;
	}
	printf("# batch %u: %lu s, %u functions, %u instructions, %lu hits, %lu of them in %s\n",
	       number, (long)seconds, b->nr_funcs, b->nr, all, most,
	       hottest ? hottest->name : "none");
}

static void report(const char *way)
{
	printf("# count %s-batches-functions %lu\n", way, total.functions);
	printf("# count %s-instructions %lu\n", way, total.places);
	printf("# count %s-accepted %lu\n", way, total.accepted);
	printf("# count %s-refused %lu\n", way, total.refused);
	printf("# count %s-ftrace %lu\n", way, total.ftrace);
	printf("# count %s-detours %lu\n", way, total.detours);
	printf("# count %s-optimized %lu\n", way, total.optimized);
	printf("# count %s-places-hit %lu\n", way, total.hit_places);
	printf("# count %s-hits %lu\n", way, total.hits);
	printf("# count %s-after %lu\n", way, total.after);
	printf("# count %s-missed %lu\n", way, total.missed);
	printf("# count %s-flips %lu\n", way, nr_flips);
	printf("# count %s-passes %lu\n", way, total.passes);
}

/**
 * sweep() - probe functions, batch after batch
 * @way:	"int3", "step" (int3 with a post-handler) or "jump"
 *
 * Return: 0, or 1 if there were problems.
 */
int sweep(const char *way)
{
	bool jumps = !strcmp(way, "jump"), step = !strcmp(way, "step"), good = true;
	struct batch b = {};
	const struct func **picked;
	unsigned int nr, at = 0, number;
	time_t start;

	if (options.batch > MAX_BATCH)
		die("-b %u: more than %u", options.batch, MAX_BATCH);
	b.places = calloc(MAX_BATCH, sizeof(*b.places));
	b.of = calloc(MAX_BATCH, sizeof(*b.of));
	b.hits = calloc(MAX_BATCH, sizeof(*b.hits));
	probes = open_probes();
	write_file(OPTIMIZATION, jumps ? "1" : "0");
	nr = pick_funcs(&picked);
	if (!workers_pause(options.patience))
		die("a worker has ended or does not pause");
	for (number = 0; at < nr && number < options.to; number++, at += b.nr_funcs) {
		fill_batch(&b, picked + at, nr - at);
		if (number < options.from)
			continue;
		write_progress(number, &b);
		start = time(NULL);
		good = run_batch(&b, jumps, step ? KS_POST : 0);
		print_batch(number, &b, time(NULL) - start);
		if (!good)
			break;
	}
	workers_go();
	printf("# count %s-batches %u\n", way, number);
	report(way);
	ok(good && !nr_problems(), "%s: breakpoints and jumps are written and removed", way);
	ok(text_is_back(false), "%s: the text is unchanged afterwards", way);
	ok(total.hits, "%s: probes are hit", way);
	if (step)
		ok(total.after, "%s: post-handlers are called", way);
	if (jumps)
		ok(total.optimized, "%s: some probes are optimised", way);
	else if (!options.nr_names)
		ok(total.ftrace, "%s: some probes use ftrace", way);
	return nr_problems() != 0;
}
