/* SPDX-License-Identifier: BSD-3-Clause */
/* Sampling density compensation by Fourier deconvolution (Luo, Hu, Qi, arXiv 2510.14873, 2025). A window
 * cuts the point spread function of the present weights, on an image of twice the size, to the field of
 * view. Back in k-space, this is the density smoothed by the window's transform, and the weights are
 * divided by it. The first pass uses the autocorrelation of a disc (a ball in 3-D), whose transform is
 * never negative, so that no density is. The second pass uses a wider window with higher resolution. */
#include <argand/calib.h>

#include <math.h>
#include "base/pi.h"
#include "mri/host.h"

/* Returns the window at the distance r from the middle; 1 is the window's radius. */
static double window_at(double r, int rank, bool first)
{
    if (r >= 1) return 0;
    if (!first) return 1 - pow(r, 2.4); /* the paper's window */
    if (rank == 1) return 1 - r;
    if (rank == 2) return 2 / PI * (acos(r) - r * sqrt(1 - r * r));
    return 1 - 1.5 * r + 0.5 * r * r * r;
}

/* Fills the window on an image of 2n pixels per axis, whose middle is pixel n. */
static argand_status fill_window(argand_array *window, int rank, const int64_t n[3], bool first)
{
    const int64_t count = argand_array_count(window);
    double *values;
    TRY(NEW(values, count));
    for (int64_t i = 0; i < count; i++) {
        int64_t rest = i;
        double square = 0;
        for (int axis = 0; axis < rank; axis++) {
            const double place = (double)(rest % (2 * n[axis]) - n[axis]) / (double)n[axis];
            square += place * place;
            rest /= 2 * n[axis];
        }
        values[i] = window_at(sqrt(square), rank, first);
    }
    const argand_status status = host_write_real(window, values);
    memory_free(values);
    return status;
}

typedef struct deconvolution {
    argand_nufft *plan; /* for the doubled image */
    int rank;
    const int64_t *n;
    argand_array *weights;         /* {points}, the caller's array */
    argand_array *samples, *image; /* complex */
    argand_array *window;
} deconvolution;

/* Sets the plan's positions in cycles per doubled field of view, which are twice the given ones. */
static argand_status set_points(const deconvolution *d, argand_array *const k[])
{
    argand_array *twice[3] = {NULL};
    argand_status status = ARGAND_OK;
    const int64_t count = argand_array_count(d->weights);
    for (int axis = 0; axis < d->rank && !status; axis++) {
        argand_array *flat = NULL;
        status = argand_array_reshape(&flat, k[axis], 1, &count);
        if (!status)
            status =
                argand_array_create(&twice[axis], argand_array_device(k[axis]), k[axis]->type, 1, &count);
        if (!status) status = argand_array_copy(twice[axis], flat);
        if (!status) status = argand_array_scale(twice[axis], (argand_scalar){2, 0});
        argand_array_destroy(flat);
    }
    if (!status) status = argand_nufft_set_points(d->plan, twice);
    for (int axis = 0; axis < 3; axis++) argand_array_destroy(twice[axis]);
    return status;
}

static argand_status prepare(deconvolution *d, argand_array *const k[])
{
    argand_device *device = argand_array_device(d->weights);
    const bool is_double = type_is_double(argand_array_type(d->weights));
    const int64_t count = argand_array_count(d->weights);
    argand_nufft_options o = {
        .type = type_of(true, is_double), .rank = d->rank, .tolerance = 1e-5, .wait_for_kernels = true};
    for (int axis = 0; axis < d->rank; axis++) o.n[axis] = 2 * d->n[axis];
    TRY(argand_nufft_create(&d->plan, device, &o));
    TRY(set_points(d, k));
    TRY(argand_array_create(&d->samples, device, o.type, 1, &count));
    TRY(argand_array_create(&d->image, device, o.type, d->rank, o.n));
    return argand_array_create(&d->window, device, type_of(false, is_double), d->rank, o.n);
}

/* Computes w <- w / Re A(window A^H w). */
static argand_status divide_by_density(deconvolution *d, bool first)
{
    double *w = NULL, *density = NULL;
    argand_status status;
    const int64_t count = argand_array_count(d->weights);
    TRY_OR_DONE(fill_window(d->window, d->rank, d->n, first));
    TRY_OR_DONE(argand_array_copy(d->samples, d->weights));
    TRY_OR_DONE(argand_nufft_adjoint(d->plan, d->image, d->samples));
    TRY_OR_DONE(argand_array_multiply(d->image, d->window, d->image, ARGAND_PRODUCT));
    TRY_OR_DONE(argand_nufft_apply(d->plan, d->samples, d->image));
    TRY_OR_DONE(host_read(&w, d->weights));
    TRY_OR_DONE(host_read(&density, d->samples));
    for (int64_t j = 0; j < count; j++) {
        CHECK_OR_DONE(density[2 * j] > 0 && isfinite(density[2 * j]), ARGAND_NUMERIC,
                      "density compensation: the density at sample %lld is %g, not above 0: take "
                      "argand_density_pipe",
                      (long long)j, density[2 * j]);
        w[j] /= density[2 * j];
    }
    status = host_write_real(d->weights, w);
done:
    memory_free(density);
    memory_free(w);
    return status;
}

static argand_status check(const argand_array *weights, argand_array *const k[], int rank, const int64_t *n)
{
    CHECK_ARRAY(weights);
    CHECK(!type_is_complex(argand_array_type(weights)), ARGAND_ARGUMENT,
          "density compensation: weights must be real");
    CHECK(k && n && rank >= 1 && rank <= 3, ARGAND_ARGUMENT,
          "density compensation: positions on 1 to 3 axes and the image's size are needed, rank is %d", rank);
    for (int axis = 0; axis < rank; axis++) {
        CHECK(k[axis], ARGAND_ARGUMENT, "density compensation: no positions for axis %d", axis);
        CHECK(argand_array_count(k[axis]) == argand_array_count(weights), ARGAND_ARGUMENT,
              "density compensation: %lld positions on axis %d for %lld weights",
              (long long)argand_array_count(k[axis]), axis, (long long)argand_array_count(weights));
        CHECK(!type_is_complex(argand_array_type(k[axis])), ARGAND_ARGUMENT,
              "density compensation: positions of axis %d are complex", axis);
        CHECK(n[axis] >= 1 && n[axis] <= INT32_MAX / 16, ARGAND_ARGUMENT,
              "density compensation: n[%d] = %lld: give 1 to 2^27", axis, (long long)n[axis]);
    }
    return ARGAND_OK;
}

argand_status argand_density_deconvolve(argand_array *weights, argand_array *const k[], int rank,
                                        const int64_t *n)
{
    deconvolution d = {.rank = rank, .n = n};
    argand_scalar sum;
    argand_status status;
    TRY(check(weights, k, rank, n));
    const int64_t count = argand_array_count(weights);
    TRY_OR_DONE(argand_array_reshape(&d.weights, weights, 1, &count));
    TRY_OR_DONE(prepare(&d, k));
    TRY_OR_DONE(argand_array_fill(d.weights, (argand_scalar){1 / (double)count, 0}));
    TRY_OR_DONE(divide_by_density(&d, true));
    TRY_OR_DONE(divide_by_density(&d, false));
    TRY_OR_DONE(argand_array_sum(&sum, d.weights));
    status = argand_array_scale(d.weights, (argand_scalar){1 / sum.re, 0});
done:
    argand_array_destroy(d.window);
    argand_array_destroy(d.image);
    argand_array_destroy(d.samples);
    argand_nufft_destroy(d.plan);
    argand_array_destroy(d.weights);
    return status;
}
