// SPDX-License-Identifier: GPL-2.0
/*
 * Kernel probes: add and remove probes.
 *
 * Registration checks the address, lets the architecture prepare the instruction if the
 * place is new, and adds the probe to the place.  The end of the set arms the place.
 */
#include <linux/bug.h>
#include <linux/compiler.h>
#include <linux/cpu.h>
#include <linux/err.h>
#include <linux/export.h>
#include <linux/jump_label.h>
#include <linux/kprobes.h>
#include <linux/memory.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/sched.h>

#include "kprobes.h"

/* Find the place of a probe, or create it, and prepare it for the probe. */
static struct kprobe_place *get_place(struct kprobe *p)
{
	struct kprobe_place *place = kprobe_place_at(p->addr);
	enum kprobe_refusal why;
	int ret;

	if (!place)
		return kprobe_place_new(p);
	/* A place without probes is not retired while it is in the set. */
	kprobe_set_touch(place);
	if (place->state == PLACE_GONE) {
		ret = kprobe_place_revive(place, p);
		if (ret)
			return ERR_PTR(ret);
	}
	if (!p->post_handler || kprobe_ftrace(&place->kp))
		return place;
	/* The instruction was accepted for probes without one. */
	why = arch_kprobe_refusal(p);
	if (why)
		return ERR_PTR(kprobe_refusal_errno(why));
	/* A detour does not call post_handlers. */
	kprobe_unoptimize(place);
	return place;
}

static struct kprobe_place *prepare_place(struct kprobe *p)
{
	struct kprobe_place *place;

	cpus_read_lock();
	jump_label_lock();
	mutex_lock(&text_mutex);
	place = get_place(p);
	mutex_unlock(&text_mutex);
	jump_label_unlock();
	cpus_read_unlock();
	return place;
}

/* Add a probe, whose address is known, to the open set. */
static int add_at_place(struct kprobe *p, bool enable)
{
	struct kprobe_place *place;
	enum kprobe_refusal why;
	struct module *mod;

	why = kprobe_check_place(p, &mod);
	if (why)
		return kprobe_refusal_errno(why);
	place = prepare_place(p);
	/*
	 * kprobe_mutex is held until the place is armed, and the notifier of a module that is
	 * unloaded waits for it before the text is freed.
	 */
	module_put(mod);
	if (IS_ERR(place))
		return PTR_ERR(place);
	kprobe_set_add(p, place, enable);
	return 0;
}

static bool is_registered(const struct kprobe *p, kprobe_opcode_t *addr)
{
	return kprobe_place_with(p, p->addr) || kprobe_place_with(p, addr);
}

static u32 direct_flags(const struct kprobe *p)
{
#ifdef CONFIG_KRETPROBES
	if (p->pre_handler == kretprobe_pre_handler)
		return kretprobe_is_direct(container_of(p, struct kretprobe, kp)) ?
		       KPROBE_FLAG_DIRECT_RETURN : 0;
#endif
	return kprobe_is_direct(p) ? KPROBE_FLAG_DIRECT : 0;
}

/* The flags of a probe that is about to be registered at @p->addr. */
static u32 initial_flags(const struct kprobe *p, bool on_func_entry)
{
	u32 flags = KPROBE_FLAG_DISABLED | direct_flags(p);

	/* A post_handler and other handlers may read any register. */
	if (flags != KPROBE_FLAG_DISABLED && !p->post_handler)
		flags |= p->flags & KPROBE_FLAG_ARGS_ONLY;
	if (on_func_entry)
		flags |= KPROBE_FLAG_ON_FUNC_ENTRY;
#ifdef CONFIG_KRETPROBES
	if (p->pre_handler == kretprobe_pre_handler)
		flags |= KPROBE_FLAG_RETURN;
#endif
	return flags;
}

static int add(struct kprobe *p)
{
	bool on_func_entry, enable = !(p->flags & KPROBE_FLAG_DISABLED);
	kprobe_opcode_t *addr;
	int ret;

	addr = kprobe_resolve(p, &on_func_entry);
	if (IS_ERR(addr))
		return PTR_ERR(addr);
	if (WARN_ON_ONCE(is_registered(p, addr))) {
		/* The user may have cleared the address, without which it cannot be found. */
		if (!p->addr)
			p->addr = addr;
		return -EINVAL;
	}

	p->moved = p->symbol_name ? 0 : (void *)addr - (void *)p->addr - p->offset;
	p->addr = addr;
	p->nmissed = 0;
	p->flags = initial_flags(p, on_func_entry);
	ret = add_at_place(p, enable);
	if (ret) {
		/* Restore the members that the user set: the user may try again. */
		p->addr = kprobe_given_addr(p);
		p->flags = (p->flags & KPROBE_FLAG_ARGS_ONLY) |
			   (enable ? 0 : KPROBE_FLAG_DISABLED);
	}
	return ret;
}

/**
 * register_kprobe() - register a probe
 * @p:	the probe; its place is armed unless it has KPROBE_FLAG_DISABLED
 *
 * Programs that watch kprobes put a probe here: it is called once for each probe, also for
 * those of return probes and of sets.
 *
 * Context: may sleep; takes kprobe_mutex, unless this task has opened a set.
 * Return: 0; -EINVAL if the probe has both a symbol and an address or neither, is registered
 * already, or its place must not be probed; -ENOENT if there is no symbol, or the text is
 * about to be freed; -ENOMEM; or an error of arch_prepare_kprobe() or of ftrace.
 */
noinline int register_kprobe(struct kprobe *p)
{
	bool entered = kprobes_enter_set();

	return kprobes_leave_set(entered, add(p));
}
EXPORT_SYMBOL_GPL(register_kprobe);

/**
 * register_kprobes() - register probes, all or none
 * @kps:	the probes
 * @num:	number of @kps
 *
 * Context: may sleep; takes kprobe_mutex, unless this task has opened a set.
 * Return: 0; -EINVAL if @num is not positive; or the error of the first probe that cannot be
 * registered, as register_kprobe().
 */
int register_kprobes(struct kprobe **kps, int num)
{
	bool entered;
	int i, ret = 0;

	if (num <= 0)
		return -EINVAL;
	entered = kprobes_enter_set();
	for (i = 0; i < num; i++) {
		ret = register_kprobe(kps[i]);
		if (ret)
			break;
		cond_resched();
	}
	/* If this task has opened the set, its end may keep the other probes of the set. */
	if (ret && !entered)
		unregister_kprobes(kps, i);
	return kprobes_leave_set(entered, ret);
}
EXPORT_SYMBOL_GPL(register_kprobes);

/**
 * unregister_kprobes() - unregister probes
 * @kps:	the probes; the address of those that were not registered becomes NULL
 * @num:	number of @kps
 *
 * None of their handlers runs any more when this returns or, if this task has opened a set,
 * when the set ends.
 *
 * Context: may sleep; takes kprobe_mutex, unless this task has opened a set.
 */
void unregister_kprobes(struct kprobe **kps, int num)
{
	bool entered = kprobes_enter_set();
	int i;

	for (i = 0; i < num; i++) {
		if (__unregister_kprobe_top(kps[i]))
			kps[i]->addr = NULL;
		cond_resched();
	}
	kprobes_leave_set(entered, 0);
}
EXPORT_SYMBOL_GPL(unregister_kprobes);

/**
 * unregister_kprobe() - unregister a probe
 * @p:	the probe; its address becomes NULL if it was not registered
 *
 * Context: as unregister_kprobes().
 */
void unregister_kprobe(struct kprobe *p)
{
	unregister_kprobes(&p, 1);
}
EXPORT_SYMBOL_GPL(unregister_kprobe);
