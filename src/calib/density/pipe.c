/* SPDX-License-Identifier: BSD-3-Clause */
/* Sampling density compensation of Pipe and Menon, Magn. Reson. Med. 41:179, 1999. The weights w,
 * convolved with the window's autocorrelation, are 1 at every sample. The fixed-point iteration is w <- w
 * / (C C^T w), from w = 1. */
#include <argand/calib.h>

#include <math.h>
#include "base/observe.h"
#include "mri/host.h"

enum { DEFAULT_ITERATIONS = 200 };
static const double DEFAULT_TOLERANCE = 1e-3;

argand_status argand_density_plan(argand_nufft **plan, argand_device *device, argand_type type,
                                  argand_array *const k[], int rank, const int64_t *n)
{
    argand_nufft_options o = {
        .type = type, .rank = rank, .tolerance = 1e-3, .oversampling = 1.5, .wait_for_kernels = true};
    argand_nufft *made;
    if (plan) *plan = NULL;
    CHECK(plan && k && n, ARGAND_ARGUMENT, "density compensation: a pointer is NULL");
    for (int axis = 0; axis < 3 && axis < rank; axis++) o.n[axis] = n[axis];
    TRY(argand_nufft_create(&made, device, &o));
    const argand_status status = argand_nufft_set_points(made, k);
    if (status == ARGAND_OK)
        *plan = made;
    else
        argand_nufft_destroy(made);
    return status;
}

/* Computes w <- w / blurred. Returns the rms of 1 / blurred - 1, weighted by w, or -1 if a weight would
 * not be finite. The largest change is no criterion: where samples are denser than the window can resolve,
 * some weights decay at a steady rate forever and matter less and less. */
static double divide(double *w, const double *blurred, int64_t count)
{
    double square = 0, sum = 0;
    for (int64_t j = 0; j < count; j++) {
        if (w[j] == 0) continue; /* decayed to 0 */
        const double factor = 1 / blurred[j];
        if (!(factor > 0 && factor < INFINITY)) return -1;
        square += w[j] * (factor - 1) * (factor - 1);
        sum += w[j];
        w[j] *= factor;
    }
    return sum > 0 ? sqrt(square / sum) : -1;
}

static argand_status one_iteration(argand_array *weights, argand_array *blurred, double *w,
                                   const argand_nufft *plan, double *change)
{
    double *b;
    TRY(argand_nufft_blur(plan, blurred, weights));
    TRY(host_read(&b, blurred));
    *change = divide(w, b, argand_array_count(weights));
    memory_free(b);
    CHECK(*change >= 0, ARGAND_NUMERIC, "density compensation: a weight is not finite");
    return host_write_real(weights, w);
}

/* Scales the weights to a sum of 1. The blur is linear, so a scale factor of the window cancels after two
 * iterations, and the sum determines the final scale. */
static argand_status scale_to_sum(argand_array *weights)
{
    argand_scalar sum;
    TRY(argand_array_sum(&sum, weights));
    CHECK(sum.re > 0, ARGAND_NUMERIC, "density compensation: the weights' sum is %g", sum.re);
    return argand_array_scale(weights, (argand_scalar){1 / sum.re, 0});
}

argand_status argand_density_pipe(argand_array *weights, const argand_nufft *plan, int iterations,
                                  double tolerance, argand_density_report *report)
{
    argand_array *blurred = NULL, *flat = NULL;
    double *w = NULL;
    argand_density_report done_so_far = {0, INFINITY};
    argand_status status;

    CHECK_ARRAY(weights);
    CHECK(plan, ARGAND_ARGUMENT, "density compensation: no plan given");
    CHECK(!type_is_complex(argand_array_type(weights)), ARGAND_ARGUMENT,
          "density compensation: weights must be real");
    CHECK(iterations >= 0 && isfinite(tolerance) && tolerance >= 0, ARGAND_ARGUMENT,
          "density compensation: %d iterations to a tolerance of %g; give 0 (the default) or more",
          iterations, tolerance);
    const int most = iterations > 0 ? iterations : DEFAULT_ITERATIONS;
    const double limit = tolerance > 0 ? tolerance : DEFAULT_TOLERANCE;
    const int64_t count = argand_array_count(weights);
    TRY_OR_DONE(
        argand_array_create(&blurred, argand_array_device(weights), argand_array_type(weights), 1, &count));
    TRY_OR_DONE(argand_array_reshape(&flat, weights, 1, &count));
    TRY_OR_DONE(argand_array_fill(flat, (argand_scalar){1, 0}));
    TRY_OR_DONE(host_read(&w, flat));
    while (done_so_far.iterations < most && done_so_far.change > limit) {
        TRY_OR_DONE(observe("computing density weights", (double)done_so_far.iterations / most));
        TRY_OR_DONE(one_iteration(flat, blurred, w, plan, &done_so_far.change));
        done_so_far.iterations++;
    }
    status = scale_to_sum(flat);
    if (!status && report) *report = done_so_far;
done:
    memory_free(w);
    argand_array_destroy(flat);
    argand_array_destroy(blurred);
    return status;
}
