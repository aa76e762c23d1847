/* SPDX-License-Identifier: BSD-3-Clause */
/* A multigrid V-cycle for the Laplace equation on a part of a grid, which preconditions the continuation
 * of field maps (Braess, Computing 55:379, 1995). */
#include "calib/field/harmonic.h"

#include <string.h>
#include "base/memory.h"

/* Levels of fewer than WORTH_THREADS pixels use one thread. The coarsest level has at most COARSEST
 * pixels, and SWEEPS sweeps solve it. */
enum { WORTH_THREADS = 1 << 15, COARSEST = 32, SWEEPS = 16 };

static int64_t stride_of(const harmonic_level *l, int axis)
{
    return axis == 0 ? 1 : axis == 1 ? l->n[0] : l->plane;
}

static argand_status make_level(harmonic_level *l, const int64_t n[3])
{
    enum { ARRAYS = 6 };
    for (int axis = 0; axis < 3; axis++) l->n[axis] = n[axis];
    l->plane = n[0] * n[1];
    l->count = l->plane * n[2];
    const int64_t each = l->count + 2 * l->plane;
    TRY(memory_new(&l->block, memory_product((size_t)each, ARRAYS), sizeof *l->block));
    float *next = l->block + l->plane;
    float **const arrays[ARRAYS] = {&l->edge[0], &l->edge[1], &l->edge[2], &l->own, &l->x, &l->b};
    for (int i = 0; i < ARRAYS; i++, next += each) *arrays[i] = next;
    return ARGAND_OK;
}

/* ---- the finest level ---- */

static void couple_row(harmonic_level *l, const char *mask, int64_t row)
{
    const int64_t place[2] = {row % l->n[1], row / l->n[1]}, first = row * l->n[0];
    for (int64_t i = first; i < first + l->n[0]; i++) {
        if (mask[i]) continue;
        for (int axis = 0; axis < 3; axis++) {
            const int64_t at = axis ? place[axis - 1] : i - first, stride = stride_of(l, axis);
            const bool more = at + 1 < l->n[axis];
            l->own[i] += (float)((at > 0) + more);
            if (more) l->edge[axis][i] = !mask[i + stride];
        }
    }
}

static void couple(harmonic_level *l, const char *mask, int threads)
{
#pragma omp parallel for schedule(static) num_threads(threads) if (l->count > WORTH_THREADS)
    for (int64_t row = 0; row < l->n[1] * l->n[2]; row++) couple_row(l, mask, row);
}

/* ---- coarser ones ---- */

/* Adds the contribution of a row of fine pixels to the coarse level. A coupling between two fine pixels
 * of one coarse pixel cancels. It is part of both their diagonals, and both parts are subtracted. */
static void add_row(harmonic_level *coarse, const harmonic_level *fine, int64_t j, int64_t k)
{
    const int64_t first = (k * fine->n[1] + j) * fine->n[0],
                  target = (k / 2 * coarse->n[1] + j / 2) * coarse->n[0];
    for (int64_t i = 0; i < fine->n[0]; i++) {
        const int64_t from = first + i, to = target + i / 2, place[3] = {i, j, k};
        coarse->own[to] += fine->own[from] / 2;
        for (int axis = 0; axis < 3; axis++) {
            const float edge = fine->edge[axis][from];
            if (place[axis] % 2)
                coarse->edge[axis][to] += edge / 2;
            else
                coarse->own[to] -= edge;
        }
    }
}

static void add_up(harmonic_level *coarse, const harmonic_level *fine, int threads)
{
#pragma omp parallel for schedule(static) num_threads(threads) if (fine->count > WORTH_THREADS)
    for (int64_t row = 0; row < coarse->n[1] * coarse->n[2]; row++) {
        const int64_t j = row % coarse->n[1] * 2, k = row / coarse->n[1] * 2;
        for (int64_t part = 0; part < 4; part++)
            if (j + part % 2 < fine->n[1] && k + part / 2 < fine->n[2])
                add_row(coarse, fine, j + part % 2, k + part / 2);
    }
}

argand_status harmonic_make(harmonic *h, const char *mask, const int64_t n[3], int threads)
{
    *h = (harmonic){.levels = 1, .threads = threads};
    TRY(make_level(&h->level[0], n));
    couple(&h->level[0], mask, threads);
    while (h->level[h->levels - 1].count > COARSEST && h->levels < HARMONIC_MOST_LEVELS) {
        const harmonic_level *fine = &h->level[h->levels - 1];
        const int64_t half[3] = {(fine->n[0] + 1) / 2, (fine->n[1] + 1) / 2, (fine->n[2] + 1) / 2};
        TRY(make_level(&h->level[h->levels], half));
        add_up(&h->level[h->levels++], fine, threads);
    }
    return ARGAND_OK;
}

void harmonic_release(harmonic *h)
{
    for (int i = 0; i < HARMONIC_MOST_LEVELS; i++) memory_free(h->level[i].block);
}

/* ---- the cycle ---- */

/* Returns the value of x that solves the equation of a pixel for the present neighbours. */
static inline float relaxed(const harmonic_level *l, int64_t i)
{
    const float *x = l->x + i;
    const int64_t row = l->n[0], plane = l->plane;
    const float *ex = l->edge[0] + i, *ey = l->edge[1] + i, *ez = l->edge[2] + i;
    const float sum = l->b[i] + ex[-1] * x[-1] + ex[0] * x[1] + ey[-row] * x[-row] + ey[0] * x[row] +
                      ez[-plane] * x[-plane] + ez[0] * x[plane];
    return l->own[i] > 0 ? sum / l->own[i] : 0;
}

/* Relaxes every other pixel: those whose coordinates have an even or an odd sum. */
static void relax(const harmonic_level *l, int odd, int threads)
{
#pragma omp parallel for schedule(static) num_threads(threads) if (l->count > WORTH_THREADS)
    for (int64_t row = 0; row < l->n[1] * l->n[2]; row++) {
        const int64_t first = row * l->n[0], start = (row / l->n[1] + row % l->n[1] + odd) % 2;
        for (int64_t i = first + start; i < first + l->n[0]; i += 2) l->x[i] = relaxed(l, i);
    }
}

/* Adds the residual of a row to the coarse level. After the pixels with an odd sum are relaxed, only those
 * with an even sum have a residual. */
static void restrict_row(const harmonic_level *fine, float *to, int64_t j, int64_t k)
{
    const int64_t first = (k * fine->n[1] + j) * fine->n[0];
    for (int64_t i = (j + k) % 2; i < fine->n[0]; i += 2)
        to[i / 2] += fine->own[first + i] * (relaxed(fine, first + i) - fine->x[first + i]);
}

static void restrict_residual(const harmonic_level *fine, harmonic_level *coarse, int threads)
{
#pragma omp parallel for schedule(static) num_threads(threads) if (fine->count > WORTH_THREADS)
    for (int64_t row = 0; row < coarse->n[1] * coarse->n[2]; row++) {
        const int64_t j = row % coarse->n[1] * 2, k = row / coarse->n[1] * 2;
        float *to = coarse->b + row * coarse->n[0];
        memset(to, 0, (size_t)coarse->n[0] * sizeof *to);
        for (int64_t part = 0; part < 4; part++)
            if (j + part % 2 < fine->n[1] && k + part / 2 < fine->n[2])
                restrict_row(fine, to, j + part % 2, k + part / 2);
    }
}

static void prolong(const harmonic_level *coarse, harmonic_level *fine, int threads)
{
#pragma omp parallel for schedule(static) num_threads(threads) if (fine->count > WORTH_THREADS)
    for (int64_t row = 0; row < fine->n[1] * fine->n[2]; row++) {
        const int64_t j = row % fine->n[1], k = row / fine->n[1], first = row * fine->n[0];
        const float *from = coarse->x + (k / 2 * coarse->n[1] + j / 2) * coarse->n[0];
        for (int64_t i = 0; i < fine->n[0]; i++)
            if (fine->own[first + i] > 0) fine->x[first + i] += from[i / 2];
    }
}

static void cycle(harmonic *h, int at)
{
    harmonic_level *l = &h->level[at];
    const bool is_last = at + 1 == h->levels;
    memset(l->x, 0, (size_t)l->count * sizeof *l->x);
    for (int i = 0; i < (is_last ? SWEEPS : 1); i++) {
        relax(l, 0, h->threads);
        relax(l, 1, h->threads);
    }
    if (!is_last) {
        restrict_residual(l, &h->level[at + 1], h->threads);
        cycle(h, at + 1);
        prolong(&h->level[at + 1], l, h->threads);
    }
    for (int i = 0; i < (is_last ? SWEEPS : 1); i++) {
        relax(l, 1, h->threads);
        relax(l, 0, h->threads);
    }
}

void harmonic_cycle(harmonic *h)
{
    cycle(h, 0);
}
