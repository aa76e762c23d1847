/* SPDX-License-Identifier: BSD-3-Clause */
/* The operator from coil images to the samples of all shots, each of which sees the images with its own
 * phase. Calibration uses it, where coil images are the unknowns. (The image itself uses
 * argand_op_pcsense.) */
#include "recon/transform/transform.h"

#include "base/memory.h"

typedef struct shots {
    int count;
    recon_shot *at;
    int64_t all;            /* number of samples */
    argand_op **transforms; /* the operator keeps a reference */
    /* exp(-i P) of each shot {grid, coils}, repeated for the coils; NULL: no phases. */
    argand_array **factors;
    argand_array *one, *flat; /* coil images of a shot; buffer for the samples of any shot */
} shots;

static void destroy(void *context)
{
    shots *o = context;
    if (!o) return;
    for (int i = 0; i < o->count; i++) {
        if (o->transforms) argand_op_destroy(o->transforms[i]);
        if (o->factors) argand_array_destroy(o->factors[i]);
    }
    argand_array_destroy(o->one);
    argand_array_destroy(o->flat);
    memory_free(o->transforms);
    memory_free(o->factors);
    memory_free(o->at);
    memory_free(o);
}

/* Makes views: rows of a shot's part of y; own of contiguous memory of the same size. */
static argand_status open_shot(const shots *o, int i, const argand_array *y, argand_array **rows,
                               argand_array **own)
{
    const int64_t count = o->at[i].count, dims[2] = {count, argand_array_dim(y, 1)};
    TRY(argand_array_view(rows, y, 2, dims, (int64_t[]){1, o->all}, o->at[i].first));
    const argand_status status = argand_array_view(own, o->flat, 2, dims, (int64_t[]){1, count}, 0);
    if (status) argand_array_destroy(*rows);
    return status;
}

static argand_status apply(void *context, argand_array *y, const argand_array *x)
{
    const shots *o = context;
    for (int i = 0; i < o->count; i++) {
        argand_array *rows, *own;
        argand_status status = ARGAND_OK;
        TRY(open_shot(o, i, y, &rows, &own));
        if (o->factors) status = argand_array_multiply(o->one, o->factors[i], x, ARGAND_PRODUCT_CONJ);
        if (!status) status = argand_op_apply(o->transforms[i], own, o->factors ? o->one : x);
        if (!status) status = argand_array_copy(rows, own);
        argand_array_destroy(own);
        argand_array_destroy(rows);
        TRY(status);
    }
    return ARGAND_OK;
}

static argand_status add_shot(const shots *o, int i, argand_array *x)
{
    static const argand_scalar unit = {1, 0};
    if (o->factors) return argand_array_multiply(x, o->factors[i], o->one, ARGAND_PRODUCT_ADD);
    return argand_array_axpby(x, unit, o->one, unit);
}

static argand_status adjoint(void *context, argand_array *x, const argand_array *y)
{
    const shots *o = context;
    TRY(argand_array_fill(x, (argand_scalar){0, 0}));
    for (int i = 0; i < o->count; i++) {
        argand_array *rows, *own;
        TRY(open_shot(o, i, y, &rows, &own));
        argand_status status = argand_array_copy(own, rows);
        if (!status) status = argand_op_adjoint(o->transforms[i], o->one, own);
        if (!status) status = add_shot(o, i, x);
        argand_array_destroy(own);
        argand_array_destroy(rows);
        TRY(status);
    }
    return ARGAND_OK;
}

static argand_status make(const argand_sense *s, const recon_samples *data, argand_op *const *transforms,
                          const argand_array *phases, shots *o)
{
    const argand_shape *shape = argand_op_domain(transforms[0]);
    int64_t most = 0;
    TRY(NEW(o->at, data->shot_count));
    TRY(NEW(o->transforms, data->shot_count));
    if (phases) TRY(NEW(o->factors, data->shot_count));
    o->all = data->at.count;
    for (int i = 0; i < data->shot_count; i++) {
        o->at[i] = data->shots[i];
        o->transforms[i] = argand_op_keep(transforms[i]);
        o->count++; /* from here on, destroy() releases this shot */
        if (data->shots[i].count > most) most = data->shots[i].count;
        if (phases) TRY(combine_phase_factor(s, phases, i, shape, &o->factors[i]));
    }
    most *= s->coils;
    TRY(argand_array_create(&o->flat, s->device, shape->type, 1, &most));
    return argand_array_create(&o->one, s->device, shape->type, shape->rank, shape->dims);
}

argand_status shots_operator(const argand_sense *s, const recon_samples *data, argand_op *const *transforms,
                             const argand_array *phases, argand_op **op)
{
    argand_op_definition definition = {.name = "shots",
                                       .domain = *argand_op_domain(transforms[0]),
                                       .range = {s->options.type, 2, {data->at.count, s->coils}},
                                       .apply = apply,
                                       .adjoint = adjoint,
                                       .destroy = destroy};
    shots *o;
    TRY(NEW(o, 1));
    definition.context = o;
    argand_status status = make(s, data, transforms, phases, o);
    if (!status) status = argand_op_create(op, s->device, &definition);
    if (status) destroy(o);
    return status;
}
