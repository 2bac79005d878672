// SPDX-License-Identifier: GPL-2.0
/*
 * Types and places of values that BTF describes, such as bitfields.
 */
#include <kunit/test.h>
#include <linux/btf.h>
#include <linux/compiler.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "../btf.h"
#include "../engine.h"
#include "../expr.h"
#include "../fetch.h"

#include "trial.h"

enum probe_kunit_wide { SMALL = 1, LARGE = 256, LOWEST = -128, LOWER = -129 };
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

/* @high has 19 bits in three bytes: a load of four bytes would extend past the end. */
struct three {
	unsigned int	low:5;
	unsigned int	high:19;
} __packed;

/* @last begins in the middle of byte 8 and is in nine bytes. */
struct nine {
	u64		first;
	unsigned char	middle:5;
	u64		last:60;
} __packed;

struct other {
	const char	*name;
	enum { PROBE_KUNIT_ANON = 3, PROBE_KUNIT_MORE } anon;
	enum probe_kunit_wide	wide;
#ifdef __SIZEOF_INT128__
	u128		number;
#endif
};

/* For casts. */
struct probe_kunit_inner {
	u16			small;
	u8			bits:3;
	u32			number;
	struct probe_kunit_outer	*owner;
};

struct probe_kunit_outer {
	u64			id;
	const char		*text;
	struct probe_kunit_inner	inner;
	union {
		u32		either;
		u16		or_this;
	};
};

/* For elements of arrays. */
struct probe_kunit_arrays {
	s8				bytes[5];
	u16				pairs[3][2];	/* in BTF, an array of six */
	union {
		struct probe_kunit_inner	*pointers[2];
		long				longs[2];
	};
	struct probe_kunit_inner	inner[2];
	struct three			last[];
};

union probe_kunit_union {
	u8	byte;
	u32	word;
};

/* BTF describes the structures because this function has them as parameters. */
static noinline unsigned int probe_kunit_fields(const struct fields *f, const struct ends *e,
						const struct packed *p,
						const struct other *o,
						const struct three *t,
						const struct nine *n,
						const struct probe_kunit_outer *c,
						const union probe_kunit_union *u,
						const struct probe_kunit_arrays *a)
{
	barrier();
	return f->letter + f->balance + f->number + f->count + e->high + p->middle + p->top +
	       !!o->name + t->high + n->last + c->either + u->byte + a->bytes[0];
}

/* With this pointer, the compiler cannot know all callers, so it splits no parameter. */
static unsigned int (*const fields_func)(const struct fields *f, const struct ends *e,
					 const struct packed *p, const struct other *o,
					 const struct three *t,
					 const struct nine *n,
					 const struct probe_kunit_outer *c,
					 const union probe_kunit_union *u,
					 const struct probe_kunit_arrays *a) = probe_kunit_fields;

/* C extends the sign of a bitfield if its type has negative values. */
static void test_signs(struct kunit *test)
{
	static const struct fields all = { D, DEBT, -1, 3 };
	static const struct ends end;
	static const struct packed packed;
	static const struct other other;
	static const struct three three;
	static const struct nine nine;
	static const struct probe_kunit_outer outer;
	static const union probe_kunit_union both;
	static const struct probe_kunit_arrays arrays;
	static const bool is_signed[] = { false, true, true, false };
	struct probe_scope scope = { .is_entry = true, .func = "probe_kunit_fields" };
	const struct btf_type *t;
	struct probe_btf_value v;
	unsigned int i, sum;

	if (!IS_ENABLED(CONFIG_PROBE_EVENTS_BTF_ARGS))
		kunit_skip(test, "no types");
	/* D - 2 - 1 + 3: the compiler sign-extends the same members. */
	sum = READ_ONCE(fields_func)(&all, &end, &packed, &other, &three, &nine, &outer, &both,
				     &arrays);
	KUNIT_EXPECT_EQ(test, sum, 3);
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
		v.load = 1;
		KUNIT_EXPECT_NOT_NULL(test, probe_btf_type(&v, true, &bits));
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
static void resolve_with(struct kunit *test, struct probe *p, const char *arg, int ret,
			 enum probe_err err)
{
	struct probe_scope scope = { .is_entry = true, .func = "probe_kunit_fields" };
	struct probe_cmd *cmd;
	char text[128];

	KUNIT_ASSERT_EQ(test, probe_init(p, 0, 1), 0);
	snprintf(text, sizeof(text), "p probe_kunit_fields %s", arg);
	cmd = probe_cmd_open(text, sizeof(*cmd));
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, cmd);
	KUNIT_EXPECT_EQ_MSG(test, probe_parse_args(cmd) ?: probe_set_args(p, cmd, &scope), ret,
			    "%s", arg);
	KUNIT_EXPECT_EQ_MSG(test, cmd->err, err, "%s", arg);
	probe_scope_end(&scope);
	probe_cmd_free(cmd);
}

static bool resolve(struct kunit *test, struct probe *p, const char *arg)
{
	resolve_with(test, p, arg, 0, PROBE_ERR_NONE);
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
		{ "t->high", sizeof(struct three) },
		{ "n->middle", sizeof(struct nine) },
		{ "n->last", sizeof(struct nine) },
	};
	unsigned int i;

	if (!IS_ENABLED(CONFIG_PROBE_EVENTS_BTF_ARGS))
		kunit_skip(test, "no types");
	for (i = 0; i < ARRAY_SIZE(places); i++)
		check_place(test, &places[i]);
}

/* Resolve @arg, and run it. */
static void check_arg(struct kunit *test, const char *arg, u64 want)
{
	struct probe p;

	if (resolve(test, &p, arg)) {
		trial_run(test, p.fetch, 1);
		trial_expect_number(test, p.fetch, 0, want);
	}
	probe_fini(&p);
}

/* Resolve @arg, and run it on a structure at @mem. */
static void check_value(struct kunit *test, const char *arg, const void *mem, u64 want)
{
	struct probe_fetch f;
	struct probe p;

	if (resolve(test, &p, arg)) {
		f = *p.fetch;
		f.src = PROBE_SRC_IMM;
		f.value = (unsigned long)mem;
		trial_run(test, &f, 1);
		trial_expect_number(test, &f, 0, want);
	}
	probe_fini(&p);
}

/* The compiler reads the same bitfields. */
static void test_values(struct kunit *test)
{
	static const struct fields f = { C, DEBT, -1, 3 };
	static const struct ends e = { 0xa5, 0x5a1234 };
	static const struct packed p = { 0xff, 0xa5c, 0x9 };
	static const struct three t = { 0x15, 0x5a5c3 };
	static const struct nine n = { ~0ULL, 0x15, 0xa123456789abcdeULL };

	if (!IS_ENABLED(CONFIG_PROBE_EVENTS_BTF_ARGS))
		kunit_skip(test, "no types");
	check_value(test, "f->letter", &f, C);
	check_value(test, "f->balance", &f, DEBT);
	check_value(test, "f->number", &f, -1);
	check_value(test, "f->count", &f, 3);
	check_value(test, "e->high", &e, e.high);
	check_value(test, "p->middle", &p, p.middle);
	check_value(test, "p->top", &p, p.top);
	check_value(test, "t->low", &t, t.low);
	check_value(test, "t->high", &t, t.high);
	check_value(test, "n->first", &n, n.first);
	check_value(test, "n->middle", &n, n.middle);
	check_value(test, "n->last", &n, n.last);
}

/* A cast reads the members of another structure. */
static void test_casts(struct kunit *test)
{
	static struct probe_kunit_outer o = {
		.id = 0x123456789abcdef0ULL,
		.text = "text",
		.inner = { .small = 0xfedc, .bits = 5, .number = 0x13579bdf, .owner = &o },
		.either = 0x87654321,
	};
	static const struct probe_kunit_inner *const to_inner = &o.inner;
	static const union probe_kunit_union u = { .word = 0x76543210 };

	if (!IS_ENABLED(CONFIG_PROBE_EVENTS_BTF_ARGS))
		kunit_skip(test, "no types");
	check_value(test, "(probe_kunit_outer)f->id", &o, o.id);
	check_value(test, "(probe_kunit_outer)(f)->inner.small", &o, o.inner.small);
	check_value(test, "(probe_kunit_outer)f->inner.bits", &o, o.inner.bits);
	check_value(test, "(probe_kunit_outer)f->or_this", &o, o.or_this);
	check_value(test, "(probe_kunit_union)f->word", &u, u.word);
	check_value(test, "(probe_kunit_outer)f->inner.owner->inner.number", &o, o.inner.number);
	check_value(test, "(probe_kunit_inner)+0(f)->number", &to_inner, o.inner.number);
	check_value(test, "(probe_kunit_inner)(+0(f))->owner->either", &to_inner, o.either);
	check_value(test, "(probe_kunit_outer)((probe_kunit_inner)+0(f)->owner)->id", &to_inner,
		    o.id);
	check_value(test, "+0((probe_kunit_inner)f->owner):u64", to_inner, o.id);
	check_value(test, "(probe_kunit_outer,inner)f->id", &o.inner, o.id);
	check_value(test, "(probe_kunit_outer,inner)f->inner.bits", &o.inner, o.inner.bits);
	check_value(test, "(probe_kunit_outer,inner.number)f->or_this", &o.inner.number, o.or_this);
	check_value(test, "(probe_kunit_outer,or_this)f->id", &o.or_this, o.id);
	check_value(test, "(probe_kunit_outer,inner)+0(f)->inner.owner->id", &to_inner, o.id);
}

static void check_element(struct kunit *test, const void *mem, const char *member, u64 want)
{
	char arg[64];

	snprintf(arg, sizeof(arg), "(probe_kunit_arrays)f->%s", member);
	check_value(test, arg, mem, want);
}

/* Elements are at the places that the compiler knows; indices outside of an array are refused. */
static void test_elements(struct kunit *test)
{
	static const char * const refused[] = {
		"bytes[5]", "pairs[6]", "pairs[0][0]", "pointers[2]", "pointers[0][0]",
		"inner[2].number", "inner[0].number[0]", "inner[0][0]", "last[99999999].low",
		"bytes[4294967295]",
	};
	/* Has two elements of the last member. */
	static u64 room[DIV_ROUND_UP(sizeof(struct probe_kunit_arrays) +
				     2 * sizeof(struct three), sizeof(u64))];
	struct probe_kunit_arrays *a = (void *)room;
	struct probe p;
	char arg[64];
	unsigned int i;

	if (!IS_ENABLED(CONFIG_PROBE_EVENTS_BTF_ARGS))
		kunit_skip(test, "no types");
	for (i = 0; i < sizeof(room); i++)
		((u8 *)room)[i] = 0x9b + 0x35 * i;
	a->pointers[1] = &a->inner[1];

	check_element(test, a, "bytes[0]", a->bytes[0]);
	check_element(test, a, "bytes[0x4]", a->bytes[4]);
	check_element(test, a, "pairs[5]", a->pairs[2][1]);
	check_element(test, a, "longs[0]:x64", a->longs[0]);
	check_element(test, a, "inner[1].number", a->inner[1].number);
	check_element(test, a, "inner[1].bits", a->inner[1].bits);
	check_element(test, a, "pointers[1]", (unsigned long)a->pointers[1]);
	check_element(test, a, "pointers[1]->small", a->inner[1].small);
	check_element(test, a, "last[0].high", a->last[0].high);
	check_element(test, a, "last[1].low", a->last[1].low);
	check_element(test, a, "last[1].high", a->last[1].high);

	for (i = 0; i < ARRAY_SIZE(refused); i++) {
		snprintf(arg, sizeof(arg), "(probe_kunit_arrays)f->%s", refused[i]);
		resolve_with(test, &p, arg, -EINVAL, PROBE_ERR_BAD_INDEX);
		probe_fini(&p);
	}
}

static void test_current(struct kunit *test)
{
	check_arg(test, "$current", (unsigned long)current);
	if (!IS_ENABLED(CONFIG_PROBE_EVENTS_BTF_ARGS))
		return;
	check_arg(test, "$current->pid", current->pid);
	check_arg(test, "$current->group_leader->pid", current->group_leader->pid);
	check_arg(test, "(task_struct)$current->tgid", current->tgid);
	check_arg(test, "(task_struct,tasks)((list_head)($current->tasks.next)->prev)->pid",
		  current->pid);
}

/* The type of the member is the type of the argument. */
static void test_cast_types(struct kunit *test)
{
	static const struct {
		const char	*arg, *type;
	} args[] = {
		{ "(probe_kunit_outer)f->id", "u64" },
		{ "(probe_kunit_outer)f->inner.small", "u16" },
		{ "(probe_kunit_outer)f->inner.bits", "u8" },
		{ "(probe_kunit_outer)f->text:string", "string" },
	};
	struct probe p;
	unsigned int i;

	if (!IS_ENABLED(CONFIG_PROBE_EVENTS_BTF_ARGS))
		kunit_skip(test, "no types");
	for (i = 0; i < ARRAY_SIZE(args); i++) {
		if (resolve(test, &p, args[i].arg))
			KUNIT_EXPECT_STREQ(test, p.args->type->name, args[i].type);
		probe_fini(&p);
	}
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

/* Names and sizes of views come from BTF. */
static void test_views(struct kunit *test)
{
	static const struct {
		const char	*arg, *type, *first;
		unsigned int	nr;
	} args[] = {
		{ "f->letter:enum", "s32", "A", 4 },
		{ "f->balance:flags", "u32", "DEBT", 4 },
		{ "f->letter:enum8(balance)", "s8", "DEBT", 4 },
		/* The bitfield has 2 bits, so 4 is no value of it. */
		{ "f->number:enum(PROBE_KUNIT_ANON)", "s32", "PROBE_KUNIT_ANON", 1 },
		{ "n->first:enum(PROBE_KUNIT_ANON)", "u64", "PROBE_KUNIT_ANON", 2 },
		{ "o->anon:enum", "s32", "PROBE_KUNIT_ANON", 2 },
		{ "o->wide:enum", "s32", "SMALL", 4 },
		{ "o->wide:enum8(probe_kunit_wide)", "s8", "SMALL", 2 },
		{ "f->number:errno", "s32", NULL, 0 },
		{ "n->first:errno", "s64", NULL, 0 },
		{ "n->first:flags(LOW=1,TOP=0x8000000000000000)", "u64", "LOW", 2 },
		{ "o->name:mac", "u8", NULL, 0 },
	};
	struct probe p;
	unsigned int i;

	if (!IS_ENABLED(CONFIG_PROBE_EVENTS_BTF_ARGS))
		kunit_skip(test, "no types");
	for (i = 0; i < ARRAY_SIZE(args); i++) {
		if (resolve(test, &p, args[i].arg)) {
			const struct probe_view *view = p.args->view;

			KUNIT_EXPECT_STREQ_MSG(test, p.args->type->name, args[i].type, "%s",
					       args[i].arg);
			KUNIT_EXPECT_EQ_MSG(test, view->names.nr, args[i].nr, "%s", args[i].arg);
			if (args[i].first && view->names.nr)
				KUNIT_EXPECT_STREQ(test, view->names.list->text, args[i].first);
		}
		probe_fini(&p);
	}
}

/* Views of bitfields and of bytes record the same values as other types. */
static void test_view_values(struct kunit *test)
{
	static const struct fields f = { C, DEBT, -1, 3 };
	static const u8 mac[6] = { 1, 2, 3, 4, 5, 6 };
	static const struct other o = { .name = (const char *)mac };
	unsigned long bad[TRIAL_MAX_BAD];
	struct probe_fetch fetch;
	struct probe p;
	unsigned int i;

	if (!IS_ENABLED(CONFIG_PROBE_EVENTS_BTF_ARGS))
		kunit_skip(test, "no types");
	check_value(test, "f->letter:enum", &f, C);
	check_value(test, "f->balance:enum", &f, DEBT);
	check_value(test, "f->number:errno", &f, -1);
	check_value(test, "f->count:flags(A=1)", &f, 3);
	if (resolve(test, &p, "o->name:mac")) {
		fetch = *p.fetch;
		fetch.src = PROBE_SRC_IMM;
		fetch.value = (unsigned long)&o;
		KUNIT_EXPECT_EQ(test, fetch.count, sizeof(mac));
		trial_run(test, &fetch, 1);
		for (i = 0; i < sizeof(mac); i++)
			trial_expect_number(test, &fetch, i, mac[i]);
		KUNIT_ASSERT_GT(test, trial_bad_addresses(test, bad), 0);
		fetch.value = bad[0];
		trial_run(test, &fetch, 1);
		for (i = 0; i < sizeof(mac); i++)
			trial_expect_fault(test, &fetch, i);
	}
	probe_fini(&p);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(test_signs),
	KUNIT_CASE(test_places),
	KUNIT_CASE(test_values),
	KUNIT_CASE(test_casts),
	KUNIT_CASE(test_elements),
	KUNIT_CASE(test_current),
	KUNIT_CASE(test_cast_types),
	KUNIT_CASE(test_typed),
	KUNIT_CASE(test_wide),
	KUNIT_CASE(test_user_strings),
	KUNIT_CASE(test_views),
	KUNIT_CASE(test_view_values),
	{}
};

static struct kunit_suite suite = {
	.name = "probe_btf",
	.init = trial_init,
	.exit = trial_exit,
	.test_cases = cases,
};

kunit_test_suites(&suite);
