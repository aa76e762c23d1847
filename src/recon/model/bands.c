/* SPDX-License-Identifier: BSD-3-Clause */
/* The model of slices that were excited together: a stack of one model per slice. Without a field map, the
 * slices share one transform. */
#include "recon/model/model.h"

#include "base/memory.h"

static argand_status same_transform(recon_model *band, const recon_model *first)
{
    TRY(NEW(band->shots, 1));
    TRY(NEW(band->transforms, 1));
    band->shots[0] = first->shots[0];
    band->transforms[0] = argand_op_keep(first->transforms[0]);
    band->shot_count = 1;
    return ARGAND_OK;
}

/* Makes the slices' models, from the counters of the group that the volume belongs to. */
static argand_status make_slices(argand_sense *s, const recon_volume *v, const recon_samples *data,
                                 recon_model *m)
{
    const int group = v->rows[0].acquisition->counters.slice, groups = s->slices / s->bands;
    TRY(NEW(m->bands, s->bands));
    m->band_count = s->bands; /* set first, because zeroed models may be freed */
    for (int b = 0; b < s->bands; b++) {
        recon_model *band = &m->bands[b];
        if (b && s->transform == ARGAND_TRANSFORM_NUFFT) TRY(same_transform(band, &m->bands[0]));
        if (b && m->bands[0].weights)
            TRY(argand_array_reshape(&band->weights, m->bands[0].weights, 1, &data->at.count));
        TRY(model_of_slice(s, v, group + b * groups, data, band));
        m->diagonal += band->diagonal / s->bands;
    }
    m->slice = group;
    m->density = m->bands[0].density;
    return m->bands[0].weights ? argand_array_reshape(&m->weights, m->bands[0].weights, 1, &data->at.count)
                               : ARGAND_OK;
}

argand_status bands_prepare(argand_sense *s, const recon_volume *v, const recon_samples *data, recon_model *m)
{
    argand_array *phases = NULL;
    argand_op **parts = NULL;
    argand_status status;
    TRY(make_slices(s, v, data, m));
    if (!data->share.count) return share_zero(s, s->bands, &m->sense);
    TRY_OR_DONE(NEW(parts, s->bands));
    for (int b = 0; b < s->bands; b++) parts[b] = m->bands[b].sense;
    TRY_OR_DONE(bands_phases(s, data, &phases));
    TRY_OR_DONE(argand_op_multiband(&m->sense, parts, s->bands, phases));
    status = aliased_make(s, data, m);
done:
    argand_array_destroy(phases);
    memory_free(parts);
    return status;
}
