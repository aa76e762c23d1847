/* SPDX-License-Identifier: BSD-3-Clause */
/* Derivatives by the points: a factor -2 pi i r comes down from the exponent, so they are transforms of
 * images that are multiplied by a ramp. Arrays stay on the plan's own device. */
#include "nufft/apply.h"

#include "array/array.h"
#include "base/memory.h"
#include "base/pi.h"

/* The factors of an axis' pixels for positions in the caller's units */
static argand_status fill_ramp(argand_array *ramp, const argand_nufft *plan, int axis)
{
    const int64_t n = plan->options.n[axis];
    const bool centred = plan->options.order == ARGAND_NUFFT_CENTRED;
    double *factors;
    TRY(NEW(factors, 2 * n));
    for (int64_t i = 0; i < n; i++) {
        const int64_t pixel = centred ? i - n / 2 : i < n - n / 2 ? i : i - n;
        const double factor = -2 * PI * plan->scale[axis] * (double)pixel / (double)n;
        if (plan->layout->is_double)
            factors[2 * i + 1] = factor;
        else
            ((float *)factors)[2 * i + 1] = (float)factor;
    }
    const argand_status status = argand_array_upload(ramp, factors);
    memory_free(factors);
    return status;
}

/* y = the ramp of that axis, or its conjugate, times x */
static argand_status multiply_ramp(const argand_nufft *plan, int axis, argand_array *y, const argand_array *x,
                                   int flags)
{
    argand_array *ramp = NULL, *view = NULL;
    int64_t dims[ARGAND_MAX_RANK], strides[ARGAND_MAX_RANK];
    const int rank = argand_array_rank(x);
    argand_status status;
    for (int i = 0; i < rank; i++) {
        dims[i] = argand_array_dim(x, i);
        strides[i] = i == axis;
    }
    TRY_OR_DONE(
        argand_array_create(&ramp, plan->device, plan->options.type, 1, (int64_t[]){plan->options.n[axis]}));
    TRY_OR_DONE(fill_ramp(ramp, plan, axis));
    TRY_OR_DONE(argand_array_view(&view, ramp, rank, dims, strides, 0));
    status = argand_array_multiply(y, view, x, flags);
done:
    argand_array_destroy(view);
    argand_array_destroy(ramp);
    return status;
}

static argand_status check(const argand_nufft *plan, int axis, const argand_array *samples,
                           const argand_array *image)
{
    TRY(plan_check_points(plan));
    TRY(plan_check_complex(plan));
    CHECK(axis >= 0 && axis < plan->options.rank, ARGAND_ARGUMENT,
          "nufft: derivative by axis %d: the plan has axes 0 to %d", axis, plan->options.rank - 1);
    return transform_check(plan, &(transform){"image", plan->options.n, false, NULL, false}, samples, image);
}

static argand_status new_like(argand_array **out, const argand_nufft *plan, const argand_array *x)
{
    int64_t dims[ARGAND_MAX_RANK];
    for (int i = 0; i < argand_array_rank(x); i++) dims[i] = argand_array_dim(x, i);
    return argand_array_create(out, plan->device, argand_array_type(x), argand_array_rank(x), dims);
}

argand_status argand_nufft_derivative(const argand_nufft *plan, int axis, argand_array *samples,
                                      const argand_array *image)
{
    argand_array *sloped;
    TRY(check(plan, axis, samples, image));
    TRY(new_like(&sloped, plan, image));
    argand_status status = multiply_ramp(plan, axis, sloped, image, ARGAND_PRODUCT);
    if (status == ARGAND_OK) status = argand_nufft_apply(plan, samples, sloped);
    argand_array_destroy(sloped);
    return status;
}

argand_status argand_nufft_derivative_adjoint(const argand_nufft *plan, int axis, argand_array *image,
                                              const argand_array *samples)
{
    TRY(check(plan, axis, samples, image));
    TRY(argand_nufft_adjoint(plan, image, samples));
    return multiply_ramp(plan, axis, image, image, ARGAND_PRODUCT_CONJ);
}

/* y = the real part of the sum over all vectors of x, which is lost */
static argand_status sum_vectors(argand_array *y, argand_array *x)
{
    argand_array *all = NULL, *sum = NULL, *next = NULL;
    argand_status status;
    const int64_t count = argand_array_dim(x, 0), vectors = argand_array_count(x) / count;
    TRY_OR_DONE(argand_array_reshape(&all, x, 2, (int64_t[]){count, vectors}));
    TRY_OR_DONE(argand_array_view(&sum, all, 1, &count, (int64_t[]){1}, 0));
    for (int64_t v = 1; v < vectors; v++) {
        TRY_OR_DONE(argand_array_view(&next, all, 1, &count, (int64_t[]){1}, v * count));
        TRY_OR_DONE(argand_array_axpby(sum, (argand_scalar){1, 0}, next, (argand_scalar){1, 0}));
        argand_array_destroy(next);
        next = NULL;
    }
    status = argand_array_real(y, sum);
done:
    argand_array_destroy(next);
    argand_array_destroy(sum);
    argand_array_destroy(all);
    return status;
}

argand_status argand_nufft_gradient(const argand_nufft *plan, argand_array *const gradient[],
                                    const argand_array *samples, const argand_array *image)
{
    argand_array *slope;
    CHECK(gradient, ARGAND_ARGUMENT, "nufft: no gradient given");
    TRY(check(plan, 0, samples, image));
    TRY(new_like(&slope, plan, samples));
    argand_status status = ARGAND_OK;
    for (int axis = 0; axis < plan->options.rank && status == ARGAND_OK; axis++) {
        status = argand_nufft_derivative(plan, axis, slope, image);
        if (status == ARGAND_OK) status = argand_array_multiply(slope, samples, slope, ARGAND_PRODUCT_CONJ);
        if (status == ARGAND_OK) status = sum_vectors(gradient[axis], slope);
    }
    argand_array_destroy(slope);
    return status;
}
