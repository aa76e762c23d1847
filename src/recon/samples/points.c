/* SPDX-License-Identifier: BSD-3-Clause */
/* The samples of a volume once they are loaded: parts, energies, memory. */
#include "base/memory.h"
#include "recon/samples/samples.h"

void points_free(recon_points *p)
{
    for (int axis = 0; axis < 3; axis++) argand_array_destroy(p->k[axis]);
    argand_array_destroy(p->t);
    argand_array_destroy(p->phase);
    *p = (recon_points){0};
}

void samples_free(recon_samples *out)
{
    argand_array_destroy(out->own);
    argand_array_destroy(out->y);
    points_free(&out->at);
    memory_free(out->weights);
    memory_free(out->shots);
    *out = (recon_samples){0};
}

argand_status points_of_shot(const recon_points *all, const recon_shot *shot, recon_points *out)
{
    argand_status status = ARGAND_OK;
    *out = (recon_points){.count = shot->count};
    for (int axis = 0; axis < 3 && !status; axis++)
        status = argand_array_part(&out->k[axis], all->k[axis], 0, shot->first, shot->count);
    if (!status) status = argand_array_part(&out->t, all->t, 0, shot->first, shot->count);
    if (!status && all->phase)
        status = argand_array_part(&out->phase, all->phase, 0, shot->first, shot->count);
    if (status) points_free(out);
    return status;
}

argand_status samples_energies(const recon_samples *data, double **out)
{
    argand_array *rss = NULL;
    const argand_type type = argand_array_type(data->y) == ARGAND_C64 ? ARGAND_R64 : ARGAND_R32;
    argand_status status;
    TRY_OR_DONE(argand_array_create(&rss, argand_array_device(data->y), type, 1, &data->at.count));
    TRY_OR_DONE(argand_coils_rss(rss, data->y));
    TRY_OR_DONE(numbers_of_array(rss, out));
    for (int64_t i = 0; i < data->at.count; i++) (*out)[i] *= (*out)[i];
done:
    argand_array_destroy(rss);
    return status;
}
