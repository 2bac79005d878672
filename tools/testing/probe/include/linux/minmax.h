/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _HOST_LINUX_MINMAX_H
#define _HOST_LINUX_MINMAX_H

#define min(a, b)		({ typeof(a) _a = (a); typeof(b) _b = (b); _a < _b ? _a : _b; })
#define max(a, b)		({ typeof(a) _a = (a); typeof(b) _b = (b); _a > _b ? _a : _b; })
#define min_t(type, a, b)	min((type)(a), (type)(b))
#define max_t(type, a, b)	max((type)(a), (type)(b))

#endif
