/* SPDX-License-Identifier: BSD-3-Clause */
/* The NUFFT with segments of field map and R2*. Shots with the same times share their segments. */
#include "recon/transform/transform.h"

#include <math.h>
#include "base/memory.h"
#include "base/pi.h"
#include "recon/maps/maps.h"

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
                                             .tolerance = s->segment_tolerance,
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

/* Computes the range of the field map in rad/s over all slices; inside the mask if the mask has as many
 * slices. */
static argand_status field_range(const argand_sense *s, double *range)
{
    double *field = NULL, *mask = NULL, low = INFINITY, high = -INFINITY;
    argand_status status;
    *range = 0;
    if (map_is_zero(&s->maps.field)) return ARGAND_OK;
    TRY_OR_DONE(numbers_of_array(s->maps.field.array, &field));
    if (s->maps.mask.array) TRY_OR_DONE(numbers_of_array(s->maps.mask.array, &mask));
    const int64_t count = argand_array_count(s->maps.field.array);
    const bool masked = mask && argand_array_count(s->maps.mask.array) == count;
    for (int64_t i = 0; i < count; i++) {
        if (masked && mask[i] == 0) continue;
        low = fmin(low, field[i]);
        high = fmax(high, field[i]);
    }
    *range = high > low ? high - low : 0;
done:
    memory_free(mask);
    memory_free(field);
    return status;
}

/* Counts shots, samples and duration of the first volume. */
static void survey(const argand_sense *s, argand_segments_problem *problem, int *shots, double *duration)
{
    const recon_volume *v = &s->volumes[0];
    double low = INFINITY, high = -INFINITY;
    *shots = 1;
    for (int64_t q = 0; q < v->count; q++) {
        const argand_acquisition *a = v->rows[q].acquisition;
        if (q && v->rows[q].map != v->rows[q - 1].map) ++*shots;
        for (int64_t i = 0; i < a->samples; i++) {
            low = fmin(low, (double)a->t[i]);
            high = fmax(high, (double)a->t[i]);
        }
    }
    problem->samples = v->samples / *shots > 0 ? v->samples / *shots : 1;
    *duration = high - low;
}

argand_status segmented_problem(const argand_sense *s, argand_segments_problem *problem, int *shots)
{
    double range = 0, duration;
    *problem = (argand_segments_problem){.type = s->options.type,
                                         .rank = s->grid.rank,
                                         .vectors = s->coils,
                                         .tolerance = s->options.segment_tolerance};
    for (int axis = 0; axis < 3; axis++) problem->n[axis] = s->grid.n[axis];
    survey(s, problem, shots, &duration);
    problem->terms = 1;
    if (s->transform == ARGAND_TRANSFORM_NUFFT) return ARGAND_OK; /* a plain NUFFT corrects no field */
    TRY(field_range(s, &range));
    problem->terms = s->options.segments ? s->options.segments + 1 : 0;
    problem->decay = !map_is_zero(&s->maps.r2star);
    problem->cycles = range * duration / (TWO_PI);
    return ARGAND_OK;
}

argand_status segmented_pays(argand_sense *s, bool *pays)
{
    int shots;
    argand_segments_times times;
    argand_segments_problem problem;
    TRY(segmented_problem(s, &problem, &shots));
    TRY(argand_segments_predict(&times, s->device, &problem));
    *pays = times.segmented < times.exact;
    text_add(&s->notes,
             "There is a field map: %s corrects for it. Predicted for an iteration: %.3g s by the exact DFT, "
             "%.3g s by %d segment%s.\n",
             *pays ? "the segmented NUFFT" : "the exact DFT", 2 * shots * times.exact,
             2 * shots * times.segmented, times.terms, plural_s(times.terms));
    return ARGAND_OK;
}
