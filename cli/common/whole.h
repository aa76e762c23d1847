/* SPDX-License-Identifier: BSD-3-Clause */
/* Converts doubles to whole numbers. A cast of a double outside the range of its type is undefined: on
 * x86, 1e19 becomes INT64_MIN. */
#ifndef CLI_WHOLE_H
#define CLI_WHOLE_H

#include <math.h>
#include <stdint.h>

/* Truncates x and limits it to `least` to `most`, which must lie within +-2^62. NaN becomes `least`. Round
 * x before if needed. */
static inline int64_t whole(double x, int64_t least, int64_t most)
{
    if (!(x > (double)least)) return least;
    return x < (double)most ? (int64_t)x : most;
}

#endif
