/* SPDX-License-Identifier: BSD-3-Clause */
/* Plans lines along one axis: as one pass, or, if they are too long for a tile, in parts, each of which is
 * planned in the same way. */
#include "fft/gpu/schedule/lines.h"

#include <math.h>
#include "fft/gpu/schedule/persistent_passes.h"

/* Returns the threads of the pass that one_pass will make; 0: no pass. */
static int threads_of(const line_job *given, const block_limits *l)
{
    line_job job = *given;
    radix_list r;
    job_tidy(&job);
    if (job.axis.n > longest(&job, l) || !radices_choose(&r, (int)job.axis.n, l, 1)) return 0;
    return r.threads * lines_for(&job, (int)job.axis.n, &r, l,
                                 lines_are_along(&job, false) && lines_are_along(&job, true), 0);
}

/* Returns the operations a point for the second part of longer lines, by radices or by a convolution in
 * one tile; HUGE_VAL if neither fits. Tiles with less than a memory segment of neighbours cost more. */
static double cost_of_second(int64_t n, const block_limits *l)
{
    radix_list r;
    line_convolution f = {.convolution = (int)n};
    int most = limits_max_convolution(l);
    double times = 1;
    if (l->tuning.max_convolution && l->tuning.max_convolution < most) most = l->tuning.max_convolution;
    if (n > most) return HUGE_VAL;
    if (!has_radices(n)) {
        if (!convolution_choose(&f, &r, n, most, l)) return HUGE_VAL;
        times = 2.0 * f.convolution / (double)n;
    } else if (!radices_choose(&r, (int)n, l, 1)) {
        return HUGE_VAL;
    }
    const int64_t neighbours = limits_max_points(l) / f.convolution;
    const double narrow = neighbours >= lines_in_segment(l)       ? 1
                          : neighbours >= lines_in_segment(l) / 2 ? 1.5
                                                                  : 3;
    return narrow * times * r.cost;
}

static double cost_of_parts(int64_t n1, int64_t n2, const block_limits *l)
{
    radix_list first;
    if (!has_radices(n1) || !radices_choose(&first, (int)n1, l, 1)) return HUGE_VAL;
    return first.cost + cost_of_second(n2, l);
}

/* Returns the first part of a line whose length has large prime factors, so that only the second part is
 * convolved; 0: none. Two such passes cost less than a convolution of the whole line in a cluster. */
static int64_t part_with_radices(const line_job *job, const block_limits *l)
{
    const int64_t n = job->axis.n, most = longest_part(n, l);
    const bool access = job->access[0].on || job->access[1].on || job->access[2].on;
    int64_t best = 0;
    double least = HUGE_VAL;
    /* a convolved line has the same shift in input and output, which parts of centred lines do not */
    if (has_radices(n) || access || job->shift_in || job->shift_out || job->twiddle_points ||
        job->chirp.part || job->counted_loop >= 0 || job->loops >= JOB_AXES)
        return 0;
    for (int64_t n1 = 2; n1 <= most && n1 <= n / 2; n1++) {
        const double cost = n % n1 ? HUGE_VAL : cost_of_parts(n1, n / n1, l);
        if (cost >= least) continue;
        least = cost;
        best = n1;
    }
    return best;
}

/* Chooses radices with pairs of butterflies if a half spectrum needs its mirror images, unless that makes
 * too many stages. */
static bool choose(radix_list *r, const line_job *job, const block_limits *l)
{
    const double more = 80; /* operations a point of an exchange through shared memory */
    radix_list paired;
    const bool any = radices_choose(r, (int)job->axis.n, l, 1),
               pairs = lines_are_packed(job) &&
                       radices_choose_paired(&paired, (int)job->axis.n, l,
                                             job->in_kind == IN_HALF_PACKED ? PAIRED_FIRST : PAIRED_LAST);
    const bool needed = job->folded || lines_are_round_trip(job);
    if (pairs && (!any || needed || paired.cost <= r->cost + more)) *r = paired;
    return needed ? pairs : any;
}

/* Appends the passes of all parts. */
static argand_status put_parts(pass_program *p, const line_parts *parts, const block_limits *l)
{
    for (int i = 0; i < parts->count; i++) TRY(program_lines(p, &parts->job[i], l));
    return ARGAND_OK;
}

/* Appends two passes over chunks of neighbouring lines, whose elements stay in the cache between them. */
static argand_status put_persistent(pass_program *p, const line_job *job, int64_t n1, const chunk_choice *w,
                                    const block_limits *l)
{
    const int64_t kept = p->kept;
    block_limits same = *l;
    line_job chunk = *job;
    line_parts parts;
    chunk.loop[0].n = w->chunk;
    chunk.loops = 1;
    p->kept = w->base; /* the input of the two passes may be there */
    divide_line(p, &chunk, n1, &parts);
    const int a = threads_of(&parts.job[0], l), b = threads_of(&parts.job[1], l);
    CHECK(a && b, ARGAND_UNSUPPORTED, "argand_fft_create: parts of %lld points", (long long)job->axis.n);
    same.tuning.threads = a > b ? a : b;
    same.tuning.persistent_blocks = same.tuning.bulk_copy = 0;
    const argand_status status = put_parts(p, &parts, &same);
    p->kept = kept;
    return status == ARGAND_OK ? persistent_finish(p, w, l) : status;
}

static argand_status two_passes(pass_program *p, const line_job *job, const block_limits *l)
{
    const int64_t n1 = first_factor(job, job->axis.n, l);
    line_parts parts;
    chunk_choice w;
    CHECK(n1, ARGAND_UNSUPPORTED,
          "argand_fft_create: length %lld has no factors that Argand's kernels support",
          (long long)job->axis.n);
    CHECK(!lines_are_packed(job) && job->loops < JOB_AXES && job->counted_loop < 0, ARGAND_UNSUPPORTED,
          "argand_fft_create: length %lld is too long for one pass", (long long)job->axis.n);
    if (job->axis.n <= longest_part(job->axis.n, l) * longest_part(job->axis.n, l) &&
        persistent_tail(&w, p, job, l))
        return put_persistent(p, job, n1, &w, l);
    divide_line(p, job, n1, &parts);
    return put_parts(p, &parts, l);
}

/* Returns true if a tile holds the convolution of a line without radices, and chooses it. */
static bool choose_convolution(line_convolution *f, radix_list *r, const line_job *job, int64_t most,
                               const block_limits *l)
{
    int convolved = most < limits_max_points(l) ? (int)most : limits_max_convolution(l);
    if (l->tuning.max_convolution && l->tuning.max_convolution < convolved)
        convolved = l->tuning.max_convolution;
    if (job->axis.n > most || has_radices(job->axis.n) ||
        !convolution_choose(f, r, job->axis.n, convolved, l))
        return false;
    f->origin = job->shift_in; /* convolved lines are whole: input and output have the same shift */
    return true;
}

/* Appends the passes of a line that no tile holds. */
static argand_status long_lines(pass_program *p, const line_job *job, const block_limits *l)
{
    const int64_t n1 = part_with_radices(job, l);
    line_parts parts;
    cluster_split h;
    bool rader;
    if (n1) {
        divide_line(p, job, n1, &parts);
        parts.job[1].narrow = true;
        return put_parts(p, &parts, l);
    }
    if (cluster_line(&h, job, l)) return program_cluster_line(p, job, &h, l);
    if (cluster_convolution(&h, &rader, job, l)) return program_cluster_convolution(p, job, &h, rader, l);
    if (has_radices(job->axis.n)) return two_passes(p, job, l);
    TRY(divide_convolution(p, job, l, &parts));
    return put_parts(p, &parts, l);
}

argand_status program_lines(pass_program *p, const line_job *given, const block_limits *l)
{
    line_job job = *given;
    radix_list r;
    line_convolution f = {0};
    line_parts parts;
    job_tidy(&job);
    const block_limits own = round_trip_limits(&job, l);
    const int64_t most = longest(&job, &own);
    if (job.axis.n <= most && choose(&r, &job, &own)) return lines_one_pass(p, &job, &r, &f, &own);
    if (lines_are_packed(&job) || job.access[2].on) {
        TRY(lines_are_packed(&job) ? divide_packed(p, &job, l, &parts)
                                   : divide_round_trip(p, &job, l, &parts));
        return put_parts(p, &parts, l);
    }
    if (choose_convolution(&f, &r, &job, most, l)) return lines_one_pass(p, &job, &r, &f, l);
    return long_lines(p, &job, l);
}
