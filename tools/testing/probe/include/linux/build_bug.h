/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _HOST_LINUX_BUILD_BUG_H
#define _HOST_LINUX_BUILD_BUG_H

#undef static_assert
#define static_assert(cond, ...)	_Static_assert(cond, #cond)
#define BUILD_BUG_ON(cond)		_Static_assert(!(cond), #cond)

#endif
