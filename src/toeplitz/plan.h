/* SPDX-License-Identifier: BSD-3-Clause */
/* What a Toeplitz normal operator holds: T = sum_k D_k^H Q_k D_k over shots and nodes in time. Q_k is a
 * circular convolution on a grid of at least 2n - 1 points an axis; its spectrum is real, as its kernel is
 * Hermitian. D_k is a diagonal: mask, phase of the shot, exp(-z tau).
 *
 * There are three engines. "cpu" walks through the doubled grid in passes of its own (passes.h). "whole", for
 * all other devices where there is one kernel and no diagonal, is one plan of the FFT with windows and a
 * product at the spectrum. "fft", where there are more, works on about n points an axis: a spectrum of 2m
 * points is that of the even frequencies, an m-point transform of x, and that of the odd ones, an m-point
 * transform of x exp(-i pi n / m). So a
 * transform on the doubled grid is 2^rank transforms of the image's own size ("parities"), which may follow
 * one another in the same memory, and nothing is computed for the zeros of the padding. The order of the
 * spectrum is the engine's.
 */
#ifndef TOEPLITZ_PLAN_H
#define TOEPLITZ_PLAN_H

#include <argand/nufft.h>
#include <argand/fft.h>
#include <argand/toeplitz.h>
#include <stdatomic.h>
#include "segments/doubled.h"
#include "toeplitz/input.h"

struct argand_toeplitz {
    atomic_int users;
    argand_device *device;
    argand_type type;
    int rank;
    int64_t n[3], pixels, samples;
    bool on_host;    /* the engine "cpu" */
    bool is_whole;   /* the engine "whole" */
    int64_t grid[3]; /* of the convolution */
    int64_t half[3]; /* m; 1 with a grid of 1 where n is 1; the engine "whole" has images there */
    int bits[3];     /* of each axis in the number of a parity; 0 where n is 1 */
    int parities;    /* 2^(axes that are doubled) */
    int shots, segments, kernels; /* kernels: their product */
    double segment_error;
    /* real, 1 / (grid points) included: {half..., parities, kernels} or, of the engine "whole", {grid...},
     * or, on the host, with the last axis first, {last, axes before it..., kernels} of the grid */
    argand_array *spectrum;
    argand_array *space;  /* D: complex {pixels, kernels}, or NULL where all are 1 */
    argand_array *phases; /* exp(-i pi x / m): complex, n[0] + n[1] + n[2] of them */
};

argand_toeplitz *toeplitz_keep(argand_toeplitz *t);

/* kernel.c: the spectra; space.c: the diagonals. nodes: on the host's device; without terms where there is no
 * field */
argand_status toeplitz_make_spectrum(argand_toeplitz *t, const toeplitz_input *input,
                                     const segments_doubled *nodes, double tolerance);
/* Where a kernel in t->spectrum has the frequency of grid point (x, y, z) */
int64_t toeplitz_place(const argand_toeplitz *t, const int64_t at[3]);
argand_status toeplitz_make_space(argand_toeplitz *t, const toeplitz_input *input,
                                  const segments_doubled *nodes);
argand_status toeplitz_make_phases(argand_toeplitz *t);

static inline bool toeplitz_is_double(const argand_toeplitz *t)
{
    return t->type == ARGAND_C64;
}

static inline argand_type toeplitz_real(const argand_toeplitz *t)
{
    return toeplitz_is_double(t) ? ARGAND_R64 : ARGAND_R32;
}

#endif
