/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The decoder under test, and checks that apply to all instructions.
 */
#ifndef _INSN_TEST_DECODER_H
#define _INSN_TEST_DECODER_H

#include <stdbool.h>
#include <errno.h>
#include <linux/kernel.h>
#include <linux/types.h>
#include <asm/insn.h>

#ifndef MAX_INSN_SIZE
#define MAX_INSN_SIZE	15
#endif

enum mode {
	MODE_16,
	MODE_32,
	MODE_64,
	NR_MODES,
};

/* The width of a mode: 16, 32, 64. */
static inline unsigned int mode_bits(enum mode mode)
{
	return 16U << mode;
}

int decode(struct insn *insn, const void *buf, int len, enum mode mode);
int decode_staged(struct insn *insn, const void *buf, int len, enum mode mode);
bool same_insn(const struct insn *a, const struct insn *b);

bool is_legacy_prefix(u8 byte);
int last_prefix_id(struct insn *insn);

/*
 * These functions return NULL, or the name of the failed check.  @len is the length of
 * the buffer at insn->kaddr.
 */
const char *check_parts(struct insn *insn, int len);
const char *check_prefixes(struct insn *insn);
const char *check_staged(struct insn *insn, int ret, int len, enum mode mode);
const char *check_truncated(struct insn *insn, enum mode mode);

/* guard_put() copies @len bytes to the end of a page. The next page is unmapped. */
void guard_init(void);
u8 *guard_put(const u8 *bytes, unsigned int len);

/* Copy @len bytes across a page boundary: the first @first bytes are before it. */
u8 *guard_cross(const u8 *bytes, unsigned int len, unsigned int first);

#endif /* _INSN_TEST_DECODER_H */
