/* SPDX-License-Identifier: BSD-3-Clause */
/* Coil images to calibrate from: a few steps of conjugate gradients for all coils at once, without maps, so
 * that the block of k-space is what its samples say, not what the density of the trajectory makes of them.
 * One adjoint, however well weighted, leaves errors of some percent from cell to cell, which ESPIRiT takes
 * for structure.
 *
 * Without a field to correct for, only samples in and around the block are looked at, on a grid of few
 * pixels. A field moves signal within k-space, and phase maps belong to whole shots: then the model's own
 * transforms are used, with all samples. */
#include "recon/calibrate/calibrate.h"

#include <math.h>
#include "base/memory.h"
#include "device/device.h"
#include "recon/samples/samples.h"
#include "recon/transform/transform.h"

/* Cells around the block whose samples count, and as many that none constrains: the grid is periodic, its two
 * ends must not pull at each other. */
enum { MARGIN = 4 };

/* On the small grid, steps cost nothing, and weights would make more of the noise. Spirals whose turns are
 * just a cycle apart go on improving up to some 40 steps where noise is low (maps cover 79 % of an image
 * instead of 91 after 12), and take up noise where it is high: 30 are between. Through the model's transforms
 * a step costs as much as one of the image; density weights make 12 do. */
typedef struct effort {
    int iterations;
    double tolerance;
    bool weighted;
} effort;
static const effort SMALL = {30, 1e-5, false}, FULL = {12, 1e-3, true};

/* images {grid, coils} -> samples {all, coils}: shot s sees exp(i P_s) of them. */
typedef struct shots_op {
    const argand_sense *s;
    const recon_samples *data;
    argand_op *const *transforms;
    const argand_array *phases;
} shots_op;

static argand_status shots_apply(void *context, argand_array *y, const argand_array *x)
{
    const shots_op *o = context;
    argand_array *modulated = NULL, *phase_factor = NULL, *own = NULL, *rows = NULL;
    const argand_shape *shape = argand_op_domain(o->transforms[0]);
    argand_status status;
    TRY_OR_DONE(argand_array_create(&modulated, o->s->device, shape->type, shape->rank, shape->dims));
    for (int i = 0; i < o->data->shot_count; i++) {
        const recon_shot *shot = &o->data->shots[i];
        const int64_t dims[2] = {shot->count, o->s->coils};
        TRY_OR_DONE(combine_phase_factor(o->s, o->phases, i, shape, &phase_factor));
        TRY_OR_DONE(argand_array_multiply(modulated, phase_factor, x, ARGAND_PRODUCT_CONJ));
        TRY_OR_DONE(argand_array_create(&own, o->s->device, shape->type, 2, dims));
        TRY_OR_DONE(argand_op_apply(o->transforms[i], own, modulated));
        TRY_OR_DONE(
            argand_array_view(&rows, y, 2, dims, (int64_t[]){1, argand_array_dim(y, 0)}, shot->first));
        TRY_OR_DONE(argand_array_copy(rows, own));
        argand_array_destroy(rows);
        argand_array_destroy(own);
        argand_array_destroy(phase_factor);
        rows = own = phase_factor = NULL;
    }
    status = ARGAND_OK;
done:
    argand_array_destroy(rows);
    argand_array_destroy(own);
    argand_array_destroy(phase_factor);
    argand_array_destroy(modulated);
    return status;
}

static argand_status shots_adjoint(void *context, argand_array *x, const argand_array *y)
{
    const shots_op *o = context;
    const recon_samples seen = {.at = o->data->at,
                                .y = (argand_array *)(uintptr_t)y,
                                .shot_count = o->data->shot_count,
                                .shots = o->data->shots};
    argand_array *images;
    TRY(combine_shots(o->s, &seen, o->transforms, NULL, o->phases, &images));
    const argand_status status = argand_array_copy(x, images);
    argand_array_destroy(images);
    return status;
}

argand_status density_of_samples(const argand_sense *s, const recon_samples *data, argand_array **out)
{
    argand_array *weights;
    TRY(density_of_points(s, &data->at, &weights));
    const argand_status status =
        argand_array_view(out, weights, 2, (int64_t[]){data->at.count, s->coils}, (int64_t[]){1, 0}, 0);
    argand_array_destroy(weights);
    return status;
}

/* images = the solution of few steps. */
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

/* By the model's transforms, from all samples. */
static argand_status through_model(const argand_sense *s, const recon_samples *data,
                                   argand_op *const *transforms, const argand_array *phases,
                                   argand_array **images)
{
    shots_op shots = {s, data, transforms, phases};
    argand_op *op = NULL;
    if (!phases) return solve(s, transforms[0], data, &FULL, images);
    const argand_op_definition definition = {.name = "shots",
                                             .domain = *argand_op_domain(transforms[0]),
                                             .range = {s->options.type, 2, {data->at.count, s->coils}},
                                             .apply = shots_apply,
                                             .adjoint = shots_adjoint,
                                             .context = &shots};
    TRY(argand_op_create(&op, s->device, &definition));
    const argand_status status = solve(s, op, data, &FULL, images);
    argand_op_destroy(op);
    return status;
}

/* The session on the block's own grid, k counted from the block's middle. */
static argand_sense small_session(const argand_sense *s, const recon_block *block, double middle[3])
{
    argand_sense small = *s;
    small.transform = ARGAND_TRANSFORM_NUFFT;
    small.nufft_tolerance = fmax(s->nufft_tolerance, 1e-4);
    for (int axis = 0; axis < 3; axis++) {
        const int64_t n = s->grid.n[axis], size = block->size[axis];
        middle[axis] = (double)(block->first[axis] + size / 2 - n / 2);
        small.grid.n[axis] = n == 1 ? 1 : size + 4 * MARGIN;
    }
    return small;
}

/* The samples within the block and its margin, as samples of the small grid. */
static argand_status within(const argand_sense *small, const recon_block *block, const double middle[3],
                            const recon_samples *data, recon_samples *out)
{
    double *k[3] = {NULL}, *y = NULL, *t = NULL;
    const int64_t all = data->at.count, coils = small->coils;
    int64_t *kept = NULL, count = 0;
    argand_array *flat = NULL;
    argand_status status;
    *out = (recon_samples){0};
    TRY_OR_DONE(NEW(kept, all));
    for (int axis = 0; axis < 3; axis++) TRY_OR_DONE(numbers_of_array(data->at.k[axis], &k[axis]));
    TRY_OR_DONE(numbers_of_array(data->at.t, &t));
    TRY_OR_DONE(numbers_of_array(data->y, &y));
    for (int64_t i = 0; i < all; i++) {
        bool inside = true;
        for (int axis = 0; axis < small->grid.rank; axis++) {
            k[axis][i] -= middle[axis];
            inside &=
                small->grid.n[axis] == 1 || fabs(k[axis][i]) <= 0.5 * (double)block->size[axis] + MARGIN;
        }
        if (inside) kept[count++] = i;
    }
    for (int64_t i = 0; i < count; i++) {
        for (int axis = 0; axis < 3; axis++) k[axis][i] = k[axis][kept[i]];
        t[i] = t[kept[i]];
    }
    for (int64_t c = 0; c < coils; c++) /* never overtakes what is still to be read */
        for (int64_t i = 0; i < count; i++)
            for (int part = 0; part < 2; part++)
                y[2 * (i + count * c) + part] = y[2 * (kept[i] + all * c) + part];
    out->at.count = count;
    for (int axis = 0; axis < 3; axis++)
        TRY_OR_DONE(array_of_numbers(small, k[axis], count, &out->at.k[axis]));
    TRY_OR_DONE(array_of_numbers(small, t, count, &out->at.t));
    TRY_OR_DONE(complex_of_numbers(small, y, count * coils, &flat));
    status = argand_array_reshape(&out->y, flat, 2, (int64_t[]){count, coils});
done:
    argand_array_destroy(flat);
    for (int axis = 0; axis < 3; axis++) memory_free(k[axis]);
    memory_free(t);
    memory_free(y);
    memory_free(kept);
    if (status) samples_free(out);
    return status;
}

static argand_status on_small_grid(const argand_sense *s, const recon_block *block, const recon_samples *data,
                                   argand_array **images)
{
    double middle[3];
    recon_samples near;
    argand_op *transform = NULL;
    recon_physics none = {0};
    argand_status status;
    const argand_sense small = small_session(s, block, middle);
    TRY(within(&small, block, middle, data, &near));
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
