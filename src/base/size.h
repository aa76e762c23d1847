/* SPDX-License-Identifier: BSD-3-Clause */
/* Sizes computed from numbers of a file or a caller, in integers with overflow checks. A double would
 * round such products, and a cast from a double can give any value. */
#ifndef BASE_SIZE_H
#define BASE_SIZE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Set *result to a * b or a + b; return false on overflow, with *result = SIZE_MAX, which no allocation
 * can satisfy. */
static inline bool size_multiply(size_t *result, size_t a, size_t b)
{
    const bool fits = !__builtin_mul_overflow(a, b, result);
    if (!fits) *result = SIZE_MAX;
    return fits;
}

static inline bool size_add(size_t *result, size_t a, size_t b)
{
    const bool fits = !__builtin_add_overflow(a, b, result);
    if (!fits) *result = SIZE_MAX;
    return fits;
}

/* Sets *count to the product of the dimensions; returns false if a dimension is below 1 or the product
 * exceeds int64_t. */
static inline bool size_of_shape(int64_t *count, const int64_t *dims, int rank)
{
    *count = 1;
    for (int d = 0; d < rank; d++)
        if (dims[d] < 1 || __builtin_mul_overflow(*count, dims[d], count)) return false;
    return true;
}

#endif
