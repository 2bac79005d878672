// SPDX-License-Identifier: GPL-2.0
/*
 * Types of bitfields, which BTF describes by the type of the member.
 */
#include <kunit/test.h>
#include <linux/btf.h>
#include <linux/compiler.h>

#include "../fetch.h"
#include "../probe.h"

enum letter { A, B, C, D };
enum balance { DEBT = -2, LOAN, NOTHING, GAIN };

/* Each value has the highest bit of its bitfield set. */
struct fields {
	enum letter	letter:2;
	enum balance	balance:2;
	int		number:2;
	unsigned int	count:2;
};

/* BTF describes the structure because this function has it as a parameter. */
static noinline unsigned int probe_kunit_fields(const struct fields *f)
{
	barrier();
	return f->letter + f->balance + f->number + f->count;
}

/* The compiler does not split a parameter of a function that has an unknown caller. */
static unsigned int (*const fields_func)(const struct fields *f) = probe_kunit_fields;

/* C extends the sign of a bitfield if its type has negative values. */
static void test_signs(struct kunit *test)
{
	static const struct fields all = { D, DEBT, -1, 3 };
	static const bool is_signed[] = { false, true, true, false };
	struct probe_scope scope = { .is_entry = true, .func = "probe_kunit_fields" };
	const struct btf_type *t;
	struct probe_btf_value v;
	unsigned int i;

	if (!IS_ENABLED(CONFIG_PROBE_EVENTS_BTF_ARGS))
		kunit_skip(test, "no types");
	/* D - 2 - 1 + 3: the compiler agrees. */
	KUNIT_EXPECT_EQ(test, READ_ONCE(fields_func)(&all), 3);
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

static struct kunit_case cases[] = {
	KUNIT_CASE(test_signs),
	{}
};

static struct kunit_suite suite = {
	.name = "probe_btf",
	.test_cases = cases,
};

kunit_test_suites(&suite);
