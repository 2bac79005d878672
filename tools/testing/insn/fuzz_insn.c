// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzz target: decode the input as an instruction in each mode. The input is in a buffer
 * of exactly its size, so that the address sanitizer finds each access beyond it.
 *
 * It also checks properties that callers rely on. The parts of an instruction have the
 * bytes of the buffer, and their sizes add up to its length. The result is the same if the
 * instruction is decoded again, in stages, or without the bytes after it. A truncated
 * instruction is never decoded as a complete instruction.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decoder.h"

static void must(const char *wrong, enum mode mode)
{
	if (!wrong)
		return;
	fprintf(stderr, "%u bit: %s\n", mode_bits(mode), wrong);
	abort();
}

/* Like guard_put(), but for decoders that are compiled with a sanitizer. */
static u8 *exact(const u8 *data, size_t size)
{
	u8 *copy = malloc(size);

	if (size)
		memcpy(copy, data, size);
	return copy;
}

static int decode_exact(struct insn *insn, const u8 *data, size_t size, enum mode mode)
{
	u8 *copy = exact(data, size);
	int ret = decode(insn, copy, size, mode);

	if (ret)
		insn->length = 0;
	free(copy);
	return ret;
}

static void fuzz_mode(const u8 *data, size_t size, enum mode mode)
{
	struct insn insn, again;
	int ret, shorter;
	size_t n;
	u8 *copy;

	copy = exact(data, size);
	memset(&insn, 0xa5, sizeof(insn));
	memset(&again, 0x5a, sizeof(again));
	ret = decode(&insn, copy, size, mode);
	must(decode(&again, copy, size, mode) != ret ? "not deterministic" : NULL, mode);
	must(ret && ret != -EINVAL && ret != -ENODATA ? "unknown error" : NULL, mode);
	must(check_staged(&insn, ret, size, mode), mode);
	if (!ret) {
		must(same_insn(&insn, &again) ? NULL : "not deterministic", mode);
		must(check_parts(&insn, size), mode);
		must(check_prefixes(&insn), mode);
	}
	free(copy);

	/*
	 * Decode the first @n bytes, for each @n. The result must be -ENODATA until the
	 * instruction is complete or known to be invalid, and must then stay the same.
	 */
	shorter = -ENODATA;
	for (n = 0; n <= size; n++) {
		int was = shorter;

		shorter = decode_exact(&again, data, n, mode);
		if (!ret && insn.emulate_prefix_size) {
			/* A truncated marker is a UD2. */
			if (n < insn.emulate_prefix_size)
				was = -ENODATA;
			if (n >= 2 && n < insn.emulate_prefix_size) {
				must(shorter ? "truncated marker" : NULL, mode);
				shorter = -ENODATA;
				continue;
			}
		}
		if (!ret)
			must(shorter != (n < insn.length ? -ENODATA : 0) ?
			     "truncated" : NULL, mode);
		/* Invalid bytes stay invalid if more bytes follow, even after the 15th. */
		else if (was == -EINVAL)
			must(shorter != -EINVAL ? "valid with more bytes" : NULL, mode);
		if (!ret && !shorter)
			must(same_insn(&insn, &again) ? NULL : "depends on later bytes", mode);
	}
	must(shorter != ret ? "complete buffer" : NULL, mode);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	enum mode mode;

	for (mode = 0; mode < NR_MODES; mode++)
		fuzz_mode(data, size, mode);
	return 0;
}
