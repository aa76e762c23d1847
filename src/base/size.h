/* SPDX-License-Identifier: BSD-3-Clause */
/* Sizes made of numbers that a file or a caller gives: whole numbers throughout, and no step that does not
 * fit goes unseen. A double rounds such products, and what is cast from one may be anything. */
#ifndef BASE_SIZE_H
#define BASE_SIZE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* *result = a * b, a + b; false where that does not fit (*result is SIZE_MAX then, which no memory has). */
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

/* *count = the product of the dimensions, each of which must be at least 1; false where one is not or the
 * product does not fit int64_t. */
static inline bool size_of_shape(int64_t *count, const int64_t *dims, int rank)
{
    *count = 1;
    for (int d = 0; d < rank; d++)
        if (dims[d] < 1 || __builtin_mul_overflow(*count, dims[d], count)) return false;
    return true;
}

#endif
