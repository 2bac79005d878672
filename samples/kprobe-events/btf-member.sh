#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Record arguments by their names in the source, and members of the structures that
# they point to. The kernel's type information (BTF) has the offsets of the members.

. "$(dirname "$(realpath "$0")")/lib.sh"

begin kprobes/reads
[ -e /sys/kernel/btf/vmlinux ] || fail "this kernel has no BTF"

say "vfs_read(struct file *file, char *buf, size_t count, loff_t *pos):"
run "echo 'p:reads vfs_read name=file->f_path.dentry->d_name.name:string count \
ino=file->f_inode->i_ino' >> kprobe_events"

say "Record only reads of files named 'hostname', and read one:"
run "echo 'name == \"hostname\"' > events/kprobes/reads/filter"
run "echo > trace"
run "echo 1 > events/kprobes/reads/enable"
run "head -n 1 /etc/hostname"
run "echo 0 > events/kprobes/reads/enable"
run "records"

inode=$(stat -c %i /etc/hostname)
records | grep -q 'head-.*: reads: (vfs_read+.*) name="hostname" count=[1-9]' ||
	fail "no record of head reading /etc/hostname"
! records | grep -v '^$' | grep -qv 'name="hostname"' ||
	fail "the filter did not reject another file"
say "ino is the inode's number in the file system; stat shows $inode."
