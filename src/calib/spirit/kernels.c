/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels of SPIRiT. With B = sum x x^H + lambda over all patches x of the calibration region, the weights
 * that predict element t of a patch by all others are -P_st / P_tt, where P is the inverse of B (the block
 * inverse). One factorisation therefore serves all coils, and s = t gives the -1 of G - I. */
#include "calib/spirit/spirit.h"

#include <math.h>

static argand_status make_gram(hermitian_planes *gram, const spirit_kernels *k, const double *data,
                               int threads)
{
    const int64_t n = k->taps * k->coils;
    patch_set set = {.coils = k->coils, .data = data, .threads = threads};
    for (int axis = 0; axis < 3; axis++) {
        set.region[axis] = k->region[axis];
        set.kernel[axis] = k->size[axis];
    }
    TRY(memory_new(&gram->re, memory_product((size_t)n, (size_t)n), sizeof *gram->re));
    TRY(memory_new(&gram->im, memory_product((size_t)n, (size_t)n), sizeof *gram->im));
    return patches_gram(&set, true, *gram);
}

/* Adds lambda, relative to the Frobenius norm over the rows, to the diagonal. */
static void regularize(hermitian_planes gram, int64_t n, double regularization)
{
    double squares = 0;
    for (int64_t i = 0; i < n * n; i++) squares += gram.re[i] * gram.re[i] + gram.im[i] * gram.im[i];
    for (int64_t i = 0; i < n; i++) gram.re[i * n + i] += regularization * sqrt(squares) / (double)n;
}

/* Turns column t of the inverse into the weights of coil t. */
static void put(double *weights, hermitian_planes inverse, int64_t n, int64_t coil, int64_t t)
{
    const double *re = inverse.re + coil * n, *im = inverse.im + coil * n;
    for (int64_t i = 0; i < n; i++) {
        weights[2 * (coil * n + i)] = -re[i] / re[t];
        weights[2 * (coil * n + i) + 1] = -im[i] / re[t];
    }
}

argand_status spirit_learn(spirit_kernels *k, const double *data, double regularization, int threads)
{
    const int64_t n = k->taps * k->coils, centre = k->taps / 2;
    hermitian_planes gram = {0}, columns = {0};
    argand_status status;
    TRY_OR_DONE(make_gram(&gram, k, data, threads));
    regularize(gram, n, regularization);
    TRY_OR_DONE(NEW(columns.re, n * k->coils));
    TRY_OR_DONE(NEW(columns.im, n * k->coils));
    TRY_OR_DONE(NEW(k->weights, 2 * n * k->coils));
    for (int64_t c = 0; c < k->coils; c++) columns.re[c * n + centre + k->taps * c] = 1;
    if (hermitian_solve(gram, n, columns, k->coils)) {
        status = status_set(ARGAND_NUMERIC, "SPIRiT: samples of the calibration region depend on each other: "
                                            "give a regularization");
        goto done;
    }
    for (int64_t c = 0; c < k->coils; c++) put(k->weights, columns, n, c, centre + k->taps * c);
    status = ARGAND_OK;
done:
    memory_free(gram.re);
    memory_free(gram.im);
    memory_free(columns.re);
    memory_free(columns.im);
    return status;
}
