/* SPDX-License-Identifier: BSD-3-Clause */
/* What within.c is made of, compiled for each precision and instruction set. Cells: LANES real parts, LANES
 * imaginary ones; all numbers below count them or complex numbers. */
#ifndef FFT_WITHIN_KERNELS_H
#define FFT_WITHIN_KERNELS_H

#include <stdint.h>
#include "base/cpu.h"

enum { WITHIN_MOST_RADIX = 16 };

/* The first stage of a transform of `length` points of which point i is LANES interleaved numbers at in + i
 * row, or `lanes` of them where that is less; to `length` cells. Parts are exchanged if `exchange`. */
typedef void within_first(void *to, const void *in, int64_t length, int64_t row, int64_t lanes, int exchange);
/* The stage that makes transforms of `done` points to such of done radix, on `length` cells. */
typedef void within_stage(void *to, const void *from, const void *turns, int64_t length, int64_t done);
/* The last stage: done radix = length. Cell k goes to interleaved numbers at out + k row. */
typedef void within_last(void *out, const void *from, const void *turns, int64_t length, int64_t row,
                         int64_t lanes, int exchange, double factor);
/* A block of LANES cells turned (number i of cell j becomes number j of cell i) and multiplied by the cells
 * `turns`. */
typedef void within_turn(void *to, const void *from, const void *turns);
/* A whole transform of up to WITHIN_MOST_RADIX points. */
typedef void within_whole(void *out, const void *in, int exchange, double factor);

typedef struct within_kernels {
    int64_t lanes;
    within_first *first[WITHIN_MOST_RADIX + 1]; /* [radix], from 2 */
    within_stage *stage[WITHIN_MOST_RADIX + 1];
    within_last *last[WITHIN_MOST_RADIX + 1];
    within_turn *turn;
} within_kernels;

CPU_DECLARE(const within_kernels *, fft_within_kernels, void);
CPU_DECLARE(within_whole *, fft_within_whole, int64_t n);

#endif
