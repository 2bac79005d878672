/* SPDX-License-Identifier: GPL-2.0 */
#include "../../../../../include/asm-generic/copy_words.h"
