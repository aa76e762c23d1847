/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines of U V points and planes of U x V that a cluster of blocks holds go through memory once
 * (kernels/fft/cluster/cluster.krn). In a line, j = j1 V + j2 and k = k1 + U k2: each block transforms
 * some of the columns j2 (first half, of U points), and then some of the rows k1 (second half, of V
 * points). In a plane the first half transforms rows, the second one columns. */
#include "fft/gpu/cluster/split.h"

#include <math.h>
#include <stdlib.h>

/* Returns true if the cluster is faster than two passes. Two passes are faster if few blocks are resident,
 * the larger the cluster, and sooner for planes, whose passes have no twiddle factors; also if a half has
 * more than two stages. */
static bool stands(const cluster_split *h, bool plane, const block_limits *l)
{
    const int least = h->blocks <= 8 || l->is_double ? 2 : plane ? 4 : 3;
    return (h->min_blocks >= least && h->radices[0].count + h->radices[1].count <= 4) || !l->persistent ||
           l->tuning.any_cluster;
}

/* Keeps the cheaper split. */
static bool consider(cluster_split *best, const cluster_split *h, bool found, bool plane,
                     const block_limits *l)
{
    if (!stands(h, plane, l) || (found && cluster_cost(h) >= cluster_cost(best))) return found;
    *best = *h;
    return true;
}

static bool line_by(cluster_split *best, int blocks, bool found, const line_job *job, const block_limits *l)
{
    const int n = (int)job->axis.n, least = CLUSTER_SEGMENT / l->element_bytes;
    for (int u = blocks * (least - 1) + 1; u <= n / blocks; u++) {
        cluster_split h;
        if (n % u || !job_may_divide(job, n, u, l)) continue;
        if (l->tuning.first_part && u != l->tuning.first_part) continue;
        const double below = found ? cluster_cost(best) : HUGE_VAL;
        if (cluster_try_below(&h, blocks, u, n / u, least, below, l))
            found = consider(best, &h, found, false, l);
    }
    return found;
}

/* Returns true for complex lines, and for real lines without accessors that have one number a point. */
static bool line_has_kinds(const line_job *job)
{
    const bool complex = job->in_kind == IN_COMPLEX && job->out_kind == OUT_COMPLEX;
    return cluster_takes_kinds(job) && (complex || (!job->access[0].on && !job->access[1].on));
}

bool cluster_line(cluster_split *h, const line_job *job, const block_limits *l)
{
    bool found = false;
    if (l->tuning.no_cluster || !line_has_kinds(job) || job->chirp.part || job->access[0].image.rank ||
        job->counted_loop >= 0 || job->twiddle_points || job->loops >= TILE_LOOPS_MOST ||
        job->axis.n > (int64_t)l->cluster * limits_max_points(l))
        return false;
    for (int blocks = 2; blocks <= l->cluster; blocks *= 2)
        if (!l->tuning.cluster_blocks || blocks == l->tuning.cluster_blocks)
            found = line_by(h, blocks, found, job, l);
    return found;
}

bool cluster_plane(cluster_split *h, const job_axis *a, const job_axis *b, const block_limits *l)
{
    bool found = false;
    if (l->tuning.no_cluster || a->n * b->n > (int64_t)l->cluster * limits_max_points(l)) return false;
    if (l->tuning.cluster_blocks)
        return l->tuning.cluster_blocks > 1 && l->tuning.cluster_blocks <= l->cluster &&
               cluster_try(h, l->tuning.cluster_blocks, (int)a->n, (int)b->n, 1, l);
    for (int blocks = 2; blocks <= l->cluster; blocks *= 2) {
        cluster_split more;
        const double below = found ? cluster_cost(h) : HUGE_VAL;
        if (cluster_try_below(&more, blocks, (int)a->n, (int)b->n, 1, below, l))
            found = consider(h, &more, found, true, l);
    }
    return found;
}

/* ---- the passes ---- */

/* Returns a part of an axis with its coordinate; one step is `times` points of the axis. */
static job_axis coordinate(job_axis part, const job_axis *whole, int times)
{
    part.number = times * whole->number;
    part.dim = whole->dim;
    part.step = times * whole->step;
    return part;
}

static argand_status put_both(pass_program *p, const line_job *first, const line_job *second,
                              const int sent[3], int shift, const cluster_split *h, const block_limits *l)
{
    /* shifts cross over: that of u; that of v, as stored in another block's memory, and as loaded from
     * there */
    const int before[2][3] = {{0, first->shift_in, 0}, {sent[1], sent[0], 0}},
              after[2][3] = {{0, sent[2], 0}, {0, second->shift_out, 0}};
    TRY(cluster_half(p, first, h, 0, before, l));
    TRY(cluster_half(p, second, h, 1, after, l));
    p->pass[p->count - 2].shape.sent_shift = shift;
    return cluster_join(p, h, l);
}

argand_status program_cluster_line(pass_program *p, const line_job *job, const cluster_split *h,
                                   const block_limits *l)
{
    line_job first = *job, second = *job;
    job_share_shift(&first, &second, h->u, h->v);
    const int sent[3] = {first.shift_out, second.shift_in ? h->v - second.shift_in : 0, second.shift_in};
    /* between both halves, V has stride 1 */
    first.axis = coordinate((job_axis){.n = h->u, .in = h->v * job->axis.in, .out = h->v}, &job->axis, h->v);
    job_put_lines(&first, coordinate((job_axis){.n = h->v, .in = job->axis.in, .out = 1}, &job->axis, 1));
    first.access[1] = second.access[0] = (pass_access){0};
    first.out_kind = OUT_COMPLEX;
    second.in_kind = IN_COMPLEX;
    first.twiddle_points = job->axis.n;
    first.scaled = false;
    second.axis = coordinate((job_axis){.n = h->v, .in = 1, .out = h->u * job->axis.out}, &job->axis, h->u);
    job_put_lines(&second,
                  coordinate((job_axis){.n = h->u, .in = h->v, .out = job->axis.out}, &job->axis, 1));
    return put_both(p, &first, &second, sent, 0, h, l);
}

/* Removes a window that only shifts the results of the first half's axis, and returns the shift. The
 * transfer to the second half applies it, so that lines of the second half fill whole cache lines. */
static int take_shift(pass_access *a, int dim, const block_limits *l)
{
    for (int i = 0; i < a->windows; i++) {
        if (a->window[i].dim + 1 != dim || a->window[i].count != a->window[i].points) continue;
        const int shift = (a->window[i].points - a->window[i].first) % a->window[i].points;
        a->windows--;
        if (i == 0) a->window[0] = a->window[1];
        a->on = a->windows || a->links || a->factor || a->type != (l->is_double ? ARGAND_C64 : ARGAND_C32);
        return shift;
    }
    return 0;
}

argand_status program_cluster_plane(pass_program *p, const line_job *job, const job_axis *along,
                                    int second_shift, const cluster_split *h, const block_limits *l)
{
    line_job first = *job, second = *job;
    const int sent[3] = {job->shift_out, second_shift ? h->v - second_shift : 0, second_shift};
    first.axis.out = h->v;
    job_put_lines(&first, coordinate((job_axis){.n = h->v, .in = along->in, .out = 1}, along, 1));
    first.access[1] = second.access[0] = (pass_access){0};
    first.scaled = false;
    second.axis = coordinate((job_axis){.n = h->v, .in = 1, .out = along->out}, along, 1);
    job_put_lines(&second,
                  coordinate((job_axis){.n = h->u, .in = h->v, .out = job->axis.out}, &job->axis, 1));
    second.shift_out = second_shift;
    return put_both(p, &first, &second, sent, take_shift(&second.access[1], job->axis.dim, l), h, l);
}
