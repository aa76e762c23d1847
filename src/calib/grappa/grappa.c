/* SPDX-License-Identifier: BSD-3-Clause */
/* Plans of GRAPPA: arguments, the calibration region, the window. */
#include "calib/grappa/grappa.h"

#include <argand/calib.h>
#include <math.h>
#include <string.h>
#include "mri/host.h"

/* ---- the calibration region */

/* Where calibration data lie in an array. */
typedef struct region_place {
    const argand_array *array;
    int64_t n[3], origin[3];
} region_place;

static argand_status find_region(argand_grappa *g, region_place *c, const argand_array *kspace,
                                 const argand_array *given)
{
    int64_t coils;
    *c = (region_place){.array = given ? given : kspace};
    TRY(calib_coil_shape(c->array, given ? "GRAPPA: the calibration" : "GRAPPA: k-space", c->n, &coils));
    CHECK(coils == g->coils, ARGAND_ARGUMENT, "GRAPPA: the calibration has %lld coils, k-space %lld",
          (long long)coils, (long long)g->coils);
    TRY(calib_check_finite(c->array, given ? "GRAPPA: the calibration" : "GRAPPA: k-space"));
    for (int axis = 0; axis < 3; axis++) g->region[axis] = c->n[axis];
    if (given) return ARGAND_OK;
    TRY(argand_calibration_region(g->region, kspace, 0));
    for (int axis = 0; axis < 3; axis++) c->origin[axis] = c->n[axis] / 2 - g->region[axis] / 2;
    return ARGAND_OK;
}

/* Loads the region in double precision, scaled by its largest number, with zeros around it along y and z:
 * patches that reach beyond the region are equations too. With few calibration lines they keep the weights
 * of distant lines small. */
static argand_status load_region(double **data, const argand_grappa *g, const region_place *c)
{
    double *all, largest = 0;
    const int64_t *m = g->region, *n = c->n, *half = g->patterns.half, lines = m[1] * m[2] * g->coils;
    const int64_t height = m[1] + 2 * half[1], depth = m[2] + 2 * half[2];
    const int64_t count = 2 * m[0] * height * depth * g->coils;
    argand_status status;
    TRY(host_read(&all, c->array));
    TRY_OR_DONE(NEW(*data, count));
    for (int64_t line = 0; line < lines; line++) {
        const int64_t y = line % m[1], z = line / m[1] % m[2], coil = line / (m[1] * m[2]);
        const double *from =
            all + 2 * (((coil * n[2] + z + c->origin[2]) * n[1] + y + c->origin[1]) * n[0] + c->origin[0]);
        memcpy(*data + 2 * m[0] * ((coil * depth + z + half[2]) * height + y + half[1]), from,
               (size_t)(2 * m[0]) * sizeof *from);
    }
    for (int64_t i = 0; i < count; i++) largest = fmax(largest, fabs((*data)[i]));
    CHECK_OR_DONE(largest > 0, ARGAND_ARGUMENT, "GRAPPA: the calibration region holds no signal");
    for (int64_t i = 0; i < count; i++) (*data)[i] /= largest;
done:
    memory_free(all);
    return status;
}

/* ---- the window */

/* Returns the half size along an axis that fits the distance of acquired samples: two lines on either side
 * of a single undersampled axis. Along several, and for masks of points, which have a pattern for nearly
 * every sample, smaller windows hold as many sources. */
static int64_t wanted_half(const grappa_mask *m, int axis)
{
    enum { MOST_OF_SEVERAL = 4, MOST_OF_POINTS = 3 };
    const int64_t gap = m->gap[axis];
    const bool alone = m->gap[0] * m->gap[1] * m->gap[2] == gap;
    if (m->n[axis] == 1) return 0;
    if (m->gap[0] > 1) return gap == 1 ? 1 : gap < MOST_OF_POINTS ? gap : MOST_OF_POINTS;
    if (axis == 0) return 2;
    return gap == 1 ? 1 : alone ? 2 * gap - 1 : gap < MOST_OF_SEVERAL ? gap : MOST_OF_SEVERAL;
}

static int64_t count_equations(const argand_grappa *g, const int64_t half[3])
{
    const int64_t places = g->region[0] - 2 * half[0];
    return places > 0 ? places * g->region[1] * g->region[2] : 0;
}

/* Returns true if the window is short enough for the region along y and z. */
static bool fits(const argand_grappa *g, const int64_t half[3])
{
    for (int axis = 1; axis < 3; axis++)
        if (half[axis] > 0 && 4 * (2 * half[axis] + 1) > 3 * g->region[axis]) return false;
    return true;
}

static argand_status find_patterns(argand_grappa *g, const int64_t half[3])
{
    grappa_patterns_free(&g->patterns);
    return grappa_patterns_find(&g->patterns, &g->mask, half);
}

/* Makes the window smaller along its longest axis that may be: not below one line on either side. Returns
 * false if no axis is left. */
static bool shrink(const argand_grappa *g, int64_t half[3], const int *given)
{
    int longest = -1;
    for (int axis = 0; axis < 3; axis++) {
        const int64_t least = g->mask.gap[axis] > 1 ? g->mask.gap[axis] - 1 : 0;
        if (!given[axis] && half[axis] > least && (longest < 0 || half[axis] >= half[longest]))
            longest = axis;
    }
    if (longest >= 0) half[longest]--;
    return longest >= 0;
}

/* Finds the window and its patterns: as given, or as large as leaves more equations than unknowns. */
static argand_status choose_window(argand_grappa *g, const int *given)
{
    int64_t half[3], taps = 1;
    for (int axis = 0; axis < 3; axis++) {
        /* there are zeros around the region along y and z, but not along x */
        const int64_t gap = g->mask.gap[axis], by_gap = g->mask.n[axis] > 1 ? 2 * gap - 1 : 1,
                      by_window = g->mask.n[axis] == 1 ? 0
                                  : axis               ? given[axis] / 2
                                                       : given[axis],
                      least = by_gap > by_window ? by_gap : by_window;
        CHECK(g->region[axis] >= least, ARGAND_ARGUMENT,
              "GRAPPA: the calibration region of %lld x %lld x %lld samples is too small for lines that are "
              "%lld apart: along axis %d it needs at least %lld; acquire more calibration lines",
              (long long)g->region[0], (long long)g->region[1], (long long)g->region[2], (long long)gap, axis,
              (long long)least);
    }
    for (int axis = 0; axis < 3; axis++) {
        CHECK(given[axis] >= 0 && (given[axis] % 2 == 1 || !given[axis]), ARGAND_ARGUMENT,
              "GRAPPA: a window of %d samples along axis %d: give an odd number, or 0 for the default",
              given[axis], axis);
        half[axis] = g->mask.n[axis] == 1 ? 0 : given[axis] ? given[axis] / 2 : wanted_half(&g->mask, axis);
        taps *= 2 * half[axis] + 1;
        CHECK(taps <= GRAPPA_MOST_TAPS, ARGAND_UNSUPPORTED, "GRAPPA: a window of more than %d positions",
              GRAPPA_MOST_TAPS);
    }
    do {
        g->equations = count_equations(g, half);
        if (!g->equations || !fits(g, half)) continue;
        TRY(find_patterns(g, half));
        if (g->equations >= g->patterns.most * g->coils) return ARGAND_OK;
    } while (shrink(g, half, given));
    return find_patterns(g, half);
}

/* ---- plans */

static argand_status take_covariance(argand_grappa *g, const argand_array *covariance)
{
    double trace = 0;
    if (!covariance) return ARGAND_OK;
    CHECK(argand_array_type(covariance) == ARGAND_C64 && argand_array_rank(covariance) == 2 &&
              argand_array_dim(covariance, 0) == g->coils && argand_array_dim(covariance, 1) == g->coils,
          ARGAND_ARGUMENT, "GRAPPA: the noise covariance must be c64 {coils, coils}");
    TRY(host_read(&g->covariance, covariance));
    for (int64_t i = 0; i < g->coils; i++) trace += g->covariance[2 * (i + g->coils * i)];
    CHECK(isfinite(trace) && trace > 0, ARGAND_ARGUMENT, "GRAPPA: the noise covariance has a trace of %g",
          trace);
    for (int64_t i = 0; i < 2 * g->coils * g->coils; i++) g->covariance[i] *= (double)g->coils / trace;
    return ARGAND_OK;
}

static argand_status prepare(argand_grappa *g, const argand_array *kspace, const argand_array *given,
                             const argand_grappa_options *o)
{
    int64_t n[3];
    region_place c;
    double *data = NULL;
    argand_status status;
    TRY(calib_coil_shape(kspace, "GRAPPA: k-space", n, &g->coils));
    TRY(calib_check_finite(kspace, "GRAPPA: k-space"));
    CHECK(isfinite(o->regularization), ARGAND_ARGUMENT, "GRAPPA: a regularization of %g", o->regularization);
    g->regularization = o->regularization == 0 ? 0.01 : o->regularization > 0 ? o->regularization : 0;
    g->threads = argand_device_threads(argand_array_device(kspace));
    TRY(take_covariance(g, o->covariance));
    TRY(grappa_mask_find(&g->mask, kspace, n, g->coils));
    TRY(find_region(g, &c, kspace, given));
    TRY(choose_window(g, o->kernel));
    TRY_OR_DONE(load_region(&data, g, &c));
    status = grappa_gram_make(g, data);
done:
    memory_free(data);
    return status;
}

argand_status argand_grappa_create(argand_grappa **grappa, const argand_array *kspace,
                                   const argand_array *calibration, const argand_grappa_options *options)
{
    static const argand_grappa_options defaults = {0};
    if (grappa) *grappa = NULL;
    CHECK(grappa, ARGAND_ARGUMENT, "argand_grappa_create: grappa is NULL");
    CHECK_ARRAY(kspace);
    TRY(NEW(*grappa, 1));
    const argand_status status = prepare(*grappa, kspace, calibration, options ? options : &defaults);
    if (status) {
        argand_grappa_destroy(*grappa);
        *grappa = NULL;
    }
    return status;
}

void argand_grappa_describe(const argand_grappa *g, argand_grappa_info *info)
{
    if (!info) return;
    *info = (argand_grappa_info){0};
    if (!g) return;
    for (int axis = 0; axis < 3; axis++) {
        info->kernel[axis] = (int)(2 * g->patterns.half[axis] + 1);
        info->calibration[axis] = g->region[axis];
    }
    info->equations = g->equations;
    info->unknowns = g->patterns.most * g->coils;
    info->patterns = g->patterns.count;
    info->missing = g->patterns.missing;
    info->filled = g->patterns.filled;
}

void argand_grappa_destroy(argand_grappa *g)
{
    if (!g) return;
    grappa_weights_free(g);
    grappa_patterns_free(&g->patterns);
    memory_free(g->mask.there);
    memory_free(g->gram.re);
    memory_free(g->gram.im);
    memory_free(g->covariance);
    memory_free(g);
}
