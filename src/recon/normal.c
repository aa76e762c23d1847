/* SPDX-License-Identifier: BSD-3-Clause */
/* The normal operator of a volume by Toeplitz embedding: iterations then need FFTs alone. Whether it is
 * possible, whether it is predicted to pay, and how it is made. */
#include "recon/session.h"

#include <math.h>
#include "device/device.h"

/* Why it cannot be used, or NULL. */
static const char *obstacle(const argand_sense *s, const recon_model *m)
{
    if (s->transform == ARGAND_TRANSFORM_DFT_GRADIENTS)
        return "gradients within the voxels are no convolution";
    if (s->bands > 1) return "slices that were excited together are no convolution of one image";
    if (s->options.method != ARGAND_METHOD_SOLVE) return "nothing is iterated";
    for (int i = 1; m->phases && i < m->shot_count; i++)
        if (m->shots[i].count != m->shots[0].count) return "its shots have different numbers of samples";
    return NULL;
}

/* Seconds of the FFTs of an iteration: each kernel takes 2^rank transforms of the image's size there and
 * back, for every coil. The rates are those of large FFTs with the passes around them: a core of 2015 and
 * later, a GPU. */
static double fft_seconds(const argand_sense *s, int64_t kernels)
{
    const double rate = device_is_host(s->device) ? 1.2e9 * argand_device_threads(s->device) : 3e11;
    double pixels = 1, parities = 1;
    for (int axis = 0; axis < s->grid.rank; axis++) {
        pixels *= (double)s->grid.n[axis];
        parities *= s->grid.n[axis] > 1 ? 2 : 1;
    }
    return 2 * 5 * parities * pixels * fmax(1, log2(pixels)) * (double)(kernels * s->coils) / rate;
}

/* The kernels themselves are transforms of weights onto a doubled grid, one each. */
static argand_status pays(const argand_sense *s, const recon_model *m, bool *result)
{
    argand_segments_times now, doubled;
    argand_segments_problem problem;
    int shots;
    TRY(segmented_problem(s, &problem, &shots));
    TRY(argand_segments_predict(&now, s->device, &problem));
    doubled = now;
    if (problem.cycles > 0 || problem.decay) {
        problem.cycles *= 2;
        problem.terms = 0;
        TRY(argand_segments_predict(&doubled, s->device, &problem));
    }
    const int64_t kernels = (int64_t)(m->phases ? m->shot_count : 1) * doubled.terms;
    const double pair = 2 * shots * now.segmented, fast = fft_seconds(s, kernels),
                 make = (double)kernels * now.segmented / now.terms / s->coils * (s->grid.rank > 2 ? 8 : 4);
    *result = s->options.iterations * (pair - fast) > make;
    return ARGAND_OK;
}

static argand_status make(const argand_sense *s, const recon_samples *data, recon_model *m)
{
    recon_physics p;
    argand_toeplitz *toeplitz = NULL;
    const bool corrects = s->transform != ARGAND_TRANSFORM_NUFFT;
    argand_status status;
    TRY(physics_of_slice(s, m->slice, &p));
    const bool has_field = corrects && (p.field || p.r2star);
    argand_toeplitz_options options = {.type = s->options.type,
                                       .rank = s->grid.rank,
                                       .weights = m->weights,
                                       .t = has_field ? data->at.t : NULL,
                                       .field_map = corrects ? p.field : NULL,
                                       .r2star = corrects ? p.r2star : NULL,
                                       .mask = p.mask,
                                       .phase_maps = m->phases,
                                       .shots = m->phases ? m->shot_count : 1,
                                       .tolerance = has_field ? s->options.segment_tolerance
                                                              : s->options.nufft_tolerance};
    for (int axis = 0; axis < s->grid.rank; axis++) {
        options.n[axis] = s->grid.n[axis];
        options.k[axis] = data->at.k[axis];
    }
    TRY_OR_DONE(argand_toeplitz_create(&toeplitz, s->device, &options));
    argand_toeplitz_describe(toeplitz, &m->toeplitz);
    status = argand_op_sense_normal(&m->normal, toeplitz, m->coil_maps);
done:
    argand_toeplitz_destroy(toeplitz);
    physics_free(&p);
    return status;
}

argand_status normal_make(argand_sense *s, const recon_samples *data, recon_model *m)
{
    const char *why = obstacle(s, m);
    bool wanted = s->options.toeplitz == ARGAND_TOEPLITZ_ON;
    CHECK(!wanted || !why, ARGAND_UNSUPPORTED, "%s: no Toeplitz normal operator: %s; leave --toeplitz out",
          s->scan->path, why ? why : "");
    if (!why && s->options.toeplitz == ARGAND_TOEPLITZ_AUTO &&
        (s->transform == ARGAND_TRANSFORM_NUFFT || s->transform == ARGAND_TRANSFORM_SEGMENTED))
        TRY(pays(s, m, &wanted));
    if (!wanted) return ARGAND_OK;
    TRY(make(s, data, m));
    text_add(&s->notes, "Iterations use %lld Toeplitz convolution%s%s.\n",
             (long long)m->toeplitz.shots * m->toeplitz.segments,
             m->toeplitz.shots * m->toeplitz.segments > 1 ? "s" : "",
             s->options.toeplitz == ARGAND_TOEPLITZ_AUTO ? ", predicted to be faster" : "");
    return ARGAND_OK;
}
