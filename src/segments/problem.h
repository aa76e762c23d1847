/* SPDX-License-Identifier: BSD-3-Clause */
/* The exponential to approximate: w and R of the pixels, times of the samples, and histograms of both. */
#ifndef SEGMENTS_PROBLEM_H
#define SEGMENTS_PROBLEM_H

#include <argand/segments.h>
#include "segments/factor.h"
#include "segments/svd.h"

enum { SEGMENTS_MOST_TERMS = FACTOR_MOST_TERMS };

typedef struct problem {
    /* from the caller */
    argand_segments_options options;
    int64_t samples, pixels;
    double *t;      /* {samples} */
    int64_t *place; /* {inside}: index of the pixel */
    /* pixels inside the mask; distinct times in rising order, with the number of samples at each */
    int64_t inside, instants;
    double *w, *decay;       /* decay: NULL if there is none */
    double *instant, *often; /* often: number of samples, as a weight */
    values space, time;      /* the same values with their ranges */
    double turns, decays;    /* ranges of w t / (2 pi) and of R t */
    double complex mean;     /* mean of z */
    double mean_time;
    double ridge;                    /* smallest relative singular value for least squares: see factor_fit */
    histogram over_space, over_time; /* weights add up to 1 */
} problem;

/* Reads and checks the options' arrays. */
argand_status problem_read(problem *p, const argand_segments_options *options);
/* Makes both histograms with numbers of panels that are multiples of these. */
argand_status problem_histograms(problem *p, int space_panels, int time_panels);
void problem_release(problem *p);

#endif
