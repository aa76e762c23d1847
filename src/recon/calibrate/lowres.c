/* SPDX-License-Identifier: BSD-3-Clause */
/* Coil images for calibration: a few conjugate gradient steps for all coils at once, without maps. The
 * block of k-space then follows from its samples, independent of the trajectory's density. One adjoint,
 * however well weighted, leaves errors of some percent from cell to cell, which ESPIRiT takes for
 * structure.
 *
 * Without a field map, only samples in and around the block are used, on a grid of few pixels. A field map
 * moves signal within k-space, and phase maps belong to whole shots. In these cases the model's own
 * transforms are used, with all samples. */
#include "recon/calibrate/calibrate.h"

#include <math.h>
#include "base/memory.h"
#include "device/device.h"
#include "fft/plan/waiting.h"
#include "recon/samples/samples.h"
#include "recon/transform/transform.h"

/* Cells around the block whose samples are used, followed by as many without samples. The grid is
 * periodic, and the free cells decouple its two ends. */
enum { MARGIN = 4 };

/* Number of steps. On the small grid steps cost little, and weights would amplify the noise. Spirals whose
 * turns are one cycle apart improve for up to about 40 steps if noise is low: maps cover 79 % of an image,
 * after 12 steps 91 %. If noise is high, these steps add noise; 30 is a compromise. With the model's
 * transforms, a step costs as much as one of the image; with density weights 12 suffice. */
typedef struct effort {
    int iterations;
    double tolerance;
    bool weighted;
} effort;
static const effort SMALL = {30, 1e-5, false}, FULL = {12, 1e-3, true};

argand_status density_of_samples(const argand_sense *s, const recon_samples *data, argand_array **out)
{
    argand_array *weights;
    TRY(density_of_points(s, &data->at, &weights));
    const argand_status status =
        argand_array_view(out, weights, 2, (int64_t[]){data->at.count, s->coils}, (int64_t[]){1, 0}, 0);
    argand_array_destroy(weights);
    return status;
}

/* Solves for coil images with the given effort. */
static argand_status solve(const argand_sense *s, argand_op *op, const recon_samples *data, const effort *how,
                           argand_array **images)
{
    const argand_shape *shape = argand_op_domain(op);
    argand_array *weights = NULL;
    argand_status status;
    *images = NULL;
    if (how->weighted) TRY_OR_DONE(density_of_samples(s, data, &weights));
    TRY_OR_DONE(argand_array_create(images, s->device, shape->type, shape->rank, shape->dims));
    const argand_cg_options options = {
        .iterations = how->iterations, .tolerance = how->tolerance, .weights = weights};
    status = argand_solve_cg(*images, op, data->y, &options);
done:
    argand_array_destroy(weights);
    if (status) {
        argand_array_destroy(*images);
        *images = NULL;
    }
    return status;
}

/* Solves with the model's transforms and all samples. */
static argand_status through_model(const argand_sense *s, const recon_samples *data,
                                   argand_op *const *transforms, const argand_array *phases,
                                   argand_array **images)
{
    argand_op *op;
    if (!phases) return solve(s, transforms[0], data, &FULL, images);
    TRY(shots_operator(s, data, transforms, phases, &op));
    const argand_status status = solve(s, op, data, &FULL, images);
    argand_op_destroy(op);
    return status;
}

/* Returns a copy of the session with the block's own grid, and the region of the block with its margin,
 * with k relative to its middle. */
static argand_sense small_session(const argand_sense *s, const recon_block *block, recon_region *region)
{
    argand_sense small = *s;
    small.transform = ARGAND_TRANSFORM_NUFFT;
    small.nufft_tolerance = fmax(s->nufft_tolerance, 1e-4);
    for (int axis = 0; axis < 3; axis++) {
        const int64_t n = s->grid.n[axis], size = block->size[axis];
        region->middle[axis] = (double)(block->first[axis] + size / 2 - n / 2);
        region->reach[axis] = 0.5 * (double)size + MARGIN;
        small.grid.n[axis] = n == 1 ? 1 : size + 4 * MARGIN;
    }
    return small;
}

static argand_status on_small_grid(const argand_sense *s, const recon_block *block, const recon_samples *data,
                                   argand_array **images)
{
    recon_region region;
    recon_samples near;
    argand_op *transform = NULL;
    recon_physics none = {0};
    argand_status status;
    const argand_sense small = small_session(s, block, &region);
    TRY(samples_within(&small, &region, &data, 1, &near));
    TRY_OR_DONE(transform_make(&small, &near.at, &none, &transform));
    status = solve(&small, transform, &near, &SMALL, images);
done:
    argand_op_destroy(transform);
    samples_free(&near);
    return status;
}

argand_status lowres_images(const argand_sense *s, const recon_block *block, const recon_samples *data,
                            argand_op *const *transforms, const argand_array *phases, argand_array **images)
{
    if (phases || s->transform != ARGAND_TRANSFORM_NUFFT)
        return through_model(s, data, transforms, phases, images);
    return on_small_grid(s, block, data, images);
}

argand_status lowres_kspace(const argand_sense *s, argand_array *images)
{
    const int rank = argand_array_rank(images);
    argand_fft *plan = NULL;
    argand_fft_options options = {.type = s->options.type,
                                  .rank = rank - 1,
                                  .batch = argand_array_dim(images, rank - 1),
                                  .centred = true};
    for (int axis = 0; axis < 3; axis++)
        options.n[axis] = axis < rank - 1 ? argand_array_dim(images, axis) : 1;
    TRY(fft_create_waiting(&plan, s->device, &options));
    const argand_status status = argand_fft_apply(plan, images, images, ARGAND_FORWARD);
    argand_fft_destroy(plan);
    return status;
}
