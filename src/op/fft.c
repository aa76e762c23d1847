/* SPDX-License-Identifier: BSD-3-Clause */
/* The FFT as an operator. The adjoint of an unscaled (or unitary) transform is the unscaled (or unitary)
 * transform of the other direction. A transform that is scaled in one direction alone is a factor times
 * the unscaled one. */
#include "op/op.h"

#include "base/memory.h"
#include "fft/plan/waiting.h"

typedef struct fourier {
    argand_fft *plan;
    argand_direction direction;
} fourier;

static argand_status apply(void *context, argand_array *y, const argand_array *x)
{
    const fourier *f = context;
    return argand_fft_apply(f->plan, y, x, f->direction);
}

static argand_status adjoint(void *context, argand_array *x, const argand_array *y)
{
    const fourier *f = context;
    return argand_fft_apply(f->plan, x, y, f->direction == ARGAND_FORWARD ? ARGAND_INVERSE : ARGAND_FORWARD);
}

static void destroy(void *context)
{
    fourier *f = context;
    argand_fft_destroy(f->plan);
    memory_free(f);
}

static argand_status check(const argand_fft_options *options, argand_direction direction)
{
    CHECK(options, ARGAND_ARGUMENT, "argand_op_fft: no options");
    CHECK(direction == ARGAND_FORWARD || direction == ARGAND_INVERSE, ARGAND_ARGUMENT,
          "argand_op_fft: direction %d; give ARGAND_FORWARD or ARGAND_INVERSE", (int)direction);
    CHECK(type_is_complex(options->type), ARGAND_UNSUPPORTED,
          "argand_op_fft: the transform is real; its half spectrum has no simple adjoint, so operators need "
          "complex transforms: use C32 or C64");
    CHECK(!options->axes_given, ARGAND_UNSUPPORTED,
          "argand_op_fft: the options give strides (axes_given), but operators work on contiguous arrays; "
          "give n and batch instead");
    CHECK(options->batch <= 1 || options->rank < ARGAND_MAX_RANK, ARGAND_UNSUPPORTED,
          "argand_op_fft: a batch of transforms of rank %d has more than %d dimensions", options->rank,
          ARGAND_MAX_RANK);
    return ARGAND_OK;
}

static argand_shape shape_for(const argand_fft_options *options)
{
    argand_shape shape = {.type = options->type, .rank = options->rank};
    for (int axis = 0; axis < options->rank; axis++) shape.dims[axis] = options->n[axis];
    if (options->batch > 1 && shape.rank < ARGAND_MAX_RANK) shape.dims[shape.rank++] = options->batch;
    return shape;
}

static argand_status create(argand_op **op, argand_device *device, const argand_fft_options *options,
                            argand_direction direction)
{
    fourier *f;
    TRY(NEW(f, 1));
    f->direction = direction;
    argand_status status = fft_create_waiting(&f->plan, device, options);
    if (status == ARGAND_OK) {
        const argand_shape shape = shape_for(options);
        const argand_op_definition definition = {.name = "fft",
                                                 .domain = shape,
                                                 .range = shape,
                                                 .apply = apply,
                                                 .adjoint = adjoint,
                                                 .destroy = destroy,
                                                 .context = f};
        status = argand_op_create(op, device, &definition);
    }
    if (status != ARGAND_OK) destroy(f);
    return status;
}

argand_status argand_op_fft(argand_op **op, argand_device *device, const argand_fft_options *options,
                            argand_direction direction)
{
    CHECK(op, ARGAND_ARGUMENT, "argand_op_fft: no place for the operator");
    *op = NULL;
    TRY(check(options, direction));
    argand_fft_options plain = *options;
    if (options->scale == ARGAND_SCALE_INVERSE) plain.scale = ARGAND_SCALE_NONE;
    argand_op *unscaled;
    TRY(create(&unscaled, device, &plain, direction));
    if (options->scale != ARGAND_SCALE_INVERSE || direction == ARGAND_FORWARD) {
        *op = unscaled;
        return ARGAND_OK;
    }
    double count = 1;
    for (int axis = 0; axis < options->rank; axis++) count *= (double)options->n[axis];
    const argand_status status = argand_op_scale(op, (argand_scalar){1 / count, 0}, unscaled);
    argand_op_destroy(unscaled);
    return status;
}
