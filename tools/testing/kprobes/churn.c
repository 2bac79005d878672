// SPDX-License-Identifier: GPL-2.0
/*
 * Two tasks add, enable, disable and remove probes, as fast as they can and at the same
 * places.  The probes are in functions of the module, whose results are known, and in
 * functions of the kernel that the options select.  Meanwhile, two threads, each on its own
 * CPU, call the module's functions, and the workload runs.
 *
 * Each of these is a failure:
 *
 * - the text differs from the original after both tasks have removed all probes;
 * - a function returns a wrong result, or no hits are counted;
 * - the result of adding a probe at some place depends on other probes.
 *
 * tools/vm/run also fails if the kernel's log has a warning or the test does not end.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "module/compute.h"
#include "stress.h"
#include "workload.h"

#define OPTIMIZATION	"/proc/sys/debug/kprobes-optimization"
#define LIST		"/sys/kernel/debug/kprobes/list"
#define NR_TASKS	2
#define AT_ONCE		24	/* maximum number of probes of a task */
#define ROUNDS		6	/* between two comparisons of the text */
#define TIMES		4	/* computations for each ioctl */
#define NAP		300	/* microseconds between two ioctls; see NAP in workload.c */
#define NOT_ASKED	1	/* differs from all error numbers */

/* A place, and the results of adding a probe there, without and with a post_handler. */
struct spot {
	uint64_t addr;
	int answer[2];
	bool is_entry;
};

struct task {
	pthread_t thread;
	int fd;
	uint64_t random;
	uint64_t addrs[AT_ONCE];
	unsigned int spots[AT_ONCE];
	struct ks_state states[AT_ONCE];
	unsigned long rounds, added, refused, ftrace, detours, switched;
	unsigned long hits, after, returns, missed;
};

struct runner {
	pthread_t thread;
	unsigned int cpu;
	unsigned long wrong;
	volatile unsigned long rounds;
};

static struct spot *spots;
static unsigned int nr_spots, nr_own_spots;
static struct task tasks[NR_TASKS];
static struct runner runners[NR_WORKERS];
static pthread_mutex_t answers = PTHREAD_MUTEX_INITIALIZER;
static volatile bool at_end;

static unsigned int pick(struct task *t, unsigned int below)
{
	t->random = t->random * 6364136223846793005 + 1442695040888963407;
	return (t->random >> 33) % below;
}

static void add_spots(const struct func *f)
{
	struct place *places;
	unsigned int i, n = code_read(f, &places);

	spots = realloc(spots, (nr_spots + n) * sizeof(*spots));
	for (i = 0; i < n; i++) {
		spots[nr_spots++] = (struct spot){
			.addr = places[i].addr,
			.answer = { NOT_ASKED, NOT_ASKED },
			.is_entry = !i,
		};
	}
	free(places);
}

static void find_spots(void)
{
	const struct func **picked;
	unsigned int i, nr = pick_funcs(&picked);

	for (i = 0; i < nr_own_funcs; i++)
		add_spots(&own_funcs[i]);
	nr_own_spots = nr_spots;
	if (!nr_own_spots)
		die("the module has no functions to be probed");
	for (i = 0; i < nr; i++)
		add_spots(picked[i]);
	free(picked);
}

/* Choose adjacent places, which prevent each other's jumps, or places all over the text. */
static unsigned int choose(struct task *t, bool returns)
{
	unsigned int of = pick(t, 2) ? nr_own_spots : nr_spots;
	unsigned int i, at = pick(t, of), step = pick(t, 2) ? 1 : 7 + pick(t, 1000);
	unsigned int nr = 1 + pick(t, AT_ONCE), n = 0;

	if (returns)
		step = 1;
	for (i = 0; n < nr && i < nr * (returns ? 20 : 1); i++) {
		unsigned int spot = (at + i * step) % of;

		if (returns && !spots[spot].is_entry)
			continue;
		t->spots[n] = spot;
		t->addrs[n++] = spots[spot].addr;
	}
	return n;
}

/* The result of adding a probe at a place must not depend on other probes. */
static void check_answer(const struct ks_state *s, unsigned int number, bool post)
{
	struct spot *spot = &spots[number];
	int before;

	pthread_mutex_lock(&answers);
	before = spot->answer[post];
	if (before == NOT_ASKED)
		spot->answer[post] = s->error;
	else if (before != s->error)
		problem("probe at %s: error %d, earlier %d", where(spot->addr), s->error,
			before);
	pthread_mutex_unlock(&answers);
}

static void switch_some(struct task *t, unsigned int nr)
{
	unsigned int i, n = pick(t, 2 * nr);

	for (i = 0; i < n; i++) {
		unsigned int number = pick(t, nr);

		if (t->states[number].error)
			continue;
		if (switch_probe(t->fd, number, pick(t, 2)))
			problem("enabling or disabling the probe at %s: %s",
				where(t->addrs[number]), strerror(errno));
		t->switched++;
	}
}

static void add_up(struct task *t, unsigned int nr, bool returns)
{
	unsigned int i;

	for (i = 0; i < nr; i++) {
		const struct ks_state *s = &t->states[i];

		if (s->error) {
			t->refused++;
			continue;
		}
		t->added++;
		t->ftrace += !!(s->flags & KS_FTRACE);
		t->detours += !!(s->flags & KS_DETOUR);
		t->hits += s->hits;
		t->missed += s->missed;
		if (returns)
			t->returns += s->after;
		else
			t->after += s->after;
	}
}

/* Return at once, or sleep for about the time that the optimizer needs. */
static void wait_for_optimizer(struct task *t)
{
	static const unsigned int us[] = { 0, 1000, 20000, 60000, 120000 };
	unsigned int which = pick(t, 5);

	if (us[which])
		usleep(us[which]);
}

static void one_round(struct task *t)
{
	bool returns = !pick(t, 8), post = !returns && !pick(t, 3);
	unsigned int i, nr = choose(t, returns);
	uint32_t flags = (returns ? KS_RETURN : 0) | (post ? KS_POST : 0) |
			 (pick(t, 4) ? 0 : KS_DISABLED);

	if (!nr)
		return;
	if (!pick(t, 16))
		write_file(OPTIMIZATION, pick(t, 3) ? "1" : "0");
	if (add_probes(t->fd, t->addrs, nr, returns ? flags & ~KS_DISABLED : flags))
		die("adding %u probes: %s", nr, strerror(errno));
	get_states(t->fd, t->states, nr);
	for (i = 0; i < nr && !returns; i++)
		check_answer(&t->states[i], t->spots[i], post);
	wait_for_optimizer(t);
	if (pick(t, 2)) {
		switch_some(t, nr);
		wait_for_optimizer(t);
	}
	get_states(t->fd, t->states, nr);
	add_up(t, nr, returns);
	remove_probes(t->fd);
	t->rounds++;
}

static void *churn_task(void *arg)
{
	struct task *t = arg;
	unsigned int i;

	for (i = 0; i < ROUNDS; i++)
		one_round(t);
	return NULL;
}

static void *run(void *arg)
{
	struct runner *r = arg;
	uint64_t seed = r->cpu, want;
	unsigned int i;
	cpu_set_t set;
	int fd = open_probes();

	CPU_ZERO(&set);
	CPU_SET(r->cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		die("running on CPU %u: %s", r->cpu, strerror(errno));
	while (!at_end) {
		for (want = seed, i = 0; i < TIMES; i++)
			want = compute_all(want);
		if (compute_in_kernel(fd, seed, TIMES) != want)
			r->wrong++;
		seed = want;
		r->rounds++;
		usleep(NAP);
	}
	close(fd);
	return NULL;
}

static bool own_text_is_back(bool quiet)
{
	size_t size = own_text.end - own_text.start, i = 0;
	uint8_t *live = malloc(size);

	read_kernel(own_text.start, live, size);
	while (i < size && live[i] == own_text.base[i])
		i++;
	if (i < size && !quiet)
		problem("the module's text at +%#zx is %02x, was %02x", i, live[i],
			own_text.base[i]);
	free(live);
	return i == size;
}

/* No probe is left: once the last jump is removed, the text must be the original. */
static bool wait_until_removed(void)
{
	unsigned int i;
	char *list;

	for (i = 0; i < options.patience * 20; i++) {
		if (own_text_is_back(true) && text_is_back(true))
			break;
		usleep(50000);
	}
	list = read_file(LIST);
	if (*list)
		problem("probes left in the list: %s", list);
	free(list);
	return own_text_is_back(false) && text_is_back(false);
}

static struct task all_tasks(void)
{
	struct task sum = {};
	unsigned int i;

	for (i = 0; i < NR_TASKS; i++) {
		const struct task *t = &tasks[i];

		sum.rounds += t->rounds;
		sum.added += t->added;
		sum.refused += t->refused;
		sum.ftrace += t->ftrace;
		sum.detours += t->detours;
		sum.hits += t->hits;
		sum.after += t->after;
		sum.returns += t->returns;
		sum.missed += t->missed;
		sum.switched += t->switched;
	}
	return sum;
}

/* Has each kind of handler been called? */
static bool all_handlers_called(const struct task *sum)
{
	return sum->hits && sum->after && sum->returns;
}

static void report(void)
{
	unsigned long rounds = 0, wrong = 0, least = -1UL;
	struct task sum = all_tasks();
	unsigned int i;

	for (i = 0; i < NR_WORKERS; i++) {
		rounds += runners[i].rounds;
		wrong += runners[i].wrong;
		if (runners[i].rounds < least)
			least = runners[i].rounds;
	}
	printf("# count churn-places %u\n", nr_spots);
	printf("# count churn-rounds %lu\n", sum.rounds);
	printf("# count churn-added %lu\n", sum.added);
	printf("# count churn-refused %lu\n", sum.refused);
	printf("# count churn-ftrace %lu\n", sum.ftrace);
	printf("# count churn-detours %lu\n", sum.detours);
	printf("# count churn-switched %lu\n", sum.switched);
	printf("# count churn-hits %lu\n", sum.hits);
	printf("# count churn-after %lu\n", sum.after);
	printf("# count churn-returns %lu\n", sum.returns);
	printf("# count churn-missed %lu\n", sum.missed);
	printf("# count churn-computed %lu\n", rounds * TIMES);
	ok(all_handlers_called(&sum), "churn: handlers are called");
	ok(least, "churn: each CPU executes probed code");
	ok(!wrong, "churn: probed functions return correct results");
}

/**
 * churn() - add and remove probes at random for at least options.seconds
 *
 * Return: 0, or 1 if there were problems.
 */
int churn(void)
{
	time_t end = time(NULL) + options.seconds;
	unsigned int i, looks = 0;
	struct task sum;
	bool good;

	find_spots();
	for (i = 0; i < NR_WORKERS; i++) {
		runners[i].cpu = i;
		if (pthread_create(&runners[i].thread, NULL, run, &runners[i]))
			die("creating a thread failed");
	}
	for (i = 0; i < NR_TASKS; i++) {
		tasks[i].fd = open_probes();
		tasks[i].random = options.seed * 1000 + i;
	}
	do {
		for (i = 0; i < NR_TASKS; i++) {
			if (pthread_create(&tasks[i].thread, NULL, churn_task, &tasks[i]))
				die("creating a thread failed");
		}
		for (i = 0; i < NR_TASKS; i++)
			pthread_join(tasks[i].thread, NULL);
		good = wait_until_removed();
		looks++;
		sum = all_tasks();
		/* A slow machine may need more time to call each kind of handler. */
	} while (good && !nr_problems() && (time(NULL) < end || !all_handlers_called(&sum)));

	at_end = true;
	for (i = 0; i < NR_WORKERS; i++)
		pthread_join(runners[i].thread, NULL);
	printf("# count churn-looks %u\n", looks);
	report();
	ok(good, "churn: removed probes leave the text unchanged");
	ok(!nr_problems(), "churn: no other problems");
	return nr_problems() != 0;
}
