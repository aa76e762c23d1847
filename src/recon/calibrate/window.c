/* SPDX-License-Identifier: BSD-3-Clause */
/* Hann windows over the middle of k-space: up to the radius beyond which fewer than half of the cells are
 * sampled, or over a block of a Cartesian grid. */
#include "recon/calibrate/calibrate.h"

#include <math.h>
#include "base/memory.h"
#include "base/pi.h"
#include "base/whole.h"

/* Computes the position of each sample, per axis in units of k-space's half width; the ellipsoid's surface
 * has radius 1. */
static argand_status positions(const argand_sense *s, const recon_points *at, double *k[3], double *radius)
{
    for (int axis = 0; axis < s->grid.rank; axis++) {
        TRY(numbers_of_array(at->k[axis], &k[axis]));
        for (int64_t i = 0; i < at->count && s->grid.n[axis] > 1; i++) {
            const double part = k[axis][i] / (0.5 * (double)s->grid.n[axis]);
            radius[i] += part * part;
        }
    }
    for (int64_t i = 0; i < at->count; i++) radius[i] = sqrt(radius[i]);
    return ARGAND_OK;
}

enum { SHELLS = 16 };

/* Marks the cells of the sampling theorem (one cycle per field of view wide) that hold a sample. */
static void mark_cells(const argand_sense *s, double *const k[3], int64_t count, char *cells)
{
    for (int64_t i = 0; i < count; i++) {
        int64_t at = 0;
        for (int axis = s->grid.rank - 1; axis >= 0; axis--) {
            const int64_t n = s->grid.n[axis];
            at = at * n + whole(floor(k[axis][i] + 0.5) + (double)(n / 2), 0, n - 1);
        }
        cells[at] = 1;
    }
}

static int shell_of(const int64_t n[3], int64_t at)
{
    const int64_t place[3] = {at % n[0], at / n[0] % n[1], at / (n[0] * n[1])};
    double square = 0;
    for (int axis = 0; axis < 3; axis++) {
        const double part = (double)(place[axis] - n[axis] / 2) / (0.5 * (double)n[axis]);
        if (n[axis] > 1) square += part * part;
    }
    return square < 1 ? (int)(sqrt(square) * SHELLS) : SHELLS;
}

/* Returns the radius of the region in which at least half of the cells hold a sample, shell by shell. The
 * first `least` shells are not tested. */
static double dense_radius(const argand_sense *s, const char *cells, int least)
{
    double marked[SHELLS + 1] = {0}, all[SHELLS + 1] = {0};
    const int64_t *n = s->grid.n;
    for (int64_t at = 0; at < n[0] * n[1] * n[2]; at++) {
        const int shell = shell_of(n, at);
        all[shell]++;
        marked[shell] += cells[at];
    }
    for (int shell = least; shell < SHELLS; shell++)
        if (marked[shell] < 0.5 * all[shell]) return (double)shell / SHELLS;
    return 1;
}

argand_status calibrate_radius(const argand_sense *s, const recon_points *at, double least, double *most)
{
    double *k[3] = {NULL}, *radius = NULL;
    char *cells = NULL;
    argand_status status;
    TRY_OR_DONE(NEW(radius, at->count));
    TRY_OR_DONE(NEW(cells, s->grid.n[0] * s->grid.n[1] * s->grid.n[2]));
    TRY_OR_DONE(positions(s, at, k, radius));
    mark_cells(s, k, at->count, cells);
    *most = dense_radius(s, cells, (int)(least * SHELLS));
done:
    for (int axis = 0; axis < 3; axis++) memory_free(k[axis]);
    memory_free(cells);
    memory_free(radius);
    return status;
}

argand_status calibrate_window(const argand_sense *s, const recon_points *at, double most, argand_array **out)
{
    double *k[3] = {NULL}, *radius = NULL;
    argand_status status;
    TRY_OR_DONE(NEW(radius, at->count));
    TRY_OR_DONE(positions(s, at, k, radius));
    for (int64_t i = 0; i < at->count; i++)
        radius[i] = most >= 1 ? 1 : radius[i] < most ? 0.5 + 0.5 * cos(PI * radius[i] / most) : 0;
    status = array_of_numbers(s, radius, at->count, out);
done:
    for (int axis = 0; axis < 3; axis++) memory_free(k[axis]);
    memory_free(radius);
    return status;
}

static double hann_at(double k, double middle, double half)
{
    const double u = fabs(k - middle) / half;
    return u < 1 ? 0.5 + 0.5 * cos(PI * u) : 0;
}

argand_status calibrate_block_window(const argand_sense *s, const recon_points *at, const recon_block *block,
                                     argand_array **out)
{
    double *k = NULL, *window = NULL;
    argand_status status;
    TRY_OR_DONE(NEW(window, at->count));
    for (int64_t i = 0; i < at->count; i++) window[i] = 1;
    for (int axis = 0; axis < s->grid.rank; axis++) {
        const int64_t size = block->size[axis], n = s->grid.n[axis];
        if (size == n) continue; /* nothing is cut off along this axis */
        TRY_OR_DONE(numbers_of_array(at->k[axis], &k));
        const double middle = (double)(block->first[axis] - n / 2) + 0.5 * (double)(size - 1);
        for (int64_t i = 0; i < at->count; i++) window[i] *= hann_at(k[i], middle, 0.5 * (double)(size + 1));
        memory_free(k);
        k = NULL;
    }
    status = array_of_numbers(s, window, at->count, out);
done:
    memory_free(k);
    memory_free(window);
    return status;
}
