/* SPDX-License-Identifier: BSD-3-Clause */
/* Phase-corrected SENSE of several shots, y_cs = F_s(S_c exp(i P_s) x), with the adjoint x = sum_s exp(-i
 * P_s) sum_c conj(S_c) F_s^H y_cs. Motion during diffusion or elastography gradients gives each shot a
 * smooth phase, which must be removed before shots are combined: Liu, Moseley, Bammer, Magn. Reson. Med.
 * 54:1412, 2005; Van, Karampinos, Georgiadis, Sutton, IEEE Trans. Med. Imaging 28:1770, 2009.
 *
 * Shots are processed one after the other, each with all coils at once. Memory: exp(i P) {image dims...,
 * shots}, and the coil images of one shot. */
#include <argand/mri.h>

#include <math.h>
#include <stdio.h>
#include "array/array.h"
#include "mri/coils_op.h"
#include "mri/host.h"
#include "op/spread.h"

typedef struct shot {
    argand_op *transform;
    argand_array *phase_factor; /* exp(i P_s) {image dims...} */
    int64_t first, samples;
} shot;

typedef struct pcsense {
    argand_device *device;
    argand_op *coils;
    argand_shape image, coil_images;
    int64_t total, coil_count;
    int count;
    shot *shots; /* the shots that are not missing */
} pcsense;

static argand_status scratch(const pcsense *p, const argand_shape *shape, argand_array **array)
{
    return array_scratch(array, p->device, shape->type, shape->rank, shape->dims);
}

/* Makes a view of the samples of one shot, {samples, coils}; the stride between coils is `total`. */
static argand_status rows_of(const pcsense *p, const shot *s, const argand_array *y, argand_array **rows)
{
    return argand_array_view(rows, y, 2, (const int64_t[2]){s->samples, p->coil_count},
                             (const int64_t[2]){1, p->total}, s->first);
}

/* What a shot's transform works on: its coil images, its samples, the same as {samples, coils}, and their
 * rows among the samples of all. */
typedef struct shot_work {
    argand_array *coil_images, *samples, *flat, *rows;
} shot_work;

static argand_status work_make(const pcsense *p, const shot *s, const argand_array *y, shot_work *w)
{
    TRY(scratch(p, &p->coil_images, &w->coil_images));
    TRY(scratch(p, argand_op_range(s->transform), &w->samples));
    TRY(argand_array_reshape(&w->flat, w->samples, 2, (const int64_t[2]){s->samples, p->coil_count}));
    return rows_of(p, s, y, &w->rows);
}

static void work_free(shot_work *w)
{
    argand_array_destroy(w->rows);
    argand_array_destroy(w->flat);
    argand_array_destroy(w->samples);
    argand_array_destroy(w->coil_images);
}

/* Computes the coil images S_c exp(i P_s) x. */
static argand_status phase_forward(const pcsense *p, const shot *s, argand_array *coil_images,
                                   const argand_array *x)
{
    argand_array *modulated;
    TRY(scratch(p, &p->image, &modulated));
    argand_status status = argand_array_multiply(modulated, s->phase_factor, x, ARGAND_PRODUCT);
    if (!status) status = argand_op_apply(p->coils, coil_images, modulated);
    argand_array_destroy(modulated);
    return status;
}

/* Adds exp(-i P_s) sum_c conj(S_c) (coil image) to x; the first shot overwrites x. */
static argand_status phase_adjoint(const pcsense *p, const shot *s, argand_array *x,
                                   const argand_array *coil_images)
{
    argand_array *combined;
    const int flags = ARGAND_PRODUCT_CONJ | (s == p->shots ? 0 : ARGAND_PRODUCT_ADD);
    TRY(scratch(p, &p->image, &combined));
    argand_status status = argand_op_adjoint(p->coils, combined, coil_images);
    if (!status) status = argand_array_multiply(x, s->phase_factor, combined, flags);
    argand_array_destroy(combined);
    return status;
}

static argand_status shot_apply(const pcsense *p, const shot *s, argand_array *y, const argand_array *x)
{
    shot_work w = {0};
    argand_status status = work_make(p, s, y, &w);
    if (!status) status = phase_forward(p, s, w.coil_images, x);
    if (!status) status = argand_op_apply(s->transform, w.samples, w.coil_images);
    if (!status) status = argand_array_copy(w.rows, w.flat);
    work_free(&w);
    return status;
}

static argand_status shot_adjoint(const pcsense *p, const shot *s, argand_array *x, const argand_array *y)
{
    shot_work w = {0};
    argand_status status = work_make(p, s, y, &w);
    if (!status) status = argand_array_copy(w.flat, w.rows);
    if (!status) status = argand_op_adjoint(s->transform, w.coil_images, w.samples);
    if (!status) status = phase_adjoint(p, s, x, w.coil_images);
    work_free(&w);
    return status;
}

/* Applies the transform's own normal operator, if it has a fast one. */
static argand_status shot_normal(const pcsense *p, const shot *s, argand_array *z, const argand_array *x)
{
    argand_array *before = NULL, *after = NULL;
    argand_status status;
    TRY_OR_DONE(scratch(p, &p->coil_images, &before));
    TRY_OR_DONE(scratch(p, &p->coil_images, &after));
    TRY_OR_DONE(phase_forward(p, s, before, x));
    TRY_OR_DONE(argand_op_normal(s->transform, after, before));
    status = phase_adjoint(p, s, z, after);
done:
    argand_array_destroy(after);
    argand_array_destroy(before);
    return status;
}

static argand_status apply(void *context, argand_array *y, const argand_array *x)
{
    const pcsense *p = context;
    for (int i = 0; i < p->count; i++) TRY(shot_apply(p, &p->shots[i], y, x));
    return ARGAND_OK;
}

static argand_status adjoint(void *context, argand_array *x, const argand_array *y)
{
    const pcsense *p = context;
    for (int i = 0; i < p->count; i++) TRY(shot_adjoint(p, &p->shots[i], x, y));
    return ARGAND_OK;
}

static argand_status normal(void *context, argand_array *z, const argand_array *x)
{
    const pcsense *p = context;
    for (int i = 0; i < p->count; i++) TRY(shot_normal(p, &p->shots[i], z, x));
    return ARGAND_OK;
}

static void destroy(void *context)
{
    pcsense *p = context;
    if (!p) return;
    for (int i = 0; i < p->count; i++) {
        argand_op_destroy(p->shots[i].transform);
        argand_array_destroy(p->shots[i].phase_factor);
    }
    argand_op_destroy(p->coils);
    memory_free(p->shots);
    memory_free(p);
}

/* Returns the first transform that is not missing; NULL: all shots are missing. */
static argand_op *first_of(int shots, argand_op *const transforms[])
{
    for (int s = 0; s < shots; s++)
        if (transforms[s]) return transforms[s];
    return NULL;
}

static argand_status check_transforms(int shots, argand_op *const transforms[], const argand_array *maps)
{
    for (int s = 0; s < shots; s++) {
        char who[64];
        if (!transforms[s]) continue;
        TRY(spread_refuse(transforms[s], "pcsense"));
        snprintf(who, sizeof who, "pcsense, shot %d of %d", s, shots);
        CHECK(argand_op_device(transforms[s]) == argand_array_device(maps), ARGAND_ARGUMENT,
              "%s: its transform and the coil maps live on different devices", who);
        TRY(coils_check_maps(who, argand_op_domain(transforms[s]), maps));
    }
    return ARGAND_OK;
}

static argand_status check_phases(int shots, const argand_array *maps, const argand_array *phases)
{
    const int rank = argand_array_rank(maps) - 1;
    CHECK(!type_is_complex(argand_array_type(phases)), ARGAND_ARGUMENT,
          "pcsense: the phase maps are %s; they must be real, in rad",
          argand_type_name(argand_array_type(phases)));
    for (int d = 0; d < rank; d++)
        CHECK(argand_array_dim(phases, d) == argand_array_dim(maps, d), ARGAND_ARGUMENT,
              "pcsense: dimension %d of the phase maps is %lld, but %lld in the coil maps", d,
              (long long)argand_array_dim(phases, d), (long long)argand_array_dim(maps, d));
    const int64_t pixels = argand_array_count(maps) / argand_array_dim(maps, rank);
    CHECK(argand_array_dim(phases, rank) == shots && argand_array_count(phases) == pixels * shots,
          ARGAND_ARGUMENT, "pcsense: there are %lld phase maps for %d shots",
          (long long)(argand_array_count(phases) / pixels), shots);
    return ARGAND_OK;
}

/* Computes exp(i P) of one shot, once, on the host in double precision. */
static argand_status make_phase_factor(argand_array *phase_factor, int number, const double *phase)
{
    const int64_t pixels = argand_array_count(phase_factor);
    double *values;
    TRY(NEW(values, 2 * pixels));
    for (int64_t i = 0; i < pixels; i++) {
        if (!isfinite(phase[i])) {
            memory_free(values);
            return status_set(ARGAND_ARGUMENT, "pcsense: the phase map of shot %d is %g at pixel %lld",
                              number, phase[i], (long long)i);
        }
        values[2 * i] = cos(phase[i]);
        values[2 * i + 1] = sin(phase[i]);
    }
    const argand_status status = host_write_complex(phase_factor, values);
    memory_free(values);
    return status;
}

static argand_status add_shot(pcsense *p, int number, argand_op *transform, const double *phase)
{
    shot *s = &p->shots[p->count];
    const argand_shape *range = argand_op_range(transform);
    TRY(argand_array_create(&s->phase_factor, p->device, p->image.type, p->image.rank, p->image.dims));
    p->count++; /* from here on, destroy() releases this shot */
    s->transform = argand_op_keep(transform);
    s->samples = 1;
    for (int d = 0; d < range->rank; d++) s->samples *= range->dims[d];
    s->samples /= p->coil_count;
    s->first = p->total;
    p->total += s->samples;
    return make_phase_factor(s->phase_factor, number, phase);
}

static argand_status fill(pcsense *p, int shots, argand_op *const transforms[], const argand_array *maps,
                          const argand_array *phases)
{
    const int rank = argand_array_rank(maps) - 1;
    double *phase;
    argand_status status = ARGAND_OK;
    p->device = argand_array_device(maps);
    p->coil_count = argand_array_dim(maps, rank);
    p->image = (argand_shape){.type = argand_array_type(maps), .rank = rank};
    for (int d = 0; d < rank; d++) p->image.dims[d] = argand_array_dim(maps, d);
    p->coil_images = p->image;
    p->coil_images.dims[p->coil_images.rank++] = p->coil_count;
    const int64_t pixels = argand_array_count(maps) / p->coil_count;
    TRY(coils_op(&p->coils, maps));
    TRY(NEW(p->shots, shots));
    TRY(host_read(&phase, phases));
    for (int s = 0; s < shots && !status; s++)
        if (transforms[s]) status = add_shot(p, s, transforms[s], phase + s * pixels);
    memory_free(phase);
    return status;
}

argand_status argand_op_pcsense(argand_op **op, int shots, argand_op *const transforms[],
                                const argand_array *maps, const argand_array *phases)
{
    if (op) *op = NULL;
    CHECK_ARRAY(maps);
    CHECK_ARRAY(phases);
    CHECK(op && transforms && shots > 0 && first_of(shots, transforms), ARGAND_ARGUMENT,
          "pcsense: no shot is given");
    TRY(check_transforms(shots, transforms, maps));
    TRY(check_phases(shots, maps, phases));
    pcsense *p;
    TRY(NEW(p, 1));
    argand_status status = fill(p, shots, transforms, maps, phases);
    const argand_op_definition definition = {
        .name = "pcsense",
        .domain = p->image,
        .range = {.type = p->image.type, .rank = 2, .dims = {p->total, p->coil_count}},
        .apply = apply,
        .adjoint = adjoint,
        .normal = normal,
        .destroy = destroy,
        .context = p};
    if (!status) status = argand_op_create(op, p->device, &definition);
    if (status) destroy(p);
    return status;
}
