// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzz target: any bytes as an instruction, in all modes, in a buffer of which
 * each byte that is not there is seen by the address sanitizer.
 *
 * Beyond what the sanitizers see, it checks what callers rely on: the parts are
 * those of the buffer and add up to the length, it is the same when decoded
 * again, one part after the other or from a buffer without what follows it, and
 * a part of it is never taken for a whole.
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
	 * From no bytes to all: more are wanted, until there are enough to see
	 * what it is. From then on nothing changes.
	 */
	shorter = -ENODATA;
	for (n = 0; n <= size; n++) {
		int was = shorter;

		shorter = decode_exact(&again, data, n, mode);
		if (!ret && insn.emulate_prefix_size) {
			/* Before the marker is complete it is an UD2. */
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
		/* Too long is also what is too long for the processor. */
		else if (was == -EINVAL)
			must(shorter != -EINVAL ? "valid after all" : NULL, mode);
		if (!ret && !shorter)
			must(same_insn(&insn, &again) ? NULL : "what follows matters", mode);
	}
	must(shorter != ret ? "all of it" : NULL, mode);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	enum mode mode;

	for (mode = 0; mode < NR_MODES; mode++)
		fuzz_mode(data, size, mode);
	return 0;
}
