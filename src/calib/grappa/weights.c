/* SPDX-License-Identifier: BSD-3-Clause */
/* Weights of patterns: for the sources s and the targets t of all patches of the calibration region, (sum s
 * s^H + lambda) w = sum s t^H, a part of one Gram matrix for every pattern. */
#include "calib/grappa/grappa.h"

#include <math.h>
#include <stdatomic.h>
#include "base/observe.h"

enum { BATCH_BYTES = 128 << 20 };

argand_status grappa_gram_make(argand_grappa *g, const double *data)
{
    const int64_t size = g->patterns.taps * g->coils;
    patch_set set = {.coils = g->coils, .data = data, .threads = g->threads};
    for (int axis = 0; axis < 3; axis++) {
        set.region[axis] = g->region[axis] + (axis ? 2 * g->patterns.half[axis] : 0);
        set.kernel[axis] = 2 * g->patterns.half[axis] + 1;
    }
    TRY(memory_new(&g->gram.re, memory_product((size_t)size, (size_t)size), sizeof *g->gram.re));
    TRY(memory_new(&g->gram.im, memory_product((size_t)size, (size_t)size), sizeof *g->gram.im));
    return patches_gram(&set, true, g->gram);
}

/* The equations of one pattern. */
typedef struct equations {
    int64_t n, *rows; /* rows of the Gram matrix, coil fastest, then tap */
    hermitian_planes matrix, vectors;
} equations;

static void equations_free(equations *e)
{
    memory_free(e->rows);
    memory_free(e->matrix.re);
    memory_free(e->matrix.im);
    memory_free(e->vectors.re);
    memory_free(e->vectors.im);
}

static argand_status equations_new(equations *e, const argand_grappa *g, const unsigned char *bits,
                                   int64_t sources)
{
    int64_t count = 0;
    e->n = sources * g->coils;
    TRY(NEW(e->rows, e->n));
    TRY(NEW(e->matrix.re, e->n * e->n));
    TRY(NEW(e->matrix.im, e->n * e->n));
    TRY(NEW(e->vectors.re, e->n * g->coils));
    TRY(NEW(e->vectors.im, e->n * g->coils));
    for (int64_t tap = 0; tap < g->patterns.taps; tap++)
        for (int64_t c = 0; bits[tap] && c < g->coils; c++) e->rows[count++] = tap + g->patterns.taps * c;
    return ARGAND_OK;
}

/* Adds lambda to the diagonal, or lambda times the noise covariance to the coils of each tap. */
static void regularize(equations *e, const argand_grappa *g)
{
    const int64_t coils = g->coils;
    double squares = 0;
    for (int64_t i = 0; i < e->n * e->n; i++)
        squares += e->matrix.re[i] * e->matrix.re[i] + e->matrix.im[i] * e->matrix.im[i];
    const double lambda = g->regularization * sqrt(squares) / (double)e->n;
    for (int64_t i = 0; i < e->n; i++)
        for (int64_t d = 0; d < coils; d++) {
            const int64_t j = i - i % coils + d, at = i % coils + coils * d;
            e->matrix.re[i * e->n + j] += g->covariance ? lambda * g->covariance[2 * at]
                                          : i == j      ? lambda
                                                        : 0;
            if (g->covariance) e->matrix.im[i * e->n + j] += lambda * g->covariance[2 * at + 1];
        }
}

/* Writes the weights of solved equations, which are their conjugates. */
static void put(float *weights, const equations *e, int64_t targets)
{
    for (int64_t s = 0; s < e->n; s++)
        for (int64_t t = 0; t < targets; t++) {
            weights[2 * s * targets + t] = (float)e->vectors.re[t * e->n + s];
            weights[(2 * s + 1) * targets + t] = (float)-e->vectors.im[t * e->n + s];
        }
}

argand_status grappa_weights_of(const argand_grappa *g, const unsigned char *bits, int64_t sources,
                                float **weights)
{
    const int64_t size = g->patterns.taps * g->coils, centre = g->patterns.taps / 2;
    equations e = {0};
    argand_status status;
    TRY_OR_DONE(equations_new(&e, g, bits, sources));
    for (int64_t i = 0; i < e.n; i++)
        for (int64_t j = 0; j < e.n; j++) {
            e.matrix.re[i * e.n + j] = g->gram.re[e.rows[i] * size + e.rows[j]];
            e.matrix.im[i * e.n + j] = g->gram.im[e.rows[i] * size + e.rows[j]];
        }
    for (int64_t t = 0; t < g->coils; t++)
        for (int64_t i = 0; i < e.n; i++) {
            const int64_t at = e.rows[i] * size + centre + g->patterns.taps * t;
            e.vectors.re[t * e.n + i] = g->gram.re[at];
            e.vectors.im[t * e.n + i] = g->gram.im[at];
        }
    regularize(&e, g);
    TRY_OR_DONE(hermitian_solve(e.matrix, e.n, e.vectors, g->coils));
    TRY_OR_DONE(NEW(*weights, 2 * e.n * g->coils));
    put(*weights, &e, g->coils);
done:
    equations_free(&e);
    return status;
}

void grappa_weights_free(argand_grappa *g)
{
    for (int64_t i = 0; g->weights && i < g->count; i++) memory_free(g->weights[i]);
    memory_free(g->weights);
    g->weights = NULL;
    g->count = 0;
}

/* Returns how many patterns from `first` on a batch holds, at least one. */
static int64_t batch(const argand_grappa *g, int64_t first)
{
    int64_t bytes = 0, i = first;
    for (; i < g->patterns.count && (i == first || bytes < BATCH_BYTES); i++)
        bytes += (int64_t)(2 * sizeof(float)) * g->patterns.sources[i] * g->coils * g->coils;
    return i - first;
}

argand_status grappa_weights_make(argand_grappa *g, int64_t first)
{
    atomic_bool cancelled = false;
    argand_status status = ARGAND_OK;
    grappa_weights_free(g);
    g->first = first;
    const int64_t count = batch(g, first);
    TRY(NEW(g->weights, count));
    g->count = count;
#pragma omp parallel for schedule(dynamic) num_threads(g->threads)
    for (int64_t i = 0; i < count; i++) {
        if (observe_within(&cancelled)) continue;
        const grappa_patterns *p = &g->patterns;
        const argand_status own =
            grappa_weights_of(g, p->bits + (first + i) * p->taps, p->sources[first + i], &g->weights[i]);
#pragma omp critical(grappa_status)
        if (own) status = own;
    }
    if (status)
        return status_set(status,
                          "GRAPPA: the sources of a pattern depend on each other: give a regularization");
    return observe_end(&cancelled);
}
