// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of sets of probes: a set is registered as a whole or not at all, and the state of
 * each place is correct afterwards.
 *
 * Each function below has two kinds of places: its entry, where ftrace calls the probe
 * if it can trace the function; and instructions inside, with a breakpoint or a jump.
 */
#include <kunit/test.h>
#include <linux/cleanup.h>
#include <linux/compiler.h>
#include <linux/ftrace.h>
#include <linux/kallsyms.h>
#include <linux/kprobes.h>
#include <linux/kthread.h>
#include <linux/mutex.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "kprobes.h"

#define NR	6
#define NR_TEXT	64	/* bytes at the beginning of each function to compare */

static unsigned int hits[NR];
static unsigned int returns;
static struct kprobe probes[NR];
static struct kprobe *set[NR];

/* Different constants keep the compiler from merging the functions. */
#define TARGET(n)							\
static noinline unsigned long sets_target_##n(unsigned long x)		\
{									\
	barrier();							\
	return x * (2 * (n) + 3) + (x >> ((n) + 1));			\
}
TARGET(0)
TARGET(1)
TARGET(2)
TARGET(3)

/* Two of the functions have two probes each. */
static unsigned long (*const targets[])(unsigned long x) = {
	sets_target_0, sets_target_1, sets_target_2, sets_target_3,
};
static const unsigned int target_of[NR] = { 0, 1, 1, 2, 3, 3 };

/* This function must not be probed. */
static noinline void forbidden(void)
{
	barrier();
}
NOKPROBE_SYMBOL(forbidden);

static int count_hit(struct kprobe *p, struct pt_regs *regs)
{
	hits[p - probes]++;
	return 0;
}
NOKPROBE_SYMBOL(count_hit);

static void after_hit(struct kprobe *p, struct pt_regs *regs, unsigned long flags)
{
	hits[p - probes] += 100;
}
NOKPROBE_SYMBOL(after_hit);

static kprobe_opcode_t *entry_of(unsigned int target)
{
	kprobe_opcode_t *addr = dereference_function_descriptor(targets[target]);

	/* In Thumb code, bit 0 of a function pointer is not part of the address. */
	if (IS_ENABLED(CONFIG_THUMB2_KERNEL))
		addr = (void *)((unsigned long)addr & ~1UL);
	return addr;
}

static void init_set(void)
{
	unsigned int i;

	memset(probes, 0, sizeof(probes));
	for (i = 0; i < NR; i++) {
		probes[i].addr = entry_of(target_of[i]);
		probes[i].pre_handler = count_hit;
		set[i] = &probes[i];
	}
}

/* Call all functions; check that the probes in @mask are hit, and no others. */
static void check_hits(struct kunit *test, unsigned int mask)
{
	unsigned int i;

	memset(hits, 0, sizeof(hits));
	for (i = 0; i < ARRAY_SIZE(targets); i++)
		READ_ONCE(targets[i])(i);
	barrier();
	for (i = 0; i < NR; i++)
		KUNIT_EXPECT_EQ_MSG(test, hits[i], mask >> i & 1, "probe %u", i);
}

static struct kprobe *place(unsigned int i)
{
	guard(preempt)();
	return get_kprobe(probes[i].addr);
}

/* Enable @num probes, all or none. */
static int enable_set(struct kprobe **kps, unsigned int num)
{
	int ret = 0;

	kprobes_begin_set();
	while (num-- && !ret)
		ret = enable_kprobe(*kps++);
	return kprobes_end_set(ret);
}

/* Disable those of @num probes that are registered; return how many. */
static int disable_set(struct kprobe **kps, unsigned int num)
{
	int disabled = 0;

	kprobes_begin_set();
	while (num--)
		disabled += !disable_kprobe(*kps++);
	kprobes_end_set(0);
	return disabled;
}

static void check_no_places(struct kunit *test)
{
	unsigned int i;

	wait_for_kprobe_optimizer();
	for (i = 0; i < NR; i++)
		if (probes[i].addr)
			KUNIT_EXPECT_NULL(test, place(i));
}

static void sets_all(struct kunit *test)
{
	init_set();
	probes[3].flags = KPROBE_FLAG_DISABLED;
	KUNIT_ASSERT_EQ(test, register_kprobes(set, NR), 0);
	check_hits(test, 0x37);
	KUNIT_EXPECT_EQ(test, disable_set(set, 3), 3);
	check_hits(test, 0x30);
	KUNIT_EXPECT_EQ(test, disable_set(set, NR), NR);
	check_hits(test, 0);
	KUNIT_EXPECT_EQ(test, enable_set(set + 2, 3), 0);
	check_hits(test, 0x1c);
	KUNIT_EXPECT_EQ(test, enable_set(set, NR), 0);
	check_hits(test, 0x3f);
	wait_for_kprobe_optimizer();
	check_hits(test, 0x3f);
	unregister_kprobes(set + 1, 2);
	check_hits(test, 0x39);
	KUNIT_EXPECT_NULL(test, place(1));
	unregister_kprobes(set + 3, 3);
	unregister_kprobes(set, 1);
	check_hits(test, 0);
	check_no_places(test);
}

/* Move a probe to an instruction inside its function. */
static bool move_inside(struct kprobe *p)
{
	kprobe_opcode_t *entry = p->addr;
	unsigned long size, offset;

	if (!kallsyms_lookup_size_offset((unsigned long)entry, &size, &offset))
		return false;
	/* The ftrace call site may be in the first bytes. */
	for (offset = 12; offset < size; offset++) {
		p->addr = (kprobe_opcode_t *)((unsigned long)entry + offset);
		if (!register_kprobe(p)) {
			unregister_kprobe(p);
			p->flags = 0;
			return true;
		}
	}
	return false;
}

/* Places inside functions first have breakpoints, then jumps. */
static void sets_inside(struct kunit *test)
{
	unsigned int i;

	init_set();
	for (i = 0; i < NR; i++)
		if (!move_inside(&probes[i]))
			kunit_skip(test, "no place inside a function");

	KUNIT_ASSERT_EQ(test, register_kprobes(set, NR), 0);
	check_hits(test, 0x3f);
	wait_for_kprobe_optimizer();
	check_hits(test, 0x3f);
	KUNIT_EXPECT_EQ(test, disable_set(set, NR), NR);
	check_hits(test, 0);
	KUNIT_EXPECT_EQ(test, enable_set(set, NR), 0);
	check_hits(test, 0x3f);
	unregister_kprobes(set, NR);
	check_hits(test, 0);
	check_no_places(test);
}

/* Try a function that must not be probed at each position of a set. */
static void sets_refused(struct kunit *test)
{
	kprobe_opcode_t *addr;
	unsigned int i;

	for (i = 0; i < NR - 1; i++) {
		init_set();
		KUNIT_ASSERT_EQ(test, register_kprobe(&probes[5]), 0);
		probes[0].flags = KPROBE_FLAG_DISABLED;
		addr = (kprobe_opcode_t *)((unsigned long)probes[1].addr - 1);
		probes[1].addr = addr;
		probes[1].offset = 1;
		probes[i].addr = dereference_function_descriptor(forbidden);
		probes[i].offset = 0;
		KUNIT_EXPECT_EQ(test, register_kprobes(set, NR - 1), -EINVAL);
		check_hits(test, 0x20);
		KUNIT_EXPECT_NULL(test, place(0));
		KUNIT_EXPECT_NULL(test, place(1));
		/* The members that the caller set are restored. */
		KUNIT_EXPECT_TRUE(test, probes[0].flags & KPROBE_FLAG_DISABLED);
		KUNIT_EXPECT_FALSE(test, probes[1].flags & KPROBE_FLAG_DISABLED);
		if (i != 1)
			KUNIT_EXPECT_PTR_EQ(test, probes[1].addr, addr);
		unregister_kprobe(&probes[5]);
		check_no_places(test);
	}
}

/* register_kprobes() is all or none within an open set, too. */
static void sets_refused_within(struct kunit *test)
{
	init_set();
	probes[2].addr = dereference_function_descriptor(forbidden);
	kprobes_begin_set();
	KUNIT_EXPECT_EQ(test, register_kprobe(&probes[5]), 0);
	KUNIT_EXPECT_EQ(test, register_kprobes(set, 3), -EINVAL);
	KUNIT_EXPECT_EQ(test, kprobes_end_set(0), 0);
	check_hits(test, 0x20);
	unregister_kprobe(&probes[5]);
	check_hits(test, 0);
	check_no_places(test);
}

struct target_text {
	u8 bytes[ARRAY_SIZE(targets)][NR_TEXT];
};

static void read_text(struct target_text *text)
{
	unsigned int i;

	memset(text, 0, sizeof(*text));
	for (i = 0; i < ARRAY_SIZE(targets); i++)
		copy_from_kernel_nofault(text->bytes[i], entry_of(i), NR_TEXT);
}

static void check_text(struct kunit *test, const struct target_text *want)
{
	static struct target_text text;
	unsigned int i;

	read_text(&text);
	for (i = 0; i < ARRAY_SIZE(targets); i++)
		KUNIT_EXPECT_MEMEQ_MSG(test, text.bytes[i], want->bytes[i], NR_TEXT,
				       "function %u", i);
}

/*
 * Move a probe to an address inside its function that the architecture refuses.  Nothing
 * in the function is blacklisted, or reserved for other code.
 */
static int move_to_refused(struct kprobe *p)
{
	kprobe_opcode_t *entry = p->addr;
	unsigned long size, offset;
	int ret;

	if (!kallsyms_lookup_size_offset((unsigned long)entry, &size, &offset))
		return 0;
	for (offset = 12; offset < size; offset++) {
		p->addr = (kprobe_opcode_t *)((unsigned long)entry + offset);
		ret = register_kprobe(p);
		if (ret)
			return ret;
		unregister_kprobe(p);
		p->flags = 0;
	}
	return 0;
}

/* Initialize a set with probes at entries and inside functions, two of them at one place. */
static bool init_mixed_set(void)
{
	init_set();
	return move_inside(&probes[1]) && move_inside(&probes[2]) && move_inside(&probes[3]);
}

/*
 * The architecture refuses one probe of the set after those before it were added to the
 * table or to their places.
 */
static void sets_refused_late(struct kunit *test)
{
	static struct target_text text;
	kprobe_opcode_t *refused;
	unsigned int i;
	int err;

	for (i = 1; i < NR; i++) {
		init_set();
		err = move_to_refused(&probes[i]);
		refused = probes[i].addr;
		if (!err || !init_mixed_set())
			kunit_skip(test, "no such places inside a function");
		wait_for_kprobe_optimizer();
		read_text(&text);

		probes[1].opcode = 0;
		probes[i].addr = refused;
		KUNIT_EXPECT_EQ(test, register_kprobes(set, NR), err);
		/* This shows that probe 1 was added before the error. */
		if (i > 1)
			KUNIT_EXPECT_TRUE(test, probes[1].opcode);
		check_text(test, &text);
		check_hits(test, 0);
		check_no_places(test);
		KUNIT_EXPECT_PTR_EQ(test, probes[i].addr, refused);
		KUNIT_EXPECT_EQ(test, probes[0].flags, 0);

		/* The probes before it can be registered. */
		KUNIT_EXPECT_EQ(test, register_kprobes(set, i), 0);
		check_hits(test, BIT(i) - 1);
		unregister_kprobes(set, i);
		check_no_places(test);
		check_text(test, &text);
	}
}

static void sets_not_registered(struct kunit *test)
{
	init_set();
	KUNIT_ASSERT_EQ(test, register_kprobes(set, 3), 0);
	KUNIT_EXPECT_EQ(test, disable_set(set, 3), 3);
	KUNIT_EXPECT_EQ(test, enable_set(set, 4), -EINVAL);
	check_hits(test, 0);
	KUNIT_EXPECT_EQ(test, enable_set(set, 3), 0);
	KUNIT_EXPECT_EQ(test, disable_set(set + 2, 2), 1);
	KUNIT_EXPECT_EQ(test, disable_kprobe(&probes[3]), -EINVAL);
	check_hits(test, 0x3);
	KUNIT_EXPECT_EQ(test, register_kprobes(set, 0), -EINVAL);
	/* The address of a probe that is not registered becomes NULL. */
	unregister_kprobes(set, 4);
	KUNIT_EXPECT_NULL(test, probes[3].addr);
	check_hits(test, 0);
	check_no_places(test);
}

/*
 * Test a place that is enabled but not armed, as if ftrace had refused it.  A wrong count
 * of armed places has an effect only if ftrace calls no other probes.
 */
static void sets_not_armed(struct kunit *test)
{
	LLIST_HEAD(places);
	struct kprobe *three[] = { &probes[0], &probes[1], &probes[3] };

	init_set();
	KUNIT_ASSERT_EQ(test, register_kprobes(three, 3), 0);
	if (!kprobe_ftrace(place(0))) {
		unregister_kprobes(three, 3);
		kunit_skip(test, "ftrace does not call the probes");
	}
	mutex_lock(&kprobe_mutex);
	kprobe_list_add(&places, kprobe_place_of(place(0)));
	kprobes_disarm(&places);
	mutex_unlock(&kprobe_mutex);
	check_hits(test, 0xa);
	KUNIT_EXPECT_EQ(test, disable_kprobe(&probes[0]), 0);
	KUNIT_EXPECT_EQ(test, disable_kprobe(&probes[1]), 0);
	check_hits(test, 0x8);
	KUNIT_EXPECT_EQ(test, enable_set(three, 3), 0);
	check_hits(test, 0xb);
	unregister_kprobes(three, 3);
	check_hits(test, 0);
	check_no_places(test);
}

/* Add a probe with a post_handler to a place, and remove it. */
static void sets_post_handler(struct kunit *test)
{
	init_set();
	probes[2].post_handler = after_hit;
	KUNIT_ASSERT_EQ(test, register_kprobes(set, 2), 0);
	wait_for_kprobe_optimizer();
	check_hits(test, 0x3);
	KUNIT_ASSERT_EQ(test, register_kprobe(&probes[2]), 0);
	memset(hits, 0, sizeof(hits));
	READ_ONCE(targets[1])(1);
	KUNIT_EXPECT_EQ(test, hits[1], 1);
	KUNIT_EXPECT_EQ(test, hits[2], 101);
	unregister_kprobe(&probes[2]);
	wait_for_kprobe_optimizer();
	check_hits(test, 0x3);

	/* The place no longer uses the ftrace_ops for post_handlers. */
	KUNIT_EXPECT_EQ(test, disable_kprobe(&probes[1]), 0);
	KUNIT_EXPECT_EQ(test, enable_kprobe(&probes[1]), 0);
	KUNIT_EXPECT_NE(test, (int)kprobe_place_of(place(1))->state, PLACE_FTRACE_POST);
	check_hits(test, 0x3);
	unregister_kprobes(set, 2);
	check_no_places(test);
}

/* A probe can read only arguments if its handlers are direct and it has no post_handler. */
static void sets_not_args_only(struct kunit *test)
{
	unsigned int i;

	init_set();
	probes[2].post_handler = after_hit;
	for (i = 0; i < 3; i++) {
		probes[i].flags = KPROBE_FLAG_DISABLED;
		KUNIT_EXPECT_EQ(test, register_kprobe(&probes[i]), 0);
	}
	/* As if these handlers were direct.  The probes stay disabled. */
	probes[1].flags |= KPROBE_FLAG_DIRECT;
	probes[2].flags |= KPROBE_FLAG_DIRECT;
	for (i = 0; i < 3; i++) {
		KUNIT_EXPECT_EQ(test, kprobe_set_args_only(&probes[i], true), 0);
		KUNIT_EXPECT_EQ(test, !!(probes[i].flags & KPROBE_FLAG_ARGS_ONLY), i == 1);
	}
	unregister_kprobes(set, 3);
	check_no_places(test);
}

#ifdef CONFIG_KRETPROBES
static int count_return(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	returns++;
	return 0;
}
NOKPROBE_SYMBOL(count_return);

static void sets_returns(struct kunit *test)
{
	static struct kretprobe rets[2];
	struct kretprobe *list[] = { &rets[0], &rets[1] };

	init_set();
	memset(rets, 0, sizeof(rets));
	rets[0].kp.addr = probes[0].addr;
	rets[1].kp.addr = probes[3].addr;
	rets[0].handler = count_return;
	rets[1].handler = count_return;
	returns = 0;
	KUNIT_ASSERT_EQ(test, register_kretprobes(list, 2), 0);
	READ_ONCE(targets[0])(1);
	READ_ONCE(targets[2])(1);
	KUNIT_EXPECT_EQ(test, returns, 2);
	unregister_kretprobes(list, 2);
	READ_ONCE(targets[0])(1);
	KUNIT_EXPECT_EQ(test, returns, 2);

	/* All or nothing: the second function must not be probed. */
	memset(rets, 0, sizeof(rets));
	rets[0].kp.addr = probes[0].addr;
	rets[1].kp.addr = dereference_function_descriptor(forbidden);
	KUNIT_EXPECT_EQ(test, register_kretprobes(list, 2), -EINVAL);
	KUNIT_EXPECT_NULL(test, place(0));

	/* A second registration has no effect. */
	memset(rets, 0, sizeof(rets));
	rets[0].kp.symbol_name = "sets_target_0";
	rets[0].handler = count_return;
	returns = 0;
	KUNIT_ASSERT_EQ(test, register_kretprobe(&rets[0]), 0);
	KUNIT_EXPECT_EQ(test, register_kretprobe(&rets[0]), -EINVAL);
	READ_ONCE(targets[0])(1);
	KUNIT_EXPECT_EQ(test, returns, 1);
	unregister_kretprobe(&rets[0]);
	check_no_places(test);
}
#else
static void sets_returns(struct kunit *test)
{
	kunit_skip(test, "no return probes");
}
#endif

#ifdef CONFIG_KPROBES_ON_FTRACE
static void notrace do_nothing(unsigned long ip, unsigned long parent_ip,
			       struct ftrace_ops *op, struct ftrace_regs *fregs)
{
}

static struct ftrace_ops other_user = {
	.func	= do_nothing,
	.flags	= FTRACE_OPS_FL_SAVE_REGS | FTRACE_OPS_FL_IPMODIFY,
};

#ifdef CONFIG_KRETPROBES
/* probes[4] is registered, but disabled. */
static void refuse_return(struct kunit *test)
{
	static struct kretprobe rets[2];
	struct kretprobe *list[] = { &rets[0], &rets[1] };

	memset(rets, 0, sizeof(rets));
	rets[0].kp.addr = probes[0].addr;
	rets[1].kp.addr = probes[4].addr;
	rets[0].handler = count_return;
	rets[1].handler = count_return;
	returns = 0;
	KUNIT_EXPECT_EQ(test, register_kretprobes(list, 2), -EBUSY);
	check_hits(test, 0);
	KUNIT_EXPECT_EQ(test, returns, 0);
	KUNIT_EXPECT_NULL(test, place(0));
	KUNIT_EXPECT_NOT_NULL(test, place(4));

	KUNIT_EXPECT_EQ(test, register_kretprobe(&rets[0]), 0);
	check_hits(test, 0);
	KUNIT_EXPECT_EQ(test, returns, 1);
	unregister_kretprobe(&rets[0]);
}
#else
static void refuse_return(struct kunit *test)
{
}
#endif

/*
 * Users of the function besides the probe: none; with few registers; with all.  ftrace keeps their
 * filters and trampolines for the next run.
 */
static struct ftrace_ops watchers[] = {
	{ },
	{ .func = do_nothing },
	{ .func = do_nothing, .flags = FTRACE_OPS_FL_SAVE_REGS },
};

static enum kprobe_place_state state_of(unsigned int i)
{
	return kprobe_place_of(place(i))->state;
}

/* Register a probe that reads only arguments. */
static void register_args_only(struct kunit *test, unsigned int i)
{
	probes[i].flags = KPROBE_FLAG_DISABLED;
	KUNIT_ASSERT_EQ(test, register_kprobe(&probes[i]), 0);
	/* As if these handlers were direct. */
	probes[i].flags |= KPROBE_FLAG_ARGS_ONLY;
	KUNIT_ASSERT_EQ(test, enable_kprobe(&probes[i]), 0);
	if (state_of(i) != PLACE_FTRACE_ARGS) {
		unregister_kprobe(&probes[i]);
		kunit_skip(test, "ftrace saves all registers, or is not used");
	}
}

/* A place with a probe that reads only arguments moves when it needs all registers. */
static void sets_args_only(struct kunit *test)
{
	init_set();
	register_args_only(test, 1);
	check_hits(test, 0x2);

	/* Another probe at the place needs them.  It waits until the end of the set. */
	kprobes_begin_set();
	KUNIT_EXPECT_EQ(test, register_kprobe(&probes[2]), 0);
	KUNIT_EXPECT_EQ(test, (int)state_of(1), PLACE_FTRACE_ARGS);
	check_hits(test, 0x2);
	KUNIT_EXPECT_EQ(test, kprobes_end_set(0), 0);
	KUNIT_EXPECT_EQ(test, (int)state_of(1), PLACE_FTRACE);
	check_hits(test, 0x6);
	unregister_kprobe(&probes[2]);
	check_hits(test, 0x2);

	/* When it is armed again, it does not need them. */
	KUNIT_EXPECT_EQ(test, disable_kprobe(&probes[1]), 0);
	KUNIT_EXPECT_EQ(test, enable_kprobe(&probes[1]), 0);
	KUNIT_EXPECT_EQ(test, (int)state_of(1), PLACE_FTRACE_ARGS);
	check_hits(test, 0x2);

	/* Undo a set, with the other probe waiting. */
	probes[2].flags = 0;
	kprobes_begin_set();
	KUNIT_EXPECT_EQ(test, register_kprobe(&probes[2]), 0);
	KUNIT_EXPECT_EQ(test, probes[2].flags & KPROBE_FLAG_WAITING, KPROBE_FLAG_WAITING);
	KUNIT_EXPECT_EQ(test, kprobes_end_set(-ENOMEM), -ENOMEM);
	KUNIT_EXPECT_EQ(test, (int)state_of(1), PLACE_FTRACE_ARGS);
	KUNIT_EXPECT_EQ(test, probes[2].flags, 0);
	check_hits(test, 0x2);

	/* The other probe takes the place of the first one. */
	kprobes_begin_set();
	KUNIT_EXPECT_EQ(test, register_kprobe(&probes[2]), 0);
	unregister_kprobe(&probes[1]);
	check_hits(test, 0);
	KUNIT_EXPECT_EQ(test, kprobes_end_set(0), 0);
	KUNIT_EXPECT_EQ(test, (int)state_of(2), PLACE_FTRACE);
	check_hits(test, 0x4);
	unregister_kprobe(&probes[2]);

	init_set();
	register_args_only(test, 1);
	KUNIT_EXPECT_EQ(test, kprobe_set_args_only(&probes[1], false), 0);
	KUNIT_EXPECT_EQ(test, (int)state_of(1), PLACE_FTRACE);
	check_hits(test, 0x2);
	unregister_kprobe(&probes[1]);

	/* If the set fails, the probe still reads only arguments. */
	init_set();
	register_args_only(test, 1);
	kprobes_begin_set();
	KUNIT_EXPECT_EQ(test, kprobe_set_args_only(&probes[1], false), 0);
	KUNIT_EXPECT_EQ(test, kprobes_end_set(-ENOMEM), -ENOMEM);
	KUNIT_EXPECT_TRUE(test, probes[1].flags & KPROBE_FLAG_ARGS_ONLY);
	KUNIT_EXPECT_EQ(test, (int)state_of(1), PLACE_FTRACE_ARGS);
	check_hits(test, 0x2);
	KUNIT_EXPECT_EQ(test, kprobe_set_args_only(&probes[1], false), 0);
	KUNIT_EXPECT_EQ(test, (int)state_of(1), PLACE_FTRACE);
	check_hits(test, 0x2);
	unregister_kprobe(&probes[1]);
	check_no_places(test);
}

/*
 * A probe needs all registers, and ftrace has just stopped calling another one at the place with
 * the registers of arguments only.  It waits for hits that have begun, unless these have ended.
 */
static void sets_after_args_only(struct kunit *test)
{
	bool waits, had_to_wait = false;
	unsigned long cookie;
	unsigned int i;

	for (i = 0; i < 20 && !had_to_wait; i++) {
		init_set();
		register_args_only(test, 1);
		probes[2].flags = KPROBE_FLAG_DISABLED;
		KUNIT_EXPECT_EQ(test, register_kprobe(&probes[2]), 0);
		cookie = get_state_synchronize_rcu();
		KUNIT_EXPECT_EQ(test, disable_kprobe(&probes[1]), 0);
		KUNIT_EXPECT_EQ(test, (int)state_of(1), PLACE_DISARMED);

		kprobes_begin_set();
		KUNIT_EXPECT_EQ(test, enable_kprobe(&probes[2]), 0);
		waits = probes[2].flags & KPROBE_FLAG_WAITING;
		had_to_wait = !poll_state_synchronize_rcu(cookie);
		KUNIT_EXPECT_TRUE(test, waits || !had_to_wait);
		KUNIT_EXPECT_EQ(test, kprobes_end_set(0), 0);

		KUNIT_EXPECT_EQ(test, (int)state_of(1), PLACE_FTRACE);
		KUNIT_EXPECT_EQ(test, probes[2].flags & KPROBE_FLAG_WAITING, 0);
		check_hits(test, 0x4);
		unregister_kprobe(&probes[2]);
		unregister_kprobe(&probes[1]);
	}
	check_no_places(test);
	if (!had_to_wait)
		kunit_skip(test, "each grace period ended at once");
}

/* A probe that waits for more registers does not need them any more. */
static void sets_args_only_again(struct kunit *test)
{
	init_set();
	register_args_only(test, 1);
	kprobes_begin_set();
	KUNIT_EXPECT_EQ(test, register_kprobe(&probes[2]), 0);
	KUNIT_EXPECT_EQ(test, probes[2].flags & KPROBE_FLAG_WAITING, KPROBE_FLAG_WAITING);
	kprobe_set_few_regs(&probes[2], kprobe_place_of(place(1)));
	KUNIT_EXPECT_EQ(test, kprobes_end_set(0), 0);
	KUNIT_EXPECT_EQ(test, (int)state_of(1), PLACE_FTRACE_ARGS);
	check_hits(test, 0x6);
	unregister_kprobe(&probes[2]);
	unregister_kprobe(&probes[1]);
	check_no_places(test);
}

/* Call the first function until the thread is stopped. */
static int call_often(void *calls)
{
	while (!kthread_should_stop()) {
		READ_ONCE(targets[0])(1);
		WRITE_ONCE(*(unsigned int *)calls, *(unsigned int *)calls + 1);
		cond_resched_tasks_rcu_qs();
	}
	return 0;
}

static void move_while_hit(struct kunit *test)
{
	struct task_struct *task;
	unsigned int calls = 0;

	hits[0] = 0;
	task = kthread_run(call_often, &calls, "kprobes_sets");
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, task);
	while (!READ_ONCE(calls))
		cond_resched();
	KUNIT_EXPECT_EQ(test, kprobe_set_args_only(&probes[0], false), 0);
	kthread_stop(task);
	KUNIT_EXPECT_EQ(test, hits[0] + probes[0].nmissed, calls);
}

static void watch(struct kunit *test, struct ftrace_ops *watcher)
{
	unsigned long addr = ftrace_location((unsigned long)probes[0].addr);

	KUNIT_ASSERT_EQ(test, ftrace_set_filter_ip(watcher, addr, 0, 1), 0);
	KUNIT_ASSERT_EQ(test, register_ftrace_function(watcher), 0);
}

/* Each hit is counted once while a place moves. */
static void sets_moved_while_hit(struct kunit *test)
{
	struct ftrace_ops *watcher;
	unsigned int i, j;

	for (i = 0; i < ARRAY_SIZE(watchers); i++) {
		watcher = &watchers[i];
		init_set();
		if (watcher->func)
			watch(test, watcher);
		for (j = 0; j < 4; j++) {
			init_set();
			register_args_only(test, 0);
			move_while_hit(test);
			unregister_kprobe(&probes[0]);
		}
		if (watcher->func)
			unregister_ftrace_function(watcher);
		check_no_places(test);
	}
}

/*
 * ftrace refuses to arm a probe with a post_handler, because of another ftrace_ops that may
 * change the instruction pointer.  All probes of the set are already in the table then, and
 * those without a post_handler are armed.
 */
static void sets_arming_refused(struct kunit *test)
{
	static struct target_text text;
	unsigned long addr;

	if (!init_mixed_set())
		kunit_skip(test, "no place inside a function");
	wait_for_kprobe_optimizer();
	/* Some architectures have the call after the first instruction. */
	addr = ftrace_location((unsigned long)probes[4].addr);
	if (!addr || ftrace_set_filter_ip(&other_user, addr, 0, 1))
		kunit_skip(test, "ftrace cannot trace the function");
	if (register_ftrace_function(&other_user))
		kunit_skip(test, "ftrace cannot change the instruction pointer");

	read_text(&text);
	probes[4].post_handler = after_hit;
	KUNIT_EXPECT_EQ(test, register_kprobes(set, NR), -EBUSY);
	check_text(test, &text);
	check_hits(test, 0);
	check_no_places(test);
	KUNIT_EXPECT_EQ(test, probes[0].flags, 0);
	/* The probes before it can be registered. */
	KUNIT_EXPECT_EQ(test, register_kprobes(set, 4), 0);
	check_hits(test, 0xf);
	unregister_kprobes(set, 4);
	check_no_places(test);
	check_text(test, &text);

	probes[4].post_handler = after_hit;
	probes[4].flags = KPROBE_FLAG_DISABLED;
	KUNIT_EXPECT_EQ(test, register_kprobe(&probes[4]), 0);
	refuse_return(test);
	unregister_kprobe(&probes[4]);
	check_no_places(test);
	check_text(test, &text);

	unregister_ftrace_function(&other_user);
	init_set();
	KUNIT_EXPECT_EQ(test, register_kprobes(set, NR), 0);
	check_hits(test, 0x3f);
	unregister_kprobes(set, NR);
	check_no_places(test);
}
#else
static void sets_args_only(struct kunit *test)
{
	kunit_skip(test, "ftrace does not call the probes");
}

static void sets_after_args_only(struct kunit *test)
{
	kunit_skip(test, "ftrace does not call the probes");
}

static void sets_args_only_again(struct kunit *test)
{
	kunit_skip(test, "ftrace does not call the probes");
}

static void sets_moved_while_hit(struct kunit *test)
{
	kunit_skip(test, "ftrace does not call the probes");
}

static void sets_arming_refused(struct kunit *test)
{
	kunit_skip(test, "ftrace does not call the probes");
}
#endif

static bool is_probed(unsigned long addr, const struct module *mod)
{
	unsigned int i;

	for (i = 0; i < NR; i++)
		if (addr == (unsigned long)probes[i].addr)
			return true;
	return false;
}

static void check_forgotten(struct kunit *test, const struct target_text *text)
{
	unsigned int i;

	mutex_lock(&kprobe_mutex);
	kprobes_forget_text(is_probed, NULL);
	mutex_unlock(&kprobe_mutex);
	check_text(test, text);
	check_hits(test, 0);
	for (i = 0; i < NR; i++) {
		KUNIT_EXPECT_TRUE(test, kprobe_gone(&probes[i]));
		KUNIT_EXPECT_EQ(test, enable_kprobe(&probes[i]), -EINVAL);
	}
	unregister_kprobes(set, NR);
	check_no_places(test);
	check_text(test, text);
}

/*
 * Text that is about to be freed can still be executed.  The places in it have breakpoints,
 * then jumps, and then jumps that the optimizer will remove.
 */
static void sets_text_freed(struct kunit *test)
{
	static struct target_text text;
	unsigned int i;

	for (i = 0; i < 3; i++) {
		if (!init_mixed_set())
			kunit_skip(test, "no place inside a function");
		wait_for_kprobe_optimizer();
		read_text(&text);
		KUNIT_ASSERT_EQ(test, register_kprobes(set, NR), 0);
		if (i)
			wait_for_kprobe_optimizer();
		check_hits(test, 0x3f);
		if (i == 2)
			KUNIT_EXPECT_EQ(test, disable_set(set, NR), NR);
		check_forgotten(test, &text);
	}
}

static struct kunit_case sets_cases[] = {
	KUNIT_CASE(sets_all),
	KUNIT_CASE(sets_inside),
	KUNIT_CASE(sets_refused),
	KUNIT_CASE(sets_refused_within),
	KUNIT_CASE_SLOW(sets_refused_late),
	KUNIT_CASE(sets_not_registered),
	KUNIT_CASE(sets_not_armed),
	KUNIT_CASE(sets_post_handler),
	KUNIT_CASE(sets_not_args_only),
	KUNIT_CASE(sets_args_only),
	KUNIT_CASE(sets_after_args_only),
	KUNIT_CASE(sets_args_only_again),
	KUNIT_CASE_SLOW(sets_moved_while_hit),
	KUNIT_CASE(sets_returns),
	KUNIT_CASE(sets_arming_refused),
	KUNIT_CASE_SLOW(sets_text_freed),
	{ }
};

static struct kunit_suite sets_suite = {
	.name = "kprobes_sets",
	.test_cases = sets_cases,
};
kunit_test_suite(sets_suite);
