/* SPDX-License-Identifier: BSD-3-Clause */
/* Sources and targets of type 3: their extents, the grid for these, points and phases for the plans. */
#include "nufft/type3.h"

#include <math.h>
#include "array/array.h"
#include "base/memory.h"
#include "base/pi.h"
#include "device/device.h"

/* Points of one side in the caller's units. cycles: what the product of both sides' units is. Positions are
 * rounded once, when they are scaled for their plan. */
typedef struct point_set {
    const char *name;   /* "source" */
    long double cycles; /* 1, or 1 / (2 pi) */
    int rank;
    int64_t count;
    double *at[3];
    double middle[3], half[3]; /* of the extents; a middle of 0 costs no phase */
} point_set;

static argand_status check_points(const point_set *s, argand_array *const at[])
{
    CHECK(at, ARGAND_ARGUMENT, "nufft3: no %ss given", s->name);
    for (int axis = 0; axis < s->rank; axis++) {
        CHECK(at[axis], ARGAND_ARGUMENT, "nufft3: no positions of %ss given for axis %d of %d", s->name, axis,
              s->rank);
        const argand_type type = argand_array_type(at[axis]);
        CHECK(type == ARGAND_R32 || type == ARGAND_R64, ARGAND_ARGUMENT,
              "nufft3: positions of %ss on axis %d are %s: give r32 or r64", s->name, axis,
              argand_type_name(type));
        CHECK(argand_array_is_contiguous(at[axis]), ARGAND_ARGUMENT,
              "nufft3: positions of %ss on axis %d have gaps: copy them", s->name, axis);
        CHECK(argand_array_count(at[axis]) == s->count, ARGAND_ARGUMENT,
              "nufft3: %lld positions of %ss on axis %d but %lld on axis 0",
              (long long)argand_array_count(at[axis]), s->name, axis, (long long)s->count);
    }
    return ARGAND_OK;
}

/* Positions in double */
static argand_status fetch_axis(double *at, const argand_array *array)
{
    const int64_t count = argand_array_count(array);
    TRY(argand_array_download(array, at));
    if (argand_array_type(array) == ARGAND_R32) { /* from the end, as doubles take the place of floats */
        const float *floats = (const float *)at;
        for (int64_t i = count; i-- > 0;) {
            const float value = floats[i];
            at[i] = value;
        }
    }
    return ARGAND_OK;
}

/* A middle that is near to 0, compared with the extent, is taken as 0 and the extent as larger. */
static argand_status measure_axis(point_set *s, int axis)
{
    double low = INFINITY, high = -INFINITY;
    for (int64_t i = 0; i < s->count; i++) {
        const double at = s->at[axis][i];
        CHECK(isfinite(at), ARGAND_NUMERIC, "nufft3: %s %lld of %lld is not finite: all must be numbers",
              s->name, (long long)i, (long long)s->count);
        low = fmin(low, at);
        high = fmax(high, at);
    }
    s->middle[axis] = 0.5 * low + 0.5 * high;
    s->half[axis] = 0.5 * high - 0.5 * low;
    if (fabs(s->middle[axis]) <= 0.1 * s->half[axis]) {
        s->half[axis] += fabs(s->middle[axis]);
        s->middle[axis] = 0;
    }
    return ARGAND_OK;
}

static argand_status points_fetch(point_set *s, const char *name, const argand_nufft3_options *o,
                                  argand_array *const at[])
{
    *s = (point_set){.name = name,
                     .cycles = o->units == ARGAND_NUFFT_RADIANS ? 1 / LONG_TWO_PI : 1,
                     .rank = o->rank,
                     .count = at && at[0] ? argand_array_count(at[0]) : 0};
    TRY(check_points(s, at));
    for (int axis = 0; axis < s->rank; axis++) {
        TRY(memory_take(&s->at[axis], memory_product((size_t)s->count, sizeof(double))));
        TRY(fetch_axis(s->at[axis], at[axis]));
        TRY(measure_axis(s, axis));
    }
    return ARGAND_OK;
}

static void points_release(point_set *s)
{
    for (int axis = 2; axis >= 0; axis--) memory_free(s->at[axis]);
}

static bool needs_phase(const point_set *s)
{
    return s->middle[0] != 0 || s->middle[1] != 0 || s->middle[2] != 0;
}

/* ---- the grid ---- */

/* One of the plans, each for a half of the error */
static argand_nufft_options half_options(const argand_nufft3_options *o, double oversampling)
{
    return (argand_nufft_options){.type = o->type,
                                  .rank = o->rank,
                                  .n = {1, 1, 1},
                                  .tolerance = 0.5 * o->tolerance,
                                  .every_pixel = true,
                                  .oversampling = oversampling,
                                  .wait_for_kernels = o->wait_for_kernels};
}

/* Returns the product of both extents, in cycles */
static double product_of(const point_set *sources, const point_set *targets, int axis)
{
    return 4 * sources->half[axis] * targets->half[axis] * (double)sources->cycles;
}

/* The size of the plan that spreads: such that no window of a source reaches beyond the grid's ends, which
 * are not one place here. */
static argand_status choose_size(argand_nufft_options *o, const point_set *sources, const point_set *targets)
{
    double product[3];
    for (int axis = 0; axis < o->rank; axis++) {
        product[axis] = product_of(sources, targets, axis);
        CHECK(product[axis] <= 0x1p26, ARGAND_UNSUPPORTED,
              "nufft3: on axis %d sources extend over %.4g and targets over %.4g cycles a unit of that: "
              "a product of %.4g, at most 2^26 is supported",
              axis, 2 * sources->half[axis], 2 * targets->half[axis], product[axis]);
        o->n[axis] = (int64_t)ceil(product[axis]) + 2;
    }
    for (bool fits = false; !fits;) {
        choice c = {.grid = {1, 1, 1}};
        choices among = {.known = {false}};
        choice_make(&c, &among, o, (double)sources->count, false, false); /* given, not chosen */
        fits = true;
        for (int axis = 0; axis < o->rank; axis++) {
            const double sigma = (double)c.grid[axis] / (double)o->n[axis],
                         least = product[axis] + (c.width + 2) / sigma;
            if ((double)o->n[axis] >= least) continue;
            o->n[axis] = (int64_t)fmax(ceil(least), (double)(o->n[axis] + 1));
            fits = false;
        }
    }
    return ARGAND_OK;
}

/* ---- points of the two plans ---- */

/* plan's points: those of the side from their middles, times scale[axis] */
static argand_status set_scaled(argand_nufft *plan, const point_set *s, const double scale[3])
{
    argand_array *at[3] = {NULL};
    argand_device *host;
    double *scaled[3] = {NULL};
    argand_status status = ARGAND_OK;
    TRY(device_host(&host, plan->device));
    for (int axis = 0; axis < s->rank; axis++) {
        TRY_OR_DONE(memory_take(&scaled[axis], memory_product((size_t)s->count, sizeof(double))));
        for (int64_t i = 0; i < s->count; i++)
            scaled[axis][i] = (s->at[axis][i] - s->middle[axis]) * scale[axis];
        TRY_OR_DONE(argand_array_wrap(&at[axis], host, ARGAND_R64, 1, &s->count, NULL, scaled[axis]));
    }
    status = argand_nufft_set_points(plan, at);
done:
    for (int axis = 2; axis >= 0; axis--) {
        argand_array_destroy(at[axis]);
        memory_free(scaled[axis]);
    }
    return status;
}

static argand_status make_plans(point_pair *p, const argand_nufft3 *plan, const point_set *sources,
                                const point_set *targets)
{
    const argand_nufft3_options *o = &plan->options;
    argand_nufft_options first = half_options(o, o->oversampling > 0 ? o->oversampling : 2),
                         second = half_options(o, o->oversampling);
    double scale[3];
    TRY(choose_size(&first, sources, targets));
    TRY(argand_nufft_create(&p->spread, plan->device, &first));
    for (int axis = 0; axis < o->rank; axis++)
        scale[axis] = 2 * targets->half[axis] * (double)targets->cycles;
    TRY(set_scaled(p->spread, sources, scale));
    for (int axis = 0; axis < o->rank; axis++) {
        second.n[axis] = p->spread->layout->grid[axis];
        scale[axis] =
            targets->half[axis] > 0 ? -o->sign * 0.5 * (double)first.n[axis] / targets->half[axis] : 0;
    }
    TRY(argand_nufft_create(&p->transform, plan->device, &second));
    return set_scaled(p->transform, targets, scale);
}

/* ---- phases ---- */

static inline void put(void *out, bool is_double, int64_t i, double phase, double size)
{
    const double re = size * cos(phase), im = size * sin(phase);
    if (is_double) {
        ((double *)out)[2 * i] = re;
        ((double *)out)[2 * i + 1] = im;
    } else {
        ((float *)out)[2 * i] = (float)re;
        ((float *)out)[2 * i + 1] = (float)im;
    }
}

/* The phase of d . c for a point of a side, d from its own middle or from 0: with all digits of the product
 */
static double phase_of(const point_set *s, int64_t i, const double from[3], const double c[3])
{
    long double cycles = 0;
    for (int axis = 0; axis < s->rank; axis++) {
        const long double part = (long double)(s->at[axis][i] - from[axis]) * c[axis] * s->cycles;
        cycles += part - rintl(part);
    }
    return (double)(LONG_TWO_PI * cycles);
}

static argand_status upload_factors(argand_array **out, const argand_nufft3 *plan, int64_t count,
                                    const void *factors)
{
    TRY(argand_array_create(out, plan->device, plan->options.type, 1, &count));
    return argand_array_upload(*out, factors);
}

static argand_status make_before(point_pair *p, const argand_nufft3 *plan, const point_set *sources,
                                 const point_set *targets)
{
    const bool is_double = plan->options.type == ARGAND_C64;
    static const double origin[3] = {0};
    void *factors;
    if (!needs_phase(targets)) return ARGAND_OK;
    TRY(memory_take(&factors, memory_product((size_t)sources->count, is_double ? 16 : 8)));
#pragma omp parallel for num_threads(argand_device_threads(p->spread->device)) schedule(static)
    for (int64_t i = 0; i < sources->count; i++)
        put(factors, is_double, i, plan->options.sign * phase_of(sources, i, origin, targets->middle), 1);
    const argand_status status = upload_factors(&p->before, plan, sources->count, factors);
    memory_free(factors);
    return status;
}

static argand_status make_after(point_pair *p, const argand_nufft3 *plan, const point_set *sources,
                                const point_set *targets)
{
    const bool is_double = plan->options.type == ARGAND_C64;
    const layout *l = p->spread->layout;
    const double divisor = window_divisor(l->window.shape);
    void *factors;
    TRY(memory_take(&factors, memory_product((size_t)targets->count, is_double ? 16 : 8)));
#pragma omp parallel for num_threads(argand_device_threads(p->spread->device)) schedule(static)
    for (int64_t i = 0; i < targets->count; i++) {
        double size = 1;
        for (int axis = 0; axis < targets->rank; axis++) {
            const double half = targets->half[axis], from = targets->at[axis][i] - targets->middle[axis],
                         frequency = half > 0 ? from / half * 0.5 * (double)l->image[axis] : 0;
            size *= divisor /
                    window_dividend(l->window.width, l->window.shape, frequency / (double)l->grid[axis]);
        }
        put(factors, is_double, i,
            plan->options.sign * phase_of(targets, i, targets->middle, sources->middle), size);
    }
    const argand_status status = upload_factors(&p->after, plan, targets->count, factors);
    memory_free(factors);
    return status;
}

static argand_status fill(point_pair *p, const argand_nufft3 *plan, const point_set *sources,
                          const point_set *targets)
{
    /* Each scaled position is off by up to 2^-53 of itself: both sides together by the phase of that. */
    double square = 0;
    for (int axis = 0; axis < sources->rank; axis++) {
        const double product = product_of(sources, targets, axis);
        square += product * product;
    }
    p->rounding = 0x1p-53 * 0.5 * PI * sqrt(square);
    p->sources = sources->count;
    p->targets = targets->count;
    TRY(make_plans(p, plan, sources, targets));
    TRY(make_before(p, plan, sources, targets));
    return make_after(p, plan, sources, targets);
}

argand_status pair_create(point_pair **out, const argand_nufft3 *plan, argand_array *const sources[],
                          argand_array *const targets[])
{
    const argand_nufft3_options *o = &plan->options;
    point_set from = {0}, to = {0};
    point_pair *p = NULL;
    argand_status status = points_fetch(&from, "source", o, sources);
    if (status == ARGAND_OK) status = points_fetch(&to, "target", o, targets);
    if (status == ARGAND_OK) status = NEW(p, 1);
    if (status == ARGAND_OK) status = fill(p, plan, &from, &to);
    points_release(&to);
    points_release(&from);
    if (status == ARGAND_OK)
        *out = p;
    else
        pair_destroy(p);
    return status;
}

void pair_destroy(point_pair *p)
{
    if (!p) return;
    argand_array_destroy(p->after);
    argand_array_destroy(p->before);
    argand_nufft_destroy(p->transform);
    argand_nufft_destroy(p->spread);
    memory_free(p);
}
