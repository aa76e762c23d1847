/* SPDX-License-Identifier: BSD-3-Clause */
/* What is to be approximated: the pixels' w and R, the samples' times, and few points that stand for each. */
#ifndef SEGMENTS_PROBLEM_H
#define SEGMENTS_PROBLEM_H

#include <argand/segments.h>
#include "segments/factor.h"
#include "segments/svd.h"

enum { SEGMENTS_MOST_TERMS = FACTOR_MOST_TERMS };

typedef struct problem {
    /* the caller's */
    argand_segments_options options;
    int64_t samples, pixels;
    double *t;      /* {samples} */
    int64_t *place; /* {inside}: which pixel */
    /* pixels in the mask, and the different times, rising, with how often each occurs */
    int64_t inside, instants;
    double *w, *decay;       /* decay: NULL where there is none */
    double *instant, *often; /* often: doubles, as weights */
    values space, time;      /* the same, with their ranges */
    double turns, decays;    /* ranges of w t / (2 pi) and of R t */
    double complex mean;     /* of z */
    double mean_time;
    double ridge;                    /* how far least squares go: see factor_fit */
    histogram over_space, over_time; /* weights add up to 1 */
} problem;

/* Reads and checks the options' arrays. */
argand_status problem_read(problem *p, const argand_segments_options *options);
/* The distributions, panels of both sides in multiples of these. */
argand_status problem_histograms(problem *p, int space_panels, int time_panels);
void problem_release(problem *p);

#endif
