/* SPDX-License-Identifier: BSD-3-Clause */
/* Continues a field map outside its mask by the discrete Laplace equation with given values inside. The
 * map then has no step at the mask and never exceeds the values inside. The solver is conjugate gradients
 * preconditioned by a multigrid cycle; the number of steps hardly depends on the map's size. */
#include "calib/field/field.h"

#include <math.h>
#include "base/observe.h"
#include "calib/field/harmonic.h"

/* The iteration stops at this energy of the error, relative to the error of a constant map (the mean). */
static const double tolerance = 1e-12;
enum { MOST_STEPS = 100, WORTH_THREADS = 1 << 15 };

/* Vectors begin one plane after the start of their blocks, as in harmonic.h. */
typedef struct continuation {
    harmonic grid;
    double *memory, *sums; /* sums: one per row, so that totals do not depend on the number of threads */
    double *values, *residual, *direction, *product;
    int64_t rows, width;
} continuation;

static argand_status open_continuation(continuation *c, double *values, const char *mask, const int64_t n[3],
                                       int threads)
{
    const int64_t plane = n[0] * n[1], count = plane * n[2];
    *c = (continuation){.values = values, .rows = n[1] * n[2], .width = n[0]};
    TRY(harmonic_make(&c->grid, mask, n, threads));
    TRY(NEW(c->sums, c->rows));
    TRY(NEW(c->memory, 3 * count + 2 * plane));
    c->direction = c->memory + plane;
    c->residual = c->direction + count + plane;
    c->product = c->residual + count;
    return ARGAND_OK;
}

static void close_continuation(continuation *c)
{
    memory_free(c->memory);
    memory_free(c->sums);
    harmonic_release(&c->grid);
}

static double add_sums(const continuation *c)
{
    double sum = 0;
    for (int64_t row = 0; row < c->rows; row++) sum += c->sums[row];
    return sum;
}

/* ---- the start ---- */

static void fill_with_mean(double *values, const char *mask, int64_t count)
{
    double sum = 0;
    int64_t known = 0;
    for (int64_t i = 0; i < count; i++)
        if (mask[i]) sum += values[i], known++;
    const double mean = sum / (double)(known ? known : 1);
    for (int64_t i = 0; i < count; i++)
        if (!mask[i]) values[i] = mean;
}

/* Computes the residual at the free pixels of a row: the sum of the neighbours' differences to the pixel. */
static void residual_of_row(continuation *c, int64_t row)
{
    const harmonic_level *l = &c->grid.level[0];
    const int64_t n1 = l->n[1], j = row % n1, k = row / n1, first = row * c->width;
    for (int64_t i = first; i < first + c->width; i++) {
        const double *x = c->values + i;
        double sum = 0;
        if (l->own[i] == 0) continue;
        if (i > first) sum += x[-1] - x[0];
        if (i + 1 < first + c->width) sum += x[1] - x[0];
        if (j > 0) sum += x[-c->width] - x[0];
        if (j + 1 < n1) sum += x[c->width] - x[0];
        if (k > 0) sum += x[-l->plane] - x[0];
        if (k + 1 < l->n[2]) sum += x[l->plane] - x[0];
        c->residual[i] = sum;
        l->b[i] = (float)sum;
    }
}

static void residual_of_start(continuation *c)
{
#pragma omp parallel for schedule(static) num_threads(c->grid.threads) if (c->rows * c->width > WORTH_THREADS)
    for (int64_t row = 0; row < c->rows; row++) residual_of_row(c, row);
}

/* ---- steps ---- */

/* Computes product = A direction, and returns <direction, A direction>. */
static double apply_laplacian(continuation *c)
{
    const harmonic_level *l = &c->grid.level[0];
    const int64_t width = c->width, plane = l->plane;
#pragma omp parallel for schedule(static) num_threads(c->grid.threads) if (c->rows * c->width > WORTH_THREADS)
    for (int64_t row = 0; row < c->rows; row++) {
        double sum = 0;
        for (int64_t i = row * width; i < (row + 1) * width; i++) {
            const double *p = c->direction + i;
            const float *ex = l->edge[0] + i, *ey = l->edge[1] + i, *ez = l->edge[2] + i;
            const double neighbours = (double)ex[-1] * p[-1] + (double)ex[0] * p[1] +
                                      (double)ey[-width] * p[-width] + (double)ey[0] * p[width] +
                                      (double)ez[-plane] * p[-plane] + (double)ez[0] * p[plane];
            c->product[i] = (double)l->own[i] * p[0] - neighbours;
            sum += c->product[i] * p[0];
        }
        c->sums[row] = sum;
    }
    return add_sums(c);
}

static void take_step(continuation *c, double alpha)
{
#pragma omp parallel for schedule(static) num_threads(c->grid.threads) if (c->rows * c->width > WORTH_THREADS)
    for (int64_t row = 0; row < c->rows; row++)
        for (int64_t i = row * c->width; i < (row + 1) * c->width; i++) {
            c->values[i] += alpha * c->direction[i];
            c->residual[i] -= alpha * c->product[i];
            c->grid.level[0].b[i] = (float)c->residual[i];
        }
}

/* Applies the multigrid cycle to the residual. Returns the inner product of residual and result, which
 * approximates the error's energy. */
static double precondition(continuation *c)
{
    harmonic_cycle(&c->grid);
    const float *z = c->grid.level[0].x;
#pragma omp parallel for schedule(static) num_threads(c->grid.threads) if (c->rows * c->width > WORTH_THREADS)
    for (int64_t row = 0; row < c->rows; row++) {
        double sum = 0;
        for (int64_t i = row * c->width; i < (row + 1) * c->width; i++) sum += c->residual[i] * (double)z[i];
        c->sums[row] = sum;
    }
    return add_sums(c);
}

/* Computes direction = z + beta direction, where z is the result of the multigrid cycle. */
static void update_direction(continuation *c, double beta)
{
    const float *z = c->grid.level[0].x;
#pragma omp parallel for schedule(static) num_threads(c->grid.threads) if (c->rows * c->width > WORTH_THREADS)
    for (int64_t row = 0; row < c->rows; row++)
        for (int64_t i = row * c->width; i < (row + 1) * c->width; i++)
            c->direction[i] = (double)z[i] + beta * c->direction[i];
}

static argand_status iterate(continuation *c)
{
    const double first = precondition(c);
    double energy = first, beta = 0;
    for (int k = 0; k < MOST_STEPS && energy > tolerance * first; k++) {
        TRY(observe("continuing the field map", log(first / energy) / log(1 / tolerance)));
        update_direction(c, beta);
        const double curvature = apply_laplacian(c);
        if (!(curvature > 0)) break;
        take_step(c, energy / curvature);
        const double before = energy;
        energy = precondition(c);
        beta = energy / before;
    }
    return ARGAND_OK;
}

argand_status field_continue(double *values, const char *mask, const int64_t n[3], int threads)
{
    continuation c;
    argand_status status = open_continuation(&c, values, mask, n, threads);
    if (status == ARGAND_OK) {
        fill_with_mean(values, mask, n[0] * n[1] * n[2]);
        residual_of_start(&c);
        status = iterate(&c);
    }
    close_continuation(&c);
    return status;
}
