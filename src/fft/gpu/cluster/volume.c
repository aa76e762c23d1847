/* SPDX-License-Identifier: BSD-3-Clause */
/* A small volume that a cluster of blocks holds: the first half has planes of the first two axes, the second
 * one lines along the third, of all points of a plane (kernels/fft/cluster/cluster.krn). One launch, and its
 * blocks wait for each other by mailboxes, not for the end of a launch, which is most of a small volume's
 * time otherwise. */
#include "fft/gpu/cluster/split.h"

#include <stdlib.h>

/* Points that a thread of `threads` holds at most, and the share of threads that have something to do at all
 * stages. */
static int held_of(const cluster_split *h, int threads, double *busy)
{
    const radix_list *const all[] = {&h->radices[0], &h->radices[1], &h->along_rows};
    int held = 0;
    *busy = 1;
    for (int k = 0; k < 3; k++) {
        const radix_list *r = all[k];
        const int points =
            k == 1 ? h->v * cluster_tile(h->u, h->groups) : h->u * cluster_tile(h->v, h->groups);
        for (int i = 0; i < r->count; i++) {
            const int butterflies = points / r->radix[i], each = (butterflies + threads - 1) / threads;
            if (each * r->radix[i] > held) held = each * r->radix[i];
            if ((double)butterflies / ((double)each * threads) < *busy)
                *busy = (double)butterflies / ((double)each * threads);
        }
    }
    return held;
}

/* Few idle threads, and no more registers than leave room for twice the threads at once. */
static bool choose_threads(cluster_split *h, int wanted, const block_limits *l)
{
    const int least = cluster_points(h) / (wanted + 8) / 32 * 32;
    double best = 0;
    for (int threads = least < 32 ? 32 : least; threads <= l->threads; threads += 32) {
        double worth;
        const int held = held_of(h, threads, &worth);
        if (held > wanted + 9) continue;
        if (held > wanted) worth /= 1 + 0.08 * (held - wanted);
        if (threads > cluster_points(h) / wanted * 5 / 4) worth *= 0.8;
        if (worth <= best) continue;
        best = worth;
        h->threads = threads;
    }
    return best > 0;
}

static bool try(cluster_split *h, int groups, const job_axis *s, const block_limits *l)
{
    block_limits held = *l;
    if (held.tuning.points_per_thread > CLUSTER_HELD) held.tuning.points_per_thread = CLUSTER_HELD;
    const int64_t points = s[0].n * s[1].n * s[2].n;
    if (points > (int64_t)groups * limits_max_points(l)) return false;
    *h = (cluster_split){
        .groups = groups, .u = (int)(s[0].n * s[1].n), .v = (int)s[2].n, .row = (int)s[0].n, .algorithm = 2};
    return h->v % groups == 0 && h->u % groups == 0 && radices_choose(&h->along_rows, h->row, &held, 1) &&
           radices_choose(&h->radices[0], (int)s[1].n, &held, 1) &&
           radices_choose(&h->radices[1], h->v, &held, 2) && h->radices[1].count > 1 &&
           choose_threads(h, held.tuning.points_per_thread, l);
}

bool cluster_volume(cluster_split *h, const job_axis *s, const block_limits *l)
{
    const int groups = l->tuning.volume_blocks;
    return groups > 1 && groups <= l->cluster && !l->tuning.no_cluster && llabs(s[0].in) == 1 &&
           llabs(s[0].out) == 1 && try(h, groups, s, l);
}

static argand_status put_planes(pass_program *p, const line_job *job, const job_axis *second,
                                const cluster_split *h, const int shift[2][3], const block_limits *l)
{
    block_limits own = *l;
    tile_pass *pass;
    const radix_list *a = &h->along_rows, *b = &h->radices[0];
    const int across = b->count > 1;
    own.tuning.exchange_mode = 1;
    own.tuning.persistent_blocks = own.tuning.bulk_copy = 0;
    TRY(pass_begin(p, job, &pass));
    tile_shape *s = &pass->shape;
    const job_axis dims[3] = {job->axis, *second, job->loop[0]};
    s->size[0] = h->row;
    s->size[1] = h->u / h->row;
    s->size[2] = h->v / h->groups;
    s->lines = 2;
    s->threads = h->threads;
    if (across) s->stage[s->stages++] = (tile_stage){.radix = b->radix[0], .axis = 1};
    for (int i = 0; i < a->count; i++) s->stage[s->stages++] = (tile_stage){.radix = a->radix[i], .axis = 0};
    for (int i = across; i < b->count; i++)
        s->stage[s->stages++] = (tile_stage){.radix = b->radix[i], .axis = 1};
    return pass_finish(p, pass, job, dims, shift, &own);
}

/* job: along the first axis; its loops are those beside the volume. */
argand_status program_cluster_volume(pass_program *p, const line_job *job, const job_axis *axes,
                                     const int shift[3], const cluster_split *h, const block_limits *l)
{
    line_job first = *job, second = *job;
    const job_axis *third = &axes[2];
    const int back = shift[2] ? h->v - shift[2] : 0,
              before[2][3] = {{shift[0], shift[1], 0}, {shift[0], shift[1], back}},
              after[2][3] = {{0, shift[2], 0}, {0, shift[2], 0}};
    job_put_lines(&first, (job_axis){.n = h->v, .in = third->in, .out = 1});
    first.scaled = false;
    TRY(put_planes(p, &first, &axes[1], h, before, l));
    second.axis = (job_axis){.n = h->v, .in = 1, .out = third->out};
    job_put_lines(&second, (job_axis){.n = h->u, .in = h->v, .out = job->axis.out});
    TRY(cluster_half(p, &second, h, 1, after, l));
    return cluster_join(p, h, l);
}
