/* SPDX-License-Identifier: BSD-3-Clause */
/* Interpolates a volume at the voxel positions of another grid in the patient. */
#include <argand/io.h>
#include <complex.h>
#include <math.h>
#include <string.h>
#include "base/memory.h"
#include "base/status.h"

/* Size and position of a volume. */
typedef struct regrid_place {
    int64_t n[3];
    argand_geometry geometry;
} regrid_place;

/* Maps voxel indices v of one grid to voxel coordinates in another: origin + matrix v. */
typedef struct between {
    double origin[3], matrix[3][3];
} between;

static void column(double to[3], const argand_geometry *g, int axis)
{
    const double *direction = axis == 0 ? g->read : axis == 1 ? g->phase : g->slice;
    for (int i = 0; i < 3; i++) to[i] = direction[i] * g->voxel[axis];
}

/* Sets `rows` to the inverse of the matrix whose columns are the steps from voxel to voxel. */
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

/* Returns true if the point is in the grid or at most half a voxel beyond its edge. */
static bool is_inside(const regrid_place *x, const double at[3])
{
    bool inside = true;
    for (int d = 0; d < 3; d++)
        inside = inside && at[d] > -0.5 - 1e-6 && at[d] < (double)x->n[d] - 0.5 + 1e-6;
    return inside;
}

/* Interpolates trilinearly between the eight neighbours, or returns the nearest one. */
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

/* Interpolates `from` on the grid of `to`. Voxels of `to` outside of `from` become 0; returns their
 * number. */
static int64_t regrid(double complex *to, const regrid_place *to_place, const double complex *from,
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

static regrid_place place_of(const argand_array *array, const argand_geometry *geometry)
{
    return (regrid_place){
        {argand_array_dim(array, 0), argand_array_dim(array, 1), argand_array_dim(array, 2)}, *geometry};
}

static bool is_storage(const argand_array *array)
{
    return argand_array_type(array) < ARGAND_R32 || argand_array_type(array) > ARGAND_C64;
}

static bool is_complex(const argand_array *array)
{
    return argand_array_type(array) == ARGAND_C32 || argand_array_type(array) == ARGAND_C64;
}

static argand_status check(const argand_array *to, const argand_geometry *to_place, const argand_array *from,
                           const argand_geometry *from_place)
{
    CHECK(to && from && to_place && from_place, ARGAND_ARGUMENT, "argand_array_regrid: a pointer is NULL");
    CHECK(to_place->valid && from_place->valid, ARGAND_ARGUMENT,
          "argand_array_regrid: the %s has no place in the patient", to_place->valid ? "input" : "output");
    CHECK(!is_storage(to) && !is_storage(from), ARGAND_UNSUPPORTED,
          "argand_array_regrid: from %s to %s; storage types are not resampled",
          argand_type_name(argand_array_type(from)), argand_type_name(argand_array_type(to)));
    CHECK(is_complex(to) == is_complex(from), ARGAND_ARGUMENT,
          "argand_array_regrid: from %s to %s; both must be real, or both complex",
          argand_type_name(argand_array_type(from)), argand_type_name(argand_array_type(to)));
    for (int axis = 3; axis < ARGAND_MAX_RANK; axis++)
        CHECK(argand_array_dim(to, axis) == argand_array_dim(from, axis), ARGAND_ARGUMENT,
              "argand_array_regrid: dimension %d is %lld in the input, %lld in the output", axis,
              (long long)argand_array_dim(from, axis), (long long)argand_array_dim(to, axis));
    return ARGAND_OK;
}

/* Makes an array on the host with the shape of another. */
static argand_status like(argand_array **wide, argand_device *host, argand_type type, const argand_array *of)
{
    int64_t dims[ARGAND_MAX_RANK];
    for (int axis = 0; axis < ARGAND_MAX_RANK; axis++) dims[axis] = argand_array_dim(of, axis);
    return argand_array_create(wide, host, type, argand_array_rank(of), dims);
}

static argand_status write_result(argand_array *to, const argand_array *wide, argand_device *host)
{
    argand_array *real;
    if (is_complex(to)) return argand_array_copy(to, wide);
    TRY(like(&real, host, ARGAND_R64, wide));
    argand_status status = argand_array_real(real, wide);
    if (status == ARGAND_OK) status = argand_array_copy(to, real);
    argand_array_destroy(real);
    return status;
}

argand_status argand_array_regrid(argand_array *to, const argand_geometry *to_place, const argand_array *from,
                                  const argand_geometry *from_place, bool nearest, int64_t *outside)
{
    argand_device *host = NULL;
    argand_array *x = NULL, *y = NULL;
    argand_status status;
    TRY(check(to, to_place, from, from_place));
    TRY_OR_DONE(argand_device_open(&host, "cpu"));
    TRY_OR_DONE(like(&x, host, ARGAND_C64, from));
    TRY_OR_DONE(like(&y, host, ARGAND_C64, to));
    TRY_OR_DONE(argand_array_copy(x, from));
    TRY_OR_DONE(argand_device_wait(host));
    const regrid_place here = place_of(to, to_place), there = place_of(from, from_place);
    const int64_t volume = here.n[0] * here.n[1] * here.n[2], step = there.n[0] * there.n[1] * there.n[2];
    int64_t beyond = 0;
    for (int64_t i = 0; i < argand_array_count(to) / volume; i++)
        beyond = regrid((double complex *)argand_array_data(y) + i * volume, &here,
                        (double complex *)argand_array_data(x) + i * step, &there, nearest);
    if (outside) *outside = beyond;
    status = write_result(to, y, host);
done:
    argand_array_destroy(y);
    argand_array_destroy(x);
    argand_device_close(host);
    return status;
}

double argand_geometry_distance(const argand_geometry *a, const int64_t a_n[3], const argand_geometry *b,
                                const int64_t b_n[3])
{
    if (!a || !b || !a_n || !b_n) return 0;
    double most = 0;
    for (int corner = 0; corner < 8; corner++) {
        double between_them[3], square = 0;
        for (int i = 0; i < 3; i++) between_them[i] = a->centre[i] - b->centre[i];
        for (int axis = 0; axis < 3; axis++) {
            const int64_t last = a_n[axis] - 1;
            const double v = (double)((corner >> axis & 1 ? last : 0) - a_n[axis] / 2);
            double one[3], other[3];
            column(one, a, axis);
            column(other, b, axis);
            for (int i = 0; i < 3; i++) between_them[i] += v * (one[i] - other[i]);
        }
        for (int i = 0; i < 3; i++) square += between_them[i] * between_them[i];
        most = fmax(most, sqrt(square));
    }
    return most;
}
