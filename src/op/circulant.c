/* SPDX-License-Identifier: BSD-3-Clause */
/* A preconditioner: the inverse of the circulant matrix nearest to a normal operator, by two FFTs of the
 * image size and a product. */
#include "op/op.h"
#include "fft/plan/waiting.h"
#include "toeplitz/apply.h"
#include "toeplitz/circulant.h"

#include <math.h>
#include "base/memory.h"

typedef struct circulant {
    argand_fft *plan;
    argand_array *inverse; /* 1 / (eigenvalue + shift) / pixels: real {n...} */
} circulant;

static argand_status apply(void *context, argand_array *y, const argand_array *x)
{
    const circulant *c = context;
    TRY(argand_fft_apply(c->plan, y, x, ARGAND_FORWARD));
    TRY(argand_array_multiply(y, c->inverse, y, ARGAND_PRODUCT));
    return argand_fft_apply(c->plan, y, y, ARGAND_INVERSE);
}

static void destroy(void *context)
{
    circulant *c = context;
    argand_array_destroy(c->inverse);
    argand_fft_destroy(c->plan);
    memory_free(c);
}

/* Inverts the eigenvalues. Small eigenvalues belong to frequencies that were hardly sampled; they are
 * raised to a twentieth of the mean, so that the preconditioner does not amplify noise there. */
static void invert(double *values, int64_t count, double shift)
{
    double mean = 0;
    for (int64_t i = 0; i < count; i++) mean += fmax(values[i], 0) / (double)count;
    const double least = mean > 0 ? mean / 20 : 1;
    for (int64_t i = 0; i < count; i++) values[i] = 1 / ((fmax(values[i], least) + shift) * (double)count);
}

/* Reads element i of a host array as a double. */
static double get(const argand_array *array, int64_t i)
{
    const void *data = argand_array_data(array);
    return array->type == ARGAND_R64 ? ((const double *)data)[i] : (double)((const float *)data)[i];
}

static void set(argand_array *array, int64_t i, double value)
{
    void *data = argand_array_data(array);
    if (array->type == ARGAND_R64)
        ((double *)data)[i] = value;
    else
        ((float *)data)[i] = (float)value;
}

static argand_status invert_array(argand_array *eigenvalues, double shift)
{
    const int64_t count = argand_array_count(eigenvalues);
    double *values;
    TRY(argand_device_wait(argand_array_device(eigenvalues)));
    TRY(NEW(values, count));
    for (int64_t i = 0; i < count; i++) values[i] = get(eigenvalues, i);
    invert(values, count, shift);
    for (int64_t i = 0; i < count; i++) set(eigenvalues, i, values[i]);
    memory_free(values);
    return ARGAND_OK;
}

static argand_status fill(circulant *c, const argand_toeplitz *t, const argand_array *maps, double shift)
{
    argand_fft_options options = {.type = t->type, .rank = t->rank};
    argand_array *eigenvalues;
    for (int d = 0; d < t->rank; d++) options.n[d] = t->n[d];
    TRY(fft_create_waiting(&c->plan, t->device, &options));
    TRY(argand_array_create(&c->inverse, t->device, toeplitz_real(t), t->rank, t->n));
    TRY(toeplitz_circulant(&eigenvalues, t, maps));
    argand_status status = invert_array(eigenvalues, shift);
    if (status == ARGAND_OK) status = argand_array_copy(c->inverse, eigenvalues);
    argand_array_destroy(eigenvalues);
    return status;
}

static argand_status check(const argand_toeplitz *t, const argand_array *maps, double shift)
{
    CHECK(t, ARGAND_ARGUMENT, "argand_op_circulant: no Toeplitz kernels given");
    CHECK(isfinite(shift) && shift >= 0, ARGAND_ARGUMENT, "argand_op_circulant: shift %g; give 0 or more",
          shift);
    return maps ? toeplitz_check_maps(t, maps, "argand_op_circulant") : ARGAND_OK;
}

argand_status argand_op_circulant(argand_op **op, const argand_toeplitz *toeplitz, const argand_array *maps,
                                  double shift)
{
    circulant *c;
    CHECK(op, ARGAND_ARGUMENT, "argand_op_circulant: no place for the operator");
    *op = NULL;
    TRY(check(toeplitz, maps, shift));
    TRY(NEW(c, 1));
    argand_op_definition definition = {.name = "circulant",
                                       .domain = {.type = toeplitz->type, .rank = toeplitz->rank},
                                       .apply = apply,
                                       .adjoint = apply,
                                       .destroy = destroy,
                                       .context = c};
    for (int d = 0; d < toeplitz->rank; d++) definition.domain.dims[d] = toeplitz->n[d];
    definition.range = definition.domain;
    argand_status status = fill(c, toeplitz, maps, shift);
    if (status == ARGAND_OK) status = argand_op_create(op, toeplitz->device, &definition);
    if (status != ARGAND_OK) destroy(c);
    return status;
}
