/* SPDX-License-Identifier: BSD-3-Clause */
/* Divides lines that are too long for a tile in two parts (Gentleman and Sande 1966; Bailey, J.
 * Supercomputing 4:23, 1990): with j = j1 n2 + j2 and k = k1 + n1 k2, X[k] = sum_j2 w_n2^(j2 k2) ( w_n^(j2
 * k1) sum_j1 w_n1^(j1 k1) x[j] ). */
#include "fft/gpu/schedule/lines.h"

#include <math.h>
#include <stdlib.h>

/* Returns the longest part that leaves space for neighbours. Tiles are narrow only if this saves the third
 * pass. */
int64_t longest_part(int64_t n, const block_limits *l)
{
    const int64_t good = limits_max_points(l) / lines_in_segment(l),
                  least = limits_max_points(l) / (SEGMENT_LEAST / l->element_bytes);
    return l->tuning.segment_bytes == SEGMENT_LEAST && n > good * good && n <= least * least ? least : good;
}

/* Returns the loss of tiles of w neighbours that are not aligned to 32 bytes: rows have stride n. */
static double unaligned(int64_t n, double w, const block_limits *l)
{
    const int64_t whole = 32 / l->element_bytes;
    return n % whole == 0 ? 0 : (n % 2 ? 1.3 : 1) * 2 / w;
}

/* Returns the loss of a division, fitted to some 80 lines of 18000 to 160000 points on an H200. Rows of
 * both parts should be aligned to memory sectors. The first part should have no radix above 16, because
 * its results are multiplied by twiddle factors, and should not be longer than the second. Both should be
 * of similar length, because a multiprocessor holds only one block with tiles of more than 1024. */
static double two_parts_lose(int64_t n1, int64_t n2, const radix_list *first, const block_limits *l)
{
    const double ratio = log((double)n1 / (double)n2), tile = n1 < 110 ? 24 : n1 < 200 ? 16 : 8;
    bool large = false;
    for (int i = 0; i < first->count; i++) large |= first->radix[i] > 16;
    return 0.05 * fabs(ratio) + (ratio > 0 ? 0.05 * ratio : 0) + unaligned(n1, 8, l) +
           unaligned(n2, tile, l) + (large ? 0.2 : 0) + (n1 > 1024 ? 0.3 : 0) + (n2 > 1024 ? 0.2 : 0);
}

/* Returns n1 such that both parts fit in tiles, or such that n1 fits and n2 is divided again; 0: none.
 * With three parts, the first one should be as near to the others as possible. */
int64_t first_factor(const line_job *job, int64_t n, const block_limits *l)
{
    const int64_t most = longest_part(n, l);
    const int parts = n > most * most ? 3 : 2;
    const double wanted = l->tuning.first_part ? l->tuning.first_part : pow((double)n, 1.0 / parts);
    int64_t best = 0;
    double least = HUGE_VAL;
    for (int64_t n1 = 2; n1 <= most && n1 <= n / 2; n1++) {
        radix_list r;
        if (n % n1 || !job_may_divide(job, n, n1, l)) continue;
        if ((parts == 2 && n / n1 > most) || !radices_choose(&r, (int)n1, l, 1)) continue;
        const double off = parts == 2 && !l->tuning.first_part ? two_parts_lose(n1, n / n1, &r, l)
                                                               : fabs(log((double)n1 / wanted));
        if (off >= least - 1e-9) continue;
        least = off;
        best = n1;
    }
    return best;
}

/* Gives loop i of both parts this stride in work memory, and returns the stride of the next loop. */
static int64_t put_loop(line_job *first, line_job *second, int i, int64_t distance)
{
    first->loop[i].out = second->loop[i].in = distance;
    return distance * first->loop[i].n;
}

/* Sets the layout of the intermediate points in work memory: first the loops with smaller strides than the
 * axis, then j2, k1, and the rest. */
static int64_t place_work(line_job *first, line_job *second, int64_t axis_stride)
{
    const int64_t n1 = first->axis.n, n2 = second->axis.n;
    int64_t count = 1;
    const int inner = first->counted_loop;
    for (int i = 0; i < inner; i++)
        if (llabs(first->loop[i].in) < llabs(axis_stride)) count = put_loop(first, second, i, count);
    first->loop[inner].out = second->axis.in = count;
    first->axis.out = second->loop[inner].in = count * n2;
    count *= n1 * n2;
    for (int i = 0; i < inner; i++)
        if (llabs(first->loop[i].in) >= llabs(axis_stride)) count = put_loop(first, second, i, count);
    return count;
}

/* Leaves points that are in work memory already at their positions. */
static void keep_place(line_job *first, line_job *second, const line_job *job)
{
    for (int i = 0; i < first->loops; i++) {
        first->loop[i].out = first->loop[i].in;
        if (i < first->counted_loop) second->loop[i].in = first->loop[i].in;
    }
    first->axis.out = first->axis.in;
    second->axis.in = job->axis.in;
    second->loop[first->counted_loop].in = first->axis.in;
}

/* Returns `n` elements of the axis, every `step`-th. */
static job_axis every(const job_axis *axis, int64_t n, int64_t step)
{
    return (job_axis){.n = n,
                      .in = step * axis->in,
                      .out = step * axis->out,
                      .number = step * axis->number,
                      .dim = axis->dim,
                      .step = step * axis->step};
}

/* Sets axes and loops of both parts: j = j1 n2 + j2, k = k1 + n1 k2. The second stride of each is set by
 * place_intermediate. */
static void divide_axis(line_job *first, line_job *second, const job_axis *axis, int64_t n1)
{
    const int64_t n2 = axis->n / n1;
    first->axis = every(axis, n1, n2);
    first->counted_loop = first->loops++;
    first->loop[first->counted_loop] = every(axis, n2, 1);
    second->axis = every(axis, n2, n1);
    second->loop[second->loops++] = every(axis, n1, 1);
}

/* Sets where the points are between the parts: where they are already, or in more work memory. */
static void place_intermediate(pass_program *p, line_job *first, line_job *second, const line_job *job)
{
    if (job->from == MEMORY_WORK && job->from_at == p->kept) {
        keep_place(first, second, job);
    } else {
        const int64_t work = p->kept + place_work(first, second, job->axis.in);
        if (work > p->work) p->work = work;
    }
    first->to = second->from = MEMORY_WORK;
    first->to_at = second->from_at = p->kept;
}

void divide_line(pass_program *p, const line_job *job, int64_t n1, line_parts *parts)
{
    line_job *const first = &parts->job[0], *const second = &parts->job[1];
    *parts = (line_parts){2, {*job, *job}};
    divide_axis(first, second, &job->axis, n1);
    place_intermediate(p, first, second, job);
    first->twiddle_points = job->axis.n;
    first->access[1] = second->access[0] = (pass_access){0};
    first->out_kind = OUT_COMPLEX;
    second->in_kind = IN_COMPLEX;
    first->scaled = false;
    first->streaming = second->streaming = 0;
    second->order = job->order ? 3 - job->order : 0;
    second->any_lines = true;
    job_share_shift(first, second, n1, job->axis.n / n1);
}
