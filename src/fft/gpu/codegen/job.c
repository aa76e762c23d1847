/* SPDX-License-Identifier: BSD-3-Clause */
/* Sorts and merges the loops of a job, and divides circular shifts between the parts of a line. */
#include "fft/gpu/codegen/job.h"

#include <stdlib.h>

static void drop_loop(line_job *job, int at)
{
    job->loops--;
    for (int i = at; i < job->loops; i++) job->loop[i] = job->loop[i + 1];
    if (job->counted_loop > at) job->counted_loop--;
}

static bool follows(const job_axis *a, const job_axis *b)
{
    return b->in == a->n * a->in && b->out == a->n * a->out && b->number == a->n * a->number;
}

/* Returns true if loops i and j may become one. Coordinates that accessors see stay separate. */
static bool joins(const line_job *job, int i, int j)
{
    const bool seen = job->access[0].on || job->access[1].on || job->access[2].on;
    return i != j && i != job->counted_loop && j != job->counted_loop &&
           !(seen && (job->loop[i].dim || job->loop[j].dim)) && follows(&job->loop[i], &job->loop[j]);
}

static bool join_two(line_job *job)
{
    for (int i = 0; i < job->loops; i++)
        for (int j = 0; j < job->loops; j++)
            if (joins(job, i, j)) {
                job->loop[i].n *= job->loop[j].n;
                drop_loop(job, j);
                return true;
            }
    return false;
}

static int64_t distance(const job_axis *s)
{
    return llabs(s->in) + llabs(s->out);
}

static void swap_loops(line_job *job, int a, int b)
{
    const job_axis kept = job->loop[a];
    job->loop[a] = job->loop[b];
    job->loop[b] = kept;
    if (job->counted_loop == a)
        job->counted_loop = b;
    else if (job->counted_loop == b)
        job->counted_loop = a;
}

/* Returns the smallest strides in input and output of a tile whose lines run over loop i: along the axis
 * or from line to line. */
static int64_t reach(const line_job *job, int i)
{
    const job_axis *a = &job->axis, *b = &job->loop[i];
    const int64_t in = llabs(a->in) < llabs(b->in) ? llabs(a->in) : llabs(b->in),
                  out = llabs(a->out) < llabs(b->out) ? llabs(a->out) : llabs(b->out);
    return in + out;
}

/* Returns true for rows of many convolutions whose spectrum is as long as the rows. The same row of all
 * convolutions then comes before the next row, so that the spectrum is read once. */
static bool shares_spectrum(const line_job *job)
{
    enum { LONG = 1 << 19 };
    return job->chirp.part == CHIRP_MIDDLE && !job->chirp.split.blocks && job->chirp.convolution >= LONG &&
           job->loops == 2 && job->counted_loop == 0;
}

void job_tidy(line_job *job)
{
    for (int i = job->loops; i-- > 0;)
        if (job->loop[i].n == 1 && i != job->counted_loop) drop_loop(job, i);
    while (join_two(job)) continue;
    if (!job->loops) job->loop[job->loops++] = (job_axis){.n = 1};
    for (int i = 0; i < job->loops; i++)
        for (int j = i + 1; j < job->loops; j++)
            if (distance(&job->loop[j]) < distance(&job->loop[i])) swap_loops(job, i, j);
    for (int i = 1; i < job->loops; i++)
        if (reach(job, i) < reach(job, 0)) swap_loops(job, 0, i);
    const bool first = job->folded || job->access[2].image.rank || job->plane == PAIRS_OF_ODD_PLANES;
    if (first && job->counted_loop > 0) swap_loops(job, 0, job->counted_loop);
    if (job->counted_loop > 1) swap_loops(job, 1, job->counted_loop);
    if (shares_spectrum(job)) swap_loops(job, 0, 1);
}

/* Divides the shifts of a line in two parts: (j - a) (k - b), with j = j1 n2 + j2, k = k1 + n1 k2 and
 * likewise a and b, is n2 (j1 - a1) (k1 - b1) + (j2 - a2) (k1 - b1) + n1 (j2 - a2) (k2 - b2) modulo n.
 * Both parts are shifted, and the twiddle factors between them count elements from a2 and b1. */
void job_share_shift(line_job *first, line_job *second, int64_t n1, int64_t n2)
{
    const int in = first->shift_in, out = second->shift_out;
    first->shift_in = (int)(in / n2);
    second->shift_in = first->twiddle_from = (int)(in % n2);
    first->shift_out = (int)(out % n1);
    second->shift_out = (int)(out / n1);
}

void job_put_lines(line_job *job, job_axis lines)
{
    if (job->loops == 1 && job->loop[0].n == 1) job->loops = 0;
    for (int i = job->loops++; i > 0; i--) job->loop[i] = job->loop[i - 1];
    job->loop[0] = lines;
    job->counted_loop = 0;
}
