/* SPDX-License-Identifier: BSD-3-Clause */
/* A symmetric multigrid V-cycle for the discrete Laplace equation on a part of a grid, used as a
 * preconditioner. Pixels outside the part hold given values (or 0, for corrections); there is nothing
 * beyond the edge of the grid. A coarse pixel joins 2 x 2 x 2 (2 x 2) fine ones and sums their couplings,
 * so the part may have any shape. The sum is halved, because such coarse pixels are too stiff by the ratio
 * of the spacings (Braess, Computing 55:379, 1995). Smoothing is by red-black Gauss-Seidel, which gives
 * the same result for any number of threads. */
#ifndef CALIB_HARMONIC_H
#define CALIB_HARMONIC_H

#include <stdbool.h>
#include <stdint.h>
#include "base/status.h"

/* Arrays begin one plane after the start of their blocks and end one before, so that all pixels have
 * neighbours in memory. Couplings to positions outside the grid are 0. */
typedef struct harmonic_level {
    int64_t n[3], plane, count;
    float *edge[3]; /* coupling of a pixel to the next one along an axis if both are free */
    float *own;     /* sum of a free pixel's couplings, including those to given values; 0: not free */
    float *x, *b;   /* own x - sum of coupling times neighbour = b */
    float *block;
} harmonic_level;

enum { HARMONIC_MOST_LEVELS = 32 };
typedef struct harmonic {
    int levels, threads;
    harmonic_level level[HARMONIC_MOST_LEVELS];
} harmonic;

/* Makes the levels; pixels where mask is 0 are free. The caller calls harmonic_release also after a
 * failure. */
argand_status harmonic_make(harmonic *h, const char *mask, const int64_t n[3], int threads);
void harmonic_release(harmonic *h);

/* Sets level[0].x to an approximate solution for level[0].b, which does not change. */
void harmonic_cycle(harmonic *h);

#endif
