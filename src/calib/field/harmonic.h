/* SPDX-License-Identifier: BSD-3-Clause */
/* A symmetric multigrid V-cycle for the discrete Laplace equation on a part of a grid, as a preconditioner:
 * pixels outside of the part hold given values (or 0, for corrections), the grid's rim has none beyond it.
 * Coarse pixels are 2 x 2 x 2 (2 x 2) fine ones together, whose couplings are added: any shape of the part
 * will do. Half of the sum is taken, as such coarse pixels are too stiff by the ratio of the spacings
 * (Braess, Computing 55:379, 1995). Smoothed by red-black Gauss-Seidel, which gives the same for any number
 * of threads. */
#ifndef CALIB_HARMONIC_H
#define CALIB_HARMONIC_H

#include <stdbool.h>
#include <stdint.h>
#include "base/status.h"

/* Arrays begin a plane behind their blocks and end one before, so that neighbours need no case of their own:
 * what would lie beyond the grid has a coupling of 0. */
typedef struct harmonic_level {
    int64_t n[3], plane, count;
    float *edge[3]; /* coupling of a pixel to the next one along an axis, where both are free */
    float *own;     /* sum of a free pixel's couplings, those to given values too; 0: not free */
    float *x, *b;   /* own x - sum of coupling times neighbour = b */
    float *block;
} harmonic_level;

enum { HARMONIC_MOST_LEVELS = 32 };
typedef struct harmonic {
    int levels, threads;
    harmonic_level level[HARMONIC_MOST_LEVELS];
} harmonic;

/* Free are the pixels where mask is 0. Release it whatever is returned. */
argand_status harmonic_make(harmonic *h, const char *mask, const int64_t n[3], int threads);
void harmonic_release(harmonic *h);

/* level[0].x = about the solution for level[0].b; b is kept. */
void harmonic_cycle(harmonic *h);

#endif
