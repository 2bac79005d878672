/* SPDX-License-Identifier: GPL-2.0 */
/*
 * On a big-endian machine, perf swaps the bytes of an immediate.  That is a bug, as the
 * decoder, stock or ours, returns a number in host byte order.  Disable the swap to run
 * the rest of perf's test.
 */
#include <byteswap.h>

#undef bswap_16
#undef bswap_32
#define bswap_16(x)	(x)
#define bswap_32(x)	(x)
