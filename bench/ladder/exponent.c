/* SPDX-License-Identifier: BSD-3-Clause */
/* The twiddle exponents of a decimation in time whose points are in order. */
#include "ladder.h"

int ladder_exponent(int k, int p, int bits)
{
    int q = 0;
    for (int bit = 0; bit < bits - 1; bit++) q |= (k >> (bits - p) >> bit & 1) << (bits - 2 - bit);
    return q;
}
