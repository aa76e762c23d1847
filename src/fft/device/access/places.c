/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the elements of a pass with accessors are: which coordinates grow along its box and loops, and what
 * its addresses leave to spans. */
#include "fft/device/box.h"

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
        s->at_step[k] =
            from->step * (k < 3                    ? 1
                          : k == 3 && s->lines < 3 ? s->size[s->lines] / (s->mirrored == 2 ? 2 : 1)
                          : k == 4 && s->lines < 2 && !box_has_stages(s, 2) ? s->size[2]
                                                                            : 1);
        for (int side = 0; side < 2; side++)
            if (leave_out(k < 3 ? &q->stride[side][k] : &q->loop[side][k - 3], s, from, side) && k < 3)
                s->still |= 1 << (3 * side + k);
    }
    s->next_line = next_line(pass, job);
    access_layout(s);
}
