/* SPDX-License-Identifier: BSD-3-Clause */
/* Lengths and tables of a pass's stages, and which of them items share evenly. */
#include "fft/gpu/codegen/finish.h"

/* The stages in reverse order: the last one's results are where the first one back takes its points. */
static argand_status make_back(box_program *p, box_shape *s)
{
    int done[3] = {1, 1, 1};
    for (int i = 0; i < s->stages; i++) {
        box_stage *t = &s->back[i];
        *t = s->stage[s->stages - 1 - i];
        t->length = done[t->axis];
        done[t->axis] *= t->radix;
        TRY(tables_stage(&p->tables, t->length, t->radix, &t->turns));
    }
    return ARGAND_OK;
}

void shape_values(box_shape *s)
{
    s->values = 0;
    for (int i = 0; i < s->stages; i++) {
        const int butterflies = box_points(s) / s->stage[i].radix,
                  held = (butterflies + s->items - 1) / s->items * s->stage[i].radix;
        if (held > s->values) s->values = held;
    }
    if (s->fused.kind == FUSED_RADER) { /* which are also held as they lie in memory */
        const int points = box_points(s) / s->fused.convolution * s->fused.points,
                  held = (points + s->items - 1) / s->items;
        if (held > s->values) s->values = held;
    }
}

/* Lengths and tables of the stages. */
argand_status stages_make(box_program *p, box_shape *s)
{
    int done[3] = {1, 1, 1};
    shape_values(s);
    for (int i = 0; i < s->stages; i++) {
        box_stage *t = &s->stage[i];
        if (s->access[2].mirror) s->mirror |= 1 << t->axis;
        t->length = done[t->axis];
        done[t->axis] *= t->radix;
        TRY(tables_stage(&p->tables, t->length, t->radix, &t->turns));
    }
    return box_convolves(s) ? make_back(p, s) : ARGAND_OK;
}

/* Whether a stage along all of the second axis takes from each item what the last one along rows left it: it
 * has the same places of all rows. */
static bool stays_before(const box_shape *s, int stage)
{
    const box_stage *a = &s->stage[stage - 1], *b = &s->stage[stage];
    return a->axis == 0 && b->axis == 1 && s->size[2] == 1 && b->radix == s->size[1] && b->radix > 1 &&
           a->radix * a->length == s->size[0] && s->size[0] / a->radix % s->items == 0;
}

void stages_find_staying(box_shape *s)
{
    const bool plain = s->in_kind == IN_COMPLEX && s->out_kind == OUT_COMPLEX && !box_convolves(s) &&
                       !s->chirp && !s->in_fast && !s->mid_fast && !s->out_fast && !box_has_access(s);
    for (int i = 1; i < s->stages && plain; i++)
        if (stays_before(s, i)) s->stays |= 1 << i;
}
