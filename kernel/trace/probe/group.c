// SPDX-License-Identifier: GPL-2.0
/*
 * Groups of events.  The events of a group share a struct trace_event_class, which has the
 * name of the group.
 */
#include <linux/cleanup.h>
#include <linux/hashtable.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/stringhash.h>

#include "engine.h"

/**
 * struct probe_group - a group of events
 * @node: entry in @groups
 * @class: the class of its events
 * @nr_events: number of its events
 * @name: its name
 */
struct probe_group {
	struct hlist_node		node;
	struct trace_event_class	class;
	unsigned int			nr_events;
	char				name[];
};

/* perf's own events are not protected by event_mutex. */
static DEFINE_MUTEX(groups_mutex);
static DEFINE_HASHTABLE(groups, 6);

static struct probe_group *find(const char *name, unsigned int hash)
{
	struct probe_group *group;

	hash_for_each_possible(groups, group, node, hash)
		if (!strcmp(group->name, name))
			return group;
	return NULL;
}

static struct probe_group *create(const char *name, unsigned int hash,
				  const struct trace_event_class *class)
{
	size_t len = strlen(name);
	struct probe_group *group = kzalloc(struct_size(group, name, len + 1), GFP_KERNEL);

	if (!group)
		return NULL;
	memcpy(group->name, name, len);
	group->class = *class;
	group->class.system = group->name;
	hash_add(groups, &group->node, hash);
	return group;
}

/**
 * probe_group_get() - add an event to a group
 * @name: name of the group
 * @class: the other members of its class, the same for all groups
 *
 * Context: may sleep.
 * Return: the class of the group, until probe_group_put(); NULL if out of memory.
 */
struct trace_event_class *probe_group_get(const char *name,
					  const struct trace_event_class *class)
{
	unsigned int hash = full_name_hash(NULL, name, strlen(name));
	struct probe_group *group;

	guard(mutex)(&groups_mutex);
	group = find(name, hash) ?: create(name, hash, class);
	if (!group)
		return NULL;
	group->nr_events++;
	return &group->class;
}

/**
 * probe_group_put() - remove an event from its group
 * @class: from probe_group_get(), or NULL
 *
 * Context: may sleep.
 */
void probe_group_put(struct trace_event_class *class)
{
	struct probe_group *group;

	if (!class)
		return;
	group = container_of(class, struct probe_group, class);
	guard(mutex)(&groups_mutex);
	if (--group->nr_events)
		return;
	hash_del(&group->node);
	kfree(group);
}
