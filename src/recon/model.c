/* SPDX-License-Identifier: BSD-3-Clause */
/* The encoding operator of a volume: transform, coils, mask; kept while trajectory and slice stay. */
#include "recon/session.h"

#include "base/memory.h"

static argand_status equal(const argand_array *a, const argand_array *b, bool *result)
{
    *result = false;
    if (!a || argand_array_count(a) != argand_array_count(b)) return ARGAND_OK;
    argand_array *difference;
    double most = 1;
    TRY(argand_array_create(&difference, argand_array_device(a), argand_array_type(a), 1,
                            (int64_t[]){argand_array_count(a)}));
    argand_status status = argand_array_copy(difference, a);
    if (status == ARGAND_OK)
        status = argand_array_axpby(difference, (argand_scalar){-1, 0}, b, (argand_scalar){1, 0});
    if (status == ARGAND_OK) status = argand_array_max_abs(&most, difference);
    argand_array_destroy(difference);
    *result = most == 0;
    return status;
}

static argand_status fits(const argand_sense *s, const recon_volume *v, const recon_samples *data,
                          bool *result)
{
    *result = s->has_model && s->model.slice == v->counters.slice;
    for (int axis = 0; axis < 3 && *result; axis++) TRY(equal(s->model.k[axis], data->k[axis], result));
    if (*result) TRY(equal(s->model.t, data->t, result));
    return ARGAND_OK;
}

static argand_status keep_points(recon_model *m, const recon_samples *data)
{
    const argand_array *from[4] = {data->k[0], data->k[1], data->k[2], data->t};
    argand_array **to[4] = {&m->k[0], &m->k[1], &m->k[2], &m->t};
    for (int i = 0; i < 4; i++) {
        TRY(argand_array_create(to[i], argand_array_device(from[i]), argand_array_type(from[i]), 1,
                                &data->count));
        TRY(argand_array_copy(*to[i], from[i]));
    }
    return ARGAND_OK;
}

static argand_status make_nufft(const argand_sense *s, const recon_samples *data, argand_op **transform)
{
    argand_nufft *plan;
    argand_nufft_options options = {
        .type = s->options.type, .rank = s->grid.rank, .tolerance = s->options.nufft_tolerance};
    for (int axis = 0; axis < 3; axis++) options.n[axis] = s->grid.n[axis];
    TRY(argand_nufft_create(&plan, s->device, &options));
    const argand_status status = argand_nufft_set_points(plan, (const argand_array *const *)data->k);
    if (status != ARGAND_OK) {
        argand_nufft_destroy(plan);
        return status;
    }
    return argand_op_nufft(transform, s->device, plan, s->coils);
}

static argand_status make_field(const argand_sense *s, const recon_samples *data, int slice,
                                argand_op **transform)
{
    argand_array *field = NULL, *r2star = NULL, *mask = NULL, *gradient[3] = {NULL};
    argand_field *plan;
    argand_status status;
    argand_field_options options = {.type = s->options.type, .rank = s->grid.rank, .t = data->t};
    for (int axis = 0; axis < s->grid.rank; axis++) {
        options.n[axis] = s->grid.n[axis];
        options.k[axis] = data->k[axis];
    }
    options.gradients = s->transform == ARGAND_TRANSFORM_DFT_GRADIENTS;
    TRY_OR_DONE(map_of_slice(s, &s->maps.field, slice, &field));
    TRY_OR_DONE(map_of_slice(s, &s->maps.r2star, slice, &r2star));
    TRY_OR_DONE(map_of_slice(s, &s->maps.mask, slice, &mask));
    for (int axis = 0; axis < 3 && options.gradients; axis++) {
        TRY_OR_DONE(map_of_slice(s, &s->maps.gradient[axis], slice, &gradient[axis]));
        options.gradient[axis] = gradient[axis];
    }
    options.field_map = map_is_zero(&s->maps.field) ? NULL : field;
    options.r2star = r2star;
    options.mask = mask;
    TRY_OR_DONE(argand_field_create(&plan, s->device, &options));
    status = argand_op_field(transform, s->device, plan, s->coils);
done:
    for (int axis = 0; axis < 3; axis++) argand_array_destroy(gradient[axis]);
    argand_array_destroy(mask);
    argand_array_destroy(r2star);
    argand_array_destroy(field);
    return status;
}

/* The scan's coil maps; one where there is a single coil and no map; else estimated. */
static argand_status make_coil_maps(argand_sense *s, const recon_samples *data, recon_model *m)
{
    if (s->maps.coils.array) return map_of_slice(s, &s->maps.coils, m->slice, &m->coil_maps);
    if (s->coils > 1) return calibrate_coils(s, data, m->transform, &m->coil_maps);
    const argand_shape *shape = argand_op_domain(m->transform);
    TRY(argand_array_create(&m->coil_maps, s->device, shape->type, shape->rank, shape->dims));
    return argand_array_fill(m->coil_maps, (argand_scalar){1, 0});
}

/* sense = sense mask: pixels outside stay 0. */
static argand_status restrict_to_mask(argand_sense *s, recon_model *m)
{
    argand_array *mask = NULL, *complex_mask = NULL;
    argand_op *diagonal = NULL, *both = NULL;
    argand_status status;
    if (!s->maps.mask.array) return ARGAND_OK;
    const argand_shape *shape = argand_op_domain(m->sense);
    TRY_OR_DONE(map_of_slice(s, &s->maps.mask, m->slice, &mask));
    TRY_OR_DONE(argand_array_create(&complex_mask, s->device, shape->type, shape->rank, shape->dims));
    TRY_OR_DONE(argand_array_copy(complex_mask, mask));
    TRY_OR_DONE(argand_op_diagonal(&diagonal, complex_mask));
    TRY_OR_DONE(argand_op_chain(&both, m->sense, diagonal));
    argand_op_destroy(m->sense);
    m->sense = both;
done:
    argand_op_destroy(diagonal);
    argand_array_destroy(complex_mask);
    argand_array_destroy(mask);
    return status;
}

/* The mean of A^H W A's diagonal, sum_j w_j times the mean of sum_c |S_c|^2: the scale that makes a penalty's
 * weight mean the same for any units of data and maps. */
static argand_status find_diagonal(const recon_samples *data, recon_model *m)
{
    double norm;
    argand_scalar weight = {(double)data->count, 0};
    TRY(argand_array_norm(&norm, m->coil_maps));
    if (m->weights) TRY(argand_array_sum(&weight, m->weights));
    double pixels = 1;
    const argand_shape *shape = argand_op_domain(m->sense);
    for (int axis = 0; axis < shape->rank; axis++) pixels *= (double)shape->dims[axis];
    m->diagonal = weight.re * norm * norm / pixels;
    return ARGAND_OK;
}

static argand_status make(argand_sense *s, const recon_volume *v, const recon_samples *data, recon_model *m)
{
    m->slice = v->counters.slice;
    TRY(keep_points(m, data));
    TRY(s->transform == ARGAND_TRANSFORM_NUFFT ? make_nufft(s, data, &m->transform)
                                               : make_field(s, data, m->slice, &m->transform));
    TRY(make_coil_maps(s, data, m));
    TRY(argand_op_sense(&m->sense, m->transform, m->coil_maps));
    TRY(restrict_to_mask(s, m));
    TRY(density_weights(s, v, data, s->options.density, &m->weights));
    TRY(find_diagonal(data, m));
    for (int axis = 0; axis < s->grid.rank; axis++)
        if (s->options.regularize > 0 && s->grid.n[axis] > 1)
            TRY(argand_op_difference(&m->difference[axis], s->device, argand_op_domain(m->sense), axis));
    return ARGAND_OK;
}

argand_status model_prepare(argand_sense *s, const recon_volume *v, const recon_samples *data)
{
    bool reuse;
    TRY(fits(s, v, data, &reuse));
    if (reuse) return ARGAND_OK;
    model_free(&s->model);
    s->has_model = false;
    const argand_status status = make(s, v, data, &s->model);
    if (status != ARGAND_OK)
        model_free(&s->model);
    else
        s->has_model = true;
    return status;
}

void model_free(recon_model *m)
{
    for (int axis = 0; axis < 3; axis++) {
        argand_op_destroy(m->difference[axis]);
        argand_array_destroy(m->k[axis]);
    }
    argand_array_destroy(m->t);
    argand_array_destroy(m->weights);
    argand_op_destroy(m->sense);
    argand_op_destroy(m->transform);
    argand_array_destroy(m->coil_maps);
    *m = (recon_model){0};
}
