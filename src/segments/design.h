/* SPDX-License-Identifier: BSD-3-Clause */
/* Two factors for a problem, by one interpolator and with a given number of terms, and how wrong they are. */
#ifndef SEGMENTS_DESIGN_H
#define SEGMENTS_DESIGN_H

#include "segments/factor.h"
#include "segments/problem.h"

typedef struct design {
    argand_interpolator interpolator; /* never AUTO */
    bool frequency;
    int terms;
    factor time, space;
    double error, largest; /* relative rms, and at most; largest only after design_measure */
} design;

/* The SVD of sqrt(weights) exp(-t z) over the problem's histograms, times down, pixels to the right. */
argand_status design_spectrum(svd *s, const problem *p);
/* How many terms the SVD needs for an error. */
int spectrum_terms(const svd *s, double error);

/* Makes the factors and estimates the error. spectrum: needed for the SVD alone. The problem's histograms are
 * made anew where the interpolator has pieces. */
argand_status design_make(design *d, problem *p, const svd *spectrum, argand_interpolator interpolator,
                          bool frequency, int terms);
/* The error over the histograms; without decay that is the error over all pixels and samples, to rounding. */
argand_status design_estimate(design *d, const problem *p);
/* The error over all pixels and samples, and the largest one. */
argand_status design_measure(design *d, const problem *p);
void design_release(design *d);

#endif
