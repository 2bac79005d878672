// SPDX-License-Identifier: GPL-2.0
/*
 * Kernel probes: probes in text that is freed.
 *
 * Such a probe is gone.  It stays registered, and its slots are freed.  The text may still be
 * executed before it is freed: by functions that free init text and are themselves init text,
 * by asynchronous functions of a module, and by the functions of a module's parameters.  So
 * the place is disarmed before it is gone.  It can still be written then.
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

/* Its place is still in use: hits call no handler, but execute the instruction. */
static void set_probes_gone(struct kprobe_place *place)
{
	struct kprobe *p;

	list_for_each_entry(p, &place->kp.list, list)
		p->flags |= KPROBE_FLAG_GONE;
	kprobe_place_update(place);
}

static void set_gone(struct kprobe_place *place)
{
	kprobe_place_set_state(place, PLACE_GONE);
	place->kp.post_handler = NULL;
	/* It was disarmed, so nothing else will retire it. */
	if (kprobe_place_is_empty(place))
		kprobe_place_retire(place);
	else
		kprobe_place_free_insns(place);
}

/**
 * kprobes_forget_text() - disarm the places in text that is freed, and mark them as gone
 * @is_in:	whether an address is in the text
 * @mod:	passed to @is_in
 *
 * Context: process context; kprobe_mutex held; the text can still be written.
 */
void kprobes_forget_text(bool (*is_in)(unsigned long addr, const struct module *mod),
			 const struct module *mod)
{
	struct kprobe_place *place;
	struct hlist_node *next;
	LLIST_HEAD(armed);
	unsigned int i;

	lockdep_assert_held(&kprobe_mutex);
	for_each_kprobe_place(place, next, i) {
		if (!is_in((unsigned long)place->kp.addr, mod))
			continue;
		set_probes_gone(place);
		if (kprobe_place_is_armed(place))
			kprobe_list_add(&armed, place);
	}
	kprobes_disarm_now(&armed);
	for_each_kprobe_place(place, next, i)
		if (is_in((unsigned long)place->kp.addr, mod) && place->state != PLACE_GONE)
			set_gone(place);
}

static bool is_in_init_text(unsigned long addr, const struct module *mod)
{
	return init_section_contains((void *)addr, 1);
}

/**
 * kprobe_free_init_mem() - mark the probes in the kernel's init text as gone
 *
 * From now on, probes there are refused.
 *
 * Context: boot, process context; takes kprobe_mutex.  core_kernel_text() must still be true
 * for init text, because the architecture may need that to write to it.
 */
void kprobe_free_init_mem(void)
{
	guard(mutex)(&kprobe_mutex);
	kprobe_init_text_gone = true;
	kprobes_forget_text(is_in_init_text, NULL);
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
	kprobes_forget_text(is_in_module, mod);
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
		kprobes_forget_text(is_in_module_init, mod);
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
