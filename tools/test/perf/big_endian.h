/* SPDX-License-Identifier: GPL-2.0 */
/*
 * On a big-endian machine perf swaps the bytes of an immediate, which already is a
 * number of that machine, stock decoder or not.  Without that mistake the rest of
 * perf's test can be compared.
 */
#include <byteswap.h>

#undef bswap_16
#undef bswap_32
#define bswap_16(x)	(x)
#define bswap_32(x)	(x)
