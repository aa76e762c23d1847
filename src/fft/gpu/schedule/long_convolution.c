/* SPDX-License-Identifier: BSD-3-Clause */
/* Bluestein's convolution (IEEE Trans. Audio Electroacoust. 18:451, 1970) of m = n1 n2 points that fit in
 * no tile, in three passes in place in work memory. The first pass transforms columns of n1 and applies
 * the chirp on load. The second one transforms rows of n2, which then hold the spectrum at k1 + n1 k2,
 * multiplies, and transforms back along k2 at once. The third one transforms columns back and applies the
 * chirp on store. No pass transposes. */
#include "fft/gpu/schedule/lines.h"

#include <math.h>
#include <stdlib.h>

/* Returns the operations a point of transforming both parts of m twice; HUGE_VAL if no parts fit. */
static double cost_of(const line_job *job, int64_t m, int64_t *n1, const block_limits *l)
{
    const double moved = 250; /* cost of moving a point from memory and back three times */
    radix_list first, second;
    *n1 = first_factor(job, m, l);
    if (!*n1 || m / *n1 > limits_max_points(l) || !radices_choose(&first, (int)*n1, l, 1) ||
        !radices_choose(&second, (int)(m / *n1), l, 1))
        return HUGE_VAL;
    return 2 * first.cost + 2 * second.cost + moved;
}

typedef struct search {
    const line_job *job;
    const block_limits *limits;
    int64_t least, most, best, part; /* lengths; the first part of the best length */
    double cost;
} search;

static void consider(search *s, int64_t m)
{
    int64_t part;
    const double cost = cost_of(s->job, m, &part, s->limits) * (double)m;
    if (cost > s->cost || (cost >= s->cost && m > s->best)) return;
    s->cost = cost;
    s->best = m;
    s->part = part;
}

/* Considers all products of m and primes up to 7, from prime number `first` on. */
static void multiples(search *s, int64_t m, int first)
{
    static const int primes[] = {2, 3, 5, 7};
    if (m >= s->least) consider(s, m);
    for (int i = first; i < 4; i++)
        if (m * primes[i] <= s->most) multiples(s, m * primes[i], i);
}

/* Returns the convolution length whose two parts cost least. Candidates are lengths up to a tenth above
 * the minimum with small factors; if none fits, the next length that has parts. */
static int64_t length_for(const line_job *job, int64_t *n1, const block_limits *l)
{
    const int64_t least = 2 * job->axis.n - 1, longest = (int64_t)1 << 25;
    search s = {.job = job, .limits = l, .least = least, .most = least + least / 10, .cost = HUGE_VAL};
    if (s.most > longest) s.most = longest;
    multiples(&s, 1, 0);
    for (int64_t m = s.most; s.cost >= HUGE_VAL && m < 3 * job->axis.n + 64 && m < longest; m++)
        if (has_radices(m)) consider(&s, m);
    *n1 = s.part;
    return s.cost < HUGE_VAL ? s.best : 0;
}

/* Returns a job on lines of work memory, with a loop over the other part and the caller's loops. */
static line_job part_of(const line_job *job, int64_t m, int64_t n, int64_t distance, int64_t others,
                        int64_t others_distance)
{
    line_job part = *job;
    part.axis = (job_axis){.n = n, .in = distance, .out = distance};
    part.loop[part.loops] = (job_axis){.n = others, .in = others_distance, .out = others_distance};
    part.counted_loop = part.loops++;
    part.from = part.to = MEMORY_WORK;
    part.shift_in = part.shift_out = 0;
    part.scaled = false;
    part.chirp.points = job->axis.n;
    part.chirp.convolution = m;
    part.chirp.origin = job->shift_in;
    return part;
}

/* Returns the job of the first or last pass, whose lines are every n2-th point of the caller's. */
static line_job columns_of(const line_job *job, int64_t m, int64_t n1, int64_t n2)
{
    line_job columns = part_of(job, m, n1, n2, n2, 1);
    job_axis *const others = &columns.loop[columns.counted_loop];
    columns.axis.number = n2 * job->axis.number;
    columns.axis.dim = others->dim = job->axis.dim;
    columns.axis.step = n2 * job->axis.step;
    others->number = job->axis.number;
    others->step = job->axis.step;
    columns.chirp.step = n2;
    return columns;
}

/* Sets where lines of m points are in work memory between the passes. */
static void place_work(pass_program *p, const line_job *job, int64_t m, line_parts *parts)
{
    line_job *const first = &parts->job[0], *const middle = &parts->job[1], *const last = &parts->job[2];
    int64_t distance = m;
    for (int i = 0; i < job->loops; i++) {
        first->loop[i].out = last->loop[i].in = middle->loop[i].in = middle->loop[i].out = distance;
        distance *= job->loop[i].n;
    }
    first->to_at = middle->from_at = middle->to_at = last->from_at = p->kept;
    if (p->kept + distance > p->work) p->work = p->kept + distance;
}

argand_status divide_convolution(pass_program *p, const line_job *job, const block_limits *l,
                                 line_parts *parts)
{
    int64_t n1 = 0;
    line_job straight = *job;
    straight.shift_in = straight.shift_out = 0;
    const int64_t m = length_for(&straight, &n1, l), n2 = m ? m / n1 : 0;
    CHECK(m && job->in_kind != IN_HALF_PACKED && job->out_kind != OUT_HALF_PACKED &&
              job->shift_in == job->shift_out && job->counted_loop < 0 && job->loops < JOB_AXES,
          ARGAND_UNSUPPORTED, "argand_fft_create: our kernels have no way for lines of %lld",
          (long long)job->axis.n);
    const line_job columns = columns_of(job, m, n1, n2), rows = part_of(job, m, n2, 1, n1, n2);
    *parts = (line_parts){3, {columns, rows, columns}};
    line_job *const first = &parts->job[0], *const middle = &parts->job[1], *const last = &parts->job[2];
    place_work(p, job, m, parts);
    first->chirp.part = CHIRP_IN;
    first->axis.in = n2 * job->axis.in;
    first->loop[first->counted_loop].in = job->axis.in;
    first->from = job->from;
    first->from_at = job->from_at;
    middle->chirp.part = CHIRP_MIDDLE;
    middle->chirp.step = n1;
    first->twiddle_points = middle->twiddle_points = m;
    last->chirp.part = CHIRP_OUT;
    last->axis.out = n2 * job->axis.out;
    last->loop[last->counted_loop].out = job->axis.out;
    last->to = job->to;
    last->to_at = job->to_at;
    last->scaled = job->scaled;
    first->out_kind = middle->out_kind = OUT_COMPLEX;
    middle->in_kind = last->in_kind = IN_COMPLEX;
    first->access[1] = middle->access[0] = middle->access[1] = last->access[0] = (pass_access){0};
    return ARGAND_OK;
}
