/* SPDX-License-Identifier: BSD-3-Clause */
/* Volumes in the gradients that the scanner has: where each voxel's signal was seen, and how much the
 * gradients stretched it there, computed once for all volumes. */
#include "unwarp/unwarp.h"

#include <math.h>
#include <stdatomic.h>
#include "array/array.h"
#include "base/memory.h"
#include "base/observe.h"

enum { BLOCK = 4096 }; /* voxels between two looks for an interruption */

/* Where the signal of a voxel is in the image, in voxels, and the factor of its intensity; 0: nowhere. */
typedef struct source {
    double at[3], factor;
} source;

/* A volume's grid in the system of the gradients: position = origin + steps v, in mm. */
typedef struct grid {
    int64_t n[3], count;
    double origin[3], steps[3][3], inverse[3][3];
    harmonics field;
    argand_unwarp_options options;
    int threads;
} grid;

/* The axes of the gradients in LPS are the patient's, with these signs. */
static const double signs[4][3] = {[ARGAND_PATIENT_HFS] = {1, -1, -1},
                                   [ARGAND_PATIENT_HFP] = {-1, 1, -1},
                                   [ARGAND_PATIENT_FFS] = {-1, -1, 1},
                                   [ARGAND_PATIENT_FFP] = {1, 1, 1}};

static double determinant(const double a[3][3])
{
    return a[0][0] * (a[1][1] * a[2][2] - a[1][2] * a[2][1]) -
           a[0][1] * (a[1][0] * a[2][2] - a[1][2] * a[2][0]) +
           a[0][2] * (a[1][0] * a[2][1] - a[1][1] * a[2][0]);
}

/* Returns false if the steps do not span space. */
static bool invert(double inverse[3][3], const double a[3][3])
{
    const double whole = determinant(a);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const int r = (j + 1) % 3, s = (j + 2) % 3, c = (i + 1) % 3, e = (i + 2) % 3;
            inverse[i][j] = (a[r][c] * a[s][e] - a[r][e] * a[s][c]) / whole;
            if (!isfinite(inverse[i][j])) return false;
        }
    return true;
}

static argand_status grid_make(grid *g, const argand_array *image, const argand_geometry *geometry)
{
    const double *axes[3] = {geometry->read, geometry->phase, geometry->slice};
    const double *sign = signs[g->options.position];
    g->count = 1;
    for (int d = 0; d < 3; d++) g->count *= g->n[d] = argand_array_dim(image, d);
    for (int i = 0; i < 3; i++) {
        g->origin[i] = sign[i] * geometry->centre[i];
        for (int d = 0; d < 3; d++) {
            g->steps[i][d] = sign[i] * axes[d][i] * geometry->voxel[d];
            g->origin[i] -= g->steps[i][d] * (double)(g->n[d] / 2);
        }
    }
    CHECK(isfinite(g->origin[0] + g->origin[1] + g->origin[2]) && invert(g->inverse, g->steps),
          ARGAND_ARGUMENT, "unwarp: the image's directions do not span space");
    if (g->n[2] == 1) g->options.in_plane = true;
    return ARGAND_OK;
}

/* Sets `to` to the derivative of the source's voxel coordinates by the voxel's: 1 + inverse jacobian
 * steps. */
static void derivative(double to[3][3], const grid *g, const double jacobian[9])
{
    double half[3][3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            half[i][j] = 0;
            for (int k = 0; k < 3; k++) half[i][j] += jacobian[3 * i + k] * g->steps[k][j];
        }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            to[i][j] = i == j;
            for (int k = 0; k < 3; k++) to[i][j] += g->inverse[i][k] * half[k][j];
        }
}

static bool is_inside(const grid *g, const double at[3])
{
    bool inside = true;
    for (int d = 0; d < 3; d++)
        inside = inside && at[d] > -0.5 - 1e-6 && at[d] < (double)g->n[d] - 0.5 + 1e-6;
    return inside;
}

/* What the voxels of a block add to the report. */
typedef struct extent {
    double displacement, least, most;
    int64_t outside, folded;
} extent;

static void find_source(source *s, extent *e, const grid *g, int64_t i)
{
    const double v[3] = {(double)(i % g->n[0]), (double)(i / g->n[0] % g->n[1]),
                         (double)(i / (g->n[0] * g->n[1]))};
    double position[3], displacement[3], jacobian[9], by[3][3], square = 0;
    for (int d = 0; d < 3; d++)
        position[d] = g->origin[d] + g->steps[d][0] * v[0] + g->steps[d][1] * v[1] + g->steps[d][2] * v[2];
    harmonics_at(&g->field, position, displacement, jacobian);
    derivative(by, g, jacobian);
    for (int d = 0; d < 3; d++) {
        s->at[d] = v[d];
        for (int k = 0; k < 3 && !(d == 2 && g->options.in_plane); k++)
            s->at[d] += g->inverse[d][k] * displacement[k];
        square += displacement[d] * displacement[d];
    }
    const double stretch = g->options.in_plane ? by[0][0] * by[1][1] - by[0][1] * by[1][0] : determinant(by);
    const bool inside = is_inside(g, s->at), folded = !(stretch > 0);
    s->factor = inside && !folded ? (g->options.keep_intensity ? 1 : stretch) : 0;
    for (int d = 0; d < 3; d++) s->at[d] = fmin(fmax(s->at[d], 0), (double)(g->n[d] - 1));
    e->displacement = fmax(e->displacement, sqrt(square));
    e->folded += folded;
    e->outside += !inside && !folded;
    if (s->factor == 0) return;
    e->least = fmin(e->least, s->factor);
    e->most = fmax(e->most, s->factor);
}

static argand_status find_sources(source *s, extent *all, const grid *g)
{
    atomic_bool cancelled = false;
    double displacement = 0, least = INFINITY, most = 0;
    int64_t outside = 0, folded = 0;
#pragma omp parallel for schedule(dynamic) num_threads(g->threads) reduction(max : displacement, most) \
    reduction(min : least) reduction(+ : outside, folded)
    for (int64_t b = 0; b < (g->count + BLOCK - 1) / BLOCK; b++) {
        extent e = {.least = INFINITY};
        if (observe_within(&cancelled)) continue;
        for (int64_t i = b * BLOCK; i < g->count && i < (b + 1) * BLOCK; i++) find_source(s + i, &e, g, i);
        displacement = fmax(displacement, e.displacement);
        least = fmin(least, e.least);
        most = fmax(most, e.most);
        outside += e.outside;
        folded += e.folded;
    }
    *all = (extent){displacement, most > 0 ? least : 0, most, outside, folded};
    return observe_end(&cancelled);
}

/* Writes a volume from another one, which becomes its spline's coefficients. */
static argand_status unwarp_volume(double complex *to, double complex *from, const source *s, const grid *g)
{
    const argand_unwarp_interpolation kind = g->options.interpolation;
    double complex (*const value)(const double complex *, const int64_t[3], const double[3]) =
        kind == ARGAND_UNWARP_CUBIC    ? spline_value
        : kind == ARGAND_UNWARP_LINEAR ? linear_value
                                       : nearest_value;
    atomic_bool cancelled = false;
    if (kind == ARGAND_UNWARP_CUBIC) TRY(spline_prefilter(from, g->n, g->threads));
#pragma omp parallel for schedule(dynamic) num_threads(g->threads)
    for (int64_t b = 0; b < (g->count + BLOCK - 1) / BLOCK; b++) {
        if (observe_within(&cancelled)) continue;
        for (int64_t i = b * BLOCK; i < g->count && i < (b + 1) * BLOCK; i++)
            to[i] = s[i].factor != 0 ? s[i].factor * value(from, g->n, s[i].at) : 0;
    }
    return observe_end(&cancelled);
}

static argand_status check(const argand_array *to, const argand_array *from, const argand_geometry *geometry,
                           const argand_unwarp_options *o)
{
    CHECK_ARRAY(to);
    CHECK_ARRAY(from);
    CHECK(geometry && geometry->valid, ARGAND_ARGUMENT, "unwarp: the image has no position in the patient");
    CHECK(!type_is_storage(to->type) && !type_is_storage(from->type), ARGAND_UNSUPPORTED,
          "unwarp: from %s to %s; storage types are not unwarped", argand_type_name(from->type),
          argand_type_name(to->type));
    CHECK(type_is_complex(to->type) == type_is_complex(from->type), ARGAND_ARGUMENT,
          "unwarp: from %s to %s; both must be real, or both complex", argand_type_name(from->type),
          argand_type_name(to->type));
    for (int axis = 0; axis < ARGAND_MAX_RANK; axis++)
        CHECK(argand_array_dim(to, axis) == argand_array_dim(from, axis), ARGAND_ARGUMENT,
              "unwarp: dimension %d is %lld in the input, %lld in the output", axis,
              (long long)argand_array_dim(from, axis), (long long)argand_array_dim(to, axis));
    CHECK((unsigned)o->position <= ARGAND_PATIENT_FFP, ARGAND_ARGUMENT, "unwarp: unknown position %d",
          (int)o->position);
    CHECK((unsigned)o->interpolation <= ARGAND_UNWARP_NEAREST, ARGAND_ARGUMENT,
          "unwarp: unknown interpolation %d", (int)o->interpolation);
    return ARGAND_OK;
}

/* The spline's filter runs along whole lines. */
static argand_status check_finite(const argand_array *from)
{
    bool finite;
    TRY(argand_array_is_finite(&finite, from));
    CHECK(finite, ARGAND_NUMERIC,
          "unwarp: the image has values that are not finite, which cubic interpolation would spread; choose "
          "linear or nearest, or replace them");
    return ARGAND_OK;
}

static argand_status copy_real(argand_array *to, const argand_array *wide)
{
    argand_array *real;
    TRY(argand_array_create(&real, argand_array_device(wide), ARGAND_R64, wide->rank, wide->dims));
    argand_status status = argand_array_real(real, wide);
    if (!status) status = argand_array_copy(to, real);
    argand_array_destroy(real);
    return status;
}

static argand_status run(argand_array *to, const argand_array *from, const grid *g, const source *s)
{
    argand_device *host = NULL;
    argand_array *x = NULL, *y = NULL;
    argand_status status;
    TRY_OR_DONE(argand_device_open(&host, "cpu"));
    TRY_OR_DONE(argand_array_create(&x, host, ARGAND_C64, from->rank, from->dims));
    TRY_OR_DONE(argand_array_create(&y, host, ARGAND_C64, to->rank, to->dims));
    TRY_OR_DONE(argand_array_copy(x, from));
    TRY_OR_DONE(argand_device_wait(host));
    for (int64_t i = 0; i < x->count / g->count && !status; i++)
        status = unwarp_volume((double complex *)argand_array_data(y) + i * g->count,
                               (double complex *)argand_array_data(x) + i * g->count, s, g);
    if (!status) status = type_is_complex(to->type) ? argand_array_copy(to, y) : copy_real(to, y);
done:
    argand_array_destroy(y);
    argand_array_destroy(x);
    argand_device_close(host);
    return status;
}

argand_status argand_unwarp(argand_array *to, const argand_array *from, const argand_geometry *geometry,
                            const argand_gradient_coefficients *coefficients,
                            const argand_unwarp_options *options, argand_unwarp_report *report)
{
    grid g = {.options = options ? *options : (argand_unwarp_options){0}};
    source *s = NULL;
    extent e;
    TRY(check(to, from, geometry, &g.options));
    g.threads = argand_device_threads(argand_array_device(to));
    if (g.threads < 1) g.threads = 1;
    if (g.options.interpolation == ARGAND_UNWARP_CUBIC) TRY(check_finite(from));
    argand_status status = harmonics_make(&g.field, coefficients);
    if (!status) status = grid_make(&g, from, geometry);
    if (!status) status = NEW(s, g.count);
    if (!status) status = find_sources(s, &e, &g);
    if (!status) status = run(to, from, &g, s);
    if (!status && report)
        *report =
            (argand_unwarp_report){e.displacement, e.least, e.most, e.outside, e.folded, g.options.in_plane};
    memory_free(s);
    harmonics_free(&g.field);
    return status;
}
