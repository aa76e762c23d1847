/* SPDX-License-Identifier: BSD-3-Clause */
/* A constraint on the phase of an image: after the phase p is removed, the imaginary part is small. As a
 * penalty |Im(conj(p) x)|^2 it completes the half of k-space that partial Fourier scans leave out. It
 * works with coils, field maps and any trajectory, and yields to the data where p is wrong. Bydder and
 * Robson, Magn. Reson. Med. 53:1393, 2005; Noll, Nishimura, Macovski, IEEE Trans. Med. Imaging 10:154,
 * 1991 (homodyne). The operator is linear over the reals: its range is real, and its adjoint is the
 * transpose for Re<., .>. */
#include <argand/mri.h>

#include <math.h>
#include "base/memory.h"
#include "mri/host.h"

typedef struct constraint {
    argand_array *phase;   /* p */
    argand_array *rotated; /* i p */
    argand_array *work;
} constraint;

/* y = Im(conj(p) x) */
static argand_status apply(void *context, argand_array *y, const argand_array *x)
{
    const constraint *c = context;
    TRY(argand_array_multiply(c->work, c->phase, x, ARGAND_PRODUCT_CONJ));
    return argand_array_imag(y, c->work);
}

/* x = i p y */
static argand_status adjoint(void *context, argand_array *x, const argand_array *y)
{
    const constraint *c = context;
    return argand_array_multiply(x, c->rotated, y, ARGAND_PRODUCT);
}

static void destroy(void *context)
{
    constraint *c = context;
    if (!c) return;
    argand_array_destroy(c->work);
    argand_array_destroy(c->rotated);
    argand_array_destroy(c->phase);
    memory_free(c);
}

static argand_status fill(constraint *c, const argand_array *phase, const argand_shape *shape)
{
    TRY(argand_array_reshape(&c->phase, phase, shape->rank, shape->dims));
    TRY(argand_array_create(&c->work, argand_array_device(phase), shape->type, shape->rank, shape->dims));
    TRY(argand_array_create(&c->rotated, argand_array_device(phase), shape->type, shape->rank, shape->dims));
    TRY(argand_array_copy(c->rotated, phase));
    return argand_array_scale(c->rotated, (argand_scalar){0, 1});
}

argand_status argand_op_phase_constraint(argand_op **op, const argand_array *phase)
{
    constraint *c;
    if (op) *op = NULL;
    CHECK_ARRAY(phase);
    CHECK(op, ARGAND_ARGUMENT, "phase constraint: no place for the operator");
    CHECK(type_is_complex(argand_array_type(phase)) && argand_array_is_contiguous(phase), ARGAND_ARGUMENT,
          "phase constraint: the phase must be contiguous and complex, of magnitude 1");
    argand_op_definition definition = {
        .name = "phase-constraint",
        .domain = {.type = argand_array_type(phase), .rank = argand_array_rank(phase)},
        .apply = apply,
        .adjoint = adjoint,
        .destroy = destroy};
    for (int d = 0; d < definition.domain.rank; d++) definition.domain.dims[d] = argand_array_dim(phase, d);
    definition.range = definition.domain;
    definition.range.type = type_of(false, type_is_double(argand_array_type(phase)));
    TRY(NEW(c, 1));
    definition.context = c;
    argand_status status = fill(c, phase, &definition.domain);
    if (status == ARGAND_OK) status = argand_op_create(op, argand_array_device(phase), &definition);
    if (status != ARGAND_OK) destroy(c);
    return status;
}

argand_status argand_phase_unit(argand_array *phase, const argand_array *image)
{
    double *values;
    CHECK_ARRAY(phase);
    CHECK_ARRAY(image);
    CHECK(type_is_complex(argand_array_type(phase)) && type_is_complex(argand_array_type(image)) &&
              argand_array_count(phase) == argand_array_count(image),
          ARGAND_ARGUMENT, "phase: two complex arrays of equal size are needed");
    const int64_t count = argand_array_count(image);
    TRY(host_read(&values, image));
    for (int64_t i = 0; i < count; i++) {
        const double length = hypot(values[2 * i], values[2 * i + 1]);
        values[2 * i] = length > 0 ? values[2 * i] / length : 1;
        values[2 * i + 1] = length > 0 ? values[2 * i + 1] / length : 0;
    }
    const argand_status status = host_write_complex(phase, values);
    memory_free(values);
    return status;
}
