/* SPDX-License-Identifier: BSD-3-Clause */
/* Voronoi cells, see voronoi.c. Each cell is a polygon relative to its own point, so that small cells far
 * from the origin lose no digits. */
#include "calib/density/cells.h"

#include <math.h>
#include <stdlib.h>
#include "base/observe.h"

/* A convex polygon, with memory for one corner more than all bisectors and the hull can make. */
typedef struct polygon {
    int64_t count;
    double *x, *y, *next_x, *next_y;
} polygon;

/* Keeps the part of the polygon with a x + b y <= c. */
static void cut(polygon *p, double a, double b, double c)
{
    int64_t kept = 0;
    for (int64_t i = 0; i < p->count; i++) {
        const int64_t j = i + 1 < p->count ? i + 1 : 0;
        const double here = a * p->x[i] + b * p->y[i] - c, there = a * p->x[j] + b * p->y[j] - c;
        if (here <= 0) {
            p->next_x[kept] = p->x[i];
            p->next_y[kept++] = p->y[i];
        }
        if ((here < 0 && there > 0) || (here > 0 && there < 0)) {
            const double part = here / (here - there);
            p->next_x[kept] = p->x[i] + part * (p->x[j] - p->x[i]);
            p->next_y[kept++] = p->y[i] + part * (p->y[j] - p->y[i]);
        }
    }
    double *const x = p->x, *const y = p->y;
    p->x = p->next_x;
    p->y = p->next_y;
    p->next_x = x;
    p->next_y = y;
    p->count = kept;
}

/* Returns the squared distance to the farthest corner. */
static double reach(const polygon *p)
{
    double most = 0;
    for (int64_t i = 0; i < p->count; i++) most = fmax(most, p->x[i] * p->x[i] + p->y[i] * p->y[i]);
    return most;
}

static void cut_by_bucket(const voronoi_task *t, int64_t self, int64_t column, int64_t row, polygon *p,
                          double *most)
{
    const int64_t bucket = row * t->columns + column;
    for (int64_t i = t->start[bucket]; i < t->start[bucket + 1]; i++) {
        const int64_t other = t->list[i];
        const double dx = t->x[other] - t->x[self], dy = t->y[other] - t->y[self], square = dx * dx + dy * dy;
        if (other == self || square > 4 * *most) continue; /* the bisector does not reach the cell */
        cut(p, dx, dy, square / 2);
        *most = reach(p);
    }
}

/* Cuts the cell by the points of all buckets at a distance of `ring` buckets from its own. */
static void cut_by_ring(const voronoi_task *t, int64_t self, int64_t ring, polygon *p, double *most)
{
    const int64_t column = voronoi_column(t, t->x[self]), row = voronoi_row(t, t->y[self]);
    for (int64_t r = row - ring; r <= row + ring; r++) {
        if (r < 0 || r >= t->rows) continue;
        const int64_t step = r == row - ring || r == row + ring || ring == 0 ? 1 : 2 * ring;
        for (int64_t c = column - ring; c <= column + ring; c += step)
            if (c >= 0 && c < t->columns) cut_by_bucket(t, self, c, r, p, most);
    }
}

static void cut_by_hull(const voronoi_task *t, int64_t self, polygon *p)
{
    for (int64_t i = 0; i < t->corners && p->count > 0; i++) {
        const int64_t a = t->hull[i], b = t->hull[i + 1 < t->corners ? i + 1 : 0];
        const double ex = t->x[b] - t->x[a], ey = t->y[b] - t->y[a];
        /* points outside are to the right of the edge: ey x - ex y > ey x_a - ex y_a */
        cut(p, ey, -ex, ey * (t->x[a] - t->x[self]) - ex * (t->y[a] - t->y[self]));
    }
}

/* Returns true if a point is inside the hull: between two rays from the first corner, found by bisection,
 * and behind the edge. */
static bool in_hull(const voronoi_task *t, double x, double y)
{
    const double x0 = t->x[t->hull[0]], y0 = t->y[t->hull[0]];
    int64_t low = 1, high = t->corners - 1;
    while (high - low > 1) {
        const int64_t middle = (low + high) / 2, m = t->hull[middle];
        if ((t->x[m] - x0) * (y - y0) - (t->y[m] - y0) * (x - x0) >= 0)
            low = middle;
        else
            high = middle;
    }
    const int64_t corner[3] = {t->hull[0], t->hull[low], t->hull[high]};
    for (int i = 0; i < 3; i++) {
        const int64_t a = corner[i], b = corner[(i + 1) % 3];
        if ((t->x[b] - t->x[a]) * (y - t->y[a]) - (t->y[b] - t->y[a]) * (x - t->x[a]) < 0) return false;
    }
    return true;
}

static bool inside(const voronoi_task *t, int64_t self, const polygon *p)
{
    for (int64_t i = 0; i < p->count; i++)
        if (!in_hull(t, t->x[self] + p->x[i], t->y[self] + p->y[i])) return false;
    return true;
}

static double area(const polygon *p)
{
    double sum = 0;
    for (int64_t i = 0; i < p->count; i++) {
        const int64_t j = i + 1 < p->count ? i + 1 : 0;
        sum += p->x[i] * p->y[j] - p->x[j] * p->y[i];
    }
    return fmax(0, sum / 2);
}

/* Number of rings before the cell is cut by the hull. A cell at the rim is large at first and would be
 * compared with all points; the hull shrinks it early. */
enum { RINGS_BEFORE_HULL = 3 };

static double cell(const voronoi_task *t, int64_t self, polygon *p)
{
    const double x = t->x[self], y = t->y[self], left = t->low[0] - x, right = t->high[0] - x;
    const double bottom = t->low[1] - y, top = t->high[1] - y;
    const int64_t rings = t->columns > t->rows ? t->columns : t->rows;
    const double corners[4][2] = {{left, bottom}, {right, bottom}, {right, top}, {left, top}};
    bool hull_done = false;
    for (int i = 0; i < 4; i++) {
        p->x[i] = corners[i][0];
        p->y[i] = corners[i][1];
    }
    p->count = 4;
    double most = reach(p);
    for (int64_t ring = 0; ring <= rings; ring++) {
        /* Lower bound of the distance to the ring's points. */
        const double nearest = (double)(ring - 1) * t->bucket_width;
        if (ring > 1 && nearest * nearest > 4 * most) break;
        if (ring == RINGS_BEFORE_HULL) {
            if (!inside(t, self, p)) cut_by_hull(t, self, p);
            hull_done = true;
            most = reach(p);
        }
        cut_by_ring(t, self, ring, p, &most);
    }
    if (!hull_done && !inside(t, self, p)) cut_by_hull(t, self, p);
    return area(p);
}

argand_status voronoi_cells(voronoi_task *t, int threads)
{
    const int workers = threads < t->count ? threads : (int)t->count;
    const int64_t capacity = t->count + t->corners + 8;
    atomic_bool cancelled = false;
    double *memory;
    TRY(NEW(memory, 4 * capacity * workers));
#pragma omp parallel for schedule(static) num_threads(workers)
    for (int worker = 0; worker < workers; worker++) {
        double *const own = memory + 4 * capacity * worker;
        polygon p = {0, own, own + capacity, own + 2 * capacity, own + 3 * capacity};
        for (int64_t i = worker; i < t->count && !observe_within(&cancelled); i += workers)
            t->cells[i] = cell(t, i, &p);
    }
    memory_free(memory);
    return observe_end(&cancelled);
}
