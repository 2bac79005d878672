// SPDX-License-Identifier: GPL-2.0
/*
 * Definition of a probe: from the words of a command to a registered probe.
 *
 * probe_define() runs the stages in stages[], one after the other.  Their order
 * decides which of several errors of a command is reported.  If a stage fails, the probe
 * is freed.  @cmd then has the error for error_log, except after -ENOMEM.
 */
#include <linux/cleanup.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/mutex.h>
#include <linux/string.h>

#include "trace.h"

#include "btf.h"
#include "engine.h"
#include "expr.h"

/**
 * struct definition - state between the stages
 * @provider: the provider of the probe
 * @cmd: the command
 * @p: the probe; NULL before the first stage
 * @scope: names that its arguments can refer to
 * @group: group of its event
 * @event: name of its event
 */
struct definition {
	struct probe_provider	*provider;
	struct probe_cmd		*cmd;
	struct probe			*p;
	struct probe_scope		scope;
	char				group[PROBE_MAX_NAME];
	char				event[PROBE_MAX_NAME];
};

/* Look up the place. */
static int create_probe(struct definition *d)
{
	struct probe *p = d->provider->create(d->cmd);

	if (IS_ERR(p))
		return PTR_ERR(p);
	dyn_event_init(&p->devent, &d->provider->dyn);
	d->p = p;
	return 0;
}

static int find_scope(struct definition *d)
{
	return d->provider->set_scope(d->p, d->cmd, &d->scope);
}

static void copy_name(char *buf, struct probe_str s)
{
	memcpy(buf, s.s, s.len);
	buf[s.len] = '\0';
}

static int name_event(struct definition *d)
{
	struct probe_cmd *cmd = d->cmd;
	int ret;

	ret = probe_parse_event_name(cmd);
	if (ret)
		return ret;

	if (cmd->group.s)
		copy_name(d->group, cmd->group);
	else
		strscpy(d->group, d->provider->group(d->p));
	if (cmd->event.s) {
		copy_name(d->event, cmd->event);
	} else {
		d->provider->default_event_name(d->p, d->event, sizeof(d->event));
		sanitize_event_name(d->event);
	}
	return 0;
}

static int set_owner(struct definition *d)
{
	return probe_owner_set(d->p, d->cmd, probe_reap_soon);
}

static int parse_arguments(struct definition *d)
{
	d->cmd->no_names = !probe_scope_has_names(&d->scope);
	d->cmd->fields = d->scope.fields;
	d->cmd->no_symbols = d->scope.in_user;
	return probe_parse_args(d->cmd) ?: probe_parse_predicate(d->cmd);
}

static int resolve_arguments(struct definition *d)
{
	return probe_set_args(d->p, d->cmd, &d->scope);
}

/* Register and list the probe. */
static int install(struct definition *d)
{
	struct probe *p = d->p;
	int ret;

	probe_finish_closed(d->provider);
	ret = d->provider->install(p, d->cmd) ?: dyn_event_add(&p->devent, &p->event->call);
	if (ret)
		return ret;
	list_add_tail(&p->list, &d->provider->probes);
	probe_event_compile_filter(p->event);
	/* Its owner may have exited before the probe was in the list. */
	if (p->owner)
		probe_reap_soon();
	return 0;
}

/* Add the probe to an event that exists. */
static int join_event(struct definition *d, struct probe_event *event)
{
	struct probe_cmd *cmd = d->cmd;
	struct probe *other;
	unsigned int nr;
	int ret;

	/* Events of different providers have different names. */
	if (probe_provider_of(probe_event_first(event)) != d->provider || event->ops->alone)
		return probe_cmd_error(cmd, PROBE_ERR_EVENT_EXIST, 0);
	if (d->provider->event_ops(d->p) != event->ops)
		return probe_cmd_error(cmd, PROBE_ERR_DIFF_PROBE_TYPE, 0);
	nr = probe_event_differs(event, d->p);
	if (nr)
		return probe_cmd_error(cmd, PROBE_ERR_DIFF_ARG_TYPE,
				       nr <= cmd->nr_args ?
				       cmd->args[nr - 1].word.pos :
				       strlen(cmd->text) + 1);
	if (probe_limits_differ(event->limits, &cmd->options))
		return probe_cmd_error(cmd, PROBE_ERR_DIFF_LIMITS, cmd->name.pos);
	list_for_each_entry(other, &event->probes, siblings)
		if (d->provider->same_place(other, d->p) && probe_same_args(other, d->p))
			return probe_cmd_error(cmd, PROBE_ERR_SAME_PROBE, 0);

	ret = probe_event_join(event, d->p);
	if (ret)
		return ret;
	ret = install(d);
	if (ret)
		probe_event_leave(d->p);
	return ret;
}

static int create_event(struct definition *d)
{
	struct probe_event *event;
	int ret;

	event = probe_event_new(d->p, d->group, d->event, d->provider->event_ops(d->p));
	if (IS_ERR(event))
		return PTR_ERR(event);
	ret = probe_event_limit(event, &d->cmd->options, probe_disable_spent_soon) ?:
	      probe_event_register(event);
	if (ret == -EEXIST)
		probe_cmd_error(d->cmd, PROBE_ERR_EVENT_EXIST, 0);
	if (!ret) {
		ret = install(d);
		if (ret)
			probe_event_unregister(event);
	}
	if (ret)
		probe_event_leave(d->p);
	return ret;
}

static int add_to_event(struct definition *d)
{
	struct probe_event *event;
	int ret;

	guard(mutex)(&event_mutex);

	event = probe_event_find(d->group, d->event);
	ret = event ? join_event(d, event) : create_event(d);
	/* This has no effect if @cmd has an error already. */
	if (ret && ret != -ENOMEM)
		probe_cmd_error(d->cmd, PROBE_ERR_FAIL_REG_PROBE, d->cmd->words[1].pos);
	return ret;
}

static int (*const stages[])(struct definition *d) = {
	create_probe,
	find_scope,
	name_event,
	set_owner,
	parse_arguments,
	resolve_arguments,
	add_to_event,
};

/**
 * probe_define() - define a probe and its event
 * @provider: the provider that handles the command
 * @cmd: the command, of two words or more; the provider has parsed its place
 *
 * Context: may sleep; takes event_mutex.
 * Return: 0; -ENOMEM; otherwise a negative errno, with the error in @cmd.
 */
int probe_define(struct probe_provider *provider, struct probe_cmd *cmd)
{
	struct definition d = { .provider = provider, .cmd = cmd };
	unsigned int i;
	int ret = 0;

	for (i = 0; i < ARRAY_SIZE(stages) && !ret; i++)
		ret = stages[i](&d);
	probe_scope_end(&d.scope);
	if (ret && d.p)
		provider->free(d.p);
	return ret;
}

/**
 * probe_command() - run a command that may define probes of a provider
 * @provider: the provider
 * @raw: the command
 *
 * An error is written to error_log.
 *
 * Context: may sleep; takes event_mutex.
 * Return: 0, also for a blank line; -ECANCELED if the command is for another provider;
 * -ENOMEM; or another negative errno of the provider's ->run().
 */
int probe_command(struct probe_provider *provider, const char *raw)
{
	struct probe_cmd *cmd;
	int ret = -ECANCELED;

	cmd = probe_cmd_open(raw, provider->cmd_size);
	if (!cmd)
		return -ENOMEM;

	if (!cmd->nr_words)
		ret = 0;
	else if (cmd->nr_words >= 2 && strchr(provider->kinds, cmd->kind))
		ret = provider->run(cmd);
	if (ret)
		probe_log_error(provider, cmd);
	probe_cmd_free(cmd);
	return ret;
}
