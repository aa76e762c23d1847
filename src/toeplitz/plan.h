/* SPDX-License-Identifier: BSD-3-Clause */
/* Data of a Toeplitz normal operator: T = sum_k D_k^H Q_k D_k over shots and nodes in time. Q_k is a
 * circular convolution on a grid of at least 2n - 1 points per axis; its spectrum is real, because its
 * kernel is Hermitian. D_k is a diagonal: mask, phase of the shot, exp(-z tau).
 *
 * There are four engines. "subspace" serves kernels with factors on all devices (subspace_engine.c). "cpu"
 * runs its own passes over the doubled grid (passes.h). "whole" serves other devices if there is one
 * kernel without diagonal: one FFT plan with windows and a product at the spectrum. "fft" serves all other
 * cases and works on about n points per axis: a spectrum of 2m points consists of the even frequencies, an
 * m-point transform of x, and the odd ones, an m-point transform of x exp(-i pi n / m). A transform on the
 * doubled grid is thus 2^rank transforms of the image's size ("parities"), which can use the same memory
 * one after the other and compute nothing for the zeros of the padding. The order of the spectrum depends
 * on the engine. */
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
    bool on_host;                 /* engine "cpu" */
    bool is_whole;                /* engine "whole" */
    int images;                   /* more than 0: engine "subspace", with the layout of "whole" */
    bool is_complex;              /* factors have imaginary parts */
    int64_t grid[3];              /* size of the convolution */
    int64_t half[3];              /* m; 1 with a grid of 1 if n is 1; for the engine "whole" the image size */
    int bits[3];                  /* bits of each axis in the number of a parity; 0 if n is 1 */
    int parities;                 /* 2^(number of doubled axes) */
    int shots, segments, kernels; /* kernels = shots times segments; engine "subspace": see toeplitz_pair */
    double segment_error;
    /* real, including the factor 1 / (grid points): {half..., parities, kernels}; engine "whole":
     * {grid...}; engine "cpu": {last, axes before it..., kernels} of the grid */
    argand_array *spectrum;
    argand_array *space;  /* D: complex {pixels, kernels}; NULL: all 1 */
    argand_array *phases; /* exp(-i pi x / m): complex, n[0] + n[1] + n[2] elements */
};

argand_toeplitz *toeplitz_keep(argand_toeplitz *t);

/* kernel.c: computes the spectra; space.c: the diagonals. nodes: on the host's device; without terms if
 * there is no field */
argand_status toeplitz_make_spectrum(argand_toeplitz *t, const toeplitz_input *input,
                                     const segments_doubled *nodes, double tolerance);
/* Returns the index in t->spectrum of the frequency at grid point (x, y, z) of a kernel. */
int64_t toeplitz_place(const argand_toeplitz *t, const int64_t at[3]);
argand_status toeplitz_make_space(argand_toeplitz *t, const toeplitz_input *input,
                                  const segments_doubled *nodes);
argand_status toeplitz_make_phases(argand_toeplitz *t);

/* Returns the number of the kernel with weights w Re(conj(f_k) f_l), k <= l, of a subspace of `images`
 * images; those with imaginary parts, k < l, follow them. */
static inline int toeplitz_pair(int images, int k, int l)
{
    return k * images - k * (k - 1) / 2 + l - k;
}

static inline bool toeplitz_is_double(const argand_toeplitz *t)
{
    return t->type == ARGAND_C64;
}

static inline argand_type toeplitz_real(const argand_toeplitz *t)
{
    return toeplitz_is_double(t) ? ARGAND_R64 : ARGAND_R32;
}

#endif
