/* SPDX-License-Identifier: BSD-3-Clause */
/* The encoding operator of one slice: transforms of the shots, coils, phase maps, mask. */
#include "recon/model/model.h"

#include <math.h>
#include <string.h>
#include "base/memory.h"
#include "recon/calibrate/calibrate.h"
#include "recon/maps/maps.h"
#include "recon/samples/samples.h"
#include "recon/transform/transform.h"

/* A rank's share of shots needs no other transforms if maps and phases are given. */
static bool wants_shot(const argand_sense *s, const recon_share *share, int shot)
{
    return !share->shots || !s->maps.coils.array || !s->phases.array ||
           (shot >= share->first && shot < share->first + share->count);
}

static argand_status make_transforms(const argand_sense *s, const recon_samples *data, recon_model *m)
{
    TRY(NEW(m->shots, data->shot_count));
    TRY(NEW(m->transforms, data->shot_count));
    m->shot_count = data->shot_count;
    memcpy(m->shots, data->shots, (size_t)m->shot_count * sizeof *m->shots);
    recon_physics physics;
    TRY(physics_of_slice(s, m->slice, &physics));
    argand_status status = ARGAND_OK;
    for (int i = 0; i < m->shot_count && !status; i++) {
        recon_points at;
        if (!wants_shot(s, &data->share, i)) continue;
        status = points_of_shot(&data->at, &data->shots[i], &at);
        if (!status) status = transform_make(s, &at, &physics, &m->transforms[i]);
        points_free(&at);
    }
    m->segments = physics.worst;
    physics_free(&physics);
    return status;
}

/* Estimates something from calibration data (image: NULL, or to compare with). */
typedef argand_status estimate(argand_sense *s, const recon_source *from, const recon_source *image,
                               recon_model *m);

static argand_status estimate_coil_maps(argand_sense *s, const recon_source *from, const recon_source *image,
                                        recon_model *m)
{
    return calibrate_coils(s, from, image, &m->coil_maps, &m->eigenvalues);
}

static argand_status estimate_consistency(argand_sense *s, const recon_source *from,
                                          const recon_source *image, recon_model *m)
{
    (void)image;
    return calibrate_spirit(s, from, &m->constraint);
}

/* Calls `what` with calibration data if the scan has any, otherwise with the image data. */
static argand_status calibrate(argand_sense *s, const recon_volume *v, const recon_samples *data,
                               recon_model *m, estimate *what)
{
    const recon_source image = {
        .data = data, .transforms = m->transforms, .phases = m->phases, .slice = m->slice};
    recon_row *rows;
    recon_samples samples = {0};
    argand_op *transform = NULL;
    int64_t count;
    TRY(calibrations_of(s, v, m->slice, &rows, &count));
    argand_status status;
    CHECK_OR_DONE(
        count || s->bands == 1, ARGAND_FORMAT,
        "%s: slice %d was excited together with others and nothing calibrates it: give coil maps "
        "with a map for each slice, or calibration acquisitions (flag 20) of single slices, in this file or "
        "in another one (--calibration-scan)",
        s->scan->path, m->slice);
    if (count && rows[0].acquisition->counters.repetition != rows[count - 1].acquisition->counters.repetition)
        note_once(s, "The coil maps are estimated from the first repetitions that together have all lines.");
    if (!count) {
        status = what(s, &image, NULL, m);
        goto done;
    }
    TRY_OR_DONE(samples_of_rows(s, rows, count, &samples));
    TRY_OR_DONE(bands_straighten(s, m->slice, &samples));
    TRY_OR_DONE(transform_of_slice(s, &samples.at, m->slice, &transform));
    status = what(s, &(recon_source){.data = &samples, .transforms = &transform, .slice = m->slice},
                  s->bands == 1 ? &image : NULL, m);
done:
    argand_op_destroy(transform);
    samples_free(&samples);
    memory_free(rows);
    return status;
}

/* Takes the scan's coil maps; 1 for a single coil without a map; otherwise estimates maps. */
static argand_status make_coil_maps(argand_sense *s, const recon_volume *v, const recon_samples *data,
                                    recon_model *m)
{
    if (m->coil_maps) return ARGAND_OK;
    if (s->maps.coils.array) return map_of_slice(s, &s->maps.coils, m->slice, &m->coil_maps);
    if (s->shared_coil_maps) {
        const argand_shape *domain = argand_op_domain(m->transforms[0]);
        return argand_array_reshape(&m->coil_maps, s->shared_coil_maps, domain->rank, domain->dims);
    }
    if (s->coils > 1) return calibrate(s, v, data, m, estimate_coil_maps);
    const argand_shape *shape = argand_op_domain(m->transforms[0]);
    CHECK(s->options.sets < 2, ARGAND_ARGUMENT,
          "%s: %d sets of maps of one coil: there are no more than coils", s->scan->path, s->options.sets);
    TRY(argand_array_create(&m->coil_maps, s->device, shape->type, shape->rank, shape->dims));
    return argand_array_fill(m->coil_maps, (argand_scalar){1, 0});
}

static argand_status make_phases(argand_sense *s, const recon_volume *v, const recon_samples *data,
                                 recon_model *m)
{
    if (s->options.phases == ARGAND_PHASES_NONE) return ARGAND_OK;
    if (s->phases.array) return phases_of_shots(s, data, &m->phases);
    return phases_estimate(s, v, data, m->transforms, &m->phases);
}

/* Replaces sense by sense mask, so that pixels outside the mask stay 0. */
static argand_status restrict_to_mask(const argand_sense *s, recon_model *m)
{
    argand_op *mask, *both;
    TRY(model_mask(s, m, &mask));
    if (!mask) return ARGAND_OK;
    const argand_status status = argand_op_chain(&both, m->sense, mask);
    argand_op_destroy(mask);
    TRY(status);
    argand_op_destroy(m->sense);
    m->sense = both;
    return ARGAND_OK;
}

/* Computes the mean diagonal of A^H W A, which is sum_j w_j times the mean of sum_c |S_c|^2. Scaled by
 * this value, a penalty's weight has the same meaning for any units of data and maps. (Phase maps do not
 * change it.) */
static argand_status find_diagonal(const recon_samples *data, recon_model *m)
{
    double norm;
    argand_scalar weight = {(double)data->at.count, 0};
    if (m->weights) TRY(argand_array_sum(&weight, m->weights));
    m->diagonal = weight.re;
    if (m->sense == m->transforms[0]) return ARGAND_OK; /* coil images */
    TRY(argand_array_norm(&norm, m->coil_maps));
    double pixels = 1;
    const argand_shape *shape = argand_op_domain(m->sense);
    for (int axis = 0; axis < shape->rank; axis++) pixels *= (double)shape->dims[axis];
    m->diagonal = weight.re * norm * norm / pixels;
    return ARGAND_OK;
}

/* Notes the segments of the first slice. Later slices are noted only if they need more segments or have
 * twice the error. */
static void note_segments(argand_sense *s, const recon_model *m)
{
    if (m->segments.terms <= s->noted_segments && m->segments.error <= 2 * s->noted_segment_error) return;
    s->noted_segments = m->segments.terms > s->noted_segments ? m->segments.terms : s->noted_segments;
    s->noted_segment_error = fmax(s->noted_segment_error, m->segments.error);
    text_add(&s->notes, "%d segment%s in %s by %s, error %.1e%s.\n", m->segments.terms,
             plural_s(m->segments.terms), m->segments.frequency ? "frequency" : "time",
             argand_interpolator_name(m->segments.interpolator), m->segments.error,
             m->shot_count > 1 ? " (the worst of the shots)" : "");
}

/* Makes the parts that depend on trajectory and slice only. */
static argand_status make_encoding(argand_sense *s, int slice, const recon_samples *data, recon_model *m)
{
    m->slice = slice;
    if (!m->transforms) {
        TRY(make_transforms(s, data, m));
        note_segments(s, m);
    }
    return m->weights ? ARGAND_OK : density_weights(s, data, &m->weights, &m->density);
}

/* All ranks that share a volume go on with the estimates of one. */
static argand_status share_estimates(const argand_sense *s, const recon_model *m)
{
    if (!s->maps.coils.array) TRY(share_same(s, m->coil_maps));
    if (!s->phases.array) TRY(share_same(s, m->phases));
    return share_same(s, m->weights);
}

/* SPIRiT: the unknowns are the images of all coils, which the transform takes as they are. */
static argand_status make_consistent(argand_sense *s, const recon_volume *v, const recon_samples *data,
                                     recon_model *m)
{
    argand_op_destroy(m->constraint);
    m->constraint = NULL;
    TRY(calibrate(s, v, data, m, estimate_consistency));
    m->sense = argand_op_keep(m->transforms[0]);
    return find_diagonal(data, m);
}

argand_status model_make_operator(argand_sense *s, const recon_volume *v, const recon_samples *data,
                                  recon_model *m)
{
    TRY(make_phases(s, v, data, m));
    if (s->options.method == ARGAND_METHOD_ADJOINT_RSS)
        return ARGAND_OK; /* the root of the sum of squares needs neither maps nor an operator */
    if (!s->options.spirit_rss) TRY(make_coil_maps(s, v, data, m));
    if (s->options.spirit > 0) return make_consistent(s, v, data, m);
    TRY(share_estimates(s, m));
    if (s->options.sets > 1) {
        TRY(sets_operator(s, data, m));
    } else {
        TRY(share_sense(s, data, m));
        TRY(restrict_to_mask(s, m));
    }
    TRY(find_diagonal(data, m));
    return normal_make(s, data, m);
}

argand_status model_of_slice(argand_sense *s, const recon_volume *v, int slice, const recon_samples *data,
                             recon_model *m)
{
    TRY(make_encoding(s, slice, data, m));
    return model_make_operator(s, v, data, m);
}
