/* SPDX-License-Identifier: BSD-3-Clause */
/* The model of a session: makes it for a volume, and uses again what fits the next volume. */
#include "recon/model/model.h"

#include <string.h>
#include "recon/samples/samples.h"

/* Sets *result to true if the session's model has the slice and positions of the volume. Otherwise known from
 * the leaders (samples/order.c), unless the session has another scan than at first, or joint repetitions. */
static argand_status fits(const argand_sense *s, const recon_volume *v, const recon_samples *data,
                          bool *result)
{
    *result = s->has_model;
    if (!s->has_model || (!s->continued && !s->options.joint)) return ARGAND_OK;
    return model_is_alike(&s->model, v, data, result);
}

/* Makes a new model of the volume's slice or of its bands. */
static argand_status make(argand_sense *s, const recon_volume *v, const recon_samples *data, recon_model *m)
{
    TRY(model_keep_points(m, data));
    return s->bands > 1 ? bands_prepare(s, v, data, m) : model_of_slice(s, v, v->counters.slice, data, m);
}

/* Returns true if the operator fits the volume's shots. Estimated phases belong to one volume; given maps
 * fit all volumes whose shots have the same maps. */
static bool operator_fits(const argand_sense *s, const recon_samples *data)
{
    if (s->options.phases == ARGAND_PHASES_NONE) return true;
    return s->phases.array && model_has_shots(&s->model, data, true);
}

static argand_status prepare(argand_sense *s, const recon_volume *v, const recon_samples *data)
{
    recon_model *m = &s->model;
    bool reuse;
    argand_status status = ARGAND_OK;
    TRY(fits(s, v, data, &reuse));
    if (!reuse && s->continued) {
        kept_put(s);
        TRY(kept_find(s, v, data, &reuse));
    }
    if (reuse && operator_fits(s, data)) return partial_prepare(s, data, m);
    s->has_model = false;
    if (reuse) {
        model_free_operator(m);
        memcpy(m->shots, data->shots, (size_t)m->shot_count * sizeof *m->shots);
        status = model_make_operator(s, v, data, m);
    } else {
        model_free(m);
        status = make(s, v, data, m);
    }
    if (status == ARGAND_OK) status = share_join(s, data, m);
    if (status == ARGAND_OK) status = partial_prepare(s, data, m);
    if (status != ARGAND_OK)
        model_free(m);
    else
        s->has_model = true;
    return status;
}

/* Forgets a model that was made for another leader, and makes that of the volume's leader if it has
 * signal. */
static argand_status follow_leader(argand_sense *s, const recon_volume *v)
{
    const recon_volume *leader = &s->volumes[v->leader];
    recon_samples data;
    double norm;
    if (s->continued || (s->has_model && s->led_by == v->leader)) return ARGAND_OK;
    kept_put(s);
    if (kept_take(s, v->leader)) return ARGAND_OK;
    s->led_by = v->leader;
    if (leader->rows == v->rows) return ARGAND_OK;
    TRY(samples_load(s, leader, &data));
    argand_status status = argand_array_norm(&norm, data.y);
    if (!status && norm > 0)
        status = prepare(s, leader, &data);
    else
        s->led_by = -1; /* the volume's own model is no other's */
    samples_free(&data);
    return status;
}

argand_status model_prepare(argand_sense *s, const recon_volume *v, const recon_samples *data)
{
    TRY(follow_leader(s, v));
    return prepare(s, v, data);
}
