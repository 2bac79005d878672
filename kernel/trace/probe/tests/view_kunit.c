// SPDX-License-Identifier: GPL-2.0
/* Views: the text of numbers and bytes, and what print fmt says about them. */
#include <kunit/test.h>
#include <linux/seq_buf.h>
#include <linux/string.h>
#include <linux/trace_seq.h>

#include "../types.h"
#include "../view.h"

static const struct probe_name names[] = {
	{ 0, "NONE" }, { 1, "ONE" }, { 6, "PAIR" }, { 2, "TWO" }, { (u64)-3, "LESS" },
	{ 1ULL << 31, "HIGH" },
};

/* The names from NONE to TWO in print fmt. */
#define SOME	"{0x0,\"NONE\"},{0x1,\"ONE\"},{0x6,\"PAIR\"},{0x2,\"TWO\"}"

static struct probe_view view_of(enum probe_view_kind kind)
{
	return (struct probe_view) {
		.kind = kind,
		.names = { .list = (struct probe_name *)names, .nr = ARRAY_SIZE(names) },
	};
}

/* Print @bytes at an address that is not aligned. */
static void expect_text(struct kunit *test, enum probe_view_kind kind, char prefix,
			unsigned int bits, const void *bytes, unsigned int len, const char *want)
{
	struct trace_seq *s = kunit_kzalloc(test, sizeof(*s), GFP_KERNEL);
	struct probe_view view = view_of(kind);
	u8 data[20];

	KUNIT_ASSERT_NOT_NULL(test, s);
	memcpy(data + 1, bytes, len);
	trace_seq_init(s);
	probe_view_print(s, &view, probe_type_number(prefix, bits), data + 1);
	trace_seq_putc(s, '\0');
	KUNIT_EXPECT_STREQ(test, s->buffer, want);
}

static void expect_number(struct kunit *test, enum probe_view_kind kind, char prefix,
			  unsigned int bits, u64 value, const char *want)
{
	u64 wide = value;
	u32 word = value;
	u16 half = value;
	u8 byte = value;

	switch (bits) {
	case 8:
		expect_text(test, kind, prefix, bits, &byte, 1, want);
		break;
	case 16:
		expect_text(test, kind, prefix, bits, &half, 2, want);
		break;
	case 32:
		expect_text(test, kind, prefix, bits, &word, 4, want);
		break;
	default:
		expect_text(test, kind, prefix, bits, &wide, 8, want);
		break;
	}
}

static void test_errno(struct kunit *test)
{
	expect_number(test, PROBE_VIEW_ERRNO, 's', 32, 0, "0");
	expect_number(test, PROBE_VIEW_ERRNO, 's', 32, 2, "2");
	expect_number(test, PROBE_VIEW_ERRNO, 's', 32, -2, "-ENOENT");
	expect_number(test, PROBE_VIEW_ERRNO, 's', 32, -512, "-ERESTARTSYS");
	expect_number(test, PROBE_VIEW_ERRNO, 's', 32, -4000, "-4000");
	expect_number(test, PROBE_VIEW_ERRNO, 's', 64, -2, "-ENOENT");
	expect_number(test, PROBE_VIEW_ERRNO, 's', 64, 0xfffffffe, "4294967294");
	expect_number(test, PROBE_VIEW_ERRNO, 's', 16, -2, "-ENOENT");
	expect_number(test, PROBE_VIEW_ERRPTR, 's', BITS_PER_LONG, -2, "-ENOENT");
	expect_number(test, PROBE_VIEW_ERRPTR, 's', BITS_PER_LONG, 0, "0");
	expect_number(test, PROBE_VIEW_ERRPTR, 's', BITS_PER_LONG, 0x1234, "0x1234");
}

static void test_names(struct kunit *test)
{
	expect_number(test, PROBE_VIEW_ENUM, 's', 32, 0, "NONE");
	expect_number(test, PROBE_VIEW_ENUM, 's', 32, -3, "LESS");
	expect_number(test, PROBE_VIEW_ENUM, 'u', 8, 0xfd, "LESS");
	expect_number(test, PROBE_VIEW_ENUM, 's', 64, 0xfffffffd, "0xfffffffd");
	expect_number(test, PROBE_VIEW_ENUM, 's', 32, -1, "0xffffffff");
	expect_number(test, PROBE_VIEW_FLAGS, 'u', 32, 0, "NONE");
	expect_number(test, PROBE_VIEW_FLAGS, 'u', 32, 0x80000001, "ONE|HIGH");
	expect_number(test, PROBE_VIEW_FLAGS, 'u', 16, 7, "ONE|PAIR");
	expect_number(test, PROBE_VIEW_FLAGS, 'u', 16, 2, "TWO");
	expect_number(test, PROBE_VIEW_FLAGS, 'u', 16, 0x13, "ONE|TWO|0x10");
	expect_number(test, PROBE_VIEW_FLAGS, 'u', 64, 1ULL << 63, "0x8000000000000000");
}

static void test_numbers(struct kunit *test)
{
	expect_number(test, PROBE_VIEW_TIME, 'u', 64, 0, "00:00:00.000000000");
	expect_number(test, PROBE_VIEW_TIME, 'u', 64, 1700000000123456789ULL,
		      "22:13:20.123456789");
	expect_number(test, PROBE_VIEW_TIME, 'u', 64, 0xfedcba9876543210ULL,
		      "01:49:04.493064720");
	expect_number(test, PROBE_VIEW_DEV, 'u', 32, 8 << 20 | 1, "8:1");
	expect_number(test, PROBE_VIEW_DEV, 'u', 32, 0xffffffff, "4095:1048575");
}

static void test_bytes(struct kunit *test)
{
	static const u8 mac[] = { 2, 0, 0x5e, 0x10, 0, 0xff };
	static const u8 ipv4[] = { 192, 0, 2, 1 };
	static const u8 ipv6[16] = { 0x20, 1, 0xd, 0xb8, [15] = 1 };
	static const u8 uuid[16] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 };

	expect_text(test, PROBE_VIEW_MAC, 'u', 8, mac, 6, "02:00:5e:10:00:ff");
	expect_text(test, PROBE_VIEW_IPV4, 'u', 32, ipv4, 4, "192.0.2.1");
	expect_text(test, PROBE_VIEW_IPV6, 'u', 8, ipv6, 16, "2001:db8::1");
	expect_text(test, PROBE_VIEW_UUID, 'u', 8, uuid, 16,
		    "01020304-0506-0708-090a-0b0c0d0e0f10");
}

static void expect_values(struct kunit *test, enum probe_view_kind kind, char prefix,
			  unsigned int bits, const char *want)
{
	const struct probe_arg_type *type = probe_type_number(prefix, bits);
	struct probe_view view = view_of(kind);
	char buf[256];
	struct seq_buf b;

	seq_buf_init(&b, buf, sizeof(buf));
	probe_view_put_values(&b, &view, type, "REC->x");
	KUNIT_EXPECT_STREQ(test, seq_buf_str(&b), want);
	KUNIT_EXPECT_EQ(test, probe_view_room(&view, type, "REC->x"), strlen(want));
}

static void test_print_fmt(struct kunit *test)
{
	expect_values(test, PROBE_VIEW_ENUM, 's', 32, ", __print_symbolic(REC->x,"
		      SOME ",{0xfffffffd,\"LESS\"},{0x80000000,\"HIGH\"})");
	expect_values(test, PROBE_VIEW_FLAGS, 'u', 16, ", REC->x ? __print_flags(REC->x, \"|\","
		      SOME ",{0xfffd,\"LESS\"},{0x0,\"HIGH\"}) : \"NONE\"");
	expect_values(test, PROBE_VIEW_DEV, 'u', 32, ", REC->x >> 20, REC->x & 0xfffff");
	expect_values(test, PROBE_VIEW_MAC, 'u', 8, ", REC->x");
}

static struct kunit_case cases[] = {
	KUNIT_CASE(test_errno),
	KUNIT_CASE(test_names),
	KUNIT_CASE(test_numbers),
	KUNIT_CASE(test_bytes),
	KUNIT_CASE(test_print_fmt),
	{}
};

static struct kunit_suite suite = {
	.name = "probe_view",
	.test_cases = cases,
};

kunit_test_suites(&suite);
