/* SPDX-License-Identifier: BSD-3-Clause */
/* The normal operator of a volume by Toeplitz embedding: iterations then need FFTs alone. Whether it is
 * possible, whether it is predicted to pay, and how it is made. */
#include "recon/session.h"

#include <math.h>
#include "device/device.h"

/* Why it cannot be used, or NULL. */
static const char *obstacle(const argand_sense *s)
{
    if (s->transform == ARGAND_TRANSFORM_DFT_GRADIENTS)
        return "gradients within the voxels are no convolution";
    if (s->transform == ARGAND_TRANSFORM_SEGMENTED && s->options.segments)
        return "with a given number of segments it would be of another model than the data's; give a "
               "tolerance";
    if (s->bands > 1) return "slices that were excited together are no convolution of one image";
    if (s->options.method != ARGAND_METHOD_SOLVE) return "nothing is iterated";
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
static argand_status pays(const argand_sense *s, bool *result)
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
    const int64_t kernels = (int64_t)shots * doubled.terms;
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
                                       .tolerance = has_field ? s->segment_tolerance : s->nufft_tolerance};
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

/* Where the iteration goes through the normal operator, right-hand side and operator are made by different
 * ways, and what they differ by comes back multiplied by the condition of the problem: images agree to the
 * tolerance where both are made to a few hundredths of it. */
static const double SHARE = 0.03;

argand_status normal_choose(argand_sense *s)
{
    const char *why = obstacle(s);
    s->nufft_tolerance = s->options.nufft_tolerance;
    s->segment_tolerance = s->options.segment_tolerance;
    s->toeplitz = s->options.toeplitz == ARGAND_TOEPLITZ_ON;
    CHECK(!s->toeplitz || !why, ARGAND_UNSUPPORTED, "%s: no Toeplitz normal operator: %s", s->scan->path,
          why ? why : "");
    if (!why && s->options.toeplitz == ARGAND_TOEPLITZ_AUTO &&
        (s->transform == ARGAND_TRANSFORM_NUFFT || s->transform == ARGAND_TRANSFORM_SEGMENTED))
        TRY(pays(s, &s->toeplitz));
    if (!s->toeplitz) return ARGAND_OK;
    s->nufft_tolerance *= SHARE;
    s->segment_tolerance *= SHARE;
    text_add(&s->notes, "Iterations use Toeplitz convolutions%s.\n",
             s->options.toeplitz == ARGAND_TOEPLITZ_AUTO ? ", predicted to be faster" : "");
    return ARGAND_OK;
}

argand_status normal_make(const argand_sense *s, const recon_samples *data, recon_model *m)
{
    if (!s->toeplitz) return ARGAND_OK;
    for (int i = 1; m->phases && i < m->shot_count; i++) {
        if (m->shots[i].count == m->shots[0].count) continue;
        CHECK(s->options.toeplitz == ARGAND_TOEPLITZ_AUTO, ARGAND_UNSUPPORTED,
              "%s: no Toeplitz normal operator: shot %d has %lld samples, the first one %lld", s->scan->path,
              i, (long long)m->shots[i].count, (long long)m->shots[0].count);
        return ARGAND_OK;
    }
    return make(s, data, m);
}
