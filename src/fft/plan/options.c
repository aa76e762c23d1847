/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks the options of a transform and makes its problem. */
#include "fft/plan/options.h"

#include "fft/plan/waiting.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "device/device.h"
#include "fft/access/access.h"

static argand_status check_kind(const argand_fft_options *o)
{
    CHECK(o->type >= ARGAND_R32 && o->type <= ARGAND_C64, ARGAND_ARGUMENT,
          "argand_fft_create: type %d; set .type to ARGAND_C32, ARGAND_C64, ARGAND_R32 or ARGAND_R64",
          (int)o->type);
    CHECK(o->rank >= 1 && o->rank <= ARGAND_MAX_RANK, ARGAND_ARGUMENT,
          "argand_fft_create: rank is %d; give 1 to %d", o->rank, ARGAND_MAX_RANK);
    CHECK(o->scale >= ARGAND_SCALE_NONE && o->scale <= ARGAND_SCALE_UNITARY, ARGAND_ARGUMENT,
          "argand_fft_create: scale %d is not known", (int)o->scale);
    CHECK(o->effort >= ARGAND_ESTIMATE && o->effort <= ARGAND_REMEASURE, ARGAND_ARGUMENT,
          "argand_fft_create: effort %d is not known", (int)o->effort);
    CHECK(!(o->measure_seconds < 0) && o->measure_seconds < 1e9, ARGAND_ARGUMENT,
          "argand_fft_create: measure_seconds is %g; give a time of 0 or more", o->measure_seconds);
    CHECK((unsigned)o->signal_order <= ARGAND_ORDER_SCRAMBLED &&
              (unsigned)o->spectrum_order <= ARGAND_ORDER_SCRAMBLED,
          ARGAND_ARGUMENT,
          "argand_fft_create: an order is not known; give ARGAND_ORDER_NATURAL or ARGAND_ORDER_SCRAMBLED");
    CHECK(!o->centred || type_is_complex(o->type), ARGAND_UNSUPPORTED,
          "argand_fft_create: a real transform cannot be centred, as half a spectrum has no centre; "
          "input.window[axis].first = -(n[axis] / 2) has point 0 in the middle of the real side, and "
          "output.window[axis].first that of the complex one on all axes but 0");
    CHECK(!o->half_packed || !type_is_complex(o->type), ARGAND_ARGUMENT,
          "argand_fft_create: half_packed is set, but the transform is complex; only real transforms have "
          "half spectra");
    return ARGAND_OK;
}

static argand_status check_half(const fft_problem *p)
{
    CHECK(!p->half_packed || p->n[0] % 2 == 0, ARGAND_ARGUMENT,
          "argand_fft_create: half_packed with a length of %lld along axis 0; it must be even",
          (long long)p->n[0]);
    CHECK(!p->half_packed || !p->access, ARGAND_UNSUPPORTED,
          "argand_fft_create: half_packed excludes accessors, windows, sums and storage types; leave it 0 "
          "and use argand_fft_half_pack and argand_fft_half_unpack");
    CHECK(!p->half_packed || p->geometry.rank + p->geometry.loops <= ARGAND_MAX_RANK, ARGAND_UNSUPPORTED,
          "argand_fft_create: half_packed with %d axes and %d loops; at most %d together are supported",
          p->geometry.rank, p->geometry.loops, ARGAND_MAX_RANK);
    return ARGAND_OK;
}

/* Multiplies *product by n; returns false if no memory could hold so many elements. */
static bool grow(int64_t *product, int64_t n)
{
    return !__builtin_mul_overflow(*product, n, product) && *product <= INT64_MAX / 64;
}

static argand_status multiply(int64_t *product, int64_t n, const char *what, int index)
{
    CHECK(n >= 1, ARGAND_ARGUMENT, "argand_fft_create: %s %d is %lld; it must be 1 or more", what, index,
          (long long)n);
    CHECK(grow(product, n), ARGAND_ARGUMENT,
          "argand_fft_create: with %s %d of %lld the transform has too many elements", what, index,
          (long long)n);
    return ARGAND_OK;
}

static argand_status take_sizes(fft_problem *p, const argand_fft_options *o)
{
    int64_t all = 1;
    CHECK(o->axes_given || o->n[0] || !o->axes[0].n, ARGAND_ARGUMENT,
          "argand_fft_create: axes are read only if axes_given is true; set axes_given, or give n");
    for (int axis = 0; axis < o->rank; axis++) {
        p->n[axis] = o->axes_given ? o->axes[axis].n : o->n[axis];
        TRY(multiply(&all, p->n[axis], "length", axis));
    }
    p->points = all;
    if (!o->axes_given) {
        CHECK(!o->loops, ARGAND_ARGUMENT,
              "argand_fft_create: loops is %d, but loops are read only if axes_given is true; set axes_given "
              "and axes, or give batch",
              o->loops);
        CHECK(o->batch >= 0, ARGAND_ARGUMENT, "argand_fft_create: batch is %lld; give 1 or more (0 means 1)",
              (long long)o->batch);
        p->batch = o->batch ? o->batch : 1;
        CHECK(grow(&all, p->batch), ARGAND_ARGUMENT,
              "argand_fft_create: with a batch of %lld the transform has too many elements",
              (long long)p->batch);
        return ARGAND_OK;
    }
    CHECK(o->loops >= 0 && o->loops <= ARGAND_MAX_RANK, ARGAND_ARGUMENT,
          "argand_fft_create: loops is %d; give 0 to %d", o->loops, ARGAND_MAX_RANK);
    for (int loop = 0; loop < o->loops; loop++) TRY(multiply(&all, o->loop[loop].n, "loop", loop));
    p->batch = all / p->points;
    return ARGAND_OK;
}

static void take_scale(fft_problem *p, argand_fft_scale scale)
{
    const double n = (double)p->points;
    p->forward_factor = scale == ARGAND_SCALE_UNITARY ? 1 / sqrt(n) : 1;
    p->inverse_factor = scale == ARGAND_SCALE_UNITARY   ? 1 / sqrt(n)
                        : scale == ARGAND_SCALE_INVERSE ? 1 / n
                                                        : 1;
}

static argand_status take_axes(fft_problem *p, const argand_fft_options *o)
{
    fft_geometry *g = &p->geometry;
    p->axes_given = o->axes_given;
    if (!o->axes_given) return ARGAND_OK;
    *g = (fft_geometry){.rank = o->rank, .loops = o->loops};
    for (int axis = 0; axis < o->rank; axis++) g->axes[axis] = o->axes[axis];
    for (int loop = 0; loop < o->loops; loop++) g->loop[loop] = o->loop[loop];
    /* each call checks that the strides are within its arrays */
    if (p->access) return access_check_axes(p);
    const int64_t half = problem_half(p);
    extent e;
    TRY(geometry_extent(&e, g, false, p->n[0]));
    TRY(geometry_extent(&e, g, true, problem_is_real(p) ? half : p->n[0]));
    TRY(geometry_check_output(g, true, problem_is_real(p) ? half : p->n[0]));
    return problem_is_real(p) ? geometry_check_output(g, false, p->n[0])
                              : ARGAND_OK; /* the inverse writes them */
}

bool fft_environment_waits(void)
{
    const char *wanted = getenv("ARGAND_FFT_WAIT");
    return wanted && !strcmp(wanted, "1");
}

argand_status problem_make(fft_problem *p, const argand_fft_options *o)
{
    CHECK(o, ARGAND_ARGUMENT, "argand_fft_create: no options");
    TRY(check_kind(o));
    *p = (fft_problem){
        .type = o->type,
        .rank = o->rank,
        .centred = o->centred,
        .half_packed = o->half_packed,
        .effort = o->effort == ARGAND_ESTIMATE ? ARGAND_ESTIMATE : ARGAND_MEASURE,
        .again = o->effort == ARGAND_REMEASURE,
        .waits = o->wait_for_kernels || fft_environment_waits(),
        .measure_seconds = o->measure_seconds > 0 ? o->measure_seconds : 10,
        .scrambled_signal = o->signal_order == ARGAND_ORDER_SCRAMBLED && type_is_complex(o->type),
        .scrambled_spectrum = o->spectrum_order == ARGAND_ORDER_SCRAMBLED && type_is_complex(o->type)};
    TRY(take_sizes(p, o));
    take_scale(p, o->scale);
    TRY(access_make(&p->access, p, o));
    argand_status status = take_axes(p, o);
    if (status == ARGAND_OK) status = check_half(p);
    if (status != ARGAND_OK) fft_problem_release(p);
    return status;
}

/* Returns the points along an axis that the larger array has; windows may leave some out. */
static int64_t held(const fft_problem *p, int axis)
{
    if (!p->access) return p->n[axis];
    const int64_t in = p->access->in.window[axis].count, out = p->access->out.window[axis].count;
    return in > out ? in : out;
}

/* Returns the minimum bytes of one transform: its larger array, and its longest line. The batch does not
 * count, because it may come from a mapped file. */
static size_t least_bytes(const fft_problem *p)
{
    const size_t size = argand_type_size(p->type);
    size_t array = p->access ? 1 : size, line = 0;
    for (int axis = 0; axis < p->rank; axis++) {
        const size_t bytes = memory_product((size_t)p->n[axis], size);
        array = memory_product(array, (size_t)held(p, axis));
        line = bytes > line ? bytes : line;
    }
    return array > line ? array : line;
}

argand_status problem_check_memory(const fft_problem *p, argand_device *device)
{
    return device_check_memory(device, least_bytes(p), "argand_fft_create: one transform");
}

void fft_problem_release(fft_problem *p)
{
    access_release(p->access);
    p->access = NULL;
}
