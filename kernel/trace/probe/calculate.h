/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Operators on two numbers, for constants.  Division is also a helper of programs, because not
 * all JITs can divide.
 */
#ifndef _PROBE_CALCULATE_H
#define _PROBE_CALCULATE_H

#include <linux/math64.h>

#include "formula.h"

/* Bits of a shift's count that are used, as the instructions of most machines do. */
#define PROBE_SHIFT_MASK	63

/* Division by -1 cannot overflow: the result has 64 bits, as that of a multiplication. */
static inline u64 probe_divide_signed(u64 a, u64 b, bool modulo)
{
	s64 quotient;

	if (b == -1ULL)
		return modulo ? 0 : -a;
	quotient = div64_s64(a, b);
	return modulo ? a - quotient * b : quotient;
}

static inline u64 probe_divide_unsigned(u64 a, u64 b, bool modulo)
{
	u64 quotient = div64_u64(a, b);

	return modulo ? a - quotient * b : quotient;
}

/* @b is not 0. */
static inline u64 probe_divide(u64 a, u64 b, bool modulo, bool is_signed)
{
	return is_signed ? probe_divide_signed(a, b, modulo) :
			   probe_divide_unsigned(a, b, modulo);
}

static inline bool probe_is_less(u64 a, u64 b, bool is_signed)
{
	return is_signed ? (s64)a < (s64)b : a < b;
}

/* The result of an operator.  The divisor is not 0. */
static inline u64 probe_math(enum probe_math op, bool is_signed, u64 a, u64 b)
{
	switch (op) {
	case PROBE_MATH_OR:
		return a | b;
	case PROBE_MATH_XOR:
		return a ^ b;
	case PROBE_MATH_AND:
		return a & b;
	case PROBE_MATH_EQ:
		return a == b;
	case PROBE_MATH_NE:
		return a != b;
	case PROBE_MATH_LT:
		return probe_is_less(a, b, is_signed);
	case PROBE_MATH_LE:
		return !probe_is_less(b, a, is_signed);
	case PROBE_MATH_GT:
		return probe_is_less(b, a, is_signed);
	case PROBE_MATH_GE:
		return !probe_is_less(a, b, is_signed);
	case PROBE_MATH_SHL:
		return a << (b & PROBE_SHIFT_MASK);
	case PROBE_MATH_SHR:
		b &= PROBE_SHIFT_MASK;
		return is_signed ? (u64)((s64)a >> b) : a >> b;
	case PROBE_MATH_ADD:
		return a + b;
	case PROBE_MATH_SUB:
		return a - b;
	case PROBE_MATH_MUL:
		return a * b;
	case PROBE_MATH_DIV:
	case PROBE_MATH_MOD:
		return probe_divide(a, b, op == PROBE_MATH_MOD, is_signed);
	}
	return 0;
}

#endif /* _PROBE_CALCULATE_H */
