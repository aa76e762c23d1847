/* SPDX-License-Identifier: BSD-3-Clause */
/* A small volume that a cluster of groups holds: the first half has planes of the first two axes, the second
 * one lines along the third, of all points of a plane (kernels/fft/cluster/cluster.krn). One launch, and its
 * groups wait for each other by mailboxes, not for the end of a launch, which is most of a small volume's
 * time otherwise. */
#include "fft/gpu/cluster/split.h"

#include <stdlib.h>

/* Points that an item of `items` holds at most, and the share of items that have something to do at all
 * stages. */
static int held_of(const box_halves *h, int items, double *busy)
{
    const box_radices *const all[] = {&h->radices[0], &h->radices[1], &h->along_rows};
    int held = 0;
    *busy = 1;
    for (int k = 0; k < 3; k++) {
        const box_radices *r = all[k];
        const int points =
            k == 1 ? h->v * cluster_tile(h->u, h->groups) : h->u * cluster_tile(h->v, h->groups);
        for (int i = 0; i < r->count; i++) {
            const int butterflies = points / r->radix[i], each = (butterflies + items - 1) / items;
            if (each * r->radix[i] > held) held = each * r->radix[i];
            if ((double)butterflies / ((double)each * items) < *busy)
                *busy = (double)butterflies / ((double)each * items);
        }
    }
    return held;
}

/* Few idle items, and no more registers than leave room for twice the items at once. */
static bool choose_items(box_halves *h, int wanted, const box_limits *l)
{
    const int least = cluster_points(h) / (wanted + 8) / 32 * 32;
    double best = 0;
    for (int items = least < 32 ? 32 : least; items <= l->items; items += 32) {
        double worth;
        const int held = held_of(h, items, &worth);
        if (held > wanted + 9) continue;
        if (held > wanted) worth /= 1 + 0.08 * (held - wanted);
        if (items > cluster_points(h) / wanted * 5 / 4) worth *= 0.8;
        if (worth <= best) continue;
        best = worth;
        h->items = items;
    }
    return best > 0;
}

static bool try(box_halves *h, int groups, const box_span *s, const box_limits *l)
{
    box_limits held = *l;
    if (held.tuning.points_per_thread > CLUSTER_HELD) held.tuning.points_per_thread = CLUSTER_HELD;
    const int64_t points = s[0].n * s[1].n * s[2].n;
    if (points > (int64_t)groups * box_most_points(l)) return false;
    *h = (box_halves){
        .groups = groups, .u = (int)(s[0].n * s[1].n), .v = (int)s[2].n, .row = (int)s[0].n, .way = 2};
    return h->v % groups == 0 && h->u % groups == 0 && radices_choose(&h->along_rows, h->row, &held, 1) &&
           radices_choose(&h->radices[0], (int)s[1].n, &held, 1) &&
           radices_choose(&h->radices[1], h->v, &held, 2) && h->radices[1].count > 1 &&
           choose_items(h, held.tuning.points_per_thread, l);
}

bool cluster_volume(box_halves *h, const box_span *s, const box_limits *l)
{
    const int groups = l->tuning.volume_blocks;
    return groups > 1 && groups <= l->cluster && !l->tuning.no_cluster && llabs(s[0].in) == 1 &&
           llabs(s[0].out) == 1 && try(h, groups, s, l);
}

static argand_status put_planes(box_program *p, const box_job *job, const box_span *second,
                                const box_halves *h, const int shift[2][3], const box_limits *l)
{
    box_limits apart = *l;
    box_pass *pass;
    const box_radices *a = &h->along_rows, *b = &h->radices[0];
    const int across = b->count > 1;
    apart.tuning.exchange_mode = 1;
    apart.tuning.persistent_blocks = apart.tuning.bulk_copy = 0;
    TRY(pass_begin(p, job, &pass));
    box_shape *s = &pass->shape;
    const box_span span[3] = {job->axis, *second, job->loop[0]};
    s->size[0] = h->row;
    s->size[1] = h->u / h->row;
    s->size[2] = h->v / h->groups;
    s->lines = 2;
    s->items = h->items;
    if (across) s->stage[s->stages++] = (box_stage){.radix = b->radix[0], .axis = 1};
    for (int i = 0; i < a->count; i++) s->stage[s->stages++] = (box_stage){.radix = a->radix[i], .axis = 0};
    for (int i = across; i < b->count; i++)
        s->stage[s->stages++] = (box_stage){.radix = b->radix[i], .axis = 1};
    return pass_finish(p, pass, job, span, shift, &apart);
}

/* job: along the first axis; its loops are those beside the volume. */
argand_status program_cluster_volume(box_program *p, const box_job *job, const box_span *spans,
                                     const int shift[3], const box_halves *h, const box_limits *l)
{
    box_job first = *job, second = *job;
    const box_span *third = &spans[2];
    const int back = shift[2] ? h->v - shift[2] : 0,
              before[2][3] = {{shift[0], shift[1], 0}, {shift[0], shift[1], back}},
              after[2][3] = {{0, shift[2], 0}, {0, shift[2], 0}};
    job_put_lines(&first, (box_span){.n = h->v, .in = third->in, .out = 1});
    first.scaled = false;
    TRY(put_planes(p, &first, &spans[1], h, before, l));
    second.axis = (box_span){.n = h->v, .in = 1, .out = third->out};
    job_put_lines(&second, (box_span){.n = h->u, .in = h->v, .out = job->axis.out});
    TRY(cluster_half(p, &second, h, 1, after, l));
    return cluster_join(p, h, l);
}
