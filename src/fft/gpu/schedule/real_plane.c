/* SPDX-License-Identifier: BSD-3-Clause */
/* Planes of reals in one pass, as planes of pairs with half as many complex points, and rows of odd length
 * two by two. Pairs are neighbours along the first axis or, if its length is odd, along the second one. If
 * both are odd, the two elements of a pair belong to neighbouring planes of a volume. Without a third axis,
 * the plane is complex, with imaginary parts of zero.
 *
 * Pairs are never of different transforms, whose errors, infinities and NaNs must not mix. The step between
 * the spectrum of the pairs and the half spectra (kernels/fft/tile/half_plane.krn) needs both parts of all
 * points in shared memory. */
#include "fft/gpu/schedule/passes.h"

bool real_plane_choose(real_plane *plane, const job_axis *axes, int rank, const block_limits *l)
{
    radix_list r;
    const job_axis *a = &axes[0], *b = &axes[1];
    if (rank < 2 || l->tuning.separate_axes || a->n < 3 || b->n < 2 || a->in != 1 || a->out != 1)
        return false;
    *plane = (real_plane){PLANE_WITHOUT_PAIRS, 0, {a->n, b->n}};
    if (a->n % 2 == 0)
        *plane = (real_plane){PLANE_ALONG_ROWS, 0, {a->n / 2, b->n}};
    else if (b->n % 2 == 0 && b->n > 2)
        *plane = (real_plane){PLANE_ALONG_COLUMNS, 1, {a->n, b->n / 2}};
    else if (rank > 2 && axes[2].n > 1)
        *plane = (real_plane){axes[2].n % 2 ? PAIRS_OF_ODD_PLANES : PAIRS_OF_PLANES, 2, {a->n, b->n}};
    return plane->n[0] * plane->n[1] <= limits_real_plane_points(l) &&
           radices_choose(&r, (int)plane->n[0], l, 1) && radices_choose(&r, (int)plane->n[1], l, 1);
}

/* Makes pairs of neighbours along the axis. reals, spectra: its strides in the array of reals and in that
 * of half spectra; far: the distance of the two elements of half spectra that belong to a pair. */
static void pair_axis(line_job *job, job_axis *axis, bool forward)
{
    int64_t *const reals = forward ? &axis->in : &axis->out,
                   *const spectra = forward ? &axis->out : &axis->in,
                   *const pair = forward ? &job->in_pair : &job->out_pair,
                   *const far = forward ? &job->out_pair : &job->in_pair;
    const bool of_two = job->plane >= PAIRS_OF_ROWS;
    axis->n = (axis->n + 1) / 2;
    *pair = *reals;
    *reals *= 2;
    *far = of_two ? *spectra : axis->n * *spectra;
    if (of_two) *spectra *= 2;
}

/* Returns the job's loop with the strides of an axis. */
static job_axis *loop_of(line_job *job, const job_axis *axis)
{
    for (int i = 0; i < job->loops; i++)
        if (job->loop[i].n == axis->n && job->loop[i].in == axis->in && job->loop[i].out == axis->out)
            return &job->loop[i];
    return NULL;
}

/* Makes the job of a plane without pairs. */
static void set_single(line_job *job, bool forward)
{
    job->in_kind = forward ? IN_REAL : IN_HALF_PLANE;
    job->out_kind = forward ? OUT_HALF : OUT_REAL;
    job->plane = forward ? PLANE_NONE : PLANE_WITHOUT_PAIRS;
    job->axis.number = 1;
}

static void set_kinds(line_job *job, bool forward)
{
    job->in_kind = forward ? IN_PAIRS : IN_HALF_PLANE;
    job->out_kind = forward ? OUT_HALF_PLANE : OUT_PAIRS;
}

argand_status program_real_plane(pass_program *p, const line_job *given, const job_axis *axes,
                                 const real_plane *plane, bool forward, bool adjacent, const block_limits *l)
{
    line_job job = *given;
    job_axis second = axes[1];
    job.plane = plane->pairs;
    job_axis *const paired = plane->axis == 0   ? &job.axis
                             : plane->axis == 1 ? &second
                                                : loop_of(&job, &axes[2]);
    CHECK(paired, ARGAND_INTERNAL, "a plane of reals without its third axis");
    job.real_points = (int)paired->n;
    if (plane->pairs == PLANE_WITHOUT_PAIRS) {
        set_single(&job, forward);
        return program_plane(p, &job, &second, 0, l);
    }
    set_kinds(&job, forward);
    pair_axis(&job, paired, forward);
    if (job.plane == PAIRS_OF_ODD_PLANES) job.counted_loop = (int)(paired - job.loop);
    job.adjacent = adjacent && job.plane == PLANE_ALONG_ROWS;
    return program_plane(p, &job, &second, 0, l);
}

/* ---- rows of odd length ---- */

/* Returns the first axis of even length behind the rows; 0: none. */
static int even_axis(const job_axis *axes, int rank)
{
    for (int axis = 1; axis < rank; axis++)
        if (axes[axis].n % 2 == 0) return axis;
    return 0;
}

bool real_rows_fit(const job_axis *axes, int rank, const block_limits *l)
{
    radix_list r;
    const int64_t n = axes[0].n;
    return n % 2 && n > 2 && axes[0].in == 1 && axes[0].out == 1 && even_axis(axes, rank) &&
           n <= limits_real_plane_points(l) && has_radices(n) && radices_choose(&r, (int)n, l, 1);
}

argand_status program_real_rows(pass_program *p, const line_job *given, const job_axis *axes, int rank,
                                bool forward, const block_limits *l)
{
    line_job job = *given;
    job_axis *const paired = loop_of(&job, &axes[even_axis(axes, rank)]);
    CHECK(paired, ARGAND_INTERNAL, "rows of reals without a second axis");
    job.plane = PAIRS_OF_ROWS;
    job.real_points = (int)job.axis.n;
    set_kinds(&job, forward);
    pair_axis(&job, paired, forward);
    return program_lines(p, &job, l);
}
