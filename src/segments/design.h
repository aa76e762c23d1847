/* SPDX-License-Identifier: BSD-3-Clause */
/* Two factors for a problem, with one interpolator and a given number of terms, and their error. */
#ifndef SEGMENTS_DESIGN_H
#define SEGMENTS_DESIGN_H

#include "segments/factor.h"
#include "segments/problem.h"

typedef struct design {
    argand_interpolator interpolator; /* never AUTO */
    bool frequency;
    int terms;
    factor time, space;
    double error, largest; /* relative rms, and maximum (set by design_measure alone) */
} design;

/* Computes the SVD of sqrt(weights) exp(-t z) over the histograms of the problem: rows are times, columns
 * are pixels. */
argand_status design_spectrum(svd *s, const problem *p);
/* Returns the number of terms that the SVD needs for an error. */
int spectrum_terms(const svd *s, double error);

/* Makes the factors and estimates the error. spectrum: needed for the SVD alone. If the interpolator is
 * piecewise, the histograms of the problem are recomputed. */
argand_status design_make(design *d, problem *p, const svd *spectrum, argand_interpolator interpolator,
                          bool frequency, int terms);
/* Computes the error over the histograms. Without decay this equals the error over all pixels and samples,
 * up to rounding. */
argand_status design_estimate(design *d, const problem *p);
/* Computes the rms and the largest error over all pixels and samples. */
argand_status design_measure(design *d, const problem *p);
void design_release(design *d);

#endif
