// SPDX-License-Identifier: GPL-2.0
/*
 * The path of a file, for tracers.
 *
 * d_path() needs a file that cannot go away, and may spin on locks that the interrupted code
 * holds.  The functions here take no lock, do not sleep, and read all memory with fix-ups, so
 * they can run in any context, and with pointers that are wrong or stale.
 *
 * A path is written from its end, so a path that is too long loses its beginning.
 */
#include <linux/d_path_nofault.h>
#include <linux/dcache.h>
#include <linux/fs.h>
#include <linux/fs_struct.h>
#include <linux/magic.h>
#include <linux/minmax.h>
#include <linux/path.h>
#include <linux/proc_ns.h>
#include <linux/sched.h>
#include <linux/seqlock.h>
#include <linux/sprintf.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "internal.h"
#include "mount.h"

/* Mounts in one path.  A larger number means that the pointers are stale. */
#define MAX_MOUNTS	256

/* How often to try again if files are renamed or mounted at the same time. */
#define MAX_TRIES	4

/* A path that is too long begins with this mark. */
#define CUT		"..."

#define DELETED		" (deleted)"

/**
 * struct path_text - a path that is being written
 * @start: the buffer
 * @at: first character so far
 * @end: the NUL after the last one
 * @full: the beginning did not fit
 */
struct path_text {
	char	*start;
	char	*at;
	char	*end;
	bool	full;
};

/* The sequence counts of all renames and mounts. */
struct path_changes {
	unsigned int	renames;
	unsigned int	mounts;
};

/* Prepend @len characters at @from, which may be unreadable. */
static int put(struct path_text *t, const char *from, size_t len)
{
	size_t fit = min_t(size_t, len, t->at - t->start);

	t->full |= fit < len;
	t->at -= fit;
	return copy_from_kernel_nofault(t->at, from + len - fit, fit);
}

static int put_text(struct path_text *t, const char *text)
{
	return put(t, text, strlen(text));
}

/* Prepend the name of a directory entry. */
static int put_name(struct path_text *t, const struct dentry *dentry)
{
	const char *end = t->at;
	struct qstr name;

	if (get_kernel_nofault(name, &dentry->d_name) || name.len > NAME_MAX ||
	    put(t, name.name, name.len))
		return -EFAULT;
	/* During a rename, the length can be that of the other name. */
	return strnlen(t->at, end - t->at) == end - t->at ? 0 : -EFAULT;
}

static bool is_root_of_fs(const struct dentry *dentry)
{
	struct dentry *parent;

	return !get_kernel_nofault(parent, &dentry->d_parent) && parent == dentry;
}

static bool is_unlinked(const struct dentry *dentry)
{
	struct hlist_bl_node **pprev;

	return !get_kernel_nofault(pprev, &dentry->d_hash.pprev) && !pprev &&
	       !is_root_of_fs(dentry);
}

/* Go from the root of a mount to the directory where it is mounted. */
static int leave_mount(struct path *at)
{
	struct mount *mnt = real_mount(at->mnt), *parent;

	if (get_kernel_nofault(parent, &mnt->mnt_parent) ||
	    get_kernel_nofault(at->dentry, &mnt->mnt_mountpoint))
		return -EFAULT;
	at->mnt = &parent->mnt;
	return parent == mnt ? -ENOENT : 0;
}

static bool at_root_of_mount(const struct path *at)
{
	struct dentry *root;

	return at->mnt && !get_kernel_nofault(root, &at->mnt->mnt_root) && at->dentry == root;
}

/* Prepend the names from @at up to @root.  If @at has no mount, stop at the file system's root. */
static int put_names(struct path_text *t, struct path at, const struct path *root)
{
	char *end = t->at;
	struct dentry *parent;
	int mounts = 0, ret;

	/* Without a root, at.dentry may be NULL like root->dentry: that is an error. */
	while (!t->full && !(root->dentry && path_equal(&at, root))) {
		if (at_root_of_mount(&at)) {
			ret = ++mounts > MAX_MOUNTS ? -EFAULT : leave_mount(&at);
			if (ret)
				return ret == -ENOENT ? 0 : ret;
			continue;
		}
		if (get_kernel_nofault(parent, &at.dentry->d_parent))
			return -EFAULT;
		if (parent == at.dentry) {
			/* As in d_path(): the directory was moved out of the mount. */
			if (at.mnt)
				t->at = end;
			return 0;
		}
		if (put_name(t, at.dentry) || put_text(t, "/"))
			return -EFAULT;
		at.dentry = parent;
	}
	return 0;
}

static int put_path(struct path_text *t, const struct path *path, const struct path *root)
{
	char *end;
	int ret;

	if (is_unlinked(path->dentry))
		put_text(t, DELETED);
	end = t->at;
	ret = put_names(t, *path, root);
	if (!ret && t->at == end)
		put_text(t, "/");
	return ret;
}

/* Prepend "NAME:[INODE]". */
static int put_inode(struct path_text *t, const char *name, const struct inode *inode)
{
	unsigned long ino;
	char text[32];

	if (get_kernel_nofault(ino, &inode->i_ino))
		return -EFAULT;
	put(t, text, scnprintf(text, sizeof(text), ":[%lu]", ino));
	return put(t, name, strnlen(name, NAME_MAX));
}

/* Prepend "TYPE:[INODE]" for a namespace. */
static int put_namespace(struct path_text *t, const struct inode *inode)
{
	const struct proc_ns_operations *ops;
	const struct ns_common *ns;
	const char *type;
	char name[16];

	if (get_kernel_nofault(ns, (const struct ns_common **)&inode->i_private) ||
	    get_kernel_nofault(ops, &ns->ops) || get_kernel_nofault(type, &ops->name) ||
	    strncpy_from_kernel_nofault(name, type, sizeof(name)) < 0)
		return -EFAULT;
	return put_inode(t, name, inode);
}

/* Prepend "TYPE:[INODE]" with the type of the file system. */
static int put_fs_type(struct path_text *t, const struct super_block *sb,
		       const struct inode *inode)
{
	struct file_system_type *fs;
	const char *type;
	char name[32];

	if (get_kernel_nofault(fs, &sb->s_type) || get_kernel_nofault(type, &fs->name) ||
	    strncpy_from_kernel_nofault(name, type, sizeof(name)) < 0)
		return -EFAULT;
	return put_inode(t, name, inode);
}

/*
 * Does the file have no directory, but a d_dname() method, which d_path() calls to show its
 * name?  Set @is_plain if this is the name of the directory entry.
 */
static bool is_pseudo(const struct path *path, bool *is_plain)
{
	char *(*dname)(struct dentry *dentry, char *buf, int len);
	const struct dentry_operations *ops;

	if (get_kernel_nofault(ops, &path->dentry->d_op) || !ops ||
	    get_kernel_nofault(dname, &ops->d_dname) || !dname)
		return false;
	*is_plain = dname == simple_dname;
	return !is_root_of_fs(path->dentry) || (path->mnt && !at_root_of_mount(path));
}

/* The name that d_dname() shows.  It is not called: some of these methods take a lock. */
static int put_pseudo(struct path_text *t, const struct dentry *dentry, bool is_plain)
{
	struct super_block *sb;
	struct inode *inode;
	unsigned long magic;

	if (is_plain) {
		put_text(t, DELETED);
		return put_name(t, dentry) ?: put_text(t, "/");
	}
	if (get_kernel_nofault(sb, &dentry->d_sb) || get_kernel_nofault(magic, &sb->s_magic) ||
	    get_kernel_nofault(inode, &dentry->d_inode))
		return -EFAULT;
	switch (magic) {
	case PIPEFS_MAGIC:
		return put_inode(t, "pipe", inode);
	case SOCKFS_MAGIC:
		return put_inode(t, "socket", inode);
	case NSFS_MAGIC:
		return put_namespace(t, inode);
	case PID_FS_MAGIC:
		return put_text(t, "anon_inode:[pidfd]");
	case ANON_INODE_FS_MAGIC:
		return put_name(t, dentry) ?: put_text(t, "anon_inode:");
	default:
		return put_fs_type(t, sb, inode);
	}
}

/* The root directory of the current task, or nothing, which is above all roots. */
static struct path current_root(void)
{
	struct fs_struct *fs = READ_ONCE(current->fs);
	struct path root = {};

	if (fs && get_kernel_nofault(root, &fs->root))
		root = (struct path) {};
	return root;
}

/* Not read_seqbegin(): it waits for the writer, which this code may have interrupted. */
static struct path_changes get_changes(void)
{
	struct path_changes now = {
		.renames = READ_ONCE(rename_lock.seqcount.seqcount.sequence),
		.mounts = READ_ONCE(mount_lock.seqcount.seqcount.sequence),
	};

	return now;
}

static bool has_changed(struct path_changes before)
{
	struct path_changes now = get_changes();

	return (now.renames | now.mounts) & 1 || now.renames != before.renames ||
	       now.mounts != before.mounts;
}

static int write_path(struct path_text *t, const struct path *path)
{
	struct path root = path->mnt ? current_root() : (struct path) {};
	int tries = MAX_TRIES, ret;
	struct path_changes before;
	bool is_plain;

	do {
		before = get_changes();
		smp_rmb();	/* read the counts before the names */
		t->at = t->end;
		t->full = false;
		ret = is_pseudo(path, &is_plain) ? put_pseudo(t, path->dentry, is_plain) :
						   put_path(t, path, &root);
		smp_rmb();	/* read the names before the counts */
	} while (has_changed(before) && --tries);
	return ret;
}

static long path_text(const struct path *path, char *buf, size_t size)
{
	struct path_text t = { .start = buf, .end = buf + size - 1 };
	size_t len;

	*t.end = '\0';
	if (write_path(&t, path))
		return -EFAULT;
	len = t.end + 1 - t.at;
	memmove(buf, t.at, len);
	if (t.full)
		memcpy(buf, CUT, strlen(CUT));
	return len;
}

/**
 * d_path_nofault() - write the path of a file, as d_path() shows it
 * @path: the path, which may be unreadable
 * @buf: buffer for the text
 * @size: its bytes, at least 4
 *
 * The path is relative to the root directory of the current task.  If it does not fit, its
 * beginning is replaced by "...".  The names of pipes, sockets, namespaces and anonymous inodes
 * are those of d_path().  A few other files without a directory have the form "TYPE:[INODE]".
 * While files are being renamed all the time, names may be old and new ones.
 *
 * Context: any.
 * Return: length of the text with the NUL; -EFAULT if the path could not be read.
 */
long d_path_nofault(const struct path *path, char *buf, size_t size)
{
	struct path copy;

	if (get_kernel_nofault(copy, path))
		return -EFAULT;
	return path_text(&copy, buf, size);
}

/**
 * dentry_path_nofault() - write the path of a directory entry in its file system
 * @dentry: the directory entry, which may be unreadable
 * @buf: buffer for the text
 * @size: its bytes, at least 4
 *
 * The path begins at the root of the file system, since a directory entry does not know where
 * that is mounted.  Apart from this, the text is that of d_path_nofault().
 *
 * Context: any.
 * Return: length of the text with the NUL; -EFAULT if the path could not be read.
 */
long dentry_path_nofault(const struct dentry *dentry, char *buf, size_t size)
{
	const struct path path = { .dentry = (struct dentry *)dentry };

	return path_text(&path, buf, size);
}
