/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides which lines fit in a tile. */
#include "fft/gpu/schedule/lines.h"

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
