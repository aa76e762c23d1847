/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds stacks of spirals or stars, in which each acquisition lies in a plane of whole k_z. The NUFFT
 * finds these planes by itself; predictions need them earlier. */
#include "recon/samples/samples.h"

#include <math.h>
#include "base/memory.h"

/* Returns the plane of an acquisition, from 0 on; -1: it lies in none. */
static int64_t plane_of(const argand_sense *s, const argand_acquisition *a)
{
    const double scale = s->grid.k_scale[2];
    const int64_t n = s->grid.n[2];
    if (!a->k[2] || a->samples < 1) return -1;
    const double first = scale * (double)a->k[2][0];
    if (!(fabs(first - nearbyint(first)) < 1e-5 && fabs(first) < 1e6)) return -1;
    for (int64_t i = 1; i < a->samples; i++)
        if (a->k[2][i] != a->k[2][0]) return -1;
    const int64_t plane = ((int64_t)nearbyint(first) + n / 2) % n;
    return plane < 0 ? plane + n : plane;
}

argand_status planes_of_volume(const argand_sense *s, const recon_volume *v, int64_t *planes)
{
    bool *seen;
    *planes = 0;
    if (s->grid.rank < 3) return ARGAND_OK;
    TRY(NEW(seen, s->grid.n[2]));
    for (int64_t q = 0; q < v->count; q++) {
        const int64_t plane = plane_of(s, v->rows[q].acquisition);
        if (plane < 0) {
            *planes = 0;
            break;
        }
        *planes += !seen[plane];
        seen[plane] = true;
    }
    memory_free(seen);
    return ARGAND_OK;
}

argand_status note_planes(argand_sense *s)
{
    int64_t planes;
    if (s->transform != ARGAND_TRANSFORM_NUFFT && s->transform != ARGAND_TRANSFORM_SEGMENTED)
        return ARGAND_OK;
    TRY(planes_of_volume(s, &s->volumes[0], &planes));
    if (planes)
        text_add(&s->notes,
                 "The samples lie in %lld planes across z: that axis is an FFT without a window.\n",
                 (long long)planes);
    return ARGAND_OK;
}
