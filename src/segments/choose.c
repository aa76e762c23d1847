/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses the interpolator and the number of terms. */
#include "segments/segments.h"

#include <float.h>
#include "base/observe.h"

const char *argand_interpolator_name(argand_interpolator interpolator)
{
    static const char *const names[] = {"auto", "linear", "Hann", "min-max", "SVD"};
    return (int)interpolator >= 0 && interpolator <= ARGAND_INTERPOLATE_SVD ? names[interpolator] : "unknown";
}

/* State of a search. */
typedef struct search {
    problem *p;
    svd spectrum;
    double tolerance;
    bool found;
} search;

/* Makes a design and keeps it if its estimated error is within the tolerance. */
static argand_status attempt(search *s, design *d, argand_interpolator kind, int terms)
{
    TRY(observe("choosing segments of the field map", -1));
    TRY(design_make(d, s->p, &s->spectrum, kind, s->p->options.frequency, terms));
    s->found = d->error <= s->tolerance;
    if (!s->found) design_release(d);
    return ARGAND_OK;
}

/* Measures the error over all pixels and samples, and keeps the design only if the error is within the
 * tolerance. */
static argand_status confirm(search *s, design *d)
{
    if (!s->found) return ARGAND_OK;
    const argand_status status = design_measure(d, s->p);
    s->found = status == ARGAND_OK && d->error <= s->tolerance;
    if (!s->found) design_release(d);
    return status;
}

/* Tries `first` to `last` terms until a design is within the tolerance. */
static argand_status climb(search *s, design *d, argand_interpolator kind, int first, int last)
{
    for (int terms = first; terms <= last && !s->found; terms++) {
        TRY(attempt(s, d, kind, terms));
        TRY(confirm(s, d));
    }
    return ARGAND_OK;
}

/* Searches for linear and Hann, which need many terms and whose error falls with their number: doubles the
 * number of terms until the error is small enough, then bisects. */
static argand_status bisect(search *s, design *d, argand_interpolator kind, int first)
{
    int low = first, high = first;
    for (;; high = 2 * high < SEGMENTS_MOST_TERMS ? 2 * high : SEGMENTS_MOST_TERMS) {
        TRY(attempt(s, d, kind, high));
        if (s->found || high == SEGMENTS_MOST_TERMS) break;
        low = high + 1;
    }
    if (!s->found) return ARGAND_OK;
    design_release(d);
    while (low < high) {
        const int middle = (low + high) / 2;
        TRY(attempt(s, d, kind, middle));
        if (s->found) {
            design_release(d);
            high = middle;
        } else
            low = middle + 1;
    }
    s->found = false;
    return climb(s, d, kind, high, SEGMENTS_MOST_TERMS);
}

/* Prefers min-max with at most one term more than the optimum: its terms are exponentials, which Toeplitz
 * embedding can use and which are cheap to compute. With decay the histogram is coarse, and the optimum
 * may be off by one. */
static argand_status automatic(search *s, design *d, int optimum)
{
    TRY(climb(s, d, ARGAND_INTERPOLATE_MINMAX, optimum, optimum + 1));
    if (s->found) return ARGAND_OK;
    return climb(s, d, ARGAND_INTERPOLATE_SVD, optimum, s->spectrum.rank);
}

static argand_status by_tolerance(search *s, design *d, int optimum)
{
    const argand_interpolator kind = s->p->options.interpolator;
    argand_status status;
    CHECK(optimum <= SEGMENTS_MOST_TERMS, ARGAND_UNSUPPORTED,
          "segments: the field map turns by %.0f cycles within the readout, which needs %d terms and more, "
          "of at "
          "most %d; use the exact DFT, a mask, or look whether the units are right",
          s->p->turns, optimum, SEGMENTS_MOST_TERMS);
    switch (kind) {
    case ARGAND_INTERPOLATE_AUTO:
        status = automatic(s, d, optimum);
        break;
    case ARGAND_INTERPOLATE_SVD:
        status = climb(s, d, kind, optimum, s->spectrum.rank);
        break;
    case ARGAND_INTERPOLATE_MINMAX:
        status = climb(s, d, kind, optimum, SEGMENTS_MOST_TERMS);
        break;
    default:
        status = bisect(s, d, kind, optimum);
    }
    TRY(status);
    CHECK(s->found, ARGAND_UNSUPPORTED,
          "segments: %s interpolation in %s does not reach an error of %g with %d terms; the SVD needs %d: "
          "choose "
          "another interpolator%s",
          argand_interpolator_name(kind), s->p->options.frequency ? "frequency" : "time", s->tolerance,
          SEGMENTS_MOST_TERMS, optimum,
          s->p->options.frequency && s->p->decay ? ", or time segments, which hold R2*" : "");
    return ARGAND_OK;
}

static argand_status by_count(search *s, design *d)
{
    const argand_interpolator asked = s->p->options.interpolator;
    TRY(design_make(d, s->p, &s->spectrum, asked ? asked : ARGAND_INTERPOLATE_MINMAX, s->p->options.frequency,
                    s->p->options.count + 1));
    const argand_status status = design_measure(d, s->p);
    if (status != ARGAND_OK) design_release(d);
    return status;
}

/* Returns true if all pixels have one z, or all samples one time: one exponential is then exact. */
static bool is_single(const problem *p)
{
    const values *z = &p->space;
    return p->instants == 1 || (z->low == z->high && z->decay_low == z->decay_high);
}

static argand_status single(design *d, problem *p, int *optimum)
{
    argand_interpolator kind = p->options.interpolator;
    *optimum = 1;
    if (kind == ARGAND_INTERPOLATE_AUTO || kind == ARGAND_INTERPOLATE_SVD) kind = ARGAND_INTERPOLATE_LINEAR;
    /* one time: b is exp(-z t); one z: a is exp(-z t) */
    TRY(design_make(d, p, NULL, kind, p->options.frequency, 1));
    d->interpolator = p->options.interpolator ? p->options.interpolator : ARGAND_INTERPOLATE_MINMAX;
    const argand_status status = design_measure(d, p);
    if (status != ARGAND_OK) design_release(d);
    return status;
}

argand_status segments_choose(design *d, problem *p, int *optimum)
{
    const argand_segments_options *o = &p->options;
    search s = {.p = p, .tolerance = o->tolerance > 0 ? o->tolerance : 1e-3};
    CHECK(p->turns <= SEGMENTS_MOST_TERMS, ARGAND_UNSUPPORTED,
          "segments: the field map turns by %.0f cycles within the readout; at most %d terms are made, which "
          "is too "
          "few: use the exact DFT, a mask, or look whether the units are right",
          p->turns, SEGMENTS_MOST_TERMS);
    TRY(problem_histograms(p, 1, 1));
    if (is_single(p)) return single(d, p, optimum);
    TRY(design_spectrum(&s.spectrum, p));
    *optimum = spectrum_terms(&s.spectrum, s.tolerance);
    const argand_status status = o->count ? by_count(&s, d) : by_tolerance(&s, d, *optimum);
    if (status == ARGAND_OK && o->count) *optimum = spectrum_terms(&s.spectrum, d->error * (1 + 1e-6));
    svd_release(&s.spectrum);
    return status;
}
