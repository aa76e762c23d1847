/* SPDX-License-Identifier: BSD-3-Clause */
/* The memory of a model, and the comparison that says which other volumes may use it. */
#include "base/memory.h"
#include "recon/model/model.h"
#include "recon/samples/samples.h"

bool model_has_shots(const recon_model *m, const recon_samples *data, bool maps_too)
{
    if (m->shot_count != data->shot_count) return false;
    for (int i = 0; i < m->shot_count; i++)
        if (m->shots[i].count != data->shots[i].count || (maps_too && m->shots[i].map != data->shots[i].map))
            return false;
    return true;
}

argand_status model_is_alike(const recon_model *m, const recon_volume *v, const recon_samples *data,
                             bool *result)
{
    const recon_model *first = m->band_count ? m->bands : m; /* which has the shots */
    *result = m->slice == v->rows[0].acquisition->counters.slice && model_has_shots(first, data, false);
    for (int axis = 0; axis < 3 && *result; axis++)
        TRY(arrays_equal(m->at.k[axis], data->at.k[axis], result));
    if (*result) TRY(arrays_equal(m->at.t, data->at.t, result));
    return ARGAND_OK;
}

argand_status model_keep_points(recon_model *m, const recon_samples *data)
{
    const argand_array *from[4] = {data->at.k[0], data->at.k[1], data->at.k[2], data->at.t};
    argand_array **to[4] = {&m->at.k[0], &m->at.k[1], &m->at.k[2], &m->at.t};
    m->at.count = data->at.count;
    for (int i = 0; i < 4; i++) {
        TRY(argand_array_create(to[i], argand_array_device(from[i]), argand_array_type(from[i]), 1,
                                &data->at.count));
        TRY(argand_array_copy(*to[i], from[i]));
    }
    return ARGAND_OK;
}

void model_free_operator(recon_model *m)
{
    argand_op_destroy(m->sense);
    argand_op_destroy(m->normal);
    argand_op_destroy(m->preconditioner);
    argand_array_destroy(m->phases);
    argand_array_destroy(m->spectrum);
    m->spectrum = NULL;
    m->sense = m->normal = m->preconditioner = NULL;
    m->phases = NULL;
}

void model_free(recon_model *m)
{
    model_free_operator(m);
    for (int b = 0; b < m->band_count; b++) model_free(&m->bands[b]);
    memory_free(m->bands);
    argand_op_destroy(m->constraint);
    for (int i = 0; i < m->shot_count; i++) argand_op_destroy(m->transforms[i]);
    points_free(&m->at);
    argand_array_destroy(m->weights);
    argand_array_destroy(m->coil_maps);
    argand_array_destroy(m->eigenvalues);
    memory_free(m->transforms);
    memory_free(m->shots);
    *m = (recon_model){0};
}
