/* SPDX-License-Identifier: BSD-3-Clause */
/* Real lines of any length: pairs of reals are complex elements if half the length has radices. */
#include "fft/gpu/schedule/lines.h"

/* Returns the job of a line of reals. packed: pairs of reals are complex elements, half as many. */
static line_job real_job(const line_job *line, bool forward, bool packed, bool adjacent)
{
    line_job job = *line;
    /* later functions read the first loop */
    if (!job.loops) job.loop[job.loops++] = (job_axis){.n = 1};
    job.real_points = (int)line->axis.n;
    job.in_kind = forward ? (packed ? IN_PAIRS : IN_REAL) : packed ? IN_HALF_PACKED : IN_HALF;
    job.out_kind = forward ? (packed ? OUT_HALF_PACKED : OUT_HALF) : packed ? OUT_PAIRS : OUT_REAL;
    job.axis.n = job.real_points / (packed ? 2 : 1);
    job.axis.number = packed ? 0 : 1;
    job.in_pair = job.axis.in;
    job.out_pair = job.axis.out;
    job.adjacent = packed && adjacent;
    if (packed) *(forward ? &job.axis.in : &job.axis.out) *= 2;
    return job;
}

/* Uses pairs if half the length has radices; otherwise pairs are no gain. */
argand_status program_real(pass_program *p, const line_job *line, bool forward, bool adjacent,
                           const block_limits *l)
{
    const int64_t n = line->axis.n;
    CHECK(n < INT32_MAX, ARGAND_UNSUPPORTED, "argand_fft_create: %lld reals in a line", (long long)n);
    line_job job = real_job(line, forward, true, adjacent);
    radix_list r;
    const bool packed =
        n % 2 == 0 && has_radices(n / 2) &&
        ((n / 2 <= longest(&job, l) && radices_choose(&r, (int)(n / 2), l, 1)) || long_real_fits(&job, l));
    if (!packed && real_fold_fits(line, adjacent, l)) return program_real_fold(p, line, forward, l);
    if (!packed) job = real_job(line, forward, false, adjacent);
    return program_lines(p, &job, l);
}

/* ---- round trips ---- */

static line_job middle_job(const line_job *line, bool adjacent)
{
    line_job job = *line;
    job.real_points = (int)line->axis.n;
    job.in_kind = IN_PAIRS;
    job.out_kind = OUT_PAIRS;
    job.axis.n /= 2;
    job.in_pair = line->axis.in;
    job.out_pair = line->axis.out;
    job.axis.in *= 2;
    job.axis.out *= 2;
    job.adjacent = adjacent;
    return job;
}

bool real_round_trip_fits(const line_job *line, const block_limits *l)
{
    radix_list r;
    line_job job = middle_job(line, false);
    if (line->axis.n % 2 || line->axis.n >= INT32_MAX) return false;
    job_tidy(&job);
    return job.axis.n <= longest(&job, l) && radices_choose_paired(&r, (int)job.axis.n, l, PAIRED_LAST);
}

argand_status program_real_round_trip(pass_program *p, const line_job *line, bool adjacent,
                                      const block_limits *l)
{
    const line_job job = middle_job(line, adjacent);
    return program_lines(p, &job, l);
}
