/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the normal operator of a volume by Toeplitz embedding, with which iterations need only FFTs. */
#include "op/op.h"
#include "penalty/penalty.h"
#include "recon/model/model.h"
#include "recon/samples/samples.h"
#include "recon/transform/transform.h"

/* Returns the approximate contribution of quadratic penalties to the diagonal: at most 4 for each axis of
 * differences, 2 on average. */
static double shift_of(const argand_sense *s, double diagonal)
{
    double shift = 0;
    for (int i = 0; i < s->options.regularizer_count; i++) {
        const argand_regularizer *r = &s->options.regularizers[i];
        if (r->automatic) continue; /* not known yet; a preconditioner need not be exact */
        if (regularizer_is_quadratic(r))
            shift += (regularizer_has_gradient(r) ? 2 * s->grid.rank : 1) * r->weight;
    }
    return shift * diagonal;
}

/* Makes the preconditioner, with the mask on both sides, so that pixels outside stay 0. */
static argand_status precondition(const argand_sense *s, const argand_toeplitz *toeplitz, recon_model *m)
{
    argand_op *circulant = NULL, *mask = NULL, *right = NULL;
    argand_status status;
    TRY_OR_DONE(argand_op_circulant(&circulant, toeplitz, m->coil_maps, shift_of(s, m->diagonal)));
    TRY_OR_DONE(model_mask(s, m, &mask));
    if (mask) {
        TRY_OR_DONE(argand_op_chain(&right, circulant, mask));
        status = argand_op_chain(&m->preconditioner, mask, right);
    } else {
        m->preconditioner = argand_op_keep(circulant);
    }
done:
    argand_op_destroy(right);
    argand_op_destroy(mask);
    argand_op_destroy(circulant);
    return status;
}

/* The samples that kernels are made of: k, times, weights and phase maps of the shots. */
typedef struct kernel_input {
    recon_points at;
    argand_array *weights, *phases;
    int shots;
} kernel_input;

static void input_free(kernel_input *in)
{
    points_free(&in->at);
    argand_array_destroy(in->weights);
    argand_array_destroy(in->phases);
}

/* Takes all samples, or those of the rank's shots. */
static argand_status input_take(const argand_sense *s, const recon_samples *data, const recon_model *m,
                                bool own, kernel_input *in)
{
    const recon_share *share = &data->share;
    const bool part = own && share->shots;
    const recon_shot all = {.first = part ? share->sample : 0,
                            .count = part ? share->samples : data->at.count};
    *in = (kernel_input){.shots = part ? (int)share->count : m->shot_count};
    TRY(points_of_shot(&data->at, &all, &in->at));
    argand_status status = ARGAND_OK;
    if (m->weights) status = argand_array_part(&in->weights, m->weights, 0, all.first, all.count);
    if (!status && m->phases)
        status = argand_array_part(&in->phases, m->phases, s->grid.rank, part ? share->first : 0, in->shots);
    if (status) input_free(in);
    return status;
}

/* exact: with field map and the phases of the rank's shots */
static argand_status make_kernels(const argand_sense *s, const recon_samples *data, const recon_model *m,
                                  bool exact, argand_toeplitz **toeplitz)
{
    recon_physics p;
    kernel_input in;
    const bool corrects = exact && s->transform != ARGAND_TRANSFORM_NUFFT;
    TRY(input_take(s, data, m, exact, &in));
    argand_status status = physics_of_slice(s, m->slice, &p);
    if (status) {
        input_free(&in);
        return status;
    }
    const bool has_field = corrects && (p.field || p.r2star);
    argand_toeplitz_options options = {.type = s->options.type,
                                       .rank = s->grid.rank,
                                       .weights = in.weights,
                                       .t = has_field ? in.at.t : NULL,
                                       .field_map = corrects ? p.field : NULL,
                                       .r2star = corrects ? p.r2star : NULL,
                                       .mask = p.mask,
                                       .phase_maps = exact ? in.phases : NULL,
                                       .shots = exact && in.phases ? in.shots : 1,
                                       .tolerance = has_field ? s->segment_tolerance
                                                    : exact   ? s->nufft_tolerance
                                                              : 1e-3};
    for (int axis = 0; axis < s->grid.rank; axis++) {
        options.n[axis] = s->grid.n[axis];
        options.k[axis] = in.at.k[axis];
    }
    status = argand_toeplitz_create(toeplitz, s->device, &options);
    physics_free(&p);
    input_free(&in);
    return status;
}

/* Makes the spectrum without field map and phases of shots, which hardly change the response to plane
 * waves. It is the same with and without the Toeplitz operator. A preconditioner need not be exact. */
static argand_status make_spectrum(const argand_sense *s, const recon_samples *data, recon_model *m)
{
    argand_toeplitz *toeplitz;
    if (!normal_wants_spectrum(s)) return ARGAND_OK;
    TRY(make_kernels(s, data, m, false, &toeplitz));
    const argand_status status = argand_toeplitz_circulant(&m->spectrum, toeplitz, m->coil_maps);
    argand_toeplitz_destroy(toeplitz);
    return status;
}

/* Makes the operator of the rank's share. */
static argand_status make_own(const recon_share *share, argand_toeplitz *toeplitz, recon_model *m)
{
    argand_array *maps;
    TRY(share_maps(share, m->coil_maps, &maps));
    const argand_status status = argand_op_sense_normal(&m->normal, toeplitz, maps);
    argand_array_destroy(maps);
    return status;
}

/* Makes the operator of a rank without a share. */
static argand_status make_zero(const argand_sense *s, recon_model *m)
{
    const argand_shape image = {s->options.type, s->grid.rank, {s->grid.n[0], s->grid.n[1], s->grid.n[2]}};
    return op_zero(&m->normal, s->device, &image, &image);
}

static argand_status make(const argand_sense *s, const recon_samples *data, recon_model *m)
{
    argand_toeplitz *toeplitz = NULL;
    argand_status status;
    if (!data->share.count) TRY_OR_DONE(make_zero(s, m));
    if (data->share.count || s->options.precondition) {
        TRY_OR_DONE(make_kernels(s, data, m, true, &toeplitz));
        argand_toeplitz_describe(toeplitz, &m->toeplitz);
    }
    if (data->share.count) TRY_OR_DONE(make_own(&data->share, toeplitz, m));
    if (s->options.precondition) TRY_OR_DONE(precondition(s, toeplitz, m));
    status = make_spectrum(s, data, m);
done:
    argand_toeplitz_destroy(toeplitz);
    return status;
}

argand_status normal_make(const argand_sense *s, const recon_samples *data, recon_model *m)
{
    if (!s->toeplitz || s->time_counter) return make_spectrum(s, data, m);
    for (int i = 1; m->phases && i < m->shot_count; i++) {
        if (m->shots[i].count == m->shots[0].count) continue;
        CHECK(s->options.toeplitz == ARGAND_TOEPLITZ_AUTO, ARGAND_UNSUPPORTED,
              "%s: no Toeplitz normal operator: shot %d has %lld samples, the first one %lld", s->scan->path,
              i, (long long)m->shots[i].count, (long long)m->shots[0].count);
        return make_spectrum(s, data, m);
    }
    return make(s, data, m);
}

argand_status normal_of_factors(const argand_sense *s, const recon_samples *data, recon_model *m,
                                const argand_array *factors)
{
    argand_toeplitz *toeplitz = NULL;
    argand_array *flat = NULL, *maps = NULL;
    int64_t dims[4] = {s->grid.n[0], s->grid.n[1], s->grid.n[2]};
    argand_toeplitz_options options = {.type = s->options.type,
                                       .rank = s->grid.rank,
                                       .weights = m->weights,
                                       .factors = factors,
                                       .tolerance = s->nufft_tolerance};
    argand_status status;
    for (int axis = 0; axis < s->grid.rank; axis++) {
        options.n[axis] = s->grid.n[axis];
        options.k[axis] = data->at.k[axis];
    }
    TRY(argand_toeplitz_create(&toeplitz, s->device, &options));
    argand_toeplitz_describe(toeplitz, &m->toeplitz);
    dims[s->grid.rank] = s->coils;
    TRY_OR_DONE(masked_maps(s, m, &flat));
    TRY_OR_DONE(argand_array_reshape(&maps, flat, s->grid.rank + 1, dims));
    status = argand_op_sense_normal(&m->normal, toeplitz, maps);
done:
    argand_array_destroy(maps);
    argand_array_destroy(flat);
    argand_toeplitz_destroy(toeplitz);
    return status;
}
