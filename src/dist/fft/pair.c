/* SPDX-License-Identifier: BSD-3-Clause */
/* Describes what two ranks exchange by as few blocks as possible. A block is a piece that is repeated at a
 * stride, which MPI and memory copies read and write in place: then nothing is packed or unpacked. Both ends
 * enumerate the elements in the same order, along the axes of the sender's or of the receiver's memory. */
#include "dist/fft/pair.h"

/* Merges the first axes of the order into pieces. Returns false if one stride does not suffice. */
static bool merge(dist_pieces *p, const dist_pair *pair, const argand_box *end, int axes)
{
    *p = (dist_pieces){.length = 1, .stride = 0, .count = 1};
    for (int i = 0; i < axes; i++) {
        const int64_t n = box_extent(&pair->both, pair->order[i]), stride = end->strides[pair->order[i]];
        if (p->count == 1 && stride == p->length)
            p->length *= n;
        else if (p->count == 1) {
            p->stride = stride;
            p->count = n;
        } else if (stride == p->stride * p->count)
            p->count *= n;
        else
            return false;
    }
    return true;
}

/* Axes of more than one element, by the strides of one end. */
static void sort_axes(dist_pair *pair, const argand_box *end, int rank)
{
    pair->axes = 0;
    for (int d = 0; d < rank; d++) {
        int at = pair->axes;
        if (box_extent(&pair->both, d) == 1) continue;
        for (; at > 0 && end->strides[pair->order[at - 1]] > end->strides[d]; at--)
            pair->order[at] = pair->order[at - 1];
        pair->order[at] = d;
        pair->axes++;
    }
}

static void try_order(dist_pair *best, const argand_box *both, const dist_part *from, const dist_part *to,
                      const argand_box *by, int rank)
{
    dist_pair pair = {.both = *both, .blocks = 1};
    dist_pieces sent, received;
    sort_axes(&pair, by, rank);
    pair.spanned = pair.axes;
    while (!merge(&sent, &pair, &from->box, pair.spanned) || !merge(&received, &pair, &to->box, pair.spanned))
        pair.spanned--;
    pair.piece = sent.length < received.length ? sent.length : received.length;
    for (int i = pair.spanned; i < pair.axes; i++) pair.blocks *= box_extent(both, pair.order[i]);
    if (!best->blocks || pair.blocks < best->blocks ||
        (pair.blocks == best->blocks && pair.piece > best->piece))
        *best = pair;
}

void dist_pair_find(dist_pair *pair, const dist_part *from, const dist_part *to, int rank)
{
    argand_box both;
    *pair = (dist_pair){0};
    if (!box_intersect(&both, &from->box, &to->box, rank)) return;
    try_order(pair, &both, from, to, &from->box, rank);
    try_order(pair, &both, from, to, &to->box, rank);
}

dist_pieces dist_pair_block(const dist_pair *pair, const dist_part *end, int64_t number)
{
    const argand_box *box = &end->box;
    dist_pieces p;
    (void)merge(&p, pair, box, pair->spanned);
    p.offset = end->origin;
    for (int d = 0; d < ARGAND_MAX_RANK; d++)
        p.offset += (pair->both.lower[d] - box->lower[d]) * box->strides[d];
    for (int i = pair->spanned; i < pair->axes; i++) {
        const int64_t n = box_extent(&pair->both, pair->order[i]);
        p.offset += number % n * box->strides[pair->order[i]];
        number /= n;
    }
    return p;
}
