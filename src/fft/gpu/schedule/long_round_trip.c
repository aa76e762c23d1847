/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines that are too long for a tile, forward, through a chain at the spectrum, and inverse, in three
 * passes (divide.c has the parts). The first pass sums over j1 and multiplies by twiddle factors. The
 * second one sums over j2 for each k1, which gives X[k1 + n1 k2] for all k2, and applies the chain. It
 * then sums over k2, and multiplies by the conjugate twiddle factors. The third one sums over k1. With
 * X[-k], tiles have lines k1 and n1 - k1. */
#include "fft/gpu/schedule/lines.h"

/* Returns the first of two parts of the line; 0: it cannot be divided. */
static int64_t part_of(const line_job *given, bool images, const block_limits *l)
{
    line_job job = *given, middle = *given;
    radix_list r;
    job_tidy(&job);
    middle.twiddle_points = job.axis.n;
    middle.access[2].on = true;
    const block_limits own = round_trip_limits(&middle, l);
    const int64_t n = job.axis.n,
                  n1 = has_radices(n) && job.counted_loop < 0 ? first_factor(&job, n, &own) : 0;
    return n1 && job.loops < JOB_AXES && (images ? 2 : 1) * (n / n1) <= limits_max_points(&own) &&
                   n / n1 <= longest_part(n, &own) && radices_choose(&r, (int)(n / n1), &own, 1) &&
                   2 * r.threads <= l->threads
               ? n1
               : 0;
}

/* Returns true if the last pass may work in place: results of one j2 (modulo n2) keep this j2 although a
 * window moves them. */
static bool stays(const line_job *job, int64_t n2)
{
    const pass_access *a = &job->access[1];
    for (int i = 0; i < a->windows; i++)
        if (a->window[i].dim + 1 == job->axis.dim && a->window[i].first % n2) return false;
    return true;
}

bool round_trip_fits(const line_job *job, bool images, const block_limits *l)
{
    const int64_t n1 = part_of(job, images, l);
    cluster_split h;
    line_job tidy = *job;
    job_tidy(&tidy);
    if (!n1) return false;
    return images ? stays(job, job->axis.n / n1) : !cluster_line(&h, &tidy, l);
}

/* Sets where the middle pass stores. It works in place in work memory. With images, which other tiles load
 * as well, it stores where the last pass stores its results. */
static void place_middle(line_job *middle, const line_job *job, int64_t n2)
{
    job_axis *line = &middle->loop[middle->loops - 1];
    if (job->access[2].image.rank) {
        middle->axis.out = job->axis.out;
        line->out = n2 * job->axis.out;
        return;
    }
    middle->axis.out = middle->axis.in;
    for (int i = 0; i < middle->loops; i++) middle->loop[i].out = middle->loop[i].in;
    middle->to = middle->from;
    middle->to_at = middle->from_at;
}

/* Returns the job of the last pass, from k1 to j1 for each j2. */
static line_job last_of(const line_job *middle, const line_job *job, int64_t n1)
{
    const job_axis *line = &middle->loop[middle->loops - 1];
    const int64_t n2 = job->axis.n / n1;
    line_job last = *job;
    last.axis.n = n1;
    last.axis.in = line->out;
    last.axis.out = n2 * job->axis.out;
    last.axis.step = n2 * job->axis.step;
    for (int i = 0; i < job->loops; i++) last.loop[i].in = middle->loop[i].out;
    last.loop[last.loops++] = (job_axis){
        .n = n2, .in = middle->axis.out, .out = job->axis.out, .dim = job->axis.dim, .step = job->axis.step};
    last.from = middle->to;
    last.from_at = middle->to_at;
    last.access[0] = last.access[2] = (pass_access){0};
    last.streaming = 0;
    last.any_lines = last.from != last.to;
    return last;
}

argand_status divide_round_trip(pass_program *p, const line_job *job, const block_limits *l,
                                line_parts *parts)
{
    const int64_t n1 = part_of(job, job->access[2].image.rank > 0, l);
    line_job *const first = &parts->job[0], *const middle = &parts->job[1], *const last = &parts->job[2];
    CHECK(n1 && (!job->access[2].image.rank || stays(job, job->axis.n / n1)), ARGAND_UNSUPPORTED,
          "argand_fft_create: a line of %lld points there and back has no parts for three passes",
          (long long)job->axis.n);
    divide_line(p, job, n1, parts);
    place_middle(middle, job, job->axis.n / n1);
    *last = last_of(middle, job, n1);
    first->access[2] = middle->access[1] = (pass_access){0};
    middle->counted_loop = middle->loops - 1;
    middle->twiddle_points = job->axis.n;
    middle->scaled = middle->any_lines = false;
    last->back = true;
    parts->count = 3;
    return ARGAND_OK;
}
