/* SPDX-License-Identifier: GPL-2.0 */
/* Paths of files, for tracers; see fs/d_path_nofault.c. */
#ifndef _LINUX_D_PATH_NOFAULT_H
#define _LINUX_D_PATH_NOFAULT_H

#include <linux/types.h>

struct dentry;
struct path;

long d_path_nofault(const struct path *path, char *buf, size_t size);
long dentry_path_nofault(const struct dentry *dentry, char *buf, size_t size);

#endif /* _LINUX_D_PATH_NOFAULT_H */
