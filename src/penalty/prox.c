/* SPDX-License-Identifier: BSD-3-Clause */
/* Proximal maps by kind (Parikh and Boyd, Proximal Algorithms, 2014); the pointwise ones are here. */
#include "penalty/penalty.h"

#include "base/memory.h"

static argand_status run_soft(prox *p, argand_array *y, const argand_array *x, double t, const tally *sum)
{
    return shrink(SHRINK_SOFT, y, x, p->components, t, 1, sum);
}

static argand_status run_hyperbola(prox *p, argand_array *y, const argand_array *x, double t,
                                   const tally *sum)
{
    return shrink(SHRINK_HYPERBOLA, y, x, 1, t, p->delta, sum);
}

argand_status prox_make(prox **out, const argand_regularizer *r, argand_device *device,
                        const argand_shape *shape, int space)
{
    *out = NULL;
    if (r->kind == ARGAND_WAVELET) return prox_wavelet_make(out, r, shape, space);
    if (r->kind == ARGAND_LOW_RANK) return prox_low_rank_make(out, r, device, shape, space);
    TRY(NEW(*out, 1));
    **out = (prox){.run = r->kind == ARGAND_HYPERBOLA ? run_hyperbola : run_soft,
                   .components = r->kind == ARGAND_TV ? gradient_directions(shape, space) : 1};
    return ARGAND_OK;
}

void prox_destroy(prox *p)
{
    if (p && p->destroy) p->destroy(p);
    memory_free(p);
}
