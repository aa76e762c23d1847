/* SPDX-License-Identifier: BSD-3-Clause */
/* Estimates coil maps together with an image, from a volume's samples. Maps are smooth. They are computed
 * on a grid of at most 64 pixels along an axis, from the samples inside its k-space; then their
 * coefficients are padded. */
#include "recon/calibrate/joint_model.h"

#include "base/memory.h"
#include "calib/joint/joint.h"
#include "fft/plan/waiting.h"
#include "recon/maps/maps.h"

enum { STEPS = 24 };
enum { QUICK = 2000000 }; /* unknowns that take some minutes; 50000 take some seconds */
/* Factors of the time with a field map (measured: 2.8 and 3.1, 48 x 48 x 16 pixels, 100 Hz) and with phases
 * of shots (2.6 and 3.3, four spirals). */
static const double OF_FIELD = 3, OF_PHASES = 3;

bool joint_is_quick(const argand_sense *s)
{
    double unknowns = (double)s->coils * s->slices;
    for (int axis = 0; axis < 3; axis++) unknowns *= (double)joint_size(s->grid.n[axis]);
    if (s->transform != ARGAND_TRANSFORM_NUFFT) unknowns *= OF_FIELD;
    if (s->options.phases != ARGAND_PHASES_NONE) unknowns *= OF_PHASES;
    return unknowns <= QUICK;
}

/* Copies the coefficients of the small grid into the middle of the large grid, and sets the others to 0. */
static argand_status pad(argand_array *maps, const argand_array *coefficients)
{
    const int rank = argand_array_rank(maps);
    int64_t dims[ARGAND_MAX_RANK], strides[ARGAND_MAX_RANK], offset = 0;
    argand_array *middle;
    for (int axis = 0; axis < rank; axis++) {
        const int64_t first = argand_array_dim(maps, axis) / 2 - argand_array_dim(coefficients, axis) / 2;
        dims[axis] = argand_array_dim(coefficients, axis);
        strides[axis] = argand_array_stride(maps, axis);
        offset += axis < rank - 1 ? first * strides[axis] : 0;
    }
    TRY(argand_array_fill(maps, (argand_scalar){0, 0}));
    TRY(argand_array_view(&middle, maps, rank, dims, strides, offset));
    const argand_status status = argand_array_copy(middle, coefficients);
    argand_array_destroy(middle);
    return status;
}

/* Scales the maps to norm 1 over the coils at each pixel. */
static argand_status normalise(const argand_sense *s, argand_array *maps)
{
    const argand_shape shape = sets_shape(s);
    const int last = shape.rank - 1;
    int64_t pixels = 1, strides[ARGAND_MAX_RANK] = {0};
    argand_array *norm = NULL, *flat = NULL, *repeated = NULL;
    double *values = NULL;
    argand_status status;
    for (int axis = 0; axis < last; axis++) {
        strides[axis] = pixels;
        pixels *= shape.dims[axis];
    }
    TRY_OR_DONE(argand_array_create(&norm, s->device, shape.type == ARGAND_C64 ? ARGAND_R64 : ARGAND_R32,
                                    last, shape.dims));
    TRY_OR_DONE(argand_coils_rss(norm, maps));
    TRY_OR_DONE(numbers_of_array(norm, &values));
    for (int64_t i = 0; i < pixels; i++) values[i] = values[i] > 0 ? 1 / values[i] : 0;
    TRY_OR_DONE(array_of_numbers(s, values, pixels, &flat));
    TRY_OR_DONE(argand_array_view(&repeated, flat, shape.rank, shape.dims, strides, 0));
    status = argand_array_multiply(maps, repeated, maps, ARGAND_PRODUCT);
done:
    memory_free(values);
    argand_array_destroy(repeated);
    argand_array_destroy(flat);
    argand_array_destroy(norm);
    return status;
}

/* Turns coefficients on the small grid into maps {grid, coils}. */
static argand_status finish(const argand_sense *s, const argand_array *coefficients, argand_array *maps)
{
    const int64_t *n = s->grid.n;
    const argand_fft_options options = {.type = s->options.type,
                                        .rank = s->grid.rank,
                                        .n = {n[0], n[1], n[2]},
                                        .batch = s->coils,
                                        .centred = true};
    argand_fft *plan;
    TRY(pad(maps, coefficients));
    TRY(fft_create_waiting(&plan, s->device, &options));
    const argand_status status = argand_fft_apply(plan, maps, maps, ARGAND_INVERSE);
    argand_fft_destroy(plan);
    TRY(status);
    return normalise(s, maps);
}

void joint_note(argand_sense *s, const int64_t cells[3])
{
    note_once(s,
              "Coil maps are estimated together with the image (nonlinear inversion), from the samples of "
              "%lld x %lld x %lld cells around the middle of k-space.",
              (long long)cells[0], (long long)cells[1], (long long)cells[2]);
}

static argand_status solve(const argand_sense *s, const joint_model *m, argand_array *maps)
{
    const argand_shape *shape = argand_op_domain(m->normal);
    const joint_problem problem = {.normal = m->normal, .right = m->right, .norm = m->norm, .steps = STEPS};
    argand_array *coefficients;
    TRY(argand_array_create(&coefficients, s->device, shape->type, shape->rank, shape->dims));
    argand_status status = joint_solve(coefficients, &problem);
    if (!status) status = finish(s, coefficients, maps);
    argand_array_destroy(coefficients);
    return status;
}

argand_status joint_maps(argand_sense *s, const recon_source *image, const recon_samples *more,
                         argand_array **maps, int64_t cells[3])
{
    const argand_shape shape = sets_shape(s);
    joint_model m;
    argand_status status;
    *maps = NULL;
    TRY_OR_DONE(joint_model_make(&m, s, image, more));
    for (int axis = 0; axis < 3; axis++) cells[axis] = m.small.grid.n[axis];
    TRY_OR_DONE(argand_array_create(maps, s->device, shape.type, shape.rank, shape.dims));
    status = solve(s, &m, *maps);
done:
    joint_model_free(&m);
    if (status) {
        argand_array_destroy(*maps);
        *maps = NULL;
    }
    return status;
}
