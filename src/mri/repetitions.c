/* SPDX-License-Identifier: BSD-3-Clause */
/* Reconstructs repetitions together: y_r = A_r x_r, or with a temporal basis v of few columns y_r = A_r
 * sum_k v_rk x_k, so that all repetitions are combinations of a few images (Liang, ISBI 2007, 988;
 * subspace reconstruction: Tamir et al., Magn. Reson. Med. 77:180, 2017; of elastography: McIlvain,
 * Cerjanic, Christodoulou, McGarry, Johnson, Magn. Reson. Med. 88:2073, 2022). */
#include <argand/mri.h>

#include "array/array.h"
#include "mri/host.h"
#include "op/spread.h"

typedef struct repetitions {
    argand_device *device;
    int count,
        images; /* number of repetitions; number of images in x: repetitions, or columns of the basis */
    argand_op **parts;
    int64_t *first; /* {count + 1}: first sample of each part */
    double *basis;  /* complex {count, images}; NULL: x_r is image r */
    argand_shape image;
    int64_t pixels;
} repetitions;

static argand_status image_of(const repetitions *p, const argand_array *x, int k, argand_array **image)
{
    int64_t strides[ARGAND_MAX_RANK], stride = 1;
    for (int d = 0; d < p->image.rank; d++) {
        strides[d] = stride;
        stride *= p->image.dims[d];
    }
    return argand_array_view(image, x, p->image.rank, p->image.dims, strides, k * p->pixels);
}

/* Makes a view of the samples of a repetition with the shape that its operator takes. */
static argand_status samples_of(const repetitions *p, const argand_array *y, int r, argand_array **samples)
{
    const int64_t count = p->first[r + 1] - p->first[r], stride = 1;
    argand_array *flat;
    const argand_shape *range = argand_op_range(p->parts[r]);
    TRY(argand_array_view(&flat, y, 1, &count, &stride, p->first[r]));
    const argand_status status = argand_array_reshape(samples, flat, range->rank, range->dims);
    argand_array_destroy(flat);
    return status;
}

static argand_scalar basis_at(const repetitions *p, int r, int k, bool conjugate)
{
    const double *v = p->basis + 2 * (r + (int64_t)p->count * k);
    return (argand_scalar){v[0], conjugate ? -v[1] : v[1]};
}

/* Computes image = sum_k v_rk x_k; without a basis it is a view of image r. */
static argand_status image_at(const repetitions *p, const argand_array *x, int r, argand_array **image)
{
    if (!p->basis) return image_of(p, x, r, image);
    TRY(array_scratch(image, p->device, p->image.type, p->image.rank, p->image.dims));
    argand_status status = argand_array_fill(*image, (argand_scalar){0, 0});
    for (int k = 0; k < p->images && !status; k++) {
        argand_array *one;
        status = image_of(p, x, k, &one);
        if (!status)
            status = argand_array_axpby(*image, basis_at(p, r, k, false), one, (argand_scalar){1, 0});
        argand_array_destroy(one);
    }
    if (status) {
        argand_array_destroy(*image);
        *image = NULL;
    }
    return status;
}

/* Adds conj(v_rk) image to each x_k. */
static argand_status spread(const repetitions *p, argand_array *x, int r, const argand_array *image)
{
    for (int k = 0; k < p->images; k++) {
        argand_array *one;
        TRY(image_of(p, x, k, &one));
        const argand_status status =
            argand_array_axpby(one, basis_at(p, r, k, true), image, (argand_scalar){1, 0});
        argand_array_destroy(one);
        TRY(status);
    }
    return ARGAND_OK;
}

static argand_status apply(void *context, argand_array *y, const argand_array *x)
{
    const repetitions *p = context;
    for (int r = 0; r < p->count; r++) {
        argand_array *image = NULL, *samples = NULL;
        argand_status status = image_at(p, x, r, &image);
        if (!status) status = samples_of(p, y, r, &samples);
        if (!status) status = argand_op_apply(p->parts[r], samples, image);
        argand_array_destroy(samples);
        argand_array_destroy(image);
        TRY(status);
    }
    return ARGAND_OK;
}

/* What one repetition contributes to x, to its own image or to all images through the basis: an operation of
 * its part, on what the repetition has of the input. */
typedef struct contribution {
    argand_status (*take)(const repetitions *p, const argand_array *from, int r, argand_array **own);
    argand_status (*operation)(const argand_op *part, argand_array *image, const argand_array *own);
} contribution;

static argand_status contribute(const repetitions *p, int r, argand_array *image, const argand_array *from,
                                contribution c)
{
    argand_array *own;
    TRY(c.take(p, from, r, &own));
    const argand_status status = c.operation(p->parts[r], image, own);
    argand_array_destroy(own);
    return status;
}

static argand_status each_part(const repetitions *p, argand_array *x, const argand_array *from,
                               contribution c)
{
    if (p->basis) TRY(argand_array_fill(x, (argand_scalar){0, 0}));
    for (int r = 0; r < p->count; r++) {
        argand_array *image = NULL;
        argand_status status =
            p->basis ? array_scratch(&image, p->device, p->image.type, p->image.rank, p->image.dims)
                     : image_of(p, x, r, &image);
        if (!status) status = contribute(p, r, image, from, c);
        if (!status && p->basis) status = spread(p, x, r, image);
        argand_array_destroy(image);
        TRY(status);
    }
    return ARGAND_OK;
}

static argand_status adjoint(void *context, argand_array *x, const argand_array *y)
{
    return each_part(context, x, y, (contribution){samples_of, argand_op_adjoint});
}

static argand_status normal(void *context, argand_array *z, const argand_array *x)
{
    return each_part(context, z, x, (contribution){image_at, argand_op_normal});
}

/* Applies parts that are themselves normal operators. */
static argand_status square(void *context, argand_array *z, const argand_array *x)
{
    return each_part(context, z, x, (contribution){image_at, argand_op_apply});
}

static void destroy(void *context)
{
    repetitions *p = context;
    if (!p) return;
    for (int r = 0; p->parts && r < p->count; r++) argand_op_destroy(p->parts[r]);
    memory_free(p->parts);
    memory_free(p->first);
    memory_free(p->basis);
    memory_free(p);
}

static argand_status check_parts(argand_op *const parts[], int count)
{
    const argand_shape *first = argand_op_domain(parts[0]);
    for (int r = 0; r < count; r++) TRY(spread_refuse(parts[r], "repetitions"));
    for (int r = 1; r < count; r++) {
        const argand_shape *own = argand_op_domain(parts[r]);
        bool same = own && own->type == first->type && own->rank == first->rank &&
                    argand_op_device(parts[r]) == argand_op_device(parts[0]);
        for (int d = 0; same && d < own->rank; d++) same = own->dims[d] == first->dims[d];
        CHECK(same, ARGAND_ARGUMENT,
              "repetitions: the operator of repetition %d takes other images than that of repetition 0, or "
              "lives "
              "elsewhere",
              r);
    }
    CHECK(first->rank < ARGAND_MAX_RANK, ARGAND_ARGUMENT, "repetitions: images of %d dimensions",
          first->rank);
    return ARGAND_OK;
}

static argand_status take_basis(repetitions *p, const argand_array *basis)
{
    bool finite;
    CHECK(argand_array_rank(basis) == 2 && argand_array_dim(basis, 0) == p->count &&
              argand_array_dim(basis, 1) <= p->count,
          ARGAND_ARGUMENT,
          "repetitions: the temporal basis is %lldx%lld; it must have %d rows, one a repetition, and at most "
          "as many "
          "columns",
          (long long)argand_array_dim(basis, 0), (long long)argand_array_dim(basis, 1), p->count);
    CHECK(type_is_complex(argand_array_type(basis)), ARGAND_ARGUMENT,
          "repetitions: the temporal basis must be complex");
    TRY(argand_array_is_finite(&finite, basis));
    CHECK(finite, ARGAND_ARGUMENT, "repetitions: the temporal basis holds numbers that are not finite");
    p->images = (int)argand_array_dim(basis, 1);
    return host_read(&p->basis, basis);
}

static argand_status fill(repetitions *p, argand_op *const parts[], const argand_array *basis)
{
    TRY(NEW(p->parts, p->count));
    TRY(NEW(p->first, p->count + 1));
    for (int r = 0; r < p->count; r++) {
        const argand_shape *range = argand_op_range(parts[r]);
        int64_t samples = 1;
        for (int d = 0; d < range->rank; d++) samples *= range->dims[d];
        p->first[r + 1] = p->first[r] + samples;
        p->parts[r] = argand_op_keep(parts[r]);
    }
    p->device = argand_op_device(parts[0]);
    p->image = *argand_op_domain(parts[0]);
    p->pixels = 1;
    for (int d = 0; d < p->image.rank; d++) p->pixels *= p->image.dims[d];
    return basis ? take_basis(p, basis) : ARGAND_OK;
}

/* Checks the operators and fills in what both kinds of repetitions hold. The caller destroys *out, also
 * after a failure. */
static argand_status begin(repetitions **out, argand_op **op, argand_op *const parts[], int count,
                           const argand_array *basis)
{
    *out = NULL;
    if (op) *op = NULL;
    CHECK(op && parts && count > 0 && parts[0], ARGAND_ARGUMENT, "repetitions: no operators given");
    TRY(check_parts(parts, count));
    TRY(NEW(*out, 1));
    (*out)->count = (*out)->images = count;
    return fill(*out, parts, basis);
}

argand_status argand_op_repetitions_normal(argand_op **op, argand_op *const parts[], int count,
                                           const argand_array *basis)
{
    repetitions *p;
    argand_status status = begin(&p, op, parts, count, basis);
    for (int r = 0; r < count && !status; r++)
        if (p->first[r + 1] - p->first[r] != p->pixels)
            status = status_set(ARGAND_ARGUMENT,
                                "repetitions: the normal operator of repetition %d gives no image", r);
    if (!status) {
        argand_op_definition definition = {.name = "repetitions normal",
                                           .domain = p->image,
                                           .apply = square,
                                           .adjoint = square,
                                           .destroy = destroy,
                                           .context = p};
        definition.domain.dims[definition.domain.rank++] = p->images;
        definition.range = definition.domain;
        status = argand_op_create(op, p->device, &definition);
    }
    if (status) destroy(p);
    return status;
}

argand_status argand_op_repetitions(argand_op **op, argand_op *const parts[], int count,
                                    const argand_array *basis)
{
    repetitions *p;
    argand_status status = begin(&p, op, parts, count, basis);
    if (!status) {
        argand_op_definition definition = {
            .name = "repetitions",
            .domain = p->image,
            .range = {.type = p->image.type, .rank = 1, .dims = {p->first[count]}},
            .apply = apply,
            .adjoint = adjoint,
            .normal = normal,
            .destroy = destroy,
            .context = p};
        definition.domain.dims[definition.domain.rank++] = p->images;
        status = argand_op_create(op, p->device, &definition);
    }
    if (status) destroy(p);
    return status;
}
