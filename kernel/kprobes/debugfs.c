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

/* @common is the common probe of the place, @p one of its probes. */
static void show_probe(struct seq_file *m, struct kprobe *p, struct kprobe *common,
		       const struct symbol *symbol)
{
	bool show = kallsyms_show_value(m->file->f_cred);

	seq_printf(m, "%px  %c  ", show ? p->addr : NULL, kprobe_is_return(p) ? 'r' : 'k');
	if (symbol->name)
		seq_printf(m, "%s+0x%lx  %s ", symbol->name, symbol->offset,
			   symbol->module ?: " ");
	else
		seq_printf(m, "%pS ", p->addr);
	if (kprobe_gone(p))
		seq_puts(m, "[GONE]");
	else if (kprobe_disabled(p))
		seq_puts(m, "[DISABLED]");
	if (kprobe_optimized(common))
		seq_puts(m, "[OPTIMIZED]");
	if (kprobe_ftrace(common))
		seq_puts(m, "[FTRACE]");
	seq_putc(m, '\n');
}

static void show_place(struct seq_file *m, struct kprobe *common)
{
	struct symbol symbol;
	struct kprobe *p;

	symbol.name = kallsyms_lookup((unsigned long)common->addr, NULL, &symbol.offset,
				      &symbol.module, symbol.buf);
	if (kprobe_is_group(common))
		list_for_each_entry_rcu(p, &common->list, list)
			show_probe(m, p, common, &symbol);
	else
		show_probe(m, common, common, &symbol);
}

static void *list_start(struct seq_file *m, loff_t *pos)
{
	return *pos < KPROBE_TABLE_SIZE ? &kprobe_table[*pos] : NULL;
}

static void *list_next(struct seq_file *m, void *v, loff_t *pos)
{
	++*pos;
	return list_start(m, pos);
}

static void list_stop(struct seq_file *m, void *v)
{
}

static int list_show(struct seq_file *m, void *v)
{
	struct hlist_head *bucket = v;
	struct kprobe *p;

	/* Disabling preemption also keeps the names of modules valid. */
	guard(preempt)();
	hlist_for_each_entry_rcu(p, bucket, hlist)
		show_place(m, p);
	return 0;
}

static const struct seq_operations list_sops = {
	.start	= list_start,
	.next	= list_next,
	.stop	= list_stop,
	.show	= list_show,
};

DEFINE_SEQ_ATTRIBUTE(list);
DEFINE_SHOW_ATTRIBUTE(kprobe_blacklist);

static bool is_enabled(struct kprobe *common)
{
	/* Some architectures use a probe for their trampoline.  That probe stays armed. */
	return !kprobe_disabled(common) && !arch_trampoline_kprobe(common);
}

static unsigned int count_enabled(void)
{
	unsigned int i, num = 0;
	struct hlist_node *next;
	struct kprobe *p;

	for_each_kprobe_place(p, next, i)
		num += is_enabled(p);
	return num;
}

/*
 * Arm as many places as possible: all at once or, if that fails, each half separately.
 * Return the number of places that cannot be armed; *@err is set to the error of one of
 * them.
 */
static unsigned int arm_possible(struct kprobe **places, unsigned int num, int *err)
{
	unsigned int half = num / 2;
	int ret = kprobes_arm(places, num);

	if (!ret)
		return 0;
	if (num == 1) {
		*err = ret;
		return 1;
	}
	return arm_possible(places, half, err) +
	       arm_possible(places + half, num - half, err);
}

static int arm_all(struct kprobe **places, unsigned int num)
{
	unsigned int nr_failed;
	int err = 0;

	nr_failed = arm_possible(places, num, &err);
	if (nr_failed)
		pr_warn("Cannot arm %u of %u places (%d)\n", nr_failed, num, err);
	return err;
}

static int switch_all(bool armed)
{
	struct kprobe_set set;
	struct hlist_node *next;
	struct kprobe *p;
	unsigned int i;
	int ret = 0;

	guard(mutex)(&kprobe_mutex);
	if (kprobes_all_disarmed == !armed)
		return 0;
	/* Arming can retire other places, so it must not begin during the walk. */
	if (armed)
		ret = kprobe_set_init(&set, count_enabled());
	else
		kprobe_set_init_nofail(&set, count_enabled());
	if (ret)
		return ret;

	kprobes_all_disarmed = !armed;
	for_each_kprobe_place(p, next, i) {
		if (!is_enabled(p))
			continue;
		if (set.nr == set.max) {
			kprobes_disarm(set.places, set.nr);
			set.nr = 0;
		}
		set.places[set.nr++] = p;
	}
	if (armed)
		ret = arm_all(set.places, set.nr);
	else
		kprobes_disarm(set.places, set.nr);
	kprobe_set_free(&set);
	pr_info("Kprobes globally %s\n", armed ? "enabled" : "disabled");
	return ret;
}

static ssize_t enabled_read(struct file *file, char __user *buf, size_t count, loff_t *ppos)
{
	const char *text = READ_ONCE(kprobes_all_disarmed) ? "0\n" : "1\n";

	return simple_read_from_buffer(buf, count, ppos, text, 2);
}

static ssize_t enabled_write(struct file *file, const char __user *buf, size_t count,
			     loff_t *ppos)
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
	.write	= enabled_write,
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
