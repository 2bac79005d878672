// SPDX-License-Identifier: GPL-2.0
/*
 * Measure the sizes of decoders, and their speed on the text of an ELF file.
 */
#include <elf.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <Zydis/Zydis.h>

#include "bench.h"

#define MAX_ROUNDS	101
#define NR_OF(a)	(sizeof(a) / sizeof((a)[0]))

static ZydisDecoder zydis;

static void sweep_zydis(const unsigned char *text, size_t len, struct sweep *sweep, bool full)
{
	static ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
	unsigned long insns = 0, bad = 0, sum = 0;
	ZydisDecodedInstruction insn;
	size_t at = 0, left;
	ZyanStatus status;

	while (at < len) {
		left = len - at < 15 ? len - at : 15;
		if (full)
			status = ZydisDecoderDecodeFull(&zydis, text + at, left, &insn, operands);
		else
			status = ZydisDecoderDecodeInstruction(&zydis, NULL, text + at, left,
							       &insn);
		if (!ZYAN_SUCCESS(status)) {
			bad++;
			at++;
			continue;
		}
		insns++;
		sum += insn.raw.disp.value + insn.raw.imm[0].value.s;
		at += insn.length;
	}
	*sweep = (struct sweep) { .insns = insns, .bad = bad, .sum = sum };
}

static void zydis_minimal(const unsigned char *text, size_t len, struct sweep *sweep)
{
	ZydisDecoderEnableMode(&zydis, ZYDIS_DECODER_MODE_MINIMAL, ZYAN_TRUE);
	sweep_zydis(text, len, sweep, false);
}

static void zydis_full(const unsigned char *text, size_t len, struct sweep *sweep)
{
	ZydisDecoderEnableMode(&zydis, ZYDIS_DECODER_MODE_MINIMAL, ZYAN_FALSE);
	sweep_zydis(text, len, sweep, true);
}

static struct contender {
	const char	*name;
	sweep_fn	*sweep;
	struct sweep	result;
	double		ns[MAX_ROUNDS];		/* per instruction */
	const char	*objects;		/* directory of insn.o and inat.o */
	size_t		tables, rodata, code;
} contenders[] = {
	{ "ours", bench_ours },
	{ "stock", bench_stock },
	{ "zydis-minimal", zydis_minimal },
	{ "zydis-full", zydis_full },
};

struct elf {
	const unsigned char	*data;
	const Elf64_Shdr	*sections;
	unsigned int		nr_sections;
	const char		*names;
};

static void elf_open(struct elf *elf, const char *path)
{
	const Elf64_Ehdr *head;
	struct stat st;
	int fd;

	fd = open(path, O_RDONLY);
	if (fd < 0 || fstat(fd, &st)) {
		perror(path);
		exit(2);
	}
	elf->data = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	head = (const Elf64_Ehdr *)elf->data;
	if (elf->data == MAP_FAILED || st.st_size < sizeof(*head) ||
	    memcmp(head->e_ident, ELFMAG, SELFMAG) || head->e_ident[EI_CLASS] != ELFCLASS64 ||
	    head->e_machine != EM_X86_64) {
		fprintf(stderr, "%s: not an ELF file for x86-64\n", path);
		exit(2);
	}
	elf->sections = (const Elf64_Shdr *)(elf->data + head->e_shoff);
	elf->nr_sections = head->e_shnum;
	elf->names = (const char *)elf->data + elf->sections[head->e_shstrndx].sh_offset;
}

/* Total size of the sections whose names start with @prefix; *@first is the first one. */
static size_t elf_size(const struct elf *elf, const char *prefix, const Elf64_Shdr **first)
{
	size_t total = 0;
	unsigned int i;

	for (i = 0; i < elf->nr_sections; i++) {
		const Elf64_Shdr *s = &elf->sections[i];

		if (!(s->sh_flags & SHF_ALLOC) ||
		    strncmp(elf->names + s->sh_name, prefix, strlen(prefix)))
			continue;
		total += s->sh_size;
		if (first && !*first)
			*first = s;
	}
	return total;
}

static void measure_objects(struct contender *c)
{
	static const char * const names[] = { "inat.o", "insn.o" };
	char path[4096];
	struct elf elf;
	unsigned int i;

	for (i = 0; i < NR_OF(names); i++) {
		snprintf(path, sizeof(path), "%s/%s", c->objects, names[i]);
		elf_open(&elf, path);
		c->rodata += elf_size(&elf, ".rodata", NULL);
		c->code += elf_size(&elf, ".text", NULL);
		if (!i)
			c->tables = c->rodata;
	}
}

static int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static void run(struct contender *c, const unsigned char *text, size_t len, unsigned int round)
{
	struct timespec begin, end;
	double ns;

	clock_gettime(CLOCK_MONOTONIC, &begin);
	c->sweep(text, len, &c->result);
	clock_gettime(CLOCK_MONOTONIC, &end);
	ns = (end.tv_sec - begin.tv_sec) * 1e9 + (end.tv_nsec - begin.tv_nsec);
	c->ns[round] = c->result.insns ? ns / c->result.insns : 0;
}

static void print_text(const char *path, size_t len, unsigned int rounds)
{
	unsigned int i;

	printf("%s: %zu bytes of .text, fastest of %u rounds\n", path, len, rounds);
	printf("%-14s %12s %8s %9s %14s %8s %8s %8s\n", "decoder", "instructions", "bad",
	       "ns/insn", "insns/second", "tables", "rodata", "code");
	for (i = 0; i < NR_OF(contenders); i++) {
		const struct contender *c = &contenders[i];
		double best = c->ns[0];

		printf("%-14s %12lu %8lu %9.2f %14.0f", c->name, c->result.insns, c->result.bad,
		       best, best ? 1e9 / best : 0);
		if (c->objects)
			printf(" %8zu %8zu %8zu", c->tables, c->rodata, c->code);
		printf("\n");
	}
}

static void print_json(const char *path, size_t len, unsigned int rounds)
{
	unsigned int i;

	printf("{\n  \"text_bytes\": %zu,\n  \"rounds\": %u,\n  \"decoders\": {\n", len, rounds);
	for (i = 0; i < NR_OF(contenders); i++) {
		const struct contender *c = &contenders[i];

		printf("    \"%s\": {\"instructions\": %lu, \"bad\": %lu, ", c->name,
		       c->result.insns, c->result.bad);
		printf("\"ns_min\": %.3f, \"ns_median\": %.3f, \"ns_max\": %.3f",
		       c->ns[0], c->ns[rounds / 2], c->ns[rounds - 1]);
		if (c->objects)
			printf(", \"table_bytes\": %zu, \"rodata_bytes\": %zu, \"code_bytes\": %zu",
			       c->tables, c->rodata, c->code);
		printf("}%s\n", i + 1 < NR_OF(contenders) ? "," : "");
	}
	printf("  }\n}\n");
}

static void bad_options(const char *name)
{
	fprintf(stderr, "usage: %s [--json] [-r rounds] [-s decoder=objects]... vmlinux\n", name);
	exit(2);
}

static void take_objects(const char *name, char *arg)
{
	char *value = strchr(arg, '=');
	unsigned int i;

	if (!value)
		bad_options(name);
	*value++ = '\0';
	for (i = 0; i < NR_OF(contenders); i++) {
		if (!strcmp(contenders[i].name, arg)) {
			contenders[i].objects = value;
			measure_objects(&contenders[i]);
			return;
		}
	}
	bad_options(name);
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "json", no_argument, NULL, 'j' },
		{ "rounds", required_argument, NULL, 'r' },
		{ "sizes", required_argument, NULL, 's' },
		{ }
	};
	unsigned int rounds = 9, round, i;
	const Elf64_Shdr *section = NULL;
	unsigned char *text;
	bool json = false;
	struct elf elf;
	size_t len;
	int opt;

	while ((opt = getopt_long(argc, argv, "jr:s:", options, NULL)) != -1) {
		switch (opt) {
		case 'j':
			json = true;
			break;
		case 'r':
			rounds = strtoul(optarg, NULL, 0);
			break;
		case 's':
			take_objects(argv[0], optarg);
			break;
		default:
			bad_options(argv[0]);
		}
	}
	if (optind + 1 != argc || !rounds || rounds > MAX_ROUNDS)
		bad_options(argv[0]);

	elf_open(&elf, argv[optind]);
	elf_size(&elf, ".text", &section);
	if (!section) {
		fprintf(stderr, "%s: no .text\n", argv[optind]);
		return 2;
	}
	/* Ignore the padding from the end of the code to a huge page boundary. */
	len = section->sh_size;
	text = malloc(len + 1);
	memcpy(text, elf.data + section->sh_offset, len);
	while (len && text[len - 1] == 0xcc)
		len--;

	ZydisDecoderInit(&zydis, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
	/* Take turns, so that other load on the machine affects all decoders alike. */
	for (round = 0; round < rounds; round++) {
		for (i = 0; i < NR_OF(contenders); i++)
			run(&contenders[i], text, len, round);
	}
	for (i = 0; i < NR_OF(contenders); i++)
		qsort(contenders[i].ns, rounds, sizeof(contenders[i].ns[0]), compare_doubles);

	if (json)
		print_json(argv[optind], len, rounds);
	else
		print_text(argv[optind], len, rounds);
	return 0;
}
