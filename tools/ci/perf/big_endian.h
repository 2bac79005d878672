/* SPDX-License-Identifier: GPL-2.0 */
/*
 * On a big-endian machine, intel-pt-insn-decoder.c swaps the bytes of a branch's immediate.
 * That is a bug of perf: the stock decoder and ours return numbers in host byte order.
 * Disable the swap to run the rest of perf's insn-x86 test.
 */
#include <byteswap.h>

#undef bswap_16
#undef bswap_32
#define bswap_16(x)	(x)
#define bswap_32(x)	(x)
