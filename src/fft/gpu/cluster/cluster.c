/* SPDX-License-Identifier: BSD-3-Clause */
/* What a cluster of groups holds goes through memory once (kernels/fft/cluster/cluster.krn): lines of U V
 * points and planes of U x V. In a line j = j1 V + j2 and k = k1 + U k2: each group transforms some of the
 * columns j2 (first half, of U points), and then some of the rows k1 (second half, of V points). In a plane
 * the first half has rows, the second one columns. */
#include "fft/gpu/cluster/split.h"

#include <math.h>
#include <stdlib.h>

/* Whether two passes would not be faster: with few groups at a time they are, the larger the cluster, and
 * sooner for planes, whose passes do not turn their results; and where a half has more than two stages. */
static bool stands(const box_halves *h, bool plane, const box_limits *l)
{
    const int least = h->groups <= 8 || l->is_double ? 2 : plane ? 4 : 3;
    return (h->resident >= least && h->radices[0].count + h->radices[1].count <= 4) || !l->waves ||
           l->tuning.any_cluster;
}

/* Keeps the better one. */
static bool consider(box_halves *best, const box_halves *h, bool found, bool plane, const box_limits *l)
{
    if ((l->tuning.cluster_points && !cluster_is_small(h, l)) || !stands(h, plane, l) ||
        (found && cluster_cost(h) >= cluster_cost(best)))
        return found;
    *best = *h;
    return true;
}

static bool line_by(box_halves *best, int groups, bool found, const box_job *job, const box_limits *l)
{
    const int n = (int)job->axis.n, least = CLUSTER_SEGMENT / l->item_bytes;
    for (int u = groups * (least - 1) + 1; u <= n / groups; u++) {
        box_halves h;
        if (n % u || !job_may_divide(job, n, u, l)) continue;
        if (l->tuning.first_part && u != l->tuning.first_part) continue;
        const double below = found ? cluster_cost(best) : HUGE_VAL;
        if (cluster_try_below(&h, groups, u, n / u, least, below, l))
            found = consider(best, &h, found, false, l);
    }
    return found;
}

bool cluster_line(box_halves *h, const box_job *job, const box_limits *l)
{
    bool found = false;
    if (l->tuning.no_cluster || job->in_kind != IN_COMPLEX || job->out_kind != OUT_COMPLEX ||
        job->chirp.part || job->access[0].image.rank || job->counted_loop >= 0 || job->twist_points ||
        llabs(job->axis.in) != 1 || llabs(job->axis.out) != 1 || job->loops >= BOX_LOOPS ||
        job->axis.n > (int64_t)l->cluster * box_most_points(l))
        return false;
    for (int groups = 2; groups <= l->cluster; groups *= 2)
        if (!l->tuning.cluster_blocks || groups == l->tuning.cluster_blocks)
            found = line_by(h, groups, found, job, l);
    return found;
}

bool cluster_plane(box_halves *h, const box_span *a, const box_span *b, const box_limits *l)
{
    bool found = false;
    if (l->tuning.no_cluster || a->n * b->n > (int64_t)l->cluster * box_most_points(l)) return false;
    if (l->tuning.cluster_blocks)
        return l->tuning.cluster_blocks > 1 && l->tuning.cluster_blocks <= l->cluster &&
               cluster_try(h, l->tuning.cluster_blocks, (int)a->n, (int)b->n, 1, l);
    for (int groups = 2; groups <= l->cluster; groups *= 2) {
        box_halves more;
        const double below = found ? cluster_cost(h) : HUGE_VAL;
        if (cluster_try_below(&more, groups, (int)a->n, (int)b->n, 1, below, l))
            found = consider(h, &more, found, true, l);
    }
    return found;
}

/* ---- the passes ---- */

/* A part of an axis, `times` points of which are from one of its own to the next. */
static box_span coordinate(box_span part, const box_span *whole, int times)
{
    part.dim = whole->dim;
    part.step = times * whole->step;
    return part;
}

static argand_status put_both(box_program *p, const box_job *first, const box_job *second,
                              const int crossing[3], int turn, const box_halves *h, const box_limits *l)
{
    /* crossing: of u; of v, as it is stored in another group's memory, and as it is loaded from there */
    const int before[2][3] = {{0, first->shift_in, 0}, {crossing[1], crossing[0], 0}},
              after[2][3] = {{0, crossing[2], 0}, {0, second->shift_out, 0}};
    TRY(cluster_half(p, first, h, 0, before, l));
    TRY(cluster_half(p, second, h, 1, after, l));
    p->pass[p->count - 2].shape.crossed = turn;
    return cluster_join(p, h, l);
}

argand_status program_cluster_line(box_program *p, const box_job *job, const box_halves *h,
                                   const box_limits *l)
{
    box_job first = *job, second = *job;
    job_share_shift(&first, &second, h->u, h->v);
    const int crossing[3] = {first.shift_out, second.shift_in ? h->v - second.shift_in : 0, second.shift_in};
    /* between both, V is fast */
    first.axis = coordinate((box_span){.n = h->u, .in = h->v * job->axis.in, .out = h->v}, &job->axis, h->v);
    job_put_lines(&first, coordinate((box_span){.n = h->v, .in = job->axis.in, .out = 1}, &job->axis, 1));
    first.access[1] = second.access[0] = (box_access){0};
    first.twist_points = job->axis.n;
    first.scaled = false;
    second.axis = coordinate((box_span){.n = h->v, .in = 1, .out = h->u * job->axis.out}, &job->axis, h->u);
    job_put_lines(&second,
                  coordinate((box_span){.n = h->u, .in = h->v, .out = job->axis.out}, &job->axis, 1));
    return put_both(p, &first, &second, crossing, 0, h, l);
}

/* A centred plane's first half has rows as they lie in memory, its second one columns as they will. */
/* A span that only moves results of the first half's axis is left to their way to the second one, whose lines
 * then lie in whole lines of memory: how far. */
static int take_turn(box_access *a, int dim, const box_limits *l)
{
    for (int i = 0; i < a->spans; i++) {
        if (a->span[i].dim + 1 != dim || a->span[i].count != a->span[i].points) continue;
        const int turn = (a->span[i].points - a->span[i].first) % a->span[i].points;
        a->spans--;
        if (i == 0) a->span[0] = a->span[1];
        a->on = a->spans || a->links || a->factor || a->type != (l->is_double ? ARGAND_C64 : ARGAND_C32);
        return turn;
    }
    return 0;
}

argand_status program_cluster_plane(box_program *p, const box_job *job, const box_span *along,
                                    int second_shift, const box_halves *h, const box_limits *l)
{
    box_job first = *job, second = *job;
    const int crossing[3] = {job->shift_out, second_shift ? h->v - second_shift : 0, second_shift};
    first.axis.out = h->v;
    job_put_lines(&first, coordinate((box_span){.n = h->v, .in = along->in, .out = 1}, along, 1));
    first.access[1] = second.access[0] = (box_access){0};
    first.scaled = false;
    second.axis = coordinate((box_span){.n = h->v, .in = 1, .out = along->out}, along, 1);
    job_put_lines(&second,
                  coordinate((box_span){.n = h->u, .in = h->v, .out = job->axis.out}, &job->axis, 1));
    second.shift_out = second_shift;
    return put_both(p, &first, &second, crossing, take_turn(&second.access[1], job->axis.dim, l), h, l);
}
