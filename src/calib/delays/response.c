/* SPDX-License-Identifier: BSD-3-Clause */
/* The gradient response (response.h): copies and checks it, and filters a readout by it. */
#include "calib/delays/response.h"

#include <complex.h>
#include <math.h>
#include <string.h>
#include "array/array.h"
#include "base/memory.h"
#include "base/pi.h"
#include "base/whole.h"
#include "fft/plan/waiting.h"
#include "mri/host.h"

/* ---- the response */

static argand_status take_values(gradient_response *r, const argand_array *from, const char *name)
{
    const int64_t dims[2] = {argand_array_dim(from, 0), argand_array_dim(from, 1)};
    argand_array *wide = NULL;
    argand_device *host;
    CHECK(argand_array_rank(from) <= 2 && dims[0] >= 3 && dims[1] <= 3, ARGAND_ARGUMENT,
          "%s: wanted is a response [axis, frequency] of 1 to 3 axes", name);
    TRY(argand_device_open(&host, "cpu"));
    argand_status status = argand_array_create(&wide, host, ARGAND_C64, argand_array_rank(from), dims);
    if (status == ARGAND_OK) status = argand_array_copy(wide, from);
    if (status == ARGAND_OK) status = host_read(&r->values, wide);
    argand_array_destroy(wide);
    argand_device_close(host);
    r->count = dims[0];
    r->axes = dims[1];
    return status;
}

argand_status gradient_response_take(gradient_response *r, const argand_array *values, double step,
                                     const double delay[3], const char *name)
{
    *r = (gradient_response){.step = step};
    for (int axis = 0; axis < 3; axis++) {
        CHECK(fabs(delay[axis]) < 0.1, ARGAND_ARGUMENT, "a delay of %g s of a gradient: give less than 0.1",
              delay[axis]);
        r->delay[axis] = delay[axis];
    }
    if (!values) return ARGAND_OK;
    CHECK(step > 0 && isfinite(step), ARGAND_ARGUMENT, "%s: a step of %g Hz between its frequencies", name,
          step);
    TRY(take_values(r, values, name));
    const double complex at_rest = ((const double complex *)r->values)[r->count / 2];
    CHECK(cabs(at_rest - 1) < 0.2, ARGAND_ARGUMENT,
          "%s: the response at 0 Hz, element %lld, is %.3g: it should be near 1", name,
          (long long)(r->count / 2), cabs(at_rest));
    return ARGAND_OK;
}

void gradient_response_free(gradient_response *r)
{
    memory_free(r->values);
    *r = (gradient_response){0};
}

/* Returns the response at a frequency, interpolated linearly and 0 outside the measured range, times the
 * delay. */
static double complex response_at(const gradient_response *r, int axis, double frequency)
{
    const double complex phase_factor = cexp(-I * 2 * PI * frequency * r->delay[axis]);
    if (!r->count) return phase_factor;
    const double at = frequency / r->step + (double)(r->count / 2);
    if (!(at > -1 && at < (double)r->count)) return 0;
    const int64_t below = whole(floor(at), -1, r->count - 1);
    const double part = at - (double)below;
    const double complex *v =
        (const double complex *)r->values + r->count * (axis < r->axes ? axis : r->axes - 1);
    const double complex low = below >= 0 && below < r->count ? v[below] : 0,
                         high = below + 1 >= 0 && below + 1 < r->count ? v[below + 1] : 0;
    return phase_factor * (low * (1 - part) + high * part);
}

/* ---- one readout */

static argand_status prepare(gradient_filter *f, int64_t samples)
{
    const int64_t n = argand_fft_next_size(2 * samples + 64);
    if (f->plan && f->n == n) return ARGAND_OK;
    if (!f->host) TRY(argand_device_open(&f->host, "cpu"));
    argand_fft_destroy(f->plan);
    argand_array_destroy(f->waves);
    f->plan = NULL;
    f->waves = NULL;
    f->n = n;
    TRY(fft_create_waiting(
        &f->plan, f->host,
        &(argand_fft_options){
            .type = ARGAND_C64, .rank = 1, .n = {n}, .batch = 3, .scale = ARGAND_SCALE_INVERSE}));
    return argand_array_create(&f->waves, f->host, ARGAND_C64, 2, (int64_t[]){n, 3});
}

static void multiply(const gradient_filter *f, double complex *waves, double sample_time)
{
    for (int axis = 0; axis < 3; axis++)
        for (int64_t i = 0; i < f->n; i++) {
            const double frequency = (double)(i <= f->n / 2 ? i : i - f->n) / ((double)f->n * sample_time);
            waves[f->n * axis + i] *= response_at(f->response, axis, frequency);
        }
}

argand_status gradient_filter_play(gradient_filter *f, float *const to[3], const float *const k[3],
                                   int64_t count, bool reversed, double sample_time)
{
    TRY(prepare(f, count));
    double complex *waves = argand_array_data(f->waves);
    memset(waves, 0, (size_t)f->n * 3 * sizeof *waves);
    for (int axis = 0; axis < 3; axis++)
        for (int64_t i = 1; i < count; i++) {
            const int64_t now = reversed ? count - 1 - i : i, before = reversed ? now + 1 : now - 1;
            waves[f->n * axis + i] = (double)k[axis][now] - (double)k[axis][before];
        }
    TRY(argand_fft_apply(f->plan, f->waves, f->waves, ARGAND_FORWARD));
    multiply(f, waves, sample_time);
    TRY(argand_fft_apply(f->plan, f->waves, f->waves, ARGAND_INVERSE));
    for (int axis = 0; axis < 3; axis++) {
        double at = (double)k[axis][reversed ? count - 1 : 0];
        for (int64_t i = 0; i < count; i++)
            to[axis][reversed ? count - 1 - i : i] = (float)(at += creal(waves[f->n * axis + i]));
    }
    return ARGAND_OK;
}

void gradient_filter_end(gradient_filter *f)
{
    argand_fft_destroy(f->plan);
    argand_array_destroy(f->waves);
    argand_device_close(f->host);
}
