/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The running kernel: its functions, its text, and the tables of places that the kernel
 * may change or jump to.
 */
#ifndef _STRESS_KERNEL_H
#define _STRESS_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "module/kprobe_stress.h"

/* A function according to kallsyms: the text from one symbol to the next. */
struct func {
	const char *name;
	uint64_t addr;
	uint32_t size;
	bool executed;		/* the workload runs it */
};

/* Text and its content without probes. */
struct text {
	uint64_t start;
	uint64_t end;
	uint8_t *base;
};

/* Kinds of places in the text that the kernel changes by itself, or refuses to probe. */
enum site_kind {
	SITE_JUMP_LABEL,
	SITE_STATIC_CALL,
	SITE_FTRACE,
	SITE_FTRACE_CALL,
	SITE_BUG,
};

struct site {
	uint64_t addr;
	uint64_t target;	/* of a jump label */
	enum site_kind kind;
};

/* Functions and text of the kernel, and those of the module that exist to be probed. */
extern struct func *funcs, *own_funcs;
extern unsigned int nr_funcs, nr_own_funcs;
extern struct text text, own_text;

void die(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

/* Output of the run, as KTAP: a line for each check, the number of checks, and counts. */
void results_begin(void);
void results_end(void);
bool ok(bool good, const char *format, ...) __attribute__((format(printf, 2, 3)));
void problem(const char *format, ...) __attribute__((format(printf, 1, 2)));
unsigned int nr_problems(void);

/* The module. */
int open_probes(void);
int add_probes(int fd, const uint64_t *addrs, unsigned int nr, uint32_t flags);
void get_states(int fd, struct ks_state *states, unsigned int nr);
void remove_probes(int fd);
void read_kernel(uint64_t from, void *to, size_t len);
int switch_probe(int fd, unsigned int number, bool on);
uint64_t compute_in_kernel(int fd, uint64_t seed, unsigned int times);

/* Symbols and text.  Call text_load() only while nothing is probed. */
void symbols_load(void);
uint64_t symbol(const char *name);
void text_load(void);
const uint8_t *text_at(uint64_t addr);
const struct func *func_at(uint64_t addr);
struct func *func_named(const char *name);
const char *where(uint64_t addr);

/* Tables. */
void sites_load(void);
const struct site *site_at(uint64_t addr);
bool site_may_hold(const struct site *site, const uint8_t *bytes, unsigned int *len);
bool is_target(uint64_t from, uint64_t to, const char **what);
bool is_blacklisted(uint64_t addr);

/* Comparison with the original text.  nr_flips counts changes by the kernel itself. */
extern unsigned long nr_flips;
bool text_compare(uint64_t addr, const uint8_t *live, const uint8_t *want, size_t size,
		  const char *when, bool quiet);
bool text_is_back(bool quiet);

void write_file(const char *path, const char *value);
char *read_file(const char *path);

#endif /* _STRESS_KERNEL_H */
