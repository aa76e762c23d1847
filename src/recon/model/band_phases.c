/* SPDX-License-Identifier: BSD-3-Clause */
/* The phases that blips give to the slices of a simultaneous excitation. */
#include "recon/model/model.h"

argand_status bands_phases(const argand_sense *s, const recon_samples *data, argand_array **phases)
{
    TRY(argand_array_create(phases, s->device, s->options.type, 2, (int64_t[]){data->at.count, s->bands}));
    return argand_multiband_phases(*phases, data->at.k[2]);
}

/* Removes the phase of a band from calibration samples. Reference scans of single slices may have the
 * blips of the multiband scan (CMRR's sequences) or not; their kz shows which. */
argand_status bands_straighten(const argand_sense *s, int slice, const recon_samples *samples)
{
    argand_array *phases = NULL, *own = NULL;
    argand_status status;
    if (s->bands == 1) return ARGAND_OK;
    const int64_t band = slice / (s->slices / s->bands), count = samples->at.count;
    TRY_OR_DONE(bands_phases(s, samples, &phases));
    TRY_OR_DONE(
        argand_array_view(&own, phases, 2, (int64_t[]){count, s->coils}, (int64_t[]){1, 0}, band * count));
    status = argand_array_multiply(samples->y, own, samples->y, ARGAND_PRODUCT_CONJ);
done:
    argand_array_destroy(own);
    argand_array_destroy(phases);
    return status;
}
