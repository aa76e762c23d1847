/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/regrid.h"

#include <math.h>

/* Voxel numbers of one grid to those of another: at = origin + matrix v. */
typedef struct between {
    double origin[3], matrix[3][3];
} between;

static void column(double to[3], const argand_geometry *g, int axis)
{
    const double *direction = axis == 0 ? g->read : axis == 1 ? g->phase : g->slice;
    for (int i = 0; i < 3; i++) to[i] = direction[i] * g->voxel[axis];
}

/* The inverse of the matrix whose columns are a voxel's steps: its rows. */
static void invert(double rows[3][3], const argand_geometry *g)
{
    double c[3][3];
    for (int axis = 0; axis < 3; axis++) column(c[axis], g, axis);
    for (int i = 0; i < 3; i++) {
        const double *a = c[(i + 1) % 3], *b = c[(i + 2) % 3];
        const double cross[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                                 a[0] * b[1] - a[1] * b[0]};
        const double volume = c[i][0] * cross[0] + c[i][1] * cross[1] + c[i][2] * cross[2];
        for (int j = 0; j < 3; j++) rows[i][j] = cross[j] / volume;
    }
}

static void relate(between *b, const regrid_place *x, const regrid_place *like)
{
    double rows[3][3], step[3];
    invert(rows, &x->geometry);
    for (int i = 0; i < 3; i++) {
        b->origin[i] = (double)(x->n[i] / 2);
        for (int j = 0; j < 3; j++)
            b->origin[i] += rows[i][j] * (like->geometry.centre[j] - x->geometry.centre[j]);
    }
    for (int axis = 0; axis < 3; axis++) {
        column(step, &like->geometry, axis);
        for (int i = 0; i < 3; i++) {
            b->matrix[i][axis] = rows[i][0] * step[0] + rows[i][1] * step[1] + rows[i][2] * step[2];
            b->origin[i] -= b->matrix[i][axis] * (double)(like->n[axis] / 2);
        }
    }
}

/* Half a voxel beyond the edge counts as the edge. */
static bool is_inside(const regrid_place *x, const double at[3])
{
    bool inside = true;
    for (int d = 0; d < 3; d++)
        inside = inside && at[d] > -0.5 - 1e-6 && at[d] < (double)x->n[d] - 0.5 + 1e-6;
    return inside;
}

/* Trilinear between the eight neighbours. */
static double complex value_at(const regrid_place *x, const double complex *v, const double at[3],
                               bool nearest)
{
    int64_t low[3];
    double part[3];
    double complex sum = 0;
    for (int d = 0; d < 3; d++) {
        const double last = (double)(x->n[d] - 1), inside = fmin(fmax(at[d], 0), last);
        low[d] = (int64_t)floor(nearest ? inside + 0.5 : inside);
        part[d] = nearest ? 0 : inside - (double)low[d];
    }
    for (int corner = 0; corner < 8; corner++) {
        double weight = 1;
        int64_t place = 0, stride = 1;
        for (int d = 0; d < 3; d++) {
            const int up = corner >> d & 1;
            weight *= up ? part[d] : 1 - part[d];
            place += (low[d] + up) * stride;
            stride *= x->n[d];
        }
        if (weight > 0) sum += weight * v[place];
    }
    return sum;
}

int64_t regrid(double complex *to, const regrid_place *to_place, const double complex *from,
               const regrid_place *from_place, bool nearest)
{
    const int64_t *n = to_place->n;
    int64_t outside = 0;
    between b;
    relate(&b, from_place, to_place);
    for (int64_t i = 0; i < n[0] * n[1] * n[2]; i++) {
        const double v[3] = {(double)(i % n[0]), (double)(i / n[0] % n[1]), (double)(i / (n[0] * n[1]))};
        double at[3];
        for (int d = 0; d < 3; d++)
            at[d] = b.origin[d] + b.matrix[d][0] * v[0] + b.matrix[d][1] * v[1] + b.matrix[d][2] * v[2];
        const bool inside = is_inside(from_place, at);
        to[i] = inside ? value_at(from_place, from, at, nearest) : 0;
        outside += !inside;
    }
    return outside;
}

double regrid_distance(const regrid_place *a, const regrid_place *b)
{
    double most = 0;
    for (int corner = 0; corner < 8; corner++) {
        double between_them[3], square = 0;
        for (int i = 0; i < 3; i++) between_them[i] = a->geometry.centre[i] - b->geometry.centre[i];
        for (int axis = 0; axis < 3; axis++) {
            const int64_t last = a->n[axis] - 1;
            const double v = (double)((corner >> axis & 1 ? last : 0) - a->n[axis] / 2);
            double one[3], other[3];
            column(one, &a->geometry, axis);
            column(other, &b->geometry, axis);
            for (int i = 0; i < 3; i++) between_them[i] += v * (one[i] - other[i]);
        }
        for (int i = 0; i < 3; i++) square += between_them[i] * between_them[i];
        most = fmax(most, sqrt(square));
    }
    return most;
}
