// SPDX-License-Identifier: GPL-2.0
/*
 * Types and places of values that BTF describes, such as bitfields.
 */
#include <kunit/test.h>
#include <linux/btf.h>
#include <linux/compiler.h>
#include <linux/string.h>

#include "../btf.h"
#include "../engine.h"
#include "../expr.h"
#include "../fetch.h"

enum letter { A, B, C, D };
enum balance { DEBT = -2, LOAN, NOTHING, GAIN };

/* test_signs() sets the highest bit of each bitfield. */
struct fields {
	enum letter	letter:2;
	enum balance	balance:2;
	int		number:2;
	unsigned int	count:2;
};

/* @high has three bytes, but a load of four bytes is necessary. */
struct ends {
	unsigned int	low:8;
	unsigned int	high:24;
};

/* @middle is in two bytes, @top in one. */
struct packed {
	unsigned char	first;
	unsigned int	middle:12;
	unsigned int	top:4;
} __packed;

struct other {
	const char	*name;
#ifdef __SIZEOF_INT128__
	u128		number;
#endif
};

/* BTF describes the structures because this function has them as parameters. */
static noinline unsigned int probe_kunit_fields(const struct fields *f, const struct ends *e,
						const struct packed *p,
						const struct other *o)
{
	barrier();
	return f->letter + f->balance + f->number + f->count + e->high + p->middle + p->top +
	       !!o->name;
}

/* With this pointer, the compiler cannot know all callers, so it splits no parameter. */
static unsigned int (*const fields_func)(const struct fields *f, const struct ends *e,
					 const struct packed *p,
					 const struct other *o) = probe_kunit_fields;

/* C extends the sign of a bitfield if its type has negative values. */
static void test_signs(struct kunit *test)
{
	static const struct fields all = { D, DEBT, -1, 3 };
	static const struct ends end;
	static const struct packed packed;
	static const struct other other;
	static const bool is_signed[] = { false, true, true, false };
	struct probe_scope scope = { .is_entry = true, .func = "probe_kunit_fields" };
	const struct btf_type *t;
	struct probe_btf_value v;
	unsigned int i;

	if (!IS_ENABLED(CONFIG_PROBE_EVENTS_BTF_ARGS))
		kunit_skip(test, "no types");
	/* D - 2 - 1 + 3: the compiler sign-extends the same members. */
	KUNIT_EXPECT_EQ(test, READ_ONCE(fields_func)(&all, &end, &packed, &other), 3);
	KUNIT_ASSERT_TRUE(test, probe_scope_btf(&scope));
	KUNIT_ASSERT_EQ(test, probe_btf_param_nth(&scope, 0, &v), 0);
	t = btf_type_skip_modifiers(scope.btf, v.type->type, NULL);
	KUNIT_ASSERT_EQ(test, btf_type_vlen(t), ARRAY_SIZE(is_signed));

	for (i = 0; i < ARRAY_SIZE(is_signed); i++) {
		const struct btf_member *m = btf_type_member(t) + i;
		struct probe_bits bits = {};

		v.type = btf_type_skip_modifiers(scope.btf, m->type, NULL);
		v.bit = __btf_member_bit_offset(t, m) % 8;
		v.width = __btf_member_bitfield_size(t, m);
		KUNIT_EXPECT_NOT_NULL(test, probe_btf_type(&scope, &v, true, &bits));
		KUNIT_EXPECT_EQ(test, bits.width, 2);
		KUNIT_EXPECT_EQ_MSG(test, bits.is_signed, is_signed[i], "member %u", i);
	}
	probe_scope_end(&scope);
}

/* An argument of a probe on probe_kunit_fields(): a bitfield of a structure. */
struct place {
	const char	*arg;
	unsigned int	size;	/* of the structure */
};

/* Initialise @p and resolve its only argument @arg.  Returns false after a failure. */
static bool resolve(struct kunit *test, struct probe *p, const char *arg)
{
	struct probe_scope scope = { .is_entry = true, .func = "probe_kunit_fields" };
	struct probe_cmd *cmd;
	char text[64];

	KUNIT_ASSERT_EQ(test, probe_init(p, 0, 1), 0);
	snprintf(text, sizeof(text), "p probe_kunit_fields %s", arg);
	cmd = probe_cmd_open(text);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, cmd);
	KUNIT_EXPECT_EQ(test, probe_parse_head(cmd) ?: probe_parse_args(cmd, 2) ?:
			      probe_set_args(p, cmd, &scope), 0);
	KUNIT_EXPECT_EQ_MSG(test, cmd->err, PROBE_ERR_NONE, "%s", arg);
	probe_scope_end(&scope);
	probe_cmd_free(cmd);
	return p->nr_args == 1;
}

static void check_place(struct kunit *test, const struct place *at)
{
	const struct probe_fetch *f;
	struct probe p;

	if (resolve(test, &p, at->arg)) {
		f = p.fetch;
		KUNIT_EXPECT_GE(test, f->off, 0);
		KUNIT_EXPECT_LE_MSG(test, f->off + f->bits.load, at->size, "%s", at->arg);
		KUNIT_EXPECT_LE(test, f->bits.shift + f->bits.width, f->bits.load * 8);
	}
	probe_fini(&p);
}

/* A load must not extend beyond the structure: the memory there may be unmapped. */
static void test_places(struct kunit *test)
{
	static const struct place places[] = {
		{ "f->letter", sizeof(struct fields) },
		{ "f->count", sizeof(struct fields) },
		{ "e->low", sizeof(struct ends) },
		{ "e->high", sizeof(struct ends) },
		{ "p->middle", sizeof(struct packed) },
		{ "p->top", sizeof(struct packed) },
	};
	unsigned int i;

	if (!IS_ENABLED(CONFIG_PROBE_EVENTS_BTF_ARGS))
		kunit_skip(test, "no types");
	for (i = 0; i < ARRAY_SIZE(places); i++)
		check_place(test, &places[i]);
}

/* If the definition has a type, the load begins at the byte of the bitfield's first bit. */
static void test_typed(struct kunit *test)
{
	static const char * const args[] = { "e->high:u16", "e->high:x32", "e->high:b8@0/16" };
	struct probe p;
	unsigned int i;

	if (!IS_ENABLED(CONFIG_PROBE_EVENTS_BTF_ARGS))
		kunit_skip(test, "no types");
	for (i = 0; i < ARRAY_SIZE(args); i++) {
		if (resolve(test, &p, args[i]))
			KUNIT_EXPECT_EQ_MSG(test, p.fetch->off, 1, "%s", args[i]);
		probe_fini(&p);
	}
}

/* No type has 128 bits, so the default is u64. */
static void test_wide(struct kunit *test)
{
#ifdef __SIZEOF_INT128__
	struct probe p;

	if (!IS_ENABLED(CONFIG_PROBE_EVENTS_BTF_ARGS))
		kunit_skip(test, "no types");
	if (resolve(test, &p, "o->number"))
		KUNIT_EXPECT_STREQ(test, p.args->type->name, "u64");
	probe_fini(&p);
#else
	kunit_skip(test, "no integers of 128 bits");
#endif
}

/* With type ustring, strings and arrays of pointers to strings are in user space. */
static void test_user_strings(struct kunit *test)
{
	static const struct {
		const char	*arg;
		bool		user, str_user;
	} args[] = {
		{ "o->name:string[2]", false, false },
		{ "o->name:ustring", true, true },
		{ "o->name:ustring[2]", true, true },
	};
	struct probe p;
	unsigned int i;

	if (!IS_ENABLED(CONFIG_PROBE_EVENTS_BTF_ARGS))
		kunit_skip(test, "no types");
	for (i = 0; i < ARRAY_SIZE(args); i++) {
		if (resolve(test, &p, args[i].arg)) {
			KUNIT_EXPECT_EQ_MSG(test, p.fetch->user, args[i].user, "%s", args[i].arg);
			KUNIT_EXPECT_EQ_MSG(test, p.fetch->str_user, args[i].str_user, "%s",
					    args[i].arg);
		}
		probe_fini(&p);
	}
}

static struct kunit_case cases[] = {
	KUNIT_CASE(test_signs),
	KUNIT_CASE(test_places),
	KUNIT_CASE(test_typed),
	KUNIT_CASE(test_wide),
	KUNIT_CASE(test_user_strings),
	{}
};

static struct kunit_suite suite = {
	.name = "probe_btf",
	.test_cases = cases,
};

kunit_test_suites(&suite);
