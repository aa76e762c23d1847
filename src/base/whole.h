/* SPDX-License-Identifier: BSD-3-Clause */
/* Integers from doubles. Casting a double that does not fit the type is undefined: on x86, 1e19 becomes
 * INT64_MIN. */
#ifndef BASE_WHOLE_H
#define BASE_WHOLE_H

#include <math.h>
#include <stdint.h>

/* Returns x truncated and clamped to [least, most], limits within +-2^62; NaN gives `least`. Round x
 * before the call. */
static inline int64_t whole(double x, int64_t least, int64_t most)
{
    if (!(x > (double)least)) return least;
    return x < (double)most ? (int64_t)x : most;
}

#endif
