/* SPDX-License-Identifier: BSD-3-Clause */
/* Whole numbers from doubles. A cast of a double that its type cannot hold is undefined: on x86 1e19 becomes
 * INT64_MIN. */
#ifndef CLI_WHOLE_H
#define CLI_WHOLE_H

#include <math.h>
#include <stdint.h>

/* x cut off to a whole number between limits within +-2^62; NaN becomes `least`. Round x before. */
static inline int64_t whole(double x, int64_t least, int64_t most)
{
    if (!(x > (double)least)) return least;
    return x < (double)most ? (int64_t)x : most;
}

#endif
