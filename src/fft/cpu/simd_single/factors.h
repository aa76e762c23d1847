/* SPDX-License-Identifier: BSD-3-Clause */
/* How a length is cut: into a matrix, and each of its dimensions into radices. */
#ifndef FFT_CPU_SIMD_SINGLE_FACTORS_H
#define FFT_CPU_SIMD_SINGLE_FACTORS_H

#include <stdint.h>

enum { SIMD_SINGLE_MOST_FACTORS = 32 };

typedef struct simd_single_factors {
    int count;
    int radix[SIMD_SINGLE_MOST_FACTORS];
} simd_single_factors;

/* The cheapest radices for transforms of n points; returns what they cost. */
double simd_single_factor(int64_t n, simd_single_factors *f);
/* The cheapest matrix for a line of n, which is no prime; returns its cost in cycles. */
double simd_single_split(int64_t n, int64_t lanes, int64_t *rows, int64_t *columns);

#endif
