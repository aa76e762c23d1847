/* SPDX-License-Identifier: BSD-3-Clause */
/* Real lines of 2 m points that are too long for a tile, as complex lines of m pairs in two passes. A step
 * on points k and m - k (fft/tile/real.krn) leads from these to the half spectrum. The pass at that end
 * has lines together with their mirror images and does the step in registers. */
#include "fft/gpu/schedule/lines.h"

#include <math.h>

/* Returns the operations a point of adjacent lines of n, half of which are mirror images at the folded
 * end; HUGE_VAL if they do not fit. */
static double cost_of(int64_t n, bool folded, paired_end end, const block_limits *l)
{
    radix_list r;
    const int64_t neighbours = 64 / l->element_bytes;
    if (n > limits_max_points(l) / neighbours) return HUGE_VAL;
    const bool any = folded ? radices_choose_paired(&r, (int)n, l, end) : radices_choose(&r, (int)n, l, 1);
    return any ? r.cost : HUGE_VAL;
}

/* Returns the first of two even parts, 0: none. The folded part should be half as long as the other,
 * because its tiles have lines twice. */
static int64_t factor_for(const line_job *job, const block_limits *l)
{
    const bool forward = job->out_kind == OUT_HALF_PACKED;
    const int64_t m = job->axis.n;
    int64_t best = 0;
    double least = HUGE_VAL;
    for (int64_t n1 = 2; n1 <= m / 2 && n1 <= limits_max_points(l); n1 += 2) {
        const int64_t n2 = m / n1, folded = forward ? n2 : n1, other = m / folded;
        if (m % n1 || n2 % 2) continue;
        const double cost = cost_of(folded, true, forward ? PAIRED_LAST : PAIRED_FIRST, l) +
                            cost_of(other, false, PAIRED_LAST, l) +
                            30 * fabs(log2(2.0 * (double)folded / (double)other));
        if (cost >= least) continue;
        least = cost;
        best = n1;
    }
    return best;
}

bool long_real_fits(const line_job *job, const block_limits *l)
{
    return factor_for(job, l) > 0 && job->loops < JOB_AXES;
}

argand_status divide_packed(pass_program *p, const line_job *job, const block_limits *l, line_parts *parts)
{
    const bool forward = job->out_kind == OUT_HALF_PACKED;
    const int64_t n1 = factor_for(job, l);
    CHECK(n1, ARGAND_UNSUPPORTED, "argand_fft_create: %lld pairs of reals have no two even parts",
          (long long)job->axis.n);
    divide_line(p, job, n1, parts);
    line_job *const second = &parts->job[1];
    parts->job[0].folded = !forward;
    second->folded = forward;
    if (forward) second->counted_loop = second->loops - 1;
    return ARGAND_OK;
}
