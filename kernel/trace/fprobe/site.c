// SPDX-License-Identifier: GPL-2.0
/*
 * Fprobe events: the call sites of ftrace that probes use.
 *
 * A function has one call site; a probe on a pattern has a site for each function.  Armed
 * sites are in a hash table, in which a hit looks up all probes of its call site.
 */
#include <linux/mutex.h>
#include <linux/rculist.h>
#include <linux/slab.h>

#include "trace.h"
#include "fprobe.h"

struct hlist_head trace_fprobe_table[1 << TRACE_FPROBE_TABLE_BITS];

/* Find a listed site at an address, of a given probe unless @tf is NULL. */
static bool is_listed(unsigned long ip, const struct trace_fprobe *tf)
{
	struct trace_fprobe_site *site;

	hlist_for_each_entry(site, trace_fprobe_sites_at(ip), node)
		if (site->ip == ip && (!tf || site->tf == tf))
			return true;
	return false;
}

/**
 * trace_fprobe_list_site() - let hits of a call site find its probe
 * @site: the site, not listed
 *
 * Context: event_mutex is held.
 * Return: true if no other probe is armed at this call site.
 */
bool trace_fprobe_list_site(struct trace_fprobe_site *site)
{
	bool first = !is_listed(site->ip, NULL);

	lockdep_assert_held(&event_mutex);
	/* A function can have several names. */
	if (is_listed(site->ip, site->tf))
		return false;
	hlist_add_tail_rcu(&site->node, trace_fprobe_sites_at(site->ip));
	return first;
}

/**
 * trace_fprobe_unlist_site() - hide the probe from later hits of a call site
 * @site: the site
 *
 * Context: event_mutex is held.
 * Return: true if the site was listed, and no other probe is armed at this call site.
 */
bool trace_fprobe_unlist_site(struct trace_fprobe_site *site)
{
	lockdep_assert_held(&event_mutex);
	if (hlist_unhashed(&site->node))
		return false;
	hlist_del_init_rcu(&site->node);
	return !is_listed(site->ip, NULL);
}

/**
 * trace_fprobe_add_site() - add a call site to a probe
 * @tf: the probe
 * @sites: the list of its new call sites, which are not yet in its own list
 * @ip: address of the call site
 *
 * Context: may sleep.
 * Return: 0 or -ENOMEM.
 */
int trace_fprobe_add_site(struct trace_fprobe *tf, struct list_head *sites, unsigned long ip)
{
	struct trace_fprobe_site *site;

	/* Other names of a function usually follow in the list of symbols. */
	site = list_first_entry_or_null(sites, struct trace_fprobe_site, list);
	if (site && site->ip == ip)
		return 0;
	site = kzalloc(sizeof(*site), GFP_KERNEL);
	if (!site)
		return -ENOMEM;
	site->ip = ip;
	site->tf = tf;
	list_add(&site->list, sites);
	return 0;
}

/**
 * trace_fprobe_free_sites() - free call sites that no hit uses
 * @sites: the list of the sites; emptied
 *
 * Context: any.
 */
void trace_fprobe_free_sites(struct list_head *sites)
{
	struct trace_fprobe_site *site, *next;

	list_for_each_entry_safe(site, next, sites, list)
		kfree(site);
	INIT_LIST_HEAD(sites);
}
