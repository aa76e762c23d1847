/* SPDX-License-Identifier: BSD-3-Clause */
/* The normal operator of simultaneous slices whose samples lie on Cartesian lines, as EPI's after regridding:
 * an iteration then needs no transforms (mri/aliasing.c). */
#include "mri/aliased.h"

#include "base/memory.h"
#include "device/device.h"
#include "recon/model/model.h"

/* A pixel may have this many pairs for each coil: beyond, their products take longer to make than the
 * transforms of a volume take. All products of a group take at most so many bytes. */
enum { PAIRS_OF_COIL = 16 };
static const double MOST_BYTES = 0x1p28;

/* Returns true if the operator may be used. Density weights would have to be the same along each line. */
static bool may_be(const argand_sense *s, const recon_model *m)
{
    const argand_sense_options *o = &s->options;
    return o->toeplitz != ARGAND_TOEPLITZ_OFF && o->method == ARGAND_METHOD_SOLVE && !o->precondition &&
           s->transform == ARGAND_TRANSFORM_NUFFT && s->grid.rank == 2 && !m->weights && !s->meeting;
}

/* Returns the largest number of pairs of an image. */
static int64_t most_pairs(const argand_sense *s)
{
    const double bytes = (double)argand_type_size(s->options.type) * (double)s->bands * (double)s->grid.n[0] *
                         (double)s->grid.n[1];
    const int64_t fit = (int64_t)(MOST_BYTES / bytes), worth = PAIRS_OF_COIL * (int64_t)s->coils;
    return fit < worth ? fit : worth;
}

static argand_status find(const argand_sense *s, const recon_samples *data, double *k[3], aliasing *a)
{
    for (int axis = 0; axis < 3; axis++) TRY(numbers_of_array(data->at.k[axis], &k[axis]));
    return aliasing_find(a, k, data->at.count, s->grid.n, s->bands, most_pairs(s));
}

/* On GPUs, replaces the adjoint of the slices by one with few launches, if their lines allow it. */
static argand_status make_lines(recon_model *m, const recon_samples *data, double *const k[3],
                                const aliasing *a, argand_array *const maps[])
{
    argand_op *op;
    if (device_is_host(argand_op_device(m->sense))) return ARGAND_OK;
    TRY(lines_op(&op, m->sense, a, k, data->at.count, maps));
    if (!op) return ARGAND_OK;
    argand_op_destroy(m->sense);
    m->sense = op;
    return ARGAND_OK;
}

/* Returns the largest number of pairs of an image. */
static int64_t largest(const aliasing *a)
{
    int64_t most = 0, own = 0;
    for (int64_t i = 0; i < a->count; i++) {
        own = i && a->pairs[i].image == a->pairs[i - 1].image ? own + 1 : 1;
        most = own > most ? own : most;
    }
    return most;
}

argand_status aliased_make(argand_sense *s, const recon_samples *data, recon_model *m)
{
    argand_array **maps = NULL;
    double *k[3] = {NULL};
    aliasing a = {0};
    argand_status status;
    if (!may_be(s, m)) return ARGAND_OK;
    TRY_OR_DONE(find(s, data, k, &a));
    if (!a.count) goto done;
    TRY_OR_DONE(NEW(maps, s->bands));
    for (int b = 0; b < s->bands; b++) TRY_OR_DONE(masked_maps(s, &m->bands[b], &maps[b]));
    TRY_OR_DONE(aliased_op(&m->normal, &a, maps));
    status = make_lines(m, data, k, &a, maps);
    m->bytes = (double)argand_type_size(s->options.type) * (double)a.count * (double)s->grid.n[0] *
               (double)s->grid.n[1];
    if (!status)
        note_once(s, "Iterations sum over the pixels of the %d slices that alias, up to %lld for each pixel.",
                  s->bands, (long long)largest(&a));
done:
    for (int b = 0; maps && b < s->bands; b++) argand_array_destroy(maps[b]);
    for (int axis = 0; axis < 3; axis++) memory_free(k[axis]);
    memory_free(maps);
    aliasing_free(&a);
    return status;
}
