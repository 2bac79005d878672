// SPDX-License-Identifier: GPL-2.0
/*
 * Find the instructions that kprobes refuses, and check that there is a reason.  Find the
 * instructions that it would optimise, and check that a jump there is safe.
 *
 * The probes are never armed, so this needs no workload and works with any kernel.
 * The file given by -o has one line for each function with a probed instruction:
 *
 *	NAME SIZE SHAPE LENGTHS ANSWERS KINDS REGIONS
 *
 * The last four fields have a character for each instruction.  The answer is NOT_ASKED if
 * the instruction was not probed because of -u.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stress.h"

#define AT_ONCE	2048
#define NOT_ASKED '_'
#define FORMS	0x40000		/* buckets for the forms of instructions */

/* Reasons for a refusal that are visible from user space. */
enum reason {
	ACCEPTED,
	BLACKLISTED,
	PADDING,
	JUMP_LABEL,
	STATIC_CALL,
	BUG,
	NO_IDT,			/* the code may run without a breakpoint handler */
	KIND,			/* the kind of instruction */
	UNKNOWN,
	NR_REASONS,
};

static const char * const reason_names[] = {
	[ACCEPTED]	= "accepted",
	[BLACKLISTED]	= "blacklisted",
	[PADDING]	= "padding",
	[JUMP_LABEL]	= "jump-label",
	[STATIC_CALL]	= "static-call",
	[BUG]		= "bug",
	[NO_IDT]	= "no-idt",
	[KIND]		= "instruction",
	[UNKNOWN]	= "unknown",
};

static unsigned long by_reason[NR_REASONS], by_kind[16];
static unsigned long nr_places, nr_detours, nr_moved, nr_ftrace, nr_lines;

static char answer(const struct ks_state *s, uint64_t asked)
{
	switch (-s->error) {
	case 0:
		if (s->addr != asked)
			return 'm';
		if (s->flags & KS_FTRACE)
			return 'f';
		return s->flags & KS_DETOUR ? 'o' : '.';
	case EINVAL:
		return 'I';
	case EILSEQ:
		return 'L';
	case EOPNOTSUPP:
		return 'S';
	case ENOENT:
		return 'N';
	case ENOMEM:
		return 'M';
	case ERANGE:
		return 'R';
	default:
		return '?';
	}
}

/* A part like "name.cold" is treated like the function itself. */
static bool is_part_of_blacklisted(const struct func *f)
{
	const char *dot = strchr(f->name, '.');
	struct func *whole;
	char name[256];

	if (!dot)
		return false;
	snprintf(name, sizeof(name), "%.*s", (int)(dot - f->name), f->name);
	whole = func_named(name);
	return whole && is_blacklisted(whole->addr);
}

/* In machine_kexec(), only the entry can be probed: the first instruction after any ENDBR. */
static bool is_in_machine_kexec(const struct func *f, uint64_t addr)
{
	return !strcmp(f->name, "machine_kexec") && addr > f->addr + 4;
}

/* Find the reason for a refusal in a site that covers the byte at @addr. */
static enum reason site_reason(uint64_t addr)
{
	unsigned int back;

	for (back = 0; back < 5; back++) {
		const struct site *site = site_at(addr - back);

		if (!site)
			continue;
		if (site->kind == SITE_JUMP_LABEL)
			return JUMP_LABEL;
		if (site->kind == SITE_STATIC_CALL)
			return STATIC_CALL;
		if (site->kind == SITE_BUG && !back)
			return BUG;
	}
	return UNKNOWN;
}

static enum reason reason(const struct func *f, const struct place *place, int error,
			  enum insn_kind kind)
{
	if (!error)
		return ACCEPTED;
	if (error == -EINVAL) {
		if (is_blacklisted(place->addr) || is_part_of_blacklisted(f))
			return BLACKLISTED;
		if (!strncmp(f->name, "__pfx_", 6) || !strncmp(f->name, "__cfi_", 6))
			return PADDING;
		if (!strncmp(f->name, "__SCT__", 7))
			return STATIC_CALL;
		if (is_in_machine_kexec(f, place->addr))
			return NO_IDT;
		return site_reason(place->addr);
	}
	return kind != KIND_OTHER && kind != KIND_BRANCH ? KIND : UNKNOWN;
}

/* Find an obstacle to a jump in the instructions that it would replace. */
static char region(const struct place *places, unsigned int nr, unsigned int i)
{
	uint64_t start = places[i].addr, end = start + region_size(places, nr, i), target;
	const char *what;

	if (end == start)
		return 'e';
	if (is_target(start, end, &what))
		return 't';
	if (is_branched_to(start, end, &target))
		return 'b';
	for (; i < nr && places[i].addr < end; i++) {
		enum insn_kind kind = insn_kind(&places[i], &target);
		const struct site *site = site_at(places[i].addr);

		if (site && site->kind != SITE_BUG)
			return 's';
		if (kind != KIND_OTHER && kind != KIND_IRQ_SHADOW && kind != KIND_BRANCH &&
		    kind != KIND_RETURN)
			return 'k';
	}
	return '-';
}

static bool has_indirect_jump(const struct place *places, unsigned int nr)
{
	uint64_t target;
	unsigned int i;

	for (i = 0; i < nr; i++) {
		if (insn_kind(&places[i], &target) == KIND_INDIRECT_JUMP)
			return true;
	}
	return false;
}

static const char *bytes(const struct place *place)
{
	static char buf[64];
	unsigned int i;

	for (i = 0; i < place->len; i++)
		sprintf(buf + 3 * i, "%02x ", text.base[place->addr - text.start + i]);
	return buf;
}

/* A letter for each kind, in the order of enum insn_kind. */
static const char kind_letters[] = "-eiufszjbr";

/*
 * Have enough instructions like this one been selected?  If not, count it as selected.
 * Instructions are alike if they have the same form, kind and possible reason for a
 * refusal, and if all or none of them are at a function's start.
 */
static bool skip_or_count(const struct func *f, const struct place *place)
{
	static unsigned char *seen;
	uint64_t target, form;
	enum insn_kind kind;

	if (!options.alike)
		return false;
	seen = seen ?: calloc(FORMS, 1);
	kind = insn_kind(place, &target);
	form = code_form(place) ^ kind;
	form = form * 0x9e3779b97f4a7c15 + reason(f, place, -EINVAL, kind);
	form = form * 0x9e3779b97f4a7c15 + (place->addr == f->addr);
	form = (form ^ form >> 33) * 0x9e3779b97f4a7c15 >> 46;
	if (seen[form] >= options.alike)
		return true;
	seen[form]++;
	return false;
}

static void check_answers(FILE *out, const struct func *f, const struct place *places,
			  const bool *asked, const struct ks_state *states, unsigned int nr)
{
	bool indirect = has_indirect_jump(places, nr);
	char *line = malloc(4 * nr);
	uint64_t target;
	unsigned int i;

	for (i = 0; i < nr; i++) {
		enum insn_kind kind = insn_kind(&places[i], &target);
		char obstacle = region(places, nr, i), answer_char = NOT_ASKED;
		enum reason why;

		if (asked[i])
			answer_char = answer(states, places[i].addr);
		line[i] = 'a' + places[i].len - 1;
		line[nr + i] = answer_char;
		line[2 * nr + i] = kind_letters[kind];
		line[3 * nr + i] = obstacle == '-' && indirect ? 'i' : obstacle;
		if (!asked[i])
			continue;

		why = reason(f, &places[i], states->error, kind);
		by_reason[why]++;
		if (why == KIND)
			by_kind[kind]++;
		if (why == UNKNOWN)
			problem("%s is refused with %d for an unknown reason: %s",
				where(places[i].addr), states->error, bytes(&places[i]));
		nr_detours += answer_char == 'o';
		nr_moved += answer_char == 'm';
		nr_ftrace += answer_char == 'f';
		if (answer_char == 'o' && strchr("tbe", obstacle))
			problem("%s would be optimised, despite an obstacle to the jump (%c)",
				where(places[i].addr), obstacle);
		nr_places++;
		states++;
	}
	if (!out)
		goto out;
	nr_lines++;
	fprintf(out, "%s %u %016lx %.*s %.*s %.*s %.*s\n", f->name, f->size,
		(long)code_shape(places, nr), nr, line, nr, line + nr, nr, line + 2 * nr, nr,
		line + 3 * nr);
out:
	free(line);
}

/* A function, its instructions, and which of them are probed. */
struct func_probes {
	const struct func *f;
	struct place *places;
	bool *asked;
	unsigned int nr;
	unsigned int nr_asked;
};

static void select_places(struct func_probes *fp, const struct func *f)
{
	unsigned int i;

	fp->f = f;
	fp->nr = code_read(f, &fp->places);
	fp->nr_asked = 0;
	fp->asked = calloc(fp->nr + 1, sizeof(*fp->asked));
	for (i = 0; i < fp->nr; i++) {
		fp->asked[i] = !skip_or_count(f, &fp->places[i]);
		fp->nr_asked += fp->asked[i];
	}
}

/* Probe the selected instructions of @n functions at once. */
static void probe_all(int fd, FILE *out, const struct func_probes *probes, unsigned int n)
{
	unsigned int i, j, all = 0, at = 0;
	struct ks_state *states;
	uint64_t *addrs;

	for (i = 0; i < n; i++)
		all += probes[i].nr_asked;
	if (!all)
		return;
	addrs = calloc(all, sizeof(*addrs));
	states = calloc(all, sizeof(*states));
	for (i = 0; i < n; i++) {
		for (j = 0; j < probes[i].nr; j++) {
			if (probes[i].asked[j])
				addrs[at++] = probes[i].places[j].addr;
		}
	}
	if (add_probes(fd, addrs, all, KS_DISABLED))
		die("adding %u disabled probes: %s", all, strerror(errno));
	get_states(fd, states, all);
	remove_probes(fd);
	for (i = 0, at = 0; i < n; at += probes[i++].nr_asked) {
		const struct func_probes *fp = &probes[i];

		if (fp->nr_asked)
			check_answers(out, fp->f, fp->places, fp->asked, states + at, fp->nr);
	}
	free(addrs);
	free(states);
}

static void report(void)
{
	unsigned int i;

	printf("# count places-asked %lu\n", nr_places);
	printf("# count places-functions %lu\n", nr_lines);
	for (i = 0; i < NR_REASONS; i++)
		printf("# count places-%s %lu\n", reason_names[i], by_reason[i]);
	for (i = 0; kind_letters[i]; i++)
		printf("# count places-instruction-%s %lu\n", kind_name(i), by_kind[i]);
	printf("# count places-with-ftrace %lu\n", nr_ftrace);
	printf("# count places-moved %lu\n", nr_moved);
	printf("# count places-with-detour %lu\n", nr_detours);
}

/**
 * refusals() - register a disabled probe at each instruction of each function
 *
 * Return: 0, or 1 if there were problems.
 */
int refusals(void)
{
	unsigned int nr, n, at, sum, i;
	const struct func **picked;
	struct func_probes *probes;
	FILE *out = NULL;
	int fd = open_probes();

	if (options.output) {
		out = fopen(options.output, "w");
		if (!out)
			die("%s: %s", options.output, strerror(errno));
	}
	branches_load();
	nr = pick_funcs(&picked);
	probes = calloc(nr, sizeof(*probes));
	for (at = 0; at < nr; at += n) {
		for (n = 0, sum = 0; at + n < nr && sum < AT_ONCE; n++) {
			select_places(&probes[n], picked[at + n]);
			sum += probes[n].nr_asked;
		}
		probe_all(fd, out, probes, n);
		for (i = 0; i < n; i++) {
			free(probes[i].places);
			free(probes[i].asked);
		}
	}
	free(probes);
	if (out && fclose(out))
		die("%s: %s", options.output, strerror(errno));
	report();
	ok(by_reason[ACCEPTED], "some probes are accepted");
	ok(!by_reason[UNKNOWN], "probes are refused for known reasons");
	ok(nr_detours, "some probes can be optimised");
	ok(!nr_problems(), "no other problems");
	return nr_problems() != 0;
}
