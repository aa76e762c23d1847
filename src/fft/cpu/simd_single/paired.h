/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines in memory that are not multiplied, and rotated by half a line if at all, in vectors of pairs
 * (paired.c): two or three stages of one function each, or one function. */
#ifndef FFT_CPU_SIMD_SINGLE_PAIRED_H
#define FFT_CPU_SIMD_SINGLE_PAIRED_H

#include "base/status.h"
#include "base/text.h"
#include <stdbool.h>
#include <stdint.h>

typedef struct simd_single_paired simd_single_paired;

/* Nanoseconds of a line on a Zen 5 at 4.1 GHz; 0 where lines are not done in this way. */
double simd_single_paired_cost(bool is_double, int64_t n);

/* Whether lines can be moved by half at both ends: `moved` of simd_single_paired_run (kernels.h) */
bool simd_single_paired_moves(const simd_single_paired *paired, int moved);

/* *paired is NULL where the cost is 0. */
argand_status simd_single_paired_make(simd_single_paired **paired, bool is_double, int64_t n);
void simd_single_paired_release(simd_single_paired *paired); /* NULL is allowed */
size_t simd_single_paired_work_bytes(const simd_single_paired *paired);
void simd_single_paired_run(const simd_single_paired *paired, void *out, const void *in, void *work,
                            int inverse, double factor, int moved);
void simd_single_paired_print(const simd_single_paired *paired, text *t);

#endif
