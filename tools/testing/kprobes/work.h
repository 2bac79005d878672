/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Kinds of work that a worker does.
 */
#ifndef _STRESS_WORK_H
#define _STRESS_WORK_H

#include <stdbool.h>

struct work_env {
	unsigned int number;	/* of the worker */
	unsigned int round;
	const char *name;	/* of the current kind of work */
	const char *self;	/* a program to run */
	const char *module;	/* a module to load */
	char dir[64];		/* where to put files */
};

/* Each array ends with an entry without a name. */
struct work {
	const char *name;
	bool (*run)(struct work_env *env);	/* false if it failed */
};

extern const struct work work_process[];	/* processes, threads, signals, memory */
extern const struct work work_file[];		/* files, pipes, events */
extern const struct work work_net[];		/* sockets, timers, modules, BPF */

bool work_failed(struct work_env *env, const char *what);
void enter_clean_dir(const char *path);

/* Continue if @condition is true, else fail with the message @what. */
#define NEED(condition, what)						\
	do {								\
		if (!(condition))					\
			return work_failed(env, what);			\
	} while (0)

#endif /* _STRESS_WORK_H */
