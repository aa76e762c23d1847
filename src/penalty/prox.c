/* SPDX-License-Identifier: BSD-3-Clause */
/* Proximal maps (Parikh and Boyd, Proximal Algorithms, 2014): each kind of penalty makes its own. */
#include "penalty/penalty.h"

#include "base/memory.h"

argand_status prox_run_soft(prox *p, argand_array *y, const argand_array *x, double t, const tally *sum)
{
    return shrink(SHRINK_SOFT, y, x, p->components, t, 1, sum);
}

argand_status prox_make_pointwise(prox **out, prox_run *run, int components)
{
    TRY(NEW(*out, 1));
    **out = (prox){.run = run, .components = components};
    return ARGAND_OK;
}

argand_status prox_make(prox **out, const argand_regularizer *r, argand_device *device,
                        const argand_shape *shape, int space)
{
    *out = NULL;
    return penalty_kind_of(r->kind)->prox(out, r, device, shape, space);
}

void prox_destroy(prox *p)
{
    if (p && p->destroy) p->destroy(p);
    memory_free(p);
}
