/* SPDX-License-Identifier: BSD-3-Clause */
/* Sets lengths and tables of a pass's stages, and finds the stages that need no exchange between threads. */
#include "fft/gpu/codegen/finish.h"

/* Makes the inverse stages in reverse order: the first inverse stage reads the points where the last
 * forward stage leaves them. */
static argand_status make_inverse(pass_program *p, tile_shape *s)
{
    int done[3] = {1, 1, 1};
    for (int i = 0; i < s->stages; i++) {
        tile_stage *t = &s->back[i];
        *t = s->stage[s->stages - 1 - i];
        t->length = done[t->axis];
        done[t->axis] *= t->radix;
        TRY(tables_stage(&p->tables, t->length, t->radix, &t->twiddles));
    }
    return ARGAND_OK;
}

void tile_set_points_per_thread(tile_shape *s)
{
    s->points_per_thread = 0;
    for (int i = 0; i < s->stages; i++) {
        const int butterflies = tile_points(s) / s->stage[i].radix,
                  held = (butterflies + s->threads - 1) / s->threads * s->stage[i].radix;
        if (held > s->points_per_thread) s->points_per_thread = held;
    }
    if (s->convolution.kind == CONVOLUTION_RADER) { /* Rader's lines are also held in memory order */
        const int points = tile_points(s) / s->convolution.convolution * s->convolution.points,
                  held = (points + s->threads - 1) / s->threads;
        if (held > s->points_per_thread) s->points_per_thread = held;
    }
}

/* Sets lengths and tables of the stages. */
argand_status stages_make(pass_program *p, tile_shape *s)
{
    int done[3] = {1, 1, 1};
    tile_set_points_per_thread(s);
    for (int i = 0; i < s->stages; i++) {
        tile_stage *t = &s->stage[i];
        if (s->access[2].mirror) s->mirror |= 1 << t->axis;
        t->length = done[t->axis];
        done[t->axis] *= t->radix;
        TRY(tables_stage(&p->tables, t->length, t->radix, &t->twiddles));
    }
    return tile_convolves(s) ? make_inverse(p, s) : ARGAND_OK;
}

/* Returns true if a stage over all of the second axis needs no exchange: each thread has the same
 * positions of all rows after the last stage along rows. */
static bool stays_before(const tile_shape *s, int stage)
{
    const tile_stage *a = &s->stage[stage - 1], *b = &s->stage[stage];
    return a->axis == 0 && b->axis == 1 && s->size[2] == 1 && b->radix == s->size[1] && b->radix > 1 &&
           a->radix * a->length == s->size[0] && s->size[0] / a->radix % s->threads == 0;
}

void stages_find_staying(tile_shape *s)
{
    const bool plain = s->in_kind == IN_COMPLEX && s->out_kind == OUT_COMPLEX && !tile_convolves(s) &&
                       !s->chirp && !s->in_fast && !s->mid_fast && !s->out_fast && !tile_has_access(s);
    for (int i = 1; i < s->stages && plain; i++)
        if (stays_before(s, i)) s->stays |= 1 << i;
}
