// SPDX-License-Identifier: GPL-2.0
/*
 * Kernel probes: probes in text that is freed.
 *
 * Such a probe is gone.  It stays registered, and its slots are freed.  No CPU executes the
 * text any more, so the kprobe core does not write to it: a breakpoint or jump stays there
 * until the text is freed.
 */
#include <linux/cleanup.h>
#include <linux/init.h>
#include <linux/kprobes.h>
#include <linux/limits.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/notifier.h>
#include <linux/rculist.h>

#include <asm/sections.h>

#include "kprobes.h"

static void set_gone(struct kprobe_place *place)
{
	struct kprobe *p;

	kprobe_cancel_jump(place);
	kprobe_place_set_state(place, PLACE_GONE);
	list_for_each_entry(p, &place->kp.list, list)
		p->flags |= KPROBE_FLAG_GONE;
	place->kp.post_handler = NULL;
	kprobe_place_update(place);
	/* The jump is gone, so the optimizer will not retire the place. */
	if (kprobe_place_is_empty(place))
		kprobe_place_retire(place);
	else
		kprobe_place_free_insns(place);
}

typedef bool (*text_filter)(unsigned long addr, const struct module *mod);

/* Stop ftrace's calls to all probes in the text together, while ftrace can still change it. */
static void stop_calls(text_filter is_in, const struct module *mod)
{
	struct kprobe_place *place;
	struct hlist_node *next;
	LLIST_HEAD(places);
	unsigned int i;

	for_each_kprobe_place(place, next, i)
		if (kprobe_place_is_ftrace_armed(place) &&
		    is_in((unsigned long)place->kp.addr, mod))
			kprobe_list_add(&places, place);
	kprobes_disarm_ftrace(&places);
}

static void mark_text_gone(text_filter is_in, const struct module *mod)
{
	struct kprobe_place *place;
	struct hlist_node *next;
	unsigned int i;

	lockdep_assert_held(&kprobe_mutex);
	stop_calls(is_in, mod);
	for_each_kprobe_place(place, next, i)
		if (is_in((unsigned long)place->kp.addr, mod) && place->state != PLACE_GONE)
			set_gone(place);
}

static bool is_in_init_text(unsigned long addr, const struct module *mod)
{
	return addr >= (unsigned long)__init_begin && addr < (unsigned long)__init_end;
}

/**
 * kprobe_free_init_mem() - mark the probes in the kernel's init text as gone
 *
 * Context: boot, process context; takes kprobe_mutex.
 */
void kprobe_free_init_mem(void)
{
	guard(mutex)(&kprobe_mutex);
	mark_text_gone(is_in_init_text, NULL);
}

#ifdef CONFIG_MODULES
static bool is_in_module_init(unsigned long addr, const struct module *mod)
{
	return within_module_init(addr, mod);
}

static bool is_in_module(unsigned long addr, const struct module *mod)
{
	return within_module(addr, mod);
}

static void forget_module(struct module *mod)
{
	mark_text_gone(is_in_module, mod);
	kprobe_blacklist_remove_module(mod, false);
}

static int module_coming(struct notifier_block *nb, unsigned long state, void *data)
{
	struct module *mod = data;

	guard(mutex)(&kprobe_mutex);
	if (state == MODULE_STATE_COMING)
		kprobe_blacklist_add_module(mod);
	/* If a notifier fails, only notifiers that ran before it get MODULE_STATE_GOING. */
	else if (state == MODULE_STATE_GOING && mod->state == MODULE_STATE_COMING)
		forget_module(mod);
	return NOTIFY_DONE;
}

static int module_going(struct notifier_block *nb, unsigned long state, void *data)
{
	struct module *mod = data;

	guard(mutex)(&kprobe_mutex);
	if (state == MODULE_STATE_LIVE) {
		mark_text_gone(is_in_module_init, mod);
		kprobe_blacklist_remove_module(mod, true);
	} else if (state == MODULE_STATE_GOING) {
		forget_module(mod);
	}
	return NOTIFY_DONE;
}

/* Run before the notifiers that register probes, which need the blacklist of the module. */
static struct notifier_block coming_nb = {
	.notifier_call	= module_coming,
	.priority	= INT_MAX,
};

/*
 * Run after the notifiers that call functions of the module, which can hit probes.  The
 * notifiers of trace events and tracepoints call regfunc() and unregfunc() of the module's
 * tracepoints.  The notifier of KUnit runs tests in init text.
 */
static struct notifier_block going_nb = {
	.notifier_call	= module_going,
	.priority	= INT_MIN,
};

/* Context: boot.  Return: 0 or a negative errno. */
int __init kprobe_init_unload(void)
{
	return register_module_notifier(&coming_nb) ?: register_module_notifier(&going_nb);
}
#else
int __init kprobe_init_unload(void)
{
	return 0;
}
#endif
