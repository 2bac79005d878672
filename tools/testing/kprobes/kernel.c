// SPDX-License-Identifier: GPL-2.0
/*
 * The running kernel: its symbols, its text, and the module that holds the probes.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <kselftest.h>

#include "kernel.h"

#define DEVICE	"/dev/kprobe_stress"

struct symbol {
	uint64_t addr;
	char *name;
};

struct symbols {
	struct symbol *list;
	unsigned int nr;
	unsigned int room;
};

struct func *funcs, *own_funcs;
unsigned int nr_funcs, nr_own_funcs;
struct text text, own_text;

static struct symbols kernel, own;
static struct func **by_names;
static unsigned int problems;
static int reader = -1;

void die(const char *format, ...)
{
	va_list args;

	printf("Bail out! ");
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	printf("\n");
	fflush(stdout);
	exit(2);
}

void results_begin(void)
{
	ksft_print_header();
}

void results_end(void)
{
	ksft_set_plan(ksft_test_num());
}

bool ok(bool good, const char *format, ...)
{
	char name[256];
	va_list args;

	va_start(args, format);
	vsnprintf(name, sizeof(name), format, args);
	va_end(args);
	ksft_test_result(good, "%s\n", name);
	problems += !good;
	return good;
}

/* Limit the output, because a bug can cause very many problems. */
void problem(const char *format, ...)
{
	static unsigned int shown;
	va_list args;

	problems++;
	if (shown++ >= 100)
		return;
	printf("# problem: ");
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	printf("\n");
	fflush(stdout);
}

unsigned int nr_problems(void)
{
	return problems;
}

void write_file(const char *path, const char *value)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0 || write(fd, value, strlen(value)) < 0)
		die("%s: %s", path, strerror(errno));
	close(fd);
}

char *read_file(const char *path)
{
	size_t len = 0, room = 1 << 16;
	char *buf = malloc(room);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got;

	if (fd < 0)
		die("%s: %s", path, strerror(errno));
	while ((got = read(fd, buf + len, room - len - 1)) > 0) {
		len += got;
		if (room - len < 4096) {
			room *= 2;
			buf = realloc(buf, room);
		}
	}
	if (got < 0)
		die("%s: %s", path, strerror(errno));
	close(fd);
	buf[len] = 0;
	return buf;
}

int open_probes(void)
{
	int fd = open(DEVICE, O_RDWR | O_CLOEXEC);

	if (fd < 0)
		die("%s: %s", DEVICE, strerror(errno));
	return fd;
}

int add_probes(int fd, const uint64_t *addrs, unsigned int nr, uint32_t flags)
{
	struct ks_add add = { .addrs = (uintptr_t)addrs, .nr = nr, .flags = flags };

	return ioctl(fd, KS_ADD, &add);
}

void get_states(int fd, struct ks_state *states, unsigned int nr)
{
	struct ks_states arg = { .states = (uintptr_t)states, .nr = nr };

	if (ioctl(fd, KS_STATES, &arg))
		die("states of %u probes: %s", nr, strerror(errno));
}

void remove_probes(int fd)
{
	if (ioctl(fd, KS_REMOVE))
		die("removing probes: %s", strerror(errno));
}

void read_kernel(uint64_t from, void *to, size_t len)
{
	struct ks_read r = { .from = from, .to = (uintptr_t)to, .len = len };

	if (reader < 0)
		reader = open_probes();
	if (ioctl(reader, KS_READ, &r))
		die("reading %zu bytes at %#lx: %s", len, (long)from, strerror(errno));
}

int switch_probe(int fd, unsigned int number, bool on)
{
	return ioctl(fd, on ? KS_ENABLE : KS_DISABLE, (unsigned long)number);
}

uint64_t compute_in_kernel(int fd, uint64_t seed, unsigned int times)
{
	struct ks_compute c = { .seed = seed, .times = times };

	if (ioctl(fd, KS_COMPUTE, &c))
		die("running compute functions: %s", strerror(errno));
	return c.result;
}

static int by_address(const void *a, const void *b)
{
	const struct symbol *x = a, *y = b;

	return x->addr < y->addr ? -1 : x->addr > y->addr;
}

static int by_name(const void *a, const void *b)
{
	const struct func *x = *(const struct func **)a, *y = *(const struct func **)b;

	return strcmp(x->name, y->name);
}

static void sort_by_name(void)
{
	unsigned int i;

	by_names = calloc(nr_funcs, sizeof(*by_names));
	for (i = 0; i < nr_funcs; i++)
		by_names[i] = &funcs[i];
	qsort(by_names, nr_funcs, sizeof(*by_names), by_name);
}

/* A symbol at the end of a section names the padding there, not a function. */
static void drop_ends(void)
{
	static const char end[] = "_text_end";
	unsigned int i, nr = 0;

	for (i = 0; i < nr_funcs; i++) {
		size_t len = strlen(funcs[i].name);

		if (len < sizeof(end) || strcmp(funcs[i].name + len + 1 - sizeof(end), end))
			funcs[nr++] = funcs[i];
	}
	nr_funcs = nr;
}

/* The first of several symbols at an address names the function. */
static void find_funcs(void)
{
	unsigned int i;

	text.start = symbol("_stext");
	text.end = symbol("_etext");
	funcs = calloc(kernel.nr, sizeof(*funcs));
	for (i = 0; i < kernel.nr; i++) {
		const struct symbol *s = &kernel.list[i];

		if (s->addr < text.start || s->addr >= text.end)
			continue;
		if (nr_funcs) {
			struct func *last = &funcs[nr_funcs - 1];

			if (last->addr == s->addr) {
				/* A symbol that names the section names no function. */
				if (!strcmp(last->name, "_stext") || !strcmp(last->name, "_text"))
					last->name = s->name;
				continue;
			}
			last->size = s->addr - last->addr;
		}
		funcs[nr_funcs].addr = s->addr;
		funcs[nr_funcs].name = s->name;
		nr_funcs++;
	}
	if (!nr_funcs)
		die("no functions in /proc/kallsyms");
	funcs[nr_funcs - 1].size = text.end - funcs[nr_funcs - 1].addr;
	drop_ends();
	sort_by_name();
}

/* The module's functions that exist to be probed; see compute.h. */
static void find_own_funcs(void)
{
	unsigned int i;

	own_funcs = calloc(own.nr, sizeof(*own_funcs));
	for (i = 0; i + 1 < own.nr; i++) {
		struct func *f = &own_funcs[nr_own_funcs];

		if (strncmp(own.list[i].name, "compute_", 8))
			continue;
		f->addr = own.list[i].addr;
		f->size = own.list[i + 1].addr - f->addr;
		f->name = own.list[i].name;
		nr_own_funcs++;
		if (!own_text.start)
			own_text.start = f->addr;
		own_text.end = f->addr + f->size;
	}
}

static void add_symbol(struct symbols *to, uint64_t addr, const char *name)
{
	if (to->nr == to->room) {
		to->room = to->room ? to->room * 2 : 1024;
		to->list = realloc(to->list, to->room * sizeof(*to->list));
	}
	to->list[to->nr].addr = addr;
	to->list[to->nr].name = strdup(name);
	to->nr++;
}

/* The kernel's symbols are sorted already; qsort() might reorder those at one address. */
static void sort_symbols(struct symbols *s)
{
	unsigned int i;

	for (i = 1; i < s->nr; i++) {
		if (s->list[i].addr < s->list[i - 1].addr) {
			qsort(s->list, s->nr, sizeof(*s->list), by_address);
			return;
		}
	}
}

/* The name of a module's symbol is followed by the module's name in brackets. */
void symbols_load(void)
{
	char *all = read_file("/proc/kallsyms"), *line, *save;

	for (line = strtok_r(all, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		const char *module = strchr(line, '[');
		unsigned long addr;
		char name[512], type;

		if (sscanf(line, "%lx %c %511s", &addr, &type, name) != 3)
			continue;
		if (!module)
			add_symbol(&kernel, addr, name);
		else if (!strcmp(module, "[kprobe_stress]") && (type == 't' || type == 'T'))
			add_symbol(&own, addr, name);
	}
	free(all);
	sort_symbols(&kernel);
	sort_symbols(&own);
	find_funcs();
	find_own_funcs();
}

uint64_t symbol(const char *name)
{
	unsigned int i;

	for (i = 0; i < kernel.nr; i++) {
		if (!strcmp(kernel.list[i].name, name))
			return kernel.list[i].addr;
	}
	die("no symbol %s", name);
}

static void load(struct text *t)
{
	if (!t->base)
		t->base = malloc(t->end - t->start);
	read_kernel(t->start, t->base, t->end - t->start);
}

void text_load(void)
{
	load(&text);
	load(&own_text);
}

const uint8_t *text_at(uint64_t addr)
{
	const struct text *t = addr >= own_text.start && addr < own_text.end ? &own_text : &text;

	return t->base + (addr - t->start);
}

const struct func *func_at(uint64_t addr)
{
	unsigned int low = 0, high = nr_funcs;

	while (low < high) {
		unsigned int mid = (low + high) / 2;

		if (addr < funcs[mid].addr)
			high = mid;
		else if (addr >= funcs[mid].addr + funcs[mid].size)
			low = mid + 1;
		else
			return &funcs[mid];
	}
	return NULL;
}

struct func *func_named(const char *name)
{
	const struct func wanted = { .name = name }, *key = &wanted;
	struct func **found = bsearch(&key, by_names, nr_funcs, sizeof(*by_names), by_name);

	return found ? *found : NULL;
}

/* Format an address for messages.  The string stays valid during the next three calls. */
const char *where(uint64_t addr)
{
	static char buf[4][160];
	static unsigned int next;
	const struct func *f = func_at(addr);
	char *to = buf[next++ % 4];

	if (f)
		snprintf(to, sizeof(buf[0]), "%.120s+%#lx", f->name, (long)(addr - f->addr));
	else
		snprintf(to, sizeof(buf[0]), "%#lx", (long)addr);
	return to;
}
