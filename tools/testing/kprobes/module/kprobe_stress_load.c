// SPDX-License-Identifier: GPL-2.0
/*
 * A module that the stress test's workload loads and unloads again and again.  It has some
 * of the features that loading sets up and unloading removes: a static branch and a device.
 */
#include <linux/fs.h>
#include <linux/jump_label.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/uaccess.h>

static DEFINE_STATIC_KEY_FALSE(load_key);

static ssize_t load_read(struct file *file, char __user *to, size_t len, loff_t *pos)
{
	char answer = static_branch_unlikely(&load_key) ? '1' : '0';

	if (!len)
		return 0;
	return put_user(answer, to) ? -EFAULT : 1;
}

static const struct file_operations load_fops = {
	.owner	= THIS_MODULE,
	.read	= load_read,
};

static struct miscdevice load_device = {
	.minor	= MISC_DYNAMIC_MINOR,
	.name	= "kprobe_stress_load",
	.fops	= &load_fops,
};

static int __init load_init(void)
{
	static_branch_enable(&load_key);
	return misc_register(&load_device);
}
module_init(load_init);

static void __exit load_exit(void)
{
	misc_deregister(&load_device);
}
module_exit(load_exit);

MODULE_DESCRIPTION("Module that the stress test of kprobes loads and unloads");
MODULE_LICENSE("GPL");
