/* SPDX-License-Identifier: BSD-3-Clause */
/* Long lines whose frequencies may be in scrambled order: frequency k = k1 + n1 k2 at k1 n2 + k2
 * (kernels/fft/order.h). A line is then transformed like a plane of n1 rows of n2, with twiddle factors
 * between its two axes. Both passes work in place without work memory, and n2 need not share a tile with
 * neighbours, so that 2^24 points take two passes. The forward transform does n1 first, the inverse n2:
 * y[b1 n2 + b2] = sum_a1 w_n1^(a1 b1) ( w_n^(a1 b2) sum_a2 w_n2^(a2 b2) x[a1 + n1 a2] ). */
#include "fft/gpu/schedule/passes.h"

#include <math.h>

/* Contiguous bytes that a tile of columns should have, and the minimum for any tile. */
enum { NEIGHBOURS = 64, NEIGHBOURS_LEAST = 32 };

/* Returns the penalty of two parts. Too narrow tiles of the first part are as bad as one part four times
 * as long as the other. */
static double badness(int64_t n1, int64_t n2, const block_limits *l)
{
    const int64_t good = limits_max_points(l) / (NEIGHBOURS / l->element_bytes);
    return fabs(log2((double)n2 / (double)n1)) + (n1 > good ? 2 : 0) + (n2 > good ? 0.1 : 0);
}

/* A line that fits in one tile whatever its strides, or in a cluster, keeps natural order. */
int64_t scrambled_part(const fft_problem *p, const block_limits *l)
{
    const int64_t n = p->n[0], whole = limits_max_points(l),
                  most = whole / (NEIGHBOURS_LEAST / l->element_bytes);
    const bool by_cluster = !l->tuning.no_cluster && n <= l->cluster * whole;
    int64_t best = 0;
    if ((!p->scrambled_signal && !p->scrambled_spectrum) || n <= whole || by_cluster) return 0;
    for (int64_t n1 = (n + most - 1) / most; n1 <= most && n1 <= n; n1++) {
        radix_list r;
        if (n % n1 || (p->centred && (n1 % 2 || n / n1 % 2))) continue;
        if (best && badness(n1, n / n1, l) >= badness(best, n / best, l)) continue;
        if (radices_choose(&r, (int)n1, l, 1) && radices_choose(&r, (int)(n / n1), l, 1)) best = n1;
    }
    return best;
}

bool scrambled_is_output(const fft_problem *p, argand_direction direction)
{
    return p->scrambled_spectrum == (direction == ARGAND_FORWARD);
}

/* Returns the job of one axis of that plane; `other` becomes the last loop. */
static line_job part_of(const line_job *job, job_axis axis, job_axis other)
{
    line_job part = *job;
    part.axis = axis;
    part.loop[part.loops++] = other;
    return part;
}

argand_status program_scrambled(pass_program *p, const line_job *job, int64_t n1, bool output,
                                const block_limits *l)
{
    const int64_t n = job->axis.n, n2 = n / n1, in = job->axis.in, out = job->axis.out;
    const job_axis rows = {.n = n1, .in = n2 * in, .out = n2 * out}, row = {.n = n2, .in = in, .out = out};
    line_job first = output ? part_of(job, rows, row) : part_of(job, row, rows),
             second = output ? part_of(job, row, rows) : part_of(job, rows, row);
    first.counted_loop = job->loops;
    first.twiddle_points = n;
    first.scaled = false;
    first.shift_in = job->shift_in ? (int)(first.axis.n / 2) : 0;
    first.shift_out = 0;
    second.shift_in = 0;
    second.shift_out = job->shift_out ? (int)(second.axis.n / 2) : 0;
    second.from = job->to;
    second.from_at = job->to_at;
    second.axis.in = second.axis.out;
    for (int i = 0; i < second.loops; i++) second.loop[i].in = second.loop[i].out;
    TRY(program_lines(p, &first, l));
    return program_lines(p, &second, l);
}
