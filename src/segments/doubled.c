/* SPDX-License-Identifier: BSD-3-Clause */
/* Designs segments for Toeplitz kernels with a field map, whose exponential has twice the range (Fessler
 * et al., IEEE Trans. Signal Process. 53:3393, 2005). */
#include "segments/doubled.h"

#include "segments/design.h"
#include "segments/table.h"

/* conj(z_n) + z_m for all pairs of points of the histogram, treated as pixels. */
typedef struct pairs {
    double *w, *decay, *weight;
    problem problem; /* problem of the pairs; its times are borrowed */
} pairs;

static void pairs_release(pairs *p)
{
    histogram_release(&p->problem.over_space);
    histogram_release(&p->problem.over_time);
    memory_free(p->w);
    memory_free(p->decay);
    memory_free(p->weight);
}

static argand_status list_pairs(pairs *q, const histogram *h)
{
    const size_t count = (size_t)h->count * (size_t)h->count;
    TRY(NEW(q->w, count));
    TRY(NEW(q->decay, count));
    TRY(NEW(q->weight, count));
    for (int n = 0; n < h->count; n++)
        for (int m = 0; m < h->count; m++) {
            const size_t at = (size_t)n * (size_t)h->count + (size_t)m;
            const double complex z = conj(h->at[n]) + h->at[m];
            q->w[at] = cimag(z);
            q->decay[at] = creal(z);
            q->weight[at] = h->weight[n] * h->weight[m];
        }
    return ARGAND_OK;
}

static argand_status pairs_make(pairs *q, problem *p)
{
    const double reach = p->space.high - p->space.low;
    *q = (pairs){0};
    TRY(problem_histograms(p, 1, 1));
    TRY(list_pairs(q, &p->over_space));
    q->problem = (problem){.options = p->options,
                           .inside = (int64_t)p->over_space.count * p->over_space.count,
                           .instants = p->instants,
                           .instant = p->instant,
                           .often = p->often,
                           .time = p->time,
                           .turns = 2 * p->turns,
                           .decays = 2 * p->decays,
                           .mean = 2 * creal(p->mean),
                           .mean_time = p->mean_time,
                           .ridge = p->ridge};
    q->problem.space = (values){.count = q->problem.inside,
                                .value = q->w,
                                .decay = p->decay ? q->decay : NULL,
                                .weight = q->weight,
                                .low = -reach,
                                .high = reach,
                                .decay_low = 2 * p->space.decay_low,
                                .decay_high = 2 * p->space.decay_high};
    return problem_histograms(&q->problem, 1, 1);
}

static argand_status search(design *d, problem *q, double tolerance)
{
    svd spectrum;
    TRY(design_spectrum(&spectrum, q));
    int terms = spectrum_terms(&spectrum, tolerance);
    svd_release(&spectrum);
    for (; terms <= SEGMENTS_MOST_TERMS; terms++) {
        TRY(design_make(d, q, NULL, ARGAND_INTERPOLATE_MINMAX, false, terms));
        if (d->error <= tolerance) return ARGAND_OK;
        design_release(d);
    }
    return status_set(
        ARGAND_UNSUPPORTED,
        "segments: pairs of pixels turn by %.0f cycles within the readout, which needs more than %d "
        "terms for an error of %g; do without Toeplitz embedding",
        q->turns, SEGMENTS_MOST_TERMS, tolerance);
}

static argand_status choose(design *d, problem *q)
{
    const argand_segments_options *o = &q->options;
    const values *z = &q->space;
    CHECK(q->turns <= 2 * SEGMENTS_MOST_TERMS, ARGAND_UNSUPPORTED,
          "segments: the field map turns by %.0f cycles within the readout; do without Toeplitz embedding",
          q->turns / 2);
    if (q->instants == 1 || (z->low == z->high && z->decay_low == z->decay_high))
        return design_make(d, q, NULL, ARGAND_INTERPOLATE_LINEAR, false, 1);
    if (o->count) return design_make(d, q, NULL, ARGAND_INTERPOLATE_MINMAX, false, o->count + 1);
    return search(d, q, o->tolerance > 0 ? o->tolerance : 1e-3);
}

static argand_status fill(segments_doubled *out, argand_device *device, const problem *p, const design *d)
{
    out->terms = d->terms;
    out->error = d->error;
    TRY(NEW(out->tau, d->terms));
    for (int l = 0; l < d->terms; l++) out->tau[l] = creal(d->space.node[l]);
    TRY(table_of_time(&out->time, device, p, &d->time, true));
    return table_of_space(&out->space, device, p, &d->space);
}

argand_status segments_doubled_make(segments_doubled *d, argand_device *device,
                                    const argand_segments_options *options)
{
    problem p;
    pairs q;
    design best;
    *d = (segments_doubled){0};
    TRY(problem_read(&p, options));
    argand_status status = pairs_make(&q, &p);
    if (status == ARGAND_OK) status = choose(&best, &q.problem);
    if (status == ARGAND_OK) {
        status = fill(d, device, &p, &best);
        design_release(&best);
    }
    if (status != ARGAND_OK) segments_doubled_release(d);
    pairs_release(&q);
    problem_release(&p);
    return status;
}

void segments_doubled_release(segments_doubled *d)
{
    memory_free(d->tau);
    argand_array_destroy(d->time);
    argand_array_destroy(d->space);
    *d = (segments_doubled){0};
}
