/* SPDX-License-Identifier: BSD-3-Clause */
/* Solves for the images of all coils by SPIRiT, and combines these to the volume's image. */
#include "recon/solve/solve.h"

#include "base/memory.h"
#include "recon/model/model.h"

/* Computes sum conj(S) x / sum |S|^2. */
static argand_status by_maps(const argand_sense *s, const argand_array *images, argand_array *x)
{
    const int64_t pixels = argand_array_count(x);
    double *z = NULL, *maps = NULL, *sum = NULL;
    argand_array *flat = NULL, *shaped = NULL;
    argand_status status;
    TRY_OR_DONE(numbers_of_array(images, &z));
    TRY_OR_DONE(numbers_of_array(s->model.coil_maps, &maps));
    TRY_OR_DONE(NEW(sum, 2 * pixels));
    for (int64_t i = 0; i < pixels; i++) {
        double energy = 0, *const to = sum + 2 * i;
        for (int64_t c = 0; c < s->coils; c++) {
            const double *a = maps + 2 * (i + pixels * c), *b = z + 2 * (i + pixels * c);
            energy += a[0] * a[0] + a[1] * a[1];
            to[0] += a[0] * b[0] + a[1] * b[1];
            to[1] += a[0] * b[1] - a[1] * b[0];
        }
        to[0] = energy > 0 ? to[0] / energy : 0;
        to[1] = energy > 0 ? to[1] / energy : 0;
    }
    TRY_OR_DONE(complex_of_numbers(s, sum, pixels, &flat));
    TRY_OR_DONE(argand_array_reshape(&shaped, flat, s->grid.rank, s->grid.n));
    status = argand_array_copy(x, shaped);
done:
    argand_array_destroy(shaped);
    argand_array_destroy(flat);
    memory_free(sum);
    memory_free(maps);
    memory_free(z);
    return status;
}

/* Sets pixels outside the mask to 0. */
static argand_status cut(const argand_sense *s, argand_array *x)
{
    argand_op *mask;
    argand_array *all = NULL;
    argand_status status;
    TRY(model_mask(s, &s->model, &mask));
    if (!mask) return ARGAND_OK;
    TRY_OR_DONE(argand_array_create(&all, s->device, s->options.type, s->grid.rank, s->grid.n));
    TRY_OR_DONE(argand_array_copy(all, x));
    status = argand_op_apply(mask, x, all);
done:
    argand_array_destroy(all);
    argand_op_destroy(mask);
    return status;
}

argand_status spirit_solve(argand_sense *s, const recon_samples *data, argand_array *x,
                           argand_monitor monitor, void *context)
{
    const argand_shape *shape = argand_op_domain(s->model.sense);
    argand_array *images;
    TRY(argand_array_create(&images, s->device, shape->type, shape->rank, shape->dims));
    argand_status status = solve_volume(s, data, images, monitor, context);
    if (status == ARGAND_OK || status == ARGAND_STOPPED) {
        argand_status combined = s->options.spirit_rss ? sum_of_squares(s, images, x) : by_maps(s, images, x);
        if (combined == ARGAND_OK) combined = cut(s, x);
        if (combined != ARGAND_OK) status = combined;
    }
    argand_array_destroy(images);
    return status;
}
