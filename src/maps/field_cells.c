/* SPDX-License-Identifier: BSD-3-Clause */
/* Cells of pixels and the minima of their residuals. */
#include "maps/field_start.h"

#include <math.h>
#include <stdatomic.h>

enum { SMALL = 96 }; /* images up to this width have cells of one pixel */
/* Of minima that are equally low, as those of equidistant echoes are, this part of the residual's range
 * prefers that near 0. */
static const float PREFERENCE = 1e-3f;

/* Scaled, because residuals are floats, in which squares of very small or large numbers have no place. */
static void take_pixel(const echo_data *d, int64_t i, double complex *y)
{
    for (int e = 0; e < d->echoes; e++) {
        const double *from = d->values + 2 * (e * d->pixels + i);
        y[e] = CMPLX(d->scale * from[0], d->scale * from[1]);
    }
}

/* Inserts a minimum into the list, which is sorted by cost; the last one is lost if the list is full. */
static void insert(field_cell *cell, float omega, float cost)
{
    if (cell->count == MOST_LABELS && cell->cost[MOST_LABELS - 1] <= cost) return;
    int at = cell->count < MOST_LABELS ? cell->count++ : MOST_LABELS - 1;
    for (; at > 0 && cell->cost[at - 1] > cost; at--) {
        cell->omega[at] = cell->omega[at - 1];
        cell->cost[at] = cell->cost[at - 1];
    }
    cell->omega[at] = omega;
    cell->cost[at] = cost;
}

/* Finds the minima of a curve, each refined by a parabola. */
static void find_minima(field_cell *cell, const field_curve *c, const float *residual)
{
    float least = residual[0], most = residual[0];
    int lowest = 0;
    for (int k = 1; k < c->steps; k++) {
        if (residual[k] < least) lowest = k;
        least = fminf(least, residual[k]);
        most = fmaxf(most, residual[k]);
    }
    for (int k = 1; k + 1 < c->steps; k++) {
        const float left = residual[k - 1], here = residual[k], right = residual[k + 1];
        if (!(here < left && here <= right)) continue;
        const float bend = left - 2 * here + right, moved = 0.5f * (left - right) / bend;
        const float place = (float)(2.0 * (k + (double)moved) / (c->steps - 1) - 1);
        insert(cell, (float)(c->first + (k + (double)moved) * c->step),
               here - 0.25f * (left - right) * moved + PREFERENCE * (most - least) * place * place);
        if (k == lowest) cell->stiffness = bend / (float)(c->step * c->step);
    }
    if (cell->count == 0) insert(cell, (float)(c->first + lowest * c->step), least);
}

/* Sums up the pixels of the mask in a cell. Returns their number. */
static int sum_cell(const field_grid *g, const echo_data *d, const field_curve *c, int64_t base,
                    int64_t place, double *sums)
{
    const int64_t x = place % g->n[0], y = place / g->n[0] % g->n[1], z = place / (g->n[0] * g->n[1]);
    int count = 0;
    for (int s = 0; s < curve_size(c); s++) sums[s] = 0;
    for (int64_t j = y * g->width; j < (y + 1) * g->width && j < d->n[1]; j++)
        for (int64_t i = x * g->width; i < (x + 1) * g->width && i < d->n[0]; i++) {
            const int64_t pixel = base + i + d->n[0] * (j + d->n[1] * z);
            double complex echoes[MOST_ECHOES];
            if (!d->mask[pixel]) continue;
            take_pixel(d, pixel, echoes);
            curve_add(c, echoes, sums);
            count++;
        }
    return count;
}

/* Returns true if a cell has a pixel of the mask. */
static bool is_inside(const field_grid *g, const echo_data *d, int64_t base, int64_t place)
{
    const int64_t x = place % g->n[0], y = place / g->n[0] % g->n[1], z = place / (g->n[0] * g->n[1]);
    for (int64_t j = y * g->width; j < (y + 1) * g->width && j < d->n[1]; j++)
        for (int64_t i = x * g->width; i < (x + 1) * g->width && i < d->n[0]; i++)
            if (d->mask[base + i + d->n[0] * (j + d->n[1] * z)]) return true;
    return false;
}

/* Numbers the cells and links neighbours. */
static void link_cells(field_grid *g)
{
    const int64_t strides[3] = {1, g->n[0], g->n[0] * g->n[1]}, places = strides[2] * g->n[2];
    for (int64_t place = 0; place < places; place++) {
        if (g->index[place] < 0) continue;
        field_cell *cell = &g->cells[g->index[place]];
        for (int axis = 0; axis < 3; axis++) {
            const int64_t at = place / strides[axis] % g->n[axis];
            cell->back[axis] = at > 0 ? g->index[place - strides[axis]] : -1;
            cell->next[axis] = at + 1 < g->n[axis] ? g->index[place + strides[axis]] : -1;
        }
    }
}

argand_status cells_make(field_grid *g, const echo_data *d, const field_curve *c, int64_t volume)
{
    const int64_t base = volume * d->n[0] * d->n[1] * d->n[2];
    const int width = d->n[0] > SMALL || d->n[1] > SMALL ? 2 : 1;
    *g = (field_grid){.n = {(d->n[0] + width - 1) / width, (d->n[1] + width - 1) / width, d->n[2]},
                      .width = width};
    const int64_t places = g->n[0] * g->n[1] * g->n[2];
    atomic_bool failed = false;
    TRY(NEW(g->index, places));
    for (int64_t place = 0; place < places; place++)
        g->index[place] = is_inside(g, d, base, place) ? g->count++ : -1;
    TRY(NEW(g->cells, g->count));
    link_cells(g);
#pragma omp parallel num_threads(d->threads)
    {
        double *sums = NULL;
        float *residual = NULL;
        if (NEW(sums, curve_size(c)) || NEW(residual, c->steps)) failed = true;
#pragma omp for schedule(dynamic, 64)
        for (int64_t place = 0; place < places; place++) {
            if (g->index[place] < 0 || failed) continue;
            sum_cell(g, d, c, base, place, sums);
            curve_evaluate(c, sums, residual);
            find_minima(&g->cells[g->index[place]], c, residual);
        }
        memory_free(residual);
        memory_free(sums);
    }
    CHECK(!failed, ARGAND_MEMORY, "water and fat: no memory for the residuals of a cell");
    return ARGAND_OK;
}

void cells_free(field_grid *g)
{
    memory_free(g->index);
    memory_free(g->cells);
    *g = (field_grid){0};
}

argand_status cells_least(double *least, const echo_data *d, const field_curve *c)
{
    enum { SAMPLE = 2000 };
    const int64_t stride = d->inside / SAMPLE + 1;
    double *sums = NULL;
    float *residual = NULL;
    int64_t seen = 0;
    argand_status status;
    *least = 0;
    TRY_OR_DONE(NEW(sums, curve_size(c)));
    TRY_OR_DONE(NEW(residual, c->steps));
    for (int64_t i = 0; i < d->pixels; i++) {
        double complex y[MOST_ECHOES];
        float low = INFINITY;
        if (!d->mask[i] || seen++ % stride) continue;
        for (int s = 0; s < curve_size(c); s++) sums[s] = 0;
        take_pixel(d, i, y);
        curve_add(c, y, sums);
        curve_evaluate(c, sums, residual);
        for (int k = 0; k < c->steps; k++) low = fminf(low, residual[k]);
        *least += (double)low;
    }
done:
    memory_free(residual);
    memory_free(sums);
    return status;
}
