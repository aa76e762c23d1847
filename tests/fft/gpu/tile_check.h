/* SPDX-License-Identifier: BSD-3-Clause */
/* Transforms by the engine of our own kernels against the sum in long double, and what error they may have.
 */
#ifndef TESTS_FFT_TILE_CHECK_H
#define TESTS_FFT_TILE_CHECK_H

#include "fft/direct.h"
#include "fft/engine/engine.h"
#include "reference/fft.h"

typedef struct shape {
    int rank;
    int64_t n[4];
    int64_t batch;
    argand_type type;
    bool centred;
} shape;

static inline bool is_here(void)
{
    setenv("ARGAND_FFT_ENGINE", "native", 1);
    argand_device_info info;
    OK(argand_device_describe(device, &info));
    if (info.host_addressable) print_message("skipped: the host has no use for kernels of GPUs\n");
    return !info.host_addressable;
}

static inline bool is_fast(void)
{
    argand_device_info info;
    OK(argand_device_describe(device, &info));
    return !info.is_processor;
}

static inline int64_t points_of(const shape *s)
{
    int64_t points = 1;
    for (int axis = 0; axis < s->rank; axis++) points *= s->n[axis];
    return points;
}

/* A long line by the reference that fft_error_metrics.c compares with sums and with FFTW. */
static inline void long_line(exact *x, int64_t n, int64_t stride, int sign, bool centred)
{
    const int64_t c = centred ? n / 2 : 0;
    reference_fft *t = reference_fft_create(n);
    exact *y = malloc((size_t)n * sizeof *y);
    assert_non_null(t);
    for (int64_t i = 0; i < n; i++) y[(i + n - c) % n] = x[i * stride];
    reference_fft_apply(t, y, sign);
    for (int64_t k = 0; k < n; k++) x[k * stride] = y[(k + n - c) % n];
    free(y);
    reference_fft_destroy(t);
}

/* As direct_fft, by sums where they do not take minutes. */
static inline void exact_fft(exact *x, const shape *s, int sign)
{
    const int64_t all = s->batch * points_of(s);
    for (int64_t axis = 0, stride = 1; axis < s->rank; stride *= s->n[axis++])
        for (int64_t i = 0; i < all; i++) {
            if (i / stride % s->n[axis]) continue;
            if (s->n[axis] > 256)
                long_line(x + i, s->n[axis], stride, sign, s->centred);
            else
                direct_line(x + i, s->n[axis], stride, sign, s->centred);
        }
}

static inline argand_array *array_for(const shape *s, argand_type type, int64_t n_0)
{
    int64_t dims[5] = {n_0};
    for (int axis = 1; axis < s->rank; axis++) dims[axis] = s->n[axis];
    dims[s->rank] = s->batch;
    return new_array(type, s->rank + 1, dims);
}

static inline argand_fft *plan_for(const shape *s)
{
    char parameters[1024];
    argand_fft_options options = {.type = s->type, .rank = s->rank, .batch = s->batch, .centred = s->centred};
    memcpy(options.n, s->n, sizeof s->n);
    argand_fft *plan = new_plan(&options);
    argand_fft_print(plan, parameters, sizeof parameters);
    if (!strstr(parameters, "(native")) fail_msg("not by our kernels: %s", parameters);
    return plan;
}

static inline bool is_smooth(int64_t n)
{
    for (int64_t d = 2; d <= 13; d++)
        while (n % d == 0) n /= d;
    return n == 1;
}

/* u is 2^-24 or 2^-53: a bound on the relative l2 error that good twiddles keep, and one for convolutions of
 * up to four times the length. */
static inline double bound(const shape *s)
{
    const double u = argand_type_size(s->type) == 4 || s->type == ARGAND_C32 ? 0x1p-24 : 0x1p-53;
    const double points = (double)points_of(s);
    for (int axis = 0; axis < s->rank; axis++)
        if (!is_smooth(s->n[axis])) return 2 * u * sqrt(log2(4 * points));
    return 0.8 * u * sqrt(log2(points < 4 ? 4 : points));
}

static inline void check(const char *what, const shape *s, double error)
{
    if (!(error <= bound(s)))
        fail_msg("%s of %lldx%lldx%lldx%lld batch %lld type %d: %g > %g", what, (long long)s->n[0],
                 (long long)s->n[1], (long long)s->n[2], (long long)s->n[3], (long long)s->batch, s->type,
                 error, bound(s));
}

static inline void complex_one(const shape *s)
{
    argand_fft *plan = plan_for(s);
    argand_array *x = array_for(s, s->type, s->n[0]), *y = array_for(s, s->type, s->n[0]);
    for (int sign = -1; sign <= 1; sign += 2) {
        randomise(x, 7 + (uint64_t)s->n[0], 0, 0);
        exact *wanted = exact_of(x), *before = exact_of(x);
        exact_fft(wanted, s, sign);
        OK(argand_fft_apply(plan, y, x, (argand_direction)sign));
        check("transform", s, distance(y, wanted, 1));
        assert_true(distance(x, before, 1) == 0);
        OK(argand_fft_apply(plan, x, x, (argand_direction)sign));
        check("transform in place", s, distance(x, wanted, 1));
        free(wanted);
        free(before);
    }
    argand_array_destroy(x);
    argand_array_destroy(y);
    argand_fft_destroy(plan);
}

static inline argand_type complex_of(argand_type type)
{
    return type == ARGAND_R64 || type == ARGAND_C64 ? ARGAND_C64 : ARGAND_C32;
}

/* Forward against the sum; back again, which must give N x. */
static inline void real_one(const shape *s)
{
    argand_fft *plan = plan_for(s);
    const int64_t half = s->n[0] / 2 + 1, lines = points_of(s) / s->n[0] * s->batch;
    argand_array *x = array_for(s, s->type, s->n[0]), *y = array_for(s, complex_of(s->type), half),
                 *z = array_for(s, s->type, s->n[0]);
    randomise(x, 5, 0, 0);
    exact *all = exact_of(x), *before = exact_of(x);
    exact_fft(all, s, -1);
    exact *wanted = malloc((size_t)(half * lines) * sizeof *wanted);
    for (int64_t i = 0; i < half * lines; i++) wanted[i] = all[i / half * s->n[0] + i % half];
    OK(argand_fft_apply(plan, y, x, ARGAND_FORWARD));
    check("real transform", s, distance(y, wanted, 1));
    OK(argand_fft_apply(plan, z, y, ARGAND_INVERSE));
    check("half of the way there and back", s, distance(z, before, (long double)points_of(s)) / 2);
    check("a spectrum that was read", s, distance(y, wanted, 1));
    free(wanted);
    free(before);
    free(all);
    argand_array_destroy(z);
    argand_array_destroy(y);
    argand_array_destroy(x);
    argand_fft_destroy(plan);
}

static inline void one(const shape *s)
{
    static int asked;
    if (!in_part(asked++)) return;
    if (s->type == ARGAND_R32 || s->type == ARGAND_R64)
        real_one(s);
    else
        complex_one(s);
}

#endif
