/* SPDX-License-Identifier: BSD-3-Clause */
/* Density weights as areas of Voronoi cells inside the convex hull of the samples (Rasche, Proksa, Sinkus,
 * Boernert, Eggers, IEEE Trans. Med. Imaging 18:385, 1999). Each cell is cut out of a rectangle by the
 * bisectors with its neighbours. These are found ring by ring in a grid of buckets, until no other point
 * can reach the cell. Cells are independent of each other: there is no triangulation that rounding could
 * break, and they can be computed in any order. */
#include "calib/density/cells.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "mri/host.h"

/* Points closer than this part of the extent count as one. */
static const double SAME = 1e-7;

static int by_rounded(const voronoi_point *p, const voronoi_point *q)
{
    if (p->column != q->column) return p->column < q->column ? -1 : 1;
    return (p->row > q->row) - (p->row < q->row);
}

static int by_place(const void *a, const void *b)
{
    const voronoi_point *p = a, *q = b;
    const int order = by_rounded(p, q);
    return order ? order : (p->index > q->index) - (p->index < q->index);
}

static int by_value(const void *a, const void *b)
{
    const voronoi_point *p = a, *q = b;
    if (p->x != q->x) return p->x < q->x ? -1 : 1;
    return (p->y > q->y) - (p->y < q->y);
}

/* Sorts the points and merges equal ones. owner[i] is the position of sample i, sharing the number of
 * samples at a position. The positions are also the first `count` elements of `points`. */
static void merge(voronoi_task *t, voronoi_point *points)
{
    qsort(points, (size_t)t->samples, sizeof *points, by_place);
    t->count = 0;
    for (int64_t i = 0; i < t->samples; i++) {
        const voronoi_point p = points[i];
        if (i == 0 || by_rounded(&p, &points[t->count - 1]) != 0) {
            t->x[t->count] = p.x;
            t->y[t->count] = p.y;
            t->sharing[t->count] = 0;
            points[t->count] = p;
            points[t->count].index = t->count;
            t->count++;
        }
        t->owner[p.index] = t->count - 1;
        t->sharing[t->count - 1]++;
    }
}

/* Returns twice the area of the triangle a, b, c; positive if the corners turn left. */
static double cross_product(const voronoi_task *t, int64_t a, int64_t b, int64_t c)
{
    return (t->x[b] - t->x[a]) * (t->y[c] - t->y[a]) - (t->y[b] - t->y[a]) * (t->x[c] - t->x[a]);
}

/* Finds the hull by Andrew's monotone chain over the positions sorted by x, then y. The sort uses exact
 * numbers: after a sort by rounded numbers, edges may run backwards, and they would cut off cells. */
static void find_hull(voronoi_task *t, voronoi_point *places)
{
    int64_t *h = t->hull, k = 0;
    qsort(places, (size_t)t->count, sizeof *places, by_value);
    for (int64_t i = 0; i < t->count; i++) {
        while (k >= 2 && cross_product(t, h[k - 2], h[k - 1], places[i].index) <= 0) k--;
        h[k++] = places[i].index;
    }
    for (int64_t i = t->count - 2, lower = k + 1; i >= 0; i--) {
        while (k >= lower && cross_product(t, h[k - 2], h[k - 1], places[i].index) <= 0) k--;
        h[k++] = places[i].index;
    }
    t->corners = k - 1; /* the last point equals the first */
    t->area = 0;
    for (int64_t i = 1; i + 1 < t->corners; i++) t->area += cross_product(t, h[0], h[i], h[i + 1]) / 2;
}

static argand_status take_points(voronoi_task *t, const double *kx, const double *ky)
{
    voronoi_point *points;
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (int64_t i = 0; i < t->samples; i++) {
        low[0] = fmin(low[0], kx[i]);
        high[0] = fmax(high[0], kx[i]);
        low[1] = fmin(low[1], ky[i]);
        high[1] = fmax(high[1], ky[i]);
    }
    const double extent = fmax(high[0] - low[0], high[1] - low[1]), step = extent > 0 ? SAME * extent : 1;
    TRY(NEW(points, t->samples));
    for (int64_t i = 0; i < t->samples; i++)
        points[i] = (voronoi_point){llrint((kx[i] - low[0]) / step), llrint((ky[i] - low[1]) / step), i,
                                    kx[i], ky[i]};
    merge(t, points);
    const argand_status status = NEW(t->hull, 2 * t->count + 2);
    if (!status && t->count >= 3) find_hull(t, points);
    memory_free(points);
    for (int axis = 0; axis < 2; axis++) {
        t->low[axis] = low[axis];
        t->high[axis] = high[axis];
    }
    return status;
}

/* Makes buckets of about two points each, as lists one after the other. */
static argand_status fill_buckets(voronoi_task *t)
{
    const double width = t->high[0] - t->low[0], height = t->high[1] - t->low[1];
    t->bucket_width = sqrt(2 * width * height / (double)t->count);
    t->columns = whole(width / t->bucket_width, 0, t->count) + 1;
    t->rows = whole(height / t->bucket_width, 0, t->count) + 1;
    TRY(NEW(t->start, t->columns * t->rows + 1));
    TRY(NEW(t->list, t->count));
    for (int64_t i = 0; i < t->count; i++) t->start[voronoi_bucket(t, t->x[i], t->y[i]) + 1]++;
    for (int64_t b = 0; b < t->columns * t->rows; b++) t->start[b + 1] += t->start[b];
    for (int64_t i = t->count - 1; i >= 0;
         i--) { /* lists are filled from the end, which moves their starts to the front */
        const int64_t b = voronoi_bucket(t, t->x[i], t->y[i]);
        t->list[--t->start[b + 1]] = i;
    }
    /* start[b + 1] is now where bucket b begins: shift back */
    for (int64_t b = 0; b < t->columns * t->rows; b++) t->start[b] = t->start[b + 1];
    t->start[t->columns * t->rows] = t->count;
    return ARGAND_OK;
}

static argand_status prepare(voronoi_task *t, const double *kx, const double *ky)
{
    TRY(NEW(t->x, t->samples));
    TRY(NEW(t->y, t->samples));
    TRY(NEW(t->owner, t->samples));
    TRY(NEW(t->sharing, t->samples));
    TRY(take_points(t, kx, ky));
    const double width = t->high[0] - t->low[0], height = t->high[1] - t->low[1];
    CHECK(t->count >= 3 && fmin(width, height) > SAME * fmax(width, height) &&
              t->area > 1e-9 * width * height,
          ARGAND_ARGUMENT,
          "density: %lld different positions that span no area; Voronoi cells need a trajectory in two "
          "dimensions",
          (long long)t->count);
    TRY(fill_buckets(t));
    return NEW(t->cells, t->count);
}

static void task_free(voronoi_task *t)
{
    memory_free(t->cells);
    memory_free(t->list);
    memory_free(t->start);
    memory_free(t->hull);
    memory_free(t->sharing);
    memory_free(t->owner);
    memory_free(t->y);
    memory_free(t->x);
}

/* Writes the areas as weights with a sum of 1. Samples at one position share its cell. */
static argand_status write_weights(argand_array *weights, const voronoi_task *t)
{
    double *w, sum = 0;
    TRY(NEW(w, t->samples));
    for (int64_t i = 0; i < t->count; i++) sum += t->cells[i];
    for (int64_t i = 0; i < t->samples; i++)
        w[i] = t->cells[t->owner[i]] / ((double)t->sharing[t->owner[i]] * sum);
    const argand_status status = host_write_real(weights, w);
    memory_free(w);
    return status;
}

static argand_status check_points(const argand_array *weights, argand_array *const k[2])
{
    CHECK_ARRAY(weights);
    CHECK(k && k[0] && k[1], ARGAND_ARGUMENT, "density: Voronoi cells need two arrays of positions");
    CHECK(!type_is_complex(argand_array_type(weights)), ARGAND_ARGUMENT, "density: weights must be real");
    for (int axis = 0; axis < 2; axis++) {
        bool finite;
        CHECK(!type_is_complex(argand_array_type(k[axis])) &&
                  argand_array_count(k[axis]) == argand_array_count(weights),
              ARGAND_ARGUMENT, "density: positions of axis %d must be real, one for each of %lld weights",
              axis, (long long)argand_array_count(weights));
        TRY(argand_array_is_finite(&finite, k[axis]));
        CHECK(finite, ARGAND_NUMERIC, "density: a position of axis %d is not finite", axis);
    }
    return ARGAND_OK;
}

argand_status argand_density_voronoi(argand_array *weights, argand_array *const k[2], double *area)
{
    double *kx = NULL, *ky = NULL;
    argand_status status;
    TRY(check_points(weights, k));
    voronoi_task t = {.samples = argand_array_count(weights)};
    TRY_OR_DONE(host_read(&kx, k[0]));
    TRY_OR_DONE(host_read(&ky, k[1]));
    TRY_OR_DONE(prepare(&t, kx, ky));
    TRY_OR_DONE(voronoi_cells(&t, argand_device_threads(argand_array_device(weights))));
    if (area) *area = t.area;
    status = write_weights(weights, &t);
done:
    task_free(&t);
    memory_free(ky);
    memory_free(kx);
    return status;
}
