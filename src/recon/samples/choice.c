/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses the samples of an acquisition that are used, and finds their places in the k-space of the grid. */
#include "recon/samples/samples.h"

#include <math.h>

/* Returns the factor from cycles per field of view of an acquisition's own encoding to those of the grid. */
static double scale_of(const argand_sense *s, const argand_acquisition *a, int axis)
{
    const argand_encoding *e = &s->scan->encodings[a->encoding];
    if (e == s->encoding || !(e->field_of_view[axis] > 0)) return s->grid.k_scale[axis];
    return s->grid.field_of_view[axis] / e->field_of_view[axis];
}

double samples_position(const argand_sense *s, const argand_acquisition *a, int axis, int64_t i)
{
    return a->k[axis] ? a->k[axis][i] * scale_of(s, a, axis) : 0;
}

recon_choice choice_of(const argand_sense *s, const recon_row *rows, int64_t count)
{
    const bool may = s->zeros.points || s->zeros.samples;
    return (recon_choice){s, may && zeros_are_all(rows, count)};
}

bool choice_takes(const recon_choice *c, const argand_acquisition *a, int64_t i)
{
    const argand_sense *s = c->session;
    for (int axis = 0; axis < s->grid.rank; axis++)
        if (s->grid.k_limit[axis] > 0 && a->k[axis] &&
            fabs(a->k[axis][i] * scale_of(s, a, axis)) > s->grid.k_limit[axis])
            return false;
    return c->keeps_zeros || !zeros_hold(s, a, i);
}
