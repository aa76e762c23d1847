/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the elements of a pass with accessors are: which coordinates grow along its box and loops, and what
 * its addresses leave to spans. */
#include "array/array.h"
#include "fft/gpu/codegen/access.h"

/* Whether points of that coordinate are two elements. */
static bool has_pairs(const box_shape *s, bool out, int dim)
{
    return dim == 1 && (out ? s->out_kind == OUT_PAIRS : s->in_kind == IN_PAIRS);
}

/* Addresses leave out what a span has of its own distances for. */
static bool leave_out(int64_t *stride, box_shape *s, const box_span *span, bool out)
{
    box_access *access = &s->access[out];
    bool left = false;
    for (int i = 0; i < access->spans && access->on; i++) {
        if (span->dim != access->span[i].dim + 1) continue;
        access->span[i].stride =
            (out ? span->out : span->in) / span->step / (has_pairs(s, out, span->dim) ? 2 : 1);
        *stride = 0;
        left = true;
    }
    return left;
}

/* Which line boxes begin with so that what they store lies in whole lines of memory, where a span moves it:
 * the part of a long line that is stored beside each other, whose lines are loaded from anywhere. */
static int next_line(const box_pass *pass, const box_job *job)
{
    const box_shape *s = &pass->shape;
    const box_access *a = &s->access[1];
    const int tile = s->size[0];
    if (!job->any_lines || s->chirp || s->out_kind != OUT_COMPLEX || s->lines != 0 || s->ragged ||
        s->size[2] > 1 || pass->params.stride[0][0] == 1 || a->spans != 1 ||
        a->span[0].count != a->span[0].points || s->at_dim[0] != a->span[0].dim + 1 || s->at_step[0] != 1 ||
        a->span[0].stride != 1)
        return 0;
    return a->span[0].first % tile;
}

/* Which butterfly of its first or last stage item 0 has, so that items touch whole lines of memory where a
 * span moves what they load or store. */
static int turned_item(const box_shape *s, bool out)
{
    const box_access *a = &s->access[out];
    const box_stage *stage = &s->stage[out ? s->stages - 1 : 0];
    const int axis = stage->axis, butterflies = s->size[axis] / stage->radix;
    const bool plain = s->in_kind == IN_COMPLEX && s->out_kind == OUT_COMPLEX && !box_convolves(s) &&
                       !s->chirp && !s->access[2].on;
    if (!plain || (out ? s->out_fast : s->in_fast) != axis || axis > 1 || s->at_step[axis] != 1 ||
        box_points(s) / stage->radix % s->items != 0)
        return 0;
    for (int i = 0; i < a->spans; i++)
        if (a->span[i].dim + 1 == s->at_dim[axis] && a->span[i].stride == 1 &&
            a->span[i].count == a->span[i].points)
            return a->span[i].first % butterflies;
    return 0;
}

/* Whether an array of so many elements at least has the same ones all along a dimension. */
static bool repeats_along(const argand_array *a, int dim, int64_t least)
{
    return a && a->count >= least && dim >= 0 && (dim >= a->rank || a->dims[dim] == 1);
}

/* How many boxes along loop k come one after the other, as they have the same elements of all arrays, which
 * are more than stay in a cache.
 */
static int boxes_alike(const box_shape *s, int64_t boxes, int k)
{
    enum { LARGE = 1 << 21, MOST = 8 };
    const int dim = s->at_dim[3 + k] - 1;
    bool same = false, all = dim != s->at_part && dim != s->at_with;
    int count = MOST;
    for (int side = 0; side < 3; side++)
        for (int i = 0; i < s->access[side].links; i++) {
            const box_access *a = &s->access[side];
            const argand_accessor *l = &a->chain[a->place[i]];
            if (l->kind == ARGAND_ACCESS_SCALE) continue;
            const bool repeats = repeats_along(l->array, dim, LARGE);
            same |= repeats;
            all &= repeats;
        }
    while (boxes % count != 0) count--;
    return same && all ? count : 1;
}

/* The first loop that has such, but for loop 0, which is lines of a box. */
static void choose_first(box_shape *s, const struct box_params *q)
{
    s->first_loop = 0;
    for (int k = 1; k < s->loops && !s->first_loop; k++) {
        s->first_count = boxes_alike(s, q->n[k], k);
        if (s->first_count > 1) s->first_loop = k;
    }
}

/* Whether an array that is not small comes again for other boxes: caches should keep it. */
static bool has_kept_arrays(const box_shape *s)
{
    enum { SMALL = 1 << 18 };
    for (int side = 0; side < 3; side++)
        for (int i = 0; i < s->access[side].links; i++) {
            const box_access *from = &s->access[side];
            const argand_array *a = from->chain[from->place[i]].array;
            for (int k = 0; k < s->loops; k++)
                if (repeats_along(a, s->at_dim[3 + k] - 1, SMALL)) return true;
        }
    return false;
}

/* All but the last loop, by whose number nothing is divided, and that along which a call is done in parts.
 * Not where spans pad or crop, nor with a chain at the spectrum: the compiler then asked for arrays later
 * (1024 x 1024 cropped, and there and back: 9 % slower). */
static void know_boxes(box_shape *s, const struct box_params *q)
{
    if (s->access[2].on) return;
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < s->access[side].spans; i++)
            if (s->access[side].span[i].count < s->access[side].span[i].points) return;
    for (int k = 0; k + 1 < s->loops; k++)
        if (s->at_dim[3 + k] - 1 != s->at_part || s->at_part < 0) s->boxes[k] = (int)q->n[k];
}

/* Which coordinate grows along box and loops, and what spans do to addresses. */
void access_places(box_pass *pass, const box_job *job, const box_span span[3])
{
    box_shape *s = &pass->shape;
    struct box_params *q = &pass->params;
    for (int k = 0; k < 3 + job->loops; k++) {
        const box_span *from = k < 3 ? &span[k] : &job->loop[k - 3];
        const bool is_there = k >= 3 || s->size[k] > 1 || s->stage[0].axis == k;
        if (!is_there || !from->dim) continue;
        s->at_dim[k] = from->dim;
        s->at_step[k] = from->step * (k < 3                    ? 1
                                      : k == 3 && s->lines < 3 ? s->size[s->lines] / box_fold(s)
                                      : k == 4 && s->lines < 2 && !box_has_stages(s, 2) ? s->size[2]
                                                                                        : 1);
        for (int side = 0; side < 2; side++)
            if (leave_out(k < 3 ? &q->stride[side][k] : &q->loop[side][k - 3], s, from, side) && k < 3)
                s->still |= 1 << (3 * side + k);
    }
    s->next_line = next_line(pass, job);
    choose_first(s, q);
    know_boxes(s, q);
    s->kept_arrays = has_kept_arrays(s);
    for (int side = 0; side < 2; side++) s->turned[side] = turned_item(s, side);
    access_layout(s);
}
