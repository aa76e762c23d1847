/* SPDX-License-Identifier: BSD-3-Clause */
/* Plans lines along one axis: as one pass, or, if they are too long for a tile, as two or more. */
#include "fft/gpu/schedule/lines.h"

#include <math.h>
#include "fft/gpu/schedule/persistent_passes.h"

int64_t longest(const line_job *job, const block_limits *l)
{
    const int most = limits_max_points(l);
    const int bytes = l->tuning.column_bytes > SEGMENT_LEAST ? l->tuning.column_bytes : SEGMENT_LEAST;
    const int64_t wanted = bytes / l->element_bytes * (lines_are_folded(job) ? 2 : 1);
    if (job->narrow || (lines_are_along(job, false) && lines_are_along(job, true))) return most;
    return most / (job->loop[0].n < wanted ? job->loop[0].n : wanted);
}

/* Limits the points of threads that also hold X[-k], or that go forward and inverse: with 32 points,
 * registers spill (128 registers a thread at 2^20 points, 176 and 944 bytes of stack). */
block_limits round_trip_limits(const line_job *job, const block_limits *l)
{
    enum { HELD = 16 };
    block_limits own = *l;
    const bool more = job->access[2].image.rank || (job->access[2].on && job->twiddle_points);
    if (!more) columns_fit(&own, job);
    if (!more) return own;
    own.tuning.radices = 0;
    if (own.tuning.points_per_thread > HELD) own.tuning.points_per_thread = HELD;
    return own;
}

bool images_fit(const line_job *given, int rank, const block_limits *l)
{
    line_job job = *given;
    radix_list r;
    job.access[2].image.rank = rank;
    job_tidy(&job);
    const block_limits own = round_trip_limits(&job, l);
    if (!job.loop[0].dim || job.loop[0].dim > rank || job.axis.n > longest(&job, &own) ||
        !radices_choose(&r, (int)job.axis.n, &own, 1))
        return false;
    return job.loop[0].n > 1 && 2 * r.threads <= l->threads && 2 * job.axis.n <= limits_max_points(&own);
}

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

/* Appends two passes over chunks of neighbouring lines, whose elements stay in the cache between them. */
static argand_status divide_persistent(pass_program *p, const line_job *job, int64_t n1,
                                       const chunk_choice *w, const block_limits *l)
{
    const int64_t kept = p->kept;
    block_limits same = *l;
    line_job part = *job, first, second;
    part.loop[0].n = w->chunk;
    part.loops = 1;
    p->kept = w->base; /* the input of the two passes may be there */
    divide_line(p, &part, n1, &first, &second);
    const int a = threads_of(&first, l), b = threads_of(&second, l);
    CHECK(a && b, ARGAND_UNSUPPORTED, "argand_fft_create: parts of %lld points", (long long)job->axis.n);
    same.tuning.threads = a > b ? a : b;
    same.tuning.persistent_blocks = same.tuning.bulk_copy = 0;
    argand_status status = program_lines(p, &first, &same);
    if (status == ARGAND_OK) status = program_lines(p, &second, &same);
    p->kept = kept;
    return status == ARGAND_OK ? persistent_finish(p, w, l) : status;
}

static argand_status two_passes(pass_program *p, const line_job *job, const block_limits *l)
{
    const int64_t n1 = first_factor(job, job->axis.n, l);
    line_job first, second;
    chunk_choice w;
    CHECK(n1, ARGAND_UNSUPPORTED,
          "argand_fft_create: length %lld has no factors that Argand's kernels support",
          (long long)job->axis.n);
    CHECK(!lines_are_packed(job) && job->loops < JOB_AXES && job->counted_loop < 0, ARGAND_UNSUPPORTED,
          "argand_fft_create: length %lld is too long for one pass", (long long)job->axis.n);
    if (job->axis.n <= longest_part(job->axis.n, l) * longest_part(job->axis.n, l) &&
        persistent_tail(&w, p, job, l))
        return divide_persistent(p, job, n1, &w, l);
    divide_line(p, job, n1, &first, &second);
    TRY(program_lines(p, &first, l));
    return program_lines(p, &second, l);
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

static argand_status parts_with_convolution(pass_program *p, const line_job *job, int64_t n1,
                                            const block_limits *l)
{
    line_job first, second;
    divide_line(p, job, n1, &first, &second);
    second.narrow = true;
    TRY(program_lines(p, &first, l));
    return program_lines(p, &second, l);
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

argand_status program_lines(pass_program *p, const line_job *given, const block_limits *l)
{
    line_job job = *given;
    radix_list r;
    job_tidy(&job);
    line_convolution f = {0};
    const block_limits own = round_trip_limits(&job, l);
    const int64_t most = longest(&job, &own);
    if (job.axis.n <= most && choose(&r, &job, &own)) return lines_one_pass(p, &job, &r, &f, &own);
    if (lines_are_packed(&job)) return program_long_real(p, &job, l);
    if (job.access[2].on) return program_round_trip(p, &job, l);
    int most_convolved = most < limits_max_points(l) ? (int)most : limits_max_convolution(l);
    if (l->tuning.max_convolution && l->tuning.max_convolution < most_convolved)
        most_convolved = l->tuning.max_convolution;
    if (job.axis.n <= most && !has_radices(job.axis.n) &&
        convolution_choose(&f, &r, job.axis.n, most_convolved, l)) {
        /* convolved lines are whole, so that input and output have the same shift */
        f.origin = job.shift_in;
        return lines_one_pass(p, &job, &r, &f, l);
    }
    const int64_t n1 = part_with_radices(&job, l);
    if (n1) return parts_with_convolution(p, &job, n1, l);
    cluster_split h;
    bool rader;
    if (cluster_line(&h, &job, l)) return program_cluster_line(p, &job, &h, l);
    if (cluster_convolution(&h, &rader, &job, l)) return program_cluster_convolution(p, &job, &h, rader, l);
    return has_radices(job.axis.n) ? two_passes(p, &job, l) : program_long_convolution(p, &job, l);
}
