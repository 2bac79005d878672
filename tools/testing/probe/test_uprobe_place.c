// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the parser of places of uprobes.
 */
#include <string.h>
#include <linux/array_size.h>
#include <linux/errno.h>

#include "check.h"
#include "uprobe/place.h"

static struct probe_cmd *open_cmd(const char *text)
{
	struct probe_cmd *cmd = probe_cmd_open(text, sizeof(struct probe_cmd));

	if (!cmd)
		ksft_exit_fail_msg("no memory\n");
	return cmd;
}

static const struct {
	const char *cmd;
	const char *path;
	unsigned long offset;
	unsigned long ref_ctr;
	bool ret;
} places[] = {
	{ "p /bin/sh:0x10", "/bin/sh", 0x10, 0, false },
	{ "p /bin/sh:10 %di", "/bin/sh", 10, 0, false },
	{ "p /bin/sh:010", "/bin/sh", 8, 0, false },
	{ "p:ev  ./sh:0", "./sh", 0, 0, false },
	{ "p /a:b/c:d:0x10", "/a:b/c:d", 0x10, 0, false },
	{ "p /a%return:1", "/a%return", 1, 0, false },
	{ "p /a(5):1", "/a(5)", 1, 0, false },
	{ "p /bin/sh:0x10%return", "/bin/sh", 0x10, 0, true },
	{ "p /bin/sh:0x10(0x20)", "/bin/sh", 0x10, 0x20, false },
	{ "p /bin/sh:0x10(+32)", "/bin/sh", 0x10, 32, false },
	{ "p /bin/sh:0x10%return(0x20)", "/bin/sh", 0x10, 0x20, true },
	{ "p /:0xffffffffffffffff", "/", -1UL, 0, false },
};

static void test_places(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(places); i++) {
		struct probe_cmd *cmd = open_cmd(places[i].cmd);
		struct trace_uprobe_place p;
		int ret;

		ret = trace_uprobe_split_place(cmd, &p) ?: trace_uprobe_parse_place(cmd, &p);
		check(!ret, "%s: error %d", places[i].cmd, ret);
		check(!ret && probe_str_is(p.path, places[i].path) &&
		      p.offset == places[i].offset && p.ref_ctr == places[i].ref_ctr &&
		      p.ret == places[i].ret, "%s: wrong place", places[i].cmd);
		probe_cmd_free(cmd);
	}
}

/* Commands of other providers. */
static void test_others(void)
{
	static const char * const cmds[] = {
		"p vfs_read", "p vfs_read+4", "p mod:sym", "p mod:0x10", "p /bin/sh",
		"p /bin/sh:", "p /bin/sh:main", "p /bin/sh:-1", "p /bin/sh:0x10:x", "p :1",
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cmds); i++) {
		struct probe_cmd *cmd = open_cmd(cmds[i]);
		struct trace_uprobe_place p;

		check(trace_uprobe_split_place(cmd, &p) == -ECANCELED &&
		      cmd->err == PROBE_ERR_NONE, "%s: accepted", cmds[i]);
		probe_cmd_free(cmd);
	}
}

/* A mark in the command shows the column of the error. */
static const struct {
	enum probe_err err;
	int code;
	const char *cmd;
} errors[] = {
	{ PROBE_ERR_REFCNT_OPEN_BRACE, -EINVAL, "p /a:1(5^" },
	{ PROBE_ERR_REFCNT_OPEN_BRACE, -EINVAL, "p /a:1(^ x" },
	{ PROBE_ERR_BAD_REFCNT_SUFFIX, -EINVAL, "p /a:1(5)^%return" },
	{ PROBE_ERR_BAD_REFCNT_SUFFIX, -EINVAL, "p /a:1(5)^)" },
	{ PROBE_ERR_BAD_REFCNT, -EINVAL, "p /a:1(^)" },
	{ PROBE_ERR_BAD_REFCNT, -EINVAL, "p /a:1(^x)" },
	{ PROBE_ERR_BAD_REFCNT, -EINVAL, "p /a:1(^-1)" },
	{ PROBE_ERR_BAD_REFCNT, -ERANGE, "p /a:1(^0x10000000000000000)" },
	{ PROBE_ERR_BAD_ADDR_SUFFIX, -EINVAL, "p /a:1^%" },
	{ PROBE_ERR_BAD_ADDR_SUFFIX, -EINVAL, "p /a:1^%returns" },
	{ PROBE_ERR_BAD_ADDR_SUFFIX, -EINVAL, "p /a:1x^%ret(5)" },
	{ PROBE_ERR_BAD_UPROBE_OFFS, -EINVAL, "p /a:^1x" },
	{ PROBE_ERR_BAD_UPROBE_OFFS, -EINVAL, "p /a:^09" },
	{ PROBE_ERR_BAD_UPROBE_OFFS, -EINVAL, "p /a:^1+1%return" },
	{ PROBE_ERR_BAD_UPROBE_OFFS, -ERANGE, "p /a:^18446744073709551616" },
};

static void test_errors(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(errors); i++) {
		const char *mark = strchr(errors[i].cmd, '^');
		unsigned int pos = mark - errors[i].cmd;
		struct trace_uprobe_place p;
		struct probe_cmd *cmd;
		char text[64];
		int ret;

		snprintf(text, sizeof(text), "%.*s%s", pos, errors[i].cmd, mark + 1);
		cmd = open_cmd(text);
		ret = trace_uprobe_split_place(cmd, &p) ?: trace_uprobe_parse_place(cmd, &p);
		check(ret == errors[i].code && cmd->err == errors[i].err && cmd->err_pos == pos,
		      "%s: returned %d, error %d at %u", text, ret, cmd->err, cmd->err_pos);
		probe_cmd_free(cmd);
	}
}

static const struct test tests[] = {
	{ "places", test_places },
	{ "commands of other providers", test_others },
	{ "errors", test_errors },
};

int main(void)
{
	ksft_print_header();
	ksft_set_plan(ARRAY_SIZE(tests));
	test_all(tests, ARRAY_SIZE(tests));
	ksft_finished();
}
