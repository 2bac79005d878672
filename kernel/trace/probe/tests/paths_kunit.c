// SPDX-License-Identifier: GPL-2.0
/*
 * Paths of files, compared with those of d_path(), and stack traces.
 */
#include <linux/anon_inodes.h>
#include <linux/dcache.h>
#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/path.h>
#include <linux/pipe_fs_i.h>
#include <linux/shmem_fs.h>
#include <linux/string.h>
#include <linux/unaligned.h>

#include "trial.h"

#define NAME	"a-name-of-some-length"

static struct probe_fetch path_at(const void *addr, enum probe_store store)
{
	return (struct probe_fetch){ .src = PROBE_SRC_IMM, .value = (unsigned long)addr,
				     .store = store, .size = 4 };
}

/* The path of a file is that of d_path(), and it is cut at the beginning if there is no room. */
static void expect_path(struct kunit *test, struct file *file)
{
	struct trial *t = test->priv;
	/* An offset is added to the address. */
	struct probe_fetch f = path_at((char *)&file->f_path - 8, PROBE_STORE_PATH);
	char *buf = kunit_kzalloc(test, PAGE_SIZE, GFP_KERNEL);
	u32 room = t->room, len;
	const char *want, *text;

	KUNIT_ASSERT_NOT_NULL(test, buf);
	want = d_path(&file->f_path, buf, PAGE_SIZE);
	KUNIT_ASSERT_FALSE(test, IS_ERR(want));
	f.off = 8;
	trial_run(test, &f, 1);
	trial_expect_text(test, &f, 0, want);
	for (t->room = 2 * PROBE_CUT_LEN; t->room < strlen(want) + PROBE_CUT_LEN; t->room++) {
		trial_run(test, &f, 1);
		text = trial_text(test, &f, 0, &len);
		KUNIT_EXPECT_EQ(test, len, t->room - PROBE_CUT_LEN);
		KUNIT_EXPECT_EQ(test, strncmp(text, PROBE_CUT, 3), 0);
		KUNIT_EXPECT_STREQ(test, text + 3, want + strlen(want) + 4 - len);
	}
	t->room = room;
	fput(file);
}

static void test_root(struct kunit *test)
{
	struct file *file = filp_open("/", O_RDONLY, 0);

	KUNIT_ASSERT_FALSE(test, IS_ERR(file));
	expect_path(test, file);
}

static void test_memory_file(struct kunit *test)
{
	struct file *file = shmem_file_setup(NAME, PAGE_SIZE, 0);

	KUNIT_ASSERT_FALSE(test, IS_ERR(file));
	expect_path(test, file);
}

static void test_anon_inode(struct kunit *test)
{
	static const struct file_operations fops = {};
	struct file *file = anon_inode_getfile("[" NAME "]", &fops, NULL, O_RDONLY);

	KUNIT_ASSERT_FALSE(test, IS_ERR(file));
	expect_path(test, file);
}

static void test_pipe(struct kunit *test)
{
	struct file *ends[2];

	KUNIT_ASSERT_EQ(test, create_pipe_files(ends, 0), 0);
	fput(ends[0]);
	expect_path(test, ends[1]);
}

static void test_dentry(struct kunit *test)
{
	struct file *file = filp_open("/", O_RDONLY, 0);
	struct probe_fetch f;

	KUNIT_ASSERT_FALSE(test, IS_ERR(file));
	f = path_at(file->f_path.dentry, PROBE_STORE_DENTRY);
	trial_run(test, &f, 1);
	trial_expect_text(test, &f, 0, "/");
	fput(file);
}

/* A wrong address, and wrong addresses in the structures, are faults. */
static void test_bad_path(struct kunit *test)
{
	unsigned long bad[TRIAL_MAX_BAD];
	unsigned int nr = trial_bad_addresses(test, bad), i;
	struct trial *t = test->priv;
	struct path *path = (void *)t->mem;
	struct dentry *dentry = (void *)t->mem + PAGE_SIZE;
	struct probe_fetch f;

	for (i = 0; i < nr; i++) {
		f = path_at((void *)bad[i], PROBE_STORE_PATH);
		trial_run(test, &f, 1);
		trial_expect_no_text(test, &f, 0);
		f = path_at((void *)bad[i], PROBE_STORE_DENTRY);
		trial_run(test, &f, 1);
		trial_expect_no_text(test, &f, 0);

		memset(t->mem, 0, 2 * PAGE_SIZE);
		path->dentry = (void *)bad[i];
		f = path_at(path, PROBE_STORE_PATH);
		trial_run(test, &f, 1);
		trial_expect_no_text(test, &f, 0);

		path->dentry = dentry;
		dentry->d_parent = (void *)bad[i];
		dentry->d_name.name = dentry->d_iname;
		dentry->d_name.len = 3;
		memcpy(dentry->d_iname, "abc", 3);
		trial_run(test, &f, 1);
		trial_expect_no_text(test, &f, 0);

		dentry->d_name.name = (void *)bad[i];
		trial_run(test, &f, 1);
		trial_expect_no_text(test, &f, 0);
	}
}

/* An entry that is its own ancestor: the path ends where the room does. */
static void test_endless_path(struct kunit *test)
{
	struct trial *t = test->priv;
	struct dentry *dentry = (void *)t->mem, *parent = (void *)t->mem + PAGE_SIZE;
	struct probe_fetch f = path_at(dentry, PROBE_STORE_DENTRY);
	const char *text;
	u32 len;

	memset(t->mem, 0, 2 * PAGE_SIZE);
	dentry->d_parent = parent;
	parent->d_parent = dentry;
	dentry->d_name.name = dentry->d_iname;
	parent->d_name.name = parent->d_iname;
	dentry->d_name.len = 1;
	parent->d_name.len = 1;
	dentry->d_iname[0] = 'a';
	parent->d_iname[0] = 'b';
	t->room = 20 + PROBE_CUT_LEN;
	trial_run(test, &f, 1);
	text = trial_text(test, &f, 0, &len);
	KUNIT_EXPECT_EQ(test, len, 20);
	KUNIT_EXPECT_EQ(test, strncmp(text, "...", 3), 0);
}

#ifdef CONFIG_STACKTRACE
/* Without registers, the trace begins in the helper. */
static void test_stack_trace(struct kunit *test)
{
	struct trial *t = test->priv;
	struct probe_fetch f[] = {
		{ .src = PROBE_SRC_NONE, .store = PROBE_STORE_STACK, .value = 64, .size = 4 },
		{ .src = PROBE_SRC_IMM, .value = 0x5a, .size = 1 },
		{ .src = PROBE_SRC_NONE, .store = PROBE_STORE_STACK, .value = 1, .size = 4 },
	};
	struct bpf_prog *prog;
	unsigned long nr, i, n;
	const u8 *words;
	u32 loc;

	t->no_regs = true;
	prog = trial_load(test, f, ARRAY_SIZE(f), TRIAL_NATIVE);
	trial_run_once(t, prog, t->rec, 0xa5);
	for (i = 0; i < ARRAY_SIZE(f); i += 2) {
		loc = trial_read(t->rec + f[i].dst, sizeof(loc));
		KUNIT_EXPECT_EQ(test, probe_data_loc_offset(loc), f[i].text);
		KUNIT_EXPECT_EQ(test, f[i].text % sizeof(long), 0);
		words = t->rec + f[i].text;
		nr = trial_read(words, sizeof(nr));
		KUNIT_EXPECT_EQ(test, probe_data_loc_len(loc), (nr + 1) * sizeof(long));
		KUNIT_EXPECT_LE(test, nr, f[i].value);
		for (n = 1; n <= f[i].value; n++)
			KUNIT_EXPECT_EQ(test, !trial_read(words + n * sizeof(long), sizeof(long)),
					n > nr);
	}
	trial_expect_number(test, &f[1], 0, 0x5a);
	probe_prog_free(prog);
}
#endif

static struct kunit_case cases[] = {
	KUNIT_CASE(test_root),
	KUNIT_CASE(test_memory_file),
	KUNIT_CASE(test_anon_inode),
	KUNIT_CASE(test_pipe),
	KUNIT_CASE(test_dentry),
	KUNIT_CASE(test_bad_path),
	KUNIT_CASE(test_endless_path),
#ifdef CONFIG_STACKTRACE
	KUNIT_CASE(test_stack_trace),
#endif
	{}
};

static struct kunit_suite suite = {
	.name = "probe_paths",
	.init = trial_init,
	.exit = trial_exit,
	.test_cases = cases,
};
kunit_test_suite(suite);
