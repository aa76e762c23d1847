/* SPDX-License-Identifier: BSD-3-Clause */
/* One line of an odd number of points, or twice as many, by sums of cosines and sines (sums_algorithm.c). */
#ifndef FFT_CPU_ANY_LENGTH_SUMS_H
#define FFT_CPU_ANY_LENGTH_SUMS_H

#include <stdint.h>
#include "base/cpu.h"

enum { SUMS_LEAST = 17, SUMS_MOST = 127 }; /* odd numbers of points; the least is a vector and one */

/* n: odd, or twice an odd number, between these limits. table: of the odd number m, for each vector of
 * outputs from 1 on and each j from 1 to (m - 1) / 2 a vector of cosines and one of sines of 2 pi j k / m.
 * out may be in. */
CPU_DECLARE(void, sums_line, void *out, const void *in, const void *table, int64_t n, int inverse,
            double factor);

#endif
