/* SPDX-License-Identifier: BSD-3-Clause */
/* How a length is cut: into a matrix, and a side of it into radices. */
#ifndef FFT_CPU_SIMD_SINGLE_FACTORS_H
#define FFT_CPU_SIMD_SINGLE_FACTORS_H

#include <stdint.h>

enum { WITHIN_MOST_FACTORS = 32 };

typedef struct within_factors {
    int count;
    int radix[WITHIN_MOST_FACTORS];
} within_factors;

/* The cheapest radices for transforms of n points; returns what they cost. */
double within_factor(int64_t n, within_factors *f);
/* The cheapest matrix for a line of n, which is no prime. */
void within_split(int64_t n, int64_t lanes, int64_t *rows, int64_t *columns);

#endif
