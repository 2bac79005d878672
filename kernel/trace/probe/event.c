// SPDX-License-Identifier: GPL-2.0
/*
 * An event in tracefs and the probes that feed it.
 *
 * All probes of an event record the same fields.  So the event, which can outlive
 * the probe that created it, owns the fields, their texts and their layout.  An
 * event is armed while it has users: trace instances in event->files, or perf and
 * BPF.
 */
#include <linux/bitops.h>
#include <linux/init.h>
#include <linux/minmax.h>
#include <linux/mutex.h>
#include <linux/printk.h>
#include <linux/rculist.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "trace.h"
#include "trace_output.h"

#include "engine.h"
#include "fetch.h"
#include "record.h"
#include "types.h"

/* Protects the list of probes of each event; see probe.h. */
DEFINE_MUTEX(probe_siblings_mutex);

static struct kmem_cache *event_cache;

static struct trace_event_functions probe_event_funcs = {
	.trace	= probe_event_print,
};

static struct trace_event_fields probe_event_fields[] = {
	{ .type = TRACE_FUNCTION_TYPE, .define_fields = probe_event_define_fields },
	{ }
};

static struct probe_file *find_file(struct probe_event *event,
				    struct trace_event_file *file)
{
	struct probe_file *pf;

	list_for_each_entry(pf, &event->files, list)
		if (pf->file == file)
			return pf;
	return NULL;
}

static void set_flag(struct probe_event *event, unsigned int flag, bool on)
{
	unsigned int flags = event->flags;

	/* A hit that sees PROBE_EVENT_PERF uses the event's perf_events: publish them first. */
	smp_store_release(&event->flags, on ? flags | flag : flags & ~flag);
}

static unsigned int nr_perf_events(const struct probe_event *event)
{
#ifdef CONFIG_PERF_EVENTS
	return event->call.perf_refcount;
#else
	return 0;
#endif
}

/*
 * Is the user that starts now, which is counted already, the only one?  An event that perf has
 * closed has the flag of perf for a moment, but no user.
 */
static bool has_one_user(const struct probe_event *event)
{
	if (list_empty(&event->files))
		return nr_perf_events(event) == 1;
	return list_is_singular(&event->files) && !nr_perf_events(event);
}

/* Arm an event for a trace instance, or for perf if @file is NULL. */
static int start(struct probe_event *event, unsigned int flag, struct trace_event_file *file)
{
	bool was_enabled = probe_event_enabled(event), was_on = event->flags & flag;
	int ret = 0;

	probe_limits_start(event->limits, has_one_user(event));
	set_flag(event, flag, true);
	if (event->ops->arm_for)
		ret = event->ops->arm_for(event, file);
	else if (!was_enabled)
		ret = event->ops->arm(event);
	if (ret) {
		set_flag(event, flag, was_on);
		/* A hit may still use perf's lists, which perf frees after the error. */
		synchronize_rcu();
	}
	return ret;
}

/* A user has stopped.  @last: the flag has no other user. */
static void stop(struct probe_event *event, unsigned int flag, struct trace_event_file *file,
		 bool last)
{
	if (last)
		set_flag(event, flag, false);
	if (event->ops->disarm_for)
		event->ops->disarm_for(event, file);
	else if (!probe_event_enabled(event))
		event->ops->disarm(event);
}

/* Update event->file after a change of event->files, event->nr_copied or event->nr_checked. */
static void set_only_file(struct probe_event *event)
{
	struct trace_event_file *file = NULL;

	if (list_is_singular(&event->files) && !event->nr_copied && !event->nr_checked)
		file = list_first_entry(&event->files, struct probe_file, list)->file;
	/* A hit that sees the file also sees its contents. */
	smp_store_release(&event->file, file);
}

static const struct event_filter *only_filter(const struct probe_event *event)
{
	const struct trace_event_file *file;

	if (!list_is_singular(&event->files))
		return NULL;
	file = list_first_entry(&event->files, struct probe_file, list)->file;
	return file->flags & EVENT_FILE_FL_FILTERED ? rcu_access_pointer(file->filter) : NULL;
}

/**
 * probe_event_compile_filter() - let the filter of an event decide about hits of its probes
 * @event: the event, whose files, filters or probes have changed
 *
 * If exactly one trace instance records the event, and has a filter, the filter is compiled for
 * each probe of the event.
 *
 * Context: may sleep; event_mutex is held.
 */
void probe_event_compile_filter(struct probe_event *event)
{
	const struct event_filter *filter = only_filter(event);
	struct probe *p;

	list_for_each_entry(p, &event->probes, siblings)
		probe_filter_set(p, filter);
}

/* The event's ->filter_changed().  If @file is not in use, this changes nothing. */
static void filter_changed(struct trace_event_file *file)
{
	probe_event_compile_filter(probe_event_of(file->event_call));
}

/* An in-flight hit can still use @pf and its file. */
static void forget_file(struct probe_event *event, struct probe_file *pf)
{
	list_del_rcu(&pf->list);
	set_only_file(event);
	probe_event_compile_filter(event);
	kfree_rcu(pf, rcu);
	event->file_gp = get_state_synchronize_rcu();
}

static int trace_start(struct probe_event *event, struct trace_event_file *file)
{
	struct probe_file *pf;
	int ret;

	pf = kzalloc(sizeof(*pf), GFP_KERNEL);
	if (!pf)
		return -ENOMEM;
	pf->file = file;
	pf->was_enabled = file->flags & EVENT_FILE_FL_WAS_ENABLED;
	list_add_tail_rcu(&pf->list, &event->files);
	set_only_file(event);

	ret = start(event, PROBE_EVENT_TRACE, file);
	if (ret)
		forget_file(event, pf);
	else
		probe_event_compile_filter(event);
	return ret;
}

static int trace_stop(struct probe_event *event, struct trace_event_file *file)
{
	struct probe_file *pf = find_file(event, file);

	if (!pf)
		return -ENOENT;
	forget_file(event, pf);
	stop(event, PROBE_EVENT_TRACE, file, list_empty(&event->files));
	/* Until now, a hit could find the file. */
	event->file_gp = get_state_synchronize_rcu();
	return 0;
}

/* The event's ->reg(): add or remove a user. */
static int probe_event_reg(struct trace_event_call *call, enum trace_reg type,
			   void *data)
{
	struct probe_event *event = probe_event_of(call);

	switch (type) {
	case TRACE_REG_REGISTER:
		return trace_start(event, data);
	case TRACE_REG_UNREGISTER:
		return trace_stop(event, data);
#ifdef CONFIG_PERF_EVENTS
	case TRACE_REG_PERF_REGISTER:
		return start(event, PROBE_EVENT_PERF, NULL);
	case TRACE_REG_PERF_UNREGISTER:
		stop(event, PROBE_EVENT_PERF, NULL, true);
		return 0;
	case TRACE_REG_PERF_OPEN:
		/* If perf closed the event just now, it did not register it again. */
		probe_limits_start(event->limits, has_one_user(event));
		return event->ops->perf_open ? event->ops->perf_open(event, data) : 0;
	case TRACE_REG_PERF_CLOSE:
		if (event->ops->perf_close)
			event->ops->perf_close(event, data);
		return 0;
	default:
		/* Nothing to do for add and del of a perf event. */
		return 0;
#endif
	}
	return 0;
}

static const char *declare(struct probe_arena *arena,
			   const struct probe_arg_type *type, unsigned int count)
{
	if (!count)
		return type->field;
	return probe_arena_printf(arena, "%s[%u]", type->field, count);
}

static int copy_fields(struct probe_event *event, const struct probe *p)
{
	struct probe_arena *arena = event->arena;
	unsigned int i;

	event->nr_fields = p->nr_args;
	if (!p->nr_args)
		return 0;
	event->fields = probe_arena_alloc(arena, array_size(p->nr_args,
							    sizeof(*event->fields)));
	if (!event->fields)
		return -ENOMEM;

	for (i = 0; i < p->nr_args; i++) {
		struct probe_field *f = &event->fields[i];
		const struct probe_arg_def *arg = &p->args[i];

		f->type = arg->type;
		f->count = p->fetch[i].count;
		f->dst = p->fetch[i].dst;
		f->fault = p->fetch[i].fault;
		f->name = probe_arena_strndup(arena, arg->name, strlen(arg->name));
		f->decl = declare(arena, f->type, f->count);
		if (arg->view)
			f->view = probe_view_copy(arena, arg->view);
		if (!f->name || !f->decl || (arg->view && !f->view))
			return -ENOMEM;
	}
	return 0;
}

static unsigned int head_size(const struct probe_event_ops *ops)
{
	return sizeof(struct trace_entry) + ops->nr_head * sizeof(long);
}

static void probe_event_free(struct probe_event *event)
{
	probe_group_put(event->call.class);
	probe_limits_free(event->limits);
	probe_arena_free(event->arena);
	kmem_cache_free(event_cache, event);
}

/* Are the records of @p made in other memory, and then copied to the buffer? */
static bool is_copied(const struct probe *p)
{
	return p->layout.dynamic || p->predicate;
}

/* Count @p, or stop counting it: @delta is 1 or -1. */
static void count_probe(struct probe_event *event, const struct probe *p, int delta)
{
	if (is_copied(p))
		event->nr_copied += delta;
	if (!p->checks)
		return;
	event->nr_checked += delta;
	set_flag(event, PROBE_EVENT_CHECK, event->nr_checked);
}

/*
 * Lay out the records of @p.  If they are copied, count @p and, for a probe in the kernel,
 * allocate scratch records.
 */
static int lay_out(struct probe_event *event, struct probe *p)
{
	int ret;

	ret = probe_layout_set(&p->layout, head_size(event->ops), p->fetch, p->nr_args);
	if (!ret && is_copied(p) && !p->in_user)
		ret = probe_scratch_get();
	if (!ret)
		count_probe(event, p, 1);
	return ret;
}

/* Size of an event's arena in bytes, if all arguments are numbers and none is an array. */
static size_t arena_size(const char *name, const struct probe_event_ops *ops,
			 const struct probe *p)
{
	size_t size = strlen(name) + 1 + ops->data_size;
	unsigned int i;

	/* print fmt has "(%lx)" and a name, or "(%lx <- %lx)" and two names. */
	size += 30 * ops->nr_head - 4;
	/* The name of an argument is copied, and print fmt has " NAME=0x%Lx" and ", REC->NAME". */
	for (i = 0; i < p->nr_args; i++)
		size += sizeof(struct probe_field) + 3 * strlen(p->args[i].name) + 15;
	return size;
}

static struct list_head *fields_of(struct trace_event_call *call)
{
	return &probe_event_of(call)->defined;
}

static const struct trace_event_class probe_event_class = {
	.reg		= probe_event_reg,
	.fields_array	= probe_event_fields,
	.get_fields	= fields_of,
	.filter_changed	= filter_changed,
};

/**
 * probe_event_new() - create an event for a probe
 * @p: its first probe, with all arguments resolved
 * @group: its group ("system" in struct trace_event_class)
 * @name: its name
 * @ops: the provider's constants
 *
 * The event is not visible yet: see probe_event_register().
 *
 * Context: may sleep.
 * Return: the event, to which @p now belongs, or an ERR_PTR().
 */
struct probe_event *probe_event_new(struct probe *p, const char *group,
				    const char *name,
				    const struct probe_event_ops *ops)
{
	struct probe_event *event;
	int ret = -ENOMEM;

	event = kmem_cache_zalloc(event_cache, GFP_KERNEL);
	if (!event)
		return ERR_PTR(-ENOMEM);

	INIT_LIST_HEAD(&event->files);
	INIT_LIST_HEAD(&event->probes);
	INIT_LIST_HEAD(&event->defined);
	event->file_gp = get_completed_synchronize_rcu();
	event->ops = ops;
	event->nr_head = ops->nr_head;
	event->arena = probe_arena_new(arena_size(name, ops, p));
	if (!event->arena)
		goto fail;

	if (ops->data_size) {
		ret = -ENOMEM;
		event->call.data = probe_arena_alloc(event->arena, ops->data_size);
		if (!event->call.data)
			goto fail;
		ops->init_data(event->call.data);
	}
	ret = lay_out(event, p);
	if (ret)
		goto fail;
	event->layout = p->layout;
	ret = copy_fields(event, p);
	if (ret)
		goto fail;

	ret = -ENOMEM;
	event->call.class = probe_group_get(group, &probe_event_class);
	event->call.name = probe_arena_strndup(event->arena, name, strlen(name));
	if (!event->call.class || !event->call.name)
		goto fail;

	event->call.event.funcs = &probe_event_funcs;
	event->call.flags = ops->flag;
	ret = probe_event_set_print_fmt(event);
	if (ret)
		goto fail;

	list_add_tail(&p->siblings, &event->probes);
	p->event = event;
	event->nr_probes = 1;
	return event;

fail:
	probe_event_free(event);
	return ERR_PTR(ret);
}

/**
 * probe_event_limit() - set the limits of a new event
 * @event: the event, not registered
 * @options: the options of the command for its first probe
 * @spent: as for probe_limits_new()
 *
 * Context: may sleep.
 * Return: 0 or -ENOMEM.
 */
int probe_event_limit(struct probe_event *event, const struct probe_options *options,
		      void (*spent)(void))
{
	struct probe_limits *limits = probe_limits_new(options, spent);

	if (IS_ERR(limits))
		return PTR_ERR(limits);
	event->limits = limits;
	return 0;
}

/**
 * probe_event_keep_text() - copy a text that must live as long as an event
 * @event: the event
 * @text: a text of one of its probes
 *
 * A caller that holds only the event may still read the text after the probe
 * has left the event.
 *
 * Context: may sleep; probe_siblings_mutex is held.
 * Return: a copy, or the copy made by the last call if its text was the same; NULL
 * if out of memory.
 */
const char *probe_event_keep_text(struct probe_event *event, const char *text)
{
	lockdep_assert_held(&probe_siblings_mutex);

	if (!event->kept_text || strcmp(event->kept_text, text))
		event->kept_text = probe_arena_strndup(event->arena, text, strlen(text));
	return event->kept_text;
}

/**
 * probe_event_find() - find a probe event by its name
 * @group: its group
 * @name: its name
 *
 * Context: event_mutex is held.
 * Return: the event, of any provider, or NULL.
 */
struct probe_event *probe_event_find(const char *group, const char *name)
{
	struct trace_event_call *call = trace_find_event_call(group, name);

	return call ? probe_event_from(call) : NULL;
}

/**
 * probe_event_from() - the engine's part of an event
 * @call: any event
 *
 * Context: any.
 * Return: the event, or NULL if the event is not one of the engine.
 */
struct probe_event *probe_event_from(struct trace_event_call *call)
{
	return call->event.funcs == &probe_event_funcs ? probe_event_of(call) : NULL;
}

/**
 * probe_event_register() - make an event visible in tracefs and to perf
 * @event: the event
 *
 * Context: may sleep; event_mutex is held.
 * Return: 0; -EEXIST when group and name are in use; -ENODEV when there is no
 * event number left; or the error of trace_add_event_call().
 */
int probe_event_register(struct probe_event *event)
{
	int ret;

	lockdep_assert_held(&event_mutex);

	if (trace_find_event_call(probe_event_group(event), probe_event_name(event)))
		return -EEXIST;
	if (!register_trace_event(&event->call.event))
		return -ENODEV;

	ret = trace_add_event_call(&event->call);
	if (ret)
		unregister_trace_event(&event->call.event);
	return ret;
}

/**
 * probe_event_disable() - disable an event in all trace instances
 * @event: the event
 *
 * If triggers use the event, it stays in soft mode, and so in use, until they are removed.
 *
 * Context: may sleep; event_mutex is held.
 */
void probe_event_disable(struct probe_event *event)
{
	struct probe_file *pf, *next;

	lockdep_assert_held(&event_mutex);
	list_for_each_entry_safe(pf, next, &event->files, list)
		trace_event_enable_disable(pf->file, 0, 0);
}

/**
 * probe_event_disable_unarmed() - disable an event that its provider could not arm
 * @event: the event
 *
 * A provider whose ->arm() returns before the probes are armed calls this if it cannot
 * arm them later. The event is disabled in each trace instance, with a line in the kernel
 * log, as if ->arm() had failed. Deletion of the event then does not clear the trace,
 * unless the event was enabled before or has other probes, which may have recorded
 * something.
 *
 * Context: may sleep; event_mutex is held.
 */
void probe_event_disable_unarmed(struct probe_event *event)
{
	struct probe_file *pf, *next;

	lockdep_assert_held(&event_mutex);
	list_for_each_entry_safe(pf, next, &event->files, list) {
		struct trace_event_file *file = pf->file;
		bool was_enabled = pf->was_enabled, is_soft;

		/* In soft mode, the event would stay enabled. */
		is_soft = test_and_clear_bit(EVENT_FILE_FL_SOFT_MODE_BIT, &file->flags);
		trace_event_enable_disable(file, 0, 0);
		if (is_soft) {
			set_bit(EVENT_FILE_FL_SOFT_DISABLED_BIT, &file->flags);
			set_bit(EVENT_FILE_FL_SOFT_MODE_BIT, &file->flags);
		}
		if (!was_enabled && list_is_singular(&event->probes))
			clear_bit(EVENT_FILE_FL_WAS_ENABLED_BIT, &file->flags);
		pr_info("event trace: Could not enable event %s\n", probe_event_name(event));
	}
}

/**
 * probe_event_unregister() - remove an event from tracefs
 * @event: the event
 *
 * Frees the event's files, and their filters, in all trace instances. A hit that
 * began before the event was disabled may still use a file or filter, so this
 * function waits for such hits. It does not wait if a grace period has passed since
 * the event was disabled, so the removal of many events costs at most one grace period.
 *
 * perf's data is freed after a grace period of its own.
 *
 * Context: may sleep; event_mutex is held.
 * Return: 0, or -EBUSY when a trace instance, perf, a BPF program or a hist
 * trigger uses the event; then nothing has changed.
 */
int probe_event_unregister(struct probe_event *event)
{
	lockdep_assert_held(&event_mutex);

	if (probe_event_enabled(event) || trace_event_dyn_busy(&event->call))
		return -EBUSY;
	cond_synchronize_rcu(event->file_gp);
	return trace_remove_event_call(&event->call) ? -EBUSY : 0;
}

/**
 * probe_event_differs() - compare the fields of a probe with those of an event
 * @event: the event
 * @p: the probe
 *
 * Return: 0 when names, types and order of the arguments agree. If the numbers of
 * arguments differ, the smaller number plus 1; otherwise the number, from 1, of the
 * first argument that differs.
 */
unsigned int probe_event_differs(const struct probe_event *event,
				 const struct probe *p)
{
	unsigned int i;

	if (p->nr_args != event->nr_fields)
		return min(p->nr_args, event->nr_fields) + 1;
	for (i = 0; i < p->nr_args; i++)
		if (p->args[i].type != event->fields[i].type ||
		    !probe_view_same(p->args[i].view, event->fields[i].view) ||
		    p->fetch[i].count != event->fields[i].count ||
		    strcmp(p->args[i].name, event->fields[i].name))
			return i + 1;
	return 0;
}

/**
 * probe_event_join() - add another probe to an event
 * @event: the event
 * @p: the probe; probe_event_differs() has found no difference
 *
 * Context: event_mutex is held.
 * Return: 0 or a negative errno.
 */
int probe_event_join(struct probe_event *event, struct probe *p)
{
	int ret;

	lockdep_assert_held(&event_mutex);

	/* The arguments of @p get the same offsets as those of other probes. */
	ret = lay_out(event, p);
	if (ret)
		return ret;
	set_only_file(event);
	p->event = event;
	event->nr_probes++;
	guard(mutex)(&probe_siblings_mutex);
	list_add_tail(&p->siblings, &event->probes);
	return 0;
}

/**
 * probe_event_unlink() - remove a probe from its event's list
 * @p: the probe
 *
 * Hits of the probe may still use the event until probe_event_put().
 * The event must be unregistered first if @p is its last probe.
 *
 * Context: may sleep; event_mutex is held if the event was registered.
 */
void probe_event_unlink(struct probe *p)
{
	probe_filter_set(p, NULL);
	guard(mutex)(&probe_siblings_mutex);
	list_del(&p->siblings);
}

/**
 * probe_event_put() - release a probe's reference to its event
 * @p: the probe, after probe_event_unlink(); it cannot be hit any more
 *
 * Frees the event if @p was its last probe.
 *
 * Context: may sleep; event_mutex is held if the event was registered.
 */
void probe_event_put(struct probe *p)
{
	struct probe_event *event = p->event;

	p->event = NULL;
	if (!--event->nr_probes) {
		probe_event_free(event);
		return;
	}
	count_probe(event, p, -1);
	set_only_file(event);
}

/**
 * probe_event_leave() - remove a probe from its event
 * @p: the probe, which cannot be hit
 *
 * Calls probe_event_unlink() and then probe_event_put().
 *
 * Context: may sleep; event_mutex is held if the event was registered.
 */
void probe_event_leave(struct probe *p)
{
	probe_event_unlink(p);
	probe_event_put(p);
}

/* Bootconfig defines events at core_initcall_sync, so the cache must exist by then. */
static int __init create_event_cache(void)
{
	/* kmalloc() would round up the size. */
	event_cache = KMEM_CACHE(probe_event, SLAB_PANIC);
	return 0;
}
core_initcall(create_event_cache);
