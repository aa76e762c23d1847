/* SPDX-License-Identifier: BSD-3-Clause */
/* Stacks of spirals or stars: each acquisition in a plane of whole k_z, and the same shots in every plane.
 * The NUFFT finds them by itself, sample by sample; this is to know it before, for predictions. */
#include "recon/samples/samples.h"

#include <math.h>
#include "base/memory.h"

/* The plane of an acquisition, from 0 on; -1: it is in none. */
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

/* By the last sample, where spirals and spokes are farthest from each other. */
static bool same_shot(const argand_acquisition *a, const argand_acquisition *b)
{
    const int64_t last = a->samples - 1;
    return a->samples == b->samples && a->k[0][last] == b->k[0][last] && a->k[1][last] == b->k[1][last];
}

/* Acquisition q is shot seen[plane] of its plane, which is to be the first plane's: rows[first[shot]]. */
static bool goes_on(const argand_sense *s, const recon_volume *v, int64_t q, int64_t *seen, int64_t *first)
{
    const argand_acquisition *a = v->rows[q].acquisition;
    const int64_t plane = plane_of(s, a), leading = plane_of(s, v->rows[0].acquisition);
    if (plane < 0) return false;
    const int64_t shot = seen[plane]++;
    if (plane == leading) first[shot] = q;
    return shot < seen[leading] && same_shot(a, v->rows[first[shot]].acquisition);
}

argand_status planes_of_volume(const argand_sense *s, const recon_volume *v, int64_t *planes)
{
    const int64_t n = s->grid.n[2];
    int64_t *seen = NULL, *first = NULL, q = 0;
    argand_status status;
    *planes = 0;
    if (s->grid.rank < 3 || v->count < 1) return ARGAND_OK;
    TRY_OR_DONE(NEW(seen, n));
    TRY_OR_DONE(NEW(first, v->count));
    while (q < v->count && goes_on(s, v, q, seen, first)) q++;
    for (int64_t plane = 0; plane < n && q == v->count; plane++) *planes += seen[plane] > 0;
    for (int64_t plane = 0, each = *planes ? v->count / *planes : 0; plane < n; plane++)
        if (seen[plane] && seen[plane] != each) *planes = 0;
done:
    memory_free(first);
    memory_free(seen);
    return status;
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
