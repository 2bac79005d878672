// SPDX-License-Identifier: GPL-2.0
/*
 * Kernel probes: files in debugfs/kprobes.
 *
 *	list		all probes; each seq_file record is a bucket of the hash table
 *	enabled		"0" if probes are globally disarmed
 *	blacklist	functions that must not be probed
 */
#define pr_fmt(fmt)	"kprobes: " fmt

#include <linux/cleanup.h>
#include <linux/debugfs.h>
#include <linux/fs.h>
#include <linux/init.h>
#include <linux/kallsyms.h>
#include <linux/kprobes.h>
#include <linux/mutex.h>
#include <linux/rculist.h>
#include <linux/seq_file.h>

#include "kprobes.h"

struct symbol {
	const char	*name;
	char		*module;
	unsigned long	offset;
	char		buf[KSYM_NAME_LEN];
};

/* @p is one of the probes at @place. */
static void show_probe(struct seq_file *m, struct kprobe *p, struct kprobe_place *place,
		       const struct symbol *symbol)
{
	bool show = kallsyms_show_value(m->file->f_cred);

	seq_printf(m, "%px  %c  ", show ? p->addr : NULL,
		   p->flags & KPROBE_FLAG_RETURN ? 'r' : 'k');
	if (symbol->name)
		seq_printf(m, "%s+0x%lx  %s ", symbol->name, symbol->offset,
			   symbol->module ?: " ");
	else
		seq_printf(m, "%pS ", p->addr);
	if (kprobe_gone(p))
		seq_puts(m, "[GONE]");
	else if (kprobe_disabled(p))
		seq_puts(m, "[DISABLED]");
	if (kprobe_optimized(&place->kp))
		seq_puts(m, "[OPTIMIZED]");
	if (kprobe_ftrace(&place->kp))
		seq_puts(m, "[FTRACE]");
	seq_putc(m, '\n');
}

static void show_place(struct seq_file *m, struct kprobe_place *place)
{
	struct symbol symbol;
	struct kprobe *p;

	symbol.name = kallsyms_lookup((unsigned long)place->kp.addr, NULL, &symbol.offset,
				      &symbol.module, symbol.buf);
	list_for_each_entry_rcu(p, &place->kp.list, list)
		show_probe(m, p, place, &symbol);
}

static void *bucket_at(loff_t pos)
{
	return pos < KPROBE_TABLE_SIZE ? &kprobe_table[pos] : NULL;
}

/* Programs that watch kprobes put a probe here: it is called once for each read. */
static noinline void *kprobe_seq_start(struct seq_file *m, loff_t *pos)
{
	return bucket_at(*pos);
}

static void *list_next(struct seq_file *m, void *v, loff_t *pos)
{
	return bucket_at(++*pos);
}

static void list_stop(struct seq_file *m, void *v)
{
}

static int list_show(struct seq_file *m, void *v)
{
	struct hlist_head *bucket = v;
	struct kprobe_place *place;

	/* Disabling preemption also keeps the names of modules valid. */
	guard(preempt)();
	hlist_for_each_entry_rcu(place, bucket, hlist)
		show_place(m, place);
	return 0;
}

static const struct seq_operations list_sops = {
	.start	= kprobe_seq_start,
	.next	= list_next,
	.stop	= list_stop,
	.show	= list_show,
};

DEFINE_SEQ_ATTRIBUTE(list);
DEFINE_SHOW_ATTRIBUTE(kprobe_blacklist);

/* Some architectures use a probe for their trampoline.  That probe stays armed. */
static bool must_switch(struct kprobe_place *place, bool arm)
{
	if (arch_trampoline_kprobe(&place->kp))
		return false;
	return arm ? !kprobe_disabled(&place->kp) : kprobe_place_is_armed(place);
}

static int arm_one(struct kprobe_place *place)
{
	LLIST_HEAD(places);

	kprobe_list_add(&places, place);
	return kprobes_arm(&places);
}

/* Arm as many as possible of the places in a list, which is linked through @link. */
static int arm_each(struct llist_head *all)
{
	unsigned int nr_failed = 0, nr = 0;
	struct kprobe_place *place;
	int ret, err = 0;

	llist_for_each_entry(place, all->first, link) {
		nr++;
		ret = kprobe_place_is_armed(place) ? 0 : arm_one(place);
		if (ret) {
			nr_failed++;
			err = ret;
		}
		cond_resched();
	}
	if (nr_failed)
		pr_warn("Cannot arm %u of %u places (%d)\n", nr_failed, nr, err);
	return err;
}

static int switch_all(bool arm)
{
	struct kprobe_place *place;
	struct hlist_node *next;
	LLIST_HEAD(places);
	LLIST_HEAD(all);
	unsigned int i;
	int ret = 0;

	guard(mutex)(&kprobe_mutex);
	if (kprobes_all_disarmed == !arm)
		return 0;
	kprobes_all_disarmed = !arm;
	for_each_kprobe_place(place, next, i) {
		if (!must_switch(place, arm))
			continue;
		kprobe_list_add(&places, place);
		/* An enabled place is not retired, so @link is free. */
		if (arm)
			__llist_add(&place->link, &all);
	}
	if (!arm)
		kprobes_disarm(&places);
	else if (kprobes_arm(&places))
		ret = arm_each(&all);
	pr_info("Kprobes globally %s\n", arm ? "enabled" : "disabled");
	return ret;
}

static ssize_t enabled_read(struct file *file, char __user *buf, size_t count, loff_t *ppos)
{
	const char *text = READ_ONCE(kprobes_all_disarmed) ? "0\n" : "1\n";

	return simple_read_from_buffer(buf, count, ppos, text, 2);
}

/* Programs that watch kprobes put a probe on this function. */
static noinline ssize_t write_enabled_file_bool(struct file *file, const char __user *buf,
						size_t count, loff_t *ppos)
{
	bool armed;
	int ret;

	ret = kstrtobool_from_user(buf, count, &armed) ?: switch_all(armed);
	if (ret)
		return ret;
	if (!armed)
		wait_for_kprobe_optimizer();
	return count;
}

static const struct file_operations enabled_fops = {
	.read	= enabled_read,
	.write	= write_enabled_file_bool,
	.llseek	= default_llseek,
};

static int __init add_files(void)
{
	struct dentry *dir = debugfs_create_dir("kprobes", NULL);

	debugfs_create_file("list", 0400, dir, NULL, &list_fops);
	debugfs_create_file("enabled", 0600, dir, NULL, &enabled_fops);
	debugfs_create_file("blacklist", 0400, dir, NULL, &kprobe_blacklist_fops);
	return 0;
}
late_initcall(add_files);
