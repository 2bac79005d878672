// SPDX-License-Identifier: GPL-2.0
/*
 * Thousands of probes for the stress test of kprobes.  User space adds and removes
 * probes, reads their hit counts, and reads the kernel's text.
 *
 * The handlers only count, so that only kprobes itself is tested.
 */
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "compute.h"
#include "kprobe_stress.h"

/* One probe: rp if the set's is_return is true, else kp.  kp is the first member of rp. */
struct stress_probe {
	union {
		struct kprobe kp;
		struct kretprobe rp;
	};
	atomic_long_t hits;
	atomic_long_t after;
	int error;
};

/* The probes of one open file. */
struct stress_set {
	struct mutex lock;		/* one request at a time */
	struct stress_probe *probes;
	unsigned int nr;
	bool is_return;
};

/* Use raw atomics: other atomics call sanitizer functions, which are probed, too. */
static int count_hit(struct kprobe *kp, struct pt_regs *regs)
{
	raw_atomic_long_inc(&container_of(kp, struct stress_probe, kp)->hits);
	return 0;
}
NOKPROBE_SYMBOL(count_hit);

static void count_after(struct kprobe *kp, struct pt_regs *regs, unsigned long flags)
{
	raw_atomic_long_inc(&container_of(kp, struct stress_probe, kp)->after);
}
NOKPROBE_SYMBOL(count_after);

static int count_entry(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct kretprobe *rp = get_kretprobe(ri);

	if (rp)
		raw_atomic_long_inc(&container_of(rp, struct stress_probe, rp)->hits);
	return 0;
}
NOKPROBE_SYMBOL(count_entry);

static int count_return(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct kretprobe *rp = get_kretprobe(ri);

	if (rp)
		raw_atomic_long_inc(&container_of(rp, struct stress_probe, rp)->after);
	return 0;
}
NOKPROBE_SYMBOL(count_return);

static int add_one(struct stress_probe *sp, u64 addr, u32 flags)
{
	sp->kp.addr = (kprobe_opcode_t *)(unsigned long)addr;
	if (flags & KS_RETURN) {
		sp->rp.entry_handler = count_entry;
		sp->rp.handler = count_return;
		sp->rp.maxactive = 64;
		return register_kretprobe(&sp->rp);
	}
	sp->kp.pre_handler = count_hit;
	if (flags & KS_POST)
		sp->kp.post_handler = count_after;
	if (flags & KS_DISABLED)
		sp->kp.flags = KPROBE_FLAG_DISABLED;
	return register_kprobe(&sp->kp);
}

static int remove_all(struct stress_set *set)
{
	struct stress_probe *sp;
	unsigned int i, n = 0;
	void **list;

	if (!set->nr)
		return 0;

	/* Unregister all at once, for a single grace period. */
	list = kvcalloc(set->nr, sizeof(*list), GFP_KERNEL | __GFP_NOFAIL);
	for (i = 0; i < set->nr; i++) {
		sp = &set->probes[i];
		if (!sp->error)
			list[n++] = sp;
	}
	if (set->is_return)
		unregister_kretprobes((struct kretprobe **)list, n);
	else
		unregister_kprobes((struct kprobe **)list, n);
	kvfree(list);
	kvfree(set->probes);
	set->probes = NULL;
	set->nr = 0;
	return 0;
}

static int add(struct stress_set *set, const struct ks_add __user *arg)
{
	struct ks_add add;
	unsigned int i;
	u64 *addrs;

	if (copy_from_user(&add, arg, sizeof(add)))
		return -EFAULT;
	if (set->nr)
		return -EBUSY;
	if (!add.nr || add.nr > KS_MAX_PROBES)
		return -EINVAL;

	addrs = kvcalloc(add.nr, sizeof(*addrs), GFP_KERNEL);
	if (!addrs)
		return -ENOMEM;
	if (copy_from_user(addrs, u64_to_user_ptr(add.addrs), add.nr * sizeof(*addrs))) {
		kvfree(addrs);
		return -EFAULT;
	}
	set->probes = kvcalloc(add.nr, sizeof(*set->probes), GFP_KERNEL);
	if (!set->probes) {
		kvfree(addrs);
		return -ENOMEM;
	}
	set->is_return = add.flags & KS_RETURN;
	for (i = 0; i < add.nr; i++) {
		set->probes[i].error = add_one(&set->probes[i], addrs[i], add.flags);
		set->nr = i + 1;
		/* This may take minutes: the code that adds probes is probed, too. */
		cond_resched_tasks_rcu_qs();
	}
	kvfree(addrs);
	return 0;
}

/*
 * Does the place of a probe have a detour?  The list of the probes at a place begins in the
 * place's own struct kprobe, also on the stock kernel.  If the probe is alone, this is the
 * only other entry.
 */
#ifdef CONFIG_OPTPROBES
static bool has_detour(struct kprobe *kp)
{
	struct list_head *place = READ_ONCE(kp->list.next);

	if (kprobe_ftrace(kp) || place == &kp->list || place != READ_ONCE(kp->list.prev))
		return false;
	return container_of(place, struct optimized_kprobe, kp.list)->optinsn.size;
}
#else
static bool has_detour(struct kprobe *kp)
{
	return false;
}
#endif

static void get_state(const struct stress_set *set, struct stress_probe *sp,
		      struct ks_state *state)
{
	state->addr = (unsigned long)sp->kp.addr;
	state->hits = atomic_long_read(&sp->hits);
	state->after = atomic_long_read(&sp->after);
	state->missed = sp->kp.nmissed;
	state->error = sp->error;
	state->flags = 0;
	if (sp->error)
		return;
	if (set->is_return)
		state->missed += sp->rp.nmissed;
	if (kprobe_ftrace(&sp->kp))
		state->flags |= KS_FTRACE;
	if (has_detour(&sp->kp))
		state->flags |= KS_DETOUR;
}

static int get_states(struct stress_set *set, const struct ks_states __user *arg)
{
	struct ks_states states;
	struct ks_state *to;
	unsigned int i;
	int ret = 0;

	if (copy_from_user(&states, arg, sizeof(states)))
		return -EFAULT;
	if (states.nr > set->nr)
		return -EINVAL;
	to = kvcalloc(states.nr, sizeof(*to), GFP_KERNEL);
	if (!to)
		return -ENOMEM;
	for (i = 0; i < states.nr; i++)
		get_state(set, &set->probes[i], &to[i]);
	if (copy_to_user(u64_to_user_ptr(states.states), to, states.nr * sizeof(*to)))
		ret = -EFAULT;
	kvfree(to);
	return ret;
}

/* Use a buffer: hardened usercopy forbids copying kernel text to user space directly. */
static int read_memory(const struct ks_read __user *arg)
{
	struct ks_read r;
	void *page;
	int ret = 0;

	if (copy_from_user(&r, arg, sizeof(r)))
		return -EFAULT;
	page = (void *)__get_free_page(GFP_KERNEL);
	if (!page)
		return -ENOMEM;
	while (r.len && !ret) {
		size_t n = min_t(size_t, r.len, PAGE_SIZE);

		ret = copy_from_kernel_nofault(page, (void *)(unsigned long)r.from, n);
		if (!ret && copy_to_user(u64_to_user_ptr(r.to), page, n))
			ret = -EFAULT;
		r.from += n;
		r.to += n;
		r.len -= n;
		cond_resched();
	}
	free_page((unsigned long)page);
	return ret;
}

static int compute(struct ks_compute __user *arg)
{
	struct ks_compute c;

	if (copy_from_user(&c, arg, sizeof(c)))
		return -EFAULT;
	for (c.result = c.seed; c.times; c.times--) {
		c.result = compute_all(c.result);
		cond_resched();
	}
	return copy_to_user(arg, &c, sizeof(c)) ? -EFAULT : 0;
}

static int switch_one(struct stress_set *set, unsigned long number, bool on)
{
	struct stress_probe *sp;

	if (number >= set->nr)
		return -EINVAL;
	sp = &set->probes[number];
	if (sp->error)
		return sp->error;
	if (set->is_return)
		return on ? enable_kretprobe(&sp->rp) : disable_kretprobe(&sp->rp);
	return on ? enable_kprobe(&sp->kp) : disable_kprobe(&sp->kp);
}

static long stress_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct stress_set *set = file->private_data;
	void __user *user = (void __user *)arg;
	long ret;

	/* These requests do not use the set and need no lock. */
	if (cmd == KS_READ)
		return read_memory(user);
	if (cmd == KS_COMPUTE)
		return compute(user);

	mutex_lock(&set->lock);
	switch (cmd) {
	case KS_ADD:
		ret = add(set, user);
		break;
	case KS_STATES:
		ret = get_states(set, user);
		break;
	case KS_REMOVE:
		ret = remove_all(set);
		break;
	case KS_ENABLE:
	case KS_DISABLE:
		ret = switch_one(set, arg, cmd == KS_ENABLE);
		break;
	default:
		ret = -ENOTTY;
	}
	mutex_unlock(&set->lock);
	return ret;
}

static int stress_open(struct inode *inode, struct file *file)
{
	struct stress_set *set = kzalloc(sizeof(*set), GFP_KERNEL);

	if (!set)
		return -ENOMEM;
	mutex_init(&set->lock);
	file->private_data = set;
	return 0;
}

static int stress_release(struct inode *inode, struct file *file)
{
	struct stress_set *set = file->private_data;

	remove_all(set);
	kfree(set);
	return 0;
}

static const struct file_operations stress_fops = {
	.owner		= THIS_MODULE,
	.open		= stress_open,
	.release	= stress_release,
	.unlocked_ioctl	= stress_ioctl,
};

static struct miscdevice stress_device = {
	.minor	= MISC_DYNAMIC_MINOR,
	.name	= "kprobe_stress",
	.fops	= &stress_fops,
};
module_misc_device(stress_device);

MODULE_DESCRIPTION("Stress test of kprobes: thousands of probes");
MODULE_LICENSE("GPL");
