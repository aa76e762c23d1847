/* SPDX-License-Identifier: BSD-3-Clause */
/* The NUFFT with segments of field map and R2*. Shots of the same times share theirs. */
#include "recon/session.h"

argand_status arrays_equal(const argand_array *a, const argand_array *b, bool *result)
{
    *result = false;
    if (!a || !b || argand_array_count(a) != argand_array_count(b)) return ARGAND_OK;
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

static argand_status keep_times(recon_physics *p, const argand_array *t)
{
    const int64_t count = argand_array_count(t);
    argand_array_destroy(p->t);
    p->t = NULL;
    TRY(argand_array_create(&p->t, argand_array_device(t), argand_array_type(t), 1, &count));
    return argand_array_copy(p->t, t);
}

static argand_status make_segments(const argand_sense *s, const argand_array *t, recon_physics *p)
{
    bool same;
    argand_segments_info info;
    const argand_segments_options options = {.type = s->options.type,
                                             .interpolator = s->options.interpolator,
                                             .frequency = s->options.frequency_segments,
                                             .count = s->options.segments,
                                             .tolerance = s->options.segment_tolerance,
                                             .t = t,
                                             .field_map = p->field,
                                             .r2star = p->r2star,
                                             .mask = p->mask};
    TRY(arrays_equal(p->t, t, &same));
    if (p->segments && same) return ARGAND_OK;
    argand_segments_destroy(p->segments);
    p->segments = NULL;
    TRY(keep_times(p, t));
    TRY(argand_segments_create(&p->segments, s->device, &options));
    argand_segments_describe(p->segments, &info);
    if (info.error >= p->worst.error) p->worst = info;
    return ARGAND_OK;
}

argand_status segmented_make(const argand_sense *s, const recon_points *at, recon_physics *p,
                             argand_op **transform)
{
    argand_nufft *plan;
    TRY(make_segments(s, at->t, p));
    TRY(nufft_of_points(s, at, &plan));
    return argand_op_segmented(transform, s->device, plan, p->segments, s->coils);
}
