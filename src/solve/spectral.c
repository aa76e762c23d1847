/* SPDX-License-Identifier: BSD-3-Clause */
/* A preconditioner in Fourier space: T. Chan, SIAM J. Sci. Stat. Comput. 9:766, 1988; with the differences'
 * own eigenvalues as in Chan, Ng, Plemmons, SIAM J. Sci. Comput. 15:1145, 1994. Weights change on the device:
 * the array of 1/(c + q), c a constant, is the square of the hyperbola's weight 1/sqrt(1 + |r|^2 / c), with
 * |r|^2 = q as real and imaginary part of one complex number. */
#include "solve/spectral.h"

#include <argand/fft.h>
#include <math.h>
#include "array/copy.h"
#include "base/memory.h"
#include "base/pi.h"
#include "op/op.h"
#include "penalty/penalty.h"

typedef struct spectral {
    argand_fft *plan;
    /* These have the shape of the eigenvalues: {space}, or the image's shape if each of its images has
     * eigenvalues of its own. */
    argand_array *eigen;     /* complex: sqrt(C - least) */
    argand_array *laplacian; /* complex: i sqrt(L) */
    argand_array *sum;       /* complex */
    argand_array *inverse;   /* real: 1 / (C + a + b L) / pixels */
    argand_array *repeated;  /* a view of it, of the image's shape */
    double least, pixels;    /* smallest eigenvalue in use; those of one image */
} spectral;

static argand_status apply(void *context, argand_array *y, const argand_array *x)
{
    const spectral *s = context;
    TRY(argand_fft_apply(s->plan, y, x, ARGAND_FORWARD));
    TRY(argand_array_multiply(y, s->repeated, y, ARGAND_PRODUCT));
    return argand_fft_apply(s->plan, y, y, ARGAND_INVERSE);
}

static void destroy(void *context)
{
    spectral *s = context;
    argand_array *const arrays[] = {s->repeated, s->inverse, s->sum, s->laplacian, s->eigen};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) argand_array_destroy(arrays[i]);
    argand_fft_destroy(s->plan);
    memory_free(s);
}

static int64_t count_along(const argand_shape *image, int first, int last)
{
    int64_t count = 1;
    for (int axis = first; axis < last; axis++) count *= image->dims[axis];
    return count;
}

static argand_status check(const argand_shape *image, int space, const argand_array *eigenvalues)
{
    const int64_t pixels = count_along(image, 0, space), all = count_along(image, 0, image->rank);
    CHECK(!type_is_complex(eigenvalues->type), ARGAND_ARGUMENT,
          "argand_solve: the spectrum is %s; give real eigenvalues", argand_type_name(eigenvalues->type));
    for (int axis = 0; axis < space; axis++) {
        CHECK(argand_array_dim(eigenvalues, axis) == image->dims[axis], ARGAND_ARGUMENT,
              "argand_solve: the spectrum has %lld eigenvalues along axis %d, the image %lld pixels",
              (long long)argand_array_dim(eigenvalues, axis), axis, (long long)image->dims[axis]);
    }
    CHECK(eigenvalues->count == pixels || eigenvalues->count == all, ARGAND_ARGUMENT,
          "argand_solve: the spectrum has %lld eigenvalues for %lld pixels", (long long)eigenvalues->count,
          (long long)pixels);
    return ARGAND_OK;
}

static argand_status make_plan(spectral *s, argand_device *device, const argand_shape *image, int space)
{
    argand_fft_options options = {.type = image->type, .rank = space, .batch = 1, .wait_for_kernels = true};
    s->pixels = 1;
    for (int axis = 0; axis < image->rank; axis++) {
        if (axis < space) s->pixels *= (double)(options.n[axis] = image->dims[axis]);
        if (axis >= space) options.batch *= image->dims[axis];
    }
    return argand_fft_create(&s->plan, device, &options);
}

/* The first `axes` axes of the image are those of the eigenvalues. */
static argand_status make_arrays(spectral *s, argand_device *device, const argand_shape *image, int axes)
{
    int64_t strides[ARGAND_MAX_RANK] = {0}, next = 1;
    argand_array **const complex[] = {&s->eigen, &s->laplacian, &s->sum};
    const argand_type real = type_is_double(image->type) ? ARGAND_R64 : ARGAND_R32;
    for (int i = 0; i < 3; i++) TRY(argand_array_create(complex[i], device, image->type, axes, image->dims));
    TRY(argand_array_create(&s->inverse, device, real, axes, image->dims));
    for (int axis = 0; axis < axes; axis++) {
        strides[axis] = next;
        next *= image->dims[axis];
    }
    return argand_array_view(&s->repeated, s->inverse, image->rank, image->dims, strides, 0);
}

/* Eigenvalues of frequencies that were hardly measured are raised to a twentieth of the mean, so that a
 * step does not amplify noise there. */
static argand_status prepare(spectral *s, double *eigen, int64_t count)
{
    double mean = 0;
    for (int64_t i = 0; i < count; i++) {
        CHECK(isfinite(eigen[i]), ARGAND_ARGUMENT, "argand_solve: eigenvalue %lld of the spectrum is %g",
              (long long)i, eigen[i]);
        mean += fmax(eigen[i], 0) / (double)count;
    }
    CHECK(mean > 0, ARGAND_ARGUMENT, "argand_solve: no eigenvalue of the spectrum is above 0");
    s->least = mean / 20;
    for (int64_t i = 0; i < count; i++) eigen[i] = sqrt(fmax(eigen[i] - s->least, 0));
    return ARGAND_OK;
}

static argand_status upload(argand_array *to, const double *values, bool imaginary)
{
    const int64_t count = argand_array_count(to);
    char *host;
    TRY(memory_new(&host, (size_t)count, argand_type_size(to->type)));
    for (int64_t i = 0; i < count; i++) {
        const int64_t at = 2 * i + (imaginary ? 1 : 0);
        if (type_is_double(to->type))
            ((double *)(void *)host)[at] = values[i];
        else
            ((float *)(void *)host)[at] = (float)values[i];
    }
    const argand_status status = argand_array_upload(to, host);
    memory_free(host);
    return status;
}

/* sqrt of sum_d 2 - 2 cos(2 pi f / n), for each image again */
static void laplacian(double *values, const argand_shape *image, int space, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        int64_t rest = i;
        double sum = 0;
        for (int axis = 0; axis < space; axis++) {
            const int64_t n = image->dims[axis], f = rest % n;
            if (n > 1) sum += 2 - 2 * cos(TWO_PI * (double)f / (double)n);
            rest /= n;
        }
        values[i] = sqrt(fmax(sum, 0));
    }
}

static argand_status read_eigenvalues(double *values, const argand_array *eigenvalues)
{
    const int64_t count = eigenvalues->count;
    if (type_is_double(eigenvalues->type)) return argand_array_download(eigenvalues, values);
    float *host;
    TRY(NEW(host, count));
    const argand_status status = argand_array_download(eigenvalues, host);
    for (int64_t i = 0; i < count; i++) values[i] = (double)host[i];
    memory_free(host);
    return status;
}

static argand_status fill(spectral *s, const argand_shape *image, int space, const argand_array *eigenvalues)
{
    double *values;
    argand_status status;
    TRY(NEW(values, eigenvalues->count));
    TRY_OR_DONE(read_eigenvalues(values, eigenvalues));
    TRY_OR_DONE(prepare(s, values, eigenvalues->count));
    TRY_OR_DONE(upload(s->eigen, values, false));
    laplacian(values, image, space, eigenvalues->count);
    status = upload(s->laplacian, values, true);
done:
    memory_free(values);
    return status;
}

static argand_status set(spectral *s, double identity, double laplacian_weight)
{
    const double constant = s->least + identity;
    TRY(argand_array_copy(s->sum, s->eigen));
    TRY(argand_array_axpby(s->sum, (argand_scalar){sqrt(laplacian_weight), 0}, s->laplacian,
                           (argand_scalar){1, 0}));
    TRY(shrink(SHRINK_WEIGHTS, s->inverse, s->sum, 1, 0, sqrt(constant), NULL));
    TRY(argand_array_multiply(s->inverse, s->inverse, s->inverse, ARGAND_PRODUCT));
    return argand_array_scale(s->inverse, (argand_scalar){1 / (constant * s->pixels), 0});
}

argand_status spectral_set(argand_op *op, double identity, double laplacian_weight)
{
    return set(op->definition.context, identity, laplacian_weight);
}

argand_status spectral_make(argand_op **op, const argand_op *of, int space, const argand_array *eigenvalues)
{
    const argand_shape *image = argand_op_domain(of);
    argand_device *device = argand_op_device(of);
    spectral *s;
    TRY(check(image, space, eigenvalues));
    const int axes = eigenvalues->count == count_along(image, 0, space) ? space : image->rank;
    TRY(NEW(s, 1));
    const argand_op_definition definition = {.name = "circulant inverse",
                                             .domain = *image,
                                             .range = *image,
                                             .apply = apply,
                                             .adjoint = apply,
                                             .destroy = destroy,
                                             .context = s};
    argand_status status = make_plan(s, device, image, space);
    if (status == ARGAND_OK) status = make_arrays(s, device, image, axes);
    if (status == ARGAND_OK) status = fill(s, image, space, eigenvalues);
    if (status == ARGAND_OK) status = set(s, 0, 0);
    if (status == ARGAND_OK) status = argand_op_create(op, device, &definition);
    if (status != ARGAND_OK) destroy(s);
    return status;
}
