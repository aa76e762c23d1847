/* SPDX-License-Identifier: BSD-3-Clause */
/* Coil images: the weighted adjoint of all shots, each multiplied by its conjugate phase map. */
#include "recon/transform/transform.h"

#include <math.h>
#include "base/memory.h"

argand_status combine_weigh(argand_array *y, const argand_array *weights)
{
    argand_array *repeated;
    const int64_t dims[2] = {argand_array_dim(y, 0), argand_array_dim(y, 1)};
    TRY(argand_array_view(&repeated, weights, 2, dims, (int64_t[]){1, 0}, 0));
    const argand_status status = argand_array_multiply(y, repeated, y, ARGAND_PRODUCT);
    argand_array_destroy(repeated);
    return status;
}

argand_status combine_phase_factor(const argand_sense *s, const argand_array *phases, int shot,
                                   const argand_shape *shape, argand_array **phase_factor)
{
    int64_t strides[4] = {1, shape->dims[0], shape->dims[0] * shape->dims[1], 0};
    const int64_t pixels = s->grid.n[0] * s->grid.n[1] * s->grid.n[2];
    argand_array *one = NULL, *array = NULL;
    double *phase = NULL, *numbers = NULL;
    argand_status status;
    strides[shape->rank - 1] = 0;
    TRY_OR_DONE(argand_array_view(&one, phases, 1, &pixels, (int64_t[]){1}, pixels * shot));
    TRY_OR_DONE(numbers_of_array(one, &phase));
    TRY_OR_DONE(NEW(numbers, 2 * pixels));
    for (int64_t i = 0; i < pixels; i++) {
        numbers[2 * i] = cos(phase[i]);
        numbers[2 * i + 1] = -sin(phase[i]);
    }
    TRY_OR_DONE(complex_of_numbers(s, numbers, pixels, &array));
    status = argand_array_view(phase_factor, array, shape->rank, shape->dims, strides, 0);
done:
    memory_free(numbers);
    memory_free(phase);
    argand_array_destroy(array);
    argand_array_destroy(one);
    return status;
}

argand_status combine_one(const argand_sense *s, const argand_array *y, const recon_shot *shot,
                          const argand_array *weights, const argand_op *transform, argand_array *images)
{
    argand_array *own = NULL, *rows = NULL, *own_weights = NULL;
    argand_status status;
    const int64_t dims[2] = {shot->count, s->coils}, strides[2] = {1, argand_array_dim(y, 0)};
    TRY_OR_DONE(argand_array_view(&rows, y, 2, dims, strides, shot->first));
    TRY_OR_DONE(argand_array_create(&own, s->device, s->options.type, 2, dims));
    TRY_OR_DONE(argand_array_copy(own, rows));
    if (weights) {
        TRY_OR_DONE(argand_array_part(&own_weights, weights, 0, shot->first, shot->count));
        TRY_OR_DONE(combine_weigh(own, own_weights));
    }
    status = argand_op_adjoint(transform, images, own);
done:
    argand_array_destroy(own_weights);
    argand_array_destroy(own);
    argand_array_destroy(rows);
    return status;
}

argand_status combine_shots(const argand_sense *s, const recon_samples *data, argand_op *const *transforms,
                            const argand_array *weights, const argand_array *phases, argand_array **images)
{
    const argand_shape *shape = argand_op_domain(transforms[0]);
    argand_array *one = NULL, *phase_factor = NULL;
    argand_status status;
    TRY(argand_array_create(images, s->device, shape->type, shape->rank, shape->dims));
    if (phases) TRY_OR_DONE(argand_array_create(&one, s->device, shape->type, shape->rank, shape->dims));
    for (int i = 0; i < data->shot_count; i++) {
        TRY_OR_DONE(combine_one(s, data->y, &data->shots[i], weights, transforms[i], one ? one : *images));
        if (!phases) break; /* a single shot */
        TRY_OR_DONE(combine_phase_factor(s, phases, i, shape, &phase_factor));
        TRY_OR_DONE(argand_array_multiply(*images, phase_factor, one, ARGAND_PRODUCT_ADD));
        argand_array_destroy(phase_factor);
        phase_factor = NULL;
    }
    status = ARGAND_OK;
done:
    argand_array_destroy(phase_factor);
    argand_array_destroy(one);
    if (status) {
        argand_array_destroy(*images);
        *images = NULL;
    }
    return status;
}
